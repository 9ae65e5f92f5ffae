# Where what can be reached for a cost ends.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._nodes cimport SearchState

# The border of what a flood's nodes reach for max_cost, (m, 2, 3). The mesh has been entered.
cdef object reached_border(
    const MeshState* mesh, const FilterTable* table, const SearchState* search, double max_cost
)
