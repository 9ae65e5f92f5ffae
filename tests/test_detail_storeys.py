"""Detail stays on its own storey and side of a drop: no place of a surface is far from the floors of the source."""

from __future__ import annotations

import pytest

from benchmarks.subjects import DETAILS
from onepath import Level, levels
from tests.source_floors import allowed, farthest_from_floors
from tests.uneven_levels import level_with_drops, level_with_stairs


def at_origin(level: Level) -> Level:
    vertices, indices, _ = level.triangles()
    moved = Level()
    moved.add(vertices - vertices.min(axis=0), indices)
    return moved


@pytest.mark.parametrize("detail", list(DETAILS))
@pytest.mark.parametrize("name", ["building", "room", "courtyards", "town"])
def test_surfaces_of_generated_levels_are_on_their_floors(name: str, detail: str) -> None:
    level = levels.town(size=52) if name == "town" else getattr(levels, name)()
    assert farthest_from_floors(at_origin(level), DETAILS[detail]) <= allowed(DETAILS[detail])


# Stairs beside floors of their own region, under landings of the next one.
@pytest.mark.parametrize("seed", [*range(8), 30, 58, 85, 129, 146, 165, 193, 214, 251, 262])
def test_surfaces_around_stairs_are_on_their_floors(seed: int) -> None:
    level, settings = level_with_stairs(seed)
    assert farthest_from_floors(level, settings) <= allowed(settings)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(300, 1000))
def test_surfaces_around_stairs_are_on_their_floors_at_length(seed: int) -> None:
    level, settings = level_with_stairs(seed)
    assert farthest_from_floors(level, settings) <= allowed(settings)


@pytest.mark.parametrize("first", range(0, 100, 10))
def test_surfaces_beside_drops_are_on_their_floors(first: int) -> None:
    assert_on_floors_beside_drops(range(first, first + 10))


# Edges from the top of a step that pass corners of cells below it; a floor narrower than what is measured at.
@pytest.mark.parametrize("seed", [1428, 1933, 2165, 2368, 2371, 2934])
def test_surfaces_between_the_centres_of_cells_are_on_their_floors(seed: int) -> None:
    assert_on_floors_beside_drops(range(seed, seed + 1))


@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 3000, 50))
def test_surfaces_beside_drops_are_on_their_floors_at_length(first: int) -> None:
    assert_on_floors_beside_drops(range(first, first + 50))


def assert_on_floors_beside_drops(seeds: range) -> None:
    scenes = ((seed, *level_with_drops(seed)) for seed in seeds)
    assert [seed for seed, level, settings in scenes if farthest_from_floors(level, settings) > allowed(settings)] == []
