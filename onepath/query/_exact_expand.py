"""What follows from a node of an exact search: the windows, fans and rooms that its polygon opens (after Polyanya).

A window passes what it sees on through every exit that it sees (observable successors). Where it reaches an end of the
portal it came through, and exits lie beyond, lines may turn there: a fan (non-observable successors). A fan goes round
its corner from polygon to polygon and opens windows to one side of the line that came, or, where no wall makes it turn,
ahead. An exit seen edge-on lies on a line itself: lines reach what is behind it over its nearer end alone.
"""

import cython
from cython.cimports.onepath.query._exact_bent import (
    beside_ahead,
    go_to_ends,
    go_to_seen_ends_along,
    is_close_to,
    lies_along,
    look_aslant,
)
from cython.cimports.onepath.query._exact_bounds import (
    Bounds,
    are_close,
    beyond_left,
    beyond_right,
    lies_between,
    mirrored,
    node_bounds,
    progress,
    same_spot,
    turn,
)
from cython.cimports.onepath.query._exact_nodes import (
    add_corner,
    add_end,
    add_fan,
    add_room,
    add_window,
    blank_window,
    cost_to,
    leads_back,
    look_through,
    pass_edge_on,
)
from cython.cimports.onepath.query._exact_rooms import expand_room
from cython.cimports.onepath.query._exact_roots import ROOT_NO_MEMORY, new_root
from cython.cimports.onepath.query._exact_state import (
    NODE_FAN,
    NODE_WINDOW,
    ROOT_UNKNOWN,
    SIDE_AHEAD,
    SIDE_LEFT,
    SIDE_RIGHT,
    ExactNode,
    ExactPolygon,
    ExactSearch,
    ExactWork,
    Exit,
    Spot,
)

# --- Exits in general ---------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def folds(exact: cython.pointer(ExactSearch), index: cython.int, way: cython.pointer(Exit)) -> cython.bint:
    """Whether an exit lies on the tile side over which the node came: lines through it are reflected there."""
    entry: cython.int = exact.nodes[index].exit
    return way.side >= 0 and entry >= 0 and exact.exits[entry].side == way.side ^ 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def on_one_line(a: cython.pointer(Exit), b: cython.pointer(Exit)) -> cython.bint:
    if a.side < 0 or (a.side ^ b.side) & 1:
        return False
    return a.right.z == b.right.z if a.side & 1 else a.right.x == b.right.x


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def was_at_line(exact: cython.pointer(ExactSearch), index: cython.int, way: cython.pointer(Exit)) -> cython.bint:
    """Whether the polygon behind an exit is one of those through which the node came to and fro over the exit's line.

    Four polygons that join in a ring over one stretch would reflect a window round and round.
    """
    record: cython.pointer(ExactPolygon)
    while index >= 0:
        record = exact.polygons + exact.nodes[index].record
        if record.polygon == way.polygon and record.slot == way.slot:
            return True
        if exact.nodes[index].crosses and not on_one_line(exact.exits + exact.nodes[index].exit, way):
            return False
        index = exact.nodes[index].parent
    return False


# --- Windows ------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reflect(
    work: cython.pointer(cython.const[ExactWork]),
    index: cython.int,
    exit: cython.int,
    bounds: cython.pointer(cython.const[Bounds]),
    needs: cython.p_bint,
) -> cython.void:
    """The window through an exit on the line by which the node came in, seen in the mirror of that line."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    images: Bounds
    window: ExactNode = blank_window(work.exact, index, exit)
    work.exact.repeats = True
    # Who turns round has what was on the left on the right.
    right_out: cython.double = beyond_left(bounds, way.right)
    left_out: cython.double = beyond_right(bounds, way.left)
    if right_out > 0.0:
        needs[SIDE_LEFT] = True
    if left_out < 0.0:
        needs[SIDE_RIGHT] = True
    if beyond_left(bounds, way.left) >= 0.0 or beyond_right(bounds, way.right) <= 0.0:
        return
    window.root = mirrored(node.root, way.side, way.right)
    window.before = mirrored(node.before, way.side, way.right)
    window.right = way.right if right_out <= 0.0 else mirrored(node.left, way.side, way.right)
    window.left = way.left if left_out >= 0.0 else mirrored(node.right, way.side, way.right)
    images = node_bounds(cython.address(window))
    add_window(work, cython.address(window), cython.address(images))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def look_at(
    work: cython.pointer(cython.const[ExactWork]),
    index: cython.int,
    exit: cython.int,
    bounds: cython.pointer(cython.const[Bounds]),
    needs: cython.p_bint,
) -> cython.int:
    """What a window sees of an exit: passes it on, and notes on which sides parts of it are out of sight."""
    way: cython.pointer(Exit) = work.exact.exits + exit
    right_out: cython.double = beyond_left(bounds, way.right)
    left_out: cython.double
    cuts_right: cython.double
    cuts_left: cython.double
    if right_out >= 0.0:
        cuts_left = beyond_left(bounds, way.left)
        if right_out > 0.0 or cuts_left > 0.0:
            needs[SIDE_LEFT] = True
            return 0
        return pass_edge_on(work, index, exit)
    left_out = beyond_right(bounds, way.left)
    if left_out <= 0.0:
        cuts_right = beyond_right(bounds, way.right)
        if left_out < 0.0 or cuts_right < 0.0:
            needs[SIDE_RIGHT] = True
            return 0
        return pass_edge_on(work, index, exit)
    cuts_left = beyond_left(bounds, way.left)
    cuts_right = beyond_right(bounds, way.right)
    if cuts_left > 0.0:
        needs[SIDE_LEFT] = True
    if cuts_right < 0.0:
        needs[SIDE_RIGHT] = True
    look_through(work, index, exit, bounds, cuts_right < 0.0, cuts_left > 0.0)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_window(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    # Nodes do not move during an expansion; exits and records may.
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    record: ExactPolygon = work.exact.polygons[node.record]
    bounds: Bounds = node_bounds(node)
    needs: cython.bint[2]
    exit: cython.int
    needs[SIDE_LEFT] = False
    needs[SIDE_RIGHT] = False
    for exit in range(record.first, record.links):
        if leads_back(work.exact, index, work.exact.exits + exit):
            continue
        if folds(work.exact, index, work.exact.exits + exit):
            if was_at_line(work.exact, index, work.exact.exits + exit):
                continue
            reflect(work, index, exit, cython.address(bounds), needs)
        elif record.bent:
            look_aslant(work, index, exit, cython.address(bounds), needs)
        elif look_at(work, index, exit, cython.address(bounds), needs) != 0:
            return -1
    if record.bent and go_to_seen_ends_along(work, index, cython.address(bounds)) != 0:
        return -1
    if (
        needs[SIDE_LEFT]
        and beyond_left(cython.address(bounds), work.exact.exits[node.exit].left) <= 0.0
        and add_corner(work, index, node.exit, SIDE_LEFT, node.cost, node.root, SIDE_LEFT) != 0
    ):
        return -1
    if needs[SIDE_RIGHT] and beyond_right(cython.address(bounds), work.exact.exits[node.exit].right) >= 0.0:
        return add_corner(work, index, node.exit, SIDE_RIGHT, node.cost, node.root, SIDE_RIGHT)
    return 0


# --- Fans ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def is_loose(node: cython.pointer(ExactNode), record: cython.pointer(ExactPolygon)) -> cython.bint:
    """Whether what a fan opens is bounded by a line a little beside the one that came, and not by that line."""
    # Where an outline is bent, or no wall makes lines turn, a rounding decides on which side of the line a corner lies.
    return record.bent or node.side == SIDE_AHEAD


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_past_half_turn(node: cython.pointer(ExactNode), far: Spot) -> cython.bint:
    """Whether a fan has turned by half a circle or more when it comes to the exit from its root to `far`."""
    turned: cython.double = turn(node.before, node.root, far)
    if turned == 0.0:
        return progress(node.before, node.root, far) < 0.0
    return turned < 0.0 if node.side == SIDE_LEFT else turned > 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def go_on_round(
    work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int, far: Spot
) -> cython.void:
    """The fan behind an exit from its root to `far`.

    Floors that go round a corner over each other take up more than a whole turn; a fan that has turned by half a circle
    opens to all that lies farther round.
    """
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    before: Spot = node.root if is_past_half_turn(node, far) else node.before
    add_fan(work, index, exit, True, node.cost, node.number, node.root, before, node.side)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_turned(exact: cython.pointer(ExactSearch), node: cython.pointer(ExactNode)) -> cython.bint:
    """Whether all of a fan's polygon lies farther round than straight on."""
    way: cython.pointer(Exit)
    turned: cython.double
    if not node.crosses:
        return False
    way = exact.exits + node.exit
    turned = turn(node.before, node.root, way.right if node.side == SIDE_LEFT else way.left)
    return turned > 0.0 if node.side == SIDE_LEFT else turned < 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_to_side(
    work: cython.pointer(cython.const[ExactWork]),
    node: cython.pointer(ExactNode),
    way: cython.pointer(Exit),
    side: cython.int,
    loose: cython.bint,
    window: cython.pointer(ExactNode),
) -> cython.bint:
    """Bounds a window from a fan's root to one side; whether anything is left of it."""
    # The line that came itself is meant by its root.
    bound: Spot = beside_ahead(node.before, node.root, 1 - side) if loose else node.root
    origin: Spot = node.root if loose else node.before
    sign: cython.double = 1.0 if side == SIDE_LEFT else -1.0
    near: Spot = way.right if side == SIDE_LEFT else way.left
    near_inside: cython.double = sign * turn(origin, bound, near)
    far_inside: cython.double = sign * turn(origin, bound, way.left if side == SIDE_LEFT else way.right)
    if sign * turn(node.before, node.root, near) > 0.0:
        # The exit begins on this side, ahead or behind. A fan that only goes ahead does not go back.
        return node.side == side or far_inside > 0.0
    if near_inside <= 0.0 and far_inside <= 0.0:
        return node.side == side and has_turned(work.exact, node)
    if near_inside < 0.0 and side == SIDE_LEFT:
        window.right = bound
    elif near_inside < 0.0:
        window.left = bound
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_from(
    work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int, loose: cython.bint
) -> cython.void:
    """The window from a fan's root through an exit across the polygon, as far as it lies on the fan's side."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    # A rounding may turn a short line into any direction.
    anywhere: cython.bint = same_spot(node.before, node.root) or (
        loose and (are_close(node.before, node.root, work.exact.hair) or is_close_to(work.exact, node.root, way))
    )
    side: cython.int
    bounds: Bounds
    window: ExactNode = blank_window(work.exact, index, exit)
    window.left = way.left
    window.right = way.right
    if not anywhere:
        # A fan that goes ahead is cut to both sides.
        for side in range(2):
            if node.side != 1 - side and not cut_to_side(work, node, way, side, loose, cython.address(window)):
                return
    bounds = node_bounds(cython.address(window))
    add_window(work, cython.address(window), cython.address(bounds))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def ends_at(way: cython.pointer(Exit), spot: Spot) -> cython.bint:
    return same_spot(way.left, spot) or same_spot(way.right, spot)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fan_out(
    work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int, loose: cython.bint
) -> cython.int:
    """What a fan makes of an exit."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    side: cython.int = node.side
    image: Spot
    if side == SIDE_AHEAD:
        # No wall is in the way on either side.
        if ends_at(way, node.root):
            add_fan(work, index, exit, True, node.cost, node.number, node.root, node.before, side)
            return 0
    elif same_spot(way.left if side == SIDE_LEFT else way.right, node.root):
        go_on_round(work, index, exit, way.right if side == SIDE_LEFT else way.left)
        return 0
    if folds(work.exact, index, way) and lies_between(way.right, way.left, node.root):
        # What lies behind the line by which the fan came is on the same side of it as the route: seen in the mirror.
        if not was_at_line(work.exact, index, way):
            work.exact.repeats = True
            image = mirrored(node.before, way.side, node.root)
            side = side if side == SIDE_AHEAD else 1 - side
            add_fan(work, index, exit, True, node.cost, node.number, node.root, image, side)
        return 0
    if ends_at(way, node.root):
        # The way round to the other side.
        return 0
    if turn(way.right, way.left, node.root) > 0.0:
        open_from(work, index, exit, loose)
        return go_to_ends(work, index, exit) if loose and lies_along(work.exact, node.root, way) else 0
    if lies_between(way.right, way.left, node.root):
        add_fan(work, index, exit, True, node.cost, node.number, node.root, node.before, side)
        return 0
    if loose:
        return go_to_ends(work, index, exit)
    return pass_edge_on(work, index, exit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_fan(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    record: ExactPolygon = work.exact.polygons[node.record]
    loose: cython.bint = is_loose(node, cython.address(record))
    exit: cython.int
    for exit in range(record.first, record.links):
        if leads_back(work.exact, index, work.exact.exits + exit) and not (
            loose and ends_at(work.exact.exits + exit, node.root)
        ):
            continue
        if fan_out(work, index, exit, loose) != 0:
            return -1
    return 0


# --- Links and all ------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cross_links(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    """The off-mesh links that leave the polygon: each opens a room at its far end, for the cheapest route to it."""
    exact: cython.pointer(ExactSearch) = work.exact
    node: cython.pointer(ExactNode) = exact.nodes + index
    record: ExactPolygon = exact.polygons[node.record]
    way: cython.pointer(Exit)
    cost: cython.double
    exit: cython.int
    for exit in range(record.links, record.end):
        way = exact.exits + exit
        cost = cost_to(work, node, way.right) + way.price
        if way.right_root == ROOT_UNKNOWN:
            way.right_root = new_root(exact, way.left)
            if way.right_root == ROOT_NO_MEMORY:
                return -1
        elif not cost < exact.roots[way.right_root].cost:
            continue
        exact.roots[way.right_root].cost = cost
        add_room(work, index, exit, cost, way.right_root, way.left)
    return 0


def expand_exact(work, index):
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    record: ExactPolygon = work.exact.polygons[node.record]
    code: cython.int
    if record.polygon == work.exact.end_polygon and record.slot == work.exact.end_slot:
        add_end(work, index)
    if node.kind == NODE_WINDOW:
        code = expand_window(work, index)
    elif node.kind == NODE_FAN:
        code = expand_fan(work, index)
    else:
        code = expand_room(work, index)
    if code == 0 and record.end > record.links:
        return cross_links(work, index)
    return code
