"""Seams of tiles on random levels: joined wherever floors go on from one tile into the next, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from onepath.debug import TileStages, seam_edges
from onepath.mesh import TileView
from tests.floors import STEPS, columns_of, joined_of, places_of
from tests.random_levels import LEVELS, RandomBake

SEEDS = range(1, 43)
#: (column, row) of the tile beyond a side, the axis along the side.
BEYOND = {2: ((1, 0), 2), 1: ((0, 1), 0)}

Crossing = tuple[float, float, float]
#: Regions of a tile and of the one beyond its side.
Pairs = set[tuple[int, int]]


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
    """A side between two tiles: where floors cross it in both tiles' fields, and where their polygons are joined.

    Vertices on a side lie on corners of cells, so along the side nothing is lost or gained but the rounding of links'
    ranges to 1/255 of an edge, which is no longer than the side. In height, polygons have at their corners the highest
    of the floors around, a climb up from the others, and leave floors by a row in between.
    """

    def __init__(self, bake: RandomBake, tile: TileStages, beyond: TileStages, side: int) -> None:
        self.axis = BEYOND[side][1]
        cells = bake.settings.cells
        self.size, row, climb = cells.cell_size, cells.cell_height, cells.span.climb
        own = np.array(list(crossings(tile, side)), float).reshape(-1, 3)
        other = np.array(list(crossings(beyond, side ^ 2)), float).reshape(-1, 3)
        self.possible = np.array(
            [*crossings(tile, side, climb), *crossings(beyond, side ^ 2, climb)], dtype=float
        ).reshape(-1, 3)
        # Both tiles see the crossing, each from its own floor; their spans may differ by a row.
        apart = np.abs(own[:, None] - other)
        seen_twice = (apart <= [0.1 * self.size, (climb + 1.01) * row, 0.1 * self.size]).all(axis=2).any(axis=1)
        self.sure = own[seen_twice]
        self.rounding = (cells.tile_cells / 255 + 2e-3) * self.size
        self.height = bake.climb_height + 3 * row

    def lacks(self, parts: np.ndarray) -> list[Crossing]:
        """Crossings that joined parts do not cover from one corner of the cell to the other."""
        return [tuple(place) for place in self.sure if self._uncovered(parts, place) > 2e-3 * self.size]

    def _uncovered(self, parts: np.ndarray, place: np.ndarray) -> float:
        """The longest piece of a crossing's cell that no joined part of its height covers."""
        bottom, top = parts[:, :, 1].min(axis=1), parts[:, :, 1].max(axis=1)
        here = parts[(bottom <= place[1] + self.height) & (top >= place[1] - self.height)][:, :, self.axis]
        at, end = place[self.axis] - self.size / 2, place[self.axis] + self.size / 2
        longest = 0.0
        for low, high in sorted(zip(here.min(axis=1).tolist(), here.max(axis=1).tolist(), strict=True)):
            longest = max(longest, min(low, end) - at)
            at = max(at, high)
        return max(longest, float(end - at))

    def false_parts(self, parts: np.ndarray) -> list[list[Crossing]]:
        """Joined parts with a piece where no floor crosses the side."""
        return [part.tolist() for part in parts if self._is_false(part)]

    def _is_false(self, part: np.ndarray) -> bool:
        low, high = part[np.argsort(part[:, self.axis])]
        begin, end = low[self.axis] + self.rounding, high[self.axis] - self.rounding
        for place in np.arange(begin, end, self.size / 8):
            height = low[1] + (high[1] - low[1]) * (place - low[self.axis]) / (high - low)[self.axis]
            off = np.abs(self.possible[:, [self.axis, 1]] - [place, height])
            if not (off <= [self.size * 0.501, self.height]).all(axis=1).any():
                return True
        return False


def floors_at(tile: TileStages, side: int) -> list[tuple[int, int, int, bool]]:
    """Of each open space of a region at a side: its place along it, row, region, and whether a floor goes on across."""
    compact, padding = tile.compact, tile.padding
    x, z = places_of(compact, padding)
    last = compact.frame.width - 2 * padding - 1
    at_side = {0: x == 0, 1: z == last, 2: x == last, 3: z == 0}[side]
    along, region = z if side in (0, 2) else x, tile.regions.region
    spans = np.flatnonzero(at_side & (region > 0))
    goes_on = joined_of(compact)[spans, side] >= 0
    return list(zip(along[spans].tolist(), compact.y[spans].tolist(), region[spans].tolist(), goes_on, strict=True))


def meeting_regions(tile: TileStages, beyond: TileStages, side: int, climb: int) -> tuple[Pairs, Pairs]:
    """Pairs of regions of two tiles that meet for sure (cell by cell, both go on, no other is near), and that may."""
    sure, possible = set(), set()
    here, there = floors_at(tile, side), floors_at(beyond, side ^ 2)
    for place in {floor[0] for floor in here}:
        near = [
            (a, b) for a in here for b in there if a[0] == b[0] == place and abs(a[1] - b[1]) <= climb + 1
        ]  # rows may differ by one between tiles
        possible |= {(a[2], b[2]) for a, b in near}
        for a, b in near:
            alone = sum(a in pair or b in pair for pair in near) == 1
            if alone and a[3] and b[3] and abs(a[1] - b[1]) <= climb:
                sure.add((a[2], b[2]))
    return sure, possible


def joined_regions(view: TileView, tile: TileStages, beyond: TileView, stages_beyond: TileStages) -> Pairs:
    """Pairs of regions of two tiles that portals join."""
    place = {reference: polygon for polygon, reference in enumerate(beyond.references.tolist())}
    links = zip(view.links["polygon"].tolist(), view.links["target"].tolist(), strict=True)
    return {
        (int(tile.polymesh.regions[polygon]), int(stages_beyond.polymesh.regions[place[target]]))
        for polygon, target in links
        if target in place
    }


def assert_seams_are_right(seed: int) -> int:
    """Checks every side between two tiles of a bake; how many crossings there are."""
    bake = RandomBake(seed)
    seams = seam_edges(bake.mesh)
    joined = seams.ends[seams.kinds == 1]
    made = {(stages.column, stages.row): (view, stages) for view, stages in bake.tiles()}
    size, count = bake.stages.grid.tile_size, 0
    for (column, row), (view, tile) in made.items():
        for side, ((dx, dz), axis) in BEYOND.items():
            if (column + dx, row + dz) not in made:
                continue
            view_beyond, beyond = made[column + dx, row + dz]
            sure, possible = meeting_regions(tile, beyond, side, bake.settings.cells.span.climb)
            assert sure <= joined_regions(view, tile, view_beyond, beyond) <= possible
            line, begin = ((column + 1) * size, row * size) if side == 2 else ((row + 1) * size, column * size)
            across = 2 - axis
            on_side = (np.abs(joined[:, :, across] - line) < 1e-4).all(axis=1)
            middle = joined[:, :, axis].mean(axis=1)
            parts = joined[on_side & (middle > begin) & (middle < begin + size)]
            seam = Seam(bake, tile, beyond, side)
            count += len(seam.sure)
            assert seam.lacks(parts) == []
            assert seam.false_parts(parts) == []
    return count


@pytest.mark.parametrize("kind", range(len(LEVELS)))
def test_seams_are_joined_where_floors_go_on_and_nowhere_else(kind: int) -> None:
    assert sum(assert_seams_are_right(seed) for seed in SEEDS if seed % len(LEVELS) == kind) > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_seams_are_joined_where_floors_go_on_and_nowhere_else_at_length(seed: int) -> None:
    assert_seams_are_right(seed)
