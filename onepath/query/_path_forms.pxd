# Places along a line of points, by the distance walked.

from onepath.mesh._surface cimport Vector

# More than anybody draws or walks, and less than a machine's memory.
cdef enum:
    MOST_POINTS = 1 << 24


cdef struct LinePlace:
    int segment     # between the points segment and segment + 1
    double along    # metres from the first of the two
    double length   # metres between the two
    Vector point


cdef inline Vector line_point(const double* points, int index) noexcept nogil:
    cdef Vector point
    point.x = points[3 * index]
    point.y = points[3 * index + 1]
    point.z = points[3 * index + 2]
    return point


# The place `distance` metres along a line of at least one point; before the start and behind the end it is these.
cdef LinePlace place_along(const double* points, int count, double distance) noexcept nogil

# (n, 3) float64: the start, a point every `step` metres (above 0) along the line, and its end.
cdef object sampled_points(const double* points, int count, double length, double step)
