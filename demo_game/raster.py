"""A small rasterizer in NumPy: triangles into a picture with a depth buffer, for machines without OpenGL."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas"]

Floats = NDArray[np.float64]


class Canvas:
    """A picture of `height` x `width` pixels, (rows from the top, columns, 3) colours from 0 to 1, with depths.

    Args:
        background: (height, width, 3).
        view_projection: (4, 4), world to clip space.
    """

    def __init__(self, background: NDArray[np.float32], view_projection: Floats) -> None:
        self.height, self.width = background.shape[:2]
        self.colours = background.copy()
        self.depths = np.full((self.height, self.width), np.inf, dtype=np.float32)
        self._matrix = view_projection

    def draw(
        self, positions: NDArray[np.float32], colours: NDArray[np.float32], opacity: float = 1.0, hidden: bool = False
    ) -> None:
        """Draws triangles, three rows each of (3 n, 3) positions, in the colour of each triangle's first row.

        With `hidden` only what lies behind something is drawn, and depths stay as they are.
        """
        clip = np.concatenate([positions, np.ones((len(positions), 1))], axis=1) @ self._matrix.T
        triangles, owner = _cut_at_eye(clip.reshape(-1, 3, 4))
        inverse = 1.0 / triangles[:, :, 3]
        x = (triangles[:, :, 0] * inverse * 0.5 + 0.5) * self.width
        y = (0.5 - triangles[:, :, 1] * inverse * 0.5) * self.height
        depth = triangles[:, :, 2] * inverse
        left = np.clip(np.floor(x.min(axis=1) - 0.5).astype(np.int64), 0, self.width)
        right = np.clip(np.ceil(x.max(axis=1) + 0.5).astype(np.int64), 0, self.width)
        top = np.clip(np.floor(y.min(axis=1) - 0.5).astype(np.int64), 0, self.height)
        bottom = np.clip(np.ceil(y.max(axis=1) + 0.5).astype(np.int64), 0, self.height)
        twice = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        shown = (left < right) & (top < bottom) & (np.abs(twice) > 1e-9)
        for index in np.flatnonzero(shown):
            window = (slice(top[index], bottom[index]), slice(left[index], right[index]))
            self._fill(window, x[index], y[index], depth[index], colours[3 * owner[index]], opacity, hidden)

    def _fill(
        self, window: tuple[slice, slice], x: Floats, y: Floats, depth: Floats, colour: NDArray[np.float32],
        opacity: float, hidden: bool,
    ) -> None:  # fmt: skip
        columns = np.arange(window[1].start, window[1].stop) + 0.5 - x[0]
        rows = (np.arange(window[0].start, window[0].stop) + 0.5 - y[0])[:, None]
        x1, x2, y1, y2 = x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]
        scale = 1.0 / (x1 * y2 - x2 * y1)
        u = (columns * y2 - rows * x2) * scale
        v = (rows * x1 - columns * y1) * scale
        deep = (depth[0] + u * (depth[1] - depth[0]) + v * (depth[2] - depth[0])).astype(np.float32)
        before = self.depths[window]
        mask = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & ((deep >= before) if hidden else (deep < before))
        picture = self.colours[window]
        if opacity == 1.0:
            picture[mask] = colour
        else:
            picture[mask] = picture[mask] * (1.0 - opacity) + colour * opacity
        if not hidden:
            before[mask] = deep[mask]


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
