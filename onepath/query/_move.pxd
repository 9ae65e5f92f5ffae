# A step along the surface that slides along the wall it meets (queries document, move along surface).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._trace cimport PolygonList, Trace


cdef struct MoveScratch:
    PolygonList visited      # what the call went through
    PolygonList leg          # what one of its straight legs went through


cdef void free_moves(MoveScratch* scratch) noexcept nogil

# Moves from a polygon towards `end`, for slides = 1 as the document says, else along up to so many pieces of wall.
# point[0] is where it comes to, in trace[0]'s polygon, wherever the start is sound. 0, or -1 where there is no memory.
cdef int move_on_surface(
    const MeshState* mesh, const FilterTable* table, reference_t ref, Vector start, Vector end, int slides,
    Trace* trace, MoveScratch* scratch, Vector* point
) noexcept nogil
