# Where a route enters the next polygon (queries document, path search; orders of evaluation from the readings).

from onepath.mesh._mesh cimport Link, TileSlot
from onepath.mesh._surface cimport Vector, world_vertex


cdef inline Vector edge_start(const TileSlot* tile, int first, int edge) noexcept nogil:
    return world_vertex(tile, tile.polygon_vertices[first + edge])


cdef inline Vector edge_end(const TileSlot* tile, int first, int count, int edge) noexcept nogil:
    return world_vertex(tile, tile.polygon_vertices[first + edge + 1 if edge + 1 < count else first])


cdef inline Vector along(Vector a, Vector b, double t) noexcept nogil:
    cdef Vector point
    point.x = a.x + (b.x - a.x) * t
    point.y = a.y + (b.y - a.y) * t
    point.z = a.z + (b.z - a.z) * t
    return point


cdef inline Vector portal_end(Vector a, Vector b, int part) noexcept nogil:
    # The point `part` 255ths along the edge; its ends are the vertices themselves.
    if part <= 0:
        return a
    return b if part >= 255 else along(a, b, <double>part / 255.0)


cdef inline Vector middle_point(Vector a, Vector b) noexcept nogil:
    cdef Vector point
    point.x = (a.x + b.x) * 0.5
    point.y = (a.y + b.y) * 0.5
    point.z = (a.z + b.z) * 0.5
    return point


cdef inline double link_middle(const Link* link) noexcept nogil:
    return <double>(<int>link.range_min + <int>link.range_max) / 510.0


cdef inline Vector aimed_entry(
    Vector a, Vector b, Vector c, Vector end, double low, double high, double middle
) noexcept nogil:
    # Where the line from c to the end meets the edge from a to b, kept within the part from low to high.
    cdef double wx = end.x - c.x
    cdef double wz = end.z - c.z
    cdef double across = (b.x - a.x) * wz - (b.z - a.z) * wx
    cdef double s = middle
    if across != 0.0:
        s = ((c.x - a.x) * wz - (c.z - a.z) * wx) / across
        if s < low:
            s = low
        if s > high:
            s = high
    return along(a, b, s)
