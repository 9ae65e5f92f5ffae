"""What a search has found: the corridor along its nodes' parents, and the missing tiles that it met."""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.mesh._mesh import Link, TileSlot, facing_column, facing_row, polygon_reference
from cython.cimports.onepath.query._buffers import CorridorBuffer, Crossing, reserve_corridor
from cython.cimports.onepath.query._nodes import MODEL_POLYGON, LoopEntry, SearchState
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._search import SEARCH_FOUND


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_loop_entry(search: cython.pointer(SearchState), polygon: cython.longlong) -> cython.pointer(LoopEntry):
    mixed: cython.ulonglong = cython.cast(cython.ulonglong, polygon) * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)
    mask: cython.uint = cython.cast(cython.uint, search.loop_capacity) - 1
    place: cython.uint = cython.cast(cython.uint, mixed >> 32) & mask
    while search.loops[place].polygon != 0 and search.loops[place].polygon != polygon:
        place = (place + 1) & mask
    return search.loops + place


def remove_loops(search: cython.pointer(SearchState), corridor: cython.pointer(CorridorBuffer)) -> cython.int:
    """Where the route comes back to a polygon, what lay between goes: every polygon stays once, at its first place."""
    capacity: cython.int = 64
    entry: cython.pointer(LoopEntry)
    read: cython.int
    kept: cython.int = 0
    while capacity < 2 * corridor.count:
        capacity *= 2
    if capacity > search.loop_capacity:
        if resize(cython.address(search.loops), capacity, cython.sizeof(LoopEntry)) != 0:
            return -1
        search.loop_capacity = capacity
    memset(search.loops, 0, search.loop_capacity * cython.sizeof(LoopEntry))
    for read in range(corridor.count):
        entry = find_loop_entry(search, corridor.polygons[read])
        # An entry may name a place that a loop has given up since.
        if entry.polygon == 0 or entry.position >= kept or corridor.polygons[entry.position] != entry.polygon:
            entry.polygon = corridor.polygons[read]
            entry.position = kept
            corridor.polygons[kept] = entry.polygon
        kept = entry.position + 1
        if read + 1 < corridor.count:
            corridor.crossings[kept - 1] = corridor.crossings[read]
    corridor.count = kept
    return 0


def lasting_crossing(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, crossing: Crossing) -> Crossing:
    """A crossing of the search as a corridor keeps it: a portal's place is that among those to the same polygon.

    Portals between two polygons stay while both do; the place among all links of a polygon changes with any neighbour.
    """
    links: cython.pointer(cython.const[Link])
    last: cython.int = crossing.link
    i: cython.int
    if crossing.edge < 0 or crossing.link < 0:
        return crossing
    links = tile.links + tile.link_first[polygon]
    crossing.link = 0
    for i in range(last):
        crossing.link += (
            links[i].edge == crossing.edge
            and links[i].target_slot == links[last].target_slot
            and links[i].target_polygon == links[last].target_polygon
        )
    return crossing


def collect_corridor(search, mesh, corridor, cost):
    node: cython.int = search.closest if search.closest >= 0 else 0
    count: cython.int = 0
    index: cython.int
    parent: cython.int
    if search.outcome == SEARCH_FOUND:
        node = search.terminal
    cost[0] = search.nodes[node].cost
    if search.outcome == SEARCH_FOUND:
        node = search.nodes[node].parent
    index = node
    while index >= 0:
        count += 1
        index = search.nodes[index].parent
    if reserve_corridor(corridor, count) != 0:
        return -1
    corridor.count = count
    while node >= 0:
        count -= 1
        corridor.polygons[count] = polygon_reference(mesh, search.nodes[node].slot, search.nodes[node].polygon)
        parent = search.nodes[node].parent
        if count > 0:
            corridor.crossings[count - 1] = lasting_crossing(
                mesh.slots + search.nodes[parent].slot, search.nodes[parent].polygon, search.nodes[node].crossing
            )
        node = parent
    if search.model == MODEL_POLYGON:
        return 0
    return remove_loops(search, corridor)


def frontier_cells(tables, mesh):
    cells = []
    tile: cython.pointer(cython.const[TileSlot])
    place: cython.int
    slot: cython.int
    side: cython.int
    for place in range(tables.frontier_count):
        slot = tables.frontier_slots[place]
        tile = mesh.slots + slot
        for side in range(4):
            if (tables.pages[slot].frontier_sides >> side) & 1:
                cells.append((facing_column(tile.column, side), facing_row(tile.row, side)))
    return cells
