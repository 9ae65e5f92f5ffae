# What area searches return. Columns lie in one immutable block of bytes, or in arrays that the caller gave.

cimport cython

from onepath.mesh._mesh cimport MeshState
from onepath.query._area_search cimport AreaState
from onepath.query._outputs cimport Outputs

# AreaSearchStatus in the order of AREA_STATUSES
cdef enum:
    FOUND_ALL = 0
    FOUND_NODE_LIMIT
    FOUND_NOT_LOADED
    FOUND_IN_PROGRESS
    FOUND_STALE
    FOUND_INVALID_START
    FOUND_INVALID_SHAPE


cdef struct AreaAnswer:
    # What an area search has come to, beside what it found
    int status
    int node_limit           # max_nodes where a node was dropped, else 0


# Of a search that has come to its end
cdef inline int found_status(const AreaState* area) noexcept nogil:
    if area.node_limit_reached:
        return FOUND_NODE_LIMIT
    return FOUND_NOT_LOADED if area.tables.frontier_count > 0 else FOUND_ALL


cdef tuple AREA_STATUSES     # members of AreaSearchStatus by code


@cython.final
@cython.freelist(8)
cdef class AreaPolygons:
    cdef AreaAnswer answer
    cdef int count
    cdef bytes data          # polygons, parents, squared distances; none where `given` counts
    cdef tuple given         # the caller's arrays for them, each may be None; or None
    cdef readonly bint truncated
    cdef readonly tuple missing_tiles

    cdef object column(self, int place, object kind)


# Without `area` nothing was found
cdef AreaPolygons make_area_polygons(
    AreaAnswer answer, const AreaState* area, const MeshState* mesh, tuple missing_tiles, tuple given, Outputs* outputs
)
# What a repr says of a search beyond its size
cdef str area_text(AreaAnswer answer, tuple missing_tiles)
cdef AreaAnswer read_area_answer(tuple fields)
