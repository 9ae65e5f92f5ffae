from onepath.query._exact_state cimport ExactSearch, Spot

# Whether a route that comes from `before` at this cost, to turn to this side at a corner, may be part of a shortest one.
cdef bint admit_route(ExactSearch* exact, int number, int side, double cost, Spot before) noexcept nogil

# Whether a cheaper route to the root is known. Routes of equal cost stay: rounding must not lose the last of them.
cdef bint is_outdone(const ExactSearch* exact, int number, double cost) noexcept nogil
