"""Shortest paths of random and baked meshes against a graph of everything that sees everything, lengths to 1e-9.

Documents: mesh decisions, EXACT; queries, path search.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from random import Random

import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter, QueryStatus
from tests.meshes import mesh_of, rectangle
from tests.oracles.exact_visibility import Visibility, has_branches
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_nearest import closest_point
from tests.query_meshes import bent_mesh, random_mesh, random_position, random_strips
from tests.query_places import inside, place_in
from tests.test_query_oracle_links import linked_mesh
from tests.test_query_oracle_straight import flat_length, rounding

MOST_POLYGONS = 130
LARGE = 500
OTHERS = (NodeModel.POLYGON, NodeModel.CROSSING)


def uniform_filter(draw: Random) -> tuple[QueryFilter | None, PlainFilter]:
    """A filter for which all that it accepts costs the same; areas of links may cost anything else."""
    include, exclude = draw.choice([0xFFFF, 0xFFFF, 1, 3]), draw.choice([0, 0, 2, 4])
    if draw.random() < 0.4:
        return None, PlainFilter()
    price = draw.choice([1.0, 1.0, 0.3, 7.5])
    costs = {area: price for area in range(1, 256)}
    if draw.random() < 0.4:
        costs[draw.choice([1, 2, 5])] = math.inf
    if draw.random() < 0.1:
        costs |= dict.fromkeys(draw.sample([1, 2, 5, 63], 2), math.inf)
    return QueryFilter(include, exclude, costs=costs), PlainFilter(include, exclude, None, costs)


def compare_shortest(mesh, draw: Random, count: int, most_polygons: int = MOST_POLYGONS) -> Counter:
    """How many paths were compared, by how they ended, and how many of the other models' were longer."""
    plain, ends = PlainMesh(mesh), Counter()
    if not 0 < len(plain.polygons) <= most_polygons:
        return ends
    query = NavMeshQuery(mesh, NodeModel.EXACT)
    fast, slow = uniform_filter(draw)
    visibility = Visibility(plain, slow)
    allowed = [polygon for polygon in plain.polygons.values() if slow.passes(polygon)]
    if not allowed:
        return ends
    branches = has_branches(visibility)
    for _ in range(count):
        first, last = draw.choice(allowed), draw.choice(allowed)
        start, end = (closest_point(polygon, inside(place_in(draw, polygon)))[0] for polygon in (first, last))
        corridor = query.find_corridor(first.ref, start, last.ref, end, filter=fast)
        slack = rounding(start, end) * visibility.common_cost()
        length = visibility.shortest(first.ref, start, last.ref, end)
        if length < math.inf:
            assert corridor.status is PathStatus.SUCCESS
            assert corridor.cost == pytest.approx(length, rel=1e-9, abs=slack)
            assert corridor.polygons[0] == first.ref and corridor.polygons[-1] == last.ref
            end_at = end
        else:
            end_at = assert_ends_closest(visibility, first.ref, start, end, corridor, slack)
        assert_pulled_to_its_cost(query, visibility, start, end_at, fast, corridor, slack)
        compare_limits(mesh, draw, (first.ref, start, last.ref, end), fast, corridor, length)
        ends[corridor.status.name] += 1
        ends["branches"] += branches
        ends["longer elsewhere"] += is_longer_elsewhere(mesh, (first.ref, start, last.ref, end), fast, corridor, slack)
    return ends


def compare_limits(mesh, draw: Random, question, fast, whole, length: float) -> None:
    """Slices and limits beside the search without: the same bits where they do not count, else no wrong claim."""
    query = NavMeshQuery(mesh, NodeModel.EXACT)
    query.begin_path(*question, filter=fast)
    while query.update_path(draw.choice([1, 2, 5, 50])) is PathStatus.IN_PROGRESS:
        pass
    assert query.finish_path() == whole
    few = NavMeshQuery(mesh, NodeModel.EXACT, max_nodes=draw.choice([1, 2, 5, 20, 60]))
    limited = few.find_corridor(*question, filter=fast)
    assert mesh.check_corridor(limited)
    if not limited.node_limit_reached:
        assert limited == whole
    elif limited:
        assert limited.cost >= length * (1 - 1e-9) - 1e-8
    else:
        assert limited.status is PathStatus.PARTIAL
    few.begin_path(*question, filter=fast)
    while few.update_path(draw.choice([1, 3])) is PathStatus.IN_PROGRESS:
        pass
    assert few.finish_path() == limited


def assert_ends_closest(visibility: Visibility, first: int, start, end, corridor, slack: float):
    """An end that cannot be reached: the path ends where it comes closest, and names what is not loaded."""
    missing = visibility.missing(first)
    assert corridor.status is (PathStatus.NOT_LOADED if missing else PathStatus.PARTIAL)
    assert corridor.missing_tiles == visibility.mesh.nearest_first(missing, end)
    points = visibility.closest_reachable(first, end)[1]
    ref = int(corridor.polygons[-1])
    assert ref in points
    length = visibility.shortest(first, start, ref, points[ref])
    assert corridor.cost == pytest.approx(length, rel=1e-9, abs=slack)
    return points[ref]


def assert_pulled_to_its_cost(query, visibility: Visibility, start, end, fast, corridor, slack: float) -> None:
    """The line pulled through a corridor without links is as long as it costs; none is if the corridor lost a loop."""
    straight = query.find_straight_path(start, end, corridor, filter=fast)
    assert straight.status is PathStatus.SUCCESS
    if not any(edge < 0 for edge, _ in corridor.crossings.tolist()) and not visibility.has_leaps:
        cost = flat_length(straight.points.tolist()) * visibility.common_cost()
        assert cost == pytest.approx(corridor.cost, rel=1e-9, abs=slack)


def is_longer_elsewhere(mesh, question, fast, corridor, slack: float) -> bool:
    """Whether what another model's corridor is pulled to is longer; nothing is ever shorter."""
    first, start, last, end = question
    lengths = []
    for model in OTHERS:
        query = NavMeshQuery(mesh, model)
        other = query.find_corridor(first, start, last, end, filter=fast)
        assert other.status is corridor.status
        if other and not (other.crossings[:, 0] < 0).any() and not (corridor.crossings[:, 0] < 0).any():
            lengths.append(flat_length(query.find_straight_path(start, end, other, filter=fast).points.tolist()))
    if len(lengths) < len(OTHERS):
        return False
    own = flat_length(NavMeshQuery(mesh).find_straight_path(start, end, corridor, filter=fast).points.tolist())
    assert min(lengths) >= own * (1 - 1e-9) - slack
    return min(lengths) > own * (1 + 1e-9) + slack


def total(meshes, count: int) -> Counter:
    ends = Counter()
    for seed, mesh in meshes:
        ends += compare_shortest(mesh, Random(seed), count)
    return ends


def comparisons(ends: Counter) -> int:
    return ends["SUCCESS"] + ends["PARTIAL"] + ends["NOT_LOADED"]


@pytest.mark.parametrize("block", range(4))
def test_shortest_paths_of_random_meshes(block):
    ends = total(((seed, random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 8)
    assert comparisons(ends) > 80 and ends["SUCCESS"] > 50


def test_some_shortest_paths_are_found_by_neither_other_model():
    assert total(((seed, random_mesh(seed)) for seed in (*range(2, 8), *range(60, 80))), 8)["longer elsewhere"] > 0


RAMP = [(0, -3, 0), (0, 0, 8), (4, 0, 8), (4, -3, 0)]
FLOOR = [(4, 0, 8), (8, 0, 8), (8, 0, 0), (4, 0, 0)]
BEYOND = [(0, 0, 8), (0, 0, 12), (8, 0, 12), (8, 0, 8)]
OVER_THE_RAMP = [(4, 0, 0), (4, 0, 8), (0, 0, 0)]


@pytest.mark.parametrize("over", [[], [OVER_THE_RAMP]], ids=["beside", "over"])
@pytest.mark.parametrize("x", [1.0, 3.0, 3.9])
def test_a_way_turns_round_the_end_of_a_wall_at_a_tile_side(over, x):
    """Up a ramp into the next tile, back through the same line; a floor over the ramp makes more than a whole turn."""
    mesh = mesh_of([RAMP, FLOOR, BEYOND, *over])
    first, second = (int(ref) for ref in mesh.tiles()[0].references[:2])
    for start, end, places in ((first, second, 1), (second, first, -1)):
        spots = [(x, -1.5, 4.0), (7.0, 0.0, 4.0)][::places]
        corridor = NavMeshQuery(mesh, NodeModel.EXACT).find_corridor(start, spots[0], end, spots[1])
        assert corridor and len(corridor) == 3
        assert corridor.cost == pytest.approx(math.hypot(4 - x, 4) + 5)


@pytest.mark.parametrize("block", range(3))
def test_shortest_paths_over_random_links(block):
    assert total(((seed, linked_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 8)["SUCCESS"] > 50


def test_shortest_paths_of_a_baked_room():
    mesh = onepath.bake(levels.room(), radius=0.4, height=1.8)
    assert compare_shortest(mesh, Random(5), 60)["SUCCESS"] > 40


def test_shortest_paths_over_floors_that_branch_at_a_tile_side():
    # Two floors over each other, both within a climb of the floor beyond the side: lines may be reflected there.
    for seed in range(5):
        draw = Random(seed)
        polygons = [rectangle(x, z, x + 4, z + 4, y) for y in (0.0, 0.45) for x in (0, 4) for z in (0, 4)]
        polygons += [rectangle(8, z, 16, z + 4, 0.2) for z in (0, 4)]
        polygons += [rectangle(x, 8, x + 8, 16, draw.choice([0.1, 0.3])) for x in (0, 8)]
        mesh = mesh_of([polygon for polygon in polygons if draw.random() < 0.85])
        assert compare_shortest(mesh, draw, 25)["branches"] == 25


def test_shortest_paths_over_strips_over_each_other():
    assert total(((seed, random_strips(seed)) for seed in (175, 221)), 6)["branches"] == 12


def test_shortest_paths_of_bent_meshes():
    assert total(((seed, bent_mesh(seed, 12)) for seed in range(8)), 6)["SUCCESS"] > 20


def test_a_path_that_costs_more_than_wanted_is_not_found():
    for seed in (3, 5, 9, 14):
        mesh, draw = linked_mesh(seed), Random(seed)
        polygons = list(PlainMesh(mesh).polygons.values())
        for _ in range(15 if polygons else 0):
            start, end = (random_position(draw, polygons) for _ in "ab")
            path = mesh.find_path(start, end, exact=True)
            if path and path.cost > 0:
                assert mesh.find_path(start, end, exact=True, max_cost=path.cost * draw.uniform(1, 2)) == path
                less = mesh.find_path(start, end, exact=True, max_cost=path.cost * draw.uniform(0.05, 0.99))
                assert not less and less.cost <= path.cost
                assert less.detail in (QueryStatus.COST_LIMIT, QueryStatus.FRONTIER)


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_shortest_paths_of_many_random_meshes(block):
    seeds = range(90_000 + block * 50, 90_050 + block * 50)
    assert comparisons(total(((seed, random_mesh(seed)) for seed in seeds), 12)) > 200


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_shortest_paths_over_many_random_links(block):
    seeds = range(95_000 + block * 50, 95_050 + block * 50)
    assert comparisons(total(((seed, linked_mesh(seed)) for seed in seeds), 12)) > 200


@pytest.mark.full
@pytest.mark.parametrize("block", range(10))
def test_shortest_paths_over_many_strips_over_each_other(block):
    seeds = range(96_000 + block * 20, 96_020 + block * 20)
    assert total(((seed, random_strips(seed)) for seed in seeds), 10)["branches"] > 50


@pytest.mark.full
@pytest.mark.parametrize("chords", [12, 25, 40])
@pytest.mark.parametrize("block", range(4))
def test_shortest_paths_of_many_bent_meshes(chords, block):
    seeds = range(98_000 + block * 30, 98_030 + block * 30)
    assert total(((seed, bent_mesh(seed, chords)) for seed in seeds), 10)["SUCCESS"] > 50


@pytest.mark.full
@pytest.mark.parametrize("block", range(10))
def test_shortest_paths_of_large_random_meshes(block):
    drawn = ((seed, random_mesh(seed)) for seed in itertools.count(97_000 + block * 1000))
    ends = Counter()
    for seed, mesh in itertools.islice((one for one in drawn if MOST_POLYGONS < one[1].polygon_count <= LARGE), 3):
        ends += compare_shortest(mesh, Random(seed), 4, LARGE)
    assert comparisons(ends) >= 4
