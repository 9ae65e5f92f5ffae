"""How far a baked surface lies from the floors of the level it was baked from, measured in columns of a fine grid.

A floor of a column is where it meets a triangle that faces up and has room for the agent above, but for one cell
height. The height error of a baked surface at a column is its distance up or down to the nearest floor there. Floors of
one column lie about as far apart as the agent is high, or further, so storeys are not mixed as long as the error stays
below half of that; beyond, a column of several floors shows less than the true error, never more.

A surface may jut out over the edge of its floor by a part of a cell. That is no matter of height, so such columns are
counted apart: those in which there is no floor at all, and those where a floor within one cell sideways is nearer by
more than the agent can climb.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath import BakeSettings

#: Metres from column to column.
SPACING = 0.15
#: Columns stand off the whole multiples of the spacing, where levels like to have their edges.
OFFSET = 0.37 * SPACING
#: Further apart than heights of any level, in metres; columns are set off against each other by this.
COLUMN = 1.0e4
#: Columns around everything, so that those beside a column are none of the other end of the grid.
MARGIN = 8


@dataclass(frozen=True)
class Hits:
    """Where columns meet triangles: `column` numbers, `height` in metres, `triangle` indices."""

    column: NDArray[np.int64]
    height: NDArray[np.float64]
    triangle: NDArray[np.int64]


@dataclass(frozen=True)
class HeightErrors:
    """Height errors of a surface in metres.

    Attributes:
        largest, mean, p99: over the columns on a floor; 0 where none is.
        off_floor: part of the columns over no floor or over an edge, 0 to 1.
        columns: how many there are; a storey above another counts again.
    """

    largest: float
    mean: float
    p99: float
    off_floor: float
    columns: int


class Columns:
    """The grid over a rectangle that holds everything that is to be compared."""

    def __init__(self, points: NDArray[np.float64], spacing: float = SPACING) -> None:
        flat = points.reshape(-1, 3)[:, ::2]
        self.spacing = spacing
        self._low = np.floor(flat.min(axis=0) / spacing).astype(np.int64) - MARGIN
        self._wide = int(np.floor(flat[:, 0].max() / spacing)) + 1 + MARGIN - int(self._low[0])

    def places(self, column: NDArray[np.int64]) -> NDArray[np.float64]:
        """The (n, 2) places in x and z of columns by number."""
        cells = np.stack([column % self._wide, column // self._wide], axis=1) + self._low
        return np.asarray(cells * self.spacing + OFFSET, np.float64)

    def numbers(self, places: NDArray[np.float64]) -> NDArray[np.int64]:
        """The columns nearest to (n, 2) places."""
        cells = np.rint((places - OFFSET) / self.spacing).astype(np.int64) - self._low
        return np.asarray(cells[:, 1] * self._wide + cells[:, 0], np.int64)

    def hits(self, triangles: NDArray[np.float64]) -> Hits:
        """Where the columns meet (n, 3, 3) triangles. Those that stand upright are met nowhere."""
        columns, heights, owners = [], [], []
        for index, triangle in enumerate(triangles):
            column, height = self._hits_of_one(triangle)
            columns.append(column)
            heights.append(height)
            owners.append(np.full(len(column), index))
        if not columns:
            return Hits(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))
        return Hits(np.concatenate(columns), np.concatenate(heights), np.concatenate(owners))

    def beside(self, reach: int) -> list[int]:
        """What to add to a column's number to come to the columns up to `reach` away, itself among them."""
        steps = range(-reach, reach + 1)
        return [row * self._wide + column for row in steps for column in steps]

    def _hits_of_one(self, triangle: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle.tolist()
        doubled = (bx - ax) * (cz - az) - (cx - ax) * (bz - az)
        if doubled == 0.0:
            return np.zeros(0, np.int64), np.zeros(0)
        columns = [np.arange(self._after(min(row)), self._after(max(row))) for row in ((ax, bx, cx), (az, bz, cz))]
        x, z = columns[0][None, :] * self.spacing + OFFSET, columns[1][:, None] * self.spacing + OFFSET
        to_b = ((x - ax) * (cz - az) - (cx - ax) * (z - az)) / doubled
        to_c = ((bx - ax) * (z - az) - (x - ax) * (bz - az)) / doubled
        slack = -1e-9
        inside = (to_b >= slack) & (to_c >= slack) & (to_b + to_c <= 1 - slack)
        number = (columns[1][:, None] - self._low[1]) * self._wide + (columns[0][None, :] - self._low[0])
        height = ay + to_b * (by - ay) + to_c * (cy - ay)
        return number[inside], height[inside]

    def _after(self, value: float) -> int:
        """The first column that does not stand before a coordinate."""
        return int(np.ceil((value - OFFSET) / self.spacing))


def floors(hits: Hits, facing_up: NDArray[np.bool_], headroom: float, merged: float) -> Hits:
    """The hits of triangles that face up, with nothing between `merged` and `headroom` metres above them."""
    order = np.lexsort((hits.height, hits.column))
    column, height = hits.column[order], hits.height[order]
    key = column * COLUMN + (height - height.min(initial=0.0))
    above = np.minimum(np.searchsorted(key, key + merged, side="right"), len(key) - 1)
    is_above = (column[above] == column) & (height[above] > height + merged)
    free = ~is_above | (height[above] - height >= headroom)
    kept = order[free & facing_up[hits.triangle[order]]]
    return Hits(hits.column[kept], hits.height[kept], hits.triangle[kept])


def distances(surface: Hits, floor: Hits, shift: int = 0) -> NDArray[np.float64]:
    """Metres from each hit of a surface to the nearest floor of its column, infinite where it has none.

    `floor` is ordered by column and height, as `floors` returns it. `shift` looks in another column instead.
    """
    nearest = np.full(len(surface.column), np.inf)
    if len(floor.column) == 0:
        return nearest
    column = surface.column + shift
    base = min(surface.height.min(initial=0.0), floor.height.min())
    key = floor.column * COLUMN + (floor.height - base)
    place = np.searchsorted(key, column * COLUMN + (surface.height - base))
    for neighbour in (place - 1, place):
        there = np.clip(neighbour, 0, len(key) - 1)
        same = floor.column[there] == column
        apart = np.abs(floor.height[there] - surface.height)
        nearest = np.where(same, np.minimum(nearest, apart), nearest)
    return nearest


def height_errors(surface: NDArray[np.float64], level: NDArray[np.float64], settings: BakeSettings) -> HeightErrors:
    """Errors of a surface that was baked with these settings against the triangles of its level, both (n, 3, 3)."""
    columns = Columns(np.concatenate([surface, level]))
    normals = np.cross(level[:, 1] - level[:, 0], level[:, 2] - level[:, 0])
    headroom = settings.agent.height - settings.cell_height
    floor = floors(columns.hits(level), normals[:, 1] > 0, headroom, settings.cell_height)
    hits = columns.hits(surface)
    apart = distances(hits, floor)
    climb = settings.agent.max_climb
    far = np.flatnonzero(apart > climb)
    doubtful = Hits(hits.column[far], hits.height[far], hits.triangle[far])
    beside = columns.beside(round(settings.cell_size / SPACING))
    nearest = np.min([distances(doubtful, floor, shift) for shift in beside], axis=0)
    on_floor = np.isfinite(apart)
    on_floor[far] &= apart[far] <= nearest + climb
    return _summary(apart, on_floor)


def _summary(apart: NDArray[np.float64], on_floor: NDArray[np.bool_]) -> HeightErrors:
    errors = np.sort(apart[on_floor])
    if len(errors) == 0:
        return HeightErrors(0.0, 0.0, 0.0, float(len(apart) > 0), len(apart))
    p99 = float(errors[int(len(errors) * 0.99)])
    return HeightErrors(float(errors[-1]), float(errors.mean()), p99, float(1 - on_floor.mean()), len(apart))
