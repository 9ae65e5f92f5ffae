"""Batches about places have the bits of single calls at every number of threads."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.query import AreaSearchStatus, NavMeshQuery, NearestPolygons, NearestWalls, SeededRandom
from tests.meshes import grid, strip
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh, random_position

SEEDS = range(8)


def asked(seed: int, count: int):
    """A random mesh, positions on and beside it, references near them (some that name nothing), and a filter."""
    draw = Random(seed)
    mesh = random_mesh(seed)
    polygons = list(PlainMesh(mesh).polygons.values())
    filter = random_filter(draw)[0]
    chosen = [draw.choice(polygons) for _ in range(count)] if polygons else []
    centers = np.array([random_position(draw, [polygon]) for polygon in chosen]).reshape(-1, 3)
    refs = np.array([0 if draw.random() < 0.1 else polygon.ref for polygon in chosen], np.int64)
    radii = np.array([draw.choice([0.0, 0.4, 2.0, 9.0]) for _ in chosen])
    return mesh, centers, refs, radii, filter


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_distances_to_walls(seed: int, threads: int) -> None:
    mesh, centers, refs, radii, filter = asked(seed, 1100)
    query = NavMeshQuery(mesh)
    many = query.distances_to_wall(refs, centers, radii, filter, threads=threads)
    assert isinstance(many, NearestWalls) and len(many) == len(refs)
    for i, (ref, center, radius) in enumerate(zip(refs.tolist(), centers.tolist(), radii.tolist(), strict=True)):
        one = query.distance_to_wall(ref, center, radius, filter)
        assert (many.status_of(i), many.found[i], many.distance[i]) == (one.status, bool(one), one.distance)
        assert (many.polygon[i], many.edge[i]) == (one.polygon, one.edge)
        if one:
            assert (tuple(many.point[i].tolist()), tuple(many.normal[i].tolist())) == (one.point, one.normal)
        else:
            assert np.isnan(many.point[i]).all() and not many.normal[i].any()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_nearest_polygons(seed: int, threads: int) -> None:
    mesh, centers, _, _, filter = asked(seed, 1100)
    query = NavMeshQuery(mesh)
    many = query.find_nearest_polygons(centers, (1, 2, 3), filter, threads=threads)
    assert isinstance(many, NearestPolygons) and len(many) == len(centers)
    for i, center in enumerate(centers.tolist()):
        one = query.find_nearest_polygon(center, (1, 2, 3), filter)
        assert (many.ref[i], many.distance_squared[i]) == (one.ref, one.distance_squared)
        assert bool(many.over_polygon[i]) == (one.over_polygon if one else False)
        assert tuple(many.point[i].tolist()) == one.point if one else np.isnan(many.point[i]).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_points(seed: int, threads: int) -> None:
    mesh, _, _, _, filter = asked(seed, 1)
    query, single, many = NavMeshQuery(mesh), SeededRandom(seed), SeededRandom(seed)
    refs, points = query.random_points(many, 1000, filter, threads=threads)
    for ref, point in zip(refs.tolist(), points.tolist(), strict=True):
        one = query.random_point(single, filter)
        assert ref == one.ref
        assert tuple(point) == one.point if one else all(map(math.isnan, point))
    assert many == single


def test_one_value_serves_all_questions() -> None:
    query = NavMeshQuery(grid(2, 2, 4.0))
    start = query.mesh.reference(0, 0, 0)
    centers = [(1, 0, 1), (3, 0, 3), (2, 0, 1)]
    walls = query.distances_to_wall(start, centers, 5)
    assert walls.distance.tolist() == [1.0, 3.0, 1.0]
    assert len(query.distances_to_wall(start, (1, 0, 1), [1.0, 0.5])) == 2
    assert len(query.distances_to_wall(start, (1, 0, 1), 1.0)) == 1
    assert len(query.find_nearest_polygons([])) == 0


def test_a_batch_replaces_an_area_search_in_slices() -> None:
    query = NavMeshQuery(strip(2))
    start = query.mesh.reference(0, 0, 0)
    query.begin_area_search(start, (0, 0, 0), 5.0)
    query.distances_to_wall(start, (1, 0, 1), 1.0)
    with pytest.raises(Exception, match="no area search is under way"):
        query.update_area_search(1)


def test_the_node_limit_holds_in_batches() -> None:
    mesh = grid(3, 3, 4.0)
    query = NavMeshQuery(mesh, max_nodes=2)
    walls = query.distances_to_wall(mesh.reference(0, 0, 0), (6, 0, 6), 50.0)
    assert walls.status_of(0) is AreaSearchStatus.NODE_LIMIT


def test_what_is_refused_is_named_with_its_row() -> None:
    query = NavMeshQuery(strip(1))
    with pytest.raises(RangeError, match=r"radii\[1\] is -1.0, outside \[0, 4194304\]"):
        query.distances_to_wall(1, (0, 0, 0), [1.0, -1.0])
    with pytest.raises(RangeError, match="radii is nan, outside"):
        query.distances_to_wall(1, (0, 0, 0), math.nan)
    with pytest.raises(ArgumentError, match=r"centers\[0\]\[1\] is NaN"):
        query.find_nearest_polygons([(0, math.nan, 0)])
    with pytest.raises(ArgumentError, match="centers has 2 rows, radii has 3"):
        query.distances_to_wall(1, [(0, 0, 0)] * 2, [1.0] * 3)
    with pytest.raises(RangeError, match="threads is 0"):
        query.random_points(1, 5, threads=0)
    with pytest.raises(ArgumentError, match="filter is 3"):
        query.random_points(1, 5, 3)  # type: ignore[arg-type]
