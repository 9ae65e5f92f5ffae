"""Chains with fewer corners: no dropped corner lies farther from the new line than the error allows.

Douglas and Peucker's refinement ("Algorithms for the Reduction of the Number of Points Required to Represent a
Digitized Line", 1973). A tie takes the corner that is lower by (x, z), never the first, so that the result does not
depend on the direction in which a chain is stored.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._integer_plane import squared_length, turn
from cython.cimports.onepath.build._span_graph import SpanGraph, corner_of


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _squared_distance(
    px: cython.int, pz: cython.int, ax: cython.int, az: cython.int, bx: cython.int, bz: cython.int
) -> cython.double:
    """Squared distance of p from the segment a, b, in cells."""
    length: cython.longlong = squared_length(ax, az, bx, bz)
    along: cython.longlong = cython.cast(cython.longlong, px - ax) * (bx - ax) + cython.cast(
        cython.longlong, pz - az
    ) * (bz - az)
    if along <= 0:
        return cython.cast(cython.double, squared_length(ax, az, px, pz))
    if along >= length:
        return cython.cast(cython.double, squared_length(bx, bz, px, pz))
    across: cython.double = cython.cast(cython.double, turn(ax, az, bx, bz, px, pz))
    return across * across / cython.cast(cython.double, length)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _comes_first(contours: cython.pointer[Contours], a: cython.int, b: cython.int) -> cython.bint:
    if contours.x.data[a] != contours.x.data[b]:
        return contours.x.data[a] < contours.x.data[b]
    return contours.z.data[a] < contours.z.data[b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _farthest(
    contours: cython.pointer[Contours],
    begin: cython.int,
    end: cython.int,
    least: cython.double,
) -> cython.int:
    """The point strictly between two others that is farthest from their segment, if its squared distance is above
    `least`, else -1."""
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    best: cython.int = -1
    best_distance: cython.double = least
    k: cython.int
    distance: cython.double
    for k in range(begin + 1, end):
        distance = _squared_distance(x[k], z[k], x[begin], z[begin], x[end], z[end])
        if distance > best_distance or (best >= 0 and distance == best_distance and _comes_first(contours, k, best)):
            best = k
            best_distance = distance
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _highest_leap(contours: cython.pointer[Contours], begin: cython.int, end: cython.int) -> cython.int:
    """The point of a straight run whose height leaves the chord most, if by more than a row, else -1; lower first.

    Under a chord that is half a row. The ground may lie a row below its height, unless the floor rises beside it.
    """
    y: cython.p_int = contours.y.data
    length: cython.longlong = end - begin
    rise: cython.longlong = y[end] - y[begin]
    best: cython.int = -1
    best_leap: cython.longlong = 2 * length
    leap: cython.longlong
    k: cython.int
    for k in range(begin + 1, end):
        leap = 2 * (rise * (k - begin) - (y[k] - y[begin]) * length)
        if leap > 0 and y[k - 1] <= y[k] and y[k + 1] <= y[k]:
            leap += length
        leap = -leap if leap < 0 else leap
        if leap > best_leap or (best >= 0 and leap == best_leap and _comes_first(contours, k, best)):
            best = k
            best_leap = leap
    return best


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_on_side(contours: cython.pointer[Contours], begin: cython.int, end: cython.int) -> cython.bint:
    """Whether a line between two points lies on a side of the square."""
    x: cython.int = contours.x.data[begin]
    z: cython.int = contours.z.data[begin]
    if x == contours.x.data[end] and (x == 0 or x == contours.square_width):
        return True
    return z == contours.z.data[end] and (z == 0 or z == contours.square_depth)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next_kept(contours: cython.pointer[Contours], begin: cython.int, end: cython.int) -> cython.int:
    """The point between two kept ones that has to be kept as well, else -1."""
    at: cython.int = _farthest(contours, begin, end, contours.squared_error)
    if at < 0 and _is_on_side(contours, begin, end):
        # Floor here is joined to floor beyond, so what is none must stay none, and heights must be near.
        at = _farthest(contours, begin, end, 0.0)
        if at < 0:
            at = _highest_leap(contours, begin, end)
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _split_run(contours: cython.pointer[Contours], begin: cython.int, end: cython.int) -> cython.void:
    """Keeps points between two kept ones until all others are near enough."""
    stack: cython.p_int = contours.stack.data
    size: cython.int = 2
    at: cython.int
    stack[0] = begin
    stack[1] = end
    while size > 0:
        size -= 2
        begin = stack[size]
        end = stack[size + 1]
        at = _next_kept(contours, begin, end)
        if at < 0:
            continue
        contours.keep.data[at] = 1
        stack[size] = begin
        stack[size + 1] = stack[size + 2] = at
        stack[size + 3] = end
        size += 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _split_long_edges(
    contours: cython.pointer[Contours], begin: cython.int, end: cython.int, max_edge: cython.int
) -> cython.void:
    """Halves the edges of a wall that are longer than the limit, at the middle of the corners between their ends."""
    limit: cython.longlong = cython.cast(cython.longlong, max_edge) * max_edge
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    stop: cython.int
    while begin < end:
        stop = begin + 1
        while contours.keep.data[stop] == 0:
            stop += 1
        while stop - begin > 1 and squared_length(x[begin], z[begin], x[stop], z[stop]) > limit:
            middle: cython.int = begin + ((stop - begin) >> 1)
            contours.keep.data[middle] = 1
            _split_run(contours, begin, middle)
            _split_run(contours, middle, stop)
            stop = begin + 1
            while contours.keep.data[stop] == 0:
                stop += 1
        begin = stop


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_heights_on_sides(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    begin: cython.int,
    end: cython.int,
) -> cython.void:
    k: cython.int
    slot: cython.int
    for k in range(begin, end + 1):
        if _is_on_side(contours, k, k):
            slot = contours.slot.data[k]
            corner_of(field, graph.joined.data, slot >> 2, slot & 3, cython.address(contours.y.data[k]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _simplify_chain(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    chain: cython.int,
    max_edge: cython.int,
) -> cython.void:
    begin: cython.int = contours.chain_first.data[chain]
    end: cython.int = contours.chain_first.data[chain + 1] - 1
    behind: cython.int = contours.chain_behind.data[chain]
    contours.keep.data[begin] = contours.keep.data[end] = 1
    if behind <= 0:
        _find_heights_on_sides(field, graph, contours, begin, end)
    _split_run(contours, begin, end)
    if behind == 0 and max_edge > 0:
        _split_long_edges(contours, begin, end, max_edge)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def simplify_chains(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    max_error: cython.double,
    max_edge: cython.int,
) -> cython.int:
    points: cython.size_t = cython.cast(cython.size_t, contours.x.count)
    # Runs that wait on the stack share no more than their ends.
    if (
        reserve_ints(cython.address(contours.keep), points) < 0
        or reserve_ints(cython.address(contours.y), points) < 0
        or reserve_ints(cython.address(contours.stack), 2 * points + 4) < 0
    ):
        return -1
    contours.squared_error = max_error * max_error
    if points > 0:
        memset(contours.keep.data, 0, points * cython.sizeof(cython.int))
    chain: cython.int
    for chain in range(contours.chain_region.count):
        _simplify_chain(field, graph, contours, chain, max_edge)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refine_edge(
    contours: cython.pointer[Contours],
    edge: cython.int,
    x1: cython.int,
    z1: cython.int,
    x2: cython.int,
    z2: cython.int,
) -> cython.int:
    begin: cython.int = contours.edge_from.data[edge]
    end: cython.int = contours.edge_to.data[edge]
    keep: cython.int = -1
    k: cython.int
    for k in range(begin + 1, end):
        if (contours.x.data[k] == x1 and contours.z.data[k] == z1) or (
            contours.x.data[k] == x2 and contours.z.data[k] == z2
        ):
            keep = k
            break
    if keep < 0:
        keep = _farthest(contours, begin, end, 0.0)
    if keep < 0:
        return 0
    if contours.keep.data[keep]:
        return 1  # by another pair of this round
    contours.keep.data[keep] = 1
    # Only as far as the corners that other pairs have given the edge since: the rest has been looked at.
    begin = keep - 1
    while contours.keep.data[begin] == 0:
        begin -= 1
    end = keep + 1
    while contours.keep.data[end] == 0:
        end += 1
    _split_run(contours, begin, keep)
    _split_run(contours, keep, end)
    return 1
