# Which polygons may be used and what travel costs there (queries document, filters and costs).

cimport cython

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState


@cython.final
cdef class QueryFilter:
    cdef FilterTable table
    cdef int verdict_count
    cdef readonly object predicate

    cdef int set_costs(self, object costs) except -1
    cdef int make_verdicts(self, unsigned int size) except -1
    cdef bint ask(self, unsigned int flags, unsigned int area) except -1
    cdef int prepare(self, const MeshState* mesh) except -1
