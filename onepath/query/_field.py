"""Least costs from everywhere to the nearest of some goals: the crossing model searched backward (Dijkstra 1959).

A node is an exit of a polygon, an edge's or portal's middle or the start of a link; its cost is that of going on from
there. What leads into a polygon is found from its own edges and portals, which are listed from both sides, and for
off-mesh links from a list by target.
"""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import Link, MeshState, OffMeshLink, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, squared_distance
from cython.cimports.onepath.mesh._tiles_read import begin_tiles_read, free_tiles_read, note_tile_read
from cython.cimports.onepath.query._entry import along, edge_end, edge_start, link_middle, middle_point
from cython.cimports.onepath.query._field import (
    FIELD_DONE,
    FIELD_NO_MEMORY,
    FIELD_RUNNING,
    ExitRange,
    FieldNode,
    FieldState,
    Incoming,
    Onward,
)
from cython.cimports.onepath.query._node_tables import PageEntry, begin_tables, free_tables, table_entries
from cython.cimports.onepath.query._off_mesh import link_end, link_passes, link_start
from cython.cimports.onepath.query._open_list import free_open, pop_open, push_open, reserve_open
from cython.cimports.onepath.query._polygon_keys import first_key, key_polygon, key_slot, polygon_key
from cython.cimports.onepath.query._room import resize


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exit_entries(
    field: cython.pointer(FieldState), mesh: cython.pointer(cython.const[MeshState]), slot: cython.int
) -> cython.pointer(PageEntry):
    """The table of a slot's exits; NULL where there is no memory."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    needed: cython.int = tile.edge_count + tile.link_first[tile.polygon_count] + tile.off_mesh_count
    return table_entries(cython.address(field.tables), slot, needed)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def new_exit(field: cython.pointer(FieldState)) -> cython.int:
    """The index of a new node, or -1 without memory."""
    capacity: cython.longlong
    if field.node_count == field.node_capacity:
        capacity = 2 * cython.cast(cython.longlong, field.node_capacity) + 256
        if capacity > 0x7FFFFFFF or resize(cython.address(field.nodes), capacity, cython.sizeof(FieldNode)) != 0:
            return -1
        field.node_capacity = cython.cast(cython.int, capacity)
    field.node_count += 1
    return field.node_count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer(
    field: cython.pointer(FieldState),
    entry: cython.pointer(PageEntry),
    exit: cython.pointer(FieldNode),
    onward: cython.pointer(cython.const[Onward]),
) -> cython.int:
    """Gives an exit this way on, if it is a cheaper one: 0, or -1 without memory."""
    index: cython.int
    exit.cost = exit.price + (sqrt(squared_distance(exit.entry, onward.place)) * onward.rate + onward.cost)
    exit.next = onward.next
    exit.goal = onward.goal
    exit.settled = False
    if exit.cost > field.max_cost:
        return 0
    if entry.stamp != field.tables.stamp:
        index = new_exit(field)
        if index < 0:
            return -1
        entry.node = index
        entry.stamp = field.tables.stamp
    else:
        index = entry.node
        if field.nodes[index].settled or not exit.cost < field.nodes[index].cost:
            return 0
    if reserve_open(cython.address(field.open), 1) != 0:
        return -1
    field.nodes[index] = exit[0]
    push_open(cython.address(field.open), exit.cost, index)
    return 0


# --- What leads into a polygon --------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_ground(
    field: cython.pointer(FieldState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    source_slot: cython.int,
    source: cython.int,
    slot: cython.int,
    polygon: cython.int,
    onward: cython.pointer(cython.const[Onward]),
) -> cython.int:
    """Offers the way on to the edges and portals over which one polygon leads into another."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + source_slot
    first: cython.int = tile.polygon_first[source]
    count: cython.int = tile.polygon_first[source + 1] - first
    entries: cython.pointer(PageEntry)
    link: cython.pointer(cython.const[Link])
    exit: FieldNode
    edge: cython.int
    number: cython.int
    note_tile_read(cython.address(field.reads), source_slot)
    if not filter_passes(table, tile.flags[source], tile.areas[source]):
        return 0
    entries = exit_entries(field, mesh, source_slot)
    if entries == cython.NULL:
        return -1
    exit.slot = source_slot
    exit.polygon = source
    exit.price = 0.0
    exit.link = 0
    # 1. Shared edges
    for edge in range(count if source_slot == slot else 0):
        if tile.neighbours[first + edge] != polygon:
            continue
        exit.here = middle_point(edge_start(tile, first, edge), edge_end(tile, first, count, edge))
        exit.entry = exit.here
        exit.way = first + edge
        if offer(field, entries + exit.way, cython.address(exit), onward) != 0:
            return -1
    # 2. Portals
    for number in range(tile.link_first[source], tile.link_first[source + 1]):
        link = tile.links + number
        if link.target_slot != slot or link.target_polygon != polygon:
            continue
        exit.here = along(
            edge_start(tile, first, link.edge), edge_end(tile, first, count, link.edge), link_middle(link)
        )
        exit.entry = exit.here
        exit.way = tile.edge_count + number
        if offer(field, entries + exit.way, cython.address(exit), onward) != 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_links(
    field: cython.pointer(FieldState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    slot: cython.int,
    polygon: cython.int,
    onward: cython.pointer(cython.const[Onward]),
) -> cython.int:
    """Offers the way on to the off-mesh links that lead into a polygon."""
    incoming: cython.pointer(cython.const[Incoming]) = cython.address(field.incoming)
    key: cython.longlong = polygon_key(slot, polygon)
    place: cython.int = first_key(incoming.targets, incoming.count, key)
    tile: cython.pointer(cython.const[TileSlot])
    link: cython.pointer(cython.const[OffMeshLink])
    entries: cython.pointer(PageEntry)
    exit: FieldNode
    number: cython.int
    while place < incoming.count and incoming.targets[place] == key:
        exit.slot = cython.cast(cython.int, incoming.slots[place])
        number = cython.cast(cython.int, incoming.numbers[place])
        place += 1
        tile = mesh.slots + exit.slot
        link = tile.off_mesh + number
        note_tile_read(cython.address(field.reads), exit.slot)
        if not link_passes(table, link) or not filter_passes(table, tile.flags[link.polygon], tile.areas[link.polygon]):
            continue
        entries = exit_entries(field, mesh, exit.slot)
        if entries == cython.NULL:
            return -1
        exit.polygon = link.polygon
        exit.here = link_start(link)
        exit.entry = link_end(link)
        exit.price = link.length * table.costs[link.area] + link.cost
        exit.link = link.id
        exit.way = number + tile.edge_count + tile.link_first[tile.polygon_count]
        if offer(field, entries + exit.way, cython.address(exit), onward) != 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lead_into(
    field: cython.pointer(FieldState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    slot: cython.int,
    polygon: cython.int,
    onward: cython.pointer(Onward),
) -> cython.int:
    """Offers a way on from within a polygon to everything that leads into it: 0, or -1 without memory."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    edge: cython.int
    number: cython.int
    onward.rate = table.costs[tile.areas[polygon]]
    note_tile_read(cython.address(field.reads), slot)
    for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
        if tile.neighbours[edge] >= 0 and (
            offer_ground(field, mesh, table, slot, tile.neighbours[edge], slot, polygon, onward) != 0
        ):
            return -1
    for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        if (
            offer_ground(
                field,
                mesh,
                table,
                tile.links[number].target_slot,
                tile.links[number].target_polygon,
                slot,
                polygon,
                onward,
            )
            != 0
        ):
            return -1
    return offer_links(field, mesh, table, slot, polygon, onward)


# --- Building and asking --------------------------------------------------------------------------------------------


def begin_field(field, mesh, table, goals):
    place: cython.int
    onward: Onward
    field.node_count = 0
    field.open.count = 0
    field.open.sequence = 0
    field.iterations = 0
    field.outcome = FIELD_RUNNING
    if begin_tiles_read(cython.address(field.reads), mesh) != 0:
        return -1
    if begin_tables(cython.address(field.tables), mesh.slot_count) != 0:
        return -1
    onward.cost = 0.0
    onward.next = -1
    for place in range(goals.count):
        onward.goal = cython.cast(cython.int, goals.order[place])
        onward.place = goals.places[onward.goal].position
        if (
            lead_into(
                field,
                mesh,
                table,
                key_slot(goals.keys[place]),
                key_polygon(goals.keys[place]),
                cython.address(onward),
            )
            != 0
        ):
            return -1
    return 0


def run_field(field, mesh, table, budget):
    index: cython.int
    onward: Onward
    onward.goal = -1
    while field.outcome == FIELD_RUNNING and budget > 0:
        if field.open.count == 0:
            field.outcome = FIELD_DONE
            break
        index = pop_open(cython.address(field.open))
        if field.nodes[index].settled:
            continue
        budget -= 1
        field.iterations += 1
        field.nodes[index].settled = True
        onward.place = field.nodes[index].here
        onward.cost = field.nodes[index].cost
        onward.next = index
        if (
            lead_into(field, mesh, table, field.nodes[index].slot, field.nodes[index].polygon, cython.address(onward))
            != 0
        ):
            field.outcome = FIELD_NO_MEMORY
    return field.outcome


def exits_of(field, tile, slot, polygon, ranges):
    entries: cython.pointer(PageEntry)
    kind: cython.int
    # A tile that the field has not read has exits of no stamp, but there may be fewer of them than it has now.
    total: cython.int = tile.edge_count + tile.link_first[tile.polygon_count] + tile.off_mesh_count
    for kind in range(3):
        ranges[kind].count = 0
    if slot >= field.tables.page_count or field.tables.pages[slot].capacity < total:
        return
    entries = field.tables.pages[slot].entries
    ranges[0].entries = entries + tile.polygon_first[polygon]
    ranges[0].count = tile.polygon_first[polygon + 1] - tile.polygon_first[polygon]
    entries = entries + tile.edge_count
    ranges[1].entries = entries + tile.link_first[polygon]
    ranges[1].count = tile.link_first[polygon + 1] - tile.link_first[polygon]
    if tile.off_mesh_first != cython.NULL:
        entries = entries + tile.link_first[tile.polygon_count]
        ranges[2].entries = entries + tile.off_mesh_first[polygon]
        ranges[2].count = tile.off_mesh_first[polygon + 1] - tile.off_mesh_first[polygon]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cheapest_exit(
    field: cython.pointer(cython.const[FieldState]),
    exits: cython.pointer(cython.const[ExitRange]),
    place: Vector,
    rate: cython.double,
) -> cython.double:
    """The least cost of going to one of a polygon's exits and on from there, infinite where none leads on."""
    i: cython.int
    node: cython.pointer(cython.const[FieldNode])
    best: cython.double = INFINITY
    cost: cython.double
    for i in range(exits.count):
        if exits.entries[i].stamp != field.tables.stamp:
            continue
        node = field.nodes + exits.entries[i].node
        cost = sqrt(squared_distance(place, node.here)) * rate + node.cost
        best = cost if cost < best else best
    return best


def field_cost(field, mesh, table, goals, slot, polygon, place):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    key: cython.longlong = polygon_key(slot, polygon)
    at: cython.int = first_key(goals.keys, goals.count, key)
    rate: cython.double = table.costs[tile.areas[polygon]]
    best: cython.double = INFINITY
    cost: cython.double
    ranges: ExitRange[3]
    kind: cython.int
    while at < goals.count and goals.keys[at] == key:
        cost = sqrt(squared_distance(place, goals.places[goals.order[at]].position)) * rate
        best = cost if cost < best else best
        at += 1
    exits_of(field, tile, slot, polygon, ranges)
    for kind in range(3):
        cost = cheapest_exit(field, ranges + kind, place, rate)
        best = cost if cost < best else best
    return best if best <= field.max_cost else INFINITY


def free_field(field):
    free(field.nodes)
    free_open(cython.address(field.open))
    free_tables(cython.address(field.tables))
    free_tiles_read(cython.address(field.reads))
