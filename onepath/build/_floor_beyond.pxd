# Floor rows of a polygon behind its border.

from onepath.build._compact cimport CompactField
from onepath.build._floor_heights cimport FloorHeights


# Gives rows to the cells of a polygon that its region's own floor has left without. Returns -1 without memory.
cdef int walk_beyond(const CompactField* field, FloorHeights* floors, int region, int reach) noexcept nogil
