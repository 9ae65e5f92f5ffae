"""Heights that users of other builders reported as wrong: hills, stairs between storeys, spikes (case C11)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import onepath
from onepath import Level, NavMesh
from tests.baked import SLIM

#: Case C11: heights sampled every metre, a quarter of a metre allowed.
FOLLOWED = SLIM.replace(detail_sample_distance=1.0, detail_max_error=0.25)


def heights_of_source(level: Level, points: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Of each point the heights of the level's triangles straight above and below it."""
    vertices, indices, _ = level.triangles()
    triangles = vertices[indices]
    triangles = triangles[np.argsort(triangles[:, :, 0].min(axis=1), kind="stable")]
    left, widest = triangles[:, :, 0].min(axis=1), np.ptp(triangles[:, :, 0], axis=1).max()
    found = []
    for x, _, z in points.tolist():
        begin, end = np.searchsorted(left, [x - widest - 1e-3, x + 1e-3])
        near = triangles[begin:end]
        near = near[(near[:, :, 2].min(axis=1) <= z + 1e-3) & (near[:, :, 2].max(axis=1) >= z - 1e-3)]
        a, b, c = near[:, 0], near[:, 1], near[:, 2]
        doubled = (b[:, 0] - a[:, 0]) * (c[:, 2] - a[:, 2]) - (c[:, 0] - a[:, 0]) * (b[:, 2] - a[:, 2])
        lying = np.abs(doubled) > 1e-12
        a, b, c, doubled = a[lying], b[lying], c[lying], doubled[lying]
        to_b = ((x - a[:, 0]) * (c[:, 2] - a[:, 2]) - (c[:, 0] - a[:, 0]) * (z - a[:, 2])) / doubled
        to_c = ((b[:, 0] - a[:, 0]) * (z - a[:, 2]) - (x - a[:, 0]) * (b[:, 2] - a[:, 2])) / doubled
        # Points are float32: one on the level's edge may lie outside of it by so much.
        inside = (to_b >= -1e-5) & (to_c >= -1e-5) & (to_b + to_c <= 1 + 1e-5)
        found.append((a[:, 1] + to_b * (b[:, 1] - a[:, 1]) + to_c * (c[:, 1] - a[:, 1]))[inside])
    return found


def distances_from_source(level: Level, mesh: NavMesh, count: int) -> NDArray[np.float64]:
    """Of random points of the mesh, in y, to the nearest surface of the source."""
    _, points = mesh.random_points(count, seed=11)
    sources = heights_of_source(level, points)
    assert all(len(heights) > 0 for heights in sources)
    return np.array([np.abs(heights - y).min() for heights, y in zip(sources, points[:, 1].tolist(), strict=True)])


def assert_no_spikes(level: Level, mesh: NavMesh) -> None:
    bounds = level.bounds
    assert bounds is not None
    for view in mesh.tiles():
        for vertices in (view.vertices, view.detail_vertices):
            if vertices is not None and len(vertices):
                assert (vertices[:, 1] + view.origin[1]).max() <= bounds[1][1] + 0.125 + 1e-6


@pytest.mark.parametrize("tile_cells", [32, 48])
def test_c11_hills_are_followed_within_the_error_and_a_cell_height(tile_cells: int) -> None:
    x, _ = np.meshgrid(np.arange(129) * 0.5, np.arange(129) * 0.5)
    level = Level()
    level.add_heightmap(2.0 * np.sin(x / 4.0), 0.5)
    mesh = onepath.bake(level, FOLLOWED.replace(tile_cells=tile_cells))
    assert distances_from_source(level, mesh, 2000).max() <= 0.375
    assert_no_spikes(level, mesh)


def two_floors_and_a_stair() -> Level:
    """Floors at 0 and 3, the upper one over the lower, joined by twelve steps of 0.25 by 0.5."""
    level = Level()
    level.add_plane((0, 0), (16, 8))
    level.add_plane((8, 0), (16, 8), 3.0)
    for step in range(12):
        begin, top = 2.0 + 0.5 * step, 0.25 * (step + 1)
        level.add_box((begin, 0, 3), (begin + 0.5, top, 5))
    return level


def test_c11_stairs_between_two_floors_are_followed_and_storeys_are_never_mixed() -> None:
    level = two_floors_and_a_stair()
    mesh = onepath.bake(level, FOLLOWED)
    assert distances_from_source(level, mesh, 2000).max() <= 0.375
    assert_no_spikes(level, mesh)
    _, points = mesh.random_points(2000, seed=12)
    between = points[(points[:, 1] > 0.5) & (points[:, 1] < 2.5)]
    assert len(between) > 10
    assert ((between[:, 0] >= 2) & (between[:, 0] <= 8) & (between[:, 2] >= 3) & (between[:, 2] <= 5)).all()
    assert mesh.find_path((1, 0, 1), (15, 3, 7)).status == onepath.PathStatus.SUCCESS
