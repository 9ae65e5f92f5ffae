# What lies at one place of X/Z: the floors of the mesh above each other.

from onepath.mesh._mesh cimport MeshState


cdef struct Floor:
    int slot
    int polygon
    double height


# The highest surface at (x, z) with low <= height <= high; of equally high ones the lowest layer and polygon. Answers 1,
# 0 where there is none, or -1 where there was no memory for a tile's box tree. Area 0 counts: it lies there.
cdef int highest_floor(
    MeshState* mesh, double x, double z, double low, double high, Floor* floor
) noexcept nogil
