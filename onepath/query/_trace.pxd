# A segment followed across the surface, seen from above (queries document, raycast).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._surface cimport Vector

# RaycastStatus in the order of RAYCAST_STATUSES
cdef enum:
    TRACE_CLEAR = 0
    TRACE_BLOCKED
    TRACE_NOT_LOADED
    TRACE_INVALID_START
    TRACE_START_OUTSIDE


cdef struct PolygonList:
    # Scratch of a query object, grown and reused.
    int count
    int capacity
    reference_t* polygons


cdef struct Trace:
    int status
    int slot                 # the polygon in which it ends
    int polygon
    int edge                 # the edge of that polygon where it ends, -1 where it ends inside
    double t                 # how much of the segment it went, 0 to 1


cdef void free_list(PolygonList* polygons) noexcept nogil
# Lists a polygon unless it is the last one already: 0, or -1 where there is no memory.
cdef int append_polygon(PolygonList* polygons, reference_t ref) noexcept nogil

# Follows start to end from a polygon; `visited` becomes the polygons it went through. 0, or -1 where there is no memory.
cdef int trace_segment(
    const MeshState* mesh, const FilterTable* table, reference_t ref, Vector start, Vector end, Trace* trace,
    PolygonList* visited
) noexcept nogil

# The same from a polygon that is known to pass the filter, whether it holds the start or not.
cdef int follow_segment(
    const MeshState* mesh, const FilterTable* table, int slot, int polygon, Vector start, Vector end, Trace* trace,
    PolygonList* visited
) noexcept nogil

# The polygon across an edge at (x, z), in target[0] and target[1]: whether there is one that the filter accepts.
cdef bint leads_on(
    const MeshState* mesh, const FilterTable* table, int slot, int polygon, int edge, double x, double z, int* target
) noexcept nogil

# Whether an edge faces a cell of the mesh that has no committed tile.
cdef bint is_frontier(const MeshState* mesh, int slot, int polygon, int edge) noexcept nogil
