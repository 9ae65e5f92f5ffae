# Between which rows the polygons of each region and the floor under them lie.

from onepath.build._buffers cimport IntBuffer
from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._polygon_arrays cimport PolygonArrays
from onepath.build._span_graph cimport SpanGraph


cdef struct FloorBounds:
    IntBuffer low, high          # (regions + 1) rows, with what lies up to `reach` links straight over the border


# Returns -1 without memory.
cdef int bound_floors(
    const CompactField* field,
    const SpanGraph* graph,
    const Contours* contours,
    const PolygonArrays* polygons,
    int reach,
    FloorBounds* bounds,
) noexcept nogil
cdef void free_floor_bounds(FloorBounds* bounds) noexcept nogil


# No polygon of a region can be farther off its floor than this, rows.
cdef inline int row_spread(const FloorBounds* bounds, int region) noexcept nogil:
    return bounds.high.data[region] - bounds.low.data[region]


# The floor beside a span where both are linked to each other, walkable or taken by erosion, or -1.
cdef inline int floor_beside(const CompactField* field, int span, int direction) noexcept nogil:
    cdef int other = field.neighbours[4 * span + direction]
    return other if other >= 0 and field.neighbours[4 * other + (direction ^ 2)] == span else -1


# Over how many links straight from its border a polygon may have left its region, and the cells that it touches there
# with it: a border lies within the error of a line, at most one and a half times that far along a row or column.
cdef inline int reach_of(double max_edge_error) noexcept nogil:
    return <int>(1.5 * max_edge_error) + 2


# The way from a cell to the one beside it.
cdef inline int step_x(int direction) noexcept nogil:
    return direction - 1 if direction & 1 == 0 else 0


cdef inline int step_z(int direction) noexcept nogil:
    return 2 - direction if direction & 1 else 0
