"""Faults that users of other builders reported, on levels of our own (cases C04, C06, C07, C09, C12, C42, C49)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

import onepath
from onepath import AgentShape, BakeSettings, Level, levels
from onepath.errors import LevelError
from tests.baked import SLIM, STANDARD, floor, tile_bytes
from tests.test_polymesh_from_triangles import random_pillars

# -- C04: odd and broken triangles -------------------------------------------------------------------------------------


def test_c04_folded_and_repeated_triangles_change_nothing_and_are_counted():
    vertices = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0), (5, 0, 0), (1e29, 1e29, 1e29)]
    triangles = [(0, 1, 2), (0, 2, 3), (1, 1, 1), (0, 0, 2), (0, 4, 3), (0, 1, 2)]
    odd = onepath.bake((vertices, triangles), STANDARD)
    assert tile_bytes(odd) == tile_bytes(onepath.bake(floor(10, 10), STANDARD))
    assert odd.report.degenerate_triangles == 3


def test_c04_a_fin_that_shares_an_edge_with_the_floor_and_another_triangle_leaves_the_floor_alone():
    level = floor(10, 10)
    clean = onepath.bake(level, STANDARD)
    level.add([(0, 0, 0), (10, 0, 10), (10, -1, 10)], [(0, 1, 2)])
    finned = onepath.bake(level, STANDARD)
    assert finned.walkable_area == clean.walkable_area
    assert finned.polygon_count == clean.polygon_count


def test_c04_all_of_it_at_once_leaves_the_polygons_of_the_clean_floor():
    vertices = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0), (5, 0, 0), (5, -2, 5), (1e29, 1e29, 1e29)]
    folded = [(1, 1, 1), (0, 0, 2), (0, 4, 3)]
    fin = [(0, 2, 5)]  # below the floor, the third face on the edge that its two triangles share
    odd = onepath.bake((vertices, [(0, 1, 2), (0, 2, 3), *folded, (0, 1, 2), *fin]), STANDARD)
    clean = onepath.bake(floor(10, 10), STANDARD)
    assert [ring.tolist() for ring in rings(odd)] == [ring.tolist() for ring in rings(clean)]
    assert odd.report.degenerate_triangles == 3
    assert odd.bounds == clean.bounds


def test_c04_no_triangles_are_an_empty_mesh_with_a_status():
    mesh = onepath.bake(([], []), STANDARD)
    assert mesh.report.status is onepath.BakeStatus.NO_GEOMETRY and mesh.polygon_count == 0


def rings(mesh: onepath.NavMesh) -> list[np.ndarray]:
    return [mesh.polygon(reference) for view in mesh.tiles() for reference in view.references.tolist()]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 2.0**21 + 1])
def test_c04_a_vertex_without_place_is_refused_with_its_triangle(bad):
    vertices = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (bad, 0, 0)]
    with pytest.raises((LevelError, ValueError), match="triangle 1"):
        onepath.bake((vertices, [(0, 1, 2), (0, 2, 3)]), STANDARD)


def test_c04_an_index_one_past_the_vertices_is_refused_with_its_triangle():
    with pytest.raises((LevelError, ValueError), match="triangle 1"):
        onepath.bake(([(0, 0, 0), (0, 0, 10), (10, 0, 10)], [(0, 1, 2), (0, 2, 3)]), STANDARD)


# -- C06: which way is up ----------------------------------------------------------------------------------------------


def test_c06_a_floor_facing_up_is_walkable_up_to_the_radius_from_its_edge():
    # The case allows half a cell along each edge of 9 by 9 metres; the document's ledge filter takes a whole one.
    assert 8.5 * 8.5 <= onepath.bake(floor(10, 10), STANDARD).walkable_area <= 85.6


def test_c06_a_floor_facing_down_is_nothing_and_the_report_says_why():
    vertices, triangles, _ = floor(10, 10).triangles()
    mesh = onepath.bake((vertices, triangles[:, ::-1]), STANDARD)
    assert mesh.polygon_count == 0
    assert mesh.report.status is onepath.BakeStatus.NOTHING_WALKABLE
    assert "2 of 2 triangles face down" in mesh.report.warnings[0]


def test_c06_a_floating_box_is_walked_on_top_and_nowhere_else():
    level = Level()
    level.add_box((0, 2.5, 0), (10, 3.5, 10))
    mesh = onepath.bake(level, STANDARD)
    assert mesh.polygon_count > 0
    assert mesh.bounds[0][1] == pytest.approx(3.5, abs=0.125) == mesh.bounds[1][1]
    assert not mesh.report.warnings


# -- C07: a slope exactly at the limit ---------------------------------------------------------------------------------


def tilted(degrees: float, turn: float, shift: tuple[float, float, float]) -> onepath.NavMesh:
    slope, around = math.tan(math.radians(degrees)), math.radians(turn)
    cosine, sine = math.cos(around), math.sin(around)
    plane = [(x, x * slope, z) for x, z in ((0, 0), (0, 4), (4, 4), (4, 0))]
    corners = [(x * cosine + z * sine + shift[0], y + shift[1], z * cosine - x * sine + shift[2]) for x, y, z in plane]
    return onepath.bake(
        (corners, [(0, 1, 2), (0, 2, 3)]), SLIM.replace(agent=AgentShape(radius=0, max_climb=0.5, height=2))
    )


@pytest.mark.parametrize("shift", [(0, 0, 0), (1000, 0, -1000)])
@pytest.mark.parametrize("turn", [0, 30, 90, 137])
def test_c07_a_slope_at_the_limit_is_walkable_and_one_above_is_not_however_it_lies(turn, shift):
    assert tilted(44.9, turn, shift).polygon_count > 0
    assert tilted(45.0, turn, shift).polygon_count > 0
    assert tilted(45.1, turn, shift).polygon_count == 0


@pytest.mark.parametrize("limit", [10.0, 20.0, 30.0, 40.0, 45.0, 50.0, 60.0])
@pytest.mark.parametrize("turn", range(0, 360, 15))
def test_c07_every_limit_up_to_sixty_degrees_is_inclusive_in_every_turn(limit, turn):
    slope, around = math.tan(math.radians(limit)), math.radians(turn)
    cosine, sine = math.cos(around), math.sin(around)
    corners = [(x * cosine + z * sine, x * slope, z * cosine - x * sine) for x, z in ((0, 0), (0, 4), (4, 4), (4, 0))]
    # A climb that cuts no slope: what is left is a question of the limit alone.
    cells = STANDARD.replace(agent=AgentShape(radius=0.0, max_climb=2.0, height=2.0, max_slope=limit))
    mesh = onepath.bake((corners, [(0, 1, 2), (0, 2, 3)]), cells)
    assert mesh.report.too_steep == 0
    assert mesh.walkable_area > 8.0  # of 16, the rim taken off: no triangle was left out


# -- C09: steps --------------------------------------------------------------------------------------------------------


def step(height: float, raised: float) -> onepath.NavMesh:
    level = Level()
    for x0, x1, y in ((0, 5, raised), (5, 10, raised + height)):
        level.add([(x0, y, 0), (x0, y, 10), (x1, y, 10), (x1, y, 0)], [(0, 1, 2), (0, 2, 3)])
    low, high = raised, raised + height
    level.add([(5, low, 0), (5, low, 10), (5, high, 10), (5, high, 0)], [(0, 1, 2), (0, 2, 3)])
    return onepath.bake(level, STANDARD)


@pytest.mark.parametrize("raised", [0.0, 0.06])
def test_c09_a_step_of_exactly_max_climb_is_taken_both_ways_and_a_higher_one_in_neither(raised):
    low, high = (2, raised, 5), (8, raised + 0.5, 5)
    assert step(0.5, raised).find_path(low, high)
    assert step(0.5, raised).find_path(high, low)
    assert not step(0.625, raised).find_path(low, high)
    assert not step(0.625, raised).find_path(high, low)


@pytest.mark.parametrize("raised", [0.0, 0.06])
def test_c09_stairs_lead_up_and_down(raised):
    level = Level()
    level.add_box((0, raised - 1, 0), (5, raised, 10))
    level.add_box((10, raised - 1, 0), (15, raised + 2.5, 10))
    for k in range(10):
        level.add_box((5 + 0.5 * k, raised - 1, 3), (5.5 + 0.5 * k, raised + 0.25 * (k + 1), 6))
    mesh = onepath.bake(level, STANDARD)
    up = mesh.find_path((1, raised, 5), (14, raised + 2.5, 5))
    assert up and abs(up.points[-1][1] - raised - 2.5) <= 0.125
    assert mesh.find_path((14, raised + 2.5, 5), (1, raised, 5))


# -- C12: pillars ------------------------------------------------------------------------------------------------------


def test_c12_four_pillars_leave_four_holes():
    level = floor(12, 12)
    for x0, z0, x1, z1 in ((-0.25, -0.25, 12.25, 0), (-0.25, 12, 12.25, 12.25), (-0.25, 0, 0, 12), (12, 0, 12.25, 12)):
        level.add_box((x0, 0, z0), (x1, 3, z1))
    for x0, z0, x1, z1 in ((5, 5, 7, 7), (2, 2, 3, 3), (9, 2, 10, 3), (2, 9, 3, 10)):
        level.add_box((x0, 0, z0), (x1, 3, z1))
    mesh = onepath.bake(level, SLIM)
    ground = [tile for tile in mesh.tiles()]
    assert mesh.report.unkept_contours == 0
    area = sum(
        abs(float(np.cross(b - a, c - a)[1])) / 2
        for tile in ground
        for corners in (
            tile.vertices[tile.polygon_vertices[tile.polygon_offsets[p] : tile.polygon_offsets[p + 1]]].astype(float)
            + tile.origin
            for p in range(tile.polygon_count)
        )
        if corners[:, 1].max() < 1.0
        for a, b, c in ((corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1))
    )
    assert area == pytest.approx(137.0, abs=8.5)


def pillared_room(seed: int) -> tuple[Level, np.ndarray]:
    """Twelve by twelve metres within walls and 5 to 15 pillars on quarter metres, (x0, z0, x1, z1) each."""
    pillars = np.array(random_pillars(seed))
    level = Level()
    level.add_plane((-1, -1), (13, 13))  # no edge of it is one of a box, or both were one surface, and an open one
    for x0, z0, x1, z1 in ((-0.25, -0.25, 12.25, 0), (-0.25, 12, 12.25, 12.25), (-0.25, 0, 0, 12), (12, 0, 12.25, 12)):
        level.add_box((x0, 0, z0), (x1, 3, z1))
    for x0, z0, x1, z1 in pillars.tolist():
        level.add_box((x0, 0, z0), (x1, 3, z1))
    return level, pillars


def assert_c12(seed: int, settings: BakeSettings) -> None:
    level, pillars = pillared_room(seed)
    mesh = onepath.bake(level, settings.replace(solid_interior="remove", merge_region_area=1.0))
    assert mesh.report.unkept_contours == 0
    ground = [shapely.Polygon(ring[:, [0, 2]]) for ring in rings(mesh) if ring[:, 1].max() < 1.0]
    assert ground and all(shape.area > 1e-6 and shape.convex_hull.area - shape.area < 1e-6 for shape in ground)
    assert sum(shape.area for shape in ground) - shapely.union_all(ground).area < 1e-6
    _, places = mesh.random_points(200, seed=seed)
    deep = settings.max_edge_error_cells * settings.cell_size  # as far as simplifying may cut a corner
    for x, y, z in places.tolist():
        within = (pillars[:, :2] + deep < (x, z)).all(axis=1) & (pillars[:, 2:] - deep > (x, z)).all(axis=1)
        assert y > 1.0 or not within.any()


@pytest.mark.parametrize("seed", range(12))
def test_c12_rooms_with_random_pillars_are_convex_polygons_that_overlap_nowhere(seed):
    assert_c12(seed, STANDARD if seed % 4 == 0 else SLIM)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 330))
def test_c12_two_hundred_rooms_without_a_radius_and_thirty_with_one(seed):
    assert_c12(seed, STANDARD if seed >= 300 else SLIM)


# -- C49: who fits through a gap ---------------------------------------------------------------------------------------


def two_rooms(radius: float, far_open: bool = True) -> onepath.NavMesh:
    """Rooms A and B with a wall between them, and openings of 1.4 and 3 metres in it."""
    level = Level()
    level.add_plane((0, 0), (21, 30))
    for low, high in ((-0.5, 4.3), (5.7, 24), (27, 30.5)) if far_open else ((-0.5, 4.3), (5.7, 30.5)):
        level.add_box((10, 0, low), (11, 3, high))
    for x0, z0, x1, z1 in ((-1, -1, 22, 0), (-1, 30, 22, 31), (-1, -1, 0, 31), (21, -1, 22, 31)):
        level.add_box((x0, 0, z0), (x1, 3, z1))
    agent = AgentShape(radius=radius, height=2.0, max_climb=0.5)
    cells = {"cell_size": 0.1, "cell_height": 0.1, "tile_cells": 80, "max_edge_error_cells": 0.5}
    return onepath.bake(level, BakeSettings.for_agent(agent).replace(erosion="euclidean", **cells))


@pytest.mark.parametrize("far_open", [True, False])
def test_c49_a_slim_agent_takes_the_near_opening(far_open):
    path = two_rooms(0.5, far_open).find_path((5, 0, 5), (16, 0, 5), exact=True)
    assert path and path.length == pytest.approx(11.0, abs=0.1)


def test_c49_an_agent_as_wide_as_the_near_opening_takes_the_far_one_and_keeps_from_the_walls():
    path = two_rooms(0.7).find_path((5, 0, 5), (16, 0, 5), exact=True)
    assert path and 40.29 <= path.length <= 43.0
    walls = shapely.union_all([shapely.box(10, -0.5, 11, 24), shapely.box(10, 27, 11, 30.5)])
    line = shapely.LineString(path.points[:, [0, 2]])
    assert line.distance(walls) >= 0.6
    assert path.points[:, 2].max() > 24


def test_c49_with_the_far_opening_shut_the_wide_agent_has_no_way():
    assert not two_rooms(0.7, far_open=False).find_path((5, 0, 5), (16, 0, 5))


# -- C42: straight when in sight ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile_cells", [8, 20, 32])
def test_c42_over_an_empty_floor_every_path_is_one_straight_leg_whatever_the_tiles(tile_cells):
    mesh = onepath.bake(floor(20, 20), SLIM.replace(tile_cells=tile_cells))
    random = np.random.Generator(np.random.PCG64(42))
    for start, end in random.uniform(0.5, 19.5, (200, 2, 2)):
        path = mesh.find_path((start[0], 0, start[1]), (end[0], 0, end[1]))
        assert path.status is onepath.PathStatus.SUCCESS
        assert len(path.points) == 2
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_c42_an_area_of_equal_cost_in_the_way_bends_nothing():
    pool = onepath.ConvexVolume([(7, 7), (7, 13), (13, 13), (13, 7)], -1, 1, 9)
    mesh = onepath.bake(floor(20, 20), SLIM, volumes=[pool])
    random = np.random.Generator(np.random.PCG64(42))
    for start, end in random.uniform(0.5, 19.5, (200, 2, 2)):
        path = mesh.find_path((start[0], 0, start[1]), (end[0], 0, end[1]))
        assert len(path.points) == 2
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_c42_start_equal_to_end_is_a_path_of_no_length_on_the_mesh_or_beside_it():
    mesh = onepath.bake(floor(20, 20), SLIM)
    for point in ((10, 0, 10), (-0.2, 0, 10)):
        path = mesh.find_path(point, point)
        assert path.status is onepath.PathStatus.SUCCESS
        assert path.length == 0.0
        assert len(path.points) in (1, 2)


# -- what reaches what is what the field says --------------------------------------------------------------------------


def test_a_town_bakes_without_a_lost_contour():
    mesh = onepath.bake(levels.town(size=52), BakeSettings.for_agent(AgentShape(radius=0.4, height=1.8, max_climb=0.5)))
    assert mesh.report.unkept_contours == 0
    assert tile_bytes(mesh)
