"""Rays over the surface: the document's rules by hand, cases C31 and C32, and what holds on any mesh."""

from __future__ import annotations

import array
import ctypes
import math
import pickle
from random import Random

import numpy as np
import pytest
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

from onepath.errors import ArgumentError, RangeError
from onepath.mesh import NavMesh
from onepath.query import NavMeshQuery, QueryFilter, RaycastHit, RaycastStatus
from tests.links import link, two_rooms
from tests.meshes import fan, grid, mesh_of, rectangle, settings_of, strip, two_floors
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh, random_position
from tests.visits import are_linked

Point = tuple[float, float, float]


def cast(mesh: NavMesh, start: Point, end: Point, **named: object) -> RaycastHit:
    query = NavMeshQuery(mesh)
    return query.raycast(query.find_nearest_polygon(start).ref, start, end, **named)  # type: ignore[arg-type]


# --- The document's rules, by hand


def test_a_ray_to_a_place_in_sight_is_clear() -> None:
    hit = cast(strip(2), (1, 0, 1), (7, 0, 2))
    assert (hit.status, hit.blocked, hit.t, hit.normal, hit.edge) == (RaycastStatus.CLEAR, False, 1.0, None, -1)
    assert hit.visited.tolist() == [hit.polygon - 1, hit.polygon]


def test_a_ray_ends_at_a_wall_with_its_outward_normal() -> None:
    hit = cast(strip(2), (2, 0, 2), (2, 0, 10))
    assert (hit.status, hit.t, hit.normal) == (RaycastStatus.BLOCKED, 0.25, (0.0, 0.0, 1.0))


def test_the_edge_that_was_hit_is_one_of_its_polygon() -> None:
    mesh = strip(2)
    hit = cast(mesh, (2, 0, 2), (12, 0, 2))
    corners = mesh.polygon(hit.polygon)
    ends = corners[hit.edge], corners[(hit.edge + 1) % len(corners)]
    assert {tuple(end) for end in ends} == {(8, 0, 0), (8, 0, 4)}


def test_a_polygon_that_the_filter_rejects_is_a_wall() -> None:
    mesh = strip(3, areas=[63, 5, 63])
    hit = cast(mesh, (2, 0, 2), (10, 0, 2), filter=QueryFilter(costs={5: math.inf}))
    assert (hit.status, hit.t, hit.normal) == (RaycastStatus.BLOCKED, 0.25, (1.0, 0.0, 0.0))


def test_a_ray_crosses_tile_borders_where_polygons_are_linked() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 2, 16, 4)])
    assert cast(mesh, (4, 0, 3), (12, 0, 3)).status is RaycastStatus.CLEAR
    assert cast(mesh, (4, 0, 6), (12, 0, 6)).t == 0.5


def test_a_link_takes_what_crosses_up_to_one_part_in_255_beside_it() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(8, 2, 16, 4)])
    # The link covers 63.75 to 127.5 of 255 parts of an edge of 8 m, rounded outward, and one part more each way.
    for inside, outside in ((8 * 128.9 / 255, 8 * 129.1 / 255), (8 * 62.1 / 255, 8 * 61.9 / 255)):
        assert cast(mesh, (4, 0, inside), (8.0001, 0, inside)).polygon != cast(mesh, (4, 0, 3), (5, 0, 3)).polygon
        assert cast(mesh, (4, 0, outside), (8.0001, 0, outside)).blocked


def test_a_missing_tile_is_not_loaded_and_the_edge_before_it_is_named() -> None:
    mesh = strip(2, grid_bounds=(0, 0, 1, 0))
    hit = cast(mesh, (2, 0, 2), (14, 0, 2))
    assert (hit.status, hit.blocked, hit.t, hit.normal) == (RaycastStatus.NOT_LOADED, True, 0.5, (1.0, 0.0, 0.0))
    assert hit.edge >= 0


def test_outside_the_bounds_is_a_wall() -> None:
    assert cast(strip(2), (2, 0, 2), (14, 0, 2)).status is RaycastStatus.BLOCKED


@pytest.mark.parametrize("ref", [0, -5, 1 << 41, (2 << 41) + 1])
def test_a_reference_that_names_nothing_is_an_invalid_start(ref: int) -> None:
    hit = NavMeshQuery(mesh_of([rectangle(0, 0, 4, 4)])).raycast(ref if ref != 1 << 41 else 7, (1, 0, 1), (2, 0, 1))
    assert (hit.status, hit.blocked, hit.t, hit.polygon, hit.edge) == (RaycastStatus.INVALID_START, True, 0.0, 0, -1)
    assert hit.visited.size == 0


def test_a_rejected_start_is_invalid_even_where_it_lies_outside() -> None:
    mesh = strip(1, areas=[5])
    query, closed = NavMeshQuery(mesh), QueryFilter(costs={5: math.inf})
    ref = mesh.reference(0, 0, 0)
    assert query.raycast(ref, (9, 0, 9), (1, 0, 1), closed).status is RaycastStatus.INVALID_START
    assert query.raycast(ref, (9, 0, 9), (1, 0, 1)).status is RaycastStatus.START_OUTSIDE_POLYGON


@pytest.mark.parametrize(
    ("beside", "status"),
    [(1e-6, RaycastStatus.BLOCKED), (1.0000001e-6, RaycastStatus.START_OUTSIDE_POLYGON)],
)
def test_a_start_may_lie_a_millionth_beside_its_polygon(beside: float, status: RaycastStatus) -> None:
    mesh = strip(1)
    hit = NavMeshQuery(mesh).raycast(mesh.reference(0, 0, 0), (-beside, 0, 2), (-3, 0, 2))
    assert (hit.status, hit.t) == (status, 0.0)


@pytest.mark.parametrize(
    ("x", "z", "fall", "over"),
    [
        (0.0, 1e-9, 1.0, True),
        (0.0, 1.0000001e-9, 1.0, False),
        (0.75, 0.125 * (0.75 + 1.5e-9), 0.125, True),
        (0.75, 0.125 * (0.75 + 2.0e-9), 0.125, False),
    ],
)
def test_edges_left_within_a_billionth_of_1_plus_t_are_left_at_one_place(
    x: float, z: float, fall: float, over: bool
) -> None:
    """The edge left first is a wall; the one left at the same place leads on, round the corner. The bound counts."""
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(0, -4, 4, 0), rectangle(-4, -4, 0, 0)])
    start = mesh.snap((2, 0, 2)).ref
    hit = NavMeshQuery(mesh).raycast(start, (x, 0.0, z), (x - 1.0, 0.0, z - fall))
    assert (hit.status is RaycastStatus.CLEAR) is over
    assert hit.polygon == (mesh.snap((-2, 0, -2)).ref if over else start)


def test_off_mesh_links_are_not_crossed() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.9, 0, 2), (6.1, 0, 2)))
    assert mesh.find_path((1, 0, 2), (9, 0, 2))
    assert cast(mesh, (1, 0, 2), (9, 0, 2)).blocked


# --- Results


def test_the_polygons_visited_are_written_into_the_callers_array_as_far_as_it_goes() -> None:
    mesh, room = strip(6), np.zeros(4, np.int64)
    whole = cast(mesh, (1, 0, 1), (23, 0, 1))
    short = cast(mesh, (1, 0, 1), (23, 0, 1), out=room)
    assert (whole.truncated, short.truncated) == (False, True)
    assert room.tolist() == short.visited.tolist() == whole.visited.tolist()[:4]


def test_many_visited_polygons_are_kept_as_well_as_few() -> None:
    hit = cast(grid(40, 1), (0.5, 0, 0.5), (39.5, 0, 0.5))
    assert len(hit.visited) == 40
    assert not hit.visited.flags.writeable


def test_any_writeable_array_of_numbers_will_do() -> None:
    room = array.array("q", [0, 0])
    short = cast(strip(6), (1, 0, 1), (23, 0, 1), out=room)
    assert room.tolist() == short.visited.tolist()


@pytest.mark.parametrize("room", [[0], np.zeros(4), np.zeros((2, 2), np.int64), np.zeros(8, np.int64)[::2]])
def test_what_is_no_array_of_references_is_refused(room: object) -> None:
    with pytest.raises(ArgumentError, match="out"):
        cast(strip(1), (1, 0, 1), (2, 0, 1), out=room)


def test_a_hit_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="blocked"):
        bool(cast(strip(1), (1, 0, 1), (2, 0, 1)))


def test_hits_are_values_that_can_be_pickled() -> None:
    hits = [cast(grid(20, 1), (0.5, 0, 0.5), (x, 0, 0.5)) for x in (0.7, 15.5, 70.0)]
    for hit in hits:
        assert pickle.loads(pickle.dumps(hit)) == hit
        assert hash(pickle.loads(pickle.dumps(hit))) == hash(hit)
    assert hits[0] != hits[1]
    assert "BLOCKED" in repr(hits[2])


def test_bad_positions_are_refused_before_a_bad_reference_is_answered() -> None:
    query = NavMeshQuery(strip(1))
    with pytest.raises(RangeError, match="end"):
        query.raycast(0, (1, 0, 1), (3e6, 0, 0))
    with pytest.raises(ArgumentError, match="start"):
        query.raycast(0, (math.nan, 0, 1), (3, 0, 0))


# --- Case C31: along edges, through vertices, and always to an end

ALONG = [
    ((0, 1), (2, 1)), ((1, 0), (1, 2)), ((0, 0), (2, 2)), ((0, 2), (2, 0)), ((0, 0), (2, 0)), ((1, 1), (2, 1)),
    ((1, 1), (1, 1)),
]  # fmt: skip


def rays_from_every_polygon_there(mesh: NavMesh, start: Point, end: Point) -> list[RaycastHit]:
    query = NavMeshQuery(mesh)
    hits = [query.raycast(int(ref), start, end) for view in mesh.tiles() for ref in view.references]
    return [hit for hit in hits if hit.status is not RaycastStatus.START_OUTSIDE_POLYGON]


@pytest.mark.parametrize(("a", "b"), ALONG)
@pytest.mark.parametrize(("scale", "tile"), [(1.0, 8), (1.0, 1), (1e5, 262144), (2.0**-13, 8)])
def test_c31_rays_along_edges_and_through_vertices_are_clear(a, b, scale: float, tile: int) -> None:
    squares = [rectangle(i * scale, j * scale, (i + 1) * scale, (j + 1) * scale) for j in range(2) for i in range(2)]
    mesh = mesh_of(squares, settings_of(tile))
    plain = PlainMesh(mesh)
    hits = rays_from_every_polygon_there(mesh, (a[0] * scale, 0, a[1] * scale), (b[0] * scale, 0, b[1] * scale))
    assert hits
    for hit in hits:
        visited = hit.visited.tolist()
        assert hit.status is RaycastStatus.CLEAR
        assert len(set(visited)) == len(visited) <= 4
        assert are_linked(plain, visited)


def scaled_fan(scale: float, tile: int) -> NavMesh:
    """The fan of 16 triangles round (4, 4), all its coordinates times `scale`."""
    corners = [fan(16).polygon(int(ref)) * scale for ref in fan(16).tiles()[0].references]
    return mesh_of([[tuple(corner) for corner in polygon.tolist()] for polygon in corners], settings_of(tile))


@pytest.mark.parametrize("turn", range(16))
@pytest.mark.parametrize(("scale", "tile"), [(1.0, 8), (1e5, 1048576), (2.0**-13, 8)])
def test_c31_rays_through_the_hub_of_a_fan_are_clear(turn: int, scale: float, tile: int) -> None:
    mesh = scaled_fan(scale, tile)
    plain, hub = PlainMesh(mesh), (4.0 * scale, 0.0, 4.0 * scale)
    corners = [corner for polygon in plain.polygons.values() for corner in polygon.corners]
    start = [corner for corner in corners if math.dist(corner, hub) > scale][2 * turn]
    inside = tuple(a + (a - b) * 0.99 for a, b in zip(hub, start, strict=True))
    hits = rays_from_every_polygon_there(mesh, start, inside)
    assert hits
    for hit in hits:
        visited = hit.visited.tolist()
        assert hit.status is RaycastStatus.CLEAR
        assert len(set(visited)) == len(visited) <= 16
        assert are_linked(plain, visited)


def corrupted(mesh: NavMesh, changes: dict[tuple[int, int], int]) -> NavMesh:
    """The mesh with other neighbours written into its only tile's memory: no tile could be staged like that."""
    array = mesh.tiles()[0].polygon_neighbours
    memory = (ctypes.c_int * len(array)).from_address(array.__array_interface__["data"][0])
    offsets = mesh.tiles()[0].polygon_offsets
    for (polygon, edge), neighbour in changes.items():
        memory[int(offsets[polygon]) + edge] = neighbour
    return mesh


@pytest.mark.parametrize("length", range(1, 7))
@pytest.mark.parametrize("before", range(4))
def test_c31_a_faulty_mesh_ends_a_ray_before_it_goes_round(length: int, before: int) -> None:
    # Squares over each other, so that a ray leaves each where it has come in: a chain that leads into a circle.
    count = before + length
    mesh = mesh_of([rectangle(0, 0, 4, 4, 3.0 * floor) for floor in range(count)])
    first = next(e for e in range(4) if (mesh.polygon(mesh.reference(0, 0, 0))[[e, (e + 1) % 4], 0] == 4).all())
    circle = {(i, first): i + 1 if i + 1 < count else before for i in range(count)}
    query = NavMeshQuery(corrupted(mesh, circle))
    hit = query.raycast(mesh.reference(0, 0, 0), (1, 0, 1), (9, 0, 1))
    assert (hit.status, hit.t, hit.edge) == (RaycastStatus.BLOCKED, 0.375, first)
    assert hit.visited.tolist() == [mesh.reference(0, 0, 0) + i for i in range(count)]
    move = query.move_along_surface(mesh.reference(0, 0, 0), (1, 0, 1), (9, 0, 1), slides=100)
    assert move.blocked


# --- Case C32: storeys


def test_c32_a_ray_stays_on_its_storey() -> None:
    mesh = mesh_of([rectangle(0, 0, 10, 10), rectangle(4, 4, 6, 6, 3.0)], settings_of(16))
    query = NavMeshQuery(mesh)
    ground, upper = (query.find_nearest_polygon(place).ref for place in ((1, 0, 5), (5, 3, 5)))
    hit = query.raycast(ground, (1, 0, 5), (5, 3, 5))
    assert hit.status is RaycastStatus.CLEAR
    assert hit.polygon == ground != upper


def test_stacked_floors_are_not_joined_by_a_ray() -> None:
    mesh = two_floors()
    query = NavMeshQuery(mesh)
    low, high = (query.raycast(query.find_nearest_polygon((1, y, 1)).ref, (1, y, 1), (15, y, 7)) for y in (0, 3))
    assert not set(low.visited.tolist()) & set(high.visited.tolist())


# --- What holds on any mesh


def test_on_random_meshes_rays_end_and_visit_linked_polygons_once() -> None:
    for seed in range(60):
        draw = Random(seed)
        mesh = random_mesh(seed)
        plain, query = PlainMesh(mesh), NavMeshQuery(mesh)
        polygons = list(plain.polygons.values())
        for _ in range(40 if polygons else 0):
            polygon = draw.choice(polygons)
            start, end = random_position(draw, [polygon]), random_position(draw, [draw.choice(polygons)])
            fast, slow = random_filter(draw)
            hit = query.raycast(polygon.ref, start, end, fast)
            visited = hit.visited.tolist()
            if hit.status in (RaycastStatus.INVALID_START, RaycastStatus.START_OUTSIDE_POLYGON):
                assert visited == []
                continue
            assert 0.0 <= hit.t <= 1.0
            assert visited[0] == polygon.ref
            assert visited[-1] == hit.polygon
            assert len(set(visited)) == len(visited)
            assert are_linked(plain, visited)
            assert all(slow.passes(plain.polygons[ref]) for ref in visited)
            assert hit == query.raycast(polygon.ref, start, end, fast)


def test_a_longer_segment_does_not_reach_less_far() -> None:
    mesh, draw = grid(9, 9, holes=[(2, 2), (3, 2), (5, 5), (6, 1), (1, 6), (8, 4)]), Random(3)
    query, middles = NavMeshQuery(mesh), [(i + 0.5, j + 0.5) for i in range(9) for j in range(9)]
    for x, z in middles:
        start = query.find_nearest_polygon((x, 0, z), (0.1, 1, 0.1))
        for _ in range(20 if start else 0):
            ends = [
                (x + t * dx, 0, z + t * dz) for dx, dz in [(draw.uniform(-9, 9), draw.uniform(-9, 9))] for t in (1, 0.5)
            ]
            whole, part = (query.raycast(start.ref, (x, 0, z), end) for end in ends)
            assert part.t == pytest.approx(min(1.0, 2.0 * whole.t), abs=1e-9)


def test_a_ray_is_clear_where_the_segment_stays_inside_the_outlines_of_what_it_visits() -> None:
    mesh = grid(8, 8, holes=[(2, 2), (3, 2), (5, 5), (6, 1), (1, 6)])
    query, draw = NavMeshQuery(mesh), Random(5)
    outlines = {int(ref): Polygon(mesh.polygon(int(ref))[:, [0, 2]]) for v in mesh.tiles() for ref in v.references}
    everything = unary_union(list(outlines.values()))
    clear = 0
    for _ in range(400):
        start = (draw.uniform(0, 8), 0.0, draw.uniform(0, 8))
        end = (draw.uniform(-1, 9), 0.0, draw.uniform(-1, 9))
        found = query.find_nearest_polygon(start, (0, 1, 0))
        if not found:
            continue
        hit = query.raycast(found.ref, start, end)
        line = LineString([(start[0], start[2]), (end[0], end[2])])
        visited = unary_union([outlines[ref] for ref in hit.visited.tolist()])
        assert hit.blocked == (not everything.covers(line))
        assert visited.buffer(1e-9).covers(line) != hit.blocked
        reached = LineString([line.coords[0], line.interpolate(hit.t, normalized=True)])
        assert visited.buffer(1e-9).covers(reached)
        clear += not hit.blocked
    assert 20 < clear < 380


def test_a_clear_ray_ends_in_the_polygon_that_holds_its_end() -> None:
    mesh = grid(8, 8, holes=[(2, 2), (5, 5)])
    query, draw = NavMeshQuery(mesh), Random(9)
    agreed = 0
    for _ in range(300):
        start, end = ((draw.uniform(0, 8), 0.0, draw.uniform(0, 8)) for _ in range(2))
        first, last = query.find_nearest_polygon(start, (0, 1, 0)), query.find_nearest_polygon(end, (0, 1, 0))
        if first and last and not query.raycast(first.ref, start, end).blocked:
            agreed += 1
            assert query.raycast(first.ref, start, end).polygon == last.ref
    assert agreed > 50


@pytest.mark.parametrize("origin", [0.0, 65536.0, -1048576.0])
def test_the_answer_does_not_change_far_from_the_origin(origin: float) -> None:
    squares = [rectangle(origin + 2 * i, 2 * j, origin + 2 * i + 2, 2 * j + 2) for i in range(4) for j in range(4)]
    mesh = mesh_of([s for i, s in enumerate(squares) if i != 6])
    hit = cast(mesh, (origin + 0.5, 0, 0.5), (origin + 7.5, 0, 4.0))
    near = cast(grid(4, 4, 2.0, holes=[(1, 2)]), (0.5, 0, 0.5), (7.5, 0, 4.0))
    assert (hit.status, hit.t, hit.normal) == (near.status, near.t, near.normal)
