# Vertical triangles, which have no footprint: they touch the cells in which they have a length.

from onepath.build._cells cimport Facing
from onepath.build._clipping cimport Corner, Polygon
from onepath.build._spans cimport SpanField


# `corners` are the triangle's own, `polygon` what the grid leaves of it, `other` scratch. Returns -1 without memory.
cdef int rasterize_wall(
    SpanField* field, const Corner* corners, Polygon* polygon, Polygon* other, const Facing* facing
) noexcept nogil
