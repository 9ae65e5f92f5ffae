# The flat lists that a query fills and a result copies: a corridor and the points of a line along it.
#
# They are scratch of the query object: grown geometrically, never shrunk, reused by every call. A result object takes a
# copy of exactly what was found, so that nothing handed out changes when the query is used again.

from libc.stdlib cimport free

from onepath.mesh._mesh cimport reference_t, uint8
from onepath.query._room cimport grown_capacity, resize

# Marks of a point of a line, the bits of PathMark.
cdef enum:
    MARK_START = 1
    MARK_END = 2
    MARK_OFF_MESH = 4


cdef struct Crossing:
    # How a corridor's step leaves its polygon. Both numbers count within that polygon.
    int edge   # the edge that is crossed; below 0 an off-mesh link is, see _off_mesh.pxd
    int link   # -1 where the edge leads to an in-tile neighbour, else in a search the place among the polygon's links (from
               # its link_first), and in a corridor, which lasts longer, that among the edge's links to the same polygon


cdef struct CorridorBuffer:
    int count
    int capacity
    reference_t* polygons
    Crossing* crossings    # crossings[i] leads from polygons[i] to polygons[i + 1]; the last one in use is count - 2


cdef struct LinkStep:
    # Where a line goes over an off-mesh link: places among its points.
    int id
    int kind
    int entry
    int exit


cdef struct PointBuffer:
    int count
    int capacity
    int step_count
    int step_capacity
    LinkStep* steps
    double* points         # (count, 3), world
    reference_t* polygons  # the polygon entered after the point
    uint8* marks


cdef inline int reserve_corridor(CorridorBuffer* corridor, int needed) noexcept nogil:
    # Room for `needed` polygons: 0, or -1 where there is no memory (what was there stays).
    cdef int capacity
    if needed <= corridor.capacity:
        return 0
    capacity = grown_capacity(corridor.capacity, needed)
    if resize(&corridor.polygons, capacity, sizeof(reference_t)) != 0:
        return -1
    if resize(&corridor.crossings, capacity, sizeof(Crossing)) != 0:
        return -1
    corridor.capacity = capacity
    return 0


cdef inline int reserve_points(PointBuffer* line, int needed) noexcept nogil:
    # Room for `needed` points: 0, or -1 where there is no memory (what was there stays).
    cdef int capacity
    if needed <= line.capacity:
        return 0
    capacity = grown_capacity(line.capacity, needed)
    if resize(&line.points, capacity, 3 * sizeof(double)) != 0:
        return -1
    if resize(&line.polygons, capacity, sizeof(reference_t)) != 0:
        return -1
    if resize(&line.marks, capacity, sizeof(uint8)) != 0:
        return -1
    line.capacity = capacity
    return 0


cdef inline int reserve_steps(PointBuffer* line, int needed) noexcept nogil:
    # Room for `needed` steps over links: 0, or -1 where there is no memory.
    cdef int capacity
    if needed <= line.step_capacity:
        return 0
    capacity = grown_capacity(line.step_capacity, needed)
    if resize(&line.steps, capacity, sizeof(LinkStep)) != 0:
        return -1
    line.step_capacity = capacity
    return 0


cdef inline void free_corridor(CorridorBuffer* corridor) noexcept nogil:
    free(corridor.polygons)
    free(corridor.crossings)


cdef inline void free_points(PointBuffer* line) noexcept nogil:
    free(line.points)
    free(line.polygons)
    free(line.marks)
    free(line.steps)
