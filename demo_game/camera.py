"""An orbit camera: where it looks, what it sees, and which ray lies under a pixel."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera"]

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

NEAREST, FARTHEST = 3.0, 600.0
#: The vertical field of view, degrees; the near and far planes, metres.
VIEW_ANGLE, NEAR, FAR = 42.0, 0.4, 1200.0


class Camera:
    """Looks at `target` from a distance, turned about Y and tilted downwards.

    Matrices are for column vectors; the world is right-handed with Y up.

    Attributes:
        target: (x, y, z) metres.
        distance: metres from it, 3 to 600.
        turn: degrees about Y; at 0 the camera looks along -Z.
        tilt: degrees below the horizon, 4 to 89.
    """

    def __init__(self, target: tuple[float, float, float], distance: float, turn: float = 25.0, tilt: float = 32.0):
        self.target: Vector = np.array(target, dtype=np.float64)
        self.distance, self.turn, self.tilt = distance, turn, tilt

    @classmethod
    def over(cls, low: tuple[float, float, float], high: tuple[float, float, float]) -> Camera:
        """Sees a box of the world whole."""
        middle = [(a + b) / 2.0 for a, b in zip(low, high, strict=True)]
        across = math.dist((low[0], low[2]), (high[0], high[2]))
        return cls((middle[0], low[1] + (high[1] - low[1]) / 3.0, middle[2]), min(FARTHEST, max(8.0, across * 0.85)))

    def orbit(self, turn: float, tilt: float) -> None:
        """Goes round the target by degrees."""
        self.turn = (self.turn + turn) % 360.0
        self.tilt = min(89.0, max(4.0, self.tilt + tilt))

    def pan(self, right: float, forward: float) -> None:
        """Moves the target over the ground, in shares of the distance."""
        angle = math.radians(self.turn)
        step = self.distance
        self.target[0] += step * (right * math.cos(angle) - forward * math.sin(angle))
        self.target[2] -= step * (right * math.sin(angle) + forward * math.cos(angle))

    def lift(self, up: float) -> None:
        """Moves the target up or down, metres."""
        self.target[1] += up

    def zoom(self, factor: float) -> None:
        """Multiplies the distance."""
        self.distance = min(FARTHEST, max(NEAREST, self.distance * factor))

    @property
    def eye(self) -> Vector:
        """Where the camera stands."""
        turn, tilt = math.radians(self.turn), math.radians(self.tilt)
        back = np.array([math.sin(turn) * math.cos(tilt), math.sin(tilt), math.cos(turn) * math.cos(tilt)])
        return self.target + self.distance * back

    def axes(self) -> tuple[Vector, Vector, Vector]:
        """Unit vectors right, up and backwards."""
        turn = math.radians(self.turn)
        right = np.array([math.cos(turn), 0.0, -math.sin(turn)])
        back = (self.eye - self.target) / self.distance
        return right, np.cross(back, right), back

    def view_projection(self, width: int, height: int) -> Matrix:
        """(4, 4): world to clip space for a picture of this many pixels."""
        view = np.eye(4)
        view[:3, :3] = self.axes()
        view[:3, 3] = -view[:3, :3] @ self.eye
        focal = 1.0 / math.tan(math.radians(VIEW_ANGLE) / 2.0)
        projection = np.zeros((4, 4))
        projection[0, 0], projection[1, 1] = focal * height / max(1, width), focal
        projection[2, 2:] = (FAR + NEAR) / (NEAR - FAR), 2.0 * FAR * NEAR / (NEAR - FAR)
        projection[3, 2] = -1.0
        return projection @ view

    def ray(self, x: float, y: float, width: int, height: int) -> tuple[Vector, Vector]:
        """(origin, unit direction) through a pixel, counted from the lower left corner."""
        slope = math.tan(math.radians(VIEW_ANGLE) / 2.0)
        right, up, back = self.axes()
        across = (2.0 * x / width - 1.0) * slope * width / height
        along = (2.0 * y / height - 1.0) * slope
        direction = across * right + along * up - back
        return self.eye, direction / math.sqrt(float(direction @ direction))
