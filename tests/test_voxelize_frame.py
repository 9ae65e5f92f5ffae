"""The grid of a heightfield: sizes from bounds, limits, refusals, value semantics."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from onepath.build import HeightfieldFrame
from onepath.errors import ArgumentError, RangeError

NAN, INFINITY = float("nan"), float("inf")
GOOD = {"origin": (0, 0, 0), "cell_size": 1.0, "cell_height": 1.0, "width": 4, "depth": 4, "rows": 4}


def test_bounds_round_up_to_whole_cells() -> None:
    frame = HeightfieldFrame.from_bounds((-1, 2, 3), (1.1, 3.0, 3.5), 0.5, 0.25)
    assert (frame.width, frame.rows, frame.depth) == (5, 4, 1)
    assert frame.origin == (-1.0, 2.0, 3.0)


def test_bounds_divide_by_the_cell_size_that_float32_holds() -> None:
    # float32(0.1) is a little more than 0.1, float32(0.7) a little less: 10 and 11 cells where doubles would say 10.
    assert HeightfieldFrame.from_bounds((0, 0, 0), (1, 1, 1), 0.1, 0.1).width == 10
    assert float(np.float32(0.7)) < 0.7
    assert HeightfieldFrame.from_bounds((0, 0, 0), (7.0, 1, 1), 0.7, 0.1).width == 11


def test_cell_sizes_are_held_as_float32() -> None:
    assert HeightfieldFrame((0, 0, 0), 0.3, 0.2, 1, 1, 1).cell_size == float(np.float32(0.3))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("top", [0.0, -1.0], ids=["empty", "inverted"])
def test_empty_and_inverted_bounds_are_refused(axis: int, top: float) -> None:
    high = [1.0, 1.0, 1.0]
    high[axis] = top
    with pytest.raises(ArgumentError, match=f"empty or inverted in {'xyz'[axis]}") as caught:
        HeightfieldFrame.from_bounds((0, 0, 0), high, 1, 1)
    assert not isinstance(caught.value, RangeError)


@pytest.mark.parametrize("value", [INFINITY, -INFINITY, 2.0**21 + 1, -(2.0**21) - 1])
def test_a_coordinate_beyond_the_bound_is_a_range_error(value: float) -> None:
    with pytest.raises(RangeError, match=r"origin\.y is .*2097152"):
        HeightfieldFrame((0, value, 0), 1, 1, 1, 1, 1)


def test_the_bound_itself_is_allowed() -> None:
    assert HeightfieldFrame((2.0**21, -(2.0**21), 0), 1, 1, 1, 1, 1).origin == (2.0**21, -(2.0**21), 0.0)


@pytest.mark.parametrize("name", ["cell_size", "cell_height"])
@pytest.mark.parametrize("value", [0, -1, 2.0**-21, 2.0**20 * 1.001, INFINITY])
def test_a_cell_size_outside_its_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(RangeError, match=name):
        HeightfieldFrame(**(GOOD | {name: value}))


@pytest.mark.parametrize("value", [2.0**-20, 2.0**20])
def test_the_ends_of_the_cell_size_range_are_allowed(value: float) -> None:
    assert HeightfieldFrame(**(GOOD | {"cell_size": value})).cell_size == value


@pytest.mark.parametrize(
    "change",
    [{"width": 0}, {"width": 65537}, {"depth": 0}, {"depth": 65537}, {"rows": 0}, {"rows": 65536}, {"width": -3}],
)
def test_dimensions_outside_their_range_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(RangeError, match=f"{next(iter(change))} is {next(iter(change.values()))}"):
        HeightfieldFrame(**(GOOD | change))


def test_more_than_2_to_the_24_columns_are_refused() -> None:
    assert HeightfieldFrame(**(GOOD | {"width": 4096, "depth": 4096})).width == 4096
    with pytest.raises(RangeError, match=r"4096 \* 4097"):
        HeightfieldFrame(**(GOOD | {"width": 4096, "depth": 4097}))


@pytest.mark.parametrize(
    "change",
    [
        {"origin": (0, NAN, 0)},
        {"origin": (0, 0)},
        {"origin": "abc"},
        {"origin": None},
        {"cell_size": NAN},
        {"cell_height": "x"},
        {"width": 2.0},
        {"rows": True},
    ],
)
def test_what_is_no_number_is_a_value_error(change: dict[str, object]) -> None:
    with pytest.raises(ArgumentError) as caught:
        HeightfieldFrame(**(GOOD | change))
    assert not isinstance(caught.value, RangeError)


@pytest.mark.parametrize("name", ["cell_size", "rows"])
def test_ints_that_python_will_not_write_out_are_refused_by_name(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"{name} is an int of thousands of digits"):
        HeightfieldFrame(**(GOOD | {name: 10**5000}))


def test_bounds_too_large_for_a_grid_are_refused() -> None:
    with pytest.raises(RangeError, match="rows is 10000"):
        HeightfieldFrame.from_bounds((0, 0, 0), (1, 1000, 1), 1, 0.01)


def test_frames_are_values() -> None:
    frame, other = HeightfieldFrame(**GOOD), HeightfieldFrame(**(GOOD | {"rows": 5}))
    assert frame == HeightfieldFrame(**GOOD) and hash(frame) == hash(HeightfieldFrame(**GOOD))
    assert frame != other and frame != "frame"
    assert pickle.loads(pickle.dumps(frame)) == frame
    assert repr(frame) == "HeightfieldFrame((0.0, 0.0, 0.0), 1.0, 1.0, 4, 4, 4)"


def test_frames_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        HeightfieldFrame(**GOOD).width = 5
