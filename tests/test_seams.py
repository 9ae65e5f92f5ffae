"""Seams of tiles on random levels: joined wherever floors go on from one tile into the next, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from onepath.debug import TileStages, seam_edges
from tests.floors import STEPS, columns_of, joined_of, places_of
from tests.random_levels import LEVELS, RandomBake

SEEDS = range(1, 43)
#: (column, row) of the tile beyond a side, the axis along the side.
BEYOND = {2: ((1, 0), 2), 1: ((0, 1), 0)}

Crossing = tuple[float, float, float]


def crossings(tile: TileStages, side: int, climb: int | None = None) -> Iterator[Crossing]:
    """Middle of each cell edge on a side of a tile across which its floor goes on, in the world.

    With `climb` also those across which there is a floor within so many rows, too low for an agent as it may be between
    the two: polygons know no ceilings.
    """
    compact, padding, frame = tile.compact, tile.padding, tile.frame
    x, z = places_of(compact, padding)
    last = frame.width - 2 * padding - 1
    at_side = {0: x == 0, 1: z == last, 2: x == last, 3: z == 0}[side]
    along = z if side in (0, 2) else x
    inside = (along >= 0) & (along <= last)
    joined = joined_of(compact)
    for span in np.flatnonzero(at_side & inside & (compact.area > 0)):
        if joined[span, side] >= 0 or (climb is not None and steps_across(tile, int(span), side, climb)):
            place = np.array([x[span] + 0.5, compact.y[span], z[span] + 0.5])
            place[0 if side in (0, 2) else 2] = {0: 0, 1: last + 1, 2: last + 1, 3: 0}[side]
            low = np.array([padding, 0, padding])
            yield tuple(frame.origin + (place + low) * [frame.cell_size, frame.cell_height, frame.cell_size])


def steps_across(tile: TileStages, span: int, side: int, climb: int) -> bool:
    """Whether a walkable floor lies within a climb in the column beside that of an open space."""
    compact = tile.compact
    dx, dz = STEPS[side]
    column = int(columns_of(compact)[span]) + dx + dz * compact.frame.width
    beside = slice(compact.cell_first[column], compact.cell_first[column] + compact.cell_count[column])
    near = np.abs(compact.y[beside] - compact.y[span]) <= climb
    return bool((near & (compact.area[beside] > 0)).any())


class Seam:
    """A side between two tiles: where floors cross it in both tiles' fields, and where their polygons are joined."""

    def __init__(self, bake: RandomBake, tile: TileStages, beyond: TileStages, side: int) -> None:
        self.axis = BEYOND[side][1]
        size, row = bake.settings.cells.cell_size, bake.settings.cells.cell_height
        self.sure = np.array(list(crossings(tile, side)), float).reshape(-1, 3)
        other = np.array(list(crossings(beyond, side ^ 2)), float).reshape(-1, 3)
        climb = bake.settings.cells.span.climb
        self.possible = np.array(
            [*crossings(tile, side, climb), *crossings(beyond, side ^ 2, climb)], dtype=float
        ).reshape(-1, 3)
        # Both tiles see the crossing; their spans may differ by a row.
        seen_twice = [
            bool(len(other)) and (np.abs(other - place) <= [0.1 * size, 1.01 * row, 0.1 * size]).all(1).any()
            for place in self.sure
        ]
        self.sure = self.sure[np.array(seen_twice, bool)]
        self.reach = (bake.settings.max_edge_error_cells + 1.5) * size
        self.height = bake.climb_height + 3 * row

    def lacks(self, parts: np.ndarray) -> list[Crossing]:
        """Crossings with no joined part near by."""
        return [tuple(place) for place in self.sure if not self._near(parts, place).any()]

    def _near(self, parts: np.ndarray, place: np.ndarray) -> np.ndarray:
        low, high = parts[:, :, self.axis].min(axis=1), parts[:, :, self.axis].max(axis=1)
        bottom, top = parts[:, :, 1].min(axis=1), parts[:, :, 1].max(axis=1)
        return (
            (low <= place[self.axis] + self.reach)
            & (high >= place[self.axis] - self.reach)
            & (bottom <= place[1] + self.height)
            & (top >= place[1] - self.height)
        )

    def is_false(self, part: np.ndarray) -> bool:
        """Whether no floor crosses the side near the middle of a joined part."""
        middle = part.mean(axis=0)
        off = np.abs(self.possible - middle)
        half = abs(part[1] - part[0])[1] / 2
        return not ((off[:, self.axis] <= self.reach) & (off[:, 1] <= self.height + half)).any()


def assert_seams_are_right(seed: int) -> int:
    """Checks every side between two tiles of a bake; how many crossings there are."""
    bake = RandomBake(seed)
    seams = seam_edges(bake.mesh)
    joined = seams.ends[seams.kinds == 1]
    made = {(stages.column, stages.row): stages for _, stages in bake.tiles()}
    size, count = bake.stages.grid.tile_size, 0
    for (column, row), tile in made.items():
        for side, ((dx, dz), axis) in BEYOND.items():
            beyond = made.get((column + dx, row + dz))
            if beyond is None:
                continue
            line, begin = ((column + 1) * size, row * size) if side == 2 else ((row + 1) * size, column * size)
            across = 2 - axis
            on_side = (np.abs(joined[:, :, across] - line) < 1e-4).all(axis=1)
            middle = joined[:, :, axis].mean(axis=1)
            parts = joined[on_side & (middle > begin) & (middle < begin + size)]
            seam = Seam(bake, tile, beyond, side)
            count += len(seam.sure)
            assert seam.lacks(parts) == []
            assert [part.tolist() for part in parts if seam.is_false(part)] == []
    return count


@pytest.mark.parametrize("kind", range(len(LEVELS)))
def test_seams_are_joined_where_floors_go_on_and_nowhere_else(kind: int) -> None:
    assert sum(assert_seams_are_right(seed) for seed in SEEDS if seed % len(LEVELS) == kind) > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_seams_are_joined_where_floors_go_on_and_nowhere_else_at_length(seed: int) -> None:
    assert_seams_are_right(seed)
