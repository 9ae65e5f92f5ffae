# What a straight path keeps: the portals of a corridor, the off-mesh links among them, and the folds.
#
# The scratch belongs to the query object and only grows. Both chains hold portal numbers; a portal is put into a chain at
# most once, so chains as long as the portals never overflow.

from libc.stdlib cimport free

from onepath.mesh._mesh cimport reference_t
from onepath.mesh._portals cimport PortalGroup
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport PointBuffer, free_points
from onepath.query._room cimport grown_capacity, resize


cdef struct Portal:
    # The ends of a portal as seen by a walker who passes it: the polygons' winding puts the first vertex on the right.
    Vector right
    Vector left


cdef struct End:
    # An end of a portal, and where it comes to lie when what is behind the folds has been turned over
    Vector place
    Vector image


cdef struct Leap:
    # A portal that is no portal but an off-mesh link: its right end is the entry, its left end the exit.
    int portal
    int id
    int kind


cdef struct Image:
    # Where a coordinate comes to lie when what is behind the folds has been turned over. All zero: where it is.
    double at                      # a line at which the last fold was
    double image                   # and its image
    bint is_turned


cdef struct Fold:
    # A portal on the line of the one before it, over which the corridor comes back.
    int portal
    int side                       # of the tile that it leads out of
    double line                    # the image of the side's line
    Image x                        # of what lies behind it
    Image z


cdef struct FoldScratch:
    # All zero is a valid empty scratch.
    int count
    int capacity
    Fold* folds                    # ascending
    int portal_capacity
    Portal* unfolded               # the images of a corridor's portals
    reference_t* numbers           # 0, 1, 2 ... in place of polygons
    PointBuffer pulled             # the line through the images


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
    FoldScratch folds


cdef inline int reserve_portals(StraightScratch* scratch, int needed) noexcept nogil:
    # Room for `needed` portals: 0, or -1 where there is no memory (what was there stays).
    cdef int capacity
    if needed <= scratch.capacity:
        return 0
    capacity = grown_capacity(scratch.capacity, needed)
    if resize(&scratch.portals, capacity, sizeof(Portal)) != 0:
        return -1
    if resize(&scratch.right_chain, capacity, sizeof(int)) != 0:
        return -1
    if resize(&scratch.left_chain, capacity, sizeof(int)) != 0:
        return -1
    scratch.capacity = capacity
    return 0


cdef inline int append_leap(StraightScratch* scratch, int portal, int id, int kind) noexcept nogil:
    cdef int capacity
    if scratch.leap_count == scratch.leap_capacity:
        capacity = grown_capacity(scratch.leap_capacity, scratch.leap_count + 1)
        if resize(&scratch.leaps, capacity, sizeof(Leap)) != 0:
            return -1
        scratch.leap_capacity = capacity
    scratch.leaps[scratch.leap_count].portal = portal
    scratch.leaps[scratch.leap_count].id = id
    scratch.leaps[scratch.leap_count].kind = kind
    scratch.leap_count += 1
    return 0


cdef inline int reserve_groups(StraightScratch* scratch, int needed) noexcept nogil:
    cdef int capacity = grown_capacity(scratch.group_capacity, needed)
    if resize(&scratch.groups, capacity, sizeof(PortalGroup)) != 0:
        return -1
    scratch.group_capacity = capacity
    return 0


cdef inline bint ends_with_fold(const FoldScratch* scratch, int portal) noexcept nogil:
    # Whether the last fold is at this portal: what follows on the same line is turned over as well, wherever it lies.
    return scratch.count > 0 and scratch.folds[scratch.count - 1].portal == portal


cdef inline int last_in_row(const FoldScratch* scratch, int first) noexcept nogil:
    # The last of the folds that follow this one portal by portal, all on one line.
    while first + 1 < scratch.count and scratch.folds[first + 1].portal == scratch.folds[first].portal + 1:
        first += 1
    return first


cdef inline int append_fold(FoldScratch* scratch, int portal, int side) noexcept nogil:
    # 0, or -1 where there is no memory.
    cdef int capacity
    if scratch.count == scratch.capacity:
        capacity = grown_capacity(scratch.capacity, scratch.count + 1)
        if resize(&scratch.folds, capacity, sizeof(Fold)) != 0:
            return -1
        scratch.capacity = capacity
    scratch.folds[scratch.count].portal = portal
    scratch.folds[scratch.count].side = side
    scratch.count += 1
    return 0


cdef inline int reserve_unfolded(FoldScratch* scratch, int needed) noexcept nogil:
    # Room for the images of `needed` portals: 0, or -1 where there is no memory.
    cdef int capacity
    if needed <= scratch.portal_capacity:
        return 0
    capacity = grown_capacity(scratch.portal_capacity, needed)
    if resize(&scratch.unfolded, capacity, sizeof(Portal)) != 0:
        return -1
    if resize(&scratch.numbers, <size_t>capacity + 1, sizeof(reference_t)) != 0:
        return -1
    scratch.portal_capacity = capacity
    return 0


cdef inline void free_folds(FoldScratch* scratch) noexcept nogil:
    free(scratch.folds)
    free(scratch.unfolded)
    free(scratch.numbers)
    free_points(&scratch.pulled)


cdef inline void free_straight(StraightScratch* scratch) noexcept nogil:
    free(scratch.portals)
    free(scratch.right_chain)
    free(scratch.left_chain)
    free(scratch.groups)
    free(scratch.leaps)
    free_folds(&scratch.folds)
