"""Sliding: moves that go on along walls, whatever polygons the walls are made of."""

from __future__ import annotations

from collections.abc import Sequence

from onepath.errors import ArgumentError, shown
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, NavPoint, QueryFilter, SurfaceMove

__all__ = ["slide"]

#: Pieces of wall that one call follows at most.
SLIDES = 1024


def slide(
    query: NavMeshQuery | NavMesh, place: NavPoint, end: Sequence[float] | NavPoint, filter: QueryFilter | None = None
) -> SurfaceMove:
    """Moves from a place towards a position, along the walls in the way, until nothing more is gained.

    It goes straight where it can; at a wall, along the wall that leads most directly to the end, of two that are as
    good the left one; and straight again where the wall gives way. Where it ends does not depend on how polygons cut
    walls into pieces. A dead end is not left again: every leg ends nearer to the end than it began.

    Args:
        query: a NavMeshQuery, or a NavMesh, for which one is made: keep a query where you slide often.
        place: where to begin: a NavPoint, as snapping, moving or an earlier slide gives it.
        end: where to go; its height does not count.
        filter: a QueryFilter, a polygon that it rejects is behind a wall; None is the query's, which accepts every
            area but 0, or the mesh's `default_filter`.

    Returns:
        A SurfaceMove; its `place` is where to go on from.

    Raises:
        ArgumentError, RangeError: naming argument, value and range; a place that names no polygon.
        BusyError: a commit runs, or the query is at work already.

    >>> import onepath
    >>> level = onepath.Level()
    >>> level.add_plane((0, 0), (20, 20))
    >>> mesh = onepath.bake(level, radius=0.5)
    >>> went = slide(mesh, mesh.snap((18, 0, 3)), (40, 0, 9))
    >>> went.blocked, round(went.point[2], 6)
    (True, 9.0)
    """
    if not isinstance(place, NavPoint) or not place:
        raise ArgumentError(f"place is {shown(place)}, not a NavPoint on the mesh, such as mesh.snap gives")
    if isinstance(query, NavMesh):
        filter = QueryFilter(costs=query.areas.costs) if filter is None else filter
        query = NavMeshQuery(query)
    elif not isinstance(query, NavMeshQuery):
        raise ArgumentError(f"query is {shown(query)}, not a NavMeshQuery or a NavMesh")
    return query.move_along_surface(place.ref, place, end, filter, slides=SLIDES)
