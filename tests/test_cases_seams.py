"""Seams, walls and bridges as users of other builders reported them wrong (cases C16, C17), and the pipeline document's
own examples."""

from __future__ import annotations

import math

import numpy as np
import pytest

import onepath
from onepath import AgentShape, BakeSettings, Level, NavMesh
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


# -- the pipeline document ---------------------------------------------------------------------------------------------


def test_the_way_round_a_wall_is_the_shortest() -> None:
    """From one side of a wall to the other round its end: two straight legs, whatever the polygons are."""
    level = floor(20, 20)
    level.add_box((9.9, 0, 0), (10.1, 3, 14))
    mesh = onepath.bake(level, SLIM)
    path = mesh.find_path((8, 0, 10), (12, 0, 10), exact=True)
    corner = min(math.hypot(x - 8, z - 10) + math.hypot(x - 12, z - 10) for x, z in ((10, 14), (10, 14.5)))
    assert corner <= path.length <= corner + 0.6


def test_a_pillar_is_a_hole_that_no_polygon_covers() -> None:
    level = floor(20, 20)
    level.add_box((9, 0, 9), (11, 3, 11))
    mesh = onepath.bake(level, SLIM.replace(solid_interior="remove", min_region_area=5.0))
    middle = np.array([10.0, 10.0])
    for view in mesh.tiles():
        corners = (view.vertices.astype(float) + view.origin)[view.polygon_vertices]
        for ring in np.split(corners, view.polygon_offsets[1:-1]):
            along = (np.roll(ring, -1, axis=0) - ring)[:, [0, 2]]
            off = middle - ring[:, [0, 2]]
            # Counter-clockwise seen from above: what lies to the right of some edge lies outside.
            assert (
                len(ring) == 0 or ring[:, 1].max() > 2 or (off[:, 0] * along[:, 1] - off[:, 1] * along[:, 0]).min() < 0
            )
    path = mesh.find_path((5, 0, 10), (15, 0, 10), exact=True)
    assert 10 < path.length < 11.5


def test_both_floors_under_a_bridge_are_polygons() -> None:
    level = floor(20, 20)
    level.add_box((0, 3, 8), (20, 3.5, 12))
    level.add_box((0, 7, 8), (20, 7.5, 12))
    mesh = onepath.bake(level, STANDARD)
    found = [mesh.snap((10, y, 10), up=0.5, down=0.5, horizontal=0.1).point for y in (0, 3.5, 7.5)]
    assert [round(point[1], 3) for point in found] == [0, 3.5, 7.5]
    assert not mesh.find_path((10, 0, 10), (10, 3.5, 10))


def test_rooms_that_share_a_border_are_walked_through_their_door() -> None:
    level = floor(20, 10)
    level.add_box((9.8, 0, 0), (10.2, 3, 4))
    level.add_box((9.8, 0, 6), (10.2, 3, 10))
    agent = AgentShape(radius=0.4, height=1.8, max_climb=0.5)
    for error in (0.0, 1.3, 3.0):
        mesh = onepath.bake(level, BakeSettings.for_agent(agent).replace(max_edge_error_cells=error))
        path = mesh.find_path((2, 0, 5), (18, 0, 5))
        assert path and path.length == pytest.approx(16, abs=0.01)
