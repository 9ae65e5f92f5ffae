# Spots, rays and distances of an exact search. Signs that decide where a line may go are exact; the estimates of costs are not.

from libc.math cimport sqrt

from onepath.geometry._exact cimport orientation
from onepath.query._exact_state cimport ExactNode, Exit, Spot

cdef extern from *:
    """
    #define ONEPATH_EXACT_SLOPE 0.015625
    #define ONEPATH_EXACT_SLACK (1.0 / (1LL << 44))
    """
    # Lines lie along each other that part by less than this part of their lengths: 2^-6.
    const double SLOPE "ONEPATH_EXACT_SLOPE"
    # Costs differ that differ by more than this part of them: sums of the same legs in another order do not.
    const double SLACK "ONEPATH_EXACT_SLACK"


cdef struct Bounds:
    # What a window sees lies to the right of the left ray and to the left of the right one; both rays are given by two spots.
    Spot root
    Spot left_from
    Spot left_to
    Spot right_from
    Spot right_to


cdef inline bint same_spot(Spot a, Spot b) noexcept nogil:
    return a.x == b.x and a.z == b.z


cdef inline double turn(Spot a, Spot b, Spot c) noexcept nogil:
    # Positive where c lies to the left of the line from a through b; the sign is exact.
    return orientation(a.x, a.z, b.x, b.z, c.x, c.z)


cdef inline double progress(Spot a, Spot b, Spot c) noexcept nogil:
    # Positive where c lies ahead of b for a walker who comes from a.
    return (c.x - b.x) * (b.x - a.x) + (c.z - b.z) * (b.z - a.z)


cdef inline double spot_distance(Spot a, Spot b) noexcept nogil:
    cdef double dx = b.x - a.x
    cdef double dz = b.z - a.z
    return sqrt(dx * dx + dz * dz)


cdef inline bint is_dearer(double cost, double than) noexcept nogil:
    return cost > than * (1.0 + SLACK)


cdef inline bint are_close(Spot a, Spot b, double hair) noexcept nogil:
    # Whether a rounding, by a hair, may turn the line from one spot to the other by more than that.
    return SLOPE * spot_distance(a, b) <= hair


cdef inline bint leads_on(Spot a, Spot b, Spot c, double hair) noexcept nogil:
    # Whether c lies along the line through a and b, before or behind them.
    if are_close(a, b, hair) or are_close(b, c, hair):
        return True
    return abs(turn(a, b, c)) <= SLOPE * spot_distance(a, b) * spot_distance(b, c)


cdef inline bint lies_between(Spot a, Spot b, Spot p) noexcept nogil:
    # Whether p projects onto the closed segment.
    cdef double ex = b.x - a.x
    cdef double ez = b.z - a.z
    cdef double along = (p.x - a.x) * ex + (p.z - a.z) * ez
    return 0.0 <= along <= ex * ex + ez * ez


cdef inline Spot mirrored(Spot p, int side, Spot on_line) noexcept nogil:
    # The image of p in a tile side's line: sides 0 and 2 run along z.
    if side & 1:
        p.z = on_line.z + (on_line.z - p.z)
    else:
        p.x = on_line.x + (on_line.x - p.x)
    return p


cdef inline Bounds node_bounds(const ExactNode* node) noexcept nogil:
    cdef Bounds bounds
    bounds.root = node.root
    bounds.left_from = node.before if same_spot(node.left, node.root) else node.root
    bounds.left_to = node.left
    bounds.right_from = node.before if same_spot(node.right, node.root) else node.root
    bounds.right_to = node.right
    return bounds


cdef inline double beyond_left(const Bounds* bounds, Spot p) noexcept nogil:
    # Positive where p is out of sight to the left.
    return turn(bounds.left_from, bounds.left_to, p)


cdef inline double beyond_right(const Bounds* bounds, Spot p) noexcept nogil:
    # Negative where p is out of sight to the right.
    return turn(bounds.right_from, bounds.right_to, p)


cdef inline Spot ray_meets(Spot ray_from, Spot ray_to, const Exit* way) noexcept nogil:
    # Where a ray meets an exit, or its nearer end.
    cdef double right = turn(ray_from, ray_to, way.right)
    cdef double left = turn(ray_from, ray_to, way.left)
    cdef Spot spot = way.right
    if right >= 0.0:
        return way.right
    if left <= 0.0:
        return way.left
    right = right / (right - left)
    spot.x = way.right.x + (way.left.x - way.right.x) * right
    spot.z = way.right.z + (way.left.z - way.right.z) * right
    return spot


cdef inline Spot left_end(const Bounds* bounds, const Exit* way) noexcept nogil:
    # Where what is seen of an exit ends on the left.
    if same_spot(bounds.left_to, way.left):
        return way.left
    return ray_meets(bounds.left_from, bounds.left_to, way)


cdef inline Spot right_end(const Bounds* bounds, const Exit* way) noexcept nogil:
    if same_spot(bounds.right_to, way.right):
        return way.right
    return ray_meets(bounds.right_from, bounds.right_to, way)


cdef inline double length_beside(const Bounds* bounds, const Exit* way, Spot p) noexcept nogil:
    # What length_through gives for a spot that a rounding has put a hair before the exit: what is left or right of a view of
    # nearly half a circle does not tell there.
    cdef Spot right = right_end(bounds, way)
    cdef Spot left = left_end(bounds, way)
    if lies_between(right, left, p):
        return spot_distance(bounds.root, p)
    return min(
        spot_distance(bounds.root, right) + spot_distance(right, p), spot_distance(bounds.root, left) + spot_distance(left, p)
    )


cdef inline double length_through(const Bounds* bounds, const Exit* way, Spot p) noexcept nogil:
    # The length of the shortest line from the root through what is seen of the exit to a spot behind it.
    cdef Spot bend
    if beyond_left(bounds, p) > 0.0:
        bend = left_end(bounds, way)
    elif beyond_right(bounds, p) < 0.0:
        bend = right_end(bounds, way)
    else:
        return spot_distance(bounds.root, p)
    if turn(way.right, way.left, p) > 0.0:
        return length_beside(bounds, way, p)
    return spot_distance(bounds.root, bend) + spot_distance(bend, p)


cdef inline double least_length(const Bounds* bounds, const Exit* way, Spot end) noexcept nogil:
    # Where the spot may lie on either side of the exit: what a line to it is at least. Behind the exit or, mirrored in it,
    # before it, the lengths are the same.
    cdef double dx = way.left.x - way.right.x
    cdef double dz = way.left.z - way.right.z
    cdef double side = dz * (end.x - way.right.x) - dx * (end.z - way.right.z)
    if side > 0.0:
        side = 2.0 * side / (dx * dx + dz * dz)
        end.x -= side * dz
        end.z += side * dx
    return length_through(bounds, way, end)
