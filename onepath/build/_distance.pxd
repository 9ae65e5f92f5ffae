# How far each walkable span lies from the edge of its floor, and the spans in that order.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


cdef struct DistanceLayers:
    IntBuffer distance           # (span_count) cells to the boundary, 0 on it, -1 where not walkable
    IntBuffer order              # walkable spans by ascending distance; `count` of them
    IntBuffer first              # (levels + 1) where each level begins in `order`; `count` is levels + 1


# Returns -1 without memory.
cdef int make_distance_layers(
    const CompactField* field, const SpanGraph* graph, DistanceLayers* layers
) noexcept nogil
cdef void free_distance_layers(DistanceLayers* layers) noexcept nogil
