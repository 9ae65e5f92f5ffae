"""What lies under the mouse: the drawn triangle or the agent that a ray meets first."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from demo_game.body import BODY_HEIGHT

__all__ = ["agent_under", "ground_under"]

Vector = NDArray[np.float64]

#: How far beside an agent's middle line a click still means it, metres.
GRASP = 0.6


def ground_under(
    origin: Vector, direction: Vector, positions: NDArray[np.float32], below: float = math.inf
) -> tuple[float, float, float] | None:
    """Where a ray first meets triangles, (3 n, 3) rows; parts at or above the height `below` are cut away."""
    corners = positions.reshape(-1, 3, 3).astype(np.float64)
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(direction, ac)
    volume = (ab * across).sum(axis=1)
    flat = np.abs(volume) < 1e-12
    volume = np.where(flat, 1.0, volume)
    away = origin - corners[:, 0]
    u = (away * across).sum(axis=1) / volume
    turned = np.cross(away, ab)
    v = turned @ direction / volume
    distance = (turned * ac).sum(axis=1) / volume
    met = ~flat & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance > 0.0)
    met &= origin[1] + distance * direction[1] < below
    if not met.any():
        return None
    x, y, z = (origin + distance[met].min() * direction).tolist()
    return x, y, z


def agent_under(origin: Vector, direction: Vector, rows: NDArray[np.float32], below: float = math.inf) -> int | None:
    """The row of the nearest agent whose upright middle line passes within 0.6 m of the ray, or None."""
    feet = rows[:, :3].astype(np.float64)
    # The nearest points of the ray and of each upright line: both distances from a 2 x 2 system.
    steep = direction[1]
    away = feet - origin
    level = max(1e-9, 1.0 - steep * steep)
    along = (away @ direction - steep * away[:, 1]) / level
    height = np.clip(along * steep - away[:, 1], 0.0, BODY_HEIGHT)
    along = (away + height[:, None] * np.array([0.0, 1.0, 0.0])) @ direction
    spot = feet + height[:, None] * np.array([0.0, 1.0, 0.0])
    gap = np.sqrt(((origin + along[:, None] * direction - spot) ** 2).sum(axis=1))
    near = (gap <= GRASP) & (along > 0.0) & (feet[:, 1] < below)
    if not near.any():
        return None
    return int(np.argmin(np.where(near, along + 4.0 * gap, math.inf)))
