# The highest surface straight below a position.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._nearest cimport Nearest
from onepath.mesh._surface cimport Vector


# Fills result[0] with the highest surface point over (x, z) whose height lies within [lowest, highest], of the polygons
# that the filter accepts: 0, or -1 where there was no memory for a tile's box tree.
cdef int find_below(
    MeshState* mesh, const FilterTable* table, Vector position, double lowest, double highest, Nearest* result
) noexcept nogil

# The same among the polygons of one tile, better than what result[0] holds (slot -1 and a height of minus infinity at
# first). Without a table every polygon counts, those of area 0 too.
cdef int find_below_in_tile(
    MeshState* mesh, const FilterTable* table, int slot, Vector position, double lowest, double highest, Nearest* result
) noexcept nogil
