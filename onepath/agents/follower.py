"""A first follower: walks a path's straight legs with acceleration, a turn rate and a soft arrival.

The walker never leaves the legs of its path, so it never leaves the mesh and cannot overshoot a corner, whatever its
speed and the length of a step. Everything is + - * / and square roots: the same walk on every machine.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import coordinate, number_between, point, several_positions
from onepath.errors import ArgumentError
from onepath.query import Path

__all__ = ["PathFollower"]

Point = tuple[float, float, float]
Direction = tuple[float, float]

#: A leg shorter than this in X/Z has no direction worth turning to, metres.
SHORTEST_LEG = 1e-6


class PathFollower:
    """One walker: where it stands, where it looks, and the legs before it.

    Args:
        position: (x, y, z) metres; the foot point.
        forward: (x, z) direction it looks along; made a unit vector, +z if it has no length.
        speed: fastest walk, metres a second, above 0.
        acceleration: metres a second squared, above 0; also how hard it brakes.
        turn_rate: degrees a second, above 0.

    Attributes:
        position: where it stands now.
        forward: the unit vector (x, z) along which it looks now.
        speed: metres a second, now; at most `max_speed`, the speed it was made with.
        acceleration, turn_rate: as given.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.

    >>> walker = PathFollower((0, 0, 0), speed=2.0)
    >>> walker.start([(0, 0, 0), (0, 0, 4)])
    >>> while walker.moving:
    ...     walker.advance(1 / 60)
    >>> walker.position
    (0.0, 0.0, 4.0)
    """

    __slots__ = (
        "_corner_speeds",
        "_leg",
        "_leg_position",
        "_lengths",
        "_points",
        "acceleration",
        "forward",
        "max_speed",
        "position",
        "speed",
        "turn_rate",
    )

    def __init__(
        self,
        position: Sequence[float],
        *,
        forward: Sequence[float] = (0.0, 1.0),
        speed: float = 3.5,
        acceleration: float = 8.0,
        turn_rate: float = 360.0,
    ) -> None:
        self.position: Point = point("position", position)
        self.forward: Direction = _direction("forward", forward)
        self.max_speed = _positive("speed", speed)
        self.acceleration = _positive("acceleration", acceleration)
        self.turn_rate = _positive("turn_rate", turn_rate)
        self.speed = 0.0
        self.stop()

    @property
    def moving(self) -> bool:
        """True while there is a leg left to walk."""
        return self._leg < len(self._lengths)

    @property
    def heading(self) -> float:
        """Degrees from +Z toward +X, -180 to 180; for display, `forward` is the exact value."""
        return math.degrees(math.atan2(self.forward[0], self.forward[1]))

    @property
    def remaining_distance(self) -> float:
        """Metres left along the path, in X/Z."""
        if not self.moving:
            return 0.0
        return sum(self._lengths[self._leg :]) - self._leg_position

    @property
    def desired_velocity(self) -> Point:
        """Metres a second along (x, y, z), y always 0: along the leg it walks, all 0 where there is none."""
        if not self.moving:
            return (0.0, 0.0, 0.0)
        x, z = self._leg_direction()
        return (x * self.speed, 0.0, z * self.speed)

    def __repr__(self) -> str:
        what = f"{self.remaining_distance:.2f} m left" if self.moving else "standing"
        return f"PathFollower({self.position}, speed={self.speed:.2f} of {self.max_speed:g}, {what})"

    def start(self, path: Path | Sequence[Sequence[float]] | NDArray[np.float64]) -> None:
        """Takes a path; the walk begins at its first point. An empty path stops the walker.

        Args:
            path: a Path, of which the points are taken whether it reaches its end or not, or (n, 3) corners.

        Raises:
            ArgumentError, RangeError: naming the corner; the walker goes on as before.
        """
        points = path.points if isinstance(path, Path) else path
        corners = [point(f"path[{i}]", corner) for i, corner in enumerate(several_positions("path", points))]
        self._take_legs(corners)
        if corners:
            self.position = corners[0] if self.moving else corners[-1]

    def _take_legs(self, corners: list[Point]) -> None:
        self._points = _without_repeats(corners)
        self._lengths = [_flat_distance(a, b) for a, b in itertools.pairwise(self._points)]
        self._corner_speeds = self._speeds_at_corners()
        self._leg, self._leg_position = 0, 0.0

    def stop(self) -> None:
        """Forgets the path and stands still."""
        self._take_legs([])
        self.speed = 0.0

    def advance(self, seconds: float) -> None:
        """One step of 0 or more seconds: turn, change speed, move along the legs. Without a path nothing happens.

        Raises:
            ArgumentError, RangeError: `seconds` is no number, NaN, infinite, or below 0; the walker stays as it was.
        """
        seconds = number_between("seconds", seconds, 0.0, math.inf, open_high=True)
        if not self.moving or seconds == 0.0:
            return
        wanted = self._leg_direction()
        self._turn_toward(wanted, seconds)
        self._change_speed(wanted, seconds)
        self._move_along(self.speed * seconds)

    def _leg_direction(self) -> Direction:
        a, b = self._points[self._leg], self._points[self._leg + 1]
        return _unit(b[0] - a[0], b[2] - a[2], self.forward)

    def _turn_toward(self, wanted: Direction, seconds: float) -> None:
        """Rotates `forward` toward `wanted`, by the turn rate at most.

        The turn is 2 * atan(half): no more than the angle asked for, and no trigonometry.
        """
        x, z = self.forward
        cosine, sine = x * wanted[0] + z * wanted[1], x * wanted[1] - z * wanted[0]
        half = min(0.5 * self.turn_rate * (math.pi / 180.0) * seconds, 1.0)
        most_cosine = (1.0 - half * half) / (1.0 + half * half)
        if cosine >= most_cosine:
            self.forward = wanted
            return
        most_sine = 2.0 * half / (1.0 + half * half) * (1.0 if sine >= 0.0 else -1.0)
        self.forward = _unit(x * most_cosine - z * most_sine, x * most_sine + z * most_cosine, wanted)

    def _change_speed(self, wanted: Direction, seconds: float) -> None:
        """Nobody walks fast while looking elsewhere, nor into a corner faster than it can be turned."""
        alignment = max(0.0, self.forward[0] * wanted[0] + self.forward[1] * wanted[1])
        target = self.max_speed * alignment * alignment
        ahead = self._lengths[self._leg] - self._leg_position
        for corner in range(self._leg, len(self._lengths)):
            reach = self._corner_speeds[corner]
            target = min(target, math.sqrt(reach * reach + 2.0 * self.acceleration * ahead))
            if corner + 1 == len(self._lengths) or ahead > self.max_speed * self.max_speed / self.acceleration:
                break
            ahead += self._lengths[corner + 1]
        change = self.acceleration * seconds
        self.speed = min(target, self.speed + change)

    def _move_along(self, distance: float) -> None:
        self._leg_position += distance
        while self.moving and self._leg_position >= self._lengths[self._leg]:
            self._leg_position -= self._lengths[self._leg]
            self._leg += 1
        if not self.moving:
            self.position, self.speed = self._points[-1], 0.0
            return
        a, b = self._points[self._leg], self._points[self._leg + 1]
        t = self._leg_position / self._lengths[self._leg]
        self.position = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)

    def _speeds_at_corners(self) -> list[float]:
        """How fast the end of each leg may be passed: full speed straight on, 0 at a right angle and at the end."""
        speeds = []
        for leg in range(len(self._lengths)):
            if leg + 1 == len(self._lengths):
                speeds.append(0.0)
                continue
            a, b, c = self._points[leg : leg + 3]
            before = _unit(b[0] - a[0], b[2] - a[2], (0.0, 1.0))
            behind = _unit(c[0] - b[0], c[2] - b[2], (0.0, 1.0))
            speeds.append(self.max_speed * max(0.0, before[0] * behind[0] + before[1] * behind[1]))
        return speeds


def _without_repeats(points: list[Point]) -> list[Point]:
    """The corners without those that lie on their forerunner in X/Z; a vertical leg has no length to walk."""
    kept = points[:1]
    for corner in points[1:]:
        if _flat_distance(kept[-1], corner) > SHORTEST_LEG:
            kept.append(corner)
    if len(points) > 1 and len(kept) > 1:
        kept[-1] = points[-1]
    return kept


def _flat_distance(a: Point, b: Point) -> float:
    dx, dz = b[0] - a[0], b[2] - a[2]
    return math.sqrt(dx * dx + dz * dz)


def _unit(x: float, z: float, otherwise: Direction) -> Direction:
    length = math.sqrt(x * x + z * z)
    return (x / length, z / length) if length > 0.0 else otherwise


def _positive(name: str, value: float) -> float:
    return number_between(name, value, 0.0, math.inf, open_low=True, open_high=True)


def _direction(name: str, value: Sequence[float]) -> Direction:
    """The value as a unit vector; without a length it is +z."""
    try:
        x, z = value
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {value!r}, not a direction (x, z)") from None
    return _unit(coordinate(f"{name}.x", x), coordinate(f"{name}.z", z), (0.0, 1.0))
