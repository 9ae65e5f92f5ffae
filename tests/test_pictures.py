"""The mesh as arrays for pictures: seen from above, and as triangles."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import onepath
from onepath import Areas, Level, NavMesh, QueryFilter
from onepath.errors import ArgumentError, BusyError, RangeError
from onepath.mesh import MeshSettings
from tests.baked import SLIM
from tests.links import storeys
from tests.meshes import rectangle, settings_of, tile_of
from tests.query_meshes import random_mesh

SEEDS = range(20)


@pytest.fixture(scope="module")
def slab() -> NavMesh:
    """A floor of 20 x 20 m with a plateau on it."""
    level = Level()
    level.add_plane((0, 0), (20, 20))
    level.add_box((4, 0, 6), (8, 3, 10))
    return onepath.bake(level, SLIM)


def test_every_pixel_says_what_a_drop_there_finds(slab: NavMesh) -> None:
    heights = slab.top_down(0.37, "height")
    for row in range(0, len(heights.z), 3):
        for column in range(0, len(heights.x), 3):
            found = slab.drop((float(heights.x[column]), 50.0, float(heights.z[row])))
            value = heights.values[row, column]
            assert math.isnan(value) if not found else value == found.point[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_so_it_is_on_meshes_of_any_shape(seed: int) -> None:
    mesh = random_mesh(seed)
    if mesh.bounds is None:
        return
    heights = mesh.top_down(0.83, "height")
    walkable = mesh.top_down(0.83, "walkable")
    assert np.array_equal(np.isnan(heights.values), ~walkable.values)
    for row in range(len(heights.z)):
        column = (row * 7) % len(heights.x)
        found = mesh.drop((float(heights.x[column]), 1000.0, float(heights.z[row])))
        assert bool(found) == walkable.values[row, column]
        assert not found or heights.values[row, column] == found.point[1]


def test_what_the_default_filter_refuses_is_looked_through() -> None:
    mesh = NavMesh(settings_of(), areas=Areas(lava=math.inf))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], settings_of(), areas=[63, 1]))
    mesh.commit()
    assert mesh.top_down(1.0).values.sum() == 16
    assert mesh.top_down(1.0, "island").values.tolist() == [[0] * 4 + [-1] * 4] * 4
    assert mesh.top_down(1.0, filter=QueryFilter()).values.sum() == 32


def test_the_walkable_pixels_add_up_to_the_area() -> None:
    level = Level()
    level.add_plane((0, 0), (20, 20))
    level.add_ramp((24, 0, 0), (34, 5, 0), 7.0)
    mesh = onepath.bake(level, SLIM)
    assert mesh.top_down(0.05).values.sum() * 0.05**2 == pytest.approx(mesh.walkable_area, rel=0.01)


def test_areas_are_those_of_the_highest_floor(slab: NavMesh) -> None:
    mesh = NavMesh.from_bytes(slab.to_bytes())
    top = mesh.snap((6, 3, 8))
    mesh.set_area(top.ref, 9)
    areas = mesh.top_down(0.5, "area")
    assert set(np.unique(areas.values)) == {9, 63}
    through = mesh.top_down(0.5, "area", filter=QueryFilter(avoid=[9]))
    assert set(np.unique(through.values)) == {63}


@pytest.mark.parametrize("seed", SEEDS)
def test_islands_are_those_of_the_polygons_that_a_drop_there_finds(seed: int) -> None:
    mesh, filter = random_mesh(seed), QueryFilter(exclude_flags=2)
    if mesh.bounds is None:
        return
    picture, found = mesh.top_down(0.83, "island", filter=filter), mesh.islands(filter)
    assert picture.values.dtype == np.int32 and picture.values.max() < len(found)
    for row in range(len(picture.z)):
        column = (row * 7) % len(picture.x)
        place = mesh.drop((float(picture.x[column]), 1000.0, float(picture.z[row])), filter=filter)
        value = picture.values[row, column]
        assert value == (found.index(mesh.island_of(place, filter)) if place else -1)


def test_a_ceiling_looks_into_a_storey() -> None:
    mesh = storeys(4)
    assert np.nanmax(mesh.top_down(1.0, "height").values) == 12.0
    assert np.nanmax(mesh.top_down(1.0, "height", ceiling=9.0).values) == 8.0


def test_pixels_lie_on_multiples_of_the_resolution(slab: NavMesh) -> None:
    picture = slab.top_down(0.5)
    assert picture.values.shape == (len(picture.z), len(picture.x))
    assert np.array_equal(np.floor(picture.x / 0.5) * 0.5 + 0.25, picture.x)


def test_an_empty_mesh_is_an_empty_picture() -> None:
    mesh = NavMesh(MeshSettings(cell_size=1.0, tile_cells=8))
    assert mesh.top_down(1.0).values.shape == (0, 0)
    assert len(mesh.triangles().triangles) == 0


@pytest.mark.parametrize("resolution", [0, -1, math.nan, math.inf, "fine", 1e-6, 5e-324, 1j])
def test_a_resolution_is_above_zero_and_not_too_fine(slab: NavMesh, resolution: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="resolution"):
        slab.top_down(resolution)  # type: ignore[arg-type]


@pytest.mark.parametrize("resolution", [2, Fraction(2), np.float32(2), np.longdouble(2), np.array(2.0)])
def test_a_resolution_may_be_of_any_real_kind(slab: NavMesh, resolution: Any) -> None:
    assert np.array_equal(slab.top_down(resolution).values, slab.top_down(2.0).values)


@pytest.mark.parametrize("what", ["colour", np.array([1, 2]), None])
def test_what_to_see_is_one_of_four(slab: NavMesh, what: Any) -> None:
    with pytest.raises(ArgumentError, match="what is"):
        slab.top_down(1.0, what)


def test_the_mesh_stands_still_until_islands_are_drawn(slab: NavMesh, monkeypatch: pytest.MonkeyPatch) -> None:
    islands, picture = NavMesh.islands, slab.top_down(1.0, "island")

    def refused_commit_first(*asked):
        with pytest.raises(BusyError):
            slab.commit()
        return islands(*asked)

    monkeypatch.setattr(NavMesh, "islands", refused_commit_first)
    assert np.array_equal(slab.top_down(1.0, "island").values, picture.values)


@pytest.mark.parametrize("seed", SEEDS)
def test_triangles_cover_every_polygon_as_wide_as_it_is(seed: int) -> None:
    mesh = random_mesh(seed)
    vertices, triangles, polygons = mesh.triangles()
    assert len(triangles) == len(polygons)
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    areas = ((b - a)[:, 2] * (c - a)[:, 0] - (b - a)[:, 0] * (c - a)[:, 2]) / 2
    for view in mesh.tiles():
        for reference in view.references.tolist():
            corners = mesh.polygon(reference) - mesh.polygon(reference)[0]  # far from zero, products would round
            x, z = corners[:, 0], corners[:, 2]
            whole = abs(np.dot(x, np.roll(z, 1)) - np.dot(z, np.roll(x, 1)))
            assert areas[polygons == reference].sum() == pytest.approx(whole / 2, rel=1e-6, abs=1e-3)
