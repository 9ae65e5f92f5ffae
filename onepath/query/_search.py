"""The path search: A* over polygons or over crossings (queries document, path search).

One loop serves both models; they differ in what a node stands for and in how the exits of an expanded node are priced.
Room for everything that one expansion can add is made before it, so that no pointer moves while it runs.
"""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import Link, MeshState, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, squared_distance
from cython.cimports.onepath.mesh._tiles_read import (
    TILES_SAME,
    begin_tiles_read,
    free_tiles_read,
    note_tile_read,
    tiles_unchanged,
)
from cython.cimports.onepath.query._buffers import Crossing
from cython.cimports.onepath.query._entry import aimed_entry, along, edge_end, edge_start, link_middle, middle_point
from cython.cimports.onepath.query._node_tables import (
    PageEntry,
    begin_tables,
    free_tables,
    note_sides,
    reserve_pages,
)
from cython.cimports.onepath.query._nodes import (
    MODEL_POLYGON,
    NODE_OPEN,
    PathNode,
    SearchState,
    cannot_gain,
    mark_expanded,
    new_node,
    page_entries,
    relax,
    set_node,
)
from cython.cimports.onepath.query._off_mesh import expand_off_mesh
from cython.cimports.onepath.query._open_list import free_open, pop_open, push_open, reserve_open
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._search import SEARCH_EXHAUSTED, SEARCH_FOUND, SEARCH_NO_MEMORY, SEARCH_RUNNING

# --- Room ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_nodes(search: cython.pointer(SearchState), more: cython.int) -> cython.int:
    needed: cython.longlong = cython.cast(cython.longlong, search.node_count) + more
    capacity: cython.longlong
    if needed > search.max_nodes:
        needed = search.max_nodes
    if needed <= search.node_capacity:
        return 0
    capacity = 2 * cython.cast(cython.longlong, search.node_capacity) + 256
    if capacity < needed:
        capacity = needed
    if resize(cython.address(search.nodes), capacity, cython.sizeof(PathNode)) != 0:
        return -1
    search.node_capacity = cython.cast(cython.int, capacity)
    return 0


def free_search(search):
    free_tables(cython.address(search.tables))
    free(search.nodes)
    free(search.loops)
    free_open(cython.address(search.open))
    free_tiles_read(cython.address(search.reads))


# --- Beginning ----------------------------------------------------------------------------------------------------


def begin_search(search, mesh, table, start_slot, start_polygon, start, end_slot, end_polygon, end):
    entries: cython.pointer(PageEntry)
    node: cython.pointer(PathNode)
    search.outcome = SEARCH_RUNNING
    search.node_count = 0
    search.tables.frontier_count = 0
    search.open.count = 0
    search.open.sequence = 0
    search.end = end
    search.end_slot = end_slot
    search.end_polygon = end_polygon
    search.terminal = -1
    search.closest = -1
    search.closest_distance = INFINITY
    search.node_limit_reached = False
    search.expanded_count = 0
    search.cost_limit_reached = False
    search.iterations = 0
    if begin_tiles_read(cython.address(search.reads), mesh) != 0:
        return -1
    if begin_tables(cython.address(search.tables), mesh.slot_count) != 0 or reserve_nodes(search, 1) != 0:
        return -1
    if reserve_open(cython.address(search.open), 1) != 0:
        return -1
    node = search.nodes
    node.position = start
    node.cost = 0.0
    node.total = table.minimum_cost * sqrt(squared_distance(start, end))
    node.slot = start_slot
    node.polygon = start_polygon
    node.parent = -1
    node.state = NODE_OPEN
    search.node_count = 1
    if search.model == MODEL_POLYGON:
        entries = page_entries(search, mesh, start_slot)
        if entries == cython.NULL:
            return -1
        entries[start_polygon].stamp = search.tables.stamp
        entries[start_polygon].node = 0
    note_tile_read(cython.address(search.reads), start_slot)
    if end_slot >= 0:
        note_tile_read(cython.address(search.reads), end_slot)
    push_open(cython.address(search.open), node.total, 0)
    return 0


def search_stands(search, mesh):
    code: cython.int = tiles_unchanged(cython.address(search.reads), mesh)
    if code == TILES_SAME and reserve_pages(cython.address(search.tables), mesh.slot_count) != 0:
        return -1
    return code


# --- The end --------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def relax_terminal(search: cython.pointer(SearchState), index: cython.int, rate: cython.double) -> cython.void:
    """The last leg, from a node in the end's polygon to the end."""
    node: cython.pointer(PathNode) = search.nodes + index
    cost: cython.double = node.cost + sqrt(squared_distance(node.position, search.end)) * rate
    crossing: Crossing
    crossing.edge = -1
    crossing.link = -1
    if cost > search.max_cost:
        search.cost_limit_reached = True
        return
    if search.terminal < 0:
        search.terminal = new_node(search, node.slot, node.polygon)
    elif not cost < search.nodes[search.terminal].cost:
        return
    if search.terminal >= 0:
        set_node(search, search.terminal, search.end, cost, cost, index, crossing)


# --- Expansion ----------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def walk(start: cython.pointer(PathNode), entry: Vector, rate: cython.double) -> cython.double:
    """The cost of a route that walks from the node's position on to a border."""
    return start.cost + sqrt(squared_distance(start.position, entry)) * rate


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def expand_ground(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    index: cython.int,
    by_polygon: cython.bint,
) -> cython.int:
    """Offers a route over every edge and portal of the node's polygon.

    A node stands for a polygon, entered where the line to the end meets its border and not left the way it was reached;
    or for an edge or portal, crossed in its middle, the one back included. `by_polygon` says which: callers write it
    out, so that each model has a loop of its own.
    """
    slot: cython.int = search.nodes[index].slot
    polygon: cython.int = search.nodes[index].polygon
    parent: cython.int = search.nodes[index].parent
    # Room was made before: no node moves during an expansion.
    start: cython.pointer(PathNode) = search.nodes + index
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    rate: cython.double = table.costs[tile.areas[polygon]]
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    link_start: cython.int = tile.link_first[polygon]
    entries: cython.pointer(PageEntry) = page_entries(search, mesh, slot)
    entry: cython.pointer(PageEntry)
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    from_slot: cython.int = -1
    from_polygon: cython.int = -1
    crossing: Crossing
    a: Vector
    b: Vector
    place: Vector
    edge: cython.int
    number: cython.int
    neighbour: cython.int
    cost: cython.double
    if entries == cython.NULL:
        return -1
    if by_polygon and parent >= 0:
        from_slot = search.nodes[parent].slot
        from_polygon = search.nodes[parent].polygon
    # 1. Edges shared with polygons of the same tile
    crossing.link = -1
    for edge in range(count):
        neighbour = tile.neighbours[first + edge]
        if neighbour < 0 or (by_polygon and neighbour == from_polygon and slot == from_slot):
            continue
        entry = entries + (neighbour if by_polygon else first + edge)
        if cannot_gain(search, entry, start):
            continue
        if not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            continue
        crossing.edge = edge
        a = edge_start(tile, first, edge)
        b = edge_end(tile, first, count, edge)
        place = aimed_entry(a, b, start.position, search.end, 0.0, 1.0, 0.5) if by_polygon else middle_point(a, b)
        cost = walk(start, place, rate)
        relax(search, entry, slot, neighbour, place, cost, table.minimum_cost, index, crossing)
    # 2. Links to other tiles
    for number in range(tile.link_first[polygon + 1] - link_start):
        link = tile.links + link_start + number
        neighbour = link.target_polygon
        if by_polygon and neighbour == from_polygon and link.target_slot == from_slot:
            continue
        note_tile_read(cython.address(search.reads), link.target_slot)
        if by_polygon:
            entry = page_entries(search, mesh, link.target_slot)
            if entry == cython.NULL:
                return -1
            entry += neighbour
        else:
            entry = entries + tile.edge_count + link_start + number
        if cannot_gain(search, entry, start):
            continue
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[neighbour], target.areas[neighbour]):
            continue
        crossing.edge = link.edge
        crossing.link = number
        a = edge_start(tile, first, link.edge)
        b = edge_end(tile, first, count, link.edge)
        if by_polygon:
            place = aimed_entry(
                a,
                b,
                start.position,
                search.end,
                cython.cast(cython.double, link.range_min) / 255.0,
                cython.cast(cython.double, link.range_max) / 255.0,
                link_middle(link),
            )
        else:
            place = along(a, b, link_middle(link))
        cost = walk(start, place, rate)
        relax(search, entry, link.target_slot, neighbour, place, cost, table.minimum_cost, index, crossing)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_closest(search: cython.pointer(SearchState), index: cython.int) -> cython.void:
    distance: cython.double = squared_distance(search.nodes[index].position, search.end)
    if distance < search.closest_distance:
        search.closest_distance = distance
        search.closest = index


def note_frontier(
    search: cython.pointer(SearchState),
    tile: cython.pointer(cython.const[TileSlot]),
    slot: cython.int,
    polygon: cython.int,
) -> cython.int:
    """Remembers the sides of the tile on which the polygon ends at a missing tile."""
    edge: cython.int
    side: cython.int
    met: cython.int = 0
    for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
        side = tile.border_sides[edge]
        if side >= 0:
            met |= tile.frontier_sides & (1 << side)
    return 0 if met == 0 else note_sides(cython.address(search.tables), slot, met)


def expand(search, mesh, table, index):
    slot: cython.int = search.nodes[index].slot
    polygon: cython.int = search.nodes[index].polygon
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    # The exits and the terminal node
    most: cython.int = 1 + (tile.polygon_first[polygon + 1] - tile.polygon_first[polygon])
    most += tile.link_first[polygon + 1] - tile.link_first[polygon]
    if tile.off_mesh_first != cython.NULL:
        most += tile.off_mesh_first[polygon + 1] - tile.off_mesh_first[polygon]
    if reserve_nodes(search, most) != 0 or reserve_open(cython.address(search.open), most) != 0:
        return -1
    mark_expanded(search, search.nodes + index)
    note_closest(search, index)
    if tile.frontier_sides != 0 and note_frontier(search, tile, slot, polygon) != 0:
        return -1
    if polygon == search.end_polygon and slot == search.end_slot:
        relax_terminal(search, index, table.costs[tile.areas[polygon]])
    code: cython.int
    if search.model == MODEL_POLYGON:
        code = expand_ground(search, mesh, table, index, True)
    else:
        code = expand_ground(search, mesh, table, index, False)
    if code != 0 or tile.off_mesh_first == cython.NULL:
        return code
    return expand_off_mesh(search, mesh, table, index)


def run_search(search, mesh, table, budget):
    index: cython.int
    while search.outcome == SEARCH_RUNNING and budget > 0:
        if search.open.count == 0:
            search.outcome = SEARCH_EXHAUSTED
            break
        index = pop_open(cython.address(search.open))
        if (search.nodes[index].state & NODE_OPEN) == 0:
            continue
        if index == search.terminal:
            search.outcome = SEARCH_FOUND
            break
        budget -= 1
        search.iterations += 1
        if expand(search, mesh, table, index) != 0:
            search.outcome = SEARCH_NO_MEMORY
    return search.outcome
