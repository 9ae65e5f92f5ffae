"""What batched rays and moves return: an array for every field of the single calls' answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.query.status import RaycastStatus

__all__ = ["RaycastHits", "SurfaceMoves"]

STATUSES = tuple(RaycastStatus)


@dataclass(frozen=True, slots=True, eq=False)
class RaycastHits:
    """How far many rays went; row i is the answer to question i, field by field as in `RaycastHit`.

    Attributes:
        status: (n,) uint8, places in `tuple(RaycastStatus)`; `status_of(i)` is the member.
        blocked: (n,) bool.
        t: (n,) float64.
        normal: (n, 3) float64, zeros where no edge was hit.
        polygon: (n,) int64 references, 0 where the start was refused.
        edge: (n,) int32, -1 where none was hit.
        visited: int64 references, those of ray i at visited[offsets[i] : offsets[i + 1]].
        offsets: (n + 1,) int64.
    """

    status: NDArray[np.uint8]
    blocked: NDArray[np.bool_]
    t: NDArray[np.float64]
    normal: NDArray[np.float64]
    polygon: NDArray[np.int64]
    edge: NDArray[np.int32]
    visited: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"RaycastHits({len(self)} rays, {int(self.blocked.sum())} blocked)"

    def status_of(self, index: int) -> RaycastStatus:
        """The status of one ray."""
        return STATUSES[int(self.status[index])]


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceMoves:
    """Where many moves came to; row i is the answer to question i, field by field as in `SurfaceMove`.

    Attributes:
        status: (n,) uint8, places in `tuple(RaycastStatus)`; `status_of(i)` is the member.
        blocked: (n,) bool.
        ref: (n,) int64 references, 0 where the start was refused.
        point: (n, 3) float64; of a refused start, the start as it was given.
        visited: int64 references, those of move i at visited[offsets[i] : offsets[i + 1]].
        offsets: (n + 1,) int64.
    """

    status: NDArray[np.uint8]
    blocked: NDArray[np.bool_]
    ref: NDArray[np.int64]
    point: NDArray[np.float64]
    visited: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"SurfaceMoves({len(self)} moves, {int(self.blocked.sum())} blocked)"

    def status_of(self, index: int) -> RaycastStatus:
        """The status of one move."""
        return STATUSES[int(self.status[index])]
