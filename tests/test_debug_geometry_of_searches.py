"""What a query shows of its last search."""

from __future__ import annotations

import numpy as np
import pytest

from onepath.mesh.navmesh import NavMesh
from onepath.query import NavMeshQuery, NodeModel, SearchGeometry
from tests.meshes import grid, strip
from tests.test_area_searches import searches

MODELS = list(NodeModel)


def corners_of(mesh: NavMesh, refs) -> np.ndarray:
    return np.concatenate([mesh.polygon(ref) for ref in refs]) if len(refs) else np.zeros((0, 3))


def test_before_any_search_there_is_nothing_to_show() -> None:
    shown = NavMeshQuery(strip(1)).debug_geometry()
    assert isinstance(shown, SearchGeometry)
    assert [len(part) for part in shown] == [0, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize("model", MODELS)
def test_polygons_are_shown_once_in_the_order_in_which_slices_expand_them(model: NodeModel) -> None:
    mesh = grid(5, 5, 4.0, holes=[(2, 1), (2, 2), (2, 3)])
    query = NavMeshQuery(mesh, model)
    start, end = (query.find_nearest_polygon(p) for p in ((2, 0, 10), (18, 0, 10)))
    query.begin_path(start.ref, start.point, end.ref, end.point)
    met: list[int] = []
    while query.update_path(1).name == "IN_PROGRESS":
        shown = query.debug_geometry().expanded.tolist()
        assert shown[: len(met)] == met and len(shown) <= len(met) + 1
        met = shown
    query.finish_path()
    shown = query.debug_geometry()
    assert shown.expanded.tolist() == met and met[0] == start.ref and len(set(met)) == len(met)
    assert np.array_equal(shown.expanded_corners, corners_of(mesh, met))
    assert shown.expanded_offsets.tolist() == [4 * k for k in range(len(met) + 1)]


@pytest.mark.parametrize("model", MODELS)
def test_of_two_searches_of_one_object_the_last_one_is_shown(model: NodeModel) -> None:
    mesh = grid(5, 5, 4.0, holes=[(2, 1), (2, 2), (2, 3)])
    query, fresh = NavMeshQuery(mesh, model), NavMeshQuery(mesh, model)
    query.find_path((18, 0, 10), (2, 0, 10))
    for asked in (query, fresh):
        asked.find_path((2, 0, 2), (10, 0, 2))
    assert query.debug_geometry().expanded.tolist() == fresh.debug_geometry().expanded.tolist()


@pytest.mark.parametrize("model", MODELS)
def test_the_corridor_and_the_line_are_those_of_the_path(model: NodeModel) -> None:
    mesh = grid(4, 4, 4.0, holes=[(1, 1), (2, 1)])
    query = NavMeshQuery(mesh, model)
    path = query.find_path((1, 0, 1), (15, 0, 15))
    shown = query.debug_geometry()
    assert np.array_equal(shown.line, path.points)
    assert np.array_equal(shown.corridor, path.corridor.polygons)
    assert np.array_equal(shown.corridor_corners, corners_of(mesh, path.corridor.polygons))
    assert set(shown.corridor.tolist()) <= set(shown.expanded.tolist())


@pytest.mark.parametrize("seed", range(5))
def test_an_area_search_shows_what_it_found(seed: int) -> None:
    for query, _, start, center, radius, fast, _ in searches(seed, 4):
        found = query.find_polygons_in_circle(start, center, radius, fast)
        shown = query.debug_geometry()
        assert np.array_equal(shown.expanded, found.polygons)
        assert np.array_equal(shown.expanded_corners, corners_of(query.mesh, found.polygons))


def test_a_search_that_was_settled_at_once_shows_nothing() -> None:
    query = NavMeshQuery(strip(2))
    query.find_path((1, 0, 1), (7, 0, 1))
    assert not query.find_path((1, 0, 1), (70, 0, 1))
    assert [len(part) for part in query.debug_geometry()] == [0, 0, 1, 0, 0, 1, 0]


def test_after_a_commit_on_its_way_nothing_is_left_of_a_search() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    query.find_path((1, 0, 1), (15, 0, 1))
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    shown = query.debug_geometry()
    assert len(shown.expanded) == 0
    assert shown.corridor.tolist() == [mesh.reference(0, 0, 0), mesh.reference(0, 0, 1)]
