# Erosion by the Euclidean distance, as a kernel.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField


# Gives area 0 to spans whose cell's square comes closer than `radius` cells, at least 1, to a boundary of their floor.
# Returns -1 without memory, nothing has changed then.
cdef int erode_round(CompactField* compact, int radius, IntBuffer* scratch) noexcept nogil
