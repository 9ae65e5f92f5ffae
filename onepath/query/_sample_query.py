"""What NavMeshQuery answers with chance: random points on the whole mesh and around a place."""

import cython
from cython.cimports.onepath.mesh._mesh import polygon_reference
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._area_results import FOUND_IN_PROGRESS
from cython.cimports.onepath.query._area_shapes import AreaShape
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_threads, whole_number
from cython.cimports.onepath.query._query_core import chosen_filter
from cython.cimports.onepath.query._random import SeededRandom, read_random
from cython.cimports.onepath.query._results import make_nav_point
from cython.cimports.onepath.query._sampling import (
    SAMPLE_FOUND,
    SAMPLE_NO_MEMORY,
    SAMPLE_NONE,
    Sample,
    free_circle_weights,
    free_mesh_weights,
    sample_circle,
    sample_mesh,
    weigh_mesh,
)
from cython.cimports.onepath.query._wall_query import WallQuery


class SampleQuery(WallQuery):
    """Base of NavMeshQuery: random points."""

    def __dealloc__(self) -> None:
        free_mesh_weights(cython.address(self.weights))
        free_circle_weights(cython.address(self.circle))

    def weigh(self, filter):
        """Sees to it that the running totals are those of the filter and the mesh as it is."""
        if self.weighed_filter is filter and self.weighed_edit == self.mesh.state.edit_count:
            return 0
        self.weighed_filter = None
        if weigh_mesh(cython.address(self.mesh.state), cython.address(filter.table), cython.address(self.weights)) != 0:
            raise MemoryError("no memory for the polygons' areas")
        self.weighed_filter = filter
        self.weighed_edit = self.mesh.state.edit_count
        return 0

    def area_point(self, state):
        """A point in the circle on the polygons found so far; leaves the mesh."""
        sample: Sample
        nowhere: Vector
        code: cython.int = SAMPLE_NONE
        if self.area_status == FOUND_IN_PROGRESS:
            code = sample_circle(
                cython.address(self.area),
                cython.address(self.mesh.state),
                cython.address(self.circle),
                state,
                cython.address(sample),
            )
        self.leave()
        if code == SAMPLE_NO_MEMORY:
            raise MemoryError("no memory for random points")
        if code != SAMPLE_FOUND:
            nowhere.x = nowhere.y = nowhere.z = 0.0
            return make_nav_point(0, nowhere)
        return make_nav_point(
            polygon_reference(cython.address(self.mesh.state), sample.slot, sample.polygon), sample.point
        )

    def random_point(self, rng: object, filter: object = None):
        """A point anywhere on the mesh, each square metre seen from above being as likely as any other.

        It takes four draws (queries document, random points). The first call after a commit, or with another filter
        object, adds up the areas of all polygons; those after it find the polygon by bisection.

        Args:
            rng: a SeededRandom, which goes on; an int that seeds one; or a NumPy generator: one draw of it seeds one.
            filter: a QueryFilter; None accepts every area but 0.

        Returns:
            A NavPoint, false where no polygon is accepted; then nothing was drawn.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.

        >>> from onepath.mesh import MeshSettings, NavMesh
        >>> from onepath.query import NavMeshQuery, SeededRandom
        >>> bool(NavMeshQuery(NavMesh(MeshSettings())).random_point(SeededRandom(7)))
        False
        """
        used: QueryFilter = chosen_filter(filter, self.mesh)
        random: SeededRandom = read_random(rng, "rng")
        sample: Sample
        nowhere: Vector
        code: cython.int
        self.enter(used)
        try:
            self.weigh(used)
            code = sample_mesh(
                cython.address(self.mesh.state),
                cython.address(self.weights),
                cython.address(random.bits),
                cython.address(sample),
            )
        finally:
            self.leave()
        if code != SAMPLE_FOUND:
            nowhere.x = nowhere.y = nowhere.z = 0.0
            return make_nav_point(0, nowhere)
        return make_nav_point(
            polygon_reference(cython.address(self.mesh.state), sample.slot, sample.polygon), sample.point
        )

    def random_points(self, rng: object, count: object, filter: object = None, *, threads: object = 1):
        """`count` points, 0 to 2**31 - 1, as `random_point` gives them one after the other, on several threads.

        Args:
            rng, filter: as for `random_point`.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few points.

        Returns:
            (polygons, points): references (count,) int64 and positions (count, 3) float64; 0 and NaN where no polygon
            is accepted.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._place_batches import draw_many

        used: QueryFilter = chosen_filter(filter, self.mesh)
        wanted: cython.longlong = whole_number(count, "count", 0, 0x7FFFFFFF)
        workers = read_threads(threads)
        return draw_many(self, used, workers, read_random(rng, "rng"), wanted)

    def random_point_around(
        self, rng: object, start_ref: object, center: object, radius: object, filter: object = None
    ):
        """A point in a circle on the polygons that `find_polygons_in_circle` finds, evenly spread seen from above.

        Where polygons lie over each other, each counts. Points are drawn in the circle's square, four draws each, until
        one lies in the circle, 64 times at most (queries document, random points).

        Args:
            rng: as for `random_point`.
            start_ref, center, radius, filter: as for `find_polygons_in_circle`.

        Returns:
            A NavPoint; false where the start is invalid, the radius is 0, no polygon reaches into the circle's square,
            or none of the points drawn lay in the circle.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        shape: AreaShape
        random: SeededRandom
        self.read_circle(center, radius, cython.address(shape))
        random = read_random(rng, "rng")
        self.run_whole_area(start_ref, filter, cython.address(shape), True, False)
        return self.area_point(cython.address(random.bits))

    def finish_random_point_around(self, rng: object):
        """A point as `random_point_around` draws it, for the sliced circle search begun last: on what was found so far.

        The search may go on afterwards. Raises as `update_area_search` does, and:

        Raises:
            OnePathError: the search begun last looks within a shape.
        """
        random: SeededRandom
        self.need_circle()
        random = read_random(rng, "rng")
        self.continue_area(0)
        return self.area_point(cython.address(random.bits))
