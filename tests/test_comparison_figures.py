"""The figures of the comparison with other libraries: on meshes made by hand, with no other library at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import onepath
from benchmarks.document import level_table
from benchmarks.heights import height_errors
from benchmarks.partition import own_partition, peers_partition
from benchmarks.subjects import DETAILS
from onepath import AgentShape, BakeSettings, Level, NavMesh, levels

SETTINGS = BakeSettings(
    agent=AgentShape(radius=0.4, height=2.0, max_climb=0.6, max_slope=45.0),
    cell_size=0.3,
    cell_height=0.2,
    tile_cells=32,
    detail_sample_distance=1.5,
    detail_max_error=0.2,
)

#: Two squares of 1 and 4 m² that are joined, and a triangle of 0.5 m² on its own.
BY_HAND = peers_partition(
    {
        "corners": [
            *(0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0),
            *(1, 5, 0, 3, 5, 0, 3, 5, 2, 1, 5, 2),
            *(10, 0, 10, 10, 0, 11, 11, 0, 10),
        ],
        "offsets": [0, 4, 8, 11],
        "joined": [0, 1, 1, 0],
        "surface": [],
    }
)


def sheet(low: tuple[float, float], high: tuple[float, float], *heights: float) -> NDArray[np.float64]:
    """A rectangle of two triangles that face up; its heights at low x and at high x, or one for both."""
    (ax, az), (bx, bz) = low, high
    at_a, at_b = heights[0], heights[-1]
    a, b, c, d = (ax, at_a, az), (ax, at_a, bz), (bx, at_b, bz), (bx, at_b, az)
    return np.array([[a, b, c], [a, c, d]], np.float64)


def flipped(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    return triangles[:, ::-1]


@pytest.fixture(scope="module")
def level() -> Level:
    """Hills, and a slab apart from them."""
    hills = levels.terrain(size=40.0, seed=3)
    hills.add_plane((60, 60), (66, 66))
    return hills


@pytest.fixture(scope="module")
def hills(level: Level) -> NavMesh:
    return onepath.bake(level, SETTINGS)


def errors_of(surface: NDArray[np.float64], *level: NDArray[np.float64]) -> Any:
    return height_errors(surface, np.concatenate(level), SETTINGS)


def test_areas_are_those_seen_from_above() -> None:
    assert BY_HAND.polygon_areas().tolist() == [1.0, 4.0, 0.5]


def test_joined_polygons_are_one_component() -> None:
    assert BY_HAND.component_areas().tolist() == [5.0, 0.5]


def test_a_mesh_of_nothing_has_no_component() -> None:
    empty = peers_partition({"corners": [], "offsets": [0], "joined": [], "surface": []})
    assert (empty.polygons, empty.component_areas().tolist()) == (0, [])


def test_components_of_ours_are_its_islands(hills: NavMesh) -> None:
    islands = sorted((island.area for island in hills.islands()), reverse=True)
    assert own_partition(hills).component_areas() == pytest.approx(islands)


def test_area_of_ours_is_that_of_the_mesh(hills: NavMesh) -> None:
    assert own_partition(hills).polygon_areas().sum() == pytest.approx(hills.walkable_area)


def test_the_surface_of_ours_covers_the_mesh_once(hills: NavMesh) -> None:
    ends = own_partition(hills).surface
    (x, _, z), (u, _, w) = (ends[:, corner].T - ends[:, 0].T for corner in (1, 2))
    assert np.abs(z * u - x * w).sum() / 2 == pytest.approx(hills.walkable_area)


def test_a_surface_on_its_floor_has_no_error() -> None:
    errors = errors_of(sheet((0, 0), (6, 6), 1.0), sheet((0, 0), (6, 6), 1.0))
    assert (errors.largest, errors.off_floor) == (pytest.approx(0, abs=1e-9), 0)


def test_a_surface_above_its_floor_is_as_far_off_everywhere() -> None:
    errors = errors_of(sheet((0, 0), (6, 6), 0.25), sheet((-1, -1), (7, 7), 0.0))
    assert (errors.largest, errors.mean, errors.p99) == pytest.approx((0.25, 0.25, 0.25))


def test_a_slope_over_a_flat_floor_is_off_by_its_height_at_most_and_half_of_it_on_average() -> None:
    errors = errors_of(sheet((0, 0), (12, 6), 0.0, 0.8), sheet((0, 0), (12, 6), 0.0))
    assert errors.largest == pytest.approx(0.8, abs=0.01)
    assert errors.mean == pytest.approx(0.4, abs=0.01)


def test_each_storey_is_measured_against_its_own_floor() -> None:
    surfaces = np.concatenate([sheet((0, 0), (6, 6), 0.1), sheet((0, 0), (6, 6), 3.3)])
    errors = errors_of(surfaces, sheet((0, 0), (6, 6), 0.0), sheet((0, 0), (6, 6), 3.0))
    assert (errors.largest, errors.mean) == pytest.approx((0.3, 0.2))


def test_what_lies_under_a_low_ceiling_is_no_floor() -> None:
    low, top = sheet((0, 0), (6, 6), 0.0), sheet((0, 0), (6, 6), 1.5)
    assert errors_of(low, low, flipped(sheet((0, 0), (6, 6), 1.2)), top).largest == pytest.approx(1.5)


def test_a_ceiling_is_no_floor() -> None:
    errors = errors_of(sheet((0, 0), (6, 6), 0.0), flipped(sheet((0, 0), (6, 6), 0.1)))
    assert (errors.off_floor, errors.largest) == (1.0, 0.0)


def test_what_hangs_over_nothing_is_counted_apart() -> None:
    errors = errors_of(sheet((0, 0), (6, 6), 0.0), sheet((0, 0), (3, 6), 0.1))
    assert (errors.off_floor, errors.largest) == (pytest.approx(0.5, abs=0.03), pytest.approx(0.1))


def test_what_juts_out_over_an_edge_is_counted_apart() -> None:
    errors = errors_of(sheet((0, 0), (6.2, 6), 3.0), sheet((0, 0), (6, 6), 3.0), sheet((-9, -9), (9, 9), 0.0))
    assert errors.largest == pytest.approx(0, abs=1e-9)
    assert errors.off_floor == pytest.approx(0.2 / 6.2, abs=0.02)


def test_what_goes_on_beyond_an_edge_is_an_error() -> None:
    errors = errors_of(sheet((0, 0), (8, 6), 3.0), sheet((0, 0), (6, 6), 3.0), sheet((-9, -9), (9, 9), 0.0))
    assert errors.largest == pytest.approx(3.0)


def test_a_curb_that_can_be_climbed_is_an_error_of_its_height() -> None:
    errors = errors_of(sheet((0, 0), (6, 6), 0.5), sheet((0, 0), (3, 6), 0.5), sheet((3, 0), (6, 6), 0.0))
    assert (errors.largest, errors.off_floor) == (pytest.approx(0.5), 0)


def test_floors_drawn_twice_are_one() -> None:
    floor = sheet((0, 0), (6, 6), 0.0)
    assert errors_of(floor, floor, floor).largest == pytest.approx(0, abs=1e-9)


def test_a_bake_without_detail_is_further_off_than_one_with(level: Level, hills: NavMesh) -> None:
    vertices, triangles, _ = level.triangles()
    plain = own_partition(onepath.bake(level, SETTINGS.replace(detail_sample_distance=0.0)))
    rough, fine = (errors_of(own.surface, vertices[triangles]) for own in (plain, own_partition(hills)))
    assert fine.off_floor == rough.off_floor == 0
    assert fine.largest < SETTINGS.detail_max_error + 2 * SETTINGS.cell_height < rough.largest


def timed(ours: float, **theirs: float) -> dict[str, Any]:
    rows = {name: {"median": value, "ratio": ours / value} for name, value in theirs.items()}
    return {"onepath": {"median": ours}, "peers": rows}


def side(**more: object) -> dict[str, Any]:
    height = {"largest": 0.5, "p99": 0.25, "mean": 0.125, "off_floor": 0.0, "columns": 9}
    counts = {"polygons": 7, "triangles": 9, "components": 3, "components_of_size": 2}
    return {"area": 12.5, "largest_component": 10.0, "height": height, **counts, **more}


@pytest.fixture
def table() -> dict[str, list[str]]:
    """The cells of a level's table by the names of its rows, for one peer that has no circles."""
    sides = {"onepath": side(unkept_contours=0), "other": side(warnings={"bad hole": 2})}
    lengths = {
        "onepath": {"reached": 4},
        "other": {"reached": 3, "onepath_mean_where_both": 1.0, "mean_where_both": 1.25},
    }
    queries = {"pairs": 5, "lengths": lengths, "nearest": timed(0.5, other=1.0)}
    lines = level_table(
        {
            **{f"bake{ending}": timed(10.0, other=40.0) for ending in DETAILS},
            **{f"quality{ending}": sides for ending in DETAILS},
            "queries": queries,
            "places": {"radius": 3.0, "circle": timed(0.75)},
            "exact": {
                "us_median": {"EXACT": 6.5},
                "excess": {model: {"mean": 0.125, "worst": 0.5} for model in ("POLYGON", "CROSSING")},
            },
            "batches": {
                "nearest": {
                    "single": 0.5,
                    "processes": 1.75,
                    "sizes": {5: {1: 0.25, 2: 0.25}, 5000: {1: 0.25, 2: 0.125}},
                },
                "floor": {"single": None, "processes": 2.0, "sizes": {5: {1: 0.25, 2: 0.25}}},
            },
        }
    ).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]
    return {row[0]: row[1:] for row in cells}


def test_times_of_others_stand_with_the_ratio(table: dict[str, list[str]]) -> None:
    assert table["bake, heights every 6 m within 1 m, ms"] == ["10.00", "40.00 (0.25)"]


def test_who_has_no_such_call_gets_a_dash(table: dict[str, list[str]]) -> None:
    assert table["polygons in a circle, µs"] == ["0.75", "-"]


def test_batches_stand_with_single_calls_and_with_what_threads_and_processes_gain(table: dict[str, list[str]]) -> None:
    assert table["nearest polygons, batches of 5 / 5,000, µs"] == [
        "0.25 / 0.25 (0.50 in single calls); two threads 1.00 / 2.00 times faster, two processes 1.75",
        "-",
    ]
    assert table["whether on the mesh, batches of 5, µs"] == [
        "0.25; two threads 1.00 times faster, two processes 2.00",
        "-",
    ]


def test_what_is_not_counted_is_said_to_be_not_reported(table: dict[str, list[str]]) -> None:
    assert table["dropped contours"] == ["0", "not reported; warnings: 2 × “bad hole”"]


def test_every_line_of_a_table_is_as_wide_as_its_head(table: dict[str, list[str]]) -> None:
    assert {len(cells) for cells in table.values()} == {2}
