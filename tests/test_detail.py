"""Height detail: triangles that tile their polygons exactly and follow the floor within the error, storey by storey."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import numpy as np
import pytest

from onepath.build import CompactHeightfield, build_contours, build_detail, build_polymesh, build_regions
from onepath.errors import ArgumentError, RangeError
from tests.detailed import PARTS, Detailed, assert_near, assert_tiled, detailed, errors_over, floor_finder, turns
from tests.floors import field_of, places_of, plan, random_field, rolling_field, spiral_stairs

SEEDS = range(24)
ERRORS = (0.0, 1.0, 3.0)


def random_detail(seed: int, max_error: float = 1.0) -> Detailed:
    compact = random_field(seed)
    room = (min(compact.frame.width, compact.frame.depth) - 1) // 2
    return detailed(
        compact,
        padding=seed % (room + 1) if seed % 3 else 0,
        sample_distance=1 + seed % 9,
        max_error=max_error,
        corners=3 + seed % 6,
    )


@pytest.mark.parametrize("max_error", ERRORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_triangles_tile_their_polygon_exactly(seed: int, max_error: float) -> None:
    assert_tiled(random_detail(seed, max_error))


@pytest.mark.parametrize("max_error", ERRORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_cell_of_a_polygons_floor_is_farther_off_than_allowed(seed: int, max_error: float) -> None:
    assert_near(random_detail(seed, max_error), max_error)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1600))
def test_tiling_and_errors_hold_at_length(seed: int) -> None:
    for max_error in ERRORS:
        case = random_detail(seed, max_error)
        assert_tiled(case)
        assert_near(case, max_error)


# -- places whose answer is known --------------------------------------------------------------------------------------


def ramp(width: int, depth: int, rows_a_cell: int = 1) -> CompactHeightfield:
    return field_of([(x, z, 1 + rows_a_cell * x, 63) for x in range(width) for z in range(depth)], width, depth)


def hill(side: int, top: int) -> CompactHeightfield:
    """A pyramid of cells in a flat floor, as high as `top` rows in the middle."""
    middle = (side - 1) / 2
    spans = [
        (x, z, 1 + max(0, top - int(max(abs(x - middle), abs(z - middle)))), 63)
        for x in range(side)
        for z in range(side)
    ]
    return field_of(spans, side, side)


def test_a_flat_floor_has_no_detail() -> None:
    case = detailed(plan(*["#" * 20] * 20), max_error=0.0)
    assert len(case.detail.triangles) == len(case.detail.vertices) == 0
    assert case.detail.largest_error == 0.0


def test_a_ramp_has_no_detail() -> None:
    case = detailed(ramp(20, 20), max_error=0.0)
    assert len(case.detail.triangles) == 0
    assert 0.0 < case.detail.largest_error <= 1.0


def test_a_hill_in_the_middle_of_a_polygon_gets_its_top() -> None:
    case = detailed(hill(31, 8), max_error=1.0)
    assert (case.detail.vertices[:, 1] >= 8).any()
    assert_tiled(case)
    assert_near(case, 1.0)


def test_a_larger_error_takes_fewer_triangles() -> None:
    counts = [len(detailed(hill(31, 10), max_error=error).detail.triangles) for error in (0.0, 1.0, 3.0, 20.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 0 < counts[-2]


def test_vertices_lie_on_samples_where_these_are_enough() -> None:
    # One hump whose top is a sample: no other vertex is needed inside.
    case = detailed(hill(25, 6), sample_distance=25, max_error=2.0, edge_error=1.3)
    assert [12.5, 7.0, 12.5] in case.detail.vertices.tolist()


@pytest.mark.parametrize("storeys", [1, 3])
def test_storeys_above_each_other_have_each_their_own_heights(storeys: int) -> None:
    random = np.random.default_rng(5)
    rough = random.integers(0, 4, (20, 20))
    spans = [
        (x, z, 2 + 20 * storey + int(rough[z, x]), 63)
        for storey in range(storeys)
        for z in range(20)
        for x in range(20)
    ]
    case = detailed(field_of(spans, 20, 20), max_error=0.0)
    assert len(case.detail.triangles) > 0
    vertices = case.vertices
    for polygon in range(case.mesh.polygon_count):
        heights = vertices[case.triangles(polygon), 1]
        assert heights.max() // 20 == heights.min() // 20
    assert_near(case, 0.0)


def test_a_ramp_under_a_bridge_is_followed_below_and_above() -> None:
    spans = [(x, z, 1 + x // 2, 63) for x in range(40) for z in range(12)]
    spans += [(x, z, 30, 63) for x in range(10, 20) for z in range(12)]
    case = detailed(field_of(spans, 40, 12), max_error=0.0)
    assert_near(case, 0.0)
    heights = case.vertices[:, 1]
    assert not ((heights > 20) & (heights < 30)).any()


@pytest.mark.parametrize("turns_of_stair", [1, 3])
def test_turns_of_a_stair_stay_apart(turns_of_stair: int) -> None:
    case = detailed(spiral_stairs(turns_of_stair), max_error=0.0)
    assert len(case.detail.triangles) > 0
    assert_tiled(case)
    assert_near(case, 0.0)


# -- vertices ----------------------------------------------------------------------------------------------------------


def rows_of(compact: CompactHeightfield, padding: int, cells: set[tuple[int, int]]) -> set[int]:
    """The floor rows of all spans of some cells of the square, those outside left out."""
    width, depth = compact.frame.width, compact.frame.depth
    rows: set[int] = set()
    for x, z in cells:
        if 0 <= x + padding < width and 0 <= z + padding < depth:
            column = x + padding + (z + padding) * width
            first = compact.cell_first[column]
            rows |= set(compact.y[first : first + compact.cell_count[column]].tolist())
    return rows


def regions_by_vertex(case: Detailed) -> dict[int, set[int]]:
    """The regions of the polygons whose surfaces a vertex of detail is part of."""
    own = len(case.mesh.vertices)
    found: dict[int, set[int]] = {}
    for polygon, region in enumerate(case.mesh.regions.tolist()):
        for vertex in np.unique(case.triangles(polygon)).tolist():
            if vertex >= own:
                found.setdefault(vertex - own, set()).add(region)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_every_vertex_has_the_height_of_a_floor_that_it_touches_or_over_none_of_its_own_of_one_beside(
    seed: int,
) -> None:
    case = random_detail(seed, 0.0)
    regions, padding = case.contours.regions, case.contours.regions.padding
    x, z = places_of(regions.compact, padding)
    inhabited = {
        (*place, region) for *place, region in zip(x.tolist(), z.tolist(), regions.region.tolist(), strict=True)
    }
    for number, own in regions_by_vertex(case).items():
        vx, y, vz = case.detail.vertices[number].tolist()
        cells = {(int(np.floor(vx - dx)), int(np.floor(vz - dz))) for dx in (0, 1e-9) for dz in (0, 1e-9)}
        if y in rows_of(regions.compact, padding, cells):
            continue
        assert not any((*cell, region) in inhabited for cell in cells for region in own)
        beside = {(a + k, b) for a, b in cells for k in range(-3, 4)} | {
            (a, b + k) for a, b in cells for k in range(-3, 4)
        }
        assert y in rows_of(regions.compact, padding, beside)


def shared_vertices(seed: int) -> int:
    """How many times a vertex lies on an edge that two polygons share, each of which must have it."""
    # With steps this low no stair can wind around a corner itself, which would share its vertices between its turns.
    case = detailed(random_field(seed, climbs=(1, 2)), max_error=0.0)
    vertices, offsets = case.vertices, case.mesh.polygon_offsets
    on_edge: dict[tuple[int, int], set[int]] = {}
    for polygon in range(case.mesh.polygon_count):
        ring = case.ring(polygon).tolist()
        used = np.unique(case.triangles(polygon))
        used = used[used >= len(case.mesh.vertices)]
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            ends = np.sort(vertices[[a, b]], axis=0)[:, [0, 2]]
            places = vertices[used][:, [0, 2]]
            within = (turns(vertices[a], vertices[b], vertices[used]) == 0) & (places >= ends[0]).all(axis=1)
            on_edge[a, b] = set(used[within & (places <= ends[1]).all(axis=1)].tolist())
    shared = 0
    for polygon in range(case.mesh.polygon_count):
        ring = case.ring(polygon).tolist()
        neighbours = case.mesh.polygon_neighbours[offsets[polygon] : offsets[polygon + 1]].tolist()
        for a, b, neighbour in zip(ring, [*ring[1:], ring[0]], neighbours, strict=True):
            if neighbour >= 0:
                assert on_edge[a, b] == on_edge[b, a]
                shared += len(on_edge[a, b])
    return shared


@pytest.mark.parametrize("seed", SEEDS)
def test_both_polygons_of_an_edge_have_the_same_vertices_on_it(seed: int) -> None:
    shared_vertices(seed)


def test_edges_between_polygons_do_have_vertices() -> None:
    assert sum(shared_vertices(seed) for seed in range(8)) > 100


def test_sides_of_the_square_get_no_vertices_but_those_of_their_polygons() -> None:
    case = detailed(rolling_field(3, 60, 60), max_error=0.0)
    assert len(case.detail.vertices) > 20
    assert not np.isin(case.detail.vertices[:, [0, 2]], (0.0, 60.0)).any()


# -- the stage ---------------------------------------------------------------------------------------------------------


def test_the_same_floor_gives_the_same_detail() -> None:
    first, second = random_detail(3, 0.0).detail, random_detail(3, 0.0).detail
    assert first == second
    assert hash(first) == hash(second)
    assert first != random_detail(4, 0.0).detail
    assert pickle.loads(pickle.dumps(first)) == first


@pytest.mark.parametrize("max_error", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_largest_error_is_that_of_the_worst_cell_inside_a_polygon(seed: int, max_error: float) -> None:
    case = detailed(rolling_field(seed, 30, 30), max_error=max_error)
    floors_of = floor_finder(case)
    worst = 0.0
    for polygon, region in enumerate(case.mesh.regions.tolist()):
        ring = case.vertices[case.ring(polygon)]
        for x, z, error in errors_over(case, polygon, floors_of(region)):
            centre = np.array([x * PARTS + PARTS // 2, 0, z * PARTS + PARTS // 2])
            if (turns(ring, np.roll(ring, -1, axis=0), centre) > 0).all():
                worst = max(worst, abs(error))
    assert case.detail.largest_error == pytest.approx(worst, abs=1e-9)


@pytest.mark.parametrize(
    ("argument", "value", "error"),
    [
        ("sample_distance", 0, RangeError),
        ("sample_distance", 1.5, ArgumentError),
        ("max_error", -1.0, RangeError),
        ("max_error", float("nan"), ArgumentError),
    ],
)
def test_arguments_out_of_range_are_named(argument: str, value: float, error: type[Exception]) -> None:
    contours = build_contours(build_regions(plan("####", "####")))
    given: dict[str, Any] = {"sample_distance": 3, "max_error": 1.0, argument: value}
    with pytest.raises(error, match=argument):
        build_detail(contours, build_polymesh(contours), **given)


def test_polygons_of_other_contours_are_refused() -> None:
    contours = build_contours(build_regions(plan("####", "####")))
    others = build_polymesh(build_contours(build_regions(plan("######", "######"))))
    with pytest.raises(ArgumentError, match="other contours"):
        build_detail(contours, others, sample_distance=3, max_error=1.0)


def test_detail_is_the_same_in_every_build() -> None:
    digest = hashlib.sha256()
    for seed in range(12):
        detail = random_detail(seed, float(seed % 3)).detail
        for array in (detail.offsets, detail.triangles, detail.vertices):
            digest.update(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes())
    assert digest.hexdigest() == "c1a0838f69913eda45ffc2679488e01cb3330d68319ff1772406e465d49f5fb0"
