"""Finds edges that meet where they may not, exactly, and gives them back the corners they lost.

Unsimplified chains meet only at corners, so refining comes to an end. Two edges of one region may share end points and
nothing else. Edges of regions that have nothing in common may also lie along each other where their cells do (two
floors on either side of a ledge, but not of a pillar thinner than the error), and may meet freely where one floor is
above the other.
"""

import cython
from cython.cimports.onepath.build._buffers import push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._integer_plane import turn
from cython.cimports.onepath.build._simplify import refine_edge
from cython.cimports.onepath.build._span_graph import SpanGraph, corner_of

#: The sweep keeps its active edges by strips of 2**STRIP_BITS cells along z: without them, every edge would be compared
#: with a whole column of the square.
STRIP_BITS = cython.declare(cython.int, 2)
#: And by bands of height, or else those of every floor with those of every other one.
MOST_BANDS = cython.declare(cython.int, 64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_edges(contours: cython.pointer[Contours]) -> cython.int:
    chain: cython.int
    point: cython.int
    begin: cython.int
    contours.chain_edge.count = contours.edge_from.count = contours.edge_to.count = contours.edge_chain.count = 0
    for chain in range(contours.chain_region.count):
        if push_int(cython.address(contours.chain_edge), contours.edge_from.count) < 0:
            return -1
        begin = contours.chain_first.data[chain]
        for point in range(begin + 1, contours.chain_first.data[chain + 1]):
            if contours.keep.data[point]:
                if (
                    push_int(cython.address(contours.edge_from), begin) < 0
                    or push_int(cython.address(contours.edge_to), point) < 0
                    or push_int(cython.address(contours.edge_chain), chain) < 0
                ):
                    return -1
                begin = point
    return push_int(cython.address(contours.chain_edge), contours.edge_from.count)


# --- two edges


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _are_kin(contours: cython.pointer[Contours], e: cython.int, f: cython.int) -> cython.bint:
    """Whether two edges bound one region."""
    e_chain: cython.int = contours.edge_chain.data[e]
    f_chain: cython.int = contours.edge_chain.data[f]
    a: cython.int = contours.chain_region.data[e_chain]
    b: cython.int = contours.chain_behind.data[e_chain]
    c: cython.int = contours.chain_region.data[f_chain]
    d: cython.int = contours.chain_behind.data[f_chain]
    return a in (c, d) or (b > 0 and b in (c, d))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _height_along(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    edge: cython.int,
    before: cython.longlong,
    after: cython.longlong,
) -> cython.double:
    """Height of an edge where a line passes that has `before` and `after` as signed distances of its ends."""
    low: cython.int = 0
    high: cython.int = 0
    slot: cython.int = contours.slot.data[contours.edge_from.data[edge]]
    corner_of(field, graph.joined.data, slot >> 2, slot & 3, cython.address(low))
    slot = contours.slot.data[contours.edge_to.data[edge]]
    corner_of(field, graph.joined.data, slot >> 2, slot & 3, cython.address(high))
    part: cython.double = cython.cast(cython.double, before) / cython.cast(cython.double, before - after)
    return cython.cast(cython.double, low) + cython.cast(cython.double, high - low) * part


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _overlap_along(a: cython.int, b: cython.int, c: cython.int, d: cython.int) -> cython.bint:
    """Whether the intervals between a and b and between c and d share more than a point."""
    low: cython.int = a if a < b else b
    high: cython.int = b if a < b else a
    other_low: cython.int = c if c < d else d
    other_high: cython.int = d if c < d else c
    return (low if low > other_low else other_low) < (high if high < other_high else other_high)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_straight(contours: cython.pointer[Contours], edge: cython.int) -> cython.bint:
    """Whether an edge runs along the cells themselves."""
    a: cython.int = contours.edge_from.data[edge]
    b: cython.int = contours.edge_to.data[edge]
    x: cython.int = contours.x.data[b] - contours.x.data[a]
    z: cython.int = contours.z.data[b] - contours.z.data[a]
    return max(x, -x) + max(z, -z) == b - a and (x == 0 or z == 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _height_at(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    edge: cython.int,
    point: cython.int,
) -> cython.double:
    """Height of an edge at a point on its line."""
    a: cython.int = contours.edge_from.data[edge]
    b: cython.int = contours.edge_to.data[edge]
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    if x[a] != x[b]:
        return _height_along(field, graph, contours, edge, x[a] - x[point], x[b] - x[point])
    return _height_along(field, graph, contours, edge, z[a] - z[point], z[b] - z[point])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hide_a_wall(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    e: cython.int,
    f: cython.int,
) -> cython.bint:
    """Whether two edges of one height lie along each other only because what stood between was simplified away."""
    if _is_straight(contours, e) and _is_straight(contours, f):
        return False
    point: cython.int = contours.edge_from.data[f]
    if not _is_between(contours, e, point):
        point = contours.edge_to.data[f]
    if not _is_between(contours, e, point):
        point = contours.edge_from.data[e]
    apart: cython.double = _height_at(field, graph, contours, e, point) - _height_at(field, graph, contours, f, point)
    return -apart < graph.clearance and apart < graph.clearance


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_between(contours: cython.pointer[Contours], edge: cython.int, point: cython.int) -> cython.bint:
    """Whether a point on the line of an edge lies on the edge."""
    a: cython.int = contours.edge_from.data[edge]
    b: cython.int = contours.edge_to.data[edge]
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    return min(x[a], x[b]) <= x[point] <= max(x[a], x[b]) and min(z[a], z[b]) <= z[point] <= max(z[a], z[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _meet_badly(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    e: cython.int,
    f: cython.int,
) -> cython.bint:
    a: cython.int = contours.edge_from.data[e]
    b: cython.int = contours.edge_to.data[e]
    c: cython.int = contours.edge_from.data[f]
    d: cython.int = contours.edge_to.data[f]
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    c_side: cython.longlong = turn(x[a], z[a], x[b], z[b], x[c], z[c])
    d_side: cython.longlong = turn(x[a], z[a], x[b], z[b], x[d], z[d])
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    if c_side == 0 and d_side == 0:
        return (_overlap_along(x[a], x[b], x[c], x[d]) or _overlap_along(z[a], z[b], z[c], z[d])) and (
            _are_kin(contours, e, f) or _hide_a_wall(field, graph, contours, e, f)
        )
    a_side: cython.longlong = turn(x[c], z[c], x[d], z[d], x[a], z[a])
    b_side: cython.longlong = turn(x[c], z[c], x[d], z[d], x[b], z[b])
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    if (
        (x[a] == x[c] and z[a] == z[c])
        or (x[a] == x[d] and z[a] == z[d])
        or (x[b] == x[c] and z[b] == z[c])
        or (x[b] == x[d] and z[b] == z[d])
    ):
        return False
    if _are_kin(contours, e, f):
        return True
    apart: cython.double = _height_along(field, graph, contours, e, a_side, b_side) - _height_along(
        field, graph, contours, f, c_side, d_side
    )
    return -apart < graph.clearance and apart < graph.clearance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_pair(contours: cython.pointer[Contours], e: cython.int, f: cython.int) -> cython.bint:
    """Gives one more corner to each of two edges that has one to gain; False if neither has."""
    a: cython.int = contours.edge_from.data[e]
    b: cython.int = contours.edge_to.data[e]
    c: cython.int = contours.edge_from.data[f]
    d: cython.int = contours.edge_to.data[f]
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    first: cython.int = refine_edge(contours, e, x[c], z[c], x[d], z[d])
    second: cython.int = refine_edge(contours, f, x[a], z[a], x[b], z[b])
    return first + second > 0


# --- all edges, by a sweep over x


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order_by_x(contours: cython.pointer[Contours]) -> cython.int:
    """Edge numbers by their lower x, counted into buckets."""
    count: cython.int = contours.edge_from.count
    buckets: cython.int = contours.square_width + 2
    if (
        reserve_ints(cython.address(contours.bucket), cython.cast(cython.size_t, buckets)) < 0
        or reserve_ints(cython.address(contours.edge_order), cython.cast(cython.size_t, count)) < 0
    ):
        return -1
    bucket: cython.p_int = contours.bucket.data
    x: cython.p_int = contours.x.data
    k: cython.int
    low: cython.int
    for k in range(buckets):
        bucket[k] = 0
    for k in range(count):
        low = min(x[contours.edge_from.data[k]], x[contours.edge_to.data[k]])
        bucket[low + 1] += 1
    for k in range(1, buckets):
        bucket[k] += bucket[k - 1]
    for k in range(count):
        low = min(x[contours.edge_from.data[k]], x[contours.edge_to.data[k]])
        contours.edge_order.data[bucket[low]] = k
        bucket[low] += 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen_region(contours: cython.pointer[Contours], region: cython.int, row: cython.int) -> cython.void:
    if region > 0:
        contours.low.data[region] = min(contours.low.data[region], row)
        contours.high.data[region] = max(contours.high.data[region], row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _measure_regions(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    """The rows between which each region's edges lie, and the bands that all of them take.

    Edges of one region meet in the bands of that region, wherever each of them lies; edges of two are compared if their
    heights are within `clearance` of each other, so a search one band up and down finds those.
    """
    regions: cython.size_t = cython.cast(cython.size_t, contours.region_count) + 1
    if (
        reserve_ints(cython.address(contours.low), regions) < 0
        or reserve_ints(cython.address(contours.high), regions) < 0
    ):
        return -1
    k: cython.int
    end: cython.int
    slot: cython.int
    chain: cython.int
    row: cython.int = 0
    lowest: cython.int = 65535
    highest: cython.int = 0
    for k in range(contours.region_count + 1):
        contours.low.data[k] = 65535
        contours.high.data[k] = 0
    for k in range(contours.edge_from.count):
        chain = contours.edge_chain.data[k]
        for end in range(2):
            slot = contours.slot.data[contours.edge_to.data[k] if end else contours.edge_from.data[k]]
            corner_of(field, graph.joined.data, slot >> 2, slot & 3, cython.address(row))
            _widen_region(contours, contours.chain_region.data[chain], row)
            _widen_region(contours, contours.chain_behind.data[chain], row)
            lowest = min(lowest, row)
            highest = max(highest, row)
    contours.lowest = lowest
    contours.bands = min(MOST_BANDS, max(0, highest - lowest) // max(1, graph.clearance) + 1)
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _band(contours: cython.pointer[Contours], row: cython.int, clearance: cython.int) -> cython.int:
    """The band of a row; the highest band takes what lies above it as well."""
    band: cython.int = max(0, row - contours.lowest) // max(1, clearance)
    return min(band, contours.bands - 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clear_strips(contours: cython.pointer[Contours]) -> cython.int:
    heads: cython.int = ((contours.square_depth >> STRIP_BITS) + 1) * contours.bands
    k: cython.int
    contours.active.count = contours.active_next.count = 0
    if reserve_ints(cython.address(contours.strip_head), cython.cast(cython.size_t, heads)) < 0:
        return -1
    for k in range(heads):
        contours.strip_head.data[k] = -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enter_strip(contours: cython.pointer[Contours], edge: cython.int, head: cython.int) -> cython.int:
    if (
        push_int(cython.address(contours.active), edge) < 0
        or push_int(cython.address(contours.active_next), contours.strip_head.data[head]) < 0
    ):
        return -1
    contours.strip_head.data[head] = contours.active.count - 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _edge_low(contours: cython.pointer[Contours], edge: cython.int) -> cython.int:
    """The lowest row of the regions that an edge bounds."""
    chain: cython.int = contours.edge_chain.data[edge]
    own: cython.int = contours.low.data[contours.chain_region.data[chain]]
    behind: cython.int = contours.chain_behind.data[chain]
    return min(own, contours.low.data[behind]) if behind > 0 else own


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _edge_high(contours: cython.pointer[Contours], edge: cython.int) -> cython.int:
    chain: cython.int = contours.edge_chain.data[edge]
    own: cython.int = contours.high.data[contours.chain_region.data[chain]]
    behind: cython.int = contours.chain_behind.data[chain]
    return max(own, contours.high.data[behind]) if behind > 0 else own


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_in_strip(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    edge: cython.int,
    strip: cython.int,
    band: cython.int,
    first_band: cython.int,
) -> cython.int:
    """Compares an edge with those active in a strip and band, and drops those that the sweep has left behind.

    `first_band` is the first in which the edge looks for others.
    """
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    begins: cython.p_int = contours.edge_from.data
    ends: cython.p_int = contours.edge_to.data
    low: cython.int = min(x[begins[edge]], x[ends[edge]])
    z_low: cython.int = min(z[begins[edge]], z[ends[edge]])
    z_high: cython.int = max(z[begins[edge]], z[ends[edge]])
    link: cython.p_int = contours.strip_head.data + strip * contours.bands + band
    refined: cython.int = 0
    other: cython.int
    other_low: cython.int
    while link[0] >= 0:
        contours.steps += 1
        other = contours.active.data[link[0]]
        if x[begins[other]] < low and x[ends[other]] < low:
            link[0] = contours.active_next.data[link[0]]
            continue
        link = contours.active_next.data + link[0]
        other_low = min(z[begins[other]], z[ends[other]])
        if other_low > z_high or max(z[begins[other]], z[ends[other]]) < z_low:
            continue
        # A pair that shares several strips and bands is compared in the first of them.
        if max(z_low, other_low) >> STRIP_BITS != strip or band != max(
            first_band, _band(contours, _edge_low(contours, other), graph.clearance)
        ):
            continue
        if _meet_badly(field, graph, contours, edge, other):
            if _refine_pair(contours, edge, other):
                refined = 1
            elif _are_kin(contours, edge, other):
                contours.unresolved += 1  # others lie on their cells by now, so one floor is above the other
    return refined


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refine_crossings(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    if _order_by_x(contours) < 0 or _measure_regions(field, graph, contours) < 0 or _clear_strips(contours) < 0:
        return -1
    x: cython.p_int = contours.x.data
    z: cython.p_int = contours.z.data
    begins: cython.p_int = contours.edge_from.data
    ends: cython.p_int = contours.edge_to.data
    refined: cython.int = 0
    k: cython.int
    edge: cython.int
    strip: cython.int
    band: cython.int
    begin: cython.int
    end: cython.int
    low: cython.int
    high: cython.int
    z_low: cython.int
    z_high: cython.int
    for k in range(contours.edge_from.count):
        edge = contours.edge_order.data[k]
        z_low = min(z[begins[edge]], z[ends[edge]])
        z_high = max(z[begins[edge]], z[ends[edge]])
        if z_low == z_high and x[begins[edge]] == x[ends[edge]]:
            # A run that came back to where it began, an island's or at a corner touched twice, and never went far.
            refined |= refine_edge(contours, edge, -1, -1, -1, -1)
        low = _edge_low(contours, edge)
        high = _edge_high(contours, edge)
        begin = _band(contours, low - graph.clearance, graph.clearance)
        end = _band(contours, high + graph.clearance, graph.clearance) + 1
        for strip in range(z_low >> STRIP_BITS, (z_high >> STRIP_BITS) + 1):
            for band in range(begin, end):
                refined |= _refine_in_strip(field, graph, contours, edge, strip, band, begin)
            for band in range(_band(contours, low, graph.clearance), _band(contours, high, graph.clearance) + 1):
                if _enter_strip(contours, edge, strip * contours.bands + band) < 0:
                    return -1
    return refined
