from onepath.mesh._mesh cimport Link, MeshState, SideEdge, TileSlot


cdef struct LinkScratch:
    Link* links
    int count
    int capacity
    int* first                   # (polygons + 1) of the tile whose links were made last
    int first_capacity


cdef void sort_side_edges(const TileSlot* tile, int* side_first, SideEdge* edges) noexcept nogil
cdef int count_side_edges(const signed char* border_sides, int edge_count) noexcept nogil
cdef int make_links(MeshState* mesh, int slot, int sides, LinkScratch* scratch) noexcept nogil
# Bit s: side s of a cell faces one inside the bounds that has no committed tile.
cdef int frontier_mask(const MeshState* mesh, int column, int row) noexcept nogil
cdef void free_link_scratch(LinkScratch* scratch) noexcept nogil
