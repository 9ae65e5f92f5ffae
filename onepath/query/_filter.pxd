# Which polygons may be used and what travel costs there (queries document, filters and costs).

cimport cython

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState


@cython.final
cdef class QueryFilter:
    cdef FilterTable table
    cdef int verdict_count
    cdef unsigned int* verdict_tables[26]  # all that there were: threads without the GIL may still read the smaller ones
    cdef int verdict_table_count
    cdef readonly object predicate
    cdef bint made               # it is a value: no second __init__
    cdef tuple wishes            # (costs, avoid, require) by area id or name, and the kinds of links or None
    cdef bint named              # some of them are names, which the areas of a mesh give their ids
    cdef tuple bound             # (Areas, the filter that they made of it), the one asked for last

    cdef int set_costs(self) except -1
    cdef int need_bound(self) except -1
    cdef int make_verdicts(self, unsigned int size) except -1
    cdef bint ask(self, unsigned int flags, unsigned int area) except -1
    cdef int prepare(self, const MeshState* mesh) except -1
