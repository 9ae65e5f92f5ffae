"""Columns of solid spans: the merge rule, the rows of numbers, reuse of a field."""

from __future__ import annotations

import pickle
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from onepath.build import HeightfieldFrame, SolidHeightfield
from onepath.errors import ArgumentError, RangeError
from tests.grids import columns_of, solid, unit_frame
from tests.oracles.voxel_spans import SolidColumns

Span = tuple[int, int, int]


def column_after(*spans: Span, threshold: int = 1, rows: int = 64) -> list[Span]:
    """The one column of a field after these spans were added in order."""
    field = SolidHeightfield(unit_frame(1, 1, rows))
    for low, high, area in spans:
        field.add_span(0, 0, low, high, area, merge_threshold=threshold)
    return columns_of(field).get((0, 0), [])


def test_spans_that_neither_overlap_nor_touch_stay_apart() -> None:
    assert column_after((6, 8, 1), (0, 2, 2), (3, 5, 3)) == [(0, 2, 2), (3, 5, 3), (6, 8, 1)]


@pytest.mark.parametrize("added", [(2, 4, 5), (1, 4, 5)], ids=["touching", "overlapping"])
def test_touching_and_overlapping_spans_become_one(added: Span) -> None:
    assert column_after((0, 2, 5), added) == [(0, 4, 5)]
    assert column_after(added, (0, 2, 5)) == [(0, 4, 5)]


@pytest.mark.parametrize(
    ("first", "second", "area"),
    [
        ((0, 5, 9), (0, 4, 3), 9),  # the old top is higher, within the threshold: the larger id
        ((0, 5, 3), (0, 4, 9), 9),
        ((0, 6, 3), (0, 4, 9), 3),  # higher beyond the threshold: its own id
        ((0, 4, 9), (0, 5, 3), 9),  # the new top is higher, within the threshold
        ((0, 4, 9), (0, 6, 3), 3),  # beyond: the new id
        ((0, 4, 0), (0, 4, 63), 63),
        ((0, 4, 63), (0, 4, 0), 63),
    ],
)
def test_the_area_of_a_merge(first: Span, second: Span, area: int) -> None:
    assert column_after(first, second) == [(0, max(first[1], second[1]), area)]


def test_threshold_zero_lets_the_larger_id_win_only_at_equal_tops() -> None:
    assert column_after((0, 4, 9), (0, 5, 3), threshold=0) == [(0, 5, 3)]
    assert column_after((0, 5, 3), (0, 5, 9), threshold=0) == [(0, 5, 9)]


def test_a_span_swallows_every_span_it_meets_one_at_a_time_from_the_bottom() -> None:
    # [2, 9) area 1 meets [0, 3) area 9: nine is far below nine. Then [8, 10) area 4: within 1 of 9, the larger of 1, 4.
    assert column_after((0, 3, 9), (5, 6, 7), (8, 10, 4), (2, 9, 1)) == [(0, 10, 4)]


def test_the_order_of_adding_matters() -> None:
    assert column_after((0, 4, 5), (0, 5, 1), (0, 6, 1)) == [(0, 6, 5)]
    assert column_after((0, 6, 1), (0, 5, 1), (0, 4, 5)) == [(0, 6, 1)]


def test_the_result_keeps_what_lies_below_and_above() -> None:
    spans = [(0, 1, 1), (2, 3, 2), (4, 5, 3), (6, 7, 4), (8, 9, 5)]
    assert column_after(*spans, (3, 6, 6), threshold=0) == [(0, 1, 1), (2, 7, 4), (8, 9, 5)]


def test_spans_are_ordered_by_z_then_x_then_min() -> None:
    field = SolidHeightfield(unit_frame(2, 2))
    for x, z, low in [(1, 1, 0), (0, 1, 4), (1, 0, 2), (0, 1, 0), (0, 0, 7)]:
        field.add_span(x, z, low, low + 1, 63)
    assert field.spans()[:, :3].tolist() == [[0, 0, 7], [1, 0, 2], [0, 1, 0], [0, 1, 4], [1, 1, 0]]
    assert field.spans().dtype == np.int32 and field.span_count == 5


def random_adds(seed: int, count: int) -> list[tuple[int, int, int, int, int]]:
    random = Random(seed)
    adds = []
    for _ in range(count):
        low = random.randrange(200)
        adds.append((random.randrange(4), random.randrange(3), low, low + random.randint(1, 6), random.randrange(64)))
    return adds


def filled(field: SolidHeightfield, adds: list[tuple[int, int, int, int, int]]) -> SolidHeightfield:
    for x, z, low, high, area in adds:
        field.add_span(x, z, low, high, area, merge_threshold=2)
    return field


@pytest.mark.parametrize("seed", range(5))
def test_columns_stay_sorted_disjoint_and_fill_exactly_the_rows_added(seed: int) -> None:
    adds = random_adds(seed, 300)
    field = filled(SolidHeightfield(unit_frame(4, 3, 256)), adds)
    rows = {(x, z, y) for x, z, low, high, _ in adds for y in range(low, high)}
    found = columns_of(field)
    assert {(x, z, y) for (x, z), spans in found.items() for low, high, _ in spans for y in range(low, high)} == rows
    for spans in found.values():
        assert all(below[1] < above[0] for below, above in pairwise(spans))


def test_a_reset_field_gives_the_bits_of_a_new_one() -> None:
    used = filled(SolidHeightfield(unit_frame(9, 9, 256)), [(x, z, y, y + 1, 1) for x, z, y, *_ in random_adds(1, 500)])
    used.reset(unit_frame(4, 3, 256))
    assert used.span_count == 0 and len(used.spans()) == 0 and used.degenerate_triangles == 0
    new = SolidHeightfield(unit_frame(4, 3, 256))
    assert np.array_equal(filled(used, random_adds(2, 400)).spans(), filled(new, random_adds(2, 400)).spans())
    assert used.frame == new.frame


def test_reset_to_a_larger_grid() -> None:
    field = SolidHeightfield(unit_frame(1, 1))
    field.reset(unit_frame(40, 50))
    field.add_span(39, 49, 0, 1, 7)
    assert field.spans().tolist() == [[39, 49, 0, 1, 7]]


def test_a_column_holds_thousands_of_spans() -> None:
    field = SolidHeightfield(unit_frame(1, 1, 65535))
    for low in range(0, 65534, 8):
        field.add_span(0, 0, low, low + 1, 1)
    assert field.span_count == 8192
    field.add_span(0, 0, 0, 65535, 2, merge_threshold=0)
    assert field.spans().tolist() == [[0, 0, 0, 65535, 2]]


def orders_of_storeys(storeys: int) -> dict[str, list[int]]:
    """Rows of spans that lie apart, in orders in which a file may list them."""
    lows = [10 * storey for storey in range(storeys)]
    slabs = [[low, low + 3] for low in lows]
    racks = [[low + shelf for shelf in (8, 6, 4, 2, 0)] for low in lows]
    return {
        "upward": lows,
        "downward": lows[::-1],
        "tops before bottoms": [low for pair in slabs for low in pair[::-1]],
        "floors before ceilings": [pair[0] for pair in slabs] + [pair[1] for pair in slabs],
        "from the top down in each storey": [low for rack in racks for low in rack],
        "the ground first, then downward": [0, *lows[:0:-1]],
    }


def steps_taken(lows: list[int]) -> int:
    field = SolidHeightfield(unit_frame(1, 1, 65535))
    for low in lows:
        field.add_span(0, 0, low, low + 1, 63, merge_threshold=0)
    assert field.span_count == len(set(lows))
    return field.steps


@pytest.mark.parametrize("order", orders_of_storeys(1))
def test_the_work_grows_as_the_storeys_of_a_column_do(order: str) -> None:
    few, many = (steps_taken(orders_of_storeys(storeys)[order]) for storeys in (200, 1600))
    assert many <= 8.5 * few + 100


def assert_columns_are_the_oracle_s(seed: int, adds: int) -> None:
    """Columns of many spans, added by storeys, from above, anywhere, and now and then long ones that swallow others."""
    random = Random(seed)
    rows = random.choice((200, 1000, 4000))
    frame = unit_frame(2, 1, rows)
    field, oracle = SolidHeightfield(frame), SolidColumns(2, 1, rows)
    at = 0
    for _ in range(adds):
        step = random.choice((0, 2, 2, 3, -2, -9, random.randint(-rows, rows)))
        at = min(max(at + step, 0), rows - 1)
        high = min(at + (random.randint(1, 2) if random.random() < 0.97 else random.randint(3, rows // 4)), rows)
        area, threshold = random.randint(0, 63), random.choice((0, 1, 4))
        x = int(random.random() < 0.1)
        field.add_span(x, 0, at, high, area, merge_threshold=threshold)
        oracle.add_span(x, 0, at, high, area, threshold)
    assert field.spans().tolist() == oracle.rows()


@pytest.mark.parametrize("seed", range(20))
def test_deep_columns_are_those_of_a_walk_from_the_bottom(seed: int) -> None:
    assert_columns_are_the_oracle_s(seed, 600)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 600))
def test_deep_columns_are_those_of_a_walk_from_the_bottom_at_length(seed: int) -> None:
    assert_columns_are_the_oracle_s(seed, 1500)


def test_from_spans_and_spans_are_inverse() -> None:
    field = filled(SolidHeightfield(unit_frame(4, 3, 256)), random_adds(3, 200))
    again = SolidHeightfield.from_spans(field.frame, field.spans())
    assert np.array_equal(again.spans(), field.spans())
    assert SolidHeightfield.from_spans(field.frame, []).span_count == 0


@pytest.mark.parametrize(
    "row",
    [
        (-1, 0, 0, 1, 1),
        (2, 0, 0, 1, 1),
        (0, 2, 0, 1, 1),
        (0, 0, -1, 1, 1),
        (0, 0, 0, 17, 1),
        (0, 0, 3, 3, 1),
        (0, 0, 4, 3, 1),
        (0, 0, 0, 1, 64),
        (0, 0, 0, 1, -1),
        (2**40, 0, 0, 1, 1),
    ],
)
def test_from_spans_refuses_rows_outside_the_grid(row: tuple[int, ...]) -> None:
    with pytest.raises(RangeError, match=r"spans\[1\]"):
        SolidHeightfield.from_spans(unit_frame(2, 2), [(0, 0, 0, 1, 1), row])


@pytest.mark.parametrize(
    "rows",
    [
        [(1, 0, 0, 1, 1), (0, 0, 0, 1, 1)],
        [(0, 1, 0, 1, 1), (0, 0, 0, 1, 1)],
        [(0, 0, 4, 5, 1), (0, 0, 0, 1, 1)],
        [(0, 0, 0, 2, 1), (0, 0, 2, 3, 1)],
        [(0, 0, 0, 2, 1), (0, 0, 1, 3, 1)],
    ],
    ids=["x", "z", "min", "touching", "overlapping"],
)
def test_from_spans_refuses_rows_out_of_order_or_not_apart(rows: list[tuple[int, ...]]) -> None:
    with pytest.raises(ArgumentError, match=r"spans\[1\]"):
        SolidHeightfield.from_spans(unit_frame(2, 2), rows)


@pytest.mark.parametrize("spans", [np.zeros((2, 4), int), np.zeros(5, int), np.zeros((1, 5)), "spans", [[None] * 5]])
def test_from_spans_refuses_wrong_shapes_and_dtypes(spans: object) -> None:
    with pytest.raises(ArgumentError, match="spans has"):
        SolidHeightfield.from_spans(unit_frame(2, 2), spans)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"x": 2}, RangeError),
        ({"x": -1}, RangeError),
        ({"z": 2}, RangeError),
        ({"low": -1}, RangeError),
        ({"high": 17}, RangeError),
        ({"low": 3}, ArgumentError),
        ({"area": 64}, RangeError),
        ({"area": 1.5}, ArgumentError),
        ({"merge_threshold": -1}, RangeError),
        ({"merge_threshold": 2**31}, RangeError),
    ],
)
def test_a_refused_span_changes_nothing(change: dict[str, object], error: type[Exception]) -> None:
    field = solid(unit_frame(2, 2), {(0, 0): [(0, 2, 5)]})
    with pytest.raises(error, match=next(iter(change))):
        field.add_span(**({"x": 0, "z": 0, "low": 1, "high": 3, "area": 9} | change))
    assert columns_of(field) == {(0, 0): [(0, 2, 5)]}


def test_a_field_survives_pickling() -> None:
    field = solid(unit_frame(2, 2), {(0, 1): [(0, 2, 5), (4, 5, 0)]})
    again = pickle.loads(pickle.dumps(field))
    assert again.frame == field.frame and np.array_equal(again.spans(), field.spans())


def test_a_field_needs_a_frame() -> None:
    for frame in (None, "frame"):
        with pytest.raises(TypeError, match="frame"):
            SolidHeightfield(frame)


def test_the_largest_grid_fits() -> None:
    field = SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 65536, 256, 65535))
    field.add_span(65535, 255, 65534, 65535, 63)
    assert field.spans().tolist() == [[65535, 255, 65534, 65535, 63]]
