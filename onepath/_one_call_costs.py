"""The one-call forms of NavMesh about what ways cost: distance, distances, nearest_of, reachable_within."""

import cython
import numpy
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._filter_table import FilterTable
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._flood import GoalSet, cost_between, flood, make_goals, shrink_search
from cython.cimports.onepath.query._inputs import read_length, read_limit
from cython.cimports.onepath.query._places import PlaceList, read_places
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import Place, chosen_filter, read_place
from cython.cimports.onepath.query._reach import make_area, make_nearest_goal, make_nowhere

from onepath.mesh.navmesh import NavMesh


@cython.cfunc
def flooded(
    mesh: MeshCore, start: object, listed: PlaceList, filter: object, max_cost: cython.double, only_nearest: cython.bint
) -> GoalSet:
    """The goals with what it costs to reach them."""
    place: Place
    goal: cython.pointer(Place)
    found: GoalSet
    i: cython.int
    query: NavMeshQuery = borrowed_query(mesh)
    try:
        used: QueryFilter = chosen_filter(filter_for(mesh, filter), mesh)
        read_place(start, "start", cython.address(place))
        query.enter(used)
        try:
            for i in range(listed.count):
                goal = listed.places + i
                if query.locate(goal, cython.address(used.table), False) == 0:
                    goal.ref = 0
            found = make_goals(listed)
            found.goals.only_nearest = only_nearest
            if found.goals.count > 0 and query.locate(cython.address(place), cython.address(used.table), True) != 0:
                flood(query, used, cython.address(place), cython.address(found.goals), max_cost)
                shrink_search(cython.address(query.search))
        finally:
            query.leave()
    finally:
        give_back(query)
    found.costs[found.costs > max_cost] = numpy.inf
    return found


def distances(self: MeshCore, start: object, points: object, filter: object = None, *, max_cost: object = None):
    """What it costs to go from one position to each of many, in one search.

    The costs are those of the crossing model (`NodeModel.CROSSING`): the least over routes that cross edges and portals
    in their middles, links priced as always, areas as the filter says. Where every area costs 1 they are metres, a
    little more than the shortest line where that cuts corners.

    Args:
        start: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint.
        points: (n, 3) floats, or a list of positions and NavPoints, or one of them, snapped likewise.
        filter: a QueryFilter; None is the mesh's `default_filter`.
        max_cost: how far to look, 0 or more; None looks everywhere.

    Returns:
        (n,) float64, infinite where no route of at most `max_cost` leads, or an end is not on the mesh.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    limit: cython.double = read_limit(max_cost, "max_cost")
    return flooded(self, start, read_places(points, "points"), filter, limit, False).costs


def distance(self: MeshCore, start: object, end: object, filter: object = None, *, max_cost: object = None) -> float:
    """What it costs to go from one position to another, as `distances` says of many: the same to the bit.

    Args, Raises: as for `distances`.

    Returns:
        The cost, infinite where no route leads.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (8, 0, 0), (8, 0, 4)]
    >>> NavMesh.from_polygons(corners, [[0, 1, 2, 3], [1, 4, 5, 2]]).distance((1, 0, 2), (7, 0, 2))
    6.0
    """
    limit: cython.double = read_limit(max_cost, "max_cost")
    first: Place
    last: Place
    table: FilterTable
    cost: cython.double = INFINITY
    query: NavMeshQuery = borrowed_query(self)
    try:
        used: QueryFilter = chosen_filter(filter_for(self, filter), self)
        read_place(start, "start", cython.address(first))
        read_place(end, "end", cython.address(last))
        query.enter(used)
        try:
            if (
                query.locate(cython.address(first), cython.address(used.table), True) != 0
                and query.locate(cython.address(last), cython.address(used.table), False) != 0
            ):
                table = used.table
                table.minimum_cost = 0.0  # no heuristic
                if (
                    cost_between(
                        cython.address(query.search),
                        cython.address(self.state),
                        cython.address(table),
                        cython.address(first),
                        cython.address(last),
                        limit,
                        cython.address(cost),
                    )
                    != 0
                ):
                    raise MemoryError("no memory for a flood")
                shrink_search(cython.address(query.search))
        finally:
            query.leave()
    finally:
        give_back(query)
    return cost


def nearest_of(self: MeshCore, start: object, goals: object, filter: object = None, *, max_cost: object = None):
    """Which of several goals costs least to reach from a position; the search ends with the first.

    Args:
        goals: as the points of `distances`; the others likewise.

    Returns:
        A NearestGoal, false where none can be reached: `index` and `distance`.

    Raises: as `distances` does.
    """
    limit: cython.double = read_limit(max_cost, "max_cost")
    costs = flooded(self, start, read_places(goals, "goals"), filter, limit, True).costs
    if len(costs) == 0 or costs.min() == numpy.inf:
        return make_nearest_goal(-1, INFINITY)
    return make_nearest_goal(costs.argmin(), costs.min())


def reachable_within(self: MeshCore, start: object, max_cost: object, filter: object = None):
    """The polygons that can be entered from a position at no more than a cost, and the border of what can be reached.

    Args:
        start: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint.
        max_cost: 0 or more, of the crossing model as for `distances`; metres where areas cost 1.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        A ReachableArea: `polygons`, `costs`, `border`. False where the start is not on the mesh.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    place: Place
    limit: cython.double = read_length(max_cost, "max_cost")
    query: NavMeshQuery = borrowed_query(self)
    try:
        used: QueryFilter = chosen_filter(filter_for(self, filter), self)
        read_place(start, "start", cython.address(place))
        query.enter(used)
        try:
            if query.locate(cython.address(place), cython.address(used.table), True) == 0:
                return make_nowhere(limit)
            flood(query, used, cython.address(place), cython.NULL, limit)
            area = make_area(self, cython.address(used.table), cython.address(query.search), limit)
            shrink_search(cython.address(query.search))
            return area
        finally:
            query.leave()
    finally:
        give_back(query)


NavMesh.distance = distance
NavMesh.distances = distances
NavMesh.nearest_of = nearest_of
NavMesh.reachable_within = reachable_within
