"""The one-call form: nearest polygons, a search between them, what is missing where they are not found.

Documents: queries, one-call forms; mesh decisions, not loaded; query decisions, a mesh with no committed tile.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import Cell, PlainMesh, Point
from tests.oracles.query_nearest import Nearest, nearest_polygon
from tests.oracles.query_search import PlainSearch, Result

EXTENTS = (2.0, 4.0, 2.0)


class PlainPath(NamedTuple):
    """Status and detail of a path; the ends found and the corridor where there was a search."""

    status: str
    detail: str
    start: Nearest | None
    end: Nearest | None
    corridor: Result | None
    missing: tuple[Cell, ...]


def one_call(mesh: PlainMesh, start: Point, end: Point, accepts: PlainFilter, crossing: bool, limit: int) -> PlainPath:
    if not mesh.loaded:
        return PlainPath("NO_MESH", "NO_MESH", None, None, None, ())
    found = []
    for name, position in (("START", start), ("END", end)):
        nearest = nearest_polygon(mesh, position, EXTENTS, accepts)
        if not nearest.ref:
            missing = missing_within(mesh, position, EXTENTS)
            if missing:
                return PlainPath("NOT_LOADED", f"{name}_NOT_LOADED", None, None, None, missing)
            return PlainPath(f"NO_{name}", f"NO_{name}_NEARBY", None, None, None, ())
        found.append(nearest)
    first, last = found
    search = PlainSearch(
        mesh, mesh.polygons[first.ref], first.point, mesh.polygons[last.ref], last.point, accepts, crossing, limit
    )
    search.run()
    corridor = search.result()
    detail = corridor.status
    if detail == "NOT_LOADED":
        detail = "FRONTIER"
    if detail == "PARTIAL" and corridor.node_limit_reached:
        detail = "NODE_LIMIT"
    return PlainPath(corridor.status, detail, first, last, corridor, corridor.missing)


def missing_within(mesh: PlainMesh, center: Point, half_extents: Point) -> tuple[Cell, ...]:
    """Cells that are not loaded and whose square the box touches, nearest to its middle first."""
    ranges = []
    for axis in (0, 2):
        low, high = center[axis] - half_extents[axis], center[axis] + half_extents[axis]
        first, last = math.floor(low / mesh.tile_size) - 2, math.floor(high / mesh.tile_size) + 2
        touched = [k for k in range(first, last + 1) if k * mesh.tile_size <= high and (k + 1) * mesh.tile_size >= low]
        ranges.append(touched)
    cells = {(column, row) for column in ranges[0] for row in ranges[1] if mesh.is_missing((column, row))}
    return mesh.nearest_first(cells, center)
