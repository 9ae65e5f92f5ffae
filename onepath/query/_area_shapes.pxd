# The shapes of area searches, seen from above: whether a portal touches one, and how far it is from the shape's reference
# point (queries document, polygon-set queries).

from onepath.geometry._exact cimport orientation
from onepath.mesh._surface cimport Vector

cdef enum:
    SHAPE_LEAST = 3
    SHAPE_MOST = 64

cdef enum:
    SHAPE_CIRCLE = 0
    SHAPE_POLYGON = 1


cdef struct AreaShape:
    int kind
    double x                 # the circle's centre, the mean of the polygon's points
    double z
    double radius            # of the circle
    double radius_squared
    int count                # of the polygon's points, counter-clockwise; the first is repeated behind the last
    double[SHAPE_MOST + 1] corner_x
    double[SHAPE_MOST + 1] corner_z


cdef inline void copy_shape(AreaShape* shape, const AreaShape* source) noexcept nogil:
    shape.kind = source.kind
    shape.x = source.x
    shape.z = source.z
    shape.radius = source.radius
    shape.radius_squared = source.radius_squared
    shape.count = 0
    if source.kind == SHAPE_POLYGON:
        shape[0] = source[0]


cdef inline double distance_to_segment(double x, double z, Vector a, Vector b) noexcept nogil:
    # The squared distance of a point from a segment in X/Z.
    cdef double ex = b.x - a.x
    cdef double ez = b.z - a.z
    cdef double length = ex * ex + ez * ez
    # Far from the origin the ends of a tiny portal may round to one point.
    cdef double t = ((x - a.x) * ex + (z - a.z) * ez) / length if length > 0.0 else 0.0
    cdef double dx = a.x
    cdef double dz = a.z
    if t > 0.0:
        dx = b.x
        dz = b.z
        if t < 1.0:
            dx = a.x + ex * t
            dz = a.z + ez * t
    dx = dx - x
    dz = dz - z
    return dx * dx + dz * dz


cdef inline int side_of(double ax, double az, double bx, double bz, double x, double z) noexcept nogil:
    # 1 left of a to b, -1 right of it, 0 on it; what is below 2^-100 counts as on it.
    cdef double turn = orientation(ax, az, bx, bz, x, z)
    if turn >= 7.888609052210118e-31:
        return 1
    return -1 if turn <= -7.888609052210118e-31 else 0


cdef inline bint polygon_touches(const AreaShape* shape, Vector a, Vector b) noexcept nogil:
    # Closed sets in the plane are apart exactly where the line of one of their edges has them strictly on its two sides.
    cdef int i, side
    cdef int left = 0
    cdef int right = 0
    for i in range(shape.count):
        if (
            side_of(shape.corner_x[i], shape.corner_z[i], shape.corner_x[i + 1], shape.corner_z[i + 1], a.x, a.z) < 0
            and side_of(shape.corner_x[i], shape.corner_z[i], shape.corner_x[i + 1], shape.corner_z[i + 1], b.x, b.z) < 0
        ):
            return False
    for i in range(shape.count):
        side = side_of(a.x, a.z, b.x, b.z, shape.corner_x[i], shape.corner_z[i])
        left += side > 0
        right += side < 0
    return left < shape.count and right < shape.count


cdef inline bint shape_touches(const AreaShape* shape, Vector a, Vector b, double* key) noexcept nogil:
    # Whether the segment touches the shape; key becomes its squared distance from the reference point.
    key[0] = distance_to_segment(shape.x, shape.z, a, b)
    if shape.kind == SHAPE_CIRCLE:
        return key[0] <= shape.radius_squared
    return polygon_touches(shape, a, b)


cdef inline bint order_corners(AreaShape* shape) noexcept nogil:
    # Whether the points are a convex polygon with an area; turns them counter-clockwise. Decided by exact orientations:
    # no point may lie outside an edge, and where one lies inside, edges that run back along a line are found out too.
    cdef int i, j
    cdef int left = 0
    cdef int right = 0
    cdef double turn, swapped
    shape.corner_x[shape.count] = shape.corner_x[0]
    shape.corner_z[shape.count] = shape.corner_z[0]
    for i in range(shape.count):
        for j in range(shape.count):
            if j != i and shape.corner_x[i] == shape.corner_x[j] and shape.corner_z[i] == shape.corner_z[j]:
                return False
            turn = orientation(
                shape.corner_x[i], shape.corner_z[i], shape.corner_x[i + 1], shape.corner_z[i + 1],
                shape.corner_x[j], shape.corner_z[j],
            )
            left += turn > 0.0
            right += turn < 0.0
    if (left > 0) == (right > 0):
        return False
    if right > 0:
        for i in range((shape.count + 1) >> 1):
            j = shape.count - i
            swapped = shape.corner_x[i]
            shape.corner_x[i] = shape.corner_x[j]
            shape.corner_x[j] = swapped
            swapped = shape.corner_z[i]
            shape.corner_z[i] = shape.corner_z[j]
            shape.corner_z[j] = swapped
    return True
