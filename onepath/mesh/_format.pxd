# The bytes of a tile: a header of 128 bytes, then sections counted by it, each 8-byte aligned and padded with zeros, all
# little endian. What the bytes hold is immutable; areas and flags are the ones the tile starts with.
#
#   vertices            float32 (vertices, 3)            relative to (column * tile size, vertical origin, row * tile size)
#   polygon offsets     int32   (polygons + 1)           into the three edge sections
#   polygon vertices    int32   (edges)                  counter-clockwise seen from above
#   neighbours          int32   (edges)                  polygon of the same tile, or -1
#   border sides        int8    (edges)                  side of the tile the edge lies on and leads across, or -1
#   areas               uint8   (polygons)
#   flags               uint16  (polygons)
#   detail offsets      int32   (polygons + 1)           the last three only if has_detail
#   detail triangles    int32   (detail triangles, 3)    below `vertices` a vertex, else a detail vertex
#   detail vertices     float32 (detail vertices, 3)
#   volumes             uint16  (polygons)               only if has_volumes: the named volume that marked each, or 0
#
# docs/tile-format.md says the same for programs that read or write tiles by themselves; a test reads tiles by it.

from onepath.mesh._checksum cimport checksum

cdef extern from *:
    """
    #define ONEPATH_LARGEST_COORDINATE 2097152.0
    """
    # Metres; 2**21, as `LARGEST_COORDINATE` of onepath/geometry/triangles.py
    const double LARGEST_COORDINATE "ONEPATH_LARGEST_COORDINATE"

cdef enum:
    TILE_VERSION = 1
    MAX_POLYGONS = 0x1FFFFF          # 21 bits of a reference
    MAX_SLOTS = 0x100000             # 20 bits
    MAX_GENERATION = 0x3FFFFF        # 22 bits
    MAX_VERTICES = 0xFFFFFF
    MAX_EDGES = 0xFFFFFF
    MAX_POLYGON_VERTICES = 1024
    MAX_CELL = 0x10000000            # columns and rows; their products with the tile size are exact doubles
    MAX_LAYER = 0xFFFF
    CHECKED_FROM = 24                # the first byte that the checksum covers


cdef enum:                       # the sections, in order
    HEADER
    VERTICES
    POLYGON_OFFSETS
    POLYGON_VERTICES
    NEIGHBOURS
    BORDER_SIDES
    AREAS
    FLAGS
    DETAIL_OFFSETS
    DETAIL_TRIANGLES
    DETAIL_VERTICES
    VOLUMES
    SECTION_COUNT


cdef struct SettingsRecord:
    double cell_size
    double cell_height
    double vertical_origin
    double agent_radius
    double agent_height
    double max_climb
    double max_slope
    int tile_cells
    int rows


cdef struct TileHeader:
    char[8] magic
    int version
    short has_detail
    short has_volumes
    unsigned long long checksum  # of all bytes behind it; those before it are decided by themselves
    long long size               # of the whole block, in bytes
    SettingsRecord settings
    int column
    int row
    int layer
    int vertex_count
    int polygon_count
    int edge_count
    int detail_vertex_count
    int detail_triangle_count


cdef struct TileLayout:
    # A block taken apart. The pointers go into it and live as long as it does.
    const TileHeader* header
    const float* vertices
    const int* polygon_first
    const int* polygon_vertices
    const int* neighbours
    const signed char* border_sides
    const unsigned char* areas
    const unsigned short* flags
    const int* detail_first      # NULL without detail, as the two below
    const int* detail_triangles
    const float* detail_vertices
    const unsigned short* volumes  # NULL where no named volume marked a polygon


# The side of a tile, a float32.
cdef inline float tile_size(const SettingsRecord* settings) noexcept nogil:
    return <float>settings.tile_cells * <float>settings.cell_size


cdef inline long long aligned(long long size) noexcept nogil:
    return (size + 7) & ~<long long>7


# Byte offsets of the sections behind the header; offsets[SECTION_COUNT] is the size of the block. Counts are in range.
cdef inline void section_offsets(const TileHeader* header, long long* offsets) noexcept nogil:
    cdef long long polygons = header.polygon_count
    cdef long long edges = header.edge_count
    cdef long long detailed = header.has_detail
    cdef long long marked = header.has_volumes
    offsets[HEADER] = 0
    offsets[VERTICES] = sizeof(TileHeader)
    offsets[POLYGON_OFFSETS] = offsets[VERTICES] + aligned(12 * <long long>header.vertex_count)
    offsets[POLYGON_VERTICES] = offsets[POLYGON_OFFSETS] + aligned(4 * (polygons + 1))
    offsets[NEIGHBOURS] = offsets[POLYGON_VERTICES] + aligned(4 * edges)
    offsets[BORDER_SIDES] = offsets[NEIGHBOURS] + aligned(4 * edges)
    offsets[AREAS] = offsets[BORDER_SIDES] + aligned(edges)
    offsets[FLAGS] = offsets[AREAS] + aligned(polygons)
    offsets[DETAIL_OFFSETS] = offsets[FLAGS] + aligned(2 * polygons)
    offsets[DETAIL_TRIANGLES] = offsets[DETAIL_OFFSETS] + aligned(4 * (polygons + 1) * detailed)
    offsets[DETAIL_VERTICES] = offsets[DETAIL_TRIANGLES] + aligned(12 * <long long>header.detail_triangle_count)
    offsets[VOLUMES] = offsets[DETAIL_VERTICES] + aligned(12 * <long long>header.detail_vertex_count)
    offsets[SECTION_COUNT] = offsets[VOLUMES] + aligned(2 * polygons * marked)


cdef inline void take_apart(const unsigned char* block, TileLayout* layout) noexcept nogil:
    cdef long long[SECTION_COUNT + 1] at
    cdef const TileHeader* header = <const TileHeader*>block
    section_offsets(header, at)
    layout.header = header
    layout.vertices = <const float*>(block + at[VERTICES])
    layout.polygon_first = <const int*>(block + at[POLYGON_OFFSETS])
    layout.polygon_vertices = <const int*>(block + at[POLYGON_VERTICES])
    layout.neighbours = <const int*>(block + at[NEIGHBOURS])
    layout.border_sides = <const signed char*>(block + at[BORDER_SIDES])
    layout.areas = block + at[AREAS]
    layout.flags = <const unsigned short*>(block + at[FLAGS])
    layout.detail_first = NULL
    layout.detail_triangles = NULL
    layout.detail_vertices = NULL
    if header.has_detail:
        layout.detail_first = <const int*>(block + at[DETAIL_OFFSETS])
        layout.detail_triangles = <const int*>(block + at[DETAIL_TRIANGLES])
        layout.detail_vertices = <const float*>(block + at[DETAIL_VERTICES])
    layout.volumes = NULL
    if header.has_volumes:
        layout.volumes = <const unsigned short*>(block + at[VOLUMES])


cdef inline unsigned long long block_checksum(const unsigned char* block, long long size) noexcept nogil:
    return checksum(block + CHECKED_FROM, size - CHECKED_FROM)


# The side of the tile that an edge lies on, or -1. `size` is the tile size, a float32.
cdef inline int side_of_edge(const float* a, const float* b, float size) noexcept nogil:
    if a[0] == 0 and b[0] == 0:
        return 0
    if a[2] == size and b[2] == size:
        return 1
    if a[0] == size and b[0] == size:
        return 2
    if a[2] == 0 and b[2] == 0:
        return 3
    return -1
