"""The path search over polygons: entry points by hand, limits, slices, and what every corridor must be."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from onepath.mesh.navmesh import NavMesh
from onepath.query import Corridor, NavMeshQuery, NodeModel, PathStatus, QueryFilter, QueryStatus
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of, turned


def refs_along(mesh: NavMesh, *cells_and_polygons: tuple[int, int, int]) -> list[int]:
    return [mesh.reference(*entry) for entry in cells_and_polygons]


def corridor_between(
    query: NavMeshQuery, start: tuple[float, float, float], end: tuple[float, float, float], **options: object
) -> Corridor:
    a, b = query.find_nearest_polygon(start), query.find_nearest_polygon(end)
    return query.find_corridor(a.ref, start, b.ref, end, **options)  # type: ignore[arg-type]


def maze(columns: int, rows: int, seed: int, **options: object) -> NavMesh:
    """Unit squares with a quarter of them missing; the corner squares stay."""
    chance = random.Random(seed)
    corners = {(0, 0), (columns - 1, rows - 1)}
    cells = itertools.product(range(columns), range(rows))
    return grid(columns, rows, holes={c for c in cells if chance.random() < 0.25 and c not in corners}, **options)


# --- by hand


def test_within_one_polygon_the_cost_is_the_distance() -> None:
    query = NavMeshQuery(strip(1))
    corridor = corridor_between(query, (0.5, 0, 0), (3.5, 0, 4))
    assert corridor and corridor.cost == 5.0
    assert (len(corridor.polygons), corridor.crossings.shape) == (1, (0, 2))


def test_a_straight_line_costs_its_length() -> None:
    corridor = corridor_between(NavMeshQuery(strip(2)), (1, 0, 1), (7, 0, 3))
    assert corridor.cost == pytest.approx(math.sqrt(40), abs=1e-12)


def test_an_edge_is_entered_where_the_line_to_the_end_meets_it() -> None:
    # From (1, 1) to (7, 3) the shared edge x = 4 is met at z = 2: legs of sqrt(10), the second one three times as dear.
    mesh = strip(2, areas=[1, 2])
    corridor = corridor_between(NavMeshQuery(mesh), (1, 0, 1), (7, 0, 3), filter=QueryFilter(costs={2: 3.0}))
    assert corridor.cost == pytest.approx(4 * math.sqrt(10), abs=1e-12)


def test_a_line_past_an_edge_enters_at_its_nearer_end() -> None:
    # An L: [0,4]x[0,4] and [4,8]x[0,2] below. From (1, 3) to (7, 0.5) the line meets x = 4 at 1.75, within the edge;
    # from (3, 4) to (7, 1) it would at 3.25, beyond the shared part, and enters at (4, 2).
    mesh = mesh_of([[(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 2), (4, 0, 0)], rectangle(4, 0, 8, 2)])
    corridor = corridor_between(NavMeshQuery(mesh), (3, 0, 4), (7, 0, 1))
    assert corridor.cost == pytest.approx(math.hypot(1, 2) + math.hypot(3, 1), abs=1e-12)


def test_an_edge_seen_end_on_is_entered_in_its_middle() -> None:
    # The end lies straight beside the start along the edge, so the line to it is parallel to the edge z = 4.
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(0, 4, 4, 8)])
    query = NavMeshQuery(mesh)
    start, end = mesh.reference(0, 0, 0), mesh.reference(0, 0, 1)
    corridor = query.find_corridor(start, (1, 0, 3), end, (3, 0, 3))
    assert corridor.cost == pytest.approx(2 * math.hypot(1, 1), abs=1e-12)


def test_a_tile_border_is_crossed_by_a_link() -> None:
    mesh = strip(3, 8.0)
    corridor = corridor_between(NavMeshQuery(mesh), (1, 0, 4), (23, 0, 4))
    assert corridor.polygons.tolist() == refs_along(mesh, (0, 0, 0), (1, 0, 0), (2, 0, 0))
    assert corridor.cost == pytest.approx(22.0, abs=1e-12)
    assert (corridor.crossings[:, 1] >= 0).all()


def test_a_dear_area_is_walked_round() -> None:
    # Three rows of three squares, the middle one dear.
    mesh = grid(3, 3, side=2.0, areas=[1, 1, 1, 1, 2, 1, 1, 1, 1])
    query = NavMeshQuery(mesh)
    through = corridor_between(query, (1, 0, 3), (5, 0, 3))
    round_it = corridor_between(query, (1, 0, 3), (5, 0, 3), filter=QueryFilter(costs={2: 20.0}))
    middle = mesh.reference(0, 0, 4)
    assert middle in through.polygons and middle not in round_it.polygons
    assert round_it and round_it.cost < 20.0


def test_a_forbidden_area_is_a_wall() -> None:
    mesh = strip(3, areas=[1, 2, 1])
    corridor = corridor_between(NavMeshQuery(mesh), (1, 0, 2), (11, 0, 2), filter=QueryFilter(costs={2: math.inf}))
    assert (corridor.status, corridor.detail) == (PathStatus.PARTIAL, QueryStatus.PARTIAL)
    assert corridor.polygons.tolist() == refs_along(mesh, (0, 0, 0))


# --- partial answers and the node limit


def test_a_partial_corridor_leads_to_the_expanded_node_nearest_to_the_end() -> None:
    # A comb: the end is an island at (13, 1); of the reachable squares the one at x = [8, 12] is nearest.
    mesh = mesh_of([rectangle(4 * i, 0, 4 * i + 4, 4) for i in (0, 1, 2)] + [rectangle(12, 6, 16, 8)])
    corridor = corridor_between(NavMeshQuery(mesh), (1, 0, 1), (13, 0, 7))
    assert corridor.status is PathStatus.PARTIAL
    assert corridor.polygons.tolist() == refs_along(mesh, (0, 0, 0), (0, 0, 1), (1, 0, 0))
    assert not corridor.node_limit_reached


def test_the_cost_of_a_partial_corridor_is_that_of_the_way_to_its_last_node() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4), rectangle(0, 6, 4, 8)])
    # The end (3, 7) lies above the first square: nothing expanded is nearer than the start itself.
    corridor = corridor_between(NavMeshQuery(mesh), (3, 0, 4), (3, 0, 7))
    assert (corridor.polygons.tolist(), corridor.cost) == (refs_along(mesh, (0, 0, 0)), 0.0)
    # To an island in line with both squares the way ends where the second one is entered, 3 m from the start.
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4), rectangle(12, 0, 16, 4)])
    corridor = corridor_between(NavMeshQuery(mesh), (1, 0, 1), (14, 0, 1))
    assert corridor.status is PathStatus.PARTIAL and (len(corridor), corridor.cost) == (2, 3.0)


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_the_node_limit_counts_start_and_terminal(limit: int) -> None:
    # Two squares need the start, the second square and the terminal.
    query = NavMeshQuery(strip(2), max_nodes=limit)
    corridor = corridor_between(query, (1, 0, 1), (7, 0, 1))
    assert bool(corridor) == (limit >= 3)
    assert corridor.node_limit_reached == (limit < 3)


@pytest.mark.parametrize(("squares", "dropped"), [(2, False), (3, True)])
def test_a_node_dropped_on_the_way_is_told_on_success_too(squares: int, dropped: bool) -> None:
    # Start, the end's square and the terminal take all three nodes: a square beyond the end finds no room.
    corridor = corridor_between(NavMeshQuery(strip(squares), max_nodes=3), (1, 0, 1), (7, 0, 1))
    assert corridor and corridor.node_limit_reached == dropped


def test_nodes_that_lead_elsewhere_may_leave_none_for_the_end() -> None:
    # A cross: two side arms take nodes that the limit leaves no room for.
    squares = [rectangle(4, 4, 8, 8), rectangle(0, 4, 4, 8), rectangle(4, 0, 8, 4), rectangle(4, 8, 8, 12)]
    mesh = mesh_of([*squares, rectangle(8, 4, 12, 8)], settings_of(16))
    corridor = corridor_between(NavMeshQuery(mesh, max_nodes=5), (6, 0, 6), (10, 0, 6))
    assert corridor.status is PathStatus.PARTIAL and corridor.node_limit_reached
    enough = corridor_between(NavMeshQuery(mesh, max_nodes=6), (6, 0, 6), (10, 0, 6))
    assert enough and not enough.node_limit_reached


def test_a_strip_beyond_the_node_limit_ends_in_a_partial_corridor() -> None:  # case C41
    mesh = strip(3000, 1.0)
    start, end = (0.5, 0, 0.5), (2999.5, 0, 0.5)
    query = NavMeshQuery(mesh, max_nodes=500)
    path = query.find_path(start, end)
    assert (path.status, path.detail) == (PathStatus.PARTIAL, QueryStatus.NODE_LIMIT)
    assert path.node_limit_reached and path.corridor.node_limit_reached
    assert "max_nodes=500" in repr(path) and "max_nodes=500" in repr(path.corridor)
    assert 450 <= path.points[-1][0] <= 501
    whole = NavMeshQuery(mesh).find_path(start, end)
    assert whole and len(whole) == 2
    assert whole.length == pytest.approx(2999.0, abs=1e-6)


def test_a_maze_beyond_the_node_limit_says_so() -> None:  # case C41
    mesh = maze(60, 60, seed=1)
    assert NavMeshQuery(mesh).find_path((0.5, 0, 0.5), (59.5, 0, 59.5))
    path = NavMeshQuery(mesh, max_nodes=100).find_path((0.5, 0, 0.5), (59.5, 0, 59.5))
    assert (path.status, path.detail) == (PathStatus.PARTIAL, QueryStatus.NODE_LIMIT)
    assert path.partial and not path


# --- what holds for every search


@pytest.fixture(scope="module")
def scene() -> tuple[NavMesh, list[tuple[tuple[float, float, float], tuple[float, float, float]]], QueryFilter]:
    mesh = maze(24, 24, seed=7, areas=None)
    chance = random.Random(8)
    spots = [tuple(mesh.polygon(t).mean(axis=0)) for t in all_references(mesh)]
    pairs = [(chance.choice(spots), chance.choice(spots)) for _ in range(30)]
    return mesh, pairs, QueryFilter()


def all_references(mesh: NavMesh) -> list[int]:
    return [
        mesh.reference(tile.column, tile.row, polygon)
        for tile in mesh.tiles()
        for polygon in range(len(tile.polygon_offsets) - 1)
    ]


@pytest.mark.parametrize("model", NodeModel)
@pytest.mark.parametrize("slice_size", [1, 2, 3, 7, 50])
def test_slices_give_what_one_call_gives(scene, model: NodeModel, slice_size: int) -> None:  # type: ignore[no-untyped-def]
    mesh, pairs, _ = scene
    query, sliced = NavMeshQuery(mesh, model), NavMeshQuery(mesh, model)
    for start, end in pairs:
        a, b = query.find_nearest_polygon(start), query.find_nearest_polygon(end)
        whole = query.find_corridor(a.ref, start, b.ref, end)
        assert sliced.begin_path(a.ref, start, b.ref, end) is PathStatus.IN_PROGRESS
        while sliced.update_path(slice_size) is PathStatus.IN_PROGRESS:
            assert sliced.finish_path().status is PathStatus.IN_PROGRESS
        assert sliced.finish_path() == whole
        assert sliced.iterations == query.iterations


@pytest.mark.parametrize("model", NodeModel)
def test_a_used_query_object_answers_as_a_new_one(scene, model: NodeModel) -> None:  # type: ignore[no-untyped-def]
    mesh, pairs, _ = scene
    used = NavMeshQuery(mesh, model)
    for start, end in pairs:
        assert used.find_path(start, end) == NavMeshQuery(mesh, model).find_path(start, end)


@pytest.mark.parametrize("model", NodeModel)
def test_consecutive_polygons_of_a_corridor_touch_where_the_crossing_says(scene, model: NodeModel) -> None:  # type: ignore[no-untyped-def]
    mesh, pairs, _ = scene
    query = NavMeshQuery(mesh, model)
    for start, end in pairs:
        corridor = corridor_between(query, start, end)
        polygons = corridor.polygons.tolist()
        assert len(set(polygons)) == len(polygons)
        for (edge, link), here, there in zip(corridor.crossings.tolist(), polygons, polygons[1:], strict=False):
            corners = mesh.polygon(here)
            ends = {tuple(corners[edge]), tuple(corners[(edge + 1) % len(corners)])}
            # All are unit squares: what they share is a whole edge, across a tile border too.
            assert ends == {tuple(c) for c in corners} & {tuple(c) for c in mesh.polygon(there)}
            assert (link >= 0) == ((here >> 21) != (there >> 21))


@pytest.mark.parametrize("model", NodeModel)
def test_the_order_in_which_tiles_were_committed_does_not_matter(model: NodeModel) -> None:
    def build(order: list[tuple[int, int]]) -> NavMesh:
        settings = settings_of(4)
        mesh = NavMesh(settings, (0, 0, 2, 2))
        for column, row in order:
            x, z = 4 * column, 4 * row
            squares = [rectangle(x + i, z + j, x + i + 2, z + j + 2) for j in (0, 2) for i in (0, 2)]
            mesh.stage_tile(tile_of(column, row, [turned(s) for s in squares], settings, areas=[1, 2, 1, 3]))
            mesh.commit()
        return mesh

    cells = list(itertools.product(range(3), range(3)))
    filter = QueryFilter(costs={2: 2.5, 3: 1.5})
    meshes = [build(cells), build(cells[::-1]), build(random.Random(3).sample(cells, 9))]
    for start, end in [((0.5, 0, 0.5), (11.5, 0, 11.5)), ((11, 0, 1), (1, 0, 10)), ((6, 0, 6), (0, 0, 0))]:
        paths = [NavMeshQuery(mesh, model).find_path(start, end, filter) for mesh in meshes]
        assert all(paths)
        assert len({(path.cost, path.points.tobytes()) for path in paths}) == 1
        outlines = [
            [mesh.polygon(r).tolist() for r in p.corridor.polygons] for mesh, p in zip(meshes, paths, strict=True)
        ]
        assert outlines[0] == outlines[1] == outlines[2]


def test_a_search_after_a_commit_that_grew_a_tile_answers_as_a_new_query() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    assert query.find_path((1, 0, 1), (15, 0, 1))
    squares = [rectangle(i, j, i + 2, j + 2) for j in (0, 2) for i in (0, 2, 4, 6)]
    mesh.stage_tile(tile_of(0, 0, squares, mesh.settings))
    mesh.commit()
    again = query.find_path((1, 0, 1), (15, 0, 1))
    assert again and again == NavMeshQuery(mesh).find_path((1, 0, 1), (15, 0, 1))


def test_arrays_of_a_corridor_are_read_only() -> None:
    corridor = corridor_between(NavMeshQuery(strip(3)), (1, 0, 1), (11, 0, 1))
    assert (corridor.polygons.dtype, corridor.crossings.dtype) == (np.int64, np.int32)
    with pytest.raises(ValueError, match="read-only"):
        corridor.polygons[0] = 1
