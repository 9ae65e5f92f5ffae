from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._batches cimport Batch
from onepath.query._query_core cimport Reach
from onepath.query._random cimport uint64
from onepath.query._sampling cimport MeshWeights


cdef class WallBatch(Batch):
    cdef const reference_t* refs
    cdef const Vector* centers
    cdef const double* radii
    # The answers
    cdef unsigned char* status
    cdef unsigned char* found
    cdef double* distances
    cdef Vector* points
    cdef Vector* normals
    cdef reference_t* polygons
    cdef int* edges


cdef class NearestBatch(Batch):
    cdef Reach reach
    cdef const Vector* centers
    # The answers
    cdef reference_t* polygons
    cdef Vector* points
    cdef double* squared_distances
    cdef unsigned char* over


cdef class PointBatch(Batch):
    cdef uint64 state            # before the first point
    cdef const MeshWeights* weights
    # The answers
    cdef reference_t* polygons
    cdef Vector* points
