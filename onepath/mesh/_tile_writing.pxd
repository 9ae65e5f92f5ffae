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


cdef int fill_settings(SettingsRecord* record, object settings) except -1
cdef object settings_of(const SettingsRecord* record)
cdef tuple place_of(const TileHeader* header)
cdef int refuse_other_settings(const TileHeader* header, const SettingsRecord* wanted) except -1
cdef long long baked_size(const BakedPolygons* polygons) noexcept nogil
cdef void write_baked(
    unsigned char* block, const SettingsRecord* settings, int column, int row, int layer, const BakedPolygons* polygons
) noexcept nogil
cdef bytes arranged_block(object settings, int column, int row, int layer, list sections, object volumes)
