"""Compact fields for the back half of the builder, made of spans: random floors, stacked ones, spiral stairs, rooms.

Random floors depend on their seed alone. Heights are in rows, places in cells; an agent is 10 rows tall everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from onepath.build import CompactHeightfield, HeightfieldFrame, SolidHeightfield

HEIGHT = 10
STOREY = 14
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def field_of(
    spans: Iterable[tuple[int, int, int, int]] | NDArray[np.int64], width: int, depth: int, climb: int = 4
) -> CompactHeightfield:
    """A field of one-row spans (x, z, floor row, area)."""
    rows = np.array(list(spans), dtype=np.int32).reshape(-1, 4)
    solid = np.stack([rows[:, 0], rows[:, 1], rows[:, 2] - 1, rows[:, 2], rows[:, 3]], axis=1).astype(np.int32)
    frame = HeightfieldFrame((0, 0, 0), 0.3, 0.2, width, depth, 1000)
    solid = solid[np.lexsort((solid[:, 2], solid[:, 0], solid[:, 1]))]
    return CompactHeightfield.build(SolidHeightfield.from_spans(frame, solid), HEIGHT, climb)


def plan(*lines: str, floor: int = 5) -> CompactHeightfield:
    """A floor drawn in characters, z downward: `.` and space nothing, `#` ground, a digit ground of that area id."""
    spans = [
        (x, z, floor, int(mark) if mark.isdigit() else 63)
        for z, line in enumerate(lines)
        for x, mark in enumerate(line)
        if mark not in ". "
    ]
    return field_of(spans, len(lines[0]), len(lines))


def random_spans(seed: int, width: int, depth: int) -> list[tuple[int, int, int, int]]:
    """One to three storeys with holes, steps and now and then another area; some are lower than an agent."""
    random = np.random.default_rng(seed)
    storeys = int(random.integers(1, 4))
    holes = float(random.choice([0.0, 0.03, 0.1, 0.3, 0.5]))
    roughness = int(random.integers(1, 8))
    present = random.random((depth, width, storeys)) >= holes
    storey_height = int(random.choice([STOREY, STOREY, HEIGHT]))
    floors = random.integers(0, roughness, present.shape) + storey_height * np.arange(storeys) + 1
    areas = np.where(random.random(present.shape) < 0.97, 63, 7)
    z, x, storey = np.nonzero(present)
    columns = np.stack([x, z, floors[z, x, storey], areas[z, x, storey]], axis=1)
    return [tuple(row) for row in columns.tolist()]


def random_field(seed: int, largest: int = 26, climbs: tuple[int, ...] = (1, 2, 3, 4, 5, 9, 16)) -> CompactHeightfield:
    random = np.random.default_rng(seed + 10**6)
    width, depth = (int(side) for side in random.integers(2, largest, 2))
    return field_of(random_spans(seed, width, depth), width, depth, int(random.choice(climbs)))


def crowded_field(seed: int, width: int = 5, depth: int = 4) -> CompactHeightfield:
    """Three storeys of few cells with hardly more room between them than an agent needs; odd seeds mix two areas."""
    random = np.random.default_rng(seed)
    spans = [
        (x, z, int(random.integers(1, 4)) + HEIGHT * storey, int(random.choice([63, 7])) if seed % 2 else 63)
        for z in range(depth)
        for x in range(width)
        for storey in range(3)
        if random.random() < 0.8
    ]
    return field_of(spans, width, depth, int(random.choice([1, 2, 4, 9])))


def rolling_field(seed: int, width: int, depth: int, first_x: int = 0) -> CompactHeightfield:
    """A window, from column `first_x` on, of one wavy floor without holes."""
    random = np.random.default_rng(seed)
    along, across = (random.integers(-1, 2, 200).cumsum() + 100 for _ in range(2))
    heights = across[:depth, None] + along[None, :] + random.integers(0, 2, (depth, 200))
    spans = [(x, z, int(heights[z, first_x + x]), 63) for z in range(depth) for x in range(width)]
    return field_of(spans, width, depth)


def spiral_stairs(turns: int = 3, half: int = 4, post: int = 1) -> CompactHeightfield:
    """Stairs that wind around a square post, a row up each eighth of a turn or so, several turns above each other."""
    spans = []
    width = 2 * (half + post)
    centre = half + post
    for z in range(width):
        for x in range(width):
            across, along = x - centre + 0.5, z - centre + 0.5
            if max(abs(across), abs(along)) < post:
                continue
            part = (np.arctan2(along, across) / (2 * np.pi)) % 1.0
            spans += [(x, z, 2 + int((turn + part) * 24), 63) for turn in range(turns)]
    return field_of(spans, width, width)


def columns_of(compact: CompactHeightfield) -> NDArray[np.int64]:
    """The column index of every open space."""
    return np.repeat(np.arange(len(compact.cell_count)), compact.cell_count)


def places_of(compact: CompactHeightfield, padding: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """x and z of every open space, from the low corner of the square."""
    columns = columns_of(compact)
    return columns % compact.frame.width - padding, columns // compact.frame.width - padding


def neighbours_of(compact: CompactHeightfield) -> NDArray[np.int64]:
    """(n, 4) index of the open space linked to in each direction, -1 for none."""
    x, z = places_of(compact)
    found = np.full((compact.span_count, 4), -1)
    for direction, (dx, dz) in enumerate(STEPS):
        linked = compact.links[:, direction] >= 0
        column = x[linked] + dx + (z[linked] + dz) * compact.frame.width
        found[linked, direction] = compact.cell_first[column] + compact.links[linked, direction]
    return found


def joined_of(compact: CompactHeightfield) -> NDArray[np.int64]:
    """The same, links that hold both ways between walkable spaces only."""
    links, area = neighbours_of(compact), compact.area
    joined = np.full_like(links, -1)
    for direction in range(4):
        span = np.flatnonzero((links[:, direction] >= 0) & (area > 0))
        other = links[span, direction]
        both_ways = (links[other, direction ^ 2] == span) & (area[other] > 0)
        joined[span[both_ways], direction] = other[both_ways]
    return joined


def is_inside(compact: CompactHeightfield, padding: int) -> NDArray[np.bool_]:
    """Whether each open space lies in the square."""
    x, z = places_of(compact, padding)
    width, depth = compact.frame.width - 2 * padding, compact.frame.depth - 2 * padding
    return (x >= 0) & (z >= 0) & (x < width) & (z < depth)
