"""The shortest line through a row of portals, by brute force: a visibility graph over all ends of all portals.

Nothing here resembles a funnel. A step from an end of portal i to an end of portal j is allowed if the straight segment
meets every portal between them, one after the other along the segment; the shortest chain of steps is found by dynamic
programming. Doubles are turned into integers first, so that every test is exact; only lengths are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Spot = tuple[float, float]
Whole = tuple[int, int]
Span = tuple[Fraction, Fraction]


def as_integers(spots: Sequence[Spot]) -> list[Whole]:
    """The same figure on the integer lattice: all coordinates times one power of two."""
    exact = [(Fraction(x), Fraction(z)) for x, z in spots]
    scale = math.lcm(*(value.denominator for spot in exact for value in spot))
    return [(int(x * scale), int(z * scale)) for x, z in exact]


def cross(a: Whole, b: Whole, c: Whole) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def meeting(a: Whole, b: Whole, p: Whole, q: Whole) -> Span | None:
    """The parameters of the segment a, b at which it lies in the closed segment p, q; None where it misses it."""
    side_p, side_q = cross(a, b, p), cross(a, b, q)
    if a == b or side_p == side_q == 0:
        return collinear_meeting(a, b, p, q)
    if (side_p > 0 and side_q > 0) or (side_p < 0 and side_q < 0):
        return None
    side_a, side_b = cross(p, q, a), cross(p, q, b)
    if (side_a > 0 and side_b > 0) or (side_a < 0 and side_b < 0):
        return None
    at = Fraction(side_a, side_a - side_b)
    return at, at


def collinear_meeting(a: Whole, b: Whole, p: Whole, q: Whole) -> Span | None:
    if a == b:
        between = (p[0] - a[0]) * (q[0] - a[0]) + (p[1] - a[1]) * (q[1] - a[1]) <= 0
        return (Fraction(0), Fraction(1)) if between and cross(p, q, a) == 0 else None
    axis = 0 if a[0] != b[0] else 1
    ends = sorted(Fraction(spot[axis] - a[axis], b[axis] - a[axis]) for spot in (p, q))
    low, high = max(ends[0], Fraction(0)), min(ends[1], Fraction(1))
    return (low, high) if low <= high else None


def meets_in_order(a: Whole, b: Whole, portals: Sequence[tuple[Whole, Whole]], reached: Fraction = Fraction(0)) -> int:
    """How many of the portals, from the first on, the segment meets one after the other from parameter `reached` on."""
    for number, (right, left) in enumerate(portals):
        span = meeting(a, b, right, left)
        if span is None or span[1] < reached:
            return number
        reached = max(reached, span[0])
    return len(portals)


def shortest_length(portals: Sequence[tuple[Spot, Spot]], start: Spot, end: Spot) -> float:
    """Length of the shortest line from start to end that meets the portals in their order."""
    spots = [start, *(spot for portal in portals for spot in portal), end]
    whole = as_integers(spots)
    rows = [(whole[1 + 2 * i], whole[2 + 2 * i]) for i in range(len(portals))]
    place = [-1, *(i for i in range(len(portals)) for _ in (0, 1)), len(portals)]
    best = [0.0] + [math.inf] * (len(spots) - 1)
    for j in range(1, len(spots)):
        for i in range(j):
            length = best[i] + math.dist(spots[i], spots[j])
            if place[i] < place[j] and length < best[j]:
                between = rows[place[i] + 1 : place[j]]
                if meets_in_order(whole[i], whole[j], between) == len(between):
                    best[j] = length
    return best[-1]


def stays_inside(line: Sequence[Spot], portals: Sequence[tuple[Spot, Spot]]) -> bool:
    """Whether the line meets all portals in their order, from its first spot to its last."""
    whole = as_integers([*line, *(spot for portal in portals for spot in portal)])
    rows = [(whole[len(line) + 2 * i], whole[len(line) + 2 * i + 1]) for i in range(len(portals))]
    passed = 0
    for a, b in zip(whole[: len(line)], [*whole[1 : len(line)], whole[len(line) - 1]], strict=True):
        passed += meets_in_order(a, b, rows[passed:])
    return passed == len(rows)


def line_length(line: Sequence[Spot]) -> float:
    return math.fsum(math.dist(a, b) for a, b in pairwise(line))
