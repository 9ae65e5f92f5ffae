"""How somebody looks at the world: the camera, the agent chosen, what is shown, and what the text says."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from demo_game.camera import Camera
from demo_game.drapes import mesh_outline, path_on_ground, ribbon
from demo_game.places import STOREYS
from demo_game.world import DemoWorld
from onepath import Level, Path

__all__ = ["KEYS", "FrameTimes", "Look", "camera_for"]

KEYS = (
    "left click   choose an agent, then send it",
    "drag   turn the camera     right drag   move it",
    "wheel, + -   nearer, farther     arrows, W A S D   move",
    "C   cut the upper storeys away     M   navigation mesh     L   shadows",
    "TAB   next agent     V   follow it     SPACE   pause",
    "H   these keys     F   frame times     ESC   leave",
)
#: Heights above the lowest ground at which the world is cut, metres; None is whole.
CUTS = (None, 9.0, 5.8, 2.6)


def camera_for(level: Level) -> Camera:
    """Frames the level; a generated town is seen from its street with the bridges, houses in front."""
    bounds = level.bounds or ((-5.0, 0.0, -5.0), (5.0, 3.0, 5.0))
    camera = Camera.over(*bounds)
    places = getattr(level, "places", {})
    bridge = next((point for name, point in places.items() if name.startswith("bridge")), None)
    if bridge is not None:
        camera = Camera((bridge[0], bridge[1], bridge[2] - 2.0), 44.0, turn=24.0, tilt=27.0)
    return camera


class FrameTimes:
    """Means over the last second or so of what a frame costs, milliseconds."""

    def __init__(self) -> None:
        self._kept: dict[str, deque[float]] = {}

    def add(self, name: str, seconds: float) -> None:
        """Notes one duration."""
        self._kept.setdefault(name, deque(maxlen=60)).append(seconds * 1e3)

    def mean(self, name: str) -> float:
        """Milliseconds, 0 before the first."""
        kept = self._kept.get(name)
        return sum(kept) / len(kept) if kept else 0.0

    def worst(self, name: str) -> float:
        """Milliseconds, 0 before the first."""
        return max(self._kept.get(name, [0.0]))


class Look:
    """What is seen of a world, kept apart from how it is drawn.

    Attributes:
        chosen: row of the chosen agent, or None.
        cut: index of the present height in `CUTS`.
        show_mesh, show_keys, show_times, following: as their keys say.
    """

    def __init__(self, world: DemoWorld, camera: Camera) -> None:
        self.world, self.camera = world, camera
        self.chosen: int | None = self._first_choice()
        self.cut = 0
        self.show_mesh, self.show_keys, self.show_times, self.following = False, False, True, False
        self._path: Path | None = None
        self._ribbon: NDArray[np.float32] = np.zeros((0, 3, 3), dtype=np.float32)
        self._outline: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None

    @property
    def cut_height(self) -> float | None:
        """World height above which nothing is drawn."""
        above = CUTS[self.cut]
        bounds = self.world.level.bounds
        return None if above is None or bounds is None else self._ground_level() + above

    def path_ribbon(self) -> tuple[NDArray[np.float32], bool]:
        """The chosen agent's path as (n, 3, 3) triangles, and whether they are others than at the last call."""
        path = None if self.chosen is None else self.world.path(self.chosen)
        if path is self._path:
            return self._ribbon, False
        self._path = path
        line = np.zeros((0, 3)) if path is None else path_on_ground(self.world.mesh, self.world.ground, path)
        self._ribbon = ribbon(line)
        return self._ribbon, True

    def outline(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The mesh's inner edges and borders, (n, 2, 3) each, made when first asked for."""
        if self._outline is None:
            self._outline = mesh_outline(self.world.mesh, self.world.ground)
        return self._outline

    def follow(self) -> None:
        """Keeps the chosen agent in the middle, if that is wished."""
        if self.following and self.chosen is not None:
            feet = self.world.rows[self.chosen, :3].astype(np.float64)
            self.camera.target += 0.12 * (feet + np.array([0.0, 1.0, 0.0]) - self.camera.target)

    def choose_next(self) -> None:
        """The agent after the chosen one."""
        if self.world.entities:
            self.chosen = 0 if self.chosen is None else (self.chosen + 1) % len(self.world.entities)

    def choose_traveller(self) -> None:
        """Somebody in view who is on a long way over several floors, for a picture that tells something."""
        best = 0.0
        for index, (x, y, z) in enumerate(self.world.rows[:, :3].tolist()):
            left = self.world.walker(index).remaining_distance
            if left > 5.0 and math.dist((x, y, z), self.camera.target) < self.camera.distance / 2.0:
                score = 5.0 * abs(self.world.errand(index).place.point[1] - y) + left
                if score > best:
                    best, self.chosen = score, index

    def chosen_text(self) -> str:
        """One line about the chosen agent: where to, how far, how the search ended."""
        if self.chosen is None:
            return "nobody chosen: click an agent"
        errand, walker, path = (
            self.world.errand(self.chosen), self.world.walker(self.chosen), self.world.path(self.chosen)
        )  # fmt: skip
        name = f"agent {self.chosen + 1}: {errand.place.name}"
        if path is None:
            return f"{name}, searching"
        if not path and not path.partial:
            return f"{name}, no way there: {path.status.value}"
        state = f"{walker.remaining_distance:.0f} of {path.length:.1f} m left" if walker.moving else "arrived"
        return f"{name}, {state}, {path.status.name}"

    def world_text(self) -> str:
        """One line about everybody."""
        counts = self.world.counts
        return (
            f"{len(self.world.entities)} agents   {counts.arrivals} arrivals   {self.world.metres:.0f} m walked   "
            f"{counts.searches} searches"
        )

    def _ground_level(self) -> float:
        """Of the lowest place, or of the level where it has none."""
        places = self.world.places
        bounds = self.world.level.bounds
        return min((place.point[1] for place in places), default=bounds[0][1] if bounds else 0.0)

    def _first_choice(self) -> int | None:
        """Somebody near the camera's target, so that a path is in the first picture."""
        if not self.world.entities:
            return None
        storeys = self.world.storeys()
        away = ((self.world.rows[:, :3] - self.camera.target) ** 2).sum(axis=1)
        return int(np.argmin(np.where(storeys == STOREYS - 1, away, away + 400.0)))
