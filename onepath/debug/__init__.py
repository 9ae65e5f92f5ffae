"""What the builder did and why: the stages of a tile, their geometry as plain arrays, and spots explained in words."""

from onepath.debug.geometry import (
    ContourEdges,
    FloorCells,
    PolygonOutlines,
    SeamEdges,
    contour_edges,
    detail_triangles,
    floor_cells,
    polygon_outlines,
    seam_edges,
)
from onepath.debug.spots import SpotExplanation, SpotReason, explain_spot
from onepath.debug.stages import LevelStages, TileStages

__all__ = [
    "ContourEdges",
    "FloorCells",
    "LevelStages",
    "PolygonOutlines",
    "SeamEdges",
    "SpotExplanation",
    "SpotReason",
    "TileStages",
    "contour_edges",
    "detail_triangles",
    "explain_spot",
    "floor_cells",
    "polygon_outlines",
    "seam_edges",
]
