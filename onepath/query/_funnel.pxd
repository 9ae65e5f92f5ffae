# The funnel: the shortest line through a row of portals (queries document, straight path).

from onepath.mesh._mesh cimport reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport PointBuffer
from onepath.query._straight_state cimport Portal, StraightScratch

cdef enum:
    STRAIGHT_OK = 0
    STRAIGHT_TRUNCATED = 1         # as many points as were asked for have been found; there may be more
    STRAIGHT_INVALID_CORRIDOR = 2  # empty, a stale polygon, or neighbours that do not touch; no point was written
    STRAIGHT_NO_MEMORY = -1


cdef struct Funnel:
    # The region that a straight line from the apex can reach: chain[begin : end] of each side leads from the apex to that
    # end of the portal passed last. Closed (both chains empty) means that the apex lies in the polygon entered last.
    Vector apex
    const Portal* portals
    const reference_t* corridor
    int* right_chain
    int* left_chain
    int right_begin, right_end
    int left_begin, left_end
    bint is_rounded
    PointBuffer* line


# The line from start to end through scratch.portals[0 : count], of which scratch.leaps are links; corridor[i + 1] lies behind
# portal i. is_rounded: start, end and the ends of links were computed and may lie off the portals on which they should be.
# At most max_points points (0: all of them) are left in `line`. Answers STRAIGHT_OK, STRAIGHT_TRUNCATED or
# STRAIGHT_NO_MEMORY.
cdef int pull_string(
    StraightScratch* scratch,
    int count,
    const reference_t* corridor,
    Vector start,
    Vector end,
    bint is_rounded,
    int max_points,
    PointBuffer* line,
) noexcept nogil

# Leaves the `most` points that were asked for, and the links that they enter: STRAIGHT_OK or STRAIGHT_TRUNCATED.
cdef int cut_line(PointBuffer* line, int most) noexcept nogil
