"""Both path searches, line by line as the document words them; and Dijkstra on the crossing graph.

Documents: queries, path search; readings, search; mesh decisions, bounds and not loaded.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import Cell, Exit, PlainMesh, PlainPolygon, Point, lerp, squared_distance

TERMINAL = ("terminal",)


def distance(a: Point, b: Point) -> float:
    return math.sqrt(squared_distance(a, b))


@dataclass
class Node:
    """A place of a route: in `polygon`, at `position`, entered by `exit` of the parent's polygon."""

    polygon: PlainPolygon
    position: Point
    cost: float
    total: float
    parent: Node | None
    exit: Exit | None
    expanded: bool = False


class Result(NamedTuple):
    status: str
    polygons: list[int]
    crossings: list[tuple[int, int]]
    cost: float
    node_limit_reached: bool
    missing: tuple[Cell, ...]
    iterations: int


@dataclass
class PlainSearch:
    """A search of either model; `crossing` chooses. `run` may be called any number of times, with any budgets."""

    mesh: PlainMesh
    start: PlainPolygon
    start_position: Point
    end: PlainPolygon
    end_position: Point
    accepts: PlainFilter
    crossing: bool
    max_nodes: int = 65536
    status: str = "IN_PROGRESS"
    iterations: int = 0
    dropped: bool = False
    nodes: dict = field(default_factory=dict)
    heap: list = field(default_factory=list)
    frontier: set[Cell] = field(default_factory=set)
    closest: Node | None = None
    closest_distance: float = math.inf
    sequence: int = 0

    def __post_init__(self) -> None:
        self.least_cost = self.accepts.least_cost
        key = None if self.crossing else self.start.ref
        self.relax(key, Node(self.start, self.start_position, 0.0, self.estimate(0.0, self.start_position), None, None))

    def estimate(self, cost: float, position: Point) -> float:
        return cost + self.least_cost * distance(position, self.end_position)

    def run(self, budget: float = math.inf) -> str:
        while self.status == "IN_PROGRESS" and budget > 0:
            if not self.heap:
                self.status = "NOT_LOADED" if self.frontier and not self.dropped else "PARTIAL"
                break
            key = heapq.heappop(self.heap)[2]
            node = self.nodes[key]
            if node.expanded:
                continue
            node.expanded = True
            if key is TERMINAL:
                self.status = "SUCCESS"
                break
            self.expand(node)
            budget -= 1
        return self.status

    def relax(self, key: object, node: Node) -> None:
        known = self.nodes.get(key)
        if known is None:
            if len(self.nodes) == self.max_nodes:
                self.dropped = True
                return
        elif self.crossing:
            if known.expanded or not node.cost < known.cost:
                return
        elif not node.total < known.total:
            return
        if known is None:
            self.nodes[key] = node
        else:  # the same node, so that children of a reopened one see its new parent
            known.position, known.cost, known.total = node.position, node.cost, node.total
            known.parent, known.exit, known.expanded = node.parent, node.exit, False
        heapq.heappush(self.heap, (node.total, self.sequence, key))
        self.sequence += 1

    def expand(self, node: Node) -> None:
        self.iterations += 1
        self.frontier |= self.mesh.frontiers(node.polygon)
        away = squared_distance(node.position, self.end_position)
        if away < self.closest_distance:
            self.closest, self.closest_distance = node, away
        area_cost = self.accepts.cost(node.polygon.area)
        if node.polygon is self.end:
            cost = node.cost + distance(node.position, self.end_position) * area_cost
            total = self.estimate(cost, self.end_position)
            self.relax(TERMINAL, Node(self.end, self.end_position, cost, total, node, None))
        for way in node.polygon.exits:
            target = self.mesh.polygons[way.target]
            if not self.passes(way, target) or (not self.crossing and _is_ancestor(target, node)):
                continue
            position = self.crossing_point(node.polygon, way) if self.crossing else self.entry_point(node, way)
            cost = self.cost_through(node.cost, node.position, area_cost, way, position)
            key = (node.polygon.ref, way.edge, way.link) if self.crossing else target.ref
            self.relax(key, Node(target, position, cost, self.estimate(cost, position), node, way))

    def passes(self, way: Exit, target: PlainPolygon) -> bool:
        """The target must pass, and so must an off-mesh link, by its own flags and area."""
        if way.leap is not None and not (way.leap.enabled and self.accepts.passes(way.leap)):
            return False
        return self.accepts.passes(target)

    def cost_through(self, cost: float, position: Point, area_cost: float, way: Exit, there: Point) -> float:
        if way.leap is None:
            return cost + distance(position, there) * area_cost
        leap = way.leap
        walked = cost + distance(position, leap.start) * area_cost
        return walked + (distance(leap.start, leap.end) * self.accepts.cost(leap.area) + leap.cost)

    @staticmethod
    def crossing_point(polygon: PlainPolygon, way: Exit) -> Point:
        if way.leap is not None:
            return way.leap.end
        a, b = polygon.edge(way.edge)
        if way.link < 0:
            return tuple((first + second) * 0.5 for first, second in zip(a, b, strict=True))
        link = polygon.links[way.link]
        return lerp(a, b, (link.range_min + link.range_max) / 510)

    def entry_point(self, node: Node, way: Exit) -> Point:
        if way.leap is not None:
            return way.leap.end
        (a, b), c, e = node.polygon.edge(way.edge), node.position, self.end_position
        wx, wz = e[0] - c[0], e[2] - c[2]
        across = (b[0] - a[0]) * wz - (b[2] - a[2]) * wx
        low, high, middle = 0.0, 1.0, 0.5
        if way.link >= 0:
            link = node.polygon.links[way.link]
            low, high = link.range_min / 255, link.range_max / 255
            middle = (link.range_min + link.range_max) / 510
        if across == 0:
            return lerp(a, b, middle)
        s = ((c[0] - a[0]) * wz - (c[2] - a[2]) * wx) / across
        return lerp(a, b, min(max(s, low), high))

    def result(self) -> Result:
        last = self.nodes[TERMINAL] if self.status == "SUCCESS" else self.closest
        if last is None:
            return Result(self.status, [self.start.ref], [], 0.0, self.dropped, (), 0)
        route = [last]
        while route[-1].parent is not None:
            route.append(route[-1].parent)
        route.reverse()
        if self.status == "SUCCESS":
            route.pop()
        polygons: list[int] = []
        ways: list[tuple[int, int]] = []
        for node in route:
            way = [] if node.exit is None else [lasting_crossing(node.parent.polygon, node.exit)]
            if node.polygon.ref in polygons:
                first = polygons.index(node.polygon.ref)
                del polygons[first + 1 :], ways[first:]
            else:
                polygons.append(node.polygon.ref)
                ways += way
        missing = self.mesh.nearest_first(self.frontier, self.end_position) if self.status == "NOT_LOADED" else ()
        return Result(self.status, polygons, ways, last.cost, self.dropped, missing, self.iterations)


def lasting_crossing(source: PlainPolygon, way: Exit) -> tuple[int, int]:
    """What a corridor says of a crossing: a portal is counted among those of its edge to the same polygon."""
    if way.edge < 0 or way.link < 0:
        return way.edge, way.link
    return way.edge, sum((link.edge, link.target) == (way.edge, way.target) for link in source.links[: way.link])


def _is_ancestor(polygon: PlainPolygon, node: Node) -> bool:
    """Whether the polygon is one that the node was reached through; the one it was reached from among them."""
    above: Node | None = node
    while above is not None:
        if above.polygon is polygon:
            return True
        above = above.parent
    return False


def least_cost(search: PlainSearch) -> float:
    """The cost of the cheapest route of the crossing model, infinite without any, by Dijkstra with no heuristic."""
    settled: set = set()
    least = math.inf
    heap: list = [(0.0, 0, None, search.start, search.start_position)]
    count = 0
    while heap:
        cost, _, key, polygon, position = heapq.heappop(heap)
        if key in settled:
            continue
        settled.add(key)
        area_cost = search.accepts.cost(polygon.area)
        if polygon is search.end:
            least = min(least, cost + distance(position, search.end_position) * area_cost)
        for way in polygon.exits:
            target = search.mesh.polygons[way.target]
            if not search.passes(way, target):
                continue
            there = search.crossing_point(polygon, way)
            count += 1
            ahead = (polygon.ref, way.edge, way.link)
            beyond = search.cost_through(cost, position, area_cost, way, there)
            heapq.heappush(heap, (beyond, count, ahead, target, there))
    return least
