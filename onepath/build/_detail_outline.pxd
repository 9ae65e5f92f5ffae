# Vertices on the edges of polygons.

from onepath.build._detail_polygons cimport Detail, DetailRules
from onepath.build._polygon_arrays cimport PolygonArrays


# Finds the vertices on those edges of the loaded polygon that were not looked at yet, which of one that is near its floor
# have none. Returns how many all its edges have, or -1 without memory.
cdef int look_at_edges(
    const PolygonArrays* polygons,
    const DetailRules* rules,
    Detail* detail,
    int polygon,
    bint is_near,
) noexcept nogil
# Makes the polygon's corners and the vertices on its edges, in turn, those of `detail.made`. -1 without memory.
cdef int list_outline(const PolygonArrays* polygons, Detail* detail, int polygon) noexcept nogil
