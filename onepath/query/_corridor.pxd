from onepath.mesh._mesh cimport MeshState, TileSlot
from onepath.query._buffers cimport CorridorBuffer, Crossing
from onepath.query._node_tables cimport NodeTables
from onepath.query._nodes cimport SearchState

# The corridor to the end, or to the expanded node nearest to it, and the cost of the route before loops are removed:
# 0, or -1 where there is no memory. The search may go on afterwards.
cdef int collect_corridor(
    SearchState* search, const MeshState* mesh, CorridorBuffer* corridor, double* cost
) noexcept nogil

# The missing grid cells that a search met, as (column, row) pairs in any order, perhaps repeated.
cdef list frontier_cells(const NodeTables* tables, const MeshState* mesh)

# Where the route comes back to a polygon, what lay between goes: 0, or -1 where there is no memory.
cdef int remove_loops(SearchState* search, CorridorBuffer* corridor) noexcept nogil

# A crossing of the search as a corridor keeps it.
cdef Crossing lasting_crossing(const TileSlot* tile, int polygon, Crossing crossing) noexcept nogil
