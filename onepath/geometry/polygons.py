"""Flat polygons of three-dimensional meshes cut into triangles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from onepath.geometry._predicates import orientation
from onepath.geometry.triangles import Triangles, Vertices

__all__ = ["ear_clipped", "triangulate"]

Point = tuple[float, float]


def triangulate(vertices: Vertices, first: npt.NDArray[np.int64], corners: npt.NDArray[np.int64]) -> Triangles:
    """Triangles of polygons with 3 or more corners, k - 2 for k corners, in polygon order, keeping each one's winding.

    Polygon i has `corners[first[i] : first[i + 1]]`, rows of `vertices`. A polygon whose fan from its first corner
    covers it soundly is cut into that fan; any other (concave, bent) has its ears clipped.
    """
    counts = np.diff(first)
    rows = np.concatenate([[0], np.cumsum(counts - 2)])
    triangles = np.empty((int(rows[-1]), 3), dtype=np.int32)
    # Not np.unique, whose first call imports masked arrays and takes longer than a usual file.
    for count in sorted(set(counts.tolist())):
        which = np.flatnonzero(counts == count)
        polygons = corners[first[which][:, None] + np.arange(count)]
        fans = np.stack(
            [np.broadcast_to(polygons[:, :1], (len(which), count - 2)), polygons[:, 1:-1], polygons[:, 2:]], 2
        )
        triangles[rows[which][:, None] + np.arange(count - 2)] = fans
        if count > 3:
            for k in np.flatnonzero(~_fan_is_sound(vertices[polygons])).tolist():
                row = int(rows[which[k]])
                cut = ear_clipped(_projected(vertices[polygons[k]]))
                triangles[row : row + count - 2] = polygons[k][np.array(cut)]
    return triangles


def ear_clipped(outline: Sequence[Point]) -> list[tuple[int, int, int]]:
    """Triangles (index triples) of a simple outline, counter-clockwise by `orientation`, by clipping ears.

    The signs are exact, so a simple outline is always covered without overlap; corners on a straight line give
    triangles of zero area. Where an outline crosses itself and no ear is left, the rest is cut into a fan.
    """
    rest = list(range(len(outline)))
    triangles = []
    while len(rest) > 3:
        at = _best_ear(outline, rest)
        if at is None:
            break
        triangles.append((rest[at - 1], rest[at], rest[(at + 1) % len(rest)]))
        del rest[at]
    return triangles + [(rest[0], rest[i], rest[i + 1]) for i in range(1, len(rest) - 1)]


def _best_ear(outline: Sequence[Point], rest: list[int]) -> int | None:
    """The first corner that can be cut off: convex with nothing inside, else one that encloses no area."""
    straight = None
    for at in range(len(rest)):
        a, b, c = (outline[rest[k % len(rest)]] for k in (at - 1, at, at + 1))
        side = orientation(a, b, c)
        if side > 0 and not any(_inside(outline[k], a, b, c) for k in rest):
            return at
        if side == 0 and straight is None and _between(a, b, c):
            straight = at
    return straight


def _inside(p: Point, a: Point, b: Point, c: Point) -> bool:
    """In the closed triangle, but not on one of its corners (outlines may touch themselves there)."""
    if p in (a, b, c):
        return False
    return orientation(a, b, p) >= 0 and orientation(b, c, p) >= 0 and orientation(c, a, p) >= 0


def _between(a: Point, b: Point, c: Point) -> bool:
    """b, on the line a c, lies between the two (or on one): cutting it off leaves no spike."""
    return all(min(p, q) <= r <= max(p, q) for p, q, r in zip(a, c, b, strict=True))


def _fan_is_sound(points: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Of polygons (n, k, 3): no corner and no triangle of the fan turns against the polygon's own normal."""
    edges = np.roll(points, -1, axis=1) - points
    spokes = points[:, 1:] - points[:, :1]
    fan = np.cross(spokes[:, :-1], spokes[:, 1:])
    normal = fan.sum(axis=1)[:, None, :]
    turns = np.cross(np.roll(edges, 1, axis=1), edges)
    return np.asarray(((turns * normal).sum(2) >= 0.0).all(1) & ((fan * normal).sum(2) >= 0.0).all(1))


def _projected(points: npt.NDArray[np.float64]) -> list[Point]:
    """One polygon seen along the axis nearest to its normal, counter-clockwise by `orientation`."""
    spokes = points[1:] - points[0]
    normal = np.cross(spokes[:-1], spokes[1:]).sum(axis=0)
    axis = int(np.abs(normal).argmax())
    # `orientation` reads (x, z) pairs, of which counter-clockwise seen from +y is (z, x) in a right-handed order.
    first, second = ((2, 1), (0, 2), (1, 0))[axis]
    if normal[axis] < 0.0:
        first, second = second, first
    return [(float(p[first]), float(p[second])) for p in points]
