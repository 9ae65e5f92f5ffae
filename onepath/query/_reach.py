"""What lies within a cost of a place, and which of several goals is nearest: results of floods."""

import cython
import numpy
from cython.cimports.onepath.mesh._mesh import Link, MeshState, TileSlot, polygon_reference
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._entry import along, edge_end, edge_start
from cython.cimports.onepath.query._nodes import NODE_EXPANDED, SearchState
from cython.cimports.onepath.query._polygon_keys import KEY_BITS, find_key, key_polygon, key_slot, polygon_key
from cython.cimports.onepath.query._reach_border import reached_border
from cython.cimports.onepath.query._results import refuse_construction

from onepath.answers import counted
from onepath.query.sequences import row_at, rows_in_turn


class NearestGoal:
    """Which of several goals costs least to reach. False where none can be reached.

    Attributes:
        index: its place among the goals, -1 where none can be reached; of equally far ones the first.
        distance: what `NavMesh.distance` says of it; infinite where none can be reached.
    """

    __match_args__ = ("index", "distance")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("NearestGoal")

    def __bool__(self) -> bool:
        return self.index >= 0

    def __repr__(self) -> str:
        return f"NearestGoal(index={self.index}, distance={self.distance!r})"

    def __eq__(self, other: object) -> object:
        if type(other) is not NearestGoal:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.index, self.distance))

    def __reduce__(self) -> tuple:
        return restore_nearest_goal, (self.index, self.distance)


def make_nearest_goal(index, distance):
    goal: NearestGoal = NearestGoal.__new__(NearestGoal)
    goal.index = index
    goal.distance = distance
    return goal


def restore_nearest_goal(index: int, distance: float) -> NearestGoal:
    """A pickled NearestGoal."""
    return make_nearest_goal(index, distance)


class ReachableArea:
    """The polygons that can be entered from a place at no more than a cost. False where the place is not on the mesh.

    Attributes:
        max_cost: the cost.
        polygons: references, (n,) int64, read-only, the cheapest first; the start's polygon is the first of all.
        costs: what it costs to enter each, (n,) float64, read-only. The far part of a polygon may cost more than
            `max_cost`.
        border: where what can be reached for `max_cost` ends, (m, 2, 3) float64 segments in no particular order,
            read-only: along edges, cut where the cost is used up, and across polygons that are reached in part, where
            chords stand for arcs. Each place of it can be reached for `max_cost`.
    """

    __match_args__ = ("polygons", "costs", "border")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("ReachableArea")

    def __bool__(self) -> bool:
        return len(self.polygons) > 0

    def __len__(self) -> int:
        return len(self.polygons)

    def __iter__(self) -> object:
        return rows_in_turn(self.polygons)

    def __getitem__(self, index: object) -> object:
        return row_at(self.polygons, index)

    def __repr__(self) -> str:
        return f"ReachableArea(max_cost={self.max_cost!r}, {counted(len(self), 'polygon')})"

    def __eq__(self, other: object) -> object:
        if type(other) is not ReachableArea:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        parts = (self.max_cost, self.polygons.tobytes(), self.costs.tobytes(), self.border.tobytes())
        return restore_area, parts


@cython.cfunc
def new_area(max_cost: cython.double, polygons: object, costs: object, border: object) -> ReachableArea:
    area: ReachableArea = ReachableArea.__new__(ReachableArea)
    for array in (polygons, costs, border):
        array.flags.writeable = False
    area.max_cost = max_cost
    area.polygons = polygons
    area.costs = costs
    area.border = border
    return area


def restore_area(max_cost: float, polygons: bytes, costs: bytes, border: bytes) -> ReachableArea:
    """A pickled ReachableArea."""
    return new_area(
        max_cost,
        numpy.frombuffer(polygons, numpy.int64),
        numpy.frombuffer(costs, numpy.float64),
        numpy.frombuffer(border, numpy.float64).reshape(-1, 2, 3),
    )


def make_nowhere(max_cost):
    return new_area(max_cost, numpy.zeros(0, numpy.int64), numpy.zeros(0), numpy.zeros((0, 2, 3)))


# --- The polygons ---------------------------------------------------------------------------------------------------


@cython.cfunc
def entered_polygons(
    mesh: cython.pointer(cython.const[MeshState]), search: cython.pointer(cython.const[SearchState])
) -> tuple:
    """(references, costs), each polygon once, cheapest first; equally cheap ones by slot and polygon."""
    i: cython.int
    count: cython.int = 0
    refs, costs = numpy.empty(search.node_count, numpy.int64), numpy.empty(search.node_count)
    ref: cython.longlong[::1] = refs
    cost: cython.double[::1] = costs
    for i in range(search.node_count):
        if search.nodes[i].state & NODE_EXPANDED:
            ref[count] = polygon_reference(mesh, search.nodes[i].slot, search.nodes[i].polygon)
            cost[count] = search.nodes[i].cost
            count += 1
    refs, costs = refs[:count], costs[:count]
    order = numpy.lexsort((costs, refs & KEY_BITS))
    refs, costs = refs[order], costs[order]
    first = numpy.ones(count, bool)
    first[1:] = refs[1:] != refs[: count - 1]
    refs, costs = refs[first], costs[first]
    order = numpy.lexsort((refs & KEY_BITS, costs))
    return refs[order], costs[order]


# --- Their outline --------------------------------------------------------------------------------------------------


@cython.cclass
class Outline:
    """Collects the parts of edges behind which none of some polygons lies."""

    keys: cython.const[cython.longlong][::1]
    segments: list

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("Outline")

    def __reduce__(self) -> object:
        raise TypeError("an Outline is memory to work in and is not pickled or copied")

    @cython.cfunc
    def holds(self, slot: cython.int, polygon: cython.int) -> cython.bint:
        count: cython.int = cython.cast(cython.int, self.keys.shape[0])
        return find_key(cython.address(self.keys[0]), count, polygon_key(slot, polygon)) >= 0

    @cython.cfunc
    def covered(self, tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, edge: cython.int) -> list:
        """The parts of an edge behind which one of the polygons lies in another tile, ascending."""
        parts: list = []
        number: cython.int
        link: cython.pointer(cython.const[Link])
        for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
            link = tile.links + number
            if link.edge == edge and self.holds(link.target_slot, link.target_polygon):
                parts.append((link.range_min, link.range_max))
        parts.sort()
        return parts

    @cython.cfunc
    def add(self, a: Vector, b: Vector, low: cython.double, high: cython.double):
        p: Vector = along(a, b, low / 255.0) if low > 0.0 else a
        q: Vector = along(a, b, high / 255.0) if high < 255.0 else b
        self.segments.append(((p.x, p.y, p.z), (q.x, q.y, q.z)))

    @cython.cfunc
    def trace(self, tile: cython.pointer(cython.const[TileSlot]), slot: cython.int, polygon: cython.int):
        first: cython.int = tile.polygon_first[polygon]
        count: cython.int = tile.polygon_first[polygon + 1] - first
        edge: cython.int
        at: cython.int
        a: Vector
        b: Vector
        for edge in range(count):
            if tile.neighbours[first + edge] >= 0 and self.holds(slot, tile.neighbours[first + edge]):
                continue
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            at = 0
            if tile.border_sides[first + edge] >= 0:
                for low, high in self.covered(tile, polygon, edge):
                    if low > at:
                        self.add(a, b, at, low)
                    at = max(at, high)
            if at < 255:
                self.add(a, b, at, 255.0)


def outline_of(mesh, polygons):
    outline: Outline = Outline.__new__(Outline)
    keys = numpy.sort(polygons & KEY_BITS)
    key: cython.longlong
    i: cython.Py_ssize_t
    slot: cython.int
    outline.keys = keys
    outline.segments = []
    for i in range(outline.keys.shape[0]):
        key = outline.keys[i]
        slot = key_slot(key)
        outline.trace(mesh.slots + slot, slot, key_polygon(key))
    return numpy.array(outline.segments, numpy.float64).reshape(-1, 2, 3)


def make_area(mesh, table, search, max_cost):
    state: cython.pointer(cython.const[MeshState]) = cython.address(mesh.state)
    polygons, costs = entered_polygons(state, search)
    return new_area(max_cost, polygons, costs, reached_border(state, table, search, max_cost))
