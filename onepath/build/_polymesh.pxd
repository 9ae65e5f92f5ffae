# Outlines to convex polygons.

from onepath.build._chains cimport Contours
from onepath.build._polygons cimport Polygons


# Fills the result of `polygons`. Returns -1 without memory.
cdef int make_polymesh(const Contours* contours, Polygons* polygons, int max_polygon_vertices) noexcept nogil
cdef void free_polygons(Polygons* polygons) noexcept nogil


cdef class PolyMesh:
    cdef readonly object vertices
    cdef readonly object polygon_offsets
    cdef readonly object polygon_vertices
    cdef readonly object polygon_neighbours
    cdef readonly object border_sides
    cdef readonly object areas
    cdef readonly object regions
    cdef readonly int failed_regions
    cdef readonly long long steps
