# Triangles joined to convex polygons.

from onepath.build._chains cimport Contours
from onepath.build._polygons cimport Polygons


# Joins the pieces of half edges first_half and up, longest diagonal first, while they stay convex and have at most
# `max_corners` corners. Returns -1 without memory.
cdef int merge_polygons(const Contours* contours, Polygons* polygons, int first_half, int max_corners) noexcept nogil

# The triangle that stands for the polygon of a triangle.
cdef inline int piece_of(Polygons* polygons, int triangle) noexcept nogil:
    cdef int* piece = polygons.piece.data
    while piece[triangle] != triangle:
        piece[triangle] = piece[piece[triangle]]
        triangle = piece[triangle]
    return triangle
