# From a piece of a triangle in a cell to rows of the cell's column.

from onepath.build._spans cimport SpanField, put_span


# What is known of a triangle before its cells are visited.
cdef struct Facing:
    float normal_x, normal_y, normal_z   # not of unit length, in metres of the tile
    int area                             # the id its spans get
    int threshold                        # merge threshold, rows


# Of a value within the range of int.
cdef inline int floor_cell(float value) noexcept nogil:
    cdef int whole = <int>value
    return whole - 1 if <float>whole > value else whole


cdef inline int ceil_cell(float value) noexcept nogil:
    cdef int whole = <int>value
    return whole + 1 if <float>whole < value else whole


cdef inline float clamped(float value, float low, float high) noexcept nogil:
    if value < low:
        return low
    return high if value > high else value


# Adds the span of a piece that reaches from `low` to `high` (both v). Returns -1 without memory.
cdef inline int put_rows(SpanField* field, int column, float low, float high, const Facing* facing) noexcept nogil:
    cdef int rows = field.frame.rows
    # Two rows beyond the grid say the same as any number of rows, and fit an int.
    cdef float least = -2
    cdef float most = <float>(rows + 2)
    cdef int bottom = floor_cell(clamped(low, least, most))
    cdef int top = ceil_cell(clamped(high, least, most))
    if bottom == top:
        # Exactly on a row boundary: the solid lies below a surface that faces up, above one that faces down.
        if facing.normal_y > 0:
            bottom = top - 1
        else:
            top = bottom + 1
    if top <= 0 or bottom >= rows:
        return 0
    if bottom < 0:
        bottom = 0
    if top > rows:
        top = rows
    return put_span(field, column, bottom, top, facing.area, facing.threshold)
