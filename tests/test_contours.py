"""Contours: the same line from both sides, never farther off than allowed, never across itself or another."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiLineString

from onepath.build import ContourSet, build_contours, build_detail, build_polymesh, build_regions
from onepath.errors import ArgumentError, RangeError
from tests.floors import (
    HEIGHT,
    field_of,
    is_inside,
    joined_of,
    places_of,
    plan,
    random_field,
    random_spans,
    rolling_field,
)

SEEDS = range(24)


def random_contours(seed: int, error: float, merge_region: int = 0) -> ContourSet:
    compact = random_field(seed)
    room = (min(compact.frame.width, compact.frame.depth) - 1) // 2
    padding = seed % (room + 1) if seed % 3 else 0
    return build_contours(build_regions(compact, padding=padding, merge_region=merge_region), max_edge_error=error)


def loops_of(contours: ContourSet) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32]]]:
    """(region, vertex indices, what lies behind each edge) of every loop."""
    offsets = contours.loop_offsets
    vertices, behind = contours.loop_vertices, contours.behind
    for number, region in enumerate(contours.loop_regions.tolist()):
        part = slice(offsets[number], offsets[number + 1])
        yield region, vertices[part], behind[part]


def flat(contours: ContourSet, loop: NDArray[np.int32]) -> NDArray[np.int64]:
    return contours.vertices[loop][:, [0, 2]].astype(np.int64)


def doubled_area(ring: NDArray[np.int64]) -> int:
    """Twice the area, positive when counter-clockwise seen from above."""
    after = np.roll(ring, -1, axis=0)
    return int((ring[:, 1] * after[:, 0] - ring[:, 0] * after[:, 1]).sum())


def lines_of(contours: ContourSet) -> dict[int, MultiLineString]:
    rings: dict[int, list[LineString]] = {}
    for region, loop, _ in loops_of(contours):
        ring = flat(contours, loop)
        rings.setdefault(region, []).append(LineString(np.vstack([ring, ring[:1]])))
    return {region: MultiLineString(lines) for region, lines in rings.items()}


# --- one by one


def assert_outlines_enclose_their_cells(exact: ContourSet) -> None:
    regions = exact.regions
    area = np.zeros(regions.count + 1, dtype=np.int64)
    for region, loop, _ in loops_of(exact):
        area[region] += doubled_area(flat(exact, loop))
    assert np.array_equal(area[1:], 2 * np.bincount(regions.region, minlength=regions.count + 1)[1:])


def assert_outlines_turn_left_and_holes_right(contours: ContourSet) -> None:
    met: set[int] = set()
    for region, loop, _ in loops_of(contours):
        assert len(loop) >= 3
        area = doubled_area(flat(contours, loop))
        assert area < 0 if region in met else area > 0
        met.add(region)
    assert met == set(range(1, contours.region_count + 1))
    assert contours.unresolved == 0


def assert_near(exact: ContourSet, simple: ContourSet, error: float) -> None:
    """No corner of a region's cells is farther from its simplified line than the error, no eighth of the line farther
    from the cells' own."""
    lines, outlines = lines_of(simple), lines_of(exact)
    for region, loop, _ in loops_of(exact):
        corners = shapely.points(flat(exact, loop))
        assert shapely.distance(lines[region], corners).max() <= error + 1e-9
    for region, loop, _ in loops_of(simple):
        ring = flat(simple, loop)
        parts = np.linspace(0.0, 1.0, 8, endpoint=False)[:, None, None]
        places = shapely.points((ring + parts * (np.roll(ring, -1, axis=0) - ring)).reshape(-1, 2))
        assert shapely.distance(outlines[region], places).max() <= error + 1e-9


def assert_borders_are_one_line(contours: ContourSet) -> None:
    edges = {
        (region, int(faced), int(a), int(b))
        for region, loop, behind in loops_of(contours)
        for faced, a, b in zip(behind, loop, np.roll(loop, -1), strict=True)
        if faced > 0
    }
    assert edges == {(faced, region, b, a) for region, faced, a, b in edges}


def crossings(ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of segments that cross strictly within both, by the signs of exact integer turns."""

    def turn(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.sign((b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]) - (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]))

    boxes = shapely.box(*ends.min(axis=1).T, *ends.max(axis=1).T)
    first, second = shapely.STRtree(boxes).query(boxes)
    first, second = first[first < second], second[first < second]
    (a, b), (c, d) = ends[first].transpose(1, 0, 2), ends[second].transpose(1, 0, 2)
    found = (turn(a, b, c) * turn(a, b, d) < 0) & (turn(c, d, a) * turn(c, d, b) < 0)
    return first[found], second[found]


def part_at_crossing(crossed: NDArray[np.int64], crossing: NDArray[np.int64]) -> float:
    """Where along the first segment the second one crosses it, 0 to 1."""
    (ax, az), (bx, bz) = crossed.tolist()
    (cx, cz), (dx, dz) = crossing.tolist()
    off_a = (dz - cz) * (ax - cx) - (dx - cx) * (az - cz)
    off_b = (dz - cz) * (bx - cx) - (dx - cx) * (bz - cz)
    return off_a / (off_a - off_b)


def assert_loops_cross_over_each_other_only(contours: ContourSet) -> None:
    """Edges of one region and of two that border on each other never cross. Others do where they are farther apart than
    the least room above any floor, or where both run along cells and one of these has both floors."""
    compact, padding = contours.regions.compact, contours.regions.padding
    standing = is_inside(compact, padding) & (compact.area > 0)
    clearance = int(compact.height[standing].min(initial=65535))
    x, z = places_of(compact, padding)
    floors: dict[tuple[int, int], set[int]] = {}
    for cell in zip(x.tolist(), z.tolist(), contours.regions.region.tolist(), strict=True):
        floors.setdefault(cell[:2], set()).add(cell[2])
    edges, bounded = [], []
    for region, loop, behind in loops_of(contours):
        edges.append(np.stack([contours.vertices[loop], contours.vertices[np.roll(loop, -1)]], axis=1))
        bounded += [{region, int(faced)} - {0, -1, -2, -3, -4} for faced in behind]
    if not edges:
        return
    ends = np.concatenate(edges).astype(np.int64)
    for one, other in zip(*(found.tolist() for found in crossings(ends[..., [0, 2]])), strict=True):
        assert not bounded[one] & bounded[other], "two edges of one region cross"
        places = []
        for edge, across in ((one, other), (other, one)):
            begin, end = ends[edge].tolist()
            part = part_at_crossing(ends[edge][:, [0, 2]], ends[across][:, [0, 2]])
            places.append([a + (b - a) * part for a, b in zip(begin, end, strict=True)])
        cx, cz = round(places[0][0]), round(places[0][2])
        along_cells = all(0 in (ends[edge, 1] - ends[edge, 0])[[0, 2]] for edge in (one, other))
        around = [floors.get((cx + i, cz + k), set()) for i in (-1, 0) for k in (-1, 0)]
        assert abs(places[0][1] - places[1][1]) >= clearance - 1e-9 or (
            along_cells and any(bounded[one] & cell and bounded[other] & cell for cell in around)
        ), "two edges of one height cross"


@pytest.mark.parametrize("seed", SEEDS)
def test_an_outline_without_error_encloses_exactly_its_cells(seed: int) -> None:
    assert_outlines_enclose_their_cells(random_contours(seed, 0.0, merge_region=seed))


@pytest.mark.parametrize("error", [0.0, 1.3, 6.0, 64.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_outlines_turn_left_and_holes_right(seed: int, error: float) -> None:
    assert_outlines_turn_left_and_holes_right(random_contours(seed, error, merge_region=50))


@pytest.mark.parametrize("error", [0.7, 1.3, 6.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_corner_of_the_cells_is_farther_from_the_line_than_the_error(seed: int, error: float) -> None:
    assert_near(random_contours(seed, 0.0, 50), random_contours(seed, error, 50), error)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_simplified_corner_is_a_corner_of_the_region(seed: int) -> None:
    contours = random_contours(seed, 2.0)
    regions = contours.regions
    x, z = places_of(regions.compact, regions.padding)
    for region, loop, _ in loops_of(contours):
        own = regions.region == region
        corners = {
            (int(a) + i, int(b) + k) for a, b in zip(x[own], z[own], strict=True) for i in (0, 1) for k in (0, 1)
        }
        assert {tuple(corner) for corner in flat(contours, loop).tolist()} <= corners


@pytest.mark.parametrize("error", [0.0, 1.3, 6.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_border_is_one_line_from_both_sides(seed: int, error: float) -> None:
    assert_borders_are_one_line(random_contours(seed, error, merge_region=10))


@pytest.mark.parametrize("error", [1.3, 6.0, 64.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_loops_cross_where_a_floor_is_above_another_and_nowhere_else(seed: int, error: float) -> None:
    assert_loops_cross_over_each_other_only(random_contours(seed, error, merge_region=30))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_contours_keep_their_promises_at_length(seed: int) -> None:
    merge = (0, 10, 50, 1000)[seed % 4]
    exact = random_contours(seed, 0.0, merge)
    assert_outlines_enclose_their_cells(exact)
    for error in (0.7, 1.3, 6.0, 64.0):
        simple = random_contours(seed, error, merge)
        assert_outlines_turn_left_and_holes_right(simple)
        assert_near(exact, simple, error)
        assert_borders_are_one_line(simple)
        assert_loops_cross_over_each_other_only(simple)


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_face_what_lies_behind_their_cells(seed: int) -> None:
    contours = random_contours(seed, 0.0)
    regions = contours.regions
    padding = regions.padding
    width = regions.compact.frame.width - 2 * padding
    depth = regions.compact.frame.depth - 2 * padding
    for _, loop, behind in loops_of(contours):
        ring = flat(contours, loop)
        for faced, (ax, az), (bx, bz) in zip(
            behind.tolist(), ring.tolist(), np.roll(ring, -1, axis=0).tolist(), strict=True
        ):
            on_side = {-1: ax == bx == 0, -2: az == bz == depth, -3: ax == bx == width, -4: az == bz == 0}
            if faced < 0:
                assert on_side[faced]
            if faced >= 0 and padding == 0:
                assert not any(on_side.values())  # where the field ends the floor is taken to go on


def test_a_side_where_the_padding_has_no_floor_is_a_wall() -> None:
    compact = plan(
        ".......",
        ".#####.",
        ".######",
        ".######",
        ".......",
    )
    contours = build_contours(build_regions(compact, padding=1), max_edge_error=0)
    [(_, loop, behind)] = list(loops_of(contours))
    ring = flat(contours, loop)
    faced = {
        (tuple(a), tuple(b)): int(what)
        for a, b, what in zip(ring.tolist(), np.roll(ring, -1, axis=0).tolist(), behind, strict=True)
    }
    assert faced[(5, 3), (5, 1)] == -3
    assert faced[(5, 1), (5, 0)] == 0
    assert sum(what < 0 for what in faced.values()) == 1


@pytest.mark.parametrize("seed", range(20))
def test_both_tiles_of_a_side_keep_the_same_vertices(seed: int) -> None:
    cells, padding = 20, 3
    runs = []
    for first_x, side, line in ((0, -3, cells), (cells, -1, 0)):
        compact = rolling_field(seed, cells + 2 * padding, cells + 2 * padding, first_x)
        contours = build_contours(build_regions(compact, padding=padding, merge_region=10**6))
        [(_, loop, behind)] = list(loops_of(contours))
        corners = contours.vertices[np.concatenate([loop[behind == side], np.roll(loop, -1)[behind == side]])]
        assert (corners[:, 0] == line).all()
        runs.append(sorted({(int(y), int(z)) for _, y, z in corners}))
    assert runs[0] == runs[1]
    assert len(runs[0]) > 2


@pytest.mark.parametrize("seed", range(20))
def test_along_a_side_no_corner_is_more_than_a_row_off_the_line(seed: int) -> None:
    compact = rolling_field(seed, 30, 30)
    exact_heights = {}
    x, z = places_of(compact, 3)
    for cx, cz, y in zip(x.tolist(), z.tolist(), compact.y.tolist(), strict=True):
        for corner in ((cx, cz), (cx + 1, cz), (cx, cz + 1), (cx + 1, cz + 1)):
            exact_heights[corner] = max(y, exact_heights.get(corner, 0))
    contours = build_contours(build_regions(compact, padding=3, merge_region=10**6))
    [(_, loop, behind)] = list(loops_of(contours))
    a, b = contours.vertices[loop], contours.vertices[np.roll(loop, -1)]
    checked = 0
    for low, high in zip(a[behind < 0].tolist(), b[behind < 0].tolist(), strict=True):
        steps = max(abs(high[0] - low[0]), abs(high[2] - low[2]))
        for step in range(steps + 1):
            part = step / steps
            at = (round(low[0] + part * (high[0] - low[0])), round(low[2] + part * (high[2] - low[2])))
            assert abs(low[1] + part * (high[1] - low[1]) - exact_heights[at]) <= 1.0 + 1e-9
            checked += 1
    assert checked >= 96


@pytest.mark.parametrize("seed", SEEDS)
def test_vertices_above_each_other_are_apart(seed: int) -> None:
    contours = random_contours(seed, 1.3)
    vertices = contours.vertices
    assert len(set(contours.loop_vertices.tolist())) == len(vertices)
    compact, padding = contours.regions.compact, contours.regions.padding
    x, z = places_of(compact, padding)
    floors = {}
    for cx, cz, y in zip(x.tolist(), z.tolist(), compact.y.tolist(), strict=True):
        for corner in ((cx, cz), (cx + 1, cz), (cx, cz + 1), (cx + 1, cz + 1)):
            floors.setdefault(corner, set()).add(y)
    for vx, vy, vz in vertices.tolist():
        assert vy in floors[vx, vz]


def test_cells_that_touch_in_a_corner_only_share_no_vertex() -> None:
    contours = build_contours(build_regions(plan("#.", ".#")), max_edge_error=0)
    assert len(contours.vertices) == 8
    assert sorted(contours.vertices.tolist()).count([1, 5, 1]) == 2


@pytest.mark.parametrize("seed", range(12))
def test_storeys_above_each_other_are_simplified_as_one_alone(seed: int) -> None:
    """Outlines that coincide from above do not touch: each storey keeps the corners it would keep by itself."""
    random = np.random.default_rng(seed)
    outline = [(x, z) for z in range(24) for x in range(24) if abs(x - 12) + abs(z - 12) < 10 + random.integers(0, 2)]
    one = field_of([(x, z, 5, 63) for x, z in outline], 24, 24)
    three = field_of([(x, z, 5 + 12 * storey, 63) for x, z in outline for storey in range(3)], 24, 24)
    alone, together = (build_contours(build_regions(compact, merge_region=10**6)) for compact in (one, three))
    assert len(together.vertices) == 3 * len(alone.vertices)


def outlines_at(
    spans: list[tuple[int, int, int, int]], place: tuple[int, int, int], error: float
) -> list[tuple[tuple[int, int, int], ...]]:
    """The loops of a floor of 16 by 16 cells moved within a larger square, seen from its new place; a cell in the
    square's last corner lies in row 1, below all of it."""
    moved = [(x + place[0], z + place[2], y + place[1], area) for x, z, y, area in spans]
    contours = build_contours(build_regions(field_of([*moved, (24, 24, 1, 63)], 26, 26, 4)), max_edge_error=error)
    loops = [contours.vertices[loop] - place for _, loop, _ in loops_of(contours)]
    return sorted(tuple(map(tuple, loop.tolist())) for loop in loops if (loop[:, [0, 2]] < 17).all())


@pytest.mark.parametrize("error", [1.3, 6.0])
@pytest.mark.parametrize("seed", range(8))
def test_contours_are_the_same_wherever_the_floor_lies(seed: int, error: float) -> None:
    """Edges are compared with those near them only, which are looked for in strips of cells and bands of rows."""
    spans = random_spans(seed, 16, 16)
    here = outlines_at(spans, (1, 2, 1), error)
    assert len(here) > 0
    for place in ((1, 2, 2), (2, 5, 3), (4, 8, 4), (3, 11, 1)):
        assert outlines_at(spans, place, error) == here


@pytest.mark.parametrize("above", [HEIGHT + 1, 3 * HEIGHT])
def test_outlines_that_cross_from_above_keep_the_corners_that_each_has_alone(above: int) -> None:
    disc = [(x, z, 5, 63) for z in range(24) for x in range(24) if (x - 11.5) ** 2 + (z - 11.5) ** 2 < 100]
    bar = [(x, z, 5 + above, 63) for z in range(24) for x in range(24) if abs(x - z) < 3]
    one, other, both = (
        len(build_contours(build_regions(field_of(spans, 24, 24), merge_region=10**6), max_edge_error=2.0).vertices)
        for spans in (disc, bar, disc + bar)
    )
    assert both == one + other


@pytest.mark.parametrize("seed", SEEDS)
def test_a_vertex_is_as_high_as_the_highest_space_joined_around_its_corner(seed: int) -> None:
    contours = random_contours(seed, 1.3)
    compact, padding = contours.regions.compact, contours.regions.padding
    joined, region = joined_of(compact), contours.regions.region
    x, z = places_of(compact, padding)
    around: dict[tuple[int, int, int], set[int]] = {}
    for span in np.flatnonzero(region).tolist():
        for edge, (dx, dz) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
            spans = {span}
            for turn in (3, 1):  # both ways round the corner
                at, across = span, edge if turn == 3 else (edge + 3) % 4
                while (at := int(joined[at, across])) >= 0 and at not in spans:
                    spans.add(at)
                    across = (across + turn) % 4
            place = int(x[span]) + dx, int(z[span]) + dz, int(region[span])
            around.setdefault(place, set()).add(int(compact.y[list(spans)].max()))
    for number, loop, _ in loops_of(contours):
        for vx, vy, vz in contours.vertices[loop].tolist():
            assert vy in around[vx, vz, number]


def test_contours_refuse_regions_that_were_replaced() -> None:
    compact = plan("####", "#..#", "####")
    old = build_regions(compact)
    build_regions(compact, padding=1)
    with pytest.raises(ArgumentError, match="other regions"):
        build_contours(old)


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"max_edge_error": -0.1}, RangeError, "max_edge_error is -0.1"),
        ({"max_edge_error": float("nan")}, ArgumentError, "max_edge_error is NaN"),
        ({"max_edge_error": 65}, RangeError, "max_edge_error is 65"),
        ({"max_edge": -1}, RangeError, "max_edge is -1"),
        ({"max_edge": 2.0}, ArgumentError, "max_edge is 2.0"),
    ],
)
def test_a_bad_setting_is_named(settings: dict, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        build_contours(build_regions(plan("##", "##")), **settings)


def test_no_regions_give_no_loops() -> None:
    contours = build_contours(build_regions(field_of([], 3, 3)))
    assert (contours.loop_count, contours.vertices.shape, contours.loop_offsets.tolist()) == (0, (0, 3), [0])


@pytest.mark.parametrize("seed", range(10))
def test_cells_inside_the_square_alone_are_outlined(seed: int) -> None:
    contours = random_contours(seed, 0.0)
    inside = is_inside(contours.regions.compact, contours.regions.padding)
    assert not contours.regions.region[~inside].any()
    if contours.loop_count:
        low, high = contours.vertices.min(axis=0), contours.vertices.max(axis=0)
        frame, padding = contours.regions.compact.frame, contours.regions.padding
        assert low[0] >= 0
        assert low[2] >= 0
        assert high[0] <= frame.width - 2 * padding
        assert high[2] <= frame.depth - 2 * padding


# --- the result as a value


@pytest.mark.parametrize("seed", range(6))
def test_contours_survive_pickling_and_copying(seed: int) -> None:
    contours = random_contours(seed, 1.3, merge_region=12)
    mesh = build_polymesh(contours)
    detail = build_detail(contours, mesh, sample_distance=4, max_error=0.5)
    for again in (pickle.loads(pickle.dumps(contours)), copy.copy(contours), copy.deepcopy(contours)):
        assert again == contours and hash(again) == hash(contours)
        assert repr(again) == repr(contours) and again.regions == contours.regions
        assert build_polymesh(again) == mesh
        assert build_detail(again, build_polymesh(again), sample_distance=4, max_error=0.5) == detail


def test_contours_of_other_settings_are_not_equal() -> None:
    assert random_contours(3, 1.3) == random_contours(3, 1.3)
    assert random_contours(3, 1.3) != random_contours(4, 1.3)
    assert random_contours(3, 1.3) != random_contours(3, 0.0)
    assert random_contours(3, 1.3) != 3


def test_a_contour_set_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError, match="build_contours"):
        ContourSet()


def test_no_loops_survive_pickling() -> None:
    contours = build_contours(build_regions(field_of([], 3, 3)))
    again = pickle.loads(pickle.dumps(contours))
    assert again == contours and build_polymesh(again) == build_polymesh(contours)
