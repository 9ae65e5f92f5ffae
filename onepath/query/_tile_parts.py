"""The parts into which a filter and the shared edges of each tile divide a mesh, and how portals join them.

A tile's parts are found again when the tile has changed, its joints also when a tile beside it has.
"""

import cython
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import (
    IntBuffer,
    KeyBuffer,
    free_ints,
    free_keys,
    reserve_ints,
    reserve_keys,
)
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import Link, MeshState, TileSlot
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._strong import sort_ways
from cython.cimports.onepath.query._tile_parts import MeshParts, SlotParts, joint_key

UNSEEN = cython.declare(cython.int, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_parts(
    parts: cython.pointer(SlotParts),
    tile: cython.pointer(cython.const[TileSlot]),
    table: cython.pointer(cython.const[FilterTable]),
    stack: cython.pointer(IntBuffer),
) -> cython.int:
    """Numbers what the shared edges of the tile join: 0, or -1 without memory."""
    label: cython.p_int
    polygon: cython.int
    edge: cython.int
    neighbour: cython.int
    parts.count = 0
    parts.polygon_count = tile.polygon_count if tile.used else 0
    if reserve_ints(cython.address(parts.parts), parts.polygon_count) != 0 or reserve_ints(stack, parts.polygon_count):
        return -1
    label = parts.parts.data
    for polygon in range(parts.polygon_count):
        label[polygon] = UNSEEN if filter_passes(table, tile.flags[polygon], tile.areas[polygon]) else -1
    for polygon in range(parts.polygon_count):
        if label[polygon] != UNSEEN:
            continue
        label[polygon] = parts.count
        stack.data[0] = polygon
        stack.count = 1
        while stack.count > 0:
            stack.count -= 1
            neighbour = stack.data[stack.count]
            for edge in range(tile.polygon_first[neighbour], tile.polygon_first[neighbour + 1]):
                if tile.neighbours[edge] >= 0 and label[tile.neighbours[edge]] == UNSEEN:
                    label[tile.neighbours[edge]] = parts.count
                    stack.data[stack.count] = tile.neighbours[edge]
                    stack.count += 1
        parts.count += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_slots(all_parts: cython.pointer(MeshParts), count: cython.int) -> cython.int:
    slot: cython.int
    if count > all_parts.slot_capacity:
        if resize(cython.address(all_parts.slots), count, cython.sizeof(SlotParts)) != 0:
            return -1
        memset(
            all_parts.slots + all_parts.slot_capacity,
            0,
            cython.cast(cython.size_t, count - all_parts.slot_capacity) * cython.sizeof(SlotParts),
        )
        for slot in range(all_parts.slot_capacity, count):
            all_parts.slots[slot].edit = -1
        all_parts.slot_capacity = count
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_changed_parts(
    all_parts: cython.pointer(MeshParts),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
) -> cython.int:
    """Finds the parts of tiles that have changed anew: 0, or -1 without memory."""
    parts: cython.pointer(SlotParts)
    slot: cython.int
    total: cython.longlong = 0
    for slot in range(mesh.slot_count):
        parts = all_parts.slots + slot
        parts.found_now = parts.edit < 0 or mesh.slots[slot].changed > parts.edit
        if parts.found_now:
            if find_parts(parts, mesh.slots + slot, table, cython.address(all_parts.stack)) != 0:
                return -1
            parts.joints_stale = True
        parts.first = cython.cast(cython.int, total)
        total += parts.count
        if total > 0x7FFFFFFF:
            return -1
    all_parts.part_count = cython.cast(cython.int, total)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_stale_joints(
    all_parts: cython.pointer(MeshParts), mesh: cython.pointer(cython.const[MeshState])
) -> cython.void:
    """Parts found anew have other numbers, which the joints of the tiles beside them must follow."""
    tile: cython.pointer(cython.const[TileSlot])
    slot: cython.int
    number: cython.int
    for slot in range(all_parts.slot_count):
        tile = mesh.slots + slot
        if all_parts.slots[slot].found_now and tile.used:
            for number in range(tile.link_first[tile.polygon_count]):
                all_parts.slots[tile.links[number].target_slot].joints_stale = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_joints(
    all_parts: cython.pointer(MeshParts), mesh: cython.pointer(cython.const[MeshState]), slot: cython.int
) -> cython.int:
    """The joints of a tile's parts: 0, or -1 without memory. Portals are listed from both sides: one is enough."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    own: cython.pointer(SlotParts) = all_parts.slots + slot
    joints: cython.pointer(KeyBuffer) = cython.address(own.joints)
    link: cython.pointer(cython.const[Link])
    number: cython.int
    part: cython.int
    key: cython.longlong
    joints.count = 0
    own.joints_stale = False
    if own.count == 0:
        return 0
    for number in range(tile.link_first[tile.polygon_count]):
        link = tile.links + number
        if link.target_slot < slot or own.parts.data[link.polygon] < 0:
            continue
        part = all_parts.slots[link.target_slot].parts.data[link.target_polygon]
        if part < 0:
            continue
        key = joint_key(own.parts.data[link.polygon], link.target_slot, part)
        if joints.count > 0 and joints.data[joints.count - 1] == key:
            continue
        if reserve_keys(joints, cython.cast(cython.size_t, joints.count) + 1) != 0:
            return -1
        joints.data[joints.count] = key
        joints.count += 1
    sort_ways(joints)
    return 0


def update_parts(all_parts, mesh, table):
    slot: cython.int
    code: cython.int
    if reserve_slots(all_parts, mesh.slot_count) != 0:
        return -1
    all_parts.slot_count = mesh.slot_count
    code = find_changed_parts(all_parts, mesh, table)
    if code == 0:
        mark_stale_joints(all_parts, mesh)
        for slot in range(all_parts.slot_count):
            if code == 0 and all_parts.slots[slot].joints_stale:
                code = find_joints(all_parts, mesh, slot)
    for slot in range(all_parts.slot_count):
        all_parts.slots[slot].edit = mesh.edit_count if code == 0 else -1
    return code


def free_parts(all_parts):
    slot: cython.int
    for slot in range(all_parts.slot_capacity):
        free_ints(cython.address(all_parts.slots[slot].parts))
        free_keys(cython.address(all_parts.slots[slot].joints))
    free(all_parts.slots)
    free_ints(cython.address(all_parts.stack))
