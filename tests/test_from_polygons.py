"""Meshes from ready polygons: winding, neighbours, T-junctions, steps, floors, tile borders, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onepath
from onepath import NavMesh
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, LimitError, RangeError
from onepath.io import partition
from onepath.io.partition import Partition, build_mesh
from tests.meshes import rectangle

Corner = tuple[float, float, float]
Box = tuple[int, int, int, int]


def mesh_of_outlines(outlines: Sequence[Sequence[Corner]], **options: object) -> NavMesh:
    """Every polygon with vertices of its own, so that nothing but their places can join them."""
    offsets = np.cumsum([0, *(len(outline) for outline in outlines)])
    vertices = [corner for outline in outlines for corner in outline]
    return NavMesh.from_polygons(vertices, (np.arange(len(vertices)), offsets), **options)  # type: ignore[arg-type]


def neighbour_pairs(mesh: NavMesh) -> set[tuple[int, int]]:
    """Neighbours within the only tile of a mesh, lower number first."""
    (view,) = mesh.tiles()
    offsets, neighbours = view.polygon_offsets, view.polygon_neighbours
    owners = np.repeat(np.arange(view.polygon_count), np.diff(offsets))
    return {(int(min(p)), int(max(p))) for p in zip(owners, neighbours, strict=True) if p[1] >= 0}


def cut_up(random: Random, box: Box, times: int) -> list[Box]:
    """A box in smaller ones, no corner of which need meet a neighbour's."""
    boxes = [box]
    for _ in range(times):
        x0, z0, x1, z1 = boxes.pop(random.randrange(len(boxes)))
        if x1 - x0 > 1 and (random.random() < 0.5 or z1 - z0 < 2):
            x = random.randrange(x0 + 1, x1)
            boxes += [(x0, z0, x, z1), (x, z0, x1, z1)]
        elif z1 - z0 > 1:
            z = random.randrange(z0 + 1, z1)
            boxes += [(x0, z0, x1, z), (x0, z, x1, z1)]
        else:
            boxes.append((x0, z0, x1, z1))
    return boxes


def touching_pairs(boxes: Sequence[Box]) -> set[tuple[int, int]]:
    """Which boxes share a stretch of an edge."""
    pairs = set()
    for i, (ax0, az0, ax1, az1) in enumerate(boxes):
        for k, (bx0, bz0, bx1, bz1) in enumerate(boxes[:i]):
            across_x = (ax1 == bx0 or bx1 == ax0) and min(az1, bz1) > max(az0, bz0)
            across_z = (az1 == bz0 or bz1 == az0) and min(ax1, bx1) > max(ax0, bx0)
            if across_x or across_z:
                pairs.add((k, i))
    return pairs


# --- neighbours


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from([((1, 0), (0, 1)), ((2, 1), (-1, 2)), ((3, -1), (1, 1)), ((-1, 0), (0, 1))])
)
def test_boxes_that_touch_are_neighbours_and_no_others(
    seed: int, axes: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    random = Random(seed)
    boxes = cut_up(random, (0, 0, 16, 12), 14)
    (ax, az), (bx, bz) = axes
    outlines = []
    for box in boxes:
        # A whole-numbered map of the plane keeps T-junctions exact and makes their lines slanted.
        outline = [(float(ax * x + bx * z) + 64, 0.0, float(az * x + bz * z) + 64) for x, _, z in rectangle(*box)]
        start = random.randrange(4)
        outline = outline[start:] + outline[:start]
        outlines.append(outline[::-1] if random.random() < 0.5 else outline)
    mesh = mesh_of_outlines(outlines)
    assert mesh.polygon_count == len(boxes)
    assert neighbour_pairs(mesh) == touching_pairs(boxes)
    assert mesh.walkable_area == abs(ax * bz - az * bx) * 16 * 12


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 6.3), st.floats(-300.0, 300.0))
def test_turned_and_shifted_boxes_stay_in_one_piece(seed: int, angle: float, shift: float) -> None:
    random = Random(seed)
    boxes = cut_up(random, (0, 0, 16, 12), 14)
    c, s = math.cos(angle), math.sin(angle)
    turned = [[(c * x - s * z + shift, 0.0, s * x + c * z - shift / 3) for x, _, z in rectangle(*b)] for b in boxes]
    mesh = mesh_of_outlines(turned)
    assert math.isclose(mesh.walkable_area, 16 * 12, rel_tol=1e-4)
    middles = [np.mean(outline, axis=0) for outline in turned]
    paths = [mesh.find_path(middles[0], middle) for middle in middles[1:]]
    assert all(paths)


def test_equal_positions_are_one_corner_whatever_their_indices() -> None:
    apart = mesh_of_outlines([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)])
    shared = NavMesh.from_polygons(
        [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0), (8, 0, 4), (8, 0, 0)], [[0, 1, 2, 3], [3, 2, 4, 5]]
    )
    assert [view.tile for view in apart.tiles()] == [view.tile for view in shared.tiles()]
    assert shared.report.seams == 0


def test_polygons_come_as_lists_an_array_or_values_and_offsets() -> None:
    vertices = [corner for i in range(3) for corner in rectangle(4 * i, 0, 4 * i + 4, 4)]
    rows = np.arange(12).reshape(3, 4)
    forms = [rows.tolist(), rows, tuple(map(tuple, rows.tolist())), (np.arange(12), np.array([0, 4, 8, 12]))]
    tiles = [NavMesh.from_polygons(vertices, form).tiles()[0].tile for form in forms]
    assert len(set(tiles)) == 1


def test_a_corner_that_only_touches_an_edge_joins_nothing() -> None:
    mesh = mesh_of_outlines([rectangle(0, 0, 4, 4), [(4, 0, 2), (6, 0, 4), (6, 0, 0)]])
    assert mesh.report.seams == 0
    assert not mesh.find_path((1, 0, 1), (5.5, 0, 2))


def test_areas_and_flags_go_with_their_polygons() -> None:
    mesh = mesh_of_outlines([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], areas=[3, 200], flags=[5, 65535])
    (view,) = mesh.tiles()
    assert view.areas.tolist() == [3, 200]
    assert view.flags.tolist() == [5, 65535]


# --- heights


def test_a_step_within_the_climb_joins_floors_and_leaves_their_surfaces() -> None:
    low, high = rectangle(0, 0, 4, 4), rectangle(4, -1, 8, 5, 0.5)
    mesh = mesh_of_outlines([low, high], max_climb=0.5)
    path = mesh.find_path((1, 0, 1), (7, 0.5, 4))
    assert path
    for x, z, y in ((3.9, 2.0, 0.0), (4.1, 2.0, 0.5), (4.1, 4.9, 0.5), (0.5, 3.5, 0.0)):
        assert mesh.snap((x, y, z)).point == pytest.approx((x, y, z), abs=1e-6)
    assert not mesh_of_outlines([low, high], max_climb=0.4).find_path((1, 0, 1), (7, 0.5, 4))


@pytest.mark.parametrize(("foot", "head"), [(0.0, 2.0), (-2.0, 0.0)])
def test_a_ramp_beside_a_floor_is_joined_as_far_as_the_climb_reaches(foot: float, head: float) -> None:
    ramp = [(4.0, foot, 0.0), (4.0, head, 8.0), (8.0, head, 8.0), (8.0, foot, 0.0)]
    mesh = mesh_of_outlines([rectangle(0, 0, 4, 8), ramp], max_climb=0.5)
    (view,) = mesh.tiles()
    ends = {}
    for edge, neighbour in enumerate(view.polygon_neighbours):
        if neighbour == 1:
            first, last = view.polygon_offsets[:2]
            following = edge + 1 if edge + 1 < last else first
            ends = {float(view.vertices[view.polygon_vertices[k], 2]) for k in (edge, following)}
    expected = (0.0, 2.0) if foot == 0.0 else (6.0, 8.0)
    assert sorted(ends) == pytest.approx(expected, abs=0.01)


def test_floors_above_each_other_stay_apart() -> None:
    floors = [rectangle(x, 0, x + 4, 4, y) for y in (0.0, 3.0, 6.0) for x in (0, 4)]
    mesh = mesh_of_outlines(floors)
    assert neighbour_pairs(mesh) == {(0, 1), (2, 3), (4, 5)}
    assert not mesh.find_path((1, 0, 1), (7, 3, 1))


def test_of_two_floors_at_one_edge_the_nearer_one_is_joined() -> None:
    beside = [rectangle(4, 0, 8, 4, 0.4), rectangle(4, 0, 8, 4, -0.1)]
    for order in (beside, beside[::-1]):
        mesh = mesh_of_outlines([rectangle(0, 0, 4, 4), *order], max_climb=0.45)
        assert mesh.find_path((1, 0, 1), (7, -0.1, 1))
        assert not mesh.find_path((1, 0, 1), (7, 0.4, 1))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10**6))
def test_boxes_of_any_heights_are_neighbours_up_to_the_climb(seed: int) -> None:
    random = Random(seed)
    boxes = cut_up(random, (0, 0, 16, 12), 14)
    heights = [0.25 * random.randrange(7) for _ in boxes]
    mesh = mesh_of_outlines([rectangle(*box, y) for box, y in zip(boxes, heights, strict=True)], max_climb=0.5)
    expected = {(i, k) for i, k in touching_pairs(boxes) if abs(heights[i] - heights[k]) <= 0.5}
    assert neighbour_pairs(mesh) == expected
    (view,) = mesh.tiles()
    for (x0, z0, x1, z1), height, reference in zip(boxes, heights, view.references, strict=True):
        middle = ((x0 + x1) / 2, height, (z0 + z1) / 2)
        assert mesh.snap(middle).ref == reference
        assert mesh.snap(middle).point == middle


def test_floors_that_a_third_one_joins_are_walled_off_from_each_other() -> None:
    low, high = rectangle(0, 4, 4, 8), rectangle(4, 4, 8, 8, 0.8)
    bridges = [rectangle(0, 0, 8, 4, 0.4), rectangle(0, 8, 8, 12, 0.4)]
    mesh = mesh_of_outlines([low, high, *bridges], max_climb=0.5)
    assert neighbour_pairs(mesh) == {(0, 2), (0, 3), (1, 2), (1, 3)}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10**6))
def test_floors_closer_than_the_climb_are_joined_where_one_can_be(seed: int) -> None:
    random = Random(seed)
    outlines = []
    for base in (0.0, random.choice([0.25, 0.45, 0.65])):
        boxes = cut_up(random, (0, 0, 16, 12), 8)
        outlines += [rectangle(*box, base + 0.1 * random.randrange(4)) for box in boxes]
    assert mesh_of_outlines(outlines, max_climb=0.5).polygon_count >= len(outlines)


def test_stairs_are_climbed_step_by_step() -> None:
    steps = [rectangle(i, 0, i + 1, 2, 0.25 * i) for i in range(16)]
    mesh = mesh_of_outlines(steps, max_climb=0.25)
    path = mesh.find_path((0.5, 0, 1), (15.5, 3.75, 1))
    assert path
    assert mesh.snap((7.5, 1.75, 1)).point == pytest.approx((7.5, 1.75, 1), abs=1e-6)


# --- the grid


@pytest.mark.parametrize("shift", [(0, 0), (-8, 0), (0, -8), (-7, -9), (-8, -8), (1000, -12), (-(2**20), 2**20)])
def test_tile_borders_through_polygons_change_no_path(shift: tuple[int, int]) -> None:
    boxes = cut_up(Random(5), (0, 0, 16, 16), 20)
    boxes = [box for box in boxes if box != max(boxes, key=lambda b: (b[2] - b[0]) * (b[3] - b[1]))]
    dx, dz = shift
    here = mesh_of_outlines([rectangle(*box) for box in boxes])
    there = mesh_of_outlines([rectangle(x0 + dx, z0 + dz, x1 + dx, z1 + dz) for x0, z0, x1, z1 in boxes])
    assert there.walkable_area == here.walkable_area
    random = Random(9)
    for _ in range(30):
        (ax, az), (bx, bz) = ((random.uniform(0, 16), random.uniform(0, 16)) for _ in range(2))
        first = here.find_path((ax, 0, az), (bx, 0, bz))
        second = there.find_path((ax + dx, 0, az + dz), (bx + dx, 0, bz + dz))
        assert bool(first) == bool(second)


def test_whole_numbers_and_binary_fractions_stay_exact() -> None:
    outlines = [
        [(0.125 + 7 * i, 1.5, -3.0 - i), (0.125 + 7 * i, 1.5, 1001.0625), (6 + 7 * i, 1.5, 1001)] for i in range(9)
    ]
    mesh = mesh_of_outlines(outlines)
    corners = {
        tuple(point) for view in mesh.tiles() for ref in view.references for point in mesh.polygon(int(ref)).tolist()
    }
    assert {tuple(map(float, corner)) for outline in outlines for corner in outline} <= corners


def test_slanted_polygons_are_cut_without_a_gap() -> None:
    outlines = [
        [(-7.3, 0.0, -5.1), (9.7, 2.0, -4.2), (8.1, 1.0, 6.6)],
        [(-7.3, 0.0, -5.1), (8.1, 1.0, 6.6), (-9.9, 0.5, 8.0)],
    ]
    mesh = mesh_of_outlines(outlines)
    assert mesh.tile_count == 4
    flat = [[(x, z) for x, _, z in outline] for outline in outlines]
    area = sum(abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(o, [*o[1:], o[0]], strict=True))) / 2 for o in flat)
    assert mesh.walkable_area == pytest.approx(area, rel=1e-6)
    assert mesh.find_path((9, 1.9, -4), (-9, 0.5, 7.5))
    for outline in outlines:
        middle = np.mean(outline, axis=0)
        assert mesh.snap(middle).point == pytest.approx(middle, abs=1e-4)


def test_an_edge_on_a_tile_border_leads_across_it() -> None:
    mesh = mesh_of_outlines([rectangle(-4, -2, 0, 2), rectangle(0, -1, 4, 1, 0.2)])
    assert mesh.tile_count == 4
    assert mesh.find_path((-3, 0, 1.5), (3, 0.2, -0.5))


# --- walls


def walled(x: float, count: int = 2) -> NavMesh:
    """Boxes in a row from x on; the edge between the first two is a wall on the first one's side only."""
    outlines = [rectangle(x + 4 * i, -2, x + 4 * i + 4, 2) for i in range(count)]
    points = np.array([corner for outline in outlines for corner in outline], float)
    walls = np.zeros(len(points), bool)
    walls[2] = True
    return build_mesh(
        Partition(
            points=points,
            offsets=np.arange(0, len(points) + 1, 4),
            corners=np.arange(len(points)),
            areas=np.full(count, 63),
            flags=np.full(count, 1),
            walls=walls,
        ),
        AgentShape(),
    )


@pytest.mark.parametrize("x", [0.0, -4.0, -6.0, 5.0])
def test_a_wall_between_two_polygons_lets_nobody_through(x: float) -> None:
    mesh = walled(x, 3)
    assert not mesh.find_path((x + 1, 0, 0), (x + 6, 0, 0))  # type: ignore[attr-defined]
    assert mesh.find_path((x + 5, 0, 0), (x + 11, 0, 0))  # type: ignore[attr-defined]
    assert mesh.find_path((x + 1, 0, -1), (x + 3, 0, 1))  # type: ignore[attr-defined]


def test_corners_next_to_where_positions_end_may_be_asked_about() -> None:
    """The lattice of so large a mesh has no place between them and the end itself."""
    far = 2.0**21 - 1e-3
    mesh = make([(0, 0, -far), (far, 0, -far), (far, 0, 0), (0, 0, 0)], ONE)
    path = mesh.find_path((0, 0, 0), (far, 0, -far))
    assert path and np.abs(path.points).max() < 2.0**21
    assert mesh.find_path(tuple(path.points[0]), tuple(path.points[-1]))


def test_a_mesh_may_reach_as_far_as_positions_do_on_every_side() -> None:
    """Wider than the largest tile it is cut around zero, where one polygon is split into four."""
    far = 1.5 * 2.0**20
    outlines = [rectangle(-far, -far, far, 0.0), rectangle(-far, 0.0, far, far)]
    mesh = mesh_of_outlines(outlines)
    assert mesh.tile_count == 4 and mesh.report.split == 2
    assert mesh.walkable_area == (2 * far) ** 2
    path = mesh.find_path((-far, 0, -far), (far, 0, far - 8))
    assert path and path.length == pytest.approx(math.hypot(2 * far, 2 * far - 8))
    most = 2.0**21 - 1.0
    widest = mesh_of_outlines([rectangle(-most, -most, most, most)])
    assert widest.find_path((-most, 0, most), (most, 0, -most)) and widest.walkable_area == (2 * most) ** 2


# --- refusals

SQUARE = [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0)]
ONE = [[0, 1, 2, 3]]
make = NavMesh.from_polygons


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: make([(0, 0)], ONE), ArgumentError, r"vertices has the shape \(1, 2\)"),
        (lambda: make([(0, 0, math.nan)], ONE), RangeError, r"vertices\[0\] is .*not finite"),
        (lambda: make([(0, 0, 2.0**21)], ONE), RangeError, r"outside 2\*\*21"),
        (lambda: make("abc", ONE), ArgumentError, "vertices has the type"),
        (lambda: make(SQUARE, 7), ArgumentError, "polygons is a int"),
        (lambda: make(SQUARE, [[0, 1, 2, 3], [0, 1]]), ArgumentError, "polygon 1 has 2 corners"),
        (lambda: make(SQUARE, [[0, 1, 2, 4]]), RangeError, r"polygon 0 names vertex 4, outside \[0, 3\]"),
        (lambda: make(SQUARE, [[0, 1, 2, -1]]), RangeError, "names vertex -1"),
        (lambda: make(SQUARE, [[0, 1.5, 2]]), ArgumentError, "not whole numbers"),
        (lambda: make(SQUARE, [range(1025)]), ArgumentError, "1025 corners"),
        (lambda: make(SQUARE, (np.arange(4), np.array([0, 3]))), ArgumentError, "must ascend from 0"),
        (lambda: make(SQUARE, ONE, areas=[256]), RangeError, r"areas\[0\] is 256, outside \[0, 255\]"),
        (lambda: make(SQUARE, ONE, flags=[1, 2]), ArgumentError, "flags has 2 elements for 1 polygons"),
        (lambda: make(SQUARE, ONE, max_climb=-1), RangeError, "max_climb"),
        (lambda: make(SQUARE, [[0, 1, 2, 3], [0, 2, 2]]), ArgumentError, "polygon 1 has no area"),
        (lambda: make(SQUARE, [[0, 1, 1, 0]]), ArgumentError, "polygon 0 has no area"),
        (lambda: make(SQUARE, [[0, 2, 1, 3]]), ArgumentError, "polygon 0 (is not convex|has no area)"),
        (lambda: make([*SQUARE, (1, 0, 2)], [[0, 4, 1, 2, 3]]), ArgumentError, "polygon 0 is not convex"),
        (lambda: make(SQUARE, [[0, 1, 2], [0, 1, 3]]), ArgumentError, "polygon 1 .*same side.*polygon 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_mesh_is_refused(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_star_that_goes_round_twice_is_refused() -> None:
    corners = [(5 * math.sin(4 * math.pi * i / 5), 0.0, 5 * math.cos(4 * math.pi * i / 5)) for i in range(5)]
    with pytest.raises(ArgumentError, match="polygon 0 is not convex"):
        mesh_of_outlines([corners])


def test_a_corner_bent_inward_within_the_tolerance_is_taken() -> None:
    outline = [(0.0, 0.0, 0.0), (0.0, 0.0, 8.0), (8.0, 0.0, 8.0), (8.0, 0.0, 0.0), (4.0, 0.0, 4e-6)]
    assert mesh_of_outlines([outline]).walkable_area == pytest.approx(64, rel=1e-5)


def test_too_many_polygons_for_a_tile_name_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "MAX_POLYGONS", 2)
    with pytest.raises(LimitError, match="3 polygons in one tile, more than the 2"):
        mesh_of_outlines([rectangle(4 * i, 0, 4 * i + 4, 4) for i in range(3)])


def test_no_polygons_give_an_empty_mesh() -> None:
    mesh = NavMesh.from_polygons([], [])
    assert (mesh.tile_count, mesh.polygon_count) == (0, 0)
    assert mesh.find_path((0, 0, 0), (1, 0, 1)).status is onepath.PathStatus.NO_MESH


def test_a_subclass_makes_its_own_kind() -> None:
    class Map(NavMesh):
        pass

    assert type(Map.from_polygons([(0, 0, 0), (0, 0, 4), (4, 0, 4)], [[0, 1, 2]])) is Map
    assert type(Map.from_polygons([], [])) is Map
