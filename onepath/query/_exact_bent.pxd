from onepath.query._exact_bounds cimport Bounds
from onepath.query._exact_state cimport ExactSearch, ExactWork, Exit, Spot

# Whether an exit lies along a line of sight, or all round a root close to it.
cdef bint lies_along(const ExactSearch* exact, Spot root, const Exit* way) noexcept nogil

# Whether a spot is so close to an exit that a rounding may turn a line to it into any direction.
cdef bint is_close_to(const ExactSearch* exact, Spot spot, const Exit* way) noexcept nogil

# A spot to a side of what lies straight ahead of a root, as seen from there.
cdef Spot beside_ahead(Spot before, Spot root, int side) noexcept nogil

# From a node's root to both ends of an exit: 0, or -1 where there is no memory.
cdef int go_to_ends(const ExactWork* work, int index, int exit) noexcept nogil

# What a window sees of an exit: passes it on, and notes on which sides parts of it are out of sight.
cdef void look_aslant(const ExactWork* work, int index, int exit, const Bounds* bounds, bint* needs) noexcept nogil

# From a window to the ends that it sees of exits along a line of sight: 0, or -1 where there is no memory.
cdef int go_to_seen_ends_along(const ExactWork* work, int index, const Bounds* bounds) noexcept nogil
