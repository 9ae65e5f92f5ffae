"""Heights where simplifying led borders off their floor: over rims that erosion took, beside a side of a tile, far."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import onepath
from benchmarks.partition import own_partition
from onepath import AgentShape, BakeSettings, Level
from onepath.build import CompactHeightfield, erode_walkable_area
from tests.detailed import detailed, errors_over
from tests.floors import field_of, places_of
from tests.source_floors import allowed
from tests.uneven_levels import level_with_drops

# -- rims --------------------------------------------------------------------------------------------------------------


def banked_floor(side: int) -> CompactHeightfield:
    """A floor with a notched edge and banks in the notches, which an agent is too wide for."""
    notched = np.arange(side) // 8 % 2
    spans = [
        (x, z, 2 + 4 * int(notched[x]) * (z >= side - 7), 63) for x in range(side) for z in range(side - 2 * notched[x])
    ]
    field = field_of(spans, side, side)
    erode_walkable_area(field, 3)
    return field


@pytest.mark.parametrize("max_error", [0.0, 1.0])
def test_the_rim_that_erosion_took_is_followed_where_polygons_cover_it(max_error: float) -> None:
    field = banked_floor(40)
    case = detailed(field, max_error=max_error, edge_error=2.0)
    x, z = places_of(field)
    rim = field.area == 0
    floors = np.stack([x[rim], z[rim], field.y[rim], field.y[rim]], axis=1)
    errors = [error for polygon in range(case.mesh.polygon_count) for *_, error in errors_over(case, polygon, floors)]
    assert len(errors) > 5
    assert np.abs(errors).max() <= max_error + 1 + 1e-9


# -- sides of tiles ----------------------------------------------------------------------------------------------------


def test_a_wall_a_cell_off_a_tiles_side_stays_off_it_and_is_followed() -> None:
    """A ramp and the landing above it, which reach the side at their ends only: a portal there would be a false one."""
    places = [(x, z) for x in range(8) for z in range(30) if x > 0 or z in (0, 29)]
    case = detailed(field_of([(x, z, 2 + min(2 * z, 20), 63) for x, z in places], 8, 30), max_error=0.0)
    assert case.detail.largest_error <= 1.0
    corners = case.mesh.vertices
    assert sorted(corners[corners[:, 0] == 0, 2].tolist()) == [0, 1, 29, 30]
    assert (case.mesh.border_sides == 0).sum() == 2
    assert not (case.detail.vertices[:, 0] == 0.0).any()


# -- borders far off ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_however_far_borders_may_leave_their_floor_no_height_is_outside_of_all_floors(seed: int) -> None:
    level, settings = level_with_drops(seed)
    mesh = onepath.bake(level, settings.replace(max_edge_error_cells=64.0))
    bounds = level.bounds
    assert bounds is not None
    heights = own_partition(mesh).surface[:, :, 1]
    assert bounds[0][1] - 1e-6 <= heights.min()
    assert heights.max() <= bounds[1][1] + settings.cell_height + 1e-6


def test_a_row_that_no_border_comes_into_has_its_floor_on_both_sides_of_a_hole() -> None:
    """A slope too steep to be climbed leaves a hole in the floor; the border round it lies in other polygons."""
    waves = (
        (0.70648, 0.39562, 0.49548, 4.5342),
        (0.12109, -0.03285, 0.42808, 1.23207),
        (1.73525, -0.56943, 0.46435, 2.75515),
    )

    def ground(x: NDArray[np.float64], z: NDArray[np.float64]) -> NDArray[np.float64]:
        return sum((high * np.sin(a * x + b * z + begin) for a, b, high, begin in waves), np.zeros(1))

    x, z = np.meshgrid(0.3 * np.arange(35), 0.3 * np.arange(35))
    level = Level()
    level.add_heightmap(ground(x, z), 0.3, (-0.3, 0.0, -0.15))
    settings = BakeSettings(
        agent=AgentShape(radius=0.0, height=0.5, max_climb=0.4, max_slope=70.0),
        cell_size=0.2,
        cell_height=0.05,
        tile_cells=200,
        min_region_area=0.0,
        merge_region_area=1000.0,
        max_edge_error_cells=10.0,
        max_polygon_vertices=3,
        detail_sample_distance=100.0,
        detail_max_error=0.2,
        partition="monotone",
        erosion="euclidean",
    )
    surface = own_partition(onepath.bake(level, settings)).surface + np.array([0.3, 0.0, 0.15])
    weights = np.random.default_rng(1).dirichlet([0.5] * 3, size=20)
    places = np.einsum("wk,tkx->wtx", weights, surface).reshape(-1, 3)
    steepest = sum(high * np.hypot(a, b) for a, b, high, _ in waves)
    beside = 1.5 * np.sqrt(2) * settings.cell_size  # from a place to the far side of the cells that touch its own
    assert np.abs(places[:, 1] - ground(places[:, 0], places[:, 2])).max() <= allowed(settings) + steepest * beside
