"""Sliding along walls, case C37: where it ends must not depend on how polygons cut the walls into pieces."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

import onepath
from onepath import Areas, NavMesh
from onepath.agents import slide
from onepath.errors import ArgumentError
from onepath.query import NavMeshQuery, NavPoint, RaycastStatus
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip
from tests.query_meshes import random_mesh

Point = tuple[float, float, float]
Spot = tuple[float, float]


#: The rectangles that the L is made of.
CORNERS: list[list[Spot]] = [[(0, 0), (0, 4), (10, 4), (10, 0)], [(0, 4), (0, 10), (4, 10), (4, 4)]]


def triangle(*spots: Spot) -> list[Point]:
    return [(x, 0.0, z) for x, z in spots]


def crumbled(count: int, seed: int) -> list[list[Point]]:
    """The L of case C37 as `count` triangles: random ones are cut at random, their neighbours along with them."""
    draw = Random(seed)
    parts: list[list[Spot]] = [
        [(0, 0), (0, 4), (4, 4)], [(0, 0), (4, 4), (4, 0)], [(4, 0), (4, 4), (10, 4)], [(4, 0), (10, 4), (10, 0)],
        [(0, 4), (0, 10), (4, 10)], [(0, 4), (4, 10), (4, 4)],
    ]  # fmt: skip
    while len(parts) < count:
        chosen = draw.choice(parts)
        longest = max(range(3), key=lambda k: math.dist(chosen[k], chosen[(k + 1) % 3]) * draw.uniform(0.5, 1))
        a, b = chosen[longest], chosen[(longest + 1) % 3]
        t = draw.uniform(0.3, 0.7)
        # On the walls, which run along the axes, the cut lies exactly on the wall.
        middle = tuple(float(np.float32(p + (q - p) * t)) if p != q else p for p, q in zip(a, b, strict=True))
        kept = []
        for part in parts:
            for k in range(3):
                if {part[k], part[(k + 1) % 3]} == {a, b}:
                    kept += [[part[k], middle, part[k - 1]], [middle, part[(k + 1) % 3], part[k - 1]]]
                    break
            else:
                kept.append(part)
        parts = kept
    return [triangle(*part) for part in parts]


def shapes() -> list[NavMesh]:
    """The L as two rectangles, as four triangles, as the four of the other diagonals, and as sixty, twice."""
    rectangles = [rectangle(0, 0, 10, 4), rectangle(0, 4, 4, 10)]
    one = [triangle(*(corners[i] for i in picked)) for corners in CORNERS for picked in ((0, 1, 2), (0, 2, 3))]
    other = [triangle(*(corners[i] for i in picked)) for corners in CORNERS for picked in ((0, 1, 3), (1, 2, 3))]
    made = [
        NavMesh.from_polygons(
            [corner for part in parts for corner in part],
            np.arange(sum(map(len, parts))).reshape(len(parts), -1).tolist(),
        )
        for parts in (rectangles, one, other)
    ]
    return made + [mesh_of(crumbled(60, seed), settings_of(16)) for seed in (1, 2)]


MESHES = shapes()


def ends(start: Spot, end: Spot) -> list[tuple[float, float]]:
    """Where a slide comes to on each of the meshes."""
    found = []
    for mesh in MESHES:
        query = NavMeshQuery(mesh)
        nearest = query.find_nearest_polygon((start[0], 0, start[1]), (0.1, 0.1, 0.1))
        went = slide(query, NavPoint(nearest.ref, nearest.point), (end[0], 0.0, end[1]))
        there = query.find_nearest_polygon(went.point)
        assert there.distance <= 1e-9
        assert math.dist((went.point[0], went.point[2]), end) <= math.dist(start, end) + 1e-9
        found.append((went.point[0], went.point[2]))
    return found


@pytest.mark.parametrize(
    ("start", "end", "right"),
    [
        ((3, 8), (6, 7), (4, 7)),
        ((2, 2), (12, 2), (10, 2)),
        ((8, 3), (8, 6), (8, 4)),
        ((4, 4), (5, 4.5), (5, 4)),
        ((4, 4), (4.5, 5), (4, 5)),
        ((8, 2), (2, 9), (2, 9)),
        ((0, 0), (-3, -1), (0, 0)),
    ],
)
def test_c37_a_slide_ends_where_the_walls_say(start: Spot, end: Spot, right: Spot) -> None:
    for found in ends(start, end):
        assert found == pytest.approx(right, abs=1e-6)


def test_c37_short_moves_end_alike_on_every_triangulation() -> None:
    draw, moved = Random(37), 0
    while moved < 500:
        start = (draw.uniform(0, 10), draw.uniform(0, 10))
        end = (start[0] + draw.uniform(-0.7, 0.7), start[1] + draw.uniform(-0.7, 0.7))
        if start[0] > 4 and start[1] > 4:
            continue
        moved += 1
        found = ends(start, end)
        assert all(math.dist(found[0], other) <= 1e-6 for other in found)


def test_c37_long_slides_end_alike_on_every_triangulation() -> None:
    draw = Random(38)
    for _ in range(200):
        start = draw.choice([(draw.uniform(0, 10), draw.uniform(0, 4)), (draw.uniform(0, 4), draw.uniform(0, 10))])
        found = ends(start, (draw.uniform(-5, 15), draw.uniform(-5, 15)))
        assert all(math.dist(found[0], other) <= 1e-6 for other in found)


def test_a_slide_follows_a_wall_over_tile_borders() -> None:
    mesh = strip(8)
    went = slide(mesh, mesh.snap((1, 0, 3.5)), (30, 0, 6))
    assert went.point == pytest.approx((30, 0, 4), abs=1e-6)
    assert went.visited[0] == mesh.snap((1, 0, 3.5)).ref


def test_a_slide_turns_in_where_a_wall_opens() -> None:
    # A corridor of 2 m with a doorway in its upper wall.
    mesh = grid(12, 4, holes=[(i, 2) for i in range(12) if i not in (8, 9)] + [(i, 3) for i in range(12) if i != 9])
    went = slide(mesh, mesh.snap((1.0, 0, 1.5)), (9.5, 0, 3.5))
    assert (went.status, went.point) == (RaycastStatus.CLEAR, pytest.approx((9.5, 0, 3.5)))


def test_on_a_mesh_what_its_own_calls_do_not_walk_on_is_a_wall_and_on_a_query_it_is_none() -> None:
    mesh = NavMesh(settings_of(), areas=Areas(lava=math.inf))
    mesh.stage_tile(strip(2).tile(0, 0).tile)
    mesh.commit()
    mesh.set_area(mesh.reference(0, 0, 1), "lava")
    place = mesh.snap((1, 0, 2))
    assert slide(mesh, place, (7, 0, 2)).point == mesh.move(place, (6, 0, 0)).point == (4, 0, 2)
    assert slide(NavMeshQuery(mesh), place, (7, 0, 2)).point == (7, 0, 2)


def test_a_slide_is_not_stopped_by_the_line_of_a_wall_beside_it() -> None:
    # Three corners meant to lie on one slanted line: the middle one is bent inward by a rounding, so the line of the
    # wall below is left a hair before the open edge above it is crossed.
    bent = (2.0 - 2.0**-20, 0.0, 4.0)
    left = [(0, 0, 0), (0, 0, 8), (4, 0, 8), bent]
    right = [bent, (4, 0, 8), (8, 0, 8), (8, 0, 4)]
    mesh = mesh_of([left, right])
    start, end = (1.0, 0.0, 6.5), (6.0, 0.0, 6.5)
    assert mesh.raycast(start, end).blocked  # to the letter of the document
    went = slide(mesh, mesh.snap(start), end)
    assert (went.status, went.point) == (RaycastStatus.CLEAR, pytest.approx(end))


@pytest.mark.parametrize("seed", [9, 16, 25, 30, 31, 43, 48])
def test_a_step_comes_no_farther_than_it_goes_on_meshes_that_rounding_bent(seed: int) -> None:
    """But for the 255th of an edge beside a link's range, within which a trace may slip in beside a polygon."""
    mesh, draw = random_mesh(seed), Random(seed)
    query, slack = NavMeshQuery(mesh), 2.0 / 255.0 * mesh.settings.tile_size
    place, turn = None, 0.0
    for step in range(3600):
        if step % 60 == 0:
            tile = draw.choice([tile for tile in mesh.tiles() if len(tile.areas)])
            ref = mesh.reference(tile.column, tile.row, draw.randrange(len(tile.areas)), tile.layer)
            found = query.find_nearest_polygon(mesh.polygon(ref).mean(axis=0))
            place, turn = NavPoint(found.ref, found.point), draw.uniform(0.0, 6.28)
        x, y, z = place.point
        turn += draw.uniform(-1.0, 1.0)
        place = slide(query, place, (x + 0.2 * math.cos(turn), y, z + 0.2 * math.sin(turn))).place
        assert math.dist((x, z), (place.point[0], place.point[2])) <= 0.2 + slack


def test_a_one_slide_move_keeps_to_the_letter_where_an_outline_is_bent() -> None:
    """The wall above the open edge is bent: its line is left first, so its nearer end is what the document asks for."""
    bent = (2.0 - 2.0**-20, 0.0, 4.0)
    left = [(0, 0, 0), (0, 0, 8), (4, 0, 8), bent]
    right = [bent, (4, 0, 8), (8, 0, 8), (8, 0, 4)]
    mesh = mesh_of([left, right])
    place = mesh.snap((3.2, 0.0, 6.5))
    went = NavMeshQuery(mesh).move_along_surface(place.ref, place.point, (3.4, 0.0, 6.5))
    assert (went.blocked, went.point) == (True, pytest.approx(bent))
    assert slide(mesh, place, (3.4, 0.0, 6.5)).point == pytest.approx((3.4, 0.0, 6.5))


def test_a_slide_ends_at_a_missing_tile() -> None:
    mesh = strip(2, grid_bounds=(0, 0, 1, 0))
    went = slide(mesh, mesh.snap((6, 0, 2)), (12, 0, 3))
    assert (went.status, went.point) == (RaycastStatus.NOT_LOADED, (8, 0, 3))


@pytest.mark.parametrize("place", [(1, 0, 1), NavPoint(0, None), None])
def test_a_place_is_a_navpoint_on_the_mesh(place: object) -> None:
    with pytest.raises(ArgumentError, match=r"not a NavPoint on the mesh, such as mesh\.snap gives"):
        slide(strip(1), place, (2, 0, 2))  # type: ignore[arg-type]


# --- mesh.move and mesh.raycast


def test_a_move_of_the_mesh_snaps_its_start_and_keeps_its_polygon() -> None:
    mesh = strip(2)
    place = mesh.move((1, 0.3, 1), (2, 0, 1))
    assert (place.point, place.ref) == ((3, 0, 2), mesh.reference(0, 0, 0))
    assert mesh.move(place, (3, 0, 0)).point == (6, 0, 2)


def test_where_nothing_is_near_a_move_finds_no_place() -> None:
    mesh = strip(1)
    assert not mesh.move((100, 0, 100), (1, 0, 1))
    assert not mesh.move(NavPoint(mesh.reference(0, 0, 0) + (1 << 41), (1, 0, 1)), (1, 0, 1))


def test_where_nothing_is_near_a_ray_is_blocked_at_its_start() -> None:
    hit = strip(1).raycast((100, 0, 100), (1, 0, 1))
    assert (hit.status, hit.blocked, hit.t, hit.polygon) == (RaycastStatus.INVALID_START, True, 0.0, 0)
    assert strip(1, grid_bounds=None).raycast((100, 0, 100), (1, 0, 1)).status is RaycastStatus.NOT_LOADED


def test_a_ray_of_the_mesh_is_the_querys_from_the_snapped_start() -> None:
    mesh, draw = grid(8, 8, holes=[(2, 2), (5, 5)]), Random(4)
    query = NavMeshQuery(mesh)
    for _ in range(100):
        start, end = ((draw.uniform(0, 8), 0.0, draw.uniform(0, 8)) for _ in range(2))
        place = mesh.snap(start)
        assert mesh.raycast(start, end) == query.raycast(place.ref, place, end) == mesh.raycast(place, end)


def test_the_meshs_own_filter_closes_areas_to_rays_and_moves() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], areas=[63, 5])
    closed = mesh.default_filter.with_area_cost(5, math.inf)
    assert mesh.raycast((1, 0, 1), (7, 0, 1), closed).blocked
    assert mesh.move((1, 0, 1), (6, 0, 0), closed).point == (4, 0, 1)


def test_a_slide_ends_at_the_height_of_the_surface_along_walls_too() -> None:
    x, _ = np.meshgrid(np.arange(41) * 0.5, np.arange(17) * 0.5)
    level = onepath.Level()
    level.add_heightmap(2.0 * np.sin(x / 4.0), 0.5)
    mesh = onepath.bake(level, radius=0.4)
    query = NavMeshQuery(mesh)
    place = mesh.snap((2.0, 1.0, 0.1))
    for _ in range(300):
        went = query.move_along_surface(place.ref, place, (place.point[0] + 0.05, 0.0, -1.0), slides=8)
        place = mesh.move(place, (0.05, 0.0, -1.0))
        assert went.point == place.point
        assert place.point[1] == pytest.approx(query.surface_height(place.ref, place), abs=1e-12)
        # The ground, as far as it is known in X/Z and by rows
        assert abs(place.point[1] - 2.0 * math.sin(place.point[0] / 4.0)) < 0.3
    assert place.point[0] > 15
