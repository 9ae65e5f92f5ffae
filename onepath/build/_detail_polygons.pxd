# Height detail: triangles of polygons whose heights follow the floor.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._detail_edges cimport DetailVertices, EdgeHeights
from onepath.build._detail_triangles cimport DetailTriangles
from onepath.build._floor_heights cimport FloorHeights
from onepath.build._span_graph cimport SpanGraph


# The polygons of one tile, borrowed for the call.
cdef struct PolygonArrays:
    int vertex_count, polygon_count, region_count
    const int* vertex_x          # (vertex_count) cells from the square's low corner
    const int* vertex_y          # (vertex_count) rows
    const int* vertex_z          # (vertex_count)
    const int* offset            # (polygon_count + 1)
    const int* vertex            # (corners)
    const int* neighbour         # (corners) polygon or -1
    const int* border_side       # (corners) side or -1
    const int* region            # (polygon_count)


cdef struct DetailRules:
    int spacing                  # cells between samples
    int reach                    # links by which a polygon may have left its region
    double allowed               # rows


cdef struct Detail:
    FloorHeights floors
    EdgeHeights heights
    DetailTriangles made
    IntBuffer edge_first         # (corners) first vertex on the edge that leaves a corner; -1 before it was looked at
    IntBuffer edge_count         # (corners)

    # Result
    IntBuffer offset             # (polygons + 1)
    IntBuffer triangle           # (3 * triangles) a polygon's vertex, or vertex_count and up: a vertex of detail
    DetailVertices vertices
    double largest_error         # rows, of all tiles since it was 0
    int largest_x, largest_y, largest_z  # its cell and floor row in the tile that has it
    int found_larger             # 1 if this tile has the cell


# Fills the result. Returns -1 without memory, -4 if there are more vertices or triangles than a tile holds.
cdef int make_detail(
    const CompactField* field,
    const SpanGraph* graph,
    const PolygonArrays* polygons,
    const DetailRules* rules,
    Detail* detail,
) noexcept nogil
cdef void free_detail(Detail* detail) noexcept nogil


# No polygon of a region can be farther off its floor than this, rows.
cdef inline int row_spread(const Detail* detail, int region) noexcept nogil:
    return detail.floors.high_around.data[region] - detail.floors.low_around.data[region]
