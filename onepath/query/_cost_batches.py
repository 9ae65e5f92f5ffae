"""Batches of least costs from place to place."""

import cython
import numpy
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import reference_is_valid, reference_polygon, reference_slot, reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._batches import (
    count_questions,
    memory_of,
    spread_positions,
    spread_references,
    take_positions,
    take_references,
)
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._flood import cost_between
from cython.cimports.onepath.query._nodes import SearchState
from cython.cimports.onepath.query._query_core import Place
from cython.cimports.onepath.query._trace_query import TraceQuery

# A flood takes some ten microseconds.
CHUNK = cython.declare(cython.longlong, 8)


class CostBatch(Batch):
    """Least costs."""

    def scratch_of(self, query):
        # Now that the mesh has been entered the filter's predicate has been asked for all there is.
        self.flat = self.filter.table
        self.flat.minimum_cost = 0.0
        return cython.address(query.search)

    def answer(self, first, last, scratch, values):
        search: cython.pointer(SearchState) = cython.cast(cython.pointer(SearchState), scratch)
        start: Place
        end: Place
        i: cython.longlong
        start.known = end.known = True
        for i in range(first, last):
            start.ref = self.start_refs[i]
            start.position = self.starts[i]
            end.ref = self.end_refs[i]
            end.position = self.ends[i]
            self.costs[i] = INFINITY
            if not may_stand(self, start.ref) or not may_stand(self, end.ref):
                continue
            if (
                cost_between(
                    search,
                    self.mesh,
                    cython.address(self.flat),
                    cython.address(start),
                    cython.address(end),
                    self.max_cost,
                    self.costs + i,
                )
                != 0
            ):
                return -1
        return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_stand(batch: CostBatch, ref: reference_t) -> cython.bint:
    """Whether the polygon is there and passes the filter."""
    slot: cython.int = reference_slot(ref)
    polygon: cython.int = reference_polygon(ref)
    return reference_is_valid(batch.mesh, ref) and filter_passes(
        cython.address(batch.flat), batch.mesh.slots[slot].flags[polygon], batch.mesh.slots[slot].areas[polygon]
    )


def costs_of_many(
    query: TraceQuery,
    filter: QueryFilter,
    threads: int,
    start_refs: object,
    starts: object,
    end_refs: object,
    ends: object,
    max_cost: cython.double,
) -> object:
    """NavMeshQuery.path_distances, with arguments other than arrays read."""
    batch: CostBatch = CostBatch.__new__(CostBatch)
    names = ("start_refs", "starts", "end_refs", "ends")
    arrays = (
        take_references("start_refs", start_refs),
        take_positions("starts", starts),
        take_references("end_refs", end_refs),
        take_positions("ends", ends),
    )
    batch.count = count_questions((1, 2, 1, 2), names, arrays)
    batch.chunk = CHUNK
    first_refs = spread_references(arrays[0], batch.count)
    starts = spread_positions("starts", arrays[1], batch.count)
    last_refs = spread_references(arrays[2], batch.count)
    ends = spread_positions("ends", arrays[3], batch.count)
    costs = numpy.empty(batch.count)
    batch.mesh = cython.address(query.mesh.state)
    batch.max_cost = max_cost
    batch.start_refs = cython.cast(cython.pointer(cython.const[reference_t]), memory_of(first_refs))
    batch.starts = cython.cast(cython.pointer(cython.const[Vector]), memory_of(starts))
    batch.end_refs = cython.cast(cython.pointer(cython.const[reference_t]), memory_of(last_refs))
    batch.ends = cython.cast(cython.pointer(cython.const[Vector]), memory_of(ends))
    batch.costs = cython.cast(cython.p_double, memory_of(costs))
    batch.kept.extend((filter, first_refs, starts, last_refs, ends, costs))
    batch.filter = filter
    query.begun = False
    query.run_batch(batch, filter, threads)
    return costs
