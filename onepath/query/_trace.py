"""A segment followed across the surface, seen from above: the kernel of rays and moves (queries document, raycast).

Where the segment leaves a polygon follows from the polygon and the whole segment alone. So to come to a polygon again
is to go round for ever: edges bent by rounding, almost along the segment, lead there, and vertices passed within the
tolerance. Then the segment is followed anew, and an edge that leads to a polygon passed before leads nowhere.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import (
    Link,
    MeshState,
    TileSlot,
    make_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector, nearest_on_edge, outline_contains, outline_point, world_vertex
from cython.cimports.onepath.query._entry import edge_end, edge_start
from cython.cimports.onepath.query._trace import (
    TRACE_BLOCKED,
    TRACE_CLEAR,
    TRACE_INVALID_START,
    TRACE_NOT_LOADED,
    TRACE_START_OUTSIDE,
    PolygonList,
    Trace,
)

# How far beside its polygon a start may lie, metres, squared.
START_SLACK = cython.declare(cython.double, 1e-6 * 1e-6)
# Edges left within this of each other, relative to 1 + t, are left at one place.
SAME_PLACE = cython.declare(cython.double, 1e-9)
# Of those, edges whose squared distances to that place differ by no more are equally near.
SAME_DISTANCE = cython.declare(cython.double, 1e-18)

# --- Visited polygons -----------------------------------------------------------------------------------------------


def free_list(polygons):
    free(polygons.polygons)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_list(polygons: cython.pointer(PolygonList)) -> cython.int:
    capacity: cython.size_t = 2 * cython.cast(cython.size_t, polygons.capacity) + 32
    block: cython.p_void = realloc(polygons.polygons, capacity * cython.sizeof(reference_t))
    if block == cython.NULL:
        return -1
    polygons.polygons = cython.cast(cython.pointer(reference_t), block)
    polygons.capacity = cython.cast(cython.int, capacity)
    return 0


def append_polygon(polygons, ref):
    if polygons.count > 0 and polygons.polygons[polygons.count - 1] == ref:
        return 0
    if polygons.count == polygons.capacity and grow_list(polygons) != 0:
        return -1
    polygons.polygons[polygons.count] = ref
    polygons.count += 1
    return 0


# --- What lies behind an edge ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_at(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    edge: cython.int,
    x: cython.double,
    z: cython.double,
) -> cython.int:
    """The edge's first link whose range, wider by 1/255 each way, holds (x, z) and whose polygon passes; or -1."""
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    number: cython.int
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    a: Vector = edge_start(tile, first, edge)
    b: Vector = edge_end(tile, first, count, edge)
    ex: cython.double = b.x - a.x
    ez: cython.double = b.z - a.z
    place: cython.double = ((x - a.x) * ex + (z - a.z) * ez) / (ex * ex + ez * ez)
    for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        link = tile.links + number
        if link.edge < edge:
            continue
        if link.edge > edge:
            break
        if place < cython.cast(cython.double, link.range_min - 1) / 255.0:
            continue
        if place > cython.cast(cython.double, link.range_max + 1) / 255.0:
            continue
        target = mesh.slots + link.target_slot
        if filter_passes(table, target.flags[link.target_polygon], target.areas[link.target_polygon]):
            return number
    return -1


def leads_on(mesh, table, slot, polygon, edge, x, z, target):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    place: cython.int = tile.polygon_first[polygon] + edge
    neighbour: cython.int = tile.neighbours[place]
    number: cython.int
    if neighbour >= 0:
        if not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            return False
        target[0] = slot
        target[1] = neighbour
        return True
    if tile.border_sides[place] < 0:
        return False
    number = link_at(mesh, table, tile, polygon, edge, x, z)
    if number < 0:
        return False
    target[0] = tile.links[number].target_slot
    target[1] = tile.links[number].target_polygon
    return True


def is_frontier(mesh, slot, polygon, edge):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    side: cython.int = tile.border_sides[tile.polygon_first[polygon] + edge]
    return side >= 0 and (tile.frontier_sides >> side) & 1 != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leads_on_anew(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    trace: cython.pointer(cython.const[Trace]),
    edge: cython.int,
    x: cython.double,
    z: cython.double,
    passed: cython.pointer(cython.const[PolygonList]),
    target: cython.p_int,
) -> cython.bint:
    """As leads_on from where the trace stands, but not to polygons that were passed (NULL where that is no matter)."""
    ref: reference_t
    place: cython.int = 0
    if not leads_on(mesh, table, trace.slot, trace.polygon, edge, x, z, target):
        return False
    if passed == cython.NULL:
        return True
    ref = make_reference(mesh.slots[target[0]].generation, target[0], target[1])
    while place < passed.count and passed.polygons[place] != ref:
        place += 1
    return place == passed.count


# --- Leaving a polygon ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def leaving_time(
    a: Vector, b: Vector, start: Vector, dx: cython.double, dz: cython.double, time: cython.p_double
) -> cython.bint:
    """Whether the segment leaves the line of an edge, and its parameter there, 0 where it has left it before."""
    ex: cython.double = b.x - a.x
    ez: cython.double = b.z - a.z
    across: cython.double = ex * dz - ez * dx
    if not across > 0.0:
        return False
    time[0] = (ex * (a.z - start.z) - ez * (a.x - start.x)) / across
    if time[0] < 0.0:
        time[0] = 0.0
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_exit(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    start: Vector,
    end: Vector,
    least: cython.p_double,
    shared: cython.pointer(cython.bint),
) -> cython.int:
    """The edge left first (-1 for none), its parameter, infinite for none, and whether others are left with it."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    dx: cython.double = end.x - start.x
    dz: cython.double = end.z - start.z
    corner: cython.int
    exit: cython.int = -1
    time: cython.double = 0.0
    second: cython.double = INFINITY
    a: Vector = world_vertex(tile, tile.polygon_vertices[last - 1])
    b: Vector
    least[0] = INFINITY
    # The edge that ends at the first corner is the last one; it comes first here, which is no matter: ties are shared.
    for corner in range(first, last):
        b = world_vertex(tile, tile.polygon_vertices[corner])
        if leaving_time(a, b, start, dx, dz, cython.address(time)):
            if time < least[0]:
                second = least[0]
                least[0] = time
                exit = corner
            elif time < second:
                second = time
        a = b
    shared[0] = second <= least[0] + SAME_PLACE * (1.0 + least[0])
    if exit < 0:
        return -1
    return exit - first - 1 if exit > first else last - first - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shared_exit(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    trace: cython.pointer(cython.const[Trace]),
    start: Vector,
    end: Vector,
    least: cython.double,
    passed: cython.pointer(cython.const[PolygonList]),
    target: cython.p_int,
) -> cython.int:
    """Of the edges left at one place: the first that leads on, or -1 - the lowest where none does.

    Only edges count whose extent is nearest to that place.
    """
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + trace.slot
    first: cython.int = tile.polygon_first[trace.polygon]
    count: cython.int = tile.polygon_first[trace.polygon + 1] - first
    dx: cython.double = end.x - start.x
    dz: cython.double = end.z - start.z
    x: cython.double = start.x + dx * least
    z: cython.double = start.z + dz * least
    bound: cython.double = least + SAME_PLACE * (1.0 + least)
    nearest: cython.double = INFINITY
    time: cython.double = 0.0
    distance: cython.double
    a: Vector
    b: Vector
    edge: cython.int
    wall: cython.int = -1
    looking: cython.int
    # Twice over the edges: how near the nearest is, then those that are as near, in their order.
    for looking in range(2):
        for edge in range(count):
            a = edge_start(tile, first, edge)
            b = edge_end(tile, first, count, edge)
            if not leaving_time(a, b, start, dx, dz, cython.address(time)) or time > bound:
                continue
            a = nearest_on_edge(a, b, x, z)
            distance = (a.x - x) * (a.x - x) + (a.z - z) * (a.z - z)
            if looking == 0:
                if distance < nearest:
                    nearest = distance
            elif distance <= nearest + SAME_DISTANCE:
                if leads_on_anew(mesh, table, trace, edge, x, z, passed, target):
                    return edge
                if wall < 0:
                    wall = edge
    return -1 - wall


# --- The whole segment ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_at_edge(
    mesh: cython.pointer(cython.const[MeshState]), trace: cython.pointer(Trace), edge: cython.int, t: cython.double
) -> cython.int:
    trace.edge = edge
    trace.t = t
    trace.status = TRACE_NOT_LOADED if is_frontier(mesh, trace.slot, trace.polygon, edge) else TRACE_BLOCKED
    return 0


def follow_segment(mesh, table, slot, polygon, start, end, trace, visited):
    edge: cython.int
    target: cython.int[2]
    shared: cython.bint = False
    t: cython.double = 0.0
    ref: reference_t
    # Brent's search for circles: the polygon of the last step that was a power of two.
    marked: reference_t = 0
    mark_at: cython.int = 1
    passed: cython.pointer(PolygonList) = cython.NULL
    trace.slot = slot
    trace.polygon = polygon
    visited.count = 0
    while True:
        # 1. The polygon is entered
        if visited.count == visited.capacity and grow_list(visited) != 0:
            return -1
        ref = make_reference(mesh.slots[trace.slot].generation, trace.slot, trace.polygon)
        visited.polygons[visited.count] = ref
        visited.count += 1
        if ref == marked and passed == cython.NULL:
            passed = visited
            visited.count = 0
            trace.slot = slot
            trace.polygon = polygon
            continue
        if visited.count == mark_at:
            marked = ref
            mark_at = 2 * mark_at if mark_at < 0x40000000 else 0
        # 2. Where it is left
        edge = first_exit(mesh.slots + trace.slot, trace.polygon, start, end, cython.address(t), cython.address(shared))
        if t >= 1.0:
            trace.edge = -1
            trace.t = 1.0
            trace.status = TRACE_CLEAR
            return 0
        # 3. What lies behind
        if shared:
            edge = shared_exit(mesh, table, trace, start, end, t, passed, target)
            if edge < 0:
                return end_at_edge(mesh, trace, -1 - edge, t)
        elif not leads_on_anew(
            mesh,
            table,
            trace,
            edge,
            start.x + (end.x - start.x) * t,
            start.z + (end.z - start.z) * t,
            passed,
            target,
        ):
            return end_at_edge(mesh, trace, edge, t)
        trace.slot = target[0]
        trace.polygon = target[1]


def trace_segment(mesh, table, ref, start, end, trace, visited):
    slot: cython.int = reference_slot(ref)
    polygon: cython.int = reference_polygon(ref)
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    nearest: Vector
    trace.slot = -1
    trace.polygon = -1
    trace.edge = -1
    trace.t = 0.0
    visited.count = 0
    if not reference_is_valid(mesh, ref) or not filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
        trace.status = TRACE_INVALID_START
        return 0
    if not outline_contains(tile, polygon, start.x, start.z):
        nearest = outline_point(tile, polygon, start.x, start.z)
        nearest.x -= start.x
        nearest.z -= start.z
        if nearest.x * nearest.x + nearest.z * nearest.z > START_SLACK:
            trace.status = TRACE_START_OUTSIDE
            return 0
    return follow_segment(mesh, table, slot, polygon, start, end, trace, visited)
