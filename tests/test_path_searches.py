"""Searches in slices: NavMesh.begin_path, the queries that it borrows, and update_path."""

from __future__ import annotations

import gc

import pytest

from onepath._one_call import PathSearch
from onepath.errors import ArgumentError, OnePathError, RangeError
from onepath.query import NavMeshQuery, PathStatus
from tests.meshes import grid, rectangle, strip, tile_of


def test_a_sliced_path_is_the_path_of_one_call() -> None:
    mesh = grid(12, 12, holes=[(5, z) for z in range(11)])
    whole = mesh.find_path((0.5, 0, 0.5), (11.5, 0, 0.5))
    for iterations in (1, 5, 1000):
        search = mesh.begin_path((0.5, 0, 0.5), (11.5, 0, 0.5))
        assert search.status is PathStatus.IN_PROGRESS and search.path is None
        while search.update(iterations) is PathStatus.IN_PROGRESS:
            assert search.path is None
        assert search.status is PathStatus.SUCCESS
        assert search.path == search.finish() == whole


def test_an_unfinished_search_gives_what_it_has() -> None:
    mesh = strip(20)
    search = mesh.begin_path((1, 0, 1), (79, 0, 1))
    search.update(5)
    assert search.iterations == 5
    path = search.finish()
    assert (path.status, path.partial, len(path.corridor)) == (PathStatus.IN_PROGRESS, True, 5)
    assert search.path is None and search.finish() == path


@pytest.mark.parametrize("exact", [False, True])
def test_a_search_goes_on_after_what_it_has_was_asked_for_and_comes_to_the_same(exact: bool) -> None:
    mesh = grid(8, 8)
    ends = (0.5, 0, 0.5), (7.5, 0, 4.5)
    search = mesh.begin_path(*ends, exact=exact)
    asked = 0
    while search.update(3) is PathStatus.IN_PROGRESS:
        assert search.finish().status is PathStatus.IN_PROGRESS
        asked += 1
    assert asked >= 1 and search.finish() is search.path
    assert search.path == mesh.find_path(*ends, exact=exact)


def test_what_a_search_has_so_far_is_stale_after_a_commit_and_the_end_of_it() -> None:
    mesh = strip(12)
    search = mesh.begin_path((1, 0, 2), (47, 0, 2))
    search.update(2)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    assert search.finish().status is PathStatus.STALE and search.path is search.finish()


def test_a_search_that_needs_no_search_is_done_at_once() -> None:
    search = strip(2).begin_path((500, 0, 0), (1, 0, 1))
    assert search.status is PathStatus.NO_START
    assert search.path is not None and search.path.status is PathStatus.NO_START


def test_searches_of_one_mesh_do_not_disturb_each_other() -> None:
    mesh = strip(12)
    ends = [(47 - 4 * i, 0, 2) for i in range(8)]
    searches = [mesh.begin_path((1, 0, 2), end) for end in ends]
    while any([search.update(1) is PathStatus.IN_PROGRESS for search in searches]):
        assert mesh.find_path((1, 0, 2), (9, 0, 2))
    for search, end in zip(searches, ends, strict=True):
        assert search.path == mesh.find_path((1, 0, 2), end)


def test_a_search_is_stale_after_a_commit_and_frees_its_query() -> None:
    mesh = strip(12)
    search = mesh.begin_path((1, 0, 2), (47, 0, 2))
    search.update(2)
    mesh.stage_tile_removal(5, 0)
    mesh.commit()
    assert search.update(1000) is PathStatus.STALE
    assert search.path is not None
    assert (search.path.status, len(search.path), search.path.partial) == (PathStatus.STALE, 0, False)


def test_pooled_queries_answer_as_new_ones_after_edits() -> None:
    mesh = strip(8)
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

    mesh = strip(2)
    before = queries()
    searches = [mesh.begin_path((1, 0, 1), (7, 0, 1)) for _ in range(6)]
    assert queries() - before == 6
    assert all([search.finish().status is PathStatus.IN_PROGRESS for search in searches])
    assert queries() - before == 6
    for search in searches:
        search.cancel()
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
    search = strip(2).begin_path((1, 0, 1), (7, 0, 1))
    with pytest.raises(RangeError, match=f"^iterations is {iterations}"):
        search.update(iterations)
