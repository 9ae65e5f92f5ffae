"""A small rasterizer in NumPy: triangles into a picture with a depth buffer, for machines without OpenGL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas"]

Floats = NDArray[np.float64]


class Canvas:
    """Which triangle is seen in each pixel of a picture, rows from the top, and how far away it is.

    Args:
        width, height: pixels.
        view_projection: (4, 4), world to clip space.

    Attributes:
        owners: (height, width) int32, the number of the triangle seen, -1 for none.
        depths: (height, width) float32, -1 at the near plane to 1 at the far one, infinite where nothing is.
    """

    def __init__(self, width: int, height: int, view_projection: Floats) -> None:
        self.width, self.height = width, height
        self.owners = np.full((height, width), -1, dtype=np.int32)
        self.depths = np.full((height, width), np.inf, dtype=np.float32)
        self._matrix = view_projection

    def cover(self, positions: NDArray[np.float32]) -> None:
        """Draws triangles, three rows each of (3 n, 3) positions, numbered from 0, those that show their front."""
        for owner, window, deep in self._fragments(positions, backs=False):
            before = self.depths[window]
            nearer = deep < before
            before[nearer] = deep[nearer]
            self.owners[window][nearer] = owner

    def paint(
        self, picture: NDArray[np.float32], positions: NDArray[np.float32], colour: Sequence[float], hidden: float
    ) -> None:
        """Lays triangles of one colour over a finished picture, (height, width, 3).

        What lies behind something shows through with an opacity of `hidden`, 0 to 1.
        """
        opacity = np.zeros((self.height, self.width), dtype=np.float32)
        for _, window, deep in self._fragments(positions, backs=True):
            share = np.where(deep < self.depths[window], np.float32(1.0), np.float32(hidden))
            np.maximum(opacity[window], np.where(np.isinf(deep), np.float32(0.0), share), out=opacity[window])
        rows, columns = np.nonzero(opacity)
        share = opacity[rows, columns, None]
        picture[rows, columns] += (np.array(colour, dtype=np.float32) - picture[rows, columns]) * share

    def _fragments(
        self, positions: NDArray[np.float32], backs: bool
    ) -> Iterator[tuple[int, tuple[slice, slice], Floats]]:
        """Of every triangle its number, the window it lies in, and its depths there, infinite beside it."""
        clip = np.concatenate([positions, np.ones((len(positions), 1))], axis=1) @ self._matrix.T
        triangles, owners = _cut_at_eye(clip.reshape(-1, 3, 4))
        inverse = 1.0 / triangles[:, :, 3]
        x = (triangles[:, :, 0] * inverse * 0.5 + 0.5) * self.width
        y = (0.5 - triangles[:, :, 1] * inverse * 0.5) * self.height
        depth = triangles[:, :, 2] * inverse
        left = np.clip(np.floor(x.min(axis=1) - 0.5).astype(np.int64), 0, self.width)
        right = np.clip(np.ceil(x.max(axis=1) + 0.5).astype(np.int64), 0, self.width)
        top = np.clip(np.floor(y.min(axis=1) - 0.5).astype(np.int64), 0, self.height)
        bottom = np.clip(np.ceil(y.max(axis=1) + 0.5).astype(np.int64), 0, self.height)
        twice = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        # Rows run downwards: what turns counter-clockwise to the eye turns clockwise here.
        shown = (left < right) & (top < bottom) & ((np.abs(twice) if backs else -twice) > 1e-9)
        for index in np.flatnonzero(shown):
            window = (slice(top[index], bottom[index]), slice(left[index], right[index]))
            yield int(owners[index]), window, _depths_in(window, x[index], y[index], depth[index])


def _depths_in(window: tuple[slice, slice], x: Floats, y: Floats, depth: Floats) -> Floats:
    """Depths at the pixels' middles of a window, infinite outside the triangle."""
    columns = np.arange(window[1].start, window[1].stop) + 0.5 - x[0]
    rows = (np.arange(window[0].start, window[0].stop) + 0.5 - y[0])[:, None]
    x1, x2, y1, y2 = x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]
    scale = 1.0 / (x1 * y2 - x2 * y1)
    u = (columns * y2 - rows * x2) * scale
    v = (rows * x1 - columns * y1) * scale
    deep = depth[0] + u * (depth[1] - depth[0]) + v * (depth[2] - depth[0])
    return np.asarray(np.where((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0), deep, np.inf))


def _cut_at_eye(clip: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Triangles in clip space without what lies behind the near plane, and the triangle each comes from."""
    front = clip[:, :, 2] > -clip[:, :, 3]
    count = front.sum(axis=1)
    owner = np.arange(len(clip))
    found, owners = [clip[count == 3]], [owner[count == 3]]
    for inside in (1, 2):
        chosen = owner[count == inside]
        if len(chosen) == 0:
            continue
        # Turned so that the single corner, in front or behind, comes first.
        single = front[chosen] if inside == 1 else ~front[chosen]
        turn = (np.argmax(single, axis=1)[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(np.take_along_axis(clip[chosen], turn[:, :, None], axis=1), 1, 0)
        ab, ac = _at_near(a, b), _at_near(a, c)
        if inside == 1:
            found.append(np.stack([a, ab, ac], axis=1))
            owners.append(chosen)
        else:
            found += [np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)]
            owners += [chosen, chosen]
    return np.concatenate(found), np.concatenate(owners)


def _at_near(a: Floats, b: Floats) -> Floats:
    """Where the edge from a to b meets the near plane."""
    da, db = a[:, 2] + a[:, 3], b[:, 2] + b[:, 3]
    return a + (b - a) * (da / (da - db))[:, None]
