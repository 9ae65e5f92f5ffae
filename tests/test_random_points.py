"""Random points: the generator, how many draws a point takes, where points fall and how evenly."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, OnePathError, RangeError
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.settings import MeshSettings
from onepath.query import AreaSearchStatus, NavMeshQuery, QueryFilter, SeededRandom
from tests.meshes import grid, mesh_of, rectangle, strip
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh
from tests.test_area_searches import searches, spiral

STEP = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def after(seed: int, draws: int) -> SeededRandom:
    return SeededRandom((seed + draws * STEP) & MASK)


# --- The generator --------------------------------------------------------------------------------------------------


def test_the_first_numbers_are_those_published_for_the_seed() -> None:
    # Numbers that many implementations of SplitMix64 are checked with.
    random = SeededRandom(1234567)
    assert [random.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_doubles_are_the_upper_bits_and_below_one() -> None:
    bits, doubles = SeededRandom(9), SeededRandom(9)
    for _ in range(1000):
        value = doubles.next_double()
        assert value == (bits.next() >> 11) / 2**53 and 0.0 <= value < 1.0


def state_before(draw: int) -> int:
    """The state of SplitMix64 from which the next number is `draw`: its mixing undone."""
    mask = (1 << 64) - 1
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9)):
        draw = draw ^ (draw >> shift) ^ (draw >> (2 * shift))
        draw = draw * pow(factor, -1, 1 << 64) & mask
    draw = draw ^ (draw >> 30) ^ (draw >> 60)
    return (draw - 0x9E3779B97F4A7C15) & mask


def test_a_draw_that_falls_on_a_running_total_takes_the_next_polygon() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    for bits, polygon in ((1 << 63, 1), ((1 << 63) - (1 << 11), 0)):
        point = query.random_point(SeededRandom(state_before(bits)))
        assert point.ref == mesh.reference(0, 0, polygon)


def test_the_state_is_all_there_is() -> None:
    random = SeededRandom(MASK)
    random.next()
    kept = random.state
    ahead = [random.next() for _ in range(3)]
    random.state = kept
    assert [random.next() for _ in range(3)] == ahead
    assert random == after(MASK, 4) and random != after(MASK, 3)
    assert pickle.loads(pickle.dumps(random)) == random == copy.copy(random) == eval(repr(random))
    with pytest.raises(TypeError):
        hash(random)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_named(seed: int) -> None:
    with pytest.raises(RangeError, match=r"seed is .*outside \[0, 18446744073709551615\]"):
        SeededRandom(seed)


@pytest.mark.parametrize("seed", [1.0, "1", None, True])
def test_a_seed_that_is_no_whole_number_is_refused(seed: object) -> None:
    with pytest.raises(ArgumentError, match="seed is"):
        SeededRandom(seed)  # type: ignore[arg-type]


# --- The whole mesh -------------------------------------------------------------------------------------------------


def test_a_point_takes_four_draws() -> None:
    random = SeededRandom(5)
    assert NavMeshQuery(strip(2)).random_point(random)
    assert random == after(5, 4)


@pytest.mark.parametrize("mesh", [NavMesh(MeshSettings()), strip(1)], ids=["no tile", "all rejected"])
def test_without_an_accepted_polygon_there_is_no_point_and_no_draw(mesh: NavMesh) -> None:
    random = SeededRandom(5)
    point = NavMeshQuery(mesh).random_point(random, QueryFilter(avoid=[63]))
    assert (bool(point), point.ref, random.state) == (False, 0, 5)


def test_an_int_seeds_and_a_numpy_generator_gives_one_draw() -> None:
    query = NavMeshQuery(strip(3))
    seeded = query.random_point(SeededRandom(77))
    assert query.random_point(77) == seeded == query.random_point(np.int64(77))
    generator, twin = (np.random.Generator(np.random.PCG64(3)) for _ in range(2))
    drawn = query.random_point(generator)
    state = int(twin.integers(0, 2**64, dtype=np.uint64))
    assert query.random_point(state) == drawn
    assert generator.bit_generator.state == twin.bit_generator.state


@pytest.mark.parametrize("rng", [None, 1.5, "seed", True, np.random.RandomState(1)])
def test_what_is_no_generator_is_refused(rng: object) -> None:
    with pytest.raises(ArgumentError, match="rng is"):
        NavMeshQuery(strip(1)).random_point(rng)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(25))
def test_points_lie_on_accepted_polygons_at_the_surface(seed: int) -> None:
    mesh = random_mesh(seed)
    query, plain = NavMeshQuery(mesh), PlainMesh(mesh)
    fast, slow = random_filter(Random(seed))
    random = SeededRandom(seed)
    for _ in range(20):
        place = query.random_point(random, fast)
        if not place:
            assert not any(slow.passes(polygon) for polygon in plain.polygons.values())
            break
        polygon = plain.polygons[place.ref]
        assert slow.passes(polygon)
        assert place.point[1] == query.surface_height(place.ref, place.point)
        low, high = polygon.box()
        slack = 1e-9 * max(1.0, *map(abs, place.point))
        assert low[0] - slack <= place.point[0] <= high[0] + slack
        for a, b in (polygon.edge(k) for k in range(len(polygon.corners))):
            turn = (b[2] - a[2]) * (place.point[0] - a[0]) - (b[0] - a[0]) * (place.point[2] - a[2])
            assert turn >= -1e-5 * math.hypot(b[0] - a[0], b[2] - a[2]) - slack * mesh.settings.tile_size


def test_every_square_metre_is_as_likely_as_any_other() -> None:
    """Squares of one metre over polygons of many sizes, a hole and two floors: each count within 4.5 deviations."""
    floor = [rectangle(0, 0, 8, 2), rectangle(0, 2, 3, 8), rectangle(5, 2, 8, 8), [(3, 0, 2), (3, 0, 5), (5, 0, 2)]]
    upper = [[(x, 3.0, z) for x, _, z in rectangle(0, 0, 4, 4)]]
    mesh = mesh_of([*floor, *upper])
    query, random = NavMeshQuery(mesh), SeededRandom(2024)
    counts = np.zeros((2, 8, 8))
    total = 40_000
    for _ in range(total):
        x, y, z = query.random_point(random).point
        counts[int(y > 1), int(z), int(x)] += 1
    area = 8 * 2 + 2 * 3 * 6 + 3 + 16
    whole = [(0, z, x) for z in range(8) for x in range(8) if z < 2 or not 3 <= x < 5]
    whole += [(1, z, x) for z in range(4) for x in range(4)]
    expected = total / area
    deviation = math.sqrt(expected * (1 - 1 / area))
    assert all(abs(counts[place] - expected) < 4.5 * deviation for place in whole)
    assert counts[0, 5:8, 3:5].sum() == 0 and counts[1].sum() == counts[1, :4, :4].sum()


def test_the_running_totals_follow_filters_and_commits() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    filters = [None, QueryFilter(avoid=[5]), QueryFilter(avoid=[5])]
    for change in range(4):
        for filter, seed in itertools.product(filters, range(10)):
            fresh = NavMeshQuery(mesh).random_point(seed, filter)
            assert query.random_point(seed, filter) == fresh
        mesh.set_area(mesh.reference(change >> 1, 0, change & 1), 5)
    assert not query.random_point(1, filters[1])
    assert query.random_point(1)


# --- Around a place -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_points_around_lie_in_the_circle_on_what_the_search_finds(seed: int) -> None:
    for query, _, start, center, radius, fast, _ in searches(seed, 6):
        found = set(query.find_polygons_in_circle(start, center, radius, fast).polygons.tolist())
        random = SeededRandom(seed)
        place = query.random_point_around(random, start, center, radius, fast)
        draws = ((random.state - seed) * pow(STEP, -1, 2**64)) & MASK
        assert draws % 4 == 0 and draws <= 256
        if not place:
            assert draws in (0, 256)
            continue
        assert draws >= 4 and place.ref in found
        dx, dz = place.point[0] - center[0], place.point[2] - center[2]
        assert dx * dx + dz * dz <= radius * radius
        assert place.point[1] == query.surface_height(place.ref, place.point)


def test_points_around_are_spread_evenly_over_the_circle() -> None:
    """Rings and quarters of equal area over polygons of unequal size: each count within 4.5 deviations."""
    query = NavMeshQuery(mesh_of([rectangle(0, 0, 1, 8), rectangle(1, 0, 8, 8), rectangle(8, 0, 16, 8)]))
    start, center, radius = query.mesh.reference(0, 0, 1), (5.0, 0.0, 4.0), 4.0
    random = SeededRandom(11)
    counts = np.zeros((4, 8))
    total = 16_000
    for _ in range(total):
        x, _, z = query.random_point_around(random, start, center, radius).point
        ring = int(4 * ((x - 5.0) ** 2 + (z - 4.0) ** 2) / radius**2)
        counts[min(ring, 3), int((math.atan2(z - 4.0, x - 5.0) + math.pi) / (2 * math.pi) * 8) % 8] += 1
    expected = total / counts.size
    assert np.all(np.abs(counts - expected) < 4.5 * math.sqrt(expected * (1 - 1 / counts.size)))


def test_floors_over_each_other_count_once_each() -> None:
    query = NavMeshQuery(spiral(2))
    refs = query.find_polygons_in_circle(query.mesh.reference(0, 0, 0), (8, 0, 8), 3.0).polygons.tolist()
    assert len(refs) == 8
    random = SeededRandom(1)
    seen = [query.random_point_around(random, refs[0], (8, 0, 8), 3.0).ref for _ in range(4000)]
    for ref in refs:
        assert abs(seen.count(ref) - 4000 / len(refs)) < 4.5 * math.sqrt(4000 / len(refs))


@pytest.mark.parametrize(
    ("ref", "center", "radius", "draws"),
    [(0, (2, 0, 2), 1.0, 0), (None, (2, 0, 2), 0.0, 0), (None, (20, 0, 2), 1.0, 0), (None, (4.99, 0, 4.99), 1.0, 256)],
    ids=["invalid start", "no radius", "out of reach", "only a corner of the square"],
)
def test_where_there_is_no_point_the_draws_made_are_known(ref, center, radius: float, draws: int) -> None:
    mesh = strip(1)
    random = SeededRandom(3)
    query = NavMeshQuery(mesh)
    place = query.random_point_around(random, mesh.reference(0, 0, 0) if ref is None else ref, center, radius)
    assert not place
    assert random == after(3, draws)


def test_a_sliced_search_draws_from_what_it_has_expanded() -> None:
    mesh = grid(3, 3, 4.0)
    query = NavMeshQuery(mesh)
    start = mesh.reference(0, 0, 0)
    query.begin_area_search(start, (4, 0, 4), 6.0)
    assert not query.finish_random_point_around(1)
    query.update_area_search(1)
    assert {query.finish_random_point_around(seed).ref for seed in range(40)} == {start}
    while query.update_area_search(1) is AreaSearchStatus.IN_PROGRESS:
        pass
    for seed in range(20):
        point = query.finish_random_point_around(seed)
        assert point == NavMeshQuery(mesh).random_point_around(seed, start, (4, 0, 4), 6.0)


def test_a_sliced_search_within_a_shape_has_no_circle_to_draw_in() -> None:
    query = NavMeshQuery(strip(1))
    query.begin_area_search(query.mesh.reference(0, 0, 0), points=[(0, 0, 0), (1, 0, 0), (1, 0, 1)])
    with pytest.raises(OnePathError, match="has no circle"):
        query.finish_random_point_around(1)
