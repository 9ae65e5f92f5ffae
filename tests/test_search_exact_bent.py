"""Exact searches where rounding bent a line: outlines a hair from convex, starts a hair beside their polygon.

Corners are rounded to float32 and tiles may lie far from the origin, so corners of one straight line seldom lie on one.
Each scene is of a kind that once came out longer than the shortest line, or was not found.
"""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from onepath import NavMesh
from onepath.query import NavMeshQuery, NodeModel
from tests.meshes import Corner, Polygon, mesh_of, settings_of
from tests.oracles.query_mesh import PlainMesh, side_of

SIZE = 8
FAR = 2.0**21 - 1024.0


def rounded(value: float) -> float:
    return float(np.float32(value))


def raised(corners: list[tuple[float, float]]) -> Polygon:
    return [(x, 0.0, z) for x, z in corners]


def chain_across(draw: Random, count: int) -> list[tuple[float, float]]:
    """Corners of a straight line from the left side of a square to the right one, as float32 has them."""
    low, high = draw.uniform(0.5, 3.9), draw.uniform(0.5, 3.9)
    places = [0.0, *((i + draw.uniform(0.3, 0.7)) * SIZE / count for i in range(count)), float(SIZE)]
    return [(rounded(x), rounded(low + (high - low) * x / SIZE)) for x in places]


def cut_along(chain: list[tuple[float, float]], cuts: list[int], beyond: float) -> list[Polygon]:
    """The part of the square above (beyond = SIZE) or below (0) the line, cut at some of its corners."""
    parts = []
    for first, last in zip([0, *cuts], [*cuts, len(chain) - 1], strict=True):
        parts.append(raised([*chain[first : last + 1], (chain[last][0], beyond), (chain[first][0], beyond)]))
    return parts


def moved(polygons: list[Polygon], by: float) -> list[Polygon]:
    return [[(x + by, y, z) for x, y, z in polygon] for polygon in polygons]


def place_on(draw: Random, chain: list[tuple[float, float]], segment: int) -> Corner:
    (ax, az), (bx, bz) = chain[segment], chain[segment + 1]
    t = draw.choice([0.0, draw.random(), draw.random(), 1.0])
    return ax + (bx - ax) * t, 0.0, az + (bz - az) * t


def cost_between(mesh: NavMesh, start: Corner, end: Corner) -> float:
    path = NavMeshQuery(mesh, NodeModel.EXACT).find_path(start, end)
    assert path
    return path.cost


def flat_distance(a: Corner, b: Corner) -> float:
    return math.hypot(b[0] - a[0], b[2] - a[2])


def some(draw: Random, count: int) -> list[int]:
    return [place for place in range(1, count + 1) if draw.random() < 0.6]


@pytest.mark.parametrize("far", [0.0, FAR], ids=["near", "far"])
def test_a_line_along_a_cut_is_straight(far: float) -> None:
    # A square is in sight of itself however it is cut.
    bent = 0
    for seed in range(150):
        draw = Random(seed)
        chain = chain_across(draw, 5)
        polygons = cut_along(chain, some(draw, 5), SIZE) + cut_along(chain, some(draw, 5), 0.0)
        mesh = mesh_of(moved(polygons, far), settings_of(SIZE))
        bent += any(is_bent(polygon.corners) for polygon in PlainMesh(mesh).polygons.values())
        for _ in range(6):
            start, end = (place_on(draw, chain, draw.randrange(6)) for _ in "ab")
            if draw.random() < 0.5:
                end = draw.uniform(0, SIZE), 0.0, draw.uniform(0, SIZE)
            start, end = ((x + far, y, z) for x, y, z in (start, end))
            assert cost_between(mesh, start, end) == pytest.approx(flat_distance(start, end), rel=1e-9, abs=1e-8)
    assert bent > 100


def is_bent(corners: list[Corner]) -> bool:
    return any(side_of(corners[i - 2], corners[i - 1], corners[i]) < 0 for i in range(len(corners)))


@pytest.mark.parametrize("far", [0.0, FAR], ids=["near", "far"])
def test_a_line_along_a_wall_turns_where_the_wall_ends(far: float) -> None:
    # Above the line all is floor; below it only a first and a last part are, so a line between them follows the wall.
    for seed in range(150):
        draw = Random(seed)
        chain = chain_across(draw, 6)
        low, high = draw.choice([(1, 3), (2, 4), (2, 5), (1, 5)])
        below = cut_along(chain, [low, high], 0.0)
        polygons = [*cut_along(chain, some(draw, 6), SIZE), below[0], below[2]]
        mesh = mesh_of(moved(polygons, far), settings_of(SIZE))
        first, last = draw.randrange(low + 1), draw.randrange(high, 7)
        ends = [place_on(draw, chain, first), place_on(draw, chain, last)]
        ends += [(draw.uniform(0, chain[low][0]), 0.0, 0.0), (draw.uniform(chain[high][0], SIZE), 0.0, 0.0)]
        corners = [(chain[place][0] + far, 0.0, chain[place][1]) for place in (low, high)]
        for one, other in ((0, 1), (0, 3), (2, 1), (2, 3)):
            start, end = ((x + far, y, z) for x, y, z in (ends[one], ends[other]))
            line = [start, *corners, end]
            if start[0] > corners[0][0]:
                line.remove(corners[0])
            least = sum(flat_distance(a, b) for a, b in pairwise(line))
            assert cost_between(mesh, start, end) == pytest.approx(least, rel=1e-9, abs=1e-8)
            assert cost_between(mesh, end, start) == pytest.approx(least, rel=1e-9, abs=1e-8)


def test_a_line_from_a_wall_as_thin_as_a_line_goes_round_its_end() -> None:
    # Two floors that meet in nothing but a corner share the line of a wall; the one beyond it rises.
    for seed in range(60):
        draw = Random(seed)
        top, foot = (rounded(draw.uniform(2, 6)), 8.0), (rounded(draw.uniform(3, 5)), 3.0)
        left = raised([(0, 3), (0, 8), top, foot])
        right = [(foot[0], 0.0, 3.0), (top[0], 3.0, 8.0), (8.0, 3.0, 8.0), (8.0, 0.0, 3.0)]
        hall, room = raised([(0, 0), (0, 3), foot, (8, 3), (8, 0)]), raised([(8, 0), (8, 3), (12, 3), (12, 0)])
        mesh = mesh_of([left, right, hall, room], settings_of(SIZE))
        t, turn = draw.uniform(0.1, 0.9), (foot[0], 0.0, 3.0)
        start = foot[0] + (top[0] - foot[0]) * t, 0.0, 3.0 + 5.0 * t
        end = 11.0, 0.0, 2.9
        assert cost_between(mesh, start, end) == pytest.approx(
            flat_distance(start, turn) + flat_distance(turn, end), rel=1e-9
        )


@pytest.mark.parametrize("quarters", [5, 6, 7, 8, 9, 12])
def test_a_line_may_wind_round_a_corner_by_any_number_of_turns(quarters: int) -> None:
    # A spiral of quarters round one corner. Seen from it, what lies half a turn and more apart is reached over it.
    ring = [(0, 4), (4, 4), (4, 0), (4, -4), (0, -4), (-4, -4), (-4, 0), (-4, 4)]
    floors = []
    for quarter in range(quarters):
        rim = [(*ring[(2 * quarter + step) % 8], 2 * quarter + step) for step in range(3)]
        floors.append([(4.0, 0.0, 4.0), *((x + 4.0, 2.0 * rise, z + 4.0) for x, z, rise in rim)])
    mesh = mesh_of(floors, settings_of(SIZE, max_climb=0.9))
    refs, query = [int(ref) for ref in mesh.tiles()[0].references], NavMeshQuery(mesh, NodeModel.EXACT)
    for first in range(quarters):
        for last in range(quarters):
            angles = [math.pi / 2 * (first + 0.3), math.pi / 2 * (last + 0.6)]
            start, end = ((4 + math.sin(angle), 0.0, 4 + math.cos(angle)) for angle in angles)
            apart = abs(angles[1] - angles[0])
            least = 2.0 if apart >= math.pi else 2 * math.sin(apart / 2)
            corridor = query.find_corridor(refs[first], start, refs[last], end)
            assert corridor and corridor.cost == pytest.approx(least, rel=1e-9)
