# Islands as users see them.

cimport cython

from onepath.mesh._core cimport MeshCore
from onepath.mesh._mesh cimport reference_t
from onepath.query._islands cimport Islands


@cython.final
cdef class Island:
    cdef readonly int id
    cdef readonly reference_t ref
    cdef readonly object polygons
    cdef readonly double area
    cdef readonly tuple bounds
    cdef readonly bint at_frontier


# All islands, the largest first. The mesh has been entered and `islands` is up to date.
cdef tuple listed_islands(MeshCore mesh, Islands islands)
