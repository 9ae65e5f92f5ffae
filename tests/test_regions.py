"""Regions: what each promises of its own, on random floors, stacked floors and stairs that wind over themselves."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from onepath.build import CompactHeightfield, ConvexVolume, RegionSet, apply_volume, build_contours, build_regions
from onepath.build.settings import PARTITIONS
from onepath.errors import ArgumentError, RangeError
from tests.floors import (
    STEPS,
    columns_of,
    crowded_field,
    field_of,
    is_inside,
    joined_of,
    places_of,
    plan,
    random_field,
    random_spans,
    spiral_stairs,
)

SEEDS = range(40)


def random_regions(seed: int, **settings: Any) -> tuple[CompactHeightfield, RegionSet]:
    compact = random_field(seed)
    room = (min(compact.frame.width, compact.frame.depth) - 1) // 2
    padding = seed % (room + 1) if seed % 3 else 0
    return compact, build_regions(compact, padding=padding, **settings)


def assert_sound(compact: CompactHeightfield, regions: RegionSet) -> None:
    """No region lies over itself or unlinked beside itself; each has one area and is one piece."""
    column, joined, region = columns_of(compact), joined_of(compact), regions.region
    x, z = places_of(compact)
    held = {}
    for span in np.flatnonzero(region):
        assert (column[span], region[span]) not in held, "a region has two spaces in one column"
        held[column[span], region[span]] = span
    for (_, number), span in held.items():
        for direction, (dx, dz) in enumerate(STEPS):
            beside = (x[span] + dx) + (z[span] + dz) * compact.frame.width
            inside = 0 <= x[span] + dx < compact.frame.width
            if inside and (beside, number) in held:
                assert joined[span, direction] == held[beside, number], "a region lies beside itself unlinked"
    for number in range(1, regions.count + 1):
        members = set(np.flatnonzero(region == number).tolist())
        assert len(set(compact.area[list(members)].tolist())) == 1
        assert reached(joined, members) == members


def reached(joined: np.ndarray, members: set[int]) -> set[int]:
    start = min(members)
    seen, waiting = {start}, deque([start])
    while waiting:
        for other in joined[waiting.popleft()].tolist():
            if other in members and other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_walkable_space_in_the_square_has_a_region_and_no_other_has(seed: int, partition: str) -> None:
    compact, regions = random_regions(seed, partition=partition)
    wanted = is_inside(compact, regions.padding) & (compact.area > 0)
    assert np.array_equal(regions.region > 0, wanted)
    assert np.array_equal(compact.region, regions.region)


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("merge_region", [0, 12, 400])
@pytest.mark.parametrize("seed", SEEDS)
def test_regions_are_sound(seed: int, merge_region: int, partition: str) -> None:
    assert_sound(*random_regions(seed, merge_region=merge_region, partition=partition))


@pytest.mark.parametrize("partition", PARTITIONS)
def test_regions_of_crowded_floors_are_sound(partition: str) -> None:
    for seed in range(100):
        compact = crowded_field(seed)
        assert_sound(compact, build_regions(compact, partition=partition))


@pytest.mark.parametrize(("seed", "count"), [(64, 25), (208, 20)])
def test_a_space_that_one_region_may_not_take_goes_to_another_that_has_reached_it(seed: int, count: int) -> None:
    """It would become a region of its own, one more than there are."""
    assert build_regions(crowded_field(seed)).count == count


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("merge_region", [0, 10**6])
@pytest.mark.parametrize("post", [0, 1, 2])
def test_spiral_stairs_are_cut_before_they_turn_over_themselves(post: int, merge_region: int, partition: str) -> None:
    compact = spiral_stairs(post=post)
    regions = build_regions(compact, merge_region=merge_region, partition=partition)
    assert_sound(compact, regions)
    assert (regions.region > 0).all()
    assert regions.count >= 3  # a turn each


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_follow_the_order_of_the_spaces(seed: int, partition: str) -> None:
    _, regions = random_regions(seed, merge_region=20, partition=partition)
    numbers = regions.region[regions.region > 0]
    _, first = np.unique(numbers, return_index=True)
    assert numbers[np.sort(first)].tolist() == list(range(1, regions.count + 1))


@pytest.mark.parametrize("seed", range(12))
def test_moving_the_floor_by_whole_cells_moves_its_regions(seed: int) -> None:
    spans = random_spans(seed, 14, 11)
    here = build_regions(field_of(spans, 14, 11), merge_region=8)
    moved = build_regions(field_of([(x + 3, z + 2, y, area) for x, z, y, area in spans], 20, 16), merge_region=8)
    assert np.array_equal(here.region, moved.region)


@pytest.mark.parametrize("seed", range(30))
def test_distance_is_the_least_number_of_layers_to_a_boundary(seed: int) -> None:
    compact, regions = random_regions(seed)
    joined = joined_of(compact)
    layer = [
        span
        for span in range(compact.span_count)
        if any(other < 0 or compact.area[other] != compact.area[span] for other in joined[span])
    ]
    expected = np.full(compact.span_count, -1)
    expected[layer] = 0
    level = 1
    while layer:
        straight = {other for span in layer for other in joined[span].tolist()}
        reach = straight - {-1}
        if level % 2 == 0:
            for span in layer:
                for direction in range(4):
                    beside = joined[span, direction]
                    if beside >= 0:
                        reach |= {int(joined[beside, (direction + turn) % 4]) for turn in (1, 3)}
        layer = [span for span in sorted(reach - {-1}) if expected[span] < 0]
        expected[layer] = level
        level += 1
    assert np.array_equal(regions.distance, expected)


def test_two_rooms_are_two_regions_that_meet_in_the_door() -> None:
    compact = plan(
        "...............",
        ".######.######.",
        ".######.######.",
        ".#############.",
        ".######.######.",
        ".######.######.",
        "...............",
    )
    apart = build_regions(compact)
    assert apart.count == 2
    x, _ = places_of(compact)
    assert len(set(apart.region[x < 7].tolist())) == 1
    assert len(set(apart.region[x > 7].tolist())) == 1
    assert apart.region[x == 7].tolist() == [1]  # both are as far from a wall, and the first of them takes it
    assert build_regions(compact, merge_region=100).count == 1


def test_a_region_does_not_merge_across_areas() -> None:
    compact = plan("####11", "####11")
    regions = build_regions(compact, merge_region=100)
    assert regions.count == 2


@pytest.mark.parametrize("partition", PARTITIONS)
def test_a_small_island_is_left_out_and_one_at_the_side_is_kept(partition: str) -> None:
    compact = plan(
        "##.......",
        "...##....",
        "...##....",
        ".........",
        "....#####",
        "....#####",
        ".........",
    )
    regions = build_regions(compact, min_region=5, partition=partition)
    _, z = places_of(compact)
    assert (regions.region[(z == 1) | (z == 2)] == 0).all()
    assert (regions.region[(z == 0) | (z > 3)] > 0).all()
    assert (regions.dropped_islands, regions.dropped_spans) == (1, 4)


def test_a_region_of_exactly_the_merge_size_stays_and_one_of_a_space_fewer_joins() -> None:
    compact = plan("####.####.", "####.####.", "#########.")
    assert np.bincount(build_regions(compact, partition="monotone").region).tolist() == [0, 17, 8]
    assert build_regions(compact, merge_region=8, partition="monotone").count == 2
    assert build_regions(compact, merge_region=9, partition="monotone").count == 1


@pytest.mark.parametrize(
    ("above", "below", "joins_above"),
    [("##########......", "........########", True), ("########........", ".......#########", False)],
)
def test_a_small_region_joins_the_neighbour_with_which_it_shares_most_border(
    above: str, below: str, joins_above: bool
) -> None:
    compact = plan(above, "######.###.#####", below)
    x, z = places_of(compact)
    [small], [low], [high] = (np.flatnonzero((x == a) & (z == b)) for a, b in ((8, 1), (0, 0), (15, 2)))
    assert build_regions(compact, partition="monotone").count == 3
    region = build_regions(compact, partition="monotone", merge_region=4).region
    assert (region[small] == region[low], region[small] == region[high]) == (joins_above, not joins_above)


def test_of_two_neighbours_with_as_much_border_the_first_is_joined() -> None:
    compact = plan("##########......", "######.###.#####", ".......#########")
    x, z = places_of(compact)
    region = build_regions(compact, partition="monotone", merge_region=4).region
    assert set(region[(z == 1) & (x > 6) & (x < 10)].tolist()) == {1}
    assert set(region[z == 2].tolist()) == {2}


def test_the_smallest_region_joins_first_and_what_has_grown_large_enough_joins_no_other() -> None:
    compact = plan(
        "##########", "#####.###.", "......#.#."
    )  # the region of 4 borders on the large one more than on that of 1
    assert np.bincount(build_regions(compact, partition="monotone").region).tolist() == [0, 15, 4, 1]
    regions = build_regions(compact, partition="monotone", merge_region=5)
    assert np.bincount(regions.region).tolist() == [0, 15, 5]
    assert regions.merges == 1


def test_an_island_counts_whole_whatever_its_areas_and_regions() -> None:
    compact = plan(".......", ".##112.", ".......")
    assert (build_regions(compact, min_region=5).region > 0).all()
    assert (build_regions(compact, min_region=6).region == 0).all()


def test_padding_is_seen_but_gets_no_region() -> None:
    compact = plan(*["#########"] * 9)
    regions = build_regions(compact, padding=2)
    assert regions.count == 1
    assert (regions.region > 0).sum() == 25
    x, z = places_of(compact, 2)
    assert regions.distance[(x == 0) & (z == 0)] == 2


# --- sizes, on random floors


def islands_of(compact: CompactHeightfield, padding: int) -> list[set[int]]:
    """What hangs together over links within the square."""
    joined = joined_of(compact)
    left = set(np.flatnonzero(is_inside(compact, padding) & (compact.area > 0)).tolist())
    found = []
    while left:
        found.append(reached(joined, left))
        left -= found[-1]
    return found


def assert_small_islands_are_gone(compact: CompactHeightfield, regions: RegionSet, min_region: int) -> None:
    """Islands of fewer spaces have no regions unless one of their cells touches a side of the square."""
    x, z = places_of(compact, regions.padding)
    width, depth = (side - 2 * regions.padding for side in (compact.frame.width, compact.frame.depth))
    at_side = (x == 0) | (z == 0) | (x == width - 1) | (z == depth - 1)
    gone = []
    for island in islands_of(compact, regions.padding):
        members = list(island)
        kept = len(island) >= min_region or bool(at_side[members].any())
        assert (regions.region[members] > 0).all() == kept and (regions.region[members] > 0).any() == kept
        if not kept:
            gone.append(len(island))
    assert (regions.dropped_islands, regions.dropped_spans) == (len(gone), sum(gone))


def conflicts_of(compact: CompactHeightfield, region: np.ndarray) -> set[tuple[int, int]]:
    """Pairs of regions of which one lies over or unlinked beside the other somewhere."""
    joined, column = joined_of(compact), columns_of(compact)
    x, _ = places_of(compact)
    spans: dict[int, list[int]] = {}
    for span in np.flatnonzero(region).tolist():
        spans.setdefault(int(column[span]), []).append(span)
    found = set()
    for span in np.flatnonzero(region).tolist():
        beside = [(0, 0, -2)] + [(dx, dz, int(joined[span, k])) for k, (dx, dz) in enumerate(STEPS)]
        for dx, dz, linked in beside:
            if 0 <= x[span] + dx < compact.frame.width:
                for other in spans.get(int(column[span]) + dx + dz * compact.frame.width, []):
                    if other not in (span, linked):
                        found.add((int(region[span]), int(region[other])))
    return found


def assert_no_small_region_has_a_partner_left(
    compact: CompactHeightfield, regions: RegionSet, merge_region: int
) -> None:
    region, size = regions.region, np.bincount(regions.region)
    conflicts = conflicts_of(compact, region)
    for span, row in enumerate(joined_of(compact).tolist()):
        own = int(region[span])
        if own == 0 or size[own] >= merge_region:
            continue
        for other in row:
            if other < 0 or region[other] in (0, own) or compact.area[other] != compact.area[span]:
                continue
            assert (own, int(region[other])) in conflicts, "two regions could have become one"


def assert_promises(seed: int, partition: str) -> None:
    draw = np.random.default_rng(seed)
    min_region, merge_region = (int(size) for size in draw.choice([0, 3, 8, 30, 200], 2))
    compact, regions = random_regions(seed, partition=partition, min_region=min_region, merge_region=merge_region)
    assert_sound(compact, regions)
    assert_small_islands_are_gone(compact, regions, min_region)
    assert_no_small_region_has_a_partner_left(compact, regions, merge_region)


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_small_islands_are_gone_and_small_regions_merged(seed: int, partition: str) -> None:
    assert_promises(seed, partition)


@pytest.mark.full
@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_regions_keep_their_promises_at_length(seed: int, partition: str) -> None:
    assert_promises(seed, partition)


# --- monotone regions


@pytest.mark.parametrize("seed", SEEDS)
def test_a_monotone_region_has_one_run_a_row_and_no_row_without_one(seed: int) -> None:
    compact, regions = random_regions(seed, partition="monotone")
    x, z = places_of(compact)
    for number in range(1, regions.count + 1):
        own = regions.region == number
        rows = np.unique(z[own])
        assert np.array_equal(rows, np.arange(rows[0], rows[-1] + 1))
        runs = {row: np.sort(x[own & (z == row)]) for row in rows.tolist()}
        assert all(np.array_equal(run, np.arange(run[0], run[-1] + 1)) for run in runs.values())
        assert all(runs[a][0] <= runs[b][-1] and runs[b][0] <= runs[a][-1] for a, b in pairwise(runs))


def test_a_pillar_parts_monotone_regions_beside_it_only() -> None:
    regions = build_regions(plan("########", "########", "####.###", "########", "########"), partition="monotone")
    assert regions.count == 2  # the longer run beside the pillar goes on the floor, and the floor goes on behind it
    assert (regions.region == 2).sum() == 3


def test_of_runs_that_share_as_much_border_the_first_goes_on() -> None:
    parted, joined = (build_regions(plan(*lines), partition="monotone") for lines in (["###", "#.#"], ["#.#", "###"]))
    assert parted.region.tolist() == [1, 1, 1, 1, 2]
    assert joined.region.tolist() == [1, 2, 1, 1, 1]


def test_a_monotone_region_goes_on_where_the_floor_grows_narrower() -> None:
    compact = plan(".####", "..###", "#..##")
    assert np.bincount(build_regions(compact, partition="monotone").region).tolist() == [0, 9, 1]


def test_monotone_regions_need_no_distance() -> None:
    regions = build_regions(plan("###", "###"), partition="monotone")
    assert regions.distance is None
    assert regions.partition == "monotone"


def test_an_empty_field_has_no_regions() -> None:
    assert build_regions(field_of([], 4, 4)).count == 0


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"padding": -1}, RangeError, "padding is -1"),
        ({"padding": 2}, RangeError, "padding is 2"),
        ({"padding": 1.5}, ArgumentError, "padding is 1.5"),
        ({"min_region": -3}, RangeError, "min_region is -3"),
        ({"merge_region": 2**31}, RangeError, "merge_region is 2147483648"),
        ({"partition": "layers"}, ArgumentError, "partition is 'layers', not one of 'watershed', 'monotone'"),
    ],
)
def test_a_bad_setting_is_named_and_changes_nothing(settings: dict, error: type[Exception], text: str) -> None:
    compact = plan("####", "####", "####", "####")
    build_regions(compact)
    before = compact.region
    with pytest.raises(error, match=text):
        build_regions(compact, **settings)
    assert np.array_equal(compact.region, before)


def test_a_region_set_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError, match="build_regions"):
        RegionSet()


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_regions_survive_pickling_and_copying(seed: int, partition: str) -> None:
    compact, regions = random_regions(seed, partition=partition, merge_region=12)
    compact_areas = compact.area
    for again in (pickle.loads(pickle.dumps(regions)), copy.copy(regions), copy.deepcopy(regions)):
        assert again == regions and hash(again) == hash(regions)
        assert repr(again) == repr(regions) and again.dropped_spans == regions.dropped_spans
        assert not again.region.flags.writeable
        assert np.array_equal(again.compact.area, compact_areas)
        assert build_contours(again) == build_contours(regions)


def test_region_sets_of_other_settings_are_not_equal() -> None:
    _, regions = random_regions(3)
    assert regions == random_regions(3)[1]
    assert regions != random_regions(4)[1]
    assert regions != random_regions(3, partition="monotone")[1]
    assert regions != 3


def test_unpickled_regions_are_those_of_their_moment() -> None:
    """The areas that regions were made of may have been written over since, as a bake does with kinds of floor."""
    compact = plan("##77##", "##77##", "######")
    regions = build_regions(compact)
    everywhere = ConvexVolume([(-10, -10), (10, -10), (10, 10), (-10, 10)], -100.0, 100.0, 0)
    apply_volume(compact, everywhere)
    again = pickle.loads(pickle.dumps(regions))
    assert build_contours(again) == build_contours(regions)
