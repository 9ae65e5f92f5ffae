"""The path search over crossings: costs at edge middles by hand, and loops."""

from __future__ import annotations

import math

import pytest

from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter
from tests.meshes import mesh_of, rectangle, seam, settings_of, strip


def test_a_route_runs_over_the_middles_of_edges() -> None:
    mesh = strip(3)
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    refs = [mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)]
    corridor = query.find_corridor(refs[0], (1, 0, 1), refs[1], (11, 0, 1))
    assert corridor.cost == pytest.approx(math.hypot(3, 1) + 4 + math.hypot(3, 1), abs=1e-12)


def test_a_link_is_crossed_in_the_middle_of_its_range() -> None:
    # The right floor meets only the lower half of the left one's side: range 0 to 128 of 255 outward, middle 128/510.
    mesh = seam([(0, 8, 0)], [(0, 4, 0)])
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    left, right = mesh.reference(0, 0, 0), mesh.reference(1, 0, 0)
    there = query.find_corridor(left, (7, 0, 2), right, (9, 0, 2))
    corners = mesh.polygon(left)
    first = corners[there.crossings[0][0]]
    fraction = 128 / 510 if first[2] == 0 else (127 + 255) / 510
    z = first[2] + ((0.0 if first[2] == 8 else 8.0) - first[2]) * fraction
    assert there.cost == pytest.approx(2 * math.hypot(1, z - 2), abs=1e-12)


def test_each_leg_is_priced_by_the_polygon_it_runs_in() -> None:
    mesh = strip(2, areas=[4, 9])
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    refs = [mesh.reference(0, 0, 0), mesh.reference(0, 0, 1)]
    corridor = query.find_corridor(refs[0], (1, 0, 2), refs[1], (8, 0, 2), filter=QueryFilter(costs={4: 2.0, 9: 0.5}))
    assert corridor.cost == 3 * 2.0 + 4 * 0.5


def test_a_loop_is_removed_and_its_cost_kept() -> None:
    # A dear floor A meets a cheap one B on two edges. The cheapest route from A to C steps over into B and back.
    dear = [(0, 0, 0), (0, 0, 2), (4, 0, 2), (8, 0, 2), (8, 0, 0)]
    cheap = [(0, 0, 2), (0, 0, 4), (8, 0, 4), (8, 0, 2), (4, 0, 2)]
    mesh = mesh_of([dear, cheap, rectangle(8, 0, 10, 2)], settings_of(16), areas=[1, 2, 1])
    a, b, c = (mesh.reference(0, 0, i) for i in range(3))
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    corridor = query.find_corridor(a, (2, 0, 1.5), c, (8.5, 0, 1), filter=QueryFilter(costs={1: 10.0}))
    assert corridor.polygons.tolist() == [a, c]
    assert b not in corridor.polygons
    assert corridor.cost == pytest.approx(10 * 0.5 + 4 + 10 * math.hypot(2, 1) + 10 * 0.5, abs=1e-12)
    edge, link = corridor.crossings[0].tolist()
    corners = mesh.polygon(a)
    assert link == -1 and corners[edge][0] == corners[(edge + 1) % len(corners)][0] == 8


def test_the_start_is_a_node_and_so_is_the_terminal() -> None:
    # Start, the crossing, and the terminal; the crossing back is a fourth node that the terminal does not wait for.
    def answer(limit: int) -> PathStatus:
        mesh = strip(2)
        query = NavMeshQuery(mesh, NodeModel.CROSSING, max_nodes=limit)
        return query.find_corridor(mesh.reference(0, 0, 0), (1, 0, 2), mesh.reference(0, 0, 1), (7, 0, 2)).status

    assert [answer(limit) for limit in (1, 2, 3)] == [PathStatus.PARTIAL, PathStatus.PARTIAL, PathStatus.SUCCESS]


def test_crossing_never_costs_more_than_any_walk_over_the_same_middles() -> None:
    # Two ways round a hole; the model must take the shorter over middles.
    squares = [rectangle(2 * i, 2 * j, 2 * i + 2, 2 * j + 2) for j in range(3) for i in range(3) if (i, j) != (1, 1)]
    mesh = mesh_of(squares)
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    start, end = mesh.reference(0, 0, 0), mesh.reference(0, 0, len(squares) - 1)
    corridor = query.find_corridor(start, (1, 0, 1), end, (5, 0, 5))
    # Legs: 1 to the first middle, 2, a bend of sqrt(2) in the corner square, 2, and 1 to the end, minus overlaps.
    assert corridor.cost == pytest.approx(1 + 2 + math.sqrt(2) + 2 + 1, abs=1e-12)


def test_both_models_say_the_same_about_what_can_be_reached() -> None:
    mesh = strip(5, areas=[1, 1, 0, 1, 1])
    for model in NodeModel:
        path = NavMeshQuery(mesh, model).find_path((1, 0, 2), (19, 0, 2))
        assert path.status is PathStatus.PARTIAL
        assert path.points[-1].tolist() == [8, 0, 2]
