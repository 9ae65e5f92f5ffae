"""What users read of a committed mesh: copies of what may change, sums over all tiles.

Callers hold the mesh's busy counter: making an array may run other Python code, which must not commit meanwhile.
"""

import cython
import numpy as np
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import TileSlot, facing_column, facing_row, make_reference
from cython.cimports.onepath.mesh._portals import PortalGroup, portal_groups
from cython.cimports.onepath.mesh._slots import slot_header
from cython.cimports.onepath.mesh._tile import tile_over

from onepath.errors import RangeError
from onepath.mesh._tile import Tile as TileClass


@cython.cfunc
def slot_in(mesh: MeshCore, slot: cython.int) -> cython.pointer[TileSlot]:
    """The slot, or NULL where no tile is in it."""
    if slot < 0 or slot >= mesh.state.slot_count or not mesh.state.slots[slot].used:
        return cython.NULL
    return cython.address(mesh.state.slots[slot])


def tile_in_slot(mesh: MeshCore, slot: cython.int) -> object:
    """The Tile whose bytes a slot reads, or None."""
    tile: cython.pointer[TileSlot] = slot_in(mesh, slot)
    if tile == cython.NULL:
        return None
    held = mesh.slot_tiles[slot]
    if type(held) is not TileClass:
        held = tile_over(held, cython.cast(cython.pointer[cython.const[cython.uchar]], slot_header(tile)))
        mesh.slot_tiles[slot] = held
    return held


def used_slots(mesh: MeshCore) -> list:
    """Slots that hold a tile, ascending."""
    slot: cython.int
    used: list = []
    for slot in range(mesh.state.slot_count):
        if mesh.state.slots[slot].used:
            used.append(slot)
    return used


def first_reference(generation: cython.int, slot: cython.int) -> int:
    """The reference of polygon 0 of a tile; its other polygons follow."""
    return make_reference(generation, slot, 0)


def slot_numbers(mesh: MeshCore, slot: cython.int) -> tuple:
    """(generation, frontier sides, origin) of a used slot."""
    tile: cython.pointer[TileSlot] = slot_in(mesh, slot)
    return tile.generation, tile.frontier_sides, (tile.origin[0], tile.origin[1], tile.origin[2])


def slot_areas(mesh: MeshCore, slot: cython.int) -> object:
    """Areas of a used slot's polygons as they are now, (polygons) uint8."""
    tile: cython.pointer[TileSlot] = slot_in(mesh, slot)
    areas = np.empty(tile.polygon_count, np.uint8)
    view: cython.uchar[:] = areas
    i: cython.int
    for i in range(tile.polygon_count):
        view[i] = tile.areas[i]
    return areas


def slot_flags(mesh: MeshCore, slot: cython.int) -> object:
    """Flags of a used slot's polygons as they are now, (polygons) uint16."""
    tile: cython.pointer[TileSlot] = slot_in(mesh, slot)
    flags = np.empty(tile.polygon_count, np.uint16)
    view: cython.ushort[:] = flags
    i: cython.int
    for i in range(tile.polygon_count):
        view[i] = tile.flags[i]
    return flags


def slot_volumes(mesh: MeshCore, slot: cython.int) -> object:
    """Numbers of the named volumes that marked a used slot's polygons, (polygons) uint16, 0 for none."""
    tile: cython.pointer[TileSlot] = slot_in(mesh, slot)
    volumes = np.zeros(tile.polygon_count, np.uint16)
    view: cython.ushort[:] = volumes
    i: cython.int
    if tile.volumes != cython.NULL:
        for i in range(tile.polygon_count):
            view[i] = tile.volumes[i]
    return volumes


def volume_polygons(mesh: MeshCore, volume: cython.int) -> object:
    """References of all polygons that a named volume marked, (n) int64, by slot and polygon."""
    slot: cython.int
    polygon: cython.int
    tile: cython.pointer[TileSlot]
    found: list = []
    for slot in range(mesh.state.slot_count):
        tile = cython.address(mesh.state.slots[slot])
        if not tile.used or tile.volumes == cython.NULL:
            continue
        for polygon in range(tile.polygon_count):
            if tile.volumes[polygon] == volume:
                found.append(make_reference(tile.generation, slot, polygon))
    return np.array(found, np.int64)


def polygon_points(mesh: MeshCore, reference: object) -> object:
    """World positions of a polygon's corners, (n, 3) float64."""
    polygon: cython.int = 0
    slot: cython.int = mesh.checked_reference(reference, cython.address(polygon))
    tile: cython.pointer[TileSlot] = cython.address(mesh.state.slots[slot])
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    points = np.empty((count, 3))
    view: cython.double[:, :] = points
    i: cython.int
    axis: cython.int
    for i in range(count):
        for axis in range(3):
            view[i, axis] = tile.origin[axis] + tile.vertices[3 * tile.polygon_vertices[first + i] + axis]
    return points


def portals_between(mesh: MeshCore, source: object, target: object, side: cython.int) -> list:
    """The separate portals from one polygon to another across a side of the first one's tile, ascending along it.

    Each is (low, high, low edge, high edge): the interval in world metres along the side, and the edges of the source
    on which its ends lie. Tiles that do not face each other across the side have none.
    """
    source_polygon: cython.int = 0
    target_polygon: cython.int = 0
    source_slot: cython.int = mesh.checked_reference(source, cython.address(source_polygon))
    target_slot: cython.int = mesh.checked_reference(target, cython.address(target_polygon))
    near: cython.pointer[TileSlot] = cython.address(mesh.state.slots[source_slot])
    far: cython.pointer[TileSlot] = cython.address(mesh.state.slots[target_slot])
    groups: PortalGroup[64]
    found: list = []
    i: cython.int
    if not 0 <= side <= 3:
        raise RangeError(f"side is {side}, outside [0, 3]")
    if far.column != facing_column(near.column, side) or far.row != facing_row(near.row, side):
        return found
    count: cython.int = portal_groups(
        cython.address(mesh.state), source_slot, source_polygon, target_slot, target_polygon, side, groups, 64
    )
    for i in range(min(count, 64)):
        found.append((groups[i].low, groups[i].high, groups[i].low_edge, groups[i].high_edge))
    return found


def world_box(mesh: MeshCore) -> object:
    """(low, high) corners of the box of all polygons, or None without any."""
    slot: cython.int
    axis: cython.int
    low: list = [0.0, 0.0, 0.0]
    high: list = [0.0, 0.0, 0.0]
    found: cython.bint = False
    for slot in range(mesh.state.slot_count):
        tile: cython.pointer[TileSlot] = cython.address(mesh.state.slots[slot])
        if not tile.used or tile.polygon_count == 0:
            continue
        for axis in range(3):
            least: cython.double = tile.origin[axis] + tile.low[axis]
            most: cython.double = tile.origin[axis] + tile.high[axis]
            low[axis] = least if not found else min(low[axis], least)
            high[axis] = most if not found else max(high[axis], most)
        found = True
    return (tuple(low), tuple(high)) if found else None


def walkable_area(mesh: MeshCore) -> float:
    """X/Z area of all polygons whose area id is not 0, square metres, summed in (slot, polygon) order."""
    total: cython.double = 0.0
    slot: cython.int
    polygon: cython.int
    for slot in range(mesh.state.slot_count):
        if not mesh.state.slots[slot].used:
            continue
        for polygon in range(mesh.state.slots[slot].polygon_count):
            if mesh.state.slots[slot].areas[polygon] != 0:
                total += outline_area(cython.address(mesh.state.slots[slot]), polygon)
    return total


def outline_area(tile, polygon):
    """Sum of the fan triangles (v0, vi, vi+1) in tile-local doubles."""
    first: cython.int = tile.polygon_first[polygon]
    total: cython.double = 0.0
    i: cython.int
    a: cython.pointer[cython.const[cython.float]] = tile.vertices + 3 * tile.polygon_vertices[first]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    ux: cython.double
    uz: cython.double
    for i in range(first + 1, tile.polygon_first[polygon + 1] - 1):
        b = tile.vertices + 3 * tile.polygon_vertices[i]
        c = tile.vertices + 3 * tile.polygon_vertices[i + 1]
        ux = cython.cast(cython.double, b[0]) - a[0]
        uz = cython.cast(cython.double, b[2]) - a[2]
        total += (uz * (cython.cast(cython.double, c[0]) - a[0]) - ux * (cython.cast(cython.double, c[2]) - a[2])) * 0.5
    return total
