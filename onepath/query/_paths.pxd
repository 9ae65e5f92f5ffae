# Lines over the mesh, each over one immutable block of bytes. Arrays are views of it, made when asked for.

cimport cython

from onepath.query._buffers cimport PointBuffer
from onepath.query._outputs cimport Outputs
from onepath.query._results cimport Corridor, SearchAnswer


# Immutable, and nothing they hold can lead back to them: the garbage collector need not look.
@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class StraightPath:
    cdef int status_code
    cdef int count
    cdef bytes data          # the points, the polygons behind them, the marks, the steps over links
    cdef tuple given         # the caller's arrays for all but the steps
    cdef readonly bint truncated
    cdef readonly double length


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Path:
    cdef SearchAnswer answer
    cdef int count
    cdef bytes data          # as a StraightPath's
    cdef readonly double length
    cdef readonly Corridor corridor
    cdef object origin       # a weak reference to the mesh that it was found on, None in an unpickled path

    cdef double* line(self) noexcept


# Metres along the line, in three dimensions
cdef double measure_line(const PointBuffer* line) noexcept nogil
# In the caller's arrays of points, polygons and marks, held in `outputs`, where some are given
cdef StraightPath make_straight_path(
    int status, const PointBuffer* line, bint truncated, tuple given, Outputs* outputs
)
cdef Path make_path(SearchAnswer answer, Corridor corridor, const PointBuffer* line, object origin)
