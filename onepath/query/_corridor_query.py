"""The steps of a path query one by one: the search in slices, its corridor, the line through a corridor."""

import cython
import numpy
from cython.cimports.onepath.mesh._base import read_reference
from cython.cimports.onepath.mesh._mesh import reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._buffers import Crossing
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import whole_number
from cython.cimports.onepath.query._outputs import Outputs, release_outputs, take_output
from cython.cimports.onepath.query._paths import make_straight_path
from cython.cimports.onepath.query._query_core import (
    EVERYTHING,
    NO_BUDGET,
    Place,
    chosen_filter,
    no_wishes,
    read_point,
)
from cython.cimports.onepath.query._results import PATH_INVALID_CORRIDOR, PATH_STATUSES, PATH_SUCCESS, Corridor
from cython.cimports.onepath.query._straight_path import (
    STRAIGHT_NO_MEMORY,
    STRAIGHT_OK,
    STRAIGHT_TRUNCATED,
    straight_path,
)

from onepath.errors import ArgumentError, shown


@cython.cfunc
@cython.exceptval(-1)
def take_corridor_outputs(out: object, crossings_out: object, outputs: cython.pointer(Outputs)) -> cython.int:
    outputs.count = 0
    if out is None and crossings_out is not None:
        raise ArgumentError("crossings_out goes with out, which is None")
    take_output(outputs, out, "out", ord("q"), 1)
    take_output(outputs, crossings_out, "crossings_out", ord("i"), 2)
    return 0


class CorridorQuery(DebugQuery):
    """Base of NavMeshQuery: the steps of a path query by themselves."""

    def begin_path(self, start_ref: object, start: object, end_ref: object, end: object, *, filter: object = None):
        """Begins a search that runs in slices: `update_path` until it is no longer IN_PROGRESS, then `finish_path`.

        Args:
            start_ref, end_ref: polygons.
            start, end: positions, normally on those polygons; they are taken as they are.
            filter: a QueryFilter, used by all slices; None lets every area but 0 cost 1.

        Returns:
            PathStatus IN_PROGRESS, INVALID_START or INVALID_END.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        used: QueryFilter = chosen_filter(filter, self.mesh)
        first: Place
        last: Place
        first.ref = read_reference(start_ref, "start_ref")
        read_point(start, "start", cython.address(first.position))
        last.ref = read_reference(end_ref, "end_ref")
        read_point(end, "end", cython.address(last.position))
        first.known = True
        last.known = True
        self.enter(used)
        try:
            self.start = first
            self.end = last
            self.wishes = no_wishes()
            # A reference that names nothing is invalid here, not a place that was never found.
            if first.ref == 0:
                self.start.ref = -1
            if last.ref == 0:
                self.end.ref = -1
            self.begin(used, True)
            self.begun = True
        finally:
            self.leave()
        return PATH_STATUSES[self.answer().status]

    def update_path(self, max_iterations: object):
        """Expands at most `max_iterations` nodes (0 or more) of the search begun last.

        The slices of a search give together exactly what one call gives.

        Returns:
            A PathStatus: IN_PROGRESS while there is work left, STALE after a commit that changed what the search
            has read; after any other it goes on, and ends as one begun now.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            OnePathError: no search has been begun, or another call of this object has replaced it.
            BusyError: a commit runs, or this object is at work already.
        """
        return PATH_STATUSES[self.continue_search(max_iterations)]

    def finish_path(self, *, out: object = None, crossings_out: object = None):
        """The corridor of the search begun last; of an unfinished one, towards the end with status IN_PROGRESS.

        The search may go on afterwards. Raises as `update_path` does.

        Args:
            out: int64 array to be filled with the polygons, as far as it goes.
            crossings_out: (n, 2) int32 array for the crossings beside it, with `out` alone.
        """
        outputs: Outputs
        take_corridor_outputs(out, crossings_out, cython.address(outputs))
        try:
            return self.finish_into(out, crossings_out, cython.address(outputs))
        finally:
            release_outputs(cython.address(outputs))

    def finish_into(self, out, crossings_out, outputs):
        self.continue_search(0)
        self.enter(EVERYTHING)
        try:
            return self.finish_corridor(None if out is None else (out, crossings_out), outputs)
        finally:
            self.leave()

    def find_corridor(
        self,
        start_ref: object,
        start: object,
        end_ref: object,
        end: object,
        *,
        filter: object = None,
        out: object = None,
        crossings_out: object = None,
    ):
        """`begin_path`, `update_path` to the end and `finish_path` in one call."""
        outputs: Outputs
        take_corridor_outputs(out, crossings_out, cython.address(outputs))
        try:
            self.begin_path(start_ref, start, end_ref, end, filter=filter)
            self.continue_search(NO_BUDGET)
            return self.finish_into(out, crossings_out, cython.address(outputs))
        finally:
            release_outputs(cython.address(outputs))

    def find_straight_path(
        self,
        start: object,
        end: object,
        corridor: object,
        *,
        max_corners: object = None,
        filter: object = None,
        out: object = None,
        polygons_out: object = None,
        marks_out: object = None,
    ):
        """The shortest line through a corridor (queries document, straight path).

        Args:
            start, end: positions; they are first moved onto the corridor's first and last polygon.
            corridor: a Corridor, or a sequence or array of polygon references.
            max_corners: points wanted at most, the start included, 1 or more; None wants all.
            filter: counts for a bare sequence alone: where only off-mesh links lead from one polygon to the next, the
                first is taken that it accepts. A Corridor names the links it crosses.
            out, polygons_out, marks_out: arrays to be filled with the points, the polygons behind them and the marks,
                as far as they go: (n, 3) float64, (n) int64, (n) uint8. What is left out then is not kept.

        Returns:
            A StraightPath; its status is INVALID_CORRIDOR where the corridor is empty, a polygon of it has gone, or two
            in turn do not touch.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        first: Vector
        last: Vector
        given: Corridor = cython.cast(Corridor, corridor).packed() if type(corridor) is Corridor else None
        outputs: Outputs
        arrays: tuple = None
        code: cython.int
        most: cython.int = 0 if max_corners is None else whole_number(max_corners, "max_corners", 1, 0x7FFFFFFF)
        read_point(start, "start", cython.address(first))
        read_point(end, "end", cython.address(last))
        used: QueryFilter = chosen_filter(filter, self.mesh)
        bare: cython.const[cython.longlong][::1]
        refs: cython.pointer(cython.const[reference_t]) = cython.NULL
        steps: cython.pointer(cython.const[Crossing]) = cython.NULL
        count: cython.Py_ssize_t
        if given is not None:
            used = EVERYTHING
            refs, steps, count = given.references(), given.steps(), given.count
        else:
            bare = reference_array(corridor.polygons if type(corridor) is Corridor else corridor)
            count = bare.shape[0]
            if count > 0:
                refs = cython.address(bare[0])
        if out is not None or polygons_out is not None or marks_out is not None:
            arrays = (out, polygons_out, marks_out)
        outputs.count = 0
        take_output(cython.address(outputs), out, "out", ord("d"), 3)
        take_output(cython.address(outputs), polygons_out, "polygons_out", ord("q"), 1)
        take_output(cython.address(outputs), marks_out, "marks_out", ord("B"), 1)
        try:
            code = self.pull_line(first, last, refs, steps, count, used, most)
            return make_straight_path(
                PATH_SUCCESS if code in (STRAIGHT_OK, STRAIGHT_TRUNCATED) else PATH_INVALID_CORRIDOR,
                cython.address(self.line),
                code == STRAIGHT_TRUNCATED,
                arrays,
                cython.address(outputs),
            )
        finally:
            release_outputs(cython.address(outputs))

    def pull_line(self, start, end, corridor, crossings, count, filter, max_corners):
        """Pulls the line into self.line, which stays empty where the corridor is refused: a STRAIGHT_ code."""
        code: cython.int
        self.enter(filter)
        self.line.count = 0
        self.line.step_count = 0
        code = straight_path(
            cython.address(self.mesh.state),
            corridor,
            crossings,
            count,
            start,
            end,
            cython.address(filter.table),
            max_corners,
            cython.address(self.straight),
            cython.address(self.line),
        )
        self.leave()
        if code == STRAIGHT_NO_MEMORY:
            raise MemoryError("no memory for a straight path")
        if code != STRAIGHT_OK and code != STRAIGHT_TRUNCATED:
            self.line.count = 0
            self.line.step_count = 0
        return code


@cython.cfunc
def reference_array(corridor: object) -> object:
    """The references as a contiguous int64 array."""
    try:
        array = numpy.asarray(corridor)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"corridor is {shown(corridor)}, not a sequence of polygon references") from None
    if array.size == 0:
        return numpy.zeros(0, numpy.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or array.dtype == numpy.uint64:
        raise ArgumentError(f"corridor is {shown(corridor)}, not a sequence of polygon references (int64)")
    return numpy.require(array, numpy.int64, ["C", "A"])
