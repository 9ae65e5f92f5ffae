# Vertices of detail within a polygon.

from onepath.build._detail_errors cimport DetailPoint
from onepath.build._detail_places cimport OffPlace
from onepath.build._detail_polygons cimport Detail
from onepath.build._detail_triangles cimport DetailTriangles
from onepath.build._polygon_arrays cimport PolygonArrays


cdef void corners_of(const DetailTriangles* made, int triangle, DetailPoint* corners) noexcept nogil
# Adds a vertex at the centre of a cell, in a triangle that covers it. Returns -1 without memory, -4 where there are more
# vertices or triangles than a tile holds.
cdef int add_cell(const PolygonArrays* polygons, Detail* detail, int triangle, int x, int z) noexcept nogil
# Adds a vertex that brings a place of a triangle nearer to the floor. Returns 1, or 0 where there is none, -1 and -4 as above.
cdef int mend_place(
    const PolygonArrays* polygons, Detail* detail, int triangle, const OffPlace* place
) noexcept nogil
