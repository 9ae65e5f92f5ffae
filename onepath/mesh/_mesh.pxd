# The mesh as queries see it: plain structs of pointers, valid while the mesh's busy counter is held.
#
# A committed tile is one immutable block (its bytes) plus what may change beside it: areas, flags, links. The pointers
# of a TileSlot go into both. Edges are numbered through the whole tile: edge e of polygon p is polygon_first[p] + e, and
# runs from polygon_vertices[that] to the next vertex of the polygon. Sides: 0 = -x, 1 = +z, 2 = +x, 3 = -z.

ctypedef long long reference_t
ctypedef unsigned char uint8
ctypedef unsigned short uint16


cdef struct Link:
    int polygon          # the polygon it leaves, in this tile
    int edge             # the edge it leaves through, within that polygon
    int target_slot
    int target_polygon
    uint8 kind           # PORTAL_KIND
    uint8 range_min      # the part of the edge it covers, from its first vertex, in 1/255, rounded outward
    uint8 range_max
    uint8 reserved


# The kind of links between tiles; those of off-mesh links are 0 to 63.
cdef enum:
    PORTAL_KIND = 255


cdef struct OffMeshLink:
    # One way over an off-mesh link, kept with the polygon that it leaves. The order is (polygon, id, crossing).
    int id               # above 0, never used again
    int crossing         # twice the crossing's place along the link's width, and 1 more where it leads from end to start
    int polygon          # it leaves, in this tile
    int target_slot
    int target_polygon
    uint16 flags
    uint8 area
    uint8 kind
    int enabled
    int reserved         # 0: no byte of a link is left undecided, so that two can be compared by their bytes
    double cost          # beside the length
    double length        # from start to end, in three dimensions
    double[3] start      # on the polygon it leaves
    double[3] end        # on the polygon it reaches


cdef struct BoxNode:
    # A node of a tile's box tree: a leaf has count > 0 and lists polygons[first : first + count] of the tree, an inner node
    # has its left child behind it and its right child at `first`. Boxes are tile-local.
    float[3] low
    float[3] high
    int first
    int count


cdef struct BoxTree:
    # One block from malloc, this first.
    BoxNode* nodes
    int* polygons            # every polygon of the tile once, in the order of the leaves


cdef struct SideEdge:
    # An edge on a side of the tile. A side's edges are sorted by (low, edge).
    float low            # its lower and higher coordinate along the side (z on sides 0 and 2, x on 1 and 3), tile-local
    float high
    float low_height     # at the two, tile-local
    float high_height
    float reach          # the largest `high` of this edge and those before it on the side
    int edge             # through the whole tile
    int polygon


cdef struct TileSlot:
    int used
    int generation               # of the tile in the slot, or of the next one where the slot is empty
    int column, row, layer
    int next_in_cell             # the next slot of the same grid cell, ascending by layer, -1 at the end
    int frontier_sides           # bit s: side s faces a cell inside the bounds that has no committed tile
    double[3] origin             # world position of tile-local zero

    int vertex_count
    int polygon_count
    int edge_count
    const float* vertices        # (vertex_count, 3), tile-local
    const int* polygon_first     # (polygon_count + 1)
    const int* polygon_vertices  # (edge_count)
    const int* neighbours        # (edge_count) polygon of the same tile, or -1
    const signed char* border_sides  # (edge_count) side of the tile that the edge lies on and leads across, or -1

    int detail_vertex_count
    int detail_triangle_count
    const int* detail_first      # (polygon_count + 1) into detail_triangles; NULL where the tile has no detail
    const int* detail_triangles  # (detail_triangle_count, 3): below vertex_count a tile vertex, else a detail vertex
    const float* detail_vertices # (detail_vertex_count, 3), tile-local

    uint8* areas                 # (polygon_count)
    uint16* flags                # (polygon_count)
    const uint8* baked_areas     # (polygon_count) the areas that the tile came with
    const uint16* volumes        # (polygon_count) the named volume that marked each, 0 for none; NULL where none did
    int[5] side_first            # side s has side_edges[side_first[s] : side_first[s + 1]]
    const SideEdge* side_edges
    const int* link_first        # (polygon_count + 1)
    const Link* links
    int off_mesh_count
    const int* off_mesh_first    # (polygon_count + 1); NULL where no off-mesh link leaves the tile
    const OffMeshLink* off_mesh

    float[3] low                 # box of all vertices, tile-local
    float[3] high
    void* tree                   # BoxTree*, built on first use: see tree_of; from malloc, freed with the slot
    void* detail_grids           # DetailGrids*, built on first use: see _detail_grid.pxd; from malloc, freed with the slot

    void* memory                 # the block that areas, flags and side_edges point into; from malloc if not borrowed
    int borrowed                 # BORROWED_ bits: what lies in the mesh's arena and goes with it
    int saved                    # 1 + its place in the running commit's journal, else 0
    long long changed            # the commit that last changed it for searches; see _tiles_read.pxd


cdef enum:
    BORROWED_MEMORY = 1
    BORROWED_LINKS = 2


cdef struct MeshState:
    TileSlot* slots
    int slot_count               # slots in use or once used: indices below it may be read
    int tile_count               # committed tiles
    long long polygon_count
    double tile_size
    double cell_size
    double cell_height
    double max_climb
    double vertical_origin
    int bounded                  # the four numbers below count
    int first_column, first_row, last_column, last_row   # inclusive
    int* cell_table              # open-addressing hash of grid cells to their first slot; see find_cell
    int cell_table_mask
    long long edit_count         # raised by every commit that changed something


# Bit 63 zero, 22 bits generation (from 1), 20 bits slot, 21 bits polygon. References are ordered by the low 41 bits.
cdef inline reference_t make_reference(int generation, int slot, int polygon) noexcept nogil:
    return ((<reference_t>generation) << 41) | ((<reference_t>slot) << 21) | <reference_t>polygon


# Of a polygon of the tile that is in the slot now.
cdef inline reference_t polygon_reference(const MeshState* mesh, int slot, int polygon) noexcept nogil:
    return make_reference(mesh.slots[slot].generation, slot, polygon)


cdef inline int reference_generation(reference_t reference) noexcept nogil:
    return <int>(reference >> 41)


cdef inline int reference_slot(reference_t reference) noexcept nogil:
    return <int>((reference >> 21) & 0xFFFFF)


cdef inline int reference_polygon(reference_t reference) noexcept nogil:
    return <int>(reference & 0x1FFFFF)


cdef inline bint reference_is_valid(const MeshState* mesh, reference_t reference) noexcept nogil:
    cdef int slot = reference_slot(reference)
    if reference <= 0 or slot >= mesh.slot_count:
        return False
    # An empty slot has the generation of its next tile, and no polygons.
    return (
        mesh.slots[slot].generation == reference_generation(reference)
        and reference_polygon(reference) < mesh.slots[slot].polygon_count
    )


cdef inline unsigned int cell_hash(int column, int row) noexcept nogil:
    cdef unsigned long long mixed = (<unsigned int>column) * <unsigned long long>0x9E3779B97F4A7C15
    mixed = (mixed ^ (<unsigned int>row)) * <unsigned long long>0xC2B2AE3D27D4EB4F
    return <unsigned int>(mixed >> 32)


# The first committed slot of a grid cell (the lowest layer; next_in_cell leads on), or -1.
cdef inline int find_cell(const MeshState* mesh, int column, int row) noexcept nogil:
    cdef unsigned int place = cell_hash(column, row) & <unsigned int>mesh.cell_table_mask
    cdef int slot
    if mesh.cell_table == NULL:
        return -1
    while True:
        slot = mesh.cell_table[place]
        if slot < 0 or (mesh.slots[slot].column == column and mesh.slots[slot].row == row):
            return slot
        place = (place + 1) & <unsigned int>mesh.cell_table_mask


# Whether a grid cell may hold a tile: in an open mesh every cell does, so what is missing there is not loaded yet.
cdef inline bint cell_is_inside(const MeshState* mesh, int column, int row) noexcept nogil:
    if not mesh.bounded:
        return True
    return mesh.first_column <= column <= mesh.last_column and mesh.first_row <= row <= mesh.last_row


cdef inline int facing_column(int column, int side) noexcept nogil:
    return column + (1 if side == 2 else (-1 if side == 0 else 0))


cdef inline int facing_row(int row, int side) noexcept nogil:
    return row + (1 if side == 1 else (-1 if side == 3 else 0))


# The axis along which a side runs: 2 (z) on sides 0 and 2, 0 (x) on sides 1 and 3.
cdef inline int side_axis(int side) noexcept nogil:
    return 0 if side & 1 else 2
