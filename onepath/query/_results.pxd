# What queries return: compiled classes over one immutable block of bytes each. Arrays are views of it, made when asked for.

cimport cython

from onepath.mesh._mesh cimport reference_t
from onepath.query._buffers cimport CorridorBuffer, Crossing
from onepath.query._outputs cimport Outputs
from onepath.mesh._surface cimport Vector

# PathStatus in the order of PATH_STATUSES
cdef enum:
    PATH_SUCCESS = 0
    PATH_PARTIAL
    PATH_NOT_LOADED
    PATH_NO_START
    PATH_NO_END
    PATH_NO_MESH
    PATH_IN_PROGRESS
    PATH_STALE
    PATH_INVALID_START
    PATH_INVALID_END
    PATH_INVALID_CORRIDOR
    PATH_CANCELLED

# QueryStatus in the order of QUERY_STATUSES
cdef enum:
    QUERY_SUCCESS = 0
    QUERY_PARTIAL
    QUERY_NODE_LIMIT
    QUERY_COST_LIMIT
    QUERY_FRONTIER
    QUERY_START_NOT_LOADED
    QUERY_END_NOT_LOADED
    QUERY_NO_START_NEARBY
    QUERY_NO_END_NEARBY
    QUERY_NO_MESH
    QUERY_IN_PROGRESS
    QUERY_STALE
    QUERY_INVALID_START
    QUERY_INVALID_END
    QUERY_INVALID_CORRIDOR
    QUERY_CANCELLED
    QUERY_UNREACHABLE
    QUERY_EXACT_NOT_UNIFORM


cdef struct SearchAnswer:
    # What a search has come to, beside its corridor
    int status
    int detail
    double cost
    int node_limit           # max_nodes where a node was dropped, else 0


@cython.final
@cython.freelist(8)
cdef class NavPoint:
    cdef readonly reference_t ref
    cdef Vector place
    cdef bint made           # it is a value: no second __init__


@cython.final
@cython.freelist(8)
cdef class NearestPolygon:
    cdef readonly reference_t ref
    cdef Vector place
    cdef readonly double distance_squared
    cdef bint over


# Immutable, and nothing they hold can lead back to them: the garbage collector need not look.
@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Corridor:
    cdef SearchAnswer answer
    cdef int count
    cdef bytes data          # the references, then the crossings
    cdef tuple given         # the caller's arrays for both in place of it
    cdef readonly tuple missing_tiles
    cdef readonly bint truncated

    # Of a packed one
    cdef const reference_t* references(self) noexcept
    cdef const Crossing* steps(self) noexcept
    cdef bint keeps_crossings(self)
    cdef Corridor packed(self)


cdef tuple PATH_STATUSES     # members of PathStatus by code
cdef tuple QUERY_STATUSES    # members of QueryStatus by code

cdef object refuse_construction(str name)
# What a repr says of a search beyond its size
cdef str answer_text(SearchAnswer answer, tuple missing_tiles)

cdef NavPoint make_nav_point(reference_t ref, Vector place)
cdef NearestPolygon make_nearest(reference_t ref, Vector place, double distance_squared, bint over)
cdef Corridor make_corridor(SearchAnswer answer, const CorridorBuffer* corridor, tuple missing_tiles)
# The same in the caller's arrays, of references and of crossings
cdef Corridor fill_corridor(
    SearchAnswer answer, const CorridorBuffer* corridor, tuple missing_tiles, tuple given, Outputs* outputs
)
