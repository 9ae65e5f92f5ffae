"""Random points: the generator, and the points that its draws pick.

Documents: queries, random points; readings, "Area searches, walls, random points".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tests.oracles.query_areas import Circle
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point
from tests.oracles.query_nearest import surface_height
from tests.oracles.query_walls import POLYGON_BITS

MASK = 2**64 - 1
MOST_ATTEMPTS = 64
Spot = tuple[float, float]


@dataclass
class SplitMix64:
    state: int

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def double(self) -> float:
        return (self.bits() >> 11) * 2.0**-53

    def four(self) -> tuple[float, float, float, float]:
        return self.double(), self.double(), self.double(), self.double()


class PlainDraw(NamedTuple):
    """A polygon and a point on it, or 0 and None."""

    polygon: int
    point: Point | None


NOTHING = PlainDraw(0, None)


def triangle_areas(outline: Sequence[Spot]) -> list[float]:
    """Areas of the fan from the first corner, positive where it turns our way."""
    (ax, az), areas = outline[0], []
    for (bx, bz), (cx, cz) in pairwise(outline[1:]):
        areas.append(((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) * 0.5)
    return areas


def in_turn(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def picked(weights: Sequence[float], draw: float) -> int:
    """The first whose running total exceeds its share; if rounding leaves none, the last positive one."""
    wanted, running = draw * in_turn(weights), 0.0
    for index, weight in enumerate(weights):
        running += weight
        if running > wanted:
            return index
    return max(index for index, weight in enumerate(weights) if weight > 0)


def in_triangle(a: Spot, b: Spot, c: Spot, u2: float, u3: float) -> Spot:
    r1, r2 = math.sqrt(u2), u3
    return tuple(((1 - r1) * a[k] + r1 * (1 - r2) * b[k]) + r1 * r2 * c[k] for k in (0, 1))


def on_surface(polygon: PlainPolygon, spot: Spot) -> PlainDraw:
    return PlainDraw(polygon.ref, (spot[0], surface_height(polygon, (spot[0], 0.0, spot[1])), spot[1]))


def random_point(mesh: PlainMesh, generator: SplitMix64, accepts: PlainFilter) -> PlainDraw:
    polygons = sorted(filter(accepts.passes, mesh.polygons.values()), key=lambda p: p.ref & POLYGON_BITS)
    fans = [triangle_areas([(x, z) for x, _, z in polygon.local]) for polygon in polygons]
    weights = [in_turn(fan) for fan in fans]
    if not any(weight > 0 for weight in weights):
        return NOTHING
    u0, u1, u2, u3 = generator.four()
    chosen = picked(weights, u0)
    triangle = picked(fans[chosen], u1)
    world = [(x, z) for x, _, z in polygons[chosen].corners]
    return on_surface(polygons[chosen], in_triangle(world[0], world[triangle + 1], world[triangle + 2], u2, u3))


def clipped(polygon: PlainPolygon, circle: Circle) -> list[Spot]:
    """The outline cut to the circle's bounding square, by the planes -x, +x, -z, +z in turn."""
    outline: list[Spot] = [(x, z) for x, _, z in polygon.corners]
    centre = (circle.centre[0], circle.centre[2])
    for axis in (0, 1):
        for sign in (-1, 1):
            plane = centre[axis] + sign * circle.radius
            outline = clipped_by(outline, axis, sign, plane)
    return outline


def clipped_by(outline: list[Spot], axis: int, sign: int, plane: float) -> list[Spot]:
    kept: list[Spot] = []
    for p, q in zip(outline, [*outline[1:], *outline[:1]], strict=True):
        from_p, from_q = sign * (p[axis] - plane), sign * (q[axis] - plane)
        if from_p <= 0:
            kept.append(p)
        if (from_p < 0 < from_q) or (from_q < 0 < from_p):
            t = from_p / (from_p - from_q)
            crossing = [p[k] + (q[k] - p[k]) * t for k in (0, 1)]
            crossing[axis] = plane
            kept.append(tuple(crossing))
    return kept


def random_point_around(polygons: Sequence[PlainPolygon], generator: SplitMix64, circle: Circle) -> PlainDraw:
    """Of the polygons that a circle search has expanded."""
    if circle.radius == 0:
        return NOTHING
    outlines = [clipped(polygon, circle) for polygon in polygons]
    fans = [triangle_areas(outline) if len(outline) > 2 else [] for outline in outlines]
    weights = [in_turn(fan) for fan in fans]
    if not any(weight > 0 for weight in weights):
        return NOTHING
    for _ in range(MOST_ATTEMPTS):
        u0, u1, u2, u3 = generator.four()
        chosen = picked(weights, u0)
        triangle = picked(fans[chosen], u1)
        outline = outlines[chosen]
        spot = in_triangle(outline[0], outline[triangle + 1], outline[triangle + 2], u2, u3)
        dx, dz = spot[0] - circle.centre[0], spot[1] - circle.centre[2]
        if dx * dx + dz * dz <= circle.radius * circle.radius:
            return on_surface(polygons[chosen], spot)
    return NOTHING
