# Vertices on the edges of polygons.

from onepath.build._compact cimport CompactField
from onepath.build._detail_polygons cimport Detail, DetailRules, PolygonArrays


# Finds the vertices on those edges of a polygon of the loaded region that were not looked at yet. Returns how many all
# its edges have, or -1 without memory.
cdef int look_at_edges(
    const CompactField* field,
    const PolygonArrays* polygons,
    const DetailRules* rules,
    Detail* detail,
    int polygon,
) noexcept nogil
# Makes the polygon's corners and the vertices on its edges, in turn, those of `detail.made`. -1 without memory.
cdef int list_outline(const PolygonArrays* polygons, Detail* detail, int polygon) noexcept nogil
