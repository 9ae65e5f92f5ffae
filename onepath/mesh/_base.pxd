from onepath.mesh._mesh cimport MeshState, reference_t

# Any 64-bit integer: whether it names a polygon is for the mesh or the query to answer.
cdef reference_t read_reference(object value, str name) except? -1


# What every part of a mesh may use: a kernel takes a mesh and reads mesh.state between enter and leave. Both are called
# with the GIL held; in between it may be released.
cdef class MeshBase:
    cdef MeshState state
    cdef readonly object settings        # MeshSettings
    cdef readonly object grid_bounds     # (first column, first row, last column, last row) or None
    cdef int running                     # queries between enter and leave
    cdef bint writing                    # a stage call or a commit runs
    cdef bint committing
    cdef unsigned long editor            # the thread that has an edit block open, else 0
    cdef bint generating                 # a link generation is at work
    cdef unsigned long tester            # the thread that is inside a generation's clearance test, else 0
    cdef readonly long long _misuse      # calls refused with BusyError

    cdef int check_initialised(self) except -1
    cdef int enter(self) except -1
    cdef void leave(self) noexcept
    cdef int begin_writing(self, str call) except -1
    cdef int checked_reference(self, object reference, int* polygon) except -1
