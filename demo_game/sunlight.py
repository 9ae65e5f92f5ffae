"""Where the sun sees the level from: the matrix of a shadow map, for every way of drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demo_game.palette import SUN

__all__ = ["MAP_SIZE", "shadow_offset", "sun_matrix"]

#: Pixels along a side of the shadow map.
MAP_SIZE = 2048


def sun_matrix(positions: NDArray[np.float32]) -> NDArray[np.float64]:
    """(4, 4): world to the sun's clip space, -1 to 1 over all positions (n, 3); depths grow away from the sun."""
    toward = np.array(SUN) / np.sqrt(np.dot(SUN, SUN))
    right = np.cross((0.0, 1.0, 0.0), toward)
    right /= np.sqrt(right @ right)
    axes = np.array([right, np.cross(toward, right), -toward])
    seen = positions.astype(np.float64) @ axes.T
    low, high = (seen.min(axis=0), seen.max(axis=0)) if len(seen) else (np.full(3, -1.0), np.ones(3))
    half = np.maximum((high - low) / 2.0, 1e-3) * 1.01
    matrix = np.eye(4)
    matrix[:3, :3] = axes / half[:, None]
    matrix[:3, 3] = -(low + high) / 2.0 / half
    return matrix


def shadow_offset(matrix: NDArray[np.float64]) -> float:
    """How far off a surface its light is looked up, metres: two pixels of the map, or it would shade itself."""
    across = 1.0 / min(float(np.sqrt((matrix[axis, :3] ** 2).sum())) for axis in (0, 1))
    return 2.0 * 2.0 * across / MAP_SIZE
