"""The exits of a polygon, as an exact search sees them: listed once a search, for what the filter accepts.

Between tiles an exit is a whole group of touching overlaps, from the one portal function, never a link's rounded range.
"""

import cython
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import Link, MeshState, OffMeshLink, TileSlot, side_axis
from cython.cimports.onepath.mesh._portals import PortalGroup, portal_groups
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.mesh._tiles_read import note_tile_read
from cython.cimports.onepath.query._entry import edge_end, edge_start
from cython.cimports.onepath.query._exact_bounds import progress, turn
from cython.cimports.onepath.query._exact_state import (
    ROOT_UNKNOWN,
    ExactPolygon,
    ExactSearch,
    Exit,
    Spot,
    reserve_exact_groups,
    reserve_exits,
    reserve_polygons,
)
from cython.cimports.onepath.query._node_tables import NodePage, PageEntry, table_entries
from cython.cimports.onepath.query._nodes import SearchState
from cython.cimports.onepath.query._off_mesh import link_passes, off_mesh_crossing
from cython.cimports.onepath.query._straight_path import group_spot, link_group


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def flat(place: Vector) -> Spot:
    spot: Spot
    spot.x = place.x
    spot.z = place.z
    return spot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def new_exit(exact: cython.pointer(ExactSearch), slot: cython.int, polygon: cython.int) -> cython.pointer(Exit):
    """The next exit; the caller has made room."""
    way: cython.pointer(Exit) = exact.exits + exact.exit_count
    exact.exit_count += 1
    way.slot = slot
    way.polygon = polygon
    way.record = -1
    way.side = -1
    way.price = 0.0
    way.right_root = ROOT_UNKNOWN
    way.left_root = ROOT_UNKNOWN
    way.last_crossed = -1
    return way


# --- Portals between tiles ----------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_listed(
    tile: cython.pointer(cython.const[TileSlot]),
    first: cython.int,
    links: cython.pointer(cython.const[Link]),
    number: cython.int,
) -> cython.bint:
    """Whether a link before this one leads over the same side to the same polygon: its groups are this one's too."""
    side: cython.int = tile.border_sides[first + links[number].edge]
    i: cython.int
    for i in range(number):
        if (
            links[i].target_polygon == links[number].target_polygon
            and links[i].target_slot == links[number].target_slot
            and tile.border_sides[first + links[i].edge] == side
        ):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def member_of_group(
    tile: cython.pointer(cython.const[TileSlot]),
    first: cython.int,
    links: cython.pointer(cython.const[Link]),
    count: cython.int,
    number: cython.int,
    groups: cython.pointer(cython.const[PortalGroup]),
    group_count: cython.int,
    group: cython.int,
) -> cython.int:
    """The first link, like the given one, that the straight path takes for one of this group."""
    side: cython.int = tile.border_sides[first + links[number].edge]
    i: cython.int
    for i in range(number, count):
        if (
            links[i].target_polygon == links[number].target_polygon
            and links[i].target_slot == links[number].target_slot
            and tile.border_sides[first + links[i].edge] == side
            and link_group(tile, links + i, side_axis(side), groups, group_count) == group
        ):
            return i
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exit_back(
    exact: cython.pointer(cython.const[ExactSearch]),
    search: cython.pointer(cython.const[SearchState]),
    slot: cython.int,
    polygon: cython.int,
    target_slot: cython.int,
    target: cython.int,
    side: cython.int,
) -> cython.int:
    """The only exit by which a polygon behind a tile side leads back; -1 where it is not listed yet, or not alone.

    From either side the portal function gives the same bits.
    """
    page: cython.pointer(cython.const[NodePage]) = search.tables.pages + target_slot
    record: cython.pointer(cython.const[ExactPolygon])
    found: cython.int = -1
    i: cython.int
    if target >= page.capacity or page.entries[target].stamp != search.tables.stamp:
        return -1
    record = exact.polygons + page.entries[target].node
    for i in range(record.first, record.links):
        if exact.exits[i].side == side ^ 2 and exact.exits[i].polygon == polygon and exact.exits[i].slot == slot:
            if found >= 0:
                return -1
            found = i
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_back(
    exact: cython.pointer(ExactSearch),
    link: cython.pointer(cython.const[Link]),
    number: cython.int,
    side: cython.int,
    back: cython.int,
) -> cython.int:
    """The one exit over a link's side, from that which leads back: 0, or -1 where there is no memory."""
    way: cython.pointer(Exit)
    if reserve_exits(exact, 1) != 0:
        return -1
    way = new_exit(exact, link.target_slot, link.target_polygon)
    way.side = side
    way.crossing.edge = link.edge
    way.crossing.link = number
    way.right = exact.exits[back].left
    way.left = exact.exits[back].right
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_groups(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(cython.const[SearchState]),
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    polygon: cython.int,
    number: cython.int,
) -> cython.int:
    """The exits to the polygon that a link reaches, over the link's side: 0, or -1 where there is no memory."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    first: cython.int = tile.polygon_first[polygon]
    links: cython.pointer(cython.const[Link]) = tile.links + tile.link_first[polygon]
    link_count: cython.int = tile.link_first[polygon + 1] - tile.link_first[polygon]
    target_slot: cython.int = links[number].target_slot
    target: cython.int = links[number].target_polygon
    side: cython.int = tile.border_sides[first + links[number].edge]
    axis: cython.int = side_axis(side)
    way: cython.pointer(Exit)
    low: Spot
    high: Spot
    member: cython.int = number
    i: cython.int
    count: cython.int
    back: cython.int = exit_back(exact, search, slot, polygon, target_slot, target, side)
    if back >= 0:
        return list_back(exact, links + number, number, side, back)
    count = portal_groups(mesh, slot, polygon, target_slot, target, side, exact.groups, exact.group_capacity)
    if count > exact.group_capacity:
        if reserve_exact_groups(exact, count + 8) != 0:
            return -1
        portal_groups(mesh, slot, polygon, target_slot, target, side, exact.groups, exact.group_capacity)
    if reserve_exits(exact, count) != 0:
        return -1
    for i in range(count):
        if count > 1:
            member = member_of_group(tile, first, links, link_count, number, exact.groups, count, i)
        low = flat(group_spot(tile, polygon, exact.groups[i].low_edge, axis, exact.groups[i].low))
        high = flat(group_spot(tile, polygon, exact.groups[i].high_edge, axis, exact.groups[i].high))
        way = new_exit(exact, target_slot, target)
        way.side = side
        way.crossing.edge = links[member].edge
        way.crossing.link = member
        # Outlines run upward along sides 0 and 1 and downward along 2 and 3.
        way.right = low if side < 2 else high
        way.left = high if side < 2 else low
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_tile_portals(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    slot: cython.int,
    polygon: cython.int,
) -> cython.int:
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    links: cython.pointer(cython.const[Link]) = tile.links + tile.link_first[polygon]
    target: cython.pointer(cython.const[TileSlot])
    number: cython.int
    neighbour: cython.int
    for number in range(tile.link_first[polygon + 1] - tile.link_first[polygon]):
        neighbour = links[number].target_polygon
        note_tile_read(cython.address(search.reads), links[number].target_slot)
        target = mesh.slots + links[number].target_slot
        if not filter_passes(table, target.flags[neighbour], target.areas[neighbour]):
            continue
        if is_listed(tile, tile.polygon_first[polygon], links, number):
            continue
        if list_groups(exact, search, mesh, slot, polygon, number) != 0:
            return -1
    return 0


# --- The others ---------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_edges(
    exact: cython.pointer(ExactSearch),
    tile: cython.pointer(cython.const[TileSlot]),
    table: cython.pointer(cython.const[FilterTable]),
    slot: cython.int,
    polygon: cython.int,
) -> cython.int:
    """Exits to polygons of the same tile."""
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    way: cython.pointer(Exit)
    edge: cython.int
    neighbour: cython.int
    if reserve_exits(exact, count) != 0:
        return -1
    for edge in range(count):
        neighbour = tile.neighbours[first + edge]
        if neighbour < 0 or not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            continue
        way = new_exit(exact, slot, neighbour)
        way.crossing.edge = edge
        way.crossing.link = -1
        way.right = flat(edge_start(tile, first, edge))
        way.left = flat(edge_end(tile, first, count, edge))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_links(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
) -> cython.int:
    """Exits over off-mesh links."""
    target: cython.pointer(cython.const[TileSlot])
    link: cython.pointer(cython.const[OffMeshLink])
    way: cython.pointer(Exit)
    place: cython.int
    if reserve_exits(exact, tile.off_mesh_first[polygon + 1] - tile.off_mesh_first[polygon]) != 0:
        return -1
    for place in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
        link = tile.off_mesh + place
        if not link_passes(table, link):
            continue
        note_tile_read(cython.address(search.reads), link.target_slot)
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[link.target_polygon], target.areas[link.target_polygon]):
            continue
        way = new_exit(exact, link.target_slot, link.target_polygon)
        way.crossing = off_mesh_crossing(link)
        way.price = link.length * table.costs[link.area] + link.cost
        way.right.x = link.start[0]
        way.right.z = link.start[2]
        way.left.x = link.end[0]
        way.left.z = link.end[2]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_bent(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int) -> cython.bint:
    """Whether an outline is not convex to the last bit, as its corners lie in the world."""
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    a: Spot = flat(edge_start(tile, first, count - 2))
    b: Spot = flat(edge_start(tile, first, count - 1))
    c: Spot
    turned: cython.double
    edge: cython.int
    for edge in range(count):
        c = flat(edge_start(tile, first, edge))
        turned = turn(a, b, c)
        if turned < 0.0 or (turned == 0.0 and not progress(a, b, c) > 0.0):
            return True
        a = b
        b = c
    return False


def polygon_record(work, slot, polygon):
    exact: cython.pointer(ExactSearch) = work.exact
    search: cython.pointer(SearchState) = work.search
    tile: cython.pointer(cython.const[TileSlot]) = work.mesh.slots + slot
    entries: cython.pointer(PageEntry) = table_entries(cython.address(search.tables), slot, tile.polygon_count)
    record: cython.pointer(ExactPolygon)
    if entries == cython.NULL:
        return -1
    if entries[polygon].stamp == search.tables.stamp:
        return entries[polygon].node
    if reserve_polygons(exact) != 0:
        return -1
    record = exact.polygons + exact.polygon_count
    record.slot = slot
    record.polygon = polygon
    record.first = exact.exit_count
    record.bent = is_bent(tile, polygon)
    exact.repeats |= record.bent
    record.expanded = -1
    note_tile_read(cython.address(search.reads), slot)
    if list_edges(exact, tile, work.table, slot, polygon) != 0:
        return -1
    if list_tile_portals(exact, search, work.mesh, work.table, slot, polygon) != 0:
        return -1
    record.links = exact.exit_count
    if tile.off_mesh_first != cython.NULL and list_links(exact, search, work.mesh, work.table, tile, polygon) != 0:
        return -1
    record.end = exact.exit_count
    entries[polygon].stamp = search.tables.stamp
    entries[polygon].node = exact.polygon_count
    exact.polygon_count += 1
    return entries[polygon].node


def record_behind(work, number):
    record: cython.int = work.exact.exits[number].record
    if record < 0:
        record = polygon_record(work, work.exact.exits[number].slot, work.exact.exits[number].polygon)
        if record >= 0:
            work.exact.exits[number].record = record
    return record
