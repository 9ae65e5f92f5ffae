"""The whole committed state of a mesh as arrays, and a new mesh put into such a state: what files are made of.

Links between tiles are made again; everything else comes back as it was, so that a reference is valid or stale in the
new mesh exactly where it was in the old one.
"""

import cython
import numpy as np
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._format import MAX_GENERATION, TileHeader, TileLayout, take_apart
from cython.cimports.onepath.mesh._loading import TileRecord, unload_tiles
from cython.cimports.onepath.mesh._mesh import TileSlot
from cython.cimports.onepath.mesh._slots import finish_journal, slot_header

from onepath.errors import TileFormatError
from onepath.mesh._loading import load_tiles
from onepath.mesh._tile import Tile as TileClass


@cython.cfunc
def slot_arrays(slot: cython.pointer[TileSlot]) -> tuple:
    """(flags, areas) of a slot whose polygons' are no longer the tile's, else (None, None)."""
    count: cython.size_t = slot.polygon_count
    layout: TileLayout
    take_apart(cython.cast(cython.pointer[cython.const[cython.uchar]], slot_header(slot)), cython.address(layout))
    if memcmp(slot.flags, layout.flags, 2 * count) == 0 and memcmp(slot.areas, layout.areas, count) == 0:
        return None, None
    return (
        cython.cast(cython.p_char, slot.flags)[: 2 * count],
        cython.cast(cython.p_char, slot.areas)[:count],
    )


@cython.cfunc
def slot_block(mesh: MeshCore, slot: cython.int) -> bytes:
    """The bytes of a slot's tile."""
    header: cython.pointer[cython.const[TileHeader]] = slot_header(cython.address(mesh.state.slots[slot]))
    held = mesh.slot_tiles[slot]
    if type(held) is TileClass:
        return held.to_bytes()
    return cython.cast(cython.p_char, header)[: header.size]


def committed_state(mesh: MeshCore) -> tuple:
    """(generations, tiles): int32 of every slot, and (slot, block, flags, areas) of every used one, ascending.

    The block is the tile's bytes. Flags and areas are bytes, or None where they are those that the tile started with.
    Callers hold the busy counter.
    """
    slot: cython.int
    generations = np.empty(mesh.state.slot_count, np.int32)
    view: cython.int[::1] = generations
    tiles: list = []
    for slot in range(mesh.state.slot_count):
        view[slot] = mesh.state.slots[slot].generation
        if mesh.state.slots[slot].used:
            tiles.append((slot, slot_block(mesh, slot), *slot_arrays(cython.address(mesh.state.slots[slot]))))
    return generations, tiles


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_changes(
    mesh: MeshCore, section: cython.const[cython.uchar][::1], flags: cython.p_char, areas: cython.p_char
) -> cython.int:
    """Flags and areas of the tiles that have some of their own, by the tiles' records."""
    index: cython.Py_ssize_t
    record: cython.pointer[cython.const[TileRecord]]
    slot: cython.pointer[TileSlot]
    polygons: cython.size_t = 0
    for index in range(section.shape[0] // cython.cast(cython.Py_ssize_t, cython.sizeof(TileRecord))):
        record = cython.cast(cython.pointer[cython.const[TileRecord]], cython.address(section[0])) + index
        if record.changed == 0:
            continue
        slot = cython.address(mesh.state.slots[record.slot])
        if record.changed != slot.polygon_count:
            raise TileFormatError(
                f"tile {index} has {slot.polygon_count} polygons, not the {record.changed} whose flags were changed",
                "tiles",
                index,
            )
        memcpy(slot.flags, flags + 2 * polygons, 2 * slot.polygon_count)
        memcpy(slot.areas, areas + polygons, slot.polygon_count)
        polygons += slot.polygon_count
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_links(mesh: MeshCore, links: object, next_link: cython.int) -> cython.int:
    for record in links:
        mesh._links.planned += mesh._links.crossings_of(record.definition)
        mesh._links.staged[record.id] = (record.definition, record.enabled)
    mesh._links.next_id = next_link
    return mesh._links.apply(
        cython.address(mesh.state), cython.address(mesh.journal), cython.address(mesh.allocations_left), ()
    )


def restore_state(
    mesh: MeshCore,
    data: object,
    generations: object,
    records: object,
    flags: bytes,
    areas: bytes,
    edit_count: cython.longlong,
    links: object = (),
    next_link: cython.int = 1,
    volume_areas: object = None,
) -> None:
    """Puts a mesh that never had a tile into a saved state.

    Args:
        mesh: a new NavMesh.
        data: bytes, or a read-only memoryview, that hold the tiles, from an address that is a multiple of 8; the mesh
            reads them there.
        generations, records: the sections of a file, checked by `check_generations` and `check_records`.
        flags, areas: of the tiles that have some of their own, as many as the records say.
        edit_count: what the mesh counted.
        links: the LinkRecord of each off-mesh link, by id.
        next_link: the id that the next link gets, above all of these.
        volume_areas: volume, counted from 1 -> the area that it was given for good.

    Raises:
        TileFormatError: a tile that is not sound, of other settings, outside the bounds or there twice; the mesh is as
            it was.
        LimitError: more tiles, polygons or crossings of links than the mesh may have; likewise.
        MemoryError: likewise.
    """
    slot: cython.int
    mesh.begin_writing("loading")
    try:
        try:
            load_tiles(mesh, data, generations, records, data)
            put_changes(mesh, records, flags, areas)
            put_links(mesh, links, next_link)
            mesh.check_limits()
        except BaseException:
            finish_journal(cython.address(mesh.journal), cython.address(mesh.state), False, 0)
            unload_tiles(mesh)
            mesh._links.abandon()
            mesh._links.discard()
            raise
        finish_journal(cython.address(mesh.journal), cython.address(mesh.state), True, 0)
        mesh._links.finish()
        for slot in range(mesh.state.slot_count):  # ascending, and so a heap
            if not mesh.state.slots[slot].used and mesh.state.slots[slot].generation <= MAX_GENERATION:
                mesh.free_slots.append(slot)
        mesh._modifiers.volume_areas = dict(volume_areas or {})
        mesh.state.edit_count = edit_count
    finally:
        mesh.writing = False
