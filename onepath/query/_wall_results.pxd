# What questions about walls return. Columns lie in one immutable block of bytes, or in arrays that the caller gave.

cimport cython

from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._area_results cimport AreaAnswer
from onepath.query._outputs cimport Outputs
from onepath.query._walls cimport NearWall, WallBuffer


@cython.final
@cython.freelist(8)
cdef class NearestWall:
    cdef AreaAnswer answer
    cdef bint found
    cdef readonly double distance
    cdef Vector place
    cdef double normal_x
    cdef double normal_z
    cdef readonly reference_t polygon
    cdef readonly int edge
    cdef readonly tuple missing_tiles


@cython.final
@cython.freelist(8)
cdef class WallSegments:
    cdef AreaAnswer answer
    cdef int count
    cdef bytes data          # ends, polygons, distances, edges; none where `given` counts
    cdef tuple given         # the caller's arrays for them, each may be None; or None
    cdef readonly bint truncated
    cdef readonly tuple missing_tiles

    cdef object column(self, int place, object kind, long long first, tuple shape)


cdef NearestWall make_nearest_wall(
    AreaAnswer answer, const NearWall* wall, const MeshState* mesh, double radius, tuple missing_tiles
)
# Without `walls` nothing was found
cdef WallSegments make_wall_segments(
    AreaAnswer answer, const WallBuffer* walls, const MeshState* mesh, tuple missing_tiles, tuple given, Outputs* outputs
)
