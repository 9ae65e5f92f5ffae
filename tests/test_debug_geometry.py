"""Debug geometry: arrays in the world that say what the stages and the mesh hold."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import onepath
import onepath.debug
from onepath import AgentShape, BakeSettings, ConvexVolume, Level, NavMesh, levels
from onepath.debug import (
    LevelStages,
    contour_edges,
    detail_triangles,
    floor_cells,
    polygon_outlines,
    seam_edges,
)
from onepath.errors import ArgumentError
from tests.baked import SLIM, STANDARD, floor, ground_area
from tests.meshes import mesh_of, rectangle, seam, settings_of, strip, tile_of


@pytest.fixture(scope="module")
def town() -> tuple[LevelStages, NavMesh]:
    level = levels.building(seed=2)
    settings = BakeSettings.for_agent(AgentShape(radius=0.4), "draft")
    return LevelStages(level, settings), onepath.bake(level, settings)


def test_stages_make_what_a_bake_makes(town) -> None:
    stages, mesh = town
    cells = stages.grid.cells
    edges = np.array([cells.cell_size, cells.cell_height, cells.cell_size])
    for view in mesh.tiles()[::5]:
        made = stages.tile(view.column, view.row).polymesh
        assert np.array_equal(view.polygon_offsets, made.polygon_offsets)
        found = np.round(view.vertices[view.polygon_vertices].astype(float) / edges)
        assert np.array_equal(found, made.vertices[made.polygon_vertices])


@pytest.mark.parametrize("changes", [{"two_sided": True}, {"solid_interior": "remove"}, {"erosion": "euclidean"}])
def test_stages_follow_the_settings(changes: dict[str, object]) -> None:
    level = floor(8, 8)
    level.add_box((3, 0, 3), (5, 3, 5))
    settings = SLIM.replace(**changes)
    view = onepath.bake(level, settings).tile(0, 0)
    assert LevelStages(level, settings).tile(0, 0).polymesh.polygon_count == view.polygon_count


def test_stages_end_regions_where_a_named_volume_does() -> None:
    level = floor(8, 8)
    boxes = [[(x, 2), (x + 2, 2), (x + 2, 6), (x, 6)] for x in (2, 4)]
    volumes = [ConvexVolume(corners, -1, 1, 63, name) for corners, name in zip(boxes, ("east", "west"), strict=True)]
    settings = SLIM.replace(merge_region_area=100.0)
    view = onepath.bake(level, settings, volumes=volumes).tile(0, 0)
    tile = LevelStages(level, settings, volumes).tile(0, 0)
    assert np.array_equal(tile.polymesh.polygon_offsets, view.polygon_offsets)
    assert tile.regions.count == 3 and set(tile.polymesh.areas.tolist()) == {63}


def test_cells_lie_on_the_floor_they_are_of() -> None:
    level = floor(8, 8, y=1.0)
    tile = LevelStages(level, STANDARD).tile(0, 0)
    cells = floor_cells(tile.compact, tile.padding)
    assert np.allclose(cells.corners[:, :, 1], 1.0)
    walkable = cells.corners[cells.areas > 0]
    assert len(walkable) * 0.25**2 == onepath.bake(level, STANDARD).walkable_area
    assert sum(ground_area(corners) for corners in walkable) == pytest.approx(len(walkable) * 0.25**2)
    assert walkable[:, :, [0, 2]].min() >= 0.5 and walkable[:, :, [0, 2]].max() <= 8.0
    assert np.array_equal(cells.regions > 0, cells.areas > 0)
    assert len(floor_cells(tile.compact).areas) == tile.compact.span_count


def test_contours_run_round_their_region_with_the_floor_to_the_left(town) -> None:
    stages, _ = town
    tile = stages.tile(1, 1)
    edges = contour_edges(tile)
    cells = floor_cells(tile.compact, tile.padding)
    size = stages.grid.cells.cell_size
    for region in range(1, tile.regions.count + 1):
        begin, end = edges.ends[edges.regions == region].transpose(1, 0, 2)
        doubled = begin[:, 2] * end[:, 0] - begin[:, 0] * end[:, 2]
        wanted = (cells.regions == region).sum() * size * size
        assert doubled.sum() / 2 == pytest.approx(wanted, abs=1.3 * size * np.hypot(*(end - begin).T[[0, 2]]).sum())
        assert set(edges.behind[edges.regions == region].tolist()) <= {*range(tile.regions.count + 1), -1, -2, -3, -4}


def test_contours_lie_on_the_rim_of_their_cells(town) -> None:
    stages, _ = town
    tile = stages.tile(1, 1)
    ends, corners = contour_edges(tile).ends[:, 0], floor_cells(tile.compact, tile.padding)
    standing = corners.corners[corners.regions > 0].reshape(-1, 3)
    cells = stages.grid.cells
    for axis, size in ((0, cells.cell_size), (1, cells.cell_height), (2, cells.cell_size)):
        found, wanted = (np.round(places[:, axis] / size).astype(int) for places in (ends, standing))
        assert set(found.tolist()) <= set(wanted.tolist())
        assert (found.min(), found.max()) == (wanted.min(), wanted.max())


def test_outlines_are_the_polygons_in_the_world(town) -> None:
    _, mesh = town
    for view in mesh.tiles()[:6]:
        outlines = polygon_outlines(view)
        for k, reference in enumerate(view.references.tolist()):
            ring = outlines.corners[outlines.offsets[k] : outlines.offsets[k + 1]]
            assert np.array_equal(ring, mesh.polygon(reference))


def test_detail_is_drawn_where_there_is_some() -> None:
    settings = settings_of()
    square = rectangle(8, 0, 12, 4)
    tile = onepath.Tile.from_arrays(
        1,
        0,
        [(x - 8, y, z) for x, y, z in square],
        [0, 4],
        range(4),
        settings,
        detail=([0, 4], [(4, k, (k + 1) % 4) for k in range(4)], [(2, 1, 2)]),
    )
    mesh = NavMesh(settings)
    mesh.stage_tile(tile)
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 4, 4)], settings))
    mesh.commit()
    assert detail_triangles(mesh.tile(0, 0)).shape == (0, 3, 3)
    triangles = detail_triangles(mesh.tile(1, 0))
    assert triangles[0].tolist() == [[10, 1, 2], [8, 0, 0], [8, 0, 4]]


# --- seams


def test_a_seam_is_joined_from_both_sides() -> None:
    mesh = seam([(0, 8, 0.0)], [(0, 8, 0.0)])
    seams = seam_edges(mesh)
    joined = seams.ends[seams.kinds == 1]
    assert (joined[:, :, 0] == 8).all() and len(joined) == 2


def test_joined_parts_of_a_seam_follow_one_another_without_overlap() -> None:
    """The two on the right meet between the fractions of an edge that links record, which are rounded outward."""
    seams = seam_edges(seam([(0, 8, 0.0)], [(0, 2.7, 0.0), (2.7, 8, 0.0)]))
    across = (seams.ends[:, :, 0] == 8).all(axis=1) & (seams.kinds == 1)
    lengths = np.abs(seams.ends[across, 1, 2] - seams.ends[across, 0, 2])
    assert lengths.sum() == pytest.approx(16) and len(lengths) == 4


def test_a_seam_is_cut_where_what_lies_behind_it_changes() -> None:
    """On the right a floor to climb to, then a gap, then one too high."""
    mesh = seam([(0, 8, 0.0)], [(0, 3, 0.25), (5, 8, 2.0)])
    seams = seam_edges(mesh)
    left = seams.ends[(seams.ends[:, :, 0] == 8).all(axis=1) & (seams.ends[:, 0, 1] == 0)]
    kinds = seams.kinds[(seams.ends[:, :, 0] == 8).all(axis=1) & (seams.ends[:, 0, 1] == 0)]
    spans = {int(kind): sorted(ends[:, 2].tolist()) for ends, kind in zip(left, kinds, strict=True)}
    assert spans[1] == pytest.approx([0, 3], abs=0.04)
    assert spans[0] == pytest.approx([3, 8], abs=0.04)


def test_a_side_towards_a_tile_not_loaded_is_no_wall() -> None:
    settings = settings_of()
    mesh = NavMesh(settings, grid_bounds=(0, 0, 1, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 8)], settings))
    mesh.commit()
    seams = seam_edges(mesh)
    kinds = {tuple(ends[:, 0].tolist()): int(kind) for ends, kind in zip(seams.ends, seams.kinds, strict=True)}
    assert kinds[8.0, 8.0] == 2
    assert sorted(seams.kinds.tolist()) == [0, 0, 0, 2]


def test_within_a_tile_there_are_no_seams() -> None:
    seams = seam_edges(mesh_of([rectangle(1, 1, 4, 4), rectangle(4, 1, 7, 4)]))
    assert seams.ends.shape == (0, 2, 3) and len(seams.kinds) == 0
    assert len(seam_edges(strip(3)).ends) > 0


def test_an_empty_tile_has_no_geometry() -> None:
    level = Level()
    level.add_plane((0, 0), (3, 3))
    tile = LevelStages(level, STANDARD).tile(50, 50)
    assert len(floor_cells(tile.compact).areas) == 0
    assert contour_edges(tile).ends.shape == (0, 2, 3)
    view = onepath.bake(floor(0.5, 0.5), STANDARD).tiles()[0]
    assert polygon_outlines(view).corners.shape == (0, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, STANDARD), "level is 3, not a Level"),
        ((Level(), STANDARD), "level holds no triangles"),
        ((floor(4, 4), None), "settings is None, not BakeSettings"),
        ((floor(4, 4), STANDARD, ["pond"]), r"volumes\[0\] is 'pond', not a ConvexVolume"),
        ((floor(4, 4), STANDARD, (), {}), "areas is {}, not Areas"),
    ],
)
def test_stages_are_made_of_what_a_bake_is_made_of(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        LevelStages(*arguments)  # type: ignore[arg-type]


def test_a_tile_of_stages_has_a_place_in_whole_numbers() -> None:
    with pytest.raises(ArgumentError, match=r"column is 0\.5, not a whole number"):
        LevelStages(floor(4, 4), STANDARD).tile(0.5, 0)  # type: ignore[arg-type]


#: For every function and class of onepath.debug that takes something: a call with an object of another kind.
WRONG_KINDS: dict[str, list[tuple[tuple[object, ...], str]]] = {
    "LevelStages": [
        ((STANDARD, STANDARD), "level is BakeSettings"),
        ((floor(4, 4), 7), "settings is 7, not BakeSettings"),
    ],
    "TileStages": [
        ((floor(4, 4), 0, 0), "level is Level.*, not a LevelStages"),
        ((LevelStages(floor(4, 4), STANDARD), "0", 0), "column is '0', not a whole number"),
        ((LevelStages(floor(4, 4), STANDARD), 0, 2**29), r"row is 536870912, outside \[-268435456, 268435456\]"),
    ],
    "contour_edges": [((None,), "tile is None, not a TileStages")],
    "detail_triangles": [(("tile",), "view is 'tile', not a TileView")],
    "explain_spot": [
        ((floor(4, 4), None, (1, 0, 1)), "settings is None, not BakeSettings"),
        ((floor(4, 4), STANDARD, 3), "point is 3, not a sequence of three numbers"),
        ((7, STANDARD, (1, 0, 1)), "source is int, not a file"),
    ],
    "floor_cells": [
        ((np.zeros(3),), "compact is array.*, not a CompactHeightfield"),
        ((LevelStages(floor(4, 4), STANDARD).tile(0, 0).compact, 1.5), "padding is 1.5, not a whole number"),
        ((LevelStages(floor(4, 4), STANDARD).tile(0, 0).compact, -1), r"padding is -1, outside \[0, 65536\]"),
    ],
    "polygon_outlines": [((3.0,), r"view is 3\.0, not a TileView")],
    "seam_edges": [(([],), r"mesh is \[\], not a NavMesh")],
}


def test_every_function_of_the_module_is_asked() -> None:
    members = {name: getattr(onepath.debug, name) for name in onepath.debug.__all__}
    results = {name for name, member in members.items() if isinstance(member, type) and issubclass(member, tuple)}
    assert set(members) - results - {"SpotExplanation", "SpotReason"} == set(WRONG_KINDS)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [(name, arguments, message) for name, calls in WRONG_KINDS.items() for arguments, message in calls],
)
def test_an_object_of_another_kind_is_refused_by_name(name: str, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        getattr(onepath.debug, name)(*arguments)


def test_stages_of_a_tile_survive_pickling(town) -> None:
    tile = town[0].tile(1, 1)
    again = pickle.loads(pickle.dumps(tile))
    assert (again.regions, again.contours, again.polymesh) == (tile.regions, tile.contours, tile.polymesh)
    assert (again.detail, again.column, again.row, again.frame) == (tile.detail, 1, 1, tile.frame)
