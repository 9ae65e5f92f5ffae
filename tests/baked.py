"""Levels to bake and what tests ask of the result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from onepath import AgentShape, BakeSettings, Level, NavMesh

#: The standard build of the reported cases: cell 0.25 by 0.125, a body of 2.0 by 0.5, climb 0.5, 45 degrees, 8 m tiles.
STANDARD = BakeSettings(
    agent=AgentShape(radius=0.5, height=2.0, max_climb=0.5, max_slope=45.0),
    cell_size=0.25,
    cell_height=0.125,
    tile_cells=32,
    max_edge_error_cells=1.3,
)
#: The same for a body without width.
SLIM = STANDARD.replace(agent=AgentShape(radius=0.0, height=2.0, max_climb=0.5, max_slope=45.0))
#: Of ten metres STANDARD's ledge filter takes a cell at each open edge and erosion the radius: 8.5 are left.
LEFT_OF_TEN_BY_TEN = 8.5 * 8.5


def floor(width: float, depth: float, y: float = 0.0) -> Level:
    """A flat floor from (0, y, 0) to (width, y, depth)."""
    level = Level()
    level.add_plane((0, 0), (width, depth), y)
    return level


def tile_bytes(mesh: NavMesh) -> list[bytes]:
    """The bytes of every tile, by slot."""
    return [tile.tile.to_bytes() for tile in mesh.tiles()]


def ground_area(corners: NDArray[np.floating]) -> float:
    """X/Z area of one polygon, (n, 3)."""
    x, z = corners[:, 0].astype(float), corners[:, 2].astype(float)
    return abs(float(np.dot(np.roll(z, -1), x) - np.dot(z, np.roll(x, -1)))) / 2
