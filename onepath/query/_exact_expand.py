"""What follows from a node of an exact search: the windows, fans and rooms that its polygon opens (after Polyanya).

A window passes what it sees on through every exit that it sees (observable successors). Where it reaches an end of the
portal it came through, and exits lie beyond, lines may turn there: a fan (non-observable successors). A fan goes round
its corner from polygon to polygon and opens windows to one side of the line that came. An exit seen edge-on lies on a
line itself: lines reach what is behind it over its nearer end alone.
"""

import cython
from cython.cimports.onepath.query._exact_bounds import (
    Bounds,
    beyond_left,
    beyond_right,
    lies_between,
    mirrored,
    node_bounds,
    progress,
    same_spot,
    spot_distance,
    turn,
)
from cython.cimports.onepath.query._exact_nodes import (
    add_corner,
    add_end,
    add_fan,
    add_room,
    add_window,
    cost_to,
)
from cython.cimports.onepath.query._exact_roots import ROOT_NO_MEMORY, new_root
from cython.cimports.onepath.query._exact_state import (
    NODE_FAN,
    NODE_ROOM,
    NODE_WINDOW,
    ROOT_UNKNOWN,
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
def leads_back(exact: cython.pointer(ExactSearch), index: cython.int, way: cython.pointer(Exit)) -> cython.bint:
    """Whether an exit leads to the polygon that the node came from: both are convex, so no line goes back there."""
    origin: cython.int = exact.nodes[index].origin
    return origin >= 0 and (exact.polygons[origin].polygon == way.polygon and exact.polygons[origin].slot == way.slot)


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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_edge_on(
    work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int, always: cython.bint
) -> cython.int:
    """Over the nearer end of an exit that is seen edge-on."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    end: cython.int = SIDE_LEFT
    if spot_distance(node.root, way.right) < spot_distance(node.root, way.left):
        end = SIDE_RIGHT
    return add_corner(work, index, exit, end, always, node.cost, node.root, end)


# --- Windows ------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def look_through(
    work: cython.pointer(cython.const[ExactWork]),
    index: cython.int,
    exit: cython.int,
    bounds: cython.pointer(cython.const[Bounds]),
    cuts_right: cython.bint,
    cuts_left: cython.bint,
) -> cython.void:
    """The window through an exit, bounded by its ends or, where these are out of sight, as the node's is."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    narrowed: Bounds = bounds[0]
    limits: ExactNode
    limits.root = node.root
    limits.before = node.before
    limits.left = node.left
    limits.right = node.right
    if not cuts_left:
        limits.left = way.left
        narrowed.left_from = node.root
        narrowed.left_to = way.left
    if not cuts_right:
        limits.right = way.right
        narrowed.right_from = node.root
        narrowed.right_to = way.right
    add_window(work, index, exit, node.cost, node.number, cython.address(narrowed), cython.address(limits))


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
    limits: ExactNode
    # Who turns round has what was on the left on the right.
    right_out: cython.double = beyond_left(bounds, way.right)
    left_out: cython.double = beyond_right(bounds, way.left)
    if right_out > 0.0:
        needs[SIDE_LEFT] = True
    if left_out < 0.0:
        needs[SIDE_RIGHT] = True
    if beyond_left(bounds, way.left) >= 0.0 or beyond_right(bounds, way.right) <= 0.0:
        return
    limits.root = mirrored(node.root, way.side, way.right)
    limits.before = mirrored(node.before, way.side, way.right)
    limits.right = way.right if right_out <= 0.0 else mirrored(node.left, way.side, way.right)
    limits.left = way.left if left_out >= 0.0 else mirrored(node.right, way.side, way.right)
    images = node_bounds(cython.address(limits))
    add_window(work, index, exit, node.cost, node.number, cython.address(images), cython.address(limits))


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
            if cuts_left >= 0.0:
                return 0
        # What is seen from behind is a fault of an outline whose corners are rounded inward.
        return pass_edge_on(work, index, exit, cuts_left < 0.0)
    left_out = beyond_right(bounds, way.left)
    if left_out <= 0.0:
        cuts_right = beyond_right(bounds, way.right)
        if left_out < 0.0 or cuts_right < 0.0:
            needs[SIDE_RIGHT] = True
            if cuts_right <= 0.0:
                return 0
        return pass_edge_on(work, index, exit, cuts_right > 0.0)
    if turn(way.right, way.left, bounds.root) <= 0.0:
        return pass_edge_on(work, index, exit, True)
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
        elif look_at(work, index, exit, cython.address(bounds), needs) != 0:
            return -1
    if (
        needs[SIDE_LEFT]
        and beyond_left(cython.address(bounds), work.exact.exits[node.exit].left) <= 0.0
        and add_corner(work, index, node.exit, SIDE_LEFT, False, node.cost, node.root, SIDE_LEFT) != 0
    ):
        return -1
    if needs[SIDE_RIGHT] and beyond_right(cython.address(bounds), work.exact.exits[node.exit].right) >= 0.0:
        return add_corner(work, index, node.exit, SIDE_RIGHT, False, node.cost, node.root, SIDE_RIGHT)
    return 0


# --- Fans ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def goes_on_round(node: cython.pointer(ExactNode), far: Spot) -> cython.bint:
    """Whether a fan has not turned by more than half a circle when it comes to the exit from its root to `far`."""
    turned: cython.double = turn(node.before, node.root, far)
    if turned == 0.0:
        return progress(node.before, node.root, far) > 0.0 or same_spot(node.before, node.root)
    return turned > 0.0 if node.side == SIDE_LEFT else turned < 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_from(work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int) -> cython.void:
    """The window from a fan's root through an exit across the polygon, as far as it lies on the fan's side."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    right: cython.double = turn(node.before, node.root, way.right)
    left: cython.double = turn(node.before, node.root, way.left)
    bounds: Bounds
    limits: ExactNode
    limits.root = node.root
    limits.before = node.before
    limits.left = way.left
    limits.right = way.right
    if not same_spot(node.before, node.root):
        if node.side == SIDE_LEFT:
            if right <= 0.0 and left <= 0.0:
                return
            if right < 0.0:
                limits.right = node.root
        else:
            if right >= 0.0 and left >= 0.0:
                return
            if left > 0.0:
                limits.left = node.root
    bounds = node_bounds(cython.address(limits))
    add_window(work, index, exit, node.cost, node.number, cython.address(bounds), cython.address(limits))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fan_out(work: cython.pointer(cython.const[ExactWork]), index: cython.int, exit: cython.int) -> cython.int:
    """What a fan makes of an exit."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    way: cython.pointer(Exit) = work.exact.exits + exit
    facing: cython.double
    image: Spot
    if same_spot(way.left if node.side == SIDE_LEFT else way.right, node.root):
        if goes_on_round(node, way.right if node.side == SIDE_LEFT else way.left):
            add_fan(work, index, exit, True, node.cost, node.number, node.root, node.before, node.side)
        return 0
    if folds(work.exact, index, way) and lies_between(way.right, way.left, node.root):
        # What lies behind the line by which the fan came is on the same side of it as the route: seen in the mirror.
        if not was_at_line(work.exact, index, way):
            image = mirrored(node.before, way.side, node.root)
            add_fan(work, index, exit, True, node.cost, node.number, node.root, image, 1 - node.side)
        return 0
    if same_spot(way.left, node.root) or same_spot(way.right, node.root):
        # The way round to the other side.
        return 0
    facing = turn(way.right, way.left, node.root)
    if facing > 0.0:
        open_from(work, index, exit)
        return 0
    if lies_between(way.right, way.left, node.root):
        add_fan(work, index, exit, True, node.cost, node.number, node.root, node.before, node.side)
        return 0
    return pass_edge_on(work, index, exit, facing < 0.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_fan(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    record: ExactPolygon = work.exact.polygons[work.exact.nodes[index].record]
    exit: cython.int
    for exit in range(record.first, record.links):
        if leads_back(work.exact, index, work.exact.exits + exit):
            continue
        if fan_out(work, index, exit) != 0:
            return -1
    return 0


# --- Rooms --------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def was_entered(exact: cython.pointer(ExactSearch), index: cython.int, way: cython.pointer(Exit)) -> cython.bint:
    """Whether the rooms that led to this one from the same root include the polygon behind an exit."""
    number: cython.int = exact.nodes[index].number
    record: cython.pointer(ExactPolygon)
    while index >= 0 and exact.nodes[index].kind == NODE_ROOM and exact.nodes[index].number == number:
        record = exact.polygons + exact.nodes[index].record
        if record.polygon == way.polygon and record.slot == way.slot:
            return True
        index = exact.nodes[index].parent
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_room(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    """From a root in the polygon: where it lies on an exit, what is behind that is a room as well."""
    node: cython.pointer(ExactNode) = work.exact.nodes + index
    record: ExactPolygon = work.exact.polygons[node.record]
    way: cython.pointer(Exit)
    facing: cython.double
    limits: ExactNode = node[0]
    exit: cython.int
    # Both bounds of every window are the exit's own.
    limits.left = node.root
    limits.right = node.root
    bounds: Bounds = node_bounds(cython.address(limits))
    for exit in range(record.first, record.links):
        way = work.exact.exits + exit
        facing = turn(way.right, way.left, node.root)
        if facing > 0.0:
            if not leads_back(work.exact, index, way):
                look_through(work, index, exit, cython.address(bounds), False, False)
        elif lies_between(way.right, way.left, node.root):
            if not was_entered(work.exact, index, way):
                add_room(work, index, exit, node.cost, node.number, node.root)
        elif pass_edge_on(work, index, exit, facing < 0.0) != 0:
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
