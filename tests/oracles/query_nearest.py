"""Nearest polygons by looking at every polygon, heights by looking at every triangle.

Documents: queries, nearest polygon; readings, arithmetic and "Nearest, height, filters".
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point, lerp, side_of, squared_distance

TOLERANCE = 1e-9


class Nearest(NamedTuple):
    ref: int
    point: Point | None
    distance_squared: float
    over_polygon: bool


NOTHING = Nearest(0, None, math.inf, False)


def nearest_polygon(mesh: PlainMesh, center: Point, half_extents: Point, accepts: PlainFilter) -> Nearest:
    low = [c - h for c, h in zip(center, half_extents, strict=True)]
    high = [c + h for c, h in zip(center, half_extents, strict=True)]
    best, best_key = NOTHING, (math.inf,)
    for polygon in mesh.polygons.values():
        polygon_low, polygon_high = polygon.box()
        if any(polygon_low[k] > high[k] or polygon_high[k] < low[k] for k in range(3)):
            continue
        if not accepts.passes(polygon):
            continue
        point, over = closest_point(polygon, center)
        key = (squared_distance(center, point), polygon.place)
        if key < best_key:
            best, best_key = Nearest(polygon.ref, point, key[0], over), key
    return best


def closest_point(polygon: PlainPolygon, p: Point) -> tuple[Point, bool]:
    """The point of a polygon nearest to p, and whether it lies straight above or below p."""
    if is_over(polygon, p):
        return (p[0], surface_height(polygon, p), p[2]), True
    return outline_point(polygon, p), False


def is_over(polygon: PlainPolygon, p: Point) -> bool:
    return all(side_of(*polygon.edge(index), p) >= 0 for index in range(len(polygon.corners)))


def outline_point(polygon: PlainPolygon, p: Point) -> Point:
    best, least = polygon.corners[0], math.inf
    for index in range(len(polygon.corners)):
        point = segment_point(*polygon.edge(index), p)
        dx, dz = p[0] - point[0], p[2] - point[2]
        if dx * dx + dz * dz < least:
            best, least = point, dx * dx + dz * dz
    return best


def segment_point(a: Point, b: Point, p: Point) -> Point:
    ex, ez = b[0] - a[0], b[2] - a[2]
    t = ((p[0] - a[0]) * ex + (p[2] - a[2]) * ez) / (ex * ex + ez * ez)
    if t <= 0:
        return a
    return b if t >= 1 else lerp(a, b, t)


def surface_height(polygon: PlainPolygon, p: Point) -> float:
    corners = polygon.corners
    fan = [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
    best_height, best_least = None, -math.inf
    for a, b, c in polygon.detail or fan:
        weights = barycentric(a, b, c, p)
        if weights is None:
            continue
        height = (a[1] + weights[1] * (b[1] - a[1])) + weights[2] * (c[1] - a[1])
        if min(weights) >= -TOLERANCE:
            return height
        if min(weights) > best_least:
            best_height, best_least = height, min(weights)
    return outline_point(polygon, p)[1] if best_height is None else best_height


def barycentric(a: Point, b: Point, c: Point, p: Point) -> tuple[float, float, float] | None:
    """Weights of the three corners; None for a triangle without area."""
    ux, uz, vx, vz = b[0] - a[0], b[2] - a[2], c[0] - a[0], c[2] - a[2]
    px, pz = p[0] - a[0], p[2] - a[2]
    area = uz * vx - ux * vz
    if area == 0:
        return None
    w1, w2 = (pz * vx - px * vz) / area, (uz * px - ux * pz) / area
    return (1 - w1) - w2, w1, w2
