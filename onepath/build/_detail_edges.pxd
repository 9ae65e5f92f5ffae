# Vertices of detail on the edges of polygons, the same for both polygons of an edge.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._floor_heights cimport FloorHeights


# A place of the square's grid with a floor row.
cdef struct GridPoint:
    int x, y, z                  # cells, rows, cells


# Vertices of detail.
cdef struct DetailVertices:
    IntBuffer x, z               # parts
    IntBuffer y                  # rows


# Along one edge, a cell apart or less.
cdef struct EdgeHeights:
    IntBuffer row                # floor rows, -1 where there is no floor
    IntBuffer keep               # 1 where it gets a vertex
    IntBuffer stack


# Appends the vertices that an edge of the loaded region needs, so that no floor under it is farther off than `allowed`
# rows; those near every `spacing` cells first. `behind` is the region behind the edge, -1 for none. The end that comes
# first by (x, z) must be given first. Returns their number or -1.
cdef int find_edge_vertices(
    const CompactField* field,
    const FloorHeights* floors,
    EdgeHeights* heights,
    const GridPoint* begin,
    const GridPoint* end,
    int behind,
    double allowed,
    int spacing,
    DetailVertices* vertices,
) noexcept nogil
cdef int add_detail_vertex(DetailVertices* vertices, int x, int z, int y) noexcept nogil
cdef void free_edge_heights(EdgeHeights* heights) noexcept nogil
cdef void free_detail_vertices(DetailVertices* vertices) noexcept nogil
