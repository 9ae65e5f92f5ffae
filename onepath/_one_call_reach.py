"""The one-call forms of NavMesh about what can be reached: islands, island_of, is_reachable, explain."""

import cython
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import MeshState, polygon_reference
from cython.cimports.onepath.mesh._nearest import Box, Nearest, find_nearest_of
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._inputs import read_length
from cython.cimports.onepath.query._island_list import Island, listed_islands
from cython.cimports.onepath.query._islands import IslandMember, Islands, current_islands, is_member
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import Place, Reach, box_of, chosen_filter, reach_around, read_place
from cython.cimports.onepath.query._reach import outline_of
from cython.cimports.onepath.query._results import make_nav_point

from onepath.errors import ArgumentError
from onepath.mesh.navmesh import NavMesh


def islands(self: MeshCore, filter: object = None):
    """The islands of the mesh: sets of polygons each of which can be reached from every other, as large as may be.

    They are kept, and after a commit only what it changed is looked at again.

    Args:
        filter: a QueryFilter, which decides what hangs together; None is the mesh's `default_filter`.

    Returns:
        A tuple of Island, the largest first; of equally large ones that of the lowest tile column, row, layer and
        polygon. One-way links may lead from one to another.

    Raises:
        ArgumentError: no filter.
        BusyError: a commit runs.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (6, 0, 0), (8, 0, 0), (8, 0, 4), (6, 0, 4)]
    >>> [island.area for island in NavMesh.from_polygons(corners, [[0, 1, 2, 3], [4, 5, 6, 7]]).islands()]
    [16.0, 8.0]
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        used: QueryFilter = chosen_filter(filter_for(self, filter), self)
        query.enter(used)
        try:
            return listed_islands(self, current_islands(self, used))
        finally:
            query.leave()
    finally:
        give_back(query)


def island_of(self: MeshCore, position: object, filter: object = None):
    """The island on which a position is.

    Args:
        position: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint.
        filter: as for `islands`.

    Returns:
        An Island, or None where nothing is within reach.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    place: Place
    found: Islands
    all_islands: tuple
    query: NavMeshQuery = borrowed_query(self)
    try:
        used: QueryFilter = chosen_filter(filter_for(self, filter), self)
        read_place(position, "position", cython.address(place))
        query.enter(used)
        try:
            if query.locate(cython.address(place), cython.address(used.table), True) == 0:
                return None
            found = current_islands(self, used)
            all_islands = listed_islands(self, found)
            return all_islands[found.ranks[found.island_at(cython.address(self.state), place.ref)]]
        finally:
            query.leave()
    finally:
        give_back(query)


def is_reachable(self: MeshCore, start: object, end: object, filter: object = None) -> bool:
    """Whether a path leads from one position to another over what is loaded.

    Exact, one-way links included, and without a search: both lie on one island, or links lead from island to island.
    Where tiles are not loaded, `find_path(..., partial=False)` says NOT_LOADED if they may lead on.

    Args:
        start, end: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        Whether `find_path` would reach the end with nodes enough; False where an end is not on the mesh.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    first: Place
    last: Place
    found: Islands
    query: NavMeshQuery = borrowed_query(self)
    try:
        used: QueryFilter = chosen_filter(filter_for(self, filter), self)
        read_place(start, "start", cython.address(first))
        read_place(end, "end", cython.address(last))
        query.enter(used)
        try:
            if (
                query.locate(cython.address(first), cython.address(used.table), True) == 0
                or query.locate(cython.address(last), cython.address(used.table), False) == 0
            ):
                return False
            found = current_islands(self, used)
            return found.leads_to(
                found.island_at(cython.address(self.state), first.ref),
                found.island_at(cython.address(self.state), last.ref),
            )
        finally:
            query.leave()
    finally:
        give_back(query)


def snap_to_island(query, position, filter, reach, island):
    used: QueryFilter = chosen_filter(filter, query.mesh)
    chosen: Island
    member: IslandMember
    found: Islands
    place: Place
    nearest: Nearest
    box: Box
    code: cython.int
    state: cython.pointer(MeshState) = cython.address(query.mesh.state)
    if type(island) is not Island:
        raise ArgumentError(f"island is {island!r}, not an Island")
    chosen = island
    read_place(position, "position", cython.address(place))
    query.enter(used)
    try:
        found = current_islands(query.mesh, used)
        member.state = cython.address(found.state)
        member.island = found.island_at(state, chosen.ref)
        if member.island < 0:
            raise ArgumentError(f"island is {island!r}, whose first polygon is stale or refused; ask for it again")
        if place.known and found.island_at(state, place.ref) == member.island:
            return position
        nearest.slot = -1
        if not place.known or place.ref != 0:
            box = box_of(cython.address(place), reach)
            code = find_nearest_of(
                state,
                cython.address(used.table),
                is_member,
                cython.address(member),
                place.position,
                cython.address(box),
                cython.address(nearest),
            )
            if code != 0:
                raise MemoryError("no memory for a tile's box tree")
    finally:
        query.leave()
    if nearest.slot < 0:
        return make_nav_point(0, place.position)
    return make_nav_point(polygon_reference(state, nearest.slot, nearest.polygon), nearest.point)


def snap_on_island(mesh: MeshCore, position: object, island: object, filter: object, reach: object):
    """The place on an island nearest to a position, within `reach` metres in X, Y and Z; what `explain` asks."""
    query: NavMeshQuery = borrowed_query(mesh)
    half: Vector
    half.x = half.y = half.z = read_length(reach, "reach")
    around: Reach = reach_around(half, True)
    try:
        return snap_to_island(query, position, filter, cython.address(around), island)
    finally:
        give_back(query)


def border_of(mesh: MeshCore, polygons: object):
    """The outline of valid polygons together, (m, 2, 3) segments; what `explain` asks."""
    mesh._begin_reading()
    try:
        return outline_of(cython.address(mesh.state), polygons)
    finally:
        mesh._end_reading()


def explain(self: MeshCore, start: object, end: object, filter: object = None):
    """Why there is a path between two positions, or why there is none: for whoever makes the level.

    Looked for in turn: an end off the mesh, a part of the filter, a closed link, a one-way link, tiles that are not
    loaded, the gap between the two islands. It may take a thousand times as long as a path.

    Args:
        start, end, filter: as for `find_path`.

    Returns:
        A PathExplanation, true if there is a path: `reason`, `text`, and data such as the islands, the gap, the links.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.

    >>> from onepath import NavMesh
    >>> corners = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4), (6, 1, 0), (8, 1, 0), (8, 1, 4), (6, 1, 4)]
    >>> mesh = NavMesh.from_polygons(corners, [[0, 1, 2, 3], [4, 5, 6, 7]])
    >>> why = mesh.explain((1, 0, 1), (7, 1, 1))
    >>> why.reason.name, why.gap.across, why.gap.step
    ('GAP', 2.0, 1.0)
    """
    from onepath.explaining import explain_path  # here: no game waits at its start for what explains

    self.enter()  # until it is told, what it tells of stands still
    try:
        return explain_path(self, start, end, filter)
    finally:
        self.leave()


NavMesh.islands = islands
NavMesh.explain = explain
NavMesh.island_of = island_of
NavMesh.is_reachable = is_reachable
