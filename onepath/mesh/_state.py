"""The whole committed state of a mesh as arrays, and a new mesh put into such a state: what files are made of.

Links between tiles are made again; everything else comes back as it was, so that a reference is valid or stale in the
new mesh exactly where it was in the old one.
"""

import cython
import numpy as np
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.onepath.mesh._cells import find_tile, refill_cell_table
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._format import MAX_GENERATION, TileHeader
from cython.cimports.onepath.mesh._mesh import TileSlot, cell_is_inside
from cython.cimports.onepath.mesh._slots import finish_journal
from cython.cimports.onepath.mesh._tile import Tile, checked_tile
from cython.cimports.onepath.mesh._tile_writing import place_of, refuse_other_settings

from onepath.errors import TileFormatError


@cython.cfunc
def slot_arrays(slot: cython.pointer[TileSlot], tile: Tile) -> tuple:
    """(flags, areas) of a slot whose polygons' are no longer the tile's, else (None, None)."""
    count: cython.size_t = slot.polygon_count
    if memcmp(slot.flags, tile.layout.flags, 2 * count) == 0 and memcmp(slot.areas, tile.layout.areas, count) == 0:
        return None, None
    return (
        cython.cast(cython.p_char, slot.flags)[: 2 * count],
        cython.cast(cython.p_char, slot.areas)[:count],
    )


def committed_state(mesh: MeshCore) -> tuple:
    """(generations, tiles): int32 of every slot, and (slot, Tile, flags, areas) of every used one, ascending.

    Flags and areas are bytes, or None where they are those that the tile started with. Callers hold the busy counter.
    """
    slot: cython.int
    generations = np.empty(mesh.state.slot_count, np.int32)
    view: cython.int[::1] = generations
    tiles: list = []
    for slot in range(mesh.state.slot_count):
        view[slot] = mesh.state.slots[slot].generation
        if mesh.state.slots[slot].used:
            tile: Tile = mesh.slot_tiles[slot]
            tiles.append((slot, tile, *slot_arrays(cython.address(mesh.state.slots[slot]), tile)))
    return generations, tiles


def tiles_in(
    data: object, offsets: cython.const[cython.longlong][::1], sizes: cython.const[cython.longlong][::1], shared: object
) -> list:
    """The tiles at these places of a buffer, which lie inside it; `shared` reads them where they are, else copied.

    Raises:
        TileFormatError: as Tile.from_bytes does, with the tile's number in front.
    """
    whole: cython.const[cython.uchar][::1] = data
    start: cython.p_char = cython.cast(cython.p_char, cython.address(whole[0]))
    view: memoryview = memoryview(data).toreadonly()
    in_place: cython.bint = bool(shared)
    index: cython.Py_ssize_t
    tiles: list = []
    for index in range(offsets.shape[0]):
        if in_place:
            block = view[offsets[index] : offsets[index] + sizes[index]]
        else:
            block = start[offsets[index] : offsets[index] + sizes[index]]
        try:
            tiles.append(checked_tile(block))
        except TileFormatError as error:
            raise TileFormatError(f"tile {index}: {error}", error.section, error.element) from None
    return tiles


@cython.cfunc
@cython.exceptval(-1, check=False)
def make_slots(mesh: MeshCore, generations: cython.const[cython.int][::1]) -> cython.int:
    slot: cython.int
    for slot in range(cython.cast(cython.int, generations.shape[0])):
        mesh.reserve_slots()
        memset(cython.address(mesh.state.slots[slot]), 0, cython.sizeof(TileSlot))
        mesh.state.slots[slot].generation = generations[slot]
        mesh.state.slots[slot].next_in_cell = -1
        mesh.state.slot_count += 1
        mesh.slot_tiles.append(None)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_tiles(mesh: MeshCore, slots: cython.const[cython.int][::1], tiles: list) -> cython.int:
    index: cython.int
    tile: Tile
    header: cython.pointer[cython.const[TileHeader]]
    for index in range(cython.cast(cython.int, slots.shape[0])):
        tile = tiles[index]
        header = tile.layout.header
        refuse_other_settings(header, cython.address(mesh.record))
        if not cell_is_inside(cython.address(mesh.state), header.column, header.row):
            raise TileFormatError(
                f"tile {place_of(header)} lies outside the mesh's bounds {mesh.grid_bounds}", "tiles", index
            )
        if find_tile(cython.address(mesh.state), header.column, header.row, header.layer) >= 0:
            raise TileFormatError(f"tile {place_of(header)} comes twice", "tiles", index)
        mesh.put_tile(slots[index], tile)
    return mesh.link_slots()


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_changes(
    mesh: MeshCore,
    slots: cython.const[cython.int][::1],
    changed: cython.const[cython.int][::1],
    flags: bytes,
    areas: bytes,
) -> cython.int:
    """Flags and areas of the tiles that have some of their own; `changed` counts their polygons, 0 for the others."""
    index: cython.int
    slot: cython.pointer[TileSlot]
    polygons: cython.size_t = 0
    new_flags: cython.p_char = flags
    new_areas: cython.p_char = areas
    for index in range(cython.cast(cython.int, slots.shape[0])):
        if changed[index] == 0:
            continue
        slot = cython.address(mesh.state.slots[slots[index]])
        if changed[index] != slot.polygon_count:
            raise TileFormatError(
                f"tile {index} has {slot.polygon_count} polygons, not the {changed[index]} whose flags were changed",
                "tiles",
                index,
            )
        memcpy(slot.flags, new_flags + 2 * polygons, 2 * slot.polygon_count)
        memcpy(slot.areas, new_areas + polygons, slot.polygon_count)
        polygons += slot.polygon_count
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def put_links(mesh: MeshCore, links: object, next_link: cython.int) -> cython.int:
    for record in links:
        mesh.links.planned += mesh.links.crossings_of(record.definition)
        mesh.links.staged[record.id] = (record.definition, record.enabled)
    mesh.links.next_id = next_link
    return mesh.links.apply(
        cython.address(mesh.state), cython.address(mesh.journal), cython.address(mesh.allocations_left), ()
    )


def restore_state(
    mesh: MeshCore,
    generations: cython.const[cython.int][::1],
    slots: cython.const[cython.int][::1],
    tiles: list,
    changed: cython.const[cython.int][::1],
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
        generations: of every slot, 1 to one more than the greatest.
        slots: the slot of each tile, ascending, within `generations`.
        tiles: a Tile each.
        changed: per tile 0, or its number of polygons, whose flags (uint16) and areas (uint8) follow in the two bytes
            objects, which have exactly the length that the numbers give.
        edit_count: what the mesh counted.
        links: the LinkRecord of each off-mesh link, by id.
        next_link: the id that the next link gets, above all of these.
        volume_areas: volume, counted from 1 -> the area that it was given for good.

    Raises:
        TileFormatError: a tile of other settings, outside the bounds or there twice; the mesh is as it was.
        LimitError: more tiles, polygons or crossings of links than the mesh may have; likewise.
        MemoryError: likewise.
    """
    slot: cython.int
    mesh.begin_writing("loading")
    try:
        try:
            make_slots(mesh, generations)
            put_tiles(mesh, slots, tiles)
            put_changes(mesh, slots, changed, flags, areas)
            put_links(mesh, links, next_link)
            mesh.check_limits()
        except BaseException:
            finish_journal(cython.address(mesh.journal), cython.address(mesh.state), False, 0)
            mesh.state.slot_count = 0
            mesh.state.tile_count = 0
            mesh.state.polygon_count = 0
            mesh.slot_tiles = []
            refill_cell_table(cython.address(mesh.state))
            mesh.links.abandon()
            mesh.links.discard()
            raise
        finish_journal(cython.address(mesh.journal), cython.address(mesh.state), True, 0)
        mesh.links.finish()
        for slot in range(mesh.state.slot_count):  # ascending, and so a heap
            if not mesh.state.slots[slot].used and mesh.state.slots[slot].generation <= MAX_GENERATION:
                mesh.free_slots.append(slot)
        mesh.modifiers.volume_areas = dict(volume_areas or {})
        mesh.state.edit_count = edit_count
    finally:
        mesh.writing = False
