cimport cython

from onepath.query._corridor_query cimport CorridorQuery


@cython.final
cdef class NavMeshQuery(CorridorQuery):
    pass
