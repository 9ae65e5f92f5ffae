"""The straight path: portals of a corridor, then the funnel (queries document, straight path).

A corridor is checked while its portals are collected, so that each polygon is looked up once and nothing is written for
a corridor that is refused. Between two tiles the portal is a whole group of touching overlaps, from the one portal
function.
"""

import cython
from cython.cimports.libc.math import INFINITY, ceil, floor
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.mesh._mesh import (
    Link,
    MeshState,
    OffMeshLink,
    TileSlot,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
    side_axis,
)
from cython.cimports.onepath.mesh._portals import PortalGroup, portal_groups
from cython.cimports.onepath.mesh._surface import Vector, closest_point, world_vertex
from cython.cimports.onepath.query._buffers import Crossing, PointBuffer
from cython.cimports.onepath.query._folds import folds_back, pull_folded
from cython.cimports.onepath.query._funnel import (
    STRAIGHT_INVALID_CORRIDOR,
    STRAIGHT_NO_MEMORY,
    STRAIGHT_OK,
    pull_string,
)
from cython.cimports.onepath.query._off_mesh import connecting_way, crosses_off_mesh, link_end, link_start
from cython.cimports.onepath.query._straight_state import (
    Portal,
    StraightScratch,
    append_fold,
    append_leap,
    ends_with_fold,
    reserve_groups,
    reserve_portals,
)

# ---- in one tile ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shared_edge(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    target: cython.int,
    crossing: cython.pointer(cython.const[Crossing]),
) -> cython.int:
    """The tile's edge from a polygon to its neighbour: the crossing's, else the lowest; -1 where there is none."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    edge: cython.int
    if crossing != cython.NULL:
        edge = crossing.edge
        if 0 <= edge < last - first and tile.neighbours[first + edge] == target:
            return first + edge
        return -1
    for edge in range(first, last):
        if tile.neighbours[edge] == target:
            return edge
    return -1


def edge_portal(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, edge: cython.int) -> Portal:
    """A whole edge: the winding puts its first vertex on the right of who leaves through it."""
    portal: Portal
    following: cython.int = edge + 1 if edge + 1 < tile.polygon_first[polygon + 1] else tile.polygon_first[polygon]
    portal.right = world_vertex(tile, tile.polygon_vertices[edge])
    portal.left = world_vertex(tile, tile.polygon_vertices[following])
    return portal


# ---- between tiles ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def connecting_link(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    target_slot: cython.int,
    target_polygon: cython.int,
    crossing: cython.pointer(cython.const[Crossing]),
) -> cython.pointer(cython.const[Link]):
    """The link from one polygon to a polygon of another tile, NULL where there is none: the crossing's or the first."""
    before: cython.int = 0 if crossing == cython.NULL else crossing.link
    i: cython.int
    if before < 0:
        return cython.NULL
    for i in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        if tile.links[i].target_slot != target_slot or tile.links[i].target_polygon != target_polygon:
            continue
        if crossing != cython.NULL and tile.links[i].edge != crossing.edge:
            continue
        if before == 0:
            return tile.links + i
        before -= 1
    return cython.NULL


def group_spot(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    edge: cython.int,
    axis: cython.int,
    at: cython.double,
) -> Vector:
    """The point of an edge (numbered within the polygon) at a place along its side, its height along the edge."""
    ends: Portal = edge_portal(tile, polygon, tile.polygon_first[polygon] + edge)
    spot: Vector = ends.right
    low: cython.double = ends.right.x if axis == 0 else ends.right.z
    high: cython.double = ends.left.x if axis == 0 else ends.left.z
    t: cython.double = (at - low) / (high - low)
    if t >= 1.0:
        spot.y = ends.left.y
    elif t > 0.0:
        spot.y = ends.right.y + (ends.left.y - ends.right.y) * t
    if axis == 0:
        spot.x = at
    else:
        spot.z = at
    return spot


def link_group(
    tile: cython.pointer(cython.const[TileSlot]),
    link: cython.pointer(cython.const[Link]),
    axis: cython.int,
    groups: cython.pointer(cython.const[PortalGroup]),
    count: cython.int,
) -> cython.int:
    """Which of several groups a link belongs to: the narrowest whose range, rounded like a link's, holds it.

    A step of 1/255 of the edge may hold a whole group beside the end of another, whose range then holds both.
    """
    ends: Portal = edge_portal(tile, link.polygon, tile.polygon_first[link.polygon] + link.edge)
    begin: cython.double = ends.right.x if axis == 0 else ends.right.z
    end: cython.double = ends.left.x if axis == 0 else ends.left.z
    low: cython.double
    high: cython.double
    least: cython.double = INFINITY
    chosen: cython.int = count - 1
    i: cython.int
    for i in range(count):
        if begin < end:
            low = (groups[i].low - begin) / (end - begin)
            high = (groups[i].high - begin) / (end - begin)
        else:
            low = (begin - groups[i].high) / (begin - end)
            high = (begin - groups[i].low) / (begin - end)
        low = max(floor(low * 255.0), 0.0)
        high = min(ceil(high * 255.0), 255.0)
        if low <= link.range_min and high >= link.range_max and high - low < least:
            least = high - low
            chosen = i
    return chosen


def tile_portal(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    link: cython.pointer(cython.const[Link]),
    side: cython.int,
    is_named: cython.bint,
    scratch: cython.pointer(StraightScratch),
    portal: cython.pointer(Portal),
) -> cython.int:
    """The portal of the link's group where the crossing named the link, else of the side's lowest; a STRAIGHT_ code."""
    tile: cython.pointer(cython.const[TileSlot]) = cython.address(mesh.slots[slot])
    axis: cython.int = side_axis(side)
    group: cython.pointer(PortalGroup) = scratch.groups
    low: Vector
    high: Vector
    count: cython.int = portal_groups(
        mesh, slot, link.polygon, link.target_slot, link.target_polygon, side, group, scratch.group_capacity
    )
    if count == 0:
        return STRAIGHT_INVALID_CORRIDOR
    if count > scratch.group_capacity:
        if reserve_groups(scratch, count) < 0:
            return STRAIGHT_NO_MEMORY
        group = scratch.groups
        portal_groups(mesh, slot, link.polygon, link.target_slot, link.target_polygon, side, group, count)
    if is_named and count > 1:
        group += link_group(tile, link, axis, group, count)
    low = group_spot(tile, link.polygon, group.low_edge, axis, group.low)
    high = group_spot(tile, link.polygon, group.high_edge, axis, group.high)
    # Outlines run upward along sides 0 and 1 and downward along 2 and 3.
    portal.right = low if side < 2 else high
    portal.left = high if side < 2 else low
    return STRAIGHT_OK


# ---- the corridor ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def collect_portals(
    mesh: cython.pointer(cython.const[MeshState]),
    corridor: cython.pointer(cython.const[reference_t]),
    crossings: cython.pointer(cython.const[Crossing]),
    count: cython.int,
    table: cython.pointer(cython.const[FilterTable]),
    scratch: cython.pointer(StraightScratch),
) -> cython.int:
    """The portals between consecutive polygons, and the check of the whole corridor; a STRAIGHT_ code."""
    tile: cython.pointer(cython.const[TileSlot])
    crossing: cython.pointer(cython.const[Crossing]) = cython.NULL
    link: cython.pointer(cython.const[Link])
    way: cython.pointer(cython.const[OffMeshLink])
    polygon: cython.int
    target: cython.int
    slot: cython.int
    edge: cython.int
    side: cython.int
    side_before: cython.int = -1
    code: cython.int
    i: cython.int
    scratch.leap_count = 0
    scratch.folds.count = 0
    if count <= 0 or not reference_is_valid(mesh, corridor[0]):
        return STRAIGHT_INVALID_CORRIDOR
    if reserve_portals(scratch, count) < 0:
        return STRAIGHT_NO_MEMORY
    for i in range(count - 1):
        if not reference_is_valid(mesh, corridor[i + 1]):
            return STRAIGHT_INVALID_CORRIDOR
        slot = reference_slot(corridor[i])
        tile = cython.address(mesh.slots[slot])
        polygon = reference_polygon(corridor[i])
        target = reference_polygon(corridor[i + 1])
        if crossings != cython.NULL:
            crossing = crossings + i
        if crossing == cython.NULL or not crosses_off_mesh(crossing):
            if reference_slot(corridor[i + 1]) == slot and (crossing == cython.NULL or crossing.link < 0):
                edge = shared_edge(tile, polygon, target, crossing)
                if edge >= 0:
                    scratch.portals[i] = edge_portal(tile, polygon, edge)
                    side_before = -1
                    continue
            link = connecting_link(tile, polygon, reference_slot(corridor[i + 1]), target, crossing)
            if link != cython.NULL:
                side = tile.border_sides[tile.polygon_first[polygon] + link.edge]
                code = tile_portal(mesh, slot, link, side, crossing != cython.NULL, scratch, scratch.portals + i)
                if code != STRAIGHT_OK:
                    return code
                if (
                    side_before == side ^ 2
                    and (
                        ends_with_fold(cython.address(scratch.folds), i - 1)
                        or folds_back(scratch.portals + (i - 1), scratch.portals + i, side)
                    )
                    and append_fold(cython.address(scratch.folds), i, side) != 0
                ):
                    return STRAIGHT_NO_MEMORY
                side_before = side
                continue
            if crossing != cython.NULL:
                return STRAIGHT_INVALID_CORRIDOR
        side_before = -1
        way = connecting_way(tile, polygon, reference_slot(corridor[i + 1]), target, crossing, table)
        if way == cython.NULL:
            return STRAIGHT_INVALID_CORRIDOR
        scratch.portals[i].right = link_start(way)
        scratch.portals[i].left = link_end(way)
        if append_leap(scratch, i, way.id, way.kind) != 0:
            return STRAIGHT_NO_MEMORY
    return STRAIGHT_OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def straight_path(
    mesh: cython.pointer(cython.const[MeshState]),
    corridor: cython.pointer(cython.const[reference_t]),
    crossings: cython.pointer(cython.const[Crossing]),
    count: cython.int,
    start: Vector,
    end: Vector,
    table: cython.pointer(cython.const[FilterTable]),
    max_corners: cython.int,
    scratch: cython.pointer(StraightScratch),
    line: cython.pointer(PointBuffer),
) -> cython.int:
    over: cython.bint = False
    last: reference_t
    code: cython.int = collect_portals(mesh, corridor, crossings, count, table, scratch)
    if code != STRAIGHT_OK:
        return code
    last = corridor[count - 1]
    start = closest_point(
        cython.address(mesh.slots[reference_slot(corridor[0])]),
        reference_polygon(corridor[0]),
        start,
        cython.address(over),
    )
    end = closest_point(
        cython.address(mesh.slots[reference_slot(last)]), reference_polygon(last), end, cython.address(over)
    )
    if scratch.folds.count > 0:
        return pull_folded(mesh, scratch, count - 1, corridor, start, end, max_corners, line)
    return pull_string(scratch, count - 1, corridor, start, end, True, max_corners, line)
