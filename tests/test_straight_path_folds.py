"""Straight paths through corridors that fold back at a tile side, where two polygons over each other join a third.

Documents: queries, straight path; readings, straight path.
"""

from __future__ import annotations

import math
from itertools import count, pairwise
from random import Random

import pytest

from onepath.query import NavMeshQuery, NodeModel, PathMark, PathStatus
from tests.links import link
from tests.meshes import mesh_of, rectangle, settings_of
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import closest_point
from tests.oracles.query_portals import corridor_portals, folds_back
from tests.oracles.query_straight import least_through, meets_in_order
from tests.query_meshes import asked_corridors, random_mesh


def flat_length(points) -> float:
    return math.fsum(math.hypot(a[0] - b[0], a[2] - b[2]) for a, b in pairwise(points))


def stacked(*heights: float, along_z: bool = True):
    """Squares at these heights, by turns this side of a tile border and beyond it; the mesh and their references."""
    here, beyond = (0, 0, 8, 8), (8, 0, 16, 8) if along_z else (0, 8, 8, 16)
    mesh = mesh_of([rectangle(*(beyond if i & 1 else here), y) for i, y in enumerate(heights)], settings_of())
    views = sorted(mesh.tiles(), key=lambda view: (view.column, view.row))
    references = [iter(view.references.tolist()) for view in views]
    return mesh, [next(references[i & 1]) for i in range(len(heights))]


@pytest.mark.parametrize("along_z", [True, False])
def test_a_line_from_one_floor_to_the_other_is_reflected_at_the_side(along_z):
    mesh, corridor = stacked(0.0, 0.25, 0.5, along_z=along_z)
    start, end, touch = (6.0, 0.0, 1.0), (6.0, 0.5, 5.0), (8.0, 0.25, 3.0)
    if not along_z:
        start, end, touch = (tuple(p[k] for k in (2, 1, 0)) for p in (start, end, touch))
    path = NavMeshQuery(mesh).find_straight_path(start, end, corridor)
    assert [tuple(p) for p in path.points.tolist()] == [start, pytest.approx(touch), end]
    assert path.marks.tolist() == [PathMark.START, 0, PathMark.END]
    assert path.polygons.tolist() == [corridor[0], corridor[2], corridor[2]]


def test_straight_above_the_start_the_line_goes_to_the_side_and_back():
    mesh, corridor = stacked(0.0, 0.25, 0.5)
    path = NavMeshQuery(mesh).find_straight_path((6.0, 0.0, 3.0), (6.0, 0.5, 3.0), corridor)
    assert [tuple(p) for p in path.points.tolist()] == [
        (6.0, 0.0, 3.0),
        pytest.approx((8.0, 0.25, 3.0)),
        (6.0, 0.5, 3.0),
    ]


def test_an_end_on_the_side_needs_no_other_touch():
    mesh, corridor = stacked(0.0, 0.25, 0.5)
    path = NavMeshQuery(mesh).find_straight_path((6.0, 0.0, 3.0), (8.0, 0.5, 5.0), corridor)
    assert len(path) == 2


def test_over_and_back_and_over_again_is_straight_on():
    """From below, to the floor beyond, to the one above, and beyond again: two folds on one line."""
    mesh, corridor = stacked(0.0, 0.25, 0.5, 0.75)
    path = NavMeshQuery(mesh).find_straight_path((4.0, 0.0, 1.0), (12.0, 0.75, 5.0), corridor)
    assert [tuple(p) for p in path.points.tolist()] == [(4.0, 0.0, 1.0), (12.0, 0.75, 5.0)]


def test_an_exact_search_s_cost_is_its_line_s_length():
    mesh, _ = stacked(0.0, 0.25, 0.5)
    path = NavMeshQuery(mesh, NodeModel.EXACT).find_path((6.0, 0.0, 1.0), (5.0, 0.5, 5.0))
    assert len(path) == 3
    assert flat_length(path.points.tolist()) == pytest.approx(path.cost, rel=1e-12)


def test_a_link_beyond_a_fold_keeps_its_entry_and_its_exit():
    mesh, (low, between, high) = stacked(0.0, 0.25, 0.5)
    mesh.add_link(link((6, 0.5, 5), (2, 0.5, 5)))
    path = NavMeshQuery(mesh).find_straight_path((6.0, 0.0, 1.0), (1.0, 0.5, 7.0), [low, between, high, high])
    flat = [(p[0], p[2]) for p in path.points.tolist()]
    assert flat == [(6.0, 1.0), (8.0, pytest.approx(3.0)), (6.0, 5.0), (2.0, 5.0), (1.0, 7.0)]
    assert path.marks.tolist()[2] == PathMark.OFF_MESH


def test_a_line_cut_short_is_the_beginning_of_the_whole():
    mesh, corridor = stacked(0.0, 0.25, 0.5)
    query = NavMeshQuery(mesh)
    whole = query.find_straight_path((6.0, 0.0, 1.0), (6.0, 0.5, 5.0), corridor)
    part = query.find_straight_path((6.0, 0.0, 1.0), (6.0, 0.5, 5.0), corridor, max_corners=2)
    assert part.truncated and part.points.tolist() == whole.points.tolist()[:2]


@pytest.mark.parametrize("beyond", [5.0, 6.0])
def test_a_line_that_folds_turns_where_its_portals_share_a_point_or_none(beyond):
    low, between, high = rectangle(2, 0, 5, 8), rectangle(0, 8, 5, 16, 0.25), rectangle(0, 0, 8, 8, 0.5)
    mesh = mesh_of([low, between, high, rectangle(beyond, 8, 8, 16, 0.75)], settings_of())
    corridor = [mesh.reference(*place) for place in ((0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1))]
    path = NavMeshQuery(mesh).find_straight_path((4, 0, 6), (7, 0.75, 10), corridor)
    corners = [(5.0, 8.0)] if beyond == 5.0 else [(5.0, 8.0), (6.0, 8.0)]
    assert [(p[0], p[2]) for p in path.points.tolist()] == [(4.0, 6.0), *corners, (7.0, 10.0)]


def strips_over_each_other(seed: int):
    """Floors cut into strips along two tile sides, two or three over each other, all within a climb of those beyond."""
    draw, polygons = Random(seed), []
    for x, heights in ((0, (0.0, 0.4)), (8, (0.2, 0.3, 0.45)), (16, (0.1,))):
        for height in heights:
            cuts = sorted({0, 8, *(draw.randint(1, 15) / 2 for _ in range(draw.randint(0, 3)))})
            polygons += [rectangle(x, a, x + 8, b, height) for a, b in pairwise(cuts) if draw.random() < 0.8]
    return mesh_of(polygons or [rectangle(0, 0, 8, 8)])


def compare_folds(mesh, seed: int, questions: int) -> int:
    """How many lines through corridors with folds were compared with any line that meets the same portals."""
    plain = PlainMesh(mesh)
    draw = Random(seed)
    query = NavMeshQuery(mesh, draw.choice(list(NodeModel)))
    compared = 0
    for start, end, corridor in asked_corridors(draw, query, plain, questions):
        refs = corridor.polygons.tolist()
        portals = corridor_portals(plain, refs, corridor.crossings.tolist())
        if not portals or not folds_back(portals):
            continue
        ends = [closest_point(plain.polygons[ref], p)[0] for ref, p in ((refs[0], start), (refs[-1], end))]
        points = [tuple(p) for p in query.find_straight_path(start, end, corridor).points.tolist()]
        assert points[0] == ends[0] and points[-1] == ends[1]
        assert meets_in_order(portals, points)
        assert flat_length(points) <= least_through(portals, *ends) * (1.0 + 1e-9)
        if query.node_model is NodeModel.EXACT and corridor.status is PathStatus.SUCCESS and not corridor.detail:
            assert flat_length(points) == pytest.approx(corridor.cost, rel=1e-9)
        compared += 1
    return compared


@pytest.mark.parametrize("seeds", [(26, 30, 32, 33, 47), (52, 54, 61)])
def test_lines_through_corridors_with_folds_are_the_shortest(seeds):
    assert sum(compare_folds(random_mesh(seed), seed, 16) for seed in seeds) >= 6


@pytest.mark.parametrize("block", range(4))
def test_lines_between_strips_over_each_other_are_the_shortest(block):
    seeds = range(block * 8, block * 8 + 8)
    assert sum(compare_folds(strips_over_each_other(seed), seed, 16) for seed in seeds) > 5


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_many_lines_between_strips_over_each_other_are_the_shortest(block):
    seeds = range(1000 + block * 50, 1050 + block * 50)
    assert sum(compare_folds(strips_over_each_other(seed), seed, 16) for seed in seeds) > 50


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_many_lines_through_corridors_with_folds_are_the_shortest(block):
    compared, seeds = 0, count(2000 + block * 1000)
    while compared <= 10:  # few random meshes have folds, and fewer corridors go through them
        seed = next(seeds)
        compared += compare_folds(random_mesh(seed), seed, 16)
