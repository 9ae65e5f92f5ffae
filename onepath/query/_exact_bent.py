"""Outlines that rounding has bent: what an exact search makes of a polygon that is a hair from convex.

Exact signs say of corners that should lie on one line that this one is seen and that one hidden, as chance has it.
All else they tell rightly. So a polygon is crossed as if it were convex, and where an exit lies along a line of sight,
the lines to its ends are followed as well, whatever the signs say of the exit: to either side round the end of a wall,
straight ahead where there is none. Ahead is more than a rounding can shift a corner by: to see too much does no harm.

In straight outlines too the lines to an exit's ends are followed: from rooms whose root a rounding has put behind it,
and where a fan goes on ahead.
"""

import cython
from cython.cimports.onepath.query._exact_bounds import (
    SLOPE,
    are_close,
    beyond_left,
    beyond_right,
    leads_on,
    lies_between,
    same_spot,
    spot_distance,
    turn,
)
from cython.cimports.onepath.query._exact_nodes import add_end_of_exit, look_through
from cython.cimports.onepath.query._exact_state import (
    SIDE_LEFT,
    SIDE_RIGHT,
    ExactPolygon,
    Exit,
    Spot,
)

# --- Along a line -------------------------------------------------------------------------------------------------


def lies_along(exact, root, way):
    return leads_on(root, way.right, way.left, exact.hair) or leads_on(root, way.left, way.right, exact.hair)


def is_close_to(exact, spot, way):
    if are_close(spot, way.right, exact.hair) or are_close(spot, way.left, exact.hair):
        return True
    if not lies_between(way.right, way.left, spot):
        return False
    return SLOPE * abs(turn(way.right, way.left, spot)) <= exact.hair * spot_distance(way.right, way.left)


def beside_ahead(before, root, side):
    ahead_x: cython.double = root.x - before.x
    ahead_z: cython.double = root.z - before.z
    aside: cython.double = SLOPE if side == SIDE_LEFT else -SLOPE
    spot: Spot
    spot.x = root.x + ahead_x + aside * ahead_z
    spot.z = root.z + ahead_z - aside * ahead_x
    return spot


# --- What is seen -------------------------------------------------------------------------------------------------


def look_aslant(work, index, exit, bounds, needs):
    """What a window sees of an exit of a bent outline.

    Its corners may lie behind the root of a view of nearly half a circle, so each end is compared with its own bound
    first; where a bound cuts the exit, the end on the other side must be in sight of that bound.
    """
    way: cython.pointer(Exit) = work.exact.exits + exit
    cuts_right: cython.bint = beyond_right(bounds, way.right) < 0.0
    cuts_left: cython.bint = beyond_left(bounds, way.left) > 0.0
    if cuts_left or beyond_left(bounds, way.right) > 0.0:
        needs[SIDE_LEFT] = True
    if cuts_right or beyond_right(bounds, way.left) < 0.0:
        needs[SIDE_RIGHT] = True
    if turn(way.right, way.left, bounds.root) <= 0.0:
        return
    if cuts_left and beyond_left(bounds, way.right) >= 0.0:
        return
    if cuts_right and beyond_right(bounds, way.left) <= 0.0:
        return
    look_through(work, index, exit, bounds, cuts_right, cuts_left)


def go_to_ends(work, index, exit):
    root: Spot = work.exact.nodes[index].root
    if not same_spot(root, work.exact.exits[exit].right) and add_end_of_exit(work, index, exit, SIDE_RIGHT) != 0:
        return -1
    if same_spot(root, work.exact.exits[exit].left):
        return 0
    return add_end_of_exit(work, index, exit, SIDE_LEFT)


def go_to_seen_ends_along(work, index, bounds):
    record: ExactPolygon = work.exact.polygons[work.exact.nodes[index].record]
    exit: cython.int
    end: cython.int
    place: Spot
    for exit in range(record.first, record.links):
        if not lies_along(work.exact, bounds.root, work.exact.exits + exit):
            continue
        for end in range(2):
            place = work.exact.exits[exit].left if end == SIDE_LEFT else work.exact.exits[exit].right
            if beyond_left(bounds, place) > 0.0 or beyond_right(bounds, place) < 0.0:
                continue
            if add_end_of_exit(work, index, exit, end) != 0:
                return -1
    return 0
