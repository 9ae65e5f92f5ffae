"""The level in pieces of a few metres, so that only those before the camera are sent to be drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demo_game.palette import Surface

__all__ = ["Chunks"]

#: Side of a piece over X and Z, metres. Smaller ones fit the view better, larger ones are fewer to look at.
SIDE = 7.0


class Chunks:
    """Triangles sorted by the square that holds their middle.

    Attributes:
        surface: the same triangles, those of a square in a row.
        firsts, counts: each square's run of vertex rows, int32.
    """

    def __init__(self, surface: Surface) -> None:
        corners = surface.positions.reshape(-1, 3, 3)
        squares = np.floor(corners.mean(axis=1)[:, [0, 2]] / SIDE).astype(np.int64)
        order = np.lexsort((squares[:, 0], squares[:, 1]))
        corners, squares = corners[order], squares[order]
        self.surface = Surface(*(array.reshape(-1, 3, 3)[order].reshape(-1, 3) for array in surface))
        starts = np.flatnonzero(np.concatenate([[True], (squares[1:] != squares[:-1]).any(axis=1)]))
        starts = starts[: len(squares)]
        self.firsts = (3 * starts).astype(np.int32)
        self.counts = np.diff(np.append(self.firsts, 3 * len(squares))).astype(np.int32)
        low = np.minimum.reduceat(corners.min(axis=1), starts) if len(starts) else np.zeros((0, 3))
        high = np.maximum.reduceat(corners.max(axis=1), starts) if len(starts) else np.zeros((0, 3))
        self._low = low
        self._middles, self._halves = (low + high) / 2.0, (high - low) / 2.0

    def visible(self, view_projection: NDArray[np.float64], cut_height: float) -> NDArray[np.int64]:
        """The pieces that may be seen, nearest first: none wholly beyond a side of the view, or above the cut.

        What comes first hides what comes later before its pixels are worked out.
        """
        # A plane of the view holds the points with w + axis >= 0 or w - axis >= 0.
        planes = np.concatenate([view_projection[3] + view_projection[:3], view_projection[3] - view_projection[:3]])
        farthest = self._middles @ planes[:, :3].T + self._halves @ np.abs(planes[:, :3]).T + planes[:, 3]
        seen = np.flatnonzero((farthest >= 0.0).all(axis=1) & (self._low[:, 1] < cut_height))
        away = self._middles[seen] @ view_projection[3, :3]
        return seen[np.argsort(away, kind="stable")]
