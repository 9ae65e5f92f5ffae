# The simplified chains put together again: vertices shared by all regions of a floor, a closed ring a loop.

from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


# Makes vertices of the kept points and rings of the loops. Returns -1 without memory.
cdef int make_rings(const CompactField* field, const SpanGraph* graph, Contours* contours) noexcept nogil

# Refines rings that have turned over. 1 if something was refined, 0 if nothing had to be (or could be: counted in
# contours.unresolved).
cdef int refine_rings(Contours* contours) noexcept nogil
