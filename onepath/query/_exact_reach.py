"""Whether the end of an exact search can be reached at all, found out beside the search.

To see that it cannot be, windows would have to fill all that can be reached, many to a polygon. A flood over polygons
costs little beside a window, so that it runs along a few polygons ahead. Where it comes to an end first, the search
begins again towards the nearest place that it met: the same answer, for a fraction of the work.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import OffMeshLink, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, closest_point, squared_distance
from cython.cimports.onepath.mesh._tiles_read import note_tile_read
from cython.cimports.onepath.query._exact_reach import (
    REACH_COMPLETE,
    REACH_END,
    REACH_NO_MEMORY,
    REACH_SPREADING,
    REACH_UNKNOWN,
)
from cython.cimports.onepath.query._exact_state import ExactSearch, ExactWork, Reached
from cython.cimports.onepath.query._node_tables import (
    NodePage,
    PageEntry,
    begin_tables,
    free_tables,
    reserve_pages,
    table_entries,
)
from cython.cimports.onepath.query._off_mesh import link_passes
from cython.cimports.onepath.query._room import grown_capacity, resize
from cython.cimports.onepath.query._search import note_frontier


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_reached(exact: cython.pointer(ExactSearch), more: cython.int) -> cython.int:
    capacity: cython.int
    if more <= exact.reached_capacity - exact.reached_count:
        return 0
    capacity = grown_capacity(exact.reached_capacity, exact.reached_count + more + 240)
    if resize(cython.address(exact.reached), capacity, cython.sizeof(Reached)) != 0:
        return -1
    exact.reached_capacity = capacity
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def reach_polygon(
    exact: cython.pointer(ExactSearch), entries: cython.pointer(PageEntry), slot: cython.int, polygon: cython.int
) -> cython.void:
    """Queues a polygon that has not been met yet; the caller has made room."""
    entries[polygon].stamp = exact.reach.stamp
    exact.reached[exact.reached_count].slot = slot
    exact.reached[exact.reached_count].polygon = polygon
    exact.reached_count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach_far(work: cython.pointer(cython.const[ExactWork]), slot: cython.int, polygon: cython.int) -> cython.int:
    """Queues a polygon of another tile where it is new and the filter accepts it: 0, or -1 where there is no memory."""
    tile: cython.pointer(cython.const[TileSlot]) = work.mesh.slots + slot
    entries: cython.pointer(PageEntry) = table_entries(cython.address(work.exact.reach), slot, tile.polygon_count)
    if entries == cython.NULL:
        return -1
    if entries[polygon].stamp == work.exact.reach.stamp:
        return 0
    note_tile_read(cython.address(work.search.reads), slot)
    if not filter_passes(work.table, tile.flags[polygon], tile.areas[polygon]):
        return 0
    reach_polygon(work.exact, entries, slot, polygon)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach_over_links(
    work: cython.pointer(cython.const[ExactWork]), tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int
) -> cython.int:
    """What the polygon's off-mesh links lead to; the tile has some."""
    link: cython.pointer(cython.const[OffMeshLink])
    place: cython.int
    if reserve_reached(work.exact, tile.off_mesh_first[polygon + 1] - tile.off_mesh_first[polygon]) != 0:
        return -1
    for place in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
        link = tile.off_mesh + place
        if link_passes(work.table, link) and reach_far(work, link.target_slot, link.target_polygon) != 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def spread_from(work: cython.pointer(cython.const[ExactWork]), slot: cython.int, polygon: cython.int) -> cython.int:
    """Queues what a polygon leads to: 0, or -1 where there is no memory."""
    tile: cython.pointer(cython.const[TileSlot]) = work.mesh.slots + slot
    entries: cython.pointer(PageEntry) = table_entries(cython.address(work.exact.reach), slot, tile.polygon_count)
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    links: cython.int = tile.link_first[polygon]
    edge: cython.int
    neighbour: cython.int
    place: cython.int
    if tile.frontier_sides != 0 and note_frontier(work.search, tile, slot, polygon) != 0:
        return -1
    if entries == cython.NULL or reserve_reached(work.exact, last - first + tile.link_first[polygon + 1] - links) != 0:
        return -1
    for edge in range(first, last):
        neighbour = tile.neighbours[edge]
        if (
            neighbour >= 0
            and entries[neighbour].stamp != work.exact.reach.stamp
            and filter_passes(work.table, tile.flags[neighbour], tile.areas[neighbour])
        ):
            reach_polygon(work.exact, entries, slot, neighbour)
    for place in range(links, tile.link_first[polygon + 1]):
        if reach_far(work, tile.links[place].target_slot, tile.links[place].target_polygon) != 0:
            return -1
    if tile.off_mesh_first == cython.NULL:
        return 0
    return reach_over_links(work, tile, polygon)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_reach(work: cython.pointer(cython.const[ExactWork])) -> cython.int:
    exact: cython.pointer(ExactSearch) = work.exact
    exact.reached_count = 0
    exact.reached_done = 0
    if begin_tables(cython.address(exact.reach), work.mesh.slot_count) != 0 or reserve_reached(exact, 1) != 0:
        return -1
    return reach_far(work, exact.polygons[0].slot, exact.polygons[0].polygon)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def has_met_end(exact: cython.pointer(cython.const[ExactSearch])) -> cython.bint:
    page: cython.pointer(cython.const[NodePage])
    if exact.end_slot < 0:
        return False
    page = exact.reach.pages + exact.end_slot
    return exact.end_polygon < page.capacity and page.entries[exact.end_polygon].stamp == exact.reach.stamp


def spread_reach(work, count):
    exact: cython.pointer(ExactSearch) = work.exact
    here: Reached
    if exact.reach_state == REACH_UNKNOWN:
        if begin_reach(work) != 0:
            return REACH_NO_MEMORY
        exact.reach_state = REACH_SPREADING
    # Tiles may have come in slots of their own since the last slice.
    if reserve_pages(cython.address(exact.reach), work.mesh.slot_count) != 0:
        return REACH_NO_MEMORY
    while count > 0 and exact.reach_state == REACH_SPREADING:
        if exact.reached_done == exact.reached_count:
            exact.reach_state = REACH_COMPLETE
            break
        here = exact.reached[exact.reached_done]
        exact.reached_done += 1
        if spread_from(work, here.slot, here.polygon) != 0:
            return REACH_NO_MEMORY
        if has_met_end(exact):
            exact.reach_state = REACH_END
        count -= 1
    return exact.reach_state


def aim_at_nearest(work):
    exact: cython.pointer(ExactSearch) = work.exact
    point: Vector
    over: cython.bint = False
    distance: cython.double
    least: cython.double = INFINITY
    place: cython.int
    for place in range(exact.reached_count):
        point = closest_point(
            work.mesh.slots + exact.reached[place].slot,
            exact.reached[place].polygon,
            work.search.end,
            cython.address(over),
        )
        distance = squared_distance(point, work.search.end)
        if distance < least:
            least = distance
            exact.end.x = point.x
            exact.end.z = point.z
            exact.end_slot = exact.reached[place].slot
            exact.end_polygon = exact.reached[place].polygon


def free_reach(exact):
    free_tables(cython.address(exact.reach))
    free(exact.reached)
