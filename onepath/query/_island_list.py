"""Islands as users see them: what they are made of, how large they are, largest first."""

import cython
import numpy
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import TileSlot, polygon_reference
from cython.cimports.onepath.mesh._reading import outline_area
from cython.cimports.onepath.mesh._surface import Vector, world_vertex
from cython.cimports.onepath.query._islands import IslandState, island_of_polygon
from cython.cimports.onepath.query._results import refuse_construction

from onepath.answers import counted
from onepath.query.sequences import row_at, rows_in_turn


class Island:
    """Polygons each of which can be reached from every other, as the mesh and the filter were when it was asked for.

    Attributes:
        id: its place among the islands of that mesh and filter, which come largest first.
        polygons: references, (n,) int64, read-only, by tile column, row, layer and polygon.
        ref: the first of them, by which `snap` knows the island again after a commit, as long as it is there.
        area: X/Z area of its polygons, square metres.
        bounds: (low, high) corners of the box around it, world, metres.
        at_frontier: whether it ends somewhere at a tile that is not loaded, and may go on there.
    """

    __match_args__ = ("id", "polygons", "area")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("Island")

    def __len__(self) -> int:
        return len(self.polygons)

    def __iter__(self) -> object:
        return rows_in_turn(self.polygons)

    def __getitem__(self, index: object) -> object:
        return row_at(self.polygons, index)

    def __repr__(self) -> str:
        edge = ", at a frontier" if self.at_frontier else ""
        return f"Island({self.id}, {counted(len(self), 'polygon')}, area={self.area!r}{edge})"

    def __eq__(self, other: object) -> object:
        if type(other) is not Island:
            return NotImplemented
        return self.__reduce__()[1] == other.__reduce__()[1]

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        values = (self.id, self.polygons.tobytes(), self.area, self.bounds, bool(self.at_frontier))
        return restore_island, values


@cython.cfunc
def make_island(number: cython.int, polygons: object, area: cython.double, box: tuple, at_frontier: cython.bint):
    island: Island = Island.__new__(Island)
    island.id = number
    island.polygons = polygons
    island.ref = polygons[0]
    island.area = area
    island.bounds = box
    island.at_frontier = at_frontier
    return island


def restore_island(number: int, polygons: bytes, area: float, bounds: tuple, at_frontier: bool) -> Island:
    """A pickled Island."""
    return make_island(number, numpy.frombuffer(polygons, numpy.int64), area, bounds, at_frontier)


@cython.cfunc
def slots_by_place(mesh: MeshCore) -> object:
    """The used slots by column, row and layer: sums over tiles must not depend on the order of loading."""
    slot: cython.int
    places = numpy.zeros((3, mesh.state.slot_count), numpy.int64)
    place: cython.longlong[:, ::1] = places
    for slot in range(mesh.state.slot_count):
        place[0, slot] = mesh.state.slots[slot].layer
        place[1, slot] = mesh.state.slots[slot].row
        place[2, slot] = mesh.state.slots[slot].column
    return numpy.lexsort(places)


@cython.cfunc
@cython.exceptval(check=False)
def widen(
    low: cython.p_double, high: cython.p_double, tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int
) -> cython.void:
    corner: Vector
    edge: cython.int
    axis: cython.int
    value: cython.double[3]
    for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
        corner = world_vertex(tile, tile.polygon_vertices[edge])
        value[0] = corner.x
        value[1] = corner.y
        value[2] = corner.z
        for axis in range(3):
            if value[axis] < low[axis]:
                low[axis] = value[axis]
            if value[axis] > high[axis]:
                high[axis] = value[axis]


@cython.cfunc
@cython.exceptval(check=False)
def ends_at_frontier(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int) -> cython.bint:
    edge: cython.int
    for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
        if tile.border_sides[edge] >= 0 and (tile.frontier_sides >> tile.border_sides[edge]) & 1:
            return True
    return False


def listed_islands(mesh, islands):
    state: cython.pointer(IslandState) = cython.address(islands.state)
    tile: cython.pointer(cython.const[TileSlot])
    count: cython.int = state.island_count
    index: cython.Py_ssize_t
    slot: cython.int
    polygon: cython.int
    island: cython.int
    seen: cython.longlong = 0
    if islands.listed is not None:
        return islands.listed
    slots: cython.const[cython.longlong][::1] = slots_by_place(mesh)
    areas, sizes, firsts = numpy.zeros(count), numpy.zeros(count, numpy.int64), numpy.zeros(count, numpy.int64)
    lows, highs = numpy.full((count, 3), numpy.inf), numpy.full((count, 3), -numpy.inf)
    frontiers = numpy.zeros(count, numpy.int64)
    area: cython.double[::1] = areas
    size: cython.longlong[::1] = sizes
    first: cython.longlong[::1] = firsts
    low: cython.double[:, ::1] = lows
    high: cython.double[:, ::1] = highs
    frontier: cython.longlong[::1] = frontiers
    # 1. How large each is
    for index in range(slots.shape[0]):
        slot = slots[index]
        tile = mesh.state.slots + slot
        for polygon in range(state.parts.slots[slot].polygon_count):
            island = island_of_polygon(state, slot, polygon)
            if island < 0:
                continue
            if size[island] == 0:
                first[island] = seen
                seen += 1
            size[island] += 1
            area[island] += outline_area(tile, polygon)
            widen(cython.address(low[island, 0]), cython.address(high[island, 0]), tile, polygon)
            if tile.frontier_sides != 0 and ends_at_frontier(tile, polygon):
                frontier[island] = 1
    # 2. Their order, and where the polygons of each begin
    order = numpy.lexsort((firsts, -areas))
    ranks = numpy.empty(count, numpy.int64)
    ranks[order] = numpy.arange(count)
    ends = numpy.cumsum(sizes[order])
    starts = ends - sizes[order]
    filled = starts[ranks]
    at: cython.longlong[::1] = filled
    polygons = numpy.empty(int(sizes.sum()), numpy.int64)
    reference: cython.longlong[::1] = polygons
    # 3. Their polygons
    for index in range(slots.shape[0]):
        slot = slots[index]
        for polygon in range(state.parts.slots[slot].polygon_count):
            island = island_of_polygon(state, slot, polygon)
            if island >= 0:
                reference[at[island]] = polygon_reference(cython.address(mesh.state), slot, polygon)
                at[island] += 1
    polygons.flags.writeable = False
    islands.ranks = ranks.tolist()
    islands.listed = tuple(
        [
            make_island(
                number,
                polygons[starts[number] : ends[number]],
                areas[island],
                (tuple(lows[island].tolist()), tuple(highs[island].tolist())),
                frontiers[island],
            )
            for number, island in enumerate(order.tolist())
        ]
    )
    return islands.listed
