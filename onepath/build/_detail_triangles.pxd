# The triangles of one polygon's detail, while they are made: exact integers, in parts of cells.

from onepath.build._buffers cimport IntBuffer


cdef enum:
    PART_BITS = 12               # a cell has 2**12 parts: halving any edge down to a cell's length stays exact
    PARTS = 4096


cdef struct DetailTriangles:
    # Vertices; those of the outline come first, counter-clockwise.
    IntBuffer x, z               # parts
    IntBuffer y                  # rows
    IntBuffer name               # what the tile calls it
    int outline_count
    IntBuffer hull               # outline vertices at which the outline turns
    IntBuffer side_half          # (hull) the half edge on which the rest of a side lies, while sides are cut

    # Half edge 3 * t + i leads from corner i of triangle t to the next.
    int triangle_count
    IntBuffer corner             # (3 * triangles) vertex
    IntBuffer twin               # (3 * triangles) half edge across; below 0 along the outline
    IntBuffer stack              # half edges to be looked at
    IntBuffer queue              # triangles that have changed, in order
    IntBuffer queued             # (triangles) 1 while in the part of `queue` still to come


# Cuts the polygon of the outline's vertices, which may lie within its sides. Returns -1 without memory.
cdef int cut_outline(DetailTriangles* made) noexcept nogil
# Adds a vertex in a triangle or on an edge of it that is not of the outline. Returns -1 without memory.
cdef int add_inside(DetailTriangles* made, int triangle, int x, int z, int y, int name) noexcept nogil
# Has a triangle looked at again. Returns -1 without memory.
cdef int add_to_queue(DetailTriangles* made, int triangle) noexcept nogil
# The triangle that a vertex would be put in, found from any of them; -1 where there is one already or on the outline.
cdef int find_room(const DetailTriangles* made, int triangle, int x, int z) noexcept nogil
cdef int add_vertex(DetailTriangles* made, int x, int z, int y, int name) noexcept nogil
cdef void clear_detail_triangles(DetailTriangles* made) noexcept nogil
cdef void free_detail_triangles(DetailTriangles* made) noexcept nogil
