"""Insides of closed surfaces: floors in there go, floors outside and in rooms modelled inward stay."""

from __future__ import annotations

import numpy as np
import pytest

import onepath
from onepath import Level
from onepath.build import HeightfieldFrame, SolidHeightfield, rasterize_triangles, remove_solid_interiors
from onepath.errors import ArgumentError, LevelError, RangeError
from onepath.geometry.components import least_joined
from onepath.geometry.surfaces import connected_surfaces
from tests.baked import SLIM, STANDARD, floor, tile_bytes
from tests.solids import is_inside

SIDE, ROWS = 24, 40
FRAME = HeightfieldFrame((0, 0, 0), 0.5, 0.25, SIDE, SIDE, ROWS)

Mesh = tuple[np.ndarray, np.ndarray]


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Mesh:
    level = Level()
    level.add_box(low, high)
    return level.triangles()[:2]


def joined(*meshes: Mesh) -> Mesh:
    level = Level()
    for vertices, triangles in meshes:
        level.add(vertices, triangles)
    return level.triangles()[:2]


def plane(y: float) -> Mesh:
    return floor(SIDE / 2, SIDE / 2, y).triangles()[:2]


def inside_out(mesh: Mesh) -> Mesh:
    return mesh[0], mesh[1][:, ::-1]


def spans_of(mesh: Mesh, *, remove: bool) -> np.ndarray:
    """(n, 5) spans; removed insides have area 0."""
    field = SolidHeightfield(FRAME)
    rasterize_triangles(field, *mesh)
    if remove:
        remove_solid_interiors(field, *mesh)
    return field.spans()


def turned(mesh: Mesh, draw: np.random.Generator) -> Mesh:
    """The mesh turned in space, about its middle."""
    axes, _ = np.linalg.qr(draw.normal(size=(3, 3)))
    axes *= np.sign(np.linalg.det(axes))
    middle = mesh[0].mean(axis=0)
    return (mesh[0] - middle) @ axes + middle, mesh[1]


def test_the_ground_under_a_box_goes_and_all_other_ground_stays() -> None:
    mesh = joined(plane(1.0), box((3, 1, 3), (8, 4, 9)))
    kept, removed = spans_of(mesh, remove=False), spans_of(mesh, remove=True)
    assert np.array_equal(kept[:, :4], removed[:, :4])
    gone = (kept[:, 4] > 0) & (removed[:, 4] == 0)
    inside = (kept[:, 0] >= 6) & (kept[:, 0] < 16) & (kept[:, 1] >= 6) & (kept[:, 1] < 18)
    assert np.array_equal(gone, inside & (kept[:, 3] == 5))
    assert np.array_equal(removed[~gone], kept[~gone])


@pytest.mark.parametrize("seed", range(20))
def test_what_goes_is_what_lies_inside_by_its_solid_angle(seed: int) -> None:
    draw = np.random.default_rng(seed)
    solids = [turned(box((2, 0.5, 2), (7, 5.5, 7)), draw)]
    for _ in range(int(draw.integers(0, 3))):
        low = draw.random(3) * [6, 4, 6] + 1.0
        solid = box(tuple(low), tuple(low + draw.random(3) * [5, 3, 5] + 0.5))
        solids.append(turned(solid, draw) if draw.random() < 0.7 else solid)
    ground = [plane(y) for y in (1.0, 2.6, 4.1)]
    mesh = joined(*ground, *solids)
    kept, removed = spans_of(mesh, remove=False), spans_of(mesh, remove=True)
    tops = np.stack([kept[:, 0] * 0.5 + 0.25, kept[:, 3] * 0.25, kept[:, 1] * 0.5 + 0.25], axis=1)
    points = [tops + np.array([0.0, dy, 0.0]) for dy in (-0.1, 0.0, 0.1)]
    answers = [np.any([is_inside(around, *solid) for solid in solids], axis=0) for around in points]
    sure = (kept[:, 4] > 0) & (answers[0] == answers[1]) & (answers[1] == answers[2])  # no surface within 10 cm
    assert np.array_equal(removed[sure, 4] == 0, answers[1][sure])
    assert answers[1][sure].any()


def test_lines_through_corners_and_along_edges_do_not_slip_through() -> None:
    """An octahedron, its six corners on lines through cell centres and its ridges along them."""
    middle, reach = np.array([5.25, 4.0, 5.25]), 3.0
    corners = np.concatenate([middle + reach * np.eye(3), middle - reach * np.eye(3)])
    faces = []
    for x in (0, 3):
        for y in (1, 4):
            for z in (2, 5):
                face = [x, y, z]
                outward = np.cross(corners[y] - corners[x], corners[z] - corners[x]) @ (corners[x] - middle) > 0
                faces.append(face if outward else face[::-1])
    mesh = joined(plane(4.0), (corners, np.array(faces)))
    kept, removed = spans_of(mesh, remove=False), spans_of(mesh, remove=True)
    x, z = kept[:, 0] * 0.5 + 0.25, kept[:, 1] * 0.5 + 0.25
    deep_inside = np.abs(x - 5.25) + np.abs(z - 5.25) < reach - 0.75
    far_outside = np.abs(x - 5.25) + np.abs(z - 5.25) > reach + 0.75
    ground = (kept[:, 3] == 16) & (kept[:, 4] > 0)
    assert (removed[ground & deep_inside, 4] == 0).all() and (ground & deep_inside).any()
    assert (removed[ground & far_outside, 4] > 0).all()


def test_a_corner_on_the_line_of_a_cell_is_crossed_once() -> None:
    """A prism of four sides with an edge to each side of the lines through its corners at x and z = 5.25."""
    ring = [(5.25, 2.25), (7.25, 5.25), (5.25, 8.25), (3.25, 5.25)]
    corners = np.array([(x, y, z) for y in (1.0, 4.0) for x, z in ring])
    sides = [quad for k in range(4) for quad in ((k, 4 + k, (k + 1) % 4), ((k + 1) % 4, 4 + k, 4 + (k + 1) % 4))]
    prism = corners, np.array([(0, 1, 2), (0, 2, 3), (4, 6, 5), (4, 7, 6), *sides])
    kept, removed = (spans_of(joined(plane(2.0), prism), remove=remove) for remove in (False, True))
    x, z = kept[:, 0] * 0.5 + 0.25, kept[:, 1] * 0.5 + 0.25
    off = np.abs(x - 5.25) / 2 + np.abs(z - 5.25) / 3
    ground = (kept[:, 3] == 8) & (kept[:, 4] > 0)
    assert (removed[ground & (off < 0.99), 4] == 0).all() and (removed[ground & (off > 1.01), 4] > 0).all()
    assert (ground & (off < 0.99)).sum() > 20 and (ground & (off > 1.01)).sum() > 20


def test_the_top_of_a_box_stays_where_float32_rounds_it_below_itself() -> None:
    """Six hundred rows up and two hundred thousandths of a row: its span ends at the whole row, within the box."""
    frame, top = HeightfieldFrame((0, 0, 0), 0.5, 0.125, SIDE, SIDE, 700), 75.0 + 0.125 * 2e-5
    mesh = box((3, 60, 3), (8, top, 9))
    field = SolidHeightfield(frame)
    rasterize_triangles(field, *mesh)
    remove_solid_interiors(field, *mesh)
    tops = [area for *_, high, area in field.spans().tolist() if high == 600]
    assert tops == [63] * 120


def test_a_room_modelled_inward_keeps_its_floor() -> None:
    mesh = inside_out(box((2, 1, 2), (10, 4, 10)))
    assert np.array_equal(spans_of(mesh, remove=True), spans_of(mesh, remove=False))


def test_a_solid_inside_a_room_modelled_inward_still_goes() -> None:
    mesh = joined(inside_out(box((2, 1, 2), (10, 4, 10))), box((4, 0.5, 4), (6, 3, 6)))
    kept, removed = spans_of(mesh, remove=False), spans_of(mesh, remove=True)
    gone = kept[(kept[:, 4] > 0) & (removed[:, 4] == 0)]
    assert len(gone) > 0
    assert ((gone[:, :2] >= 8) & (gone[:, :2] < 12)).all()


@pytest.mark.parametrize("missing", range(12))
def test_a_box_without_a_triangle_is_named_and_keeps_its_inside(missing: int) -> None:
    """A crate stands in it, and beside it a whole box on some ground."""
    ground = Level()
    ground.add_plane((8.5, 8.5), (12, 12), 1.0)
    whole, crate = box((9, 1, 9), (11, 3, 11)), box((5, 1, 5), (6, 2, 6))
    vertices, triangles = joined(box((3, 1, 3), (8, 4, 8)), ground.triangles()[:2], whole, crate)
    holed = np.delete(triangles, missing, axis=0)
    assert remove_solid_interiors(SolidHeightfield(FRAME), vertices, holed) == (0, 11)
    kept, removed = spans_of((vertices, holed), remove=False), spans_of((vertices, holed), remove=True)
    in_the_whole = (kept[:, :2] >= 18).all(axis=1) & (kept[:, :2] < 22).all(axis=1) & (kept[:, 3] == 5)
    assert (removed[in_the_whole, 4] == 0).all() and in_the_whole.sum() == 4
    assert np.array_equal(removed[~in_the_whole], kept[~in_the_whole])
    assert (kept[~in_the_whole, 3:] == (8, 63)).all(axis=1).sum() == 4  # the crate's top


def test_surfaces_are_joined_by_position_and_told_apart_by_edges() -> None:
    first, second = box((0, 0, 0), (1, 1, 1)), box((1, 1, 1), (2, 2, 2))  # they share a corner and no edge
    vertices, triangles = joined(first, second)
    apart = vertices[triangles].reshape(-1, 3), np.arange(3 * len(triangles), dtype=np.int32).reshape(-1, 3)
    for mesh in ((vertices, triangles), apart):
        found = connected_surfaces(*mesh)
        assert found.first_triangle.tolist() == [0] * 12 + [12] * 12
        assert found.closed.all() and found.open_surfaces == ()


@pytest.mark.parametrize("seed", range(10))
def test_the_least_joined_is_the_least_of_its_piece(seed: int) -> None:
    draw = np.random.default_rng(seed)
    count = int(draw.integers(1, 60))
    a, b = draw.integers(0, count, (2, int(draw.integers(0, 70))))
    least = list(range(count))
    for _ in range(count):
        for i, j in zip(a.tolist(), b.tolist(), strict=True):
            least[i] = least[j] = min(least[i], least[j])
    assert least_joined(count, a, b).tolist() == least


def test_no_triangles_have_no_insides() -> None:
    assert remove_solid_interiors(SolidHeightfield(FRAME), np.zeros((0, 3)), np.zeros((0, 3), int)) == ()


@pytest.mark.parametrize(
    ("vertices", "triangles", "error"),
    [
        ([(0, 0, 0)] * 3, [(0, 1, 3)], RangeError),
        ([(0, 0, 0)] * 3, [(0, 1, 2.5)], ArgumentError),
        ([(0, 0, 0), (1, 0, float("nan")), (1, 0, 1)], [(0, 1, 2)], LevelError),
    ],
)
def test_triangles_that_are_none_are_refused(vertices: list, triangles: list, error: type[Exception]) -> None:
    with pytest.raises(error):
        remove_solid_interiors(SolidHeightfield(FRAME), vertices, triangles)


# --- in a bake


def crate_on_a_floor() -> Level:
    level = floor(12, 12)
    level.add_box((3, 0, 3), (7, 3, 7), name="crate")
    return level


def test_a_bake_removes_insides_when_told() -> None:
    kept = onepath.bake(crate_on_a_floor(), SLIM)
    removed = onepath.bake(crate_on_a_floor(), SLIM.replace(solid_interior="remove"))
    assert kept.snap((5, 0, 5), horizontal=0.1)
    assert not removed.snap((5, 0, 5), up=0.5, down=0.5, horizontal=0.1)
    assert kept.prune_islands(0).islands_left == removed.prune_islands(0).islands_left + 1
    assert kept.report.open_surfaces == ()
    assert removed.report.open_surfaces == (0,)  # the floor


def test_no_low_obstacle_brings_the_floor_of_a_hollow_box_back() -> None:
    """The box's underside faces down and lies a step above the ground: stepping onto it ends inside the box."""
    level = floor(12, 12)
    level.add_box((3, 0.25, 3), (9, 3, 9))
    mesh = onepath.bake(level, SLIM.replace(solid_interior="remove"))
    assert onepath.bake(level, SLIM).snap((6, 0.25, 6), up=1.0, down=1.0, horizontal=0.1)
    assert not mesh.snap((6, 0.25, 6), up=1.0, down=1.0, horizontal=0.1)


def test_a_tile_sees_solids_that_reach_beyond_it() -> None:
    settings = SLIM.replace(solid_interior="remove")
    level = floor(40, 40)
    level.add_box((1, 0, 1), (39, 3, 39))
    mesh = onepath.bake(level, settings)
    assert not mesh.snap((20, 0, 20), up=0.5, down=0.5, horizontal=0.1)


# --- two-sided levels (case C06)


@pytest.mark.parametrize("settings", [STANDARD, SLIM])
def test_c06_a_floor_facing_down_is_the_same_as_one_facing_up_where_both_sides_count(settings) -> None:
    vertices, triangles, _ = floor(10, 10).triangles()
    mesh = onepath.bake((vertices, triangles[:, ::-1]), settings.replace(two_sided=True))
    assert tile_bytes(mesh) == tile_bytes(onepath.bake(floor(10, 10), settings))
    assert mesh.report.warnings == () and mesh.report.facing_down == 0


def test_two_sided_walls_still_know_their_inside() -> None:
    level = crate_on_a_floor()
    mesh = onepath.bake(level, SLIM.replace(solid_interior="remove", two_sided=True))
    assert not mesh.snap((5, 0, 5), up=0.5, down=0.5, horizontal=0.1)
    assert mesh.snap((5, 3, 5), up=0.5, down=0.5, horizontal=0.1)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"solid_interior": "drop"}, "solid_interior is 'drop', not one of 'keep', 'remove'"),
        ({"two_sided": 1}, "two_sided is 1, neither True nor False"),
    ],
)
def test_a_bad_setting_is_named(changes: dict[str, object], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        SLIM.replace(**changes)
