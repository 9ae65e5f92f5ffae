"""The path search: A* over polygons or over crossings (queries document, path search).

One loop serves both models; they differ in what a node stands for and in how the exits of an expanded node are priced.
Room for everything that one expansion can add is made before it, so that no pointer moves while it runs.
"""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.stdlib import free, realloc
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
    NodePage,
    PageEntry,
    begin_tables,
    free_tables,
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
from cython.cimports.onepath.query._search import SEARCH_EXHAUSTED, SEARCH_FOUND, SEARCH_NO_MEMORY, SEARCH_RUNNING

# --- Room ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_nodes(search: cython.pointer(SearchState), more: cython.int) -> cython.int:
    needed: cython.longlong = cython.cast(cython.longlong, search.node_count) + more
    capacity: cython.longlong
    block: cython.p_void
    if needed > search.max_nodes:
        needed = search.max_nodes
    if needed <= search.node_capacity:
        return 0
    capacity = 2 * cython.cast(cython.longlong, search.node_capacity) + 256
    if capacity < needed:
        capacity = needed
    block = realloc(search.nodes, cython.cast(cython.size_t, capacity) * cython.sizeof(PathNode))
    if block == cython.NULL:
        return -1
    search.nodes = cython.cast(cython.pointer(PathNode), block)
    search.node_capacity = cython.cast(cython.int, capacity)
    return 0


def free_search(search):
    free_tables(cython.address(search.tables))
    free(search.nodes)
    free(search.frontier_slots)
    free(search.loops)
    free_open(cython.address(search.open))
    free_tiles_read(cython.address(search.reads))


# --- Beginning ----------------------------------------------------------------------------------------------------


def begin_search(search, mesh, table, start_slot, start_polygon, start, end_slot, end_polygon, end):
    entries: cython.pointer(PageEntry)
    node: cython.pointer(PathNode)
    search.outcome = SEARCH_RUNNING
    search.node_count = 0
    search.frontier_count = 0
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
def expand_polygon(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    index: cython.int,
) -> cython.int:
    """Offers every neighbour of the node's polygon a route, except the one that it was reached from."""
    slot: cython.int = search.nodes[index].slot
    polygon: cython.int = search.nodes[index].polygon
    parent: cython.int = search.nodes[index].parent
    from_slot: cython.int = search.nodes[parent].slot if parent >= 0 else -1
    from_polygon: cython.int = search.nodes[parent].polygon if parent >= 0 else -1
    # Room was made before: no node moves during an expansion.
    start: cython.pointer(PathNode) = search.nodes + index
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    rate: cython.double = table.costs[tile.areas[polygon]]
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    link_start: cython.int = tile.link_first[polygon]
    entries: cython.pointer(PageEntry) = search.tables.pages[slot].entries
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    crossing: Crossing
    entry: Vector
    edge: cython.int
    number: cython.int
    neighbour: cython.int
    # 1. Edges shared with polygons of the same tile
    crossing.link = -1
    for edge in range(count):
        neighbour = tile.neighbours[first + edge]
        if neighbour < 0 or (neighbour == from_polygon and slot == from_slot):
            continue
        if cannot_gain(search, entries + neighbour, start):
            continue
        if not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            continue
        crossing.edge = edge
        entry = aimed_entry(
            edge_start(tile, first, edge), edge_end(tile, first, count, edge), start.position, search.end, 0.0, 1.0, 0.5
        )
        relax(
            search,
            entries + neighbour,
            slot,
            neighbour,
            entry,
            walk(start, entry, rate),
            table.minimum_cost,
            index,
            crossing,
        )
    # 2. Links to other tiles
    for number in range(tile.link_first[polygon + 1] - link_start):
        link = tile.links + link_start + number
        neighbour = link.target_polygon
        if neighbour == from_polygon and link.target_slot == from_slot:
            continue
        note_tile_read(cython.address(search.reads), link.target_slot)
        entries = page_entries(search, mesh, link.target_slot)
        if entries == cython.NULL:
            return -1
        if cannot_gain(search, entries + neighbour, start):
            continue
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[neighbour], target.areas[neighbour]):
            continue
        crossing.edge = link.edge
        crossing.link = number
        entry = aimed_entry(
            edge_start(tile, first, link.edge),
            edge_end(tile, first, count, link.edge),
            start.position,
            search.end,
            cython.cast(cython.double, link.range_min) / 255.0,
            cython.cast(cython.double, link.range_max) / 255.0,
            link_middle(link),
        )
        relax(
            search,
            entries + neighbour,
            link.target_slot,
            neighbour,
            entry,
            walk(start, entry, rate),
            table.minimum_cost,
            index,
            crossing,
        )
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_crossing(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    index: cython.int,
) -> cython.int:
    """Offers every exit of the node's polygon a route, the one back included."""
    start: cython.pointer(PathNode) = search.nodes + index
    slot: cython.int = search.nodes[index].slot
    polygon: cython.int = search.nodes[index].polygon
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    rate: cython.double = table.costs[tile.areas[polygon]]
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    link_start: cython.int = tile.link_first[polygon]
    entries: cython.pointer(PageEntry) = page_entries(search, mesh, slot)
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    crossing: Crossing
    entry: Vector
    edge: cython.int
    number: cython.int
    neighbour: cython.int
    if entries == cython.NULL:
        return -1
    # 1. Edges shared with polygons of the same tile
    crossing.link = -1
    for edge in range(count):
        neighbour = tile.neighbours[first + edge]
        if neighbour < 0 or cannot_gain(search, entries + first + edge, start):
            continue
        if not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            continue
        crossing.edge = edge
        entry = middle_point(edge_start(tile, first, edge), edge_end(tile, first, count, edge))
        relax(
            search,
            entries + first + edge,
            slot,
            neighbour,
            entry,
            walk(start, entry, rate),
            table.minimum_cost,
            index,
            crossing,
        )
    # 2. Links to other tiles
    for number in range(tile.link_first[polygon + 1] - link_start):
        link = tile.links + link_start + number
        neighbour = link.target_polygon
        note_tile_read(cython.address(search.reads), link.target_slot)
        if cannot_gain(search, entries + tile.edge_count + link_start + number, start):
            continue
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[neighbour], target.areas[neighbour]):
            continue
        crossing.edge = link.edge
        crossing.link = number
        entry = along(edge_start(tile, first, link.edge), edge_end(tile, first, count, link.edge), link_middle(link))
        relax(
            search,
            entries + tile.edge_count + link_start + number,
            link.target_slot,
            neighbour,
            entry,
            walk(start, entry, rate),
            table.minimum_cost,
            index,
            crossing,
        )
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
    page: cython.pointer(NodePage) = search.tables.pages + slot
    edge: cython.int
    side: cython.int
    met: cython.int = 0
    block: cython.p_void
    for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
        side = tile.border_sides[edge]
        if side >= 0:
            met |= tile.frontier_sides & (1 << side)
    if met == 0:
        return 0
    if page.frontier_stamp == search.tables.stamp:
        page.frontier_sides |= met
        return 0
    if search.frontier_count == search.frontier_capacity:
        block = realloc(
            search.frontier_slots,
            (2 * cython.cast(cython.size_t, search.frontier_capacity) + 64) * cython.sizeof(cython.int),
        )
        if block == cython.NULL:
            return -1
        search.frontier_slots = cython.cast(cython.p_int, block)
        search.frontier_capacity = 2 * search.frontier_capacity + 64
    search.frontier_slots[search.frontier_count] = slot
    search.frontier_count += 1
    page.frontier_stamp = search.tables.stamp
    page.frontier_sides = met
    return 0


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
        code = expand_polygon(search, mesh, table, index)
    else:
        code = expand_crossing(search, mesh, table, index)
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
