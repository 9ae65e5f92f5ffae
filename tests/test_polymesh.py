"""Polygons: convex, never empty, covering their outlines to the last square, joined where they share an edge."""

from __future__ import annotations

import pickle
from collections import deque
from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry import Point, Polygon

from onepath.build import (
    CompactHeightfield,
    ContourSet,
    PolyMesh,
    build_contours,
    build_polymesh,
    build_regions,
)
from onepath.errors import RangeError
from tests.floors import STOREY, field_of, places_of, plan, random_field, rolling_field, spiral_stairs

SEEDS = range(30)
#: Rows, of the fields in which polygons of different floors are compared.
HIGHEST_CLIMB = 4


def meshed(
    compact: CompactHeightfield, *, padding: int = 0, merge: int = 0, error: float = 1.3, corners: int = 6
) -> tuple[ContourSet, PolyMesh]:
    contours = build_contours(build_regions(compact, padding=padding, merge_region=merge), max_edge_error=error)
    return contours, build_polymesh(contours, max_polygon_vertices=corners)


def random_mesh(seed: int, error: float = 1.3, merge: int = 30) -> tuple[ContourSet, PolyMesh]:
    compact = random_field(seed)
    room = (min(compact.frame.width, compact.frame.depth) - 1) // 2
    padding = seed % (room + 1) if seed % 3 else 0
    return meshed(compact, padding=padding, merge=merge, error=error, corners=3 + seed % 6)


def corners_of(mesh: PolyMesh) -> list[NDArray[np.int64]]:
    """(corners, 3) of every polygon."""
    offsets = mesh.polygon_offsets
    return [mesh.vertices[mesh.polygon_vertices[begin:end]].astype(np.int64) for begin, end in pairwise(offsets)]


def shapes_of(mesh: PolyMesh) -> list[Polygon]:
    return [Polygon(corners[:, [0, 2]]) for corners in corners_of(mesh)]


def doubled_area(ring: NDArray[np.int64]) -> int:
    after = np.roll(ring, -1, axis=0)
    return int((ring[:, 2] * after[:, 0] - ring[:, 0] * after[:, 2]).sum())


def areas_by_region(contours: ContourSet) -> dict[int, int]:
    """Twice the area that the outline of each region encloses, its holes taken off."""
    found: dict[int, int] = {}
    offsets, vertices = contours.loop_offsets, contours.loop_vertices
    for number, region in enumerate(contours.loop_regions.tolist()):
        ring = contours.vertices[vertices[offsets[number] : offsets[number + 1]]].astype(np.int64)
        found[region] = found.get(region, 0) + doubled_area(ring)
    return found


def assert_sound(contours: ContourSet, mesh: PolyMesh, corners: int) -> None:
    """Convex polygons with an area, none too large, that cover every outline exactly."""
    covered: dict[int, int] = {}
    for region, ring in zip(mesh.regions.tolist(), corners_of(mesh), strict=True):
        assert 3 <= len(ring) <= corners
        a, c = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        turns = (ring[:, 2] - a[:, 2]) * (c[:, 0] - a[:, 0]) - (ring[:, 0] - a[:, 0]) * (c[:, 2] - a[:, 2])
        assert (turns >= 0).all()
        assert Polygon(ring[:, [0, 2]]).is_valid  # left turns alone could also wind twice
        assert doubled_area(ring) > 0
        covered[region] = covered.get(region, 0) + doubled_area(ring)
    assert covered == areas_by_region(contours)
    assert (contours.unresolved, mesh.failed_regions) == (0, 0)


def assert_no_overlap(shapes: list[Polygon]) -> None:
    tree = STRtree(shapes)
    left, right = tree.query(shapes, predicate="intersects")
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        assert a >= b or shapes[a].intersection(shapes[b]).area < 1e-6


@pytest.mark.parametrize("error", [0.0, 1.3, 8.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_polygons_are_convex_and_cover_their_outlines(seed: int, error: float) -> None:
    contours, mesh = random_mesh(seed, error)
    assert_sound(contours, mesh, 3 + seed % 6)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1600))
def test_polygons_are_convex_and_cover_their_outlines_at_length(seed: int) -> None:
    for error in (0.0, 0.7, 1.3, 3.0, 20.0):
        contours, mesh = random_mesh(seed, error, merge=(0, 10, 100, 1000)[seed % 4])
        assert_sound(contours, mesh, 3 + seed % 6)


@pytest.mark.parametrize("error", [1.3, 8.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_polygons_of_a_region_do_not_overlap_and_on_a_single_floor_none_do(seed: int, error: float) -> None:
    contours, mesh = random_mesh(seed, error)
    shapes = np.array(shapes_of(mesh), dtype=object)
    if contours.regions.compact.cell_count.max() <= 1:
        assert_no_overlap(list(shapes))
    for region in set(mesh.regions.tolist()):
        assert_no_overlap(list(shapes[mesh.regions == region]))


def assert_overlaps_are_floors_over_each_other(contours: ContourSet, mesh: PolyMesh) -> int:
    """Polygons overlap only where a cell has both floors, or where more than a climb lies between their corners or
    between the nearest cells of their regions. The number of overlaps."""
    compact, padding, region = contours.regions.compact, contours.regions.padding, contours.regions.region
    x, z = places_of(compact, padding)
    cells = shapely.box(x, z, x + 1, z + 1)
    own = [np.flatnonzero(region == number) for number in range(contours.region_count + 1)]
    corners, shapes = corners_of(mesh), np.array(shapes_of(mesh), dtype=object)
    left, right = STRtree(list(shapes)).query(list(shapes), predicate="intersects")
    shared = shapely.intersection(shapes[left], shapes[right])
    overlaps = np.flatnonzero((left < right) & (shapely.area(shared) > 1e-6))
    for k in overlaps.tolist():
        near = []
        for polygon in (left[k], right[k]):
            spans = own[mesh.regions[polygon]]
            distance = shapely.distance(shared[k], cells[spans])
            near.append(spans[distance <= distance.min() + 1e-9])
        both = {*zip(x[near[0]], z[near[0]], strict=True)} & {*zip(x[near[1]], z[near[1]], strict=True)}
        between_cells = room_between(*(compact.y[spans] for spans in near))
        between_corners = room_between(corners[left[k]][:, 1], corners[right[k]][:, 1])
        assert mesh.regions[left[k]] != mesh.regions[right[k]]
        assert both or max(between_cells, between_corners) > HIGHEST_CLIMB
    return len(overlaps)


def room_between(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Rows between two sets of heights, negative where they mix."""
    return int(max(a.min() - b.max(), b.min() - a.max()))


def overlaps_on_random_floors(seed: int) -> int:
    """Floors with more room above them than the climb, as all have that an agent fits on."""
    compact = random_field(seed, climbs=tuple(range(1, HIGHEST_CLIMB + 1)))
    if compact.height[compact.area > 0].min(initial=65535) <= HIGHEST_CLIMB:
        return 0
    contours, mesh = meshed(compact, merge=30, error=(0.7, 1.3, 4.0, 8.0)[seed % 4])
    return assert_overlaps_are_floors_over_each_other(contours, mesh)


def test_polygons_overlap_only_where_floors_are_over_each_other() -> None:
    assert sum(overlaps_on_random_floors(seed) for seed in range(8)) > 100


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_polygons_overlap_only_where_floors_are_over_each_other_at_length(seed: int) -> None:
    overlaps_on_random_floors(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_share_an_edge_and_name_each_other(seed: int) -> None:
    # With steps this low no stair can wind around a corner itself, which would share its vertices between its turns.
    _, mesh = meshed(random_field(seed, climbs=(1, 2)), merge=30)
    offsets = mesh.polygon_offsets
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for polygon, (begin, end) in enumerate(pairwise(offsets)):
        loop = mesh.polygon_vertices[begin:end]
        for a, b, neighbour in zip(loop, np.roll(loop, -1), mesh.polygon_neighbours[begin:end], strict=True):
            edges.setdefault((int(a), int(b)), []).append((polygon, int(neighbour)))
    for (a, b), [(polygon, neighbour), *others] in edges.items():
        assert not others, "an edge is walked twice in one direction"
        across = edges.get((b, a), [(-1, -1)])[0]
        along = mesh.vertices[b] - mesh.vertices[a]
        if neighbour == across[1] == -1 and 0 in along[[0, 2]]:
            continue  # a step too high to climb, that one can walk around at both of its ends
        assert neighbour == across[0]
        assert neighbour != polygon


@pytest.mark.parametrize("seed", SEEDS)
def test_no_vertex_of_a_region_lies_within_an_edge_of_it(seed: int) -> None:
    _, mesh = random_mesh(seed, merge=100)
    rings = corners_of(mesh)
    for region in set(mesh.regions.tolist()):
        own = [ring for number, ring in zip(mesh.regions.tolist(), rings, strict=True) if number == region]
        points = np.unique(np.concatenate(own)[:, [0, 2]], axis=0)
        for ring in own:
            a = ring[:, None, [0, 2]]
            b = np.roll(ring, -1, axis=0)[:, None, [0, 2]]
            across = (b[..., 1] - a[..., 1]) * (points[:, 0] - a[..., 0])
            across = across - (b[..., 0] - a[..., 0]) * (points[:, 1] - a[..., 1])
            along = ((points - a) * (points - b)).sum(axis=2)
            assert not ((across == 0) & (along < 0)).any()


@pytest.mark.parametrize("error", [0.5, 1.3, 4.0])
@pytest.mark.parametrize("seed", range(16))
def test_every_cell_is_within_the_error_of_a_polygon_of_its_region(seed: int, error: float) -> None:
    contours, mesh = random_mesh(seed, error)
    regions = contours.regions
    x, z = places_of(regions.compact, regions.padding)
    shapes = np.array(shapes_of(mesh), dtype=object)
    for region in range(1, regions.count + 1):
        tree = STRtree(list(shapes[mesh.regions == region]))
        own = regions.region == region
        points = [Point(a + 0.5, b + 0.5) for a, b in zip(x[own].tolist(), z[own].tolist(), strict=True)]
        _, distance = tree.query_nearest(points, return_distance=True, all_matches=False)
        assert distance.max() <= error


@pytest.mark.parametrize("seed", range(12))
def test_border_sides_lie_on_their_side_and_have_no_neighbour(seed: int) -> None:
    compact = rolling_field(seed, 20, 20)
    _, mesh = meshed(compact, padding=4, merge=50)
    length = np.zeros(4, dtype=int)
    for ring, begin in zip(corners_of(mesh), mesh.polygon_offsets[:-1].tolist(), strict=True):
        for k, (a, b) in enumerate(zip(ring, np.roll(ring, -1, axis=0), strict=True)):
            side = int(mesh.border_sides[begin + k])
            if side >= 0:
                axis, line = ((0, 0), (2, 12), (0, 12), (2, 0))[side]
                assert a[axis] == b[axis] == line
                assert mesh.polygon_neighbours[begin + k] == -1
                length[side] += abs(b - a)[[0, 2]].sum()
    assert length.tolist() == [12] * 4


@pytest.mark.parametrize("seed", range(10))
def test_the_same_field_gives_the_same_mesh(seed: int) -> None:
    one, two = random_mesh(seed)[1], random_mesh(seed)[1]
    assert one == two
    assert hash(one) == hash(two)
    assert one != random_mesh(seed + 1)[1]


@pytest.mark.parametrize(("corners", "polygons"), [(3, 2), (4, 1)])
def test_polygons_have_as_many_corners_as_they_may(corners: int, polygons: int) -> None:
    assert meshed(plan("###", "###"), corners=corners)[1].polygon_count == polygons


def cut_by_shortest_ears(ring: NDArray[np.int64]) -> set[frozenset[int]]:
    """Triangles of a ring (n, 2) by cutting off, again and again, the ear whose cut is shortest, the first of such."""

    def turn(a: int, b: int, c: int) -> int:
        (ax, az), (bx, bz), (cx, cz) = (ring[k].tolist() for k in (a, b, c))
        return (bz - az) * (cx - ax) - (bx - ax) * (cz - az)

    left, found = list(range(len(ring))), set()
    while len(left) > 3:
        around = [(left[k - 1], left[k], left[(k + 1) % len(left)]) for k in range(len(left))]
        ears = []
        for p, v, n in around:
            corners = {tuple(ring[k].tolist()) for k in (p, v, n)}
            others = [w for w in left if tuple(ring[w].tolist()) not in corners]
            if turn(p, v, n) > 0 and not any(min(turn(n, p, w), turn(p, v, w), turn(v, n, w)) >= 0 for w in others):
                ears.append((int(((ring[p] - ring[n]) ** 2).sum()), v, frozenset((p, v, n))))
        _, ear, triangle = min(ears, key=lambda found: found[:2])
        left.remove(ear)
        found.add(triangle)
    return found | {frozenset(left)}


@pytest.mark.parametrize("seed", range(12))
def test_the_shortest_ears_are_cut_first(seed: int) -> None:
    """Of outlines without holes, small ones and such as are searched by place."""
    contours, mesh = meshed(random_field(seed, climbs=(1, 2)), merge=10**6, corners=3)
    offsets, vertices = contours.loop_offsets, contours.loop_vertices
    triangles = mesh.polygon_vertices.reshape(-1, 3)
    compared = 0
    for region in range(1, contours.region_count + 1):
        loops = np.flatnonzero(contours.loop_regions == region)
        if len(loops) > 1:
            continue
        loop = vertices[offsets[loops[0]] : offsets[loops[0] + 1]]
        wanted = cut_by_shortest_ears(contours.vertices[loop][:, [0, 2]].astype(np.int64))
        assert {frozenset(loop[list(ear)].tolist()) for ear in wanted} == {
            frozenset(triangle) for triangle in triangles[mesh.regions == region].tolist()
        }
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("turned", [False, True])
def test_the_longest_diagonal_goes_first(turned: bool) -> None:
    """An outline of five corners cut into three triangles, of which two may become one."""
    lines = [*["############"] * 5, "##########..", "########...."]
    compact = plan(*(["".join(column) for column in zip(*lines, strict=True)] if turned else lines))
    whole, pair = (meshed(compact, error=1.3, corners=corners)[1] for corners in (3, 4))
    assert (whole.polygon_count, pair.polygon_count) == (3, 2)
    lengths = []
    for mesh in (whole, pair):
        ends = [np.stack([ring, np.roll(ring, -1, axis=0)], axis=1) for ring in corners_of(mesh)]
        inner = np.concatenate(ends)[mesh.polygon_neighbours >= 0]
        lengths.append(sorted({int(((a - b) ** 2).sum()) for a, b in inner}))
    assert lengths[1] == lengths[0][:1] and len(lengths[0]) == 2


def test_floors_above_each_other_all_become_polygons() -> None:
    lower = [(x, z, 5, 63) for x in range(12) for z in range(12)]
    upper = [(x, z, 25, 63) for x in range(3, 9) for z in range(12)]
    _, mesh = meshed(field_of(lower + upper, 12, 12), merge=1000)
    by_height: dict[int, int] = {}
    for ring in corners_of(mesh):
        [height] = set(ring[:, 1].tolist())
        by_height[height] = by_height.get(height, 0) + doubled_area(ring) // 2
    assert by_height == {5: 144, 25: 72}


@pytest.mark.parametrize("post", [1, 2])
def test_spiral_stairs_stay_one_walk_from_bottom_to_top(post: int) -> None:
    contours, mesh = meshed(spiral_stairs(turns=4, post=post), merge=10**6)
    assert_sound(contours, mesh, 6)
    lowest = min(range(mesh.polygon_count), key=lambda polygon: corners_of(mesh)[polygon][:, 1].min())
    reached = walk(mesh, lowest)
    assert max(corners_of(mesh)[polygon][:, 1].max() for polygon in reached) >= 2 + 4 * 24 - 4


def walk(mesh: PolyMesh, start: int) -> set[int]:
    seen, waiting = {start}, deque([start])
    while waiting:
        polygon = waiting.popleft()
        begin, end = mesh.polygon_offsets[polygon : polygon + 2]
        for neighbour in mesh.polygon_neighbours[begin:end].tolist():
            if neighbour >= 0 and neighbour not in seen:
                seen.add(neighbour)
                waiting.append(neighbour)
    return seen


def test_holes_nested_and_touching_are_left_out() -> None:
    compact = plan(
        "#####################",
        "#.....###.#.#.###...#",
        "#.###.##.#.#.#.##.#.#",
        "#.#.#.###.#.#.###...#",
        "#.###.#############.#",
        "#.....#######.#.###.#",
        "###########.#.#####.#",
        "#####################",
    )
    contours, mesh = meshed(compact, error=0.0, merge=1000)
    assert_sound(contours, mesh, 6)
    assert_no_overlap(shapes_of(mesh))
    assert sum(doubled_area(ring) for ring in corners_of(mesh)) == 2 * compact.span_count


def test_a_bridge_to_a_hole_does_not_cross_the_wall_before_the_nearest_corner() -> None:
    """The corner nearest to the second pillar belongs to the first, behind a long thin wall."""
    wall, pillars = "##########.#############", "#######..#.#..##########"
    compact = plan(*[wall] * 7, *[pillars] * 2, *[wall] * 7, *["#" * 24] * 5)
    contours, mesh = meshed(compact, error=0.0, merge=1000)
    assert contours.loop_count == 3
    assert_sound(contours, mesh, 6)
    assert_no_overlap(shapes_of(mesh))


# --- work


def pierced(side: int, every: int) -> CompactHeightfield:
    """A square floor with a hole of one cell in every few cells, along both axes."""
    z, x = np.indices((side, side)).reshape(2, -1)
    kept = (x % every != 1) | (z % every != 1)
    rows = np.stack([x, z, np.full_like(x, 5), np.full_like(x, 63)], axis=1)
    return field_of(rows[kept], side, side)


def beside_a_column(side: int) -> CompactHeightfield:
    """A square floor with holes in a column, whose bridges all end in the same corner of the outline."""
    spans = [(x, z, 5, 63) for z in range(side) for x in range(side) if x != side - 2 or z % 2 == 0]
    return field_of(spans, side, side)


@pytest.mark.parametrize(("every", "side"), [(2, 40), (3, 50)])
def test_the_work_on_a_floor_full_of_holes_grows_little_faster_than_the_holes(every: int, side: int) -> None:
    """Four times the holes: a quadratic search anywhere would look at sixteen times as many."""
    few = meshed(pierced(side, every), merge=10**6)
    many = meshed(pierced(2 * side, every), merge=10**6)
    assert 3.5 < many[0].loop_count / few[0].loop_count < 4.5
    for small, large in zip(few, many, strict=True):
        assert small.steps > 0
        assert large.steps < 6.5 * small.steps
    assert_sound(*many, 6)


def test_the_work_on_a_floor_full_of_holes_is_bounded() -> None:
    """Each corner is looked at again as a corner of a hole, as an end of bridges and as an ear, in logarithmic time."""
    contours, mesh = meshed(pierced(96, 2), merge=10**6)
    corners = len(contours.loop_vertices)
    assert contours.steps < 40 * corners
    assert mesh.steps < 30 * corners * np.log2(corners)


def test_many_bridges_to_one_corner_are_not_tried_in_turns() -> None:
    """Trying them in turns would take the cube of their number, 27 times as long for thrice as many."""
    few = meshed(beside_a_column(40), error=0.0, merge=10**6)[1]
    many = meshed(beside_a_column(120), error=0.0, merge=10**6)[1]
    assert few.failed_regions == many.failed_regions == 0
    assert many.steps < 9 * few.steps


def stacked(storeys: int) -> CompactHeightfield:
    """The same floor with holes over and over."""
    kept = np.argwhere(np.random.default_rng(3).random((40, 40)) >= 0.1).tolist()
    return field_of([(x, z, 5 + STOREY * storey, 63) for storey in range(storeys) for z, x in kept], 40, 40)


def test_the_work_on_stacked_floors_grows_as_their_number() -> None:
    """Edges and corners are compared with those near them in height: all with all would be sixteen times the work."""
    few, many = (meshed(stacked(storeys), merge=400) for storeys in (10, 40))
    assert many[0].loop_count == 4 * few[0].loop_count
    assert many[0].steps < 4.5 * few[0].steps
    assert many[1].steps == 4 * few[1].steps


# --- the result as a value


def test_a_mesh_survives_pickling() -> None:
    _, mesh = random_mesh(3)
    again = pickle.loads(pickle.dumps(mesh))
    assert again == mesh
    assert not again.vertices.flags.writeable


def test_dtypes_and_shapes_are_those_of_the_document() -> None:
    _, mesh = random_mesh(4)
    corners = len(mesh.polygon_vertices)
    assert mesh.vertices.dtype == np.int32
    assert mesh.vertices.shape == (len(mesh.vertices), 3)
    assert (mesh.polygon_neighbours.dtype, mesh.polygon_neighbours.shape) == (np.int32, (corners,))
    assert (mesh.border_sides.dtype, mesh.border_sides.shape) == (np.int8, (corners,))
    assert (mesh.areas.dtype, mesh.areas.shape) == (np.uint8, (mesh.polygon_count,))
    assert mesh.polygon_offsets[-1] == corners


def test_areas_are_those_of_the_cells() -> None:
    _, mesh = meshed(plan("####11", "####11", "####11"), merge=100)
    assert sorted(zip(mesh.areas.tolist(), (shape.area for shape in shapes_of(mesh)), strict=True)) == [
        (1, 6),
        (63, 12),
    ]


def test_no_regions_give_no_polygons() -> None:
    _, mesh = meshed(field_of([], 5, 5))
    assert (mesh.polygon_count, mesh.polygon_offsets.tolist()) == (0, [0])


@pytest.mark.parametrize("corners", [2, 65])
def test_a_bad_number_of_corners_is_named(corners: int) -> None:
    contours, _ = random_mesh(1)
    with pytest.raises(RangeError, match=f"max_polygon_vertices is {corners}"):
        build_polymesh(contours, max_polygon_vertices=corners)
