from onepath.query._exact_state cimport ExactSearch, ExactWork, Spot

# What is known of the reach of the start.
cdef enum:
    REACH_NO_MEMORY = -1
    REACH_UNKNOWN = 0        # it has not been looked for
    REACH_SPREADING = 1
    REACH_END = 2            # the end is within it
    REACH_COMPLETE = 3       # the end is not

# Spreads over `count` more polygons from the start's, without a thought of lengths: one of the above.
cdef int spread_reach(const ExactWork* work, int count) noexcept nogil

# The polygon within a complete reach whose nearest point to the end is least (the one met first of several), made the end in
# its place, with that point.
cdef void aim_at_nearest(const ExactWork* work) noexcept nogil

cdef void free_reach(ExactSearch* exact) noexcept nogil
