# Many positions as users hand them over: an array, or a list in which NavPoints may be.

from onepath.query._query_core cimport Place


cdef class PlaceList:
    cdef Place* places
    cdef int count

    cdef PlaceList copy(self)


# (n, 3) numbers, or a sequence of positions and NavPoints, or one of them by itself
cdef PlaceList read_places(object points, str name)
