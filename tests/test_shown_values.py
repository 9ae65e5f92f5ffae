"""What error messages show of the values they name."""

import numpy as np
import pytest

from onepath import bake, levels
from onepath.errors import ArgumentError, shown


def test_a_short_value_is_shown_as_python_writes_it() -> None:
    assert shown((1.5, "a")) == "(1.5, 'a')"


def test_a_long_value_is_cut() -> None:
    text = shown("a" * 10_000)
    assert text.startswith("'aaa") and text.endswith("...") and len(text) < 250


def test_of_a_large_array_the_shape_is_shown() -> None:
    assert shown(np.zeros((100, 3))) == "an array of shape (100, 3)"


def test_a_hundred_positions_where_one_is_wanted_are_named_by_their_shape() -> None:
    mesh = bake(levels.room())
    with pytest.raises(ArgumentError, match=r"an array of shape \(100, 3\)"):
        mesh.move(np.zeros((100, 3)), (1.0, 0.0, 0.0))
