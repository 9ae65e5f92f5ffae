# Chains with fewer corners.

from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


# Marks in contours.keep the points that stay. Returns -1 without memory.
cdef int simplify_chains(
    const CompactField* field, const SpanGraph* graph, Contours* contours, double max_error, int max_edge
) noexcept nogil


# Keeps one more point of an edge: one that lies at (x1, z1) or (x2, z2), else the one farthest from it; and those that
# the two parts then need. 0 if there is none that would change the line.
cdef int refine_edge(Contours* contours, int edge, int x1, int z1, int x2, int z2) noexcept nogil
