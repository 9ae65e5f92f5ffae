"""The one-call forms of NavMesh about places: snap, snap_reach."""

import cython
from cython.cimports.onepath._pool import borrowed_query, filter_for, give_back, snap_reach_of
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.query._inputs import read_length
from cython.cimports.onepath.query._query import NavMeshQuery
from cython.cimports.onepath.query._query_core import Reach

from onepath.mesh.navmesh import NavMesh


@cython.cfunc
def reach_or(value: object, name: str, default: cython.double) -> cython.double:
    return default if value is None else read_length(value, name)


def snap(self: MeshCore, position: object, *, up: object = None, down: object = None, horizontal: object = None):
    """The nearest place on the mesh that the mesh's `default_filter` lets pass.

    Args:
        position: any sequence of three floats, metres; a NavPoint is returned as it is.
        up, down, horizontal: how far to look, metres, 0 or more; by default as `snap_reach` says.

    Returns:
        A NavPoint, false where nothing is within reach.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        BusyError: a commit runs.
    """
    query: NavMeshQuery = borrowed_query(self)
    reach: Reach = query.reach
    try:
        reach.above.y = reach_or(up, "up", reach.above.y)
        reach.below.y = reach_or(down, "down", reach.below.y)
        reach.below.x = reach_or(horizontal, "horizontal", reach.below.x)
        reach.below.z = reach.above.x = reach.above.z = reach.below.x
        return query.snap(position, filter_for(self, None), cython.address(reach))
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


NavMesh.snap = snap
NavMesh.snap_reach = snap_reach
