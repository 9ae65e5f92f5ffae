"""What a simplified edge has cut off must be empty: no hole, island or corner of another region may change sides.

(The condition of de Berg, van Kreveld and Schirra, "Topologically Correct Subdivision Simplification Using the
Bandwidth Criterion", 1998.) Vertices of floors well above or below do not count.
"""

import cython
from cython.cimports.onepath.build._buffers import reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import turn
from cython.cimports.onepath.build._simplify import refine_edge

#: Vertices of a column that one look over costs less than searches by height.
FEW_VERTICES = cython.declare(cython.int, 8)
#: Above the lowest.
MOST_BANDS = cython.declare(cython.int, 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _choose_bands(contours: cython.pointer[Contours]) -> cython.void:
    """Cuts the heights of all vertices into bands a clearance high or more, so that an edge looks at its own floor's
    vertices; into fewer where few lie in a column, since one search in it costs less than one in each band."""
    lowest: cython.int = 65535
    highest: cython.int = 0
    k: cython.int
    for k in range(contours.vertex_y.count):
        lowest = min(lowest, contours.vertex_y.data[k])
        highest = max(highest, contours.vertex_y.data[k])
    full: cython.int = contours.vertex_x.count // (FEW_VERTICES * (contours.square_width + 1))
    rows: cython.int = max(0, highest - lowest) + 1
    contours.lowest = lowest
    contours.bands = min(MOST_BANDS, min(full, rows // max(1, contours.clearance))) + 1
    contours.band_rows = rows // contours.bands + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _band(contours: cython.pointer[cython.const[Contours]], row: cython.int) -> cython.int:
    """The band of a row; the lowest and the highest take what lies beyond them as well."""
    return min(max(0, row - contours.lowest) // contours.band_rows, contours.bands - 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place_of(
    contours: cython.pointer[cython.const[Contours]], vertex: cython.int, by_column: cython.bint
) -> cython.int:
    """Its z, or its column: x among those of its band."""
    if not by_column:
        return contours.vertex_z.data[vertex]
    band: cython.int = _band(contours, contours.vertex_y.data[vertex])
    return band * (contours.square_width + 1) + contours.vertex_x.data[vertex]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order_by_place(contours: cython.pointer[Contours]) -> cython.int:
    """Vertices by column, then z, then number: those of column c are bucket[c] to bucket[c + 1] in `active`."""
    count: cython.int = contours.vertex_x.count
    columns: cython.int = contours.bands * (contours.square_width + 1)
    buckets: cython.int = max(columns, contours.square_depth + 1) + 2
    if (
        reserve_ints(cython.address(contours.bucket), cython.cast(cython.size_t, buckets)) < 0
        or reserve_ints(cython.address(contours.active), cython.cast(cython.size_t, count)) < 0
        or reserve_ints(cython.address(contours.vertex_order), cython.cast(cython.size_t, count)) < 0
    ):
        return -1
    vertex: cython.p_int = contours.vertex_order.data
    k: cython.int
    _count_places(contours, False, contours.square_depth + 3)
    for k in range(count):
        vertex[_next_place(contours, _place_of(contours, k, False))] = k
    _count_places(contours, True, columns + 2)
    for k in range(count):
        contours.active.data[_next_place(contours, _place_of(contours, vertex[k], True))] = vertex[k]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_places(contours: cython.pointer[Contours], by_column: cython.bint, buckets: cython.int) -> cython.void:
    """Where the vertices of each place begin when sorted by it: bucket[p + 1] for place p."""
    bucket: cython.p_int = contours.bucket.data
    k: cython.int
    for k in range(buckets):
        bucket[k] = 0
    for k in range(contours.vertex_x.count):
        bucket[_place_of(contours, k, by_column) + 2] += 1
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
def _first_from(contours: cython.pointer[Contours], column: cython.int, z: cython.int) -> cython.int:
    """The place in `active` of the first vertex of a column that has this z or more."""
    begin: cython.int = contours.bucket.data[column]
    end: cython.int = contours.bucket.data[column + 1]
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
    band: cython.int
    column: cython.int
    vertex: cython.int
    found: cython.int
    for k in range(begin + 1, end + 1):
        low_x = min(low_x, contours.x.data[k])
        high_x = max(high_x, contours.x.data[k])
        low_z = min(low_z, contours.z.data[k])
        high_z = max(high_z, contours.z.data[k])
    if low_x == high_x or low_z == high_z:
        return 0
    first_band: cython.int = _band(contours, low_y)
    last_band: cython.int = _band(contours, high_y)
    for x in range(low_x, high_x + 1):
        found = contours.vertex_x.count
        for band in range(first_band, last_band + 1):
            contours.steps += 1
            column = band * (contours.square_width + 1) + x
            for k in range(_first_from(contours, column, low_z), contours.bucket.data[column + 1]):
                contours.steps += 1
                vertex = contours.active.data[k]
                if contours.vertex_z.data[vertex] > high_z:
                    break
                # Of all at an x the first made decides where to refine, wherever it is.
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
    _choose_bands(contours)
    if _order_by_place(contours) < 0:
        return -1
    refined: cython.int = 0
    edge: cython.int
    for edge in range(contours.edge_from.count):
        if contours.edge_to.data[edge] - contours.edge_from.data[edge] > 1:
            refined |= _refine_sliver(contours, edge)
    return refined
