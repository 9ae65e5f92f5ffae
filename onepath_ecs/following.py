"""Walks every `PathFollower` and keeps its feet on the mesh."""

from __future__ import annotations

import esper

from onepath import NavMesh, NavMeshQuery
from onepath.agents import PathFollower

__all__ = ["FollowProcessor"]


class FollowProcessor(esper.Processor):
    """Advances the walkers, in the order of their entity ids.

    A path's legs run straight from corner to corner, through the air over uneven ground. Each step is therefore set
    down on the surface of the polygon nearest to the walker's last height.

    Args:
        mesh: the surface to stand on.
        reach: how far up and down the surface is looked for, metres; default the agent's height.
    """

    def __init__(self, mesh: NavMesh, reach: float | None = None) -> None:
        self.mesh = mesh
        height = mesh.settings.agent.height if reach is None else reach
        self._half_extents = (mesh.settings.cell_size, height, mesh.settings.cell_size)
        self._query = NavMeshQuery(mesh)

    def process(self, seconds: float) -> None:
        """One step of `seconds` for everybody."""
        for _, walker in sorted(esper.get_component(PathFollower), key=lambda pair: pair[0]):
            if walker.moving:
                height = walker.position[1]
                walker.advance(seconds)
                self._set_down(walker, height)

    def _set_down(self, walker: PathFollower, last_height: float) -> None:
        x, _, z = walker.position
        found = self._query.find_nearest_polygon((x, last_height, z), self._half_extents)
        if found.over_polygon and found.point is not None:
            walker.position = (x, found.point[1], z)
