"""Seams as users of other builders reported them wrong (cases C16, C17)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import onepath
from onepath import BakeSettings, Level, NavMesh
from onepath.debug import seam_edges
from tests.baked import SLIM, STANDARD, floor

# -- C17: an invisible seam --------------------------------------------------------------------------------------------


def hall(box: bool = False) -> Level:
    level = floor(24, 8)
    if box:
        level.add_box((7.5, 0, 3.5), (8.5, 1, 4.5))
    return level


def tiled_and_whole(level: Level, settings: BakeSettings) -> tuple[NavMesh, NavMesh]:
    return onepath.bake(level, settings), onepath.bake(level, settings.replace(tile_cells=96))


@pytest.mark.parametrize("box", [False, True])
@pytest.mark.parametrize("settings", [STANDARD, SLIM])
def test_c17_three_tiles_have_the_area_of_one(settings: BakeSettings, box: bool) -> None:
    tiled, whole = tiled_and_whole(hall(box), settings)
    assert tiled.walkable_area == pytest.approx(whole.walkable_area, rel=0.01)


def test_c17_all_of_a_seam_is_joined_and_none_of_it_a_wall() -> None:
    seams = seam_edges(onepath.bake(hall(), STANDARD))
    walls = seams.ends[seams.kinds == 0]
    assert len(walls) == 0
    assert set(np.unique(seams.ends[:, :, 0]).tolist()) == {8.0, 16.0}  # exactly


@pytest.mark.parametrize("x", [8.0, 8.0001, 12.0])
def test_c17_the_wall_is_as_far_from_a_seam_as_from_anywhere(x: float) -> None:
    """The ledge filter takes a cell of the four metres, erosion two."""
    tiled, whole = tiled_and_whole(hall(), STANDARD)
    assert tiled.wall_distance((x, 0, 4)) == pytest.approx(3.25, abs=1e-6)
    assert whole.wall_distance((x, 0, 4)) == pytest.approx(3.25, abs=1e-6)


def test_c17_paths_along_the_hall_are_straight() -> None:
    tiled, whole = tiled_and_whole(hall(), STANDARD)
    for mesh in (tiled, whole):
        path = mesh.find_path((1, 0, 2), (23, 0, 6))
        assert len(path.points) == 2
        assert path.length == pytest.approx(math.hypot(22, 4), abs=1e-3)


@pytest.mark.parametrize("least", [0.8, 0.0, 10.0])
def test_c17_an_island_on_a_seam_is_kept_in_both_tiles(least: float) -> None:
    """The top of a box, half in either tile, of which neither can know the size."""
    level = floor(24, 8)
    level.add_box((7, 1, 3), (9, 2, 5))
    mesh = onepath.bake(level, SLIM.replace(min_region_area=least))
    tops = [view for view in mesh.tiles() if ((view.vertices + view.origin)[:, 1] > 1.5).any()]
    assert [view.column for view in tops] == [0, 1]


def test_c17_an_island_on_a_seam_is_pruned_whole_or_not_at_all() -> None:
    level = floor(24, 8)
    level.add_box((7, 1, 3), (9, 2, 5))
    for limit, columns in ((2.0, [0, 1]), (2.5, [])):
        mesh = onepath.bake(level, SLIM)
        mesh.prune_islands(limit)
        tops = [view for view in mesh.tiles() if ((view.vertices + view.origin)[:, 1] > 1.5).any()]
        assert [view.column for view in tops] == columns


def test_c17_no_wall_is_near_the_middle_of_a_seam() -> None:
    mesh = onepath.bake(hall(), STANDARD)
    start = mesh.snap((8, 0, 4))
    assert len(onepath.NavMeshQuery(mesh).find_walls(start.ref, start.point, 2.0)) == 0


def test_c17_a_metre_of_box_on_a_seam_is_kept_in_both_tiles_or_in_neither() -> None:
    level = floor(24, 8)
    level.add_box((7.5, 0, 3.5), (8.5, 1, 4.5))
    settings = SLIM.replace(min_region_area=0.8)
    mesh = onepath.bake(level, settings)
    tops = [view.column for view in mesh.tiles() if ((view.vertices + view.origin)[:, 1] > 0.5).any()]
    assert tops in ([0, 1], [])
    whole = onepath.bake(level, settings.replace(tile_cells=96))
    assert mesh.walkable_area == pytest.approx(whole.walkable_area, rel=0.01)


@pytest.mark.parametrize("sides", [(7.75, 8.0), (8.0, 8.25), (7.75, 8.25)])
def test_c17_a_pillar_thinner_than_the_error_on_a_seam_is_no_portal(sides: tuple[float, float]) -> None:
    """One cell wide in one tile or in both: no simplified border may lie on the seam in its place."""
    level = floor(16, 8)
    level.add_box((sides[0], 0, 3), (sides[1], 2, 4))
    mesh = onepath.bake(level, SLIM)
    seams = seam_edges(mesh)
    along = seams.ends[seams.kinds == 1][:, :, 2]
    assert sorted(set(along.ravel().tolist())) == [0.25, 3.0, 4.0, 7.75]
    assert not ((along.min(axis=1) < 4) & (along.max(axis=1) > 3)).any()
    path = mesh.find_path((7, 0, 3.5), (9, 0, 3.5))
    assert path.length > 2.1


def test_c17_two_slopes_side_by_side_under_a_low_roof_are_joined_nowhere() -> None:
    """Both rise and fall along the seam, six rows apart, and one of them has a vertex in the middle."""
    along, rise = np.linspace(0.0, 8.0, 33), 2.5
    hump = rise * (1.0 - np.abs(along / 4.0 - 1.0))
    level = Level()

    def strip(low: float, high: float, base: float, **area: int) -> None:
        corners = [(x, base + y, z) for z, y in zip(along.tolist(), hump.tolist(), strict=True) for x in (low, high)]
        for half in (slice(0, 16), slice(16, 32)):
            quads = [[(2 * k, 2 * k + 2, 2 * k + 3), (2 * k, 2 * k + 3, 2 * k + 1)] for k in range(32)][half]
            level.add(corners, np.array(quads).reshape(-1, 3), **(area if half.start else {}))

    strip(0.0, 8.0, 0.75)
    strip(8.0, 16.0, 0.0, area=5)
    strip(8.0, 16.0, 2.375)
    seams = seam_edges(onepath.bake(level, SLIM))
    on_seam = (seams.ends[:, :, 0] == 8.0).all(axis=1)
    assert (on_seam & (seams.kinds == 0)).any()
    assert not (on_seam & (seams.kinds == 1)).any()


# -- C16: a slanted seam, baked ----------------------------------------------------------------------------------------


def test_c16_a_baked_seam_beside_a_slanted_floor_is_joined_where_it_can_be_climbed() -> None:
    """Left of x = 8 a flat floor, right of it a plane that rises along z from a metre below to a metre above."""
    level = floor(8, 8)
    level.add([(8, -1, 0), (8, 1, 8), (16, 1, 8), (16, -1, 0)], [(0, 1, 2), (0, 2, 3)])
    mesh = onepath.bake(level, SLIM)
    seams = seam_edges(mesh)
    joined = seams.ends[(seams.kinds == 1) & (seams.ends[:, :, 0] == 8).all(axis=1)]
    assert len(joined) > 0
    assert joined[:, :, 2].min() == pytest.approx(2, abs=0.5)
    assert joined[:, :, 2].max() == pytest.approx(6, abs=0.5)
    path = mesh.find_path((4, 0, 7), (12, 0.75, 7))
    assert path
    crossing = next(z for (x0, _, z0), (x1, _, z1) in zip(path.points[:-1], path.points[1:], strict=True)
                    if x0 <= 8 <= x1 for z in [z0 + (z1 - z0) * (8 - x0) / (x1 - x0)])  # fmt: skip
    assert crossing <= 6.5
