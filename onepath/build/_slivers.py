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
def _order_by_place(contours: cython.pointer[Contours]) -> cython.int:
    """Vertices by x, then z, then number: bucket[x - 1] to bucket[x] in `active`, with a zero before the first."""
    count: cython.int = contours.vertex_x.count
    buckets: cython.int = max(contours.square_width, contours.square_depth) + 3
    if (
        reserve_ints(cython.address(contours.bucket), cython.cast(cython.size_t, buckets)) < 0
        or reserve_ints(cython.address(contours.active), cython.cast(cython.size_t, count)) < 0
        or reserve_ints(cython.address(contours.vertex_order), cython.cast(cython.size_t, count)) < 0
    ):
        return -1
    vertex: cython.p_int = contours.vertex_order.data
    k: cython.int
    _count_places(contours, contours.vertex_z.data, contours.square_depth + 3)
    for k in range(count):
        vertex[_next_place(contours, contours.vertex_z.data[k])] = k
    _count_places(contours, contours.vertex_x.data, contours.square_width + 3)
    for k in range(count):
        contours.active.data[_next_place(contours, contours.vertex_x.data[vertex[k]])] = vertex[k]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_places(contours: cython.pointer[Contours], coordinate: cython.p_int, buckets: cython.int) -> cython.void:
    """Where the vertices of each coordinate begin when sorted by it: bucket[c + 1] for coordinate c."""
    bucket: cython.p_int = contours.bucket.data
    k: cython.int
    for k in range(buckets):
        bucket[k] = 0
    for k in range(contours.vertex_x.count):
        bucket[coordinate[k] + 2] += 1
    for k in range(1, buckets):
        bucket[k] += bucket[k - 1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next_place(contours: cython.pointer[Contours], coordinate: cython.int) -> cython.int:
    place: cython.p_int = contours.bucket.data + (coordinate + 1)
    place[0] += 1
    return place[0] - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_from(contours: cython.pointer[Contours], x: cython.int, z: cython.int) -> cython.int:
    """The place in `active` of the first vertex of column x that has this z or more."""
    begin: cython.int = contours.bucket.data[x]
    end: cython.int = contours.bucket.data[x + 1]
    middle: cython.int
    while begin < end:
        middle = begin + ((end - begin) >> 1)
        if contours.vertex_z.data[contours.active.data[middle]] < z:
            begin = middle + 1
        else:
            end = middle
    return begin


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
    x: cython.int
    vertex: cython.int
    found: cython.int
    for k in range(begin + 1, end + 1):
        low_x = min(low_x, contours.x.data[k])
        high_x = max(high_x, contours.x.data[k])
        low_z = min(low_z, contours.z.data[k])
        high_z = max(high_z, contours.z.data[k])
    if low_x == high_x or low_z == high_z:
        return 0
    for x in range(low_x, high_x + 1):
        contours.steps += 1
        found = contours.vertex_x.count
        for k in range(_first_from(contours, x, low_z), contours.bucket.data[x + 1]):
            contours.steps += 1
            vertex = contours.active.data[k]
            if contours.vertex_z.data[vertex] > high_z:
                break
            # Of a column's vertices the first made decides where to refine, wherever in the column it is.
            if (
                vertex < found
                and low_y < contours.vertex_y.data[vertex] < high_y
                and _cuts_off(contours, begin, end, x, contours.vertex_z.data[vertex])
            ):
                found = vertex
        if found < contours.vertex_x.count:
            return refine_edge(contours, edge, x, contours.vertex_z.data[found], -1, -1)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refine_slivers(contours: cython.pointer[Contours]) -> cython.int:
    if _order_by_place(contours) < 0:
        return -1
    refined: cython.int = 0
    edge: cython.int
    for edge in range(contours.edge_from.count):
        if contours.edge_to.data[edge] - contours.edge_from.data[edge] > 1:
            refined |= _refine_sliver(contours, edge)
    return refined
