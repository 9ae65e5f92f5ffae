# Columns of solid spans, as the span stage's kernels see them.
#
# Spans live in one pool and a column is a list through it from the lowest span up. The lowest span of a column lies at
# the column's own number, so that fields of one floor are a plain array; the others follow in the order of their coming,
# and emptying the field for the next tile keeps every buffer. Twelve bytes a span, so that the 3,400 columns of an
# ordinary tile stay in the nearest caches.

from onepath.build._frame cimport Frame


cdef struct Span:
    int next                     # pool index of the next span up, -1 at the top; of the next free span while unused
    unsigned short low           # the span fills rows low <= row < high
    unsigned short high
    unsigned char area           # 0 to 63, 0 is not walkable


cdef struct SpanField:
    Frame frame
    int* resume                  # (width * depth) where the next search of a deep column begins, -1 for its bottom
    Span* pool                   # (width * depth) lowest spans of columns, high 0 in an empty one, then all the others
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


cdef inline int lowest_span(const SpanField* field, int column) noexcept nogil:
    # The pool index of a column's lowest span, -1 for an empty column.
    return column if field.pool[column].high > 0 else -1


# The area of two spans that become one: the larger id where the tops differ by at most `threshold` rows, else that of
# the higher top.
cdef inline int merged_area(int high, int area, int other_high, int other_area, int threshold) noexcept nogil:
    cdef int larger = other_area if other_area > area else area
    cdef int upper = other_area if other_high > high else area
    return larger if -threshold <= high - other_high <= threshold else upper


# merge_span without a call for the commonest cases, a column's first span and one that meets its only one. Which of the
# two it is no processor can guess: an empty column is merged with as a span that every minimum and maximum passes over.
cdef inline int put_span(SpanField* field, int column, int low, int high, int area, int threshold) noexcept nogil:
    cdef Span* span = &field.pool[column]
    cdef int span_low = span.low
    cdef int span_high = span.high
    if (<int>(span.next >= 0) | <int>(span_low > high) | <int>(span_high < low)) & <int>(span_high > 0):
        return merge_span(field, column, low, high, area, threshold)
    span.area = <unsigned char>merged_area(high, area, span_high, span.area, threshold)
    span.low = <unsigned short>(span_low if span_low < low else low)
    span.high = <unsigned short>(span_high if span_high > high else high)
    field.span_count += <int>(span_high == 0)
    return 0


cdef class SolidHeightfield:
    cdef SpanField field
    cdef readonly object frame   # the HeightfieldFrame of field.frame
