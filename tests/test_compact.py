"""The compact heightfield: which spans it holds, how they link."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from onepath.build import CompactHeightfield
from onepath.errors import ArgumentError, RangeError
from tests.grids import Cell, flat_columns, solid, unit_frame

Columns = dict[Cell, list[tuple[int, int, int]]]


def compact_of(columns: Columns, width: int, depth: int, height: int = 3, climb: int = 2) -> CompactHeightfield:
    return CompactHeightfield.build(solid(unit_frame(width, depth, 256), columns), height, climb)


def test_walkable_spans_only_in_column_order_bottom_up() -> None:
    compact = compact_of({(0, 0): [(0, 1, 5), (4, 5, 0), (9, 12, 6)], (1, 1): [(2, 3, 7)]}, 2, 2)
    assert compact.y.tolist() == [1, 12, 3]
    assert compact.height.tolist() == [3, 65535, 65535]  # below an unwalkable span the room ends as well
    assert compact.area.tolist() == [5, 6, 7]
    assert compact.region.tolist() == [0, 0, 0]
    assert compact.cell_count.tolist() == [2, 0, 0, 1]
    assert compact.cell_first.tolist() == [0, 2, 2, 2]  # the running index where a column is empty


def test_directions_are_minus_x_plus_z_plus_x_minus_z() -> None:
    compact = compact_of(flat_columns(3, 3), 3, 3)
    assert compact.links[4].tolist() == [0, 0, 0, 0]
    assert compact.links[0].tolist() == [-1, 0, 0, -1]
    assert compact.links[8].tolist() == [0, -1, -1, 0]


@pytest.mark.parametrize(("other", "linked"), [(7, True), (3, True), (8, False), (2, False)])
def test_floors_may_differ_by_the_climb(other: int, linked: bool) -> None:
    compact = compact_of({(0, 0): [(0, 5, 1)], (1, 0): [(0, other, 1)]}, 2, 1)
    assert (compact.links[0, 2] == 0) == linked and (compact.links[1, 0] == 0) == linked


@pytest.mark.parametrize(("ceiling", "linked"), [(8, True), (7, False)])
def test_neighbours_share_the_height(ceiling: int, linked: bool) -> None:
    compact = compact_of({(0, 0): [(0, 5, 1)], (1, 0): [(0, 4, 1), (ceiling, 30, 0)]}, 2, 1)
    assert (compact.links[0, 2] == 0) == linked and (compact.links[1, 0] == 0) == linked


def test_the_lowest_span_that_fits_is_linked_and_named_within_its_cell() -> None:
    # Both upper floors are within reach of row 20; the lower one, index 1 of its cell, wins.
    columns = {(0, 0): [(0, 20, 1)], (1, 0): [(0, 1, 1), (10, 18, 1), (23, 24, 1)]}
    compact = compact_of(columns, 2, 1, climb=4)
    assert compact.links[0].tolist() == [-1, -1, 1, -1]
    assert compact.links[1:, 0].tolist() == [-1, 0, 0]


def test_links_may_be_one_way() -> None:
    columns = {(0, 0): [(0, 20, 1)], (1, 0): [(0, 18, 1), (23, 24, 1)]}
    compact = compact_of(columns, 2, 1, climb=4)
    assert compact.links[0, 2] == 0 and compact.links[1:, 0].tolist() == [0, 0]


@pytest.mark.parametrize(("below", "link"), [(62, 62), (63, -1)])
def test_no_link_reaches_beyond_index_62(below: int, link: int) -> None:
    tower = [(2 * i, 2 * i + 1, 1) for i in range(below)] + [(2 * below + 20, 2 * below + 21, 1)]
    compact = compact_of({(0, 0): [(0, 2 * below + 21, 1)], (1, 0): tower}, 2, 1)
    assert compact.links[0, 2] == link
    assert compact.links[-1, 0] == 0  # back into the cell with one span


def test_heights_are_cut_at_65535() -> None:
    assert compact_of({(0, 0): [(0, 1, 1)]}, 1, 1).height.tolist() == [65535]


def test_an_empty_field_gives_an_empty_compact_field() -> None:
    compact = compact_of({(0, 0): [(0, 1, 0)]}, 3, 2)
    assert compact.span_count == 0 and compact.links.shape == (0, 4) and len(compact.y) == 0
    assert compact.cell_count.tolist() == compact.cell_first.tolist() == [0] * 6


def test_arrays_have_the_documented_types_and_are_copies() -> None:
    compact = compact_of(flat_columns(2, 2), 2, 2)
    for name in ("cell_first", "cell_count", "y", "height", "region", "links"):
        assert getattr(compact, name).dtype == np.int32, name
    assert compact.area.dtype == np.uint8
    compact.area[:] = 0
    assert compact.area.tolist() == [63] * 4


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ((-1, 2), RangeError, "height"),
        ((3, -1), RangeError, "climb"),
        ((2**30 + 1, 2), RangeError, "height"),
        ((3.0, 2), ArgumentError, "height"),
        ((3, None), ArgumentError, "climb"),
    ],
)
def test_numbers_outside_their_range_are_refused(
    arguments: tuple[object, object], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        CompactHeightfield.build(solid(unit_frame(2, 2), {}), *arguments)


def test_a_compact_field_is_only_made_by_build() -> None:
    with pytest.raises(TypeError, match="build"):
        CompactHeightfield(unit_frame())
    with pytest.raises(TypeError, match="field"):
        CompactHeightfield.build(None, 1, 1)


def test_a_compact_field_survives_pickling() -> None:
    compact = compact_of({(0, 0): [(0, 1, 5), (4, 5, 7)], (1, 0): [(0, 2, 6)]}, 2, 1)
    again = pickle.loads(pickle.dumps(compact))
    assert again.frame == compact.frame
    for name in ("cell_first", "cell_count", "y", "height", "area", "region", "links"):
        assert np.array_equal(getattr(again, name), getattr(compact, name)), name
