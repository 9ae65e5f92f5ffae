# Erosion as a kernel, its distances in memory that the caller keeps from tile to tile.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField


# How distances are measured: places in `onepath.build.settings.EROSIONS`.
cdef enum:
    CHAMFER = 0
    EUCLIDEAN = 1


cdef struct ErosionScratch:
    IntBuffer distance


# `radius` in cells, `metric` one of the above. Returns -1 without memory, nothing has changed then.
cdef int erode(CompactField* compact, int radius, int metric, ErosionScratch* scratch) noexcept nogil
cdef void free_erosion(ErosionScratch* scratch) noexcept nogil
