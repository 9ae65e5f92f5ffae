# Where the ends of off-mesh links lie on the mesh, and the arrays through which polygons list the links that leave them.

from onepath.mesh._mesh cimport MeshState, OffMeshLink, TileSlot, uint8, uint16
from onepath.mesh._surface cimport Vector


cdef struct LinkNumbers:
    # A definition as the kernels read it
    int id
    int enabled
    int both_ways
    uint16 flags
    uint8 area
    uint8 kind
    int count                # crossings
    double width
    double cost
    double start_snap
    double end_snap
    Vector start
    Vector end


cdef struct SnappedEnd:
    int slot                 # -1 where the end is not on the mesh
    int polygon
    Vector point
    double squared_distance  # to the nearest polygon whose box its own touches; infinite without one


cdef struct SnappedCrossing:
    SnappedEnd start
    SnappedEnd end


cdef struct LeavingLink:
    int slot                 # whose polygon it leaves
    OffMeshLink link


cdef struct LeavingLinks:
    LeavingLink* items
    int count
    int capacity


# How many crossings a link of this width has, at most `spacing` apart; as a double, for it may be more than an int holds.
cdef double crossings_across(double width, double spacing) noexcept nogil

# Start and end of a crossing before they are snapped.
cdef void place_crossing(const LinkNumbers* link, int crossing, Vector* start, Vector* end) noexcept nogil

# 0, or -1 where there was no memory for a tile's box tree. No crossing moves another.
cdef int snap_crossings(MeshState* mesh, const LinkNumbers* link, SnappedCrossing* crossings) noexcept nogil

# Appends the ways over a link that are attached: 0, or -1 without memory.
cdef int append_ways(const LinkNumbers* link, const SnappedCrossing* crossings, LeavingLinks* leaving) noexcept nogil
cdef int append_leaving(LeavingLinks* leaving, int slot, const OffMeshLink* link) noexcept nogil

# Size of the block that lists `count` links of a tile, and how it is filled: the links first, then the offsets.
cdef size_t off_mesh_size(const TileSlot* tile, int count) noexcept nogil
cdef void point_to_off_mesh(TileSlot* tile, void* block, int count) noexcept nogil
