from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport Crossing
from onepath.query._debug_query cimport DebugQuery
from onepath.query._filter cimport QueryFilter
from onepath.query._outputs cimport Outputs
from onepath.query._results cimport Corridor


# The references of a bare corridor as a contiguous int64 array
cdef object reference_array(object corridor)


cdef class CorridorQuery(DebugQuery):
    cdef Corridor finish_into(self, object out, object crossings_out, Outputs* outputs)
    cdef int pull_line(
        self, Vector start, Vector end, const reference_t* corridor, const Crossing* crossings, int count,
        QueryFilter filter, int max_corners
    ) except? -1
