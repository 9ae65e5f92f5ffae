# Area volumes as a kernel on the compact heightfield.

from onepath.build._compact cimport CompactField
from onepath.build._frame cimport Frame


cdef struct VolumeShape:
    const double* corners        # (count, 2) world x, z
    int count
    int turn                     # 1 where the corners run counter-clockwise seen from above, -1 where clockwise
    double low_x, high_x, low_z, high_z
    double min_y, max_y
    unsigned char area
    unsigned short mark          # number of the volume's name in this bake, 0 without


# Whether a shape's box touches the square of a field, so that it may mark spans there.
cdef bint meets_square(const VolumeShape* shape, const Frame* frame) noexcept nogil
# Gives the spans in the shape the value `kind` for their area; returns how many there were.
cdef int mark_volume(CompactField* compact, const VolumeShape* shape, unsigned char kind) noexcept nogil


cdef class ConvexVolume:
    cdef VolumeShape shape
    cdef readonly object area    # id, or a name that the bake resolves
    cdef readonly object name
    cdef readonly tuple corners  # of (x, z)
    cdef double[:, ::1] points   # what shape.corners points into
