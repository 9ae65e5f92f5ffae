"""Heights of the drawn ground: which triangle lies under a foot, on which floor.

A navigation mesh follows the ground only within its cells' height and its polygons' flatness; what a player sees are
the level's own triangles. A foot is therefore set on the triangle near the mesh's height at its spot.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["GroundLookup"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

#: Edges of neighbouring triangles belong to both: barycentric numbers may be this much below zero.
EDGE_SLACK = 1e-7
#: Grid cells along the longer side at most.
MOST_CELLS = 256


class GroundLookup:
    """The triangles that face up, sorted into a grid over X and Z.

    Args:
        vertices: (n, 3) metres.
        triangles: (m, 3) rows of `vertices`, counter-clockwise seen from the side they face.
        cell: size of a grid cell, metres; larger where the level is larger than 256 cells.
    """

    def __init__(self, vertices: Floats, triangles: NDArray[np.int32], cell: float = 2.0) -> None:
        corners = np.asarray(vertices, dtype=np.float64)[triangles]
        a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        twice_area = ab[:, 2] * ac[:, 0] - ab[:, 0] * ac[:, 2]
        up = twice_area > 1e-12
        self._a, self._ab, self._ac, self._twice_area = a[up], ab[up], ac[up], twice_area[up]
        low, high = corners[up].min(axis=1)[:, [0, 2]], corners[up].max(axis=1)[:, [0, 2]]
        self._origin = low.min(axis=0) if len(low) else np.zeros(2)
        extent = float((high.max(axis=0) - self._origin).max()) if len(low) else 0.0
        self._cell = max(cell, extent / MOST_CELLS)
        last = np.floor((high - self._origin) / self._cell).astype(np.int64)
        self._columns = int(last[:, 0].max()) + 1 if len(low) else 0
        self._rows = int(last[:, 1].max()) + 1 if len(low) else 0
        self._offsets, self._indices = self._binned(np.floor((low - self._origin) / self._cell).astype(np.int64), last)

    def _binned(self, first: Whole, last: Whole) -> tuple[Whole, Whole]:
        """For every cell the triangles whose box touches it: offsets (cells + 1) and indices."""
        span = last - first + 1
        owner, local = _ragged(span[:, 0] * span[:, 1])
        width = span[owner, 0]
        cells = (first[owner, 1] + local // width) * self._columns + first[owner, 0] + local % width
        order = np.argsort(cells, kind="stable")
        counts = np.bincount(cells, minlength=self._columns * self._rows)
        return np.concatenate([[0], np.cumsum(counts)]), owner[order]

    def heights(self, points: Floats, reach: float = 0.6) -> Floats:
        """The ground's height under each of (n, 3) points, (n,); NaN where no triangle lies above or below.

        Of the triangles at most `reach` from a point's own height the highest counts, for that is the one seen (a
        pavement hides the ground that runs on beneath it). Where there is none so near, the nearest counts.
        """
        points = np.asarray(points, dtype=np.float64)
        answer = np.full(len(points), math.nan)
        owner, triangle = self._candidates(points)
        if len(owner) == 0:
            return answer
        height = self._height_on(triangle, points[owner, 0], points[owner, 2])
        hit = ~np.isnan(height)
        owner, height = owner[hit], height[hit]
        away = np.abs(height - points[owner, 1])
        # Near ones first, the highest of them foremost; the others by their distance.
        rank = np.where(away <= reach, -height, away)
        order = np.lexsort((rank, away > reach, owner))
        owner, height = owner[order], height[order]
        first = np.concatenate([[True], owner[1:] != owner[:-1]]) if len(owner) else np.zeros(0, dtype=bool)
        answer[owner[first]] = height[first]
        return answer

    def _candidates(self, points: Floats) -> tuple[Whole, Whole]:
        """Pairs (row of points, triangle) of each point's cell."""
        spot = np.floor((points[:, [0, 2]] - self._origin) / self._cell).astype(np.int64)
        inside = (spot >= 0).all(axis=1) & (spot[:, 0] < self._columns) & (spot[:, 1] < self._rows)
        cells = np.where(inside, spot[:, 1] * self._columns + spot[:, 0], 0)
        if len(self._offsets) < 2:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        counts = np.where(inside, self._offsets[cells + 1] - self._offsets[cells], 0)
        owner, local = _ragged(counts)
        return owner, self._indices[self._offsets[cells[owner]] + local]

    def _height_on(self, triangle: Whole, x: Floats, z: Floats) -> Floats:
        """Of each triangle's plane at (x, z); NaN outside the triangle."""
        a, ab, ac = self._a[triangle], self._ab[triangle], self._ac[triangle]
        dx, dz = x - a[:, 0], z - a[:, 2]
        along_ab = (dz * ac[:, 0] - dx * ac[:, 2]) / self._twice_area[triangle]
        along_ac = (ab[:, 2] * dx - ab[:, 0] * dz) / self._twice_area[triangle]
        inside = (along_ab >= -EDGE_SLACK) & (along_ac >= -EDGE_SLACK) & (along_ab + along_ac <= 1.0 + EDGE_SLACK)
        return np.where(inside, a[:, 1] + along_ab * ab[:, 1] + along_ac * ac[:, 1], math.nan)


def _ragged(counts: Whole) -> tuple[Whole, Whole]:
    """For runs of the given lengths: the run of every element, and its place in the run."""
    owner = np.repeat(np.arange(len(counts)), counts)
    starts = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - starts[owner]
