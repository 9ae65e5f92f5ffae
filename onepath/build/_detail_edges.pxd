# Vertices of detail on the edges of polygons, the same for both polygons of an edge.

from onepath.build._buffers cimport IntBuffer
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
    int begin_x, begin_z         # parts
    int step_x, step_z           # parts
    IntBuffer row                # floor rows, -1 where there is no floor
    IntBuffer keep               # 1 where it gets a vertex
    IntBuffer stack


# Appends the vertices that an edge of the loaded polygon needs, so that no ground under it is farther off than `max_error`
# and a row; those near every `spacing` cells first. The end that comes first by (x, z) must be given first. Returns their
# number or -1.
cdef int find_edge_vertices(
    const FloorHeights* floors,
    EdgeHeights* heights,
    const GridPoint* begin,
    const GridPoint* end,
    double max_error,
    int spacing,
    DetailVertices* vertices,
) noexcept nogil
cdef int add_detail_vertex(DetailVertices* vertices, int x, int z, int y) noexcept nogil
cdef void free_edge_heights(EdgeHeights* heights) noexcept nogil
cdef void free_detail_vertices(DetailVertices* vertices) noexcept nogil
