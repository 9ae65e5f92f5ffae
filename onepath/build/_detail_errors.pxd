# How far triangles lie from the floor.

from onepath.build._floor_heights cimport FloorHeights


# A corner of a triangle: parts, rows, parts.
cdef struct DetailPoint:
    int x, y, z


# The cell that a triangle misses most, and the one of the sampling grid; -1 for none.
cdef struct WorstCell:
    double error                 # rows
    int x, z
    double sample_error          # rows
    int sample_x, sample_z


# Looks at the cells whose centre lies in the triangle; centres on edge i only where bit i of `closed` is set. Cells of
# the grid of `spacing` count as samples where they are farther off than `allowed`, rows.
cdef void find_worst_cell(
    const FloorHeights* floors,
    const DetailPoint* corners,
    int closed,
    double allowed,
    int spacing,
    WorstCell* worst,
) noexcept nogil
