"""One-call paths against nearest, search and straight path by parts, and against the plain versions of the first two.

Documents: queries, one-call forms; mesh decisions, not loaded.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import onepath
from onepath import levels
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, NodeModel, PathStatus
from tests.meshes import settings_of
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_paths import one_call
from tests.query_meshes import LARGEST, random_filter, random_mesh, random_position


def random_question(draw: Random, polygons):
    start, end = random_position(draw, polygons), random_position(draw, polygons)
    if draw.random() < 0.3:
        end = tuple(min(max(value + draw.uniform(-12.0, 12.0), -LARGEST), LARGEST) for value in end)
    return (start, end) if draw.random() < 0.8 else (end, start)


def assert_same_path(query: NavMeshQuery, path, expected) -> None:
    assert (path.status.name, path.detail.name, path.missing_tiles) == (
        expected.status,
        expected.detail,
        expected.missing,
    )
    assert bool(path) == (expected.status == "SUCCESS")
    if expected.corridor is None:
        assert len(path) == 0 and not path.partial
        return
    corridor = path.corridor
    steps = [tuple(step) for step in corridor.crossings.tolist()]
    assert (corridor.status.name, corridor.polygons.tolist(), steps, corridor.cost) == expected.corridor[:4]
    assert (path.cost, path.node_limit_reached) == (corridor.cost, expected.corridor.node_limit_reached)
    straight = query.find_straight_path(expected.start.point, expected.end.point, corridor)
    for name in ("points", "marks", "polygons"):
        assert np.array_equal(getattr(path, name), getattr(straight, name))
    assert path.length == straight.length
    assert path.partial == (not path)


def compare_paths(mesh, draw: Random, count: int) -> int:
    plain = PlainMesh(mesh)
    polygons = list(plain.polygons.values())
    for _ in range(count if polygons else 0):
        fast, slow = random_filter(draw)
        start, end = random_question(draw, polygons)
        model, limit = draw.choice([NodeModel.POLYGON, NodeModel.CROSSING]), draw.choice([65536, 65536, 5, 20])
        query = NavMeshQuery(mesh, model, max_nodes=limit)
        path = query.find_path(start, end, fast)
        assert_same_path(query, path, one_call(plain, start, end, slow, model is NodeModel.CROSSING, limit))
        assert_same_by_parts(query, path, start, end, fast)
    return count if polygons else 0


def assert_same_by_parts(query: NavMeshQuery, path, start, end, fast) -> None:
    first, last = (query.find_nearest_polygon(position, filter=fast) for position in (start, end))
    if not (first and last):
        assert path.corridor.status is path.status and len(path.corridor) == 0
        return
    corridor = query.find_corridor(first.ref, first.point, last.ref, last.point, filter=fast)
    assert path.corridor == corridor


@pytest.mark.parametrize("block", range(6))
def test_paths_over_random_meshes(block):
    seeds = range(block * 20, block * 20 + 20)
    assert sum(compare_paths(random_mesh(seed), Random(seed), 8) for seed in seeds) > 120


@pytest.mark.full
@pytest.mark.parametrize("block", range(30))
def test_paths_over_many_random_meshes(block):
    seeds = range(40_000 + block * 50, 40_050 + block * 50)
    assert sum(compare_paths(random_mesh(seed), Random(seed), 15) for seed in seeds) > 600


@pytest.mark.parametrize("name", ["room", "building"])
def test_paths_over_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert compare_paths(mesh, Random(3), 60) == 60


def test_the_mesh_s_own_calls_search_as_a_query_does():
    """They differ in how far they look for the mesh; given places on it, in nothing."""
    compared = 0
    for seed in range(40):
        mesh, draw = random_mesh(seed), Random(seed)
        polygons = list(PlainMesh(mesh).polygons.values())
        query = NavMeshQuery(mesh)
        for _ in range(6 if polygons else 0):
            fast, _ = random_filter(draw)
            ends = [query.find_nearest_polygon(random_position(draw, polygons), filter=fast) for _ in range(2)]
            if not all(ends):
                continue
            places = [onepath.NavPoint(nearest.ref, nearest.point) for nearest in ends]
            expected = query.find_path(*places, fast)
            assert mesh.find_path(*places, fast) == expected
            search = mesh.begin_path(*places, fast)
            while search.update(draw.choice([1, 2, 5])) is PathStatus.IN_PROGRESS:
                pass
            assert search.path == expected
            compared += 1
    assert compared > 100


def test_a_search_finished_early_has_the_line_through_what_it_has():
    compared = 0
    for seed in range(60):
        mesh, draw = random_mesh(seed), Random(seed)
        polygons = list(PlainMesh(mesh).polygons.values())
        query = NavMeshQuery(mesh)
        ends = [query.find_nearest_polygon(random_position(draw, polygons)) for _ in range(2 if polygons else 0)]
        if not ends or not all(ends):
            continue
        first, last = ends
        budget = draw.randrange(6)
        search = mesh.begin_path(*(onepath.NavPoint(nearest.ref, nearest.point) for nearest in ends))
        query.begin_path(first.ref, first.point, last.ref, last.point)
        assert search.update(budget) is query.update_path(budget)
        if search.status is not PathStatus.IN_PROGRESS:
            continue
        path, corridor = search.finish(), query.finish_path()
        straight = query.find_straight_path(first.point, last.point, corridor)
        assert path.status is corridor.status is PathStatus.IN_PROGRESS and path.corridor == corridor
        assert np.array_equal(path.points, straight.points) and path.partial
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("bounds", [None, (0, 0, 1, 1)])
def test_a_mesh_without_tiles_answers_no_mesh_before_all_else(bounds):
    query = NavMeshQuery(NavMesh(settings_of(), bounds))
    assert query.find_path((0, 0, 0), (1, 0, 1)).status is PathStatus.NO_MESH
    assert not query.find_nearest_polygon((0, 0, 0))
