# Columns of solid spans, as the span stage's kernels see them.
#
# Spans live in one pool and a column is a list through it from the lowest span up: rasterization inserts in any order,
# a span never moves, and emptying the field for the next tile keeps every buffer. Twelve bytes a span, so that the
# 3,400 columns of an ordinary tile stay in the nearest caches.

from onepath.build._frame cimport Frame


cdef struct Span:
    int next                     # pool index of the next span up, -1 at the top; of the next free span while unused
    unsigned short low           # the span fills rows low <= row < high
    unsigned short high
    unsigned char area           # 0 to 63, 0 is not walkable


cdef struct SpanField:
    Frame frame
    int* first                   # (width * depth) pool index of a column's lowest span, -1 for none
    int* resume                  # (width * depth) where the next search of a deep column begins, -1 for its bottom;
                                 # the second half of first's block: freed with it
    Span* pool
    int free                     # head of the list of spans that merging gave back, -1 for none
    int used                     # pool entries ever taken since the last reset
    int span_count               # spans in columns
    size_t column_capacity
    int span_capacity
    long long degenerate_triangles
    long long steps              # spans walked past in deep columns since the last reset


# Ceiling of a column's top span (voxelization document, section 6).
cdef enum:
    UNBOUNDED = 1 << 30


# A column of more spans than these is deep: a search that has walked so many goes on from `resume`, which lies as many
# behind the end of the last one.
cdef enum:
    SHALLOW = 8


# Empties the field for a frame and keeps its buffers. Returns -1 without memory, the field is then empty of columns.
cdef int reset_field(SpanField* field, const Frame* frame) noexcept nogil
cdef void free_field(SpanField* field) noexcept nogil
cdef int grow_pool(SpanField* field) noexcept nogil
# Merges a span into a column, rows already within the grid. Returns -1 without memory, nothing has changed then.
cdef int merge_span(SpanField* field, int column, int low, int high, int area, int threshold) noexcept nogil


# The same; the first span of a column, by far the commonest case, is set without a call.
cdef inline int put_span(SpanField* field, int column, int low, int high, int area, int threshold) noexcept nogil:
    cdef Span* span
    if field.first[column] >= 0 or field.free >= 0 or field.used == field.span_capacity:
        return merge_span(field, column, low, high, area, threshold)
    span = &field.pool[field.used]
    span.next = -1
    span.low = <unsigned short>low
    span.high = <unsigned short>high
    span.area = <unsigned char>area
    field.first[column] = field.used
    field.used += 1
    field.span_count += 1
    return 0


cdef class SolidHeightfield:
    cdef SpanField field
    cdef readonly object frame   # the HeightfieldFrame of field.frame
