"""Which status a search answers, and in which order the reasons count."""

from __future__ import annotations

import math
import pickle

import pytest

from onepath._one_call import NavMesh
from onepath.answers import Answer
from onepath.build.report import BakeStatus
from onepath.mesh.link import LinkEndStatus, LinkStatus
from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter, QueryStatus
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of


def streamed(
    cells: list[tuple[int, int]], grid_bounds: tuple[int, int, int, int] | None, settings: object = None
) -> NavMesh:
    """A mesh of whole tiles of 8 m, only those named loaded."""
    mesh = NavMesh(settings_of(), grid_bounds)
    for column, row in cells:
        x, z = 8 * column, 8 * row
        mesh.stage_tile(tile_of(column, row, [rectangle(x, z, x + 8, z + 8)], mesh.settings))
    mesh.commit()
    return mesh


# --- no mesh


def test_before_the_first_commit_there_is_no_mesh() -> None:  # case C22
    mesh = NavMesh(settings_of(), (0, 0, 0, 0))
    query = NavMeshQuery(mesh)

    def statuses() -> list[object]:
        return [
            mesh.find_path((1, 0, 1), (2, 0, 2)).status,
            mesh.begin_path((1, 0, 1), (2, 0, 2)).status,
            query.find_path((1, 0, 1), (2, 0, 2)).status,
            bool(mesh.snap((1, 0, 1))),
            bool(query.find_nearest_polygon((1, 0, 1))),
        ]

    assert statuses() == [PathStatus.NO_MESH] * 3 + [False, False]
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], mesh.settings))
    assert statuses() == [PathStatus.NO_MESH] * 3 + [False, False]
    before = mesh.edit_count
    mesh.commit()
    assert statuses() == [PathStatus.SUCCESS, PathStatus.IN_PROGRESS, PathStatus.SUCCESS, True, True]
    assert mesh.edit_count == before + 1


def test_no_mesh_comes_before_any_other_status() -> None:
    for bounds in ((0, 0, 3, 3), None):
        mesh = NavMesh(settings_of(), bounds)
        assert mesh.find_path((1, 0, 1), (9, 0, 9)).status is PathStatus.NO_MESH


def test_a_reference_into_no_mesh_is_an_invalid_one() -> None:
    for bounds in ((0, 0, 3, 3), None):
        query = NavMeshQuery(NavMesh(settings_of(), bounds))
        assert query.find_corridor(5, (1, 0, 1), 6, (9, 0, 9)).status is PathStatus.INVALID_START
        assert query.begin_path(5, (1, 0, 1), 6, (9, 0, 9)) is PathStatus.INVALID_START


def test_a_mesh_of_empty_tiles_is_a_mesh_without_a_start() -> None:
    mesh = streamed([], (0, 0, 0, 0))
    mesh.stage_tile(tile_of(0, 0, [], mesh.settings))
    mesh.commit()
    assert mesh.find_path((1, 0, 1), (2, 0, 2)).status is PathStatus.NO_START


def test_all_tiles_removed_is_no_mesh_again() -> None:
    mesh = streamed([(0, 0)], (0, 0, 0, 0))
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    assert mesh.find_path((1, 0, 1), (2, 0, 2)).status is PathStatus.NO_MESH


# --- ends


@pytest.mark.parametrize(
    ("start", "end", "status", "detail"),
    [
        ((-50, 0, 0), (1, 0, 1), PathStatus.NO_START, QueryStatus.NO_START_NEARBY),
        ((1, 0, 1), (-50, 0, 0), PathStatus.NO_END, QueryStatus.NO_END_NEARBY),
        ((-50, 0, 0), (-50, 0, 0), PathStatus.NO_START, QueryStatus.NO_START_NEARBY),
    ],
)
def test_an_end_far_from_the_mesh_is_named(
    start: tuple[float, float, float], end: tuple[float, float, float], status: PathStatus, detail: QueryStatus
) -> None:
    path = NavMeshQuery(strip(2)).find_path(start, end)
    assert (path.status, path.detail, len(path), path.partial) == (status, detail, 0, False)
    assert path.points.shape == (0, 3) and len(path.corridor) == 0


def test_a_filter_that_rejects_all_leaves_no_start() -> None:
    path = NavMeshQuery(strip(2)).find_path((1, 0, 1), (7, 0, 1), QueryFilter(include_flags=0))
    assert path.status is PathStatus.NO_START


def test_references_that_name_nothing_are_invalid() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    good, here = mesh.reference(0, 0, 0), (1.0, 0.0, 1.0)
    for bad in (0, -1, 5, good + 7, good + (1 << 41), 2**62):
        assert query.find_corridor(bad, here, good, here).status is PathStatus.INVALID_START
        assert query.find_corridor(good, here, bad, here).status is PathStatus.INVALID_END
        assert query.begin_path(bad, here, bad, here) is PathStatus.INVALID_START


def test_an_invalid_search_stays_invalid_when_updated() -> None:
    query = NavMeshQuery(strip(2))
    query.begin_path(0, (1, 0, 1), 0, (1, 0, 1))
    assert query.update_path(10) is PathStatus.INVALID_START
    assert query.finish_path().status is PathStatus.INVALID_START


def test_a_rejected_reference_is_invalid() -> None:
    mesh = strip(2, areas=[1, 2])
    first, second = mesh.reference(0, 0, 0), mesh.reference(0, 0, 1)
    forbidden = QueryFilter(costs={2: math.inf})
    query = NavMeshQuery(mesh)
    assert query.find_corridor(second, (5, 0, 1), first, (1, 0, 1), filter=forbidden).status is PathStatus.INVALID_START
    assert query.find_corridor(first, (1, 0, 1), second, (5, 0, 1), filter=forbidden).status is PathStatus.INVALID_END


# --- not loaded


def test_a_search_that_met_a_frontier_is_not_loaded() -> None:
    mesh = streamed([(0, 0), (3, 0)], (0, 0, 3, 0))
    path = mesh.find_path((1, 0, 4), (30, 0, 4))
    assert (path.status, path.detail) == (PathStatus.NOT_LOADED, QueryStatus.FRONTIER)
    assert path.missing_tiles == ((1, 0),) == path.corridor.missing_tiles
    assert path.points[-1].tolist() == [8, 0, 4] and path.partial


def test_beyond_the_bounds_is_void_and_a_wall() -> None:
    mesh = streamed([(0, 0), (2, 0)], (0, 0, 2, 0))
    mesh.stage_tile(tile_of(1, 0, [], mesh.settings))
    mesh.commit()
    path = mesh.find_path((1, 0, 4), (20, 0, 4))
    assert (path.status, path.missing_tiles) == (PathStatus.PARTIAL, ())


def test_in_an_open_mesh_every_side_without_a_tile_is_a_frontier() -> None:
    mesh = streamed([(0, 0), (2, 0)], None)
    path = mesh.find_path((1, 0, 4), (20, 0, 4))
    assert path.status is PathStatus.NOT_LOADED
    assert path.missing_tiles == ((1, 0), (0, -1), (0, 1), (-1, 0))


def test_missing_tiles_come_nearest_to_the_end_first_and_once() -> None:
    # A ring of loaded tiles round (1, 1), which is missing, and an end far up: the top row is nearest.
    ring = [(c, r) for c in range(3) for r in range(3) if (c, r) != (1, 1)]
    mesh = streamed([*ring, (9, 9)], (-1, -1, 9, 9))
    path = mesh.find_path((1, 0, 1), (78, 0, 78))
    assert path.status is PathStatus.NOT_LOADED
    assert len(set(path.missing_tiles)) == len(path.missing_tiles) == 13
    assert path.missing_tiles[:3] == ((2, 3), (3, 2), (1, 3))
    assert (1, 1) in path.missing_tiles
    assert path.missing_tiles[-2:] == ((-1, 0), (0, -1))


def test_a_search_that_reaches_the_end_does_not_mind_frontiers() -> None:
    mesh = streamed([(0, 0), (1, 0)], None)
    path = mesh.find_path((1, 0, 4), (15, 0, 4))
    assert (path.status, path.missing_tiles) == (PathStatus.SUCCESS, ())


def test_a_frontier_on_a_side_without_an_edge_does_not_count() -> None:
    mesh = NavMesh(settings_of(), (0, 0, 1, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 2, 8), rectangle(4, 0, 6, 8)], mesh.settings))
    mesh.commit()
    assert mesh.find_path((1, 0, 4), (5, 0, 4)).status is PathStatus.PARTIAL


def test_the_node_limit_comes_before_a_frontier() -> None:
    mesh = streamed([(0, 0), (1, 0), (2, 0), (9, 0)], None)
    path = NavMeshQuery(mesh, max_nodes=2).find_path((1, 0, 4), (75, 0, 4))
    assert (path.status, path.detail) == (PathStatus.PARTIAL, QueryStatus.NODE_LIMIT)
    assert path.node_limit_reached and path.missing_tiles == ()


@pytest.mark.parametrize("model", NodeModel)
def test_both_models_meet_the_same_frontiers(model: NodeModel) -> None:
    mesh = streamed([(0, 0), (1, 0), (1, 1), (5, 5)], (0, 0, 5, 5))
    path = NavMeshQuery(mesh, model).find_path((1, 0, 1), (44, 0, 44))
    assert path.missing_tiles == ((1, 2), (2, 1), (2, 0), (0, 1))


def test_a_start_whose_box_touches_a_missing_tile_is_not_loaded() -> None:
    mesh = streamed([(0, 0)], (0, 0, 3, 3))
    path = mesh.find_path((20, 0, 4), (1, 0, 1))
    assert (path.status, path.detail) == (PathStatus.NOT_LOADED, QueryStatus.START_NOT_LOADED)
    assert path.missing_tiles == ((2, 0),)
    assert len(path) == 0 and not path.partial


def test_an_end_whose_box_touches_missing_tiles_lists_them_nearest_first() -> None:
    mesh = streamed([(0, 0)], (0, 0, 3, 3))
    path = mesh.find_path((1, 0, 1), (17, 0, 9.5))
    assert (path.status, path.detail) == (PathStatus.NOT_LOADED, QueryStatus.END_NOT_LOADED)
    assert path.missing_tiles == ((2, 1), (1, 1), (2, 0), (1, 0))


def test_a_box_beyond_the_bounds_is_no_end_and_not_missing() -> None:
    mesh = streamed([(0, 0)], (0, 0, 0, 0))
    assert mesh.find_path((1, 0, 1), (20, 0, 4)).status is PathStatus.NO_END


def test_a_found_start_does_not_look_for_missing_tiles() -> None:
    mesh = streamed([(0, 0)], (0, 0, 3, 3))
    assert mesh.find_path((7.5, 0, 7.5), (1, 0, 1)).status is PathStatus.SUCCESS


# --- slices


def test_a_commit_between_slices_makes_the_search_stale() -> None:
    mesh = strip(8)
    query = NavMeshQuery(mesh)
    first, last = mesh.reference(0, 0, 0), mesh.reference(3, 0, 1)
    query.begin_path(first, (1, 0, 1), last, (31, 0, 1))
    query.update_path(2)
    mesh.stage_tile(tile_of(3, 0, [rectangle(24, 0, 32, 4)], mesh.settings))
    assert query.update_path(1) is PathStatus.IN_PROGRESS
    mesh.commit()
    assert query.update_path(100) is PathStatus.STALE
    corridor = query.finish_path()
    assert (corridor.status, corridor.detail, len(corridor)) == (PathStatus.STALE, QueryStatus.STALE, 0)
    assert query.update_path(100) is PathStatus.STALE


def test_a_finished_search_is_stale_too_once_the_mesh_has_changed() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    query.begin_path(mesh.reference(0, 0, 0), (1, 0, 1), mesh.reference(0, 0, 1), (7, 0, 1))
    assert query.update_path(100) is PathStatus.SUCCESS
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 4)], mesh.settings))
    mesh.commit()
    assert query.finish_path().status is PathStatus.STALE


def test_a_commit_of_nothing_does_not_disturb_a_search() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    query.begin_path(mesh.reference(0, 0, 0), (1, 0, 1), mesh.reference(0, 0, 1), (7, 0, 1))
    mesh.commit()
    assert query.update_path(100) is PathStatus.SUCCESS


def test_a_search_needs_a_slice_with_budget_left_to_end() -> None:
    # Two expansions; the terminal is taken off the list by the slice after them.
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    query.begin_path(mesh.reference(0, 0, 0), (1, 0, 1), mesh.reference(0, 0, 1), (7, 0, 1))
    assert query.update_path(0) is PathStatus.IN_PROGRESS
    assert query.update_path(2) is PathStatus.IN_PROGRESS
    assert query.update_path(0) is PathStatus.IN_PROGRESS
    assert query.update_path(1) is PathStatus.SUCCESS
    assert query.iterations == 2


def test_with_nothing_expanded_the_corridor_is_the_start_polygon() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    first = mesh.reference(0, 0, 0)
    query.begin_path(first, (1, 0, 1), mesh.reference(0, 0, 1), (7, 0, 1))
    corridor = query.finish_path()
    assert corridor.status is PathStatus.IN_PROGRESS
    assert (corridor.polygons.tolist(), corridor.cost) == ([first], 0.0)


@pytest.mark.parametrize("model", NodeModel)
def test_an_island_is_partial(model: NodeModel) -> None:
    mesh = grid(5, 1, side=4.0, holes=[(2, 0)])
    path = NavMeshQuery(mesh, model).find_path((1, 0, 2), (19, 0, 2))
    assert (path.status, path.detail) == (PathStatus.PARTIAL, QueryStatus.PARTIAL)
    assert path.points[-1].tolist() == [8, 0, 2]


def test_the_truth_of_a_path_is_whether_it_reaches_the_end() -> None:
    mesh = mesh_of([rectangle(0, 0, 2, 2), rectangle(4, 0, 6, 2)])
    query = NavMeshQuery(mesh)
    assert query.find_path((1, 0, 1), (1.5, 0, 1))
    assert not query.find_path((1, 0, 1), (5, 0, 1))


# --- advice


@pytest.mark.parametrize("answers", [PathStatus, QueryStatus, BakeStatus, LinkStatus, LinkEndStatus])
def test_every_answer_says_in_sentences_what_to_do(answers: type[Answer]) -> None:
    for answer in answers:
        assert answer is answers(answer.value) is pickle.loads(pickle.dumps(answer))
        assert answer.advice[0].isupper() and answer.advice.endswith(".") and answer.advice == answer.__doc__


def test_a_path_says_its_status_its_length_and_what_to_do() -> None:
    mesh = strip(2)
    assert str(mesh.find_path((1, 0, 1), (7, 0, 1))) == "success, 6.00 m: The path reaches the end."
    missed = mesh.find_path((1, 0, 1), (90, 0, 1))
    assert str(missed) == f"no end: {QueryStatus.NO_END_NEARBY.advice}"


def test_the_finer_answer_gives_the_advice() -> None:
    path = NavMeshQuery(grid(9, 1), max_nodes=3).find_path((0.5, 0, 0.5), (8.5, 0, 0.5))
    assert str(path).startswith("partial, ") and str(path).endswith("Ask a NavMeshQuery with a larger max_nodes.")
