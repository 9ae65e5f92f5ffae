# What rays and moves return. The first few polygons visited lie in the object, so that most calls make one object.

cimport cython

from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._outputs cimport Outputs
from onepath.query._trace cimport PolygonList, Trace


cdef struct Visited:
    int count
    bint truncated
    reference_t[12] first    # all of them where there are no more than these and no array was given


cdef tuple RAYCAST_STATUSES  # members of RaycastStatus by code


# Immutable, and an array of numbers leads nowhere: the garbage collector need not look.
@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class RaycastHit:
    cdef int state               # TRACE_CLEAR and so on
    cdef readonly double t
    cdef readonly reference_t polygon
    cdef readonly int edge
    cdef double normal_x
    cdef double normal_z
    cdef Visited seen
    cdef object rest             # None, or bytes of all visited, or the caller's array


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class SurfaceMove:
    cdef int state
    cdef readonly reference_t ref
    cdef Vector position
    cdef Visited seen
    cdef object rest


# `out` is the caller's array for the polygons visited, held in `outputs`, or None
cdef RaycastHit make_hit(
    const MeshState* mesh, const Trace* trace, const PolygonList* visited, object out, const Outputs* outputs
)
cdef SurfaceMove make_move(
    const MeshState* mesh, const Trace* trace, Vector point, const PolygonList* visited, object out, const Outputs* outputs
)
# The outward unit normal of the edge where a trace has ended, in X/Z
cdef void wall_normal(const MeshState* mesh, const Trace* trace, double* x, double* z) noexcept nogil
