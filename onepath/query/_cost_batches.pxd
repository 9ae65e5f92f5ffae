from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._batches cimport Batch
from onepath.query._filter cimport QueryFilter


cdef class CostBatch(Batch):
    cdef QueryFilter filter
    cdef FilterTable flat            # the filter's, without a heuristic
    cdef const reference_t* start_refs
    cdef const reference_t* end_refs
    cdef const Vector* starts
    cdef const Vector* ends
    cdef double max_cost
    cdef double* costs               # the answers
