"""Walks every `PathFollower` and keeps its feet on the mesh."""

from __future__ import annotations

from math import inf

import esper

from onepath import NavMesh, NavMeshQuery
from onepath.agents import PathSurface
from onepath.build.arguments import number_between
from onepath_ecs.components import Route, walkers

__all__ = ["FollowProcessor"]


class FollowProcessor(esper.Processor):
    """Advances the walkers, in the order of their entity ids.

    A path's legs run straight from corner to corner, through the air over uneven ground. Each step is therefore set
    down on the surface of the polygon that the walker crosses: of its route's own polygons where it has a `Route`, for
    over stairs and hills another may be nearer; else of the polygon nearest to the walker's last height.

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
        self._surfaces: dict[int, PathSurface] = {}

    def process(self, seconds: float) -> None:
        """One step of `seconds` for everybody."""
        surfaces: dict[int, PathSurface] = {}
        for entity, walker in walkers():
            if not walker.moving:
                continue
            last_height = walker.position[1]
            walker.advance(seconds)
            route = esper.try_component(entity, Route)
            height = None
            if route is not None:
                surface = self._surfaces.get(entity)
                if surface is None or surface.path is not route.path:
                    surface = PathSurface(self.mesh, route.path)
                surfaces[entity] = surface
                height = surface.height(walker.position, last_height, self.reach)
            if height is None:
                height = self._nearest_height(walker.position, last_height)
            if height is not None:
                walker.position = (walker.position[0], height, walker.position[2])
        self._surfaces = surfaces

    def _nearest_height(self, position: tuple[float, float, float], last_height: float) -> float | None:
        found = self._query.find_nearest_polygon((position[0], last_height, position[2]), self._half_extents)
        return found.point[1] if found.over_polygon and found.point is not None else None
