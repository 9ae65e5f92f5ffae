"""Nearest polygons and surface heights on random and baked meshes against a plain scan, to the bit.

Documents: queries, nearest polygon; readings, "Nearest, height, filters".
"""

from __future__ import annotations

from random import Random

import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import nearest_polygon, surface_height
from tests.query_meshes import random_filter, random_mesh, random_position

EXTENTS = (0.0, 0.0, 0.5, 1.0, 2.0, 4.0, 20.0)


def compare_nearest(mesh, draw: Random, count: int) -> int:
    """How many calls were compared: each a search in a random box, and a height."""
    plain = PlainMesh(mesh)
    polygons = list(plain.polygons.values())
    query = NavMeshQuery(mesh)
    for _ in range(count if polygons else 0):
        fast, slow = random_filter(draw)
        center = random_position(draw, polygons)
        extents = tuple(draw.choice(EXTENTS) for _ in range(3))
        answer = query.find_nearest_polygon(center, extents, fast)
        expected = nearest_polygon(plain, center, extents, slow)
        assert (answer.ref, answer.point, answer.distance_squared, answer.over_polygon) == expected
        polygon = draw.choice(polygons)
        assert query.surface_height(polygon.ref, center) == surface_height(polygon, center)
        inside = random_position(draw, [polygon])
        assert query.surface_height(polygon.ref, inside) == surface_height(polygon, inside)
    return 3 * count if polygons else 0


@pytest.mark.parametrize("block", range(6))
def test_nearest_polygons_and_heights_of_random_meshes(block):
    assert sum(compare_nearest(random_mesh(seed), Random(seed), 8) for seed in range(block * 20, block * 20 + 20)) > 400


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_nearest_polygons_and_heights_of_many_random_meshes(block):
    seeds = range(10_000 + block * 50, 10_050 + block * 50)
    assert sum(compare_nearest(random_mesh(seed), Random(seed), 12) for seed in seeds) > 1500


@pytest.mark.parametrize("name", ["room", "building"])
def test_nearest_polygons_and_heights_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert compare_nearest(mesh, Random(1), 120) == 360


def test_overlapping_boxes_of_equal_distance_go_to_the_lowest_place():
    """Positions at corners of a grid: up to four polygons at distance 0, of up to four tiles."""
    ties = 0
    for seed in range(30):
        mesh = random_mesh(seed)
        plain, query = PlainMesh(mesh), NavMeshQuery(mesh)
        for polygon in plain.polygons.values():
            corner = polygon.corners[0]
            sharing = [other for other in plain.polygons.values() if corner in other.corners and other.area]
            if not sharing:
                continue
            answer = query.find_nearest_polygon(corner, (0.5, 0.5, 0.5))
            expected = nearest_polygon(plain, corner, (0.5, 0.5, 0.5), PlainFilter())
            assert (answer.ref, answer.distance_squared) == (expected.ref, expected.distance_squared)
            ties += len(sharing) > 1
    assert ties > 200
