"""Which polygons hang together for a filter, and which of these islands lead to which.

An island is a greatest set of polygons of which each can be reached from every other. Shared edges and portals lead
both ways, so they join; off-mesh links are ways from part to part, and what is joined by ways there and back is found
as the strongly connected components of the parts. Between islands only one-way links are left, which never lead back.

A tile's edges and portals are looked at again only when it or a tile beside it has changed. What is done over all tiles
after a commit is short: a few joints a tile, each once.
"""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.build._buffers import (
    IntBuffer,
    KeyBuffer,
    free_ints,
    free_keys,
    push_int,
    reserve_ints,
    reserve_keys,
)
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.mesh._mesh import (
    MeshState,
    OffMeshLink,
    TileSlot,
    facing_column,
    facing_row,
    reference_is_valid,
    reference_polygon,
    reference_slot,
)
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._islands import IslandState, island_of_polygon
from cython.cimports.onepath.query._off_mesh import link_passes
from cython.cimports.onepath.query._strong import index_ways, sort_ways, strong_components
from cython.cimports.onepath.query._tile_parts import SlotParts, free_parts, joint_target, update_parts

# Filters whose islands a mesh keeps, the one asked for last in front.
MOST_FILTERS = cython.declare(cython.int, 4)
# Bytes of what islands lead to that are kept for one filter.
MOST_REACHED = cython.declare(cython.longlong, 1 << 24)


# --- Islands --------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def ground_of(above: cython.p_int, part: cython.int) -> cython.int:
    """The lowest part that this one was joined to."""
    while above[part] != part:
        above[part] = above[above[part]]
        part = above[part]
    return part


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_tiles(state: cython.pointer(IslandState)) -> cython.void:
    """Joins parts over portals."""
    above: cython.p_int = state.islands.data
    own: cython.pointer(SlotParts)
    joint: cython.longlong
    slot: cython.int
    number: cython.int
    a: cython.int
    b: cython.int
    for slot in range(state.parts.slot_count):
        own = state.parts.slots + slot
        for number in range(own.joints.count):
            joint = own.joints.data[number]
            a = ground_of(above, own.first + cython.cast(cython.int, joint >> 41))
            b = ground_of(above, joint_target(cython.address(state.parts), joint))
            if a < b:
                above[b] = a
            elif b < a:
                above[a] = b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_grounds(state: cython.pointer(IslandState)) -> cython.int:
    """Gives every part the number of its ground, in their order; how many there are."""
    above: cython.p_int = state.islands.data
    part: cython.int
    count: cython.int = 0
    # What is above a part lies before it: it has its number already.
    for part in range(state.parts.part_count):
        if above[part] == part:
            above[part] = count
            count += 1
        else:
            above[part] = above[above[part]]
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def collect_ways(
    state: cython.pointer(IslandState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
) -> cython.int:
    """The ways over off-mesh links from ground to ground: 0, or -1 without memory."""
    ways: cython.pointer(KeyBuffer) = cython.address(state.ways)
    tile: cython.pointer(cython.const[TileSlot])
    link: cython.pointer(cython.const[OffMeshLink])
    slot: cython.int
    number: cython.int
    source: cython.longlong
    target: cython.longlong
    ways.count = 0
    for slot in range(state.parts.slot_count):
        tile = mesh.slots + slot
        if not tile.used or tile.off_mesh_first == cython.NULL:
            continue
        for number in range(tile.off_mesh_count):
            link = tile.off_mesh + number
            if not link_passes(table, link):
                continue
            source = island_of_polygon(state, slot, link.polygon)
            target = island_of_polygon(state, link.target_slot, link.target_polygon)
            if source < 0 or target < 0 or source == target:
                continue
            if reserve_keys(ways, cython.cast(cython.size_t, ways.count) + 1) != 0:
                return -1
            ways.data[ways.count] = source << 32 | target
            ways.count += 1
    sort_ways(ways)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_both_ways(state: cython.pointer(IslandState), ground_count: cython.int) -> cython.int:
    """Makes one island of grounds that lead to each other: how many there are then, or -1 without memory."""
    ways: cython.pointer(KeyBuffer) = cython.address(state.ways)
    component: cython.p_int
    count: cython.int
    part: cython.int
    i: cython.int
    kept: cython.int = 0
    source: cython.longlong
    target: cython.longlong
    if ways.count == 0:
        return ground_count
    if reserve_ints(cython.address(state.parts.stack), ground_count) != 0:
        return -1
    component = state.parts.stack.data
    if index_ways(ways, ground_count, cython.address(state.first_way)) != 0:
        return -1
    count = strong_components(
        ways, cython.address(state.first_way), ground_count, component, cython.address(state.scratch)
    )
    if count < 0:
        return -1
    for part in range(state.parts.part_count):
        state.islands.data[part] = component[state.islands.data[part]]
    for i in range(ways.count):
        source = component[ways.data[i] >> 32]
        target = component[ways.data[i] & 0x7FFFFFFF]
        if source != target:
            ways.data[kept] = source << 32 | target
            kept += 1
    ways.count = kept
    sort_ways(ways)
    if index_ways(ways, count, cython.address(state.first_way)) != 0:
        return -1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_islands(
    state: cython.pointer(IslandState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
) -> cython.int:
    """0, or -1 without memory."""
    part: cython.int
    count: cython.int
    state.edit = -1
    if (
        update_parts(cython.address(state.parts), mesh, table) != 0
        or reserve_ints(cython.address(state.islands), state.parts.part_count) != 0
    ):
        return -1
    for part in range(state.parts.part_count):
        state.islands.data[part] = part
    join_tiles(state)
    count = number_grounds(state)
    if collect_ways(state, mesh, table) != 0:
        return -1
    count = join_both_ways(state, count)
    if count < 0:
        return -1
    state.island_count = count
    state.edit = mesh.edit_count
    return 0


# --- What an island leads to ----------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_reached(state: cython.pointer(IslandState), source: cython.int, bits: cython.p_uchar) -> cython.int:
    """Sets the bit of every island that this one leads to, its own among them: 0, or -1 without memory."""
    stack: cython.pointer(IntBuffer) = cython.address(state.parts.stack)
    island: cython.int
    target: cython.int
    i: cython.int
    stack.count = 0
    bits[source >> 3] |= 1 << (source & 7)
    if push_int(stack, source) != 0:
        return -1
    while stack.count > 0:
        stack.count -= 1
        island = stack.data[stack.count]
        for i in range(state.first_way.data[island], state.first_way.data[island + 1]):
            target = cython.cast(cython.int, state.ways.data[i] & 0x7FFFFFFF)
            if (bits[target >> 3] >> (target & 7)) & 1:
                continue
            bits[target >> 3] |= 1 << (target & 7)
            if push_int(stack, target) != 0:
                return -1
    return 0


@cython.cclass
class Islands:
    """The islands of a mesh for one filter; internal."""

    def __cinit__(self) -> None:
        self.state.edit = -1
        self.reached = {}

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("Islands are kept by a mesh; they are not made by hand")

    def __dealloc__(self) -> None:
        free_parts(cython.address(self.state.parts))
        free_ints(cython.address(self.state.islands))
        free_keys(cython.address(self.state.ways))
        free_ints(cython.address(self.state.first_way))
        free_ints(cython.address(self.state.scratch))

    def update(self, mesh):
        if self.state.edit == mesh.edit_count:
            return 0
        self.reached = {}
        self.listed = None
        if find_islands(cython.address(self.state), mesh, cython.address(self.filter.table)) != 0:
            raise MemoryError("no memory for the islands of a mesh")
        return 0

    def island_at(self, mesh, ref):
        if not reference_is_valid(mesh, ref):
            return -1
        return island_of_polygon(cython.address(self.state), reference_slot(ref), reference_polygon(ref))

    def leads_to(self, source, target):
        if source == target:
            return True
        if self.state.ways.count == 0 or self.state.first_way.data[source] == self.state.first_way.data[source + 1]:
            return False
        size: cython.longlong = (self.state.island_count + 7) >> 3
        row: bytearray = self.reached.get(source)
        if row is None:
            row = bytearray(size)
            if (
                mark_reached(
                    cython.address(self.state), source, cython.cast(cython.p_uchar, PyByteArray_AS_STRING(row))
                )
                != 0
            ):
                raise MemoryError("no memory for the islands of a mesh")
            if (len(self.reached) + 1) * size > MOST_REACHED:
                self.reached = {}
            self.reached[source] = row
        return (cython.cast(cython.p_uchar, PyByteArray_AS_STRING(row))[target >> 3] >> (target & 7)) & 1


@cython.cfunc
@cython.exceptval(check=False)
def lets_the_same_pass(a: QueryFilter, b: QueryFilter) -> cython.bint:
    """Costs count only where they are infinite."""
    area: cython.int
    if a is b:
        return True
    if (
        a.predicate is not b.predicate
        or a.table.included != b.table.included
        or a.table.excluded != b.table.excluded
        or a.table.link_kinds != b.table.link_kinds
    ):
        return False
    for area in range(256):  # noqa: SIM110 (a generator here would be one at run time too)
        if (a.table.costs[area] == INFINITY) != (b.table.costs[area] == INFINITY):
            return False
    return True


def current_islands(mesh, filter):
    kept: list = mesh.islands_kept
    islands: Islands = None
    place: cython.int
    for place in range(len(kept)):
        if lets_the_same_pass(cython.cast(Islands, kept[place]).filter, filter):
            islands = kept[place]
            if place > 0:
                del kept[place]
                kept.insert(0, islands)
            break
    if islands is None:
        islands = Islands.__new__(Islands)
        kept.insert(0, islands)
        del kept[MOST_FILTERS:]
    # The present filter's predicate has been asked for every pair there is now.
    islands.filter = filter
    islands.update(cython.address(mesh.state))
    return islands


def frontier_beyond(islands, mesh, island):
    cells: list = []
    state: cython.pointer(IslandState) = cython.address(islands.state)
    tile: cython.pointer(cython.const[TileSlot])
    slot: cython.int
    polygon: cython.int
    edge: cython.int
    side: cython.int
    other: cython.int
    met: cython.int
    for slot in range(state.parts.slot_count):
        tile = mesh.slots + slot
        if not tile.used or tile.frontier_sides == 0:
            continue
        met = 0
        for polygon in range(tile.polygon_count):
            other = island_of_polygon(state, slot, polygon)
            if other < 0 or not islands.leads_to(island, other):
                continue
            for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
                if tile.border_sides[edge] >= 0:
                    met |= tile.frontier_sides & (1 << tile.border_sides[edge])
        for side in range(4):
            if (met >> side) & 1:
                cells.append((facing_column(tile.column, side), facing_row(tile.row, side)))
    return cells
