"""The one-call forms of NavMesh about paths: find_path, begin_path, find_path_async, check_corridor, default_filter.

Queries borrow the query objects that the mesh keeps for them. The `.pyi` beside this module shows the whole NavMesh to
type checkers: what this module attaches, and what those attach that it imports for that.
"""

import cython
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.query._inputs import whole_number
from cython.cimports.onepath.query._paths import Path
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import NO_BUDGET, Wishes, read_wishes
from cython.cimports.onepath.query._results import PATH_IN_PROGRESS, PATH_STATUSES

import onepath._one_call_costs
import onepath._one_call_places
import onepath._one_call_reach
import onepath.pictures
import onepath.whole_mesh  # noqa: F401
from onepath.errors import ArgumentError
from onepath.mesh.navmesh import NavMesh
from onepath.query._corridor_check import check_corridor as corridor_check


@cython.final
@cython.cclass
class PathSearch:
    """A path search of `NavMesh.begin_path` that runs in slices.

    Attributes:
        status: PathStatus; IN_PROGRESS while there is work left.
        path: the Path once the search is done, until then None.
        iterations: expansions made so far.
    """

    query: NavMeshQuery
    path = cython.declare(Path, visibility="readonly")
    iterations = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a PathSearch is what NavMesh.begin_path returns; it is not made by hand")

    @property
    def status(self) -> object:
        return PATH_STATUSES[PATH_IN_PROGRESS] if self.path is None else self.path.status

    @cython.cfunc
    def so_far(self) -> Path:
        """The path as far as it is known; once the search is done it is kept and the query object let go."""
        query: NavMeshQuery = self.query
        if query is None:
            raise ArgumentError("this PathSearch was not made by NavMesh.begin_path")
        found: Path = query.finish_search()
        self.iterations = query.search.iterations
        if found.answer.status != PATH_IN_PROGRESS:
            self.path = found
            self.query = None
            give_back(query)
        return found

    def update(self, iterations: object):
        """Expands at most `iterations` nodes (0 or more); all slices together give exactly what one call gives.

        Returns:
            A PathStatus: IN_PROGRESS while there is work left, STALE after a commit that changed what the search
            has read; after any other it goes on, and ends as one begun now.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
            BusyError: a commit runs.
        """
        # Read first: a caller's own kind of int runs the caller's code, which may end the search.
        budget: object = whole_number(iterations, "iterations", 0, NO_BUDGET)
        query: NavMeshQuery = self.query
        if self.path is None and query is not None:
            status: cython.int = query.continue_search(budget)
            self.iterations = query.search.iterations
            if status != PATH_IN_PROGRESS:
                self.so_far()
        return self.status

    def finish(self):
        """The search's Path; before it is done what it has so far, towards the end, with status IN_PROGRESS.

        The search may go on afterwards: who does not want the rest of it calls `cancel`. What it has so far has no
        points where `partial` is False.

        Raises:
            BusyError: a commit runs.
        """
        return self.so_far() if self.path is None else self.path

    def cancel(self) -> None:
        """Ends the search without a path: status CANCELLED. One that is done already keeps its path.

        Raises:
            BusyError: asked from within its own update, by a predicate or from another thread.
        """
        query: NavMeshQuery = self.query
        if self.path is None and query is not None:
            self.path = query.withdraw_search()
            self.query = None
            give_back(query)

    def __reduce__(self) -> object:
        raise TypeError("a PathSearch is not pickled or copied; `finish` gives its Path, which is")

    def __repr__(self) -> str:
        return f"PathSearch({self.status.name}, iterations={self.iterations})"


def find_path(
    self: MeshCore,
    start: object,
    end: object,
    filter: object = None,
    *,
    exact: object = False,
    max_cost: object = None,
    toward_unloaded: object = False,
    partial: object = True,
):
    """The path between two positions.

    Both are snapped to the mesh within `snap_reach`; the search takes the filter's costs; the line is the shortest
    through the polygons found.

    Args:
        start, end: any sequence of three floats, metres, or a NavPoint, which is not snapped again.
        filter: a QueryFilter; None is the mesh's `default_filter`.
        exact: whether the line is to be the shortest over the whole mesh (`NodeModel.EXACT`), for a filter for which
            all polygons cost the same; with another one `detail` is EXACT_NOT_UNIFORM.
        max_cost: a path that costs more is not wanted, 0 or more; where there is none that costs less, the answer is
            PARTIAL with detail COST_LIMIT, and the search looks no farther than that.
        toward_unloaded: whether to head for the end as it was given where nothing is near it and tiles there are not
            loaded. The answer is NOT_LOADED all the same, but with the line as far as the mesh leads.
        partial: whether to lead as near as possible to an end that cannot be reached. With False that is known without
            a search (see `is_reachable`), and the path has no points; where tiles that are not loaded may lead on, its
            status is NOT_LOADED all the same. What a limit stopped has no points either.

    Returns:
        A Path, true where it reaches the end; else its status says what to do.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    wishes: Wishes
    read_wishes(exact, max_cost, toward_unloaded, partial, cython.address(wishes))
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.find(start, end, filter_for(self, filter), cython.address(wishes))
    finally:
        give_back(query)


def begin_path(
    self: MeshCore,
    start: object,
    end: object,
    filter: object = None,
    *,
    exact: object = False,
    max_cost: object = None,
    toward_unloaded: object = False,
    partial: object = True,
):
    """Begins what `find_path` does in one go, to be done in slices: `update` until it is no longer IN_PROGRESS.

    Args, Raises: as for `find_path`.

    Returns:
        A PathSearch; where the answer needs no search, it is done at once.
    """
    wishes: Wishes
    read_wishes(exact, max_cost, toward_unloaded, partial, cython.address(wishes))
    search: PathSearch = PathSearch.__new__(PathSearch)
    search.query = borrowed_query(self)
    if search.query.begin_between(start, end, filter_for(self, filter), cython.address(wishes)) != PATH_IN_PROGRESS:
        search.so_far()
    return search


async def find_path_async(
    self: MeshCore,
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
    """What `find_path` does, in slices between which other tasks run: `path = await mesh.find_path_async(a, b)`.

    Nothing moves to another thread. Cancelling the task ends the search; `asyncio.CancelledError` passes through.

    Args:
        iterations_per_slice: expansions between two pauses, 1 or more. The others are those of `find_path`.

    Returns:
        The Path of `find_path`; STALE where a commit between two slices changed what the search had read.

    Raises: as `find_path` does.
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return await query.find_path_async(
            start,
            end,
            filter_for(self, filter),
            exact=exact,
            max_cost=max_cost,
            toward_unloaded=toward_unloaded,
            partial=partial,
            iterations_per_slice=iterations_per_slice,
        )
    finally:
        give_back(query)


def check_corridor(self: MeshCore, corridor: object, filter: object = None):
    """How far a corridor still stands, and why not further: what to ask after a commit.

    Args:
        corridor: a Corridor, which has to cross as it did when it was found, or references of polygons, of which each
            has to lead to the next in any way.
        filter: a QueryFilter that every polygon and link has to pass; None is the mesh's `default_filter`.

    Returns:
        A CorridorCheck, true where all of it stands.

    Raises:
        ArgumentError: no corridor, or no filter.
        BusyError: a commit runs.

    >>> from onepath.mesh import MeshSettings
    >>> mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8))
    >>> mesh.check_corridor([1 << 41])
    CorridorCheck(standing=0, status=STALE)
    """
    return corridor_check(self, corridor, filter_for(self, filter))


@property
def default_filter(self: MeshCore):
    """The QueryFilter that stands for None here: the default costs of the mesh's `areas`."""
    return filter_for(self, None)


NavMesh.find_path = find_path
NavMesh.begin_path = begin_path
NavMesh.find_path_async = find_path_async
NavMesh.check_corridor = check_corridor
NavMesh.default_filter = default_filter
