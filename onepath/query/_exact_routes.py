"""Routes to the roots of an exact search: which of them may be part of a shortest line, told by walls and by cost."""

import cython
from cython.cimports.onepath.query._exact_bounds import is_dearer, spot_distance, turn
from cython.cimports.onepath.query._exact_state import (
    SIDE_AHEAD,
    SIDE_LEFT,
    SIDE_RIGHT,
    Root,
    Spot,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def may_lie_on_side(
    root: cython.pointer(cython.const[Root]), side: cython.int, before: Spot, wall: Spot, hair: cython.double
) -> cython.bint:
    """Whether a wall ends on a side of the line from `before` to the root, or by a hair not."""
    turned: cython.double = turn(before, root.place, wall)
    if side == SIDE_RIGHT:
        turned = -turned
    if turned >= 0.0:
        return True
    return turned >= -hair * max(spot_distance(before, root.place), spot_distance(root.place, wall))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turns_round_wall(
    root: cython.pointer(cython.const[Root]), side: cython.int, before: Spot, hair: cython.double
) -> cython.bint:
    """Whether a wall lies on that side within half a turn: a line that turns in the open could be cut short.

    Either end of the polygons round the spot may tell: those that reach over each other take up more than a whole turn,
    and then the far wall lies more than half a turn on although the gap is on this side. A line along a wall may come
    from behind it, by a rounding; where the gap is a slit nothing else tells. To keep a route too many does no harm.
    """
    if not root.walls_tell:
        return True
    if side == SIDE_LEFT:
        return may_lie_on_side(root, side, before, root.left_wall, hair) or may_lie_on_side(
            root, side, before, root.right_wall, hair
        )
    return may_lie_on_side(root, side, before, root.right_wall, hair) or may_lie_on_side(
        root, side, before, root.left_wall, hair
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def is_cheap_enough(root: cython.pointer(Root), cost: cython.double) -> cython.bint:
    """Whether no cheaper route is known; a cheaper one than those known voids what they have opened."""
    if root.cost < 0.0:
        return True
    if is_dearer(cost, root.cost):
        return False
    if is_dearer(root.cost, cost):
        root.met[SIDE_LEFT] = False
        root.met[SIDE_RIGHT] = False
        root.met[SIDE_AHEAD] = False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def note_cost(root: cython.pointer(Root), cost: cython.double) -> cython.void:
    if root.cost < 0.0 or cost < root.cost:
        root.cost = cost


def admit_route(exact, number, side, cost, before):
    root: cython.pointer(Root) = exact.roots + number
    if side != SIDE_AHEAD and not turns_round_wall(root, side, before, exact.hair):
        return False
    if not is_cheap_enough(root, cost) or root.met[side]:
        return False
    note_cost(root, cost)
    root.met[side] = True
    return True


def is_outdone(exact, number, cost):
    return is_dearer(cost, exact.roots[number].cost)
