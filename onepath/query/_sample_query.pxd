# The part of a query object that draws random points.

from onepath.query._filter cimport QueryFilter
from onepath.query._random cimport uint64
from onepath.query._results cimport NavPoint
from onepath.query._sampling cimport CircleWeights, MeshWeights
from onepath.query._wall_query cimport WallQuery


cdef class SampleQuery(WallQuery):
    cdef MeshWeights weights         # of the mesh's polygons for weighed_filter, as of weighed_edit
    cdef QueryFilter weighed_filter
    cdef long long weighed_edit
    cdef CircleWeights circle

    # The mesh has been entered
    cdef int weigh(self, QueryFilter filter) except -1
    # Leaves the mesh
    cdef NavPoint area_point(self, uint64* state)
