# A ring of visits cut into triangles.

from onepath.build._chains cimport Contours
from onepath.build._polygons cimport Polygons


# Appends the triangles of the ring as half edges. 1 if the ring cannot be cut (nothing is appended), -1 without memory.
cdef int triangulate(const Contours* contours, int region, Polygons* polygons) noexcept nogil
