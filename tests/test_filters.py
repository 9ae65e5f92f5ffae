"""The three span filters, each on columns written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from onepath.build import (
    SolidHeightfield,
    apply_span_filters,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
    filter_low_height,
)
from onepath.errors import ArgumentError, RangeError
from tests.grids import columns_of, flat_columns, solid, unit_frame

Spans = list[tuple[int, int, int]]

# --- low-hanging obstacles


def after_low_hanging(spans: Spans, climb: int) -> list[int]:
    field = solid(unit_frame(1, 1, 64), {(0, 0): spans})
    filter_low_hanging_obstacles(field, climb)
    return field.spans()[:, 4].tolist()


@pytest.mark.parametrize(("top", "area"), [(5, 7), (6, 0)])
def test_an_obstacle_within_the_climb_takes_the_area_below(top: int, area: int) -> None:
    assert after_low_hanging([(0, 1, 7), (2, top, 0)], climb=4) == [7, area]


def test_a_walkable_span_keeps_its_own_area() -> None:
    assert after_low_hanging([(0, 1, 7), (2, 3, 9)], climb=4) == [7, 9]


def test_an_unwalkable_span_below_lifts_nothing() -> None:
    assert after_low_hanging([(0, 1, 0), (2, 3, 0)], climb=4) == [0, 0]


def test_only_the_next_span_is_lifted_because_original_areas_count() -> None:
    assert after_low_hanging([(0, 1, 7), (2, 3, 0), (4, 5, 0)], climb=9) == [7, 7, 0]


# --- ledges


def after_ledges(beside: Spans, *, own: Spans, height: int = 3, climb: int = 2) -> int:
    """Area left on the lowest span of the middle column of a 3 x 3 grid, one neighbour being `beside`, others level."""
    top = own[0][1]
    columns = flat_columns(3, 3, top=top) | {(1, 1): own, (2, 1): beside}
    field = solid(unit_frame(3, 3, 64), columns)
    filter_ledge_spans(field, height, climb)
    return columns_of(field)[(1, 1)][0][2]


FLOOR = [(0, 5, 63)]


@pytest.mark.parametrize(
    ("beside", "area"),
    [
        ([(0, 3, 63)], 63),  # a step down of two
        ([(0, 2, 63)], 0),  # a drop of three
        ([(0, 7, 63)], 63),  # a step up
        ([(0, 60, 63)], 63),  # a wall
        ([], 0),  # a hole
    ],
)
def test_a_drop_of_more_than_the_climb_is_a_ledge(beside: Spans, area: int) -> None:
    assert after_ledges(beside, own=FLOOR) == area


def test_a_wall_to_the_top_of_the_grid_is_no_ledge_beside_a_low_ceiling() -> None:
    assert after_ledges([(0, 20, 63)], own=[(0, 5, 63), (10, 12, 0)]) == 63


@pytest.mark.parametrize(("ceiling", "area"), [(7, 63), (8, 0)])
def test_a_gap_counts_only_where_the_height_is_free(ceiling: int, area: int) -> None:
    # Beside lies a pit with its floor at 1 and a ceiling; the gap shares ceiling - 5 rows with the room above row 5.
    assert after_ledges([(0, 1, 63), (ceiling, 20, 0)], own=FLOOR, height=3) == area


def test_a_gap_below_a_thick_slab_is_a_drop_when_it_fits() -> None:
    # The gap under the first span reaches from -climb to its underside.
    assert after_ledges([(8, 20, 0)], own=FLOOR, height=3) == 0
    assert after_ledges([(7, 20, 0)], own=FLOOR, height=3) == 63


def test_the_own_ceiling_bounds_the_shared_gap() -> None:
    assert after_ledges([(0, 1, 63)], own=[(0, 5, 63), (7, 9, 0)], height=3) == 63
    assert after_ledges([(0, 1, 63)], own=[(0, 5, 63), (8, 9, 0)], height=3) == 0


@pytest.mark.parametrize("climb", [2, 2**30 - 1, 2**30])
def test_a_hole_is_a_ledge_for_every_climb(climb: int) -> None:
    # A column without spans is open from -climb up: always more than the climb below a floor.
    assert after_ledges([], own=FLOOR, climb=climb) == 0


def test_a_slope_whose_neighbours_differ_by_more_than_the_climb_is_a_ledge() -> None:
    for low, high, area in [(3, 5, 63), (4, 6, 63), (4, 7, 0), (3, 6, 0)]:
        columns = flat_columns(3, 3, top=5) | {(0, 1): [(0, low, 63)], (2, 1): [(0, high, 63)]}
        field = solid(unit_frame(3, 3, 64), columns)
        filter_ledge_spans(field, 3, 2)
        assert columns_of(field)[(1, 1)][0][2] == area


def test_floors_out_of_reach_above_do_not_count_for_the_slope() -> None:
    columns = flat_columns(3, 3, top=5) | {(0, 1): [(0, 3, 63)], (2, 1): [(0, 8, 63)]}
    field = solid(unit_frame(3, 3, 64), columns)
    filter_ledge_spans(field, 3, 2)
    assert columns_of(field)[(1, 1)][0][2] == 63


def test_beyond_the_grid_is_a_drop() -> None:
    field = solid(unit_frame(4, 3), flat_columns(4, 3))
    filter_ledge_spans(field, 2, 1)
    assert {cell for cell, spans in columns_of(field).items() if spans[0][2]} == {(1, 1), (2, 1)}


def test_ledges_read_geometry_only_so_unwalkable_neighbours_hold_as_well() -> None:
    columns = flat_columns(3, 3, area=0) | {(1, 1): [(0, 1, 9)]}
    field = solid(unit_frame(3, 3), columns)
    filter_ledge_spans(field, 2, 1)
    assert columns_of(field)[(1, 1)] == [(0, 1, 9)]


# --- low height, all three


@pytest.mark.parametrize(("ceiling", "area"), [(10, 0), (11, 63)])
def test_a_span_needs_the_height_above_it(ceiling: int, area: int) -> None:
    field = solid(unit_frame(1, 1, 64), {(0, 0): [(0, 1, 63), (ceiling, 20, 63)]})
    filter_low_height(field, 10)
    assert field.spans()[:, 4].tolist() == [area, 63]


def random_field(seed: int) -> SolidHeightfield:
    random = np.random.default_rng(seed)
    field = SolidHeightfield(unit_frame(9, 7, 48))
    for _ in range(250):
        low = int(random.integers(0, 40))
        area = int(random.choice([0, 1, 63]))
        field.add_span(int(random.integers(9)), int(random.integers(7)), low, low + int(random.integers(1, 5)), area)
    return field


def random_floor(seed: int) -> SolidHeightfield:
    """A floor with low steps and a deep one now and then, obstacles as high as a step on it, one or two above each
    other, and ceilings high and low."""
    random = np.random.default_rng(seed)
    field = SolidHeightfield(unit_frame(14, 12, 48))
    for z in range(12):
        for x in range(14):
            top = int(random.choice([8, 9, 10, 11], p=[0.05, 0.45, 0.45, 0.05]))
            field.add_span(x, z, 0, top, int(random.choice([63, 5])))
            for _ in range(int(random.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))):
                field.add_span(x, z, top + 1, top + int(random.integers(2, 4)), 0)
                top = int(field.spans()[-1, 3])
            if random.random() < 0.4:
                low = top + int(random.integers(3, 12))
                field.add_span(x, z, low, low + 1, int(random.choice([0, 63])))
    return field


@pytest.mark.parametrize("seed", range(6))
def test_all_three_run_in_the_documents_order(seed: int) -> None:
    at_once, by_hand = random_floor(seed), random_floor(seed)
    apply_span_filters(at_once, 4, 3)
    walkable = []
    for filter_spans, limits in (
        (filter_low_hanging_obstacles, (3,)),
        (filter_ledge_spans, (4, 3)),
        (filter_low_height, (4,)),
    ):
        walkable.append(int((by_hand.spans()[:, 4] > 0).sum()))
        filter_spans(by_hand, *limits)
    walkable.append(int((by_hand.spans()[:, 4] > 0).sum()))
    assert np.array_equal(at_once.spans(), by_hand.spans())
    assert walkable[0] < walkable[1] > walkable[2] > walkable[3] > 20  # each of them had something to do


@pytest.mark.parametrize("seed", range(3))
def test_filters_change_areas_only(seed: int) -> None:
    field = random_field(seed)
    before = field.spans()
    apply_span_filters(field, 4, 3)
    assert np.array_equal(field.spans()[:, :4], before[:, :4])
    assert not np.array_equal(field.spans(), before)


@pytest.mark.parametrize("value", [0, 1, 2**30])
def test_the_whole_range_of_heights_and_climbs_is_taken(value: int) -> None:
    field = random_field(0)
    apply_span_filters(field, value, 2**30 - value)
    assert field.span_count > 0


@pytest.mark.parametrize(
    ("value", "error"), [(-1, RangeError), (2**30 + 1, RangeError), (1.0, ArgumentError), (None, ArgumentError)]
)
def test_heights_and_climbs_outside_their_range_change_nothing(value: object, error: type[Exception]) -> None:
    field = random_field(0)
    before = field.spans()
    for call, arguments, name in (
        (filter_low_hanging_obstacles, (value,), "climb"),
        (filter_ledge_spans, (value, 1), "height"),
        (filter_ledge_spans, (1, value), "climb"),
        (filter_low_height, (value,), "height"),
        (apply_span_filters, (value, 1), "height"),
        (apply_span_filters, (1, value), "climb"),
    ):
        with pytest.raises(error, match=name):
            call(field, *arguments)
    assert np.array_equal(field.spans(), before)
