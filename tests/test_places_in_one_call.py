"""NavMesh's own questions about walls, heights and random points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.mesh.navmesh import NavMesh
from onepath.query import NavMeshQuery, NavPoint, QueryFilter, SeededRandom
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of


def test_the_height_is_that_of_the_surface_straight_below() -> None:
    mesh = mesh_of([[(0, 0.0, 0), (0, 0.0, 4), (4, 2.0, 4), (4, 2.0, 0)]])
    assert mesh.height_at((1, 1.5, 3)) == 0.5
    assert mesh.height_at(mesh.snap((2, 1, 2))) == 1.0


def test_beside_the_mesh_the_height_is_that_of_the_nearest_place_and_farther_off_there_is_none() -> None:
    mesh = mesh_of([[(0, 0.0, 0), (0, 0.0, 4), (4, 2.0, 4), (4, 2.0, 0)]])
    assert mesh.height_at((4.5, 2, 2)) == 2.0
    assert mesh.height_at((40, 2, 2)) is None


def test_the_wall_distance_is_found_however_far_the_wall_is() -> None:
    for side in (4.0, 8.0, 32.0, 128.0):
        mesh = mesh_of([rectangle(0, 0, side, side)], settings_of(128))
        assert mesh.wall_distance((side / 2, 0, side / 2)) == side / 2


def test_no_wall_within_the_radius_is_infinite_and_off_the_mesh_there_is_no_distance() -> None:
    mesh = grid(4, 4, 4.0)
    assert mesh.wall_distance((8, 0, 8), 7.9) == math.inf
    assert mesh.wall_distance((8, 0, 8), 8.0) == 8.0
    assert mesh.wall_distance((80, 0, 8)) is None


def test_where_all_sides_lead_to_missing_tiles_no_wall_is_found() -> None:
    settings = settings_of()
    mesh = NavMesh(settings)
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings))
    mesh.commit()
    assert mesh.wall_distance((4, 0, 4)) == math.inf


def test_what_the_filter_rejects_is_behind_walls() -> None:
    mesh = strip(2)
    mesh.set_area(mesh.reference(0, 0, 1), 5)
    assert mesh.wall_distance((3, 0, 2)) == 2.0
    assert mesh.wall_distance((3, 0, 2), filter=QueryFilter(avoid=[5])) == 1.0


def test_a_random_point_is_that_of_a_query_with_the_meshs_filter() -> None:
    mesh = grid(3, 3, 4.0)
    assert mesh.random_point(seed=8) == NavMeshQuery(mesh).random_point(8)
    assert not mesh.random_point(seed=8, filter=QueryFilter(avoid=[63]))
    with pytest.raises(TypeError):
        mesh.random_point()  # type: ignore[call-arg]
    with pytest.raises(ArgumentError, match="seed is None, not a SeededRandom, an int or a NumPy generator"):
        mesh.random_point(seed=None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="seed is None, not a SeededRandom, an int or a NumPy generator"):
        mesh.random_points(3, seed=None)  # type: ignore[arg-type]


def test_many_random_points_are_those_of_single_calls_one_after_the_other() -> None:
    mesh = grid(3, 3, 4.0)
    refs, points = mesh.random_points(50, seed=3)
    random = SeededRandom(3)
    for ref, point in zip(refs.tolist(), points.tolist(), strict=True):
        assert mesh.random_point(seed=random) == NavPoint(ref, tuple(point))
    again = SeededRandom(3)
    assert np.array_equal(NavMeshQuery(mesh).random_points(again, 50)[1], points) and again == random


def test_without_polygons_random_points_are_nowhere_and_cost_no_draw() -> None:
    random = SeededRandom(3)
    refs, points = strip(1).random_points(2, seed=random, filter=QueryFilter(avoid=[63]))
    assert refs.tolist() == [0, 0] and np.isnan(points).all() and points.shape == (2, 3)
    assert random.state == 3


def test_a_count_below_zero_is_named() -> None:
    with pytest.raises(RangeError, match="count is -1"):
        strip(1).random_points(-1, seed=3)
    assert strip(1).random_points(0, seed=3)[1].shape == (0, 3)
