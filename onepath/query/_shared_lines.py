"""Portals that lie on one line: a corridor that folds back passes the line of a tile side several times over.

Between such portals there is no room, and where one of them ends beyond another a funnel sees both edge-on: it cannot
tell ahead from behind. So they are narrowed beforehand to what a shortest line uses of them: it goes through the
stretch that all share. Where they share none it comes to the end of what the first of them share, goes along the line
to the near end of the next, and no farther.
"""

import cython
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._straight_state import End, FoldScratch, StraightScratch, last_in_row


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def along_side(place: Vector, side: cython.int) -> cython.double:
    return place.x if side & 1 else place.z


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def is_left_of(end: End, other: End, side: cython.int, up: cython.double) -> cython.bint:
    """Whether one image lies to the left of the other's; `up` is 1 or -1, as leftward is up or down the coordinate."""
    return up * along_side(end.image, side) > up * along_side(other.image, side)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def end_of(place: Vector, image: Vector) -> End:
    end: End
    end.place = place
    end.image = image
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def narrow_to(
    scratch: cython.pointer(StraightScratch),
    folds: cython.pointer(FoldScratch),
    first: cython.int,
    last: cython.int,
    right: End,
    left: End,
) -> cython.void:
    i: cython.int
    for i in range(first, last):
        scratch.portals[i].right = right.place
        scratch.portals[i].left = left.place
        folds.unfolded[i].right = right.image
        folds.unfolded[i].left = left.image


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_line(
    scratch: cython.pointer(StraightScratch),
    folds: cython.pointer(FoldScratch),
    first: cython.int,
    last: cython.int,
    side: cython.int,
) -> cython.void:
    """Narrows the portals from `first` to `last` - 1, all on one line."""
    right: End = end_of(scratch.portals[first].right, folds.unfolded[first].right)
    left: End = end_of(scratch.portals[first].left, folds.unfolded[first].left)
    next_right: End
    next_left: End
    begin: cython.int = first
    i: cython.int
    # Leftward is the same way for all of them.
    up: cython.double = 1.0 if along_side(left.image, side) > along_side(right.image, side) else -1.0
    for i in range(first + 1, last):
        next_right = end_of(scratch.portals[i].right, folds.unfolded[i].right)
        next_left = end_of(scratch.portals[i].left, folds.unfolded[i].left)
        if is_left_of(next_right, left, side, up):
            narrow_to(scratch, folds, begin, i, left, left)
            begin = i
            right = next_right
            left = next_right
        elif is_left_of(right, next_left, side, up):
            narrow_to(scratch, folds, begin, i, right, right)
            begin = i
            right = next_left
            left = next_left
        else:
            if is_left_of(next_right, right, side, up):
                right = next_right
            if is_left_of(left, next_left, side, up):
                left = next_left
    narrow_to(scratch, folds, begin, last, right, left)


def share_lines(scratch, folds):
    first: cython.int = 0
    last: cython.int
    while first < folds.count:
        last = last_in_row(folds, first)
        share_line(scratch, folds, folds.folds[first].portal - 1, folds.folds[last].portal + 1, folds.folds[first].side)
        first = last + 1
