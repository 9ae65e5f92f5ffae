"""NavMeshQuery itself: what it takes and refuses, as an object and in its arguments."""

from __future__ import annotations

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest

from onepath.errors import ArgumentError, BusyError, OnePathError
from onepath.query import NavMeshQuery, NavPoint, NodeModel, PathStatus, StraightPath
from tests.meshes import grid, strip, tiled_floor


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_nodes": 2**24 + 1}, "max_nodes"),
        ({"node_model": "polygon"}, "node_model"),
    ],
)
def test_arguments_of_a_query_object_are_checked(arguments: dict[str, object], name: str) -> None:
    with pytest.raises(ArgumentError, match=f"{name} is"):
        NavMeshQuery(strip(1), **arguments)  # type: ignore[arg-type]


def test_a_query_object_searches_polygons_with_65536_nodes_unless_told_otherwise() -> None:
    query = NavMeshQuery(strip(1))
    assert (query.node_model, query.max_nodes) == (NodeModel.POLYGON, 65536)
    assert NavMeshQuery(strip(1), NodeModel.CROSSING, max_nodes=7).node_model is NodeModel.CROSSING


def test_a_query_object_needs_a_mesh() -> None:
    with pytest.raises(ArgumentError, match="mesh is 'level'"):
        NavMeshQuery("level")  # type: ignore[arg-type]
    with pytest.raises(OnePathError, match="no mesh"):
        NavMeshQuery.__new__(NavMeshQuery).find_path((0, 0, 0), (1, 0, 0))
    with pytest.raises(OnePathError, match="no mesh"):
        NavMeshQuery.__new__(NavMeshQuery).are_on_mesh([(0, 0, 0)])


def test_a_commit_is_possible_between_calls_but_counts_as_misuse_within() -> None:
    mesh = strip(2)
    mesh._begin_reading()
    mesh.stage_tile_removal(0, 0)
    with pytest.raises(BusyError):
        mesh.commit()
    mesh._end_reading()
    assert mesh.commit() and mesh.debug.misuse == 1


def test_a_straight_path_takes_a_corridor_or_bare_references() -> None:
    mesh = grid(6, 4, holes=[(2, 0), (2, 1), (2, 2)])
    query = NavMeshQuery(mesh)
    path = query.find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    for corridor in (path.corridor, path.corridor.polygons, path.corridor.polygons.tolist()):
        line = query.find_straight_path((0.5, 0, 0.5), (5.5, 0, 0.5), corridor)
        assert line and np.array_equal(line.points, path.points)
        assert pickle.loads(pickle.dumps(line)) == line


def test_max_corners_gives_the_beginning_of_the_line() -> None:
    query = NavMeshQuery(grid(6, 4, holes=[(2, 0), (2, 1), (2, 2)]))
    path = query.find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    line = query.find_straight_path((0.5, 0, 0.5), (5.5, 0, 0.5), path.corridor, max_corners=2)
    assert line.truncated and not line
    assert line.points.tolist() == path.points[:2].tolist()


@pytest.mark.parametrize("corridor", [[], [0], [123456789], np.zeros(0, np.int64)])
def test_a_corridor_of_nothing_is_invalid(corridor: object) -> None:
    line = NavMeshQuery(strip(2)).find_straight_path((1, 0, 1), (7, 0, 1), corridor)  # type: ignore[arg-type]
    assert isinstance(line, StraightPath)
    assert (line.status, len(line)) == (PathStatus.INVALID_CORRIDOR, 0)


@pytest.mark.parametrize("corridor", [None, "ab", [1.5], [[1, 2]], np.zeros(2), [2**70]])
def test_something_else_than_a_corridor_is_refused(corridor: object) -> None:
    with pytest.raises(ArgumentError, match="corridor is"):
        NavMeshQuery(strip(2)).find_straight_path((1, 0, 1), (7, 0, 1), corridor)  # type: ignore[arg-type]


# --- what is a position, and what is no position, no number, no result


def test_numbers_of_a_position_may_be_of_any_real_kind() -> None:
    mesh = tiled_floor(5)
    expected = mesh.snap((1.0, 0.5, 2.0))
    for position in (
        [1, Fraction(1, 2), np.float32(2)],
        np.array([1, 0.5, 2], ">f4"),
        (np.array(1), 0.5, np.array(2.0)),
    ):
        assert mesh.snap(position) == expected  # type: ignore[arg-type]


def test_positions_may_lie_in_any_buffer() -> None:
    mesh = tiled_floor(5)
    places = np.array([(1.0, 0.0, 1.0), (1.0, 0.0, 3.0), (3.0, 0.0, 3.0)])
    buffer = memoryview(places)
    assert mesh.distances(places[0], buffer).tolist() == mesh.distances(places[0], places).tolist()  # type: ignore[arg-type]
    query, reference = NavMeshQuery(mesh), mesh.snap(places[0]).ref
    assert query.find_polygons_in_shape(reference, buffer) == query.find_polygons_in_shape(reference, places)  # type: ignore[arg-type]


#: More digits than Python is willing to write.
HUGE = 10**5000


def repr_of(value: object) -> str:
    return "an int of thousands of digits" if value is HUGE else repr(value)


class Forever:
    """A sequence that says that it has three members and never ends."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> float:
        return 1.0


@pytest.mark.parametrize(
    "position",
    [
        b"abc", bytearray(b"abc"), {1.0, 2.0, 3.0}, {1: 0, 2: 0, 3: 0}, ("1", "2", "3"), (True, 0, 0), Forever(),
        itertools.count(), (10**400, 0, 0), (0, HUGE, 0), np.zeros((1, 3)), np.array(["1", "2", "3"]),
        np.ones(3, complex), np.ones(3, np.complex64), (np.array(1j), 0, 0), (np.array(True), 0, 0),
        (np.array("1"), 0, 0),
    ],
)  # fmt: skip
def test_what_is_no_sequence_of_three_numbers_is_refused_by_name(position: object) -> None:
    mesh = tiled_floor(5)
    query = NavMeshQuery(mesh)
    calls = (
        lambda: mesh.find_path(position, (1, 0, 1)),  # type: ignore[arg-type]
        lambda: mesh.snap(position),  # type: ignore[arg-type]
        lambda: query.find_nearest_polygon((1, 0, 1), position),  # type: ignore[arg-type]
        lambda: NavPoint(5, position),  # type: ignore[arg-type]
    )
    for call, name in zip(calls, ("start", "position", "half_extents", "point"), strict=True):
        with pytest.raises(ArgumentError, match=name):
            call()


@pytest.mark.parametrize("number", [True, "1", 1.0, HUGE, np.array([1]), int, None], ids=repr_of)
def test_what_is_no_whole_number_in_range_is_refused_by_name(number: object) -> None:
    mesh = tiled_floor(5)
    query = NavMeshQuery(mesh)
    query.begin_path(*(2 * (mesh.reference(0, 0, 0), (1, 0, 1))))
    with pytest.raises(ArgumentError, match="max_iterations"):
        query.update_path(number)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="max_nodes"):
        NavMeshQuery(mesh, max_nodes=number)  # type: ignore[arg-type]


@pytest.mark.parametrize("reference", [2.5, True, "1", Fraction(3, 2), 2**63, HUGE, None], ids=repr_of)
def test_what_is_no_reference_is_refused_by_name(reference: object) -> None:
    mesh = tiled_floor(5)
    query = NavMeshQuery(mesh)
    calls = (
        lambda: query.surface_height(reference, (1, 0, 1)),  # type: ignore[arg-type]
        lambda: query.begin_path(reference, (1, 0, 1), 1, (1, 0, 1)),  # type: ignore[arg-type]
        lambda: mesh.is_valid(reference),
        lambda: NavPoint(reference, (1, 0, 1)),  # type: ignore[arg-type]
    )
    for call in calls:
        with pytest.raises(ArgumentError, match="ref"):
            call()


def test_damaged_pickles_of_results_are_refused() -> None:
    path = tiled_floor(5).find_path((1, 0, 1), (19, 0, 19))
    restore_path, (corridor, count, data, length) = path.__reduce__()  # type: ignore[misc]
    restore_corridor, (fields, polygons, references, *rest) = path.corridor.__reduce__()  # type: ignore[misc]
    refused = (
        lambda: restore_path(None, count, data, length),
        lambda: restore_path(path, count, data, length),
        lambda: restore_path(corridor, -1, data, length),
        lambda: restore_path(corridor, count + 1, data, length),
        lambda: restore_path(corridor, 2**32 // 33 + 1, b"", length),
        lambda: restore_corridor((), polygons, references, *rest),
        lambda: restore_corridor(None, polygons, references, *rest),
        lambda: restore_corridor(fields, -1, b"", *rest),
        lambda: restore_corridor(fields, 2**28 + 1, bytes(8), *rest),
        lambda: restore_corridor(fields, polygons, references[:-1], *rest),
    )
    for restore in refused:
        with pytest.raises((TypeError, ValueError, OverflowError)):
            restore()


def test_the_bases_of_a_query_are_not_made_on_their_own() -> None:
    bases = NavMeshQuery.__mro__[1:-1]
    assert len(bases) > 1
    for base in bases:
        with pytest.raises(TypeError, match=f"{base.__name__} is a base of NavMeshQuery; make a NavMeshQuery"):
            base(strip(2))


def test_a_query_and_a_search_say_that_they_are_not_pickled() -> None:
    mesh = strip(2)
    for what, text in (
        (NavMeshQuery(mesh), "a NavMeshQuery .* is not pickled or copied; pickle its mesh"),
        (mesh.begin_path((1, 0, 1), (7, 0, 1)), "a PathSearch is not pickled or copied"),
    ):
        for protocol in (0, 2, pickle.HIGHEST_PROTOCOL):
            with pytest.raises(TypeError, match=text):
                pickle.dumps(what, protocol)
