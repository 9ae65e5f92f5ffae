"""A search in slices goes on over commits elsewhere and ends as one begun now, and is stale where it has read."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from onepath import NavMesh
from onepath.mesh import LinkDef
from onepath.query import AreaSearchStatus, NavMeshQuery, NodeModel, PathStatus, QueryFilter
from tests.meshes import mesh_of, rectangle, settings_of, strip, tile_of
from tests.query_meshes import random_mesh, random_tile

MODELS = pytest.mark.parametrize("model", [NodeModel.POLYGON, NodeModel.CROSSING])
#: A strip of 40 squares of 4 m, two in each of 20 tiles; a search of 6 expansions has read tiles 0 to 2, not many more.
COLUMNS, READ, FAR = 20, 2, 15


def long_strip() -> NavMesh:
    return strip(2 * COLUMNS)


def begun(mesh: NavMesh, model: NodeModel = NodeModel.POLYGON, slices: int = 6) -> NavMeshQuery:
    query = NavMeshQuery(mesh, model)
    query.begin_path(*question(mesh))
    assert query.update_path(slices) is PathStatus.IN_PROGRESS
    return query


def question(mesh: NavMesh) -> tuple[int, object, int, object]:
    last = COLUMNS - 1
    return mesh.reference(0, 0, 0), (1, 0, 2), mesh.reference(last, 0, 1), (8 * last + 7, 0, 2)


def assert_goes_on(query: NavMeshQuery, mesh: NavMesh, model: NodeModel = NodeModel.POLYGON) -> None:
    fresh = NavMeshQuery(mesh, model)
    assert query.update_path(1) is PathStatus.IN_PROGRESS
    assert query.update_path(10_000) is not PathStatus.STALE
    assert query.finish_path() == fresh.find_corridor(*question(mesh))
    assert query.iterations == fresh.iterations


def assert_stale(query: NavMeshQuery) -> None:
    assert query.update_path(1) is PathStatus.STALE
    assert query.finish_path().status is PathStatus.STALE
    assert query.update_path(1) is PathStatus.STALE


@pytest.mark.parametrize("model", NodeModel)
def test_what_an_earlier_search_of_the_object_has_read_counts_for_the_next_one_too(model: NodeModel) -> None:
    mesh = long_strip()
    query = NavMeshQuery(mesh, model)
    query.find_corridor(*question(mesh))
    query.begin_path(*question(mesh))
    assert query.update_path(6) is PathStatus.IN_PROGRESS
    mesh.set_area(mesh.reference(READ - 1, 0, 1), 9)
    assert_stale(query)


def replace(mesh: NavMesh, column: int) -> None:
    """By a tile of other polygons."""
    x = 8.0 * column
    mesh.stage_tile(tile_of(column, 0, [rectangle(x + 2 * i, 0, x + 2 * i + 2, 4) for i in range(4)], mesh.settings))
    mesh.commit()


def remove(mesh: NavMesh, column: int) -> None:
    mesh.stage_tile_removal(column, 0)
    mesh.commit()


def set_area(mesh: NavMesh, column: int) -> None:
    mesh.set_area(mesh.reference(column, 0, 1), 5)


def set_flags(mesh: NavMesh, column: int) -> None:
    mesh.stage_flags(mesh.reference(column, 0, 1), 3)
    mesh.commit()


def add_link(mesh: NavMesh, column: int) -> None:
    mesh.add_link(LinkDef((8 * column + 1, 0, 2), (8 * column + 7, 0, 2), 0.5, 0.5, cost=100.0))


CHANGES = pytest.mark.parametrize("change", [replace, remove, set_area, set_flags, add_link])
Change = Callable[[NavMesh, int], None]


@MODELS
@CHANGES
def test_a_change_far_ahead_does_not_disturb_a_search(change: Change, model: NodeModel) -> None:
    mesh = long_strip()
    query = begun(mesh, model)
    change(mesh, FAR)
    assert_goes_on(query, mesh, model)


@MODELS
@CHANGES
@pytest.mark.parametrize("column", [0, 1, READ, COLUMNS - 1])
def test_a_change_of_a_tile_that_was_read_makes_the_search_stale(change: Change, model: NodeModel, column: int) -> None:
    mesh = long_strip()
    query = begun(mesh, model)
    change(mesh, column)
    assert_stale(query)


@CHANGES
def test_a_search_survives_one_commit_a_frame_behind_its_end(change: Change) -> None:
    mesh = long_strip()
    aside = tile_of(0, 5, [rectangle(0, 40, 8, 48)], mesh.settings)
    lonely = NavMesh(mesh.settings)
    for view in mesh.tiles():
        lonely.stage_tile(mesh.tile(view.column, view.row).tile)
    lonely.stage_tile(aside)
    lonely.commit()
    query = begun(lonely, slices=0)
    frames = 0
    while query.update_path(1) is PathStatus.IN_PROGRESS:
        lonely.stage_tile(aside)
        lonely.commit()
        frames += 1
    assert frames == 2 * COLUMNS
    assert query.finish_path() == NavMeshQuery(lonely).find_corridor(*question(lonely))


def test_what_the_filter_turned_down_counts_as_read() -> None:
    mesh = long_strip()
    wet = QueryFilter(costs={5: float("inf")})
    for polygon in range(2):
        mesh.stage_area(mesh.reference(1, 0, polygon), 5)
    mesh.commit()
    query = NavMeshQuery(mesh)
    query.begin_path(*question(mesh), filter=wet)
    assert query.update_path(2) is PathStatus.IN_PROGRESS  # both squares of tile 0, and tile 1 turned down
    mesh.set_area(mesh.reference(1, 0, 0), 63)
    assert_stale(query)


@MODELS
def test_a_tile_that_comes_to_a_side_that_was_open_makes_the_search_stale(model: NodeModel) -> None:
    settings = settings_of()
    mesh = NavMesh(settings)
    for column in range(4):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
    mesh.commit()
    for row, stale in ((3, False), (1, True)):
        query = NavMeshQuery(mesh, model)
        query.begin_path(mesh.reference(0, 0, 0), (1, 0, 1), mesh.reference(3, 0, 0), (31, 0, 1))
        query.update_path(2)
        mesh.stage_tile(tile_of(1, row, [rectangle(10, 8 * row + 2, 14, 8 * row + 6)], settings))  # touches no side
        mesh.commit()
        assert (query.update_path(1) is PathStatus.STALE) == stale


def test_a_neighbour_whose_links_come_out_the_same_has_not_changed() -> None:
    mesh = long_strip()
    larger = NavMesh(mesh.settings)
    island = tile_of(1, 1, [rectangle(10, 10, 14, 14)], mesh.settings)
    for tile in [*(view.tile for view in mesh.tiles()), island]:
        larger.stage_tile(tile)
    larger.commit()
    query = begun(larger)
    larger.stage_tile(island)  # links of tile (1, 0), which was read, are looked for again
    larger.commit()
    assert_goes_on(query, larger)


def test_links_enabled_and_priced_make_a_search_stale_that_has_seen_them() -> None:
    mesh = long_strip()
    near = mesh.add_link(LinkDef((1, 0, 2), (7, 0, 2), 0.5, 0.5))
    far = mesh.add_link(LinkDef((8 * FAR + 1, 0, 2), (8 * FAR + 7, 0, 2), 0.5, 0.5))
    for link, stale in ((near, True), (far, False)):
        for edit in (lambda: mesh.stage_link_enable(link, False), lambda: mesh.stage_link_cost(link, 7.0)):  # noqa: B023
            query = begun(mesh)
            edit()
            mesh.commit()
            if stale:
                assert_stale(query)
            else:
                assert_goes_on(query, mesh)


def test_a_position_that_would_snap_elsewhere_now_makes_the_search_stale() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, (0, 0, 3, 1))
    for column in range(4):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
        mesh.stage_tile(tile_of(column, 1, [], settings))
    mesh.commit()
    for start, stale in (((4, 0, 1), False), ((4, 0, 8.4), True)):
        search = mesh.begin_path(start, (31, 0, 1))
        search.update(1)
        mesh.stage_tile(tile_of(0, 1, [rectangle(2, 8.25, 6, 10)], settings, layer=1))  # joined to nothing
        mesh.commit()
        assert (search.update(1000) is PathStatus.STALE) == stale
        mesh.stage_tile_removal(0, 1, 1)
        mesh.commit()


def test_an_answer_given_at_the_start_stands_until_it_would_be_another() -> None:
    mesh = long_strip()
    mesh.set_area(mesh.reference(0, 0, 0), 0)
    query = NavMeshQuery(mesh)
    query.begin_path(*question(mesh))
    set_area(mesh, FAR)
    assert query.update_path(1) is PathStatus.INVALID_START
    mesh.set_area(mesh.reference(0, 0, 0), 63)
    assert_stale(query)


def test_a_search_goes_on_in_a_mesh_that_has_many_more_tiles_than_at_its_start() -> None:
    mesh = long_strip()
    open_mesh = NavMesh(mesh.settings)
    for column in range(COLUMNS):
        open_mesh.stage_tile(mesh.tile(column, 0).tile)
    open_mesh.commit()
    queries = [begun(open_mesh, model) for model in (NodeModel.POLYGON, NodeModel.CROSSING)]
    remove(open_mesh, FAR)
    for column in range(200):
        open_mesh.stage_tile(tile_of(column, 7, [rectangle(8 * column, 56, 8 * column + 8, 60)], mesh.settings))
    open_mesh.commit()
    # The way on leads through a tile in one of the new slots, and through polygons of another number.
    replace(open_mesh, FAR)
    assert open_mesh.tile(FAR, 0).slot > COLUMNS
    assert_goes_on(queries[0], open_mesh, NodeModel.POLYGON)
    assert_goes_on(queries[1], open_mesh, NodeModel.CROSSING)


def test_a_predicate_is_asked_about_pairs_that_a_commit_brings_to_a_running_search() -> None:
    mesh = long_strip()
    asked: list[tuple[int, int]] = []

    def dry(flags: int, area: int) -> bool:
        asked.append((flags, area))
        return area != 5

    query = NavMeshQuery(mesh)
    query.begin_path(*question(mesh), filter=QueryFilter(predicate=dry))
    query.update_path(4)
    set_area(mesh, FAR)
    query.update_path(10_000)
    assert (1, 5) in asked
    assert query.finish_path().status is PathStatus.PARTIAL
    assert query.finish_path() == NavMeshQuery(mesh).find_corridor(*question(mesh), filter=QueryFilter(avoid=[5]))


@MODELS
def test_any_search_is_stale_or_ends_as_one_begun_now(model: NodeModel) -> None:
    kept = stale = 0
    for seed in range(150):
        draw, mesh = Random(seed), random_mesh(seed)
        views = [view for view in mesh.tiles() if len(view.references)]
        if len(views) < 2:
            continue
        first, last = (draw.choice(draw.choice(views).references.tolist()) for _ in range(2))
        ends = (first, mesh.polygon(first).mean(axis=0), last, mesh.polygon(last).mean(axis=0))
        query = NavMeshQuery(mesh, model)
        query.begin_path(*ends)
        for _ in range(draw.randrange(1, 4)):
            query.update_path(draw.randrange(3))
            view = draw.choice(mesh.tiles())
            key = view.column, view.row, view.layer
            if draw.random() < 0.5 and len(view.references):
                mesh.set_area(draw.choice(view.references.tolist()), draw.choice([0, 1, 5]))
            else:
                mesh.stage_tile(random_tile(draw, mesh.settings, key))
                mesh.commit()
        if query.update_path(100_000) is PathStatus.STALE:
            stale += 1
        else:
            assert query.finish_path() == NavMeshQuery(mesh, model).find_corridor(*ends)
            kept += 1
    assert kept > 15 and stale > 15


def test_any_area_search_is_stale_or_ends_as_one_begun_now() -> None:
    """What it only looked at, across a tile's side, counts as read."""
    kept = stale = 0
    for seed in range(200):
        draw, mesh = Random(seed), random_mesh(seed)
        views = [view for view in mesh.tiles() if len(view.references)]
        if len(views) < 2:
            continue
        first = draw.choice(draw.choice(views).references.tolist())
        asked = (first, mesh.polygon(first).mean(axis=0), draw.choice([3.0, 8.0, 20.0]))
        query = NavMeshQuery(mesh)
        query.begin_area_search(*asked)
        query.update_area_search(draw.randrange(1, 6))
        mesh.set_area(draw.choice(draw.choice(views).references.tolist()), draw.choice([0, 1, 5]))
        if query.update_area_search(100_000) is AreaSearchStatus.STALE:
            stale += 1
        else:
            assert query.finish_area_search() == NavMeshQuery(mesh).find_polygons_in_circle(*asked)
            kept += 1
    assert kept > 15 and stale > 15


@MODELS
def test_what_a_search_has_seen_over_a_link_counts_as_read(model: NodeModel) -> None:
    """Three floors far from each other; the one in the middle is neither where the search starts nor where it ends."""
    mesh = mesh_of([rectangle(x, 0, x + 8, 4) for x in (0, 24, 48)])
    for start, end in ((7, 25), (31, 49)):
        mesh.add_link(LinkDef((start, 0, 2), (end, 0, 2), 0.5, 0.5))
    refs = [mesh.snap((x, 0, 2)).ref for x in (1, 25, 55)]
    query = NavMeshQuery(mesh, model)
    query.begin_path(refs[0], (1, 0, 2), refs[2], (55, 0, 2))
    query.update_path(1)
    mesh.set_area(refs[1], 0)
    assert query.update_path(100) is PathStatus.STALE
