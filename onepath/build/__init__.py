"""Triangles in, plain polygons out: the builder's stages, each one function whose result can be looked at and saved."""

from onepath.build._chunks import VoxelChunk, add_chunk
from onepath.build._compact import CompactHeightfield
from onepath.build._contours import ContourSet, build_contours
from onepath.build._detail import DetailMesh, build_detail
from onepath.build._erosion import erode_walkable_area
from onepath.build._filters import (
    apply_span_filters,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
    filter_low_height,
)
from onepath.build._frame import HeightfieldFrame
from onepath.build._interiors import remove_solid_interiors
from onepath.build._polymesh import PolyMesh, build_polymesh
from onepath.build._regions import RegionSet, build_regions
from onepath.build._spans import SolidHeightfield
from onepath.build._volumes import ConvexVolume, apply_volume
from onepath.build._voxelize import rasterize_height_grid, rasterize_triangles
from onepath.build.settings import AgentShape, BakeSettings, CellSettings, SpanSettings

__all__ = [
    "AgentShape",
    "BakeSettings",
    "CellSettings",
    "CompactHeightfield",
    "ContourSet",
    "ConvexVolume",
    "DetailMesh",
    "HeightfieldFrame",
    "PolyMesh",
    "RegionSet",
    "SolidHeightfield",
    "SpanSettings",
    "VoxelChunk",
    "add_chunk",
    "apply_span_filters",
    "apply_volume",
    "build_contours",
    "build_detail",
    "build_polymesh",
    "build_regions",
    "erode_walkable_area",
    "filter_ledge_spans",
    "filter_low_hanging_obstacles",
    "filter_low_height",
    "rasterize_height_grid",
    "rasterize_triangles",
    "remove_solid_interiors",
]
