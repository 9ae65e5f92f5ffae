# The part of a query object that knows walls.

from onepath.query._area_query cimport AreaQuery
from onepath.query._outputs cimport Outputs
from onepath.query._wall_results cimport NearestWall, WallSegments
from onepath.query._walls cimport WallBuffer


cdef class WallQuery(AreaQuery):
    cdef WallBuffer walls

    # Whether a sliced search that is under way looks within a circle
    cdef int need_circle(self) except -1
    # Both leave the mesh
    cdef NearestWall area_wall(self)
    cdef WallSegments area_walls(self, tuple given, Outputs* outputs)
