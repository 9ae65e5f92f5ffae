"""Geometry of every build stage as plain arrays in world coordinates, for any engine to draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onepath.build import CompactHeightfield
from onepath.build.arguments import MOST_GRID_SIDE, instance_of, whole_number
from onepath.debug.stages import TileStages
from onepath.mesh import NavMesh, TileView

__all__ = [
    "ContourEdges",
    "FloorCells",
    "PolygonOutlines",
    "SeamEdges",
    "contour_edges",
    "detail_triangles",
    "floor_cells",
    "polygon_outlines",
    "seam_edges",
]


class FloorCells(NamedTuple):
    """Open spaces of a compact heightfield as level squares.

    Attributes:
        corners: (n, 4, 3) float64, counter-clockwise seen from above.
        areas: (n,) uint8, 0 where nobody walks.
        regions: (n,) int32, 0 for none.
    """

    corners: NDArray[np.float64]
    areas: NDArray[np.uint8]
    regions: NDArray[np.int32]


class ContourEdges(NamedTuple):
    """Edges of simplified outlines.

    Attributes:
        ends: (n, 2, 3) float64; the region lies to the left, seen from above.
        regions: (n,) int32, the region that each bounds.
        behind: (n,) int32, the region on the other side, 0 for a wall or ledge, -1 to -4 for a side of the tile.
    """

    ends: NDArray[np.float64]
    regions: NDArray[np.int32]
    behind: NDArray[np.int32]


class PolygonOutlines(NamedTuple):
    """Polygons of a committed tile.

    Attributes:
        corners: (n, 3) float64, polygon after polygon, counter-clockwise seen from above.
        offsets: (polygons + 1,) int32 into `corners`.
        areas: (polygons,) uint8.
    """

    corners: NDArray[np.float64]
    offsets: NDArray[np.int32]
    areas: NDArray[np.uint8]


class SeamEdges(NamedTuple):
    """Polygon edges on the sides of tiles, cut where what lies behind them changes.

    Attributes:
        ends: (n, 2, 3) float64.
        kinds: (n,) uint8: 0 a wall, 1 joined to a polygon of the tile beside, 2 a tile that is not loaded.
    """

    ends: NDArray[np.float64]
    kinds: NDArray[np.uint8]


def floor_cells(compact: CompactHeightfield, padding: int = 0) -> FloorCells:
    """The open spaces of a field, those of its outer `padding` cells left out.

    Raises:
        ArgumentError, RangeError: `compact` is no CompactHeightfield, `padding` no whole number from 0 to 65536.
    """
    frame = instance_of("compact", compact, CompactHeightfield).frame
    padding = whole_number("padding", padding, 0, MOST_GRID_SIDE)
    column = np.repeat(np.arange(frame.width * frame.depth), compact.cell_count)
    x, z = column % frame.width, column // frame.width
    inside = (x >= padding) & (z >= padding) & (x < frame.width - padding) & (z < frame.depth - padding)
    x, z, y = x[inside], z[inside], compact.y[inside]
    corners = np.empty((len(x), 4, 3))
    for corner, (dx, dz) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        corners[:, corner, 0] = frame.origin[0] + (x + dx) * frame.cell_size
        corners[:, corner, 1] = frame.origin[1] + y * frame.cell_height
        corners[:, corner, 2] = frame.origin[2] + (z + dz) * frame.cell_size
    return FloorCells(corners, compact.area[inside], compact.region[inside])


def contour_edges(tile: TileStages) -> ContourEdges:
    """The outlines and holes of a tile's regions.

    Raises:
        ArgumentError: `tile` is no TileStages, such as `LevelStages.tile` gives.
    """
    contours, frame = instance_of("tile", tile, TileStages).contours, tile.frame
    offsets, corners = contours.loop_offsets, contours.loop_vertices
    following = np.arange(1, len(corners) + 1)
    following[offsets[1:] - 1] = offsets[:-1]
    cells = contours.vertices[np.stack([corners, corners[following]], axis=1)] + [tile.padding, 0, tile.padding]
    ends = frame.origin + cells * [frame.cell_size, frame.cell_height, frame.cell_size]
    regions = np.repeat(contours.loop_regions, np.diff(offsets))
    return ContourEdges(ends.astype(np.float64), regions, contours.behind)


def polygon_outlines(view: TileView) -> PolygonOutlines:
    """The polygons of a committed tile.

    Raises:
        ArgumentError: `view` is no TileView, such as `mesh.tile` gives.
    """
    instance_of("view", view, TileView)
    corners = view.vertices.astype(np.float64)[view.polygon_vertices] + view.origin
    return PolygonOutlines(corners, view.polygon_offsets, view.areas)


def detail_triangles(view: TileView) -> NDArray[np.float64]:
    """(n, 3, 3) triangles of a committed tile's finer heights; none where it has no detail.

    Raises:
        ArgumentError: `view` is no TileView, such as `mesh.tile` gives.
    """
    instance_of("view", view, TileView)
    triangles, fine = view.detail_triangles, view.detail_vertices
    if triangles is None or fine is None:
        return np.zeros((0, 3, 3))
    points = np.concatenate([view.vertices, fine]).astype(np.float64) + view.origin
    return points[triangles]


def seam_edges(mesh: NavMesh) -> SeamEdges:
    """The edges on sides of tiles of the whole mesh, and what lies behind each part of them.

    Ends of joined parts are those that links record, in 1/255 of the edge.

    Raises:
        ArgumentError: `mesh` is no NavMesh.
    """
    instance_of("mesh", mesh, NavMesh)
    ends: list[NDArray[np.float64]] = []
    kinds: list[int] = []
    for view in mesh.tiles():
        corners = polygon_outlines(view).corners
        joined = _joined_parts(view)
        for edge in np.flatnonzero(view.border_sides >= 0).tolist():
            is_frontier = int(view.border_sides[edge]) in view.frontier_sides
            begin, end = corners[edge], corners[_after(view, edge)]
            for low, high, kind in _parts(joined.get(edge, []), 2 if is_frontier else 0):
                ends.append(np.stack([begin + (end - begin) * low, begin + (end - begin) * high]))
                kinds.append(kind)
    return SeamEdges(np.array(ends).reshape(-1, 2, 3), np.array(kinds, np.uint8))


def _after(view: TileView, edge: int) -> int:
    """The edge that follows an edge around its polygon."""
    polygon = int(np.searchsorted(view.polygon_offsets, edge, side="right")) - 1
    return edge + 1 if edge + 1 < view.polygon_offsets[polygon + 1] else int(view.polygon_offsets[polygon])


def _joined_parts(view: TileView) -> dict[int, list[tuple[float, float]]]:
    """By edge of the tile, the parts of it that portals join, ascending along the edge."""
    found: dict[int, list[tuple[float, float]]] = {}
    for link in view.links[view.links["edge"] >= 0]:
        edge = int(view.polygon_offsets[link["polygon"]] + link["edge"])
        found.setdefault(edge, []).append((int(link["range_min"]) / 255.0, int(link["range_max"]) / 255.0))
    return {edge: sorted(parts) for edge, parts in found.items()}


def _parts(joined: list[tuple[float, float]], kind_between: int) -> list[tuple[float, float, int]]:
    """An edge cut into joined parts (kind 1) and those between them."""
    cut: list[tuple[float, float, int]] = []
    at = 0.0
    for low, high in joined:
        if low > at:
            cut.append((at, low, kind_between))
        if high > at:
            cut.append((max(at, low), high, 1))
            at = high
    return [*cut, (at, 1.0, kind_between)] if at < 1.0 else cut
