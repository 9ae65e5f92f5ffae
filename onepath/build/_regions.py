"""Floors cut into regions, by a watershed on the distance to their boundary or by a sweep over rows (`_monotone`).

The watershed (Vincent and Soille, "Watersheds in Digital Spaces", 1991) lets water rise from the places farthest from
any boundary, so that rooms fill before the doors between them do. A region must have an outline in the plane: a span
joins only if no span of the region lies in its column, nor in a column beside it without being joined to it. Spiral
stairs are thereby cut before they turn over themselves, and the outline of a region is that of its footprint.
"""

import cython
from cython.cimports.onepath.build._arrays import equal_arrays, fill_ints, int_array
from cython.cimports.onepath.build._buffers import IntBuffer, free_ints, reserve_ints
from cython.cimports.onepath.build._compact import CompactField, CompactHeightfield
from cython.cimports.onepath.build._distance import free_distance_layers, make_distance_layers
from cython.cimports.onepath.build._monotone import free_monotone_runs, sweep_rows
from cython.cimports.onepath.build._region_links import free_region_links, settle_regions
from cython.cimports.onepath.build._span_graph import CROWDED, INSIDE, SpanGraph, free_span_graph, make_span_graph

from onepath.build._arrays import frozen
from onepath.build.arguments import one_of, whole_number
from onepath.build.settings import PARTITIONS
from onepath.errors import ArgumentError, LimitError, RangeError

#: The mark of a span that waits in the queue, and of one outside the square; 0 is one still to be reached.
WAITING = cython.declare(cython.int, -1)
OUTSIDE = cython.declare(cython.int, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_regions(scratch: cython.pointer[RegionScratch]) -> cython.void:
    free_span_graph(cython.address(scratch.graph))
    free_distance_layers(cython.address(scratch.layers))
    free_monotone_runs(cython.address(scratch.runs))
    free_region_links(cython.address(scratch.links))
    free_ints(cython.address(scratch.queue))


# --- may a span join a region


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _column_holds(
    field: cython.pointer[CompactField], column: cython.int, joined: cython.int, region: cython.int
) -> cython.bint:
    """Whether a column has a span of the region other than `joined`."""
    other: cython.int
    for other in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
        if other != joined and field.region[other] == region:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _crowd_lets_join(
    field: cython.pointer[CompactField],
    graph: cython.pointer[SpanGraph],
    span: cython.int,
    region: cython.int,
) -> cython.bint:
    column: cython.int = graph.column.data[span]
    joined: cython.p_int = graph.joined.data + 4 * span
    x: cython.int = column % field.width  # columns are never negative
    return not (
        _column_holds(field, column, span, region)
        or (x > 0 and _column_holds(field, column - 1, joined[0], region))
        or (x + 1 < field.width and _column_holds(field, column + 1, joined[2], region))
        or (column >= field.width and _column_holds(field, column - field.width, joined[3], region))
        or (column < field.width * (field.depth - 1) and _column_holds(field, column + field.width, joined[1], region))
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _may_join(
    field: cython.pointer[CompactField],
    graph: cython.pointer[SpanGraph],
    span: cython.int,
    region: cython.int,
) -> cython.bint:
    return graph.flags.data[span] & CROWDED == 0 or _crowd_lets_join(field, graph, span, region)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _best_region(
    field: cython.pointer[CompactField],
    graph: cython.pointer[SpanGraph],
    distance: cython.p_int,
    span: cython.int,
) -> cython.int:
    """The region of the neighbour farthest from a boundary that the span may join, the lower on a tie; 0 for none."""
    joined: cython.p_int = graph.joined.data + 4 * span
    regions: cython.p_int = field.region
    best: cython.int = 0
    best_distance: cython.int = -1
    edge: cython.int
    other: cython.int
    region: cython.int
    for edge in range(4):
        other = joined[edge]
        if other < 0:
            continue
        region = regions[other]
        if region <= 0 or distance[other] < best_distance or (distance[other] == best_distance and region >= best):
            continue
        if distance[span] == 0 and field.area[other] != field.area[span]:
            continue  # areas end only on a boundary
        if _may_join(field, graph, span, region):
            best = region
            best_distance = distance[other]
    return best


# --- the water rises


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _wait(
    field: cython.pointer[CompactField],
    scratch: cython.pointer[RegionScratch],
    span: cython.int,
    region: cython.int,
) -> cython.int:
    """Queues a span for the region that has reached it first."""
    queue: cython.pointer[IntBuffer] = cython.address(scratch.queue)
    count: cython.int = queue.count
    if reserve_ints(queue, cython.cast(cython.size_t, count) + 2) < 0:
        return -1
    field.region[span] = WAITING
    queue.data[count] = span
    queue.data[count + 1] = region
    queue.count = count + 2
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _wait_beside(
    field: cython.pointer[CompactField],
    scratch: cython.pointer[RegionScratch],
    span: cython.int,
    region: cython.int,
    level: cython.int,
) -> cython.int:
    """Queues the free spans of this level beside a span that has just got its region."""
    joined: cython.p_int = scratch.graph.joined.data + 4 * span
    regions: cython.p_int = field.region
    distance: cython.p_int = scratch.layers.distance.data
    edge: cython.int
    other: cython.int
    for edge in range(4):
        other = joined[edge]
        if (
            other >= 0
            and regions[other] == 0
            and distance[other] == level
            and (level > 0 or field.area[other] == field.area[span])
            and _wait(field, scratch, other, region) < 0
        ):
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread(
    field: cython.pointer[CompactField], scratch: cython.pointer[RegionScratch], level: cython.int
) -> cython.int:
    """Gives the queued spans their regions, and those of the level that can be reached from them. Where a region may
    not go, another that has reached the span may."""
    place: cython.int = 0
    span: cython.int
    region: cython.int
    while place < scratch.queue.count:
        span = scratch.queue.data[place]
        region = scratch.queue.data[place + 1]
        place += 2
        if not _may_join(field, cython.address(scratch.graph), span, region):
            region = _best_region(field, cython.address(scratch.graph), scratch.layers.distance.data, span)
        field.region[span] = region
        if region > 0 and _wait_beside(field, scratch, span, region, level) < 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _expand(
    field: cython.pointer[CompactField], scratch: cython.pointer[RegionScratch], level: cython.int
) -> cython.int:
    """Regions found so far flow into the spans of a level, nearest first."""
    place: cython.int
    span: cython.int
    region: cython.int
    scratch.queue.count = 0
    for place in range(scratch.layers.first.data[level], scratch.layers.first.data[level + 1]):
        span = scratch.layers.order.data[place]
        if field.region[span] == 0:
            region = _best_region(field, cython.address(scratch.graph), scratch.layers.distance.data, span)
            if region > 0 and _wait(field, scratch, span, region) < 0:
                return -1
    return _spread(field, scratch, level)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _flood(
    field: cython.pointer[CompactField],
    scratch: cython.pointer[RegionScratch],
    seed: cython.int,
    region: cython.int,
    level: cython.int,
) -> cython.int:
    """A new region takes the free spans of its level that it can reach."""
    scratch.queue.count = 0
    if _wait(field, scratch, seed, region) < 0:
        return -1
    return _spread(field, scratch, level)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _watershed(field: cython.pointer[CompactField], scratch: cython.pointer[RegionScratch]) -> cython.int:
    level: cython.int = scratch.layers.first.count - 2
    place: cython.int
    span: cython.int
    regions: cython.p_int = field.region
    flags: cython.p_int = scratch.graph.flags.data
    scratch.region_count = 0
    for span in range(field.span_count):
        regions[span] = 0 if flags[span] & INSIDE else OUTSIDE
    while level >= 0:
        if _expand(field, scratch, level) < 0:
            return -1
        for place in range(scratch.layers.first.data[level], scratch.layers.first.data[level + 1]):
            span = scratch.layers.order.data[place]
            if field.region[span] == 0:
                scratch.region_count += 1
                if _flood(field, scratch, span, scratch.region_count, level) < 0:
                    return -1
        level -= 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_regions(
    field: cython.pointer[CompactField],
    scratch: cython.pointer[RegionScratch],
    partition: cython.int,
    padding: cython.int,
    min_region: cython.int,
    merge_region: cython.int,
) -> cython.int:
    code: cython.int = make_span_graph(field, padding, cython.address(scratch.graph))
    if code < 0:
        return code
    if partition == MONOTONE:
        scratch.region_count = sweep_rows(
            field, cython.address(scratch.graph), cython.address(scratch.runs), field.region
        )
        if scratch.region_count < 0:
            return -1
    elif (
        make_distance_layers(field, cython.address(scratch.graph), cython.address(scratch.layers)) < 0
        or _watershed(field, scratch) < 0
    ):
        return -1
    scratch.region_count = settle_regions(
        field,
        cython.address(scratch.graph),
        cython.address(scratch.links),
        field.region,
        scratch.region_count,
        min_region,
        merge_region,
    )
    return -1 if scratch.region_count < 0 else 0


# --- the public stage


def raise_stage_error(code):
    """Turns a kernel's negative code into an exception."""
    if code == -1:
        raise MemoryError("no memory for this stage of the builder")
    if code == -2:
        raise LimitError("the compact heightfield has more than 2**28 spans")


def check_padding(compact: CompactHeightfield, padding):
    """The padding as an int that leaves a square, or an error."""
    if compact is None:
        raise ArgumentError("compact is None, not a CompactHeightfield")
    padding = whole_number("padding", padding, 0, 65536)
    if 2 * padding >= min(compact.field.width, compact.field.depth):
        raise RangeError(
            f"padding is {padding}, which leaves nothing of {compact.field.width} x {compact.field.depth} cells"
        )
    return padding


class RegionSet:
    """What `build_regions` found; the arrays are those of its moment. Equal where all of it but the field is.

    Attributes:
        compact: the field they were made in.
        count: number of regions.
        region: (n,) int32, the region of each open space of the compact field, 1 to `count`, 0 for none.
        distance: (n,) int32, cells to the boundary of its floor, 0 on it, -1 where not walkable; None where monotone
            regions were made, which do without.
        partition: "watershed" or "monotone".
        padding: cells between the field's edge and the square that regions were made in.
        dropped_islands, dropped_spans: islands left out for their size, and their open spaces.
        merges: regions that joined a neighbour.
    """

    def __init__(self):
        raise TypeError("use build_regions(compact)")

    def __dealloc__(self):
        free_regions(cython.address(self.scratch))

    @property
    def count(self):
        return self.scratch.region_count

    @property
    def dropped_islands(self):
        return self.scratch.links.dropped_islands

    @property
    def dropped_spans(self):
        return self.scratch.links.dropped_spans

    @property
    def merges(self):
        return self.scratch.links.merges

    def _numbers(self):
        return self.padding, self.count, self.dropped_islands, self.dropped_spans, self.merges

    def _arrays(self):
        return (self.region,) if self.distance is None else (self.region, self.distance)

    def __eq__(self, other):
        if not isinstance(other, RegionSet):
            return NotImplemented
        mine: RegionSet = self
        theirs: RegionSet = other
        return (
            mine.partition == theirs.partition
            and mine._numbers() == theirs._numbers()
            and equal_arrays(mine._arrays(), theirs._arrays())
        )

    def __hash__(self):
        return hash((self.partition, self._numbers(), self.region.tobytes()))

    def __repr__(self):
        return f"RegionSet(count={self.count}, dropped_islands={self.dropped_islands}, merges={self.merges})"

    def __reduce__(self):
        graph: cython.pointer[SpanGraph] = cython.address(self.scratch.graph)
        spans: cython.Py_ssize_t = len(self.region)
        graph_numbers = graph.square_width, graph.square_depth, graph.clearance
        graph_arrays = (
            int_array(graph.joined.data, 4 * spans),
            int_array(graph.column.data, spans),
            int_array(graph.flags.data, spans),
        )
        found = self.compact, self.partition, self._numbers(), self.region, self.distance
        return _restore, (*found, graph_numbers, graph_arrays)


def _restore(compact, partition, numbers, region, distance, graph_numbers, graph_arrays):
    """Unpickles regions, with the graph that they were made on: the field may have changed since."""
    made: RegionSet = RegionSet.__new__(RegionSet)
    graph: cython.pointer[SpanGraph] = cython.address(made.scratch.graph)
    padding, count, dropped_islands, dropped_spans, merges = numbers
    made.compact = compact
    made.partition = partition
    made.region = frozen(region)
    made.distance = None if distance is None else frozen(distance)
    made.padding = graph.padding = padding
    made.scratch.region_count = count
    made.scratch.links.dropped_islands = dropped_islands
    made.scratch.links.dropped_spans = dropped_spans
    made.scratch.links.merges = merges
    graph.square_width, graph.square_depth, graph.clearance = graph_numbers
    joined, column, flags = graph_arrays
    fill_ints(cython.address(graph.joined), joined)
    fill_ints(cython.address(graph.column), column)
    fill_ints(cython.address(graph.flags), flags)
    return made


def build_regions(compact: CompactHeightfield, *, partition="watershed", padding=0, min_region=0, merge_region=0):
    """Cuts the floors of a compact heightfield into regions and writes them into `compact.region`.

    Two open spaces of one column never get the same region, nor two of neighbouring columns without a link between
    them; a region has one area id. The numbers follow the order of the spaces.

    Args:
        compact: the field, eroded, its volumes applied.
        partition: "watershed" fills rooms before the doors between them; "monotone" stacks runs of cells row by row,
            which is quicker and leaves longer, thinner regions.
        padding: cells on each side that lie around the tile's square; they are seen, but get no region.
        min_region: islands of fewer spaces are left out, unless they touch the square's side (the neighbouring tile may
            hold the rest).
        merge_region: a region of fewer spaces joins the neighbour of its area with which it shares most border, if the
            two are sound together.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        LimitError: more than 2**28 open spaces.
    """
    padding = check_padding(compact, padding)
    kind: cython.int = PARTITIONS.index(one_of("partition", partition, PARTITIONS))
    least: cython.int = whole_number("min_region", min_region, 0, 2**31 - 1)
    merged: cython.int = whole_number("merge_region", merge_region, 0, 2**31 - 1)
    made: RegionSet = RegionSet.__new__(RegionSet)
    made.compact = compact
    made.padding = padding
    made.partition = partition
    raise_stage_error(
        make_regions(cython.address(compact.field), cython.address(made.scratch), kind, made.padding, least, merged)
    )
    made.region = frozen(int_array(compact.field.region, compact.field.span_count))
    if kind == WATERSHED:
        made.distance = frozen(int_array(made.scratch.layers.distance.data, compact.field.span_count))
    return made
