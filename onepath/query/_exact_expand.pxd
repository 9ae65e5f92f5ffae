from onepath.query._exact_state cimport ExactWork

# Makes the nodes that follow from a node, whose polygon's record is known and for which room has been made: 0, or -1 where
# there is no memory.
cdef int expand_exact(const ExactWork* work, int index) noexcept nogil
