"""Dropping onto the mesh: the highest floor straight below, never one beside."""

from __future__ import annotations

import math
from random import Random

import pytest

import onepath
from onepath import Level, NavPoint, QueryFilter
from onepath.errors import ArgumentError, RangeError
from tests.baked import SLIM
from tests.links import storeys
from tests.meshes import mesh_of, rectangle, settings_of
from tests.query_meshes import random_mesh


def test_it_falls_to_the_first_floor_below() -> None:
    mesh = storeys(4)
    assert [mesh.drop((5, y, 5)).point for y in (3.0, 4.0, 11.4, 99.0)] == [(5, 0, 5), (5, 4, 5), (5, 8, 5), (5, 12, 5)]


def test_a_floor_just_above_counts_as_one_to_stand_on() -> None:
    mesh = storeys(2)
    assert mesh.drop((5, 3.6, 5)).point == (5, 4, 5)  # the climb is 0.5
    assert mesh.drop((5, 3.6, 5), up=0).point == (5, 0, 5)


def test_it_never_lands_beside_where_snap_would() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4, 3.0), rectangle(0, 0, 8, 8, 0.0)], settings_of(8))
    position = (4.1, 3.0, 2.0)
    assert mesh.snap(position).point == (4.0, 3.0, 2.0)
    assert mesh.drop(position).point == (4.1, 0.0, 2.0)


def test_where_there_is_no_floor_it_is_false() -> None:
    mesh = storeys(2)
    assert not mesh.drop((20, 5, 5)) and not mesh.drop((5, -1, 5)) and not mesh.drop((5, 3, 5), down=2.9)
    assert mesh.drop((5, 3, 5), down=3.0)


def test_a_filter_lets_it_fall_through() -> None:
    mesh = storeys(2)
    mesh.set_area(mesh.snap((5, 4, 5)).ref, 7)
    assert mesh.drop((5, 6, 5), filter=QueryFilter(avoid=[7])).point == (5, 0, 5)


def test_a_place_on_a_tile_border_has_one_floor() -> None:
    level = Level()
    level.add_plane((0, 0), (24, 24), 1.0)
    mesh = onepath.bake(level, SLIM)
    assert mesh.drop((8.0, 5.0, 16.0)).point == pytest.approx((8.0, 1.0, 16.0), abs=0.13)


@pytest.mark.parametrize("seed", range(25))
def test_it_is_the_highest_surface_that_a_plain_look_finds(seed: int) -> None:
    mesh, draw = random_mesh(seed), Random(seed)
    if mesh.bounds is None:
        return
    query = onepath.NavMeshQuery(mesh)
    low, high = mesh.bounds
    references = [
        view.generation << 41 | view.slot << 21 | polygon for view in mesh.tiles() for polygon in range(len(view.areas))
    ]
    for _ in range(20):
        place = tuple(draw.uniform(low[axis] - 1, high[axis] + 2) for axis in range(3))
        found = mesh.drop(place, up=0.25)
        heights = [
            height
            for reference in references
            if mesh.area(reference) != 0 and (height := query.surface_height(reference, place)) is not None
            if height <= place[1] + 0.25 and contains(mesh.polygon(reference).tolist(), place[0], place[2])
        ]
        assert (found.point[1] if found else -math.inf) == max(heights, default=-math.inf)


def contains(outline: list[list[float]], x: float, z: float) -> bool:
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return all((b[2] - a[2]) * (x - a[0]) - (b[0] - a[0]) * (z - a[2]) >= 0 for a, b in pairs)


@pytest.mark.parametrize("name", ["down", "up"])
@pytest.mark.parametrize("value", [-1.0, math.nan, "far"])
def test_lengths_are_numbers_from_zero_on(name: str, value: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match=name):
        storeys(1).drop((5, 1, 5), **{name: value})  # type: ignore[arg-type]


def test_a_nav_point_falls_from_where_it_is() -> None:
    mesh = storeys(2)
    place = mesh.snap((5, 4, 5))
    assert isinstance(place, NavPoint) and mesh.drop(place) == place
