"""What a tile slot owns, and the journal that lets a failed commit put slots back."""

import cython
from cython.cimports.libc.stdlib import free, malloc, realloc
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.onepath.mesh._links import count_side_edges, sort_side_edges
from cython.cimports.onepath.mesh._mesh import (
    BORROWED_LINKS,
    BORROWED_MEMORY,
    Link,
    MeshState,
    OffMeshLink,
    SideEdge,
    TileSlot,
    uint8,
    uint16,
)
from cython.cimports.onepath.mesh._slots import Journal, SavedSlot

NO_MEMORY = cython.declare(cython.int, -1)


def grant(size, blocks_left):
    if blocks_left[0] == 0:
        return cython.NULL
    if blocks_left[0] > 0:
        blocks_left[0] -= 1
    return malloc(size if size > 0 else 1)


def slot_memory(layout, side_first):
    count: cython.size_t = count_side_edges(layout.border_sides, layout.header.edge_count, side_first)
    return count * cython.sizeof(SideEdge) + 3 * cython.cast(cython.size_t, layout.header.polygon_count)


def fill_slot(slot, layout, memory, side_first):
    edges: cython.pointer[SideEdge] = cython.cast(cython.pointer[SideEdge], memory)
    polygons: cython.size_t = layout.header.polygon_count
    tile_size: cython.double = cython.cast(cython.float, layout.header.settings.tile_cells) * cython.cast(
        cython.float, layout.header.settings.cell_size
    )
    slot.used = 1
    slot.column = layout.header.column
    slot.row = layout.header.row
    slot.layer = layout.header.layer
    slot.next_in_cell = -1
    slot.origin[0] = slot.column * tile_size
    slot.origin[1] = layout.header.settings.vertical_origin
    slot.origin[2] = slot.row * tile_size
    slot.vertex_count = layout.header.vertex_count
    slot.polygon_count = layout.header.polygon_count
    slot.edge_count = layout.header.edge_count
    slot.vertices = layout.vertices
    slot.polygon_first = layout.polygon_first
    slot.polygon_vertices = layout.polygon_vertices
    slot.neighbours = layout.neighbours
    slot.border_sides = layout.border_sides
    slot.detail_vertex_count = layout.header.detail_vertex_count
    slot.detail_triangle_count = layout.header.detail_triangle_count
    slot.detail_first = layout.detail_first
    slot.detail_triangles = layout.detail_triangles
    slot.detail_vertices = layout.detail_vertices
    slot.memory = memory
    memcpy(slot.side_first, side_first, cython.sizeof(slot.side_first))
    slot.flags = cython.cast(cython.pointer[uint16], edges + side_first[4])
    slot.areas = cython.cast(cython.pointer[uint8], slot.flags + polygons)
    memcpy(slot.flags, layout.flags, 2 * polygons)
    memcpy(slot.areas, layout.areas, polygons)
    slot.baked_areas = layout.areas
    slot.volumes = layout.volumes
    slot.side_edges = edges
    sort_side_edges(slot, edges)
    measure_box(slot)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def measure_box(slot: cython.pointer[TileSlot]) -> cython.void:
    """The box of all vertices; of a tile without any, a point at its corner."""
    i: cython.int
    axis: cython.int
    value: cython.float
    low: cython.float
    high: cython.float
    for axis in range(3):
        low = slot.vertices[axis] if slot.vertex_count else 0
        high = low
        for i in range(1, slot.vertex_count):
            value = slot.vertices[3 * i + axis]
            low = value if value < low else low
            high = value if value > high else high
        slot.low[axis] = low
        slot.high[axis] = high


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def empty_slot(slot: cython.pointer[TileSlot]) -> cython.void:
    """Takes the tile out and moves the slot to its next generation. Frees nothing: the journal still points to it."""
    generation: cython.int = slot.generation
    saved: cython.int = slot.saved
    memset(slot, 0, cython.sizeof(TileSlot))
    slot.generation = generation + 1
    slot.saved = saved
    slot.next_in_cell = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_tile_memory(slot: cython.pointer[TileSlot]) -> cython.void:
    """What belongs to the tile in a slot, its links apart."""
    if not slot.borrowed & BORROWED_MEMORY:
        free(slot.memory)
    free(slot.tree)
    free(slot.detail_grids)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_links(slot: cython.pointer[TileSlot]) -> cython.void:
    """Links and their offsets are one block that starts with the offsets."""
    if not slot.borrowed & BORROWED_LINKS:
        free(cython.cast(cython.p_void, slot.link_first))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_off_mesh(slot: cython.pointer[TileSlot]) -> cython.void:
    """One block too, with the links first."""
    free(cython.cast(cython.p_void, slot.off_mesh))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_slot(slot: cython.pointer[TileSlot]) -> cython.void:
    free_tile_memory(slot)
    free_links(slot)
    free_off_mesh(slot)


# --- journal


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def save_slot(journal: cython.pointer[Journal], mesh: cython.pointer[MeshState], slot: cython.int) -> cython.int:
    """Enters a slot in the journal, once a commit; returns its place there, or -1 without memory."""
    capacity: cython.int
    grown: cython.p_void
    if mesh.slots[slot].saved:
        return mesh.slots[slot].saved - 1
    if journal.count == journal.capacity:
        capacity = 64 if journal.capacity == 0 else 2 * journal.capacity
        grown = realloc(journal.entries, cython.cast(cython.size_t, capacity) * cython.sizeof(SavedSlot))
        if grown == cython.NULL:
            return NO_MEMORY
        journal.entries = cython.cast(cython.pointer[SavedSlot], grown)
        journal.capacity = capacity
    journal.entries[journal.count].slot = slot
    journal.entries[journal.count].sides = 0
    journal.entries[journal.count].before = mesh.slots[slot]
    journal.count += 1
    mesh.slots[slot].saved = journal.count
    return journal.count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def differ(a: cython.p_void, b: cython.p_void, size: cython.size_t) -> cython.bint:
    """Whether two blocks hold other bytes; one that is not there differs from every other."""
    if a == b:
        return False
    return a == cython.NULL or b == cython.NULL or memcmp(a, b, size) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def links_differ(now: cython.pointer[TileSlot], before: cython.pointer[TileSlot]) -> cython.bint:
    """Whether links of a tile that stayed are others. Offsets come before portal links and behind off-mesh links."""
    offsets: cython.size_t = (cython.cast(cython.size_t, now.polygon_count) + 1) * cython.sizeof(cython.int)
    count: cython.size_t = now.link_first[now.polygon_count]
    if now.link_first[now.polygon_count] != before.link_first[now.polygon_count] or (
        now.off_mesh_count != before.off_mesh_count
    ):
        return True
    return differ(
        cython.cast(cython.p_void, now.link_first),
        cython.cast(cython.p_void, before.link_first),
        offsets + count * cython.sizeof(Link),
    ) or differ(
        cython.cast(cython.p_void, now.off_mesh),
        cython.cast(cython.p_void, before.off_mesh),
        cython.cast(cython.size_t, now.off_mesh_count) * cython.sizeof(OffMeshLink) + offsets,
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot_changed(now: cython.pointer[TileSlot], before: cython.pointer[TileSlot]) -> cython.bint:
    """Whether a search could see a difference. Links that were made anew and are the same are none."""
    if now.memory != before.memory or now.frontier_sides != before.frontier_sides:
        return True
    return now.used != 0 and links_differ(now, before)


def finish_journal(journal, mesh, keep, commit):
    i: cython.int
    now: cython.pointer[TileSlot]
    before: cython.pointer[TileSlot]
    lost: cython.pointer[TileSlot]
    for i in range(journal.count):
        before = cython.address(journal.entries[i].before)
        now = cython.address(mesh.slots[journal.entries[i].slot])
        lost = before if keep else now
        if keep and slot_changed(now, before):
            now.changed = commit
        if now.memory != before.memory:
            free_tile_memory(lost)
        else:
            # What was built since, to find the ends of links, goes on serving.
            before.tree = now.tree
            before.detail_grids = now.detail_grids
        if now.link_first != before.link_first:
            free_links(lost)
        if now.off_mesh != before.off_mesh:
            free_off_mesh(lost)
        if not keep:
            now[0] = before[0]
        now.saved = 0
    journal.count = 0
