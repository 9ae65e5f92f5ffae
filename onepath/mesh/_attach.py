"""Attaching off-mesh links: where their crossings lie, which polygons these snap to, what polygons list of them.

Where a link attaches depends on its definition and on the tiles around its ends alone, never on what was loaded before
or in which order.
"""

import cython
from cython.cimports.libc.math import INFINITY, ceil, sqrt
from cython.cimports.libc.stdlib import realloc
from cython.cimports.onepath.mesh._attach import (
    LeavingLink,
    LeavingLinks,
    SnappedEnd,
)
from cython.cimports.onepath.mesh._filter_table import FilterTable, accept_everything
from cython.cimports.onepath.mesh._mesh import MeshState, OffMeshLink
from cython.cimports.onepath.mesh._nearest import Box, Nearest, box_around, find_nearest
from cython.cimports.onepath.mesh._surface import Vector, squared_distance

NO_MEMORY = cython.declare(cython.int, -1)
# A width that is a whole number of steps but for rounding takes that number.
STEP_SLACK = cython.declare(cython.double, 1e-6)


# --- crossings along the width


def crossings_across(width, spacing):
    steps: cython.double
    if width <= 0.0:
        return 1.0
    steps = ceil(width / spacing - STEP_SLACK)
    return steps + 1.0 if steps > 1.0 else 2.0


def place_crossing(link, crossing, start, end):
    dx: cython.double = link.end.x - link.start.x
    dz: cython.double = link.end.z - link.start.z
    along: cython.double
    length: cython.double
    start[0] = link.start
    end[0] = link.end
    if link.count > 1:
        length = sqrt(dx * dx + dz * dz)
        along = link.width * (cython.cast(cython.double, crossing) / (link.count - 1.0) - 0.5)
        dx = along * (dx / length)
        dz = along * (dz / length)
        start.x = start.x - dz
        start.z = start.z + dx
        end.x = end.x - dz
        end.z = end.z + dx


# --- onto the mesh


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def snap_end(
    mesh: cython.pointer[MeshState],
    table: cython.pointer[cython.const[FilterTable]],
    position: Vector,
    reach: cython.double,
    end: cython.pointer[SnappedEnd],
) -> cython.int:
    """The nearest polygon of the box around an end, if it lies no farther away than the box is wide."""
    box: Box = box_around(position, reach, reach, reach)
    nearest: Nearest
    end.slot = -1
    end.squared_distance = INFINITY
    if find_nearest(mesh, table, position, cython.address(box), cython.address(nearest)) != 0:
        return NO_MEMORY
    if nearest.slot < 0:
        return 0
    end.squared_distance = nearest.squared_distance
    if nearest.squared_distance <= reach * reach:
        end.slot = nearest.slot
        end.polygon = nearest.polygon
        end.point = nearest.point
    return 0


def snap_crossings(mesh, link, crossings):
    table: FilterTable
    start: Vector
    end: Vector
    i: cython.int
    accept_everything(cython.address(table))
    for i in range(link.count):
        place_crossing(link, i, cython.address(start), cython.address(end))
        if (
            snap_end(mesh, cython.address(table), start, link.start_snap, cython.address(crossings[i].start)) != 0
            or snap_end(mesh, cython.address(table), end, link.end_snap, cython.address(crossings[i].end)) != 0
        ):
            return NO_MEMORY
    return 0


# --- what polygons list


def append_leaving(leaving, slot, link):
    capacity: cython.int
    grown: cython.p_void
    if leaving.count == leaving.capacity:
        capacity = 64 if leaving.capacity == 0 else 2 * leaving.capacity
        grown = realloc(leaving.items, cython.cast(cython.size_t, capacity) * cython.sizeof(LeavingLink))
        if grown == cython.NULL:
            return NO_MEMORY
        leaving.items = cython.cast(cython.pointer[LeavingLink], grown)
        leaving.capacity = capacity
    leaving.items[leaving.count].slot = slot
    leaving.items[leaving.count].link = link[0]
    leaving.count += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def append_way(
    way: cython.pointer[OffMeshLink],
    source: cython.pointer[cython.const[SnappedEnd]],
    target: cython.pointer[cython.const[SnappedEnd]],
    leaving: cython.pointer[LeavingLinks],
) -> cython.int:
    way.polygon = source.polygon
    way.target_slot = target.slot
    way.target_polygon = target.polygon
    way.length = sqrt(squared_distance(source.point, target.point))
    way.start[0] = source.point.x
    way.start[1] = source.point.y
    way.start[2] = source.point.z
    way.end[0] = target.point.x
    way.end[1] = target.point.y
    way.end[2] = target.point.z
    return append_leaving(leaving, source.slot, way)


def append_ways(link, crossings, leaving):
    way: OffMeshLink
    start: cython.pointer[cython.const[SnappedEnd]]
    end: cython.pointer[cython.const[SnappedEnd]]
    i: cython.int
    way.id = link.id
    way.flags = link.flags
    way.area = link.area
    way.kind = link.kind
    way.enabled = link.enabled
    way.reserved = 0
    way.cost = link.cost
    for i in range(link.count):
        start = cython.address(crossings[i].start)
        end = cython.address(crossings[i].end)
        if start.slot < 0 or end.slot < 0:
            continue
        way.crossing = 2 * i
        if append_way(cython.address(way), start, end, leaving) != 0:
            return NO_MEMORY
        way.crossing = 2 * i + 1
        if link.both_ways and append_way(cython.address(way), end, start, leaving) != 0:
            return NO_MEMORY
    return 0


def off_mesh_size(tile, count):
    return cython.cast(cython.size_t, count) * cython.sizeof(OffMeshLink) + (
        cython.cast(cython.size_t, tile.polygon_count) + 1
    ) * cython.sizeof(cython.int)


def point_to_off_mesh(tile, block, count):
    links: cython.pointer[OffMeshLink] = cython.cast(cython.pointer[OffMeshLink], block)
    first: cython.p_int = cython.cast(cython.p_int, links + count)
    polygon: cython.int
    i: cython.int = 0
    for polygon in range(tile.polygon_count):
        first[polygon] = i
        while i < count and links[i].polygon == polygon:
            i += 1
    first[tile.polygon_count] = count
    tile.off_mesh_count = count
    tile.off_mesh = links
    tile.off_mesh_first = first
