# The three filters of the span stage as kernels; each changes area ids only.

from onepath.build._spans cimport SpanField


# An open gap of a column: from a floor up to the span above it, -1 for none.
cdef struct Gap:
    int floor
    int above


cdef void low_hanging_obstacles(SpanField* field, int climb) noexcept nogil
cdef void ledge_spans(SpanField* field, int height, int climb) noexcept nogil
cdef void low_height(SpanField* field, int height) noexcept nogil
# The three in the document's order, in one pass.
cdef void filter_spans(SpanField* field, int height, int climb) noexcept nogil
