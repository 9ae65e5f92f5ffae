"""The table from grid cells to slots: open addressing, linear probing, one chain by layer a cell.

A place of the table holds the first slot of its cell, and the cell's key is read from that slot, so the table itself is
ints only. It is at most half full, and removing closes the gap, so that no tombstones gather over a long session.
"""

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.onepath.mesh._mesh import MeshState, cell_hash, find_cell


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_tile(
    mesh: cython.pointer[cython.const[MeshState]], column: cython.int, row: cython.int, layer: cython.int
) -> cython.int:
    """The slot of a committed tile, or -1."""
    slot: cython.int = find_cell(mesh, column, row)
    while slot >= 0 and mesh.slots[slot].layer != layer:
        slot = mesh.slots[slot].next_in_cell
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot_before_in_cell(
    mesh: cython.pointer[cython.const[MeshState]], column: cython.int, row: cython.int, layer: cython.int
) -> cython.int:
    """The last slot of a cell below a layer, or -1: the one whose chain link changes with that layer's tile."""
    slot: cython.int = find_cell(mesh, column, row)
    before: cython.int = -1
    while slot >= 0 and mesh.slots[slot].layer < layer:
        before = slot
        slot = mesh.slots[slot].next_in_cell
    return before


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_of_cell(mesh: cython.pointer[cython.const[MeshState]], column: cython.int, row: cython.int) -> cython.uint:
    """Where a cell stands in the table, or the free place where it would."""
    mask: cython.uint = cython.cast(cython.uint, mesh.cell_table_mask)
    place: cython.uint = cell_hash(column, row) & mask
    slot: cython.int = mesh.cell_table[place]
    while slot >= 0 and not (mesh.slots[slot].column == column and mesh.slots[slot].row == row):
        place = (place + 1) & mask
        slot = mesh.cell_table[place]
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def resize_cell_table(mesh: cython.pointer[MeshState], slots: cython.int) -> cython.int:
    """Makes the table large enough for so many slots; -1 without memory, and then nothing has changed."""
    size: cython.int = 16
    table: cython.p_int
    while size < 2 * slots:
        size *= 2
    if mesh.cell_table != cython.NULL and size - 1 <= mesh.cell_table_mask:
        return 0
    table = cython.cast(cython.p_int, malloc(cython.cast(cython.size_t, size) * cython.sizeof(cython.int)))
    if table == cython.NULL:
        return -1
    free(mesh.cell_table)
    mesh.cell_table = table
    mesh.cell_table_mask = size - 1
    refill_cell_table(mesh)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refill_cell_table(mesh: cython.pointer[MeshState]) -> cython.void:
    """Builds table and chains from the slots alone."""
    place: cython.int
    slot: cython.int
    if mesh.cell_table == cython.NULL:
        return
    for place in range(mesh.cell_table_mask + 1):
        mesh.cell_table[place] = -1
    for slot in range(mesh.slot_count):
        if mesh.slots[slot].used:
            insert_in_cell(mesh, slot)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def insert_in_cell(mesh: cython.pointer[MeshState], slot: cython.int) -> cython.bint:
    """Enters a slot; False, and nothing done, where its cell has a tile of the layer already."""
    layer: cython.int = mesh.slots[slot].layer
    place: cython.uint = place_of_cell(mesh, mesh.slots[slot].column, mesh.slots[slot].row)
    before: cython.int = -1
    following: cython.int = mesh.cell_table[place]
    while following >= 0 and mesh.slots[following].layer < layer:
        before = following
        following = mesh.slots[following].next_in_cell
    if following >= 0 and mesh.slots[following].layer == layer:
        return False
    mesh.slots[slot].next_in_cell = following
    if before >= 0:
        mesh.slots[before].next_in_cell = slot
    else:
        mesh.cell_table[place] = slot
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def remove_from_cell(mesh: cython.pointer[MeshState], slot: cython.int) -> cython.void:
    column: cython.int = mesh.slots[slot].column
    row: cython.int = mesh.slots[slot].row
    before: cython.int = slot_before_in_cell(mesh, column, row, mesh.slots[slot].layer)
    following: cython.int = mesh.slots[slot].next_in_cell
    place: cython.uint
    if before >= 0:
        mesh.slots[before].next_in_cell = following
        return
    place = place_of_cell(mesh, column, row)
    mesh.cell_table[place] = following
    if following < 0:
        close_gap(mesh, place)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def close_gap(mesh: cython.pointer[MeshState], gap: cython.uint) -> cython.void:
    """Moves entries behind a freed place back, so that no probe for them ends at it."""
    mask: cython.uint = cython.cast(cython.uint, mesh.cell_table_mask)
    place: cython.uint = (gap + 1) & mask
    home: cython.uint
    slot: cython.int = mesh.cell_table[place]
    while slot >= 0:
        home = cell_hash(mesh.slots[slot].column, mesh.slots[slot].row) & mask
        if ((place - home) & mask) >= ((place - gap) & mask):
            mesh.cell_table[gap] = slot
            mesh.cell_table[place] = -1
            gap = place
        place = (place + 1) & mask
        slot = mesh.cell_table[place]
