"""Path searches of both models on random and baked meshes against a plain transcription and Dijkstra.

Compared to the bit: status, polygons, crossings, cost, node limit, missing tiles, iterations; and after every slice.
Documents: queries, path search; readings, search; mesh decisions, not loaded.
"""

from __future__ import annotations

import math
from random import Random

import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery, NodeModel, PathStatus
from tests.meshes import grid
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon
from tests.oracles.query_search import PlainSearch, least_cost
from tests.query_meshes import random_filter, random_mesh, random_position

MODELS = (NodeModel.POLYGON, NodeModel.CROSSING)
NO_LIMIT = 65536


def answer_of(query: NavMeshQuery, corridor) -> tuple:
    return (
        corridor.status.name,
        corridor.polygons.tolist(),
        [tuple(step) for step in corridor.crossings.tolist()],
        corridor.cost,
        corridor.node_limit_reached,
        corridor.missing_tiles,
        query.iterations,
    )


def questions(draw: Random, plain: PlainMesh, count: int):
    """(first, start, last, end, filter, plain filter) with polygons that the filter accepts."""
    polygons = list(plain.polygons.values())
    for _ in range(count):
        fast, slow = random_filter(draw)
        allowed = [polygon for polygon in polygons if slow.passes(polygon)]
        if allowed:
            first, last = draw.choice(allowed), draw.choice(allowed)
            yield first, random_position(draw, [first]), last, random_position(draw, [last]), fast, slow


def middle_of(polygon: PlainPolygon) -> tuple[float, float, float]:
    return tuple(sum(axis) / len(polygon.corners) for axis in zip(*polygon.corners, strict=True))


def plain_search(plain: PlainMesh, question, model: NodeModel, limit: int = NO_LIMIT) -> PlainSearch:
    first, start, last, end, _, slow = question
    return PlainSearch(plain, first, start, last, end, slow, model is NodeModel.CROSSING, limit)


def compare_searches(mesh, draw: Random, count: int) -> int:
    """How many searches were compared, two models each question."""
    plain = PlainMesh(mesh)
    compared = 0
    limits = [draw.choice([NO_LIMIT, NO_LIMIT, 1, 2, 3, 5, 8, 13, 21, 40]) for _ in range(3)]
    queries = [(NavMeshQuery(mesh, model, max_nodes=limit), model, limit) for limit in limits for model in MODELS]
    for question in questions(draw, plain, count):
        first, start, last, end, fast, _ = question
        for query, model, limit in draw.sample(queries, 3):
            corridor = query.find_corridor(first.ref, start, last.ref, end, filter=fast)
            search = plain_search(plain, question, model, limit)
            search.run()
            assert answer_of(query, corridor) == search.result()
            if search.crossing and not search.dropped:
                least = least_cost(search)
                expected = search.result().cost if search.status == "SUCCESS" else math.inf
                assert least == pytest.approx(expected, rel=1e-12)
            compared += 1
    return compared


@pytest.mark.parametrize("block", range(8))
def test_searches_of_random_meshes(block):
    seeds = range(block * 20, block * 20 + 20)
    assert sum(compare_searches(random_mesh(seed), Random(seed), 6) for seed in seeds) > 250


@pytest.mark.parametrize("seed", range(6))
def test_of_ways_that_cost_the_same_the_first_is_kept(seed):
    """From middle to middle over squares with holes most places are reached in several ways of one cost, to the bit."""
    draw = Random(seed)
    mesh = grid(7, 7, holes={(draw.randrange(7), draw.randrange(7)) for _ in range(9)})
    plain = PlainMesh(mesh)
    for _ in range(12):
        first, last = draw.sample(list(plain.polygons.values()), 2)
        start, end = middle_of(first), middle_of(last)
        for model in MODELS:
            limit = draw.choice([NO_LIMIT, NO_LIMIT, 20])
            query = NavMeshQuery(mesh, model, max_nodes=limit)
            search = plain_search(plain, (first, start, last, end, None, PlainFilter()), model, limit)
            search.run()
            assert answer_of(query, query.find_corridor(first.ref, start, last.ref, end)) == search.result()


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_searches_of_many_random_meshes(block):
    seeds = range(20_000 + block * 50, 20_050 + block * 50)
    assert sum(compare_searches(random_mesh(seed), Random(seed), 10) for seed in seeds) > 1000


@pytest.mark.parametrize("name", ["room", "building"])
def test_searches_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert compare_searches(mesh, Random(2), 40) == 120


def compare_slices(mesh, draw: Random, count: int) -> int:
    """How many slices were compared: after each the status, the iterations and the corridor so far."""
    plain = PlainMesh(mesh)
    slices = 0
    for question in questions(draw, plain, count):
        first, start, last, end, fast, _ = question
        model = draw.choice(MODELS)
        query = NavMeshQuery(mesh, model, max_nodes=draw.choice([NO_LIMIT, 12]))
        whole = NavMeshQuery(mesh, model, max_nodes=query.max_nodes)
        search = plain_search(plain, question, model, query.max_nodes)
        assert query.begin_path(first.ref, start, last.ref, end, filter=fast) is PathStatus.IN_PROGRESS
        while search.status == "IN_PROGRESS":
            budget = draw.choice([0, 1, 1, 2, 3, 7, 20])
            assert query.update_path(budget).name == search.run(budget)
            assert answer_of(query, query.finish_path()) == search.result()
            slices += 1
        corridor = whole.find_corridor(first.ref, start, last.ref, end, filter=fast)
        assert query.finish_path() == corridor and query.iterations == whole.iterations
        assert query.update_path(5) is corridor.status
    return slices


@pytest.mark.parametrize("block", range(4))
def test_slices_of_any_budget_pause_where_the_plain_search_pauses(block):
    assert sum(compare_slices(random_mesh(seed), Random(seed), 4) for seed in range(block * 15, block * 15 + 15)) > 100


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_many_slices_of_any_budget_pause_where_the_plain_search_pauses(block):
    seeds = range(30_000 + block * 40, 30_040 + block * 40)
    assert sum(compare_slices(random_mesh(seed), Random(seed), 8) for seed in seeds) > 800


@pytest.mark.parametrize("model", MODELS)
def test_after_a_commit_between_two_slices_a_search_is_stale_or_ends_as_one_begun_now(model):
    """Wherever the search stands: what it has read decides."""
    stale = kept = 0
    for seed in range(60):
        mesh, draw = random_mesh(seed), Random(seed)
        views = mesh.tiles()
        if len(views) < 2:
            continue
        for first, start, last, end, fast, _ in questions(draw, PlainMesh(mesh), 1):
            query = NavMeshQuery(mesh, model)
            query.begin_path(first.ref, start, last.ref, end, filter=fast)
            if query.update_path(draw.randrange(3)) is not PathStatus.IN_PROGRESS:
                continue
            mesh.stage_tile_removal(views[-1].column, views[-1].row, views[-1].layer)
            mesh.commit()
            if query.update_path(100_000) is PathStatus.STALE:
                assert query.finish_path().status is PathStatus.STALE
                stale += 1
            else:
                fresh = NavMeshQuery(mesh, model).find_corridor(first.ref, start, last.ref, end, filter=fast)
                assert query.finish_path() == fresh
                kept += 1
    assert stale > 5 and kept > 5


def test_references_are_checked_start_first():
    mesh = random_mesh(3)
    plain, query = PlainMesh(mesh), NavMeshQuery(mesh)
    polygons = list(plain.polygons.values())
    good = next(p for p in polygons if p.area)
    zero = [p for p in polygons if not p.area]
    spot = good.corners[0]
    for bad in [0, good.ref + 2**41, *(p.ref for p in zero)]:
        assert query.find_corridor(bad, spot, bad, spot).status is PathStatus.INVALID_START
        assert query.find_corridor(good.ref, spot, bad, spot).status is PathStatus.INVALID_END
