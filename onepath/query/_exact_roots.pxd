from onepath.query._exact_state cimport ExactSearch, ExactWork, Spot

cdef enum:
    ROOT_NO_MEMORY = -3

# Voids the roots of former searches: 0, or -1 where there is no memory.
cdef int begin_roots(ExactSearch* exact) noexcept nogil

# A root of its own, at a spot within a polygon: its number, or ROOT_NO_MEMORY.
cdef int new_root(ExactSearch* exact, Spot place) noexcept nogil

# The root at an end (SIDE_LEFT or SIDE_RIGHT) of an exit, for the polygons that are joined round it: its number, ROOT_NONE
# where none is needed as they go all round it, or ROOT_NO_MEMORY.
cdef int corner_root(const ExactWork* work, int exit, int end) noexcept nogil

# The root at a corner of a polygon (its record's number) round which polygons go all the way: its number, or ROOT_NO_MEMORY.
cdef int root_without_walls(const ExactWork* work, int record, Spot place) noexcept nogil
