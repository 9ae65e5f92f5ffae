"""Distance fields against distances, their directions against rays, over slices and commits."""

from __future__ import annotations

import math
import pickle
from random import Random

import numpy as np
import pytest

import onepath
from onepath import DistanceField, NavMesh, NavMeshQuery, NavPoint, PathStatus, QueryFilter, levels
from onepath.errors import ArgumentError, RangeError
from tests.links import link, two_rooms
from tests.living import KEYS, SETTINGS, VARIANTS, middles, pooled_tile
from tests.meshes import grid, mesh_of, rectangle, strip
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh
from tests.test_costs import random_goals
from tests.test_islands import change, with_links


def points_of(draw: Random, plain: PlainMesh, slow, count: int) -> list[NavPoint]:
    allowed = [polygon for polygon in plain.polygons.values() if slow.passes(polygon)]
    return [NavPoint(goal.ref, at) for goal, at in random_goals(draw, allowed, count)] if allowed else []


def wanted_costs(mesh: NavMesh, points: list[NavPoint], goals: list[NavPoint], fast: QueryFilter) -> list[float]:
    return [float(mesh.distances(point, goals, fast).min()) for point in points]


@pytest.mark.parametrize("block", range(3))
def test_fields_on_random_meshes_say_what_distances_say(block: int) -> None:
    finite = 0
    for seed in range(block * 20, block * 20 + 20):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 3, 12]))
        plain = PlainMesh(mesh)
        for _ in range(2):
            fast, slow = random_filter(draw)
            fast = fast or QueryFilter()
            goals, points = points_of(draw, plain, slow, draw.choice([1, 2, 5])), points_of(draw, plain, slow, 8)
            wanted = wanted_costs(mesh, points, goals, fast)
            field = DistanceField(mesh, goals, fast)
            found = field.distance(points)
            assert found.tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-12)
            finite += int(np.isfinite(found).sum())
            limit = draw.choice([1.0, 4.0, 9.0])
            near = DistanceField(mesh, goals, fast, max_cost=limit)
            while near.update(draw.choice([0, 1, 3, 10])) is PathStatus.IN_PROGRESS:
                pass
            beyond = near.distance(points)
            assert all(b == f if f <= limit else b == math.inf for b, f in zip(beyond, found, strict=True))
    assert finite > 150


def holed_grid(draw: Random) -> NavMesh:
    return grid(10, 10, holes={(draw.randrange(10), draw.randrange(10)) for _ in range(30)} - {(0, 0)})


def random_places(mesh: NavMesh, draw: Random, goal: tuple[float, float, float], count: int) -> list[NavPoint]:
    places = [mesh.snap((draw.uniform(0, 10), 0, draw.uniform(0, 10))) for _ in range(count)]
    return [place for place in places if place and mesh.is_reachable(place, goal)]


def ahead_of(place: NavPoint, way: np.ndarray, step: float) -> tuple[float, float, float]:
    return tuple((np.array(place.point) + way * step).tolist())


def walk(mesh: NavMesh, field: DistanceField, place: NavPoint, step: float, most: int) -> tuple[NavPoint, float]:
    """Follows directions to a goal or a link's start, sliding where a step passes a corner: the place, the metres."""
    walked = 0.0
    for _ in range(most):
        way = field.direction([place])[0]
        if not way.any():
            return place, walked
        assert math.hypot(way[0], way[2]) == pytest.approx(1.0) and way[1] == 0.0
        moved = mesh.move(place, tuple((way * step).tolist()), field.filter)
        assert moved.point != place.point
        walked += math.hypot(moved.point[0] - place.point[0], moved.point[2] - place.point[2])
        place = moved
        if any(goal and math.dist(goal.point, place.point) <= step for goal in field.goals):
            return place, walked
    raise AssertionError(f"not there after {most} steps of {step} m: {place}")


def test_who_follows_directions_comes_to_the_goal_by_a_way_no_longer_than_the_distance() -> None:
    draw, goal = Random(3), (0.5, 0.0, 0.5)
    mesh = holed_grid(draw)
    field, exact, walks = DistanceField(mesh, [goal]), 0.0, 0.0
    for place in random_places(mesh, draw, goal, 40):
        distance = float(field.distance([place])[0])
        there, walked = walk(mesh, field, place, 0.05, int(25 * distance) + 20)
        assert math.dist(there.point, goal) <= 0.05 and walked <= distance * 1.001 + 0.05
        exact += mesh.find_path(place, goal, exact=True).length
        walks += walked
    assert walks < 1.02 * exact  # nearly the shortest of all


def inner_points(mesh: NavMesh, draw: Random, plain: PlainMesh, slow, count: int) -> list[NavPoint]:
    """Points inside polygons that the filter accepts, on their surface."""
    allowed = [polygon for polygon in plain.polygons.values() if slow.passes(polygon)]
    query, found = NavMeshQuery(mesh), []
    for _ in range(count if allowed else 0):
        polygon = draw.choice(allowed)
        shares = np.array([draw.uniform(0.2, 1.0) for _ in polygon.corners])
        x, y, z = (shares @ np.array(polygon.corners) / shares.sum()).tolist()
        height = query.surface_height(polygon.ref, (x, y, z))
        assert height is not None
        found.append(NavPoint(polygon.ref, (x, height, z)))
    return found


@pytest.mark.parametrize("block", range(4))
def test_nobody_walks_to_and_fro_where_areas_cost_more_and_floors_slope(block: int) -> None:
    walks = 0
    for seed in range(block * 12, block * 12 + 12):
        draw = Random(seed)
        mesh = random_mesh(seed)
        plain = PlainMesh(mesh)
        fast, slow = random_filter(draw)
        fast = fast or QueryFilter()
        field = DistanceField(mesh, inner_points(mesh, draw, plain, slow, draw.choice([1, 2, 12])), fast)
        least = min(fast.area_cost(area) for area in range(1, 256))
        for place in inner_points(mesh, draw, plain, slow, 5):
            distance = float(field.distance([place])[0])
            if distance < math.inf:
                _, walked = walk(mesh, field, place, 0.02, int(55 * distance / least) + 60)
                assert walked * least <= distance * 1.01 + 0.05
                walks += 1
    assert walks > 20


def test_a_goal_in_sight_is_walked_to_straight() -> None:
    draw, goal = Random(8), (9.25, 0.0, 0.5)
    mesh = holed_grid(draw)
    field, query, seen = DistanceField(mesh, [goal]), NavMeshQuery(mesh), 0
    for place in random_places(mesh, draw, goal, 150):
        if query.raycast(place.ref, place.point, goal).blocked:
            continue
        straight = np.array(goal) - place.point
        assert field.direction([place])[0] == pytest.approx(straight / np.linalg.norm(straight), abs=1e-6)
        seen += 1
    assert seen > 15


def test_a_goal_is_in_sight_past_the_end_of_a_wall_that_rounding_bent() -> None:
    """The line of the wall below is left a hair before the edge that leads on, which a ray of the document asks for."""
    bent = (2.0 - 2.0**-20, 0.0, 4.0)
    mesh = mesh_of([[(0, 0, 0), (0, 0, 8), (4, 0, 8), bent], [bent, (4, 0, 8), (8, 0, 8), (8, 0, 4)]])
    place, goal = (1.0, 0.0, 4.05), (6.0, 0.0, 4.05)
    assert mesh.raycast(place, goal).blocked
    assert DistanceField(mesh, [goal]).direction([place])[0] == pytest.approx(np.array([1.0, 0.0, 0.0]), abs=1e-12)


def test_a_direction_never_leads_into_a_wall() -> None:
    draw, goal = Random(5), (0.5, 0.0, 0.5)
    mesh = holed_grid(draw)
    field, query = DistanceField(mesh, [goal]), NavMeshQuery(mesh)
    places = random_places(mesh, draw, goal, 300)
    for place, way in zip(places, field.direction(places), strict=True):
        assert not query.raycast(place.ref, place.point, ahead_of(place, way, 1e-4)).blocked
    assert len(places) > 120


def test_a_way_through_more_portals_than_are_looked_at_goes_on_all_the_same() -> None:
    mesh = grid(200, 1, side=0.5)
    field = DistanceField(mesh, [(99.75, 0, 0.25)])
    ways = field.direction([(0.1 + 0.7 * i, 0, 0.25 + 0.2 * (-1) ** i) for i in range(142)])
    assert (ways[:, 0] > 0.9).all() and not np.allclose(ways[0], ways[-1])


def test_a_direction_keeps_a_tenth_of_a_metre_off_a_corner_and_leads_out_of_a_portal() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4), rectangle(4, 4, 8, 8)])
    field = DistanceField(mesh, [(5, 0, 7)])
    towards = np.array([3.0, 0.0, 0.9])
    assert field.direction([(1, 0, 3)])[0] == pytest.approx(towards / np.linalg.norm(towards))
    # Between the corner and where the portal is passed the way runs along the portal: no step would leave the polygon.
    in_the_portal = NavPoint(mesh.reference(0, 0, 0), (4.0, 0.0, 3.95))
    assert field.direction([in_the_portal])[0][0] > 0.05


def test_who_stands_in_a_portal_and_would_walk_along_it_is_turned_a_little_out_of_his_polygon() -> None:
    """The way goes round a wall that ends on the portal's own line: along that no step would ever cross it."""
    corners = [*rectangle(0, 0, 5, 4), *rectangle(0, 4, 10, 8), *rectangle(6, 0, 10, 4)]
    mesh = NavMesh.from_polygons(corners, np.arange(12).reshape(3, 4))
    field = DistanceField(mesh, [(8, 0, 1)])
    below = NavPoint(mesh.snap((1, 0, 1)).ref, (2.0, 0.0, 4.0))
    way = field.direction([below])[0]
    assert way == pytest.approx(np.array([1.0, 0.0, 0.1]) / math.hypot(1.0, 0.1))
    assert mesh.move(below, tuple(way * 0.1)).ref == mesh.snap((1, 0, 6)).ref


def test_who_crosses_a_tile_side_and_comes_back_over_it_gets_there() -> None:
    # Two floors side by side with a step between them; both are joined to the one in the next tile, over one line.
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 4, 16, 8, 0.4), rectangle(8, 0, 16, 4, -0.4)])
    goal = mesh.snap((12, -0.4, 2))
    field = DistanceField(mesh, [goal])
    for start in ((12, 0.4, 6), (8.5, 0.4, 4.2), (9, 0.4, 7.9)):
        place = mesh.snap(start)
        _, walked = walk(mesh, field, place, 0.05, 2000)
        assert walked <= float(field.distance([place])[0]) * 1.01 + 0.05


def test_who_goes_over_a_side_to_another_floor_and_back_gets_there() -> None:
    """Pulled through both portals at once, which lie on one line, the way would never come to its end."""
    mesh, goal = random_mesh(52), (-5.232455881503843, 0.1, 5.232871419164467)
    field, place = DistanceField(mesh, [goal]), mesh.snap((-3.881392979493141, 3.1, 12.978377343937428))
    distance = float(field.distance([place])[0])
    assert walk(mesh, field, place, 0.02, int(55 * distance))[1] <= distance * 1.01 + 0.05


def test_a_direction_is_zero_at_a_goal_and_where_none_can_be_reached() -> None:
    field = DistanceField(two_rooms(), [(1, 0, 1)])
    assert field.direction([(1, 0, 1), (7, 0, 1), (50, 0, 1)]).tolist() == [[0.0] * 3] * 3
    assert field.distance([(1, 0, 1), (7, 0, 1), (50, 0, 1)]).tolist() == [0.0, math.inf, math.inf]
    assert DistanceField(two_rooms(), []).distance([(1, 0, 1)]).tolist() == [math.inf]


def test_a_direction_on_an_edges_middle_leads_on() -> None:
    field = DistanceField(strip(3), [(10, 0, 2)])
    assert field.direction([(4, 0, 2)]).tolist() == [[1.0, 0.0, 0.0]]


def test_a_way_over_a_link_leads_to_its_start_and_names_it() -> None:
    mesh = two_rooms()
    crossed = mesh.add_link(link((3, 0, 2), (7, 0, 2)))
    field = DistanceField(mesh, [(8, 0, 2)])
    points = [(1, 0, 2), (3, 0, 2), (7, 0, 2)]
    assert field.direction(points).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert field.next_links(points).tolist() == [crossed, crossed, 0]
    assert DistanceField(mesh, [(1, 0, 2)]).distance([(7, 0, 2)]).tolist() == [math.inf]


@pytest.mark.parametrize("seed", range(5))
def test_a_field_is_built_again_after_commits(seed: int) -> None:
    draw = Random(seed)
    mesh = NavMesh(SETTINGS, (0, 0, 3, 1))
    for key in KEYS[::2]:
        mesh.stage_tile(pooled_tile(key, draw.randrange(VARIANTS)))
    mesh.commit()
    links: list[int] = []
    goals = [(3.0, 0.0, 3.0), (20.0, 0.0, 9.0)]
    field = DistanceField(mesh, goals, QueryFilter())
    for _ in range(10):
        if draw.random() < 0.5:
            field.update(draw.randrange(5))
        change(mesh, draw, links)
        places = [(draw.uniform(0, 32), draw.choice([0.0, 3.0]), draw.uniform(0, 16)) for _ in range(12)]
        fresh = DistanceField(mesh, goals, QueryFilter())
        assert field.distance(places).tolist() == fresh.distance(places).tolist()
        assert field.direction(places).tolist() == fresh.direction(places).tolist()


def test_a_commit_elsewhere_does_not_begin_a_field_again() -> None:
    mesh = grid(64, 8)
    field = DistanceField(mesh, [(1.5, 0, 1.5)], max_cost=8.0)
    assert field.update(10**9) is PathStatus.SUCCESS
    steps = field.iterations
    mesh.set_area(mesh.snap((60.5, 0, 1.5)).ref, 5)
    assert field.update(0) is PathStatus.SUCCESS and field.iterations == steps
    mesh.set_area(mesh.snap((2.5, 0, 1.5)).ref, 0)
    assert field.update(0) is PathStatus.IN_PROGRESS and field.iterations == 0


def test_slices_of_any_size_build_the_same_field() -> None:
    mesh = onepath.bake(levels.building(seed=1))
    island = set(mesh.islands()[0].polygons.tolist())
    points = [point for point in map(mesh.snap, middles(mesh)) if point.ref in island]
    goals = points[:2]
    whole, sliced = DistanceField(mesh, goals), DistanceField(mesh, goals)
    while sliced.update(7) is PathStatus.IN_PROGRESS:
        pass
    assert sliced.distance(points).tolist() == whole.distance(points).tolist()
    assert sliced.iterations == whole.iterations > 7
    assert np.isfinite(whole.distance(points)).all()


AWAY = (500.0, 0.0, 500.0)


def test_goals_that_are_all_off_the_mesh_are_no_success() -> None:
    mesh = strip(2)
    assert DistanceField(mesh, [AWAY]).update(0) is PathStatus.NO_END
    assert DistanceField(mesh, []).update(0) is PathStatus.NO_END
    assert DistanceField(mesh, [NavPoint(5 << 41, AWAY)]).update(0) is PathStatus.INVALID_END
    assert DistanceField(mesh, [NavPoint(5 << 41, AWAY), AWAY]).update(0) is PathStatus.NO_END
    assert DistanceField(NavMesh(mesh.settings), [AWAY]).update(0) is PathStatus.NO_MESH
    closed = DistanceField(mesh, [(1, 0, 1)], QueryFilter(predicate=lambda flags, area: False))
    assert closed.update(0) is PathStatus.NO_END
    assert np.isinf(closed.distance([(1, 0, 1)])).all()


def test_one_goal_on_the_mesh_is_enough() -> None:
    assert DistanceField(strip(2), [AWAY, (1, 0, 1)]).update(10**9) is PathStatus.SUCCESS


def test_goals_by_a_tile_that_is_not_loaded_are_told_and_found_when_it_comes() -> None:
    level = onepath.Level()
    level.add_plane((0, 0), (10, 4))
    whole = onepath.bake(level)
    mesh = NavMesh(whole.settings, whole.grid_bounds)
    first, second = (view.tile for view in whole.tiles())
    mesh.stage_tile(first)
    mesh.commit()
    goal = tuple(whole.polygon(whole.reference(second.column, second.row, 0)).mean(axis=0))
    field = DistanceField(mesh, [AWAY, goal])
    assert field.update(10**9) is PathStatus.NOT_LOADED
    mesh.stage_tile(second)
    mesh.commit()
    assert field.update(10**9) is PathStatus.SUCCESS
    mesh.stage_tile_removal(second.column, second.row)
    mesh.commit()
    assert field.update(10**9) is PathStatus.NOT_LOADED


def test_goals_are_snapped() -> None:
    field = DistanceField(strip(2), [(1, 0.5, 1), (50, 0, 1)])
    assert field.goals == ()
    field.update(0)
    assert field.goals[0].point == (1.0, 0.0, 1.0) and not field.goals[1]


def test_arguments_at_fault_are_named() -> None:
    mesh = strip(2)
    for message, call in (
        ("mesh is 3", lambda: DistanceField(3, [(0, 0, 0)])),
        ("goals is 3", lambda: DistanceField(mesh, 3)),
        (r"goals\[0\]", lambda: DistanceField(mesh, [(0, 0)])),
        ("filter is 3", lambda: DistanceField(mesh, [(0, 0, 0)], 3)),
        ("max_cost is -1", lambda: DistanceField(mesh, [(0, 0, 0)], max_cost=-1)),
        ("iterations is -1", lambda: DistanceField(mesh, [(0, 0, 0)]).update(-1)),
        (r"points\[1\]", lambda: DistanceField(mesh, [(0, 0, 0)]).distance([(0, 0, 0), (0, 0)])),
    ):
        with pytest.raises((ArgumentError, RangeError), match=message):
            call()
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(DistanceField(mesh, [(0, 0, 0)]))
    assert repr(DistanceField(mesh, [(0, 0, 0)])).endswith("goals=1, max_cost=inf)")
