"""Walls near a place: the nearest one, and all of them.

Documents: queries, distance to wall and all walls near a position; readings, "Area searches, walls, random points".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles.query_areas import Circle, at_fraction, squared_distance_to
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point, lerp
from tests.oracles.query_trace import is_frontier

POLYGON_BITS = 2**41 - 1
WHOLE = (0, 255)


class PlainWall(NamedTuple):
    """The nearest wall; without one within the radius `polygon` is 0 and the distance is the radius."""

    found: bool
    distance: float
    point: Point | None
    normal: Point | None
    polygon: int
    edge: int
    not_loaded: bool


class WallPiece(NamedTuple):
    """A stretch of an edge with nothing walkable behind it, and the place on it nearest to the centre."""

    polygon: PlainPolygon
    edge: int
    first: int
    last: int
    fraction: float
    point: Point
    distance_squared: float

    @property
    def ends(self) -> tuple[Point, Point]:
        a, b = self.polygon.edge(self.edge)
        return at_fraction(a, b, self.first), at_fraction(a, b, self.last)


def walls_of_edge(mesh: PlainMesh, polygon: PlainPolygon, edge: int, accepts: PlainFilter) -> list[tuple[int, int]]:
    """The stretches of an edge that are wall, in 1/255 of it; none of a frontier."""
    neighbour = polygon.neighbours[edge]
    if neighbour:
        return [] if accepts.passes(mesh.polygons[neighbour]) else [WHOLE]
    if polygon.sides[edge] < 0:
        return [WHOLE]
    if is_frontier(mesh, polygon, edge):
        return []
    is_open = [False] * 255
    for link in polygon.links:
        if link.edge == edge and accepts.passes(mesh.polygons[link.target]):
            is_open[link.range_min : link.range_max] = [True] * (link.range_max - link.range_min)
    closed = [k for k in range(255) if not is_open[k]]
    firsts = [k for k in closed if k == 0 or is_open[k - 1]]
    lasts = [k + 1 for k in closed if k == 254 or is_open[k + 1]]
    return list(zip(firsts, lasts, strict=True))


def nearest_place(polygon: PlainPolygon, edge: int, first: int, last: int, centre: Point) -> tuple[float, Point]:
    """(fraction of the edge, point): the projection on the whole edge, clamped to the piece."""
    a, b = polygon.edge(edge)
    ex, ez = b[0] - a[0], b[2] - a[2]
    t = ((centre[0] - a[0]) * ex + (centre[2] - a[2]) * ez) / (ex * ex + ez * ez)
    t = min(max(t, first / 255), last / 255)
    return t, a if t <= 0 else b if t >= 1 else lerp(a, b, t)


def pieces(mesh: PlainMesh, polygons: Sequence[PlainPolygon], circle: Circle, accepts: PlainFilter) -> list[WallPiece]:
    """All pieces within the radius, in the order in which they are met."""
    found = []
    for polygon in polygons:
        for edge in range(len(polygon.corners)):
            for first, last in walls_of_edge(mesh, polygon, edge, accepts):
                fraction, point = nearest_place(polygon, edge, first, last, circle.centre)
                dx, dz = circle.centre[0] - point[0], circle.centre[2] - point[2]
                squared = dx * dx + dz * dz
                if squared <= circle.radius * circle.radius:
                    found.append(WallPiece(polygon, edge, first, last, fraction, point, squared))
    return found


def meets_frontier(mesh: PlainMesh, polygons: Sequence[PlainPolygon], circle: Circle) -> bool:
    """Whether an edge beyond which nothing is loaded lies within the radius."""
    return any(
        is_frontier(mesh, polygon, edge)
        and squared_distance_to(circle.centre, polygon.edge(edge)) <= circle.radius * circle.radius
        for polygon in polygons
        for edge in range(len(polygon.corners))
    )


def distance_to_wall(
    mesh: PlainMesh, polygons: Sequence[PlainPolygon], circle: Circle, accepts: PlainFilter
) -> PlainWall:
    """Of the polygons that a circle search has expanded."""
    not_loaded = meets_frontier(mesh, polygons, circle)
    found = pieces(mesh, polygons, circle, accepts)
    if not found:
        return PlainWall(False, circle.radius, None, None, 0, -1, not_loaded)
    best = min(found, key=lambda w: (w.distance_squared, w.polygon.ref & POLYGON_BITS, w.edge, w.fraction))
    distance = math.sqrt(best.distance_squared)
    normal = normal_of(best, circle.centre, distance)
    return PlainWall(True, distance, best.point, normal, best.polygon.ref, best.edge, not_loaded)


def normal_of(piece: WallPiece, centre: Point, distance: float) -> Point:
    """Towards the centre; on the wall, the edge's inward normal."""
    if distance > 0:
        return ((centre[0] - piece.point[0]) / distance, 0.0, (centre[2] - piece.point[2]) / distance)
    a, b = piece.polygon.edge(piece.edge)
    ex, ez = b[0] - a[0], b[2] - a[2]
    length = math.sqrt(ex * ex + ez * ez)
    return (ez / length, 0.0, -ex / length)


def nearest_walls(
    mesh: PlainMesh, polygons: Sequence[PlainPolygon], circle: Circle, accepts: PlainFilter, room: int
) -> tuple[list[WallPiece], bool]:
    """The nearest pieces that a buffer of so many holds, and whether some were dropped."""
    kept: list[WallPiece] = []
    truncated = False
    for piece in pieces(mesh, polygons, circle, accepts):
        place = len(kept)
        while place and piece.distance_squared < kept[place - 1].distance_squared:
            place -= 1
        kept.insert(place, piece)
        truncated |= len(kept) > room
        del kept[room:]
    return kept, truncated
