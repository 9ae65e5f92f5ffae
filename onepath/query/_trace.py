"""A segment followed across the surface, seen from above: the kernel of rays and moves (queries document, raycast).

Where the segment leaves a polygon follows from the polygon and the whole segment alone. So to come to a polygon again
is to go round for ever: edges bent by rounding, almost along the segment, lead there, and vertices passed within the
tolerance. Then the segment is followed anew, and an edge that leads to a polygon passed before leads nowhere.

The document's rule takes the edge whose line the segment leaves first. Where rounding bent an outline inward, that edge
may lie metres beside the place where its line is left. What the documents do not lay down goes by a second rule, which
asks for the edges' extents: where the first edge is not at its place, the edge that comes nearest to its own is taken.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._format import MAX_POLYGON_VERTICES
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
from cython.cimports.onepath.mesh._surface import Vector, outline_contains, outline_point, world_vertex
from cython.cimports.onepath.query._entry import along, edge_end, edge_start
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._trace import (
    BY_EXTENTS,
    TOUCH,
    TRACE_BLOCKED,
    TRACE_CLEAR,
    TRACE_INVALID_START,
    TRACE_NOT_LOADED,
    TRACE_START_OUTSIDE,
    PolygonList,
    Trace,
    larger,
    lesser,
    on_edge,
    squared_flat,
    time_of_leaving,
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
    if resize(cython.address(polygons.polygons), capacity, cython.sizeof(reference_t)) != 0:
        return -1
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
) -> reference_t:
    """Where the edge's first link leads whose range, wider by 1/255 each way, holds (x, z) and that passes; or 0."""
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
            return make_reference(target.generation, link.target_slot, link.target_polygon)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def behind(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    tile: cython.pointer(cython.const[TileSlot]),
    ref: reference_t,
    edge: cython.int,
    x: cython.double,
    z: cython.double,
) -> reference_t:
    polygon: cython.int = reference_polygon(ref)
    place: cython.int = tile.polygon_first[polygon] + edge
    neighbour: cython.int = tile.neighbours[place]
    if neighbour >= 0:
        if not filter_passes(table, tile.flags[neighbour], tile.areas[neighbour]):
            return 0
        return ref - polygon + neighbour
    if tile.border_sides[place] < 0:
        return 0
    return link_at(mesh, table, tile, polygon, edge, x, z)


def behind_edge(mesh, table, ref, edge, x, z):
    return behind(mesh, table, mesh.slots + reference_slot(ref), ref, edge, x, z)


def is_frontier(mesh, slot, polygon, edge):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    side: cython.int = tile.border_sides[tile.polygon_first[polygon] + edge]
    return side >= 0 and (tile.frontier_sides >> side) & 1 != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_listed(polygons: cython.pointer(cython.const[PolygonList]), ref: reference_t) -> cython.bint:
    place: cython.int = 0
    while place < polygons.count and polygons.polygons[place] != ref:
        place += 1
    return place < polygons.count


# --- Leaving a polygon ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def first_exit(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    start: Vector,
    dx: cython.double,
    dz: cython.double,
    times: cython.p_double,
    least: cython.p_double,
    shared: cython.pointer(cython.bint),
) -> cython.int:
    """The edge left first, its parameter, and whether others are left with it; infinite where none is left.

    `times` become the parameters of all edges at which the segment leaves their lines, 0 where it has left one before,
    infinite where it does not leave it.
    """
    corners: cython.pointer(cython.const[cython.int]) = tile.polygon_vertices + tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - tile.polygon_first[polygon]
    edge: cython.int = count - 1
    corner: cython.int
    exit: cython.int = edge
    soonest: cython.double = INFINITY
    second: cython.double = INFINITY
    time: cython.double
    ex: cython.double
    ez: cython.double
    sooner: cython.int
    a: Vector = world_vertex(tile, corners[edge])
    b: Vector
    # The last edge ends at the first corner; it comes first here, which is no matter: ties are shared.
    for corner in range(count):
        b = world_vertex(tile, corners[corner])
        ex = b.x - a.x
        ez = b.z - a.z
        time = time_of_leaving(ex * (a.z - start.z) - ez * (a.x - start.x), ex * dz - ez * dx)
        times[edge] = time
        sooner = time < soonest
        exit ^= (exit ^ edge) & -sooner
        second = lesser(larger(soonest, time), second)
        soonest = lesser(time, soonest)
        edge = corner
        a = b
    least[0] = soonest
    shared[0] = second <= soonest + SAME_PLACE * (1.0 + soonest)
    return exit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shared_exit(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    ref: reference_t,
    x: cython.double,
    z: cython.double,
    least: cython.double,
    times: cython.p_double,
    passed: cython.pointer(cython.const[PolygonList]),
    onward: cython.pointer(reference_t),
) -> cython.int:
    """Of the edges left at one place: the first that leads on, and where to, or the lowest where none does, and 0.

    Only edges count whose extent is nearest to that place. `times` become their squared distances to it.
    """
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + reference_slot(ref)
    polygon: cython.int = reference_polygon(ref)
    count: cython.int = tile.polygon_first[polygon + 1] - tile.polygon_first[polygon]
    place: Vector = Vector(x, 0.0, z)
    bound: cython.double = least + SAME_PLACE * (1.0 + least)
    nearest: cython.double = INFINITY
    distance: cython.double
    edge: cython.int
    wall: cython.int = -1
    for edge in range(count):
        if times[edge] > bound:
            times[edge] = INFINITY
            continue
        distance = squared_flat(place, on_edge(tile, polygon, edge, place))
        times[edge] = distance
        nearest = lesser(distance, nearest)
    for edge in range(count):
        if times[edge] <= nearest + SAME_DISTANCE:
            onward[0] = behind(mesh, table, tile, ref, edge, x, z)
            if onward[0] != 0 and not (passed != cython.NULL and is_listed(passed, onward[0])):
                return edge
            if wall < 0:
                wall = edge
    onward[0] = 0
    return wall


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def crossed_exit(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    edge: cython.int,
    start: Vector,
    end: Vector,
    times: cython.p_double,
    least: cython.p_double,
    shared: cython.pointer(cython.bint),
) -> cython.int:
    """The edge whose line is left first, if it is there; else of edges whose lines are left the first one that is."""
    exit: cython.int = -1
    place: Vector = along(start, end, least[0])
    distance: cython.double
    nearest: cython.double = INFINITY
    if squared_flat(place, on_edge(tile, polygon, edge, place)) <= TOUCH * TOUCH:
        return edge
    # Edges left together with the first one are left at its place, not at this one's.
    shared[0] = False
    for edge in range(tile.polygon_first[polygon + 1] - tile.polygon_first[polygon]):
        if times[edge] == INFINITY:
            continue
        place = along(start, end, times[edge])
        distance = larger(squared_flat(place, on_edge(tile, polygon, edge, place)), TOUCH * TOUCH)
        if distance < nearest or (distance == nearest and times[edge] < least[0]):
            nearest = distance
            exit = edge
            least[0] = times[edge]
    return exit


# --- The whole segment ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def end_trace(
    trace: cython.pointer(Trace), status: cython.int, ref: reference_t, edge: cython.int, t: cython.double
) -> cython.int:
    trace.status = status
    trace.slot = reference_slot(ref)
    trace.polygon = reference_polygon(ref)
    trace.edge = edge
    trace.t = t
    return 0


def follow_segment(mesh, table, ref, start, end, rule, trace, visited):
    tile: cython.pointer(cython.const[TileSlot])
    times: cython.double[MAX_POLYGON_VERTICES]
    dx: cython.double = end.x - start.x
    dz: cython.double = end.z - start.z
    x: cython.double
    z: cython.double
    t: cython.double = 0.0
    edge: cython.int
    status: cython.int
    shared: cython.bint = False
    begun_at: reference_t = ref
    onward: reference_t = 0
    # Brent's search for circles: the polygon of the last step that was a power of two.
    marked: reference_t = 0
    mark_at: cython.int = 1
    passed: cython.pointer(PolygonList) = cython.NULL
    visited.count = 0
    while True:
        # 1. The polygon is entered
        if visited.count == visited.capacity and grow_list(visited) != 0:
            return -1
        visited.polygons[visited.count] = ref
        visited.count += 1
        if ref == marked and passed == cython.NULL:
            passed = visited
            visited.count = 0
            ref = begun_at
            continue
        if visited.count == mark_at:
            marked = ref
            mark_at = 2 * mark_at if mark_at < 0x40000000 else 0
        # 2. Where it is left
        tile = mesh.slots + reference_slot(ref)
        edge = first_exit(tile, reference_polygon(ref), start, dx, dz, times, cython.address(t), cython.address(shared))
        if rule == BY_EXTENTS and t < 1.0:
            edge = crossed_exit(
                tile, reference_polygon(ref), edge, start, end, times, cython.address(t), cython.address(shared)
            )
        if t >= 1.0:
            return end_trace(trace, TRACE_CLEAR, ref, -1, 1.0)
        # 3. What lies behind
        x = start.x + dx * t
        z = start.z + dz * t
        if shared:
            edge = shared_exit(mesh, table, ref, x, z, t, times, passed, cython.address(onward))
        else:
            onward = behind(mesh, table, tile, ref, edge, x, z)
            if onward != 0 and passed != cython.NULL and is_listed(passed, onward):
                onward = 0
        if onward == 0:
            status = TRACE_BLOCKED
            if is_frontier(mesh, reference_slot(ref), reference_polygon(ref), edge):
                status = TRACE_NOT_LOADED
            return end_trace(trace, status, ref, edge, t)
        ref = onward


def trace_segment(mesh, table, ref, start, end, rule, trace, visited):
    slot: cython.int = reference_slot(ref)
    polygon: cython.int = reference_polygon(ref)
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    trace.slot = -1
    trace.polygon = -1
    trace.edge = -1
    trace.t = 0.0
    visited.count = 0
    if not reference_is_valid(mesh, ref) or not filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
        trace.status = TRACE_INVALID_START
        return 0
    if (
        not outline_contains(tile, polygon, start.x, start.z)
        and squared_flat(start, outline_point(tile, polygon, start.x, start.z)) > START_SLACK
    ):
        trace.status = TRACE_START_OUTSIDE
        return 0
    return follow_segment(mesh, table, ref, start, end, rule, trace, visited)
