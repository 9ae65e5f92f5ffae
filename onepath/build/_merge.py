"""Triangles joined to convex polygons across their longest diagonals (after Hertel and Mehlhorn, "Fast Triangulation of
Simple Polygons", 1983).

A diagonal that cannot go now can never go later: joining only widens the angles at its ends. So one pass over the
diagonals by length takes, at every step, the longest that may go.
"""

import cython
from cython.cimports.onepath.build._buffers import KeyBuffer, reserve_keys, sort_keys
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import squared_length, turn
from cython.cimports.onepath.build._polygons import Polygons

HALF_BITS = cython.declare(cython.int, 28)
#: Above every squared length: sides of a square have at most 2**16 cells.
LONGEST = cython.declare(cython.longlong, cython.cast(cython.longlong, 1) << 34)
#: How many times its shortest edge a slanted run of edges in a line may be long.
STRAIGHT_RUN = cython.declare(cython.longlong, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stays_straight(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    last: cython.int,
    first: cython.int,
) -> cython.bint:
    """Whether the slanted run of edges in a line from before `last` to behind `first` is one in float32 too.

    Tiles round corners to 2^-24 of their size, across the line by sqrt(2) times as much, and what rounding turns an
    edge by grows with the distance from it. An outline may be bent by 2^-20 of the size: that is kept where the run has
    no edge shorter than a quarter of it.
    """
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    vertex: cython.p_int = polygons.half_vertex.data
    after: cython.p_int = polygons.half_next.data
    before: cython.p_int = polygons.half_before.data
    a: cython.int = vertex[last]
    b: cython.int = vertex[first]
    c: cython.int = vertex[after[first]]
    shortest: cython.longlong = min(squared_length(x[a], z[a], x[b], z[b]), squared_length(x[b], z[b], x[c], z[c]))
    while turn(x[vertex[before[last]]], z[vertex[before[last]]], x[a], z[a], x[b], z[b]) == 0:
        last = before[last]
        shortest = min(shortest, squared_length(x[vertex[last]], z[vertex[last]], x[a], z[a]))
        a = vertex[last]
    first = after[first]
    while turn(x[b], z[b], x[c], z[c], x[vertex[after[first]]], z[vertex[after[first]]]) == 0:
        first = after[first]
        shortest = min(shortest, squared_length(x[c], z[c], x[vertex[first]], z[vertex[first]]))
        c = vertex[first]
    return squared_length(x[a], z[a], x[c], z[c]) <= STRAIGHT_RUN * STRAIGHT_RUN * shortest


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _stays_convex(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    last: cython.int,
    first: cython.int,
) -> cython.bint:
    """Whether a polygon whose edge `first` follows on `last` is convex there."""
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    a: cython.int = polygons.half_vertex.data[last]
    b: cython.int = polygons.half_vertex.data[first]
    c: cython.int = polygons.half_vertex.data[polygons.half_next.data[first]]
    turned: cython.longlong = turn(x[a], z[a], x[b], z[b], x[c], z[c])
    if turned != 0:
        return turned > 0
    if x[a] == x[b] or z[a] == z[b]:
        return not (x[a] == x[c] and z[a] == z[c])
    return not (x[a] == x[c] and z[a] == z[c]) and _stays_straight(contours, polygons, last, first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_go(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    half: cython.int,
    max_corners: cython.int,
) -> cython.bint:
    after: cython.p_int = polygons.half_next.data
    before: cython.p_int = polygons.half_before.data
    twin: cython.int = polygons.half_twin.data[half]
    mine: cython.int = piece_of(polygons, half // 3)
    other: cython.int = piece_of(polygons, twin // 3)
    if mine == other or polygons.piece_corners.data[mine] + polygons.piece_corners.data[other] - 2 > max_corners:
        return False
    return _stays_convex(contours, polygons, before[half], after[twin]) and _stays_convex(
        contours, polygons, before[twin], after[half]
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _remove(polygons: cython.pointer[Polygons], half: cython.int) -> cython.void:
    after: cython.p_int = polygons.half_next.data
    before: cython.p_int = polygons.half_before.data
    twin: cython.int = polygons.half_twin.data[half]
    mine: cython.int = piece_of(polygons, half // 3)
    other: cython.int = piece_of(polygons, twin // 3)
    polygons.piece.data[other] = mine
    polygons.piece_corners.data[mine] += polygons.piece_corners.data[other] - 2
    after[before[half]] = after[twin]
    before[after[twin]] = before[half]
    after[before[twin]] = after[half]
    before[after[half]] = before[twin]
    after[half] = -1
    after[twin] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_polygons(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    first_half: cython.int,
    max_corners: cython.int,
) -> cython.int:
    count: cython.int = 0
    half: cython.int
    a: cython.int
    b: cython.int
    length: cython.longlong
    keys: cython.pointer[KeyBuffer] = cython.address(polygons.diagonals)
    if reserve_keys(keys, cython.cast(cython.size_t, polygons.half_vertex.count - first_half)) < 0:
        return -1
    for half in range(first_half, polygons.half_vertex.count):
        if polygons.half_twin.data[half] > half:
            a = polygons.half_vertex.data[half]
            b = polygons.half_vertex.data[polygons.half_next.data[half]]
            length = squared_length(
                contours.vertex_x.data[a],
                contours.vertex_z.data[a],
                contours.vertex_x.data[b],
                contours.vertex_z.data[b],
            )
            keys.data[count] = (LONGEST - length) << HALF_BITS | (half - first_half)
            count += 1
    sort_keys(keys.data, count)
    for a in range(count):
        half = first_half + cython.cast(cython.int, keys.data[a] & ((1 << HALF_BITS) - 1))
        if _may_go(contours, polygons, half, max_corners):
            _remove(polygons, half)
    return 0
