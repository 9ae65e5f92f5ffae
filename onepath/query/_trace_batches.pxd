from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._batches cimport Batch


cdef class TraceBatch(Batch):
    cdef const reference_t* refs
    cdef const Vector* starts
    cdef const Vector* ends
    # The answers
    cdef unsigned char* status
    cdef reference_t* polygons


cdef class RayBatch(TraceBatch):
    cdef double* t
    cdef Vector* normals
    cdef int* edges


cdef class MoveBatch(TraceBatch):
    cdef int slides
    cdef Vector* points
