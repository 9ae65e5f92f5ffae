"""The exact search: shortest lines over the whole mesh, beside a visibility graph, on a published map, in cases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from random import Random

import pytest
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

import onepath
from onepath import NavMesh, levels
from onepath.io import load_polyanya
from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter, QueryStatus
from tests.data import shared_data
from tests.links import link, two_rooms
from tests.meshes import Corner, grid, mesh_of, rectangle, settings_of, strip
from tests.oracles.exact_visibility import Visibility
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_mesh, random_position
from tests.test_query_oracle_links import linked_mesh

Pair = tuple[Corner, Corner]


def flat_length(path) -> float:
    """What a path measures in X/Z, its links left out."""
    steps = itertools.pairwise(path.points.tolist())
    walked = [(a, b) for (a, b), link_id in zip(steps, path.links.tolist(), strict=False) if link_id == 0]
    return math.fsum(math.hypot(b[0] - a[0], b[2] - a[2]) for a, b in walked)


def exact(mesh: NavMesh, **options: object) -> NavMeshQuery:
    return NavMeshQuery(mesh, NodeModel.EXACT, **options)  # type: ignore[arg-type]


# --- Against a visibility graph of the whole mesh


def compare(mesh: NavMesh, draw: Random, count: int, costs: dict[int, float]) -> int:
    """Costs of random questions beside the oracle's; how many were compared."""
    plain, filter = PlainMesh(mesh), QueryFilter(costs=costs)
    graph = Visibility(plain, PlainFilter(costs=costs))
    if not graph.gates:
        return 0
    query, compared = exact(mesh), 0
    for _ in range(count):
        places = [random_position(draw, list(plain.polygons.values())) for _ in range(2)]
        start, end = (query.find_nearest_polygon(place, filter=filter) for place in places)
        if not (start and end):
            continue
        corridor = query.find_corridor(start.ref, start.point, end.ref, end.point, filter=filter)
        least = graph.shortest(start.ref, start.point, end.ref, end.point)
        assert corridor.detail is not QueryStatus.EXACT_NOT_UNIFORM
        assert bool(corridor) == math.isfinite(least)
        if corridor:
            assert corridor.cost == pytest.approx(least, rel=1e-9, abs=1e-9)
            path = query.find_path(places[0], places[1], filter)
            if not path.links.any():
                assert flat_length(path) * costs.get(63, 1.0) == pytest.approx(least, rel=1e-9, abs=1e-9)
        else:
            # It leads to the nearest of all polygons that can be reached, and no farther about than need be.
            _, nearest = graph.closest_reachable(start.ref, end.point)
            last = int(corridor.polygons[-1])
            least = graph.shortest(start.ref, start.point, last, nearest[last])
            assert corridor.cost == pytest.approx(least, rel=1e-9, abs=1e-9)
        compared += 1
    return compared


def everywhere(price: float) -> dict[int, float]:
    return dict.fromkeys(range(1, 256), price)


@pytest.mark.parametrize("block", range(4))
def test_costs_over_random_meshes_are_the_least(block: int) -> None:
    seeds = range(block * 5, block * 5 + 5)
    assert sum(compare(random_mesh(seed), Random(seed), 4, everywhere(1.0)) for seed in seeds) > 8


@pytest.mark.parametrize("block", range(3))
def test_costs_over_random_links_are_the_least(block: int) -> None:
    compared = 0
    for seed in range(block * 4, block * 4 + 4):
        draw, mesh = Random(seed), linked_mesh(seed)
        costs = everywhere(draw.choice([1.0, 2.5]))
        walked = {polygon.area for polygon in PlainMesh(mesh).polygons.values()}
        costs |= {area: draw.choice([0.01, 0.4, 7.0]) for area in range(1, 256) if area not in walked}
        compared += compare(mesh, draw, 5, costs)
    assert compared > 8


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_costs_over_many_random_meshes_are_the_least(block: int) -> None:
    seeds = range(70_000 + block * 25, 70_025 + block * 25)
    assert sum(compare(random_mesh(seed), Random(seed), 12, everywhere(1.0)) for seed in seeds) > 150


# --- Published maps


def arena_pairs() -> list[Pair]:
    lines = shared_data("polyanya/arena.scen").read_text().splitlines()[1:]
    ends = [tuple(map(float, line.split()[4:8])) for line in lines if line.strip()]
    return [((x0, 0.0, z0), (x1, 0.0, z1)) for x0, z0, x1, z1 in ends]


def test_triangles_and_merged_polygons_of_a_map_give_one_length() -> None:
    first, second = (load_polyanya(shared_data(f"polyanya/{name}.mesh")) for name in ("arena", "arena-merged"))
    for start, end in arena_pairs():
        lengths = [exact(mesh).find_path(start, end).length for mesh in (first, second)]
        assert lengths[0] == pytest.approx(lengths[1], rel=1e-9)


def test_lengths_on_a_map_are_those_of_its_visibility_graph() -> None:
    mesh = load_polyanya(shared_data("polyanya/arena-merged.mesh"))
    graph, query = Visibility(PlainMesh(mesh), PlainFilter()), exact(mesh)
    for start, end in arena_pairs()[::11]:
        first, last = query.find_nearest_polygon(start), query.find_nearest_polygon(end)
        cost = query.find_corridor(first.ref, first.point, last.ref, last.point).cost
        assert cost == pytest.approx(graph.shortest(first.ref, first.point, last.ref, last.point), rel=1e-9)


# --- Beside the other models


def baked(name: str) -> NavMesh:
    return onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)


def places_on(mesh: NavMesh, count: int, seed: int) -> Iterator[Pair]:
    draw, polygons = Random(seed), list(PlainMesh(mesh).polygons.values())
    for _ in range(count):
        yield random_position(draw, polygons), random_position(draw, polygons)


@pytest.mark.parametrize("name", ["room", "building", "pillars", "courtyards"])
def test_no_other_model_finds_a_shorter_line(name: str) -> None:
    mesh = baked(name)
    queries = [NavMeshQuery(mesh, model) for model in (NodeModel.EXACT, NodeModel.POLYGON, NodeModel.CROSSING)]
    for start, end in places_on(mesh, 60, 5):
        least, *others = (query.find_path(start, end) for query in queries)
        assert {path.status for path in others} == {least.status}
        if least:
            assert least.cost == pytest.approx(flat_length(least), rel=1e-9, abs=1e-9)
            assert all(flat_length(least) <= flat_length(path) * (1 + 1e-10) + 1e-12 for path in others)


def test_some_shortest_lines_leave_the_corridors_of_both_other_models() -> None:
    draw = Random(4)
    mesh = grid(14, 14, holes={(draw.randrange(14), draw.randrange(14)) for _ in range(60)})
    queries = [NavMeshQuery(mesh, model) for model in (NodeModel.EXACT, NodeModel.POLYGON, NodeModel.CROSSING)]
    graph, left = Visibility(PlainMesh(mesh), PlainFilter()), 0
    for start, end in places_on(mesh, 200, 9):
        least, *others = (query.find_path(start, end) for query in queries)
        if least and all(flat_length(path) > flat_length(least) * (1 + 1e-3) for path in others):
            first, last = (queries[0].find_nearest_polygon(place) for place in (start, end))
            oracle = graph.shortest(first.ref, first.point, last.ref, last.point)
            assert least.cost == pytest.approx(oracle, rel=1e-9)
            left += 1
        if left == 5:
            break
    assert left == 5


@pytest.mark.parametrize("name", ["building", "courtyards"])
def test_there_and_back_are_equally_long(name: str) -> None:
    mesh = baked(name)
    query = exact(mesh)
    for start, end in places_on(mesh, 40, 11):
        there, back = query.find_path(start, end), query.find_path(end, start)
        if there:
            assert back and there.cost == pytest.approx(back.cost, rel=1e-9, abs=1e-9)


# --- In sight


@pytest.mark.parametrize("tile_size", [2, 5, 8])
def test_c42_what_is_in_sight_is_reached_in_a_straight_line(tile_size: int) -> None:
    # An empty floor of 20 by 20 m in unit squares, cut into tiles; another area at the same cost changes nothing.
    areas = [9 if 6 <= i < 12 and 6 <= j < 12 else 63 for j in range(20) for i in range(20)]
    mesh = grid(20, 20, settings=settings_of(tile_size), areas=areas)
    query, draw = exact(mesh), Random(tile_size)
    for _ in range(60):
        start, end = ((draw.uniform(0, 20), 0.0, draw.uniform(0, 20)) for _ in "ab")
        path = query.find_path(start, end)
        assert path and len(path.points) == 2
        assert path.length == pytest.approx(math.dist(start, end), rel=1e-12)
        # Along the edges of squares corners lie on the line itself; a point there does not lengthen it.
        start, end = ((float(draw.randint(0, 20)), 0.0, draw.uniform(0, 20)) for _ in "ab")
        path = query.find_path(start, end)
        assert path and path.length == pytest.approx(math.dist(start, end), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("place", [(3.0, 0.0, 4.0), (2.5, 0.0, 4.0), (2.5, 0.0, 3.5)])
def test_c42_where_the_start_is_the_end_the_length_is_zero(place: Corner) -> None:
    path = exact(grid(8, 8)).find_path(place, place)
    assert path.status is PathStatus.SUCCESS and path.length == 0.0


def test_a_start_on_a_corner_looks_into_all_polygons_round_it() -> None:
    # The start is the middle of four squares, each time given with another of them.
    mesh = grid(4, 4, side=4.0)
    query = exact(mesh)
    middle = (8.0, 0.0, 8.0)
    refs = [view_ref for view_ref in refs_at(mesh, middle)]
    assert len(refs) == 4
    for first, target in itertools.product(refs, [(1.0, 1.0), (15.0, 1.0), (1.0, 15.0), (15.0, 15.0)]):
        end = query.find_nearest_polygon((target[0], 0.0, target[1]))
        corridor = query.find_corridor(first, middle, end.ref, end.point)
        assert corridor.cost == pytest.approx(math.hypot(7, 7), rel=1e-12)


def refs_at(mesh: NavMesh, corner: Corner) -> list[int]:
    return [polygon.ref for polygon in PlainMesh(mesh).polygons.values() if corner in polygon.corners]


# --- Cases


def spot_in(draw: Random, corners: list[Corner]) -> Corner:
    weights = [draw.random() ** draw.choice([1, 8]) for _ in corners]
    x, z = (sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / sum(weights) for k in (0, 2))
    return x, 0.0, z


def thin_tab() -> NavMesh:
    room = [(0, 0, 0), (4, 0, 0), (4, 0, 1), (2.1, 0, 1), (1.95, 0, 1), (1.8, 0, 1), (0, 0, 1)]
    tab = [(1.8, 0, 1), (1.95, 0, 1), (2.1, 0, 1), (2.1, 0, 1.1), (1.8, 0, 1.1)]
    return mesh_of([room, tab], settings_of(8))


def test_c39_a_thin_tab_is_left_without_needless_corners() -> None:
    query = exact(thin_tab())
    path = query.find_path((2.07, 0, 1.08), (2.074, 0, 0.8))
    assert path.length == pytest.approx(0.28003, abs=1e-5) and len(path.points) == 2
    path = query.find_path((1.95, 0, 1.09), (3.9, 0, 0.5))
    assert path.length == pytest.approx(2.04308, abs=1e-5)
    assert path.points[1:-1].tolist() == [[pytest.approx(2.1), 0.0, 1.0]]


def test_c39_random_pairs_about_a_thin_tab_are_answered_with_the_shortest_line() -> None:
    mesh = thin_tab()
    assert compare(mesh, Random(39), 150, everywhere(1.0)) > 120


@pytest.mark.parametrize("model", [NodeModel.POLYGON, NodeModel.EXACT])
def test_c39_random_pairs_about_a_thin_tab_are_answered_on_the_mesh_and_hardly_longer(model: NodeModel) -> None:
    plain = PlainMesh(thin_tab())
    query, graph = NavMeshQuery(thin_tab(), model), Visibility(plain, PlainFilter())
    draw, polygons = Random(40), list(plain.polygons.values())
    ground = unary_union([Polygon([(x, z) for x, _, z in polygon.corners]) for polygon in polygons]).buffer(1e-6)
    for _ in range(1000):
        first, last = draw.choice(polygons), draw.choice(polygons)
        start, end = spot_in(draw, first.corners), spot_in(draw, last.corners)
        path = query.find_path(start, end)
        assert path and query.iterations < 20
        assert path.length <= 1.001 * graph.shortest(first.ref, start, last.ref, end) + 1e-9
        assert start == end or ground.covers(LineString(path.points[:, [0, 2]]))


def test_c32_the_right_place_on_the_wrong_storey_is_not_the_end() -> None:
    floors = [rectangle(0, 0, 10, 10), rectangle(4, 4, 6, 6, 3.0)]
    path = exact(mesh_of(floors, settings_of(16))).find_path((1, 0, 5), (5, 3, 5))
    assert path.status is PathStatus.PARTIAL
    assert path.points[-1].tolist() == [5, 0, 5]


def test_c32_a_ramp_leads_to_the_upper_storey() -> None:
    # Up a ramp beyond the lower floor, and back over a bridge to a platform over its middle.
    lower = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 6), (10, 0, 4), (10, 0, 0)]
    landing = [(10, 0, 4), (10, 0, 6), (12, 0, 6), (12, 0, 4)]
    ramp = [(12, 0, 4), (12, 0, 6), (14, 3, 6), (14, 3, 4)]
    top = [(14, 3, 4), (14, 3, 6), (14, 3, 8), (16, 3, 8), (16, 3, 4)]
    bridge = [(4, 3, 6), (4, 3, 8), (14, 3, 8), (14, 3, 6), (6, 3, 6)]
    platform = [(4, 3, 4), (4, 3, 6), (6, 3, 6), (6, 3, 4)]
    mesh = mesh_of([lower, landing, ramp, top, bridge, platform], settings_of(16))
    path = exact(mesh).find_path((1, 0, 5), (5, 3, 5))
    assert path.status is PathStatus.SUCCESS
    assert path.corridor.polygons.tolist() == [mesh.reference(0, 0, i) for i in range(6)]
    assert mesh.check_corridor(path.corridor)
    assert path.cost == pytest.approx(math.hypot(13, 1) + 8 + math.hypot(1, 1), rel=1e-12)


# --- What may be cut, split or merged


def test_cutting_a_floor_into_tiles_changes_no_length() -> None:
    holes = {(2, 3), (3, 3), (4, 3), (7, 1), (7, 2), (7, 3), (5, 6), (6, 7), (9, 8)}
    meshes = [grid(12, 12, holes=holes, settings=settings_of(size)) for size in (16, 2, 3, 5)]
    draw = Random(2)
    for _ in range(60):
        start, end = ((draw.uniform(0, 12), 0.0, draw.uniform(0, 12)) for _ in "ab")
        lengths = [exact(mesh).find_path(start, end).cost for mesh in meshes]
        assert lengths == pytest.approx([lengths[0]] * 4, rel=1e-9, abs=1e-9)


def test_floors_that_touch_in_one_point_stay_apart() -> None:
    # Two ways from left to right: the short one would pass through the point in which two squares touch.
    squares = [
        rectangle(0, 0, 2, 2),
        rectangle(2, 2, 4, 4),
        rectangle(0, 2, 2, 4),
        rectangle(0, 4, 2, 6),
        rectangle(2, 4, 4, 6),
    ]
    mesh = mesh_of(
        [squares[0], squares[1], squares[3], squares[4], rectangle(-2, 0, 0, 2), rectangle(-2, 2, 0, 6)],
        settings_of(16),
    )
    path = exact(mesh).find_path((1, 0, 1), (3, 0, 3))
    assert path.status is PathStatus.SUCCESS
    assert path.cost == pytest.approx(math.hypot(1, 1) + 2 + math.hypot(2, 0) + 0 + math.hypot(1, 1), rel=1e-9)


# --- The contracts of every search


def test_slices_of_any_size_add_up_to_one_call() -> None:
    for seed in range(12):
        mesh, draw = linked_mesh(seed), Random(seed)
        polygons = list(PlainMesh(mesh).polygons.values())
        whole, sliced = exact(mesh), exact(mesh)
        for _ in range(4 if polygons else 0):
            places = [whole.find_nearest_polygon(random_position(draw, polygons)) for _ in "ab"]
            if not all(places):
                continue
            ends = (places[0].ref, places[0].point, places[1].ref, places[1].point)
            expected = whole.find_corridor(*ends)
            budget = draw.choice([1, 2, 3, 7])
            sliced.begin_path(*ends)
            while sliced.update_path(budget) is PathStatus.IN_PROGRESS:
                assert sliced.finish_path().status is PathStatus.IN_PROGRESS
            assert sliced.finish_path() == expected
            assert sliced.iterations == whole.iterations


def test_a_partial_line_is_the_shortest_to_the_polygon_nearest_to_the_end() -> None:
    holes = {(i, 6) for i in range(12)} | {(5, 2), (5, 3), (5, 4)}
    mesh = grid(12, 12, holes=holes)
    path = exact(mesh).find_path((2.5, 0, 3.0), (9.5, 0, 9.5))
    reached = exact(mesh).find_path((2.5, 0, 3.0), (9.5, 0, 6.0))
    assert path.status is PathStatus.PARTIAL and path.points[-1].tolist() == [9.5, 0, 6]
    assert path.cost == pytest.approx(reached.cost, rel=1e-12)
    assert path.length == pytest.approx(path.cost, rel=1e-12)


def test_a_search_that_may_make_few_nodes_says_so() -> None:
    mesh = grid(12, 12, holes={(5, i) for i in range(1, 11)})
    corridors = [exact(mesh, max_nodes=limit).find_path((1, 0, 6), (10, 0, 6)).corridor for limit in (1, 2, 5, 4000)]
    assert [corridor.node_limit_reached for corridor in corridors] == [True, True, True, False]
    assert [bool(corridor) for corridor in corridors] == [False, False, False, True]


def test_areas_of_different_cost_are_searched_by_crossings() -> None:
    mesh = strip(4, areas=[1, 2, 1, 2])
    prices = QueryFilter(costs={2: 3.0})
    path = exact(mesh).find_path((1, 0, 1), (15, 0, 3), prices)
    other = NavMeshQuery(mesh, NodeModel.CROSSING).find_path((1, 0, 1), (15, 0, 3), prices)
    assert path.detail is QueryStatus.EXACT_NOT_UNIFORM and path.status is PathStatus.SUCCESS
    assert path.corridor.polygons.tolist() == other.corridor.polygons.tolist() and path.cost == other.cost


def test_areas_that_no_polygon_has_or_that_the_filter_refuses_do_not_count() -> None:
    mesh = strip(4, areas=[1, 1, 1, 2])
    path = exact(mesh).find_path((1, 0, 1), (11, 0, 3), QueryFilter(costs={1: 2.0, 7: 0.5}, avoid=[2]))
    assert path.detail is QueryStatus.SUCCESS
    assert path.cost == pytest.approx(2 * math.hypot(10, 2), rel=1e-12)


def test_the_area_of_a_link_does_not_count_but_its_price_does() -> None:
    mesh = two_rooms(gap=2.0)
    mesh.stage_link(link((3, 0, 2), (7, 0, 2), area=9, cost=0.25))
    mesh.commit()
    path = exact(mesh).find_path((1, 0, 2), (9, 0, 2), QueryFilter(costs={9: 0.5}))
    assert path.detail is QueryStatus.SUCCESS
    assert path.cost == pytest.approx(2 + (4 * 0.5 + 0.25) + 2, rel=1e-12)


def test_a_cheap_link_behind_the_start_is_found() -> None:
    # The end is in plain sight, but a link that leads off the other way is cheaper than the walk.
    mesh = strip(12)
    mesh.stage_link(link((1, 0, 2), (46, 0, 2), area=9))
    mesh.commit()
    path = exact(mesh).find_path((5, 0, 2), (47, 0, 2), QueryFilter(costs={9: 0.001}))
    assert path.links.any() and path.cost == pytest.approx(4 + 45 * 0.001 + 1, rel=1e-12)


# --- On every door


def test_a_query_of_any_model_searches_exactly_when_asked() -> None:
    mesh = baked("pillars")
    for start, end in places_on(mesh, 10, 3):
        expected = exact(mesh).find_path(start, end)
        assert NavMeshQuery(mesh).find_path(start, end, exact=True) == expected
        query = NavMeshQuery(mesh)
        plain = query.find_path(start, end)
        assert query.find_path(start, end, exact=True) == expected
        assert query.find_path(start, end) == plain


def test_the_mesh_searches_exactly_in_one_call_and_in_slices() -> None:
    mesh = baked("pillars")
    start, end = next(places_on(mesh, 1, 8))
    path = mesh.find_path(start, end, exact=True)
    search = mesh.begin_path(start, end, exact=True)
    while search.update(3) is PathStatus.IN_PROGRESS:
        pass
    assert search.path == path
    assert path.cost == pytest.approx(flat_length(path), rel=1e-9)


def test_a_line_that_costs_exactly_the_most_is_found_far_from_the_origin() -> None:
    mesh = random_mesh(278)
    start = (-15.396182796803098, -1.75, 2097119.9031278957)
    end = (-9.7392191817934, -0.9042775857791214, 2097116.029781787)
    path = mesh.find_path(start, end, exact=True)
    assert path and mesh.find_path(start, end, exact=True, max_cost=path.cost) == path
