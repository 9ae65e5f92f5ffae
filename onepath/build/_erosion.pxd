# Erosion as a kernel, its distances in memory that the caller keeps from tile to tile.

from onepath.build._compact cimport CompactField


cdef struct ErosionScratch:
    int* distance                # (span_count)
    size_t capacity


# Returns -1 without memory, nothing has changed then.
cdef int erode(CompactField* compact, int radius, ErosionScratch* scratch) noexcept nogil
cdef void free_erosion(ErosionScratch* scratch) noexcept nogil
