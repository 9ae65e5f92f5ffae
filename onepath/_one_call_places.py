"""The one-call forms of NavMesh about places: snap, drop, snap_reach, raycast, move, walls, heights, random points."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath._one_call_reach import snap_to_island
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back, snap_reach_of
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.query._inputs import LARGEST_RADIUS, read_length
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import Reach
from cython.cimports.onepath.query._random import read_random
from cython.cimports.onepath.query._results import NavPoint
from cython.cimports.onepath.query._trace_query import MOST_SLIDES
from cython.cimports.onepath.query._wall_results import NearestWall

from onepath.mesh.navmesh import NavMesh


@cython.cfunc
def reach_or(value: object, name: str, default: cython.double) -> cython.double:
    return default if value is None else read_length(value, name)


def snap(
    self: MeshCore,
    position: object,
    *,
    up: object = None,
    down: object = None,
    horizontal: object = None,
    island: object = None,
    filter: object = None,
):
    """The nearest place on the mesh.

    Args:
        position: any sequence of three floats, metres; a NavPoint is returned as it is.
        up, down, horizontal: how far to look, metres, 0 or more; by default as `snap_reach` says.
        island: an Island, to look at its polygons only; a NavPoint elsewhere is then snapped to it. It stands for the
            island, for this filter, on which its first polygon lies now, also after a commit.
        filter: a QueryFilter; None is the mesh's `default_filter`. What it refuses is not looked at.

    Returns:
        A NavPoint, false where nothing is within reach.

    Raises:
        ArgumentError, RangeError: naming argument, value and range; or the island's first polygon has gone.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    reach: Reach = query.reach
    try:
        reach.above.y = reach_or(up, "up", reach.above.y)
        reach.below.y = reach_or(down, "down", reach.below.y)
        reach.below.x = reach_or(horizontal, "horizontal", reach.below.x)
        reach.below.z = reach.above.x = reach.above.z = reach.below.x
        if island is not None:
            return snap_to_island(query, position, filter_for(self, filter), cython.address(reach), island)
        return query.snap(position, filter_for(self, filter), cython.address(reach))
    finally:
        give_back(query)


def drop(self: MeshCore, position: object, *, down: object = None, up: object = None, filter: object = None):
    """The floor straight below a position: where a thing that falls comes to rest. Never beside it, as `snap` may be.

    Args:
        position: any sequence of three floats, metres, or a NavPoint, whose position counts.
        down: how far to fall at most, metres, 0 or more; None: as far as there is anything.
        up: how far above the position the floor may lie, metres, 0 or more; None: the agent's `max_climb`, as a mesh
            lies a little above or below the ground that it was baked from. Of several floors it takes the highest.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        A NavPoint, false where there is no floor.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    deepest: cython.double = INFINITY if down is None else read_length(down, "down")
    query: NavMeshQuery = borrowed_query(self)
    try:
        rise: cython.double = self.settings.agent.max_climb if up is None else read_length(up, "up")
        return query.drop(position, filter_for(self, filter), deepest, rise)
    finally:
        give_back(query)


@property
def snap_reach(self: MeshCore):
    """How far the one-call forms look for the mesh around a position: half extents (x, y, z), metres.

    Across it is twice the agent's radius (or twice a cell, if that is more), so that a position at a wall, which keeps
    the radius from the mesh, and one beside a simplified border still find it; up and down it is the agent's height, so
    that a position at the feet, the middle or the head finds the floor below it.
    """
    return snap_reach_of(self)


def raycast(self: MeshCore, start: object, end: object, filter: object = None):
    """Follows a segment across the surface until it meets a wall.

    Heights are not compared: a ray keeps to the floor it started on, whatever the height of its end.

    Args:
        start: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint, which is not.
        end: any sequence of three floats, metres, or a NavPoint.
        filter: a QueryFilter, a polygon that it rejects is behind a wall; None is the mesh's `default_filter`.

    Returns:
        A RaycastHit. Where nothing is within reach of the start it is blocked there, at `t` 0, with no polygon.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.

    >>> from onepath import Level, bake
    >>> level = Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> mesh = bake(level, radius=0.5)
    >>> mesh.raycast((3, 0, 3), (17, 0, 10)).blocked, mesh.raycast((3, 0, 3), (30, 0, 3)).normal
    (False, (1.0, 0.0, 0.0))
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.cast_between(start, end, filter_for(self, filter))
    finally:
        give_back(query)


def move(self: MeshCore, position: object, delta: object, filter: object = None):
    """Moves along the surface, and slides along walls that are in the way, round their corners too, while it gains.

    Hold on to the NavPoint that comes back and move on from it: its polygon keeps an agent on its own side of a closed
    border and on its own floor.

    Args:
        position: any sequence of three floats, metres, snapped within `snap_reach`; or a NavPoint, which is not.
        delta: how far to go, (x, y, z) metres; y does not count, the surface says how high the place is.
        filter: a QueryFilter, a polygon that it rejects is behind a wall; None is the mesh's `default_filter`.

    Returns:
        A NavPoint, false where nothing is within reach of the position, or its polygon has gone.

    Raises:
        ArgumentError, RangeError: naming argument, value and range; the place to go to must be in range too.
        BusyError: a commit runs.

    >>> from onepath import Level, bake
    >>> level = Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> mesh = bake(level, radius=0.5)
    >>> place = mesh.move((3, 0, 3), (2, 0, 1))
    >>> place.point[0], place.point[2]
    (5.0, 4.0)
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.step(position, delta, filter_for(self, filter), MOST_SLIDES)
    finally:
        give_back(query)


def height_at(self: MeshCore, position: object, filter: object = None):
    """Height of the mesh's surface at a position, metres: straight above or below it, or beside the mesh that of the
    nearest place.

    Args:
        position: any sequence of three floats, metres, snapped within `snap_reach`, or a NavPoint.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        The height, or None where nothing is within reach.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    place: NavPoint
    try:
        place = query.snap(position, filter_for(self, filter), cython.address(query.reach))
        if place.ref == 0:
            return None
        return query.surface_height(place.ref, place)
    finally:
        give_back(query)


@cython.cfunc
def farthest(mesh: MeshCore) -> cython.double:
    """No wall is farther from a place on the mesh than this."""
    low, high = mesh.bounds
    return (high[0] - low[0]) + (high[2] - low[2]) + 1.0


def wall_distance(self: MeshCore, position: object, radius: object = None, filter: object = None):
    """How far the nearest wall is, metres, seen from above: an edge of the mesh that leads nowhere.

    The mesh keeps the agent's radius from what it was baked round, so that what an agent touches is this distance and
    its radius away.

    Args:
        position: any sequence of three floats, metres, snapped within `snap_reach`, or a NavPoint.
        radius: how far to look, metres; None looks in circles of twice the size each until a wall is in one.
        filter: a QueryFilter; what it rejects is behind walls. None is the mesh's `default_filter`.

    Returns:
        The distance; infinity where no wall is within the radius; None where the position is off the mesh.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    place: NavPoint
    wall: NearestWall
    reach: cython.double
    try:
        used = filter_for(self, filter)
        place = query.snap(position, used, cython.address(query.reach))
        if place.ref == 0:
            return None
        if radius is not None:
            wall = query.distance_to_wall(place.ref, place, radius, used)
            return wall.distance if wall.found else INFINITY
        reach = 4.0 * query.reach.above.x
        while True:
            wall = query.distance_to_wall(place.ref, place, reach, used)
            if wall.found:
                return wall.distance
            if reach > farthest(self) or reach >= LARGEST_RADIUS:
                return INFINITY
            reach = min(2.0 * reach, LARGEST_RADIUS)
    finally:
        give_back(query)


def random_point(self: MeshCore, *, seed: object, filter: object = None):
    """A point anywhere on the mesh, every square metre seen from above as likely as any other.

    Args:
        seed: an int, 0 to 2**64 - 1, for the same point each time; a SeededRandom, which goes on; or a NumPy generator.
        filter: a QueryFilter; None is the mesh's `default_filter`.

    Returns:
        A NavPoint, false where the mesh has no polygon that the filter accepts.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.random_point(read_random(seed, "seed"), filter_for(self, filter))
    finally:
        give_back(query)


def random_points(self: MeshCore, count: object, *, seed: object, filter: object = None):
    """`count` points as `random_point` gives them one after the other, from one seed.

    Args:
        count: 0 to 2**31 - 1.
        seed, filter: as for `random_point`.

    Returns:
        (polygons, points): references (count,) int64 and positions (count, 3) float64; 0 and NaN where the mesh has no
        polygon that the filter accepts.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    try:
        return query.random_points(read_random(seed, "seed"), count, filter_for(self, filter))
    finally:
        give_back(query)


NavMesh.raycast = raycast
NavMesh.move = move
NavMesh.snap = snap
NavMesh.drop = drop
NavMesh.snap_reach = snap_reach
NavMesh.height_at = height_at
NavMesh.wall_distance = wall_distance
NavMesh.random_point = random_point
NavMesh.random_points = random_points
