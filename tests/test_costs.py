"""Distances, the nearest of several goals and what lies within a cost, against plain Dijkstra and searches."""

from __future__ import annotations

import copy
import math
import pickle
from random import Random

import numpy as np
import pytest

import onepath
from onepath import NavMesh, NavMeshQuery, NavPoint, NodeModel, QueryFilter, levels
from onepath.errors import ArgumentError, RangeError
from tests.links import link, two_rooms
from tests.meshes import grid, mesh_of, rectangle, seam, settings_of, strip
from tests.oracles.query_costs import cost_to, entries_from
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh, PlainPolygon, Point
from tests.query_meshes import random_filter, random_mesh, random_position
from tests.test_islands import with_links

Goal = tuple[PlainPolygon, Point]


def random_goals(draw: Random, polygons: list[PlainPolygon], count: int) -> list[Goal]:
    chosen = [draw.choice(polygons) for _ in range(count)]
    return [(polygon, random_position(draw, [polygon])) for polygon in chosen]


def compare(mesh: NavMesh, draw: Random, fast: QueryFilter, plain: PlainFilter) -> int:
    """Costs of one start and several goals by all forms; how many were finite."""
    slow = PlainMesh(mesh)
    allowed = [polygon for polygon in slow.polygons.values() if plain.passes(polygon)]
    if not allowed:
        return 0
    (first, spot), *goals = random_goals(draw, allowed, 9)
    start, points = NavPoint(first.ref, spot), [NavPoint(goal.ref, at) for goal, at in goals]
    entries = entries_from(slow, first, spot, plain)
    wanted = [cost_to(entries, goal, at, plain) for goal, at in goals]
    found = mesh.distances(start, points, fast)
    assert found.tolist() == wanted
    assert [mesh.distance(start, point, fast) for point in points] == wanted
    least = min(wanted)
    nearest = mesh.nearest_of(start, points, fast)
    assert nearest.distance == least and nearest.index == (wanted.index(least) if least < math.inf else -1)
    query = NavMeshQuery(mesh, NodeModel.CROSSING)
    for point, cost in zip(points, wanted, strict=True):
        corridor = query.find_corridor(start.ref, start.point, point.ref, point.point, filter=fast)
        assert (corridor.cost if corridor else math.inf) == pytest.approx(cost, rel=1e-12)
        assert mesh.is_reachable(start, point, fast) == (cost < math.inf)
    limit = draw.choice([0.0, 1.0, 5.0, 12.0, 1e6])
    compare_area(mesh, mesh.reachable_within(start, limit, fast), entries, limit)
    near = mesh.distances(start, points, fast, max_cost=limit)
    assert near.tolist() == [cost if cost <= limit else math.inf for cost in wanted]
    return sum(cost < math.inf for cost in wanted)


def compare_area(mesh: NavMesh, area, entries, limit: float) -> None:
    costs = {ref: min(cost for cost, _ in places) for ref, places in entries.items()}
    wanted = {ref: cost for ref, cost in costs.items() if cost <= limit}
    assert dict(zip(area.polygons.tolist(), area.costs.tolist(), strict=True)) == wanted
    assert area.costs.tolist() == sorted(area.costs.tolist())


@pytest.mark.parametrize("block", range(4))
def test_costs_on_random_meshes_are_those_of_plain_dijkstra(block: int) -> None:
    finite = 0
    for seed in range(block * 15, block * 15 + 15):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 3, 12]))
        for _ in range(3):
            fast, plain = random_filter(draw)
            finite += compare(mesh, draw, fast or QueryFilter(), plain)
    assert finite > 100


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_costs_on_many_random_meshes_are_those_of_plain_dijkstra(block: int) -> None:
    for seed in range(60_000 + block * 60, 60_060 + block * 60):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 3, 12, 40]))
        for _ in range(4):
            fast, plain = random_filter(draw)
            compare(mesh, draw, fast or QueryFilter(), plain)


def test_costs_in_a_building_are_those_of_plain_dijkstra() -> None:
    mesh = onepath.bake(levels.building(seed=1))
    draw = Random(4)
    assert sum(compare(mesh, draw, QueryFilter(), PlainFilter()) for _ in range(4)) > 20


def test_a_distance_on_one_floor_is_the_straight_one() -> None:
    mesh = strip(1, 8.0)
    assert mesh.distance((1, 0, 1), (5, 0, 4)) == 5.0
    assert mesh.distance((1, 0, 1), (5, 0, 4), QueryFilter(costs={63: 3.0})) == 15.0
    assert mesh.distance((1, 0, 1), (1, 0, 1)) == 0.0


def test_what_cannot_be_reached_is_infinitely_far() -> None:
    mesh = two_rooms()
    assert mesh.distance((1, 0, 1), (7, 0, 1)) == math.inf
    assert mesh.distance((50, 0, 1), (7, 0, 1)) == math.inf == mesh.distance((7, 0, 1), (50, 0, 1))
    mesh.add_link(link((3, 0, 2), (7, 0, 2), cost=2.0))
    assert mesh.distance((3, 0, 1), (7, 0, 1)) == 1.0 + 4.0 + 2.0 + 1.0
    assert mesh.distance((7, 0, 1), (3, 0, 1)) == math.inf


def test_goals_come_as_arrays_lists_and_points_of_the_mesh() -> None:
    mesh = strip(5)
    points = [(2, 0, 2), (10, 0, 2), (50, 0, 2)]
    wanted = [0.0, 8.0, math.inf]
    assert mesh.distances((2, 0, 2), points).tolist() == wanted
    assert mesh.distances((2, 0, 2), np.array(points, np.float32)).tolist() == wanted
    assert mesh.distances((2, 0, 2), [mesh.snap((2, 0, 2)), (10, 0, 2), NavPoint(0, None)]).tolist() == wanted
    assert mesh.distances((2, 0, 2), []).shape == (0,) == mesh.distances((2, 0, 2), np.zeros((0, 3))).shape


def test_of_equally_near_goals_the_first_is_taken() -> None:
    mesh = strip(5)
    goal = mesh.nearest_of((10, 0, 2), [(50, 0, 0), (14, 0, 2), (6, 0, 2)])
    assert (goal.index, goal.distance) == (1, 4.0) and goal
    assert not mesh.nearest_of((10, 0, 2), []) and not mesh.nearest_of((10, 0, 2), [(14, 0, 2)], max_cost=3)
    assert repr(mesh.nearest_of((10, 0, 2), [])) == "NearestGoal(index=-1, distance=inf)"


def test_a_limit_bounds_the_search_and_is_met_exactly() -> None:
    mesh = strip(6)
    assert mesh.distance((2, 0, 2), (14, 0, 2), max_cost=12.0) == 12.0
    assert mesh.distance((2, 0, 2), (14, 0, 2), max_cost=11.999) == math.inf
    assert mesh.distance((2, 0, 2), (14, 0, 2), max_cost=math.inf) == 12.0


def test_the_border_of_all_that_there_is_is_its_outline() -> None:
    holes = {(3, 3), (4, 3), (6, 7)}
    border = grid(9, 9, holes=holes).reachable_within((0.5, 0, 0.5), 100.0).border
    inside = {(i, j) for i in range(9) for j in range(9)} - holes
    wanted = set()
    for x, z in inside:
        corners = [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)]
        beside = [(x - 1, z), (x, z + 1), (x + 1, z), (x, z - 1)]
        ends = zip(corners, [*corners[1:], corners[0]], strict=True)
        wanted |= {frozenset(pair) for pair, other in zip(ends, beside, strict=True) if other not in inside}
    found = [frozenset((x, z) for x, _, z in segment) for segment in border.tolist()]
    assert set(found) == wanted and len(found) == len(wanted)


def test_across_a_large_polygon_the_border_is_a_circle_round_the_start() -> None:
    border = mesh_of([rectangle(0, 0, 8, 8)]).reachable_within((4, 0, 1), 3.0).border
    far = np.hypot(border[..., 0] - 4, border[..., 2] - 1)
    assert far.max() <= 3.0 + 1e-9
    rim = (border[..., 2] > 1e-9).any(axis=1)
    assert np.hypot(*(border[rim].mean(axis=1) - (4, 0, 1))[:, [0, 2]].T).min() > 2.95
    assert np.linalg.norm(np.diff(border, axis=1), axis=2).sum() == pytest.approx(
        2 * math.sqrt(8) + 3 * (math.pi + 2 * math.asin(1 / 3)), rel=0.01
    )


def test_no_line_runs_where_another_way_in_reaches_farther() -> None:
    room = [(0, 0, 2), (0, 0, 10), (8, 0, 10), (8, 0, 2), (4, 0, 2)]
    mesh = mesh_of([rectangle(0, 0, 4, 2), rectangle(4, 0, 8, 2), room], settings_of(16))
    border = mesh.reachable_within((4, 0, 1), 6.0).border
    middles = border.mean(axis=1)
    across = middles[
        (border[..., 2] > 2.001).all(axis=1) & (border[..., 0] > 0).all(axis=1) & (border[..., 0] < 8).all(axis=1)
    ]
    assert len(across) > 8
    radius = 6.0 - math.hypot(2, 1)
    for entry in ((2.0, 2.0), (6.0, 2.0)):
        assert np.hypot(across[:, 0] - entry[0], across[:, 2] - entry[1]).min() > 0.97 * radius


def places_about(mesh: NavMesh, draw: Random, area) -> list[NavPoint]:
    """Inside the polygons that were entered, on their surface."""
    query, found = NavMeshQuery(mesh), []
    for ref in area.polygons.tolist():
        corners = mesh.polygon(ref)
        for _ in range(5):
            shares = np.array([draw.random() ** 2 + 1e-3 for _ in corners])
            x, y, z = (shares @ corners / shares.sum()).tolist()
            height = query.surface_height(ref, (x, y, z))
            found.append(NavPoint(ref, (x, height, z)))
    return found


def crosses(p: tuple[float, ...], q: tuple[float, ...], border: np.ndarray) -> bool:
    """Whether a straight line from p to q comes over the border, seen from above."""

    def side(a, b, c):
        return (b[..., 0] - a[..., 0]) * (c[..., 2] - a[..., 2]) - (b[..., 2] - a[..., 2]) * (c[..., 0] - a[..., 0])

    a, b, first, last = border[:, 0], border[:, 1], np.array(p), np.array(q)
    apart = side(first, last, a) * side(first, last, b) <= 1e-12
    return bool((apart & (side(a, b, first) * side(a, b, last) <= 1e-12)).any())


@pytest.mark.parametrize("block", range(3))
def test_the_border_parts_what_can_be_reached_from_what_cannot_and_claims_nothing_beyond(block: int) -> None:
    parted = claimed = 0
    for seed in range(block * 12, block * 12 + 12):
        draw, mesh = Random(seed), random_mesh(seed)
        polygons = list(PlainMesh(mesh).polygons.values())
        if not polygons:
            continue
        fast = random_filter(draw)[0] or QueryFilter()
        start, limit = mesh.snap(draw.choice(polygons).corners[0], filter=fast), draw.choice([1.0, 3.0, 7.0])
        area = mesh.reachable_within(start, limit, fast) if start else None
        if not area:
            continue
        # 1. From one of the polygons on whose edge or surface it lies, each place of it costs no more.
        spots = [tuple(a + (b - a) * draw.random()) for a, b in area.border[:60]]
        costs = [[] for _ in spots]
        for ref in area.polygons.tolist():
            near = mesh.polygon(ref)
            slack = np.array([1e-6, 2.0, 1e-6])
            low, high = near.min(axis=0) - slack, near.max(axis=0) + slack
            for spot, found in zip(spots, costs, strict=True):
                if (low <= spot).all() and (spot <= high).all():
                    found.append(mesh.distance(start, NavPoint(ref, spot), fast))
        assert all(min(found, default=math.inf) <= limit + 1e-6 for found in costs)
        claimed += len(spots)
        # 2. Between two places of a polygon of which one can be reached and the other cannot it passes.
        places = places_about(mesh, draw, area)
        reached = mesh.distances(start, places, fast)
        for here, near_cost in zip(places, reached, strict=True):
            for there, far_cost in zip(places, reached, strict=True):
                if here.ref == there.ref and near_cost < 0.9 * limit and far_cost > limit:
                    assert crosses(here.point, there.point, area.border)
                    parted += 1
    assert claimed > 200 and parted > 10


def test_part_of_an_edge_is_border_where_only_part_of_it_leads_on() -> None:
    mesh = seam([(0, 8, 0.0)], [(0, 3, 0.0), (3, 8, 4.0)])
    area = mesh.reachable_within((4, 0, 4), 100.0)
    open_part = [s for s in area.border.tolist() if s[0][0] == s[1][0] == 8.0]
    assert len(area) == 2
    assert sum(abs(s[1][2] - s[0][2]) for s in open_part) == pytest.approx(5.0, abs=8 / 255)


def test_nothing_is_within_reach_of_a_place_off_the_mesh() -> None:
    area = strip(2).reachable_within((50, 0, 50), 5.0)
    assert not area and area.polygons.shape == (0,) and area.border.shape == (0, 2, 3)


def test_results_are_values() -> None:
    mesh = strip(4)
    for value in (mesh.reachable_within((1, 0, 1), 6.0), mesh.nearest_of((1, 0, 1), [(5, 0, 1)])):
        for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert other == value and hash(other) == hash(value) and repr(other) == repr(value)
        with pytest.raises(TypeError, match="not made by hand"):
            type(value)()
    assert repr(mesh.reachable_within((1, 0, 1), 6.0)) == "ReachableArea(max_cost=6.0, 2 polygons)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda mesh: mesh.distances((0, 0, 0), [(0, 0)]), r"points\[0\]"),
        (lambda mesh: mesh.distances((0, 0, 0), np.array([(0, 0, 0), (0, 0, math.nan)])), r"points\[1\]\[2\] is NaN"),
        (lambda mesh: mesh.distances((0, 0, 0), np.array([(0, 0, 3e6)])), r"points\[0\]\[2\] is 3000000.0"),
        (lambda mesh: mesh.distances((0, 0, 0), np.zeros((2, 2))), "points has shape"),
        (lambda mesh: mesh.distances((0, 0, 0), 3), "points is 3"),
        (lambda mesh: mesh.distance((0, 0, 0), (0, 0, 0), max_cost=-1), r"max_cost is -1, outside \[0, infinity\]"),
        (lambda mesh: mesh.nearest_of((0, 0, 0), [(0, 0, 0)], max_cost=math.nan), "max_cost"),
        (lambda mesh: mesh.reachable_within((0, 0, 0), math.inf), "max_cost is inf"),
        (lambda mesh: mesh.distance((0, 0, 0), (0, 0, 0), 3), "filter is 3"),
    ],
)
def test_arguments_at_fault_are_named(call, message: str) -> None:
    with pytest.raises((ArgumentError, RangeError), match=message):
        call(strip(2))


def test_batches_have_the_bits_of_single_calls_at_every_thread_count() -> None:
    finite = 0
    for seed in range(12):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, 6)
        fast, _ = random_filter(draw)
        goals = random_goals(draw, list(PlainMesh(mesh).polygons.values()), 60) if mesh.polygon_count else []
        if not goals:
            continue
        starts, ends = goals[:30], goals[30:]
        wanted = [
            mesh.distance(NavPoint(a.ref, p), NavPoint(b.ref, q), fast or QueryFilter(), max_cost=9.0)
            for (a, p), (b, q) in zip(starts, ends, strict=True)
        ]
        for threads in (1, 2, 5):
            found = NavMeshQuery(mesh).path_distances(
                [a.ref for a, _ in starts],
                [p for _, p in starts],
                [b.ref for b, _ in ends],
                [q for _, q in ends],
                fast,
                max_cost=9.0,
                threads=threads,
            )
            assert found.tolist() == wanted
        finite += sum(cost < math.inf for cost in wanted)
    assert finite > 30


def test_a_batch_from_one_place_and_of_none() -> None:
    mesh = strip(4)
    query, place = NavMeshQuery(mesh), mesh.snap((2, 0, 2))
    others = [mesh.snap((2 + 4 * i, 0, 2)) for i in range(4)]
    refs, points = [other.ref for other in others], [other.point for other in others]
    assert query.path_distances(place.ref, place.point, refs, points).tolist() == [0.0, 4.0, 8.0, 12.0]
    assert query.path_distances(place.ref, place.point, [], []).shape == (0,)
    assert query.path_distances(0, place.point, refs, points).tolist() == [math.inf] * 4
    with pytest.raises(RangeError, match="threads is 0"):
        query.path_distances(place.ref, place.point, refs, points, threads=0)
    with pytest.raises(ArgumentError, match="start_refs"):
        query.path_distances("a", place.point, refs, points)


def test_a_flood_leaves_the_lent_query_as_a_new_one() -> None:
    mesh = grid(12, 12)
    before = mesh.find_path((0.5, 0, 0.5), (11.5, 0, 11.5))
    mesh.distances((0.5, 0, 0.5), [(11.5, 0, 11.5)], max_cost=3.0)
    mesh.reachable_within((0.5, 0, 0.5), 5.0)
    assert mesh.find_path((0.5, 0, 0.5), (11.5, 0, 11.5)) == before
