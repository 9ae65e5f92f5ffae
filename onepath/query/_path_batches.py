"""Batches of whole paths between positions, and of whether positions lie on the mesh."""

import cython
import numpy
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._below import find_below
from cython.cimports.onepath.mesh._nearest import Box, CellWalk, Nearest, find_nearest, next_missing_cell
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._batches import (
    count_questions,
    memory_of,
    reserve_values,
    spread_positions,
    take_positions,
)
from cython.cimports.onepath.query._corridor import collect_corridor
from cython.cimports.onepath.query._exact_search import begin_exact, collect_exact, run_exact
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._islands import IslandState, current_islands, frontier_beyond, island_of_polygon
from cython.cimports.onepath.query._nodes import MODEL_EXACT
from cython.cimports.onepath.query._outcome import outcome_of
from cython.cimports.onepath.query._path_batches import PathWork
from cython.cimports.onepath.query._paths import measure_line
from cython.cimports.onepath.query._query_core import NO_BUDGET, Place, box_of
from cython.cimports.onepath.query._results import (
    PATH_NO_END,
    PATH_NO_MESH,
    PATH_NO_START,
    PATH_NOT_LOADED,
    PATH_PARTIAL,
    PATH_SUCCESS,
    QUERY_END_NOT_LOADED,
    QUERY_FRONTIER,
    QUERY_NO_END_NEARBY,
    QUERY_NO_MESH,
    QUERY_NO_START_NEARBY,
    QUERY_START_NOT_LOADED,
    QUERY_SUCCESS,
    QUERY_UNREACHABLE,
    SearchAnswer,
)
from cython.cimports.onepath.query._search import SEARCH_NO_MEMORY, begin_search, run_search
from cython.cimports.onepath.query._straight_path import STRAIGHT_OK, straight_path
from cython.cimports.onepath.query._trace_query import TraceQuery

from onepath.query.batch_results import Paths

# Questions that a thread takes at a time: a path takes some microseconds.
CHUNK = cython.declare(cython.longlong, 16)


class PathBatch(Batch):
    """Whole paths."""

    def scratch_of(self, query):
        work: cython.pointer(PathWork) = self.works + self.lent
        if self.lent == 0:
            # Now that the mesh has been entered the filter's predicate has been asked for all there is.
            query.filter = self.filter
            query.wishes = self.wishes
            self.model = query.choose_model()
            self.not_uniform = query.wants_exact() and self.model != MODEL_EXACT
            self.prices = query.prices
            self.reach = query.reach
            if not self.wishes.partial:
                self.islands = current_islands(query.mesh, self.filter)
                self.refused = {}
        self.lent += 1
        query.begun = False
        query.search.model = self.model
        query.search.max_cost = self.wishes.max_cost
        work.search = cython.address(query.search)
        work.exact = cython.address(query.exact)
        work.corridor = cython.address(query.corridor)
        work.straight = cython.address(query.straight)
        work.line = cython.address(query.line)
        return work

    def look_up(self, source, target):
        found: object = self.refused.get((source, target))
        if found is None:
            if self.islands.leads_to(source, target):
                found = QUERY_SUCCESS
            else:
                found = QUERY_FRONTIER if frontier_beyond(self.islands, self.mesh, source) else QUERY_UNREACHABLE
            self.refused[source, target] = found
        return found

    def answer(self, first, last, scratch, values):
        work: cython.pointer(PathWork) = cython.cast(cython.pointer(PathWork), scratch)
        answer: SearchAnswer
        points: cython.longlong
        i: cython.longlong
        for i in range(first, last):
            work.line.count = 0
            if find_one(self, work, i, cython.address(answer)) != 0:
                return -1
            self.statuses[i] = answer.status
            self.details[i] = answer.detail
            self.costs[i] = answer.cost
            self.lengths[i] = measure_line(work.line)
            points = 3 * cython.cast(cython.longlong, work.line.count)
            if reserve_values(values, points) != 0:
                return -1
            if points > 0:
                memcpy(values.items + values.count, work.line.points, 8 * cython.cast(cython.size_t, points))
            values.count += points
            self.offsets[i + 1] = points
        return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_one(
    batch: PathBatch, position: Vector, nearest: cython.pointer(Nearest), missing: cython.p_int
) -> cython.int:
    """Snaps an end: 0, or -1 where there is no memory. Where nothing is near, whether tiles there are missing."""
    place: Place
    box: Box
    walk: CellWalk
    place.position = position
    box = box_of(cython.address(place), cython.address(batch.reach))
    if find_nearest(batch.mesh, batch.table, position, cython.address(box), nearest) != 0:
        return -1
    walk.begun = False
    missing[0] = nearest.slot < 0 and next_missing_cell(batch.mesh, position, cython.address(box), cython.address(walk))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle(answer: cython.pointer(SearchAnswer), status: cython.int, detail: cython.int) -> cython.int:
    answer.status = status
    answer.detail = detail
    answer.cost = 0.0
    answer.node_limit = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refusal_of(
    batch: PathBatch, start: cython.pointer(cython.const[Nearest]), end: cython.pointer(cython.const[Nearest])
) -> cython.int:
    """The detail of an end that cannot be reached, QUERY_SUCCESS where it can, -1 where there is no memory."""
    islands: cython.pointer(cython.const[IslandState]) = cython.address(batch.islands.state)
    source: cython.int = island_of_polygon(islands, start.slot, start.polygon)
    target: cython.int
    if end.slot < 0:
        return QUERY_END_NOT_LOADED
    target = island_of_polygon(islands, end.slot, end.polygon)
    if source == target:
        return QUERY_SUCCESS
    with cython.gil:
        try:
            return batch.look_up(source, target)
        except MemoryError:
            return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_one(
    batch: PathBatch,
    work: cython.pointer(PathWork),
    start: cython.pointer(cython.const[Nearest]),
    end: cython.pointer(cython.const[Nearest]),
    cost: cython.p_double,
) -> cython.int:
    """Searches to the end and collects the corridor: 0, or -1 where there is no memory."""
    if batch.model == MODEL_EXACT:
        if (
            begin_exact(
                work.exact,
                work.search,
                batch.mesh,
                batch.table,
                cython.address(batch.prices),
                start.slot,
                start.polygon,
                start.point,
                end.slot,
                end.polygon,
                end.point,
            )
            != 0
            or run_exact(work.exact, work.search, batch.mesh, batch.table, NO_BUDGET) == SEARCH_NO_MEMORY
        ):
            return -1
        return collect_exact(work.exact, work.search, batch.mesh, work.corridor, cost)
    if (
        begin_search(
            work.search,
            batch.mesh,
            batch.table,
            start.slot,
            start.polygon,
            start.point,
            end.slot,
            end.polygon,
            end.point,
        )
        != 0
        or run_search(work.search, batch.mesh, batch.table, NO_BUDGET) == SEARCH_NO_MEMORY
    ):
        return -1
    return collect_corridor(work.search, batch.mesh, work.corridor, cost)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_one(
    batch: PathBatch, work: cython.pointer(PathWork), i: cython.longlong, answer: cython.pointer(SearchAnswer)
) -> cython.int:
    """The line of one path, into work.line, and its answer: 0, or -1 where there is no memory."""
    start: Nearest
    end: Nearest
    missing: cython.int = 0
    refusal: cython.int
    cost: cython.double = 0.0
    if batch.mesh.tile_count == 0:
        return settle(answer, PATH_NO_MESH, QUERY_NO_MESH)
    if place_one(batch, batch.starts[i], cython.address(start), cython.address(missing)) != 0:
        return -1
    if start.slot < 0 and missing:
        return settle(answer, PATH_NOT_LOADED, QUERY_START_NOT_LOADED)
    if start.slot < 0:
        return settle(answer, PATH_NO_START, QUERY_NO_START_NEARBY)
    if place_one(batch, batch.ends[i], cython.address(end), cython.address(missing)) != 0:
        return -1
    if end.slot < 0 and not missing:
        return settle(answer, PATH_NO_END, QUERY_NO_END_NEARBY)
    if end.slot < 0:
        if not batch.wishes.toward_unloaded:
            return settle(answer, PATH_NOT_LOADED, QUERY_END_NOT_LOADED)
        end.point = batch.ends[i]
    if not batch.wishes.partial:
        refusal = refusal_of(batch, cython.address(start), cython.address(end))
        if refusal < 0:
            return -1
        if refusal != QUERY_SUCCESS:
            return settle(answer, PATH_PARTIAL if refusal == QUERY_UNREACHABLE else PATH_NOT_LOADED, refusal)
    if search_one(batch, work, cython.address(start), cython.address(end), cython.address(cost)) != 0:
        return -1
    answer[0] = outcome_of(work.search, end.slot >= 0, batch.not_uniform)
    if not batch.wishes.partial and answer.status != PATH_SUCCESS:
        return 0
    answer.cost = cost
    if (
        straight_path(
            batch.mesh,
            work.corridor.polygons,
            work.corridor.crossings,
            work.corridor.count,
            start.point,
            end.point,
            batch.table,
            0,
            work.straight,
            work.line,
        )
        != STRAIGHT_OK
    ):
        return -1
    return 0


def find_many_paths(
    query: TraceQuery, filter: QueryFilter, threads: int, starts: object, ends: object, wishes: dict
) -> Paths:
    """NavMeshQuery.find_paths, with arguments other than arrays read; wishes by the names of the struct."""
    batch: PathBatch = PathBatch.__new__(PathBatch)
    arrays = (take_positions("starts", starts), take_positions("ends", ends))
    count = count_questions((2, 2), ("starts", "ends"), arrays)
    first, last = spread_positions("starts", arrays[0], count), spread_positions("ends", arrays[1], count)
    works = numpy.zeros(threads * cython.sizeof(PathWork), numpy.uint8)
    statuses, details = numpy.zeros(count, numpy.uint8), numpy.zeros(count, numpy.uint8)
    costs, lengths, offsets = numpy.zeros(count), numpy.zeros(count), numpy.zeros(count + 1, numpy.int64)
    batch.count = count
    batch.chunk = CHUNK
    batch.filter = filter
    batch.wishes = wishes
    batch.mesh = cython.address(query.mesh.state)
    batch.table = cython.address(filter.table)
    batch.works = cython.cast(cython.pointer(PathWork), memory_of(works))
    batch.starts = cython.cast(cython.pointer(cython.const[Vector]), memory_of(first))
    batch.ends = cython.cast(cython.pointer(cython.const[Vector]), memory_of(last))
    batch.statuses = cython.cast(cython.pointer(cython.uchar), memory_of(statuses))
    batch.details = cython.cast(cython.pointer(cython.uchar), memory_of(details))
    batch.costs = cython.cast(cython.p_double, memory_of(costs))
    batch.lengths = cython.cast(cython.p_double, memory_of(lengths))
    batch.offsets = cython.cast(cython.pointer(cython.longlong), memory_of(offsets))
    batch.kept.extend((filter, first, last, works, statuses, details, costs, lengths, offsets))
    query.run_batch(batch, filter, threads)
    points = batch.gather().view(numpy.float64).reshape(-1, 3)
    return Paths(statuses, details, costs, lengths, points, offsets // 3)


class FloorBatch(Batch):
    """Whether positions lie on the mesh."""

    def answer(self, first, last, scratch, values):
        found: Nearest
        position: Vector
        i: cython.longlong
        for i in range(first, last):
            position = self.positions[i]
            if (
                find_below(
                    self.mesh,
                    self.table,
                    position,
                    position.y - self.tolerance,
                    position.y + self.tolerance,
                    cython.address(found),
                )
                != 0
            ):
                return -1
            self.answers[i] = found.slot >= 0
        return 0


def find_floors(query: TraceQuery, filter: QueryFilter, threads: int, positions: object, tolerance: cython.double):
    """NavMeshQuery.are_on_mesh, with arguments other than arrays read."""
    batch: FloorBatch = FloorBatch.__new__(FloorBatch)
    array = take_positions("positions", positions)
    count = count_questions((2,), ("positions",), (array,))
    places = spread_positions("positions", array, count)
    answers = numpy.zeros(count, numpy.bool_)
    batch.count = count
    batch.mesh = cython.address(query.mesh.state)
    batch.table = cython.address(filter.table)
    batch.tolerance = tolerance
    batch.positions = cython.cast(cython.pointer(cython.const[Vector]), memory_of(places))
    batch.answers = cython.cast(cython.pointer(cython.uchar), memory_of(answers))
    batch.kept.extend((filter, places, answers))
    query.run_batch(batch, filter, threads)
    return answers
