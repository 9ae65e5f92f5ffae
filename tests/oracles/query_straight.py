"""The shortest line through a row of portals in X/Z, found on the graph of all portal ends that see each other.

A line may turn only at portal ends (left or right one), and between two of them it is straight and meets all portals
between, in their order. So a least-length sweep over the ends in portal order finds it. Whether one sees another is
decided exactly. Document: queries, straight path.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from tests.oracles.query_mesh import Point, exact_side_of, side_of
from tests.oracles.query_portals import Portal

CLOSED = ((math.nan,) * 3, (math.nan,) * 3)


def shortest_line(portals: Sequence[Portal], start: Point, end: Point) -> tuple[float, list[Point]]:
    """Length in X/Z and the points of the line, start and end included."""
    if portals:
        start = _on_this_side(start, portals[0].right, portals[0].left)
        end = _on_this_side(end, portals[-1].left, portals[-1].right)
    levels: list[list[Point]] = [[start], *([portal.right, portal.left] for portal in portals), [end]]
    least: list[list[float]] = [[math.inf] * len(level) for level in levels]
    before: list[list[tuple[int, int] | None]] = [[None] * len(level) for level in levels]
    least[0][0] = 0.0
    for i, level in enumerate(levels[:-1]):
        for k, source in enumerate(level):
            for j, m in _seen_from(source, i, levels, portals):
                target = levels[j][m]
                length = least[i][k] + math.hypot(target[0] - source[0], target[2] - source[2])
                if length < least[j][m]:
                    least[j][m], before[j][m] = length, (i, k)
    points, at = [end], before[-1][0]
    while at is not None:
        points.append(levels[at[0]][at[1]])
        at = before[at[0]][at[1]]
    return least[-1][0], [tuple(map(float, point)) for point in points[::-1]]


def _side(a: Point, b: Point, p: Point) -> int:
    fractions = type(a[0]) is Fraction or type(b[0]) is Fraction or type(p[0]) is Fraction
    return exact_side_of(a, b, p) if fractions else side_of(a, b, p)


def _on_this_side(point: Point, a: Point, b: Point) -> Point:
    """The point itself, or exactly on the line where rounding has put it right of a to b.

    A start lies in the first polygon and an end in the last: beyond the portal they can be by rounding only.
    """
    if _side(a, b, point) >= 0:
        return point
    ax, az, px, pz = (Fraction(value) for value in (a[0], a[2], point[0], point[2]))
    ex, ez = Fraction(b[0]) - ax, Fraction(b[2]) - az
    t = ((px - ax) * ex + (pz - az) * ez) / (ex * ex + ez * ez)
    return ax + ex * t, point[1], az + ez * t


def _seen_from(source: Point, level: int, levels, portals: Sequence[Portal]) -> list[tuple[int, int]]:
    """(level, place) of the ends of later levels that the source sees; those behind a closed view are not asked."""
    seen = []
    view: tuple[Point, Point] | None = None
    for j in range(level + 1, len(levels)):
        between = portals[level : j - 1]
        seen += [(j, m) for m, target in enumerate(levels[j]) if _sees(source, target, between)]
        if j - 1 < len(portals):
            view = _narrowed(source, view, portals[j - 1])
            if view is CLOSED:
                break
    return seen


def _narrowed(source: Point, view: tuple[Point, Point] | None, portal: Portal) -> tuple[Point, Point] | None:
    """The wedge of directions that may still pass; None before the first portal that lies ahead. It may be too wide:
    it only saves work."""
    if view is None:
        return (portal.right, portal.left) if _side(portal.right, portal.left, source) > 0 else None
    right, left = view
    from_right, from_left = _side(source, right, portal.right), _side(source, left, portal.right)
    if from_right > 0 and from_left > 0:
        return CLOSED
    if from_right > 0:
        right = portal.right
    from_right, from_left = _side(source, right, portal.left), _side(source, left, portal.left)
    if from_right < 0 and from_left < 0:
        return CLOSED
    return right, portal.left if from_left < 0 else left


def _sees(source: Point, target: Point, portals: Sequence[Portal]) -> bool:
    """Whether the segment meets all portals, and in their order.

    The polygons between portals are convex, so only portals that the segment runs along can be met out of order.
    """
    if (source[0], source[2]) == (target[0], target[2]):
        return all(_on_portal(source, portal) for portal in portals)
    along = False
    for portal in portals:
        right, left = _side(source, target, portal.right), _side(source, target, portal.left)
        near, far = _side(portal.right, portal.left, source), _side(portal.right, portal.left, target)
        if right * left > 0 or near * far > 0:
            return False
        if right > 0 or left < 0:
            return False
        along |= right == left == 0
    return not along or _meets_in_order(source, target, portals)


def _on_portal(point: Point, portal: Portal) -> bool:
    if _side(portal.right, portal.left, point) != 0:
        return False
    return all(min(portal.right[k], portal.left[k]) <= point[k] <= max(portal.right[k], portal.left[k]) for k in (0, 2))


def _meets_in_order(source: Point, target: Point, portals: Sequence[Portal]) -> bool:
    """As a walk along the segment that takes each portal at the first place that is not behind the one before."""
    reached = Fraction(0)
    for portal in portals:
        stretch = _stretch_on(source, target, portal)
        if stretch is None:
            return False
        first, last = stretch
        reached = max(reached, first)
        if reached > last:
            return False
    return True


def _stretch_on(source: Point, target: Point, portal: Portal) -> tuple[Fraction, Fraction] | None:
    """Parameters of the segment, within [0, 1], at which it touches the portal."""
    sx, sz = Fraction(source[0]), Fraction(source[2])
    dx, dz = Fraction(target[0]) - sx, Fraction(target[2]) - sz
    rx, rz = Fraction(portal.right[0]) - sx, Fraction(portal.right[2]) - sz
    lx, lz = Fraction(portal.left[0]) - sx, Fraction(portal.left[2]) - sz
    right, left = dz * rx - dx * rz, dz * lx - dx * lz
    if right == 0 and left == 0:
        squared = dx * dx + dz * dz
        ends = sorted(((rx * dx + rz * dz) / squared, (lx * dx + lz * dz) / squared))
        first, last = max(ends[0], Fraction(0)), min(ends[1], Fraction(1))
        return (first, last) if first <= last else None
    if right * left > 0:
        return None
    share = right / (right - left)
    x, z = rx + (lx - rx) * share, rz + (lz - rz) * share
    at = (x * dx + z * dz) / (dx * dx + dz * dz)
    return (at, at) if 0 <= at <= 1 else None


def meets_in_order(portals: Sequence[Portal], points: Sequence[Point], slack: float = 1e-6) -> bool:
    """Whether a line comes by all portals, one after the other."""
    piece, along = 0, 0.0
    for portal in portals:
        while piece < len(points) - 1:
            found = _first_meeting(points[piece], points[piece + 1], along, portal, slack)
            if found is not None:
                along = found
                break
            piece, along = piece + 1, 0.0
        else:
            return False
    return True


def _first_meeting(a: Point, b: Point, along: float, portal: Portal, slack: float) -> float | None:
    ax, az, bx, bz = a[0], a[2], b[0] - a[0], b[2] - a[2]
    rx, rz = portal.right[0], portal.right[2]
    lx, lz = portal.left[0] - rx, portal.left[2] - rz
    squared, cross = bx * bx + bz * bz, bx * lz - bz * lx
    places = [along, 1.0]
    if squared > 0.0:
        places += [((x - ax) * bx + (z - az) * bz) / squared for x, z in ((rx, rz), (rx + lx, rz + lz))]
    if cross != 0.0:
        places.append(((rx - ax) * lz - (rz - az) * lx) / cross)
    for t in sorted(min(1.0, max(along, t)) for t in places):
        x, z = ax + bx * t - rx, az + bz * t - rz
        on = min(1.0, max(0.0, (x * lx + z * lz) / ((lx * lx + lz * lz) or 1.0)))
        if math.hypot(x - on * lx, z - on * lz) <= slack:
            return t
    return None


def least_through(portals: Sequence[Portal], start: Point, end: Point, samples: int = 11, rounds: int = 40) -> float:
    """A length in X/Z of lines that meet all portals in their order, whatever way they lead: hardly above the least.

    The best of some places on each portal, found by a sweep over them, then of nearer places about these, and so on.
    """
    windows = [(0.0, 1.0)] * len(portals)
    least = math.inf
    for _ in range(rounds):
        places = [[low + (high - low) * k / (samples - 1) for k in range(samples)] for low, high in windows]
        length, chosen = _least_of(portals, places, start, end)
        least = min(least, length)
        windows = [
            (max(0.0, at - (high - low) * 0.3), min(1.0, at + (high - low) * 0.3))
            for at, (low, high) in zip(chosen, windows, strict=True)
        ]
    return least


def _least_of(
    portals: Sequence[Portal], places: list[list[float]], start: Point, end: Point
) -> tuple[float, list[float]]:
    spots = [[(start[0], start[2])]]
    for portal, along in zip(portals, places, strict=True):
        a, b = portal.right, portal.left
        spots.append([(a[0] + (b[0] - a[0]) * t, a[2] + (b[2] - a[2]) * t) for t in along])
    spots.append([(end[0], end[2])])
    least, steps = [0.0], []
    for before, level in pairwise(spots):
        step = [min((least[k] + math.dist(p, q), k) for k, p in enumerate(before)) for q in level]
        least = [length for length, _ in step]
        steps.append([k for _, k in step])
    at, chosen = 0, []
    for step in reversed(steps):
        at = step[at]
        chosen.append(at)
    return least[0], [along[k] for along, k in zip(places, chosen[:-1][::-1], strict=True)]
