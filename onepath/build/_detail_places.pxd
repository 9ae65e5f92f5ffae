# Where triangles lie off the floor between the centres of cells.

from onepath.build._detail_errors cimport DetailPoint
from onepath.build._floor_heights cimport FloorHeights


# The place of a triangle that is farthest outside of what is allowed around its cell.
cdef struct OffPlace:
    double excess                # rows
    int cell_x, cell_z
    double x, z                  # parts
    double middle_x, middle_z    # of all that the triangle has in the cell, parts


# Looks at all places of a triangle: those in a cell with floor must not be more than `max_error` above the highest
# floor of the cells that touch it, itself among them, nor more than that and a row below the lowest. Returns whether
# there is one that is. At the centres of the cells that it covers it is known to be within `error`.
cdef bint find_off_place(
    const FloorHeights* floors,
    const DetailPoint* corners,
    double max_error,
    double error,
    OffPlace* place,
) noexcept nogil
# Of a straight line from one place to another, a cell away or less, and its heights at both: by how much it leaves what
# is allowed, in rows; 0 where it does not.
cdef double excess_along(
    const FloorHeights* floors,
    const DetailPoint* begin,
    int step_x,
    int step_z,
    double height,
    double rise,
    double max_error,
) noexcept nogil
