"""Whole path queries between positions that are yet to be snapped, in one go and in slices."""

import cython
from cython.cimports.cpython.weakref import PyWeakref_NewRef
from cython.cimports.onepath.mesh._below import find_below
from cython.cimports.onepath.mesh._mesh import MeshState, polygon_reference
from cython.cimports.onepath.mesh._nearest import Box, Nearest, find_nearest, nearest_cells_first
from cython.cimports.onepath.query._buffers import PointBuffer
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import whole_number
from cython.cimports.onepath.query._islands import Islands, current_islands, frontier_beyond
from cython.cimports.onepath.query._paths import make_path
from cython.cimports.onepath.query._query_core import (
    EVERYTHING,
    NO_BUDGET,
    Place,
    box_of,
    chosen_filter,
    read_place,
    read_point,
)
from cython.cimports.onepath.query._results import (
    PATH_CANCELLED,
    PATH_IN_PROGRESS,
    PATH_NOT_LOADED,
    PATH_PARTIAL,
    PATH_SUCCESS,
    QUERY_CANCELLED,
    QUERY_END_NOT_LOADED,
    QUERY_FRONTIER,
    QUERY_UNREACHABLE,
    Corridor,
    SearchAnswer,
    make_corridor,
    make_nav_point,
)

from onepath.errors import BusyError, OnePathError


class PathQuery(TraceQuery):
    """Base of NavMeshQuery: places on the mesh, and whole paths between them."""

    def snap(self, position, filter, reach):
        used: QueryFilter = chosen_filter(filter, self.mesh)
        place: Place
        nearest: Nearest
        box: Box
        code: cython.int
        read_place(position, "position", cython.address(place))
        if place.known:
            return position
        box = box_of(cython.address(place), reach)
        self.enter(used)
        code = find_nearest(
            cython.address(self.mesh.state),
            cython.address(used.table),
            place.position,
            cython.address(box),
            cython.address(nearest),
        )
        self.leave()
        if code != 0:
            raise MemoryError("no memory for a tile's box tree")
        return self.point_of(cython.address(nearest), place.position)

    def drop(self, position, filter, down, up):
        """The highest surface from `up` above a position to `down` below it, straight over or under it."""
        used: QueryFilter = chosen_filter(filter, self.mesh)
        place: Place
        found: Nearest
        code: cython.int
        read_point(position, "position", cython.address(place.position))
        self.enter(used)
        code = find_below(
            cython.address(self.mesh.state),
            cython.address(used.table),
            place.position,
            place.position.y - down,
            place.position.y + up,
            cython.address(found),
        )
        self.leave()
        if code != 0:
            raise MemoryError("no memory for a tile's box tree")
        return self.point_of(cython.address(found), place.position)

    def point_of(self, found, otherwise):
        if found.slot < 0:
            return make_nav_point(0, otherwise)
        return make_nav_point(
            polygon_reference(cython.address(self.mesh.state), found.slot, found.polygon), found.point
        )

    def find(self, start, end, filter, wishes):
        used: QueryFilter = chosen_filter(filter, self.mesh)
        first: Place
        last: Place
        read_place(start, "start", cython.address(first))
        read_place(end, "end", cython.address(last))
        self.enter(used)
        try:
            self.start = first
            self.end = last
            self.wishes = wishes[0]
            self.begin(used, False)
            if not self.wishes.partial:
                self.refuse_unreachable()
            self.advance(NO_BUDGET)
            return self.finish_wished()
        finally:
            self.leave()

    def refuse_unreachable(self):
        """Settles a search that was begun and cannot reach its end. The mesh has been entered.

        The answer is that of a search without limits, which would look at all that the start leads to.
        """
        state: cython.pointer(MeshState) = cython.address(self.mesh.state)
        islands: Islands
        source: cython.int
        if self.status != PATH_IN_PROGRESS:
            return 0
        islands = current_islands(self.mesh, self.filter)
        source = islands.island_at(state, self.start.ref)
        if self.end.ref != 0 and islands.leads_to(source, islands.island_at(state, self.end.ref)):
            return 0
        # Those at the end as well, where the search was to head for an end on no tile.
        missing = [*self.missing, *frontier_beyond(islands, state, source)]
        self.missing = nearest_cells_first(state, missing, self.end.position)
        if self.end.ref == 0:
            return self.settle(PATH_NOT_LOADED, QUERY_END_NOT_LOADED)
        if missing:
            return self.settle(PATH_NOT_LOADED, QUERY_FRONTIER)
        return self.settle(PATH_PARTIAL, QUERY_UNREACHABLE)

    def finish_wished(self):
        """The search's answer as a Path, or one without points where no partial one is wanted."""
        if self.wishes.partial or self.answer().status == PATH_SUCCESS:
            return self.finish_line()
        return self.finish_empty()

    def finish_empty(self):
        """The search's answer as a Path without points, whatever it has found."""
        answer: SearchAnswer = self.answer()
        missing: tuple = self.finish_corridor(None, cython.NULL).missing_tiles
        self.corridor.count = 0
        self.line.count = 0
        self.line.step_count = 0
        corridor: Corridor = make_corridor(answer, cython.address(self.corridor), missing)
        return make_path(answer, corridor, cython.address(self.line), PyWeakref_NewRef(self.mesh, None))

    def begin_between(self, start, end, filter, wishes):
        """Begins a sliced search between places that it snaps; answers its status code."""
        used: QueryFilter = chosen_filter(filter, self.mesh)
        first: Place
        last: Place
        read_place(start, "start", cython.address(first))
        read_place(end, "end", cython.address(last))
        self.enter(used)
        try:
            self.start = first
            self.end = last
            self.wishes = wishes[0]
            self.begin(used, False)
            if not self.wishes.partial:
                self.refuse_unreachable()
            self.begun = True
        finally:
            self.leave()
        return self.status

    def continue_search(self, max_iterations):
        budget: cython.longlong = whole_number(max_iterations, "max_iterations", 0, NO_BUDGET)
        if not self.begun:
            raise OnePathError("no path search is under way: begin one first")
        self.enter(self.filter)
        try:
            self.check_unchanged()
            self.advance(budget)
        finally:
            self.leave()
        return self.answer().status

    def withdraw_search(self):
        """Ends a sliced search without its answer."""
        line: PointBuffer
        if self.working:
            raise BusyError("this search is at work: a filter's predicate or another thread wants to end it")
        line.count = 0
        line.step_count = 0
        self.begun = False
        self.corridor.count = 0
        self.settle(PATH_CANCELLED, QUERY_CANCELLED)
        answer: SearchAnswer = self.answer()
        return make_path(
            answer,
            make_corridor(answer, cython.address(self.corridor), ()),
            cython.address(line),
            PyWeakref_NewRef(self.mesh, None),
        )

    def finish_search(self):
        """The Path of a sliced search, finished or not. One that is not may go on."""
        self.continue_search(0)
        self.enter(EVERYTHING)
        self.begun = self.answer().status == PATH_IN_PROGRESS
        try:
            # Commits may have cut the end off where this search had not looked yet: one begun now would not search.
            if not self.wishes.partial and self.answer().status not in (PATH_IN_PROGRESS, PATH_SUCCESS):
                self.refuse_unreachable()
            return self.finish_wished()
        finally:
            self.leave()
