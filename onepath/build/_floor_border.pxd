# The border of one polygon at a time, as it was before it was simplified.

from onepath.build._buffers cimport IntBuffer
from onepath.build._chains cimport Contours
from onepath.build._polygon_arrays cimport PolygonArrays
from onepath.build._span_graph cimport SpanGraph


cdef struct FloorBorder:
    # All rings of the tile
    IntBuffer ring_head          # (vertices) the last place of a ring at a vertex, -1 for none
    IntBuffer ring_next          # (places of rings) the next one at the same vertex
    IntBuffer ring_to            # (places of rings) the vertex that follows

    # The listed polygon
    IntBuffer is_side            # (corners) 1 where the floor may go on across a side of the square
    IntBuffer slot               # boundary edges of its border: 4 * span + edge
    IntBuffer slot_x, slot_z     # the cells of these spans


# Makes the tile's rings ready to be looked up. Returns -1 without memory.
cdef int prepare_border(
    const Contours* contours, const PolygonArrays* polygons, FloorBorder* border
) noexcept nogil
# Lists all of a polygon's border but what it shares with others of its region. Returns -1 without memory.
cdef int list_border(
    const SpanGraph* graph,
    const Contours* contours,
    const PolygonArrays* polygons,
    FloorBorder* border,
    int polygon,
) noexcept nogil
cdef int push_slot(FloorBorder* border, int slot, int x, int z) noexcept nogil
cdef void free_floor_border(FloorBorder* border) noexcept nogil
