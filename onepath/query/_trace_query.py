"""The part of NavMeshQuery that follows segments over the surface: rays and moves."""

import cython
from cython.cimports.onepath.mesh._base import read_reference
from cython.cimports.onepath.mesh._mesh import reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_position, read_threads, whole_number
from cython.cimports.onepath.query._move import free_moves, move_on_surface
from cython.cimports.onepath.query._outputs import Outputs, release_outputs, take_output
from cython.cimports.onepath.query._query_core import Place, QueryCore, chosen_filter, read_place, read_point
from cython.cimports.onepath.query._results import PATH_NOT_LOADED, make_nav_point
from cython.cimports.onepath.query._trace import (
    BY_LINES,
    TRACE_CLEAR,
    TRACE_INVALID_START,
    TRACE_NOT_LOADED,
    Trace,
    trace_segment,
)
from cython.cimports.onepath.query._trace_query import MOST_SLIDES
from cython.cimports.onepath.query._trace_results import SurfaceMove, make_hit, make_move


class TraceQuery(QueryCore):
    """Base of NavMeshQuery: rays and moves over the surface."""

    def __cinit__(self, *_values: object, **_named: object) -> None:
        self.helpers = []

    def __dealloc__(self) -> None:
        free_moves(cython.address(self.moves))

    def cast_ray(self, ref, start, end, filter, out, outputs):
        trace: Trace
        code: cython.int
        self.enter(filter)
        code = trace_segment(
            cython.address(self.mesh.state),
            cython.address(filter.table),
            ref,
            start,
            end,
            BY_LINES,
            cython.address(trace),
            cython.address(self.moves.visited),
        )
        self.leave()
        if code != 0:
            raise MemoryError("no memory for the polygons that a ray goes through")
        return make_hit(
            cython.address(self.mesh.state), cython.address(trace), cython.address(self.moves.visited), out, outputs
        )

    def move(self, ref, start, end, filter, slides, out, outputs):
        trace: Trace
        point: Vector
        code: cython.int
        self.enter(filter)
        code = move_on_surface(
            cython.address(self.mesh.state),
            cython.address(filter.table),
            ref,
            start,
            end,
            slides,
            cython.address(trace),
            cython.address(self.moves),
            cython.address(point),
        )
        self.leave()
        if code != 0:
            raise MemoryError("no memory for the polygons that a move goes through")
        return make_move(
            cython.address(self.mesh.state),
            cython.address(trace),
            point,
            cython.address(self.moves.visited),
            out,
            outputs,
        )

    # --- Batches

    def run_batch(self, batch, filter, threads):
        helper: TraceQuery
        threads = batch.threads_worth(threads)
        while len(self.helpers) < threads - 1:
            self.helpers.append(type(self)(self.mesh, self.node_model, max_nodes=self.max_nodes))
        helping: list = self.helpers[: threads - 1]
        self.enter(filter)
        try:
            # Helpers hold the mesh while they help: a spare query object of a mesh must not hold it.
            for helper in helping:
                helper.mesh = self.mesh
                helper.reach = self.reach
            batch.run(self, helping)
        finally:
            for helper in helping:
                helper.mesh = None
            self.leave()
        return 0

    def raycasts(self, start_refs: object, starts: object, ends: object, filter: object = None, *, threads: object = 1):
        """Many calls of `raycast` at once, each with its bits, on several threads.

        Args:
            start_refs: (n,) int64 references, or one for all rays.
            starts, ends: (n, 3) positions, or one (3,) for all rays.
            filter: a QueryFilter for all rays; None accepts every area but 0.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few rays.

        Returns:
            RaycastHits.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._trace_batches import cast_rays

        used: QueryFilter = chosen_filter(filter, self.mesh)
        return cast_rays(self, used, read_threads(threads), start_refs, starts, ends)

    def move_along_surfaces(
        self,
        start_refs: object,
        starts: object,
        ends: object,
        filter: object = None,
        *,
        slides: object = 1,
        threads: object = 1,
    ):
        """Many calls of `move_along_surface` at once, each with its bits, on several threads.

        Args:
            start_refs: (n,) int64 references, or one for all moves.
            starts, ends: (n, 3) positions, or one (3,) for all moves.
            filter: a QueryFilter for all moves; None accepts every area but 0.
            slides: as for `move_along_surface`.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few moves.

        Returns:
            SurfaceMoves; its `ref` and `point` are the next call's `start_refs` and `starts`.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._trace_batches import move_many

        used: QueryFilter = chosen_filter(filter, self.mesh)
        most: cython.int = whole_number(slides, "slides", 1, MOST_SLIDES)
        return move_many(self, used, read_threads(threads), most, start_refs, starts, ends)

    # --- Whole calls, from positions that are yet to be snapped

    def place_start(self, position, name, filter, place):
        """Snaps a start: TRACE_CLEAR, or why there is none. The object holds no search that this could end."""
        found: cython.int
        read_place(position, name, place)
        self.enter(filter)
        try:
            found = self.locate(place, cython.address(filter.table), True)
        finally:
            self.leave()
        if found:
            return TRACE_CLEAR
        return TRACE_NOT_LOADED if self.status == PATH_NOT_LOADED else TRACE_INVALID_START

    def cast_between(self, start, end, filter):
        used: QueryFilter = chosen_filter(filter, self.mesh)
        place: Place
        last: Vector
        trace: Trace
        read_point(end, "end", cython.address(last))
        trace.status = self.place_start(start, "start", used, cython.address(place))
        if trace.status == TRACE_CLEAR:
            return self.cast_ray(place.ref, place.position, last, used, None, cython.NULL)
        trace.slot = trace.polygon = trace.edge = -1
        trace.t = 0.0
        self.moves.visited.count = 0
        return make_hit(
            cython.address(self.mesh.state),
            cython.address(trace),
            cython.address(self.moves.visited),
            None,
            cython.NULL,
        )

    def step(self, position, delta, filter, slides):
        used: QueryFilter = chosen_filter(filter, self.mesh)
        place: Place
        end: Vector
        result: SurfaceMove
        read_position(delta, "delta", cython.address(end))
        if self.place_start(position, "position", used, cython.address(place)) != TRACE_CLEAR:
            return make_nav_point(0, place.position)
        read_position(
            (place.position.x + end.x, place.position.y, place.position.z + end.z),
            "position + delta",
            cython.address(end),
        )
        result = self.move(place.ref, place.position, end, used, slides, None, cython.NULL)
        return make_nav_point(result.ref, result.position)

    # --- The document's forms

    def raycast(self, start_ref: object, start: object, end: object, filter: object = None, *, out: object = None):
        """Follows a segment across the surface, seen from above, until it meets a wall (queries document, raycast).

        Heights are not compared: a ray keeps to the floor it started on, whatever the height of its end. Off-mesh links
        are not crossed.

        Args:
            start_ref: the polygon of the start.
            start: a position inside that polygon seen from above, or at most 1e-6 beside it.
            end: a position anywhere.
            filter: a QueryFilter, a polygon that it rejects is behind a wall; None accepts every area but 0.
            out: int64 array to be filled with the polygons visited, as far as it goes.

        Returns:
            A RaycastHit. Its `polygon` is where the ray ended: compare it with the end's polygon to tell whether a
            clear ray ends on the storey that was meant.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        outputs: Outputs
        first: Vector
        last: Vector
        ref: reference_t = read_reference(start_ref, "start_ref")
        used: QueryFilter = chosen_filter(filter, self.mesh)
        read_point(start, "start", cython.address(first))
        read_point(end, "end", cython.address(last))
        outputs.count = 0
        take_output(cython.address(outputs), out, "out", ord("q"), 1)
        try:
            return self.cast_ray(ref, first, last, used, out, cython.address(outputs))
        finally:
            release_outputs(cython.address(outputs))

    def move_along_surface(
        self,
        start_ref: object,
        start: object,
        end: object,
        filter: object = None,
        *,
        slides: object = 1,
        out: object = None,
    ):
        """Moves along the surface towards a position, and slides along the wall that is in the way (queries document).

        Without a wall the move comes to `end`, at the surface's height. Else it comes to the point nearest to `end` of
        the edge that it hit. The result always lies on the mesh, in the polygon that it names: keep that polygon, a
        nearest search could take one across a closed border.

        Args:
            start_ref: the polygon of the start.
            start: a position inside that polygon seen from above, or at most 1e-6 beside it.
            end: a position anywhere; its height does not count.
            filter: a QueryFilter, a polygon that it rejects is behind a wall; None accepts every area but 0.
            slides: 1 slides once, to the letter of the document. With more, up to 1024, the move goes on along that
                many pieces of wall while it gains, as `onepath.agents.slide` does.
            out: int64 array to be filled with the polygons visited, as far as it goes.

        Returns:
            A SurfaceMove.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        outputs: Outputs
        first: Vector
        last: Vector
        ref: reference_t = read_reference(start_ref, "start_ref")
        used: QueryFilter = chosen_filter(filter, self.mesh)
        most: cython.int = 1 if slides is ONE else whole_number(slides, "slides", 1, MOST_SLIDES)
        read_point(start, "start", cython.address(first))
        read_point(end, "end", cython.address(last))
        outputs.count = 0
        take_output(cython.address(outputs), out, "out", ord("q"), 1)
        try:
            return self.move(ref, first, last, used, most, out, cython.address(outputs))
        finally:
            release_outputs(cython.address(outputs))


ONE = cython.declare(object, 1)
