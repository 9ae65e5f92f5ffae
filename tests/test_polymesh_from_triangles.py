"""Polygons of fields that come from triangles: rooms with pillars, steps, stairs, tiles that meet on their sides."""

from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import Point, Polygon, box

from onepath.build import (
    CompactHeightfield,
    HeightfieldFrame,
    PolyMesh,
    SolidHeightfield,
    apply_span_filters,
    erode_walkable_area,
    rasterize_triangles,
)
from onepath.geometry import Level
from tests.test_polymesh import assert_no_overlap, assert_sound, corners_of, meshed, shapes_of, walk


def field_from(
    level: Level, low: tuple[float, float, float], cells: tuple[int, int, int], *, radius: int = 0, climb: int = 2
) -> CompactHeightfield:
    """Cells of 0.25 m, rows of 0.25 m, an agent of 2 m; `cells` in x, y, z."""
    vertices, triangles = level.triangles()[:2]
    solid = SolidHeightfield(HeightfieldFrame(low, 0.25, 0.25, cells[0], cells[2], cells[1]))
    rasterize_triangles(solid, vertices, triangles, merge_threshold=climb)
    apply_span_filters(solid, 8, climb)
    compact = CompactHeightfield.build(solid, 8, climb)
    erode_walkable_area(compact, radius)
    return compact


def walled_room(pillars: list[tuple[float, float, float, float]]) -> Level:
    """A floor of 12 x 12 m between walls, with pillars (low x, low z, high x, high z), everything 3 m tall."""
    level = Level()
    level.add_plane((0, 0), (12, 12))
    for x0, z0, x1, z1 in [(-1, -1, 13, 0), (-1, 12, 13, 13), (-1, 0, 0, 12), (12, 0, 13, 12), *pillars]:
        level.add_box((x0, 0, z0), (x1, 3, z1))
    return level


def floor_shapes(mesh: PolyMesh, row: int) -> list[Polygon]:
    return [Polygon(ring[:, [0, 2]] * 0.25) for ring in corners_of(mesh) if (ring[:, 1] == row).all()]


def assert_room_is_sound(pillars: list[tuple[float, float, float, float]], radius: int) -> list[Polygon]:
    """The polygons of the room's floor, checked, in metres from the wall's corner (-1, -1)."""
    compact = field_from(walled_room(pillars), (-1.0, -0.5, -1.0), (56, 20, 56), radius=radius)
    contours, mesh = meshed(compact, merge=400)
    assert_sound(contours, mesh, 6)
    shapes = floor_shapes(mesh, 2)
    assert_no_overlap(shapes)
    for x0, z0, x1, z1 in pillars:
        # Corners of a pillar may be cut by the error, its middle never.
        middle = box(x0 + 1.35, z0 + 1.35, x1 + 0.65, z1 + 0.65)
        assert not any(shape.intersects(middle) for shape in shapes)
    return shapes


def test_a_room_with_pillars_keeps_its_area() -> None:
    """Case C12."""
    shapes = assert_room_is_sound([(5, 5, 7, 7), (2, 2, 3, 3), (9, 2, 10, 3), (2, 9, 3, 10)], 0)
    assert sum(shape.area for shape in shapes) == pytest.approx(137, abs=8.5)


def random_pillars(seed: int) -> list[tuple[float, float, float, float]]:
    random = np.random.default_rng(seed)
    low = random.integers(0, 44, (int(random.integers(5, 16)), 2)) * 0.25
    size = random.integers(4, 12, low.shape) * 0.25
    return [tuple(pillar) for pillar in np.hstack([low, np.minimum(low + size, 12.0)]).tolist()]


@pytest.mark.parametrize("seed", range(25))
def test_rooms_with_random_pillars_are_sound(seed: int) -> None:
    assert assert_room_is_sound(random_pillars(seed), 2 if seed % 5 == 0 else 0)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 500))
def test_rooms_with_random_pillars_are_sound_at_length(seed: int) -> None:
    assert assert_room_is_sound(random_pillars(seed), 2 if seed % 5 == 0 else 0)


def polygon_at(mesh: PolyMesh, x: float, z: float) -> int:
    """The polygon around a place given in cells."""
    [found] = [number for number, shape in enumerate(shapes_of(mesh)) if shape.covers(Point(x, z))]
    return found


@pytest.mark.parametrize("raised", [0.0, 0.06])
@pytest.mark.parametrize(("step", "joined"), [(0.5, True), (0.625, False)])
def test_a_step_as_high_as_the_climb_joins_two_floors_and_a_higher_one_does_not(
    step: float, joined: bool, raised: float
) -> None:
    """Case C09; rows of an eighth of a metre, climb 0.5 m."""
    level = Level()
    level.add_plane((0, 0), (5, 10), height=raised)
    level.add_box((5, raised - 0.5, 0), (10, raised + step, 10))
    vertices, triangles = level.triangles()[:2]
    solid = SolidHeightfield(HeightfieldFrame((0, -0.5, 0), 0.25, 0.125, 40, 40, 40))
    rasterize_triangles(solid, vertices, triangles, merge_threshold=4)
    apply_span_filters(solid, 16, 4)
    _, mesh = meshed(CompactHeightfield.build(solid, 16, 4))
    assert (polygon_at(mesh, 33.0, 13.7) in walk(mesh, polygon_at(mesh, 7.1, 13.7))) == joined


def test_stairs_join_the_floor_and_the_landing() -> None:
    """Case C09."""
    level = Level()
    level.add_plane((0, 0), (5, 3))
    for step in range(10):
        level.add_box((5 + 0.5 * step, -0.5, 0), (5.5 + 0.5 * step, 0.25 * (step + 1), 3))
    level.add_box((10, -0.5, 0), (15, 2.5, 3))
    _, mesh = meshed(field_from(level, (0.0, -0.5, 0.0), (60, 20, 12)), merge=400)
    landing = polygon_at(mesh, 55.0, 6.3)
    assert landing in walk(mesh, polygon_at(mesh, 9.7, 6.3))
    assert corners_of(mesh)[landing][:, 1].max() == 12


@pytest.mark.parametrize("pillar", [None, (8, 4, 9, 5)])
def test_three_tiles_cover_what_one_does_and_meet_on_their_sides(pillar: tuple[int, ...] | None) -> None:
    """Case C17."""
    level = Level()
    level.add_plane((0, 0), (24, 8))
    if pillar is not None:
        level.add_box((pillar[0], 0.5, pillar[1]), (pillar[2], 1.5, pillar[3]))
    padding = 5
    area = 0.0
    for tile in range(3):
        low = (8.0 * tile - 0.25 * padding, -0.5, -0.25 * padding)
        compact = field_from(level, low, (32 + 2 * padding, 20, 32 + 2 * padding), radius=0 if pillar else 2)
        _, mesh = meshed(compact, padding=padding, merge=400)
        area += sum(shape.area for shape in floor_shapes(mesh, 2))
        sides = set(mesh.border_sides.tolist())
        assert (0 in sides) == (tile > 0)
        assert (2 in sides) == (tile < 2)
    _, whole = meshed(field_from(level, (0.0, -0.5, 0.0), (96, 20, 32), radius=0 if pillar else 2), merge=400)
    assert area == pytest.approx(sum(shape.area for shape in floor_shapes(whole, 2)), rel=0.01)
