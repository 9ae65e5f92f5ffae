"""Walls near a position: the nearest one and all within a radius, by examples and against every edge of the mesh."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from onepath.errors import ArgumentError, OnePathError
from onepath.mesh.navmesh import NavMesh
from onepath.query import AreaSearchStatus, NavMeshQuery, NearestWall, QueryFilter, WallSegments
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of
from tests.oracles.query_mesh import PlainMesh, PlainPolygon
from tests.test_area_searches import searches


def wall(mesh: NavMesh, center, radius: float = 100.0, filter: QueryFilter | None = None) -> NearestWall:
    query = NavMeshQuery(mesh)
    return query.distance_to_wall(query.find_nearest_polygon(center).ref, center, radius, filter)


def test_the_nearest_wall_is_straight_across() -> None:
    found = wall(strip(2), (3, 3, 1))
    assert (found.status, found.distance, found.point) == (AreaSearchStatus.SUCCESS, 1.0, (3.0, 0.0, 0.0))
    assert found.normal == (0.0, 0.0, 1.0)
    assert bool(found) and not found.not_loaded


def test_the_shared_edge_of_two_polygons_is_no_wall() -> None:
    assert wall(strip(2), (3.9, 0, 2)).distance == 2.0


def test_an_edge_towards_a_polygon_that_the_filter_rejects_is_a_wall() -> None:
    mesh = strip(2)
    mesh.set_area(mesh.reference(0, 0, 1), 5)
    found = wall(mesh, (3, 0, 2), 10.0, QueryFilter(avoid=[5]))
    assert (found.distance, found.point, found.normal) == (1.0, (4.0, 0.0, 2.0), (-1.0, 0.0, 0.0))
    assert wall(mesh, (3, 0, 2)).distance == 2.0


def test_the_border_between_tiles_is_a_wall_where_nothing_lies_behind() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 4, 16, 8)])
    found = wall(mesh, (7, 0, 2))
    assert (found.distance, found.point) == (1.0, (8.0, 0.0, 2.0))
    # The end of what is left of the edge.
    assert wall(mesh, (7, 0, 6)).point == (7.0, 0.0, 8.0)
    beside = wall(mesh, (7.5, 0, 5))
    assert beside.point == pytest.approx((8.0, 0.0, 4.0), abs=8 / 255)


def test_a_centre_on_the_wall_has_the_inward_normal() -> None:
    found = wall(strip(1), (2, 0, 0))
    assert (found.distance, found.normal) == (0.0, (0.0, 0.0, 1.0))
    assert wall(strip(1), (0, 0, 1)).normal == (1.0, 0.0, 0.0)


def test_height_is_interpolated_along_the_wall() -> None:
    mesh = mesh_of([[(0, 0.0, 0), (0, 0.0, 4), (4, 2.0, 4), (4, 2.0, 0)]])
    assert wall(mesh, (1, 5, 0.5)).point == (1.0, 0.5, 0.0)


def test_of_equally_near_walls_the_lowest_polygon_and_edge_is_taken() -> None:
    mesh = strip(2)
    found = wall(mesh, (2, 0, 2))
    edges = [tuple(corner) for corner in mesh.polygon(mesh.reference(0, 0, 0))[:, [0, 2]].tolist()]
    walls = [k for k in range(4) if not edges[k][0] == edges[(k + 1) % 4][0] == 4.0]
    assert (found.polygon, found.edge, found.distance) == (mesh.reference(0, 0, 0), min(walls), 2.0)


def test_of_equally_near_pieces_of_one_edge_the_one_nearer_to_its_first_vertex_is_taken() -> None:
    """Both sides of an opening in a tile's side, from right before its middle; a 255th of that side is a metre."""
    mesh = mesh_of([rectangle(0, 0, 255, 255), rectangle(255, 120, 300, 135)], settings_of(255))
    query, start, centre = NavMeshQuery(mesh), mesh.reference(0, 0, 0), (254.0, 0.0, 127.5)
    walls = query.find_walls(start, centre, 20.0)
    assert len(set(walls.distances[:2].tolist())) == 1 and len(set(walls.edges[:2].tolist())) == 1
    assert walls.segments[:2].tolist() == [[[255, 0, 255], [255, 0, 135]], [[255, 0, 120], [255, 0, 0]]]
    assert query.distance_to_wall(start, centre, 20.0).point == (255, 0, 135)


def test_nothing_within_the_radius_is_false_and_the_distance_is_the_radius() -> None:
    found = wall(strip(2), (4, 0, 2), 1.5)
    assert (bool(found), found.distance, found.point, found.normal, found.edge) == (False, 1.5, None, None, -1)
    assert wall(strip(2), (4, 0, 2), 2.0)


def test_an_invalid_start_is_a_status() -> None:
    found = NavMeshQuery(strip(1)).distance_to_wall(0, (1, 0, 1), 3.0)
    assert (found.status, bool(found), found.distance) == (AreaSearchStatus.INVALID_START, False, 3.0)
    walls = NavMeshQuery(strip(1)).find_walls(0, (1, 0, 1), 3.0)
    assert (walls.status, len(walls), walls.segments.shape) == (AreaSearchStatus.INVALID_START, 0, (0, 2, 3))


def test_the_side_towards_a_missing_tile_is_no_wall_and_is_said_to_be_near() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, (0, 0, 1, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings))
    mesh.commit()
    near, far = wall(mesh, (7, 0, 4), 4.0), wall(mesh, (7, 0, 4), 0.5)
    assert (near.distance, near.status, near.missing_tiles) == (4.0, AreaSearchStatus.NOT_LOADED, ((1, 0),))
    assert near.not_loaded and not far.not_loaded and not far
    mesh.stage_tile(tile_of(1, 0, [], settings))
    mesh.commit()
    assert wall(mesh, (7, 0, 4), 4.0).distance == 1.0


def test_no_wall_stands_at_seams_between_tiles_however_large_they_are() -> None:
    """Case C18: wall distances beside and on the seams of an open floor."""
    for side in (4, 8, 16):
        mesh = grid(24 // side, 24 // side, float(side), settings=settings_of(side))
        for center in ((8, 0, 4), (8.0001, 0, 4), (12, 0, 4)):
            assert wall(mesh, center).distance == 4.0
        query = NavMeshQuery(mesh)
        near = query.find_walls(query.find_nearest_polygon((8, 0, 4)).ref, (8, 0, 4), 2.0)
        assert len(near) == 0 and near.status is AreaSearchStatus.SUCCESS


# --- Against every edge of what a circle finds ----------------------------------------------------------------------


def pieces(plain: PlainMesh, polygon: PlainPolygon, passes):
    """(edge, low, high) of a polygon's walls, in 255ths, by marking every 255th that leads somewhere."""
    for edge, neighbour in enumerate(polygon.neighbours):
        side = polygon.sides[edge]
        if neighbour:
            if not passes(plain.polygons[neighbour]):
                yield edge, 0, 255
            continue
        open_parts = [False] * 255
        if side >= 0:
            step = ((-1, 0), (0, 1), (1, 0), (0, -1))[side]
            if plain.is_missing((polygon.place[0] + step[0], polygon.place[1] + step[1])):
                continue
            for link in polygon.links:
                if link.edge == edge and passes(plain.polygons[link.target]):
                    open_parts[link.range_min : link.range_max] = [True] * (link.range_max - link.range_min)
        start = None
        for k, is_open in enumerate([*open_parts, True]):
            if not is_open and start is None:
                start = k
            if is_open and start is not None:
                yield edge, start, k
                start = None


def along(a, b, k: float):
    return tuple(p + (q - p) * k for p, q in zip(a, b, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_walls_are_all_the_edges_that_lead_nowhere(seed: int) -> None:
    for query, plain, start, center, radius, fast, slow in searches(seed, 8):
        found = query.find_polygons_in_circle(start, center, radius, fast).polygons.tolist()
        wanted = []
        for ref in found:
            for edge, low, high in pieces(plain, plain.polygons[ref], slow.passes):
                a, b = plain.polygons[ref].edge(edge)
                ex, ez = b[0] - a[0], b[2] - a[2]
                t = ((center[0] - a[0]) * ex + (center[2] - a[2]) * ez) / (ex * ex + ez * ez)
                near = along(a, b, min(max(t, low / 255), high / 255))
                distance = math.hypot(near[0] - center[0], near[2] - center[2])
                if distance <= radius:
                    wanted.append((distance, ref, edge, along(a, b, low / 255), along(a, b, high / 255)))
        walls = query.find_walls(start, center, radius, fast)
        edge_of_reach = sum(abs(item[0] - radius) < 1e-9 for item in wanted)
        assert abs(len(walls) - len(wanted)) <= edge_of_reach
        if edge_of_reach:
            continue
        wanted.sort(key=lambda item: item[0])
        assert walls.distances.tolist() == pytest.approx([item[0] for item in wanted], abs=1e-9)
        got = {
            (ref, edge, *np.round(ends.ravel(), 6))
            for ref, edge, ends in zip(walls.polygons.tolist(), walls.edges.tolist(), walls.segments, strict=True)
        }
        assert got == {(ref, edge, *np.round([*a, *b], 6)) for _, ref, edge, a, b in wanted}
        nearest = query.distance_to_wall(start, center, radius, fast)
        assert bool(nearest) == bool(wanted)
        if nearest:
            assert nearest.distance == walls.distances[0]
            assert math.hypot(nearest.normal[0], nearest.normal[2]) == pytest.approx(1.0, abs=1e-12)
            assert nearest.polygon == min(
                (ref for ref, d in zip(walls.polygons.tolist(), walls.distances, strict=True) if d == nearest.distance),
                key=lambda ref: ref & (2**41 - 1),
            )


def test_walls_have_the_walkable_side_on_their_left_seen_from_above() -> None:
    query = NavMeshQuery(strip(1))
    for a, b in query.find_walls(query.mesh.reference(0, 0, 0), (2, 0, 2), 9.0).segments:
        assert (b[2] - a[2]) * (2 - a[0]) - (b[0] - a[0]) * (2 - a[2]) > 0


def test_equally_near_walls_come_as_the_search_met_them() -> None:
    query = NavMeshQuery(strip(1))
    walls = query.find_walls(query.mesh.reference(0, 0, 0), (2, 0, 2), 9.0)
    assert (walls.edges.tolist(), walls.distances.tolist()) == ([0, 1, 2, 3], [2.0] * 4)


@pytest.mark.parametrize("shape", [(3, 6), (3, 2, 3)])
def test_a_short_array_keeps_the_nearest(shape: tuple[int, ...]) -> None:
    query = NavMeshQuery(grid(2, 2, 4.0))
    start = query.mesh.reference(0, 0, 0)
    whole = query.find_walls(start, (1, 0, 2), 100.0)
    out, polygons, edges, distances = np.zeros(shape), np.zeros(2, np.int64), np.zeros(9, np.int32), np.zeros(3)
    few = query.find_walls(
        start, (1, 0, 2), 100.0, out=out, polygons_out=polygons, distances_out=distances, edges_out=edges
    )
    assert (few.truncated, len(few), whole.truncated, len(whole)) == (True, 3, False, 8)
    assert np.array_equal(few.segments, whole.segments[:3]) and np.shares_memory(few.segments, out)
    assert few.polygons.tolist() == polygons.tolist() == whole.polygons[:2].tolist()
    assert few.edges.tolist() == edges[:3].tolist() == whole.edges[:3].tolist()
    assert few.distances.tolist() == whole.distances[:3].tolist()


def test_an_array_that_does_not_hold_segments_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"out is .*float64 array \(n, 6\)"):
        NavMeshQuery(strip(1)).find_walls(1, (0, 0, 0), 1.0, out=np.zeros(12))


# --- Slices and values ----------------------------------------------------------------------------------------------


def test_a_sliced_circle_search_knows_the_walls_of_what_it_has_expanded() -> None:
    query = NavMeshQuery(strip(4))
    start = query.mesh.reference(0, 0, 0)
    query.begin_area_search(start, (15, 0, 2), 100.0)
    assert not query.finish_distance_to_wall()
    query.update_area_search(1)
    first = query.finish_distance_to_wall()
    assert (first.status, first.polygon) == (AreaSearchStatus.IN_PROGRESS, start)
    while query.update_area_search(1) is AreaSearchStatus.IN_PROGRESS:
        pass
    assert query.finish_distance_to_wall() == query.distance_to_wall(start, (15, 0, 2), 100.0)


def test_a_shape_has_no_distance_to_walls() -> None:
    query = NavMeshQuery(strip(1))
    query.begin_area_search(query.mesh.reference(0, 0, 0), points=[(0, 0, 0), (1, 0, 0), (1, 0, 1)])
    with pytest.raises(OnePathError, match="has no circle"):
        query.finish_distance_to_wall()


def test_results_are_values() -> None:
    query = NavMeshQuery(strip(2))
    start = query.mesh.reference(0, 0, 0)
    for radius in (0.1, 10.0):
        for found in (query.distance_to_wall(start, (2, 0, 2), radius), query.find_walls(start, (2, 0, 2), radius)):
            copy = pickle.loads(pickle.dumps(found))
            assert copy == found and hash(copy) == hash(found) and repr(copy) == repr(found)
    for kind in (NearestWall, WallSegments):
        with pytest.raises(TypeError):
            kind()
