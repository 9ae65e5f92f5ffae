"""Which way to go from a place by a distance field: the first corner of the shortest line through the exits ahead.

The exits that follow one another from a place make a row of portals, through which the funnel pulls a line: to the
goal, to the start of an off-mesh link, or to the middle of an exit where areas of another price begin, where the route
comes back over a tile border, or where as many portals as are looked at are passed. What the line is long, priced, with
what the field knows from there, is never more than the way over all the middles. Of a polygon's exits the one with the
least such sum is taken: who walks along its line takes from the sum what a metre costs with every metre, whichever exit
is taken next, for the line that is left is one of those compared. So nobody walks to and fro, and nobody walks more
than the field's distance.
"""

import cython
from cython.cimports.libc.math import INFINITY, fabs, sqrt
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.mesh._mesh import (
    MeshState,
    TileSlot,
    polygon_reference,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._buffers import reserve_corridor
from cython.cimports.onepath.query._entry import along
from cython.cimports.onepath.query._field import ExitRange, FieldNode, FieldState, exits_of
from cython.cimports.onepath.query._field_aim import ARRIVED, AimScratch, FieldAim, Row, exit_side, flat_distance
from cython.cimports.onepath.query._flood import Goals
from cython.cimports.onepath.query._funnel import STRAIGHT_OK, pull_string
from cython.cimports.onepath.query._polygon_keys import first_key, polygon_key
from cython.cimports.onepath.query._query_core import Place
from cython.cimports.onepath.query._straight_path import edge_portal, tile_portal
from cython.cimports.onepath.query._straight_state import Portal, reserve_portals
from cython.cimports.onepath.query._trace import BY_EXTENTS, TRACE_CLEAR, Trace, follow_segment

# Portals that a line is pulled through. Where the way leads over more, agents head for the middle of the next.
MOST_PORTALS = cython.declare(cython.int, 128)
# How far who stands in a portal and is to walk along it turns out of the polygon, metres a metre.
TURN_OUT = cython.declare(cython.double, 0.1)

# What collecting portals has come to
ROW_COLLECTED = cython.declare(cython.int, 0)
ROW_RETURNS = cython.declare(cython.int, 1)

# Metres by which portals are narrowed at both ends, but at most by this part of them: who goes round the end of a wall
# in steps comes past it with room for a step to go too far.
INSET = cython.declare(cython.double, 0.1)
MOST_INSET = cython.declare(cython.double, 0.25)
# Of so many goals, the first ones, it is looked whether they are in sight.
MOST_LOOKED_FOR = cython.declare(cython.int, 8)


# ---- the row of portals ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rate_behind(
    field: cython.pointer(cython.const[FieldState]),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(cython.const[Goals]),
    node: cython.pointer(cython.const[FieldNode]),
) -> cython.double:
    """What a metre costs in the polygon that an exit leads into."""
    goal: reference_t
    if node.next >= 0:
        node = field.nodes + node.next
        return table.costs[mesh.slots[node.slot].areas[node.polygon]]
    goal = goals.places[node.goal].ref
    return table.costs[mesh.slots[reference_slot(goal)].areas[reference_polygon(goal)]]


def exit_portal(mesh, node, side, scratch, portal):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + node.slot
    if side < 0:
        portal[0] = edge_portal(tile, node.polygon, node.way)
        return 0
    if (
        tile_portal(mesh, node.slot, tile.links + (node.way - tile.edge_count), side, True, scratch.straight, portal)
        != STRAIGHT_OK
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_portal(
    mesh: cython.pointer(cython.const[MeshState]),
    node: cython.pointer(cython.const[FieldNode]),
    side: cython.int,
    scratch: cython.pointer(AimScratch),
    row: cython.pointer(Row),
) -> cython.int:
    """Adds the portal of an exit on the ground, narrowed: 0, or -1 without memory."""
    portal: Portal
    t: cython.double
    if (
        reserve_portals(scratch.straight, row.count + 1) < 0
        or exit_portal(mesh, node, side, scratch, cython.address(portal)) != 0
    ):
        return -1
    t = flat_distance(portal.right, portal.left)
    t = INSET / t if t * MOST_INSET > INSET else MOST_INSET
    if row.count == 0:
        row.first = portal
    scratch.straight.portals[row.count].right = along(portal.right, portal.left, t)
    scratch.straight.portals[row.count].left = along(portal.left, portal.right, t)
    row.count += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def collect_row(
    field: cython.pointer(cython.const[FieldState]),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(cython.const[Goals]),
    first: cython.int,
    scratch: cython.pointer(AimScratch),
    row: cython.pointer(Row),
) -> cython.int:
    """The portals from an exit on: ROW_COLLECTED, ROW_RETURNS where they lead back to its polygon, -1: no memory."""
    begun: cython.pointer(cython.const[FieldNode]) = field.nodes + first
    node: cython.pointer(cython.const[FieldNode])
    rate: cython.double = table.costs[mesh.slots[begun.slot].areas[begun.polygon]]
    side: cython.int
    side_before: cython.int = -1
    row.count = 0
    row.last = first
    while True:
        node = field.nodes + row.last
        row.target = node.here
        row.rest = node.cost
        if row.count > 0 and node.slot == begun.slot and node.polygon == begun.polygon:
            return ROW_RETURNS
        if node.link != 0 or row.count == MOST_PORTALS or rate_behind(field, mesh, table, goals, node) != rate:
            return ROW_COLLECTED
        side = exit_side(mesh, node)
        if side >= 0 and side_before == side ^ 2:
            return ROW_COLLECTED
        side_before = side
        if put_portal(mesh, node, side, scratch, row) != 0:
            return -1
        row.last = node.next
        if row.last < 0:
            row.target = goals.places[node.goal].position
            row.rest = 0.0
            return ROW_COLLECTED


# ---- the line through it ---------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pull_row(row: cython.pointer(cython.const[Row]), place: Vector, scratch: cython.pointer(AimScratch)) -> cython.int:
    """The line from a place through the row to its target, into scratch.line: 0, or -1 without memory."""
    i: cython.int
    scratch.line.count = 0
    scratch.line.step_count = 0
    scratch.straight.leap_count = 0
    if reserve_portals(scratch.straight, 1) < 0 or reserve_corridor(scratch.corridor, row.count + 1) < 0:
        return -1
    for i in range(row.count + 1):
        scratch.corridor.polygons[i] = 0  # nobody asks for the polygons of this line
    if (
        pull_string(scratch.straight, row.count, scratch.corridor.polygons, place, row.target, True, 0, scratch.line)
        != STRAIGHT_OK
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def point_of(scratch: cython.pointer(cython.const[AimScratch]), i: cython.int) -> Vector:
    point: Vector
    point.x = scratch.line.points[3 * i]
    point.y = scratch.line.points[3 * i + 1]
    point.z = scratch.line.points[3 * i + 2]
    return point


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pulled_length(scratch: cython.pointer(cython.const[AimScratch])) -> cython.double:
    """How long the line is in X/Z."""
    i: cython.int
    length: cython.double = 0.0
    for i in range(scratch.line.count - 1):
        length += flat_distance(point_of(scratch, i), point_of(scratch, i + 1))
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turn_out(first: cython.pointer(cython.const[Portal]), place: Vector, aim: cython.pointer(FieldAim)) -> cython.void:
    """Turns who stands in the first portal and would walk along it, never out of the polygon, a little out of it."""
    x: cython.double = first.left.x - first.right.x
    z: cython.double = first.left.z - first.right.z
    length: cython.double = sqrt(x * x + z * z)
    at: cython.double = (place.x - first.right.x) * x + (place.z - first.right.z) * z
    aside: cython.double = (place.x - first.right.x) * z - (place.z - first.right.z) * x
    turn: cython.double
    near: cython.double = ARRIVED * length
    if at < -near or at > length * length + near or fabs(aside) > near:
        return
    aside = (aim.target.x - first.right.x) * z - (aim.target.z - first.right.z) * x
    if fabs(aside) > near:
        return
    turn = TURN_OUT * flat_distance(place, aim.target) / length
    aim.target.x -= z * turn
    aim.target.z += x * turn


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_corner(
    row: cython.pointer(cython.const[Row]),
    scratch: cython.pointer(cython.const[AimScratch]),
    place: Vector,
    aim: cython.pointer(FieldAim),
) -> cython.void:
    """Aims at the first corner of the line that the place has not come to."""
    i: cython.int
    aim.found = False
    for i in range(scratch.line.count):
        aim.target = point_of(scratch, i)
        if flat_distance(place, aim.target) > ARRIVED:
            aim.found = True
            if row.count > 0 and scratch.turn_out:
                turn_out(cython.address(row.first), place, aim)
            return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def follow(
    field: cython.pointer(cython.const[FieldState]),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(cython.const[Goals]),
    last: cython.int,
    place: Vector,
    scratch: cython.pointer(AimScratch),
    aim: cython.pointer(FieldAim),
) -> cython.int:
    """Aims at what follows the exits whose middles the place has come to: 0, or -1 without memory."""
    row: Row
    while not aim.found and last >= 0 and field.nodes[last].link == 0:
        if field.nodes[last].next < 0:
            aim.target = goals.places[field.nodes[last].goal].position
            aim.found = flat_distance(place, aim.target) > ARRIVED
            return 0
        if collect_row(field, mesh, table, goals, field.nodes[last].next, scratch, cython.address(row)) < 0:
            return -1
        if pull_row(cython.address(row), place, scratch) != 0:
            return -1
        take_corner(cython.address(row), scratch, place, aim)
        last = row.last
    return 0


# ---- of all exits the best -------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def nearest_goal(
    goals: cython.pointer(cython.const[Goals]),
    slot: cython.int,
    polygon: cython.int,
    place: Vector,
    aim: cython.pointer(FieldAim),
) -> cython.double:
    """Aims at the nearest goal of the polygon: metres in X/Z, infinite where there is none."""
    key: cython.longlong = polygon_key(slot, polygon)
    at: cython.int = first_key(goals.keys, goals.count, key)
    best: cython.double = INFINITY
    length: cython.double
    while at < goals.count and goals.keys[at] == key:
        length = flat_distance(place, goals.places[goals.order[at]].position)
        if length < best:
            best = length
            aim.target = goals.places[goals.order[at]].position
            aim.found = length > ARRIVED
        at += 1
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def goal_in_sight(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goal: cython.pointer(cython.const[Place]),
    slot: cython.int,
    polygon: cython.int,
    place: Vector,
    scratch: cython.pointer(AimScratch),
) -> cython.int:
    """Whether a straight line leads to a goal over areas of one price; -1 without memory."""
    trace: Trace
    i: cython.int
    ref: reference_t
    rate: cython.double = table.costs[mesh.slots[slot].areas[polygon]]
    ref = polygon_reference(mesh, slot, polygon)
    if follow_segment(mesh, table, ref, place, goal.position, BY_EXTENTS, cython.address(trace), scratch.visited) != 0:
        return -1
    if (
        trace.status != TRACE_CLEAR
        or trace.slot != reference_slot(goal.ref)
        or trace.polygon != reference_polygon(goal.ref)
    ):
        return False
    for i in range(scratch.visited.count):
        ref = scratch.visited.polygons[i]
        if table.costs[mesh.slots[reference_slot(ref)].areas[reference_polygon(ref)]] != rate:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_for_goals(
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(cython.const[Goals]),
    slot: cython.int,
    polygon: cython.int,
    place: Vector,
    scratch: cython.pointer(AimScratch),
    best: cython.double,
    aim: cython.pointer(FieldAim),
) -> cython.int:
    """Aims at a goal in sight, where that is less far than `best`, metres in X/Z: 1 if so, 0, or -1 without memory."""
    found: cython.int = 0
    seen: cython.int
    length: cython.double
    goal: cython.pointer(cython.const[Place])
    i: cython.int
    for i in range(goals.count if goals.count < MOST_LOOKED_FOR else MOST_LOOKED_FOR):
        goal = goals.places + goals.order[i]
        length = flat_distance(place, goal.position)
        if not length < best:
            continue
        seen = goal_in_sight(mesh, table, goal, slot, polygon, place, scratch)
        if seen < 0:
            return -1
        if seen:
            best = length
            found = 1
            aim.target = goal.position
            aim.found = length > ARRIVED
            aim.node = -1
    return found


def aim_field(field, mesh, table, goals, slot, polygon, place, scratch, aim):
    rate: cython.double = table.costs[mesh.slots[slot].areas[polygon]]
    best: cython.double
    cost: cython.double
    last: cython.int = -1
    code: cython.int
    kind: cython.int
    i: cython.int
    ranges: ExitRange[3]
    row: Row
    aim.found = False
    aim.node = -1
    best = nearest_goal(goals, slot, polygon, place, aim) * rate
    exits_of(field, mesh.slots + slot, slot, polygon, ranges)
    for kind in range(3):
        for i in range(ranges[kind].count):
            if ranges[kind].entries[i].stamp != field.tables.stamp:
                continue
            code = collect_row(field, mesh, table, goals, ranges[kind].entries[i].node, scratch, cython.address(row))
            if code == ROW_RETURNS:
                continue  # this polygon's other exit, by which it goes on, is shorter
            if code < 0 or pull_row(cython.address(row), place, scratch) != 0:
                return -1
            cost = pulled_length(scratch) * rate + row.rest
            if cost < best:
                best = cost
                last = row.last
                aim.node = ranges[kind].entries[i].node
                take_corner(cython.address(row), scratch, place, aim)
    code = look_for_goals(mesh, table, goals, slot, polygon, place, scratch, best / rate, aim)
    aim.cost = flat_distance(place, aim.target) * rate if code > 0 else best
    return code if code < 0 else 0 if code > 0 else follow(field, mesh, table, goals, last, place, scratch, aim)
