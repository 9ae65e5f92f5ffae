"""The scratch and the one search of a query object, and the steps that every form of a path query is made of.

A call reads its arguments, enters the mesh (commits are refused meanwhile), runs a kernel, leaves, makes one result.
"""

import cython
from cython.cimports.cpython.weakref import PyWeakref_NewRef
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import (
    polygon_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
)
from cython.cimports.onepath.mesh._nearest import Box, Nearest, find_nearest, missing_cells, nearest_cells_first
from cython.cimports.onepath.mesh._tiles_read import begin_tiles_read
from cython.cimports.onepath.query._buffers import free_corridor, free_points
from cython.cimports.onepath.query._corridor import collect_corridor, frontier_cells
from cython.cimports.onepath.query._exact_prices import ExactPrices, read_prices
from cython.cimports.onepath.query._exact_search import begin_exact, collect_exact, free_exact_search, run_exact
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_limit, read_position
from cython.cimports.onepath.query._nodes import MODEL_CROSSING, MODEL_EXACT
from cython.cimports.onepath.query._outcome import outcome_of
from cython.cimports.onepath.query._paths import make_path
from cython.cimports.onepath.query._query_core import SEARCHED_PATH, Place, Wishes, box_of
from cython.cimports.onepath.query._results import (
    PATH_IN_PROGRESS,
    PATH_INVALID_END,
    PATH_INVALID_START,
    PATH_NO_END,
    PATH_NO_MESH,
    PATH_NO_START,
    PATH_NOT_LOADED,
    PATH_STALE,
    QUERY_END_NOT_LOADED,
    QUERY_IN_PROGRESS,
    QUERY_INVALID_END,
    QUERY_INVALID_START,
    QUERY_NO_END_NEARBY,
    QUERY_NO_MESH,
    QUERY_NO_START_NEARBY,
    QUERY_STALE,
    QUERY_START_NOT_LOADED,
    Corridor,
    NavPoint,
    SearchAnswer,
    fill_corridor,
    make_corridor,
)
from cython.cimports.onepath.query._search import (
    SEARCH_NO_MEMORY,
    SEARCH_RUNNING,
    begin_search,
    free_search,
    run_search,
    search_stands,
)
from cython.cimports.onepath.query._straight_path import (
    STRAIGHT_NO_MEMORY,
    STRAIGHT_OK,
    straight_path,
)
from cython.cimports.onepath.query._straight_state import free_straight

from onepath.build.arguments import switch
from onepath.errors import ArgumentError, BusyError, OnePathError

NO_BUDGET = 0x7FFFFFFFFFFFFFFF


def chosen_filter(filter, mesh):
    used: QueryFilter
    if filter is None:
        return EVERYTHING
    if type(filter) is not QueryFilter:
        raise ArgumentError(f"filter is {filter!r}, not a QueryFilter")
    used = filter
    if used.named and mesh is not None:
        return used.bind(mesh.areas)
    return used


def read_place(position, name, place):
    point: NavPoint
    if type(position) is NavPoint:
        point = position
        place.known = True
        place.ref = point.ref
        place.position = point.place
        return 0
    place.known = False
    place.ref = 0
    return read_position(position, name, cython.address(place.position))


def no_wishes():
    wishes: Wishes
    wishes.max_cost = INFINITY
    wishes.toward_unloaded = False
    wishes.exact = False
    wishes.partial = True
    return wishes


def read_wishes(exact, max_cost, toward_unloaded, partial, wishes):
    wishes.max_cost = read_limit(max_cost, "max_cost")
    wishes.toward_unloaded = switch("toward_unloaded", toward_unloaded)
    wishes.exact = switch("exact", exact)
    wishes.partial = switch("partial", partial)
    return 0


def read_point(position, name, point):
    place: Place
    read_place(position, name, cython.address(place))
    if place.known and place.ref == 0:
        raise ArgumentError(f"{name} is {position!r}, which has no position")
    point[0] = place.position
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same_place(a: cython.pointer(cython.const[Place]), b: cython.pointer(cython.const[Place])) -> cython.bint:
    return (
        a.ref == b.ref
        and a.position.x == b.position.x
        and a.position.y == b.position.y
        and a.position.z == b.position.z
    )


class QueryCore:
    """Base of NavMeshQuery; not to be made on its own."""

    def __cinit__(self, *_values: object, **_named: object) -> None:
        self.missing = ()

    def __init__(self, *_values: object, **_named: object) -> None:
        # NavMeshQuery, the only class to be made, has its own; those between here and there end up with this one.
        raise TypeError(f"{type(self).__name__} is a base of NavMeshQuery; make a NavMeshQuery")

    def __reduce__(self) -> object:
        raise TypeError("a NavMeshQuery is memory to search with and is not pickled or copied; pickle its mesh")

    def __dealloc__(self) -> None:
        free_search(cython.address(self.search))
        free_exact_search(cython.address(self.exact))
        free_corridor(cython.address(self.corridor))
        free_points(cython.address(self.line))
        free_straight(cython.address(self.straight))

    # --- Entering and leaving the mesh

    def need_mesh(self):
        if self.mesh is None:
            raise OnePathError("this NavMeshQuery has no mesh")
        return 0

    def enter(self, filter):
        """Between this and leave the mesh stands still, and this object serves no other call."""
        if self.working:
            raise BusyError("this NavMeshQuery is at work: a filter's predicate or another thread asked it again")
        self.need_mesh()
        self.mesh.enter()
        self.working = True
        if filter.predicate is not None and (
            self.prepared is not filter or self.prepared_edit != self.mesh.state.edit_count
        ):
            try:
                filter.prepare(cython.address(self.mesh.state))
            except BaseException:
                self.leave()
                raise
            self.prepared = filter
            self.prepared_edit = self.mesh.state.edit_count
        return 0

    def leave(self):
        self.working = False
        self.mesh.leave()

    # --- Beginning a search

    def settle(self, status, detail):
        """Answers the search that is being begun without searching."""
        self.status = status
        self.detail = detail
        return 0

    def locate(self, place, table, is_start):
        """Puts a place on the mesh: its reference and position, or the search's answer where that cannot be."""
        nearest: Nearest
        box: Box
        slot: cython.int
        polygon: cython.int
        if place.known and place.ref != 0:
            slot = reference_slot(place.ref)
            polygon = reference_polygon(place.ref)
            if not reference_is_valid(cython.address(self.mesh.state), place.ref) or not filter_passes(
                table, self.mesh.state.slots[slot].flags[polygon], self.mesh.state.slots[slot].areas[polygon]
            ):
                if is_start:
                    return self.settle(PATH_INVALID_START, QUERY_INVALID_START)
                return self.settle(PATH_INVALID_END, QUERY_INVALID_END)
            return 1
        nearest.slot = -1
        if not place.known:
            box = box_of(place, cython.address(self.reach))
            if (
                find_nearest(
                    cython.address(self.mesh.state),
                    table,
                    place.position,
                    cython.address(box),
                    cython.address(nearest),
                )
                != 0
            ):
                raise MemoryError("no memory for a tile's box tree")
            if nearest.slot < 0:
                self.missing = missing_cells(cython.address(self.mesh.state), place.position, cython.address(box))
                if self.missing and self.wishes.toward_unloaded and not is_start:
                    return 1
                if self.missing:
                    return self.settle(PATH_NOT_LOADED, QUERY_START_NOT_LOADED if is_start else QUERY_END_NOT_LOADED)
        if nearest.slot < 0:
            if is_start:
                return self.settle(PATH_NO_START, QUERY_NO_START_NEARBY)
            return self.settle(PATH_NO_END, QUERY_NO_END_NEARBY)
        place.ref = polygon_reference(cython.address(self.mesh.state), nearest.slot, nearest.polygon)
        place.position = nearest.point
        return 1

    def locate_ends(self):
        """Puts both ends on the mesh, or settles the search's answer and returns 0.

        Without a tile, what is asked between positions has no mesh; a reference names nothing and is invalid.
        """
        self.start = self.asked_start
        self.end = self.asked_end
        self.missing = ()
        if self.mesh.state.tile_count == 0 and not self.by_reference:
            return self.settle(PATH_NO_MESH, QUERY_NO_MESH)
        if self.locate(cython.address(self.start), cython.address(self.filter.table), True) == 0:
            return 0
        return self.locate(cython.address(self.end), cython.address(self.filter.table), False)

    def wants_exact(self):
        return self.model == MODEL_EXACT or self.wishes.exact

    def choose_model(self):
        """The model that is to search: an exact search needs one price for all polygons, else crossings serve."""
        if not self.wants_exact():
            return self.model
        if self.priced is not self.filter or self.priced_edit != self.mesh.state.edit_count:
            self.prices = read_prices(cython.address(self.mesh.state), cython.address(self.filter.table))
            self.priced = self.filter
            self.priced_edit = self.mesh.state.edit_count
        return MODEL_EXACT if self.prices.uniform else MODEL_CROSSING

    def start_search(self):
        """Begins the search of the chosen model: 0, or -1 where there is no memory."""
        end_slot: cython.int = reference_slot(self.end.ref) if self.end.ref != 0 else -1
        if self.search.model == MODEL_EXACT:
            return begin_exact(
                cython.address(self.exact),
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                cython.address(self.prices),
                reference_slot(self.start.ref),
                reference_polygon(self.start.ref),
                self.start.position,
                end_slot,
                reference_polygon(self.end.ref),
                self.end.position,
            )
        return begin_search(
            cython.address(self.search),
            cython.address(self.mesh.state),
            cython.address(self.filter.table),
            reference_slot(self.start.ref),
            reference_polygon(self.start.ref),
            self.start.position,
            end_slot,
            reference_polygon(self.end.ref),
            self.end.position,
        )

    def begin(self, filter, by_reference):
        """Begins the search from self.start to self.end, or settles its answer. The mesh has been entered."""
        self.begun = False
        self.searched = SEARCHED_PATH
        self.corridor.count = 0
        self.line.count = 0
        self.search_number += 1
        self.filter = filter
        self.by_reference = by_reference
        self.asked_start = self.start
        self.asked_end = self.end
        self.search.iterations = 0
        self.search.max_cost = self.wishes.max_cost
        if self.locate_ends() == 0:
            if begin_tiles_read(cython.address(self.search.reads), cython.address(self.mesh.state)) != 0:
                raise MemoryError("no memory for a path search")
            return 0
        self.search.model = self.choose_model()
        if self.start_search() != 0:
            raise MemoryError("no memory for a path search")
        return self.settle(PATH_IN_PROGRESS, QUERY_IN_PROGRESS)

    def begins_alike(self):
        """Whether the search, begun now, would begin as it did: at the same places, or settled with the same answer."""
        status: cython.int = self.status
        detail: cython.int = self.detail
        missing: tuple = self.missing
        start: Place = self.start
        end: Place = self.end
        prices: ExactPrices = self.prices
        if self.locate_ends() == 0:
            return self.status == status and self.detail == detail and self.missing == missing
        if self.choose_model() != self.search.model:
            return False
        if self.search.model == MODEL_EXACT and (self.prices.rate != prices.rate or self.prices.scale != prices.scale):
            return False
        return (
            status == PATH_IN_PROGRESS
            and self.missing == missing
            and same_place(cython.address(start), cython.address(self.start))
            and same_place(cython.address(end), cython.address(self.end))
        )

    def check_unchanged(self):
        """Settles as STALE what commits have made another search since the last slice. The mesh has been entered."""
        code: cython.int
        if self.status == PATH_STALE or self.search.reads.edit == self.mesh.state.edit_count:
            return 0
        code = search_stands(cython.address(self.search), cython.address(self.mesh.state))
        if code < 0:
            self.begun = False
            raise MemoryError("no memory for a path search")
        if code == 0 or self.begins_alike() == 0:
            self.missing = ()
            self.settle(PATH_STALE, QUERY_STALE)
        return 0

    def advance(self, budget):
        """Runs the search; the mesh has been entered."""
        if self.status != PATH_IN_PROGRESS or self.search.outcome != SEARCH_RUNNING:
            return 0
        outcome: cython.int
        if self.search.model == MODEL_EXACT:
            outcome = run_exact(
                cython.address(self.exact),
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                budget,
            )
        else:
            outcome = run_search(
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                budget,
            )
        if outcome == SEARCH_NO_MEMORY:
            self.begun = False
            raise MemoryError("no memory for a path search")
        return 0

    # --- What it came to

    def answer(self):
        answer: SearchAnswer
        if self.status == PATH_IN_PROGRESS:
            return outcome_of(
                cython.address(self.search),
                self.end.ref != 0,
                self.wants_exact() and self.search.model != MODEL_EXACT,
            )
        answer.status = self.status
        answer.detail = self.detail
        answer.cost = 0.0
        answer.node_limit = 0
        return answer

    def collect(self, cost):
        """The corridor of what was searched, into self.corridor: 0, or -1 where there is no memory."""
        if self.search.model == MODEL_EXACT:
            return collect_exact(
                cython.address(self.exact),
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(self.corridor),
                cost,
            )
        return collect_corridor(
            cython.address(self.search), cython.address(self.mesh.state), cython.address(self.corridor), cost
        )

    def finish_corridor(self, given, outputs):
        """The search's answer as a Corridor, which stays in self.corridor too. The mesh has been entered.

        `given` are the caller's arrays for it, held in `outputs`, or None.
        """
        answer: SearchAnswer = self.answer()
        missing: tuple = self.missing
        self.corridor.count = 0
        if self.status == PATH_IN_PROGRESS:
            if self.collect(cython.address(answer.cost)) != 0:
                raise MemoryError("no memory for a corridor")
            if answer.status == PATH_NOT_LOADED:
                # Those at the end as well, where the search headed for an end on no tile.
                missing = nearest_cells_first(
                    cython.address(self.mesh.state),
                    [
                        *self.missing,
                        *frontier_cells(cython.address(self.search.tables), cython.address(self.mesh.state)),
                    ],
                    self.search.end,
                )
            else:
                missing = ()
        if given is not None:
            return fill_corridor(answer, cython.address(self.corridor), missing, given, outputs)
        return make_corridor(answer, cython.address(self.corridor), missing)

    def finish_line(self):
        """The search's answer as a Path. The mesh has been entered."""
        corridor: Corridor = self.finish_corridor(None, cython.NULL)
        code: cython.int
        self.line.count = 0
        self.line.step_count = 0
        if self.corridor.count > 0:
            code = straight_path(
                cython.address(self.mesh.state),
                self.corridor.polygons,
                self.corridor.crossings,
                self.corridor.count,
                self.start.position,
                self.end.position,
                cython.address(self.filter.table),
                0,
                cython.address(self.straight),
                cython.address(self.line),
            )
            if code == STRAIGHT_NO_MEMORY:
                raise MemoryError("no memory for a straight path")
            if code != STRAIGHT_OK:
                raise OnePathError("the search's own corridor was refused: the mesh contradicts itself")
        return make_path(corridor.answer, corridor, cython.address(self.line), PyWeakref_NewRef(self.mesh, None))


EVERYTHING = QueryFilter()
