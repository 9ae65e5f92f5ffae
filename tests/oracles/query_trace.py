"""A segment followed over the surface: rays, and moves that stop at the first wall.

Documents: queries, raycast and move along surface; readings, "Raycast, move"; mesh decisions, bounds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import SIDE_STEPS, PlainMesh, PlainPolygon, Point, lerp
from tests.oracles.query_nearest import closest_point, is_over, outline_point, segment_point

OUTSIDE_SQUARED = 1e-6 * 1e-6
TOGETHER = 1e-9
EQUALLY_NEAR = 1e-18


class PlainHit(NamedTuple):
    """Where a ray ends. Without a wall `t` is 1, `edge` -1 and there is no normal; `polygon` is always the last one."""

    status: str
    t: float
    normal: Point | None
    polygon: int
    edge: int
    visited: list[int]


class PlainMove(NamedTuple):
    status: str
    point: Point | None
    polygon: int
    visited: list[int]


def raycast(mesh: PlainMesh, start_ref: int, start: Point, end: Point, accepts: PlainFilter) -> PlainHit:
    """Where a polygon is left depends on the polygon alone, so coming to one again would be to go round for ever.

    Edges bent by rounding, almost along the ray, and vertices can lead there; an edge that leads back leads nowhere.
    """
    polygon = mesh.polygons.get(start_ref)
    if polygon is None or not accepts.passes(polygon):
        return PlainHit("INVALID_START", 0.0, None, 0, -1, [])
    if not is_over(polygon, start) and away(start, outline_point(polygon, start)) > OUTSIDE_SQUARED:
        return PlainHit("START_OUTSIDE_POLYGON", 0.0, None, 0, -1, [])
    visited = [polygon.ref]
    while True:
        t, edges = ways_out(polygon, start, end)
        if t >= 1:
            return PlainHit("CLEAR", 1.0, None, polygon.ref, -1, visited)
        place = lerp(start, end, t)
        edges = nearest_edges(polygon, edges, place)
        behind = [beyond(mesh, polygon, edge, place, accepts) for edge in edges]
        onward = next((polygon for polygon in behind if polygon is not None and polygon.ref not in visited), None)
        if onward is None:
            status = "NOT_LOADED" if is_frontier(mesh, polygon, edges[0]) else "BLOCKED"
            return PlainHit(status, t, outward(*polygon.edge(edges[0])), polygon.ref, edges[0], visited)
        polygon = onward
        visited.append(polygon.ref)


def move(mesh: PlainMesh, start_ref: int, start: Point, end: Point, accepts: PlainFilter) -> PlainMove:
    hit = raycast(mesh, start_ref, start, end, accepts)
    if hit.status in ("INVALID_START", "START_OUTSIDE_POLYGON"):
        return PlainMove(hit.status, None, 0, [])
    last = mesh.polygons[hit.polygon]
    point = closest_point(last, end)[0] if hit.status == "CLEAR" else segment_point(*last.edge(hit.edge), end)
    return PlainMove(hit.status, point, hit.polygon, hit.visited)


def away(p: Point, q: Point) -> float:
    """Squared distance in X/Z."""
    dx, dz = p[0] - q[0], p[2] - q[2]
    return dx * dx + dz * dz


def ways_out(polygon: PlainPolygon, start: Point, end: Point) -> tuple[float, list[int]]:
    """The parameter at which the segment leaves the outline, and the edges whose lines it leaves there.

    A start beside the outline is on its way out at 0, through all lines that it has passed.
    """
    dx, dz = end[0] - start[0], end[2] - start[2]
    left: list[tuple[float, int]] = []
    for index in range(len(polygon.corners)):
        a, b = polygon.edge(index)
        ex, ez = b[0] - a[0], b[2] - a[2]
        outward_speed = ex * dz - ez * dx
        if outward_speed > 0:
            t = (ex * (a[2] - start[2]) - ez * (a[0] - start[0])) / outward_speed
            left.append((max(t, 0.0), index))
    least = min((t for t, _ in left), default=math.inf)
    return least, [index for t, index in left if t - least <= TOGETHER * (1 + least)]


def nearest_edges(polygon: PlainPolygon, edges: list[int], place: Point) -> list[int]:
    gaps = [away(place, segment_point(*polygon.edge(edge), place)) for edge in edges]
    return [edge for edge, gap in zip(edges, gaps, strict=True) if gap <= min(gaps) + EQUALLY_NEAR]


def beyond(
    mesh: PlainMesh, polygon: PlainPolygon, edge: int, place: Point, accepts: PlainFilter
) -> PlainPolygon | None:
    """The polygon behind an edge at a place, if there is one that the filter accepts."""
    if polygon.neighbours[edge]:
        neighbour = mesh.polygons[polygon.neighbours[edge]]
        return neighbour if accepts.passes(neighbour) else None
    a, b = polygon.edge(edge)
    ex, ez = b[0] - a[0], b[2] - a[2]
    along = ((place[0] - a[0]) * ex + (place[2] - a[2]) * ez) / (ex * ex + ez * ez)
    for link in polygon.links:
        in_range = (link.range_min - 1) / 255 <= along <= (link.range_max + 1) / 255
        if link.edge == edge and in_range and accepts.passes(mesh.polygons[link.target]):
            return mesh.polygons[link.target]
    return None


def is_frontier(mesh: PlainMesh, polygon: PlainPolygon, edge: int) -> bool:
    """Whether an edge faces a cell of the mesh that has no committed tile."""
    side = polygon.sides[edge]
    if side < 0:
        return False
    column, row = polygon.place[:2]
    return mesh.is_missing((column + SIDE_STEPS[side][0], row + SIDE_STEPS[side][1]))


def outward(a: Point, b: Point) -> Point:
    ex, ez = b[0] - a[0], b[2] - a[2]
    length = math.sqrt(ex * ex + ez * ez)
    return (-ez / length, 0.0, ex / length)
