"""NavMeshQuery: every query of the queries document over one mesh.

A call reads its arguments, enters the mesh (commits are refused meanwhile), runs one kernel, leaves, and makes one result.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import (
    make_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.query._buffers import free_corridor, free_points
from cython.cimports.onepath.query._corridor import collect_corridor, frontier_cells
from cython.cimports.onepath.query._filter import FilterTable, QueryFilter, filter_passes
from cython.cimports.onepath.query._funnel import free_straight
from cython.cimports.onepath.query._inputs import read_position
from cython.cimports.onepath.query._nearest import Box, Nearest, find_nearest, missing_cells, nearest_cells_first
from cython.cimports.onepath.query._query import Place, Reach, box_of
from cython.cimports.onepath.query._results import (
    PATH_IN_PROGRESS,
    PATH_INVALID_CORRIDOR,
    PATH_INVALID_END,
    PATH_INVALID_START,
    PATH_NO_END,
    PATH_NO_MESH,
    PATH_NO_START,
    PATH_NOT_LOADED,
    PATH_PARTIAL,
    PATH_STALE,
    PATH_SUCCESS,
    QUERY_END_NOT_LOADED,
    QUERY_FRONTIER,
    QUERY_IN_PROGRESS,
    QUERY_INVALID_END,
    QUERY_INVALID_START,
    QUERY_NO_END_NEARBY,
    QUERY_NO_MESH,
    QUERY_NO_START_NEARBY,
    QUERY_NODE_LIMIT,
    QUERY_PARTIAL,
    QUERY_STALE,
    QUERY_START_NOT_LOADED,
    QUERY_SUCCESS,
    Corridor,
    NavPoint,
    SearchAnswer,
    make_corridor,
    make_nav_point,
    make_nearest,
    make_path,
    make_straight_path,
)
from cython.cimports.onepath.query._search import (
    MODEL_CROSSING,
    MODEL_POLYGON,
    SEARCH_FOUND,
    SEARCH_NO_MEMORY,
    SEARCH_RUNNING,
    begin_search,
    free_search,
    run_search,
)
from cython.cimports.onepath.query._straight_path import STRAIGHT_NO_MEMORY, STRAIGHT_OK, STRAIGHT_TRUNCATED, straight_path
from cython.cimports.onepath.query._surface import Vector, surface_height

import numpy

from onepath.errors import ArgumentError, BusyError, OnePathError, RangeError
from onepath.query.status import NodeModel, PathStatus

LARGEST_NODE_LIMIT = cython.declare(cython.int, 1 << 24)
NO_BUDGET = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)
PATH_STATUSES = cython.declare(tuple, tuple(PathStatus))
DOCUMENT_EXTENTS = cython.declare(tuple, (2.0, 4.0, 2.0))
EVERYTHING = cython.declare(QueryFilter, QueryFilter())


@cython.cfunc
def chosen_filter(filter: object) -> QueryFilter:
    if filter is None:
        return EVERYTHING
    if type(filter) is not QueryFilter:
        raise ArgumentError(f"filter is {filter!r}, not a QueryFilter")
    return filter


@cython.cfunc
@cython.exceptval(check=True)
def reference_of(value: object, name: str) -> reference_t:
    try:
        return value
    except (TypeError, OverflowError):
        raise ArgumentError(f"{name} is {value!r}, not a polygon reference (a 64-bit int)") from None


@cython.cfunc
@cython.exceptval(check=True)
def whole_number(value: object, name: str, low: cython.longlong, high: cython.longlong) -> cython.longlong:
    try:
        number = value.__index__()
    except AttributeError:
        raise ArgumentError(f"{name} is {value!r}, not a whole number") from None
    if not low <= number <= high:
        raise RangeError(f"{name} is {value!r}, outside [{low}, {high}]")
    return number


@cython.cfunc
def read_extents(extents: object) -> Reach:
    reach: Reach
    try:
        x, y, z = extents
        reach.below.x, reach.below.y, reach.below.z = float(x), float(y), float(z)
    except (TypeError, ValueError):
        raise ArgumentError(f"half_extents is {extents!r}, not a sequence of three numbers") from None
    for axis, value in enumerate((reach.below.x, reach.below.y, reach.below.z)):
        if value != value:
            raise ArgumentError(f"half_extents[{axis}] is NaN")
        if not 0.0 <= value < INFINITY:
            raise RangeError(f"half_extents[{axis}] is {value!r}, outside [0, infinity)")
    reach.above = reach.below
    return reach


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


class NavMeshQuery:
    """Asks a mesh: nearest polygons, heights, corridors, paths. Holds the memory that a search needs.

    Keep one and ask it often; `NavMesh.find_path` borrows one of the mesh's. An object is not for two threads at once,
    different objects are. A position is any sequence of three floats, metres, each below 2**21 in size, or a NavPoint.

    Args:
        mesh: the NavMesh to ask. Commits are refused while a call runs.
        node_model: NodeModel.POLYGON or NodeModel.CROSSING.
        max_nodes: nodes a search may have, start and end included, 1 to 2**24. A search that needs more is PARTIAL with
            `node_limit_reached`.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """

    def __init__(self, mesh: object, node_model: object = NodeModel.POLYGON, max_nodes: object = 65536) -> None:
        if self.mesh is not None:
            raise TypeError("a NavMeshQuery is initialised once")
        if not isinstance(mesh, MeshCore):
            raise ArgumentError(f"mesh is {mesh!r}, not a NavMesh")
        if not isinstance(node_model, NodeModel):
            raise ArgumentError(f"node_model is {node_model!r}, not a NodeModel")
        self.search.max_nodes = whole_number(max_nodes, "max_nodes", 1, LARGEST_NODE_LIMIT)
        self.search.model = MODEL_POLYGON if node_model is NodeModel.POLYGON else MODEL_CROSSING
        self.missing = ()
        self.mesh = mesh

    def __dealloc__(self) -> None:
        free_search(cython.address(self.search))
        free_corridor(cython.address(self.corridor))
        free_points(cython.address(self.line))
        free_straight(cython.address(self.straight))

    @property
    def node_model(self) -> object:
        """What a node of the search stands for."""
        return NodeModel.POLYGON if self.search.model == MODEL_POLYGON else NodeModel.CROSSING

    @property
    def max_nodes(self) -> int:
        """Nodes a search may have."""
        return self.search.max_nodes

    @property
    def iterations(self) -> int:
        """Expansions made by the search begun last."""
        return self.search.iterations

    def __repr__(self) -> str:
        return f"NavMeshQuery({self.mesh!r}, {self.node_model}, max_nodes={self.search.max_nodes})"

    # --- Entering and leaving the mesh

    def enter(self, filter):
        """Between this and leave the mesh stands still, and this object serves no other call."""
        if self.working:
            raise BusyError("this NavMeshQuery is at work: a filter's predicate or another thread asked it again")
        if self.mesh is None:
            raise OnePathError("this NavMeshQuery has no mesh")
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

    # --- Nearest polygon and height

    def find_nearest_polygon(self, center: object, half_extents: object = DOCUMENT_EXTENTS, filter: object = None):
        """The polygon nearest to a position, of those whose outline's box touches the box center +- half_extents.

        Straight above or below the surface the distance is vertical; elsewhere it is to the nearest point of the outline.
        Of equally near ones the lowest tile column, row, layer and polygon is taken (queries document, nearest polygon).

        Args:
            center: a position.
            half_extents: half sizes of the box, metres, 0 or more.
            filter: a QueryFilter; None accepts every area but 0.

        Returns:
            A NearestPolygon, false where nothing was found.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        place: Place
        nearest: Nearest
        box: Box
        reach: Reach
        code: cython.int
        used: QueryFilter = chosen_filter(filter)
        place.known = False
        read_position(center, "center", cython.address(place.position))
        reach = DOCUMENT_REACH if half_extents is DOCUMENT_EXTENTS else read_extents(half_extents)
        box = box_of(cython.address(place), cython.address(reach))
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
        if nearest.slot < 0:
            return make_nearest(0, place.position, INFINITY, False)
        return make_nearest(
            make_reference(self.mesh.state.slots[nearest.slot].generation, nearest.slot, nearest.polygon),
            nearest.point,
            nearest.squared_distance,
            nearest.over,
        )

    def surface_height(self, ref: object, position: object):
        """Height of a polygon's surface straight above or below a position, metres.

        Args:
            ref: the polygon.
            position: a position inside the polygon's outline; outside, the nearest triangle's plane goes on.

        Returns:
            The height, or None where the reference is stale or was never valid.

        Raises:
            ArgumentError, RangeError: naming argument and value.
        """
        place: Vector
        number: reference_t = reference_of(ref, "ref")
        height: cython.double = 0.0
        valid: cython.bint
        read_position(position, "position", cython.address(place))
        self.enter(EVERYTHING)
        valid = reference_is_valid(cython.address(self.mesh.state), number)
        if valid:
            height = surface_height(
                self.mesh.state.slots + reference_slot(number), reference_polygon(number), place.x, place.z
            )
        self.leave()
        return height if valid else None

    def snap(self, position, filter, reach):
        used: QueryFilter = chosen_filter(filter)
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
        if nearest.slot < 0:
            return make_nav_point(0, place.position)
        return make_nav_point(
            make_reference(self.mesh.state.slots[nearest.slot].generation, nearest.slot, nearest.polygon), nearest.point
        )

    # --- Beginning a search

    def settle(self, status, detail):
        """Answers the search that is being begun without searching."""
        self.status = status
        self.detail = detail
        return 0

    def locate(self, place, reach, table, is_start):
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
            box = box_of(place, reach)
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
                if self.missing:
                    return self.settle(PATH_NOT_LOADED, QUERY_START_NOT_LOADED if is_start else QUERY_END_NOT_LOADED)
        if nearest.slot < 0:
            if is_start:
                return self.settle(PATH_NO_START, QUERY_NO_START_NEARBY)
            return self.settle(PATH_NO_END, QUERY_NO_END_NEARBY)
        place.ref = make_reference(self.mesh.state.slots[nearest.slot].generation, nearest.slot, nearest.polygon)
        place.position = nearest.point
        return 1

    def begin(self, filter, reach):
        """Begins the search from self.start to self.end, or settles its answer. The mesh has been entered."""
        self.begun = False
        self.filter = filter
        self.begun_edit = self.mesh.state.edit_count
        self.missing = ()
        self.search.iterations = 0
        if self.mesh.state.tile_count == 0:
            return self.settle(PATH_NO_MESH, QUERY_NO_MESH)
        if self.locate(cython.address(self.start), reach, cython.address(filter.table), True) == 0:
            return 0
        if self.locate(cython.address(self.end), reach, cython.address(filter.table), False) == 0:
            return 0
        if (
            begin_search(
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(filter.table),
                reference_slot(self.start.ref),
                reference_polygon(self.start.ref),
                self.start.position,
                reference_slot(self.end.ref),
                reference_polygon(self.end.ref),
                self.end.position,
            )
            != 0
        ):
            raise MemoryError("no memory for a path search")
        return self.settle(PATH_IN_PROGRESS, QUERY_IN_PROGRESS)

    def advance(self, budget):
        """Runs the search; the mesh has been entered."""
        if self.status != PATH_IN_PROGRESS or self.search.outcome != SEARCH_RUNNING:
            return 0
        if (
            run_search(
                cython.address(self.search),
                cython.address(self.mesh.state),
                cython.address(self.filter.table),
                budget,
            )
            == SEARCH_NO_MEMORY
        ):
            self.begun = False
            raise MemoryError("no memory for a path search")
        return 0

    # --- What it came to

    def answer(self):
        answer: SearchAnswer
        answer.status = self.status
        answer.detail = self.detail
        answer.cost = 0.0
        answer.node_limit = 0
        if self.status != PATH_IN_PROGRESS:
            return answer
        if self.search.node_limit_reached:
            answer.node_limit = self.search.max_nodes
        if self.search.outcome == SEARCH_FOUND:
            answer.status = PATH_SUCCESS
            answer.detail = QUERY_SUCCESS
        elif self.search.outcome != SEARCH_RUNNING:
            answer.status = PATH_PARTIAL
            answer.detail = QUERY_PARTIAL
            if self.search.node_limit_reached:
                answer.detail = QUERY_NODE_LIMIT
            elif self.search.frontier_count > 0:
                answer.status = PATH_NOT_LOADED
                answer.detail = QUERY_FRONTIER
        return answer

    def finish_corridor(self):
        """The search's answer as a Corridor, which stays in self.corridor too. The mesh has been entered."""
        answer: SearchAnswer = self.answer()
        missing: tuple = self.missing
        self.corridor.count = 0
        if self.status == PATH_IN_PROGRESS:
            if (
                collect_corridor(
                    cython.address(self.search),
                    cython.address(self.mesh.state),
                    cython.address(self.corridor),
                    cython.address(answer.cost),
                )
                != 0
            ):
                raise MemoryError("no memory for a corridor")
            if answer.status == PATH_NOT_LOADED:
                missing = nearest_cells_first(
                    cython.address(self.mesh.state),
                    frontier_cells(cython.address(self.search), cython.address(self.mesh.state)),
                    self.search.end,
                )
        return make_corridor(answer, cython.address(self.corridor), missing)

    def finish_line(self):
        """The search's answer as a Path. The mesh has been entered."""
        corridor: Corridor = self.finish_corridor()
        code: cython.int
        self.line.count = 0
        if self.corridor.count > 0:
            code = straight_path(
                cython.address(self.mesh.state),
                self.corridor.polygons,
                self.corridor.crossings,
                self.corridor.count,
                self.start.position,
                self.end.position,
                0,
                cython.address(self.straight),
                cython.address(self.line),
            )
            if code == STRAIGHT_NO_MEMORY:
                raise MemoryError("no memory for a straight path")
            if code != STRAIGHT_OK:
                raise OnePathError("the search's own corridor was refused: the mesh contradicts itself")
        return make_path(corridor.answer, corridor, cython.address(self.line))

    # --- Paths in one call and in slices

    def find(self, start, end, filter, reach):
        used: QueryFilter = chosen_filter(filter)
        read_place(start, "start", cython.address(self.start))
        read_place(end, "end", cython.address(self.end))
        self.enter(used)
        try:
            self.begin(used, reach)
            self.advance(NO_BUDGET)
            return self.finish_line()
        finally:
            self.leave()

    def begin_between(self, start, end, filter, reach):
        """Begins a sliced search between places that it snaps; answers its status code."""
        used: QueryFilter = chosen_filter(filter)
        read_place(start, "start", cython.address(self.start))
        read_place(end, "end", cython.address(self.end))
        self.enter(used)
        try:
            self.begin(used, reach)
            self.begun = True
        finally:
            self.leave()
        return self.status

    def continue_search(self, max_iterations):
        budget: cython.longlong = whole_number(max_iterations, "max_iterations", 0, NO_BUDGET)
        if not self.begun:
            raise OnePathError("no path search is under way: begin one first")
        if self.begun_edit != self.mesh.state.edit_count:
            self.settle(PATH_STALE, QUERY_STALE)
            self.missing = ()
        self.enter(EVERYTHING)
        try:
            self.advance(budget)
        finally:
            self.leave()
        return self.answer().status

    def finish_search(self):
        """The Path of a sliced search, finished or not, and the end of it."""
        self.continue_search(0)
        self.begun = False
        self.enter(EVERYTHING)
        try:
            return self.finish_line()
        finally:
            self.leave()

    def find_path(self, start: object, end: object, filter: object = None):
        """The path between two positions: nearest polygons within (2, 4, 2), a search, and the line through its corridor.

        Args:
            start, end: positions or NavPoints; a NavPoint is taken as it is.
            filter: a QueryFilter; None lets every area but 0 cost 1.

        Returns:
            A Path, true where it reaches the end.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        return self.find(start, end, filter, cython.address(DOCUMENT_REACH))

    def begin_path(self, start_ref: object, start: object, end_ref: object, end: object, filter: object = None):
        """Begins a search that runs in slices: `update_path` until it is no longer IN_PROGRESS, then `finish_path`.

        Args:
            start_ref, end_ref: polygons.
            start, end: positions, normally on those polygons; they are taken as they are.
            filter: a QueryFilter, used by all slices; None lets every area but 0 cost 1.

        Returns:
            PathStatus IN_PROGRESS, NO_MESH, INVALID_START or INVALID_END.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        used: QueryFilter = chosen_filter(filter)
        first: Place
        last: Place
        first.ref = reference_of(start_ref, "start_ref")
        read_position(start, "start", cython.address(first.position))
        last.ref = reference_of(end_ref, "end_ref")
        read_position(end, "end", cython.address(last.position))
        first.known = True
        last.known = True
        self.enter(used)
        try:
            self.start = first
            self.end = last
            # A reference that names nothing is invalid here, not a place that was never found.
            if first.ref == 0:
                self.start.ref = -1
            if last.ref == 0:
                self.end.ref = -1
            self.begin(used, cython.address(DOCUMENT_REACH))
            self.begun = True
        finally:
            self.leave()
        return PATH_STATUSES[self.answer().status]

    def update_path(self, max_iterations: object):
        """Expands at most `max_iterations` nodes (0 or more) of the search begun last.

        The slices of a search give together exactly what one call gives.

        Returns:
            A PathStatus: IN_PROGRESS while there is work left, STALE after a commit that changed the mesh.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            OnePathError: no search has been begun, or another call of this object has replaced it.
            BusyError: a commit runs, or this object is at work already.
        """
        return PATH_STATUSES[self.continue_search(max_iterations)]

    def finish_path(self):
        """The corridor of the search begun last; of an unfinished one, towards the end with status IN_PROGRESS.

        The search may go on afterwards. Raises as `update_path` does.
        """
        self.continue_search(0)
        self.enter(EVERYTHING)
        try:
            return self.finish_corridor()
        finally:
            self.leave()

    def find_corridor(self, start_ref: object, start: object, end_ref: object, end: object, filter: object = None):
        """`begin_path`, `update_path` to the end and `finish_path` in one call."""
        self.begin_path(start_ref, start, end_ref, end, filter)
        self.continue_search(NO_BUDGET)
        return self.finish_path()

    def find_straight_path(self, start: object, end: object, corridor: object, max_corners: object = None):
        """The shortest line through a corridor (queries document, straight path).

        Args:
            start, end: positions; they are first moved onto the corridor's first and last polygon.
            corridor: a Corridor, or a sequence or array of polygon references.
            max_corners: points wanted at most, the start included, 2 or more; None wants all.

        Returns:
            A StraightPath; its status is INVALID_CORRIDOR where the corridor is empty, a polygon of it has gone, or two
            in turn do not touch.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        first: Place
        last: Place
        given: Corridor
        code: cython.int
        most: cython.int = 0 if max_corners is None else whole_number(max_corners, "max_corners", 1, 0x7FFFFFFF)
        read_place(start, "start", cython.address(first))
        read_place(end, "end", cython.address(last))
        if type(corridor) is Corridor:
            given = corridor
            return self.pull_line(first.position, last.position, given.references(), given.steps(), given.count, most)
        bare: cython.longlong[::1] = reference_array(corridor)
        if bare.shape[0] == 0:
            return self.pull_line(first.position, last.position, cython.NULL, cython.NULL, 0, most)
        return self.pull_line(
            first.position, last.position, cython.address(bare[0]), cython.NULL, bare.shape[0], most
        )

    def pull_line(self, start, end, corridor, crossings, count, max_corners):
        code: cython.int
        status: cython.int = PATH_SUCCESS
        self.enter(EVERYTHING)
        self.line.count = 0
        code = straight_path(
            cython.address(self.mesh.state),
            corridor,
            crossings,
            count,
            start,
            end,
            max_corners,
            cython.address(self.straight),
            cython.address(self.line),
        )
        self.leave()
        if code == STRAIGHT_NO_MEMORY:
            raise MemoryError("no memory for a straight path")
        if code != STRAIGHT_OK and code != STRAIGHT_TRUNCATED:
            status = PATH_INVALID_CORRIDOR
            self.line.count = 0
        return make_straight_path(status, cython.address(self.line), code == STRAIGHT_TRUNCATED)


@cython.cfunc
def reference_array(corridor: object) -> object:
    """The references as a contiguous int64 array."""
    try:
        array = numpy.asarray(corridor)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"corridor is {corridor!r}, not a sequence of polygon references") from None
    if array.size == 0:
        return numpy.zeros(0, numpy.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or array.dtype == numpy.uint64:
        raise ArgumentError(f"corridor is {corridor!r}, not a sequence of polygon references (int64)")
    return numpy.array(array, numpy.int64)


DOCUMENT_REACH = cython.declare(Reach, read_extents(DOCUMENT_EXTENTS))
