"""Where a spot lies beside triangles, rings and cells: the plain geometry behind `explain_spot`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from onepath.build import CompactHeightfield

__all__ = ["distance_outside", "height_over", "highest_within", "island_cells"]


def highest_within(
    corners: NDArray[np.float64], normal: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How high each triangle's plane comes over a cell, no higher than its corners; of a wall its highest corner."""
    rises = np.where(normal[:, [0, 2]] < 0, high, low)
    steep = np.abs(normal[:, 1]) < 1e-9
    upward = np.where(steep, 1.0, normal[:, 1])
    rises = np.where(normal[:, 1:2] < 0, low + high - rises, rises)
    over = ((rises - corners[:, 0][:, [0, 2]]) * normal[:, [0, 2]]).sum(axis=1)
    height = np.where(steep, np.inf, corners[:, 0, 1] - over / upward)
    return np.clip(height, corners[:, :, 1].min(axis=1), corners[:, :, 1].max(axis=1))


def distance_outside(ring: NDArray[np.float64], u: float, w: float) -> float:
    """How far a place lies outside a convex ring, 0 within it."""
    here, after = ring, np.roll(ring, -1, axis=0)
    along = after - here
    off = np.array([u, w]) - here
    if (off[:, 1] * along[:, 0] - off[:, 0] * along[:, 1] <= 0.0).all():
        return 0.0
    part = np.clip((off * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
    gap = off - along * part[:, None]
    return float(np.sqrt((gap * gap).sum(axis=1).min()))


def height_over(triangles: NDArray[np.float64], u: float, w: float) -> float:
    """Height at a place of the triangle that covers it, or comes nearest to that."""
    a, ab, ac = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = ab[:, 2] * ac[:, 0] - ab[:, 0] * ac[:, 2]
    a, ab, ac, area = (values[area > 0.0] for values in (a, ab, ac, area))  # a fan may have corners on one line
    ap = np.array([u, 0.0, w]) - a
    second = (ap[:, 2] * ac[:, 0] - ap[:, 0] * ac[:, 2]) / area
    third = (ab[:, 2] * ap[:, 0] - ab[:, 0] * ap[:, 2]) / area
    best = int(np.argmax(np.minimum(np.minimum(second, third), 1.0 - second - third)))
    return float(a[best, 1] + second[best] * ab[best, 1] + third[best] * ac[best, 1])


def island_cells(compact: CompactHeightfield, span: int, padding: int) -> int:
    """Walkable open spaces in the tile's square that links lead to from one of them, itself included."""
    width, depth = compact.frame.width, compact.frame.depth
    column_of = np.repeat(np.arange(width * depth), compact.cell_count)
    links, first, area = compact.links, compact.cell_first, compact.area
    seen, waiting = {span}, [span]
    while waiting:
        at = waiting.pop()
        for direction, step in enumerate((-1, width, 1, -width)):
            if links[at, direction] < 0:
                continue
            column = column_of[at] + step
            other = int(first[column] + links[at, direction])
            x, z = column % width - padding, column // width - padding
            inside = 0 <= x < width - 2 * padding and 0 <= z < depth - 2 * padding
            if inside and area[other] > 0 and other not in seen:
                seen.add(other)
                waiting.append(other)
    return len(seen)
