"""What a length counts can be gone through and asked for by its index: points of paths, polygons, walls."""

from __future__ import annotations

import numpy as np
import pytest

from onepath import NavMeshQuery
from onepath.agents import PathFollower
from tests.meshes import grid

MESH = grid(8, 8)
START, END = MESH.snap((0.5, 0, 0.5)), MESH.snap((7.5, 0, 3.2))
QUERY = NavMeshQuery(MESH)


PATH = MESH.find_path(START, END)
LINE = QUERY.find_straight_path(START.point, END.point, PATH.corridor)
ROWS = {
    "Path": (PATH, PATH.points),
    "StraightPath": (LINE, LINE.points),
    "Corridor": (PATH.corridor, PATH.corridor.polygons),
    "Island": (MESH.islands()[0], MESH.islands()[0].polygons),
    "ReachableArea": (reached := MESH.reachable_within(START, 3.0), reached.polygons),
    "AreaPolygons": (around := QUERY.find_polygons_in_circle(START.ref, START.point, 2.0), around.polygons),
    "WallSegments": (walls := QUERY.find_walls(START.ref, START.point, 2.0), walls.segments),
}


@pytest.mark.parametrize(("result", "rows"), ROWS.values(), ids=ROWS)
def test_a_loop_goes_through_what_the_length_counts(result, rows) -> None:
    listed = list(result)
    assert len(listed) == len(result) == len(rows) > 1
    assert np.array_equal(np.array(listed), rows)


@pytest.mark.parametrize(("result", "rows"), ROWS.values(), ids=ROWS)
def test_an_index_and_a_slice_are_those_of_a_list(result, rows) -> None:
    listed = list(result)
    for index in (0, len(result) - 1, -1, -len(result), np.int64(1)):
        assert result[index] == listed[index]
    assert np.array_equal(result[1:], rows[1:]) and np.array_equal(result[::-2], rows[::-2])
    assert isinstance(result[0:1], np.ndarray)


@pytest.mark.parametrize(("result", "rows"), ROWS.values(), ids=ROWS)
def test_an_index_beyond_the_ends_or_none_at_all_is_refused(result, rows) -> None:
    for index in (len(rows), -len(rows) - 1):
        with pytest.raises(IndexError):
            result[index]
    for wrong in ("first", 0.0, None, (0, 1)):
        with pytest.raises(TypeError):
            result[wrong]


def test_one_position_is_a_tuple_of_floats_and_one_polygon_an_int() -> None:
    first = PATH[0]
    assert type(first) is tuple and [type(value) for value in first] == [float] * 3
    assert type(PATH.corridor[0]) is int and MESH.is_valid(PATH.corridor[0])
    assert all(type(corner) is tuple for corner in ROWS["WallSegments"][0][0])


def test_what_is_empty_has_nothing_to_go_through() -> None:
    nowhere = MESH.find_path(START, (100, 0, 100))
    assert list(nowhere) == list(nowhere.corridor) == []
    with pytest.raises(IndexError):
        nowhere[0]


def test_a_path_serves_where_points_are_asked_for() -> None:
    walker = PathFollower((0, 0, 0))
    walker.start(PATH)
    again = PathFollower((0, 0, 0))
    again.start(list(PATH))
    assert walker.remaining_distance == again.remaining_distance > 0
    assert np.array_equal(MESH.distances(START, PATH), MESH.distances(START, PATH.points))
