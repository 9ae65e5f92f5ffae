"""Which triangles close around a volume: what else meets at their edges makes no difference."""

from __future__ import annotations

import numpy as np
import pytest

import onepath
from onepath import Level
from onepath.debug import LevelStages
from onepath.geometry.surfaces import connected_surfaces
from tests.baked import SLIM
from tests.solids import is_inside

Corner = tuple[float, float, float]
Mesh = tuple[np.ndarray, np.ndarray]


def mesh_of(*quads: tuple[Corner, Corner, Corner, Corner]) -> Mesh:
    """Two triangles for every four corners, counter-clockwise seen from the front. No corner is shared by index."""
    corners = np.array(quads, dtype=float).reshape(-1, 4, 3)
    triangles = np.arange(4 * len(corners)).reshape(-1, 4)[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return corners.reshape(-1, 3), triangles.astype(np.int32)


def joined(*meshes: Mesh) -> Mesh:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes[:-1])])
    triangles = [triangles + start for (_, triangles), start in zip(meshes, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(triangles).astype(np.int32)


def ground(low: tuple[float, float], high: tuple[float, float], y: float) -> tuple[Corner, Corner, Corner, Corner]:
    """A level rectangle that faces up."""
    (x0, z0), (x1, z1) = low, high
    return (x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)


def walls(low: Corner, high: Corner) -> list[tuple[Corner, Corner, Corner, Corner]]:
    """The four upright sides of a box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    ring = [(x0, z0), (x0, z1), (x1, z1), (x1, z0)]
    return [
        ((ax, y0, az), (bx, y0, bz), (bx, y1, bz), (ax, y1, az))
        for (ax, az), (bx, bz) in zip(ring, ring[1:] + ring[:1], strict=True)
    ]


def box(low: Corner, high: Corner) -> Mesh:
    """A closed box, 12 triangles: bottom, top, sides."""
    bottom = ground(low[::2], high[::2], low[1])[::-1]
    return mesh_of(bottom, ground(low[::2], high[::2], high[1]), *walls(low, high))


def floor_around(low: tuple[float, float], high: tuple[float, float], y: float) -> Mesh:
    """A floor from 0 to 9 that shares edges with a rectangle in its middle."""
    x, z = [0.0, low[0], high[0], 9.0], [0.0, low[1], high[1], 9.0]
    places = [(i, k) for i in range(3) for k in range(3) if (i, k) != (1, 1)]
    return mesh_of(*(ground((x[i], z[k]), (x[i + 1], z[k + 1]), y) for i, k in places))


def inside_out(mesh: Mesh) -> Mesh:
    return mesh[0], mesh[1][:, ::-1]


def closed_parts(*meshes: Mesh) -> list[bool]:
    """Whether each of the meshes is closed, all of its triangles or none, when they lie together."""
    found = connected_surfaces(*joined(*meshes))
    ends = np.cumsum([len(triangles) for _, triangles in meshes])
    parts = [set(part.tolist()) for part in np.split(found.closed, ends[:-1])]
    assert all(len(part) == 1 for part in parts)
    return [part.pop() for part in parts]


CRATE = box((3, 1, 3), (6, 4, 6))
AROUND = floor_around((3, 3), (6, 6), 1.0)
UNDER = mesh_of(ground((3, 3), (6, 6), 1.0))


@pytest.mark.parametrize("parts", [[AROUND], [AROUND, UNDER], [UNDER], [AROUND, UNDER, UNDER]])
def test_a_crate_whose_foot_is_an_edge_of_the_floor_is_closed_and_the_floor_is_not(parts: list[Mesh]) -> None:
    assert closed_parts(CRATE, *parts) == [True] + [False] * len(parts)
    assert closed_parts(*parts, CRATE) == [False] * len(parts) + [True]


@pytest.mark.parametrize("height", [0.5, 1.0, 2.5])
def test_a_crate_cut_by_the_floor_at_half_its_height_is_closed(height: float) -> None:
    sunk = mesh_of(
        ground((3, 3), (6, 6), 0.0)[::-1],
        ground((3, 3), (6, 6), 3.0),
        *walls((3, 0, 3), (6, height, 6)),
        *walls((3, height, 3), (6, 3, 6)),
    )
    around, within = floor_around((3, 3), (6, 6), height), mesh_of(ground((3, 3), (6, 6), height))
    assert closed_parts(sunk, around) == [True, False]
    assert closed_parts(sunk, around, within) == [True, False, False]
    assert closed_parts(within, around, sunk) == [False, False, True]


def test_a_tower_is_closed_whatever_storeys_end_at_its_walls() -> None:
    storeys = 12
    quads = [ground((3, 3), (6, 6), 0.0)[::-1], ground((3, 3), (6, 6), 3.0 * storeys)]
    for storey in range(storeys):
        quads += walls((3, 3.0 * storey, 3), (6, 3.0 * storey + 3, 6))
    floors = [mesh_of(ground((3, 3), (6, 6), 3.0 * storey)) for storey in range(1, storeys)]
    assert closed_parts(mesh_of(*quads), *floors) == [True] + [False] * (storeys - 1)


def test_ground_that_bulges_under_a_crate_is_no_part_of_it() -> None:
    for bulge in (-2.0, 2.0):
        ring = [(3, 1, 3), (3, 1, 6), (6, 1, 6), (6, 1, 3)]
        hill = np.array([*ring, (4.5, 1 + bulge, 4.5)]), np.array([(k, (k + 1) % 4, 4) for k in range(4)])
        assert closed_parts(CRATE, AROUND, hill) == [True, False, False]


def test_a_face_that_is_there_twice_spoils_nothing() -> None:
    vertices, triangles = CRATE
    found = connected_surfaces(vertices, np.concatenate([triangles, triangles[2:4]]))
    assert found.closed.sum() == 12
    assert found.closed[:2].all() and found.closed[4:12].all()


def kinds_of(vertices: np.ndarray, triangles: np.ndarray) -> list[tuple[Corner, ...]]:
    """The corners of each triangle, the lowest first."""
    found = []
    for corners in vertices[triangles].tolist():
        first = corners.index(min(corners))
        found.append(tuple(map(tuple, corners[first:] + corners[:first])))
    return found


@pytest.mark.parametrize("beside", [[], [box((6, 1, 3), (9, 4, 6))], [box((3, 4, 3), (6, 7, 6)), AROUND]])
@pytest.mark.parametrize("seed", range(40))
def test_solids_close_whichever_of_their_faces_are_doubled(beside: list[Mesh], seed: int) -> None:
    """Side by side, as exporters leave them; shuffled, so that no copy is the obvious one."""
    draw = np.random.default_rng(seed)
    vertices, triangles = joined(CRATE, *beside)
    solid = triangles[: 12 * (1 + (len(beside) > 0))]
    doubled = solid[draw.choice(len(solid), int(draw.integers(1, len(solid) + 1)), replace=False)]
    shuffled = draw.permutation(np.concatenate([triangles, doubled]))
    closed = connected_surfaces(vertices, shuffled).closed
    assert set(kinds_of(vertices, shuffled[closed])) == set(kinds_of(vertices, solid))


def test_a_solid_that_is_there_many_times_closes_as_often() -> None:
    vertices, triangles = CRATE
    assert connected_surfaces(vertices, np.repeat(triangles, 500, axis=0)).closed.all()
    uneven = np.repeat(triangles, np.arange(100, 112), axis=0)
    assert connected_surfaces(vertices, uneven).closed.sum() == 12 * 100


def test_two_crates_that_share_a_foot_are_two() -> None:
    """A low one within a tall one: the foot is there twice and belongs to both."""
    found = connected_surfaces(*joined(CRATE, box((3, 1, 3), (6, 2, 6)), UNDER))
    assert found.closed.tolist() == [True] * 24 + [False] * 2


def test_a_wall_that_ends_at_a_crate_is_none_of_it() -> None:
    fin = mesh_of(((6, 1, 3), (9, 1, 3), (9, 4, 3), (6, 4, 3)))
    assert closed_parts(CRATE, fin) == [True, False]
    assert closed_parts(CRATE, fin, inside_out(fin)) == [True, True, True]  # a sheet of two sides, as thin as can be


def test_crates_that_share_faces_or_edges_are_surfaces_of_their_own() -> None:
    places = [(3, 1, 3), (3, 4, 3), (6, 1, 3), (6, 4, 6)]
    crates = [box(low, (low[0] + 3, low[1] + 3, low[2] + 3)) for low in places]
    found = connected_surfaces(*joined(*crates))
    assert found.closed.all()
    assert found.first_triangle.tolist() == np.repeat(np.arange(4) * 12, 12).tolist()


def test_an_open_crate_beside_a_closed_one_stays_open() -> None:
    beside = box((6, 1, 3), (9, 4, 6))
    without_top = beside[0], np.delete(beside[1], [2, 3], axis=0)
    assert closed_parts(CRATE, without_top) == [True, False]
    assert closed_parts(without_top, CRATE) == [False, True]


def test_a_crate_in_a_room_that_is_modelled_inward_is_one_of_its_own() -> None:
    room = inside_out(mesh_of(ground((0, 0), (9, 9), 8.0), *walls((0, 1, 0), (9, 8, 9))))
    # The room's walls end at corners of the floor only, so the floor's strips around the crate are cut to fit.
    rim = mesh_of(
        ((0, 1, 0), (0, 1, 9), (3, 1, 6), (3, 1, 3)),
        ((0, 1, 9), (9, 1, 9), (6, 1, 6), (3, 1, 6)),
        ((9, 1, 9), (9, 1, 0), (6, 1, 3), (6, 1, 6)),
        ((9, 1, 0), (0, 1, 0), (3, 1, 3), (6, 1, 3)),
    )
    found = connected_surfaces(*joined(room, rim, UNDER, CRATE))
    assert found.closed.all()
    assert set(found.first_triangle[-12:].tolist()) == {len(found.closed) - 12}
    assert set(found.first_triangle[:-12].tolist()) == {0}


def test_triangles_without_area_close_with_themselves() -> None:
    points = np.array([(0.0, 0, 0), (1, 0, 0), (2, 0, 0)])
    found = connected_surfaces(points, np.array([(0, 0, 1), (2, 2, 2), (0, 1, 2)], np.int32))
    assert found.closed.tolist() == [True, True, False]


# --- crates on a lattice, and what lies about them


def lattice(seed: int) -> tuple[Mesh, np.ndarray]:
    """Random cubes of a 4 x 3 x 4 lattice, and single level faces of it that are no cube's; which cells are cubes."""
    draw = np.random.default_rng(seed)
    solid = draw.random((4, 3, 4)) < draw.choice([0.1, 0.3, 0.6])
    cubes = [box(tuple(at), tuple(at + 1.0)) for at in np.argwhere(solid).astype(float)]
    padded = np.pad(solid, ((0, 0), (1, 1), (0, 0)))
    sheets = []
    for _ in range(int(draw.integers(0, 20))):
        x, y, z = draw.integers(0, 4, 3)
        sheet = mesh_of(ground((x, z), (x + 1, z + 1), y))
        if draw.random() < 0.5 and not padded[x, y, z]:
            sheets.append(sheet)
        elif not padded[x, y + 1, z]:
            sheets.append(inside_out(sheet))
    vertices, triangles = joined(*cubes, *sheets, mesh_of(ground((-9, -9), (-8, -8), 0.0)))
    order = draw.permutation(len(triangles))
    turns = draw.integers(0, 3, len(triangles))
    turned = np.stack([np.roll(row, turn) for row, turn in zip(triangles, turns, strict=True)])
    return (vertices, turned[order]), solid


def assert_cubes_are_closed(seed: int) -> None:
    (vertices, triangles), solid = lattice(seed)
    found = connected_surfaces(vertices, triangles)
    cells = np.argwhere(np.ones_like(solid)) + 0.5
    inside = np.zeros(solid.shape, bool)
    for name in np.unique(found.first_triangle[found.closed]):
        own = triangles[found.closed & (found.first_triangle == name)]
        inside |= is_inside(cells, vertices, own).reshape(solid.shape)
    assert np.array_equal(inside, solid)
    edges = vertices[triangles[found.closed]]
    steps = np.concatenate([np.stack([edges[:, k], edges[:, (k + 1) % 3]], axis=1) for k in range(3)])
    there, back = (sorted(map(tuple, way.reshape(-1, 6).tolist())) for way in (steps, steps[:, ::-1]))
    assert there == back


@pytest.mark.parametrize("seed", range(60))
def test_cubes_are_closed_whatever_single_faces_lie_about_them(seed: int) -> None:
    assert_cubes_are_closed(seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 2100))
def test_cubes_are_closed_whatever_single_faces_lie_about_them_at_length(seed: int) -> None:
    assert_cubes_are_closed(seed)


# --- in a bake


def test_a_bake_takes_out_the_floor_under_a_crate_that_the_floor_is_modelled_with() -> None:
    level = Level()
    level.add(*joined(AROUND, UNDER, CRATE))
    settings = SLIM.replace(solid_interior="remove")
    mesh = onepath.bake(level, settings)
    assert mesh.snap((1, 1, 1)) and not mesh.snap((4.5, 1, 4.5), up=0.5, down=0.5, horizontal=0.1)
    assert mesh.report.open_surfaces == (0,)
    stages = LevelStages(level, settings)
    for view in mesh.tiles():
        assert stages.tile(view.column, view.row).polymesh.polygon_count == view.polygon_count
