"""NavMesh.find_path and NavMeshQuery.find_path: which way a path takes, and the Path as a value."""

from __future__ import annotations

import math
import pickle
import random

import numpy as np
import pytest

from onepath._one_call import NavMesh
from onepath.errors import ArgumentError
from onepath.query import NavMeshQuery, Path, PathMark, PathStatus, QueryFilter
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tiled_floor, two_floors

# --- find_path


@pytest.mark.parametrize("tile_size", [2, 5, 8])
def test_a_path_in_sight_is_straight(tile_size: int) -> None:  # case C42
    mesh = tiled_floor(tile_size)
    chance = random.Random(tile_size)
    for _ in range(200):
        start = (chance.uniform(0, 20), 0.0, chance.uniform(0, 20))
        end = (chance.uniform(0, 20), 0.0, chance.uniform(0, 20))
        path = mesh.find_path(start, end)
        assert path and len(path) == 2
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_another_area_of_equal_cost_does_not_bend_a_path() -> None:  # case C42
    mesh = tiled_floor(2, other=(6, 12))
    chance = random.Random(6)
    for _ in range(200):
        start, end = ((chance.uniform(0, 20), 0.0, chance.uniform(0, 20)) for _ in range(2))
        path = mesh.find_path(start, end, QueryFilter(costs={2: 1.0}))
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_a_path_to_where_it_starts_is_one_point() -> None:  # case C42
    path = tiled_floor(5).find_path((3, 0, 3), (3, 0, 3))
    assert path
    assert (path.points.tolist(), path.length, path.cost) == ([[3, 0, 3]], 0.0, 0.0)
    assert path.marks.tolist() == [PathMark.START | PathMark.END]


def test_start_and_end_in_one_polygon_are_joined_directly() -> None:  # case C42
    path = tiled_floor(8).find_path((1, 0, 1), (5, 0, 4))
    assert (path.points.tolist(), len(path.corridor)) == ([[1, 0, 1], [5, 0, 4]], 1)
    assert path.length == path.cost == 5.0


def test_a_path_from_outside_the_mesh_starts_at_its_border() -> None:  # case C42
    path = tiled_floor(5).find_path((-0.2, 0, 3), (-0.2, 0, 3))
    assert path
    assert (path.points.tolist(), path.length) == ([[0, 0, 3]], 0.0)


def test_a_path_bends_at_corners_only() -> None:
    # A wall between x = 2 and 3, open at the top.
    halls = [rectangle(0, 0, 2, 3), rectangle(3, 0, 6, 3)]
    top = [rectangle(0, 3, 2, 4), rectangle(2, 3, 3, 4), rectangle(3, 3, 6, 4)]
    mesh = mesh_of([*halls, *top])
    path = mesh.find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    assert path.points.tolist() == [[0.5, 0, 0.5], [2, 0, 3], [3, 0, 3], [5.5, 0, 0.5]]
    assert path.marks.tolist() == [PathMark.START, 0, 0, PathMark.END]
    assert path.length == pytest.approx(math.hypot(1.5, 2.5) + 1 + math.hypot(2.5, 2.5), abs=1e-12)


def test_the_polygons_of_a_path_are_those_entered_after_each_point() -> None:
    mesh = strip(3)
    path = mesh.find_path((1, 0, 1), (11, 0, 1))
    assert path.polygons.tolist() == [path.corridor.polygons[0], path.corridor.polygons[-1]]
    # Round the corner (4, 4) of an L of three squares, behind which the third one lies.
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4), rectangle(4, 4, 8, 8)])
    path = mesh.find_path((1, 0, 3), (5, 0, 7))
    assert path.points[1].tolist() == [4, 0, 4]
    assert path.polygons.tolist() == [path.corridor.polygons[i] for i in (0, 2, 2)]


def test_length_counts_height() -> None:
    mesh = mesh_of([[(0, 0.0, 0), (0, 0.0, 4), (4, 3.0, 4), (4, 3.0, 0)]])
    assert mesh.find_path((0, 0, 2), (4, 3, 2)).length == pytest.approx(5.0, abs=1e-12)


def test_a_partial_path_ends_at_the_point_of_its_last_polygon_nearest_to_the_end() -> None:
    path = two_floors().find_path((1, 0, 1), (15, 3, 6))
    assert path.status is PathStatus.PARTIAL and path.partial and not path
    assert path.points[-1].tolist() == [15, 0, 6]


def test_a_filter_changes_the_way() -> None:
    mesh = grid(3, 3, side=2.0, areas=[1, 1, 1, 1, 2, 1, 1, 1, 1])
    assert len(mesh.find_path((1, 0, 3), (5, 0, 3))) == 2
    assert len(mesh.find_path((1, 0, 3), (5, 0, 3), filter=QueryFilter(costs={2: math.inf}))) > 2


def test_the_mesh_and_a_query_with_the_same_reach_find_the_same() -> None:
    mesh = grid(8, 8, holes=[(3, z) for z in range(7)])
    query = NavMeshQuery(mesh)
    for start, end in [((0.5, 0, 0.5), (7.5, 0, 0.5)), ((5.5, 0, 5.5), (0.5, 0, 7.5))]:
        assert mesh.find_path(start, end) == query.find_path(start, end)


@pytest.mark.parametrize("name", ["start", "end"])
def test_a_bad_position_is_named_before_anything_else(name: str) -> None:
    mesh = NavMesh(settings_of())
    positions = {"start": (0.0, 0.0, 0.0), "end": (0.0, 0.0, 0.0), name: (0.0, math.nan, 0.0)}
    with pytest.raises(ArgumentError, match=rf"{name}\[1\] is NaN"):
        mesh.find_path(**positions)
    with pytest.raises(ArgumentError, match=rf"{name}\[1\] is NaN"):
        mesh.begin_path(**positions)


# --- NavPoint
# --- begin_path
# --- results


def test_a_path_survives_pickling_with_its_corridor() -> None:
    path = grid(6, 4, holes=[(2, 0), (2, 1)]).find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    copy = pickle.loads(pickle.dumps(path))
    assert copy == path and hash(copy) == hash(path)
    assert copy.corridor == path.corridor
    assert np.array_equal(copy.points, path.points)


def test_paths_can_be_matched() -> None:
    match strip(2).find_path((1, 0, 1), (7, 0, 1)):
        case Path(PathStatus.SUCCESS, points):
            assert points.shape == (2, 3)
        case other:
            raise AssertionError(other)


def test_arrays_of_a_path_are_read_only_and_outlive_it() -> None:
    points = strip(2).find_path((1, 0, 1), (7, 0, 1)).points
    assert points.tolist() == [[1, 0, 1], [7, 0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        points[0, 0] = 5.0


def test_results_are_not_changed_by_later_calls() -> None:
    query = NavMeshQuery(strip(12))
    first = query.find_path((1, 0, 1), (47, 0, 1))
    before = (first.points.tolist(), first.corridor.polygons.tolist())
    for x in range(2, 40):
        query.find_path((float(x), 0, 3), (1, 0, 1))
    assert (first.points.tolist(), first.corridor.polygons.tolist()) == before
