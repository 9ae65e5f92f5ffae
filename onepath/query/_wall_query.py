"""What NavMeshQuery answers about walls: the nearest one, and all within a radius."""

import cython
from cython.cimports.onepath.query._area_query import AreaQuery
from cython.cimports.onepath.query._area_results import FOUND_IN_PROGRESS
from cython.cimports.onepath.query._area_shapes import SHAPE_CIRCLE, AreaShape
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_threads
from cython.cimports.onepath.query._outputs import Outputs, release_outputs, take_output
from cython.cimports.onepath.query._query_core import chosen_filter
from cython.cimports.onepath.query._wall_results import make_nearest_wall, make_wall_segments
from cython.cimports.onepath.query._walls import NearWall, collect_walls, free_walls, nearest_wall

from onepath.errors import ArgumentError, OnePathError


@cython.cfunc
@cython.exceptval(-1)
def take_columns(
    out: object,
    polygons_out: object,
    distances_out: object,
    edges_out: object,
    outputs: cython.pointer(Outputs),
) -> cython.int:
    """Takes the caller's arrays; those that go with `out` need it."""
    outputs.count = 0
    if out is None:
        if polygons_out is not None or distances_out is not None or edges_out is not None:
            raise ArgumentError("polygons_out, distances_out and edges_out go with out, which is None")
        return 0
    take_output(outputs, out, "out", ord("d"), 6)
    take_output(outputs, polygons_out, "polygons_out", ord("q"), 1)
    take_output(outputs, distances_out, "distances_out", ord("d"), 1)
    take_output(outputs, edges_out, "edges_out", ord("i"), 1)
    return 0


class WallQuery(AreaQuery):
    """Base of NavMeshQuery: the walls around a place."""

    def __dealloc__(self) -> None:
        free_walls(cython.address(self.walls))

    def need_circle(self):
        if self.area_begun and self.area.shape.kind != SHAPE_CIRCLE:
            raise OnePathError("the area search under way has no circle: begin one with a center and a radius")
        return 0

    def area_wall(self):
        """The nearest wall of the polygons found so far; leaves the mesh."""
        wall: NearWall
        wall.found = False
        try:
            if self.area_status == FOUND_IN_PROGRESS:
                nearest_wall(
                    cython.address(self.area),
                    cython.address(self.mesh.state),
                    cython.address(self.area_filter.table),
                    cython.address(wall),
                )
            return make_nearest_wall(
                self.area_answer(),
                cython.address(wall),
                cython.address(self.mesh.state),
                self.area.shape.radius,
                self.area_missing(),
            )
        finally:
            self.leave()

    def area_walls(self, given, outputs):
        """All walls of the polygons found; leaves the mesh."""
        found: cython.bint = self.area_status == FOUND_IN_PROGRESS
        try:
            if found and (
                collect_walls(
                    cython.address(self.area),
                    cython.address(self.mesh.state),
                    cython.address(self.area_filter.table),
                    cython.address(self.walls),
                )
                != 0
            ):
                raise MemoryError("no memory for walls")
            return make_wall_segments(
                self.area_answer(),
                cython.address(self.walls) if found else cython.NULL,
                cython.address(self.mesh.state),
                self.area_missing(),
                given,
                outputs,
            )
        finally:
            self.leave()

    def distance_to_wall(self, start_ref: object, center: object, radius: object, filter: object = None):
        """The nearest wall of the polygons that `find_polygons_in_circle` finds.

        A wall is an edge with nothing behind it, or with a polygon that the filter rejects, or on a tile's border the
        part that leads to no accepted polygon. The side towards a tile that is not loaded is none (queries document,
        distance to wall).

        Args:
            start_ref: the polygon to begin with, normally the one under `center`.
            center: a position; its height does not count.
            radius: how far to look, metres, 0 to 2**22.
            filter: a QueryFilter; None accepts every area but 0.

        Returns:
            A NearestWall, false where there is none.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        shape: AreaShape
        self.read_circle(center, radius, cython.address(shape))
        self.run_whole_area(start_ref, filter, cython.address(shape), True, False)
        return self.area_wall()

    def distances_to_wall(
        self, start_refs: object, centers: object, radii: object, filter: object = None, *, threads: object = 1
    ):
        """Many calls of `distance_to_wall` at once, each with its bits, on several threads.

        Args:
            start_refs: (n,) int64 references, or one for all.
            centers: (n, 3) positions, or one (3,) for all.
            radii: (n,) metres, or one for all.
            filter: a QueryFilter for all; None accepts every area but 0.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few questions.

        Returns:
            NearestWalls.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._place_batches import measure_walls

        used: QueryFilter = chosen_filter(filter, self.mesh)
        return measure_walls(self, used, read_threads(threads), start_refs, centers, radii)

    def finish_distance_to_wall(self):
        """NearestWall of the sliced circle search begun last, from the polygons expanded so far.

        The search may go on afterwards. Raises as `update_area_search` does, and:

        Raises:
            OnePathError: the search begun last looks within a shape.
        """
        self.need_circle()
        self.continue_area(0)
        return self.area_wall()

    def find_walls(
        self,
        start_ref: object,
        center: object,
        radius: object,
        filter: object = None,
        *,
        out: object = None,
        polygons_out: object = None,
        distances_out: object = None,
        edges_out: object = None,
    ):
        """All walls within the radius of the polygons that `find_polygons_in_circle` finds, nearest first.

        Of equally near ones the one that the search met first comes first (queries document, all walls near a
        position).

        Args:
            start_ref, center, radius, filter: as for `distance_to_wall`, which says what a wall is.
            out: a float64 array (n, 6) or (n, 2, 3) that takes the ends of the nearest n instead of the result.
            polygons_out, distances_out, edges_out: an int64, a float64 and an int32 array for what goes with them, with
                `out` alone.

        Returns:
            WallSegments.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        shape: AreaShape
        outputs: Outputs
        self.read_circle(center, radius, cython.address(shape))
        take_columns(out, polygons_out, distances_out, edges_out, cython.address(outputs))
        try:
            self.run_whole_area(start_ref, filter, cython.address(shape), True, False)
            return self.area_walls(
                None if out is None else (out, polygons_out, distances_out, edges_out), cython.address(outputs)
            )
        finally:
            release_outputs(cython.address(outputs))
