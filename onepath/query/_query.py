"""NavMeshQuery: the queries of the queries document over one mesh."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._base import read_reference
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import (
    polygon_reference,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._nearest import Box, Nearest, find_nearest
from cython.cimports.onepath.mesh._surface import Vector, surface_height
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_length, read_limit, read_threads, whole_number
from cython.cimports.onepath.query._query_core import (
    EVERYTHING,
    NO_BUDGET,
    Place,
    Reach,
    Wishes,
    box_of,
    chosen_filter,
    reach_around,
    read_point,
    read_wishes,
)
from cython.cimports.onepath.query._results import (
    PATH_IN_PROGRESS,
    make_nearest,
)

from onepath.build.arguments import three_values
from onepath.errors import ArgumentError, OnePathError
from onepath.names import unknown_name
from onepath.query.status import NodeModel

LARGEST_NODE_LIMIT = cython.declare(cython.int, 1 << 24)
NODE_MODELS = cython.declare(tuple, (NodeModel.POLYGON, NodeModel.CROSSING, NodeModel.EXACT))  # by MODEL_ code
DOCUMENT_EXTENTS = cython.declare(tuple, (2.0, 4.0, 2.0))


class Pause:
    """Awaited, it lets other tasks run once: what `asyncio.sleep(0)` does, without asyncio."""

    def __await__(self):
        yield


@cython.cfunc
def read_extents(extents: object) -> Reach:
    half: Vector
    if type(extents) is tuple and len(extents) == 3:
        x, y, z = cython.cast(tuple, extents)
    else:
        x, y, z = three_values("half_extents", extents)
    half.x = read_length(x, "half_extents[0]")
    half.y = read_length(y, "half_extents[1]")
    half.z = read_length(z, "half_extents[2]")
    return reach_around(half, False)


class NavMeshQuery(CorridorQuery):
    """Asks a mesh: nearest polygons, heights, corridors, paths. Holds the memory that a search needs.

    Keep one and ask it often; `NavMesh.find_path` borrows one of the mesh's. An object is not for two threads at once,
    different objects are. A position is any sequence of three floats, metres, each below 2**21 in size, or a NavPoint.

    Args:
        mesh: the NavMesh to ask. Commits are refused while a call runs.
        node_model: NodeModel.POLYGON, CROSSING or EXACT.
        max_nodes: nodes a search may have, start and end included, 1 to 2**24. A search that needs more is PARTIAL with
            `node_limit_reached`.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """

    def __init__(
        self,
        mesh: object,
        node_model: object = NodeModel.POLYGON,
        *,
        max_nodes: object = 65536,
        **unknown: object,
    ) -> None:
        if unknown:
            raise unknown_name("NavMeshQuery", next(iter(unknown)), ("mesh", "node_model", "max_nodes"))
        if self.mesh is not None:
            raise TypeError("a NavMeshQuery is initialised once")
        if not isinstance(mesh, MeshCore):
            raise ArgumentError(f"mesh is {mesh!r}, not a NavMesh")
        if not isinstance(node_model, NodeModel):
            raise ArgumentError(f"node_model is {node_model!r}, not a NodeModel, such as NodeModel.EXACT")
        self.search.max_nodes = whole_number(max_nodes, "max_nodes", 1, LARGEST_NODE_LIMIT)
        self.model = NODE_MODELS.index(node_model)
        self.reach = DOCUMENT_REACH
        self.mesh = mesh

    @property
    def node_model(self) -> object:
        """What a node of the search stands for."""
        return NODE_MODELS[self.model]

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

    # --- Nearest polygon and height

    def find_nearest_polygon(self, center: object, half_extents: object = DOCUMENT_EXTENTS, filter: object = None):
        """The polygon nearest to a position, of those whose outline's box touches the box center +- half_extents.

        Straight above or below the surface the distance is vertical, elsewhere it is to the nearest point of the
        outline. Of equally near ones the lowest tile column, row, layer and polygon is taken (queries document, nearest
        polygon).

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
        used: QueryFilter = chosen_filter(filter, self.mesh)
        place.known = False
        read_point(center, "center", cython.address(place.position))
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
            polygon_reference(cython.address(self.mesh.state), nearest.slot, nearest.polygon),
            nearest.point,
            nearest.squared_distance,
            nearest.over,
        )

    def find_nearest_polygons(
        self,
        centers: object,
        half_extents: object = DOCUMENT_EXTENTS,
        filter: object = None,
        *,
        threads: object = 1,
    ):
        """Many calls of `find_nearest_polygon` at once, each with its bits, on several threads.

        Args:
            centers: (n, 3) positions, or one (3,).
            half_extents, filter: as for `find_nearest_polygon`, the same for all.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few questions.

        Returns:
            NearestPolygons.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._place_batches import find_many_nearest

        used: QueryFilter = chosen_filter(filter, self.mesh)
        reach: Reach = read_extents(half_extents)
        return find_many_nearest(
            self,
            used,
            read_threads(threads),
            centers,
            (reach.below.x, reach.below.y, reach.below.z),
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
        number: reference_t = read_reference(ref, "ref")
        height: cython.double = 0.0
        valid: cython.bint
        read_point(position, "position", cython.address(place))
        self.enter(EVERYTHING)
        valid = reference_is_valid(cython.address(self.mesh.state), number)
        if valid:
            height = surface_height(
                self.mesh.state.slots + reference_slot(number), reference_polygon(number), place.x, place.z
            )
        self.leave()
        return height if valid else None

    # --- Paths in one call and in slices

    def find_path(
        self,
        start: object,
        end: object,
        filter: object = None,
        *,
        exact: object = False,
        max_cost: object = None,
        toward_unloaded: object = False,
        partial: object = True,
    ):
        """The path between two positions: nearest polygons within (2, 4, 2), a search, the line through its corridor.

        Args:
            start, end: positions or NavPoints; a NavPoint is taken as it is.
            filter: a QueryFilter; None lets every area but 0 cost 1.
            exact: whether to search by NodeModel.EXACT, whatever the object's own model is: the shortest line over the
                whole mesh.
            max_cost: a path that costs more is not wanted, 0 or more; where there is none that costs less, the
                answer is PARTIAL with detail COST_LIMIT, and the search looks no farther than that.
            toward_unloaded: whether to head for the end as it was given where nothing is near it and tiles there are
                not loaded. The answer is NOT_LOADED all the same, but with the line as far as the mesh leads.
            partial: whether to lead as near as possible to an end that cannot be reached. With False that is answered
                at once, without a search and by a path without points; so is what a limit stopped.

        Returns:
            A Path, true where it reaches the end.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        wishes: Wishes
        read_wishes(exact, max_cost, toward_unloaded, partial, cython.address(wishes))
        return self.find(start, end, filter, cython.address(wishes))

    async def find_path_async(
        self,
        start: object,
        end: object,
        filter: object = None,
        *,
        exact: object = False,
        max_cost: object = None,
        toward_unloaded: object = False,
        partial: object = True,
        iterations_per_slice: object = 256,
    ):
        """What `find_path` does, in slices between which other tasks run: `path = await query.find_path_async(a, b)`.

        Nothing moves to another thread. Cancelling the task ends the search; `asyncio.CancelledError` passes through.

        Args:
            iterations_per_slice: expansions between two pauses, 1 or more. The others are those of `find_path`.

        Returns:
            The Path of `find_path`; STALE where a commit between two slices changed what the search had read.

        Raises:
            As `find_path` and `update_path` do; OnePathError where another call of this object replaced the search.
        """
        wishes: Wishes
        slice_size: object = whole_number(iterations_per_slice, "iterations_per_slice", 1, NO_BUDGET)
        read_wishes(exact, max_cost, toward_unloaded, partial, cython.address(wishes))
        status: cython.int = self.begin_between(start, end, filter, cython.address(wishes))
        search: cython.longlong = self.search_number
        while status == PATH_IN_PROGRESS:
            status = self.continue_search(slice_size)
            if status == PATH_IN_PROGRESS:
                await Pause()
                if self.search_number != search:
                    raise OnePathError("another call of this NavMeshQuery replaced the search that was awaited")
        return self.finish_search()

    def find_paths(
        self,
        starts: object,
        ends: object,
        filter: object = None,
        *,
        exact: object = False,
        max_cost: object = None,
        toward_unloaded: object = False,
        partial: object = True,
        threads: object = 1,
    ):
        """Many calls of `find_path` at once, each with its bits, on several threads. It replaces a search in slices.

        Args:
            starts, ends: (n, 3) positions, or one (3,) for all.
            filter: a QueryFilter for all; None lets every area but 0 cost 1.
            exact, max_cost, toward_unloaded, partial: as for `find_path`, for all.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few questions.

        Returns:
            Paths, which do not list missing tiles; `find_path` does for one of them.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._path_batches import find_many_paths

        wishes: Wishes
        used: QueryFilter = chosen_filter(filter, self.mesh)
        read_wishes(exact, max_cost, toward_unloaded, partial, cython.address(wishes))
        return find_many_paths(self, used, read_threads(threads), starts, ends, wishes)

    def are_on_mesh(self, positions: object, tolerance: object = None, filter: object = None, *, threads: object = 1):
        """Whether each of many positions has a surface straight above or below it, at most `tolerance` away.

        Args:
            positions: (n, 3) positions.
            tolerance: metres, 0 or more; None: the agent's `max_climb`.
            filter: a QueryFilter for all; None accepts every area but 0.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few questions.

        Returns:
            (n,) bool: what `bool(mesh.drop(position, up=tolerance, down=tolerance))` says of each.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._path_batches import find_floors

        self.need_mesh()
        used: QueryFilter = chosen_filter(filter, self.mesh)
        near: cython.double = (
            self.mesh.settings.agent.max_climb if tolerance is None else read_length(tolerance, "tolerance")
        )
        return find_floors(self, used, read_threads(threads), positions, near)

    def path_distances(
        self,
        start_refs: object,
        starts: object,
        end_refs: object,
        ends: object,
        filter: object = None,
        *,
        max_cost: object = INFINITY,
        threads: object = 1,
    ):
        """The least costs of the crossing model from many places to as many others, on several threads.

        Each is what `NavMesh.distance` says of the two places, to the bit. It replaces a search in slices.

        Args:
            start_refs, end_refs: (n,) int64 references, or one for all.
            starts, ends: (n, 3) positions on those polygons, or one (3,) for all.
            filter: a QueryFilter for all; None lets every area but 0 cost 1.
            max_cost: how far to look, 0 or more.
            threads: how many threads work, 1 to 64. The GIL is let go unless there are few questions.

        Returns:
            (n,) float64, infinite where no route of at most `max_cost` leads or a polygon is stale or refused.

        Raises:
            ArgumentError, RangeError: naming argument, row, value and range.
            BusyError: a commit runs, or this object is at work already.
        """
        from onepath.query._cost_batches import costs_of_many

        used: QueryFilter = chosen_filter(filter, self.mesh)
        limit: cython.double = read_limit(max_cost, "max_cost")
        workers = read_threads(threads)
        return costs_of_many(self, used, workers, start_refs, starts, end_refs, ends, limit)


DOCUMENT_REACH = cython.declare(Reach, read_extents(DOCUMENT_EXTENTS))
