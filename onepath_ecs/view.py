"""Writes what a view needs to draw walkers into one array."""

from __future__ import annotations

import esper
import numpy as np
from numpy.typing import NDArray

from onepath_ecs.components import walkers

__all__ = ["ViewSyncProcessor"]

COLUMNS = 5


class ViewSyncProcessor(esper.Processor):
    """Keeps `rows`: a line a walker, ordered by entity id: x, y, z, and the direction it looks along (x, z).

    The array grows and is reused; `count` lines of it are valid until the next frame.
    """

    def __init__(self) -> None:
        self._buffer: NDArray[np.float32] = np.zeros((16, COLUMNS), dtype=np.float32)
        self.entities: list[int] = []

    @property
    def count(self) -> int:
        """Walkers in the array."""
        return len(self.entities)

    @property
    def rows(self) -> NDArray[np.float32]:
        """(count, 5) float32, a view."""
        return self._buffer[: self.count]

    def process(self, seconds: float) -> None:
        """Copies positions and headings; `entities[i]` is the walker of line i."""
        present = walkers()
        self.entities = [entity for entity, _ in present]
        if len(present) > len(self._buffer):
            self._buffer = np.zeros((2 * len(present), COLUMNS), dtype=np.float32)
        for row, (_, walker) in zip(self._buffer, present, strict=False):
            row[:] = (*walker.position, *walker.forward)
