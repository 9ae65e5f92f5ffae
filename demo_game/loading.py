"""The level at once, its mesh a moment later: baking runs beside the first pictures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import onepath
from onepath import Level, NavMesh, levels

__all__ = ["Baking", "generated_names", "open_level"]

#: The demo's town has two blocks a side: small enough for fifty agents to fill it.
TOWN_SIZE = 78.0


def generated_names() -> list[str]:
    """Names of the levels that come with the library."""
    return [name for name in levels.__all__ if inspect.isfunction(getattr(levels, name))]


def open_level(name: str, seed: int) -> Level:
    """A generated level by its name, or the level in a file.

    Raises:
        OnePathError, OSError: the file cannot be read as a level.
    """
    if name == "town":
        return levels.town(size=TOWN_SIZE, seed=seed)
    if name in generated_names():
        builder: Callable[..., Level] = getattr(levels, name)
        return builder(seed=seed)
    return onepath.load_level(Path(name))


class Baking:
    """Bakes a level with default settings in a thread of its own.

    Attributes:
        done, total: tiles.
        mesh: the answer, or None until it is there.
    """

    def __init__(self, level: Level) -> None:
        self.done, self.total = 0, 0
        self.mesh: NavMesh | None = None
        self._error: BaseException | None = None
        self._level = level
        self._thread = Thread(target=self._bake, name="baking", daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """One line about how far it is."""
        return f"baking the navigation mesh: {self.done} of {self.total or '?'} tiles"

    def poll(self) -> NavMesh | None:
        """The mesh as soon as it is there; raises what went wrong in the thread."""
        if self._error is not None:
            raise self._error
        return self.mesh

    def result(self) -> NavMesh:
        """Waits for the mesh."""
        self._thread.join()
        mesh = self.poll()
        assert mesh is not None, "the thread ends with a mesh or an error"
        return mesh

    def _bake(self) -> None:
        try:
            self.mesh = onepath.bake(self._level, progress=self._note)
        except BaseException as error:  # handed to whoever asks for the mesh
            self._error = error

    def _note(self, done: int, total: int) -> None:
        self.done, self.total = done, total
