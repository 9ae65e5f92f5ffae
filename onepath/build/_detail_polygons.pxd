# Height detail: triangles of polygons whose heights follow the floor.

from onepath.build._buffers cimport IntBuffer
from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._detail_edges cimport DetailVertices, EdgeHeights
from onepath.build._detail_triangles cimport DetailTriangles
from onepath.build._floor_bounds cimport FloorBounds, row_spread
from onepath.build._floor_heights cimport FloorHeights
from onepath.build._polygon_arrays cimport PolygonArrays
from onepath.build._span_graph cimport SpanGraph


cdef enum:
    MOST_DETAIL = 16777215       # vertices and triangles of detail that a tile holds at most, each


cdef struct DetailRules:
    int spacing                  # cells between samples
    int reach                    # links straight over its border by which a polygon may have left its region
    double max_error             # rows, beside the one by which rounding up may raise a floor


cdef struct Detail:
    FloorBounds bounds
    FloorHeights floors
    EdgeHeights heights
    DetailTriangles made
    IntBuffer mended             # cells of the polygon that have got a vertex beside their centre
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
    const Contours* contours,
    const PolygonArrays* polygons,
    const DetailRules* rules,
    Detail* detail,
) noexcept nogil
cdef void free_detail(Detail* detail) noexcept nogil


# Whether no polygon of a region can be farther off its floor than is allowed.
cdef inline bint is_flat(const DetailRules* rules, const Detail* detail, int region) noexcept nogil:
    return row_spread(&detail.bounds, region) <= rules.max_error
