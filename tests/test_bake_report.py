"""What a bake's report says: counts, areas and times, and what looks wrong with the level or could not be kept."""

from __future__ import annotations

import numpy as np
import pytest

import onepath
from onepath import BakeStatus, Level, baking, levels
from onepath._baking import TileWriter
from onepath.build._tile import TileBaker
from tests.baked import LEFT_OF_TEN_BY_TEN, STANDARD, floor


def test_no_triangles_make_an_empty_mesh_that_says_so():
    mesh = onepath.bake(Level(), STANDARD)
    assert mesh.report.status is BakeStatus.NO_GEOMETRY
    assert (mesh.tile_count, mesh.polygon_count) == (0, 0)
    assert mesh.find_path((0, 0, 0), (1, 0, 1)).status is onepath.PathStatus.NO_MESH


def test_a_floor_is_reported_with_its_area_and_without_warnings():
    report = onepath.bake(floor(10, 10), STANDARD).report
    assert report.status is BakeStatus.OK
    assert report.walkable_area == pytest.approx(LEFT_OF_TEN_BY_TEN)
    assert (report.triangles, report.facing_down, report.warnings, report.unkept_contours) == (2, 0, (), 0)


def test_a_level_without_room_for_the_agent_says_so():
    report = onepath.bake(floor(10, 10), radius=4.9).report
    assert report.status is BakeStatus.NOTHING_WALKABLE
    assert "nothing is walkable" in report.warnings[0]
    assert "nothing is walkable" in str(report)


def test_a_level_of_millimetres_is_suspected():
    level = Level()
    level.add_plane((0, 0), (0.01, 0.01))
    assert any("units" in warning for warning in onepath.bake(level, STANDARD).report.warnings)


@pytest.mark.parametrize(
    ("width", "text"),
    [(0.99, "measures 0.99 by 0.2 metres and the agent 1 across: the level may be in other units"), (1.0, None)],
)
def test_a_level_narrower_than_the_agent_is_suspected_for_its_longer_side(width, text):
    report = onepath.bake(floor(width, 0.2), STANDARD).report
    assert report.status is BakeStatus.NOTHING_WALKABLE
    assert ("other units" in report.warnings[0]) == (text is not None)
    assert text is None or text in report.warnings[0]


@pytest.mark.parametrize(("height", "suspected"), [(40.0, False), (40.5, True)])
def test_a_level_more_than_four_times_as_high_as_its_longer_side_is_suspected(height, suspected):
    level = floor(10, 3)
    level.add([(0, 0, 0), (0, height, 0), (0, height, 1)], [(0, 1, 2)])
    warned = f"the level is {height:g} high and 10 wide: up may not be Y"
    assert onepath.bake(level, STANDARD).report.warnings == (warned,) * suspected


def test_walls_alone_are_told_to_be_too_steep():
    level = Level()
    level.add([(0, 0, 0), (0, 3, 0), (9, 3, 0), (9, 0, 0)], [(0, 1, 2), (0, 2, 3)])
    assert onepath.bake(level, STANDARD).report.warnings == (
        "none of 2 triangles is flatter than max_slope 45 degrees",
    )


def test_more_than_half_of_the_triangles_facing_down_are_suspected_and_half_of_them_are_not():
    level = Level()
    level.add_box((0, 0, 0), (4, 4, 4))
    assert onepath.bake(level, STANDARD).report.warnings == ()
    vertices, triangles, _ = floor(10, 10).triangles()
    half_down = np.concatenate([triangles, triangles[:, ::-1]])
    assert onepath.bake((vertices, half_down), STANDARD).report.warnings == ()
    more_down = np.concatenate([half_down, triangles[:1, ::-1]])
    assert onepath.bake((vertices, more_down), STANDARD).report.warnings == (
        "3 of 5 triangles face down: the winding may be reversed",
    )


def test_a_level_that_stands_on_its_side_is_suspected():
    level = Level()
    level.add([(0, 0, 0), (0, 50, 0), (0, 50, 2), (0, 0, 2)], [(0, 1, 2), (0, 2, 3)])
    assert any("up may not be Y" in warning for warning in onepath.bake(level, STANDARD).report.warnings)


@pytest.mark.parametrize(("storeys", "warned"), [(63, False), (64, True)])
def test_more_floors_above_each_other_than_links_can_count_are_warned_of(storeys, warned):
    level = Level()
    for storey in range(storeys):
        level.add_plane((0, 0), (6, 6), 3.0 * storey)
    report = onepath.bake(level, STANDARD).report
    counted = [warning.split(":")[0] for warning in report.warnings if "floors" in warning]
    assert counted == ["64 floors lie above each other"] * warned
    assert report.walkable_area == pytest.approx(63 * 4.5 * 4.5)


def test_floors_above_each_other_are_those_of_the_tile_that_has_most():
    level = floor(50, 6)
    for storey in range(1, 65):
        level.add_plane((0, 0), (6, 6), 3.0 * storey)
    [warning] = onepath.bake(level, STANDARD).report.warnings
    assert warning.startswith("65 floors lie above each other: only the lowest 63 ")


@pytest.mark.parametrize("seeds", [None, [(2, 0, 2)]])
def test_tiles_without_a_polygon_are_counted_and_have_none_of_the_tile_before(seeds):
    level = floor(6, 6)
    level.add_plane((18, 0), (22, 6))
    mesh = onepath.bake(level, STANDARD, seeds=seeds)
    assert [view.polygon_count > 0 for view in mesh.tiles()] == [True, False, seeds is None]
    assert (mesh.report.tiles, mesh.report.empty_tiles) == (3, 1 if seeds is None else 2)


def test_triangles_are_counted_by_the_way_they_face():
    corners = [(0, 0, 0), (0, 0, 9), (9, 0, 9), (9, 0, 0), (0, 9, 0), (9, 9, 0), (4, 0, 4)]
    up, down, wall, needle = (0, 1, 2), (0, 3, 1), (0, 3, 5), (0, 6, 0)
    report = onepath.bake((corners, [up, down, down, wall, wall, wall, needle]), STANDARD).report
    assert (report.triangles, report.facing_down, report.too_steep, report.degenerate_triangles) == (7, 2, 3, 1)
    assert report.warnings == ()


def test_stage_times_add_up_to_the_whole():
    report = onepath.bake(levels.room(), STANDARD).report
    assert sum(report.stage_seconds.values()) == pytest.approx(report.seconds, rel=1e-6)
    assert {"rasterize", "regions", "contours", "polygons", "commit"} <= set(report.stage_seconds)


def test_a_report_counts_in_words():
    one = onepath.BakeReport(status=BakeStatus.OK, tiles=1, polygons=1, triangles=1)
    assert str(one).startswith("1 polygon in 1 tile (0 empty), ")
    assert "\n1 triangle, 0 without area" in str(one)
    assert str(onepath.BakeReport(status=BakeStatus.OK, tiles=2, triangles=3)).startswith("0 polygons in 2 tiles ")


class LosingBaker:
    """A baker that says of the second tile that something went wrong: no level tried so far makes a real one say so."""

    def __init__(self, *arguments) -> None:
        self.real, self.tiles = TileBaker(*arguments), 0

    def __getattr__(self, name: str):
        return getattr(self.real, name)

    @property
    def unresolved_contours(self) -> int:
        return 2 if self.tiles > 1 else 0

    @property
    def failed_regions(self) -> int:
        return 1 if self.tiles > 1 else 0


class CountingWriter:
    def __init__(self, baker: LosingBaker, grid, settings) -> None:
        self.baker, self.real = baker, TileWriter(baker.real, grid, settings)

    def tile(self, *place):
        self.baker.tiles += 1
        return self.real.tile(*place)


def test_what_could_not_be_kept_is_named_with_its_tile_and_reason(monkeypatch):
    monkeypatch.setattr(baking, "TileBaker", LosingBaker)
    monkeypatch.setattr(baking, "TileWriter", CountingWriter)
    report = onepath.bake(floor(20, 6), STANDARD).report
    assert report.unkept_contours == 3
    assert report.warnings == (
        "tile (1, 0): 2 crossings of outlines are left",
        "tile (1, 0): 1 outline could not be cut into triangles",
    )
