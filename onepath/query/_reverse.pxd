# The crossing that leads back over the one by which a corridor leaves a polygon.

from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.query._buffers cimport Crossing
from onepath.query._straight_state cimport StraightScratch


# Fills back[0]: 1, or 0 where the way is a one-way link or is no longer there, or -1 where there is no memory. Both
# references are valid.
cdef int reverse_crossing(
    const MeshState* mesh, reference_t left, reference_t entered, const Crossing* crossing, StraightScratch* scratch,
    Crossing* back,
) noexcept nogil
