"""Single tiles are baked as a bake of everything makes them, and put back into the mesh."""

from __future__ import annotations

from random import Random

import pytest

from onepath import (
    AgentShape,
    Areas,
    ConvexVolume,
    Level,
    NavMesh,
    bake,
    bake_tile,
    levels,
    rebuild_tile,
    rebuild_tiles,
)
from onepath.errors import ArgumentError, RangeError
from onepath.mesh import Tier
from onepath.query import PathStatus
from tests.baked import STANDARD, floor, tile_bytes
from tests.navmesh_files import content

#: A box over the middle one of three tiles.
BOX = {"low": (7.5, 0.0, -0.5), "high": (16.5, 2.0, 8.5)}


def hall() -> Level:
    """Floors over each other, stairs, doors, bridges."""
    return levels.building(seed=5)


def mesh_and_level() -> tuple[NavMesh, Level]:
    level = floor(24, 8)
    return bake(level, STANDARD), level


def add_box(level: Level) -> None:
    level.add_box(BOX["low"], BOX["high"], name="box")


@pytest.mark.parametrize("fill", ["seams", "volumes", "detail"])
def test_every_tile_is_the_one_of_the_whole_bake_byte_for_byte(fill: str) -> None:
    level, areas = hall(), Areas(water=3.0)
    settings = STANDARD if fill != "detail" else STANDARD.replace(detail_sample_distance=1.5, detail_max_error=0.125)
    pool = ConvexVolume([(2, 2), (9, 2), (9, 9), (2, 9)], -1, 1, "water", name="pool")
    volumes = [pool] if fill == "volumes" else []
    mesh = bake(level, settings, volumes=volumes, areas=areas)
    assert mesh.tile_count > 3
    for view in mesh.tiles():
        place = view.column, view.row
        whole = view.tile
        assert bake_tile(level, settings, *place, frame=mesh.settings, volumes=volumes, areas=areas) == whole
        assert bake_tile(level, settings, *place, volumes=volumes, areas=areas) == whole


def test_c19_a_tile_that_becomes_empty_and_comes_back() -> None:
    mesh, level = mesh_and_level()
    before = tile_bytes(mesh)
    assert mesh.find_path((4, 0, 4), (20, 0, 4))
    add_box(level)
    for column in range(3):
        rebuild_tile(mesh, level, column, 0, STANDARD)
    mesh.commit()
    middle = mesh.tile(1, 0)
    assert all(mesh.polygon(reference)[:, 1].min() > 1.5 for reference in middle.references.tolist())  # the box's top
    assert all(len(mesh.tile(column, 0).links) == 0 for column in (0, 1, 2))
    assert not mesh.snap((12, 0, 4), up=1, down=1, horizontal=1)
    assert mesh.find_path((4, 0, 4), (20, 0, 4)).status is PathStatus.PARTIAL
    level.remove("box")
    for column in range(3):
        rebuild_tile(mesh, level, column, 0, STANDARD)
    mesh.commit()
    assert tile_bytes(mesh) == before
    path = mesh.find_path((4, 0, 4), (20, 0, 4))
    assert path and path.points.tolist() == bake(level, STANDARD).find_path((4, 0, 4), (20, 0, 4)).points.tolist()


def test_a_loaded_mesh_is_rebuilt_like_the_one_that_was_saved() -> None:
    mesh, level = mesh_and_level()
    loaded = NavMesh.from_bytes(mesh.to_bytes())
    add_box(level)
    for each in (mesh, loaded):
        rebuild_tile(each, level, 1, 0, STANDARD)
        each.commit()
    assert content(loaded) == content(mesh)


def test_the_default_settings_are_those_of_a_default_bake() -> None:
    level = floor(24, 8)
    mesh = bake(level)
    for view in mesh.tiles():
        assert rebuild_tile(mesh, level, view.column, view.row) == view.tile


def test_the_default_settings_hold_the_cells_of_the_mesh_only() -> None:
    """A third of such a radius would make cells of which the agent is too many high."""
    slight = STANDARD.replace(agent=AgentShape(radius=1e-5, height=2.0))
    mesh = bake(floor(24, 8), slight)
    assert rebuild_tile(mesh, floor(24, 8), 1, 0).polygon_count > 0


def test_a_rebuilt_tile_is_staged_and_not_committed() -> None:
    mesh, level = mesh_and_level()
    add_box(level)
    rebuild_tile(mesh, level, 1, 0, STANDARD)
    assert mesh.staged_count == 1
    assert mesh.tile(1, 0).polygon_count > 0


@pytest.mark.parametrize("seed", range(4))
def test_all_tiles_that_a_change_concerns_are_baked_again(seed: int) -> None:
    """Wherever a box is put, the mesh becomes the one of which every tile was baked again."""
    draw = Random(seed)
    level = floor(40, 40)
    chosen, whole = bake(level, STANDARD), bake(level, STANDARD)
    for number in range(6):
        low = (draw.uniform(-2, 38), 0.0, draw.uniform(-2, 38))
        high = (low[0] + draw.uniform(0.1, 12), draw.uniform(0.1, 3), low[2] + draw.uniform(0.1, 12))
        level.add_box(low, high, name=f"box {number}")
        rebuild_tiles(chosen, level, low, high, STANDARD)
        chosen.commit()
    for view in whole.tiles():
        rebuild_tile(whole, level, view.column, view.row, STANDARD)
    whole.commit()
    assert surfaces(chosen) == surfaces(whole)


def surfaces(mesh: NavMesh) -> list[bytes]:
    """What tiles hold beside the rows of the level, which may have grown since a tile was baked."""
    return [
        view.vertices.tobytes() + view.polygon_offsets.tobytes() + view.polygon_vertices.tobytes()
        for view in sorted(mesh.tiles(), key=lambda view: (view.column, view.row))
    ]


def test_tiles_far_from_a_change_are_left_alone() -> None:
    mesh = bake(floor(40, 40), STANDARD)
    size = mesh.settings.tile_size
    padding = STANDARD.cells.padding * STANDARD.cells.cell_size
    inside = (1.5 * size, 0, 1.5 * size)
    found = rebuild_tiles(mesh, floor(40, 40), inside, inside, STANDARD)
    assert [(tile.column, tile.row) for tile in found] == [(1, 1)]
    near = (2 * size - 0.5 * padding, 0, 1.5 * size)
    found = rebuild_tiles(mesh, floor(40, 40), near, near, STANDARD)
    assert [(tile.column, tile.row) for tile in found] == [(1, 1), (2, 1)]
    mesh.discard_staged()
    assert rebuild_tiles(mesh, floor(40, 40), (500, 0, 500), (600, 0, 600), STANDARD) == []
    assert mesh.staged_count == 0


def test_of_an_open_mesh_only_tiles_that_are_there_are_baked_again() -> None:
    whole = bake(floor(40, 8), STANDARD)
    mesh = NavMesh(whole.settings)
    mesh.stage_tile(whole.tile(1, 0).tile)
    mesh.commit()
    found = rebuild_tiles(mesh, floor(40, 8), (0, 0, 0), (40, 0, 8), STANDARD)
    assert [(tile.column, tile.row) for tile in found] == [(1, 0)] and found[0] == whole.tile(1, 0).tile


def test_a_box_that_is_inverted_is_refused_and_nothing_is_staged() -> None:
    mesh, level = mesh_and_level()
    with pytest.raises(ArgumentError, match=r"low is .* and high .*: inverted in z"):
        rebuild_tiles(mesh, level, (0, 0, 5), (5, 0, 0), STANDARD)
    with pytest.raises(ArgumentError, match="high is 5, not a sequence of three numbers"):
        rebuild_tiles(mesh, level, (0, 0, 5), 5, STANDARD)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="settings have cell_size"):
        rebuild_tiles(mesh, level, (0, 0, 0), (5, 0, 5), STANDARD.replace(cell_size=0.3))
    assert mesh.staged_count == 0


def test_a_level_that_has_gone_gives_empty_tiles() -> None:
    mesh, _ = mesh_and_level()
    assert rebuild_tile(mesh, Level(), 1, 0, STANDARD).polygon_count == 0


def test_a_tile_is_seen_as_high_as_the_level_has_become() -> None:
    mesh, level = mesh_and_level()
    taller = floor(24, 8)
    for each in (level, taller):
        each.add_box((9, 0, 2), (15, 6, 6))
    frame = bake(taller, STANDARD).settings
    assert frame.rows > mesh.settings.rows and frame.vertical_origin == mesh.settings.vertical_origin
    tile, whole = rebuild_tile(mesh, level, 1, 0, STANDARD), bake(taller, STANDARD).tile(1, 0)
    assert tile.settings == mesh.settings
    assert tile.section("vertices").tolist() == whole.vertices.tolist()
    assert tile.section("polygon_vertices").tolist() == whole.polygon_vertices.tolist()


def test_only_what_lies_near_the_tile_matters() -> None:
    mesh, level = mesh_and_level()
    level.add_box((19, 0, 2), (21, 2, 4))
    assert rebuild_tile(mesh, level, 0, 0, STANDARD) == mesh.tile(0, 0).tile
    assert rebuild_tile(mesh, level, 2, 0, STANDARD) != mesh.tile(2, 0).tile


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cell_size": 0.5}, r"settings have cell_size 0.5; the mesh's are made with 0.25"),
        ({"tile_cells": 48}, "settings have tile_cells 48; the mesh's are made with 32"),
        ({"agent": AgentShape(radius=0.3)}, "settings have agent"),
    ],
)
def test_settings_that_do_not_agree_with_the_mesh_are_refused_by_name(changed: dict[str, object], message: str) -> None:
    mesh, level = mesh_and_level()
    with pytest.raises(ArgumentError, match=message):
        rebuild_tile(mesh, level, 1, 0, STANDARD.replace(**changed))  # type: ignore[arg-type]
    assert mesh.staged_count == 0


def test_what_cannot_be_is_refused() -> None:
    mesh, level = mesh_and_level()
    with pytest.raises(RangeError, match="outside the mesh's bounds"):
        rebuild_tile(mesh, level, 9, 0, STANDARD)
    with pytest.raises(ArgumentError, match="mesh is 3, not a NavMesh"):
        rebuild_tile(3, level, 0, 0)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="settings is None, not BakeSettings"):
        bake_tile(level, None, 0, 0)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="no triangles to make one of"):
        bake_tile(Level(), STANDARD, 0, 0)
    with pytest.raises(ArgumentError, match="frame is 'wide', not MeshSettings"):
        bake_tile(level, STANDARD, 0, 0, frame="wide")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="volume_names is 3, not several strs"):
        bake_tile(level, STANDARD, 0, 0, volume_names=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"volume_names\[1\] is 4, not a str"):
        bake_tile(level, STANDARD, 0, 0, volume_names=["pool", 4])  # type: ignore[list-item]
    pool = ConvexVolume([(2, 2), (9, 2), (9, 9)], -1, 1, 5, name="pool")
    with pytest.raises(ArgumentError, match="the mesh has no volume 'pool'"):
        rebuild_tile(mesh, level, 0, 0, STANDARD, volumes=[pool])
    static = NavMesh(mesh.settings, mesh.grid_bounds, Tier.STATIC)
    assert rebuild_tile(static, level, 0, 0, STANDARD) == mesh.tile(0, 0).tile
