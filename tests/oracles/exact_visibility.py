"""The shortest way over a whole mesh, by Dijkstra over the ends of all portals that see each other.

A shortest way turns only where a portal ends and is straight between. What an end sees is found by spreading light from
it: from the polygon it lies in through every portal, narrowed by each further one, on whatever floor that leads to.
Light that would only graze a portal end is not spread: a way along it stops at that end and goes on from there at no
cost. Where two portals of a polygon lie on one tile side, floors over each other join it there, and light from one of
them falls into the other as from a mirror in that side. An off-mesh link is an edge from its start, seen like a portal
end, to its end. Nothing here knows intervals, estimates or an order of turning; sides are exact.

Lengths are in X/Z. Documents: mesh decisions, EXACT and portals between tiles; queries, filters.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import Cell, PlainLeap, PlainMesh, PlainPolygon, Point, side_of, squared_distance
from tests.oracles.query_nearest import closest_point, segment_point
from tests.oracles.query_portals import ALONG, Portal, groups, portal_of_group

Spot = tuple[float, float]


class Gate(NamedTuple):
    """A portal out of a polygon."""

    portal: Portal
    target: int
    side: int = -1  # of the tile, -1 within it


class Cone(NamedTuple):
    """The directions from a spot between two others, both included."""

    spot: Point
    right: Point
    left: Point

    def holds(self, p: Point) -> bool:
        return side_of(self.spot, self.right, p) >= 0 and side_of(self.spot, self.left, p) <= 0

    def narrowed(self, portal: Portal) -> Cone | None:
        right, left = self.right, self.left
        if side_of(self.spot, right, portal.right) > 0:
            right = portal.right
        if side_of(self.spot, left, portal.left) < 0:
            left = portal.left
        if right is self.right and left is self.left and not self.spans_to(portal):
            return None
        return Cone(self.spot, right, left) if side_of(self.spot, right, left) > 0 else None

    def spans_to(self, portal: Portal) -> bool:
        """Whether a portal whose ends lie outside the cone lies across it.

        Beside a cone of nearly half a circle a portal along one of its sides, bent a hair outward, has either end
        beyond the bound that it is compared with, and nothing of it is lit.
        """
        return side_of(self.spot, self.right, portal.left) > 0 and side_of(self.spot, self.left, portal.right) < 0

    def mirrored(self, side: int, portal: Portal) -> Cone:
        """Its image in the line of a tile side, on which the portal lies."""
        axis = 2 - ALONG[side]
        line = portal.right[axis]

        def image(p: Point) -> Point:
            return tuple(line + (line - value) if k == axis else value for k, value in enumerate(p))

        return Cone(image(self.spot), image(self.left), image(self.right))


class Standing(NamedTuple):
    """A place of a way: a spot in a polygon."""

    ref: int
    spot: Spot


@dataclass
class View:
    """What is seen from a standing: portal ends, starts of links, and the light that falls into each polygon."""

    ends: list[tuple[float, Standing]] = field(default_factory=list)
    leaps: list[tuple[float, PlainLeap]] = field(default_factory=list)
    light: dict[int, list[Cone | None]] = field(default_factory=lambda: defaultdict(list))


def spot_of(p: Point) -> Spot:
    return p[0], p[2]


def raised(spot: Spot) -> Point:
    return spot[0], 0.0, spot[1]


def flat_distance(a: Spot, b: Spot) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


class Visibility:
    """A mesh and a filter, ready to be asked for shortest ways; views are kept from one question to the next."""

    def __init__(self, mesh: PlainMesh, accepts: PlainFilter) -> None:
        self.mesh, self.accepts = mesh, accepts
        self.gates: dict[int, list[Gate]] = {}
        self.leaps: dict[int, list[PlainLeap]] = {}
        for polygon in mesh.polygons.values():
            if accepts.passes(polygon):
                self.gates[polygon.ref] = self.gates_of(polygon)
                self.leaps[polygon.ref] = [leap for leap in polygon.leaps if self.may_cross(leap)]
        self.views: dict[Standing, View] = {}

    def gates_of(self, polygon: PlainPolygon) -> list[Gate]:
        found = [
            Gate(Portal(*polygon.edge(edge)), neighbour)
            for edge, neighbour in enumerate(polygon.neighbours)
            if neighbour and self.accepts.passes(self.mesh.polygons[neighbour])
        ]
        beyond = dict.fromkeys((polygon.sides[link.edge], link.target) for link in polygon.links)
        for side, target in beyond:
            if self.accepts.passes(self.mesh.polygons[target]):
                stretches = groups(self.mesh, polygon, self.mesh.polygons[target], side)
                found += [Gate(portal_of_group(polygon, side, stretch), target, side) for stretch in stretches]
        return found

    def may_cross(self, leap: PlainLeap) -> bool:
        target = self.mesh.polygons[leap.target]
        return leap.enabled and self.accepts.passes(leap) and self.accepts.passes(target)

    @property
    def has_leaps(self) -> bool:
        return any(self.leaps.values())

    def common_cost(self) -> float | None:
        """What a metre costs everywhere; None where it differs."""
        costs = {self.accepts.cost(self.mesh.polygons[ref].area) for ref in self.gates}
        return costs.pop() if len(costs) == 1 else None

    def reachable(self, start: int) -> set[int]:
        seen, row = {start}, [start]
        while row:
            following = [gate.target for ref in row for gate in self.gates[ref]]
            following += [leap.target for ref in row for leap in self.leaps[ref]]
            row = list(dict.fromkeys(ref for ref in following if ref not in seen))
            seen.update(row)
        return seen

    def missing(self, start: int) -> set[Cell]:
        """The cells that are not loaded beyond the polygons that can be reached."""
        return set().union(*(self.mesh.frontiers(self.mesh.polygons[ref]) for ref in self.reachable(start)))

    def closest_reachable(self, start: int, end: Point) -> tuple[float, dict[int, Point]]:
        """The least 3D distance to the end over all polygons that can be reached, and the points that have it."""
        points = {ref: closest_point(self.mesh.polygons[ref], end)[0] for ref in self.reachable(start)}
        gaps = {ref: squared_distance(end, point) for ref, point in points.items()}
        least = min(gaps.values())
        return least, {ref: points[ref] for ref, gap in gaps.items() if gap == least}

    def shortest(self, start_ref: int, start: Point, end_ref: int, end: Point) -> float:
        """Least cost from a spot to another, both in (or by a rounding beside) their polygons; infinite without one."""
        common = self.common_cost()
        assert common is not None
        first, goal = Standing(start_ref, spot_of(start)), Standing(end_ref, spot_of(end))
        costs = {first: 0.0}
        settled: set[Standing] = set()
        count = itertools.count()
        heap = [(0.0, next(count), first)]
        while heap:
            cost, _, here = heapq.heappop(heap)
            if here in settled:
                continue
            settled.add(here)
            if here == goal:
                return cost
            for step, there in self.steps(here, goal, common, keep=here != first):
                if cost + step < costs.get(there, math.inf):
                    costs[there] = cost + step
                    heapq.heappush(heap, (cost + step, next(count), there))
        return math.inf

    def steps(self, here: Standing, goal: Standing, common: float, keep: bool) -> list[tuple[float, Standing]]:
        """(cost, standing) of whatever can be walked to in a straight line or leapt to after one."""
        view = self.views.get(here)
        if view is None:
            view = self.view_from(here)
            if keep:
                self.views[here] = view
        found = [(length * common, there) for length, there in view.ends]
        for length, leap in view.leaps:
            over = math.sqrt(squared_distance(leap.start, leap.end)) * self.accepts.cost(leap.area) + leap.cost
            found.append((length * common + over, Standing(leap.target, spot_of(leap.end))))
        for cone in view.light.get(goal.ref, ()):
            if cone is None or cone.holds(raised(goal.spot)):
                source = here.spot if cone is None else spot_of(cone.spot)
                found.append((flat_distance(source, goal.spot) * common, goal))
        return found

    def view_from(self, here: Standing) -> View:
        """No line enters a convex polygon twice, but an outline bent by rounding might let light go round for ever."""
        view, p = View(), raised(here.spot)
        waiting: list[tuple[int, Cone | None, int, frozenset[int]]] = [(here.ref, None, -1, frozenset([here.ref]))]
        while waiting:
            ref, cone, entry, through = waiting.pop()
            view.light[ref].append(cone)
            source = here.spot if cone is None else spot_of(cone.spot)
            for gate in self.gates[ref]:
                for end in gate.portal:
                    if cone is None or cone.holds(end):
                        there = Standing(ref, spot_of(end))
                        view.ends.append((flat_distance(source, there.spot), there))
                if cone is None and lies_on(p, gate.portal):
                    view.ends.append((0.0, Standing(gate.target, here.spot)))
                if gate.target in through:
                    continue
                folds = cone is not None and gate.side >= 0 and gate.side == entry ^ 2
                light = cone.mirrored(gate.side, gate.portal) if folds else cone
                if side_of(*gate.portal, p if light is None else light.spot) > 0:
                    onward = Cone(p, *gate.portal) if light is None else light.narrowed(gate.portal)
                    if onward is not None:
                        waiting.append((gate.target, onward, gate.side, through | {gate.target}))
            for leap in self.leaps[ref]:
                if cone is None or cone.holds(leap.start):
                    view.leaps.append((flat_distance(source, spot_of(leap.start)), leap))
        return view


def lies_on(p: Point, portal: Portal) -> bool:
    """To within a few roundings of the coordinates: starts and ends of links are computed."""
    nearest = segment_point(portal.right, portal.left, p)
    slack = 64 * 2.0**-53 * max(abs(p[0]), abs(p[2]), 1.0)
    return math.hypot(p[0] - nearest[0], p[2] - nearest[2]) <= slack


def has_branches(visibility: Visibility) -> bool:
    """Whether two portals of one polygon overlap on one line: floors over each other, both within a climb.

    No bake makes that. A shortest way may then be reflected at the line, and no portal end need lie at its turn.
    """
    for gates in visibility.gates.values():
        for one, other in itertools.combinations(gates, 2):
            a, b = one.portal
            if side_of(a, b, other.portal.right) or side_of(a, b, other.portal.left):
                continue
            axis = 0 if abs(b[0] - a[0]) > abs(b[2] - a[2]) else 2
            low = max(min(end[axis] for end in gate.portal) for gate in (one, other))
            high = min(max(end[axis] for end in gate.portal) for gate in (one, other))
            if low < high:
                return True
    return False
