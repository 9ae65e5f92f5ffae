# Least costs from one place to many: the crossing model's search without an end.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._filter cimport QueryFilter
from onepath.query._nodes cimport SearchState
from onepath.query._places cimport PlaceList
from onepath.query._query_core cimport Place, QueryCore


cdef struct Goals:
    # Places on the mesh, sought by their polygons.
    int count                # of those that are on it
    int unfound              # those that no route has reached yet
    const long long* keys    # (count) polygon keys, ascending
    const long long* order   # (count) the number of the place of each key
    const Place* places
    double* costs            # by number of the place, infinite where there is no route
    bint only_nearest        # whether the cheapest is all that is wanted
    double bound             # routes that cost more bring nothing new


cdef class GoalSet:
    cdef Goals goals
    cdef PlaceList listed
    cdef readonly object costs   # (n,) float64
    cdef tuple kept


# Of places that have been put on the mesh; those without a ref are never reached.
cdef GoalSet make_goals(PlaceList listed)

# Fills goals.costs from a place on the mesh, or with goals NULL expands all that costs at most max_cost, and leaves the
# nodes in query.search. The mesh has been entered.
cdef int flood(QueryCore query, QueryFilter filter, const Place* start, Goals* goals, double max_cost) except -1

# The cost from one place on the mesh to another, infinite beyond max_cost: 0, or -1 without memory. The table is a copy
# whose minimum cost is 0: there is no heuristic.
cdef int cost_between(
    SearchState* search, const MeshState* mesh, const FilterTable* table, const Place* start, const Place* end,
    double max_cost, double* cost
) noexcept nogil

# Lets go of the nodes of a large flood.
cdef void shrink_search(SearchState* search) noexcept nogil
