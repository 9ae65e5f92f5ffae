"""Whole bakes of random levels with random settings, held to what every finished mesh has to be.

What is checked is counted anew: the stages are called one by one, the walk over linked spans is compared with the walk
over polygons, and shapely measures distances.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from onepath import BakeSettings
from onepath.build import PolyMesh
from onepath.debug import TileStages
from onepath.mesh import Tile, TileView
from tests.detailed import Detailed, assert_near, assert_tiled
from tests.floors import is_inside, joined_of, places_of
from tests.random_levels import LEVELS, RandomBake

SEEDS = range(70)

# --- what a mesh has to be


def assert_tile_is_what_its_stages_give(tile: TileView, stages: TileStages, settings: BakeSettings) -> None:
    mesh = stages.polymesh
    assert tile.polygon_count == mesh.polygon_count
    assert np.array_equal(tile.polygon_offsets, mesh.polygon_offsets)
    assert np.array_equal(tile.polygon_neighbours, mesh.polygon_neighbours)
    assert np.array_equal(tile.border_sides, mesh.border_sides)
    assert np.array_equal(tile.areas, mesh.areas)
    edges = np.array([settings.cells.cell_size, settings.cells.cell_height, settings.cells.cell_size])
    found = np.round(tile.vertices[tile.polygon_vertices].astype(np.float64) / edges)
    assert np.array_equal(found, mesh.vertices[mesh.polygon_vertices])
    if stages.detail is None or len(stages.detail.triangles) == 0:
        assert tile.detail_triangles is None
    else:
        assert tile.detail_vertices is not None and tile.detail_offsets is not None
        assert tile.detail_triangles is not None
        assert np.array_equal(tile.detail_offsets, stages.detail.offsets)
        assert np.array_equal(tile.detail_triangles, stages.detail.triangles)
        assert np.allclose(tile.detail_vertices.astype(np.float64) / edges, stages.detail.vertices, rtol=1e-6)
    block = tile.tile.to_bytes()
    assert Tile.from_bytes(block).to_bytes() == block


def shapes_of(mesh: PolyMesh) -> NDArray[np.object_]:
    rings = [mesh.vertices[mesh.polygon_vertices[b:e]][:, [0, 2]] for b, e in pairwise(mesh.polygon_offsets.tolist())]
    return np.array([shapely.Polygon(ring) for ring in rings], dtype=object)


def assert_polygons_cover_the_spans_and_nothing_else(stages: TileStages, error: float) -> None:
    """Every cell that erosion left has its middle within the error of a polygon of its region, every polygon has cells
    of its region under it."""
    mesh, regions = stages.polymesh, stages.regions
    x, z = places_of(stages.compact, stages.padding)
    walkable = is_inside(stages.compact, stages.padding) & (stages.compact.area > 0)
    assert np.array_equal(regions.region > 0, walkable)
    shapes = shapes_of(mesh)
    assert shapely.is_valid(shapes).all()
    for region in range(1, regions.count + 1):
        own, polygons = regions.region == region, shapes[mesh.regions == region]
        middles = shapely.points(x[own] + 0.5, z[own] + 0.5)
        _, distance = shapely.STRtree(polygons).query_nearest(middles, return_distance=True, all_matches=False)
        assert distance.max() <= error
        cells = shapely.box(x[own], z[own], x[own] + 1, z[own] + 1)
        polygon, cell = shapely.STRtree(cells).query(polygons, predicate="intersects")
        shared = shapely.area(shapely.intersection(polygons[polygon], cells[cell]))
        assert (np.bincount(polygon, shared, len(polygons)) > 1e-9).all()
        assert set(stages.compact.area[own].tolist()) == set(mesh.areas[mesh.regions == region].tolist())


def islands(count: int, pairs: set[tuple[int, int]]) -> list[int]:
    """The least member of each one's island."""
    parent = list(range(count))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return [root(k) for k in range(count)]


def assert_polygons_join_what_spans_join(stages: TileStages) -> None:
    """Regions that can be walked between over linked spans are those that can be walked between over polygons."""
    mesh, region = stages.polymesh, stages.regions.region
    over_spans = {
        (int(region[span]), int(region[other]))
        for span, row in enumerate(joined_of(stages.compact))
        for other in row
        if other >= 0 and region[span] > 0 and region[other] > 0
    }
    owner = np.repeat(np.arange(mesh.polygon_count), np.diff(mesh.polygon_offsets))
    crossed = mesh.polygon_neighbours >= 0
    steps = zip(owner[crossed].tolist(), mesh.polygon_neighbours[crossed].tolist(), strict=True)
    over_polygons = {(int(mesh.regions[a]), int(mesh.regions[b])) for a, b in steps}
    count = stages.regions.count + 1
    assert islands(count, over_spans) == islands(count, over_polygons)


def assert_sound(seed: int) -> int:
    """Checks all tiles of a bake; how many polygons they have."""
    bake = RandomBake(seed)
    assert bake.mesh.report is not None and bake.mesh.report.unkept_contours == 0
    for tile, stages in bake.tiles():
        assert_tile_is_what_its_stages_give(tile, stages, bake.settings)
        assert_polygons_cover_the_spans_and_nothing_else(stages, bake.settings.max_edge_error_cells)
        assert_polygons_join_what_spans_join(stages)
        if stages.detail is not None:
            detailed = Detailed(stages.contours, stages.polymesh, stages.detail)
            assert_tiled(detailed)
            assert_near(detailed, bake.settings.cells.detail_error)
    return bake.mesh.polygon_count


@pytest.mark.parametrize("kind", range(len(LEVELS)))
def test_random_levels_bake_into_sound_meshes(kind: int) -> None:
    assert sum(assert_sound(seed) for seed in SEEDS if seed % len(LEVELS) == kind) > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_random_levels_bake_into_sound_meshes_at_length(seed: int) -> None:
    assert_sound(seed)
