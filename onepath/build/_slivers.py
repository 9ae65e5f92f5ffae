"""What a simplified edge has cut off must be empty: no hole, island or corner of another region may change sides.

(The condition of de Berg, van Kreveld and Schirra, "Topologically Correct Subdivision Simplification Using the
Bandwidth Criterion", 1998.) Vertices of floors well above or below do not count.
"""

import cython
from cython.cimports.onepath.build._buffers import reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import turn
from cython.cimports.onepath.build._simplify import refine_edge


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order_by_x(contours: cython.pointer[Contours]) -> cython.int:
    """Vertices by x: bucket[x - 1] to bucket[x] in `active`, with a zero before the first."""
    count: cython.int = contours.vertex_x.count
    buckets: cython.int = contours.square_width + 3
    if (
        reserve_ints(cython.address(contours.bucket), cython.cast(cython.size_t, buckets)) < 0
        or reserve_ints(cython.address(contours.active), cython.cast(cython.size_t, count)) < 0
    ):
        return -1
    bucket: cython.p_int = contours.bucket.data
    k: cython.int
    for k in range(buckets):
        bucket[k] = 0
    for k in range(count):
        bucket[contours.vertex_x.data[k] + 2] += 1
    for k in range(1, buckets):
        bucket[k] += bucket[k - 1]
    for k in range(count):
        contours.active.data[bucket[contours.vertex_x.data[k] + 1]] = k
        bucket[contours.vertex_x.data[k] + 1] += 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _passes_below(
    ax: cython.int, az: cython.int, bx: cython.int, bz: cython.int, x: cython.int, z: cython.int
) -> cython.bint:
    """Whether the ray from (x, z) toward +x crosses segment a, b."""
    if (az > z) == (bz > z):
        return False
    return (turn(ax, az, bx, bz, x, z) < 0) == (bz > az)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cuts_off(
    contours: cython.pointer[Contours], begin: cython.int, end: cython.int, x: cython.int, z: cython.int
) -> cython.bint:
    """Whether a corner lies between points begin to end and the straight line between the two, or on a dropped one."""
    px: cython.p_int = contours.x.data
    pz: cython.p_int = contours.z.data
    inside: cython.bint = False
    k: cython.int
    if (px[begin] == x and pz[begin] == z) or (px[end] == x and pz[end] == z):
        return False
    for k in range(begin, end):
        if px[k] == x and pz[k] == z:
            return True
        if _passes_below(px[k], pz[k], px[k + 1], pz[k + 1], x, z):
            inside = not inside
    if _passes_below(px[end], pz[end], px[begin], pz[begin], x, z):
        inside = not inside
    return inside


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_sliver(contours: cython.pointer[Contours], edge: cython.int) -> cython.int:
    begin: cython.int = contours.edge_from.data[edge]
    end: cython.int = contours.edge_to.data[edge]
    low_x: cython.int = contours.x.data[begin]
    high_x: cython.int = low_x
    low_z: cython.int = contours.z.data[begin]
    high_z: cython.int = low_z
    a: cython.int = contours.vertex_y.data[contours.point_vertex.data[begin]]
    b: cython.int = contours.vertex_y.data[contours.point_vertex.data[end]]
    low_y: cython.int = min(a, b) - contours.clearance
    high_y: cython.int = max(a, b) + contours.clearance
    k: cython.int
    vertex: cython.int
    for k in range(begin + 1, end + 1):
        low_x = min(low_x, contours.x.data[k])
        high_x = max(high_x, contours.x.data[k])
        low_z = min(low_z, contours.z.data[k])
        high_z = max(high_z, contours.z.data[k])
    if low_x == high_x or low_z == high_z:
        return 0
    for k in range(contours.bucket.data[low_x], contours.bucket.data[high_x + 1]):
        vertex = contours.active.data[k]
        if (
            low_z <= contours.vertex_z.data[vertex] <= high_z
            and low_y < contours.vertex_y.data[vertex] < high_y
            and _cuts_off(contours, begin, end, contours.vertex_x.data[vertex], contours.vertex_z.data[vertex])
        ):
            return refine_edge(contours, edge, contours.vertex_x.data[vertex], contours.vertex_z.data[vertex], -1, -1)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refine_slivers(contours: cython.pointer[Contours]) -> cython.int:
    if _order_by_x(contours) < 0:
        return -1
    refined: cython.int = 0
    edge: cython.int
    for edge in range(contours.edge_from.count):
        if contours.edge_to.data[edge] - contours.edge_from.data[edge] > 1:
            refined |= _refine_sliver(contours, edge)
    return refined
