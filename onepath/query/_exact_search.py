"""The exact path search: the shortest line over the whole mesh (after Polyanya: Cui, Harabor, Grastien 2017).

A search over windows: the part of a portal that is seen in straight lines from a root, a corner at which the line
turned last. Nodes come off the open list by the least cost of a route through them; the first that is the end itself is
the answer. Signs are exact, so that no window is lost or invented where points lie in a row.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot, polygon_reference
from cython.cimports.onepath.mesh._surface import Vector, closest_point, squared_distance
from cython.cimports.onepath.mesh._tiles_read import begin_tiles_read, note_tile_read
from cython.cimports.onepath.query._buffers import reserve_corridor
from cython.cimports.onepath.query._corridor import lasting_crossing, remove_loops
from cython.cimports.onepath.query._exact_bounds import spot_distance
from cython.cimports.onepath.query._exact_exits import polygon_record, record_behind
from cython.cimports.onepath.query._exact_expand import expand_exact
from cython.cimports.onepath.query._exact_nodes import blank_node, cost_to
from cython.cimports.onepath.query._exact_reach import (
    REACH_COMPLETE,
    REACH_END,
    REACH_NO_MEMORY,
    REACH_UNKNOWN,
    aim_at_nearest,
    free_reach,
    spread_reach,
)
from cython.cimports.onepath.query._exact_roots import begin_roots, new_root
from cython.cimports.onepath.query._exact_routes import is_outdone
from cython.cimports.onepath.query._exact_state import (
    NODE_ROOM,
    ROOT_UNKNOWN,
    ExactNode,
    ExactPolygon,
    ExactSearch,
    ExactWork,
    Spot,
    free_exact,
    reserve_exact,
)
from cython.cimports.onepath.query._node_tables import begin_tables
from cython.cimports.onepath.query._nodes import SearchState
from cython.cimports.onepath.query._open_list import pop_open, push_open, reserve_open
from cython.cimports.onepath.query._search import (
    SEARCH_EXHAUSTED,
    SEARCH_FOUND,
    SEARCH_NO_MEMORY,
    SEARCH_RUNNING,
    note_frontier,
)

# Expansions before the flood begins, which short searches do without, and the polygons it meets for each further one.
FIRST_LOOK = cython.declare(cython.longlong, 8)
LOOK_AHEAD = cython.declare(cython.int, 12)
# Of a tile's size: twice what an outline may deviate from a convex one.
HAIR = cython.declare(cython.double, 2.0**-19)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def make_work(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
) -> ExactWork:
    work: ExactWork
    work.exact = exact
    work.search = search
    work.mesh = mesh
    work.table = table
    return work


# --- Beginning ----------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def spot_on(
    mesh: cython.pointer(cython.const[MeshState]), slot: cython.int, polygon: cython.int, place: Vector
) -> Spot:
    """A place moved onto its polygon, as the straight path does."""
    over: cython.bint = False
    spot: Spot
    place = closest_point(mesh.slots + slot, polygon, place, cython.address(over))
    spot.x = place.x
    spot.z = place.z
    return spot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_search(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
) -> cython.int:
    search.outcome = SEARCH_RUNNING
    search.node_count = 0
    search.tables.frontier_count = 0
    search.open.count = 0
    search.open.sequence = 0
    search.terminal = -1
    search.closest = -1
    search.closest_distance = INFINITY
    search.node_limit_reached = False
    search.cost_limit_reached = False
    search.iterations = 0
    exact.exit_count = 0
    exact.polygon_count = 0
    exact.reach_state = REACH_UNKNOWN
    exact.arrived = False
    exact.repeats = False
    if begin_tiles_read(cython.address(search.reads), mesh) != 0:
        return -1
    return begin_tables(cython.address(search.tables), mesh.slot_count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_start(work: cython.pointer(cython.const[ExactWork])) -> cython.int:
    """The first node, in the first polygon listed: 0, or -1 where there is no memory."""
    exact: cython.pointer(ExactSearch) = work.exact
    search: cython.pointer(SearchState) = work.search
    node: cython.pointer(ExactNode)
    exact.put_off = -1
    exact.put_off_last = -1
    search.terminal = -1
    search.open.count = 0
    if begin_roots(exact) != 0 or new_root(exact, exact.start) < 0:
        return -1
    if reserve_exact(exact, 1, 0, search.max_nodes) != 0 or reserve_open(cython.address(search.open), 1) != 0:
        return -1
    exact.roots[0].cost = 0.0
    node = exact.nodes
    node[0] = blank_node(exact, -1, -1, 0)
    node.kind = NODE_ROOM
    node.total = exact.scale * spot_distance(exact.start, exact.end)
    node.root = exact.start
    node.before = exact.start
    node.crosses = False
    node.record = 0
    search.node_count = 1
    push_open(cython.address(search.open), node.total, 0)
    return 0


def begin_exact(exact, search, mesh, table, prices, start_slot, start_polygon, start, end_slot, end_polygon, end):
    work: ExactWork = make_work(exact, search, mesh, table)
    if clear_search(exact, search, mesh) != 0:
        return -1
    search.end = end
    search.end_slot = end_slot
    search.end_polygon = end_polygon
    exact.rate = prices.rate
    exact.scale = prices.scale
    exact.hair = HAIR * mesh.tile_size
    exact.end.x = end.x
    exact.end.z = end.z
    exact.end_slot = end_slot
    exact.end_polygon = end_polygon
    if end_slot >= 0:
        exact.end = spot_on(mesh, end_slot, end_polygon, end)
        note_tile_read(cython.address(search.reads), end_slot)
    exact.start = spot_on(mesh, start_slot, start_polygon, start)
    if polygon_record(cython.address(work), start_slot, start_polygon) < 0:
        return -1
    return open_start(cython.address(work))


def free_exact_search(exact):
    free_reach(exact)
    free_exact(exact)


# --- The search ---------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand_node(work: cython.pointer(cython.const[ExactWork]), index: cython.int) -> cython.int:
    """Makes room, says which polygon the node is in, and notes it as expanded."""
    exact: cython.pointer(ExactSearch) = work.exact
    search: cython.pointer(SearchState) = work.search
    record: cython.int = exact.nodes[index].record
    polygon: cython.pointer(ExactPolygon)
    tile: cython.pointer(cython.const[TileSlot])
    most: cython.int
    if record < 0:
        record = record_behind(work, exact.nodes[index].exit)
        if record < 0:
            return -1
        exact.nodes[index].record = record
    polygon = exact.polygons + record
    # An exit gives one node at most, and two for each end where lines to its ends are followed too: in a bent outline,
    # before a fan that goes on ahead, seen from behind; the ends of a window give two more, and the route's end one
    most = 5 * (polygon.end - polygon.first) + 3
    if reserve_exact(exact, most, search.node_count, search.max_nodes) != 0:
        return -1
    if reserve_open(cython.address(search.open), most) != 0:
        return -1
    exact.nodes[index].order = cython.cast(cython.int, search.iterations)
    search.iterations += 1
    if polygon.expanded < 0:
        polygon.expanded = exact.nodes[index].order
        tile = work.mesh.slots + polygon.slot
        if tile.frontier_sides != 0 and note_frontier(search, tile, polygon.slot, polygon.polygon) != 0:
            return -1
    return expand_exact(work, index)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_put_off(exact: cython.pointer(ExactSearch), search: cython.pointer(SearchState)) -> cython.int:
    """Puts what was put off on the open list: 1 where there was anything, -1 where there is no memory."""
    index: cython.int = exact.put_off
    if index < 0:
        return 0
    while index >= 0:
        if reserve_open(cython.address(search.open), 1) != 0:
            return -1
        push_open(cython.address(search.open), exact.nodes[index].total, index)
        index = exact.nodes[index].next
    exact.put_off = -1
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_ahead(work: cython.pointer(cython.const[ExactWork])) -> cython.int:
    """Spreads the flood; once it shows that the end is out of reach, begins again towards the nearest place.

    0, or -1 where there is no memory. Where costs or nodes have a limit that counts, what lies within it is the answer.
    """
    exact: cython.pointer(ExactSearch) = work.exact
    search: cython.pointer(SearchState) = work.search
    code: cython.int
    place: cython.int
    if exact.reach_state >= REACH_END or search.iterations < FIRST_LOOK or search.terminal >= 0:
        return 0
    if search.max_cost < INFINITY:
        return 0
    code = spread_reach(work, LOOK_AHEAD)
    if code == REACH_NO_MEMORY:
        return -1
    if code != REACH_COMPLETE or search.node_limit_reached:
        return 0
    aim_at_nearest(work)
    for place in range(exact.exit_count):
        exact.exits[place].right_root = ROOT_UNKNOWN
        exact.exits[place].left_root = ROOT_UNKNOWN
        exact.exits[place].last_crossed = -1
    for place in range(exact.polygon_count):
        exact.polygons[place].expanded = -1
    return open_start(work)


def run_exact(exact, search, mesh, table, budget):
    work: ExactWork = make_work(exact, search, mesh, table)
    index: cython.int
    code: cython.int
    while search.outcome == SEARCH_RUNNING and budget > 0:
        if search.open.count == 0:
            code = open_put_off(exact, search)
            if code < 0:
                search.outcome = SEARCH_NO_MEMORY
            elif code == 0:
                search.outcome = SEARCH_EXHAUSTED
            continue
        index = pop_open(cython.address(search.open))
        if index == search.terminal:
            exact.arrived = True
            search.outcome = SEARCH_EXHAUSTED if exact.reach_state == REACH_COMPLETE else SEARCH_FOUND
            break
        if is_outdone(exact, exact.nodes[index].number, exact.nodes[index].cost):
            continue
        budget -= 1
        if expand_node(cython.address(work), index) != 0 or look_ahead(cython.address(work)) != 0:
            search.outcome = SEARCH_NO_MEMORY
    return search.outcome


# --- What it came to ----------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def nearest_record(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    spot: cython.pointer(Spot),
) -> cython.int:
    """The expanded polygon whose nearest point to the end is least, the earliest of equal ones, and that point."""
    polygon: cython.pointer(ExactPolygon)
    point: Vector
    over: cython.bint = False
    nearest: cython.int = -1
    distance: cython.double
    least: cython.double = INFINITY
    record: cython.int
    for record in range(exact.polygon_count):
        polygon = exact.polygons + record
        if polygon.expanded < 0:
            continue
        point = closest_point(mesh.slots + polygon.slot, polygon.polygon, search.end, cython.address(over))
        distance = squared_distance(point, search.end)
        if distance < least or (distance == least and polygon.expanded < exact.polygons[nearest].expanded):
            least = distance
            nearest = record
            spot.x = point.x
            spot.z = point.z
    return nearest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def nearest_node(
    exact: cython.pointer(ExactSearch),
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    cost: cython.p_double,
) -> cython.int:
    """Of the nodes expanded in the polygon nearest to the end the one with the cheapest route to its nearest point."""
    work: ExactWork = make_work(exact, search, mesh, cython.NULL)
    spot: Spot = exact.end
    record: cython.int = nearest_record(exact, search, mesh, cython.address(spot))
    best: cython.int = 0
    index: cython.int
    price: cython.double
    cost[0] = 0.0
    if record < 0:
        return 0
    cost[0] = INFINITY
    for index in range(search.node_count):
        if exact.nodes[index].order < 0 or exact.nodes[index].record != record:
            continue
        price = cost_to(cython.address(work), exact.nodes + index, spot)
        if price < cost[0] or (price == cost[0] and exact.nodes[index].order < exact.nodes[best].order):
            cost[0] = price
            best = index
    return best


def collect_exact(exact, search, mesh, corridor, cost):
    polygon: cython.pointer(ExactPolygon)
    node: cython.int
    count: cython.int = 1
    index: cython.int
    if exact.arrived:
        cost[0] = exact.nodes[search.terminal].cost
        node = exact.nodes[search.terminal].parent
    else:
        node = nearest_node(exact, search, mesh, cost)
    index = node
    while index >= 0:
        count += exact.nodes[index].crosses
        index = exact.nodes[index].parent
    if reserve_corridor(corridor, count) != 0:
        return -1
    corridor.count = count
    while node >= 0:
        polygon = exact.polygons + exact.nodes[node].record
        corridor.polygons[count - 1] = polygon_reference(mesh, polygon.slot, polygon.polygon)
        if exact.nodes[node].crosses:
            count -= 1
            polygon = exact.polygons + exact.nodes[exact.nodes[node].parent].record
            corridor.crossings[count - 1] = lasting_crossing(
                mesh.slots + polygon.slot, polygon.polygon, exact.exits[exact.nodes[node].exit].crossing
            )
        node = exact.nodes[node].parent
    return remove_loops(search, corridor)
