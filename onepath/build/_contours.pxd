# Regions to simplified outlines.

from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


# Outlines and holes of the regions in field.region, on the graph that the regions were made with. Returns -1 without
# memory.
cdef int make_contours(
    const CompactField* field, const SpanGraph* graph, Contours* contours, double max_edge_error, int max_edge
) noexcept nogil


cdef class ContourSet:
    cdef Contours contours
    cdef readonly object regions
