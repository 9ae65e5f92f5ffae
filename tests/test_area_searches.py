"""Area searches: which polygons, in which order, from where; one-shot and in slices."""

from __future__ import annotations

import itertools
import math
import pickle
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, OnePathError, RangeError
from onepath.mesh.navmesh import NavMesh
from onepath.query import AreaPolygons, AreaSearchStatus, NavMeshQuery, QueryFilter
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, tile_of
from tests.oracles.query_mesh import PlainMesh, PlainPolygon
from tests.query_meshes import random_filter, random_mesh, random_position

SUCCESS, NOT_LOADED = AreaSearchStatus.SUCCESS, AreaSearchStatus.NOT_LOADED
FAR = 1e6


def portals(plain: PlainMesh, polygon: PlainPolygon):
    """(target, a, b) of every way out but off-mesh links."""
    for edge, neighbour in enumerate(polygon.neighbours):
        a, b = polygon.edge(edge)
        if neighbour:
            yield plain.polygons[neighbour], a, b
        for link in polygon.links:
            if link.edge == edge:
                ends = [
                    tuple(p + (q - p) * (k / 255) for p, q in zip(a, b, strict=True))
                    if 0 < k < 255
                    else (a, b)[k // 255]
                    for k in (link.range_min, link.range_max)
                ]
                yield plain.polygons[link.target], *ends


def squared_gap(a, b, x: float, z: float) -> float:
    """Squared distance of (x, z) from a segment, seen from above."""
    ex, ez = b[0] - a[0], b[2] - a[2]
    t = min(max(((x - a[0]) * ex + (z - a[2]) * ez) / (ex * ex + ez * ez), 0.0), 1.0)
    return (a[0] + ex * t - x) ** 2 + (a[2] + ez * t - z) ** 2


def flood(plain: PlainMesh, start: int, passes, touches) -> set[int]:
    """Breadth-first: what a chain of touching portals leads to."""
    found, waiting = {start}, [start]
    while waiting:
        for target, a, b in portals(plain, plain.polygons[waiting.pop()]):
            if target.ref not in found and passes(target) and touches(a, b):
                found.add(target.ref)
                waiting.append(target.ref)
    return found


def searches(seed: int, count: int):
    """Random questions about one random mesh: (query, plain mesh, start, centre, radius, filter, the same plainly)."""
    draw = Random(seed)
    mesh = random_mesh(seed)
    plain = PlainMesh(mesh)
    polygons = list(plain.polygons.values())
    query = NavMeshQuery(mesh)
    for _ in range(count if polygons else 0):
        fast, slow = random_filter(draw)
        allowed = [polygon for polygon in polygons if slow.passes(polygon)]
        if allowed:
            start = draw.choice(allowed)
            center = random_position(draw, [start, draw.choice(polygons)])
            yield query, plain, start.ref, center, draw.choice([0.0, 0.5, 2.0, 5.0, 11.0, 40.0]), fast, slow


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("start_side", [1.0, -1.0])
@pytest.mark.parametrize(("gap", "found"), [(2.0**-103, 2), (2.0**-102, 1)])
def test_a_shape_touches_a_portal_where_their_orientation_is_below_2_to_the_minus_100(
    side: float, start_side: float, gap: float, found: int
) -> None:
    """The portal is 4 m long: of a corner 2^-102 m beside it the orientation is 2^-100 itself."""
    mesh = mesh_of([rectangle(0, -4, 4, 0), rectangle(0, 0, 4, 4)])
    start = mesh.snap((2, 0, 2 * start_side)).ref
    shape = [(1, 0, side * gap), (3, 0, side * gap), (3, 0, 2 * side), (1, 0, 2 * side)]
    assert len(NavMeshQuery(mesh).find_polygons_in_shape(start, shape).polygons) == found


@pytest.mark.parametrize("seed", range(40))
def test_a_circle_finds_what_a_chain_of_touching_portals_reaches(seed: int) -> None:
    for query, plain, start, center, radius, fast, slow in searches(seed, 12):
        found = query.find_polygons_in_circle(start, center, radius, fast)
        # A hair of slack either way: the search decides by its own rounding, this one by another.
        for more, compare in ((-1e-9, set.issubset), (1e-9, set.issuperset)):
            reach = radius * radius + more
            wanted = flood(plain, start, slow.passes, lambda a, b: squared_gap(a, b, center[0], center[2]) <= reach)  # noqa: B023
            assert compare(wanted, set(found.polygons.tolist()))


@pytest.mark.parametrize("seed", range(20))
def test_each_polygon_comes_once_after_its_parent_which_it_touches_at_its_distance(seed: int) -> None:
    for query, plain, start, center, radius, fast, _ in searches(seed, 10):
        found = query.find_polygons_in_circle(start, center, radius, fast)
        polygons, parents = found.polygons.tolist(), found.parents.tolist()
        assert polygons[0] == start and parents[0] == 0 and found.distances_squared[0] == 0.0
        assert len(set(polygons)) == len(polygons)
        for place in range(1, len(polygons)):
            assert parents[place] in polygons[:place]
            gaps = [
                squared_gap(a, b, center[0], center[2])
                for target, a, b in portals(plain, plain.polygons[parents[place]])
                if target.ref == polygons[place]
            ]
            assert min(gaps) == pytest.approx(found.distances_squared[place], rel=1e-9, abs=1e-9)


def test_nearer_portals_are_gone_through_first_and_of_equal_ones_the_edge_met_first() -> None:
    mesh = grid(3, 3, 4.0)
    query = NavMeshQuery(mesh)
    start = query.find_nearest_polygon((2.0, 0.0, 2.0)).ref
    found = query.find_polygons_in_circle(start, (2.0, 0.0, 2.0), FAR)
    assert len(found) == mesh.polygon_count
    assert np.all(np.diff(found.distances_squared) >= 0.0)
    # Two ways lead out of the corner square, equally far from its middle.
    plain = PlainMesh(mesh)
    first_two = [target.ref for target, _, _ in portals(plain, plain.polygons[start])]
    assert found.polygons[1:3].tolist() == first_two and found.distances_squared[1] == found.distances_squared[2] == 4.0


def regular(center, radius: float, corners: int, turn: float):
    angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
    return [(center[0] + radius * math.cos(a), 7.0, center[2] + radius * math.sin(a)) for a in angles]


def touches_polygon(points, a, b) -> bool:
    """Whether a segment meets a convex polygon: clipped by each edge's half-plane, something is left."""
    area = sum(p[2] * q[0] - p[0] * q[2] for p, q in itertools.pairwise([*points, points[0]]))
    ring = points if area > 0 else points[::-1]
    low, high = 0.0, 1.0
    for p, q in itertools.pairwise([*ring, ring[0]]):
        ex, ez = q[0] - p[0], q[2] - p[2]
        first, last = (ez * (end[0] - p[0]) - ex * (end[2] - p[2]) for end in (a, b))
        if first < 0 and last < 0:
            return False
        if first < 0 <= last:
            low = max(low, first / (first - last))
        if last < 0 <= first:
            high = min(high, first / (first - last))
    return low <= high


@pytest.mark.parametrize("seed", range(40))
def test_a_shape_finds_what_a_chain_of_touching_portals_reaches(seed: int) -> None:
    draw = Random(seed)
    for query, plain, start, center, radius, fast, slow in searches(seed, 12):
        points = regular(center, radius + 0.3, draw.choice([3, 4, 7, 64]), draw.uniform(0, 6))
        if draw.random() < 0.5:
            points.reverse()
        if max(abs(v) for point in points for v in point) >= 2.0**21:
            continue
        found = query.find_polygons_in_shape(start, points, fast)
        wanted = flood(plain, start, slow.passes, lambda a, b: touches_polygon(points, a, b))  # noqa: B023
        assert set(found.polygons.tolist()) == wanted
        assert query.find_polygons_in_shape(start, np.array(points[::-1]), fast).status == found.status


def test_a_shape_that_only_touches_a_corner_of_a_portal_goes_through_it() -> None:
    query = NavMeshQuery(strip(2))
    ends = query.find_polygons_in_shape(query.mesh.reference(0, 0, 0), [(4, 0, 4), (3, 0, 6), (5, 0, 6)])
    assert len(ends) == 2
    beside = query.find_polygons_in_shape(
        query.mesh.reference(0, 0, 0), [(4, 0, math.nextafter(4, 9)), (3, 0, 6), (5, 0, 6)]
    )
    assert len(beside) == 1


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(0, 0, 0), (1, 0, 0)],
        [(0, 0, 0), (1, 0, 0), (2, 0, 0)],
        [(0, 0, 0), (1, 0, 0), (1, 5, 0)],
        [(0, 0, 0), (2, 0, 0), (2, 0, 2), (1, 0, 0.5)],
        [(0, 0, 0), (2, 0, 2), (2, 0, 0), (0, 0, 2)],
        [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 0), (1, 0, 0), (1, 0, 1)],
        [(math.cos(k * 4 * math.pi / 5), 0, math.sin(k * 4 * math.pi / 5)) for k in range(5)],
        regular((0, 0, 0), 5, 65, 0),
        [(0, 0, 0), (2, 0, 0), (1, 0, 0), (3, 0, 0), (3, 0, 3), (0, 0, 3)],
    ],
    ids=["none", "two", "line", "same-place", "dent", "bow", "twice-round", "star", "too-many", "back-and-forth"],
)
def test_points_that_are_no_convex_polygon_are_a_status_even_with_a_bad_start(points) -> None:
    found = NavMeshQuery(strip(1)).find_polygons_in_shape(0, points)
    assert (found.status, len(found), bool(found)) == (AreaSearchStatus.INVALID_SHAPE, 0, False)


def test_corners_on_a_line_are_part_of_a_shape() -> None:
    query = NavMeshQuery(strip(2))
    shape = [(0, 0, 0), (1, 0, 0), (3, 0, 0), (3, 0, 3), (0, 0, 3)]
    assert query.find_polygons_in_shape(query.mesh.reference(0, 0, 0), shape).status is SUCCESS


def test_the_reference_point_of_a_shape_is_the_mean_of_its_points() -> None:
    query = NavMeshQuery(strip(2))
    found = query.find_polygons_in_shape(query.mesh.reference(0, 0, 0), [(1, 0, 1), (1, 0, 2), (1, 0, 3), (7, 0, 3)])
    assert found.distances_squared.tolist() == [0.0, (4 - 2.5) ** 2]


@pytest.mark.parametrize("ref", [0, -1, 1, 1 << 60])
def test_a_start_that_names_nothing_is_a_status(ref: int) -> None:
    assert NavMeshQuery(strip(1)).find_polygons_in_circle(ref, (1, 0, 1), 1.0).status is AreaSearchStatus.INVALID_START


def test_a_start_that_the_filter_rejects_is_a_status() -> None:
    query = NavMeshQuery(strip(1))
    found = query.find_polygons_in_circle(query.mesh.reference(0, 0, 0), (1, 0, 1), 1.0, QueryFilter(avoid=[63]))
    assert found.status is AreaSearchStatus.INVALID_START


def test_the_node_limit_drops_what_comes_later() -> None:
    mesh = grid(3, 3, 4.0)
    few = NavMeshQuery(mesh, max_nodes=4).find_polygons_in_circle(mesh.reference(0, 0, 0), (0, 0, 0), FAR)
    all_of_them = NavMeshQuery(mesh).find_polygons_in_circle(mesh.reference(0, 0, 0), (0, 0, 0), FAR)
    assert (few.status, few.node_limit_reached, len(few)) == (AreaSearchStatus.NODE_LIMIT, True, 4)
    assert not all_of_them.node_limit_reached


def half_loaded() -> NavMesh:
    """One tile of a mesh that goes on to the right, where nothing is loaded, and ends elsewhere."""
    settings = settings_of()
    mesh = NavMesh(settings, (0, 0, 1, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings))
    mesh.commit()
    return mesh


def test_a_circle_that_reaches_over_a_frontier_names_the_missing_tile() -> None:
    query = NavMeshQuery(half_loaded())
    start = query.mesh.reference(0, 0, 0)
    near = query.find_polygons_in_circle(start, (6, 0, 4), 2.0)
    far = query.find_polygons_in_circle(start, (6, 0, 4), math.nextafter(2.0, 0.0))
    assert (near.status, near.not_loaded, near.missing_tiles) == (NOT_LOADED, True, ((1, 0),))
    assert (far.status, far.not_loaded, far.missing_tiles) == (SUCCESS, False, ())


def spiral(turns: int) -> NavMesh:
    """Stairs of four large steps a turn, a tile each, every turn exactly over the last."""
    quarters = [(0, 0), (8, 0), (8, 8), (0, 8)]
    steps = [(*quarters[step % 4], 0.4 * step) for step in range(4 * turns)]
    return mesh_of([rectangle(x, z, x + 8, z + 8, y) for x, z, y in steps])


def test_a_neighbourhood_has_each_place_once() -> None:
    query = NavMeshQuery(spiral(5))
    start = query.mesh.reference(0, 0, 2)
    found = query.find_local_neighbourhood(start, (8, 0, 8), FAR)
    assert len(query.find_polygons_in_circle(start, (8, 0, 8), FAR)) == query.mesh.polygon_count == 20
    assert len(found) == 4


def overlap(plain: PlainMesh, a: int, b: int) -> bool:
    """Whether the outlines' interiors meet, in doubles with slack: a sliver is no overlap."""
    ring = [(c[0], c[2]) for c in plain.polygons[a].corners]
    for p, q in itertools.pairwise([(c[0], c[2]) for c in (*plain.polygons[b].corners, plain.polygons[b].corners[0])]):
        ex, ez = q[0] - p[0], q[1] - p[1]
        side = [ez * (x - p[0]) - ex * (z - p[1]) for x, z in ring]
        ring = [
            point
            for k, (x, z) in enumerate(ring)
            for point in [
                *([(x, z)] if side[k] >= 0 else []),
                *(
                    [
                        (
                            x + (ring[(k + 1) % len(ring)][0] - x) * side[k] / (side[k] - side[(k + 1) % len(ring)]),
                            z + (ring[(k + 1) % len(ring)][1] - z) * side[k] / (side[k] - side[(k + 1) % len(ring)]),
                        )
                    ]
                    if side[k] * side[(k + 1) % len(ring)] < 0
                    else []
                ),
            ]
        ]
        if not ring:
            return False
    area = sum(p[1] * q[0] - p[0] * q[1] for p, q in itertools.pairwise([*ring, ring[0]]))
    return area > 1e-3


@pytest.mark.parametrize("seed", range(30))
def test_no_two_of_a_neighbourhood_overlap_and_what_is_left_out_overlaps_one(seed: int) -> None:
    for query, plain, start, center, radius, fast, slow in searches(seed, 6):
        found = query.find_local_neighbourhood(start, center, radius, fast).polygons.tolist()
        assert not any(overlap(plain, a, b) for a, b in itertools.combinations(found, 2))
        for ref in found:
            for target, a, b in portals(plain, plain.polygons[ref]):
                if target.ref in found or not slow.passes(target):
                    continue
                if squared_gap(a, b, center[0], center[2]) < radius * radius - 1e-9:
                    assert any(overlap(plain, target.ref, other) for other in found)


def test_without_floors_over_each_other_a_neighbourhood_is_the_circle() -> None:
    query = NavMeshQuery(grid(3, 3, 4.0))
    start = query.mesh.reference(0, 0, 0)
    assert query.find_local_neighbourhood(start, (9, 0, 9), 9.0) == query.find_polygons_in_circle(start, (9, 0, 9), 9.0)


# --- Slices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_slices_of_any_size_give_what_one_call_gives(seed: int) -> None:
    draw = Random(seed)
    for query, _, start, center, radius, fast, _ in searches(seed, 6):
        neighbourhood = draw.random() < 0.5
        whole = query.find_local_neighbourhood if neighbourhood else query.find_polygons_in_circle
        wanted = whole(start, center, radius, fast)
        query.begin_area_search(start, center, radius, neighbourhood=neighbourhood, filter=fast)
        steps = 0
        while query.update_area_search(draw.choice([0, 1, 1, 3])) is AreaSearchStatus.IN_PROGRESS:
            steps += 1
            partial = query.finish_area_search()
            assert np.array_equal(partial.polygons, wanted.polygons[: len(partial)])
            assert steps < 10_000
        assert query.finish_area_search() == wanted


def test_a_slice_expands_no_more_than_it_may() -> None:
    query = NavMeshQuery(grid(3, 3, 4.0))
    assert query.begin_area_search(query.mesh.reference(0, 0, 0), (0, 0, 0), FAR) is AreaSearchStatus.IN_PROGRESS
    for count in (1, 2, 3):
        query.update_area_search(1)
        assert len(query.finish_area_search()) == count
    assert query.finish_area_search().status is AreaSearchStatus.IN_PROGRESS


def test_the_last_slice_needs_nothing_left_to_do() -> None:
    query = NavMeshQuery(strip(1))
    query.begin_area_search(query.mesh.reference(0, 0, 0), points=[(0, 0, 0), (1, 0, 0), (1, 0, 1)])
    assert query.update_area_search(1) is AreaSearchStatus.IN_PROGRESS
    assert query.update_area_search(1) is SUCCESS


def test_a_commit_that_changes_what_was_read_makes_a_search_stale() -> None:
    mesh = strip(4)
    query = NavMeshQuery(mesh)
    query.begin_area_search(mesh.reference(0, 0, 0), (0, 0, 0), FAR)
    query.update_area_search(1)
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert query.update_area_search(1) is AreaSearchStatus.STALE
    found = query.finish_area_search()
    assert (found.status, len(found)) == (AreaSearchStatus.STALE, 0)


def test_a_commit_elsewhere_lets_a_search_go_on_and_end_as_one_begun_now() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, (0, 0, 9, 0))
    for column in range(3):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
    mesh.commit()
    query = NavMeshQuery(mesh)
    query.begin_area_search(mesh.reference(0, 0, 0), (0, 0, 0), FAR)
    query.update_area_search(1)
    mesh.stage_tile(tile_of(3, 0, [rectangle(24, 0, 32, 8)], settings))
    mesh.commit()
    while query.update_area_search(1) is AreaSearchStatus.IN_PROGRESS:
        pass
    found = query.finish_area_search()
    assert len(found) == 4
    assert found == NavMeshQuery(mesh).find_polygons_in_circle(mesh.reference(0, 0, 0), (0, 0, 0), FAR)


def test_another_area_search_replaces_one_in_slices_and_a_path_search_does_not() -> None:
    query = NavMeshQuery(strip(2))
    start = query.mesh.reference(0, 0, 0)
    query.begin_area_search(start, (0, 0, 0), FAR)
    query.find_path((1, 0, 1), (7, 0, 1))
    query.update_area_search(9)
    query.find_polygons_in_circle(start, (0, 0, 0), 1.0)
    with pytest.raises(OnePathError, match="no area search is under way"):
        query.update_area_search(1)


def test_a_refused_call_leaves_a_search_in_slices_as_it_is() -> None:
    query = NavMeshQuery(grid(2, 2, 4.0))
    start = query.mesh.reference(0, 0, 0)
    wanted = query.find_polygons_in_circle(start, (0, 0, 0), FAR)
    query.begin_area_search(start, (0, 0, 0), FAR)
    query.update_area_search(1)
    for refused in (
        lambda: query.find_polygons_in_circle(start, (5, 0, 5), -1.0),
        lambda: query.find_polygons_in_circle("start", (5, 0, 5), 1.0),
        lambda: query.find_polygons_in_circle(start, (5, 0, 5), 1.0, out=[1]),
        lambda: query.find_polygons_in_shape(start, [(0, 0, 0), (1, 0, 0), (math.nan, 0, 1)]),
        lambda: query.find_walls(start, (5, 0, 5), 1.0, filter=3),
    ):
        with pytest.raises(ArgumentError):
            refused()
    query.update_area_search(1000)
    assert query.finish_area_search() == wanted


# --- Arguments and results ------------------------------------------------------------------------------------------


def test_arrays_of_the_caller_take_as_much_as_they_hold() -> None:
    query = NavMeshQuery(grid(2, 2, 4.0))
    start = query.mesh.reference(0, 0, 0)
    whole = query.find_polygons_in_circle(start, (0, 0, 0), FAR)
    out, parents, distances = np.zeros(3, np.int64), np.zeros(9, np.int64), np.zeros(2)
    found = query.find_polygons_in_circle(start, (0, 0, 0), FAR, out=out, parents_out=parents, distances_out=distances)
    assert (found.truncated, len(found), whole.truncated) == (True, 3, False)
    assert out.tolist() == whole.polygons[:3].tolist() == found.polygons.tolist()
    assert parents[:3].tolist() == whole.parents[:3].tolist() and not parents[3:].any()
    assert distances.tolist() == whole.distances_squared[:2].tolist() == found.distances_squared.tolist()
    assert np.shares_memory(found.polygons, out)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(4, np.int32),
        np.zeros(4),
        np.zeros((4, 1), np.int64),
        np.zeros(8, np.int64)[::2],
        np.zeros(4, np.uint64),
        [0, 0],
    ],
    ids=["int32", "float64", "two-dimensional", "strided", "uint64", "list"],
)
def test_another_kind_of_array_is_refused(out: object) -> None:
    query = NavMeshQuery(strip(1))
    with pytest.raises(ArgumentError, match=r"(?s)out is .*, not a writeable contiguous int64 array"):
        query.find_polygons_in_circle(query.mesh.reference(0, 0, 0), (0, 0, 0), 1.0, out=out)  # type: ignore[arg-type]


def test_a_read_only_array_is_refused() -> None:
    query = NavMeshQuery(strip(1))
    out = np.zeros(4, np.int64)
    out.flags.writeable = False
    with pytest.raises(ArgumentError, match="out is"):
        query.find_polygons_in_circle(query.mesh.reference(0, 0, 0), (0, 0, 0), 1.0, out=out)


def test_lists_beside_none_are_refused() -> None:
    with pytest.raises(ArgumentError, match="go with out, which is None"):
        NavMeshQuery(strip(1)).find_polygons_in_circle(1, (0, 0, 0), 1.0, parents_out=np.zeros(1, np.int64))


@pytest.mark.parametrize("radius", [-1.0, 4194305.0, math.inf])
def test_a_radius_out_of_range_is_named(radius: float) -> None:
    with pytest.raises(RangeError, match=r"radius is .*, outside \[0, 4194304\]"):
        NavMeshQuery(strip(1)).find_polygons_in_circle(1, (0, 0, 0), radius)


def test_a_circle_or_points_are_needed_and_not_both() -> None:
    query = NavMeshQuery(strip(1))
    with pytest.raises(ArgumentError, match="needs a center and a radius, or points"):
        query.begin_area_search(1, (0, 0, 0))
    with pytest.raises(ArgumentError, match="not both"):
        query.begin_area_search(1, (0, 0, 0), 1.0, points=[])


@pytest.mark.parametrize("radius", [0.5, FAR])
def test_results_are_values(radius: float) -> None:
    query = NavMeshQuery(grid(2, 2, 4.0))
    found = query.find_polygons_in_circle(query.mesh.reference(0, 0, 0), (0, 0, 0), radius)
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found and hash(copy) == hash(found) and copy.polygons.tolist() == found.polygons.tolist()
    assert repr(copy) == repr(found)
    match found:
        case AreaPolygons(status, polygons):
            assert status is SUCCESS and len(polygons) == len(found)
    with pytest.raises(TypeError):
        AreaPolygons()
    with pytest.raises(ValueError, match="read-only"):
        found.polygons[0] = 1
