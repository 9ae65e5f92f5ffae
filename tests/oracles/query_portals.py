"""Portals of a corridor: shared edges within a tile, groups of overlaps across tile borders.

Documents: queries, straight path; readings, straight path; mesh decisions, portals between tiles.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tests.oracles.query_mesh import SIDE_STEPS, PlainMesh, PlainPolygon, Point, lerp, side_of

OPPOSITE = (2, 3, 0, 1)
ALONG = (2, 0, 2, 0)
CLIMB_SLACK_ROWS = 1e-3
LEAST_OVERLAP_CELLS = 1e-3


class Portal(NamedTuple):
    """What one walks through, `right` and `left` seen by the walker."""

    right: Point
    left: Point


class Overlap(NamedTuple):
    low: float
    high: float
    low_edge: int
    high_edge: int


def overlaps(mesh: PlainMesh, source: PlainPolygon, target: PlainPolygon, side: int) -> list[Overlap]:
    """The stretches of one tile side that lead from source to target, one for each pair of edges, ascending."""
    axis = ALONG[side]
    found = []
    for edge, own_side in enumerate(source.sides):
        for other, other_side in enumerate(target.sides):
            if own_side == side and other_side == OPPOSITE[side]:
                stretch = _common(mesh, source.edge(edge), target.edge(other), axis)
                if stretch is not None:
                    found.append(Overlap(*stretch, edge, edge))
    return sorted(found)


def _common(mesh: PlainMesh, first, second, axis: int) -> tuple[float, float] | None:
    """The interval in which two edges overlap and their heights differ by no more than a climb."""
    (a, b), (c, d) = (sorted(edge, key=lambda p: p[axis]) for edge in (first, second))
    low, high = max(a[axis], c[axis]), min(b[axis], d[axis])
    if high - low < LEAST_OVERLAP_CELLS * mesh.cell_size:
        return None
    climb = mesh.max_climb + CLIMB_SLACK_ROWS * mesh.cell_height
    step_low = _height(a, b, axis, low) - _height(c, d, axis, low)
    step_high = _height(a, b, axis, high) - _height(c, d, axis, high)
    begin, finish = 0.0, 1.0  # the part of [low, high] where |step| <= climb
    rise = step_high - step_low
    for bound, sign in ((climb, 1), (-climb, -1)):
        at_low, at_high = sign * (step_low - bound), sign * (step_high - bound)
        if at_low > 0 and at_high > 0:
            return None
        if at_low > 0:
            begin = max(begin, (bound - step_low) / rise)
        elif at_high > 0:
            finish = min(finish, (bound - step_low) / rise)
    length = high - low
    stretch = (low + length * begin if begin > 0 else low, low + length * finish if finish < 1 else high)
    return None if stretch[1] - stretch[0] < LEAST_OVERLAP_CELLS * mesh.cell_size else stretch


def _height(a: Point, b: Point, axis: int, coordinate: float) -> float:
    return a[1] + (b[1] - a[1]) * ((coordinate - a[axis]) / (b[axis] - a[axis]))


def groups(mesh: PlainMesh, source: PlainPolygon, target: PlainPolygon, side: int) -> list[Overlap]:
    """Hulls of overlaps that touch; each is a portal of its own."""
    joined: list[Overlap] = []
    for overlap in overlaps(mesh, source, target, side):
        if joined and overlap.low <= joined[-1].high:
            last = joined[-1]
            if overlap.high > last.high:
                joined[-1] = Overlap(last.low, overlap.high, last.low_edge, overlap.high_edge)
        else:
            joined.append(overlap)
    return joined


def portal_of_group(source: PlainPolygon, side: int, group: Overlap) -> Portal:
    axis = ALONG[side]
    ends = []
    for coordinate, edge in ((group.low, group.low_edge), (group.high, group.high_edge)):
        a, b = source.edge(edge)
        t = (coordinate - a[axis]) / (b[axis] - a[axis])
        point = list(lerp(a, b, t))
        point[axis] = coordinate
        point[2 - axis] = a[2 - axis]
        ends.append(tuple(point))
    a, b = source.edge(group.low_edge)
    return Portal(*ends) if a[axis] < b[axis] else Portal(ends[1], ends[0])


def portal_between(mesh: PlainMesh, source: PlainPolygon, target: PlainPolygon) -> Portal | None:
    """By the rule for bare lists: the lowest shared edge, else the group lowest along the side; None if none."""
    for edge, neighbour in enumerate(source.neighbours):
        if neighbour == target.ref:
            return Portal(*source.edge(edge))
    for link in source.links:
        if link.target == target.ref:
            side = source.sides[link.edge]
            return portal_of_group(source, side, groups(mesh, source, target, side)[0])
    return None


def portal_of_crossing(mesh: PlainMesh, source: PlainPolygon, target: PlainPolygon, edge: int, place: int) -> Portal:
    """The portal that a search names: an edge, or the group to which a link belongs."""
    if place < 0:
        return Portal(*source.edge(edge))
    link = [link for link in source.links if (link.edge, link.target) == (edge, target.ref)][place]
    side = source.sides[edge]
    axis = ALONG[side]
    a, b = source.edge(edge)
    middle = a[axis] + (b[axis] - a[axis]) * ((link.range_min + link.range_max) / 510)
    away = [max(group.low - middle, middle - group.high) for group in groups(mesh, source, target, side)]
    return portal_of_group(source, side, groups(mesh, source, target, side)[away.index(min(away))])


def folds_back(portals: list[Portal]) -> bool:
    """Whether two portals in turn lie on one line, lead opposite ways, and share more than a point.

    That takes two polygons over each other, both within a climb of the one between. The surface then branches at the
    line; a shortest line through it is reflected there, and no portal end need lie at its turn.
    """
    for first, second in pairwise(portals):
        if side_of(first.right, first.left, second.right) or side_of(first.right, first.left, second.left):
            continue
        for axis in (0, 2):
            low = max(min(p[axis] for p in portal) for portal in (first, second))
            high = min(max(p[axis] for p in portal) for portal in (first, second))
            ways = [portal.left[axis] - portal.right[axis] for portal in (first, second)]
            if low < high and ways[0] * ways[1] < 0:
                return True
    return False


def expected_links(mesh: PlainMesh, source: PlainPolygon) -> list[tuple[int, int, float, float]]:
    """(edge, target, low, high) for every overlap with a polygon of the next cells, fractions from the first corner."""
    found = []
    column, row = source.place[:2]
    for side, (right, up) in enumerate(SIDE_STEPS):
        axis = ALONG[side]
        for target in mesh.polygons.values():
            if target.place[:2] != (column + right, row + up):
                continue
            for overlap in overlaps(mesh, source, target, side):
                a, b = source.edge(overlap.low_edge)
                ends = [(c - a[axis]) / (b[axis] - a[axis]) for c in (overlap.low, overlap.high)]
                found.append((overlap.low_edge, target.ref, min(ends), max(ends)))
    return sorted(found)


def corridor_portals(mesh: PlainMesh, refs: list[int], crossings: list[tuple[int, int]] | None) -> list[Portal] | None:
    """All portals of a corridor, None for one whose polygons do not touch."""
    portals = []
    for step, (first, second) in enumerate(pairwise(refs)):
        source, target = mesh.polygons[first], mesh.polygons[second]
        if crossings is None:
            portal = portal_between(mesh, source, target)
        else:
            portal = portal_of_crossing(mesh, source, target, *crossings[step])
        if portal is None:
            return None
        portals.append(portal)
    return portals
