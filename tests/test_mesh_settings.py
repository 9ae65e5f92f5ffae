"""The settings that all tiles of a mesh share."""

from __future__ import annotations

import numpy as np
import pytest

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, RangeError
from onepath.mesh import MeshSettings


def test_cell_sizes_are_rounded_to_float32_and_the_tile_size_is_their_float32_product() -> None:
    settings = MeshSettings(cell_size=0.1, cell_height=0.2, tile_cells=48)
    assert settings.cell_size == float(np.float32(0.1))
    assert settings.cell_height == float(np.float32(0.2))
    assert settings.tile_size == float(np.float32(48) * np.float32(0.1)) != 48 * settings.cell_size


def test_a_negative_zero_is_stored_as_zero() -> None:
    assert str(MeshSettings(vertical_origin=-0.0).vertical_origin) == "0.0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agent": None}, "agent is None"),
        ({"cell_size": 0.0}, r"cell_size is 0\.0, outside"),
        ({"cell_size": float("nan")}, "cell_size is NaN"),
        ({"cell_height": "tall"}, "cell_height is 'tall', not a number"),
        ({"tile_cells": 0}, "tile_cells is 0, outside"),
        ({"tile_cells": 1.0}, r"tile_cells is 1\.0, not a whole number"),
        ({"rows": 65536}, "rows is 65536, outside"),
        ({"vertical_origin": float("inf")}, "vertical_origin is inf, outside"),
        ({"cell_size": 2.0**20, "tile_cells": 4}, r"tile_cells \* cell_size is 4194304\.0 m"),
    ],
)
def test_what_is_out_of_range_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        MeshSettings(**change)  # type: ignore[arg-type]


def test_a_range_error_is_raised_for_a_range() -> None:
    with pytest.raises(RangeError):
        MeshSettings(rows=0, agent=AgentShape())
