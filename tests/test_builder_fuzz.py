"""Whole bakes of random levels with random settings, held to what every finished mesh has to be.

A level and its settings depend on their seed alone. What is checked is counted anew: the stages are called one by one,
the walk over linked spans is compared with the walk over polygons, and shapely measures distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

import onepath
from onepath import AgentShape, BakeSettings, ConvexVolume, Level
from onepath.build import (
    CompactHeightfield,
    HeightfieldFrame,
    PolyMesh,
    RegionSet,
    SolidHeightfield,
    apply_span_filters,
    apply_volume,
    build_contours,
    build_polymesh,
    build_regions,
    erode_walkable_area,
    rasterize_triangles,
)
from onepath.build.grid import TileGrid
from onepath.build.settings import EROSIONS, PARTITIONS
from onepath.mesh import Tile, TileView
from tests.floors import is_inside, joined_of, places_of

SEEDS = range(70)

# --- levels


def _triangles(draw: np.random.Generator, heights: float) -> Level:
    """Triangles of any shape, facing up, on a grid of quarter metres or not."""
    corners = draw.random((int(draw.choice([1, 3, 10, 30])), 3, 3)) * [8.0, heights, 8.0]
    corners = np.round(corners * 4) / 4 if draw.random() < 0.5 else corners
    down = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] < 0
    corners[down] = corners[down][:, [0, 2, 1]]
    level = Level()
    level.add(corners.reshape(-1, 3), np.arange(3 * len(corners)))
    return level


def _soup(draw: np.random.Generator) -> Level:
    return _triangles(draw, float(draw.choice([0.1, 1.0, 6.0])))


def _boxes(draw: np.random.Generator) -> Level:
    level = Level()
    level.add_plane((0, 0), (9, 9))
    for _ in range(int(draw.choice([1, 8, 40]))):
        low = np.round(draw.random(3) * [8, 2, 8] * 4) / 4
        level.add_box(low, low + np.round(draw.random(3) * [3, 1, 3] * 4 + 1) / 4)
    return level


def _plates(draw: np.random.Generator) -> Level:
    """A floor of squares of one cell, some missing: holes that touch at corners, rings, islands in holes."""
    level = Level()
    kept = draw.random((24, 24)) >= float(draw.choice([0.05, 0.2, 0.5]))
    for x, z in np.argwhere(kept) * 0.25:
        level.add_plane((x, z), (x + 0.25, z + 0.25), float(draw.integers(0, 2)) * 0.125)
    return level


def _hills(draw: np.random.Generator) -> Level:
    level = Level()
    level.add_heightmap(draw.random((10, 12)) * float(draw.choice([0.3, 1.0, 3.0])), spacing=0.75)
    return level


def _storeys(draw: np.random.Generator) -> Level:
    level = Level()
    for storey in range(int(draw.choice([2, 6]))):
        for _ in range(3):
            low = np.round(draw.random(2) * 24) / 4
            level.add_plane(low, low + np.round(draw.random(2) * 24 + 1) / 4, storey * 2.25)
        x, z = draw.random(2) * 6
        level.add_ramp((x, storey * 2.25, z), (x + 4, storey * 2.25 + 2.25, z + draw.random()), 1.5, thickness=0.2)
    return level


def _spiral(draw: np.random.Generator) -> Level:
    """Stairs of two to four turns, round a thin post or hardly any."""
    level = Level()
    inner, rise = float(draw.choice([0.2, 0.6])), float(draw.choice([0.125, 0.15, 0.2]))
    for step in range(16 * int(draw.integers(2, 5))):
        angles = np.array([step, step, step + 1, step + 1]) * np.pi / 8
        radii = np.array([inner, 2.5, 2.5, inner])
        ring = np.stack([4 + radii * np.cos(angles), np.full(4, rise * step), 4 + radii * np.sin(angles)], axis=1)
        level.add(ring, [(0, 2, 1), (0, 3, 2)])
    return level


def _voxels(draw: np.random.Generator) -> Level:
    solid = draw.random((8, 9, 5)) < float(draw.choice([0.3, 0.6]))
    level = Level()
    level.add_voxels(solid, size=float(draw.choice([0.5, 1.0])))
    return level


LEVELS: tuple[Callable[[np.random.Generator], Level], ...] = (
    _soup,
    _boxes,
    _plates,
    _hills,
    _storeys,
    _spiral,
    _voxels,
)


def _settings(draw: np.random.Generator) -> BakeSettings:
    def one_of(*values: float) -> float:
        return float(draw.choice(values))

    return BakeSettings(
        agent=AgentShape(
            radius=one_of(0.0, 0.0, 0.3, 0.6),
            height=one_of(1.0, 2.0),
            max_climb=one_of(0.0, 0.25, 0.5),
            max_slope=one_of(30, 45, 85),
        ),
        cell_size=one_of(0.25, 0.3),
        cell_height=one_of(0.125, 0.2),
        tile_cells=int(draw.choice([8, 12, 16, 48])),
        merge_region_area=one_of(0.0, 1.0, 25.0, 1e9),
        max_edge_length=one_of(0.0, 0.25, 1.0),
        max_edge_error_cells=one_of(0.0, 0.5, 1.3, 4.0, 64.0),
        max_polygon_vertices=int(draw.choice([3, 4, 6, 64])),
        partition=PARTITIONS[int(draw.integers(2))],
        erosion=EROSIONS[int(draw.integers(2))],
    )


def _volumes(draw: np.random.Generator) -> list[ConvexVolume]:
    found = []
    for _ in range(int(draw.integers(0, 3))):
        x, z, half = draw.random(3) * [8.0, 8.0, 3.0] + 0.1
        corners = [(x - half, z), (x, z + half), (x + half, z), (x, z - half)]
        found.append(ConvexVolume(corners, -100.0, 100.0, int(draw.choice([0, 1, 5, 63]))))
    return found


# --- one tile, stage by stage


class Stages:
    """A tile's compact field, regions and polygons, made by the public stages."""

    def __init__(self, level: Level, settings: BakeSettings, grid: TileGrid, tile: TileView, volumes) -> None:
        cells, span = settings.cells, settings.cells.span
        vertices, triangles, areas = level.triangles()
        self.padding, self.side = cells.padding, cells.tile_cells
        width = cells.tile_cells + 2 * cells.padding
        origin = (
            tile.column * grid.tile_size - grid.padding,
            grid.vertical_origin,
            tile.row * grid.tile_size - grid.padding,
        )
        frame = HeightfieldFrame(origin, cells.cell_size, cells.cell_height, width, width, grid.height_rows)
        solid = SolidHeightfield(frame)
        rasterize_triangles(
            solid,
            vertices,
            triangles,
            areas,
            slope_cosine=span.slope_cosine,
            merge_threshold=span.merge_threshold,
        )
        apply_span_filters(solid, span.height, span.climb)
        self.compact: CompactHeightfield = CompactHeightfield.build(solid, span.height, span.climb)
        erode_walkable_area(self.compact, span.radius, metric=cells.erosion)
        for volume in volumes:
            apply_volume(self.compact, volume)
        self.regions: RegionSet = build_regions(
            self.compact,
            partition=cells.partition,
            padding=cells.padding,
            min_region=cells.min_region,
            merge_region=cells.merge_region,
        )
        contours = build_contours(self.regions, max_edge_error=cells.max_edge_error, max_edge=cells.max_edge)
        self.mesh: PolyMesh = build_polymesh(contours, max_polygon_vertices=cells.max_polygon_vertices)


class Bake:
    """A random level, its mesh, and its tiles stage by stage."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.level = LEVELS[seed % len(LEVELS)](draw)
        self.settings, self.volumes = _settings(draw), _volumes(draw)
        vertices, triangles, _ = self.level.triangles()
        move = np.array([float(draw.choice([0, -6, 100])), 0.0, float(draw.choice([0, -6, 100]))])
        self.level = Level()
        self.level.add(vertices + move, triangles)
        self.mesh = onepath.bake(self.level, self.settings, volumes=self.volumes)

    def tiles(self) -> Iterator[tuple[TileView, Stages]]:
        low, high = (np.array(corner) for corner in self.level.bounds or ())
        grid = TileGrid.over(self.settings, low, high)
        for tile in self.mesh.tiles():
            yield tile, Stages(self.level, self.settings, grid, tile, self.volumes)


# --- what a mesh has to be


def assert_tile_is_what_its_stages_give(tile: TileView, stages: Stages, settings: BakeSettings) -> None:
    mesh = stages.mesh
    assert tile.polygon_count == mesh.polygon_count
    assert np.array_equal(tile.polygon_offsets, mesh.polygon_offsets)
    assert np.array_equal(tile.polygon_neighbours, mesh.polygon_neighbours)
    assert np.array_equal(tile.border_sides, mesh.border_sides)
    assert np.array_equal(tile.areas, mesh.areas)
    edges = np.array([settings.cells.cell_size, settings.cells.cell_height, settings.cells.cell_size])
    found = np.round(tile.vertices[tile.polygon_vertices].astype(np.float64) / edges)
    assert np.array_equal(found, mesh.vertices[mesh.polygon_vertices])
    block = tile.tile.to_bytes()
    assert Tile.from_bytes(block).to_bytes() == block


def shapes_of(mesh: PolyMesh) -> NDArray[np.object_]:
    rings = [mesh.vertices[mesh.polygon_vertices[b:e]][:, [0, 2]] for b, e in pairwise(mesh.polygon_offsets.tolist())]
    return np.array([shapely.Polygon(ring) for ring in rings], dtype=object)


def assert_polygons_cover_the_spans_and_nothing_else(stages: Stages, error: float) -> None:
    mesh, regions = stages.mesh, stages.regions
    x, z = places_of(stages.compact, stages.padding)
    walkable = is_inside(stages.compact, stages.padding) & (stages.compact.area > 0)
    assert np.array_equal(regions.region > 0, walkable)
    shapes = shapes_of(mesh)
    assert shapely.is_valid(shapes).all()
    for region in range(1, regions.count + 1):
        own, polygons = regions.region == region, mesh.regions == region
        centres = shapely.points(x[own] + 0.5, z[own] + 0.5)
        for among, asked in ((shapes[polygons], centres), (centres, shapes[polygons])):
            _, distance = shapely.STRtree(among).query_nearest(asked, return_distance=True, all_matches=False)
            assert distance.max() <= error + 1
        assert set(stages.compact.area[own].tolist()) == set(mesh.areas[polygons].tolist())


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


def assert_polygons_join_what_spans_join(stages: Stages) -> None:
    """Regions that can be walked between over linked spans are those that can be walked between over polygons."""
    mesh, region = stages.mesh, stages.regions.region
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
    bake = Bake(seed)
    assert bake.mesh.report is not None and bake.mesh.report.unkept_contours == 0
    for tile, stages in bake.tiles():
        assert_tile_is_what_its_stages_give(tile, stages, bake.settings)
        assert_polygons_cover_the_spans_and_nothing_else(stages, bake.settings.max_edge_error_cells)
        assert_polygons_join_what_spans_join(stages)
    return bake.mesh.polygon_count


@pytest.mark.parametrize("kind", range(len(LEVELS)))
def test_random_levels_bake_into_sound_meshes(kind: int) -> None:
    assert sum(assert_sound(seed) for seed in SEEDS if seed % len(LEVELS) == kind) > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_random_levels_bake_into_sound_meshes_at_length(seed: int) -> None:
    assert_sound(seed)
