"""What a path becomes: places along it, the line on the ground, cut short, turned round."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

import onepath
from onepath import Level, NavMesh, Path, PathStatus, levels
from onepath.errors import ArgumentError, RangeError
from onepath.query import LinkLeg, PathMark
from tests.baked import SLIM, STANDARD
from tests.links import link, storeys, two_rooms
from tests.query_meshes import random_mesh

SEEDS = range(40)


def lengths(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.diff(points, axis=0), axis=1)


def flat_length(points: np.ndarray) -> float:
    """Seen from above: where floors join by a step, heights at the border are those of the polygon that is left."""
    return float(lengths(np.asarray(points)[:, [0, 2]]).sum())


@pytest.fixture(scope="module")
def walled() -> NavMesh:
    level = Level()
    level.add_plane((0, 0), (20, 20))
    level.add_box((9, 0, 2), (11, 3, 18))
    return onepath.bake(level, STANDARD)


@pytest.fixture(scope="module")
def bent(walled: NavMesh) -> Path:
    """A path with corners, round a wall."""
    path = walled.find_path((3, 0, 10), (17, 0, 10))
    assert path and len(path) >= 4
    return path


@pytest.fixture(scope="module")
def hills() -> NavMesh:
    return onepath.bake(levels.terrain(seed=3), radius=0.4)


def across(mesh: NavMesh) -> Path:
    """From corner to corner of a terrain."""
    (x0, _, z0), (x1, _, z1) = mesh.bounds  # type: ignore[misc]
    ends = [mesh.snap(place, up=100, down=100, horizontal=3) for place in ((x0, 0, z0), (x1, 0, z1))]
    path = mesh.find_path(*ends)
    assert path and len(path) > 2
    return path


def some_paths(mesh: NavMesh) -> list[Path]:
    """Paths between the middles of polygons that follow one another in a tile."""
    middles = [mesh.polygon(reference).mean(axis=0) for reference in references(mesh)]
    return [path for a, b in zip(middles, middles[3:], strict=False) if (path := mesh.find_path(a, b))]


def references(mesh: NavMesh) -> list[int]:
    """Every polygon of the mesh, by slot."""
    return [
        view.generation << 41 | view.slot << 21 | polygon
        for view in mesh.tiles()
        for polygon in range(len(view.polygon_offsets) - 1)
    ][:60]


def test_point_at_the_ends_are_the_ends_and_beyond_them_too(bent: Path) -> None:
    assert bent.point_at(0) == bent.point_at(-1) == tuple(bent.points[0])
    assert bent.point_at(bent.length) == bent.point_at(1e9) == tuple(bent.points[-1])


def test_point_at_is_as_far_along_the_line_as_asked(bent: Path) -> None:
    for distance in np.linspace(0, bent.length, 57):
        point = np.array(bent.point_at(float(distance)))
        passed = 0.0
        for a, b in pairwise(bent.points):
            leg = float(np.linalg.norm(b - a))
            if distance <= passed + leg:
                assert point == pytest.approx(a + (b - a) * ((distance - passed) / leg), abs=1e-12)
                break
            passed += leg


def test_samples_are_step_metres_apart_along_the_line_and_have_its_ends(bent: Path) -> None:
    samples = bent.sample(0.7)
    assert len(samples) == int(np.ceil(bent.length / 0.7)) + 1
    assert tuple(samples[0]) == tuple(bent.points[0]) and tuple(samples[-1]) == tuple(bent.points[-1])
    for i, sample in enumerate(samples[:-1]):
        assert sample == pytest.approx(bent.point_at(i * 0.7), abs=1e-9)


def test_a_step_longer_than_the_path_leaves_its_ends(bent: Path) -> None:
    assert np.array_equal(bent.sample(1e6), bent.points[[0, -1]])


@pytest.mark.parametrize("step", [0, -1.0, float("nan"), float("inf"), "1", 1e-9])
def test_a_step_is_above_zero_and_not_too_small(bent: Path, step: object) -> None:
    with pytest.raises(ArgumentError if step == "1" or step != step else RangeError, match="step"):
        bent.sample(step)  # type: ignore[arg-type]


def test_a_path_without_points_has_no_places() -> None:
    empty = two_rooms().find_path((100, 0, 100), (1, 0, 1))
    assert empty.sample(1.0).shape == empty.on_surface(1.0).shape == (0, 3)
    assert empty.trimmed(1.0) == empty
    with pytest.raises(ArgumentError, match="no points"):
        empty.point_at(0.0)


def test_on_the_surface_every_point_has_the_ground_s_height(hills: NavMesh) -> None:
    path = across(hills)
    drape = path.on_surface(0.5)
    assert len(drape) > path.length
    query = onepath.NavMeshQuery(hills)
    for point in drape:
        near = query.find_nearest_polygon(tuple(point), (0.01, 1.0, 0.01))
        assert abs(near.point[1] - point[1]) < 1e-6


def test_on_the_surface_no_two_points_are_farther_apart_than_asked(hills: NavMesh) -> None:
    drape = across(hills).on_surface(0.5)
    assert lengths(drape[:, [0, 2]]).max() <= 0.5 + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_the_line_on_the_surface_runs_along_the_path_s_line(seed: int) -> None:
    mesh = random_mesh(seed)
    for path in some_paths(mesh):
        drape = path.on_surface(0.4)
        flat = np.array(path.points)[:, [0, 2]]
        assert lengths(drape[:, [0, 2]]).sum() == pytest.approx(lengths(flat).sum(), abs=1e-6)
        assert drape[0] == pytest.approx(path.points[0], abs=1e-6)


def test_a_path_made_stale_keeps_its_own_height(hills: NavMesh) -> None:
    mesh = NavMesh.from_bytes(hills.to_bytes())
    path = across(mesh)
    for view in mesh.tiles():
        mesh.stage_tile_removal(view.column, view.row)
    mesh.commit()
    assert path.on_surface(1e6) == pytest.approx(np.array(path.points))


def test_links_are_not_laid_on_the_ground() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2)))
    path = mesh.find_path((1, 0, 2), (9, 0, 2))
    drape = path.on_surface(0.5)
    gap = (drape[:, 0] > 3.5) & (drape[:, 0] < 6.5)
    assert path and not gap.any()


def test_an_unpickled_path_needs_its_mesh_named(bent: Path) -> None:
    level = Level()
    level.add_plane((0, 0), (8, 8))
    mesh = onepath.bake(level, SLIM)
    path = mesh.find_path((1, 0, 1), (7, 0, 7))
    twin = pickle.loads(pickle.dumps(path))
    assert twin == path
    with pytest.raises(ArgumentError, match="hand it over"):
        twin.on_surface(1.0)
    assert np.array_equal(twin.on_surface(1.0, mesh), path.on_surface(1.0))


@pytest.mark.parametrize("stop", [0.0, 0.1, 1.0, 6.0, 9.99, 15.0])
def test_a_trimmed_path_ends_that_many_metres_earlier(bent: Path, stop: float) -> None:
    trimmed = bent.trimmed(stop)
    assert trimmed.length == pytest.approx(bent.length - stop, abs=1e-9)
    assert tuple(trimmed.points[-1]) == pytest.approx(bent.point_at(bent.length - stop))
    assert trimmed.marks[-1] == PathMark.END and trimmed.status is bent.status
    assert np.array_equal(trimmed.points[:-1], bent.points[: len(trimmed) - 1])


def test_a_path_no_longer_than_the_stop_keeps_its_start(bent: Path) -> None:
    alone = bent.trimmed(1e6)
    assert len(alone) == 1 and alone.marks[0] == PathMark.START | PathMark.END and alone.length == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_trimmed_path_s_corridor_ends_under_its_end(seed: int) -> None:
    mesh = random_mesh(seed)
    query = onepath.NavMeshQuery(mesh)
    for path in some_paths(mesh):
        for part in (0.1, 0.5, 0.9):
            cut = path.trimmed(path.length * part)
            assert cut.polygons[-1] == cut.corridor.polygons[-1]
            line = query.find_straight_path(cut.points[0], cut.points[-1], cut.corridor)
            assert flat_length(line.points) == pytest.approx(flat_length(cut.points), rel=1e-6, abs=1e-6)


def test_a_trimmed_path_never_ends_in_the_air() -> None:
    mesh = storeys(2)
    mesh.add_link(link((5, 0, 5), (5, 4, 5)))
    path = mesh.find_path((1, 0, 5), (9, 4, 5))
    assert isinstance(path.legs[1], LinkLeg)
    cut = path.trimmed(6.0)  # 4 of the last leg, 2 of the link
    assert tuple(cut.points[-1]) == (5, 0, 5) and not cut.links.any() and len(cut.legs) == 1
    assert len(cut.corridor.polygons) == 1
    whole = path.trimmed(3.0)
    assert [type(leg) for leg in whole.legs] == [type(leg) for leg in path.legs]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_way_back_is_the_same_line_turned_round(seed: int) -> None:
    mesh = random_mesh(seed)
    for path in some_paths(mesh):
        back = path.reversed()
        if not back:
            assert path.links.any()
            continue
        assert np.array_equal(back.corridor.polygons, path.corridor.polygons[::-1])
        assert flat_length(back.points) == pytest.approx(flat_length(path.points), rel=1e-9, abs=1e-9)
        assert back.points[0] == pytest.approx(path.points[-1]) and back.points[-1] == pytest.approx(path.points[0])
        assert back.cost == path.cost


@pytest.mark.parametrize("both_ways", [True, False])
def test_a_path_over_a_link_turns_round_where_the_link_does(both_ways: bool) -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2), bidirectional=both_ways))
    path = mesh.find_path((1, 0, 2), (9, 0, 2))
    back = path.reversed()
    if both_ways:
        assert back and [leg.entry for leg in back.legs if isinstance(leg, LinkLeg)] == [(6.5, 0, 2)]
        assert back.reversed() == path
    else:
        assert back.status is PathStatus.INVALID_CORRIDOR and len(back) == 0
