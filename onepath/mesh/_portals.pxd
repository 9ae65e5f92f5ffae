from onepath.mesh._mesh cimport MeshState, SideEdge, TileSlot


cdef struct Overlap:
    double low                   # along the side, world coordinate (z on sides 0 and 2, x on sides 1 and 3)
    double high


cdef struct PortalGroup:
    double low                   # along the side, world coordinate
    double high
    int low_edge                 # the source polygon's edges (within the polygon) that `low` and `high` lie on
    int high_edge


cdef struct PortalLimits:
    double climb                 # heights that join differ by at most this
    double length                # shorter portals are dropped


cdef struct EdgeEnds:
    # A side edge in the world, from its lower to its higher end along the side.
    double low
    double high
    double low_height
    double high_height


cdef inline double height_at(const EdgeEnds* edge, double at) noexcept nogil:
    # Height of an edge at a place along its side, always from its lower to its higher end; the ends exactly.
    if at <= edge.low or edge.low_height == edge.high_height:
        return edge.low_height
    if at >= edge.high:
        return edge.high_height
    return edge.low_height + (edge.high_height - edge.low_height) * ((at - edge.low) / (edge.high - edge.low))


cdef inline bint cut_by_climb(Overlap* overlap, double low_step, double high_step, double climb) noexcept nogil:
    # Cuts an overlap to where its step, linear from low_step to high_step, is at most `climb`; False if nowhere.
    #
    # Swapping the edges turns the steps' signs, and every number below is even or odd in them, so the bits stay.
    cdef double low = overlap.low
    cdef double length = overlap.high - overlap.low
    cdef double change = high_step - low_step
    cdef double limit
    if low_step > climb or low_step < -climb:
        limit = climb if low_step > 0.0 else -climb
        if (high_step > limit) if low_step > 0.0 else (high_step < limit):
            return False
        overlap.low = low + length * ((limit - low_step) / change)
    if high_step > climb or high_step < -climb:
        limit = climb if high_step > 0.0 else -climb
        if (low_step > limit) if high_step > 0.0 else (low_step < limit):
            return False
        overlap.high = low + length * ((limit - low_step) / change)
    return True


# The interval over which two facing side edges join; False where they do not.
cdef inline bint ends_overlap(
    const EdgeEnds* source, const EdgeEnds* target, const PortalLimits* limits, Overlap* overlap
) noexcept nogil:
    cdef double low_step
    cdef double high_step
    overlap.low = source.low if source.low > target.low else target.low
    overlap.high = source.high if source.high < target.high else target.high
    if overlap.high - overlap.low < limits.length:
        return False
    low_step = height_at(source, overlap.low) - height_at(target, overlap.low)
    high_step = height_at(source, overlap.high) - height_at(target, overlap.high)
    if not cut_by_climb(overlap, low_step, high_step, limits.climb):
        return False
    return overlap.high - overlap.low >= limits.length


cdef inline EdgeEnds side_edge_ends(const TileSlot* tile, const SideEdge* edge, int axis) noexcept nogil:
    cdef EdgeEnds ends
    ends.low = tile.origin[axis] + edge.low
    ends.high = tile.origin[axis] + edge.high
    ends.low_height = tile.origin[1] + edge.low_height
    ends.high_height = tile.origin[1] + edge.high_height
    return ends


cdef PortalLimits portal_limits(const MeshState* mesh) noexcept nogil
cdef bint edge_overlap(
    const TileSlot* source, int source_edge, int source_next,
    const TileSlot* target, int target_edge, int target_next,
    int side, const PortalLimits* limits, Overlap* overlap,
) noexcept nogil
cdef int portal_groups(
    const MeshState* mesh, int source_slot, int source_polygon, int target_slot, int target_polygon, int side,
    PortalGroup* groups, int capacity,
) noexcept nogil
