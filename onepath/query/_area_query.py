"""What NavMeshQuery answers about the surroundings of a place: area searches, one-shot and sliced."""

import cython
import numpy
from cython.cimports.onepath.mesh._base import read_reference
from cython.cimports.onepath.mesh._mesh import reference_polygon, reference_slot
from cython.cimports.onepath.mesh._nearest import nearest_cells_first
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._area_results import (
    AREA_STATUSES,
    FOUND_IN_PROGRESS,
    FOUND_INVALID_SHAPE,
    FOUND_INVALID_START,
    FOUND_STALE,
    AreaAnswer,
    found_status,
    make_area_polygons,
)
from cython.cimports.onepath.query._area_search import (
    AREA_NO_MEMORY,
    AREA_RUNNING,
    area_stands,
    begin_area,
    free_area,
    is_accepted,
    run_area,
)
from cython.cimports.onepath.query._area_shapes import (
    SHAPE_CIRCLE,
    SHAPE_LEAST,
    SHAPE_MOST,
    SHAPE_POLYGON,
    AreaShape,
    copy_shape,
    order_corners,
)
from cython.cimports.onepath.query._corridor import frontier_cells
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_radius, whole_number
from cython.cimports.onepath.query._outputs import Outputs, release_outputs, take_output
from cython.cimports.onepath.query._query_core import NO_BUDGET, SEARCHED_AREA, chosen_filter, read_point

from onepath.errors import ArgumentError, OnePathError, shown

NO_MEMORY = cython.declare(str, "no memory for an area search")


@cython.cfunc
@cython.exceptval(-1)
def take_lists(out: object, parents_out: object, distances_out: object, outputs: cython.pointer(Outputs)) -> cython.int:
    """Takes the caller's arrays; those that go with `out` need it."""
    outputs.count = 0
    if out is None:
        if parents_out is not None or distances_out is not None:
            raise ArgumentError("parents_out and distances_out go with out, which is None")
        return 0
    take_output(outputs, out, "out", ord("q"), 1)
    take_output(outputs, parents_out, "parents_out", ord("q"), 1)
    take_output(outputs, distances_out, "distances_out", ord("d"), 1)
    return 0


class AreaQuery(PathQuery):
    """Base of NavMeshQuery: what lies around a place."""

    def __dealloc__(self) -> None:
        free_area(cython.address(self.area))

    # --- Arguments

    def read_circle(self, center, radius, shape):
        place: Vector
        length: cython.double
        read_point(center, "center", cython.address(place))
        length = read_radius(radius, "radius")
        shape.kind = SHAPE_CIRCLE
        shape.x = place.x
        shape.z = place.z
        shape.radius = length
        shape.radius_squared = length * length
        shape.count = 0
        return 0

    def read_shape(self, points, shape):
        """Whether the points are a shape."""
        place: Vector
        count: cython.int = 0
        sum_x: cython.double = 0.0
        sum_z: cython.double = 0.0
        try:
            corners = list(numpy.asarray(points) if isinstance(points, memoryview) else points)
        except TypeError:
            raise ArgumentError(f"points is {shown(points)}, not a sequence of positions") from None
        for corner in corners:
            read_point(corner, f"points[{count}]", cython.address(place))
            if count < SHAPE_MOST:
                shape.corner_x[count] = place.x
                shape.corner_z[count] = place.z
            sum_x += place.x
            sum_z += place.z
            count += 1
        shape.kind = SHAPE_POLYGON
        shape.radius = shape.radius_squared = 0.0
        shape.x = sum_x / max(count, 1)
        shape.z = sum_z / max(count, 1)
        shape.count = 0
        if not SHAPE_LEAST <= count <= SHAPE_MOST:
            return False
        shape.count = count
        return order_corners(shape)

    # --- Beginning and going on

    def start_passes(self):
        """Whether the start is a polygon of the mesh that the filter accepts. The mesh has been entered."""
        return is_accepted(cython.address(self.mesh.state), cython.address(self.area_filter.table), self.area_start)

    def begin_area_at(self, start, filter, shape, shaped, neighbourhood):
        """Begins the search in a shape, or settles its answer. The mesh has been entered."""
        self.area_begun = False
        self.searched = SEARCHED_AREA
        self.area_filter = filter
        self.area_start = start
        copy_shape(cython.address(self.area.shape), shape)
        self.area.max_nodes = self.search.max_nodes
        self.area.neighbourhood = neighbourhood
        self.area.reads.edit = self.mesh.state.edit_count
        if not shaped:
            self.area_status = FOUND_INVALID_SHAPE
        elif not self.start_passes():
            self.area_status = FOUND_INVALID_START
        else:
            self.area_status = FOUND_IN_PROGRESS
            if (
                begin_area(
                    cython.address(self.area),
                    cython.address(self.mesh.state),
                    reference_slot(start),
                    reference_polygon(start),
                )
                != 0
            ):
                raise MemoryError(NO_MEMORY)
        return 0

    def advance_area(self, budget):
        """Runs the search; the mesh has been entered."""
        if self.area_status != FOUND_IN_PROGRESS or self.area.outcome != AREA_RUNNING:
            return 0
        if (
            run_area(
                cython.address(self.area),
                cython.address(self.mesh.state),
                cython.address(self.area_filter.table),
                budget,
            )
            == AREA_NO_MEMORY
        ):
            self.area_begun = False
            raise MemoryError(NO_MEMORY)
        return 0

    def run_whole_area(self, start_ref, filter, shape, shaped, neighbourhood):
        """Enters the mesh and searches to the end; the caller makes the answer and leaves."""
        used: QueryFilter = chosen_filter(filter, self.mesh)
        start = read_reference(start_ref, "start_ref")
        self.enter(used)
        try:
            self.begin_area_at(start, used, shape, shaped, neighbourhood)
            self.advance_area(NO_BUDGET)
        except BaseException:
            self.leave()
            raise
        return 0

    def continue_area(self, max_iterations):
        """Enters the mesh and runs a slice; the caller leaves."""
        budget: cython.longlong = whole_number(max_iterations, "max_iterations", 0, NO_BUDGET)
        code: cython.int = 1
        if not self.area_begun:
            raise OnePathError("no area search is under way: begin one first")
        self.enter(self.area_filter)
        try:
            if self.area.reads.edit != self.mesh.state.edit_count:
                if self.area_status == FOUND_IN_PROGRESS:
                    code = area_stands(cython.address(self.area), cython.address(self.mesh.state))
                elif self.area_status == FOUND_INVALID_START:
                    code = 0 if self.start_passes() else 1
                if code < 0:
                    self.area_begun = False
                    raise MemoryError(NO_MEMORY)
                if code == 0:
                    self.area_status = FOUND_STALE
            self.advance_area(budget)
        except BaseException:
            self.leave()
            raise
        return 0

    # --- What it came to

    def area_answer(self):
        answer: AreaAnswer
        answer.status = self.area_status
        answer.node_limit = 0
        if self.area_status != FOUND_IN_PROGRESS:
            return answer
        if self.area.node_limit_reached:
            answer.node_limit = self.area.max_nodes
        if self.area.outcome != AREA_RUNNING:
            answer.status = found_status(cython.address(self.area))
        return answer

    def area_missing(self):
        """The missing tiles that the shape reaches into. The mesh has been entered."""
        center: Vector
        if self.area_status != FOUND_IN_PROGRESS or self.area.tables.frontier_count == 0:
            return ()
        center.x = self.area.shape.x
        center.y = 0.0
        center.z = self.area.shape.z
        cells = frontier_cells(cython.address(self.area.tables), cython.address(self.mesh.state))
        return nearest_cells_first(cython.address(self.mesh.state), cells, center)

    def area_polygons(self, given, outputs):
        return make_area_polygons(
            self.area_answer(),
            cython.address(self.area) if self.area_status == FOUND_IN_PROGRESS else cython.NULL,
            cython.address(self.mesh.state),
            self.area_missing(),
            given,
            outputs,
        )

    def find_polygons(self, start_ref, filter, shape, shaped, neighbourhood, out, parents_out, distances_out):
        outputs: Outputs
        take_lists(out, parents_out, distances_out, cython.address(outputs))
        try:
            self.run_whole_area(start_ref, filter, shape, shaped, neighbourhood)
            try:
                return self.area_polygons(
                    None if out is None else (out, parents_out, distances_out), cython.address(outputs)
                )
            finally:
                self.leave()
        finally:
            release_outputs(cython.address(outputs))

    # --- Polygons around a place

    def find_polygons_in_circle(
        self,
        start_ref: object,
        center: object,
        radius: object,
        filter: object = None,
        *,
        out: object = None,
        parents_out: object = None,
        distances_out: object = None,
    ):
        """The polygons that can be reached from a polygon within a circle, seen from above.

        From the start on the search goes through every edge and tile border that touches the circle, nearest first,
        into polygons that the filter accepts; heights, costs and off-mesh links do not count (queries document,
        polygon-set queries).

        Args:
            start_ref: the polygon to begin with; it is always among those found.
            center: a position; its height does not count.
            radius: metres, 0 to 2**22.
            filter: a QueryFilter; None accepts every area but 0.
            out: an int64 array that takes the polygons instead of the result, as far as it goes.
            parents_out, distances_out: an int64 and a float64 array for the other two lists, with `out` alone.

        Returns:
            AreaPolygons.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        shape: AreaShape
        self.read_circle(center, radius, cython.address(shape))
        return self.find_polygons(
            start_ref, filter, cython.address(shape), True, False, out, parents_out, distances_out
        )

    def find_polygons_in_shape(
        self,
        start_ref: object,
        points: object,
        filter: object = None,
        *,
        out: object = None,
        parents_out: object = None,
        distances_out: object = None,
    ):
        """The polygons that can be reached from a polygon within a convex polygon, seen from above.

        Args:
            points: 3 to 64 positions, in either winding; their heights do not count. Corners may lie on a line.

        The rest is as for `find_polygons_in_circle`. The status is INVALID_SHAPE where the points repeat, are not
        convex or have no area.
        """
        shape: AreaShape
        shaped: cython.bint = self.read_shape(points, cython.address(shape))
        return self.find_polygons(
            start_ref, filter, cython.address(shape), shaped, False, out, parents_out, distances_out
        )

    def find_local_neighbourhood(
        self,
        start_ref: object,
        center: object,
        radius: object,
        filter: object = None,
        *,
        out: object = None,
        parents_out: object = None,
        distances_out: object = None,
    ):
        """As `find_polygons_in_circle`, without polygons that lie over or under one met before.

        A polygon whose outline overlaps one that the search has met already, seen from above, is left out and not gone
        through; touching is no overlap. Of floors above each other the one met first is found.
        """
        shape: AreaShape
        self.read_circle(center, radius, cython.address(shape))
        return self.find_polygons(start_ref, filter, cython.address(shape), True, True, out, parents_out, distances_out)

    # --- The same in slices

    def begin_area_search(
        self,
        start_ref: object,
        center: object = None,
        radius: object = None,
        *,
        points: object = None,
        neighbourhood: object = False,
        filter: object = None,
    ):
        """Begins an area search in slices: `update_area_search` until it is no longer IN_PROGRESS, then finish it.

        Args:
            start_ref: the polygon to begin with.
            center, radius: a circle, as for `find_polygons_in_circle`; or
            points: a shape, as for `find_polygons_in_shape`.
            neighbourhood: whether to leave out what overlaps, as `find_local_neighbourhood` does.
            filter: a QueryFilter, used by all slices; None accepts every area but 0.

        Returns:
            AreaSearchStatus IN_PROGRESS, INVALID_SHAPE or INVALID_START.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        used: QueryFilter = chosen_filter(filter, self.mesh)
        start = read_reference(start_ref, "start_ref")
        shape: AreaShape
        shaped: cython.bint = True
        if not isinstance(neighbourhood, bool):
            raise ArgumentError(f"neighbourhood is {neighbourhood!r}, neither True nor False")
        if points is None:
            if center is None or radius is None:
                raise ArgumentError("an area search needs a center and a radius, or points")
            self.read_circle(center, radius, cython.address(shape))
        else:
            if center is not None or radius is not None:
                raise ArgumentError("an area search has a center and a radius or points, not both")
            shaped = self.read_shape(points, cython.address(shape))
        self.enter(used)
        try:
            self.begin_area_at(start, used, cython.address(shape), shaped, neighbourhood)
            self.area_begun = True
        finally:
            self.leave()
        return AREA_STATUSES[self.area_answer().status]

    def update_area_search(self, max_iterations: object):
        """Expands at most `max_iterations` polygons (0 or more) of the area search begun last.

        The slices of a search give together exactly what one call gives.

        Returns:
            An AreaSearchStatus: IN_PROGRESS while there is work left, STALE after a commit that changed what the search
            has read; after any other it goes on, and ends as one begun now.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            OnePathError: no area search has been begun, or another call of this object has replaced it.
            BusyError: a commit runs, or this object is at work already.
        """
        self.continue_area(max_iterations)
        self.leave()
        return AREA_STATUSES[self.area_answer().status]

    def finish_area_search(self, *, out: object = None, parents_out: object = None, distances_out: object = None):
        """AreaPolygons of the area search begun last; of an unfinished one those so far, with status IN_PROGRESS.

        The search may go on afterwards. Arrays are as for `find_polygons_in_circle`. Raises as `update_area_search`
        does.
        """
        outputs: Outputs
        take_lists(out, parents_out, distances_out, cython.address(outputs))
        try:
            self.continue_area(0)
            try:
                return self.area_polygons(
                    None if out is None else (out, parents_out, distances_out), cython.address(outputs)
                )
            finally:
                self.leave()
        finally:
            release_outputs(cython.address(outputs))
