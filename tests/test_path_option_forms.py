"""Each option of `find_path` in each form in which a path is asked for: the answer of the one call."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from onepath import NavMesh, Path, QueryFilter, QueryStatus
from onepath.errors import ArgumentError
from onepath.query import NavMeshQuery, NodeModel, PathStatus
from tests.links import link, two_rooms
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of
from tests.query_meshes import random_mesh
from tests.test_islands import with_links

OPTIONS: list[dict[str, Any]] = [
    {"partial": False},
    {"toward_unloaded": True},
    {"max_cost": 6.0},
    {"exact": True},
    {"partial": False, "toward_unloaded": True},
    {"partial": False, "max_cost": 6.0},
    {"partial": False, "exact": True},
    {"exact": True, "max_cost": 6.0, "toward_unloaded": True},
]


def in_slices(mesh: NavMesh, size: int, *asked: Any, **options: Any) -> Path:
    search = mesh.begin_path(*asked, **options)
    while search.update(size) is PathStatus.IN_PROGRESS:
        pass
    assert search.path is not None
    return search.path


def places(mesh: NavMesh, count: int, draw: Random) -> list[tuple[float, ...]]:
    """On the mesh and around it, a tile's width beyond its bounds."""
    low, high = mesh.bounds or ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    return [tuple(draw.uniform(low[axis] - 3, high[axis] + 3) for axis in range(3)) for _ in range(count)]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options))
def test_every_form_answers_as_the_one_call(options: dict[str, Any]) -> None:
    seen = set()
    for seed in range(8):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 4]))
        query = NavMeshQuery(mesh)
        starts, ends = places(mesh, 24, draw), places(mesh, 24, draw)
        batch = query.find_paths(starts, ends, threads=draw.choice([1, 3]), **options)
        for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
            path = mesh.find_path(start, end, **options)
            assert in_slices(mesh, draw.choice([1, 5, 100]), start, end, **options) == path
            assert asyncio.run(mesh.find_path_async(start, end, iterations_per_slice=4, **options)) == path
            path = query.find_path(start, end, **options)
            assert asyncio.run(query.find_path_async(start, end, iterations_per_slice=3, **options)) == path
            assert batch.status_of(i) is path.status and tuple(QueryStatus)[batch.detail[i]] is path.detail
            assert (batch.cost[i], batch.length[i]) == (path.cost, path.length)
            assert np.array_equal(batch.points_of(i), path.points)
            assert path or options.get("partial", True) or len(path) == 0
            seen.add(path.detail)
    assert QueryStatus.SUCCESS in seen and len(seen) >= 4


def test_every_form_between_positions_takes_every_option() -> None:
    for form in (
        NavMesh.find_path,
        NavMesh.find_path_async,
        NavMesh.begin_path,
        NavMeshQuery.find_path,
        NavMeshQuery.find_path_async,
        NavMeshQuery.find_paths,
    ):
        assert set(inspect.signature(form).parameters) >= {"exact", "max_cost", "toward_unloaded", "partial"}


FORMS: dict[str, Callable[..., Any]] = {
    "begin_path": lambda mesh, **options: in_slices(mesh, 1, *ENDS, **options),
    "find_path_async": lambda mesh, **options: asyncio.run(mesh.find_path_async(*ENDS, **options)),
    "query.find_path_async": lambda mesh, **options: asyncio.run(NavMeshQuery(mesh).find_path_async(*ENDS, **options)),
    "query.find_paths": lambda mesh, **options: NavMeshQuery(mesh).find_paths([ENDS[0]], [ENDS[1]], **options),
}
ENDS = ((0.5, 0.0, 0.5), (7.0, 0.0, 0.5))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["exact", "toward_unloaded", "partial", "max_cost"])
def test_every_form_refuses_a_value_that_is_none(form: str, name: str) -> None:
    with pytest.raises(ArgumentError, match=name):
        FORMS[form](strip(3), **{name: "no"})


# ---- without partial paths


def test_an_unreachable_end_is_known_before_the_first_slice() -> None:
    mesh = two_rooms()
    search = mesh.begin_path(*ENDS, partial=False)
    assert search.path is not None and search.path.detail is QueryStatus.UNREACHABLE and search.iterations == 0
    assert search.path == mesh.find_path(*ENDS, partial=False)


def test_what_is_finished_early_has_no_points_where_no_partial_path_is_wanted() -> None:
    mesh = grid(8, 8)
    search = mesh.begin_path((0.5, 0, 0.5), (7.5, 0, 7.5), partial=False)
    search.update(3)
    path = search.finish()
    assert path.status is PathStatus.IN_PROGRESS and len(path) == len(path.corridor) == 0


@pytest.mark.parametrize("model", list(NodeModel))
def test_an_end_that_a_commit_cuts_off_ahead_of_the_search_is_answered_as_by_one_begun_now(model: NodeModel) -> None:
    mesh = mesh_of([rectangle(8 * i, 0, 8 * i + 8, 8) for i in range(8)])
    search = mesh.begin_path((1, 0, 4), (62, 0, 4), partial=False, exact=model is NodeModel.EXACT)
    search.update(1)
    mesh.stage_tile(tile_of(4, 0, [], settings_of()))
    mesh.commit()
    while search.update(1) is PathStatus.IN_PROGRESS:
        pass
    now = mesh.find_path((1, 0, 4), (62, 0, 4), partial=False)
    assert search.path == now and now.detail is QueryStatus.UNREACHABLE


def test_a_batch_over_one_way_links_knows_which_islands_lead_where() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3, 0, 2), (7, 0, 2)))
    there, back = (ENDS[0], ENDS[1]), (ENDS[1], ENDS[0])
    paths = NavMeshQuery(mesh).find_paths([there[0], back[0]] * 40, [there[1], back[1]] * 40, partial=False, threads=2)
    assert [paths.status_of(i) for i in range(80)] == [PathStatus.SUCCESS, PathStatus.PARTIAL] * 40
    assert set(paths.detail[1::2]) == {tuple(QueryStatus).index(QueryStatus.UNREACHABLE)}


def test_a_filter_of_a_batch_decides_what_hangs_together() -> None:
    mesh = strip(5, areas=[63, 63, 5, 63, 63])
    query, asked = NavMeshQuery(mesh), ([(1, 0, 1)], [(19, 0, 1)])
    assert query.find_paths(*asked, partial=False).status_of(0) is PathStatus.SUCCESS
    refused = query.find_paths(*asked, QueryFilter(avoid=[5]), partial=False)
    assert refused.status_of(0) is PathStatus.PARTIAL and len(refused.points) == 0
