# A segment followed across the surface, seen from above (queries document, raycast).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, TileSlot, reference_t
from onepath.mesh._surface cimport Vector, nearest_on_edge
from onepath.query._entry cimport edge_end, edge_start

# Which edges a segment leaves differs from polygon to polygon, and to guess it wrong costs more than to divide for every
# edge. Compilers branch where C lets them choose; these do not.
cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
        #include <emmintrin.h>
        static inline double onepath_lesser(double a, double b) {
            return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b)));
        }
        static inline double onepath_larger(double a, double b) {
            return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b)));
        }
        static inline double onepath_time_of_leaving(double gone, double across) {
            const __m128d left = _mm_cmplt_sd(_mm_setzero_pd(), _mm_set_sd(across));
            const __m128d time = _mm_max_sd(_mm_setzero_pd(), _mm_div_sd(_mm_set_sd(gone), _mm_set_sd(across)));
            return _mm_cvtsd_f64(_mm_or_pd(_mm_and_pd(left, time), _mm_andnot_pd(left, _mm_set_sd(HUGE_VAL))));
        }
    #else
        static inline double onepath_lesser(double a, double b) { return a < b ? a : b; }
        static inline double onepath_larger(double a, double b) { return a > b ? a : b; }
        static inline double onepath_time_of_leaving(double gone, double across) {
            return across > 0.0 ? onepath_larger(0.0, gone / across) : HUGE_VAL;
        }
    #endif
    #define ONEPATH_TOUCH 1e-7
    """
    # A place touches what is this near, metres.
    const double TOUCH "ONEPATH_TOUCH"
    # The lesser or larger of two numbers, b where they are equal
    double lesser "onepath_lesser"(double a, double b) noexcept nogil
    double larger "onepath_larger"(double a, double b) noexcept nogil
    # gone / across, at least 0; infinite where `across` is not positive
    double time_of_leaving "onepath_time_of_leaving"(double gone, double across) noexcept nogil


# RaycastStatus in the order of RAYCAST_STATUSES
cdef enum:
    TRACE_CLEAR = 0
    TRACE_BLOCKED
    TRACE_NOT_LOADED
    TRACE_INVALID_START
    TRACE_START_OUTSIDE


# By what a segment leaves a polygon
cdef enum:
    BY_LINES = 0             # the document's rule: it asks for the lines of edges
    BY_EXTENTS               # the edge that it really crosses: where rounding bent an outline, it may be metres from there


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


cdef inline double squared_flat(Vector a, Vector b) noexcept nogil:
    cdef double dx = b.x - a.x
    cdef double dz = b.z - a.z
    return dx * dx + dz * dz


# The point of an edge nearest to a position, seen from above.
cdef inline Vector on_edge(const TileSlot* tile, int polygon, int edge, Vector near) noexcept nogil:
    cdef int first = tile.polygon_first[polygon]
    cdef int count = tile.polygon_first[polygon + 1] - first
    return nearest_on_edge(edge_start(tile, first, edge), edge_end(tile, first, count, edge), near.x, near.z)


cdef void free_list(PolygonList* polygons) noexcept nogil
# Lists a polygon unless it is the last one already: 0, or -1 where there is no memory.
cdef int append_polygon(PolygonList* polygons, reference_t ref) noexcept nogil

# Follows start to end from a polygon; `visited` becomes the polygons it went through. 0, or -1 where there is no memory.
# `rule` is BY_LINES or BY_EXTENTS.
cdef int trace_segment(
    const MeshState* mesh, const FilterTable* table, reference_t ref, Vector start, Vector end, int rule,
    Trace* trace, PolygonList* visited
) noexcept nogil

# The same from a polygon that is known to pass the filter, whether it holds the start or not.
cdef int follow_segment(
    const MeshState* mesh, const FilterTable* table, reference_t ref, Vector start, Vector end, int rule,
    Trace* trace, PolygonList* visited
) noexcept nogil

# The polygon across a polygon's edge at (x, z), 0 where there is none that the filter accepts.
cdef reference_t behind_edge(
    const MeshState* mesh, const FilterTable* table, reference_t ref, int edge, double x, double z
) noexcept nogil

# Whether an edge faces a cell of the mesh that has no committed tile.
cdef bint is_frontier(const MeshState* mesh, int slot, int polygon, int edge) noexcept nogil
