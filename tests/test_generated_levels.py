"""The generated levels: the same everywhere, made of closed solids, and walkable from place to place."""

from __future__ import annotations

import hashlib
import inspect

import numpy as np
import pytest

from onepath import levels
from onepath.errors import ArgumentError, RangeError
from onepath.geometry.noise import SplitMix, hills
from tests.solids import signed_volume
from tests.walker import Walker

GENERATORS = ["building", "courtyards", "maze", "pillars", "room", "terrain", "town"]


def digest(level) -> str:
    """A hash of vertices (to the bit), triangles, areas, parts and places."""
    state = hashlib.sha256()
    vertices, triangles, areas = level.triangles()
    for array, kind in ((vertices, "<f8"), (triangles, "<i4"), (areas, "u1")):
        state.update(array.astype(kind).tobytes())
    state.update(repr((level.parts, list(level.places.items()))).encode())
    return state.hexdigest()[:16]


def components(level, **body) -> dict[str, int]:
    walker = Walker(level, **body)
    return {name: walker.component(place) for name, place in level.places.items()}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("building", "915278c5bf04e66c"),
        ("courtyards", "e65c27dc2b46e7ee"),
        ("maze", "fb2c139ca7a57f32"),
        ("pillars", "de95baf70eb12bf1"),
        ("room", "d1f69ec74d629172"),
        ("terrain", "47dfdf3e9c90085a"),
        ("town", "634b87abc90ea3b1"),
    ],
)
def test_level_of_seed_seven_is_the_same_on_every_machine(name, expected):
    assert digest(getattr(levels, name)(seed=7)) == expected


@pytest.mark.parametrize("name", GENERATORS)
def test_seed_changes_the_level(name):
    assert digest(getattr(levels, name)(seed=1)) != digest(getattr(levels, name)(seed=2))


@pytest.mark.parametrize("name", GENERATORS)
def test_every_part_but_open_ground_encloses_a_positive_volume(name):
    level = getattr(levels, name)()
    vertices, triangles, _ = level.triangles()
    for part in level.parts:
        if part.name != "hills":
            rows = triangles[part.first_triangle : part.first_triangle + part.triangle_count]
            first = vertices[rows[0, 0]]
            assert signed_volume(vertices - first, rows) > 1e-6, part


@pytest.mark.parametrize("name", GENERATORS)
def test_every_place_is_reached_on_foot_from_every_other(name):
    found = components(getattr(levels, name)())
    assert -1 not in found.values()
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("name", ["building", "courtyards", "maze"])
def test_a_stout_body_reaches_every_place_too(name):
    found = components(getattr(levels, name)(), radius=0.6, height=2.0, climb=0.9)
    assert -1 not in found.values()
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("name", ["building", "courtyards", "room"])
def test_doors_and_ceilings_clear_a_giant_of_two_metres_forty(name):
    found = components(getattr(levels, name)(), height=2.39)
    assert -1 not in found.values()
    assert len(set(found.values())) == 1, found


@pytest.mark.full
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [52.0, 78.0, 130.0])
def test_every_place_of_any_town_is_reached_on_foot(size, seed):
    found = components(levels.town(size=size, seed=seed))
    assert -1 not in found.values()
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("storeys", [2, 3, 6])
def test_every_floor_of_a_building_of_any_height_is_reached(storeys):
    level = levels.building(storeys=storeys)
    assert f"west house floor {storeys - 1}" in level.places
    assert len(set(components(level).values())) == 1


def test_without_stairs_and_ramp_the_upper_floors_are_cut_off():
    level = levels.building()
    level.remove("stairs")
    level.remove("ramp")
    found = components(level)
    assert found["west house floor 0"] == found["square"]
    assert found["west house floor 1"] != found["square"]
    assert found["west house floor 2"] != found["square"]


def test_upper_bridge_crosses_over_the_lower_one_and_the_ground():
    level = levels.building()
    x, _, z = level.places["bridge 2"]
    assert level.places["bridge 1"][::2] == (x, z)
    walker = Walker(level)
    i, k = ((np.array([x, z]) - walker.origin) / walker.cell).astype(int)
    heights = walker.floors[:, i, k]
    assert np.round(heights[~np.isnan(heights)], 6).tolist() == [0.0, 3.2, 6.4]


def test_maze_is_a_tree_of_ways():
    open_east, open_south = levels._carved(9, 3)
    assert int(open_east.sum() + open_south.sum()) == 9 * 9 - 1
    assert not open_east[:, -1].any()
    assert not open_south[-1].any()


def test_pillars_stand_on_the_corners_of_tiles():
    level = levels.pillars(size=40.0, pitch=12.0)
    vertices, triangles, _ = level.triangles()
    centers = []
    for part in level.parts[1:]:
        rows = triangles[part.first_triangle : part.first_triangle + part.triangle_count]
        corners = vertices[np.unique(rows)]
        centers.append((corners.min(0) + corners.max(0))[[0, 2]] / 2.0)
    expected = [(12.0 * column, 12.0 * row) for row in (1, 2, 3) for column in (1, 2, 3)]
    assert np.allclose(centers, expected, atol=1e-9)


def test_larger_town_holds_more_blocks_and_keeps_its_size():
    small, large = levels.town(size=60.0), levels.town(size=160.0)
    assert len(large) > 3 * len(small)
    (x0, _, z0), (x1, _, z1) = large.bounds
    assert (x0, z0) == (0.0, 0.0)
    assert 130.0 < x1 <= 161.0
    assert 130.0 < z1 <= 161.0


@pytest.mark.parametrize("seed", range(4))
def test_town_holds_every_kind_of_block(seed):
    places = " ".join(levels.town(seed=seed).places)
    for kind in (
        "west house 2 floor 2",
        "bridge 0 2",
        "house ",
        "court ",
        "maze ",
        "colonnade ",
        "grove ",
        "hill north",
    ):
        assert kind in places


def test_town_has_the_size_it_is_made_for():
    assert 5_000 <= len(levels.town()) <= 20_000


def test_terrain_is_nowhere_steeper_than_a_walker_climbs():
    vertices, triangles, _ = levels.terrain().triangles()
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    assert (normal[:, 1] / np.sqrt((normal * normal).sum(1))).min() > 0.7072


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: levels.room(size=1.0), RangeError, r"size is 1.0, outside \[8, 1000\]"),
        (lambda: levels.room(size=float("nan")), ArgumentError, "size is NaN"),
        (lambda: levels.room(size="big"), ArgumentError, "size is 'big', not a number"),
        (lambda: levels.maze(cells=1), RangeError, r"cells is 1, outside \[2, 256\]"),
        (lambda: levels.maze(cells=2.5), ArgumentError, "cells is 2.5, not a whole number"),
        (lambda: levels.building(storeys=1), RangeError, r"storeys is 1, outside \[2, 20\]"),
        (lambda: levels.town(size=10), RangeError, "size is 10"),
        (lambda: levels.courtyards(rings=99), RangeError, "rings is 99"),
        (lambda: levels.terrain(height=-1.0), RangeError, "height is -1.0"),
        (lambda: levels.pillars(pitch=0.0), RangeError, "pitch is 0.0"),
        (lambda: levels.pillars(seed="x"), ArgumentError, "seed is 'x', not a whole number"),
    ],
)
def test_argument_out_of_range_is_named(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_splitmix_gives_the_published_numbers():
    draw = SplitMix(1234567)
    assert [draw._next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_lattice_and_draws_are_one_sequence():
    draw = SplitMix(5)
    # At a wavelength of one square, every grid point is a lattice point.
    assert hills(1, 1, 1.0, 1, 5)[0, 0] == draw.number(0.0, 1.0)


def test_hills_stay_within_zero_and_one():
    heights = hills(60, 80, 9.0, 4, 11)
    assert heights.shape == (60, 80)
    assert 0.0 <= heights.min() < heights.max() <= 1.0


@pytest.mark.parametrize("name", [name for name in levels.__all__ if inspect.isfunction(getattr(levels, name))])
def test_a_number_without_a_name_is_not_taken(name):
    with pytest.raises(TypeError, match="positional"):
        getattr(levels, name)(1)
