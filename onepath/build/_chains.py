"""Walks the boundary of regions on the corners of cells and cuts it where what lies behind changes.

The walk keeps the region on its left: outlines run counter-clockwise seen from above, holes clockwise. Where a region
touches itself at a corner the walk turns around its own cell, so that a region has exactly one outline.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._span_graph import AT_SIDE, SpanGraph

#: The mark of an edge whose loop is being walked.
WALKED = cython.declare(cython.int, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_contours(contours: cython.pointer[Contours]) -> cython.void:
    free_ints(cython.address(contours.slot_chain))
    free_ints(cython.address(contours.walk))
    free_ints(cython.address(contours.facing))
    free_ints(cython.address(contours.chain_first))
    free_ints(cython.address(contours.chain_region))
    free_ints(cython.address(contours.chain_behind))
    free_ints(cython.address(contours.x))
    free_ints(cython.address(contours.z))
    free_ints(cython.address(contours.slot))
    free_ints(cython.address(contours.keep))
    free_ints(cython.address(contours.y))
    free_ints(cython.address(contours.loop_region))
    free_ints(cython.address(contours.loop_first))
    free_ints(cython.address(contours.loop_chains))
    free_ints(cython.address(contours.region_area))
    free_ints(cython.address(contours.region_first))
    free_ints(cython.address(contours.region_loops))
    free_ints(cython.address(contours.stack))
    free_ints(cython.address(contours.chain_edge))
    free_ints(cython.address(contours.edge_from))
    free_ints(cython.address(contours.edge_to))
    free_ints(cython.address(contours.edge_chain))
    free_ints(cython.address(contours.edge_order))
    free_ints(cython.address(contours.bucket))
    free_ints(cython.address(contours.active))
    free_ints(cython.address(contours.vertex_order))
    free_ints(cython.address(contours.active_next))
    free_ints(cython.address(contours.low))
    free_ints(cython.address(contours.high))
    free_ints(cython.address(contours.strip_head))
    free_ints(cython.address(contours.corner_head))
    free_ints(cython.address(contours.vertex_next))
    free_ints(cython.address(contours.vertex_x))
    free_ints(cython.address(contours.vertex_y))
    free_ints(cython.address(contours.vertex_z))
    free_ints(cython.address(contours.vertex_corner))
    free_ints(cython.address(contours.point_vertex))
    free_ints(cython.address(contours.ring_first))
    free_ints(cython.address(contours.ring_vertex))
    free_ints(cython.address(contours.ring_edge))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reset(field: cython.pointer[cython.const[CompactField]], contours: cython.pointer[Contours]) -> cython.int:
    slots: cython.size_t = 4 * cython.cast(cython.size_t, field.span_count)
    if reserve_ints(cython.address(contours.slot_chain), slots) < 0:
        return -1
    if slots > 0:
        memset(contours.slot_chain.data, 255, slots * cython.sizeof(cython.int))
    contours.region_count = contours.loop_count = 0
    contours.region_area.count = 0
    contours.chain_first.count = contours.chain_region.count = contours.chain_behind.count = 0
    contours.x.count = contours.z.count = contours.slot.count = 0
    contours.loop_region.count = contours.loop_first.count = contours.loop_chains.count = 0
    return 0


# --- the corner grid


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _behind(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    span: cython.int,
    edge: cython.int,
) -> cython.int:
    """What lies behind a boundary edge: a region, 0 for nothing, -1 - side where the floor goes on outside the tile."""
    other: cython.int = graph.joined.data[4 * span + edge]
    if graph.flags.data[span] & (AT_SIDE << edge):
        return -1 - edge if other >= 0 or graph.padding == 0 else 0
    return field.region[other] if other >= 0 else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next_slot(
    field: cython.pointer[cython.const[CompactField]],
    joined: cython.pointer[cython.const[cython.int]],
    slot: cython.int,
) -> cython.int:
    """The boundary edge that starts where this one ends."""
    span: cython.int = slot >> 2
    ahead: cython.int = (slot + 1) & 3
    region: cython.int = field.region[span]
    beside: cython.int = joined[4 * span + ahead]
    if beside < 0 or field.region[beside] != region:
        return 4 * span + ahead
    edge: cython.int = slot & 3
    across: cython.int = joined[4 * beside + edge]
    if across < 0 or field.region[across] != region:
        return 4 * beside + edge
    return 4 * across + ((edge + 3) & 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_cut(
    field: cython.pointer[cython.const[CompactField]],
    joined: cython.pointer[cython.const[cython.int]],
    before: cython.int,
    after: cython.int,
    behind: cython.int,
) -> cython.bint:
    """Whether a border between two regions is cut between consecutive edges: the answer is the same from both sides.

    Seen from here what lies behind has not changed. Seen from there it has if the corner is convex here and the cell
    diagonally across is not part of that region's floor.
    """
    if behind <= 0 or (before >> 2) != (after >> 2):
        return False
    diagonal: cython.int = joined[4 * joined[before] + (after & 3)]
    return diagonal < 0 or field.region[diagonal] != behind


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_point(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    slot: cython.int,
) -> cython.int:
    """The start corner of an edge."""
    column: cython.int = graph.column.data[slot >> 2]
    z: cython.int = column // field.width  # columns are never negative
    x: cython.int = column - z * field.width - graph.padding
    z -= graph.padding
    edge: cython.int = slot & 3
    if edge >= 2:
        x += 1
    if edge == 1 or edge == 2:
        z += 1
    if (
        push_int(cython.address(contours.x), x) < 0
        or push_int(cython.address(contours.z), z) < 0
        or push_int(cython.address(contours.slot), slot) < 0
    ):
        return -1
    return 0


# --- one loop


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_loop(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    start: cython.int,
) -> cython.int:
    slot: cython.int = start
    contours.walk.count = contours.facing.count = 0
    while True:
        if (
            push_int(cython.address(contours.walk), slot) < 0
            or push_int(cython.address(contours.facing), _behind(field, graph, slot >> 2, slot & 3)) < 0
        ):
            return -1
        contours.slot_chain.data[slot] = WALKED
        slot = _next_slot(field, graph.joined.data, slot)
        if slot == start:
            return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _cut_before(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    k: cython.int,
) -> cython.bint:
    """Whether a chain ends before edge k of the walk."""
    before: cython.int = k - 1 if k > 0 else contours.walk.count - 1
    behind: cython.int = contours.facing.data[k]
    if contours.facing.data[before] != behind:
        return True
    return _is_cut(field, graph.joined.data, contours.walk.data[before], contours.walk.data[k], behind)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _lowest_edge(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    """The edge of a loop without cuts that starts at its least corner by (x, z), so that both sides begin alike."""
    least: cython.int = 0
    least_x: cython.int = 0
    least_z: cython.int = 0
    k: cython.int
    x: cython.int
    z: cython.int
    column: cython.int
    edge: cython.int
    for k in range(contours.walk.count):
        column = graph.column.data[contours.walk.data[k] >> 2]
        edge = contours.walk.data[k] & 3
        z = column // field.width
        x = column - z * field.width + (1 if edge >= 2 else 0)
        z += 1 if edge == 1 or edge == 2 else 0
        if k == 0 or x < least_x or (x == least_x and z < least_z):
            least = k
            least_x = x
            least_z = z
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_chain(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    begin: cython.int,
    length: cython.int,
) -> cython.int:
    """Edges begin, begin + 1, ... of the walk as the loop's next chain: a new one, or the one that the other region
    has walked from its side."""
    walk: cython.p_int = contours.walk.data
    size: cython.int = contours.walk.count
    first: cython.int = walk[begin]
    chain: cython.int = -1
    code: cython.int
    k: cython.int
    at: cython.int
    if contours.facing.data[begin] > 0:
        chain = contours.slot_chain.data[4 * graph.joined.data[first] + ((first & 3) ^ 2)]
    code = 2 * chain + 1
    if chain < 0:
        chain = contours.chain_region.count
        code = 2 * chain
        if (
            push_int(cython.address(contours.chain_first), contours.x.count) < 0
            or push_int(cython.address(contours.chain_region), field.region[first >> 2]) < 0
            or push_int(cython.address(contours.chain_behind), contours.facing.data[begin]) < 0
        ):
            return -1
        for k in range(begin, begin + length + 1):
            at = k
            while at >= size:
                at -= size
            if _add_point(field, graph, contours, walk[at]) < 0:
                return -1
    for k in range(begin, begin + length):
        at = k - size if k >= size else k
        contours.slot_chain.data[walk[at]] = chain
    return push_int(cython.address(contours.loop_chains), code)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_loop(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    size: cython.int = contours.walk.count
    origin: cython.int = 0
    while origin < size and not _cut_before(field, graph, contours, origin):
        origin += 1
    if origin == size:
        return _add_chain(field, graph, contours, _lowest_edge(field, graph, contours), size)
    begin: cython.int = origin
    end: cython.int = origin + 1
    while begin < origin + size:
        while end < origin + size and not _cut_before(field, graph, contours, end - size if end >= size else end):
            end += 1
        if _add_chain(field, graph, contours, begin - size if begin >= size else begin, end - begin) < 0:
            return -1
        begin = end
        end += 1
    return 0


# --- all of them


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _trace_span(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
    span: cython.int,
) -> cython.int:
    """The loops that pass this span and that no earlier span has met."""
    region: cython.int = field.region[span]
    edge: cython.int
    other: cython.int
    while contours.region_area.count <= region:
        if push_int(cython.address(contours.region_area), 0) < 0:
            return -1
    contours.region_area.data[region] = field.area[span]
    joined: cython.p_int = graph.joined.data + 4 * span
    regions: cython.p_int = field.region
    for edge in range(4):
        other = joined[edge]
        if (other >= 0 and regions[other] == region) or contours.slot_chain.data[4 * span + edge] != -1:
            continue
        if (
            push_int(cython.address(contours.loop_region), region) < 0
            or push_int(cython.address(contours.loop_first), contours.loop_chains.count) < 0
            or _walk_loop(field, graph, contours, 4 * span + edge) < 0
            or _cut_loop(field, graph, contours) < 0
        ):
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort_loops(contours: cython.pointer[Contours]) -> cython.int:
    """Loops by region. The outline of a region passes its first span's first edge and was therefore met first."""
    count: cython.int = contours.loop_region.count
    contours.region_count = contours.region_area.count - 1 if contours.region_area.count > 0 else 0
    regions: cython.size_t = cython.cast(cython.size_t, contours.region_count)
    contours.loop_count = count
    if (
        reserve_ints(cython.address(contours.region_first), regions + 2) < 0
        or reserve_ints(cython.address(contours.region_loops), cython.cast(cython.size_t, count)) < 0
    ):
        return -1
    contours.region_first.count = contours.region_count + 2
    contours.region_loops.count = count
    first: cython.p_int = contours.region_first.data
    k: cython.int
    region: cython.int
    for k in range(contours.region_count + 2):
        first[k] = 0
    for k in range(count):
        first[contours.loop_region.data[k]] += 1
    # Running ends, then filled from the back, which leaves the begins and keeps the order.
    for k in range(1, contours.region_count + 2):
        first[k] += first[k - 1]
    k = count - 1
    while k >= 0:
        region = contours.loop_region.data[k]
        first[region] -= 1
        contours.region_loops.data[first[region]] = k
        k -= 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def trace_chains(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    if _reset(field, contours) < 0:
        return -1
    contours.square_width = graph.square_width
    contours.square_depth = graph.square_depth
    contours.clearance = graph.clearance
    span: cython.int
    for span in range(field.span_count):
        if field.region[span] > 0 and _trace_span(field, graph, contours, span) < 0:
            return -1
    if (
        push_int(cython.address(contours.chain_first), contours.x.count) < 0
        or push_int(cython.address(contours.loop_first), contours.loop_chains.count) < 0
    ):
        return -1
    return _sort_loops(contours)
