from onepath.mesh._nearest cimport Nearest
from onepath.mesh._surface cimport Vector
from onepath.query._paths cimport Path
from onepath.query._query_core cimport Reach, Wishes
from onepath.query._results cimport NavPoint
from onepath.query._trace_query cimport TraceQuery


cdef class PathQuery(TraceQuery):
    # For the one-call forms, which lend query objects from mesh to mesh
    cdef NavPoint snap(self, object position, object filter, const Reach* reach)
    cdef NavPoint drop(self, object position, object filter, double down, double up)
    cdef NavPoint point_of(self, const Nearest* found, Vector otherwise)
    cdef Path find(self, object start, object end, object filter, const Wishes* wishes)
    cdef int refuse_unreachable(self) except -1
    cdef Path finish_wished(self)
    cdef Path finish_empty(self)
    cdef int begin_between(self, object start, object end, object filter, const Wishes* wishes) except -1
    cdef int continue_search(self, object max_iterations) except -1
    cdef Path withdraw_search(self)
    cdef Path finish_search(self)
