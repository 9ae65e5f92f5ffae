"""The funnel: the shortest line through a row of portals, in X/Z, with exact signs (Lee and Preparata 1984).

An off-mesh link closes the funnel: the line goes to its entry, leaps to its exit and begins anew there.

Both sides are kept as whole chains (Hershberger and Snoeyink 1994) where the simple funnel keeps one vertex a side and
starts again at every corner: each portal is looked at once, however long the corridor, and the corners are the same.

Three rules settle what a plain funnel gets wrong or leaves open (readings, straight path):

* While the funnel is closed, a portal whose line the apex is on or past tells nothing about directions. It is skipped
  if the apex projects between its ends; else the line must first reach the near end, which becomes a corner.
* A line exactly through a vertex turns at a left vertex and not at a right one; of several left vertices in one
  direction from the apex the last one counts.
* A portal that an open funnel sees edge-on lies on the line itself. What lies on that line too may be behind as well as
  ahead, and a sign cannot tell; `progress` does.
"""

import cython
from cython.cimports.libc.math import fabs, fmax
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memset
from cython.cimports.onepath.geometry._exact import orientation
from cython.cimports.onepath.mesh._mesh import reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._buffers import (
    MARK_END,
    MARK_OFF_MESH,
    MARK_START,
    LinkStep,
    PointBuffer,
    free_points,
    reserve_points,
    reserve_steps,
)
from cython.cimports.onepath.query._funnel import STRAIGHT_NO_MEMORY, STRAIGHT_OK, STRAIGHT_TRUNCATED, Funnel
from cython.cimports.onepath.query._straight_state import (
    Leap,
    Portal,
    StraightScratch,
    free_straight,
    reserve_portals,
)

# A point computed on an edge of coordinates up to c is off the edge by less than this times c.
ROUNDING = cython.declare(cython.double, 2.0**-50)

# ---- geometry in X/Z ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def turn(
    a: cython.pointer(cython.const[Vector]),
    b: cython.pointer(cython.const[Vector]),
    c: cython.pointer(cython.const[Vector]),
) -> cython.double:
    """Positive where c lies to the left of the line from a through b."""
    return orientation(a.x, a.z, b.x, b.z, c.x, c.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def progress(
    a: cython.pointer(cython.const[Vector]),
    b: cython.pointer(cython.const[Vector]),
    c: cython.pointer(cython.const[Vector]),
) -> cython.double:
    """Negative where a walker from a to b must turn back to reach c. Exact for collinear points: both terms agree."""
    return (c.x - b.x) * (b.x - a.x) + (c.z - b.z) * (b.z - a.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def same_spot(a: cython.pointer(cython.const[Vector]), b: cython.pointer(cython.const[Vector])) -> cython.bint:
    return a.x == b.x and a.z == b.z


# ---- points of the line ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def append_point(
    line: cython.pointer(PointBuffer), point: Vector, polygon: reference_t, mark: cython.int
) -> cython.void:
    """A point equal to the one before is merged into it. The caller has made room."""
    place: cython.p_double = line.points + 3 * line.count
    last: cython.int = 3 * line.count - 3
    if (
        line.count == 0
        or line.points[last] != point.x
        or line.points[last + 1] != point.y
        or line.points[last + 2] != point.z
    ):
        place[0] = point.x
        place[1] = point.y
        place[2] = point.z
        line.marks[line.count] = 0
        line.count += 1
    line.marks[line.count - 1] |= mark
    line.polygons[line.count - 1] = polygon


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turn_at(funnel: cython.pointer(Funnel), corner: Vector, portal: cython.int) -> cython.void:
    """The line turns at an end of this portal, and the funnel goes on from there."""
    append_point(funnel.line, corner, funnel.corridor[portal + 1], 0)
    funnel.apex = corner


# ---- the two sides ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def close(funnel: cython.pointer(Funnel)) -> cython.void:
    funnel.right_begin = 0
    funnel.right_end = 0
    funnel.left_begin = 0
    funnel.left_end = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def narrow_right(funnel: cython.pointer(Funnel), point: cython.pointer(cython.const[Vector])) -> cython.bint:
    """Drops the right vertices that a line to `point` passes on their left; turns at the left vertices it cannot pass.

    False where the funnel has closed: with the last left vertex the apex is the left end of the portal before.
    """
    vertex: cython.pointer(cython.const[Vector])
    before: cython.pointer(cython.const[Vector])
    side: cython.double
    while funnel.right_begin < funnel.right_end:
        vertex = cython.address(funnel.portals[funnel.right_chain[funnel.right_end - 1]].right)
        before = cython.address(funnel.apex)
        if funnel.right_end - funnel.right_begin > 1:
            before = cython.address(funnel.portals[funnel.right_chain[funnel.right_end - 2]].right)
        side = turn(before, vertex, point)
        if side < 0.0 or (side == 0.0 and progress(before, vertex, point) < 0.0):
            return True
        funnel.right_end -= 1
    while funnel.left_begin < funnel.left_end:
        vertex = cython.address(funnel.portals[funnel.left_chain[funnel.left_begin]].left)
        side = turn(cython.address(funnel.apex), vertex, point)
        if side < 0.0 or (side == 0.0 and progress(cython.address(funnel.apex), vertex, point) < 0.0):
            return True
        turn_at(funnel, vertex[0], funnel.left_chain[funnel.left_begin])
        funnel.left_begin += 1
    close(funnel)
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drop_left(funnel: cython.pointer(Funnel), point: cython.pointer(cython.const[Vector])) -> cython.bint:
    """Drops the left vertices that a line to `point` passes on their right; whether none is left."""
    vertex: cython.pointer(cython.const[Vector])
    before: cython.pointer(cython.const[Vector])
    while funnel.left_begin < funnel.left_end:
        vertex = cython.address(funnel.portals[funnel.left_chain[funnel.left_end - 1]].left)
        before = cython.address(funnel.apex)
        if funnel.left_end - funnel.left_begin > 1:
            before = cython.address(funnel.portals[funnel.left_chain[funnel.left_end - 2]].left)
        if turn(before, vertex, point) > 0.0:
            return False
        funnel.left_end -= 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def narrow_left(funnel: cython.pointer(Funnel), portal: cython.int) -> cython.bint:
    """The mirror of narrow_right for the left end of a portal whose right end is in its chain already.

    A portal seen from behind is a polygon's fault whose corners are rounded inward: the line turns at its near end.
    """
    point: cython.pointer(cython.const[Vector]) = cython.address(funnel.portals[portal].left)
    vertex: cython.pointer(cython.const[Vector])
    side: cython.double
    corner: cython.int = -1
    is_new: cython.bint
    if not drop_left(funnel, point):
        return True
    while funnel.right_begin < funnel.right_end:
        vertex = cython.address(funnel.portals[funnel.right_chain[funnel.right_begin]].right)
        side = turn(cython.address(funnel.apex), vertex, point)
        if side > 0.0 or (side == 0.0 and progress(cython.address(funnel.apex), vertex, point) >= 0.0):
            break
        corner = funnel.right_chain[funnel.right_begin]
        is_new = corner == portal and not same_spot(vertex, cython.address(funnel.portals[portal - 1].right))
        if is_new and progress(cython.address(funnel.apex), vertex, point) < 0.0:
            vertex = point
        turn_at(funnel, vertex[0], corner)
        funnel.right_begin += 1
    # At an end of this portal or of the one before, the apex lies in the polygon between them: the funnel has closed.
    if corner >= portal - 1:
        close(funnel)
        return False
    return True


# ---- portal by portal ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def enter_portal(funnel: cython.pointer(Funnel), portal: cython.int) -> cython.void:
    """Opens the closed funnel on a portal ahead of the apex; turns at the near end of one that is not ahead."""
    right: cython.pointer(cython.const[Vector]) = cython.address(funnel.portals[portal].right)
    left: cython.pointer(cython.const[Vector]) = cython.address(funnel.portals[portal].left)
    if turn(right, left, cython.address(funnel.apex)) > 0.0:
        funnel.right_chain[0] = portal
        funnel.left_chain[0] = portal
        funnel.right_end = 1
        funnel.left_end = 1
    elif same_spot(right, left):
        if not same_spot(right, cython.address(funnel.apex)):
            turn_at(funnel, right[0], portal)
    elif progress(left, right, cython.address(funnel.apex)) > 0.0:
        turn_at(funnel, right[0], portal)
    elif progress(right, left, cython.address(funnel.apex)) > 0.0:
        turn_at(funnel, left[0], portal)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_portal(funnel: cython.pointer(Funnel), portal: cython.int) -> cython.bint:
    """Narrows the open funnel by a portal; False where that has closed it before the portal.

    A side whose vertex stays where it is only learns the later portal's number.
    """
    right: cython.pointer(cython.const[Vector]) = cython.address(funnel.portals[portal].right)
    left: cython.pointer(cython.const[Vector]) = cython.address(funnel.portals[portal].left)
    if not same_spot(right, cython.address(funnel.portals[funnel.right_chain[funnel.right_end - 1]].right)):
        if not narrow_right(funnel, right):
            return False
        funnel.right_end += 1
    funnel.right_chain[funnel.right_end - 1] = portal
    if not same_spot(left, cython.address(funnel.portals[funnel.left_chain[funnel.left_end - 1]].left)):
        if not narrow_left(funnel, portal):
            return False
        funnel.left_end += 1
    funnel.left_chain[funnel.left_end - 1] = portal
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_to(funnel: cython.pointer(Funnel), end: Vector) -> cython.void:
    """Turns at what is left of the right side on the way from the apex to a point of the polygon entered last."""
    portal: cython.int
    if funnel.left_end > 0:
        narrow_right(funnel, cython.address(end))
    while funnel.right_begin < funnel.right_end:
        portal = funnel.right_chain[funnel.right_begin]
        turn_at(funnel, funnel.portals[portal].right, portal)
        funnel.right_begin += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lies_on(portal: cython.pointer(cython.const[Portal]), spot: cython.pointer(cython.const[Vector])) -> cython.bint:
    """Whether a start or end lies on a portal between its ends, but for rounding, which may put it on either side.

    Seen from so near, what else lies on the portal's line would be to the right or to the left, ahead or behind, by
    chance: so the portal must not be in its way.
    """
    ex: cython.double = portal.left.x - portal.right.x
    ez: cython.double = portal.left.z - portal.right.z
    px: cython.double = spot.x - portal.right.x
    pz: cython.double = spot.z - portal.right.z
    along: cython.double = px * ex + pz * ez
    reach: cython.double = fmax(fabs(portal.right.x) + fabs(portal.left.x), fabs(portal.right.z) + fabs(portal.left.z))
    if not 0.0 < along < ex * ex + ez * ez:
        return False
    return fabs(ez * px - ex * pz) <= ROUNDING * reach * (fabs(ex) + fabs(ez))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pull_between(
    funnel: cython.pointer(Funnel),
    first: cython.int,
    count: cython.int,
    end: Vector,
    most: cython.int,
) -> cython.bint:
    """From the apex through portals[first : count] to the end, which is left out; False with `most` points before."""
    if funnel.is_rounded:
        while first < count and lies_on(funnel.portals + first, cython.address(funnel.apex)):
            first += 1
        while count > first and lies_on(funnel.portals + (count - 1), cython.address(end)):
            count -= 1
    while first < count:
        if funnel.line.count > most:
            return False
        if funnel.left_end == 0 or not pass_portal(funnel, first):
            enter_portal(funnel, first)
        first += 1
    if funnel.line.count > most:
        return False
    walk_to(funnel, end)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leap(funnel: cython.pointer(Funnel), link: cython.pointer(cython.const[Leap])) -> cython.void:
    """From the entry of an off-mesh link to its exit, where a new funnel begins. Both name the polygon it reaches."""
    line: cython.pointer(PointBuffer) = funnel.line
    step: cython.pointer(LinkStep) = line.steps + line.step_count
    append_point(line, funnel.portals[link.portal].right, funnel.corridor[link.portal + 1], MARK_OFF_MESH)
    step.id = link.id
    step.kind = link.kind
    step.entry = line.count - 1
    append_point(line, funnel.portals[link.portal].left, funnel.corridor[link.portal + 1], 0)
    step.exit = line.count - 1
    line.step_count += 1
    funnel.apex = funnel.portals[link.portal].left
    close(funnel)


def cut_line(line, most):
    if line.count < most:
        return STRAIGHT_OK
    line.count = most
    while line.step_count > 0 and line.steps[line.step_count - 1].entry >= most:
        line.step_count -= 1
    return STRAIGHT_TRUNCATED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pull_string(
    scratch: cython.pointer(StraightScratch),
    count: cython.int,
    corridor: cython.pointer(cython.const[reference_t]),
    start: Vector,
    end: Vector,
    is_rounded: cython.bint,
    max_points: cython.int,
    line: cython.pointer(PointBuffer),
) -> cython.int:
    funnel: Funnel
    place: cython.int
    first: cython.int = 0
    # One point more than asked for: only then has the last one got all its marks and its polygon.
    most: cython.int = max_points if max_points > 0 else 0x7FFFFFFF
    if reserve_points(line, 2 * count + 2) < 0 or reserve_steps(line, scratch.leap_count) < 0:
        return STRAIGHT_NO_MEMORY
    line.count = 0
    line.step_count = 0
    append_point(line, start, corridor[0], MARK_START)
    funnel.apex = start
    funnel.portals = scratch.portals
    funnel.corridor = corridor
    funnel.right_chain = scratch.right_chain
    funnel.left_chain = scratch.left_chain
    funnel.line = line
    funnel.is_rounded = is_rounded
    close(cython.address(funnel))
    for place in range(scratch.leap_count):
        if not pull_between(
            cython.address(funnel),
            first,
            scratch.leaps[place].portal,
            scratch.portals[scratch.leaps[place].portal].right,
            most,
        ):
            return cut_line(line, most)
        leap(cython.address(funnel), scratch.leaps + place)
        first = scratch.leaps[place].portal + 1
    if pull_between(cython.address(funnel), first, count, end, most):
        append_point(line, end, corridor[count], MARK_END)
    return cut_line(line, most)


# ---- from Python: a plain list of portals ----


def pull_through(
    portals: list[tuple[object, object]], start: object, end: object, max_points: int = 0
) -> list[tuple[tuple[float, float, float], int, int]]:
    """The line from start to end through portals given as (right, left) pairs of (x, y, z).

    Answers (point, mark, number of the polygon entered after it) for each point; polygon i + 1 lies behind portal i.
    Nothing is checked: for tests and for looking at the funnel alone.

    >>> pull_through([((2, 0, 0), (2, 0, 0))], (0, 0, 0), (4, 0, 1))
    [((0.0, 0.0, 0.0), 1, 0), ((2.0, 0.0, 0.0), 0, 1), ((4.0, 0.0, 1.0), 2, 1)]
    """
    count: cython.int = len(portals)
    scratch: StraightScratch
    line: PointBuffer
    numbers: cython.pointer(reference_t) = cython.cast(
        cython.pointer(reference_t), malloc((cython.cast(cython.size_t, count) + 1) * cython.sizeof(reference_t))
    )
    i: cython.int
    memset(cython.address(scratch), 0, cython.sizeof(scratch))
    memset(cython.address(line), 0, cython.sizeof(line))
    try:
        if numbers == cython.NULL or reserve_portals(cython.address(scratch), count) < 0:
            raise MemoryError
        for i in range(count + 1):
            numbers[i] = i
        for i in range(count):
            right, left = portals[i]
            scratch.portals[i].right = vector(right)
            scratch.portals[i].left = vector(left)
        if (
            pull_string(
                cython.address(scratch),
                count,
                numbers,
                vector(start),
                vector(end),
                False,
                max_points,
                cython.address(line),
            )
            == STRAIGHT_NO_MEMORY
        ):
            raise MemoryError
        return [
            (
                (line.points[3 * i], line.points[3 * i + 1], line.points[3 * i + 2]),
                int(line.marks[i]),
                int(line.polygons[i]),
            )
            for i in range(line.count)
        ]
    finally:
        free(numbers)
        free_straight(cython.address(scratch))
        free_points(cython.address(line))


@cython.cfunc
def vector(point: object) -> Vector:
    result: Vector
    result.x, result.y, result.z = point
    return result
