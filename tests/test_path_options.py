"""What a path search may be asked beyond its ends: at most a cost, towards what is not loaded, awaited, withdrawn."""

from __future__ import annotations

import asyncio
import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from onepath import DistanceField, NavMesh, Path, PathStatus, QueryFilter, QueryStatus
from onepath.errors import ArgumentError, BusyError, OnePathError, RangeError
from onepath.mesh.view import TileView
from onepath.query import NavMeshQuery, NodeModel
from tests.links import two_rooms
from tests.meshes import grid, rectangle, settings_of, strip, tile_of
from tests.query_meshes import random_mesh

MODELS = [NodeModel.POLYGON, NodeModel.CROSSING]


@pytest.fixture(scope="module")
def corridor_of_squares() -> NavMesh:
    return strip(40)


def world_vertex(view: TileView, draw: Random) -> tuple[float, ...]:
    """A corner of one of the tile's polygons."""
    corner = view.vertices[draw.randrange(len(view.vertices))]
    return tuple((corner.astype(float) + view.origin).tolist())


# ---- at most a cost


@pytest.mark.parametrize("model", MODELS)
def test_a_path_that_costs_exactly_the_most_is_found(corridor_of_squares: NavMesh, model: NodeModel) -> None:
    query = NavMeshQuery(corridor_of_squares, model)
    path = query.find_path((0.5, 0, 0.5), (30.5, 0, 0.5))
    assert query.find_path((0.5, 0, 0.5), (30.5, 0, 0.5), max_cost=path.cost) == path
    less = query.find_path((0.5, 0, 0.5), (30.5, 0, 0.5), max_cost=math.nextafter(path.cost, 0.0))
    assert less.status is PathStatus.PARTIAL and less.detail is QueryStatus.COST_LIMIT


@pytest.mark.parametrize("model", MODELS)
def test_where_tiles_are_missing_too_a_way_for_the_cost_may_lead_through_them(model: NodeModel) -> None:
    """So the search says what to load, not that there is no way."""
    query = NavMeshQuery(strip(40, grid_bounds=(-1, 0, 19, 0)), model)
    path = query.find_path((0.5, 0, 0.5), (30.5, 0, 0.5), max_cost=9.0)
    assert (path.status, path.detail) == (PathStatus.NOT_LOADED, QueryStatus.FRONTIER)
    assert path.missing_tiles == ((-1, 0),) and path.cost <= 9.0


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("model", MODELS)
def test_a_limit_never_changes_a_path_that_keeps_to_it(seed: int, model: NodeModel) -> None:
    mesh, draw = random_mesh(seed), Random(seed)
    query = NavMeshQuery(mesh, model)
    views = [view for view in mesh.tiles() if len(view.vertices)]
    places = [world_vertex(draw.choice(views), draw) for _ in range(8)]
    for start, end in pairwise(places):
        path = query.find_path(start, end)
        if not path:
            continue
        assert query.find_path(start, end, max_cost=path.cost * 1.5 + 1) == path
        tight = query.find_path(start, end, max_cost=path.cost)
        assert tight.status is PathStatus.SUCCESS and tight.cost <= path.cost


def test_a_search_looks_no_farther_than_its_cost(corridor_of_squares: NavMesh) -> None:
    query = NavMeshQuery(corridor_of_squares)
    path = query.find_path((0.5, 0, 0.5), (0.5, 0, 0.5), max_cost=5.0)
    assert path
    query.find_path((0.5, 0, 0.5), (39.5, 0, 0.5), max_cost=5.0)
    assert query.iterations == 1  # the end is farther than that from the start already


@pytest.mark.parametrize("cost", [-1.0, math.nan, "much"])
def test_a_largest_cost_is_a_number_from_zero_on(corridor_of_squares: NavMesh, cost: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="max_cost"):
        corridor_of_squares.find_path((0.5, 0, 0.5), (1.5, 0, 0.5), max_cost=cost)  # type: ignore[arg-type]


# ---- towards what is not loaded


@pytest.fixture
def streamed() -> NavMesh:
    """A mesh without bounds, of which the tile (0, 0) is there: 8 x 8 metres."""
    mesh = NavMesh(settings_of(8))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings_of(8)))
    mesh.commit()
    return mesh


def test_towards_an_end_that_is_not_loaded_the_path_leads_as_far_as_the_mesh(streamed: NavMesh) -> None:
    here, there = (1.0, 0.0, 4.0), (20.0, 0.0, 4.0)
    plain = streamed.find_path(here, there)
    assert plain.status is PathStatus.NOT_LOADED and len(plain) == 0
    path = streamed.find_path(here, there, toward_unloaded=True)
    assert path.status is PathStatus.NOT_LOADED and path.detail is QueryStatus.END_NOT_LOADED
    assert tuple(path.points[-1]) == (8.0, 0.0, 4.0)
    assert set(plain.missing_tiles) <= set(path.missing_tiles) and (1, 0) in path.missing_tiles


def test_the_missing_tiles_at_the_end_come_first(streamed: NavMesh) -> None:
    path = streamed.find_path((1, 0, 4), (20, 0, 4), toward_unloaded=True)
    assert path.missing_tiles[0] == (2, 0)


def test_it_changes_nothing_where_the_end_is_found_or_nothing_is_missing(streamed: NavMesh) -> None:
    near = ((1, 0, 4), (7, 0, 4))
    assert streamed.find_path(*near, toward_unloaded=True) == streamed.find_path(*near)
    whole = two_rooms()
    outside = ((1, 0, 2), (1000, 0, 2))
    assert whole.find_path(*outside, toward_unloaded=True).status is PathStatus.NO_END


def test_the_node_limit_comes_before_an_end_that_is_not_loaded() -> None:
    query = NavMeshQuery(strip(40, grid_bounds=(0, 0, 29, 0)), max_nodes=3)
    path = query.find_path((0.5, 0, 0.5), (170.0, 0, 0.5), toward_unloaded=True)
    assert (path.status, path.detail) == (PathStatus.PARTIAL, QueryStatus.NODE_LIMIT)
    assert path.node_limit_reached and len(path) > 0


def test_slices_towards_an_unloaded_end_give_the_same_path(streamed: NavMesh) -> None:
    whole = streamed.find_path((1, 0, 4), (20, 0, 4), toward_unloaded=True)
    search = streamed.begin_path((1, 0, 4), (20, 0, 4), toward_unloaded=True)
    while search.update(1) is PathStatus.IN_PROGRESS:
        pass
    assert search.path == whole


def test_a_tile_that_comes_at_the_end_makes_such_a_search_stale(streamed: NavMesh) -> None:
    search = streamed.begin_path((1, 0, 4), (20, 0, 4), toward_unloaded=True)
    streamed.stage_tile(tile_of(2, 0, [rectangle(16, 0, 24, 8)], settings_of(8)))
    streamed.commit()
    assert search.update(1000) is PathStatus.STALE


# ---- awaited


@pytest.fixture(scope="module")
def squares() -> NavMesh:
    return grid(16, 16)


ENDS = ((0.5, 0.0, 0.5), (15.5, 0.0, 15.5))


@pytest.mark.parametrize("slice_size", [1, 7, 256])
def test_an_awaited_path_is_the_path_of_one_call(squares: NavMesh, slice_size: int) -> None:
    assert asyncio.run(squares.find_path_async(*ENDS, iterations_per_slice=slice_size)) == squares.find_path(*ENDS)
    query = NavMeshQuery(squares, NodeModel.CROSSING)
    costs = QueryFilter(costs={63: 2.0})
    awaited = asyncio.run(query.find_path_async(*ENDS, costs, iterations_per_slice=slice_size))
    assert awaited == query.find_path(*ENDS, costs)


def test_a_slice_is_256_iterations_unless_told_otherwise() -> None:
    query, pauses = NavMeshQuery(strip(600, 1.0)), 0
    awaited = query.find_path_async((0.5, 0, 0.5), (599.5, 0, 0.5))
    try:
        while True:
            awaited.send(None)
            pauses += 1
            assert query.iterations == 256 * pauses
    except StopIteration as done:
        assert done.value.status is PathStatus.SUCCESS
    assert pauses == query.iterations // 256 == 2


def test_other_tasks_run_between_the_slices(squares: NavMesh) -> None:
    async def together() -> list[Path]:
        return await asyncio.gather(*[squares.find_path_async(*ENDS, iterations_per_slice=3) for _ in range(9)])

    assert asyncio.run(together()) == [squares.find_path(*ENDS)] * 9


def test_cancelling_lets_the_exception_through_and_the_query_goes_back(squares: NavMesh) -> None:
    async def withdrawn() -> bool:
        task = asyncio.create_task(squares.find_path_async(*ENDS, iterations_per_slice=1))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    assert asyncio.run(withdrawn())
    assert squares.find_path(*ENDS)


def test_a_commit_under_an_awaited_search_answers_stale() -> None:
    mesh = grid(8, 8)

    async def edited() -> Path:
        task = asyncio.create_task(mesh.find_path_async((0.5, 0, 0.5), (7.5, 0, 7.5), iterations_per_slice=1))
        await asyncio.sleep(0)
        place = mesh.snap((3.5, 0, 3.5))
        mesh.set_area(place.ref, 5)
        return await task

    assert asyncio.run(edited()).status is PathStatus.STALE


def test_a_query_object_s_awaited_search_says_that_another_replaced_it(squares: NavMesh) -> None:
    query = NavMeshQuery(squares)

    async def replaced() -> None:
        task = asyncio.create_task(query.find_path_async(*ENDS, iterations_per_slice=1))
        await asyncio.sleep(0)
        query.find_path(*ENDS)
        await task

    with pytest.raises(OnePathError, match="replaced"):
        asyncio.run(replaced())


@pytest.mark.parametrize("slice_size", [0, -1, 1.5])
def test_a_slice_has_an_iteration_at_least(squares: NavMesh, slice_size: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="iterations_per_slice"):
        asyncio.run(squares.find_path_async(*ENDS, iterations_per_slice=slice_size))  # type: ignore[arg-type]


# ---- withdrawn


def test_a_withdrawn_search_is_cancelled_and_has_no_points(squares: NavMesh) -> None:
    search = squares.begin_path(*ENDS)
    search.update(3)
    search.cancel()
    assert search.status is PathStatus.CANCELLED and search.path is not None and len(search.path) == 0
    assert search.path.detail is QueryStatus.CANCELLED and not search.path
    assert search.update(10) is PathStatus.CANCELLED and search.finish() is search.path


def test_a_search_that_is_done_keeps_its_path(squares: NavMesh) -> None:
    search = squares.begin_path(*ENDS)
    path = search.finish() if search.update(10**6) is PathStatus.SUCCESS else None
    search.cancel()
    assert search.path == path == squares.find_path(*ENDS)


def test_a_predicate_cannot_withdraw_the_search_that_asks_it() -> None:
    mesh = grid(8, 8)
    asked: list[object] = []
    search = None

    def withdraws(_flags: int, _area: int) -> bool:
        if search is not None:
            with pytest.raises(BusyError):
                search.cancel()
            asked.append(mesh.find_path((0.5, 0, 0.5), (7.5, 0, 7.5)).status)
        return True

    search = mesh.begin_path((0.5, 0, 0.5), (7.5, 0, 7.5), QueryFilter(predicate=withdraws))
    search.update(1)
    mesh.set_area(mesh.snap((7.5, 0, 7.5)).ref, 5)
    assert search.update(5) in (PathStatus.IN_PROGRESS, PathStatus.STALE)
    assert asked == [PathStatus.SUCCESS]
    mesh.commit()  # nothing holds the mesh


class Ending(int):
    """A count of iterations that ends the search while it is read, and begins another."""

    def __int__(self) -> int:
        self.end()
        return 3


def test_a_count_that_ends_the_search_drives_no_other(squares: NavMesh) -> None:
    search = squares.begin_path((0.5, 0, 0.5), (7.5, 0, 7.5))
    others = []

    def end() -> None:
        search.cancel()
        others.append(squares.begin_path((7.5, 0, 7.5), (0.5, 0, 0.5)))

    count = Ending(3)
    count.end = end  # type: ignore[attr-defined]
    assert search.update(count) is PathStatus.CANCELLED
    assert [other.iterations for other in others] == [0] and others[0].finish().cost == 0.0


def test_a_number_of_the_caller_s_own_kind_is_held_to_the_range(squares: NavMesh) -> None:
    class Any(int):
        def __int__(self) -> int:
            return 10**30

        def __ge__(self, other: object) -> bool:
            return True

        def __le__(self, other: object) -> bool:
            return True

    with pytest.raises(RangeError, match="max_nodes"):
        NavMeshQuery(squares, max_nodes=Any(3))


@pytest.mark.parametrize("name", ["exact", "toward_unloaded", "partial"])
@pytest.mark.parametrize("value", ["no", 1, None, np.zeros(3)])
def test_a_switch_is_true_or_false(squares: NavMesh, name: str, value: object) -> None:
    for asked in (squares, NavMeshQuery(squares)):
        with pytest.raises(ArgumentError, match=name):
            asked.find_path((0.5, 0, 0.5), (7.5, 0, 7.5), **{name: value})  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [np.ones(2), "5", math.nan, -1.0])
def test_a_limit_of_costs_is_one_number_wherever_it_is_asked_for(squares: NavMesh, value: object) -> None:
    here, there = squares.snap((0.5, 0, 0.5)), squares.snap((7.5, 0, 7.5))
    calls = [
        lambda: squares.distance(here, there, max_cost=value),
        lambda: squares.nearest_of(here, [there], max_cost=value),
        lambda: DistanceField(squares, [there], max_cost=value),
        lambda: NavMeshQuery(squares).path_distances(here.ref, here.point, there.ref, there.point, max_cost=value),
    ]
    for call in calls:
        with pytest.raises((ArgumentError, RangeError), match="max_cost"):
            call()
