"""Walks along distance fields: they end, at a goal or a link, and are no longer than what the field says."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

from onepath import DistanceField, NavMesh, NavPoint, QueryFilter
from onepath.errors import ArgumentError, RangeError
from tests.links import link, two_rooms
from tests.meshes import grid, mesh_of, rectangle, strip
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import bent_mesh, random_filter, random_mesh, random_strips
from tests.test_distance_field import inner_points
from tests.test_islands import with_links

#: Rays and moves pass a link's range by up to two 255ths of its edge: metres that a place may be put back beside it.
SLIP = 0.1


def flat(a: NavPoint, b: NavPoint) -> float:
    return math.hypot(a.point[0] - b.point[0], a.point[2] - b.point[2])


def is_at_goal(field: DistanceField, place: NavPoint) -> bool:
    return any(goal and flat(goal, place) <= 2e-6 for goal in field.goals)


def walk(field: DistanceField, place: NavPoint, step: float, least: float) -> tuple[NavPoint, float]:
    """Where a walk in steps ends, and its metres: no step is too long, and their sum no more than the distance."""
    distance, walked = float(field.distance([place])[0]), 0.0
    for _ in range(int(1.2 * distance / least / step) + 50):
        moved = field.move([place], step)[0]
        length = flat(moved, place)
        assert length <= step + SLIP
        if length <= 1e-7:
            return place, walked
        walked += length
        assert walked * least <= distance + 1e-6
        place = moved
    raise AssertionError(f"not there after {walked} m of {distance / least}: {place}")


def walk_randomly(mesh: NavMesh, draw: Random, fast: QueryFilter, slow: PlainFilter) -> int:
    """How many walks ended where they should."""
    plain = PlainMesh(mesh)
    field = DistanceField(mesh, inner_points(mesh, draw, plain, slow, draw.choice([1, 2, 12])), fast)
    least, walks = min(fast.area_cost(area) for area in range(1, 256)), 0
    for place in inner_points(mesh, draw, plain, slow, 5):
        if field.distance([place])[0] < math.inf:
            end, _ = walk(field, place, draw.choice([0.05, 0.1, 0.5, 3.0]), least)
            assert is_at_goal(field, end) or field.next_links([end])[0] != 0
            at_once = field.move([place], math.inf)[0]
            assert is_at_goal(field, at_once) or field.next_links([at_once])[0] != 0
            walks += 1
    return walks


@pytest.mark.parametrize("block", range(3))
def test_walks_end_where_edges_lead_to_several_floors_at_one_place(block: int) -> None:
    """Of walks by moves along the field's directions a third would never end here."""
    walks = 0
    for seed in range(block * 15, block * 15 + 15):
        walks += walk_randomly(random_strips(seed), Random(seed), QueryFilter(), PlainFilter())
    assert walks > 40


@pytest.mark.parametrize("block", range(3))
def test_walks_end_on_random_meshes(block: int) -> None:
    walks = 0
    for seed in range(block * 15, block * 15 + 15):
        draw = Random(seed)
        fast, slow = random_filter(draw)
        walks += walk_randomly(with_links(random_mesh(seed), draw, 3), draw, fast or QueryFilter(), slow)
    assert walks > 20


def test_walks_end_on_meshes_that_rounding_bent() -> None:
    walks = 0
    for seed in range(15):
        draw = Random(seed)
        walks += walk_randomly(bent_mesh(seed, draw.choice([2, 6, 12])), draw, QueryFilter(), PlainFilter())
    assert walks > 40


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_walks_end_on_many_meshes(block: int) -> None:
    for seed in range(1000 + block * 25, 1000 + block * 25 + 25):
        draw = Random(seed)
        fast, slow = random_filter(draw)
        walk_randomly(random_mesh(seed), draw, fast or QueryFilter(), slow)
        walk_randomly(random_strips(seed), draw, QueryFilter(), PlainFilter())
        walk_randomly(bent_mesh(seed, draw.choice([2, 6, 12])), draw, QueryFilter(), PlainFilter())


def two_floors_behind_one_edge() -> NavMesh:
    """The floor in the middle leads, at every place of its right side, to one below and one above."""
    return mesh_of([rectangle(0, 0, 8, 8, 0.2), rectangle(8, 0, 16, 8, 0.0), rectangle(8, 0, 16, 8, 0.4)])


@pytest.mark.parametrize("height", [0.0, 0.4])
def test_of_two_floors_behind_one_edge_the_one_with_the_goal_is_entered(height: float) -> None:
    mesh = two_floors_behind_one_edge()
    goal = mesh.snap((12, height, 4))
    field = DistanceField(mesh, [goal])
    place = mesh.snap((6, 0.2, 4))
    assert field.move([place], 3.0)[0] == NavPoint(goal.ref, (9.0, goal.point[1], 4.0))
    assert field.move([place], 50.0)[0] == goal


def test_a_walk_goes_round_corners_in_one_step_and_keeps_to_its_length() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4), rectangle(4, 4, 8, 8)])
    field, place = DistanceField(mesh, [(5, 0, 7)]), mesh.snap((1, 0, 3))
    steps = [place]
    for _ in range(8):
        steps += field.move(steps[-1:], 0.5)
    bend = math.hypot(3.1, 0.9) + math.dist((4.1, 3.9), (5, 7))
    assert field.move([place], 4.0)[0].point == pytest.approx(steps[-1].point, abs=1e-9)
    # One of the steps goes round the corner.
    assert sum(flat(a, b) for a, b in pairwise(steps)) == pytest.approx(4.0, abs=0.06)
    assert field.move([place], bend + 0.1)[0].point == pytest.approx((5, 0, 7))


def test_many_are_moved_at_once_as_one_by_one() -> None:
    mesh = grid(10, 10, holes={(3, 3), (4, 3), (5, 6)})
    field = DistanceField(mesh, [(0.5, 0, 0.5)])
    places = [mesh.snap((0.3 + 0.9 * i, 0, 9.7 - 0.4 * i)) for i in range(10)]
    assert field.move(places, 2.5) == [field.move([place], 2.5)[0] for place in places]


def test_a_walk_stands_on_the_surface_that_it_has_come_to() -> None:
    mesh = mesh_of([[(0, 0, 0), (0, 0, 4), (8, 2, 4), (8, 2, 0)], rectangle(8, 0, 16, 4, 2.0)])
    field = DistanceField(mesh, [(15, 2, 2)])
    assert [place.point for place in field.move([(2, 0.5, 2)] * 3, 4.0)] == [(6.0, 1.5, 2.0)] * 3
    assert field.move([(2, 0.5, 2)], 9.0)[0] == NavPoint(mesh.snap((12, 2, 2)).ref, (11.0, 2.0, 2.0))


def test_a_walk_stops_at_a_link_and_where_nothing_leads_on() -> None:
    mesh = two_rooms()
    crossed = mesh.add_link(link((3, 0, 2), (7, 0, 2)))
    field = DistanceField(mesh, [(8, 0, 2)])
    at_link, there, off_mesh = field.move([(1, 0, 2), (8, 0, 2), (50, 0, 2)], 20.0)
    assert at_link.point == (3.0, 0.0, 2.0) and field.next_links([at_link])[0] == crossed
    assert there.point == (8.0, 0.0, 2.0)
    assert not off_mesh
    mesh.stage_link_removal(crossed)
    mesh.commit()
    assert field.move([(1, 0, 2)], 20.0)[0].point == (1.0, 0.0, 2.0)


def test_no_metre_is_no_step() -> None:
    mesh = strip(3)
    assert DistanceField(mesh, [(10, 0, 2)]).move([(1, 0, 2)], 0)[0] == mesh.snap((1, 0, 2))


def test_arguments_of_walks_at_fault_are_named() -> None:
    field = DistanceField(strip(2), [(1, 0, 1)])
    for message, points, distance in (
        ("distance is -1", [(0, 0, 0)], -1),
        ("distance is NaN", [(0, 0, 0)], math.nan),
        ("distance is None", [(0, 0, 0)], None),
        (r"points\[0\]", [(0, 0)], 1.0),
    ):
        with pytest.raises((ArgumentError, RangeError), match=message):
            field.move(points, distance)  # type: ignore[arg-type]
