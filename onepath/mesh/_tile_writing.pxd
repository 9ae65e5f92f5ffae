from onepath.mesh._format cimport SettingsRecord, TileHeader


# What a bake hands over for a tile: flat arrays in cells and rows, neighbours and sides known. Borrowed for the call.
cdef struct BakedPolygons:
    int vertex_count
    int polygon_count
    int edge_count
    const int* vertex_x          # (vertex_count) cells from the tile's corner
    const int* vertex_y          # (vertex_count) rows from row 0
    const int* vertex_z          # (vertex_count) cells
    const int* polygon_first     # (polygon_count + 1)
    const int* polygon_vertices  # (edge_count)
    const int* neighbours        # (edge_count) polygon or -1
    const int* border_sides      # (edge_count) side or -1
    const int* areas             # (polygon_count) 0 to 255
    const int* volumes           # (polygon_count) 0 to 65535; NULL for zeros
    int detail_triangle_count    # 0: the tile has no detail, and the pointers below are not looked at
    int detail_vertex_count
    int detail_parts             # of a cell, a power of two
    const int* detail_first      # (polygon_count + 1)
    const int* detail_triangles  # (detail_triangle_count, 3) below vertex_count a vertex, then those of detail
    const int* detail_x          # (detail_vertex_count) parts of cells
    const int* detail_y          # (detail_vertex_count) rows
    const int* detail_z          # (detail_vertex_count)


cdef int fill_settings(SettingsRecord* record, object settings) except -1
cdef object settings_of(const SettingsRecord* record)
cdef tuple place_of(const TileHeader* header)
cdef int refuse_other_settings(const TileHeader* header, const SettingsRecord* wanted) except -1
cdef long long baked_size(const BakedPolygons* polygons) noexcept nogil
cdef void write_baked(
    unsigned char* block, const SettingsRecord* settings, int column, int row, int layer, const BakedPolygons* polygons
) noexcept nogil
cdef bytes arranged_block(object settings, int column, int row, int layer, list sections, object volumes)
