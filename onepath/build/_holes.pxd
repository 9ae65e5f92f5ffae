# The outline of a region as one ring, its holes joined in by bridges.

from onepath.build._chains cimport Contours
from onepath.build._polygons cimport Polygons


# Fills the visits of `polygons` with the outline of a region. 1 if a hole could not be joined, -1 without memory.
cdef int join_holes(const Contours* contours, int region, Polygons* polygons) noexcept nogil
