"""Corridors and straight paths in the caller's arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from onepath import NavMesh
from onepath.errors import ArgumentError
from onepath.query import Corridor, NavMeshQuery, PathStatus
from tests.links import link, two_rooms
from tests.meshes import grid

Question = tuple[int, tuple[float, ...], int, tuple[float, ...]]


@pytest.fixture(scope="module")
def squares() -> NavMesh:
    """An L of squares, so that the way across has a corner."""
    return grid(16, 16, holes={(i, j) for i in range(8) for j in range(8)})


def question(mesh: NavMesh) -> Question:
    start, end = mesh.snap((9.5, 0, 0.5)), mesh.snap((0.5, 0, 9.5))
    return start.ref, start.point, end.ref, end.point


@pytest.fixture
def whole(squares: NavMesh) -> Corridor:
    return NavMeshQuery(squares).find_corridor(*question(squares))


def test_the_array_has_the_corridor_s_polygons(squares: NavMesh, whole: Corridor) -> None:
    out = np.zeros(64, np.int64)
    given = NavMeshQuery(squares).find_corridor(*question(squares), out=out)
    assert given.status is whole.status and given.cost == whole.cost and not given.truncated
    assert np.array_equal(out[: len(given)], whole.polygons) and np.shares_memory(given.polygons, out)
    assert given.crossings.shape == (0, 2)


def test_with_an_array_for_the_crossings_it_is_the_whole_corridor(squares: NavMesh, whole: Corridor) -> None:
    out, crossings = np.zeros(64, np.int64), np.zeros((64, 2), np.int32)
    given = NavMeshQuery(squares).find_corridor(*question(squares), out=out, crossings_out=crossings)
    assert given == whole and np.array_equal(given.crossings, whole.crossings)
    assert squares.check_corridor(given)


@pytest.mark.parametrize("room", [0, 1, 5])
def test_an_array_that_is_too_short_has_the_first_part(squares: NavMesh, whole: Corridor, room: int) -> None:
    out = np.zeros(room, np.int64)
    given = NavMeshQuery(squares).find_corridor(*question(squares), out=out)
    assert given.truncated and len(given) == room and np.array_equal(out, whole.polygons[:room])
    assert given.status is PathStatus.SUCCESS


def test_a_short_array_of_crossings_keeps_none_of_them(squares: NavMesh, whole: Corridor) -> None:
    out, crossings = np.zeros(64, np.int64), np.zeros((3, 2), np.int32)
    given = NavMeshQuery(squares).find_corridor(*question(squares), out=out, crossings_out=crossings)
    assert given.crossings.shape == (0, 2) and not crossings.any()
    assert np.array_equal(given.polygons, whole.polygons)


@pytest.mark.parametrize("kept", [False, True])
def test_such_a_corridor_serves_where_corridors_do(squares: NavMesh, whole: Corridor, kept: bool) -> None:
    query, out = NavMeshQuery(squares), np.zeros(64, np.int64)
    crossings = np.zeros((64, 2), np.int32) if kept else None
    given = query.find_corridor(*question(squares), out=out, crossings_out=crossings)
    start, end = question(squares)[1], question(squares)[3]
    assert query.find_straight_path(start, end, given) == query.find_straight_path(start, end, whole)
    assert squares.check_corridor(given).standing == len(whole)
    assert pickle.loads(pickle.dumps(given)) == given


def test_links_are_kept_in_the_array_of_crossings() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2)))
    start, end = mesh.snap((1, 0, 2)), mesh.snap((9, 0, 2))
    query, out, crossings = NavMeshQuery(mesh), np.zeros(8, np.int64), np.zeros((8, 2), np.int32)
    given = query.find_corridor(start.ref, start.point, end.ref, end.point, out=out, crossings_out=crossings)
    points = np.zeros((8, 3))
    line = query.find_straight_path(start.point, end.point, given, out=points)
    assert line.links.tolist() == query.find_path(start, end).links.tolist() and line.links.any()


def test_the_array_has_the_line_s_points(squares: NavMesh, whole: Corridor) -> None:
    query = NavMeshQuery(squares)
    start, end = question(squares)[1], question(squares)[3]
    plain = query.find_straight_path(start, end, whole)
    points, polygons, marks = np.zeros((9, 3)), np.zeros(9, np.int64), np.zeros(9, np.uint8)
    given = query.find_straight_path(start, end, whole, out=points, polygons_out=polygons, marks_out=marks)
    assert given and given.length == plain.length and np.shares_memory(given.points, points)
    for name in ("points", "polygons", "marks", "links"):
        assert np.array_equal(getattr(given, name), getattr(plain, name))
    assert pickle.loads(pickle.dumps(given)).points.tolist() == plain.points.tolist()


@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_line_longer_than_the_array_is_truncated(squares: NavMesh, whole: Corridor, room: int) -> None:
    query, points = NavMeshQuery(squares), np.zeros((room, 3))
    start, end = question(squares)[1], question(squares)[3]
    plain = query.find_straight_path(start, end, whole)
    given = query.find_straight_path(start, end, whole, out=points)
    assert len(plain) > 2 and given.truncated and not given and len(given) == room
    assert np.array_equal(points, plain.points[:room])


def test_a_line_as_long_as_the_array_is_not_truncated(squares: NavMesh, whole: Corridor) -> None:
    query = NavMeshQuery(squares)
    start, end = question(squares)[1], question(squares)[3]
    points = np.zeros((len(query.find_straight_path(start, end, whole)), 3))
    assert query.find_straight_path(start, end, whole, out=points)


def test_a_corridor_that_is_none_writes_nothing(squares: NavMesh, whole: Corridor) -> None:
    points, polygons, marks = np.full((9, 3), -7.0), np.full(9, -7, np.int64), np.full(9, 7, np.uint8)
    start, end = question(squares)[1], question(squares)[3]
    apart = whole.polygons[::2].copy()
    outs = {"out": points, "polygons_out": polygons, "marks_out": marks}
    line = NavMeshQuery(squares).find_straight_path(start, end, apart, **outs)
    assert line.status is PathStatus.INVALID_CORRIDOR and len(line) == 0 and not line.truncated
    assert (points == -7.0).all() and (polygons == -7).all() and (marks == 7).all()


@pytest.mark.parametrize("out", [[0] * 8, np.zeros(8), np.zeros((2, 4), np.int64), np.zeros(8, np.int64)[::2]])
def test_what_is_no_array_of_references_is_refused_before_anything_changes(squares: NavMesh, out: object) -> None:
    with pytest.raises(ArgumentError, match=r"^out "):
        NavMeshQuery(squares).find_corridor(*question(squares), out=out)  # type: ignore[arg-type]


def test_an_array_that_cannot_be_written_is_refused(squares: NavMesh) -> None:
    out = np.zeros(8, np.int64)
    out.flags.writeable = False
    with pytest.raises(ArgumentError, match=r"^out "):
        NavMeshQuery(squares).find_corridor(*question(squares), out=out)


@pytest.mark.parametrize("name", ["polygons_out", "marks_out"])
def test_the_line_s_other_arrays_are_checked_as_well(squares: NavMesh, whole: Corridor, name: str) -> None:
    query, start, end = NavMeshQuery(squares), question(squares)[1], question(squares)[3]
    with pytest.raises(ArgumentError, match=rf"^{name} "):
        query.find_straight_path(start, end, whole, **{"out": np.zeros((9, 3)), name: np.zeros(9)})  # type: ignore[arg-type]


def test_crossings_alone_are_refused_before_the_search_is_replaced(squares: NavMesh) -> None:
    query = NavMeshQuery(squares)
    query.begin_path(*question(squares))
    query.update_path(5)
    with pytest.raises(ArgumentError, match="crossings_out goes with out"):
        query.finish_path(crossings_out=np.zeros((9, 2), np.int32))
    with pytest.raises(ArgumentError, match="crossings_out goes with out"):
        query.find_corridor(*question(squares), crossings_out=np.zeros((9, 2), np.int32))
    with pytest.raises(ArgumentError, match="out is"):
        query.find_corridor(*question(squares), out=np.zeros(9))
    assert query.update_path(1) is PathStatus.IN_PROGRESS and query.iterations == 6


def test_arrays_that_share_memory_are_refused_before_anything_is_written(squares: NavMesh, whole: Corridor) -> None:
    query, memory = NavMeshQuery(squares), np.full(64, 7, np.int64)
    ref, start, _, end = question(squares)
    points = np.zeros((64, 3))
    corridor = query.find_corridor(*question(squares))
    calls = {
        "crossings_out": lambda: query.find_corridor(
            *question(squares), out=memory, crossings_out=memory.view(np.int32).reshape(-1, 2)
        ),
        "polygons_out": lambda: query.find_straight_path(
            start, end, corridor, out=points, polygons_out=points.reshape(-1).view(np.int64)[191:]
        ),
        "parents_out": lambda: query.find_polygons_in_circle(ref, start, 4.0, out=memory[:40], parents_out=memory[39:]),
        "distances_out": lambda: query.find_walls(
            ref, start, 9.0, out=np.zeros((8, 6)), polygons_out=memory, distances_out=memory.view(np.float64)
        ),
    }
    for name, call in calls.items():
        with pytest.raises(ArgumentError, match=f"{name} shares memory"):
            call()
    assert (memory == 7).all() and not points.any()
    parts = query.find_polygons_in_circle(ref, start, 4.0, out=memory[:40], parents_out=memory[40:])
    assert parts.parents[1] == ref and parts.polygons[0] == ref
