# Height of a polygon's surface and the closest point of a polygon (queries document, nearest polygon).

from onepath.mesh._mesh cimport TileSlot


cdef struct Vector:
    double x
    double y
    double z


cdef inline Vector world_vertex(const TileSlot* tile, int vertex) noexcept nogil:
    # Widened to double before the sum: a vertex on a tile border has the same bits from both sides.
    cdef const float* local = tile.vertices + 3 * vertex
    cdef Vector world
    world.x = tile.origin[0] + <double>local[0]
    world.y = tile.origin[1] + <double>local[1]
    world.z = tile.origin[2] + <double>local[2]
    return world


cdef inline Vector detail_vertex(const TileSlot* tile, int vertex) noexcept nogil:
    # A detail triangle's corner: a tile vertex below vertex_count, else one of the detail vertices.
    # Which of the two it is cannot be predicted, so both addresses are computed.
    cdef const float* local = tile.vertices + 3 * vertex
    cdef const float* beyond = tile.detail_vertices + 3 * (vertex - tile.vertex_count)
    cdef Vector world
    if vertex >= tile.vertex_count:
        local = beyond
    world.x = tile.origin[0] + <double>local[0]
    world.y = tile.origin[1] + <double>local[1]
    world.z = tile.origin[2] + <double>local[2]
    return world


cdef inline double squared_distance(Vector a, Vector b) noexcept nogil:
    cdef double dx = b.x - a.x
    cdef double dy = b.y - a.y
    cdef double dz = b.z - a.z
    return (dx * dx + dy * dy) + dz * dz


# The point of the edge from a to b that is nearest to (x, z), seen from above; its height is interpolated along the edge.
cdef inline Vector nearest_on_edge(Vector a, Vector b, double x, double z) noexcept nogil:
    cdef double ex = b.x - a.x
    cdef double ez = b.z - a.z
    cdef double t = ((x - a.x) * ex + (z - a.z) * ez) / (ex * ex + ez * ez)
    cdef Vector point
    if t <= 0.0:
        return a
    if t >= 1.0:
        return b
    point.x = a.x + ex * t
    point.y = a.y + (b.y - a.y) * t
    point.z = a.z + ez * t
    return point


# Height of the surface of a polygon at (x, z), which lies inside its outline (up to rounding).
cdef double surface_height(const TileSlot* tile, int polygon, double x, double z) noexcept nogil

# Whether (x, z) is inside the outline seen from above, its boundary included; exact.
cdef bint outline_contains(const TileSlot* tile, int polygon, double x, double z) noexcept nogil

# The nearest point of the outline in X/Z, of the lowest edge on equal distance.
cdef Vector outline_point(const TileSlot* tile, int polygon, double x, double z) noexcept nogil

# The point of the polygon that the nearest rule takes for `center`; over[0] tells whether it is straight above or below.
cdef Vector closest_point(const TileSlot* tile, int polygon, Vector center, bint* over) noexcept nogil
