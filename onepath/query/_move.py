"""Steps along the surface that slide along the walls they meet (queries document, move along surface).

The document's move slides once, along the edge that was hit. Walls are cut where polygons meet, so what comes of
repeating it depends on where they do. A move of several slides does not: it goes straight where it can, and else along
the wall that leads most directly to the end, of all walls at the place, whichever polygon they belong to.
"""

import cython
from cython.cimports.libc.math import sqrt
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import (
    Link,
    MeshState,
    TileSlot,
    polygon_reference,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector, closest_point, nearest_on_edge, surface_height
from cython.cimports.onepath.query._entry import along, edge_end, edge_start
from cython.cimports.onepath.query._move import MoveScratch
from cython.cimports.onepath.query._trace import (
    BY_EXTENTS,
    BY_LINES,
    TOUCH,
    TRACE_BLOCKED,
    TRACE_CLEAR,
    TRACE_INVALID_START,
    TRACE_NOT_LOADED,
    TRACE_START_OUTSIDE,
    Trace,
    append_polygon,
    behind_edge,
    follow_segment,
    free_list,
    is_frontier,
    on_edge,
    squared_flat,
    trace_segment,
)

# Of two walls that lead to the end equally well, by this part of what a straight way would gain, the left one is taken.
TIE = cython.declare(cython.double, 1e-9)

MOST_AROUND = cython.declare(cython.int, 64)

Around = cython.struct(
    # The polygons that touch a place, each reached over an edge there from the one at `parents`.
    count=cython.int,
    refs=cython.longlong[64],
    parents=cython.int[64],
)

Choice = cython.struct(
    # The best way along a wall so far.
    member=cython.int,  # among the polygons around
    edge=cython.int,
    rate=cython.double,  # what a metre along it gains towards the end, times the distance to the end
    left=cython.bint,
    point=Vector,
)


def free_moves(scratch):
    free_list(cython.address(scratch.visited))
    free_list(cython.address(scratch.leg))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_at_hit(
    mesh: cython.pointer(cython.const[MeshState]),
    trace: cython.pointer(cython.const[Trace]),
    start: Vector,
    end: Vector,
) -> Vector:
    """Where a blocked trace has come to, on the edge that it hit."""
    return on_edge(mesh.slots + trace.slot, trace.polygon, trace.edge, along(start, end, trace.t))


# --- What is around a place -----------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_around(around: cython.pointer(Around), ref: reference_t, parent: cython.int) -> cython.void:
    i: cython.int
    if around.count == MOST_AROUND:
        return
    for i in range(around.count):
        if around.refs[i] == ref:
            return
    around.refs[around.count] = ref
    around.parents[around.count] = parent
    around.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_around(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    trace: cython.pointer(cython.const[Trace]),
    place: Vector,
    around: cython.pointer(Around),
) -> cython.void:
    """The trace's polygon and those that touch the place and are joined to it over edges that touch the place."""
    member: cython.int = 0
    edge: cython.int
    slot: cython.int
    polygon: cython.int
    ref: reference_t
    around.count = 0
    add_around(around, polygon_reference(mesh, trace.slot, trace.polygon), -1)
    while member < around.count:
        slot = reference_slot(around.refs[member])
        polygon = reference_polygon(around.refs[member])
        for edge in range(mesh.slots[slot].polygon_first[polygon + 1] - mesh.slots[slot].polygon_first[polygon]):
            if squared_flat(place, on_edge(mesh.slots + slot, polygon, edge, place)) > TOUCH * TOUCH:
                continue
            ref = behind_edge(mesh, table, around.refs[member], edge, place.x, place.z)
            if ref != 0:
                add_around(around, ref, member)
        member += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def go_around(
    around: cython.pointer(cython.const[Around]), member: cython.int, scratch: cython.pointer(MoveScratch)
) -> cython.int:
    """Lists the polygons from the first one around to a member, those between them too."""
    chain: cython.int[64]
    length: cython.int = 0
    while member >= 0:
        chain[length] = member
        length += 1
        member = around.parents[member]
    while length > 0:
        length -= 1
        if append_polygon(cython.address(scratch.visited), around.refs[chain[length]]) != 0:
            return -1
    return 0


# --- Ways on from a place -------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def go_straight(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    around: cython.pointer(cython.const[Around]),
    place: Vector,
    end: Vector,
    trace: cython.pointer(Trace),
    scratch: cython.pointer(MoveScratch),
) -> cython.int:
    """Goes straight for the end from the first polygon around that lets it: 1 if one does, 0 if none, -1 no memory."""
    length: cython.double = squared_flat(place, end)
    way: Trace
    member: cython.int
    i: cython.int
    for member in range(around.count):
        if (
            follow_segment(
                mesh,
                table,
                around.refs[member],
                place,
                end,
                BY_EXTENTS,
                cython.address(way),
                cython.address(scratch.leg),
            )
            != 0
        ):
            return -1
        if way.status != TRACE_CLEAR and way.t * way.t * length <= TOUCH * TOUCH:
            continue
        trace[0] = way
        if go_around(around, member, scratch) != 0:
            return -1
        for i in range(scratch.leg.count):
            if append_polygon(cython.address(scratch.visited), scratch.leg.polygons[i]) != 0:
                return -1
        return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wall_piece_point(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    slot: cython.int,
    polygon: cython.int,
    edge: cython.int,
    place: Vector,
    end: Vector,
) -> Vector:
    """Of the piece of wall at a place of an edge, the point nearest to the end: it ends where a link leads on."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    a: Vector = edge_start(tile, first, edge)
    b: Vector = edge_end(tile, first, count, edge)
    at: cython.double = ((place.x - a.x) * (b.x - a.x) + (place.z - a.z) * (b.z - a.z)) / squared_flat(a, b)
    low: cython.double = 0.0
    high: cython.double = 1.0
    number: cython.int
    link: cython.pointer(cython.const[Link])
    target: cython.pointer(cython.const[TileSlot])
    for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        link = tile.links + number
        target = mesh.slots + link.target_slot
        if link.edge != edge or not filter_passes(
            table, target.flags[link.target_polygon], target.areas[link.target_polygon]
        ):
            continue
        if link.range_max <= at * 255.0:
            low = max(low, cython.cast(cython.double, link.range_max) / 255.0)
        elif link.range_min >= at * 255.0:
            high = min(high, cython.cast(cython.double, link.range_min) / 255.0)
    return nearest_on_edge(along(a, b, low), along(a, b, high), end.x, end.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_wall(
    choice: cython.pointer(Choice), member: cython.int, edge: cython.int, place: Vector, end: Vector, point: Vector
) -> cython.void:
    """Takes a way along a wall if it is the best so far."""
    wx: cython.double = point.x - place.x
    wz: cython.double = point.z - place.z
    dx: cython.double = end.x - place.x
    dz: cython.double = end.z - place.z
    length: cython.double = wx * wx + wz * wz
    slack: cython.double = TIE * sqrt(dx * dx + dz * dz)
    rate: cython.double
    left: cython.bint = dz * wx - dx * wz > 0.0
    if length <= TOUCH * TOUCH or not squared_flat(point, end) < dx * dx + dz * dz:
        return
    rate = (wx * dx + wz * dz) / sqrt(length)
    if choice.member >= 0:
        if rate < choice.rate - slack:
            return
        if rate <= choice.rate + slack and not (left and not choice.left):
            return
    choice.member = member
    choice.edge = edge
    choice.rate = rate
    choice.left = left
    choice.point = point


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_wall(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    around: cython.pointer(cython.const[Around]),
    place: Vector,
    end: Vector,
    choice: cython.pointer(Choice),
) -> cython.void:
    member: cython.int
    edge: cython.int
    slot: cython.int
    polygon: cython.int
    first: cython.int
    choice.member = -1
    for member in range(around.count):
        slot = reference_slot(around.refs[member])
        polygon = reference_polygon(around.refs[member])
        first = mesh.slots[slot].polygon_first[polygon]
        for edge in range(mesh.slots[slot].polygon_first[polygon + 1] - first):
            if squared_flat(place, on_edge(mesh.slots + slot, polygon, edge, place)) > TOUCH * TOUCH:
                continue
            if behind_edge(mesh, table, around.refs[member], edge, place.x, place.z) != 0:
                continue
            offer_wall(choice, member, edge, place, end, wall_piece_point(mesh, table, slot, polygon, edge, place, end))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slide_on(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    place: Vector,
    end: Vector,
    slides: cython.int,
    trace: cython.pointer(Trace),
    scratch: cython.pointer(MoveScratch),
    point: cython.pointer(Vector),
) -> cython.int:
    """From a place at a wall on towards the end, along up to `slides` pieces of wall, while that is a gain."""
    around: Around
    choice: Choice
    code: cython.int
    over: cython.bint = False
    start: Vector
    while True:
        look_around(mesh, table, trace, place, cython.address(around))
        # 1. Straight on, from any polygon here
        code = go_straight(mesh, table, cython.address(around), place, end, trace, scratch)
        if code < 0:
            return -1
        if code > 0:
            if trace.status == TRACE_CLEAR:
                point[0] = closest_point(mesh.slots + trace.slot, trace.polygon, end, cython.address(over))
                return 0
            start = place
            place = place_at_hit(mesh, trace, start, end)
            continue
        # 2. Along a wall
        if slides == 0:
            break
        slides -= 1
        choice.point = place
        best_wall(mesh, table, cython.address(around), place, end, cython.address(choice))
        if choice.member < 0:
            break
        if go_around(cython.address(around), choice.member, scratch) != 0:
            return -1
        place = choice.point
        trace.slot = reference_slot(around.refs[choice.member])
        trace.polygon = reference_polygon(around.refs[choice.member])
        trace.edge = choice.edge
        trace.status = TRACE_BLOCKED
        if is_frontier(mesh, trace.slot, trace.polygon, trace.edge):
            trace.status = TRACE_NOT_LOADED
    point[0] = place
    return 0


def move_on_surface(mesh, table, ref, start, end, slides, trace, scratch, point):
    over: cython.bint = False
    # A move of one slide is the document's own, so that it goes by its rule.
    rule: cython.int = BY_EXTENTS if slides > 1 else BY_LINES
    if trace_segment(mesh, table, ref, start, end, rule, trace, cython.address(scratch.visited)) != 0:
        return -1
    if trace.status == TRACE_INVALID_START or trace.status == TRACE_START_OUTSIDE:
        return 0
    if trace.status == TRACE_CLEAR:
        # Inside the outline it is the end itself; a trace that slipped in beside it ends on the outline.
        point[0] = closest_point(mesh.slots + trace.slot, trace.polygon, end, cython.address(over))
        return 0
    if slides == 1:
        point[0] = on_edge(mesh.slots + trace.slot, trace.polygon, trace.edge, end)
        return 0
    point[0] = place_at_hit(mesh, trace, start, end)
    if slide_on(mesh, table, point[0], end, slides, trace, scratch, point) != 0:
        return -1
    # An edge runs straight from corner to corner: on it alone a place at a wall would float over the floor or sink.
    point.y = surface_height(mesh.slots + trace.slot, trace.polygon, point.x, point.z)
    return 0
