"""Erosion by the exact Euclidean distance in cells, so that walls at any angle are cleared alike.

A boundary is a side of a cell across which the floor does not go on. The distance of a cell is that of its square to
the nearest boundary which a walk over links reaches: first along z, then along x. On one floor that is the nearest
boundary of all, since a straight line to it crosses walkable cells only, and so do the two legs beside it; another
floor above or below is never walked to. The two legs make the distance separable, as in Saito and Toriwaki, "New
Algorithms for Euclidean Distance Transformation of an n-Dimensional Digitized Picture", 1994.
"""

import cython
from cython.cimports.onepath.build._buffers import IntBuffer, reserve_ints
from cython.cimports.onepath.build._compact import CompactField


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _beside(compact: cython.pointer[cython.const[CompactField]], span: cython.int, direction: cython.int) -> cython.int:
    """The walkable span that a span is linked to in a direction, -1 for none."""
    other: cython.int = compact.neighbours[4 * cython.cast(cython.size_t, span) + direction]
    return other if other >= 0 and compact.area[other] != 0 else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _walk_along_x(
    compact: cython.pointer[cython.const[CompactField]],
    steps: cython.p_int,
    span: cython.int,
    direction: cython.int,
    side: cython.int,
) -> cython.void:
    """Lowers the steps from a span to one that has a boundary on a side, by those of the span beside it in x. With
    `side` the direction itself, the steps end where the walk does."""
    beside: cython.int = _beside(compact, span, direction)
    if _beside(compact, span, side) < 0:
        steps[span] = 0
    elif beside >= 0 and steps[beside] + 1 < steps[span]:
        steps[span] = steps[beside] + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_along_x(
    compact: cython.pointer[cython.const[CompactField]],
    ahead: cython.p_int,
    above: cython.p_int,
    below: cython.p_int,
    cap: cython.int,
) -> cython.void:
    """The least steps along x from every span to one with a boundary on a side in x, on its +z side, on its -z side.

    Spans lie in the order of their columns, so that the span beside a span has its steps already.
    """
    span: cython.int
    for span in range(compact.span_count):
        ahead[span] = above[span] = below[span] = cap
        _walk_along_x(compact, ahead, span, 0, 0)
        _walk_along_x(compact, above, span, 0, 1)
        _walk_along_x(compact, below, span, 0, 3)
    for span in range(compact.span_count - 1, -1, -1):
        _walk_along_x(compact, ahead, span, 2, 2)
        _walk_along_x(compact, above, span, 2, 1)
        _walk_along_x(compact, below, span, 2, 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_reach(reach: cython.p_int, radius: cython.int) -> cython.void:
    """For every gap in one direction up to radius + 1 the largest gap in the other that keeps both together below the
    radius, -1 for none."""
    limit: cython.longlong = cython.cast(cython.longlong, radius) * radius
    along: cython.longlong = radius - 1
    across: cython.longlong
    for across in range(radius + 2):
        while along >= 0 and across * across + along * along >= limit:
            along -= 1
        reach[across] = cython.cast(cython.int, along)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _reach_along_z(
    compact: cython.pointer[cython.const[CompactField]],
    ahead: cython.p_int,
    facing: cython.p_int,
    reach: cython.p_int,
    span: cython.int,
    direction: cython.int,
) -> cython.void:
    """Turns a span's steps to boundaries on its side in a direction of z into how many spans back along z it takes
    to be clear of all boundaries from the span on in that direction, -1 for none. The span beside is done already.

    Whoever comes too close to a boundary from so many spans away does so from every nearer one, which is why the
    farthest of each span is enough.
    """
    back: cython.int = reach[ahead[span]]
    steps: cython.int = facing[span]
    beside: cython.int = _beside(compact, span, direction)
    if back >= 0:
        back += 1  # between the squares of two cells lies a cell less than there are steps
    if steps > 0:
        steps -= 1
    if reach[steps] > back:
        back = reach[steps]
    if beside >= 0 and facing[beside] - 1 > back:
        back = facing[beside] - 1
    facing[span] = back


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def erode_round(
    compact: cython.pointer[CompactField], radius: cython.int, scratch: cython.pointer[IntBuffer]
) -> cython.int:
    count: cython.size_t = cython.cast(cython.size_t, compact.span_count)
    if reserve_ints(scratch, 3 * count + radius + 2) < 0:
        return -1
    span: cython.int
    ahead: cython.p_int = scratch.data
    above: cython.p_int = ahead + count
    below: cython.p_int = above + count
    reach: cython.p_int = below + count
    _count_along_x(compact, ahead, above, below, radius + 1)
    _count_reach(reach, radius)
    for span in range(compact.span_count):
        _reach_along_z(compact, ahead, below, reach, span, 3)
    for span in range(compact.span_count - 1, -1, -1):
        _reach_along_z(compact, ahead, above, reach, span, 1)
    for span in range(compact.span_count):
        if above[span] >= 0 or below[span] >= 0:
            compact.area[span] = 0
    return 0
