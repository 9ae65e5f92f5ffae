# The straight path through a corridor of polygons (queries document, straight path).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport Link, MeshState, TileSlot, reference_t
from onepath.mesh._portals cimport PortalGroup
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport Crossing, PointBuffer
from onepath.query._funnel cimport (
    STRAIGHT_INVALID_CORRIDOR,
    STRAIGHT_NO_MEMORY,
    STRAIGHT_OK,
    STRAIGHT_TRUNCATED,
)
from onepath.query._straight_state cimport Portal, StraightScratch, free_straight

# A whole edge of a tile.
cdef Portal edge_portal(const TileSlot* tile, int polygon, int edge) noexcept nogil
# The portal of a link over a side of its tile: of its group where `is_named`, else the side's lowest; a STRAIGHT_ code.
cdef int tile_portal(
    const MeshState* mesh, int slot, const Link* link, int side, bint is_named, StraightScratch* scratch, Portal* portal
) noexcept nogil

# The edge of a tile from a polygon to its neighbour: the crossing's, else the lowest; -1 where there is none.
cdef int shared_edge(const TileSlot* tile, int polygon, int target, const Crossing* crossing) noexcept nogil
# The link from a polygon to one of another tile: the crossing's, else the first; NULL where there is none.
cdef const Link* connecting_link(
    const TileSlot* tile, int polygon, int target_slot, int target_polygon, const Crossing* crossing
) noexcept nogil

# Which of several portals between two polygons a link belongs to, by their ranges along the side (axis 0: x, 2: z).
cdef int link_group(
    const TileSlot* tile, const Link* link, int axis, const PortalGroup* groups, int count
) noexcept nogil
# The point of an edge (numbered within the polygon) at a place along its side, its height along the edge.
cdef Vector group_spot(const TileSlot* tile, int polygon, int edge, int axis, double at) noexcept nogil

# The line through a corridor of `count` polygons. `crossings` says how each step crosses (count - 1 of them); where it is
# NULL the readings' rule for bare references chooses, among off-mesh links the first that passes the filter. start and end are first moved onto the first and last polygon.
# max_corners limits the points, the start included; 0 means all. Answers one of the STRAIGHT_ codes.
cdef int straight_path(
    const MeshState* mesh,
    const reference_t* corridor,
    const Crossing* crossings,
    int count,
    Vector start,
    Vector end,
    const FilterTable* table,
    int max_corners,
    StraightScratch* scratch,
    PointBuffer* line,
) noexcept nogil
