# The path search over polygons or crossings (queries document, path search).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, TileSlot
from onepath.mesh._surface cimport Vector
from onepath.query._nodes cimport SearchState

# What a search has come to; NO_MEMORY abandons it.
cdef enum:
    SEARCH_NO_MEMORY = -1
    SEARCH_RUNNING = 0
    SEARCH_FOUND = 1
    SEARCH_EXHAUSTED = 2


# 0, or -1 where there is no memory. An end_slot of -1 means that the end lies on no polygon: a search towards it.
cdef int begin_search(
    SearchState* search, const MeshState* mesh, const FilterTable* table,
    int start_slot, int start_polygon, Vector start, int end_slot, int end_polygon, Vector end,
) noexcept nogil

# Whether a search that paused may go on after commits: 1 where the tiles that it read are as they were, 0 where one is not,
# -1 where there is no memory. Ends that were snapped are for the owner to snap again.
cdef int search_stands(SearchState* search, const MeshState* mesh) noexcept nogil

# Expands one node, which has left the open list: 0, or -1 where there is no memory.
cdef int expand(SearchState* search, const MeshState* mesh, const FilterTable* table, int index) noexcept nogil

# At most `budget` expansions further: one of the outcomes.
cdef int run_search(
    SearchState* search, const MeshState* mesh, const FilterTable* table, long long budget
) noexcept nogil

cdef void free_search(SearchState* search) noexcept nogil

# Remembers the sides of the tile on which the polygon ends at a missing tile: 0, or -1 where there is no memory.
cdef int note_frontier(SearchState* search, const TileSlot* tile, int slot, int polygon) noexcept nogil
