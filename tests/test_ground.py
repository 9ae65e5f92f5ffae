"""Heights of the drawn ground against a plain scan over all triangles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from demo_game.ground import GroundLookup
from onepath import Level, levels


def plain_heights(vertices: np.ndarray, triangles: np.ndarray, x: float, z: float) -> list[float]:
    """Heights at (x, z) of all triangles that face up."""
    found = []
    for a, b, c in vertices[triangles]:
        normal = np.cross(b - a, c - a)
        if normal[1] <= 1e-12:
            continue
        sides = [
            (q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2]) for p, q in ((a, b), (b, c), (c, a))
        ]  # twice the area to the left of each edge, seen from above
        if min(sides) >= -1e-7 * normal[1]:
            found.append(a[1] - (normal[0] * (x - a[0]) + normal[2] * (z - a[2])) / normal[1])
    return found


def plain_answer(heights: list[float], y: float, reach: float) -> float:
    near = [height for height in heights if abs(height - y) <= reach]
    if near:
        return max(near)
    return min(heights, key=lambda height: abs(height - y), default=math.nan)


def random_soup(seed: int, count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    corners = generator.uniform(0.0, 12.0, (count, 1, 3)) + generator.uniform(-3.0, 3.0, (count, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(8))
def test_random_soups_agree_with_a_plain_scan(seed: int) -> None:
    vertices, triangles = random_soup(seed)
    points = np.random.default_rng(seed + 100).uniform(-4.0, 16.0, (60, 3))
    answers = GroundLookup(vertices, triangles, cell=1.5).heights(points, reach=0.8)
    for point, answer in zip(points, answers, strict=True):
        expected = plain_answer(plain_heights(vertices, triangles, point[0], point[2]), point[1], 0.8)
        assert answer == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert not np.isnan(answers).all()


def test_the_building_agrees_with_a_plain_scan() -> None:
    level = levels.building()
    vertices, triangles, _ = level.triangles()
    points = np.random.default_rng(5).uniform((4.0, 0.0, 4.0), (22.0, 7.0, 18.0), (25, 3))
    answers = GroundLookup(vertices, triangles).heights(points)
    for point, answer in zip(points, answers, strict=True):
        assert answer == pytest.approx(
            plain_answer(plain_heights(vertices, triangles, point[0], point[2]), point[1], 0.6), abs=1e-9
        )


def test_of_two_near_surfaces_the_upper_is_seen() -> None:
    level = Level()
    level.add_plane((0, 0), (10, 10), 0.0)
    level.add_plane((2, 2), (8, 8), 0.15)
    level.add_plane((0, 0), (10, 10), 3.2)
    vertices, triangles, _ = level.triangles()
    ground = GroundLookup(vertices, triangles)
    assert ground.heights(np.array([(5.0, 0.05, 5.0), (1.0, 0.05, 1.0), (5.0, 3.0, 5.0)])).tolist() == [0.15, 0.0, 3.2]


def test_undersides_are_no_ground() -> None:
    level = Level()
    level.add_box((0, 2.9, 0), (4, 3.2, 4))
    vertices, triangles, _ = level.triangles()
    assert GroundLookup(vertices, triangles).heights(np.array([(2.0, 2.9, 2.0)])).tolist() == [3.2]


def test_points_beside_the_level_have_no_ground() -> None:
    level = Level()
    level.add_plane((0, 0), (4, 4))
    vertices, triangles, _ = level.triangles()
    points = np.array([(-1.0, 0.0, 2.0), (2.0, 0.0, 9.0), (1e6, 0.0, 1e6)])
    assert np.isnan(GroundLookup(vertices, triangles).heights(points)).all()


def test_a_level_without_triangles_has_no_ground() -> None:
    ground = GroundLookup(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))
    assert np.isnan(ground.heights(np.zeros((3, 3)))).all()


def test_no_point_asks_for_nothing() -> None:
    vertices, triangles = random_soup(1)
    assert GroundLookup(vertices, triangles).heights(np.zeros((0, 3))).shape == (0,)
