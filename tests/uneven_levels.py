"""Random levels with what heights go wrong at: stairs under landings, kerbs, flanks of ramps, walls, boxes, humps."""

from __future__ import annotations

import numpy as np

from benchmarks.subjects import SETTINGS
from onepath import AgentShape, BakeSettings, Level


def _add_stair(level: Level, draw: np.random.Generator, top: float) -> None:
    """A ramp or a flight of steps, and mostly a landing that hangs over its sides and its surroundings."""
    x, z = np.round(draw.random(2) * 32) / 4
    width, length = float(draw.choice([1.0, 1.5, 2.5])), float(draw.choice([3.0, 4.5, 6.0]))
    kind, thickness = int(draw.integers(3)), float(draw.choice([0.0, 0.2]))
    if kind < 2:
        end = (x + length, top, z) if kind == 0 else (x, top, z + length)
        level.add_ramp((x, 0, z), end, width, thickness=0.2)
    else:
        count = int(np.ceil(top / 0.2))
        for step in range(count):
            begin, high = x + length * step / count, top * (step + 1) / count
            low = high - 0.2 if thickness else 0.0
            level.add_box((begin, low, z - width / 2), (begin + length / count, high, z + width / 2))
    if draw.random() < 0.8:
        side, reach = float(draw.integers(3)), np.round(draw.random(2) * 16 + 4) / 4
        x, z = (x - width / 2 - side, z + length) if kind == 1 else (x + length, z - width / 2 - side)
        level.add_box((x, top - 0.2, z), (x + width + reach[0], top, z + width + reach[1]))


def level_with_stairs(seed: int) -> tuple[Level, BakeSettings]:
    """A floor with stairs up to landings, and settings, all of the seed."""
    draw = np.random.default_rng(seed)
    level = Level()
    level.add_plane((0, 0), (18, 18))
    top = float(draw.choice([2.4, 3.0]))
    for _ in range(int(draw.integers(1, 4))):
        _add_stair(level, draw, top)
    radius, climb = float(draw.choice([0.0, 0.15, 0.3, 0.6])), float(draw.choice([0.4, 0.9]))
    return level, SETTINGS.replace(
        agent=AgentShape(radius=radius, height=2.0, max_climb=climb, max_slope=50.0),
        min_region_area=0.0,
        tile_cells=int(draw.choice([16, 48])),
        detail_sample_distance=0.9,
        detail_max_error=float(draw.choice([0.0, 0.2, 0.6])),
    )


def _add_turned_ramp(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """A ramp in any direction, a slab or a wedge, with flanks to fall off."""
    angle = float(draw.choice([0.0, np.pi / 2, draw.random() * 2 * np.pi]))
    width, length = float(draw.choice([0.9, 1.5, 2.5])), float(draw.choice([3.0, 4.5, 6.0]))
    top, thickness = float(draw.choice([1.0, 2.0, 3.0])), [None, 0.1][int(draw.integers(2))]
    end = (x + length * float(np.cos(angle)), top, z + length * float(np.sin(angle)))
    level.add_ramp((x, 0.0, z), end, width, thickness=thickness)


def _add_flight(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """Steps without anything below their sides, now and then beside a wall."""
    count, tread = int(draw.integers(4, 12)), float(draw.choice([0.3, 0.45, 0.6]))
    rise, width = float(draw.choice([0.2, 0.3])), float(draw.choice([0.9, 1.5]))
    for step in range(count):
        level.add_box((x + step * tread, 0, z), (x + (step + 1) * tread, rise * (step + 1), z + width))
    if draw.random() < 0.5:
        level.add_box((x - 1, 0, z + width), (x + count * tread + 1, 4, z + width + 0.2))


def _add_spiral(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """Steps as wide as thirty degrees, thin as paper, up to twice and more around nothing."""
    inner, outer = float(draw.choice([0.2, 0.6])), float(draw.choice([1.5, 2.2]))
    for step in range(int(draw.integers(8, 28))):
        angles = np.array([step, step, step + 1, step + 1]) * np.pi / 6
        reach = np.array([inner, outer, inner, outer])
        heights = np.full(4, 0.2 * (step + 1))
        corners = np.stack([x + reach * np.cos(angles), heights, z + reach * np.sin(angles)], axis=1)
        level.add(corners, np.array([[0, 2, 1], [1, 2, 3]], dtype=np.int32))


def _add_kerb(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    width, depth = (0.4 + draw.random(2) * 5).tolist()
    level.add_box((x, 0, z), (x + width, float(draw.choice([0.2, 0.4, 0.45, 0.6, 0.9, 1.1, 1.2])), z + depth))


def _add_wall(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """Thin and high, in any direction."""
    angle, length = float(draw.random() * np.pi), float(1 + draw.random() * 6)
    along = np.array([np.cos(angle), np.sin(angle)])
    turn = np.eye(4)
    turn[0, 0], turn[0, 2], turn[2, 0], turn[2, 2] = along[0], -along[1], along[1], along[0]
    turn[0, 3], turn[2, 3] = x, z
    level.add_box((-length / 2, 0, -0.1), (length / 2, 3, 0.1), transform=turn)


def _add_box(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """Any box, on the floor or in the air."""
    size, low = (0.3 + draw.random(3) * 3).tolist(), float(draw.choice([0.0, draw.random() * 3]))
    level.add_box((x, low, z), (x + size[0], low + size[1], z + size[2]))


def _add_hump(level: Level, draw: np.random.Generator, x: float, z: float) -> None:
    """A smooth hill."""
    side = int(draw.integers(6, 14))
    wave = np.sin(np.linspace(0, np.pi, side)) ** 2
    level.add_heightmap(float(0.5 + draw.random() * 1.5) * np.outer(wave, wave) - 0.02, 0.5, (x - 2, 0, z - 2))


ADDITIONS = (_add_kerb, _add_turned_ramp, _add_flight, _add_spiral, _add_wall, _add_box, _add_hump)


def level_with_drops(seed: int) -> tuple[Level, BakeSettings]:
    """A floor anywhere in its row with kerbs, flanks of ramps and stairs, walls and boxes, and agents of any width.

    Some may stand at the edges; of others the rim is wider than what borders reach over.
    """
    draw = np.random.default_rng(seed)
    level = Level()
    level.add_plane((0, 0), (14, 14))
    for _ in range(int(draw.integers(2, 8))):
        x, z = (2 + draw.random(2) * 9).tolist()
        ADDITIONS[int(draw.integers(len(ADDITIONS)))](level, draw, x, z)
    radius, climb = float(draw.choice([0.0, 0.0, 0.15, 0.3, 0.6, 1.2])), float(draw.choice([0.4, 0.9]))
    return _raised(level, float(draw.choice([0.0, 0.07, 0.13]))), SETTINGS.replace(
        agent=AgentShape(radius=radius, height=2.0, max_climb=climb, max_slope=50.0),
        min_region_area=0.0,
        tile_cells=int(draw.choice([16, 48])),
        max_edge_error_cells=float(draw.choice([0.0, 1.3, 1.3, 2.5])),
        detail_sample_distance=0.9,
        partition=str(draw.choice(["watershed", "monotone"])),
        detail_max_error=float(draw.choice([0.0, 0.2, 0.6])),
        solid_interior="remove",  # the hollow of a box is no floor
    )


def _raised(level: Level, height: float) -> Level:
    """Over a slab far off that keeps the lowest place where it was: so floors lie elsewhere in their rows."""
    vertices, indices, _ = level.triangles()
    raised = Level()
    raised.add(vertices + np.array([0.0, height, 0.0]), indices)
    raised.add_plane((20, 20), (21, 21), -0.2)
    return raised
