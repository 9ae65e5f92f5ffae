"""Scenarios of the builder's front half, section by section of the voxelization document.

Inputs are made by `random.Random` and + - * / alone, so that the same numbers go in everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import numpy as np

from onepath.build import (
    CompactHeightfield,
    ConvexVolume,
    HeightfieldFrame,
    SolidHeightfield,
    VoxelChunk,
    add_chunk,
    apply_span_filters,
    apply_volume,
    erode_walkable_area,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
    filter_low_height,
    rasterize_height_grid,
)
from tests.grids import box, floor, rasterized
from tests.hashes.scenarios import Scenarios

scenario = Scenarios("build3d")


def _solid(field: SolidHeightfield) -> list[np.ndarray]:
    return [field.spans(), np.array([field.degenerate_triangles])]


def _compact(compact: CompactHeightfield) -> list[np.ndarray]:
    return [compact.cell_first, compact.cell_count, compact.y, compact.height, compact.area, compact.links]


# --- inputs


def _soup(seed: int, count: int, extent: float, size: float) -> np.ndarray:
    """Triangles in and around [0, extent] in X and Z, as corners (3 * count, 3)."""
    random = Random(seed)
    corners = []
    for _ in range(count):
        middle = [random.random() * (extent + 4) - 2, random.random() * 12, random.random() * (extent + 4) - 2]
        for _ in range(3):
            corners.append([at + (random.random() * 2 - 1) * size for at in middle])
    return np.array(corners)


def _rasterized(frame: HeightfieldFrame, corners: np.ndarray, **options: object) -> SolidHeightfield:
    return rasterized(frame, *corners.reshape(-1, 3, 3), **options)


def _metric(origin: tuple[float, float, float] = (0.0, -0.3, 0.0)) -> HeightfieldFrame:
    return HeightfieldFrame(origin, 0.3, 0.2, 58, 58, 80)


def _rooms() -> SolidHeightfield:
    """Floors, boxes, a bridge and a soup above them, filtered for the document's humanoid."""
    parts = [np.array(floor(0.0, 0.0, 17.0, 17.0, y=0.0)), np.array(floor(4.0, 4.0, 14.0, 8.0, y=3.1))]
    parts += [box((2 + 2.6 * i, 0.0, 10.0), (3.3 + 2.6 * i, 0.35 * i, 14.0)) for i in range(5)]
    parts.append(_soup(21, 40, 17.0, 1.5).reshape(-1, 3, 3))
    field = _rasterized(_metric(), np.concatenate(parts))
    apply_span_filters(field, 10, 4)
    return field


# --- section 2


@scenario("triangles/small")
def _small() -> Iterable[np.ndarray]:
    return _solid(_rasterized(_metric(), _soup(1, 4000, 17.0, 0.5)))


@scenario("triangles/large")
def _large() -> Iterable[np.ndarray]:
    return _solid(_rasterized(_metric(), _soup(2, 300, 17.0, 40.0)))


@scenario("triangles/slivers")
def _slivers() -> Iterable[np.ndarray]:
    corners = _soup(3, 2000, 17.0, 6.0).reshape(-1, 3, 3)
    corners[:, 2] = corners[:, 1] + (corners[:, 2] - corners[:, 0]) / 4096
    return _solid(_rasterized(_metric(), corners))


@scenario("triangles/on_grid_lines")
def _on_lines() -> Iterable[np.ndarray]:
    corners = np.floor(_soup(4, 3000, 24.0, 4.0))
    return _solid(_rasterized(HeightfieldFrame((0, 0, 0), 1.0, 1.0, 24, 24, 16), corners))


@scenario("triangles/walls")
def _walls() -> Iterable[np.ndarray]:
    corners = _soup(5, 1500, 17.0, 3.0).reshape(-1, 3, 3)
    for axis in (0, 2):
        corners[axis // 2 :: 3, :, axis] = np.floor(corners[axis // 2 :: 3, :1, axis] * 4) / 4
    corners[2::3, 2, ::2] = corners[2::3, 0, ::2]
    return _solid(_rasterized(HeightfieldFrame((0, 0, 0), 0.25, 0.25, 68, 68, 48), corners))


@scenario("triangles/far_from_the_origin")
def _far() -> Iterable[np.ndarray]:
    shift = (2.0**20 + 0.7, -0.3, -(2.0**20) - 0.1)
    return _solid(_rasterized(_metric(shift), _soup(6, 500, 17.0, 3.0) + shift))


@scenario("triangles/areas")
def _areas() -> Iterable[np.ndarray]:
    areas = [(7 * i) % 64 for i in range(1500)]
    for threshold in (0, 1, 4):
        for classify in (True, False):
            options = {"areas": areas, "merge_threshold": threshold, "classify": classify}
            yield from _solid(_rasterized(_metric(), _soup(7, 1500, 17.0, 2.0), **options))


# --- sections 3, 4, 5


@scenario("spans/merging")
def _merging() -> Iterable[np.ndarray]:
    random, field = Random(8), SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 5, 4, 300))
    for _ in range(3000):
        low = random.randrange(290)
        column = random.randrange(5), random.randrange(4)
        field.add_span(*column, low, low + random.randint(1, 9), random.randrange(64), random.randrange(6))
        if random.randrange(40) == 0:
            yield field.spans()
            field.reset(field.frame)


@scenario("height_grid/hills")
def _hills() -> Iterable[np.ndarray]:
    random = Random(9)
    heights = [[(i * j % 7) * 0.3 + random.random() for i in range(30)] for j in range(25)]
    field = SolidHeightfield(_metric((-1.0, -0.3, -2.0)))
    rasterize_height_grid(field, heights, 0.55, origin=(-0.6, -0.7))
    return _solid(field)


@scenario("voxels/chunks")
def _chunks() -> Iterable[np.ndarray]:
    random = Random(10)
    dense = np.zeros((12, 14, 30), dtype=np.uint8)
    for z in range(12):
        for x in range(14):
            dense[z, x] = [random.choice((0, 0, 1, 1, 2, 200)) for _ in range(30)]
    chunk = VoxelChunk.from_dense(dense)
    field = SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 20, 20, 40))
    add_chunk(field, chunk, (-3, 4, 5), material_areas=[material % 64 for material in range(256)])
    add_chunk(field, chunk, (9, -7, 10))
    return [chunk.column_first, chunk.runs, *_solid(field)]


# --- sections 6 to 9


@scenario("filters/each")
def _filters() -> Iterable[np.ndarray]:
    corners = _soup(11, 900, 17.0, 1.5)
    for run in (
        lambda field: filter_low_hanging_obstacles(field, 4),
        lambda field: filter_ledge_spans(field, 10, 4),
        lambda field: filter_low_height(field, 10),
        lambda field: apply_span_filters(field, 6, 2),
    ):
        field = _rasterized(_metric(), corners)
        run(field)
        yield field.spans()


@scenario("compact/rooms")
def _compact_rooms() -> Iterable[np.ndarray]:
    return _compact(CompactHeightfield.build(_rooms(), 10, 4))


@scenario("compact/soup")
def _compact_soup() -> Iterable[np.ndarray]:
    field = _rasterized(_metric(), _soup(12, 1500, 17.0, 1.0), classify=False)
    return _compact(CompactHeightfield.build(field, 3, 5))


@scenario("erosion/rooms")
def _erosion() -> Iterable[np.ndarray]:
    for radius in (1, 2, 3, 9):
        compact = CompactHeightfield.build(_rooms(), 10, 4)
        erode_walkable_area(compact, radius)
        yield compact.area


@scenario("volumes/overlapping")
def _volumes() -> Iterable[np.ndarray]:
    compact = CompactHeightfield.build(_rooms(), 10, 4)
    erode_walkable_area(compact, 2)
    for corners, low, high, area in (
        ([(1.0, 1.0), (1.0, 16.0), (9.0, 12.5), (10.0, 3.0)], -1.0, 0.5, 5),
        ([(3.0, 3.0), (15.0, 3.0), (15.0, 9.0), (3.0, 9.0)], 0.2, 9.0, 6),
        ([(0.45, 0.45), (0.45, 9.75), (9.75, 0.45)], -9.0, 9.0, 7),
        ([(8.0, 8.0), (8.0, 12.0), (12.0, 8.0)], -9.0, 9.0, 0),
    ):
        apply_volume(compact, ConvexVolume(corners, low, high, area))
    return [compact.area]
