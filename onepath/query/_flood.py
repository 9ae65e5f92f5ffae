"""Least costs from one place to many, in one search (queries document, cost model; Dijkstra 1959).

The nodes and prices are those of the crossing model: a route walks from its start over the middles of edges and portals
and over links. Without an end there is no heuristic: nodes come out by cost, and what comes out is the least that sums
of these legs in their order can be. A search towards one end adds the same legs; where routes tie but for rounding it
may keep another one of them, so its cost agrees to about 1e-15, not always to the bit.
"""

import cython
import numpy
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot, reference_polygon, reference_slot
from cython.cimports.onepath.mesh._surface import squared_distance
from cython.cimports.onepath.query._flood import Goals
from cython.cimports.onepath.query._nodes import MODEL_CROSSING, NODE_OPEN, PathNode, SearchState
from cython.cimports.onepath.query._open_list import pop_open
from cython.cimports.onepath.query._polygon_keys import KEY_BITS, first_key, polygon_key, reference_key
from cython.cimports.onepath.query._query_core import Place
from cython.cimports.onepath.query._search import begin_search, expand

# Nodes that a query object keeps room for between floods.
MOST_KEPT = cython.declare(cython.int, 1 << 18)
NO_LIMIT = cython.declare(cython.int, 0x7FFFFFFF)


# --- Goals ----------------------------------------------------------------------------------------------------------


@cython.cclass
class GoalSet:
    """Internal; not to be made by hand."""

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a GoalSet is made of what queries are asked; it is not made by hand")


def make_goals(listed):
    goal_set: GoalSet = GoalSet.__new__(GoalSet)
    i: cython.int
    refs = numpy.zeros(listed.count + 1, numpy.int64)
    ref: cython.longlong[::1] = refs
    for i in range(listed.count):
        ref[i] = listed.places[i].ref
    found = numpy.flatnonzero(refs)
    keys = refs[found] & KEY_BITS
    ranks = numpy.argsort(keys, kind="stable")
    keys = numpy.append(keys[ranks], 0)  # one more: what is empty has no address
    order = numpy.append(found[ranks], 0).astype(numpy.int64)
    goal_set.costs = numpy.full(listed.count + 1, numpy.inf)
    key: cython.longlong[::1] = keys
    number: cython.longlong[::1] = order
    cost: cython.double[::1] = goal_set.costs
    goal_set.kept = (keys, order, goal_set.costs)
    goal_set.costs = goal_set.costs[: listed.count]
    goal_set.listed = listed
    goal_set.goals.count = len(found)
    goal_set.goals.unfound = goal_set.goals.count
    goal_set.goals.keys = cython.address(key[0])
    goal_set.goals.order = cython.address(number[0])
    goal_set.goals.costs = cython.address(cost[0])
    goal_set.goals.places = listed.places
    goal_set.goals.only_nearest = False
    goal_set.goals.bound = INFINITY
    return goal_set


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_bound(goals: cython.pointer(Goals)) -> cython.void:
    """Once every goal is reached no route can matter that costs more than the dearest of them; or than the cheapest."""
    i: cython.int
    cost: cython.double
    goals.bound = INFINITY if goals.only_nearest else 0.0
    for i in range(goals.count):
        cost = goals.costs[goals.order[i]]
        if cost < goals.bound if goals.only_nearest else cost > goals.bound:
            goals.bound = cost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach_goals(goals: cython.pointer(Goals), node: cython.pointer(PathNode), rate: cython.double) -> cython.void:
    """Offers the goals in the node's polygon the route to it and a last leg."""
    key: cython.longlong = polygon_key(node.slot, node.polygon)
    place: cython.int = first_key(goals.keys, goals.count, key)
    goal: cython.longlong
    cost: cython.double
    before: cython.double
    while place < goals.count and goals.keys[place] == key:
        goal = goals.order[place]
        place += 1
        cost = node.cost + sqrt(squared_distance(node.position, goals.places[goal].position)) * rate
        before = goals.costs[goal]
        if not cost < before:
            continue
        goals.costs[goal] = cost
        if before == INFINITY:
            goals.unfound -= 1
        if goals.only_nearest:
            if cost < goals.bound:
                goals.bound = cost
        elif goals.unfound == 0 and (before == INFINITY or before == goals.bound):
            set_bound(goals)


# --- The flood --------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def run_flood(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    goals: cython.pointer(Goals),
    max_cost: cython.double,
) -> cython.int:
    """Expands nodes by their cost: 0, or -1 without memory."""
    node: cython.pointer(PathNode)
    tile: cython.pointer(cython.const[TileSlot])
    index: cython.int
    while search.open.count > 0:
        index = pop_open(cython.address(search.open))
        node = search.nodes + index
        if (node.state & NODE_OPEN) == 0:
            continue
        if node.cost > max_cost or (goals != cython.NULL and node.cost > goals.bound):
            return 0
        if goals != cython.NULL:
            tile = mesh.slots + node.slot
            reach_goals(goals, node, table.costs[tile.areas[node.polygon]])
        if expand(search, mesh, table, index) != 0:
            return -1
    return 0


def shrink_search(search):
    if search.node_capacity > MOST_KEPT:
        free(search.nodes)
        search.nodes = cython.NULL
        search.node_capacity = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def flood_from(
    search: cython.pointer(SearchState),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
    start: cython.pointer(cython.const[Place]),
    goals: cython.pointer(Goals),
    max_cost: cython.double,
) -> cython.int:
    """A whole flood, for a table whose minimum cost is 0: 0, or -1 without memory."""
    model: cython.int = search.model
    limit: cython.int = search.max_nodes
    code: cython.int
    search.model = MODEL_CROSSING
    search.max_nodes = NO_LIMIT
    search.max_cost = max_cost
    code = begin_search(
        search,
        mesh,
        table,
        reference_slot(start.ref),
        reference_polygon(start.ref),
        start.position,
        -1,
        -1,
        start.position,
    )
    if code == 0:
        code = run_flood(search, mesh, table, goals, max_cost)
    search.model = model
    search.max_nodes = limit
    return code


def flood(query, filter, start, goals, max_cost):
    table: FilterTable = filter.table
    # No heuristic; and a copy, so that a filter's own table stays as it is.
    table.minimum_cost = 0.0
    if (
        flood_from(
            cython.address(query.search),
            cython.address(query.mesh.state),
            cython.address(table),
            start,
            goals,
            max_cost,
        )
        != 0
    ):
        raise MemoryError("no memory for a flood")
    return 0


def cost_between(search, mesh, table, start, end, max_cost, cost):
    goals: Goals
    key: cython.longlong = reference_key(end.ref)
    order: cython.longlong = 0
    cost[0] = INFINITY
    goals.count = 1
    goals.unfound = 1
    goals.keys = cython.address(key)
    goals.order = cython.address(order)
    goals.places = end
    goals.costs = cost
    goals.only_nearest = True
    goals.bound = INFINITY
    if flood_from(search, mesh, table, start, cython.address(goals), max_cost) != 0:
        return -1
    if cost[0] > max_cost:
        cost[0] = INFINITY
    return 0
