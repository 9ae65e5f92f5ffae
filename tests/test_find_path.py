"""The one-call forms: NavMesh.find_path, begin_path, snap, and NavMeshQuery.find_path."""

from __future__ import annotations

import gc
import itertools
import math
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest

from onepath._one_call import NavMesh, PathSearch
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, BusyError, OnePathError, RangeError
from onepath.mesh.settings import MeshSettings
from onepath.query import NavMeshQuery, NavPoint, NodeModel, Path, PathMark, PathStatus, QueryFilter, StraightPath
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of, two_floors


def as_one(mesh: object) -> NavMesh:
    """The mesh under the class that type checkers know the attached methods of."""
    assert isinstance(mesh, NavMesh)
    return mesh


def floor(tile_size: int, side: int = 20, other: tuple[int, int] | None = None) -> NavMesh:
    """A square floor of side * side metres cut by tiles of tile_size, one polygon a tile or part of one."""
    polygons, areas = [], []
    for z in range(0, side, tile_size):
        for x in range(0, side, tile_size):
            polygons.append(rectangle(x, z, min(x + tile_size, side), min(z + tile_size, side)))
            areas.append(2 if other and other[0] <= x < other[1] and other[0] <= z < other[1] else 1)
    return as_one(mesh_of(polygons, settings_of(tile_size), areas=areas))


# --- find_path


@pytest.mark.parametrize("tile_size", [2, 5, 8])
def test_a_path_in_sight_is_straight(tile_size: int) -> None:  # case C42
    mesh = floor(tile_size)
    chance = random.Random(tile_size)
    for _ in range(200):
        start = (chance.uniform(0, 20), 0.0, chance.uniform(0, 20))
        end = (chance.uniform(0, 20), 0.0, chance.uniform(0, 20))
        path = mesh.find_path(start, end)
        assert path and len(path) == 2
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_another_area_of_equal_cost_does_not_bend_a_path() -> None:  # case C42
    mesh = floor(2, other=(6, 12))
    chance = random.Random(6)
    for _ in range(200):
        start, end = ((chance.uniform(0, 20), 0.0, chance.uniform(0, 20)) for _ in range(2))
        path = mesh.find_path(start, end, QueryFilter(costs={2: 1.0}))
        assert path.length == pytest.approx(math.dist(start, end), abs=1e-6)


def test_a_path_to_where_it_starts_is_one_point() -> None:  # case C42
    path = floor(5).find_path((3, 0, 3), (3, 0, 3))
    assert path
    assert (path.points.tolist(), path.length, path.cost) == ([[3, 0, 3]], 0.0, 0.0)
    assert path.marks.tolist() == [PathMark.START | PathMark.END]


def test_start_and_end_in_one_polygon_are_joined_directly() -> None:  # case C42
    path = floor(8).find_path((1, 0, 1), (5, 0, 4))
    assert (path.points.tolist(), len(path.corridor)) == ([[1, 0, 1], [5, 0, 4]], 1)
    assert path.length == path.cost == 5.0


def test_a_path_from_outside_the_mesh_starts_at_its_border() -> None:  # case C42
    path = floor(5).find_path((-0.2, 0, 3), (-0.2, 0, 3))
    assert path
    assert (path.points.tolist(), path.length) == ([[0, 0, 3]], 0.0)


def test_a_path_bends_at_corners_only() -> None:
    # A wall between x = 2 and 3, open at the top.
    halls = [rectangle(0, 0, 2, 3), rectangle(3, 0, 6, 3)]
    top = [rectangle(0, 3, 2, 4), rectangle(2, 3, 3, 4), rectangle(3, 3, 6, 4)]
    mesh = as_one(mesh_of([*halls, *top]))
    path = mesh.find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    assert path.points.tolist() == [[0.5, 0, 0.5], [2, 0, 3], [3, 0, 3], [5.5, 0, 0.5]]
    assert path.marks.tolist() == [PathMark.START, 0, 0, PathMark.END]
    assert path.length == pytest.approx(math.hypot(1.5, 2.5) + 1 + math.hypot(2.5, 2.5), abs=1e-12)


def test_the_polygons_of_a_path_are_those_entered_after_each_point() -> None:
    mesh = as_one(strip(3))
    path = mesh.find_path((1, 0, 1), (11, 0, 1))
    assert path.polygons.tolist() == [path.corridor.polygons[0], path.corridor.polygons[-1]]


def test_length_counts_height() -> None:
    mesh = as_one(mesh_of([[(0, 0.0, 0), (0, 0.0, 4), (4, 3.0, 4), (4, 3.0, 0)]]))
    assert mesh.find_path((0, 0, 2), (4, 3, 2)).length == pytest.approx(5.0, abs=1e-12)


def test_a_partial_path_ends_at_the_point_of_its_last_polygon_nearest_to_the_end() -> None:
    path = as_one(two_floors()).find_path((1, 0, 1), (15, 3, 6))
    assert path.status is PathStatus.PARTIAL and path.partial and not path
    assert path.points[-1].tolist() == [15, 0, 6]


def test_a_filter_changes_the_way() -> None:
    mesh = as_one(grid(3, 3, side=2.0, areas=[1, 1, 1, 1, 2, 1, 1, 1, 1]))
    assert len(mesh.find_path((1, 0, 3), (5, 0, 3))) == 2
    assert len(mesh.find_path((1, 0, 3), (5, 0, 3), filter=QueryFilter(costs={2: math.inf}))) > 2


def test_the_mesh_and_a_query_with_the_same_reach_find_the_same() -> None:
    mesh = as_one(grid(8, 8, holes=[(3, z) for z in range(7)]))
    query = NavMeshQuery(mesh)
    for start, end in [((0.5, 0, 0.5), (7.5, 0, 0.5)), ((5.5, 0, 5.5), (0.5, 0, 7.5))]:
        assert mesh.find_path(start, end) == query.find_path(start, end)


@pytest.mark.parametrize("name", ["start", "end"])
def test_a_bad_position_is_named_before_anything_else(name: str) -> None:
    mesh = as_one(NavMesh(settings_of()))
    positions = {"start": (0.0, 0.0, 0.0), "end": (0.0, 0.0, 0.0), name: (0.0, math.nan, 0.0)}
    with pytest.raises(ArgumentError, match=rf"{name}\[1\] is NaN"):
        mesh.find_path(**positions)
    with pytest.raises(ArgumentError, match=rf"{name}\[1\] is NaN"):
        mesh.begin_path(**positions)


# --- NavPoint


def test_a_nav_point_is_taken_as_it_is() -> None:
    mesh = as_one(two_floors(1.0))
    upper = mesh.snap((1, 0.9, 1))
    assert upper.point == (1, 1, 1)
    # As a bare position (1, 0.4, 1) would snap to the lower floor.
    path = mesh.find_path(NavPoint(upper.ref, (1, 0.4, 1)), mesh.snap((9, 1, 1)))
    assert path and path.points[0].tolist() == [1, 1, 1]


def test_a_stale_nav_point_is_invalid() -> None:
    mesh = as_one(strip(2))
    here, there = mesh.snap((1, 0, 1)), mesh.snap((7, 0, 1))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 4)], mesh.settings))
    mesh.commit()
    assert mesh.find_path(here, (7, 0, 1)).status is PathStatus.INVALID_START
    assert mesh.find_path((1, 0, 1), there).status is PathStatus.INVALID_END


def test_a_nav_point_that_the_filter_rejects_is_invalid() -> None:
    mesh = as_one(strip(2, areas=[1, 2]))
    forbidden = QueryFilter(costs={2: math.inf})
    assert mesh.find_path((1, 0, 1), mesh.snap((7, 0, 1)), forbidden).status is PathStatus.INVALID_END


def test_a_nav_point_that_was_not_found_is_no_start() -> None:
    mesh = as_one(strip(2))
    nowhere = mesh.snap((500, 0, 500))
    assert not nowhere and nowhere.point is None
    assert mesh.find_path(nowhere, (1, 0, 1)).status is PathStatus.NO_START
    assert mesh.find_path((1, 0, 1), nowhere).status is PathStatus.NO_END


def test_a_nav_point_serves_wherever_a_position_is_wanted() -> None:
    mesh = as_one(strip(2))
    query = NavMeshQuery(mesh)
    here, there = mesh.snap((1, 0, 1)), mesh.snap((7, 0, 1))
    assert query.find_nearest_polygon(here).point == (1, 0, 1)
    assert query.surface_height(here.ref, here) == 0.0
    corridor = query.find_corridor(here.ref, here, there.ref, there)
    assert corridor and query.find_straight_path(here, there, corridor).length == 6.0
    assert mesh.snap(here) is here


def test_a_nav_point_without_a_place_has_no_position() -> None:
    query = NavMeshQuery(strip(2))
    with pytest.raises(ArgumentError, match="which has no position"):
        query.find_nearest_polygon(NavPoint(0, None))
    with pytest.raises(ArgumentError, match="start is NavPoint"):
        query.find_straight_path(NavPoint(0, None), (1, 0, 1), [1])


def test_nav_points_are_values() -> None:
    point = NavPoint(5, (1, 2, 3))
    assert point == NavPoint(5, [1.0, 2.0, 3.0]) and hash(point) == hash(NavPoint(5, (1, 2, 3)))
    assert pickle.loads(pickle.dumps(point)) == point
    match point:
        case NavPoint(ref, (x, _, _)):
            assert (ref, x) == (5, 1.0)


@pytest.mark.parametrize("arguments", [(-1, (0, 0, 0)), ("a", (0, 0, 0)), (2**63, (0, 0, 0)), (1, None)])
def test_a_nav_point_of_nonsense_is_refused(arguments: tuple[object, object]) -> None:
    with pytest.raises(ArgumentError):
        NavPoint(*arguments)  # type: ignore[arg-type]


# --- snap


def test_snap_reach_follows_the_agent() -> None:
    settings = MeshSettings(agent=AgentShape(radius=0.6, height=2.0), cell_size=0.25, tile_cells=32)
    assert NavMesh(settings).snap_reach == (1.2, 2.0, 1.2)
    assert NavMesh(settings_of()).snap_reach == (2.0, 1.8, 2.0)


def test_snap_finds_the_floor_within_reach() -> None:
    mesh = as_one(strip(2))
    assert mesh.snap((1, 1.7, 1)).point == (1, 0, 1)
    assert mesh.snap((-1.9, 0, 1)).point == (0, 0, 1)
    assert not mesh.snap((1, 1.9, 1)) and not mesh.snap((-2.1, 0, 1))


def test_each_direction_of_snap_can_be_told() -> None:
    mesh = as_one(strip(2))
    assert mesh.snap((1, 5, 1), down=5) and not mesh.snap((1, 5, 1), up=5)
    assert mesh.snap((1, -5, 1), up=5) and not mesh.snap((1, -5, 1), down=5)
    assert mesh.snap((-5, 0, 1), horizontal=5) and not mesh.snap((-5, 0, 1), horizontal=4)


@pytest.mark.parametrize("name", ["up", "down", "horizontal"])
def test_a_reach_is_finite_and_not_negative(name: str) -> None:
    mesh = as_one(strip(1))
    for value in (-1.0, math.inf):
        with pytest.raises(RangeError, match=f"{name} is"):
            mesh.snap((0, 0, 0), **{name: value})
    with pytest.raises(ArgumentError, match=f"{name} is NaN"):
        mesh.snap((0, 0, 0), **{name: math.nan})


# --- begin_path


def test_a_sliced_path_is_the_path_of_one_call() -> None:
    mesh = as_one(grid(12, 12, holes=[(5, z) for z in range(11)]))
    whole = mesh.find_path((0.5, 0, 0.5), (11.5, 0, 0.5))
    for iterations in (1, 5, 1000):
        search = mesh.begin_path((0.5, 0, 0.5), (11.5, 0, 0.5))
        assert search.status is PathStatus.IN_PROGRESS and search.path is None
        while search.update(iterations) is PathStatus.IN_PROGRESS:
            assert search.path is None
        assert search.status is PathStatus.SUCCESS
        assert search.path == search.finish() == whole


def test_an_unfinished_search_gives_what_it_has() -> None:
    mesh = as_one(strip(20))
    search = mesh.begin_path((1, 0, 1), (79, 0, 1))
    search.update(5)
    assert search.iterations == 5
    path = search.finish()
    assert (path.status, path.partial, len(path.corridor)) == (PathStatus.IN_PROGRESS, True, 5)
    assert search.update(1000) is PathStatus.IN_PROGRESS and search.path is path


def test_a_search_that_needs_no_search_is_done_at_once() -> None:
    search = as_one(strip(2)).begin_path((500, 0, 0), (1, 0, 1))
    assert search.status is PathStatus.NO_START
    assert search.path is not None and search.path.status is PathStatus.NO_START


def test_searches_of_one_mesh_do_not_disturb_each_other() -> None:
    mesh = as_one(strip(12))
    ends = [(47 - 4 * i, 0, 2) for i in range(8)]
    searches = [mesh.begin_path((1, 0, 2), end) for end in ends]
    while any([search.update(1) is PathStatus.IN_PROGRESS for search in searches]):
        assert mesh.find_path((1, 0, 2), (9, 0, 2))
    for search, end in zip(searches, ends, strict=True):
        assert search.path == mesh.find_path((1, 0, 2), end)


def test_a_search_is_stale_after_a_commit_and_frees_its_query() -> None:
    mesh = as_one(strip(12))
    search = mesh.begin_path((1, 0, 2), (47, 0, 2))
    search.update(2)
    mesh.stage_tile_removal(5, 0)
    mesh.commit()
    assert search.update(1000) is PathStatus.STALE
    assert search.path is not None
    assert (search.path.status, len(search.path), search.path.partial) == (PathStatus.STALE, 0, False)


def test_pooled_queries_answer_as_new_ones_after_edits() -> None:
    mesh = as_one(strip(8))
    for _ in range(3):
        assert mesh.find_path((1, 0, 1), (31, 0, 3)) == NavMeshQuery(mesh).find_path((1, 0, 1), (31, 0, 3))
        mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 16, 4)], mesh.settings))
        mesh.commit()
        mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 12, 4), rectangle(12, 0, 16, 4)], mesh.settings))
        mesh.commit()


def test_a_mesh_keeps_at_most_four_spare_queries() -> None:
    def queries() -> int:
        gc.collect()
        return sum(type(thing) is NavMeshQuery for thing in gc.get_objects())

    mesh = as_one(strip(2))
    before = queries()
    searches = [mesh.begin_path((1, 0, 1), (7, 0, 1)) for _ in range(6)]
    assert queries() - before == 6
    assert all([search.finish().status is PathStatus.IN_PROGRESS for search in searches])
    assert queries() - before == 4
    mesh.find_path((1, 0, 1), (7, 0, 1))
    assert queries() - before == 4
    del mesh
    assert queries() == before


def test_a_path_search_is_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match=r"NavMesh\.begin_path"):
        PathSearch()
    with pytest.raises(ArgumentError):
        PathSearch.__new__(PathSearch).finish()


# --- results


def test_a_path_survives_pickling_with_its_corridor() -> None:
    path = as_one(grid(6, 4, holes=[(2, 0), (2, 1)])).find_path((0.5, 0, 0.5), (5.5, 0, 0.5))
    copy = pickle.loads(pickle.dumps(path))
    assert copy == path and hash(copy) == hash(path)
    assert copy.corridor == path.corridor
    assert np.array_equal(copy.points, path.points)


def test_paths_can_be_matched() -> None:
    match as_one(strip(2)).find_path((1, 0, 1), (7, 0, 1)):
        case Path(PathStatus.SUCCESS, points):
            assert points.shape == (2, 3)
        case other:
            raise AssertionError(other)


def test_arrays_of_a_path_are_read_only_and_outlive_it() -> None:
    points = as_one(strip(2)).find_path((1, 0, 1), (7, 0, 1)).points
    assert points.tolist() == [[1, 0, 1], [7, 0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        points[0, 0] = 5.0


def test_results_are_not_changed_by_later_calls() -> None:
    query = NavMeshQuery(strip(12))
    first = query.find_path((1, 0, 1), (47, 0, 1))
    before = (first.points.tolist(), first.corridor.polygons.tolist())
    for x in range(2, 40):
        query.find_path((float(x), 0, 3), (1, 0, 1))
    assert (first.points.tolist(), first.corridor.polygons.tolist()) == before


# --- the query's own forms


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


def test_update_needs_a_search() -> None:
    query = NavMeshQuery(strip(2))
    for call in (lambda: query.update_path(1), query.finish_path):
        with pytest.raises(OnePathError, match="begin one first"):
            call()


def test_find_path_replaces_a_sliced_search() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    query.begin_path(mesh.reference(0, 0, 0), (1, 0, 1), mesh.reference(1, 0, 0), (9, 0, 1))
    query.find_path((1, 0, 1), (7, 0, 1))
    with pytest.raises(OnePathError, match="begin one first"):
        query.update_path(1)


@pytest.mark.parametrize("iterations", [-1, 2**63])
def test_iterations_are_counted_from_0(iterations: int) -> None:
    search = as_one(strip(2)).begin_path((1, 0, 1), (7, 0, 1))
    with pytest.raises(RangeError, match=f"^iterations is {iterations}"):
        search.update(iterations)


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


def test_a_commit_is_possible_between_calls_but_counts_as_misuse_within() -> None:
    mesh = strip(2)
    mesh._begin_reading()
    mesh.stage_tile_removal(0, 0)
    with pytest.raises(BusyError):
        mesh.commit()
    mesh._end_reading()
    assert mesh.commit() and mesh.debug.misuse == 1


# --- what is no position, no number, no result


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
    ],
)  # fmt: skip
def test_what_is_no_sequence_of_three_numbers_is_refused_by_name(position: object) -> None:
    mesh = floor(5)
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
    mesh = floor(5)
    query = NavMeshQuery(mesh)
    query.begin_path(*(2 * (mesh.reference(0, 0, 0), (1, 0, 1))))
    with pytest.raises(ArgumentError, match="max_iterations"):
        query.update_path(number)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="max_nodes"):
        NavMeshQuery(mesh, max_nodes=number)  # type: ignore[arg-type]


@pytest.mark.parametrize("reference", [2.5, True, "1", Fraction(3, 2), 2**63, HUGE, None], ids=repr_of)
def test_what_is_no_reference_is_refused_by_name(reference: object) -> None:
    mesh = floor(5)
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


def test_a_nav_point_is_a_value_and_cannot_be_made_anew() -> None:
    mesh = floor(5)
    for point in (NavPoint(0, None), NavPoint(5, (0, 0, 0)), mesh.snap((1, 0, 1)), mesh.snap((900, 0, 1))):
        before = (hash(point), repr(point))
        with pytest.raises(TypeError, match="once"):
            point.__init__(7, (1, 2, 3))  # type: ignore[misc]
        assert (hash(point), repr(point)) == before


def test_damaged_pickles_of_results_are_refused() -> None:
    path = floor(5).find_path((1, 0, 1), (19, 0, 19))
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
