# The funnel: the shortest line through a row of portals (queries document, straight path).
#
# The scratch belongs to the query object and only grows. Both chains hold portal numbers; a portal is put into a chain at
# most once, so chains as long as the portals never overflow.

from libc.stdlib cimport free, realloc

from onepath.mesh._mesh cimport reference_t
from onepath.mesh._portals cimport PortalGroup
from onepath.query._buffers cimport PointBuffer, grown_capacity
from onepath.mesh._surface cimport Vector

cdef enum:
    STRAIGHT_OK = 0
    STRAIGHT_TRUNCATED = 1         # as many points as were asked for have been found; there may be more
    STRAIGHT_INVALID_CORRIDOR = 2  # empty, a stale polygon, or neighbours that do not touch; no point was written
    STRAIGHT_NO_MEMORY = -1


cdef struct Portal:
    # The ends of a portal as seen by a walker who passes it: the polygons' winding puts the first vertex on the right.
    Vector right
    Vector left


cdef struct Leap:
    # A portal that is no portal but an off-mesh link: its right end is the entry, its left end the exit.
    int portal
    int id
    int kind


cdef struct StraightScratch:
    # All zero is a valid empty scratch.
    int capacity                   # portals
    Portal* portals
    int* right_chain
    int* left_chain
    int leap_count
    int leap_capacity
    Leap* leaps                    # ascending
    int group_capacity
    PortalGroup* groups            # the portals between one polygon and the next across a tile border


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


cdef inline int reserve_portals(StraightScratch* scratch, int needed) noexcept nogil:
    # Room for `needed` portals: 0, or -1 where there is no memory (what was there stays).
    cdef int capacity
    cdef void* block
    if needed <= scratch.capacity:
        return 0
    capacity = grown_capacity(scratch.capacity, needed)
    block = realloc(scratch.portals, <size_t>capacity * sizeof(Portal))
    if block == NULL:
        return -1
    scratch.portals = <Portal*>block
    block = realloc(scratch.right_chain, <size_t>capacity * sizeof(int))
    if block == NULL:
        return -1
    scratch.right_chain = <int*>block
    block = realloc(scratch.left_chain, <size_t>capacity * sizeof(int))
    if block == NULL:
        return -1
    scratch.left_chain = <int*>block
    scratch.capacity = capacity
    return 0


cdef inline int append_leap(StraightScratch* scratch, int portal, int id, int kind) noexcept nogil:
    cdef int capacity
    cdef void* block
    if scratch.leap_count == scratch.leap_capacity:
        capacity = grown_capacity(scratch.leap_capacity, scratch.leap_count + 1)
        block = realloc(scratch.leaps, <size_t>capacity * sizeof(Leap))
        if block == NULL:
            return -1
        scratch.leaps = <Leap*>block
        scratch.leap_capacity = capacity
    scratch.leaps[scratch.leap_count].portal = portal
    scratch.leaps[scratch.leap_count].id = id
    scratch.leaps[scratch.leap_count].kind = kind
    scratch.leap_count += 1
    return 0


cdef inline int reserve_groups(StraightScratch* scratch, int needed) noexcept nogil:
    cdef int capacity = grown_capacity(scratch.group_capacity, needed)
    cdef void* block = realloc(scratch.groups, <size_t>capacity * sizeof(PortalGroup))
    if block == NULL:
        return -1
    scratch.groups = <PortalGroup*>block
    scratch.group_capacity = capacity
    return 0


cdef inline void free_straight(StraightScratch* scratch) noexcept nogil:
    free(scratch.portals)
    free(scratch.right_chain)
    free(scratch.left_chain)
    free(scratch.groups)
    free(scratch.leaps)


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
