"""Erosion: exact chamfer distances along links, whatever way they wind."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest

from onepath.build import CompactHeightfield, erode_walkable_area
from onepath.errors import ArgumentError, RangeError
from tests.floors import random_field, spiral_stairs
from tests.grids import compact_areas, flat_columns, solid, unit_frame


def open_floor(
    width: int, depth: int, holes: Callable[[int, int], bool] = lambda x, z: False, climb: int = 2
) -> CompactHeightfield:
    columns = {cell: spans for cell, spans in flat_columns(width, depth).items() if not holes(*cell)}
    return CompactHeightfield.build(solid(unit_frame(width, depth), columns), 3, climb)


def eroded(width: int, depth: int, radius: int) -> np.ndarray:
    compact = open_floor(width, depth)
    erode_walkable_area(compact, radius)
    return compact_areas(compact) != 0


def test_radius_zero_changes_nothing() -> None:
    assert eroded(3, 3, 0).all()


@pytest.mark.parametrize("radius", [1, 2, 3, 4])
def test_a_rectangle_loses_the_radius_on_every_side(radius: int) -> None:
    left = np.zeros((13, 15), dtype=bool)
    # The rim is the boundary, at distance 0; the cells of ring i have distance 2 * i.
    left[radius:-radius, radius:-radius] = True
    assert np.array_equal(eroded(15, 13, radius), left)


def test_a_hole_is_left_by_octagons() -> None:
    compact = open_floor(13, 13, lambda x, z: (x, z) == (6, 6))
    erode_walkable_area(compact, 2)
    columns = np.full((13, 13), -1)
    columns[compact.cell_count.reshape(13, 13) == 1] = compact.area
    gone = {(x - 6, z - 6) for z, x in np.argwhere(columns[2:-2, 2:-2] == 0) + 2}
    # The four spans beside the hole are boundary; distance < 4 is one straight step (2) or one diagonal (3) from them.
    boundary = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    steps = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    assert gone == {(x + dx, z + dz) for x, z in boundary for dx, dz in steps} - {(0, 0)}


def test_an_unwalkable_neighbour_is_a_boundary_even_when_linked() -> None:
    compact = open_floor(9, 9)
    erode_walkable_area(compact, 1)
    erode_walkable_area(compact, 1)
    # The first pass gave the rim area 0; its inner neighbours are boundary in the second.
    assert np.array_equal(np.argwhere(compact_areas(compact)), np.argwhere(np.ones((5, 5))) + 2)


def test_a_step_too_high_to_climb_is_a_boundary() -> None:
    columns = flat_columns(12, 7) | {(x, z): [(0, 4, 63)] for x in range(6, 12) for z in range(7)}
    compact = CompactHeightfield.build(solid(unit_frame(12, 7), columns), 3, 2)
    erode_walkable_area(compact, 1)
    left = compact_areas(compact) != 0
    assert not left[:, 5].any() and not left[:, 6].any() and left[1:-1, 1:5].all() and left[1:-1, 7:-1].all()


def chamfer(floor: np.ndarray) -> np.ndarray:
    """Distances of a one-storey floor by relaxing single steps until nothing changes."""
    depth, width = floor.shape
    padded = np.pad(floor, 1)
    boundary = ~floor
    for dz, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        boundary |= ~padded[1 + dz : 1 + dz + depth, 1 + dx : 1 + dx + width]
    distance = np.where(boundary, 0, 10**6)
    while True:
        best = np.pad(distance, 1, constant_values=10**6)
        passable = np.pad(floor, 1)
        found = distance.copy()
        for dz in (-1, 0, 1):
            for dx in (-1, 0, 1):
                there = best[1 + dz : 1 + dz + depth, 1 + dx : 1 + dx + width]
                if dz == 0 or dx == 0:
                    reachable = passable[1 + dz : 1 + dz + depth, 1 + dx : 1 + dx + width]
                    cost = 2
                else:
                    by_x = passable[1 : 1 + depth, 1 + dx : 1 + dx + width]
                    by_z = passable[1 + dz : 1 + dz + depth, 1 : 1 + width]
                    target = passable[1 + dz : 1 + dz + depth, 1 + dx : 1 + dx + width]
                    reachable = (by_x | by_z) & target
                    cost = 3
                if (dz, dx) != (0, 0):
                    found = np.where(reachable & floor & ~boundary, np.minimum(found, there + cost), found)
        if np.array_equal(found, distance):
            return distance
        distance = found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("radius", [2, 3, 7])
def test_distances_are_shortest_paths(seed: int, radius: int) -> None:
    floor = np.random.default_rng(seed).random((29, 31)) > 0.01 * (1 + seed)
    compact = open_floor(31, 29, lambda x, z: not floor[z, x])
    erode_walkable_area(compact, radius)
    left = np.zeros(floor.shape, dtype=bool)
    left[floor] = compact.area != 0
    assert np.array_equal(left, floor & (chamfer(floor) >= 2 * radius))
    assert not floor.all()


def square_gaps(floor: np.ndarray) -> np.ndarray:
    """Squared distance, in cells, of every cell's square to the nearest side across which a one-storey floor ends."""
    depth, width = floor.shape
    around = np.pad(floor, 1)
    sides = [
        (x, z, dx, dz)
        for z, x in np.argwhere(floor).tolist()
        for dx, dz in ((-1, 0), (0, 1), (1, 0), (0, -1))
        if not around[1 + z + dz, 1 + x + dx]
    ]
    found = np.full(floor.shape, 10**6)
    columns, rows = np.meshgrid(np.arange(width), np.arange(depth))
    for x, z, dx, dz in sides:
        low_x, high_x = x + (dx == 1), x + (dx != -1)
        low_z, high_z = z + (dz == 1), z + (dz != -1)
        across = np.maximum(0, np.maximum(low_x - columns - 1, columns - high_x))
        along = np.maximum(0, np.maximum(low_z - rows - 1, rows - high_z))
        found = np.minimum(found, across**2 + along**2)
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("radius", [1, 2, 3, 5, 9])
def test_euclidean_erosion_takes_the_cells_whose_square_comes_closer_than_the_radius(seed: int, radius: int) -> None:
    floor = np.random.default_rng(seed).random((29, 31)) > 0.004 * (1 + seed)
    compact = open_floor(31, 29, lambda x, z: not floor[z, x])
    erode_walkable_area(compact, radius, metric="euclidean")
    left = np.zeros(floor.shape, dtype=bool)
    left[floor] = compact.area != 0
    assert np.array_equal(left, floor & (square_gaps(floor) >= radius**2))


def strips(seed: int) -> np.ndarray:
    """Heights of strips along z, each with ups and downs of its own: slits lie between them where a step is too high,
    and end where it is not."""
    draw = np.random.default_rng(seed)
    widths = draw.integers(4, 9, 6)
    profiles = 4 + np.cumsum(draw.choice([-1, 0, 0, 1], (6, 29)), axis=1)
    heights = np.repeat(profiles, widths, axis=0).T
    return heights - heights.min() + 1


def walked_gap(heights: np.ndarray, x: int, z: int, far: int) -> int:
    """Squared distance of a cell's square to the nearest side that no floor within a row goes on across, of those that
    a walk along z and then along x comes to; `far` squared if all are farther."""
    depth, width = heights.shape

    def goes_on(at: tuple[int, int], step: tuple[int, int]) -> bool:
        there = at[0] + step[0], at[1] + step[1]
        inside = 0 <= there[0] < width and 0 <= there[1] < depth
        return inside and abs(int(heights[there[1], there[0]]) - int(heights[at[1], at[0]])) <= 1

    def along(at: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
        found = [at]
        while len(found) <= far + 1 and goes_on(found[-1], step):
            found.append((found[-1][0] + step[0], found[-1][1] + step[1]))
        return found

    least = far**2
    reached = {
        at for dz in (-1, 1) for start in along((x, z), (0, dz)) for dx in (-1, 1) for at in along(start, (dx, 0))
    }
    for at in reached:
        for step in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            if not goes_on(at, step):
                low_x, high_x = at[0] + (step[0] == 1), at[0] + (step[0] != -1)
                low_z, high_z = at[1] + (step[1] == 1), at[1] + (step[1] != -1)
                across, ahead = max(0, low_x - x - 1, x - high_x), max(0, low_z - z - 1, z - high_z)
                least = min(least, across**2 + ahead**2)
    return least


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("turned", [False, True])
def test_euclidean_erosion_goes_round_the_ends_of_slits(seed: int, turned: bool) -> None:
    heights = strips(seed).T if turned else strips(seed)
    depth, width = heights.shape
    columns = {(x, z): [(0, int(heights[z, x]), 63)] for z in range(depth) for x in range(width)}
    compact = CompactHeightfield.build(solid(unit_frame(width, depth, 64), columns), 3, 1)
    erode_walkable_area(compact, 3, metric="euclidean")
    wanted = [[walked_gap(heights, x, z, 3) >= 9 for x in range(width)] for z in range(depth)]
    assert np.array_equal(compact_areas(compact) != 0, np.array(wanted))


@pytest.mark.parametrize("radius", [1, 2, 3, 4, 7])
def test_a_field_that_was_kept_loses_what_the_one_that_was_made_does(radius: int) -> None:
    """Of the copy it is not known that links lead both ways: sweeps find its distances, where others spread outward."""
    left = 0
    for made in (spiral_stairs(half=12), *(random_field(seed, 40, (1, 4, 16)) for seed in range(40))):
        kept = pickle.loads(pickle.dumps(made))
        for compact in (made, kept):
            erode_walkable_area(compact, radius)
        assert np.array_equal(made.area, kept.area)
        left += int((made.area > 0).sum())
    assert left > 0


@pytest.mark.parametrize("metric", ["chamfer", "euclidean"])
def test_what_was_eroded_before_is_a_boundary(metric: str) -> None:
    once, twice = open_floor(15, 15), open_floor(15, 15)
    erode_walkable_area(once, 3, metric=metric)
    for radius in (1, 2):
        erode_walkable_area(twice, radius, metric=metric)
    assert np.array_equal(once.area, twice.area)


@pytest.mark.parametrize("radius", [1, 2, 5])
def test_euclidean_erosion_takes_as_much_from_straight_walls_as_chamfer(radius: int) -> None:
    compact = open_floor(15, 13)
    erode_walkable_area(compact, radius, metric="euclidean")
    assert np.array_equal(compact_areas(compact) != 0, eroded(15, 13, radius))


@pytest.mark.parametrize("seed", range(4))
def test_euclidean_erosion_keeps_storeys_apart(seed: int) -> None:
    floors = np.random.default_rng(seed).random((3, 19, 17)) > 0.02
    columns = {
        (x, z): [(8 * k, 8 * k + 1, 63) for k in range(3) if floors[k, z, x]] for z in range(19) for x in range(17)
    }
    compact = CompactHeightfield.build(solid(unit_frame(17, 19, 32), columns), 3, 2)
    erode_walkable_area(compact, 3, metric="euclidean")
    for k, floor in enumerate(floors):
        left = np.zeros(floor.shape, dtype=bool)
        left[floor] = compact.area[compact.y == 8 * k + 1] != 0
        assert np.array_equal(left, floor & (square_gaps(floor) >= 9))


def test_euclidean_erosion_follows_a_ramp_up_and_not_the_floor_under_it() -> None:
    # A ramp of one row a cell, hanging over a floor with a hole in its middle.
    columns = {(x, z): [(0, 1, 63), (9 + x, 10 + x, 63)] for z in range(11) for x in range(11)}
    columns[(5, 5)] = [(14, 15, 63)]
    compact = CompactHeightfield.build(solid(unit_frame(11, 11, 32), columns), 3, 2)
    erode_walkable_area(compact, 2, metric="euclidean")
    assert (compact.area[compact.y > 1] != 0).sum() == 7 * 7
    assert (compact.area[compact.y == 1] != 0).sum() == 7 * 7 - 5 * 5


def test_storeys_are_eroded_each_along_its_own_links() -> None:
    columns = {(x, z): [(0, 1, 63), (10, 11, 63)] for z in range(9) for x in range(9)}
    columns[(4, 4)] = [(0, 1, 63)]  # a hole in the upper storey
    compact = CompactHeightfield.build(solid(unit_frame(9, 9, 32), columns), 3, 2)
    erode_walkable_area(compact, 2)
    upper = compact.y == 11
    assert (compact.area[~upper] != 0).sum() == 25
    assert (compact.area[upper] != 0).sum() == 4  # of 5 x 5, the corners farthest from the hole


@pytest.mark.parametrize("radius", [2**20, 1000])
def test_a_radius_larger_than_the_field_leaves_nothing(radius: int) -> None:
    assert not eroded(20, 20, radius).any()


def test_an_empty_field_is_no_error() -> None:
    compact = CompactHeightfield.build(solid(unit_frame(2, 2), {}), 3, 2)
    erode_walkable_area(compact, 2)
    assert compact.span_count == 0


@pytest.mark.parametrize(
    ("radius", "error"), [(-1, RangeError), (2**20 + 1, RangeError), (1.0, ArgumentError), (None, ArgumentError)]
)
def test_a_radius_outside_its_range_changes_nothing(radius: object, error: type[Exception]) -> None:
    compact = open_floor(4, 4)
    with pytest.raises(error, match="radius"):
        erode_walkable_area(compact, radius)
    assert (compact.area == 63).all()


def test_an_unknown_metric_changes_nothing() -> None:
    compact = open_floor(4, 4)
    with pytest.raises(ArgumentError, match="metric is 'manhattan', not one of 'chamfer', 'euclidean'"):
        erode_walkable_area(compact, 1, metric="manhattan")
    assert (compact.area == 63).all()
