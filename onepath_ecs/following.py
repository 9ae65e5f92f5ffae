"""Walks every `PathFollower` and keeps its feet on the mesh."""

from __future__ import annotations

from math import inf

import esper

from onepath import NavMesh, NavMeshQuery, NavPoint
from onepath.agents import PathFollower, PathWalk, WalkStatus
from onepath.build.arguments import number_between
from onepath_ecs.components import Destination, Route, walkers

__all__ = ["FollowProcessor"]


class FollowProcessor(esper.Processor):
    """Advances the walkers, in the order of their entity ids.

    A path's legs run straight from corner to corner, through the air over uneven ground. Each step is therefore set
    down on the surface of the polygon that the walker crosses: of its route's own polygons where it has a `Route`, for
    over stairs and hills another may be nearer; else of the polygon nearest to the walker's last height.

    A `Route` is watched over commits, and `Route.status` says how it goes on. Without ground under its feet a walker
    stands still, OFF_MESH, until there is some again. Where its path does not hold any more, or can lead farther, its
    destination is wished again. A walker without a `Route` walks its legs whatever becomes of the mesh.

    Args:
        mesh: the surface to stand on.
        reach: how far up and down the surface may lie from the last step's, metres; default the agent's height.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """

    def __init__(self, mesh: NavMesh, reach: float | None = None) -> None:
        self.mesh = mesh
        height = mesh.settings.agent.height
        self.reach = height if reach is None else number_between("reach", reach, 0.0, inf, open_high=True)
        self._half_extents = (mesh.settings.cell_size, self.reach, mesh.settings.cell_size)
        self._query = NavMeshQuery(mesh)
        self._walks: dict[int, PathWalk] = {}

    def process(self, seconds: float) -> None:
        """One step of `seconds` for everybody."""
        walks: dict[int, PathWalk] = {}
        for entity, walker in walkers():
            route = esper.try_component(entity, Route)
            if route is None:
                self._walk_blindly(walker, seconds)
                continue
            walk = self._walks.get(entity)
            if walk is None or walk.path is not route.path or walk.follower is not walker:
                walk = PathWalk(self.mesh, walker, route.path, filter=self.mesh.default_filter, reach=self.reach)
            walks[entity] = walk
            route.status = walk.advance(seconds)
            if route.status is WalkStatus.PATH_LOST:
                self._wish_again(entity, route)
        self._walks = walks

    def _walk_blindly(self, walker: PathFollower, seconds: float) -> None:
        if not walker.moving:
            return
        last_height = walker.position[1]
        walker.advance(seconds)
        height = self._nearest_height(walker.position, last_height)
        if height is not None:
            walker.position = (walker.position[0], height, walker.position[2])

    def _wish_again(self, entity: int, route: Route) -> None:
        """The same position again: a place on the mesh may have lost its polygon. A newer wish goes before it."""
        if route.destination is None or esper.has_component(entity, Destination):
            return
        wished = route.destination.point
        point = wished.point if isinstance(wished, NavPoint) else wished
        if point is not None:
            esper.add_component(entity, Destination(point))

    def _nearest_height(self, position: tuple[float, float, float], last_height: float) -> float | None:
        found = self._query.find_nearest_polygon((position[0], last_height, position[2]), self._half_extents)
        return found.point[1] if found.over_polygon and found.point is not None else None
