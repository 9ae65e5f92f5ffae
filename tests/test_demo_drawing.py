"""What the demo draws, as far as it is numbers: rays, matrices, pieces in view, lines over the ground, pixels."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("esper", reason="esper is not installed")
pytest.importorskip("PIL", reason="Pillow is not installed")

from demo_game.body import body_surface, posed
from demo_game.camera import Camera
from demo_game.chunks import Chunks
from demo_game.drapes import mesh_outline, path_on_ground, ribbon
from demo_game.ground import GroundLookup
from demo_game.look import Look
from demo_game.palette import SUN, coloured_triangles, lit
from demo_game.picking import agent_under, ground_under
from demo_game.picture import draw_picture
from demo_game.raster import Canvas
from demo_game.sunlight import sun_matrix
from demo_game.world import DemoWorld
from onepath import Level, NavMesh, bake, levels


@pytest.fixture(scope="module")
def house() -> tuple[levels.GeneratedLevel, NavMesh]:
    level = levels.building()
    return level, bake(level)


def pixel_of(camera: Camera, point: tuple[float, float, float], width: int, height: int) -> tuple[float, float]:
    clip = camera.view_projection(width, height) @ (*point, 1.0)
    return (clip[0] / clip[3] + 1.0) * width / 2.0, (clip[1] / clip[3] + 1.0) * height / 2.0


@pytest.mark.parametrize("turn", [0.0, 35.0, 140.0, 300.0])
@pytest.mark.parametrize("tilt", [5.0, 40.0, 89.0])
def test_the_ray_of_a_points_pixel_meets_the_point(turn: float, tilt: float) -> None:
    camera, point = Camera((3.0, 1.0, -4.0), 30.0, turn, tilt), (5.0, 0.5, -2.0)
    origin, direction = camera.ray(*pixel_of(camera, point, 1280, 720), 1280, 720)
    away = np.array(point) - origin
    assert np.allclose(np.cross(away, direction), 0.0, atol=1e-9)
    assert away @ direction > 0.0


def test_the_target_is_in_the_middle_and_up_is_up() -> None:
    camera = Camera((3.0, 1.0, -4.0), 30.0, 70.0, 30.0)
    assert pixel_of(camera, (3.0, 1.0, -4.0), 800, 600) == pytest.approx((400.0, 300.0))
    assert pixel_of(camera, (3.0, 2.0, -4.0), 800, 600)[1] > 300.0


def test_a_click_meets_the_roof_and_with_the_cut_the_floor_below() -> None:
    level = Level()
    level.add_plane((0, 0), (10, 10), 0.0)
    level.add_plane((0, 0), (10, 10), 3.0)
    positions = coloured_triangles(level).positions
    down = np.array((5.0, 20.0, 5.0)), np.array((0.0, -1.0, 0.0))
    assert ground_under(*down, positions) == pytest.approx((5.0, 3.0, 5.0))
    assert ground_under(*down, positions, below=2.0) == pytest.approx((5.0, 0.0, 5.0))
    assert ground_under(down[0], -down[1], positions) is None


def test_a_click_on_an_agent_means_the_nearest_and_one_beside_means_nobody() -> None:
    rows = np.array([(5.0, 0.0, 0.0, 0.0, 1.0), (5.0, 0.0, -6.0, 0.0, 1.0)], dtype=np.float32)
    origin, direction = np.array((5.2, 1.0, 20.0)), np.array((0.0, 0.0, -1.0))
    assert agent_under(origin, direction, rows) == 0
    assert agent_under(np.array((5.2, 1.0, -30.0)), -direction, rows) == 1
    assert agent_under(origin + np.array((2.0, 0.0, 0.0)), direction, rows) is None
    assert agent_under(origin + np.array((0.0, 3.0, 0.0)), direction, rows) is None


def test_pieces_beyond_the_view_are_left_out_and_none_that_is_seen(house: tuple[Level, NavMesh]) -> None:
    chunks = Chunks(coloured_triangles(house[0]))
    assert chunks.counts.sum() == len(chunks.surface.positions) == 3 * len(house[0])
    for turn in (0.0, 90.0, 200.0):
        matrix = Camera((15.0, 2.0, 8.0), 14.0, turn).view_projection(640, 360)
        clip = np.concatenate([chunks.surface.positions, np.ones((3 * len(house[0]), 1))], axis=1) @ matrix.T
        inside = (np.abs(clip[:, :3]) <= clip[:, 3:]).all(axis=1)
        seen = chunks.visible(matrix, 1e9)
        drawn = np.zeros(len(clip), dtype=bool)
        for first, count in zip(chunks.firsts[seen], chunks.counts[seen], strict=True):
            drawn[first : first + count] = True
        assert not (inside & ~drawn).any()
        assert drawn.sum() < len(drawn)


def test_a_body_faces_where_its_agent_looks() -> None:
    body = body_surface()
    rows = np.array([(1.0, 2.0, 3.0, 1.0, 0.0)], dtype=np.float32)
    turned = posed(body, rows, np.array([0]))
    face = body.positions[:, 2].argmax()
    assert turned.positions[face, 0] - 1.0 == pytest.approx(body.positions[face, 2], abs=1e-6)
    assert turned.positions[:, 1].min() >= 2.0
    assert (turned.colours >= 0.0).all()


def test_faces_point_outwards_and_are_lit_by_the_sun() -> None:
    level = Level()
    level.add_box((0, 0, 0), (2, 2, 2))
    surface = coloured_triangles(level)
    outward = surface.positions.reshape(-1, 3, 3).mean(axis=1) - 1.0
    assert ((outward * surface.normals[::3]).sum(axis=1) > 0.0).all()
    shade, sunny = lit(surface)
    assert (sunny >= shade).all()
    brightness = sunny[::3].sum(axis=1)
    assert brightness[surface.normals[::3, 1] > 0.5].min() > brightness[surface.normals[::3, 1] < -0.5].max()


def test_a_paths_ribbon_climbs_the_stairs_over_the_drawn_steps(house: tuple[levels.GeneratedLevel, NavMesh]) -> None:
    level, mesh = house
    vertices, triangles, _ = level.triangles()
    ground = GroundLookup(vertices, triangles)
    path = mesh.find_path(level.places["west house floor 0"], level.places["west house floor 2"])
    line = path_on_ground(mesh, ground, path)
    assert np.abs(np.diff(line[:, 1])).max() < 0.75
    assert np.abs(ground.heights(line) - line[:, 1]).max() < 0.1
    assert ribbon(line).shape == (2 * (len(line) - 1), 3, 3)


def test_the_outline_has_every_edge_of_the_mesh_once(house: tuple[Level, NavMesh]) -> None:
    level = Level()
    level.add_plane((0, 0), (8, 8))
    level.add_box((3, 0, 3), (5, 2, 5))
    mesh = bake(level, radius=0.4)
    vertices, triangles, _ = level.triangles()
    inner, border = mesh_outline(mesh, GroundLookup(vertices, triangles))
    around = 4 * (8 - 2 * 0.4) + 4 * (2 + 2 * 0.4)
    assert np.sqrt(((border[:, 1] - border[:, 0]) ** 2).sum(axis=1)).sum() == pytest.approx(around, rel=0.1)
    assert len(inner) > 0


def test_the_nearer_of_two_triangles_covers_the_farther() -> None:
    big = np.array([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], dtype=np.float32)
    nearer = big + np.array((0, 0, 2), dtype=np.float32)
    matrix = Camera((0.0, 0.0, 0.0), 20.0, 0.0, 4.0).view_projection(20, 20)
    for triangles, front in (((big, nearer), 1), ((nearer, big), 0)):
        canvas = Canvas(20, 20, matrix)
        canvas.cover(np.concatenate(triangles))
        assert canvas.owners[10, 10] == front
        assert canvas.owners[0, 0] == -1


def test_a_painted_band_is_faint_behind_walls_and_full_before_them() -> None:
    wall = np.array([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], dtype=np.float32)
    canvas = Canvas(20, 20, Camera((0.0, 0.0, 0.0), 20.0, 0.0, 4.0).view_projection(20, 20))
    canvas.cover(wall)
    for away, expected in ((-1.0, 0.25), (1.0, 1.0)):
        picture = np.zeros((20, 20, 3), dtype=np.float32)
        canvas.paint(picture, wall + np.array((0, 0, away), dtype=np.float32), (1.0, 1.0, 1.0), hidden=0.25)
        assert picture[10, 10].tolist() == [expected] * 3
        assert picture[0, 0].tolist() == [0.0, 0.0, 0.0]


def test_a_triangle_that_reaches_behind_the_eye_is_cut_and_not_turned_over() -> None:
    canvas = Canvas(40, 40, Camera((0, 0, 0), 10.0, 0.0, 10.0).view_projection(40, 40))
    canvas.cover(np.array([(-500, 0, 500), (500, 0, 500), (0, 0, -900)], dtype=np.float32))
    assert canvas.owners[39, 20] == 0
    assert canvas.owners[0, 20] == -1


def test_the_sun_sees_the_whole_level_and_what_is_nearer_to_it_first() -> None:
    level = levels.building()
    positions = coloured_triangles(level).positions
    matrix = sun_matrix(positions)
    seen = positions @ matrix[:3, :3].T + matrix[:3, 3]
    assert np.abs(seen).max() <= 1.0
    spot = np.array((10.0, 1.0, 10.0))
    depths = [float(matrix[2, :3] @ place + matrix[2, 3]) for place in (spot + np.array(SUN), spot)]
    assert depths[0] < depths[1]


def test_a_roof_keeps_the_sun_off_the_floor_below_it() -> None:
    level = Level()
    level.add_box((0, -0.5, 0), (30, 0, 30))
    level.add_box((10, 3, 10), (20, 3.3, 20))
    world = DemoWorld(level, bake(level), agents=0)
    camera = Camera((15.0, 0.0, 15.0), 40.0, 0.0, 89.0)
    picture = np.asarray(draw_picture(Look(world, camera), 640, 360), dtype=int)
    world.close()
    # The sun stands at -x and +z: the shadow falls towards +x and -z of the roof.
    shady, sunny = (
        picture[360 - round(y), round(x)].sum()
        for x, y in (pixel_of(camera, spot, 640, 360) for spot in ((21.0, 0.0, 12.0), (21.5, 0.0, 21.5)))
    )
    assert shady < 0.75 * sunny
