# The compact heightfield as the stages behind it see it.

from onepath.build._frame cimport Frame
from onepath.build._spans cimport SpanField


cdef struct CompactField:
    int width, depth             # cells in x and z; a column is x + z * width
    int span_count
    int* cell_first              # (width * depth) index of the column's first span
    int* cell_count              # (width * depth)
    int* y                       # (span_count) floor row
    int* height                  # (span_count) open rows above the floor, at most 65535
    unsigned char* area          # (span_count) 0 to 63, 0 is not walkable
    int* region                  # (span_count) 0 is none
    int* neighbours              # (span_count, 4) span index in direction 0 -x, 1 +z, 2 +x, 3 -z, or -1
    Frame frame
    size_t column_capacity       # what cell_first and cell_count have room for
    size_t span_capacity         # what the arrays a span have room for
    bint mutual                  # known: every link is returned, so that spans joined are joined both ways


# Fills `compact` from the walkable spans, its buffers grown and kept. Returns -1 without memory (it is empty then).
cdef int build_compact(CompactField* compact, const SpanField* solid, int height, int climb) noexcept nogil
cdef void free_compact(CompactField* compact) noexcept nogil


cdef class CompactHeightfield:
    cdef CompactField field
    cdef readonly object frame   # the HeightfieldFrame of field.frame
