"""Moves along the surface: the document's one slide, case C36, several slides, and what holds on any mesh."""

from __future__ import annotations

import math
import pickle
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, NavPoint, QueryFilter, RaycastStatus, SurfaceMove
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh, random_position
from tests.visits import are_linked

Point = tuple[float, float, float]


def move(mesh: NavMesh, start: Point, end: Point, **named: object) -> SurfaceMove:
    query = NavMeshQuery(mesh)
    return query.move_along_surface(query.find_nearest_polygon(start).ref, start, end, **named)  # type: ignore[arg-type]


def test_a_free_move_comes_to_its_end_at_the_surfaces_height() -> None:
    mesh = mesh_of([[(0, 0, 0), (0, 0, 4), (4, 2, 4), (4, 2, 0)], rectangle(4, 0, 8, 4, 2.0)])
    went = move(mesh, (1, 0.5, 1), (3, -7, 2))
    assert (went.status, went.blocked, went.point) == (RaycastStatus.CLEAR, False, (3, 1.5, 2))
    assert move(mesh, (1, 0.5, 1), (6, 0, 2)).point == (6, 2, 2)


def test_a_move_into_a_wall_comes_to_the_point_of_its_edge_nearest_to_the_end() -> None:
    went = move(strip(2), (2, 0, 2), (3, 0, 6))
    assert (went.status, went.blocked, went.point) == (RaycastStatus.BLOCKED, True, (3, 0, 4))


def test_the_slide_ends_where_the_edge_ends() -> None:
    went = move(strip(2), (2, 0, 3.9), (6, 0, 4.5))
    assert went.point == (4, 0, 4)
    assert went.visited.tolist() == [went.ref]


def test_the_height_on_the_wall_is_interpolated_along_the_edge() -> None:
    mesh = mesh_of([[(0, 0, 0), (0, 0, 4), (4, 2, 4), (4, 2, 0)]])
    assert move(mesh, (1, 0.5, 1), (3, 0, 6)).point == (3, 1.5, 4)


def test_a_missing_tile_stops_the_move_on_the_edge_before_it() -> None:
    went = move(strip(2, grid_bounds=(0, 0, 1, 0)), (6, 0, 2), (12, 0, 3))
    assert (went.status, went.blocked, went.point) == (RaycastStatus.NOT_LOADED, True, (8, 0, 3))


def test_a_refused_start_has_no_point() -> None:
    mesh = strip(1)
    invalid = NavMeshQuery(mesh).move_along_surface(0, (1, 0, 1), (2, 0, 1))
    outside = NavMeshQuery(mesh).move_along_surface(mesh.reference(0, 0, 0), (5, 0, 1), (2, 0, 1))
    assert (invalid.status, outside.status) == (RaycastStatus.INVALID_START, RaycastStatus.START_OUTSIDE_POLYGON)
    for went in (invalid, outside):
        assert (went.ref, went.point, went.blocked, bool(went.place), went.visited.size) == (0, None, True, False, 0)


def test_a_trace_that_slipped_in_beside_a_polygon_ends_on_it() -> None:
    # The link of 8 m ends at 128 parts of 255 and takes what crosses at up to 129, 4 cm beside the far polygon.
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 2, 16, 4)])
    inside = 8 * 128.9 / 255
    went = move(mesh, (7.9999, 0, inside), (8.0001, 0, inside))
    assert not went.blocked
    assert went.point == (8.0001, 0, 4.0)


def test_the_place_of_a_move_is_a_place_to_go_on_from() -> None:
    mesh = strip(2)
    went = move(mesh, (2, 0, 2), (7, 0, 1))
    assert went.place == NavPoint(went.ref, went.point)
    assert mesh.find_path(went.place, (1, 0, 1))


def test_the_polygons_visited_are_written_into_the_callers_array() -> None:
    room = np.zeros(3, np.int64)
    went = move(strip(6), (1, 0, 1), (23, 0, 1), out=room)
    assert went.truncated
    assert went.visited.tolist() == room.tolist() == move(strip(6), (1, 0, 1), (23, 0, 1)).visited.tolist()[:3]


def test_moves_are_values_that_can_be_pickled_and_have_no_truth() -> None:
    moves = [move(grid(20, 1), (0.5, 0, 0.5), (x, 0, 0.5)) for x in (0.7, 15.5, 70.0)]
    moves.append(NavMeshQuery(strip(1)).move_along_surface(0, (1, 0, 1), (2, 0, 1)))
    for went in moves:
        assert pickle.loads(pickle.dumps(went)) == went
        assert hash(pickle.loads(pickle.dumps(went))) == hash(went)
    with pytest.raises(TypeError, match="blocked"):
        bool(moves[0])


@pytest.mark.parametrize("slides", [0, -1, 1025, 1.5, True, "2"])
def test_slides_out_of_range_are_refused(slides: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="slides"):
        move(strip(1), (1, 0, 1), (2, 0, 1), slides=slides)


# --- Case C36: a closed border


def closed_by_area(side: int) -> tuple[NavMesh, list[int], QueryFilter]:
    """Two squares that touch, the other one refused by the filter."""
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], areas=[63, 5] if side == 0 else [5, 63])
    return mesh, [mesh.reference(0, 0, polygon) for polygon in (0, 1)], QueryFilter(costs={5: math.inf})


def closed_without_a_link(_side: int) -> tuple[NavMesh, list[int], QueryFilter]:
    """Two squares that touch, in two layers of one cell, so that nothing links them."""
    mesh, settings = NavMesh(settings_of(8), (0, 0, 0, 0)), settings_of(8)
    for layer, square in enumerate((rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4))):
        mesh.stage_tile(tile_of(0, 0, [square], settings, layer=layer))
    mesh.commit()
    return mesh, [int(mesh.tile(0, 0, layer).references[0]) for layer in (0, 1)], QueryFilter()


@pytest.mark.parametrize("closing", [closed_by_area, closed_without_a_link])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("slides", [1, 8])
def test_c36_an_agent_pushed_against_a_closed_border_keeps_its_side(slides: int, side: int, closing) -> None:
    mesh, refs, closed = closing(side)
    query, draw = NavMeshQuery(mesh), Random(36)
    ref, point, ahead = refs[side], (3.9 if side == 0 else 4.1, 0.0, 2.0), 1 - 2 * side
    assert not mesh.is_reachable(NavPoint(refs[0], (2.0, 0.0, 2.0)), NavPoint(refs[1], (6.0, 0.0, 2.0)), closed)
    for _ in range(1000):
        step = ahead * draw.uniform(0, 0.3)
        went = query.move_along_surface(ref, point, (point[0] + step, 0.0, 2.0), closed, slides=slides)
        assert went.ref == ref
        point = went.point
        assert (4.0 - point[0]) * ahead >= 0.0
        assert abs(point[1] - query.surface_height(ref, point)) <= 1e-6
    assert point == (4.0, 0.0, 2.0)
    # Both polygons are equally near here, so a bare position goes to the first; the place of a move keeps its own.
    assert mesh.snap(point).ref == refs[0]
    assert mesh.snap(went.place) == went.place == NavPoint(ref, point)
    assert mesh.move(went.place, (ahead, 0, 0), closed).ref == ref


def test_c36_nudges_over_an_open_mesh_stay_a_chain_of_linked_polygons() -> None:
    mesh = grid(12, 12)
    plain, query, draw = PlainMesh(mesh), NavMeshQuery(mesh), Random(377)
    ref, point, room = query.find_nearest_polygon((6.5, 0, 6.5)).ref, (6.5, 0.0, 6.5), np.zeros(4, np.int64)
    for _ in range(1000):
        end = (point[0] + draw.uniform(-2, 2), 0.0, point[2] + draw.uniform(-2, 2))
        went = query.move_along_surface(ref, point, end, out=room)
        visited = went.visited.tolist()
        assert visited[0] == ref
        assert len(visited) <= 4
        assert are_linked(plain, visited)
        assert went.truncated or visited[-1] == went.ref
        ref, point = went.ref, went.point


# --- What holds on any mesh


@pytest.mark.parametrize("slides", [1, 16])
def test_a_result_lies_on_the_polygon_that_it_names(slides: int) -> None:
    for seed in range(60):
        draw = Random(seed)
        mesh = random_mesh(seed)
        query, polygons = NavMeshQuery(mesh), list(PlainMesh(mesh).polygons.values())
        size = max((abs(c) for p in polygons for corner in p.corners for c in corner), default=0.0)
        for _ in range(40 if polygons else 0):
            polygon = draw.choice(polygons)
            start, end = random_position(draw, [polygon]), random_position(draw, [draw.choice(polygons)])
            chosen = random_filter(draw)[0]
            went = query.move_along_surface(polygon.ref, start, end, chosen, slides=slides)
            if went.ref == 0:
                continue
            x, y, z = went.point
            there = query.move_along_surface(went.ref, went.point, went.point, chosen)
            assert there.ref == went.ref
            assert math.hypot(there.point[0] - x, there.point[2] - z) <= 1e-15 * size + 1e-12
            if went.status is RaycastStatus.CLEAR:
                assert y == pytest.approx(query.surface_height(went.ref, went.point), abs=1e-9)
            hit = query.raycast(polygon.ref, start, end, chosen)
            if slides == 1:
                assert (went.status, went.visited.tolist()) == (hit.status, hit.visited.tolist())


def test_several_slides_never_end_farther_from_the_end_than_they_began() -> None:
    for seed in range(60):
        draw = Random(seed)
        mesh = random_mesh(seed)
        query, polygons = NavMeshQuery(mesh), list(PlainMesh(mesh).polygons.values())
        for _ in range(40 if polygons else 0):
            polygon = draw.choice(polygons)
            start, end = random_position(draw, [polygon]), random_position(draw, polygons)
            went = query.move_along_surface(polygon.ref, start, end, slides=64)
            if went.ref:
                assert away(went.point, end) <= away(start, end) + 1e-5


def away(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[2] - b[2])
