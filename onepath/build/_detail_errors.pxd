# How far triangles lie from the floor.

from onepath.build._floor_heights cimport FloorHeights


# Rows by which heights of triangles may be rounded, and more.
cdef inline double rounding() noexcept nogil:
    return 2.0**-20


# A corner of a triangle: parts, rows, parts.
cdef struct DetailPoint:
    int x, y, z


# The cell that a triangle misses most, and the one of the sampling grid; -1 for none.
cdef struct WorstCell:
    double error                 # rows
    int x, z
    double sample_error          # rows
    int sample_x, sample_z


# Looks at the cells whose centre lies in the triangle; centres on edge i only where bit i of `closed` is set. A
# triangle is off by more than `max_error` and a row, if it is so from the ground wherever that lies in its row: a cell
# that none beside it rises above is by a row farther below a triangle more than `max_error` rows over it. Cells of the
# grid of `spacing` count as samples where they are farther off than is allowed.
cdef void find_worst_cell(
    const FloorHeights* floors,
    const DetailPoint* corners,
    int closed,
    double max_error,
    int spacing,
    WorstCell* worst,
) noexcept nogil
