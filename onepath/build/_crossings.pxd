# Whether the simplified chains still lie in the plane as the cells did.

from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


# Lists the edges between kept points. Returns -1 without memory.
cdef int list_edges(Contours* contours) noexcept nogil

# Finds every pair of edges that meet where they may not and refines both. 1 if something was refined, 0 if nothing had
# to be (or could be: those are counted in contours.unresolved), -1 without memory.
cdef int refine_crossings(const CompactField* field, const SpanGraph* graph, Contours* contours) noexcept nogil
