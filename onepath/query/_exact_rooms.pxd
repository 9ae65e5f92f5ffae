from onepath.query._exact_state cimport ExactWork

# Makes the nodes that follow from a room, for which there is space: 0, or -1 where there is no memory.
cdef int expand_room(const ExactWork* work, int index) noexcept nogil
