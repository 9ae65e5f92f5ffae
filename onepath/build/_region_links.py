"""Small islands are dropped and small regions join a neighbour, on the graph of regions alone."""

import cython
from cython.cimports.onepath.build._buffers import (
    free_ints,
    free_keys,
    push_int,
    reserve_ints,
    reserve_keys,
    sort_keys,
)
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._span_graph import AT_SIDE, CROWDED, SpanGraph

ANY_SIDE = cython.declare(cython.int, AT_SIDE * 15)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_region_links(links: cython.pointer[RegionLinks]) -> cython.void:
    free_ints(cython.address(links.parent))
    free_ints(cython.address(links.island))
    free_ints(cython.address(links.size))
    free_ints(cython.address(links.island_size))
    free_ints(cython.address(links.held))
    free_ints(cython.address(links.head))
    free_ints(cython.address(links.tail))
    free_ints(cython.address(links.next))
    free_ints(cython.address(links.other))
    free_ints(cython.address(links.border))
    free_ints(cython.address(links.weight))
    free_ints(cython.address(links.stamp))
    free_ints(cython.address(links.crowded))
    free_ints(cython.address(links.crowded_first))
    free_ints(cython.address(links.crowded_order))
    free_keys(cython.address(links.by_size))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reset(links: cython.pointer[RegionLinks], regions: cython.size_t) -> cython.int:
    if (
        reserve_ints(cython.address(links.parent), regions) < 0
        or reserve_ints(cython.address(links.island), regions) < 0
        or reserve_ints(cython.address(links.size), regions) < 0
        or reserve_ints(cython.address(links.island_size), regions) < 0
        or reserve_ints(cython.address(links.held), regions) < 0
        or reserve_ints(cython.address(links.head), regions) < 0
        or reserve_ints(cython.address(links.tail), regions) < 0
        or reserve_ints(cython.address(links.weight), regions) < 0
        or reserve_ints(cython.address(links.stamp), regions) < 0
        or reserve_keys(cython.address(links.by_size), regions) < 0
    ):
        return -1
    k: cython.int
    for k in range(cython.cast(cython.int, regions)):
        links.parent.data[k] = k
        links.island.data[k] = k
        links.size.data[k] = 0
        links.island_size.data[k] = 0
        links.held.data[k] = 0
        links.head.data[k] = -1
        links.weight.data[k] = 0
        links.stamp.data[k] = 0
    links.next.count = links.other.count = links.border.count = links.crowded.count = 0
    links.dropped_islands = links.dropped_spans = links.merges = 0
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _root(parent: cython.p_int, k: cython.int) -> cython.int:
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


# --- reading the field


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_entry(
    links: cython.pointer[RegionLinks], region: cython.int, other: cython.int, border: cython.int
) -> cython.int:
    """Notes a shared edge (border 1) or a conflict (0); repeats of the list's last entry are counted in place."""
    last: cython.int = links.tail.data[region] if links.head.data[region] >= 0 else -1
    if last >= 0 and links.other.data[last] == other and (links.border.data[last] > 0) == (border > 0):
        links.border.data[last] += border
        return 0
    entry: cython.int = links.next.count
    if (
        push_int(cython.address(links.next), -1) < 0
        or push_int(cython.address(links.other), other) < 0
        or push_int(cython.address(links.border), border) < 0
    ):
        return -1
    if last >= 0:
        links.next.data[last] = entry
    else:
        links.head.data[region] = entry
    links.tail.data[region] = entry
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_border(links: cython.pointer[RegionLinks], a: cython.int, b: cython.int) -> cython.int:
    if _add_entry(links, a, b, 1) < 0:
        return -1
    return _add_entry(links, b, a, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_border(
    field: cython.pointer[cython.const[CompactField]],
    links: cython.pointer[RegionLinks],
    region: cython.p_int,
    span: cython.int,
    other: cython.int,
) -> cython.int:
    """A border between spans of two regions."""
    own: cython.int = region[span]
    links.island.data[_root(links.island.data, own)] = _root(links.island.data, region[other])
    if field.area[other] != field.area[span]:
        return 0
    return _add_border(links, own, region[other])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_field(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    links: cython.pointer[RegionLinks],
    region: cython.p_int,
) -> cython.int:
    """The borders of spans toward +z and +x; the others come from the other side. Crowded spans wait to be read."""
    flags: cython.p_int = graph.flags.data
    size: cython.p_int = links.size.data
    joined: cython.p_int = graph.joined.data
    span: cython.int
    own: cython.int
    edge: cython.int
    other: cython.int
    for span in range(field.span_count):
        own = region[span]
        if own <= 0:
            continue
        size[own] += 1
        if flags[span] & ANY_SIDE:
            links.held.data[own] = 1
        for edge in range(1, 3):
            other = joined[4 * span + edge]
            if (
                other >= 0
                and region[other] > 0
                and region[other] != own
                and _read_border(field, links, region, span, other) < 0
            ):
                return -1
        if flags[span] & CROWDED and push_int(cython.address(links.crowded), span) < 0:
            return -1
    return 0


# --- conflicts


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order_crowded(links: cython.pointer[RegionLinks], region: cython.p_int, count: cython.int) -> cython.int:
    """The crowded spans by region, counted into place."""
    spans: cython.int = links.crowded.count
    k: cython.int
    if (
        reserve_ints(cython.address(links.crowded_first), cython.cast(cython.size_t, count) + 2) < 0
        or reserve_ints(cython.address(links.crowded_order), cython.cast(cython.size_t, spans)) < 0
    ):
        return -1
    first: cython.p_int = links.crowded_first.data
    for k in range(count + 2):
        first[k] = 0
    for k in range(spans):
        first[region[links.crowded.data[k]] + 1] += 1
    for k in range(1, count + 2):
        first[k] += first[k - 1]
    for k in range(spans):
        links.crowded_order.data[first[region[links.crowded.data[k]]]] = links.crowded.data[k]
        first[region[links.crowded.data[k]]] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_column_conflicts(
    field: cython.pointer[cython.const[CompactField]],
    links: cython.pointer[RegionLinks],
    region: cython.p_int,
    own: cython.int,
    column: cython.int,
    joined: cython.int,
) -> cython.int:
    """The regions of a column that a span of region `own` lies in or beside, but for the span joined to it.

    Each is noted once: `weight` holds the region that has noted it last.
    """
    first: cython.int = field.cell_first[column]
    other: cython.int
    number: cython.int
    for other in range(first, first + field.cell_count[column]):
        number = region[other]
        if other == joined or number <= 0 or number == own or links.weight.data[number] == own:
            continue
        links.weight.data[number] = own
        if _add_entry(links, own, number, 0) < 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_crowded(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    links: cython.pointer[RegionLinks],
    region: cython.p_int,
    count: cython.int,
) -> cython.int:
    """The regions that each region can never be one with, region by region: stacked floors meet in thousands of columns
    and are noted once."""
    if links.crowded.count == 0:
        return 0
    if _order_crowded(links, region, count) < 0:
        return -1
    beside: cython.int[4]
    beside[0] = -1
    beside[1] = field.width
    beside[2] = 1
    beside[3] = -field.width
    place: cython.int
    span: cython.int
    edge: cython.int
    column: cython.int
    k: cython.int
    for place in range(links.crowded.count):
        span = links.crowded_order.data[place]
        column = graph.column.data[span]
        if _add_column_conflicts(field, links, region, region[span], column, -1) < 0:
            return -1
        for edge in range(4):
            if graph.flags.data[span] & (AT_SIDE << edge) == 0 and (
                _add_column_conflicts(
                    field, links, region, region[span], column + beside[edge], graph.joined.data[4 * span + edge]
                )
                < 0
            ):
                return -1
    for k in range(count + 1):
        links.weight.data[k] = 0
    return 0


# --- deciding


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _drop_islands(links: cython.pointer[RegionLinks], count: cython.int, min_region: cython.int) -> cython.void:
    """Regions of an island that is too small join region 0."""
    k: cython.int
    root: cython.int
    for k in range(1, count + 1):
        root = _root(links.island.data, k)
        links.island_size.data[root] += links.size.data[k]
        if links.held.data[k]:
            links.held.data[root] = 1
    for k in range(1, count + 1):
        root = _root(links.island.data, k)
        if links.island_size.data[root] < min_region and links.held.data[root] == 0:
            links.parent.data[k] = 0
            links.dropped_spans += links.size.data[k]
            if root == k:
                links.dropped_islands += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _partner(links: cython.pointer[RegionLinks], region: cython.int, asking: cython.int) -> cython.int:
    """The neighbour with which a region shares most border, the lower number on a tie, and no conflict; 0 for none."""
    parent: cython.p_int = links.parent.data
    entry: cython.int = links.head.data[region]
    other: cython.int
    while entry >= 0:
        other = _root(parent, links.other.data[entry])
        links.weight.data[other] = 0
        if links.border.data[entry] == 0:
            links.stamp.data[other] = asking
        entry = links.next.data[entry]
    best: cython.int = 0
    entry = links.head.data[region]
    while entry >= 0:
        other = _root(parent, links.other.data[entry])
        if other != region and links.stamp.data[other] != asking:
            links.weight.data[other] += links.border.data[entry]
        entry = links.next.data[entry]
    entry = links.head.data[region]
    while entry >= 0:
        other = _root(parent, links.other.data[entry])
        if links.weight.data[other] > 0 and (
            best == 0
            or links.weight.data[other] > links.weight.data[best]
            or (links.weight.data[other] == links.weight.data[best] and other < best)
        ):
            best = other
        entry = links.next.data[entry]
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _join(links: cython.pointer[RegionLinks], region: cython.int, into: cython.int) -> cython.void:
    links.parent.data[region] = into
    links.size.data[into] += links.size.data[region]
    links.next.data[links.tail.data[into]] = links.head.data[region]
    links.tail.data[into] = links.tail.data[region]
    links.merges += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _merge_small(links: cython.pointer[RegionLinks], count: cython.int, merge_region: cython.int) -> cython.void:
    """Smallest first, each asked once: a region without a partner never gets one, since borders and conflicts go both
    ways and what joins keeps all of its conflicts."""
    k: cython.int
    region: cython.int
    partner: cython.int
    links.by_size.count = 0
    for k in range(1, count + 1):
        if links.parent.data[k] == k and links.size.data[k] < merge_region and links.head.data[k] >= 0:
            links.by_size.data[links.by_size.count] = (cython.cast(cython.longlong, links.size.data[k]) << 32) | k
            links.by_size.count += 1
    sort_keys(links.by_size.data, links.by_size.count)
    for k in range(links.by_size.count):
        region = cython.cast(cython.int, links.by_size.data[k] & 0x7FFFFFFF)
        if links.parent.data[region] != region or links.size.data[region] >= merge_region:
            continue
        partner = _partner(links, region, k + 1)
        if partner > 0:
            _join(links, region, partner)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _renumber(
    links: cython.pointer[RegionLinks], region: cython.p_int, span_count: cython.int, count: cython.int
) -> cython.int:
    """Numbers from 1 in the order in which the spans name them; how many there are."""
    number: cython.p_int = links.weight.data
    parent: cython.p_int = links.parent.data
    kept: cython.int = 0
    k: cython.int
    root: cython.int
    for k in range(count + 1):
        number[k] = 0
    for k in range(span_count):
        root = _root(parent, region[k]) if region[k] > 0 else 0
        if root > 0 and number[root] == 0:
            kept += 1
            number[root] = kept
        region[k] = number[root]
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle_regions(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    links: cython.pointer[RegionLinks],
    region: cython.p_int,
    count: cython.int,
    min_region: cython.int,
    merge_region: cython.int,
) -> cython.int:
    if (
        _reset(links, cython.cast(cython.size_t, count) + 1) < 0
        or _read_field(field, graph, links, region) < 0
        or _read_crowded(field, graph, links, region, count) < 0
    ):
        return -1
    _drop_islands(links, count, min_region)
    _merge_small(links, count, merge_region)
    return _renumber(links, region, field.span_count, count)
