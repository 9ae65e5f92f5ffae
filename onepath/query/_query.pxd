cimport cython

from onepath.mesh._mesh cimport reference_t
from onepath.query._buffers cimport Crossing
from onepath.query._filter cimport QueryFilter
from onepath.query._debug_query cimport DebugQuery
from onepath.mesh._surface cimport Vector


cdef object reference_array(object corridor)


@cython.final
cdef class NavMeshQuery(DebugQuery):
    cdef int pull_line(
        self, Vector start, Vector end, const reference_t* corridor, const Crossing* crossings, int count,
        QueryFilter filter, int max_corners
    ) except? -1
