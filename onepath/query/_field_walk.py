"""Walks along a distance field, from polygon to polygon as the field goes through them.

A move knows where it is to go and not by which floor: where one edge leads to two floors at one place, it takes the
first. If the field means the other, who follows its directions by moves comes back over the edge and is let onto the
first floor again, for ever. A walk crosses its exits instead. So what the field knows from a place falls by what a
metre costs with every metre walked, on every mesh.
"""

import cython
from cython.cimports.libc.math import INFINITY, fabs
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.mesh._mesh import (
    MeshState,
    polygon_reference,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector, closest_point
from cython.cimports.onepath.query._entry import along
from cython.cimports.onepath.query._field import FieldNode, FieldState
from cython.cimports.onepath.query._field_aim import (
    ARRIVED,
    AimScratch,
    FieldAim,
    aim_field,
    exit_portal,
    exit_side,
    flat_distance,
)
from cython.cimports.onepath.query._flood import Goals
from cython.cimports.onepath.query._query_core import Place
from cython.cimports.onepath.query._straight_state import Portal
from cython.cimports.onepath.query._trace import BY_EXTENTS, Trace, follow_segment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def metres_beyond(portal: cython.pointer(cython.const[Portal]), point: Vector, length: cython.double) -> cython.double:
    """How far a point is on the far side of a portal's line, below 0 on the near side."""
    x: cython.double = portal.left.x - portal.right.x
    z: cython.double = portal.left.z - portal.right.z
    return ((point.z - portal.right.z) * x - (point.x - portal.right.x) * z) / length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beside_portal(portal: cython.pointer(cython.const[Portal]), point: Vector, length: cython.double) -> cython.bint:
    """Whether a point of a portal's line lies between its ends."""
    x: cython.double = portal.left.x - portal.right.x
    z: cython.double = portal.left.z - portal.right.z
    at: cython.double = ((point.x - portal.right.x) * x + (point.z - portal.right.z) * z) / length
    return -ARRIVED <= at <= length + ARRIVED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_crossed(portal: cython.pointer(cython.const[Portal]), start: Vector, end: Vector) -> cython.bint:
    """Whether a way inside the polygon before a portal comes to it; who stands in it has."""
    length: cython.double = flat_distance(portal.right, portal.left)
    before: cython.double = metres_beyond(portal, start, length)
    after: cython.double = metres_beyond(portal, end, length)
    if fabs(before) <= ARRIVED and beside_portal(portal, start, length):
        return True
    if fabs(after) <= ARRIVED:
        return beside_portal(portal, end, length)
    if before >= 0.0 or after < 0.0:
        return False
    return beside_portal(portal, along(start, end, before / (before - after)), length)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cross_exits(
    field: cython.pointer(cython.const[FieldState]),
    mesh: cython.pointer(cython.const[MeshState]),
    goals: cython.pointer(cython.const[Goals]),
    first: cython.int,
    start: Vector,
    end: Vector,
    scratch: cython.pointer(AimScratch),
    ref: cython.pointer(reference_t),
) -> cython.int:
    """Into which polygon a way comes that begins before an exit and goes on as the field does: 0, -1: no memory."""
    node: cython.pointer(cython.const[FieldNode])
    portal: Portal
    while first >= 0:
        node = field.nodes + first
        if node.link != 0:
            return 0
        if exit_portal(mesh, node, exit_side(mesh, node), scratch, cython.address(portal)) != 0:
            return -1
        if not is_crossed(cython.address(portal), start, end):
            return 0
        first = node.next
        if first < 0:
            ref[0] = goals.places[node.goal].ref
        else:
            ref[0] = polygon_reference(mesh, field.nodes[first].slot, field.nodes[first].polygon)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def go_to(
    field: cython.pointer(cython.const[FieldState]),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(cython.const[Goals]),
    first: cython.int,
    end: Vector,
    scratch: cython.pointer(AimScratch),
    place: cython.pointer(Place),
) -> cython.int:
    """Takes a place to another on the way that it aims at, by the exits from `first` on: 0, or -1 without memory."""
    trace: Trace
    over: cython.bint = False
    if first >= 0:
        if cross_exits(field, mesh, goals, first, place.position, end, scratch, cython.address(place.ref)) != 0:
            return -1
    else:
        # A goal in sight, or in this polygon: whatever lies between, a segment leads there.
        if (
            follow_segment(
                mesh, table, place.ref, place.position, end, BY_EXTENTS, cython.address(trace), scratch.visited
            )
            != 0
        ):
            return -1
        place.ref = polygon_reference(mesh, trace.slot, trace.polygon)
    place.position = closest_point(
        mesh.slots + reference_slot(place.ref), reference_polygon(place.ref), end, cython.address(over)
    )
    return 0


def walk_field(field, mesh, table, goals, place, distance, scratch):
    aim: FieldAim
    least: cython.double = INFINITY
    length: cython.double
    end: Vector
    while distance > 0.0:
        if (
            aim_field(
                field,
                mesh,
                table,
                goals,
                reference_slot(place.ref),
                reference_polygon(place.ref),
                place.position,
                scratch,
                cython.address(aim),
            )
            != 0
        ):
            return -1
        # Where rounding hides a goal that was in sight the cost may rise, once: the next walk goes on from there.
        if not aim.found or not aim.cost < least:
            return 0
        least = aim.cost
        length = flat_distance(place.position, aim.target)
        end = aim.target if length <= distance else along(place.position, aim.target, distance / length)
        distance -= length
        if go_to(field, mesh, table, goals, aim.node, end, scratch, place) != 0:
            return -1
    return 0
