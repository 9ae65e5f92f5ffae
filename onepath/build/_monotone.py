"""Floors cut into regions by a sweep: each region is a stack of runs, one run of cells a row.

A run goes on the region that it shares most border with, if that region shares most with it too and the two are linked
in every column that both have. So no region lies over or unlinked beside itself, and none has a hole: its outline
follows from the rows alone, whatever floors lie above. There is no distance to compute, which makes this the quicker
partition; its regions are longer and thinner than those of the watershed.
"""

import cython
from cython.cimports.onepath.build._buffers import free_ints, push_int
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._span_graph import INSIDE, SpanGraph


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_monotone_runs(runs: cython.pointer[MonotoneRuns]) -> cython.void:
    free_ints(cython.address(runs.run_span))
    free_ints(cython.address(runs.run_x))
    free_ints(cython.address(runs.run_end))
    free_ints(cython.address(runs.run_region))
    free_ints(cython.address(runs.last_x))
    free_ints(cython.address(runs.last_end))
    free_ints(cython.address(runs.heir))
    free_ints(cython.address(runs.heir_border))
    free_ints(cython.address(runs.border))


# --- the runs of a row


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _goes_on(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    span: cython.int,
    edge: cython.int,
) -> cython.int:
    """The span of the same area inside the square that a span is joined to across an edge, -1 for none."""
    other: cython.int = graph.joined.data[4 * span + edge]
    if other < 0 or field.area[other] != field.area[span] or graph.flags.data[other] & INSIDE == 0:
        return -1
    return other


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_run(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    runs: cython.pointer[MonotoneRuns],
    span: cython.int,
    x: cython.int,
) -> cython.int:
    """The run that begins with a span."""
    end: cython.int = x
    at: cython.int = span
    while at >= 0:
        end += 1
        at = _goes_on(field, graph, at, 2)
    if (
        push_int(cython.address(runs.run_span), span) < 0
        or push_int(cython.address(runs.run_x), x) < 0
        or push_int(cython.address(runs.run_end), end) < 0
        or push_int(cython.address(runs.run_region), 0) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_runs(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    runs: cython.pointer[MonotoneRuns],
    z: cython.int,
) -> cython.int:
    """Every run of a row, by ascending x and height of its first span."""
    x: cython.int
    span: cython.int
    column: cython.int
    runs.run_span.count = runs.run_x.count = runs.run_end.count = runs.run_region.count = 0
    for x in range(graph.padding, field.width - graph.padding):
        column = x + z * field.width
        for span in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
            if field.area[span] == 0 or _goes_on(field, graph, span, 0) >= 0:
                continue
            if _add_run(field, graph, runs, span, x) < 0:
                return -1
    return 0


# --- which region a run goes on


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _may_go_on(runs: cython.pointer[MonotoneRuns], run: cython.int, region: cython.int) -> cython.bint:
    """Whether a run is linked to the region's run of the row before in all the columns that both have."""
    low: cython.int = runs.last_x.data[region]
    high: cython.int = runs.last_end.data[region]
    low = runs.run_x.data[run] if runs.run_x.data[run] > low else low
    high = runs.run_end.data[run] if runs.run_end.data[run] < high else high
    return runs.border.data[region] == high - low


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_better(runs: cython.pointer[MonotoneRuns], region: cython.int, best: cython.int) -> cython.bint:
    """Whether more border is shared with a region than with the best so far, the lower number winning a tie."""
    more: cython.int = runs.border.data[region] - runs.border.data[best]
    return best == 0 or more > 0 or (more == 0 and region < best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _choose_region(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    runs: cython.pointer[MonotoneRuns],
    region: cython.p_int,
    run: cython.int,
) -> cython.void:
    """Notes the region with which a run shares most border, the lower number on a tie, and the run as its heir if no
    earlier one shares as much."""
    best: cython.int = 0
    span: cython.int = runs.run_span.data[run]
    other: cython.int
    number: cython.int
    at: cython.int = span
    while at >= 0:
        other = _goes_on(field, graph, at, 3)
        if other >= 0:
            runs.border.data[region[other]] += 1
        at = _goes_on(field, graph, at, 2)
    at = span
    while at >= 0:
        other = _goes_on(field, graph, at, 3)
        number = region[other] if other >= 0 else 0
        if number > 0 and _is_better(runs, number, best) and _may_go_on(runs, run, number):
            best = number
        at = _goes_on(field, graph, at, 2)
    if best > 0 and runs.border.data[best] > runs.heir_border.data[best]:
        runs.heir.data[best] = run
        runs.heir_border.data[best] = runs.border.data[best]
    runs.run_region.data[run] = best
    at = span
    while at >= 0:
        other = _goes_on(field, graph, at, 3)
        if other >= 0:
            runs.border.data[region[other]] = 0
        at = _goes_on(field, graph, at, 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_region(runs: cython.pointer[MonotoneRuns]) -> cython.int:
    """The number of a new region, -1 without memory."""
    if (
        push_int(cython.address(runs.last_x), 0) < 0
        or push_int(cython.address(runs.last_end), 0) < 0
        or push_int(cython.address(runs.heir), -1) < 0
        or push_int(cython.address(runs.heir_border), 0) < 0
        or push_int(cython.address(runs.border), 0) < 0
    ):
        return -1
    return runs.border.count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle_run(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    runs: cython.pointer[MonotoneRuns],
    region: cython.p_int,
    run: cython.int,
) -> cython.int:
    """Gives a run its region, which is a new one unless it is an heir."""
    number: cython.int = runs.run_region.data[run]
    if number == 0 or runs.heir.data[number] != run:
        number = _add_region(runs)
        if number < 0:
            return -1
    runs.last_x.data[number] = runs.run_x.data[run]
    runs.last_end.data[number] = runs.run_end.data[run]
    runs.heir_border.data[number] = 0
    at: cython.int = runs.run_span.data[run]
    while at >= 0:
        region[at] = number
        at = _goes_on(field, graph, at, 2)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sweep_rows(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    runs: cython.pointer[MonotoneRuns],
    region: cython.p_int,
) -> cython.int:
    z: cython.int
    k: cython.int
    runs.last_x.count = runs.last_end.count = 0
    runs.heir.count = runs.heir_border.count = runs.border.count = 0
    if _add_region(runs) < 0:  # of number 0, which is none
        return -1
    for k in range(field.span_count):
        region[k] = 0
    for z in range(graph.padding, field.depth - graph.padding):
        if _find_runs(field, graph, runs, z) < 0:
            return -1
        for k in range(runs.run_span.count):
            _choose_region(field, graph, runs, region, k)
        for k in range(runs.run_span.count):
            if _settle_run(field, graph, runs, region, k) < 0:
                return -1
    return runs.border.count - 1
