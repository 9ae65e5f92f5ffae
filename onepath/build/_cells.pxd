# From a piece of a triangle in a cell to rows of the cell's column.

from onepath.build._spans cimport SpanField, put_span


# What is known of a triangle before its cells are visited.
cdef struct Facing:
    float normal_x, normal_y, normal_z   # not of unit length, in metres of the tile
    int area                             # the id its spans get
    int threshold                        # merge threshold, rows
    float height_slack, area_slack       # what rounding can have done to heights and areas found by steps
    int level_bottom, level_top          # rows of all pieces where height_slack is 0, equal if outside the grid


# Of a value within the range of int.
cdef inline int floor_cell(float value) noexcept nogil:
    cdef int whole = <int>value
    return whole - 1 if <float>whole > value else whole


cdef inline int ceil_cell(float value) noexcept nogil:
    cdef int whole = <int>value
    return whole + 1 if <float>whole < value else whole


cdef inline float lesser(float a, float b) noexcept nogil:
    return b if b < a else a


cdef inline float larger(float a, float b) noexcept nogil:
    return b if b > a else a


cdef inline float clamped(float value, float low, float high) noexcept nogil:
    if value < low:
        return low
    return high if value > high else value


# The rows bottom <= row < top that a piece from `low` to `high` (both v) fills; False if none of them is in the grid.
cdef inline bint find_rows(int rows, float low, float high, const Facing* facing, int* bottom, int* top) noexcept nogil:
    # Two rows beyond the grid say the same as any number of rows, and fit an int.
    cdef float least = -2
    cdef float most = <float>(rows + 2)
    bottom[0] = floor_cell(clamped(low, least, most))
    top[0] = ceil_cell(clamped(high, least, most))
    if bottom[0] == top[0]:
        # Exactly on a row boundary: the solid lies below a surface that faces up, above one that faces down.
        if facing.normal_y > 0:
            bottom[0] = top[0] - 1
        else:
            top[0] = bottom[0] + 1
    if top[0] <= 0 or bottom[0] >= rows:
        return False
    if bottom[0] < 0:
        bottom[0] = 0
    if top[0] > rows:
        top[0] = rows
    return True


# Adds the span of a piece that reaches from `low` to `high`. Returns -1 without memory.
cdef inline int put_rows(SpanField* field, int column, float low, float high, const Facing* facing) noexcept nogil:
    cdef int bottom, top
    if not find_rows(field.frame.rows, low, high, facing, &bottom, &top):
        return 0
    return put_span(field, column, bottom, top, facing.area, facing.threshold)
