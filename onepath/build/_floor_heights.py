"""The heights that detail follows: for one region at a time, the floor row of every cell that it covers.

A region has one span a column at most, so a plane of cells holds it whatever lies above and below. Simplified borders
leave a polygon over a few cells of its neighbours: those are reached by walking links, never by looking for the
nearest height in a column. A region that climbs over its own surroundings, as one of a floor and the stair up from it
does, is joined to floors of two storeys. So a cell is filled only with a height that every own cell near by could have
been left for: the polygons of all of them may cover it.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._span_graph import SpanGraph

#: Above every row.
NO_LOW = cython.declare(cython.int, 2**30)
#: What the rows of cells around a region are raised by while these are filled, which tells them from own ones.
AROUND = cython.declare(cython.int, 2**30)
#: The row of a cell that has heights of two storeys near by, while cells are filled.
DISPUTED = cython.declare(cython.int, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_floor_heights(floors: cython.pointer[FloorHeights]) -> cython.void:
    free_ints(cython.address(floors.row))
    floors.blank = 0
    free_ints(cython.address(floors.filled))
    free_ints(cython.address(floors.cell))
    free_ints(cython.address(floors.span))
    free_ints(cython.address(floors.first))
    free_ints(cython.address(floors.low))
    free_ints(cython.address(floors.high))
    free_ints(cython.address(floors.beside))
    free_ints(cython.address(floors.low_around))
    free_ints(cython.address(floors.high_around))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve(
    floors: cython.pointer[FloorHeights], spans: cython.size_t, cells: cython.size_t, regions: cython.size_t
) -> cython.int:
    if (
        reserve_ints(cython.address(floors.row), cells) < 0
        or reserve_ints(cython.address(floors.cell), spans) < 0
        or reserve_ints(cython.address(floors.span), spans) < 0
        or reserve_ints(cython.address(floors.first), regions + 2) < 0
        or reserve_ints(cython.address(floors.low), regions + 1) < 0
        or reserve_ints(cython.address(floors.high), regions + 1) < 0
        or reserve_ints(cython.address(floors.beside), regions + 1) < 0
        or reserve_ints(cython.address(floors.low_around), regions + 1) < 0
        or reserve_ints(cython.address(floors.high_around), regions + 1) < 0
    ):
        return -1
    if cells > floors.blank:
        memset(floors.row.data + floors.blank, 255, (cells - floors.blank) * cython.sizeof(cython.int))
        floors.blank = cells
    return 0


# --- all regions


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_spans(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
) -> cython.void:
    """Cells of spans; of each region the number of its spans, one place on, and the bounds of its rows."""
    first: cython.p_int = floors.first.data
    x: cython.int
    z: cython.int
    column: cython.int
    span: cython.int
    region: cython.int
    for z in range(floors.depth):
        for x in range(floors.width):
            column = x + graph.padding + (z + graph.padding) * field.width
            for span in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
                region = field.region[span]
                if region <= 0:
                    continue
                floors.cell.data[span] = x + z * floors.width
                first[region + 1] += 1
                if field.y[span] < floors.low.data[region]:
                    floors.low.data[region] = field.y[span]
                if field.y[span] > floors.high.data[region]:
                    floors.high.data[region] = field.y[span]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen(floors: cython.pointer[FloorHeights], region: cython.int, other: cython.int) -> cython.void:
    """Makes the bounds around a region include those of another."""
    if floors.low.data[other] < floors.low_around.data[region]:
        floors.low_around.data[region] = floors.low.data[other]
    if floors.high.data[other] > floors.high_around.data[region]:
        floors.high_around.data[region] = floors.high.data[other]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place_spans(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
) -> cython.void:
    """Spans into their regions' parts of the list, whose begins become the ends before; bounds of joined regions; the
    steepest link."""
    first: cython.p_int = floors.first.data
    row: cython.int
    column: cython.int
    span: cython.int
    region: cython.int
    edge: cython.int
    other: cython.int
    rise: cython.int
    for row in range(floors.depth):
        column = graph.padding + (row + graph.padding) * field.width
        # The spans of a row of columns follow each other.
        for span in range(
            field.cell_first[column],
            field.cell_first[column + floors.width - 1] + field.cell_count[column + floors.width - 1],
        ):
            region = field.region[span]
            if region <= 0:
                continue
            floors.span.data[first[region]] = span
            first[region] += 1
            for edge in range(1, 3):
                other = graph.joined.data[4 * span + edge]
                if other < 0 or field.region[other] <= 0:
                    continue
                rise = field.y[other] - field.y[span]
                rise = -rise if rise < 0 else rise
                floors.steepest = rise if rise > floors.steepest else floors.steepest
                if field.region[other] != region:
                    _widen(floors, region, field.region[other])
                    _widen(floors, field.region[other], region)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_region(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    region_count: cython.int,
) -> cython.int:
    cells: cython.size_t = cython.cast(cython.size_t, graph.square_width) * cython.cast(
        cython.size_t, graph.square_depth
    )
    region: cython.int
    floors.width = graph.square_width
    floors.depth = graph.square_depth
    floors.padding = graph.padding
    floors.region = floors.steepest = 0
    if (
        _reserve(
            floors,
            cython.cast(cython.size_t, field.span_count),
            cells,
            cython.cast(cython.size_t, region_count),
        )
        < 0
    ):
        return -1
    first: cython.p_int = floors.first.data
    first[0] = first[region_count + 1] = 0
    for region in range(region_count + 1):
        first[region] = 0
        floors.low.data[region] = NO_LOW
        floors.high.data[region] = -1
        floors.beside.data[region] = 0
    _count_spans(field, graph, floors)
    for region in range(region_count + 1):
        first[region + 1] += first[region]
        floors.low_around.data[region] = floors.low.data[region]
        floors.high_around.data[region] = floors.high.data[region]
    _place_spans(field, graph, floors)
    # Placing moved every begin to the end of its part.
    region = region_count + 1
    while region > 0:
        first[region] = first[region - 1]
        region -= 1
    first[0] = 0
    return 0


# --- one region


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unload_region(floors: cython.pointer[FloorHeights]) -> cython.void:
    k: cython.int
    if floors.region == 0:
        return
    for k in range(floors.filled.count):
        floors.row.data[floors.cell.data[floors.filled.data[k]]] = -1
    floors.region = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_disputed(
    floors: cython.pointer[cython.const[FloorHeights]], cell: cython.int, row: cython.int, reach: cython.int
) -> cython.bint:
    """Whether an own cell within `reach` steps lies too far above or below to be left for this height by so many."""
    width: cython.int = floors.width
    z: cython.int = cell // width  # never negative
    x: cython.int = cell - z * width
    across: cython.int
    along: cython.int
    rest: cython.int
    apart: cython.int
    line: cython.pointer[cython.const[cython.int]]
    for along in range(-z if z < reach else -reach, min(reach, floors.depth - 1 - z) + 1):
        line = floors.row.data + (cell + along * width)
        rest = reach - (-along if along < 0 else along)
        for across in range(-x if x < rest else -rest, min(rest, width - 1 - x) + 1):
            apart = line[across]
            if apart < 0 or apart >= AROUND:
                continue
            apart = apart - row if apart > row else row - apart
            # Most lie within one link, however far away they are.
            if apart > floors.steepest and apart > floors.steepest * (
                (-across if across < 0 else across) + (-along if along < 0 else along)
            ):
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill(
    field: cython.pointer[cython.const[CompactField]],
    floors: cython.pointer[FloorHeights],
    span: cython.int,
    reach: cython.int,
) -> cython.int:
    """Fills the free cell of a span around the region."""
    cell: cython.int = floors.cell.data[span]
    row: cython.int = field.y[span]
    # A height within a link of all own ones needs no look around.
    is_far: cython.bint = (
        floors.high.data[floors.region] - row > floors.steepest
        or row - floors.low.data[floors.region] > floors.steepest
    )
    # Listed first: what is not listed is not blanked again.
    if push_int(cython.address(floors.filled), span) < 0:
        return -1
    floors.row.data[cell] = DISPUTED if is_far and _is_disputed(floors, cell, row, reach) else row + AROUND
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    begin: cython.int,
    end: cython.int,
    step: cython.int,
    reach: cython.int,
) -> cython.int:
    """Fills the free cells beside some of the filled spans with the spans joined to them.

    The first step tells which regions are joined to the loaded one. Later ones stay in those: their rows are within
    the bounds around the region.
    """
    k: cython.int
    edge: cython.int
    other: cython.int
    joined: cython.pointer[cython.const[cython.int]]
    for k in range(begin, end):
        if floors.row.data[floors.cell.data[floors.filled.data[k]]] == DISPUTED:
            continue
        joined = graph.joined.data + 4 * floors.filled.data[k]
        for edge in range(4):
            other = joined[edge]
            if other < 0 or field.region[other] <= 0 or field.region[other] == floors.region:
                continue
            if step == 0:
                floors.beside.data[field.region[other]] = floors.region
            if (
                floors.row.data[floors.cell.data[other]] == -1
                and floors.beside.data[field.region[other]] == floors.region
                and _fill(field, floors, other, reach) < 0
            ):
                return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle_rows(floors: cython.pointer[FloorHeights], begin: cython.int) -> cython.void:
    """Makes rows of cells around the region, listed from `begin` on, like those of its own."""
    k: cython.int
    row: cython.p_int
    for k in range(begin, floors.filled.count):
        row = floors.row.data + floors.cell.data[floors.filled.data[k]]
        row[0] = -1 if row[0] == DISPUTED else row[0] - AROUND


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread_around(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    reach: cython.int,
) -> cython.int:
    own: cython.int = floors.filled.count
    begin: cython.int = 0
    end: cython.int
    step: cython.int
    code: cython.int = 0
    for step in range(reach):
        end = floors.filled.count
        code = _spread(field, graph, floors, begin, end, step, reach)
        begin = end
        if code < 0 or begin == floors.filled.count:
            break
    _settle_rows(floors, own)
    return code


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def load_region(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    reach: cython.int,
) -> cython.int:
    if floors.region == region:
        return 0
    unload_region(floors)
    floors.region = region
    begin: cython.int = floors.first.data[region]
    count: cython.int = floors.first.data[region + 1] - begin
    k: cython.int
    span: cython.int
    floors.filled.count = 0
    if reserve_ints(cython.address(floors.filled), cython.cast(cython.size_t, count)) < 0:
        return -1
    for k in range(count):
        span = floors.span.data[begin + k]
        floors.filled.data[k] = span
        floors.row.data[floors.cell.data[span]] = field.y[span]
    floors.filled.count = count
    return _spread_around(field, graph, floors, reach)
