# The exact path search (after Polyanya). It shares a query object's SearchState with the other models: outcome, iterations,
# limits, frontiers, open list and tiles read mean the same; nodes are its own.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport CorridorBuffer
from onepath.query._exact_prices cimport ExactPrices
from onepath.query._exact_state cimport ExactSearch
from onepath.query._nodes cimport SearchState

# 0, or -1 where there is no memory.
cdef int begin_exact(
    ExactSearch* exact, SearchState* search, const MeshState* mesh, const FilterTable* table, const ExactPrices* prices,
    int start_slot, int start_polygon, Vector start, int end_slot, int end_polygon, Vector end,
) noexcept nogil

cdef void free_exact_search(ExactSearch* exact) noexcept nogil

# At most `budget` expansions further: one of the outcomes of a search.
cdef int run_exact(
    ExactSearch* exact, SearchState* search, const MeshState* mesh, const FilterTable* table, long long budget
) noexcept nogil

# The corridor to the end, or to the polygon expanded whose nearest point to the end is least, and the cost of the route: 0,
# or -1 where there is no memory. The search may go on afterwards.
cdef int collect_exact(
    ExactSearch* exact, SearchState* search, const MeshState* mesh, CorridorBuffer* corridor, double* cost
) noexcept nogil
