"""bake: what it takes, what it refuses, and that its answer depends on the input alone."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import onepath
from onepath import AgentShape, BakeSettings, BakeStatus, ConvexVolume, Level, LinkDef, levels
from onepath.errors import ArgumentError, LevelError, LimitError, RangeError
from onepath.mesh import Limits
from tests.baked import LEFT_OF_TEN_BY_TEN, SLIM, STANDARD, floor, ground_area, tile_bytes

# -- what it takes -----------------------------------------------------------------------------------------------------


def saw(teeth: int, cell: float) -> Level:
    """A triangle along a diagonal, and along the diagonal strips of other areas a cell wide: each ends on it."""
    level, length = Level(), teeth * cell
    level.add([(0, 0, 0), (0, 0, length), (length, 0, length)], [(0, 1, 2)], area=1)
    for tooth in range(teeth):
        low, high = tooth * cell, (tooth + 1) * cell
        corners = [(low, 0, low), (high, 0, high), (high, 0, low - cell if tooth > 1 else 0)]
        level.add(corners, [(0, 1, 2)], area=2 + tooth % 5)
    return level


@pytest.mark.parametrize("teeth", [20, 36, 60])
def test_polygons_of_many_corners_are_convex_in_float32_too(teeth: int) -> None:
    settings = BakeSettings(
        agent=AgentShape(radius=0, height=1, max_climb=0.2),
        cell_size=0.1,
        cell_height=0.1,
        max_edge_error_cells=0,
        max_polygon_vertices=64,
    )
    mesh = onepath.bake(saw(teeth, 0.1), settings)
    assert mesh.walkable_area > 0


@pytest.mark.parametrize("level", [levels.building(seed=2), levels.courtyards(), levels.terrain(seed=3)])
@pytest.mark.parametrize("error", [0.0, 0.5])
def test_levels_bake_with_as_many_corners_as_there_may_be(level: Level, error: float) -> None:
    settings = STANDARD.replace(max_edge_error_cells=error, max_polygon_vertices=64)
    mesh = onepath.bake(level, settings)
    assert mesh.report.status is BakeStatus.OK and mesh.report.unkept_contours == 0


def test_a_level_its_arrays_and_a_scene_like_object_bake_alike(tmp_path):
    level = floor(10, 10)
    vertices, triangles, _ = level.triangles()

    class Scene:
        pass

    scene = Scene()
    scene.vertices, scene.faces = vertices.tolist(), triangles.tolist()
    path = tmp_path / "floor.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    path.write_text("\n".join(lines))
    wanted = tile_bytes(onepath.bake(level, STANDARD))
    for source in (path, str(path), (vertices, triangles), scene):
        assert tile_bytes(onepath.bake(source, STANDARD)) == wanted


def test_the_agent_may_be_given_instead_of_settings():
    by_words = onepath.bake(floor(10, 10), radius=0.5, height=2.0, max_climb=0.5, max_slope=40.0)
    agent = AgentShape(radius=0.5, height=2.0, max_climb=0.5, max_slope=40.0)
    assert tile_bytes(by_words) == tile_bytes(onepath.bake(floor(10, 10), BakeSettings.for_agent(agent)))


def test_settings_and_agent_words_together_are_refused():
    with pytest.raises(ArgumentError, match="radius"):
        onepath.bake(floor(4, 4), STANDARD, radius=0.5)


@pytest.mark.parametrize("source", [42, None, b"level.obj", (1, 2, 3), [[0, 0, 0]]])
def test_a_source_of_another_kind_is_refused_by_its_type(source):
    with pytest.raises((ArgumentError, LevelError)):
        onepath.bake(source)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ({"radius": math.nan}, "radius"),
        ({"radius": -1}, "radius"),
        ({"radius": "wide"}, "radius"),
        ({"radius": 10**400}, "radius"),
        ({"radius": "0.5"}, "radius"),
        ({"height": True}, "height"),
        ({"height": 0}, "height"),
        ({"max_climb": math.inf}, "max_climb"),
        ({"max_slope": math.nan}, "max_slope"),
        ({"max_slope": -1}, "max_slope"),
        ({"max_slope": 90}, "max_slope"),
        ({"max_slope": 120}, "max_slope"),
    ],
)
def test_a_body_out_of_range_is_refused_by_name(words, name):
    with pytest.raises(ArgumentError, match=name):
        onepath.bake(floor(4, 4), **words)


@pytest.mark.parametrize(
    "words",
    [
        {"volumes": None},
        {"links": None},
        {"links": [(0, 0, 0)]},
        {"volumes": ConvexVolume([(0, 0), (0, 1), (1, 0)], 0, 1, 2)},
        {"classify": "no"},
        {"classify": math.nan},
        {"progress": "bar"},
    ],
)
def test_words_of_another_kind_are_refused_by_name_before_anything_is_baked(words):
    with pytest.raises(ArgumentError, match=next(iter(words))):
        onepath.bake(floor(4, 4), STANDARD, **words)


def test_what_is_not_a_volume_is_refused_by_index():
    with pytest.raises(ArgumentError, match=r"volumes\[0\]"):
        onepath.bake(floor(4, 4), volumes=["water"])


def test_a_level_too_tall_for_its_rows_is_refused_and_says_how_tall():
    level = floor(4, 4)
    level.add_box((1, 0, 1), (2, 20_000, 2))
    with pytest.raises(RangeError, match="20000 metres tall"):
        onepath.bake(level, STANDARD)


def test_a_level_too_wide_for_its_tiles_is_refused_and_says_how_many():
    with pytest.raises(RangeError, match="tiles"):
        onepath.bake(floor(1_000_000, 1_000_000), STANDARD)


@pytest.mark.parametrize("place", [-(2.0**21), 2.0**21 - 20])
@pytest.mark.parametrize("axis", [0, 2])
def test_a_level_whose_tiles_leave_the_world_is_refused_by_its_reach(place, axis):
    vertices, triangles, _ = floor(20, 20).triangles()
    moved = vertices + place * np.eye(3)[axis]
    with pytest.raises(RangeError, match=f"the level reaches from {'xyz'[axis]} = .* tiles of 12 metres"):
        onepath.bake((moved, triangles), STANDARD.replace(tile_cells=48))


@pytest.mark.parametrize("place", [-(2.0**21) + 4, 2.0**21 - 24])
@pytest.mark.parametrize("axis", [0, 2])
def test_a_level_whose_tiles_reach_the_end_of_the_world_is_refused_by_its_reach(place, axis):
    vertices, triangles, _ = floor(20, 20).triangles()
    moved = vertices + place * np.eye(3)[axis]
    with pytest.raises(RangeError, match=r"its tiles of 8 metres reach 2097152 metres from zero, where positions end"):
        onepath.bake((moved, triangles), STANDARD.replace(cell_size=0.25, tile_cells=32))


@pytest.mark.parametrize("height", [-(2.0**21), 2.0**21])
def test_a_level_whose_rows_leave_the_world_is_refused_by_its_reach(height):
    with pytest.raises(RangeError, match="the level reaches from y = "):
        onepath.bake(floor(20, 20, height), STANDARD)


@pytest.mark.parametrize("height", [-(2.0**21) + 1, 2.0**21 - 1])
def test_a_floor_just_inside_the_world_is_baked_at_its_height(height):
    [tile] = onepath.bake(floor(7, 7, height), STANDARD).tiles()
    assert set((tile.vertices[:, 1] + tile.origin[1]).tolist()) == {height}


def test_tiles_too_far_out_to_be_counted_are_refused():
    agent = AgentShape(radius=0.0, height=2e-6, max_climb=0.0)
    tiny = BakeSettings(agent=agent, cell_size=2.0**-20, cell_height=2.0**-20)
    vertices, triangles, _ = floor(1e-4, 1e-4).triangles()
    with pytest.raises(RangeError, match="268435456 tiles from zero"):
        onepath.bake((vertices + 2.0**20 * np.eye(3)[0], triangles), tiny)


def test_a_tile_with_its_padding_has_no_more_columns_than_a_heightfield_may_have():
    assert SLIM.replace(tile_cells=4090).cells.padding == 3
    for change in ({"tile_cells": 4091}, {"tile_cells": 4090, "agent": STANDARD.agent}):
        with pytest.raises(RangeError, match="tile_cells"):
            SLIM.replace(**change)
    with pytest.raises(RangeError, match=r"agent\.radius / cell_size .* is 8038 cells, more than 4096"):
        STANDARD.replace(agent=AgentShape(radius=1000.0))


def test_a_merge_threshold_beyond_all_rows_merges_as_one_of_all_rows():
    agent = AgentShape(radius=0.0, height=0.1, max_climb=0.0)
    settings = BakeSettings(agent=agent, cell_size=0.01, cell_height=2.0**-12, merge_threshold=2.0**21)
    assert settings.cells.span.merge_threshold == 65535
    assert onepath.bake(floor(0.2, 0.2), settings).polygon_count == 1


# -- what comes out ----------------------------------------------------------------------------------------------------


def test_every_cell_under_the_level_gets_a_tile_and_the_mesh_is_bounded_to_them():
    level = floor(20, 4)
    mesh = onepath.bake(level, STANDARD)
    first_column, first_row, last_column, last_row = mesh.grid_bounds
    cells = {(tile.column, tile.row) for tile in mesh.tiles()}
    wanted = itertools.product(range(first_column, last_column + 1), range(first_row, last_row + 1))
    assert cells == set(wanted)
    assert mesh.report.tiles == len(cells)


def test_progress_counts_every_tile():
    seen = []
    mesh = onepath.bake(floor(20, 20), STANDARD, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(k, mesh.report.tiles) for k in range(1, mesh.report.tiles + 1)]


def test_an_error_in_progress_passes_through():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        onepath.bake(floor(20, 20), STANDARD, progress=stop)


@pytest.mark.parametrize("make", [levels.room, levels.building, levels.courtyards])
def test_baking_twice_gives_the_same_bytes(make):
    assert tile_bytes(onepath.bake(make(), STANDARD)) == tile_bytes(onepath.bake(make(), STANDARD))


def test_the_order_of_the_triangles_of_a_clean_floor_does_not_matter():
    vertices, triangles, _ = levels.room().triangles()
    turned = np.roll(triangles, 1, axis=1)
    assert tile_bytes(onepath.bake((vertices, triangles), STANDARD)) == tile_bytes(
        onepath.bake((vertices, turned), STANDARD)
    )


def test_moving_a_level_by_whole_tiles_moves_the_tiles_and_nothing_else():
    size = STANDARD.cells.tile_size
    here = onepath.bake(levels.room(), STANDARD)
    vertices, triangles, _ = levels.room().triangles()
    there = onepath.bake((vertices + np.array([3 * size, 0, -5 * size]), triangles), STANDARD)
    for tile, moved in zip(here.tiles(), there.tiles(), strict=True):
        assert (tile.column + 3, tile.row - 5) == (moved.column, moved.row)
        assert np.array_equal(tile.vertices, moved.vertices)
        assert np.array_equal(tile.polygon_vertices, moved.polygon_vertices)


def test_a_volume_gives_its_area_to_polygons_that_end_at_its_edge():
    pool = ConvexVolume([(3, 3), (3, 7), (7, 7), (7, 3)], -1.0, 1.0, 5)
    mesh = onepath.bake(floor(10, 10), STANDARD, volumes=[pool])
    by_area = {5: 0.0, 63: 0.0}
    for tile in mesh.tiles():
        for polygon, area in enumerate(tile.areas):
            corners = tile.polygon_vertices[tile.polygon_offsets[polygon] : tile.polygon_offsets[polygon + 1]]
            by_area[int(area)] += ground_area(tile.vertices[corners])
    assert by_area[5] == pytest.approx(16.0, abs=1.0)
    assert by_area[5] + by_area[63] == pytest.approx(LEFT_OF_TEN_BY_TEN)


def test_triangle_areas_come_from_the_level_and_are_zeroed_above_the_slope_unless_told_otherwise():
    level = Level()
    level.add([(0, 0, 0), (0, 8, 4), (6, 8, 4), (6, 0, 0)], [(0, 1, 2), (0, 2, 3)], area=7)
    assert onepath.bake(level, STANDARD).polygon_count == 0
    steep = onepath.bake(
        level, STANDARD.replace(agent=AgentShape(radius=0.0, height=2.0, max_climb=2.0)), classify=False
    )
    assert {int(area) for tile in steep.tiles() for area in tile.areas} == {7}


@pytest.mark.parametrize(("least", "merged", "kept"), [(5.0, 0.0, False), (0.0, 5.0, True), (0.0, 0.0, True)])
def test_an_island_smaller_than_the_least_region_goes_and_one_smaller_than_the_merge_size_stays(least, merged, kept):
    level = Level()
    level.add_plane((2, 2), (4.5, 4.5))  # two metres each way are left of it, in one tile
    mesh = onepath.bake(level, SLIM.replace(min_region_area=least, merge_region_area=merged))
    assert (mesh.polygon_count > 0) == kept


def test_links_are_attached_to_what_was_baked():
    ledge = Level()
    ledge.add_plane((0, 0), (6, 6))
    ledge.add_box((8, 0, 0), (14, 3, 6))
    drop = onepath.LinkDef((8.6, 3, 3), (5.4, 0, 3), 1.0, 1.0, kind=onepath.LinkKind.DROP)
    mesh = onepath.bake(ledge, STANDARD, links=[drop, drop])
    assert [record.id for record in mesh.link_records()] == [1, 2]
    assert mesh.link_state(1)
    assert mesh.edit_count == 1
    path = mesh.find_path((11, 3, 3), (2, 0, 3))
    assert path and 1 in path.links
    assert not mesh.find_path((2, 0, 3), (11, 3, 3))


def test_links_of_a_level_without_triangles_wait_for_tiles():
    mesh = onepath.bake(Level(), links=[onepath.LinkDef((0, 0, 0), (4, 0, 0), 1.0, 1.0)])
    assert mesh.report.status is BakeStatus.NO_GEOMETRY
    assert [record.id for record in mesh.link_records()] == [1]


# -- settings for an agent ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("detail", [["fine"], {}, np.array([1, 2]), None, "finest"])
def test_a_detail_that_is_none_of_the_three_is_refused_by_name(detail):
    with pytest.raises(ArgumentError, match=r"detail is .*, not one of 'draft', 'normal', 'fine'"):
        BakeSettings.for_agent(AgentShape(), detail)


def test_an_unknown_area_of_a_link_is_named_before_anything_is_baked():
    done: list[int] = []
    links = [LinkDef((1, 0, 1), (2, 0, 2), start_snap=1, end_snap=1, area=area) for area in ("ground", "water")]
    with pytest.raises(ArgumentError, match=r"links\[1\]\.area is 'water', which names no area; known are ground"):
        onepath.bake(floor(10, 10), STANDARD, links=links, progress=lambda tiles, _: done.append(tiles))
    assert done == []


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", [None, [(2, 0, 2)]])
@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(tiles=3), r"tiles: the level needs 9 tiles; limits\.tiles is 3"),
        (Limits(link_crossings=1), "links: 1 crossings of a link"),
    ],
)
def test_what_cannot_fit_the_limits_is_refused_before_any_tile_is_baked(limits, text, seeds):
    links = [LinkDef((2, 0, 2), (4, 0, 2), 0.5, 0.5), LinkDef((2, 0, 4), (4, 0, 4), 0.5, 0.5)]
    done = []
    words = {"links": links, "seeds": seeds, "progress": lambda *counts: done.append(counts)}
    with pytest.raises(LimitError, match=text):
        onepath.bake(floor(20, 20), STANDARD, limits=limits, **words)
    assert done == []
    mesh = onepath.bake(floor(20, 20), STANDARD, links=links, limits=Limits(tiles=9, link_crossings=2), seeds=seeds)
    assert (mesh.tile_count, mesh.limits.tiles, len(mesh.link_records())) == (9, 9, 2)


def test_polygons_that_the_seeds_leave_out_do_not_count():
    level = floor(3, 3)
    level.add_plane((4, 0), (7, 3))
    with pytest.raises(LimitError, match=r"polygons: this commit would make 2; limits\.polygons is 1"):
        onepath.bake(level, STANDARD, limits=Limits(polygons=1))
    mesh = onepath.bake(level, STANDARD, limits=Limits(polygons=1), seeds=[(1.5, 0, 1.5)])
    assert mesh.polygon_count == 1


def test_no_seeds_at_all_are_told_from_floors_that_are_too_small():
    report = onepath.bake(floor(10, 10), STANDARD, seeds=[]).report
    assert report.status is BakeStatus.NOTHING_WALKABLE
    assert report.warnings == ("seeds is empty, so that there is nothing to keep; None keeps everything",)


def test_settings_follow_the_widest_agent_that_there_may_be():
    assert BakeSettings.for_agent(AgentShape(radius=2.0**20, height=2.0**20)).merge_region_area == 2.0**40


@pytest.mark.parametrize("length", [2.0**-40, 0.1])
def test_edges_shorter_than_a_cell_are_asked_for_as_edges_of_a_cell(length):
    whole, cells = (SLIM.replace(max_edge_length=edge) for edge in (0.0, 0.25))
    asked = onepath.bake(floor(10, 10), SLIM.replace(max_edge_length=length))
    assert tile_bytes(asked) == tile_bytes(onepath.bake(floor(10, 10), cells))
    assert tile_bytes(asked) != tile_bytes(onepath.bake(floor(10, 10), whole))


@pytest.mark.parametrize("agent", [0.5, None, STANDARD])
def test_settings_for_what_is_no_agent_are_refused_by_name(agent):
    with pytest.raises(ArgumentError, match=r"agent is .*, not an AgentShape"):
        BakeSettings.for_agent(agent)
