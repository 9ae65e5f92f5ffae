"""Heights where simplifying led borders away from their floor: over rims that erosion took, onto a tile's side, far."""

from __future__ import annotations

import numpy as np
import pytest

import onepath
from benchmarks.partition import own_partition
from onepath.build import CompactHeightfield, erode_walkable_area
from tests.detailed import detailed, errors_over
from tests.floors import field_of, places_of
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


def test_a_wall_that_lies_on_a_tiles_side_by_simplifying_is_followed() -> None:
    """A ramp and the landing above it, which reach the side at their ends only and stay a cell away between."""
    places = [(x, z) for x in range(8) for z in range(30) if x > 0 or z in (0, 29)]
    case = detailed(field_of([(x, z, 2 + min(2 * z, 20), 63) for x, z in places], 8, 30), max_error=0.0)
    assert case.detail.largest_error <= 1.0
    along_side = case.detail.vertices[case.detail.vertices[:, 0] == 0.0]
    assert len(along_side) > 0


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
