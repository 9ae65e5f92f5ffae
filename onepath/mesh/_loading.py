"""Tiles of a navmesh file put into a new mesh in one go: checked, pointed at where they lie, linked.

Nothing here goes through a commit's journal: a mesh being loaded has no earlier state, and a failure empties it.
"""

import cython
from cython.cimports.libc.stdlib import realloc
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.onepath.mesh._arena import Arena, arena_take, free_arena
from cython.cimports.onepath.mesh._cells import insert_in_cell, refill_cell_table, resize_cell_table
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._format import MAX_GENERATION, MAX_SLOTS, SettingsRecord, TileHeader, TileLayout
from cython.cimports.onepath.mesh._links import LinkScratch, make_links
from cython.cimports.onepath.mesh._loading import TileRecord
from cython.cimports.onepath.mesh._mesh import (
    BORROWED_LINKS,
    BORROWED_MEMORY,
    Link,
    MeshState,
    TileSlot,
    cell_is_inside,
)
from cython.cimports.onepath.mesh._slots import fill_slot, free_slot, slot_memory
from cython.cimports.onepath.mesh._tile import fault_error
from cython.cimports.onepath.mesh._tile_writing import place_of, refuse_other_settings
from cython.cimports.onepath.mesh._validate import Refusal, check_block

from onepath.errors import TileFormatError

ALL_SIDES = cython.declare(cython.int, 15)

# What keeps a tile out.
LOADED = cython.declare(cython.int, 0)
NO_MEMORY = cython.declare(cython.int, -1)
UNSOUND = cython.declare(cython.int, 1)
OTHER_SETTINGS = cython.declare(cython.int, 2)
OUTSIDE = cython.declare(cython.int, 3)
TWICE = cython.declare(cython.int, 4)


# --- the tables before the tiles


def check_generations(section: cython.const[cython.uchar][::1]) -> None:
    """TileFormatError where the section is not the generations of slots."""
    size: cython.Py_ssize_t = section.shape[0]
    generations: cython.pointer[cython.const[cython.int]]
    slot: cython.Py_ssize_t
    if size & 3 or (size >> 2) > MAX_SLOTS:
        raise TileFormatError(f"{size} bytes are not the generations of at most {MAX_SLOTS} slots", "slots")
    if size == 0:
        return
    generations = cython.cast(cython.pointer[cython.const[cython.int]], cython.address(section[0]))
    for slot in range(size >> 2):
        if generations[slot] < 1 or generations[slot] > MAX_GENERATION + 1:
            raise TileFormatError(f"slot {slot} has generation {generations[slot]}", "slots", slot)


@cython.cfunc
def record_fault(
    record: cython.pointer[cython.const[TileRecord]],
    at: cython.longlong,
    last_slot: cython.int,
    generations: cython.const[cython.uchar][::1],
    size: cython.longlong,
) -> str:
    """What is wrong with a tile's record, or "". A tile begins at `at`, behind the one before it."""
    if record.size < 0 or record.size > size:
        return "has a size outside the file"
    if record.offset != at:
        return "does not begin where the one before it ends"
    if record.slot <= last_slot:
        return "has a slot that is not above the one before it"
    if record.slot >= generations.shape[0] >> 2:
        return "has a slot that does not exist"
    if cython.cast(cython.pointer[cython.const[cython.int]], cython.address(generations[0]))[record.slot] > (
        MAX_GENERATION
    ):
        return "has a slot that is retired"
    if record.changed < 0 or record.changed > size:
        return "has a count of changed polygons out of range"
    return ""


def check_records(
    section: cython.const[cython.uchar][::1],
    generations: cython.const[cython.uchar][::1],
    at: cython.longlong,
    size: cython.longlong,
) -> int:
    """How many polygons of all tiles have flags and areas of their own; the tiles fill the file from `at` to its end.

    Raises:
        TileFormatError: a record is not sound; it is named.
    """
    length: cython.Py_ssize_t = section.shape[0]
    records: cython.pointer[cython.const[TileRecord]]
    index: cython.Py_ssize_t
    last_slot: cython.int = -1
    polygons: cython.longlong = 0
    if length % cython.cast(cython.Py_ssize_t, cython.sizeof(TileRecord)):
        raise TileFormatError(f"{length} bytes are not records of {cython.sizeof(TileRecord)} bytes a tile", "tiles")
    if length:
        records = cython.cast(cython.pointer[cython.const[TileRecord]], cython.address(section[0]))
        for index in range(length // cython.cast(cython.Py_ssize_t, cython.sizeof(TileRecord))):
            fault = record_fault(records + index, at, last_slot, generations, size)
            if fault:
                raise TileFormatError(f"tile {index} {fault}", "tiles", index)
            last_slot = records[index].slot
            polygons += records[index].changed
            at += records[index].size
            if at > size:
                break
    if at != size:
        raise TileFormatError(f"the tiles end at {at}, the file at {size}", "tiles")
    return polygons


# --- the tiles


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_tile(
    mesh: cython.pointer[MeshState],
    settings: cython.pointer[cython.const[SettingsRecord]],
    block: cython.pointer[cython.const[cython.uchar]],
    record: cython.pointer[cython.const[TileRecord]],
    arena: cython.pointer[Arena],
    blocks_left: cython.p_int,
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """Checks a tile and puts it into its slot, where it is: LOADED, or what keeps it out."""
    layout: TileLayout
    slot: cython.pointer[TileSlot] = cython.address(mesh.slots[record.slot])
    side_first: cython.int[5]
    memory: cython.p_void
    if check_block(block, record.size, cython.address(layout), refusal):
        return UNSOUND
    if memcmp(cython.address(layout.header.settings), settings, cython.sizeof(SettingsRecord)) != 0:
        return OTHER_SETTINGS
    if not cell_is_inside(mesh, layout.header.column, layout.header.row):
        return OUTSIDE
    memory = arena_take(arena, slot_memory(cython.address(layout), side_first), blocks_left)
    if memory == cython.NULL:
        return NO_MEMORY
    fill_slot(slot, cython.address(layout), memory, side_first)
    slot.borrowed = BORROWED_MEMORY
    if not insert_in_cell(mesh, record.slot):
        return TWICE
    mesh.tile_count += 1
    mesh.polygon_count += layout.header.polygon_count
    return LOADED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_all(
    mesh: cython.pointer[MeshState],
    settings: cython.pointer[cython.const[SettingsRecord]],
    data: cython.pointer[cython.const[cython.uchar]],
    records: cython.pointer[cython.const[TileRecord]],
    count: cython.Py_ssize_t,
    arena: cython.pointer[Arena],
    blocks_left: cython.p_int,
    refusal: cython.pointer[Refusal],
    fault: cython.p_int,
) -> cython.Py_ssize_t:
    """How many tiles were put in before one was kept out, which `fault` tells; `count` if none was."""
    index: cython.Py_ssize_t
    for index in range(count):
        fault[0] = put_tile(mesh, settings, data + records[index].offset, records + index, arena, blocks_left, refusal)
        if fault[0] != LOADED:
            return index
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_all(
    mesh: cython.pointer[MeshState],
    arena: cython.pointer[Arena],
    blocks_left: cython.p_int,
    scratch: cython.pointer[LinkScratch],
) -> cython.int:
    index: cython.int
    slot: cython.pointer[TileSlot]
    offsets_size: cython.size_t
    links_size: cython.size_t
    block: cython.pointer[cython.uchar]
    for index in range(mesh.slot_count):
        slot = cython.address(mesh.slots[index])
        if not slot.used:
            continue
        if make_links(mesh, index, ALL_SIDES, scratch) != 0:
            return NO_MEMORY
        offsets_size = (cython.cast(cython.size_t, slot.polygon_count) + 1) * cython.sizeof(cython.int)
        links_size = cython.cast(cython.size_t, scratch.count) * cython.sizeof(Link)
        block = cython.cast(cython.pointer[cython.uchar], arena_take(arena, offsets_size + links_size, blocks_left))
        if block == cython.NULL:
            return NO_MEMORY
        memcpy(block, scratch.first, offsets_size)
        if links_size:
            memcpy(block + offsets_size, scratch.links, links_size)
        slot.link_first = cython.cast(cython.p_int, block)
        slot.links = cython.cast(cython.pointer[Link], block + offsets_size)
        slot.borrowed |= BORROWED_LINKS
        slot.frontier_sides = scratch.frontier_sides
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def make_slots(mesh: MeshCore, generations: cython.const[cython.uchar][::1]) -> cython.int:
    """Empty slots of these generations, and room for their tiles in the table of cells."""
    count: cython.int = cython.cast(cython.int, generations.shape[0] >> 2)
    slot: cython.int
    block: cython.p_void
    if count == 0:
        return 0
    block = realloc(mesh.state.slots, cython.cast(cython.size_t, count) * cython.sizeof(TileSlot))
    if block == cython.NULL:
        raise MemoryError(f"no memory for {count} tile slots")
    mesh.state.slots = cython.cast(cython.pointer[TileSlot], block)
    mesh.slot_capacity = count
    if resize_cell_table(cython.address(mesh.state), count + 1) != 0:
        raise MemoryError("no memory for the table of grid cells")
    memset(block, 0, cython.cast(cython.size_t, count) * cython.sizeof(TileSlot))
    for slot in range(count):
        mesh.state.slots[slot].generation = cython.cast(
            cython.pointer[cython.const[cython.int]], cython.address(generations[0])
        )[slot]
        mesh.state.slots[slot].next_in_cell = -1
    mesh.state.slot_count = count
    mesh.slot_tiles = [None] * count
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def refuse_tile(
    mesh: MeshCore,
    block: cython.pointer[cython.const[cython.uchar]],
    index: cython.Py_ssize_t,
    fault: cython.int,
    refusal: cython.pointer[Refusal],
) -> cython.int:
    """Raises what kept tile `index` out."""
    header: cython.pointer[cython.const[TileHeader]] = cython.cast(cython.pointer[cython.const[TileHeader]], block)
    if fault == NO_MEMORY:
        raise MemoryError("no memory for the tiles of a mesh")
    if fault == UNSOUND:
        error = fault_error(refusal, block)
        raise TileFormatError(f"tile {index}: {error}", error.section, error.element)
    refuse_other_settings(header, cython.address(mesh.record))
    if fault == OUTSIDE:
        raise TileFormatError(
            f"tile {place_of(header)} lies outside the mesh's bounds {mesh.grid_bounds}", "tiles", index
        )
    raise TileFormatError(f"tile {place_of(header)} comes twice", "tiles", index)


def load_tiles(
    mesh: MeshCore,
    data: cython.const[cython.uchar][::1],
    generations: cython.const[cython.uchar][::1],
    section: cython.const[cython.uchar][::1],
    owner: object,
) -> None:
    """Puts the tiles that the records in `section` name into a new mesh, read where they lie in `data`.

    Generations and records have been checked, `data` begins on 8 bytes, and `owner` keeps it where it is.
    """
    count: cython.Py_ssize_t = section.shape[0] // cython.cast(cython.Py_ssize_t, cython.sizeof(TileRecord))
    records: cython.pointer[cython.const[TileRecord]]
    start: cython.pointer[cython.const[cython.uchar]] = cython.address(data[0])
    index: cython.Py_ssize_t
    refusal: Refusal
    fault: cython.int = LOADED
    make_slots(mesh, generations)
    if count == 0:
        return
    records = cython.cast(cython.pointer[cython.const[TileRecord]], cython.address(section[0]))
    with cython.nogil:
        index = put_all(
            cython.address(mesh.state),
            cython.address(mesh.record),
            start,
            records,
            count,
            cython.address(mesh.arena),
            cython.address(mesh.allocations_left),
            cython.address(refusal),
            cython.address(fault),
        )
        if index == count:
            fault = link_all(
                cython.address(mesh.state),
                cython.address(mesh.arena),
                cython.address(mesh.allocations_left),
                cython.address(mesh.scratch),
            )
    if index < count:
        refuse_tile(mesh, start + records[index].offset, index, fault, cython.address(refusal))
    if fault != LOADED:
        raise MemoryError("no memory for the links between tiles")
    for index in range(count):
        mesh.slot_tiles[records[index].slot] = owner


@cython.cfunc
def unload_tiles(mesh: MeshCore) -> cython.void:
    """Takes everything out of a mesh whose loading failed."""
    slot: cython.int
    for slot in range(mesh.state.slot_count):
        free_slot(cython.address(mesh.state.slots[slot]))
    free_arena(cython.address(mesh.arena))
    mesh.state.slot_count = 0
    mesh.state.tile_count = 0
    mesh.state.polygon_count = 0
    mesh.slot_tiles = []
    refill_cell_table(cython.address(mesh.state))
