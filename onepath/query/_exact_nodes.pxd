# How the nodes of an exact search come about: each is priced, checked against what is known, and put on the open list.

from onepath.mesh._mesh cimport TileSlot
from onepath.query._exact_bounds cimport Bounds, is_dearer, least_length, length_through, node_bounds, same_spot, spot_distance, turn
from onepath.query._exact_roots cimport ROOT_NO_MEMORY, admit_route, corner_root, root_without_walls
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


cdef inline bint sees_as_far_left(const ExactNode* known, const ExactNode* wanted, const Exit* way) noexcept nogil:
    # Of two windows with one root through one exit.
    if same_spot(known.left, way.left):
        return True
    if not same_spot(wanted.left, wanted.root):
        if same_spot(known.left, known.root):
            return turn(known.before, known.root, wanted.left) <= 0.0
        return turn(known.root, known.left, wanted.left) <= 0.0
    if same_spot(known.left, known.root):
        return turn(wanted.before, wanted.root, known.before) <= 0.0
    return turn(wanted.before, wanted.root, known.left) >= 0.0


cdef inline bint sees_as_far_right(const ExactNode* known, const ExactNode* wanted, const Exit* way) noexcept nogil:
    if same_spot(known.right, way.right):
        return True
    if not same_spot(wanted.right, wanted.root):
        if same_spot(known.right, known.root):
            return turn(known.before, known.root, wanted.right) >= 0.0
        return turn(known.root, known.right, wanted.right) >= 0.0
    if same_spot(known.right, known.root):
        return turn(wanted.before, wanted.root, known.before) >= 0.0
    return turn(wanted.before, wanted.root, known.right) <= 0.0


cdef inline bint opens_as_much(const ExactNode* known, const ExactNode* wanted, const Exit* way) noexcept nogil:
    # Whether a node that has crossed an exit leads to all that another would lead to, and as cheaply: it has the same root
    # or image of one, and sees as much.
    if known.kind != wanted.kind or not same_spot(known.root, wanted.root):
        return False
    if is_dearer(known.cost, wanted.cost):
        return False
    if wanted.kind == NODE_WINDOW:
        return sees_as_far_left(known, wanted, way) and sees_as_far_right(known, wanted, way)
    return wanted.kind == NODE_ROOM or (known.side == wanted.side and same_spot(known.before, wanted.before))


cdef inline bint is_known(const ExactWork* work, const ExactNode* wanted) noexcept nogil:
    # Floors over each other lead to one exit in many orders, and fans in bent outlines open more than their side, so that what
    # they see overlaps: without this, all of it would be searched again and again.
    cdef const Exit* way = work.exact.exits + wanted.exit
    cdef int index = way.last_crossed
    while index >= 0:
        if opens_as_much(work.exact.nodes + index, wanted, way):
            return True
        index = work.exact.nodes[index].crossed_before
    return False


cdef inline ExactNode* add_node(const ExactWork* work, ExactNode* wanted) noexcept nogil:
    # A new node, behind an exit of its parent's polygon (-1: in that polygon); NULL where it cannot lead to anything better,
    # or the node limit drops it. The caller has made room, and given what its kind needs.
    cdef SearchState* search = work.search
    cdef ExactNode* node
    # Rounding may lift a total above the cost that the route comes to; whether that is too much is asked at its end. Ends of
    # windows are rounded where they lie, to half a nanometre far from the origin.
    if wanted.total > search.max_cost * (1.0 + 1e-12) + 1e-8 * work.exact.rate:
        search.cost_limit_reached = True
        return NULL
    if search.terminal >= 0 and wanted.total >= work.exact.nodes[search.terminal].total:
        return NULL
    wanted.crossed_before = -1
    if wanted.exit >= 0:
        wanted.crossed_before = work.exact.exits[wanted.exit].last_crossed
        if wanted.crossed_before >= 0 and (
            was_crossed(work.exact, wanted.parent, wanted.exit, wanted.number)
            or (work.exact.repeats and is_known(work, wanted))
        ):
            return NULL
    if search.node_count >= search.max_nodes:
        search.node_limit_reached = True
        return NULL
    wanted.crosses = True
    wanted.record = -1
    wanted.origin = work.exact.nodes[wanted.parent].record
    wanted.order = -1
    node = work.exact.nodes + search.node_count
    node[0] = wanted[0]
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


cdef inline void add_window(
    const ExactWork* work, int parent, int exit, double cost, int number, const Bounds* bounds, ExactNode* limits
) noexcept nogil:
    # Lines from a root through the part of an exit that `bounds` leave; `limits` has them as nodes keep them.
    cdef const Exit* way = work.exact.exits + exit
    cdef ExactNode* node
    limits.kind = NODE_WINDOW
    limits.parent = parent
    limits.exit = exit
    limits.number = number
    limits.cost = cost
    limits.total = cost + work.exact.scale * least_length(bounds, way, work.exact.end)
    node = add_node(work, limits)
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


cdef inline void place_root(
    const ExactWork* work, ExactNode* node, int parent, int exit, double cost, int number, Spot root, Spot before
) noexcept nogil:
    # What fans and rooms have in common.
    node.parent = parent
    node.exit = exit
    node.cost = cost
    node.total = cost + work.exact.scale * spot_distance(root, work.exact.end)
    node.number = number
    node.root = root
    node.before = before


cdef inline void add_fan(
    const ExactWork* work, int parent, int exit, bint crosses, double cost, int number, Spot root, Spot before, int side
) noexcept nogil:
    # All that opens at a corner, seen from the polygon behind the exit where that is crossed, else from the parent's.
    cdef ExactNode fan
    cdef ExactNode* node
    fan.kind = NODE_FAN
    fan.side = side
    place_root(work, &fan, parent, exit, cost, number, root, before)
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
    cdef ExactNode room
    cdef ExactNode* node
    room.kind = NODE_ROOM
    place_root(work, &room, parent, exit, cost, number, root, root)
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
    cdef ExactNode limits
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
    add_window(work, index, exit, node.cost, node.number, &narrowed, &limits)


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
        end.kind = NODE_END
        end.parent = parent
        end.exit = -1
        end.number = -1
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
