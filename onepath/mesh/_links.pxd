from onepath.mesh._mesh cimport Link, MeshState, SideEdge, TileSlot


cdef struct LinkScratch:
    Link* links
    int count
    int capacity
    int* first                   # (polygons + 1) of the tile whose links were made last
    int first_capacity
    int frontier_sides           # of that tile


# How many edges lie on a side of the tile; side s has those from side_first[s] to side_first[s + 1] when they are sorted.
cdef int count_side_edges(const signed char* border_sides, int edge_count, int* side_first) noexcept nogil
# Lists a tile's side edges by side, each side's by its lower end; the tile's `side_first` says where.
cdef void sort_side_edges(const TileSlot* tile, SideEdge* edges) noexcept nogil
cdef int make_links(MeshState* mesh, int slot, int sides, LinkScratch* scratch) noexcept nogil
cdef void free_link_scratch(LinkScratch* scratch) noexcept nogil
