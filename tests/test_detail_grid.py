"""Heights over many detail triangles: the grid's answer is the plain scan's, to the bit."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.mesh import NavMesh, Tile
from onepath.query import NavMeshQuery
from tests.meshes import settings_of
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import surface_height
from tests.query_meshes import random_mesh, random_position

SIZE = 8.0


def detailed(count: int, draw: Random, column: int = 0, *, sliver: bool = False) -> NavMesh:
    """A mesh of one such tile."""
    mesh = NavMesh(settings_of(8), (column, 0, column, 0))
    mesh.stage_tile(detailed_tile(count, draw, column, sliver=sliver))
    mesh.commit()
    return mesh


def detailed_tile(count: int, draw: Random, column: int = 0, *, sliver: bool = False) -> Tile:
    """One square of 8 m under `count` triangles of any shape and place, gaps and overlaps between them."""
    points: list[tuple[float, float, float]] = []
    for _ in range(count):
        middle, reach = (draw.uniform(0, SIZE), draw.uniform(0, SIZE)), draw.choice([0.05, 0.5, 3.0])
        for k in range(3):
            x, z = (m + draw.uniform(-reach, reach) for m in middle)
            if sliver and k == 2:
                # Nearly on the line of the two others, or exactly.
                (ax, _, az), (bx, _, bz) = points[-2:]
                t = draw.uniform(0, 1)
                x, z = ax + (bx - ax) * t + draw.choice([0, 1e-6]), az + (bz - az) * t
            points.append((min(max(x, 0.0), SIZE), draw.uniform(-0.2, 0.2), min(max(z, 0.0), SIZE)))
    corners = [(0, 0, 0), (0, 0, SIZE), (SIZE, 0, SIZE), (SIZE, 0, 0)]
    triangles = np.arange(3 * count, dtype=np.int32).reshape(-1, 3) + 4
    detail = ([0, count], triangles, np.array(points))
    return Tile.from_arrays(column, 0, corners, [0, 4], [0, 1, 2, 3], settings_of(8), 0, None, None, detail)


def places(mesh: NavMesh, draw: Random, count: int) -> list[tuple[float, float, float]]:
    """Anywhere on the tile, at corners and on edges of triangles, and a little outside."""
    polygon = next(iter(PlainMesh(mesh).polygons.values()))
    found = []
    for _ in range(count):
        triangle = draw.choice(polygon.detail)
        t = draw.choice([0.0, 0.5, draw.random()])
        on_edge = tuple(a + (b - a) * t for a, b in zip(triangle[0], triangle[1], strict=True))
        found.append(draw.choice([on_edge, random_position(draw, [polygon])]))
    return found


@pytest.mark.parametrize("sliver", [False, True])
@pytest.mark.parametrize("column", [0, 100000])
@pytest.mark.parametrize("count", [11, 12, 13, 40, 200, 2500])
def test_the_grid_gives_the_bits_of_the_plain_scan(count: int, column: int, sliver: bool) -> None:
    draw = Random(count)
    mesh = detailed(count, draw, column, sliver=sliver)
    query, polygon = NavMeshQuery(mesh), next(iter(PlainMesh(mesh).polygons.values()))
    for place in places(mesh, draw, 40 if count > 1000 else 250):
        assert query.surface_height(polygon.ref, place) == surface_height(polygon, place)


def test_triangles_all_at_one_place_or_on_one_line_have_a_grid_too() -> None:
    for spots in ([(4, 0, 4)] * 3, [(1, 0, 4), (2, 0, 4), (7, 0, 4)], [(4, 0, 1), (4, 1, 5), (4, 0, 7)]):
        settings = settings_of(8)
        corners = [(0, 0, 0), (0, 2, SIZE), (SIZE, 2, SIZE), (SIZE, 0, 0)]
        triangles = np.tile(np.array([[4, 5, 6]], np.int32), (20, 1))
        tile = Tile.from_arrays(
            0, 0, corners, [0, 4], [0, 1, 2, 3], settings, 0, None, None, ([0, 20], triangles, spots)
        )
        mesh = NavMesh(settings, (0, 0, 0, 0))
        mesh.stage_tile(tile)
        mesh.commit()
        polygon = next(iter(PlainMesh(mesh).polygons.values()))
        for place in [(4, 0, 4), (1, 0, 1), (0, 0, 0), (8, 0, 8)]:
            assert NavMeshQuery(mesh).surface_height(polygon.ref, place) == surface_height(polygon, place)


def test_heights_of_random_meshes_are_the_plain_scans() -> None:
    grids = 0
    for seed in range(40):
        draw = Random(seed)
        mesh = random_mesh(seed)
        query, polygons = NavMeshQuery(mesh), list(PlainMesh(mesh).polygons.values())
        for polygon in polygons:
            grids += len(polygon.detail) >= 12
            for _ in range(6 if len(polygon.detail) >= 12 else 0):
                place = random_position(draw, [polygon])
                assert query.surface_height(polygon.ref, place) == surface_height(polygon, place)
    assert grids > 30


def test_a_replaced_tile_has_its_own_grid() -> None:
    mesh, draw = detailed(60, Random(1)), Random(5)
    for seed in range(2, 5):
        mesh.stage_tile(detailed_tile(60, Random(seed)))
        mesh.commit()
        polygon = next(iter(PlainMesh(mesh).polygons.values()))
        for place in places(mesh, draw, 50):
            assert NavMeshQuery(mesh).surface_height(polygon.ref, place) == surface_height(polygon, place)
