"""find_straight_path on meshes: which portals a corridor has, in a tile and between tiles, and what is refused."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from onepath.mesh.navmesh import NavMesh
from onepath.query import NavMeshQuery, NodeModel, PathStatus
from tests.meshes import Corner, floor, grid, mesh_of, open_mesh, rectangle, seam, settings_of, slanted_seam, strip
from tests.oracles.corridor_visibility import Spot, line_length, shortest_length, stays_inside

Box = tuple[float, float, float, float]  # x0, z0, x1, z1


def references(mesh: NavMesh, places: Sequence[tuple[float, float]], y: float = 0.0) -> list[int]:
    query = NavMeshQuery(mesh)
    return [query.find_nearest_polygon((x, y, z)).ref for x, z in places]


def plan(points: np.ndarray) -> list[Spot]:
    return [(x, z) for x, _, z in points.tolist()]


def line_through(mesh: NavMesh, places: Sequence[tuple[float, float]]) -> list[Spot]:
    """The line between the first and the last place through the polygons at all places."""
    (x0, z0), (x1, z1) = places[0], places[-1]
    path = NavMeshQuery(mesh).find_straight_path((x0, 0, z0), (x1, 0, z1), references(mesh, places))
    assert path.status is PathStatus.SUCCESS
    return plan(path.points)


# ---- portals ----


def test_an_edge_in_a_tile_is_a_portal() -> None:
    mesh = grid(2, 2)
    assert line_through(mesh, [(0.5, 0.25), (1.5, 0.5), (1.75, 1.5)]) == [(0.5, 0.25), (1.75, 1.5)]
    assert line_through(mesh, [(0.5, 0.75), (1.5, 0.5), (1.25, 1.75)]) == [(0.5, 0.75), (1.0, 1.0), (1.25, 1.75)]


def test_tiles_cut_a_floor_without_bending_the_line_c42() -> None:
    for side in (2.0, 4.0, 8.0):
        count = int(40 / side)
        middles = [(side * (i + 0.5), side / 2) for i in range(count)]
        mesh = strip(count, side)
        assert len(line_through(mesh, [(0.25, 0.25), *middles[1:-1], (39.5, side - 0.5)])) == 2


def test_all_collinear_edges_of_a_side_make_one_portal() -> None:
    # Four squares' worth of vertices on the side x = 8 of both polygons; the line uses all of its length.
    left = [(0.0, 0.0, 0.0), (0.0, 0.0, 8.0), *((8.0, 0.0, float(z)) for z in (8, 6, 4, 2, 0))]
    right = [*((8.0, 0.0, float(z)) for z in (0, 3, 5, 8)), (16.0, 0.0, 8.0), (16.0, 0.0, 0.0)]
    mesh = mesh_of([left, right])
    assert line_through(mesh, [(1, 0.5), (15, 1.5)]) == [(1, 0.5), (15, 1.5)]
    assert line_through(mesh, [(1, 7.5), (15, 7.0)]) == [(1, 7.5), (15, 7.0)]


def test_a_corner_in_a_portal_between_tiles_is_where_the_shorter_edge_ends() -> None:
    mesh = seam([(0, 8, 0.0)], [(2, 5, 0.0)])
    assert line_through(mesh, [(4, 0), (15, 2)]) == [(4, 0), (8, 2), (15, 2)]
    assert line_through(mesh, [(15, 4), (4, 8)]) == [(15, 4), (8, 5), (4, 8)]


def test_heights_are_those_of_the_edge_that_is_left_c16() -> None:
    # Left flat, right the plane y = -1 + z / 4, joined where they differ by at most 0.5 and a hair.
    mesh = slanted_seam()
    query = NavMeshQuery(mesh)
    there = query.find_path((4, 0, 7), (12, 0.75, 7))
    assert there
    seam_point = there.points[1]
    assert seam_point[0] == 8.0 and seam_point[1] == 0.0
    assert 5.75 < seam_point[2] <= 6.25
    back = query.find_path((12, 0.75, 7), (4, 0, 7))
    assert back.points[1][1] == pytest.approx(-1 + back.points[1][2] / 4)
    assert plan(back.points) == plan(there.points)[::-1]


def step_mesh() -> NavMesh:
    """A flat floor and a neighbour whose side rises out of reach around z = 4: two portals between two polygons."""
    left = rectangle(0, 0, 8, 8)
    heights = {0.0: 0.0, 3.0: 0.0, 4.0: 2.0, 5.0: 0.0, 8.0: 0.0}
    right = [*((8.0, y, z) for z, y in heights.items()), (16.0, 0.0, 8.0), (16.0, 0.0, 0.0)]
    return mesh_of([left, right])


def test_a_bare_list_takes_the_lowest_of_several_portals() -> None:
    line = line_through(step_mesh(), [(4, 7), (12, 7)])
    # The step exceeds 0.5 and a thousandth of a row a quarter of the way from z = 3 to z = 4.
    assert line[1] == (8.0, pytest.approx(3.25, abs=1e-3))
    back = line_through(step_mesh(), [(12, 7), (4, 7)])
    assert back == line[::-1]


@pytest.mark.parametrize("z", [1.0, 7.0])
def test_a_corridor_crosses_by_the_portal_that_its_search_took(z: float) -> None:
    mesh = step_mesh()
    query = NavMeshQuery(mesh)
    left, right = references(mesh, [(4, z), (12, z)])
    for (start, start_ref), (end, end_ref) in [
        (((4, 0, z), left), ((12, 0, z), right)),
        (((12, 0, z), right), ((4, 0, z), left)),
    ]:
        corridor = query.find_corridor(start_ref, start, end_ref, end)
        assert plan(query.find_straight_path(start, end, corridor).points) == [(start[0], z), (end[0], z)]


def test_ends_are_moved_onto_the_first_and_last_polygon() -> None:
    mesh = grid(3, 1)
    query = NavMeshQuery(mesh)
    corridor = references(mesh, [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5)])
    path = query.find_straight_path((-2, 5, 0.5), (9, -3, 0.25), corridor)
    assert path.points.tolist() == [[0, 0, 0.5], [3, 0, 0.25]]
    assert path.polygons.tolist() == [corridor[0], corridor[2]]


def test_a_start_that_is_the_end_is_one_point() -> None:
    mesh = grid(2, 1)
    path = NavMeshQuery(mesh).find_straight_path((0.5, 0, 0.5), (0.5, 0, 0.5), references(mesh, [(0.5, 0.5)]))
    assert path.points.tolist() == [[0.5, 0, 0.5]]
    assert path.length == 0.0


# ---- refusals ----


def refused(mesh: NavMesh, corridor: Sequence[int]) -> bool:
    path = NavMeshQuery(mesh).find_straight_path((0.5, 0, 0.5), (1.5, 0, 0.5), list(corridor))
    assert len(path.points) == 0 or path.status is PathStatus.SUCCESS
    return path.status is PathStatus.INVALID_CORRIDOR


def test_an_empty_corridor_is_invalid() -> None:
    assert refused(grid(2, 1), [])


def test_polygons_that_do_not_touch_are_invalid() -> None:
    mesh = grid(3, 2)
    a, b, c, diagonal = references(mesh, [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (1.5, 1.5)])
    assert refused(mesh, [a, c])
    assert refused(mesh, [a, diagonal])
    assert refused(mesh, [a, a])
    assert not refused(mesh, [a, b, c])


def test_few_corners_do_not_make_a_broken_corridor_valid() -> None:
    mesh = grid(5, 2)
    row = references(mesh, [(i + 0.5, 0.5) for i in range(5)])
    for broken in ([*row[:4], 0], [*row[:3], row[0]], [*row, row[2]]):
        line = NavMeshQuery(mesh).find_straight_path((0.5, 0, 0.5), (1.5, 0, 0.5), broken, max_corners=1)
        assert (line.status, len(line)) == (PathStatus.INVALID_CORRIDOR, 0)


def test_polygons_of_tiles_that_do_not_touch_are_invalid() -> None:
    mesh = strip(6, 8.0)
    a, b, c = references(mesh, [(4, 4), (12, 4), (20, 4)])
    assert refused(mesh, [a, c])
    assert not refused(mesh, [a, b, c])


@pytest.mark.parametrize("wrong", [0, -1, 1, 2**62, 2**41 * 7])
def test_references_of_nothing_are_invalid(wrong: int) -> None:
    mesh = grid(2, 1)
    a, b = references(mesh, [(0.5, 0.5), (1.5, 0.5)])
    assert refused(mesh, [wrong])
    assert refused(mesh, [a, wrong])
    assert refused(mesh, [wrong, b])


def test_a_polygon_of_a_removed_tile_is_invalid() -> None:
    mesh = strip(4, 8.0)
    corridor = references(mesh, [(4, 4), (12, 4), (20, 4)])
    assert not refused(mesh, corridor)
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    assert refused(mesh, corridor)


# ---- against the visibility graph ----


def joined(a: Box, b: Box) -> tuple[Spot, Spot] | None:
    """The portal (right, left) from one box to a touching one."""
    x0, z0, x1, z1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    if x0 == x1 and z0 < z1:
        return ((x0, z1), (x0, z0)) if b[0] == x1 else ((x0, z0), (x0, z1))
    if z0 == z1 and x0 < x1:
        return ((x0, z0), (x1, z0)) if b[1] == z1 else ((x1, z0), (x0, z0))
    return None


def random_boxes(rng: random.Random, tiles: int, size: float) -> list[Box]:
    """Every tile 1, 4 or 16 boxes, some left out: edges meet whole in a tile and in part between tiles."""
    boxes = []
    for i in range(tiles):
        for k in range(tiles):
            cut = rng.choice([1, 2, 4])
            side = size / cut
            for u in range(cut):
                for v in range(cut):
                    if cut == 1 or rng.random() < 0.8:
                        x, z = i * size + u * side, k * size + v * side
                        boxes.append((x, z, x + side, z + side))
    return boxes


def random_walk(rng: random.Random, boxes: Sequence[Box], longest: int) -> list[int]:
    """Touching boxes, none of them twice."""
    walk = [rng.randrange(len(boxes))]
    while len(walk) < longest:
        onward = [i for i in range(len(boxes)) if i not in walk and joined(boxes[walk[-1]], boxes[i])]
        if not onward:
            break
        walk.append(rng.choice(onward))
    return walk


@pytest.mark.parametrize("seed", range(12))
def test_random_corridors_through_tiles_are_shortest_both_ways(seed: int) -> None:
    rng = random.Random(seed)
    settings = settings_of()
    boxes = random_boxes(rng, 3, settings.tile_size)
    mesh = mesh_of([rectangle(*box) for box in boxes], settings)
    query = NavMeshQuery(mesh)
    refs = references(mesh, [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in boxes])
    for _ in range(25):
        walk = random_walk(rng, boxes, rng.randint(1, 10))
        # Ends on a lattice: often on edges, at corners and in line with both.
        start, end = (
            tuple(rng.choice([low, (low + high) / 2, high]) for low, high in zip(box[:2], box[2:], strict=True))
            for box in (boxes[walk[0]], boxes[walk[-1]])
        )
        portals = [portal for a, b in pairwise(walk) if (portal := joined(boxes[a], boxes[b]))]
        corridor = [refs[i] for i in walk]
        there = query.find_straight_path((start[0], 0, start[1]), (end[0], 0, end[1]), corridor)
        line = plan(there.points)
        assert stays_inside(line, portals)
        assert there.length == pytest.approx(shortest_length(portals, start, end), rel=1e-9)
        assert line_length(line) == pytest.approx(there.length, rel=1e-12)
        back = query.find_straight_path((end[0], 0, end[1]), (start[0], 0, start[1]), corridor[::-1])
        assert back.length == pytest.approx(there.length, rel=1e-12)
        for point, ref in zip(line, there.polygons.tolist(), strict=True):
            box = boxes[refs.index(ref)]
            assert box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
        for most in range(1, len(line) + 2):
            part = query.find_straight_path((start[0], 0, start[1]), (end[0], 0, end[1]), corridor, max_corners=most)
            assert part.points.tolist() == there.points.tolist()[:most]
            assert part.marks.tolist() == there.marks.tolist()[:most]
            assert part.polygons.tolist() == there.polygons.tolist()[:most]
            assert part.truncated == (most <= len(line))


def test_a_search_and_its_bare_list_give_the_same_line() -> None:
    mesh = grid(24, 24, holes=[(i, k) for i in range(24) for k in range(24) if (7 * i + 11 * k) % 5 == 0])
    query = NavMeshQuery(mesh)
    rng = random.Random(2)
    found = 0
    for _ in range(60):
        start, end = ((rng.uniform(0, 24), 0.0, rng.uniform(0, 24)) for _ in range(2))
        first, last = query.find_nearest_polygon(start), query.find_nearest_polygon(end)
        corridor = query.find_corridor(first.ref, first.point, last.ref, last.point)
        if corridor.status is not PathStatus.SUCCESS:
            continue
        found += 1
        named = query.find_straight_path(first.point, last.point, corridor)
        bare = query.find_straight_path(first.point, last.point, corridor.polygons)
        assert named == bare
        assert math.isfinite(named.length)
    assert found > 20


# ---- corridors over commits ----


def cross_of_tiles() -> NavMesh:
    """A square of 8 m and one on each of its sides."""
    boxes = [(8, 8), (0, 8), (8, 16), (16, 8), (8, 0)]
    return mesh_of([rectangle(x, z, x + 8, z + 8) for x, z in boxes], grid_bounds=None)


@pytest.mark.parametrize("gone", [(0, 1), (1, 2), (1, 0)])
def test_a_corridor_keeps_its_portals_when_a_tile_beside_it_comes_or_goes(gone: tuple[int, int]) -> None:
    mesh = cross_of_tiles()
    neighbour = mesh.tile(*gone).tile
    query, start, end = NavMeshQuery(mesh), (12, 0, 9), (20, 0, 15)
    with_it = query.find_path(start, end)
    mesh.stage_tile_removal(*gone)
    mesh.commit()
    without_it = query.find_path(start, end)
    assert query.find_straight_path(start, end, with_it.corridor).points.tolist() == with_it.points.tolist()
    mesh.stage_tile(neighbour)
    mesh.commit()
    assert query.find_straight_path(start, end, without_it.corridor).points.tolist() == with_it.points.tolist()


def test_a_corridor_keeps_the_second_of_two_portals_to_one_polygon() -> None:
    # The floors join at both ends of their border; in its middle the farther one is too high.
    ridge = [(8.0, 0.0, 0.0), (8.0, 2.0, 4.0), (8.0, 0.0, 8.0), (16.0, 0.0, 8.0), (16.0, 0.0, 0.0)]
    mesh = mesh_of([rectangle(0, 0, 8, 8), ridge, rectangle(0, 8, 8, 16), rectangle(0, -8, 8, 0)], grid_bounds=None)
    query, start, end = NavMeshQuery(mesh, NodeModel.CROSSING), (7, 0, 0.5), (9, 0, 0.5)
    path = query.find_path(start, end)
    assert path.corridor.crossings.tolist() == [[2, 1]]
    for gone in ((0, 1), (0, -1)):
        mesh.stage_tile_removal(*gone)
        mesh.commit()
        again = query.find_straight_path(start, end, path.corridor)
        assert again.points.tolist() == path.points.tolist()


@pytest.mark.parametrize("exact", [False, True])
def test_a_crossing_names_its_portal_beside_one_that_ends_within_the_same_step(exact: bool) -> None:
    """A peak in the border, 4 mm wide, parts a portal of 8 m from one of 11 mm: less than 1/255 of the edge."""
    peak: list[Corner] = [(8, 0, 8), (8, 0, 7.989), (8, 2, 7.987), (8, 0, 7.985), (8, 0, 0)]
    mesh = mesh_of([rectangle(0, 0, 8, 8), [*peak, (16, 0, 0), (16, 0, 8)]])
    for z in (7.995, 4.0):
        path = mesh.find_path((7.9, 0.0, z), (8.1, 0.0, z), exact=exact)
        assert path.points[:, [0, 2]].tolist() == [[7.9, z], [8.1, z]]


@pytest.mark.parametrize("layer", [0, 1])
def test_a_crossing_into_one_of_two_layers_of_a_cell_leads_into_that_one(layer: int) -> None:
    """Both are the first polygon of their tile, over one edge: only their slots tell them apart."""
    mesh = open_mesh(floor(height=0.2), floor(1, 0, layer=0, height=0.0), floor(1, 0, layer=1, height=0.4))
    end = mesh.snap((12, 0.4 * layer, 4))
    path = mesh.find_path((4, 0.2, 4), end)
    assert path.status is PathStatus.SUCCESS
    assert path.polygons[-1] == end.ref and path.points[-1].tolist() == pytest.approx([12, 0.4 * layer, 4])
