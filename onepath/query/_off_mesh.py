"""Off-mesh links as exits of a polygon (queries document, cost model; off-mesh terms from the readings)."""

import cython
from cython.cimports.libc.math import sqrt
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import MeshState, OffMeshLink, TileSlot
from cython.cimports.onepath.mesh._surface import squared_distance
from cython.cimports.onepath.mesh._tiles_read import note_tile_read
from cython.cimports.onepath.query._node_tables import PageEntry
from cython.cimports.onepath.query._nodes import (
    MODEL_POLYGON,
    PathNode,
    SearchState,
    cannot_gain,
    page_entries,
    relax,
)
from cython.cimports.onepath.query._off_mesh import link_end, link_passes, link_start, off_mesh_crossing


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def returns(
    search: cython.pointer(SearchState),
    parent: cython.int,
    link: cython.pointer(cython.const[OffMeshLink]),
) -> cython.bint:
    """Whether the link leads back into the polygon that the node came from, as only the crossing model does."""
    return (
        search.model == MODEL_POLYGON
        and parent >= 0
        and search.nodes[parent].polygon == link.target_polygon
        and search.nodes[parent].slot == link.target_slot
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exit_entry(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    place: cython.int,
    link: cython.pointer(cython.const[OffMeshLink]),
) -> cython.pointer(PageEntry):
    """The table's entry of the target polygon or, in the crossing model, of the exit; NULL where there is no memory."""
    entries: cython.pointer(PageEntry)
    if search.model == MODEL_POLYGON:
        entries = page_entries(search, mesh, link.target_slot)
        return cython.NULL if entries == cython.NULL else entries + link.target_polygon
    entries = page_entries(search, mesh, slot)
    if entries == cython.NULL:
        return cython.NULL
    return entries + mesh.slots[slot].edge_count + mesh.slots[slot].link_first[mesh.slots[slot].polygon_count] + place


def expand_off_mesh(search, mesh, table, index):
    # Room was made before: no node moves during an expansion.
    start: cython.pointer(PathNode) = search.nodes + index
    slot: cython.int = start.slot
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    target: cython.pointer(cython.const[TileSlot])
    link: cython.pointer(cython.const[OffMeshLink])
    entry: cython.pointer(PageEntry)
    place: cython.int
    cost: cython.double
    for place in range(tile.off_mesh_first[start.polygon], tile.off_mesh_first[start.polygon + 1]):
        link = tile.off_mesh + place
        if not link_passes(table, link) or returns(search, start.parent, link):
            continue
        note_tile_read(cython.address(search.reads), link.target_slot)
        target = mesh.slots + link.target_slot
        if not filter_passes(table, target.flags[link.target_polygon], target.areas[link.target_polygon]):
            continue
        entry = exit_entry(search, mesh, slot, place, link)
        if entry == cython.NULL:
            return -1
        if cannot_gain(search, entry, start):
            continue
        cost = (
            start.cost
            + sqrt(squared_distance(start.position, link_start(link))) * (table.costs[tile.areas[start.polygon]])
        )
        cost = cost + (link.length * table.costs[link.area] + link.cost)
        relax(
            search,
            entry,
            link.target_slot,
            link.target_polygon,
            link_end(link),
            cost,
            table.minimum_cost,
            index,
            off_mesh_crossing(link),
        )
    return 0


def connecting_way(tile, polygon, target_slot, target_polygon, crossing, table):
    link: cython.pointer(cython.const[OffMeshLink])
    i: cython.int
    if tile.off_mesh_first == cython.NULL:
        return cython.NULL
    for i in range(tile.off_mesh_first[polygon], tile.off_mesh_first[polygon + 1]):
        link = tile.off_mesh + i
        if link.target_slot != target_slot or link.target_polygon != target_polygon:
            continue
        if crossing != cython.NULL:
            if link.id == crossing.link and -1 - link.crossing == crossing.edge and link.enabled:
                return link
        elif link_passes(table, link):
            return link
    return cython.NULL
