"""A town however it is cut into tiles: who reaches whom is what a flood over its open spaces says, areas agree."""

from __future__ import annotations

import math
from collections import deque
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import onepath
from onepath import AgentShape, BakeSettings, Level, NavMesh, levels
from onepath.debug import LevelStages
from tests.floors import joined_of, places_of

TOWN = BakeSettings.for_agent(AgentShape(radius=0.4, height=1.8, max_climb=0.5)).replace(min_region_area=0)
TILES = (16, 32, 48, 64)


@cache
def level_of(name: str) -> Level:
    return {
        "building": lambda: levels.building(seed=4),
        "town": lambda: levels.town(size=104, seed=1),
        "pillars": lambda: levels.pillars(size=30, seed=3),
    }[name]()


def uncut(level: Level, settings: BakeSettings) -> BakeSettings:
    """The settings with one tile that holds the whole level, its corner at the level's or before it."""
    assert level.bounds is not None
    low, high = (np.array(corner)[[0, 2]] for corner in level.bounds)
    reach = float(max(high.max(), (high - low).max(), -low.min()))
    return settings.replace(tile_cells=math.ceil(reach / settings.cell_size) + 1)


@cache
def flooded(name: str, settings: BakeSettings) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Every walkable open space of a level that is not cut into tiles: its place, and the island that it is of."""
    level = level_of(name)
    stages = LevelStages(level, uncut(level, settings))
    places, labels, first = [], [], 0
    for column, row in stages.grid.tiles():
        tile = stages.tile(column, row)
        compact, padding = tile.compact, tile.padding
        label = flood(joined_of(compact), compact.area > 0)
        x, z = places_of(compact, padding)
        side = compact.frame.width - 2 * padding
        kept = (compact.area > 0) & (x >= 0) & (z >= 0) & (x < side) & (z < side)
        place = np.stack([x + padding + 0.5, compact.y, z + padding + 0.5], axis=1)
        frame = compact.frame
        places.append((frame.origin + place * [frame.cell_size, frame.cell_height, frame.cell_size])[kept])
        labels.append(label[kept] + first)
        first += compact.span_count
    assert sum(len(place) > 0 for place in places) == 1, "the level lies in one tile"
    return np.concatenate(places), np.concatenate(labels)


def flood(links: NDArray[np.int64], walkable: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The first open space that each can be reached from over links."""
    label = np.full(len(links), -1)
    beside = [[other for other in row if other >= 0] for row in links.tolist()]
    for start in np.flatnonzero(walkable).tolist():
        if label[start] >= 0:
            continue
        label[start], waiting = start, deque([start])
        while waiting:
            for other in beside[waiting.popleft()]:
                if label[other] < 0:
                    label[other] = start
                    waiting.append(other)
    return label


def islands(mesh: NavMesh) -> dict[int, int]:
    """For each polygon's reference the first one of its island, walked over edges and portals."""
    steps: dict[int, list[int]] = {}
    for view in mesh.tiles():
        references = view.references.tolist()
        for index, own in enumerate(references):
            begin, end = view.polygon_offsets[index : index + 2]
            steps[own] = [references[other] for other in view.polygon_neighbours[begin:end].tolist() if other >= 0]
        for polygon, target in zip(view.links["polygon"].tolist(), view.links["target"].tolist(), strict=True):
            steps[references[polygon]].append(target)
    found: dict[int, int] = {}
    for start in steps:
        if start in found:
            continue
        found[start], waiting = start, deque([start])
        while waiting:
            for other in steps[waiting.popleft()]:
                if other not in found:
                    found[other] = start
                    waiting.append(other)
    return found


def chosen_pairs(labels: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """(count, 2) open spaces: half of them of islands chosen alike whatever their size, half anywhere."""
    draw = np.random.default_rng(11)
    order = np.argsort(labels, kind="stable")
    names, first, size = np.unique(labels[order], return_index=True, return_counts=True)
    island = draw.integers(0, len(names), count)
    alike = order[first[island] + (draw.random(count) * size[island]).astype(int)]
    return draw.permutation(np.concatenate([alike, draw.integers(0, len(labels), count)])).reshape(-1, 2)


def assert_cut_alike(name: str, settings: BakeSettings, tiles: tuple[int, ...], pairs: int) -> None:
    places, labels = flooded(name, settings)
    asked = chosen_pairs(labels, pairs)
    level = level_of(name)
    wanted = labels[asked[:, 0]] == labels[asked[:, 1]]
    assert wanted.any() and bool(wanted.all()) == (len(set(labels.tolist())) == 1)
    areas = []
    for cut in (*(settings.replace(tile_cells=cells) for cells in tiles), uncut(level, settings)):
        mesh = onepath.bake(level, cut)
        assert mesh.report.unkept_contours == 0
        island_of = islands(mesh)
        found = [[island_of[mesh.snap(places[k], up=1, down=1, horizontal=0.5).ref] for k in pair] for pair in asked]
        reached = np.array([a == b for a, b in found])
        assert np.array_equal(reached, wanted), f"{cut.tile_cells} cells a tile"
        areas.append(mesh.walkable_area)
    assert max(areas) <= 1.01 * min(areas)


@pytest.mark.parametrize("changes", [{}, {"partition": "monotone"}, {"erosion": "euclidean"}])
def test_a_building_is_the_same_however_it_is_cut(changes: dict[str, str]) -> None:
    """Two houses of spiral and straight stairs, and a bridge over a bridge over the ground."""
    assert_cut_alike("building", TOWN.replace(**changes), (16, 48), 400)


def test_pillars_on_the_corners_of_tiles_change_nothing() -> None:
    assert_cut_alike("pillars", TOWN, (16, 32, 48), 400)


@pytest.mark.full
@pytest.mark.parametrize("changes", [{}, {"partition": "monotone"}, {"erosion": "euclidean"}])
@pytest.mark.parametrize("name", ["town", "building", "pillars"])
def test_a_town_is_the_same_however_it_is_cut(name: str, changes: dict[str, str]) -> None:
    """Spiral stairs, a bridge over two floors, nested courtyards, colonnades: 10,000 pairs."""
    assert_cut_alike(name, TOWN.replace(**changes), TILES, 10_000)
