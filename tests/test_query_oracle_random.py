"""Random points over random meshes against plain draws: the points to the bit, and the draws by the generator's state.

Documents: queries, random points; readings, "Area searches, walls, random points".
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import onepath
from onepath import levels
from onepath.query import NavMeshQuery, QueryFilter, SeededRandom
from tests.oracles.query_areas import Circle, PlainAreaSearch
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh
from tests.oracles.query_random import NOTHING, PlainDraw, SplitMix64, random_point, random_point_around
from tests.query_meshes import random_filter, random_mesh
from tests.query_places import question_start, start_at, target_from
from tests.test_query_oracle_areas import LIMITS, random_radius
from tests.test_query_oracle_links import linked_mesh

GAMMA = 0x9E3779B97F4A7C15
SEEDS = (0, 1, 2**64 - 1, GAMMA, -GAMMA % 2**64)
ZERO_DRAWN = tuple(-k * GAMMA % 2**64 for k in (1, 2, 3, 4))
"""States after which the first, second, third or fourth number is exactly 0."""


def generators(draw: Random) -> tuple[SeededRandom, SplitMix64]:
    seed = draw.choice([*SEEDS, draw.getrandbits(64), draw.getrandbits(64)])
    return SeededRandom(seed), SplitMix64(seed)


def assert_same(answer, fast: SeededRandom, expected: PlainDraw, slow: SplitMix64) -> None:
    assert (answer.ref, answer.point) == expected
    assert fast.state == slow.state


def test_the_generator_is_splitmix64():
    """The first numbers from seed 1234567, as published with the algorithm."""
    fast, slow = SeededRandom(1234567), SplitMix64(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [slow.bits() for _ in published] == published
    assert [fast.next() for _ in published] == published
    for seed in SEEDS:
        fast, slow = SeededRandom(seed), SplitMix64(seed)
        assert [fast.next_double() for _ in range(200)] == [slow.double() for _ in range(200)]
        assert fast.state == slow.state


def compare_points(mesh, draw: Random, count: int) -> Counter:
    """How many points of the whole mesh and points round a place were compared, and how many there were."""
    plain, made = PlainMesh(mesh), Counter()
    polygons = list(plain.polygons.values())
    limit = draw.choice(LIMITS)
    query = NavMeshQuery(mesh, max_nodes=limit)
    fast, slow = generators(draw)
    for _ in range(count):
        fast_filter, slow_filter = random_filter(draw)
        if draw.random() < 0.2:
            fast.state = slow.state = draw.choice(ZERO_DRAWN)
        expected = random_point(plain, slow, slow_filter)
        assert_same(query.random_point(fast, fast_filter), fast, expected, slow)
        made["anywhere"] += 1
        made["found"] += bool(expected.polygon)
    for _ in range(count if polygons else 0):
        ref, start, fast_filter, slow_filter = question_start(draw, mesh, plain)
        place = start_at(draw, start)
        centre = place if draw.random() < 0.7 else target_from(draw, plain, start, place, polygons)
        circle = Circle(centre, random_radius(draw, plain, centre, polygons))
        if draw.random() < 0.2:
            fast.state = slow.state = draw.choice(ZERO_DRAWN)
        expected, before = NOTHING, slow.state
        if ref in plain.polygons and slow_filter.passes(start):
            search = PlainAreaSearch(plain, start, circle, slow_filter, False, limit)
            search.run()
            expected = random_point_around([node.polygon for node in search.expanded], slow, circle)
        answer = query.random_point_around(fast, ref, centre, circle.radius, fast_filter)
        assert_same(answer, fast, expected, slow)
        made["around"] += 1
        made["found"] += bool(expected.polygon)
        made["given up"] += not expected.polygon and slow.state != before
    return made


def total(meshes, count: int) -> Counter:
    made = Counter()
    for seed, mesh in meshes:
        made += compare_points(mesh, Random(seed), count)
    return made


def comparisons(made: Counter) -> int:
    return made["anywhere"] + made["around"]


@pytest.mark.parametrize("block", range(4))
def test_random_points_of_random_meshes(block):
    made = total(((seed, random_mesh(seed)) for seed in range(block * 20, block * 20 + 20)), 10)
    assert comparisons(made) > 350 and made["found"] > 250


def test_nothing_is_drawn_where_no_polygon_passes():
    mesh, fast = random_mesh(3), SeededRandom(77)
    assert not NavMeshQuery(mesh).random_point(fast, QueryFilter(include_flags=0x8000))
    assert fast.state == 77


def test_some_circles_hold_so_little_that_all_attempts_fail():
    assert total(((seed, random_mesh(seed)) for seed in range(50)), 10)["given up"] > 0


def test_random_points_of_meshes_with_off_mesh_links():
    assert comparisons(total(((seed, linked_mesh(seed)) for seed in range(15)), 8)) > 200


@pytest.mark.parametrize("name", ["room", "building"])
def test_random_points_of_baked_levels(name):
    mesh = onepath.bake(getattr(levels, name)(), radius=0.4, height=1.8)
    assert comparisons(compare_points(mesh, Random(3), 60)) == 120


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_random_points_of_many_random_meshes(block):
    seeds = range(110_000 + block * 50, 110_050 + block * 50)
    assert comparisons(total(((seed, random_mesh(seed)) for seed in seeds), 15)) > 1300


def test_a_point_is_drawn_from_the_polygons_expanded_so_far():
    compared = 0
    for seed in range(40):
        mesh, draw = random_mesh(seed), Random(seed)
        plain, query = PlainMesh(mesh), NavMeshQuery(mesh)
        fast, slow = generators(draw)
        allowed = [polygon for polygon in plain.polygons.values() if PlainFilter().passes(polygon)]
        for _ in range(3 if allowed else 0):
            start = draw.choice(allowed)
            centre = start_at(draw, start)
            circle = Circle(centre, random_radius(draw, plain, centre, allowed))
            search = PlainAreaSearch(plain, start, circle, PlainFilter())
            query.begin_area_search(start.ref, centre, circle.radius)
            while search.status == "IN_PROGRESS":
                budget = draw.choice([1, 2, 3, 5])
                search.run(budget)
                query.update_area_search(budget)
                expected = random_point_around([node.polygon for node in search.expanded], slow, circle)
                assert_same(query.finish_random_point_around(fast), fast, expected, slow)
                compared += 1
    assert compared > 150
