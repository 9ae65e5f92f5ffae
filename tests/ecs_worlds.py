"""A small mesh and an esper world of its own for every test of `onepath_ecs`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import esper
import numpy as np

from onepath import Level, NavMesh, NavMeshQuery, bake

_numbers = count(1)


def walled_floor() -> NavMesh:
    """A floor of 24 x 24 m with walls from both sides, so that ways wind: (2, 0, 2) to (22, 0, 22) takes 4 turns."""
    level = Level()
    level.add_box((0.0, -0.5, 0.0), (24.0, 0.0, 24.0))
    level.add_box((0.0, 0.0, 7.5), (19.0, 3.0, 8.5))
    level.add_box((5.0, 0.0, 15.5), (24.0, 3.0, 16.5))
    return bake(level)


@contextmanager
def own_world() -> Iterator[None]:
    """Enters a fresh world and takes it away again."""
    outside, name = esper.current_world, f"test {next(_numbers)}"
    esper.switch_world(name)
    try:
        yield
    finally:
        esper.switch_world(outside)
        esper.delete_world(name)


class PlainSurface:
    """Heights of a mesh by a scan over all its polygons."""

    def __init__(self, mesh: NavMesh) -> None:
        self._query = NavMeshQuery(mesh)
        self._references = [int(reference) for tile in mesh.tiles() for reference in tile.references]
        polygons = [mesh.polygon(reference) for reference in self._references]
        widest = max(map(len, polygons))
        # The last corner repeated: an edge of no length has everything on its left.
        corners = np.array([np.concatenate([p, np.repeat(p[-1:], widest - len(p), axis=0)]) for p in polygons])
        self._x, self._z = corners[:, :, 0], corners[:, :, 2]
        self._along_x, self._along_z = np.roll(self._x, -1, axis=1) - self._x, np.roll(self._z, -1, axis=1) - self._z
        lengths = np.hypot(self._along_x, self._along_z)
        self._lengths = np.where(lengths > 0.0, lengths, 1.0)

    def heights(self, position: tuple[float, float, float], slack: float = 2e-4) -> list[float]:
        """Of all polygons whose outline holds (x, z), by more or less `slack` metres."""
        x, _, z = position
        left = (self._along_z * (x - self._x) - self._along_x * (z - self._z)) / self._lengths
        found = [
            self._query.surface_height(self._references[row], position)
            for row in np.flatnonzero((left >= -slack).all(axis=1))
        ]
        return [height for height in found if height is not None]

    def gap(self, position: tuple[float, float, float]) -> float:
        """Metres up or down to the nearest of them; infinite beside the mesh."""
        return min((abs(height - position[1]) for height in self.heights(position)), default=np.inf)
