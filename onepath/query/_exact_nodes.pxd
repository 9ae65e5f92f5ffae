# How the nodes of an exact search come about: each is priced, checked against what is known, and put on the open list.

from libc.string cimport memset

from onepath.mesh._mesh cimport TileSlot
from onepath.query._exact_bounds cimport (
    Bounds,
    beyond_left,
    beyond_right,
    is_dearer,
    least_length,
    length_through,
    node_bounds,
    same_spot,
    spot_distance,
)
from onepath.query._exact_roots cimport ROOT_NO_MEMORY, corner_root, root_without_walls
from onepath.query._exact_routes cimport admit_route
from onepath.query._exact_state cimport (
    CORNER_CONVEX,
    CORNER_STRAIGHT,
    NODE_END,
    NODE_FAN,
    NODE_ROOM,
    NODE_WINDOW,
    ROOT_NONE,
    SIDE_AHEAD,
    SIDE_LEFT,
    SIDE_RIGHT,
    ExactNode,
    ExactSearch,
    ExactWork,
    Exit,
    Spot,
)
from onepath.query._nodes cimport SearchState
from onepath.query._open_list cimport push_open


cdef inline bint was_crossed(const ExactSearch* exact, int index, int exit, int number) noexcept nogil:
    # Whether the route to a node has crossed an exit since its root. Straight lines do not come back, but slivers of polygons
    # whose corners are rounded inward can lie in a ring.
    while index >= 0 and exact.nodes[index].number == number:
        if exact.nodes[index].exit == exit and exact.nodes[index].crosses:
            return True
        index = exact.nodes[index].parent
    return False


cdef inline bint sees_as_far_left(const Bounds* known, const Bounds* wanted, const Exit* way) noexcept nogil:
    # Of two windows with one root through one exit. A bound that is the line to the root has no spot ahead of it: such a line
    # is asked about the other's bound, and of two of them one about where the other comes from, which is behind the root.
    if same_spot(known.left_to, way.left):
        return True
    if not same_spot(wanted.left_to, wanted.root):
        return beyond_left(known, wanted.left_to) <= 0.0
    if not same_spot(known.left_to, known.root):
        return beyond_left(wanted, known.left_to) >= 0.0
    return beyond_left(wanted, known.left_from) <= 0.0


cdef inline bint sees_as_far_right(const Bounds* known, const Bounds* wanted, const Exit* way) noexcept nogil:
    if same_spot(known.right_to, way.right):
        return True
    if not same_spot(wanted.right_to, wanted.root):
        return beyond_right(known, wanted.right_to) >= 0.0
    if not same_spot(known.right_to, known.root):
        return beyond_right(wanted, known.right_to) <= 0.0
    return beyond_right(wanted, known.right_from) >= 0.0


cdef inline bint opens_as_much(
    const ExactNode* known, const ExactNode* wanted, const Bounds* wanted_bounds, const Exit* way
) noexcept nogil:
    # Whether a node that has crossed an exit leads to all that another would lead to, and as cheaply: it has the same root
    # or image of one, and sees as much.
    cdef Bounds known_bounds
    if known.kind != wanted.kind or not same_spot(known.root, wanted.root):
        return False
    if is_dearer(known.cost, wanted.cost):
        return False
    if wanted.kind == NODE_WINDOW:
        known_bounds = node_bounds(known)
        return sees_as_far_left(&known_bounds, wanted_bounds, way) and sees_as_far_right(&known_bounds, wanted_bounds, way)
    return wanted.kind == NODE_ROOM or (known.side == wanted.side and same_spot(known.before, wanted.before))


cdef inline bint is_known(const ExactWork* work, const ExactNode* wanted) noexcept nogil:
    # Floors over each other lead to one exit in many orders, and fans in bent outlines open more than their side, so that what
    # they see overlaps: without this, all of it would be searched again and again.
    cdef const Exit* way = work.exact.exits + wanted.exit
    cdef Bounds bounds = node_bounds(wanted)
    cdef int index = way.last_crossed
    while index >= 0:
        if opens_as_much(work.exact.nodes + index, wanted, &bounds, way):
            return True
        index = work.exact.nodes[index].crossed_before
    return False


cdef inline ExactNode blank_node(const ExactSearch* exact, int parent, int exit, int number) noexcept nogil:
    # A node behind an exit of its parent's polygon (-1: in that polygon), to which the caller gives what its kind needs.
    cdef ExactNode node
    memset(&node, 0, sizeof(ExactNode))
    node.parent = parent
    node.exit = exit
    node.number = number
    node.crosses = True
    node.record = -1
    node.origin = exact.nodes[parent].record if parent >= 0 else -1
    node.order = -1
    node.next = -1
    node.crossed_before = -1
    return node


cdef inline ExactNode* add_node(const ExactWork* work, const ExactNode* wanted) noexcept nogil:
    # Keeps a node; NULL where it cannot lead to anything better, or the node limit drops it. The caller has made room.
    cdef SearchState* search = work.search
    cdef ExactNode* node
    cdef int crossed_before = -1
    # Rounding may lift a total above the cost that the route comes to; whether that is too much is asked at its end. Ends of
    # windows are rounded where they lie, to half a nanometre far from the origin.
    if wanted.total > search.max_cost * (1.0 + 1e-12) + 1e-8 * work.exact.rate:
        search.cost_limit_reached = True
        return NULL
    if search.terminal >= 0 and wanted.total >= work.exact.nodes[search.terminal].total:
        return NULL
    if wanted.exit >= 0:
        crossed_before = work.exact.exits[wanted.exit].last_crossed
        if crossed_before >= 0 and (
            was_crossed(work.exact, wanted.parent, wanted.exit, wanted.number)
            or (work.exact.repeats and is_known(work, wanted))
        ):
            return NULL
    if search.node_count >= search.max_nodes:
        search.node_limit_reached = True
        return NULL
    node = work.exact.nodes + search.node_count
    node[0] = wanted[0]
    node.crossed_before = crossed_before
    if wanted.exit >= 0:
        work.exact.exits[wanted.exit].last_crossed = search.node_count
    search.node_count += 1
    return node


cdef inline void open_node(const ExactWork* work, const ExactNode* node) noexcept nogil:
    push_open(&work.search.open, node.total, <int>(node - work.exact.nodes))


cdef inline bint is_dead_end(const ExactWork* work, const Exit* way) noexcept nogil:
    # Whether nothing leads out of the polygon behind an exit but the way back, and the end is not in it.
    cdef const TileSlot* tile = work.mesh.slots + way.slot
    cdef int ways = tile.link_first[way.polygon + 1] - tile.link_first[way.polygon]
    cdef int edge
    if ways > 1 or (way.polygon == work.exact.end_polygon and way.slot == work.exact.end_slot):
        return False
    if tile.off_mesh_first != NULL and tile.off_mesh_first[way.polygon + 1] > tile.off_mesh_first[way.polygon]:
        return False
    for edge in range(tile.polygon_first[way.polygon], tile.polygon_first[way.polygon + 1]):
        ways += tile.neighbours[edge] >= 0
        if ways > 1:
            return False
    return True


cdef inline void put_off(const ExactWork* work, ExactNode* node) noexcept nogil:
    # A node that counts only if the end is not found: for what lies nearest to it, and for frontiers.
    cdef int index = <int>(node - work.exact.nodes)
    node.next = -1
    if work.exact.put_off < 0:
        work.exact.put_off = index
    else:
        work.exact.nodes[work.exact.put_off_last].next = index
    work.exact.put_off_last = index


cdef inline ExactNode blank_window(const ExactSearch* exact, int parent, int exit) noexcept nogil:
    # Lines from the parent's root through an exit, to which the caller gives bounds.
    cdef const ExactNode* node = exact.nodes + parent
    cdef ExactNode window = blank_node(exact, parent, exit, node.number)
    window.kind = NODE_WINDOW
    window.cost = node.cost
    window.root = node.root
    window.before = node.before
    return window


cdef inline void add_window(const ExactWork* work, ExactNode* window, const Bounds* bounds) noexcept nogil:
    # Prices a window, whose bounds are given twice, and keeps it.
    cdef const Exit* way = work.exact.exits + window.exit
    cdef ExactNode* node
    window.total = window.cost + work.exact.scale * least_length(bounds, way, work.exact.end)
    node = add_node(work, window)
    if node == NULL:
        return
    if is_dead_end(work, way):
        put_off(work, node)
    else:
        open_node(work, node)


cdef inline void stay_in_polygon(ExactNode* node, const ExactNode* parent) noexcept nogil:
    node.crosses = False
    node.exit = parent.exit
    node.record = parent.record
    node.origin = parent.origin


cdef inline void place_root(const ExactWork* work, ExactNode* node, double cost, Spot root, Spot before) noexcept nogil:
    # What fans and rooms have in common.
    node.cost = cost
    node.total = cost + work.exact.scale * spot_distance(root, work.exact.end)
    node.root = root
    node.before = before


cdef inline void add_fan(
    const ExactWork* work, int parent, int exit, bint crosses, double cost, int number, Spot root, Spot before, int side
) noexcept nogil:
    # All that opens at a corner, seen from the polygon behind the exit where that is crossed, else from the parent's.
    cdef ExactNode fan = blank_node(work.exact, parent, exit, number)
    cdef ExactNode* node
    fan.kind = NODE_FAN
    fan.side = side
    place_root(work, &fan, cost, root, before)
    node = add_node(work, &fan)
    if node == NULL:
        return
    if not crosses:
        stay_in_polygon(node, work.exact.nodes + parent)
    open_node(work, node)


cdef inline int add_corner(
    const ExactWork* work, int parent, int exit, int end, double cost, Spot root, int side
) noexcept nogil:
    # The route from a root to an end of an exit, to turn there: 0, or -1 where there is no memory. The exit is one of the
    # parent's polygon, or that by which it was entered.
    cdef Spot place = work.exact.exits[exit].right if end else work.exact.exits[exit].left
    cdef int number = corner_root(work, exit, end)
    if number < 0:
        return -1 if number == ROOT_NO_MEMORY else 0
    cost = cost + work.exact.rate * spot_distance(root, place)
    if admit_route(work.exact, number, side, cost, root):
        add_fan(work, parent, -1, False, cost, number, place, root, side)
    return 0


cdef inline void add_room(const ExactWork* work, int parent, int exit, double cost, int number, Spot root) noexcept nogil:
    # A root in the polygon behind the exit, or on its outline.
    cdef ExactNode room = blank_node(work.exact, parent, exit, number)
    cdef ExactNode* node
    room.kind = NODE_ROOM
    place_root(work, &room, cost, root, root)
    node = add_node(work, &room)
    if node == NULL:
        return
    if work.exact.exits[exit].crossing.edge < 0:
        # A link may well lead round to the polygon that it left.
        node.origin = -1
    open_node(work, node)


cdef inline void turn_at(const ExactWork* work, int parent, int number, Spot place, int side) noexcept nogil:
    # The straight route from the parent's root to another, to turn to a side there.
    cdef const ExactNode* node = work.exact.nodes + parent
    cdef double cost = node.cost + work.exact.rate * spot_distance(node.root, place)
    if admit_route(work.exact, number, side, cost, node.root):
        add_fan(work, parent, -1, False, cost, number, place, node.root, side)


cdef inline int add_end_of_exit(const ExactWork* work, int parent, int exit, int end) noexcept nogil:
    # The straight route from the parent's root to an end of an exit of its polygon, to turn to either side there, or where no
    # wall ends to go on: 0, or -1 where there is no memory.
    cdef Spot place = work.exact.exits[exit].right if end else work.exact.exits[exit].left
    cdef int number = corner_root(work, exit, end)
    cdef int corner
    if number == ROOT_NONE:
        number = root_without_walls(work, work.exact.nodes[parent].record, place)
        if number < 0:
            return -1
        turn_at(work, parent, number, place, SIDE_AHEAD)
        return 0
    if number < 0:
        return -1
    corner = work.exact.roots[number].corner
    if corner == CORNER_STRAIGHT:
        turn_at(work, parent, number, place, SIDE_AHEAD)
    elif corner != CORNER_CONVEX:
        turn_at(work, parent, number, place, SIDE_LEFT)
        turn_at(work, parent, number, place, SIDE_RIGHT)
    return 0


cdef inline bint leads_back(const ExactSearch* exact, int index, const Exit* way) noexcept nogil:
    # Whether an exit leads to the polygon that the node came from: both are convex, so no line goes back there.
    cdef int origin = exact.nodes[index].origin
    return origin >= 0 and exact.polygons[origin].polygon == way.polygon and exact.polygons[origin].slot == way.slot


cdef inline int pass_edge_on(const ExactWork* work, int index, int exit) noexcept nogil:
    # Over the nearer end of an exit that is seen edge-on.
    cdef const ExactNode* node = work.exact.nodes + index
    cdef const Exit* way = work.exact.exits + exit
    cdef int end = SIDE_LEFT
    if spot_distance(node.root, way.right) < spot_distance(node.root, way.left):
        end = SIDE_RIGHT
    return add_corner(work, index, exit, end, node.cost, node.root, end)


cdef inline void look_through(
    const ExactWork* work, int index, int exit, const Bounds* bounds, bint cuts_right, bint cuts_left
) noexcept nogil:
    # The window through an exit, bounded by its ends or, where these are out of sight, as the node's is.
    cdef const ExactNode* node = work.exact.nodes + index
    cdef const Exit* way = work.exact.exits + exit
    cdef Bounds narrowed = bounds[0]
    cdef ExactNode window = blank_window(work.exact, index, exit)
    window.left = node.left
    window.right = node.right
    if not cuts_left:
        window.left = way.left
        narrowed.left_from = node.root
        narrowed.left_to = way.left
    if not cuts_right:
        window.right = way.right
        narrowed.right_from = node.root
        narrowed.right_to = way.right
    add_window(work, &window, &narrowed)


cdef inline double cost_to(const ExactWork* work, const ExactNode* node, Spot place) noexcept nogil:
    # Of the route that goes on from a node to a spot of its polygon.
    cdef Bounds bounds
    if node.kind != NODE_WINDOW:
        return node.cost + work.exact.rate * spot_distance(node.root, place)
    bounds = node_bounds(node)
    return node.cost + work.exact.rate * length_through(&bounds, work.exact.exits + node.exit, place)


cdef inline void add_end(const ExactWork* work, int parent) noexcept nogil:
    # The end, in the parent's polygon; one node stands for it, with the cheapest route so far.
    cdef SearchState* search = work.search
    cdef double cost = cost_to(work, work.exact.nodes + parent, work.exact.end)
    cdef ExactNode end
    cdef ExactNode* node
    if cost > search.max_cost:
        search.cost_limit_reached = True
        return
    if search.terminal < 0:
        end = blank_node(work.exact, parent, -1, -1)
        end.kind = NODE_END
        end.total = cost
        node = add_node(work, &end)
        if node == NULL:
            return
        search.terminal = <int>(node - work.exact.nodes)
    elif cost < work.exact.nodes[search.terminal].cost:
        node = work.exact.nodes + search.terminal
    else:
        return
    node.parent = parent
    node.cost = cost
    node.total = cost
    open_node(work, node)
