# Area volumes as a kernel on the compact heightfield.

from onepath.build._compact cimport CompactField


cdef struct VolumeShape:
    const double* corners        # (count, 2) world x, z
    int count
    int turn                     # 1 where the corners run counter-clockwise seen from above, -1 where clockwise
    double low_x, high_x, low_z, high_z
    double min_y, max_y
    unsigned char area


cdef void mark_volume(CompactField* compact, const VolumeShape* shape) noexcept nogil


cdef class ConvexVolume:
    cdef VolumeShape shape
    cdef readonly tuple corners  # of (x, z)
    cdef double[:, ::1] points   # what shape.corners points into
