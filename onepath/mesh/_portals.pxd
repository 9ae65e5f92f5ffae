from onepath.mesh._mesh cimport MeshState, TileSlot


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
