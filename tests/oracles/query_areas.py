"""Which polygons are near: circles, shapes and local neighbourhoods, best first as the document words it.

And the same set again by breadth first, which knows neither keys nor an order. Documents: queries, polygon-set
queries; readings, area searches.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point, lerp, side_of
from tests.oracles.query_nearest import segment_point

READS_AS_ZERO = Fraction(1, 2**100)
Segment = tuple[Point, Point]


class Found(NamedTuple):
    """A polygon in the result, the one that it was reached from (0 for the start), and its key."""

    polygon: int
    parent: int
    key: float


def squared_distance_to(p: Point, segment: Segment) -> float:
    """In X/Z, from a point to a segment."""
    nearest = segment_point(*segment, p)
    dx, dz = p[0] - nearest[0], p[2] - nearest[2]
    return dx * dx + dz * dz


@dataclass(frozen=True)
class Circle:
    centre: Point
    radius: float

    @property
    def reference(self) -> Point:
        return self.centre

    def touches(self, segment: Segment) -> bool:
        return squared_distance_to(self.centre, segment) <= self.radius * self.radius


@dataclass(frozen=True)
class Shape:
    """A convex polygon, counter-clockwise; `reference` is the mean of the points as they were given."""

    points: tuple[Point, ...]
    reference: Point

    def touches(self, segment: Segment) -> bool:
        edges = [(self.points[i - 1], self.points[i]) for i in range(len(self.points))]
        for end in segment:
            if all(orientation(*edge, end) >= 0 for edge in edges):
                return True
        return any(segments_meet(segment, edge) for edge in edges)


def orientation(a: Point, b: Point, p: Point) -> int:
    """Exact; what is smaller than 2^-100 reads as 0."""
    rough = (b[2] - a[2]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[2] - a[2])
    if abs(rough) > 1e-3:
        return 1 if rough > 0 else -1
    ax, az = Fraction(a[0]), Fraction(a[2])
    exact = (Fraction(b[2]) - az) * (Fraction(p[0]) - ax) - (Fraction(b[0]) - ax) * (Fraction(p[2]) - az)
    return 0 if abs(exact) < READS_AS_ZERO else (exact > 0) - (exact < 0)


def segments_meet(first: Segment, second: Segment) -> bool:
    """Whether two closed segments have a point in common."""
    (a, b), (p, q) = first, second
    sides = (orientation(a, b, p), orientation(a, b, q), orientation(p, q, a), orientation(p, q, b))
    if sides[0] * sides[1] > 0 or sides[2] * sides[3] > 0:
        return False
    if any(sides):
        return True
    return all(max(min(a[k], b[k]), min(p[k], q[k])) <= min(max(a[k], b[k]), max(p[k], q[k])) for k in (0, 2))


def shape_of(given: Sequence[Point]) -> Shape | None:
    """None where the points are no convex polygon: no area, a turn the other way, a point twice, more than one turn."""
    points = [(float(p[0]), 0.0, float(p[2])) for p in given]
    count = len(points)
    if len(set(points)) < count:
        return None
    total = [0.0, 0.0, 0.0]
    for p in points:
        total = [sum_so_far + value for sum_so_far, value in zip(total, p, strict=True)]
    reference = (total[0] / count, 0.0, total[2] / count)
    for ring in (points, points[::-1]):
        edges = [(ring[i], ring[(i + 1) % count]) for i in range(count)]
        turns = [orientation(*edge, p) for edge in edges for p in ring]
        if any(turn > 0 for turn in turns) and all(turn >= 0 for turn in turns):
            return Shape(tuple(ring), reference) if goes_round_once(ring) else None
    return None


def goes_round_once(ring: Sequence[Point]) -> bool:
    """Whether an outline to the left of all whose edges all points lie is simple: corners in a line keep their order.

    Such an outline lies on its hull, and only along one side of it can it run forth and back.
    """
    count = len(ring)
    for i in range(count):
        a, b, c = ring[i - 1], ring[i], ring[(i + 1) % count]
        if orientation(a, b, c) == 0:
            forward = [Fraction(b[k]) - Fraction(a[k]) for k in (0, 2)]
            onward = [Fraction(c[k]) - Fraction(b[k]) for k in (0, 2)]
            if forward[0] * onward[0] + forward[1] * onward[1] < 0:
                return False
    return True


def portals(mesh: PlainMesh, polygon: PlainPolygon) -> list[tuple[int, PlainPolygon, Segment]]:
    """(edge, polygon behind, what one walks through) of every edge in turn, the links of an edge in link order."""
    found = []
    for edge, neighbour in enumerate(polygon.neighbours):
        a, b = polygon.edge(edge)
        if neighbour:
            found.append((edge, mesh.polygons[neighbour], (a, b)))
            continue
        for link in polygon.links:
            if link.edge == edge:
                ends = tuple(at_fraction(a, b, k) for k in (link.range_min, link.range_max))
                found.append((edge, mesh.polygons[link.target], ends))
    return found


def at_fraction(a: Point, b: Point, k: int) -> Point:
    """The place k/255 along an edge; both ends exactly."""
    return a if k == 0 else b if k == 255 else lerp(a, b, k / 255)


def outlines_overlap(first: PlainPolygon, second: PlainPolygon) -> bool:
    """Whether interiors meet: no edge of either has the other polygon on its outer side or its line."""
    for one, other in ((first, second), (second, first)):
        for index in range(len(one.corners)):
            if all(side_of(*one.edge(index), corner) <= 0 for corner in other.corners):
                return False
    return True


@dataclass
class AreaNode:
    polygon: PlainPolygon
    parent: int
    key: float
    closed: bool = False


@dataclass
class PlainAreaSearch:
    """A search round a circle or a shape; `sparse` leaves out what overlaps (the local neighbourhood)."""

    mesh: PlainMesh
    start: PlainPolygon
    shape: Circle | Shape
    accepts: PlainFilter
    sparse: bool = False
    max_nodes: int = 65536
    node_limit_reached: bool = False
    status: str = "IN_PROGRESS"
    iterations: int = 0
    nodes: dict[int, AreaNode] = field(default_factory=dict)
    heap: list[tuple[float, int, int]] = field(default_factory=list)
    expanded: list[AreaNode] = field(default_factory=list)
    sequence: int = 0

    def __post_init__(self) -> None:
        self.nodes[self.start.ref] = AreaNode(self.start, 0, 0.0)
        self.push(self.start.ref, 0.0)

    def push(self, ref: int, key: float) -> None:
        heapq.heappush(self.heap, (key, self.sequence, ref))
        self.sequence += 1

    def run(self, budget: float = math.inf) -> None:
        """Goes on for so many expansions. That nothing is left to pop is seen only with a budget left."""
        while self.status == "IN_PROGRESS" and budget > 0:
            if not self.heap:
                self.status = "SUCCESS"
                break
            _, _, ref = heapq.heappop(self.heap)
            node = self.nodes[ref]
            if node.closed:
                continue
            node.closed = True
            self.expand(node)
            budget -= 1

    def expand(self, node: AreaNode) -> None:
        self.iterations += 1
        self.expanded.append(node)
        for _, target, segment in portals(self.mesh, node.polygon):
            if not self.accepts.passes(target) or not self.shape.touches(segment):
                continue
            key = squared_distance_to(self.shape.reference, segment)
            known = self.nodes.get(target.ref)
            if known is None:
                self.add(target, node.polygon.ref, key)
            elif not known.closed and key < known.key:
                known.key, known.parent = key, node.polygon.ref
                self.push(target.ref, key)

    def add(self, target: PlainPolygon, parent: int, key: float) -> None:
        if self.sparse and any(outlines_overlap(target, node.polygon) for node in self.nodes.values()):
            return
        if len(self.nodes) == self.max_nodes:
            self.node_limit_reached = True
            return
        self.nodes[target.ref] = AreaNode(target, parent, key)
        self.push(target.ref, key)

    def found(self) -> list[Found]:
        return [Found(node.polygon.ref, node.parent, node.key) for node in self.expanded]


def reachable(mesh: PlainMesh, start: PlainPolygon, shape: Circle | Shape, accepts: PlainFilter) -> set[int]:
    """The set of polygons alone, breadth first."""
    seen, row = {start.ref}, [start]
    while row:
        following = []
        for polygon in row:
            for _, target, segment in portals(mesh, polygon):
                if target.ref not in seen and accepts.passes(target) and shape.touches(segment):
                    seen.add(target.ref)
                    following.append(target)
        row = following
    return seen
