# Which open spans are one floor: the links of the compact field that hold in both directions between walkable spans.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField


cdef enum:
    INSIDE = 1                   # the span's cell lies in the tile's square
    CROWDED = 2                  # a column beside it holds a walkable span that it is not joined to, as one always does
                                 # where its own column holds another that can be walked to from it
    AT_SIDE = 4                  # shifted by the side 0 to 3: the cell lies in the square and touches that side
    ON_BOUNDARY = 64             # walkable, and its floor or its area ends at one of its sides


cdef struct SpanGraph:
    int padding                  # cells between the field's edge and the square
    int square_width, square_depth
    int clearance                # least open height of a walkable span in the square, rows
    IntBuffer joined             # (span_count, 4) span index in direction 0 -x, 1 +z, 2 +x, 3 -z, or -1
    IntBuffer column             # (span_count)
    IntBuffer flags              # (span_count)


# Returns -1 without memory, -2 if the field has more spans than 4 * span_count can index.
cdef int make_span_graph(const CompactField* field, int padding, SpanGraph* graph) noexcept nogil
cdef void free_span_graph(SpanGraph* graph) noexcept nogil


# The spans that meet at the start corner of edge `edge` of a span, joined with each other all the way round: the least
# of their indices names the corner, the highest of their floors is its height (as every polygon around it sees it).
cdef inline int corner_of(
    const CompactField* field, const int* joined, int span, int edge, int* floor
) noexcept nogil:
    cdef int least = span
    cdef int highest = field.y[span]
    cdef int at = span
    cdef int across = edge
    cdef int other
    while True:
        other = joined[4 * at + across]
        if other < 0:
            break
        at = other
        if at == span:
            floor[0] = highest
            return least
        across = (across + 3) & 3
        least = at if at < least else least
        highest = field.y[at] if field.y[at] > highest else highest
    at = span
    across = (edge + 3) & 3
    while True:
        other = joined[4 * at + across]
        if other < 0:
            break
        at = other
        across = (across + 1) & 3
        least = at if at < least else least
        highest = field.y[at] if field.y[at] > highest else highest
    floor[0] = highest
    return least
