from onepath.query._exact_state cimport ExactWork

# The number of a polygon's record, whose exits are listed when it is first asked for; -1 where there is no memory. Exits and
# records may move.
cdef int polygon_record(const ExactWork* work, int slot, int polygon) noexcept nogil

# The record of the polygon behind an exit, as above.
cdef int record_behind(const ExactWork* work, int number) noexcept nogil
