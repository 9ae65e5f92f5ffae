"""Heights between the centres of cells: nowhere does a surface leave all the floor within one and a half cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from onepath.build import CompactHeightfield
from tests.detailed import PARTS, Detailed, detailed, floor_finder
from tests.floors import field_of
from tests.test_detail import random_detail


def places_of_surface(case: Detailed, polygon: int, draw: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """Anywhere on each triangle, its corners, and all corners of cells that it covers, in cells and rows."""
    for corners in case.vertices[case.triangles(polygon)] / np.array([PARTS, 1, PARTS]):
        yield from np.concatenate([draw.dirichlet([0.5] * 3, 12), np.eye(3)]) @ corners
        low, high = np.ceil(corners.min(axis=0)).astype(int), np.floor(corners.max(axis=0)).astype(int)
        x, z = (
            part.reshape(-1) for part in np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[2], high[2] + 1))
        )
        plane = np.stack([corners[:, 0], corners[:, 2], np.ones(3)])
        if len(x) > 0 and abs(np.linalg.det(plane)) > 1e-9:
            weights = np.linalg.solve(plane, np.stack([x, z, np.ones(len(x))])).T
            yield from weights[(weights >= -1e-9).all(axis=1)] @ corners


def rows_within(rows: dict[tuple[int, int], tuple[int, int]], place: NDArray[np.float64]) -> tuple[int, int] | None:
    """The least and the greatest row of the cells up to one and a half from a place; None where one has no floor."""
    first, last = np.floor(place[[0, 2]] - 1.5 + 1e-9).astype(int), np.ceil(place[[0, 2]] + 1.5 - 1e-9).astype(int)
    found = [rows.get((x, z)) for x in range(first[0], last[0]) for z in range(first[1], last[1])]
    known = [pair for pair in found if pair is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if len(known) == len(found) else None


def farthest_between(case: Detailed, max_error: float) -> tuple[float, int]:
    """Rows by which the surface is farther off than is promised, 0 or less if it is not, and how many were compared."""
    draw, floors_of = np.random.default_rng(0), floor_finder(case)
    worst, count = -np.inf, 0
    for polygon, region in enumerate(case.mesh.regions.tolist()):
        rows = {(x, z): (low, high) for x, z, low, high in floors_of(region).tolist()}
        for place in places_of_surface(case, polygon, draw):
            around = rows_within(rows, place)
            if around is not None:
                worst = max(worst, place[1] - around[1] - max_error, around[0] - 1 - max_error - place[1])
                count += 1
    return worst, count


def kerbs(seed: int, side: int = 24) -> CompactHeightfield:
    """Boxes of one to three rows on level ground, each of which can be climbed."""
    draw = np.random.default_rng(seed)
    rows = np.full((side, side), 2)
    for _ in range(5):
        (x, z), (width, depth) = draw.integers(0, side - 3, 2), draw.integers(2, 9, 2)
        rows[z : z + depth, x : x + width] = 2 + int(draw.integers(1, 4))
    return field_of([(x, z, int(rows[z, x]), 63) for x in range(side) for z in range(side)], side, side)


def assert_near_between(case: Detailed, max_error: float) -> None:
    worst, count = farthest_between(case, max_error)
    assert worst <= 1e-5
    assert count > 100


@pytest.mark.parametrize("max_error", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(8))
def test_between_centres_surfaces_are_as_near_as_at_them(seed: int, max_error: float) -> None:
    assert_near_between(detailed(kerbs(seed), max_error=max_error), max_error)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_between_centres_surfaces_are_as_near_as_at_them_at_length(seed: int) -> None:
    for max_error in (0.0, 1.0, 3.0):
        assert_near_between(detailed(kerbs(seed), max_error=max_error), max_error)
        assert farthest_between(random_detail(seed, max_error), max_error)[0] <= 1e-5


def test_a_sliver_without_centres_of_cells_gets_vertices_too() -> None:
    """Its edge has one in a pit, of ten rows, and its other side none."""
    assert_near_between(random_detail(18, 1.0), 1.0)


def test_along_a_side_of_the_square_level_ground_is_left_by_half_a_row_at_most() -> None:
    """A shallow trough: between both ends of the side a line would be a row above it."""
    spans = [(x, z, 2 if 4 <= z < 28 else 3, 63) for x in range(20) for z in range(32)]
    case = detailed(field_of(spans, 20, 32), max_error=0.0)
    corners = case.vertices[np.unique(case.mesh.polygon_vertices)]
    places = {int(z) // PARTS: int(y) for x, y, z in corners.tolist() if x == 0}
    known = sorted(places)
    heights = np.interp(np.arange(6, 27), known, [places[z] for z in known])
    assert heights.max() <= 2.5
