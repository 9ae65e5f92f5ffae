"""Random levels, random settings and whole bakes of them, for properties that every finished mesh has to have.

A level and its settings depend on their seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import onepath
from onepath import AgentShape, BakeSettings, ConvexVolume, Level
from onepath.build.settings import EROSIONS, PARTITIONS, SOLID_INTERIORS
from onepath.debug import LevelStages, TileStages
from onepath.mesh import TileView

__all__ = ["LEVELS", "RandomBake"]


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


def _walls(draw: np.random.Generator) -> Level:
    """A floor with walls that have no thickness, some only one side, some no higher than a step."""
    level = Level()
    level.add_plane((0, 0), (9, 9))
    for _ in range(int(draw.choice([2, 6, 15]))):
        (ax, az), (bx, bz) = ends = np.round(draw.random((2, 2)) * 36) / 4
        if (ends[0] == ends[1]).all():
            continue
        low, high = float(draw.choice([-0.5, 0.0, 0.3])), float(draw.choice([0.4, 1.0, 3.0]))
        ring = [(ax, low, az), (bx, low, bz), (bx, high, bz), (ax, high, az)]
        sides = [(0, 1, 2), (0, 2, 3), (0, 2, 1), (0, 3, 2)]
        level.add(ring, sides[: int(draw.choice([2, 4]))])
    return level


LEVELS: tuple[Callable[[np.random.Generator], Level], ...] = (
    _soup,
    _boxes,
    _plates,
    _hills,
    _storeys,
    _spiral,
    _voxels,
    _walls,
)

#: Of volumes.
NAMES = (None, "pond", "meadow")


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
        detail_sample_distance=one_of(0.0, 0.25, 1.5),
        detail_max_error=one_of(0.0, 0.125, 1.0),
        solid_interior=SOLID_INTERIORS[int(draw.integers(2))],
        two_sided=bool(draw.integers(2)),
    )


def _volumes(draw: np.random.Generator) -> list[ConvexVolume]:
    found = []
    for _ in range(int(draw.integers(0, 3))):
        x, z, half = draw.random(3) * [8.0, 8.0, 3.0] + 0.1
        corners = [(x - half, z), (x, z + half), (x + half, z), (x, z - half)]
        name = NAMES[int(draw.integers(len(NAMES)))]
        found.append(ConvexVolume(corners, -100.0, 100.0, int(draw.choice([0, 1, 5, 63])), name))
    return found


class RandomBake:
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
        self.stages = LevelStages(self.level, self.settings, self.volumes)

    @property
    def climb_height(self) -> float:
        """The climb in whole rows, metres."""
        return self.settings.cells.span.climb * self.settings.cells.cell_height

    def tiles(self) -> Iterator[tuple[TileView, TileStages]]:
        for tile in self.mesh.tiles():
            yield tile, self.stages.tile(tile.column, tile.row)
