"""Limits that stand twice, for kernels and for messages, are the same."""

from __future__ import annotations

import re

import pytest

from onepath.mesh import tile_arrays
from tests.meta.tree import ROOT

FORMAT = (ROOT / "onepath" / "mesh" / "_format.pxd").read_text(encoding="utf-8")
LIMITS = {name: int(value, 0) for name, value in re.findall(r"^    (MAX_\w+) = (\w+)", FORMAT, re.MULTILINE)}


@pytest.mark.parametrize("name", ["MAX_POLYGONS", "MAX_CELL", "MAX_LAYER", "MAX_SLOTS", "MAX_GENERATION"])
def test_a_limit_of_the_format_is_the_one_that_messages_name(name: str) -> None:
    assert getattr(tile_arrays, name) == LIMITS[name]


def test_vertices_and_edges_share_one_limit() -> None:
    assert LIMITS["MAX_VERTICES"] == LIMITS["MAX_EDGES"] == tile_arrays.MAX_ELEMENTS
