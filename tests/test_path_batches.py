"""Batches of paths and of floors: the bits of single calls at every number of threads."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath import NavMesh, QueryStatus
from onepath.errors import ArgumentError, RangeError
from onepath.mesh import MeshSettings
from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter
from tests.meshes import strip
from tests.query_meshes import random_mesh

SEEDS = range(12)


def positions(mesh: NavMesh, count: int, seed: int) -> np.ndarray:
    """Around the mesh, some of them off it."""
    draw = Random(seed)
    low, high = mesh.bounds or ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    return np.array([[draw.uniform(low[axis] - 2, high[axis] + 2) for axis in range(3)] for _ in range(count)])


@pytest.mark.parametrize("model", list(NodeModel))
@pytest.mark.parametrize("seed", SEEDS)
def test_each_path_of_a_batch_is_that_of_a_single_call(seed: int, model: NodeModel) -> None:
    mesh = random_mesh(seed)
    query, single = NavMeshQuery(mesh, model), NavMeshQuery(mesh, model)
    starts, ends = positions(mesh, 60, seed), positions(mesh, 60, seed + 1000)
    filter = QueryFilter(costs={1: 3.0}) if seed % 3 == 0 else None
    for threads in (1, 2, 5):
        paths = query.find_paths(starts, ends, filter, threads=threads)
        assert len(paths) == 60
        for i in range(60):
            path = single.find_path(starts[i], ends[i], filter)
            assert paths.status_of(i) is path.status
            assert tuple(QueryStatus)[paths.detail[i]] is path.detail
            assert (paths.cost[i], paths.length[i]) == (path.cost, path.length)
            assert np.array_equal(paths.points_of(i), path.points)


@pytest.mark.parametrize("seed", SEEDS)
def test_so_are_exact_paths_and_those_of_a_largest_cost(seed: int) -> None:
    mesh = random_mesh(seed)
    query = NavMeshQuery(mesh)
    starts, ends = positions(mesh, 40, seed), positions(mesh, 40, seed + 1000)
    paths = query.find_paths(starts, ends, exact=True, max_cost=9.0, threads=2)
    for i in range(40):
        path = NavMeshQuery(mesh).find_path(starts[i], ends[i], exact=True, max_cost=9.0)
        assert paths.status_of(i) is path.status and np.array_equal(paths.points_of(i), path.points)


def test_one_start_serves_all_ends() -> None:
    mesh = random_mesh(1)
    query, ends = NavMeshQuery(mesh), positions(mesh, 10, 2)
    start = tuple(mesh.polygon(int(mesh.tiles()[0].references[0])).mean(axis=0).tolist())
    paths = query.find_paths(start, ends)
    assert [paths.status_of(i) for i in range(10)] == [query.find_path(start, end).status for end in ends]


def test_rows_are_counted_from_the_end_too_and_none_lies_beyond_them() -> None:
    mesh = strip(3)
    paths = NavMeshQuery(mesh).find_paths((1, 0, 1), [(5, 0, 1), (9, 0, 2)])
    for row in (0, 1):
        assert np.array_equal(paths.points_of(row - 2), paths.points_of(row)) and len(paths.points_of(row)) == 2
    for beyond in (2, -3):
        with pytest.raises(IndexError):
            paths.points_of(beyond)


def test_a_mesh_without_tiles_says_so_in_every_row() -> None:
    query = NavMeshQuery(NavMesh(MeshSettings(cell_size=1.0, tile_cells=8)))
    paths = query.find_paths(np.zeros((3, 3)), np.ones((3, 3)))
    assert [paths.status_of(i) for i in range(3)] == [PathStatus.NO_MESH] * 3 and paths.points.shape == (0, 3)


def test_a_batch_of_nothing_is_empty() -> None:
    query = NavMeshQuery(random_mesh(1))
    assert len(query.find_paths(np.zeros((0, 3)), np.zeros((0, 3)))) == 0
    assert query.are_on_mesh(np.zeros((0, 3))).shape == (0,)


def test_rows_that_do_not_match_and_places_out_of_range_are_refused() -> None:
    query = NavMeshQuery(random_mesh(1))
    with pytest.raises(ArgumentError, match="ends"):
        query.find_paths(np.zeros((3, 3)), np.zeros((4, 3)))
    with pytest.raises(ArgumentError, match=r"starts\[1\]"):
        query.find_paths([(0, 0, 0), (float("nan"), 0, 0)], np.zeros((2, 3)))
    with pytest.raises(RangeError, match="threads"):
        query.find_paths(np.zeros((3, 3)), np.zeros((3, 3)), threads=0)
    with pytest.raises(RangeError, match="tolerance"):
        query.are_on_mesh(np.zeros((3, 3)), -1.0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_position_is_on_the_mesh_where_a_drop_finds_a_floor_near_it(seed: int, threads: int) -> None:
    mesh = random_mesh(seed)
    places = positions(mesh, 200, seed)
    answers = NavMeshQuery(mesh).are_on_mesh(places, 1.5, mesh.default_filter, threads=threads)
    assert answers.tolist() == [bool(mesh.drop(place, up=1.5, down=1.5)) for place in places.tolist()]
    assert seed != 1 or 0 < answers.sum() < 200
