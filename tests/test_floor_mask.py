"""Ground that seeds chose stays chosen: in tiles baked again, in files, and in what `explain_spot` says."""

from __future__ import annotations

import copy
import pickle
import struct

import numpy as np
import pytest

import onepath
from onepath import AgentShape, Level, NavMesh, bake, bake_tile, rebuild_tile
from onepath.debug import SpotReason, explain_spot
from onepath.errors import ArgumentError, TileFormatError
from onepath.io.navmesh_file import SECTIONS_AT, START
from onepath.mesh import FloorMask, Tile
from onepath.mesh._checksum import checksum_of
from tests.baked import SLIM, STANDARD, floor, tile_bytes
from tests.random_levels import RandomBake

#: On the ground, beside the house.
SEED = (2.0, 0.0, 2.0)


def house() -> Level:
    """A block with a flat roof, three metres high, on a floor of three tiles."""
    level = floor(24, 8)
    level.add_box((6, 0, 2), (18, 3, 6), name="house")
    return level


def rebuilt(mesh: NavMesh, level: Level, columns: range = range(3)) -> NavMesh:
    for column in columns:
        rebuild_tile(mesh, level, column, 0, SLIM)
    mesh.commit()
    return mesh


def tops(mesh: NavMesh) -> set[float]:
    """Heights of all corners of polygons, in whole decimetres."""
    return {
        round(float(height), 1)
        for view in mesh.tiles()
        for height in view.vertices[view.polygon_vertices, 1] + view.origin[1]
    }


# --- tiles baked again


@pytest.mark.parametrize("seed", range(1, 43))
def test_every_tile_is_baked_again_to_the_byte(seed: int) -> None:
    made = RandomBake(seed)
    draw = np.random.default_rng(seed)
    places = [made.mesh.random_point(seed=int(draw.integers(2**31))) for _ in range(2)]
    seeds = [place.point for place in places if place]
    mesh = bake(made.level, made.settings, volumes=made.volumes, seeds=seeds)
    tiles = {(view.column, view.row): view.tile for view in mesh.tiles()}
    for (column, row), tile in tiles.items():
        assert rebuild_tile(mesh, made.level, column, row, made.settings, volumes=made.volumes) == tile
    loaded = NavMesh.from_bytes(mesh.to_bytes())
    column, row = next(iter(tiles))
    assert rebuild_tile(loaded, made.level, column, row, made.settings, volumes=made.volumes) == tiles[column, row]


@pytest.mark.parametrize("seed", [3, 20, 22])
def test_the_mask_keeps_no_more_than_a_walk_reaches(seed: int) -> None:
    made = RandomBake(seed)
    place = made.mesh.random_point(seed=seed)
    mesh = bake(made.level, made.settings, volumes=made.volumes, seeds=[place.point])
    reached = sum(tile.polygon_count for tile in mesh.floor_mask.tiles)
    assert mesh.polygon_count == reached


def test_a_roof_stays_out_when_something_changes_on_it_or_below() -> None:
    level = house()
    mesh = bake(level, SLIM, seeds=[SEED])
    assert tops(mesh) == {0.0}
    level.add_box((10, 3, 3), (11, 4, 5), name="chimney")
    level.add_box((10, 0, 6.5), (11, 1, 7.5), name="crate")
    assert tops(rebuilt(mesh, level)) == {0.0}
    level.remove("chimney")
    level.remove("crate")
    assert tile_bytes(rebuilt(mesh, level)) == tile_bytes(bake(house(), SLIM, seeds=[SEED]))


def test_without_the_mask_a_tile_has_its_roof_again() -> None:
    mesh = bake(house(), SLIM, seeds=[SEED])
    whole = bake(house(), SLIM)
    assert bake_tile(house(), SLIM, 1, 0, frame=mesh.settings) == whole.tile(1, 0).tile
    tile = bake_tile(house(), SLIM, 1, 0, frame=mesh.settings, floor_mask=mesh.floor_mask)
    assert tile == mesh.tile(1, 0).tile != whole.tile(1, 0).tile


def test_ground_that_an_obstacle_cuts_off_stays_and_comes_back_whole() -> None:
    level = floor(24, 8)
    mesh = bake(level, SLIM, seeds=[SEED])
    before = tile_bytes(mesh)
    level.add_box((11.5, 0, 0), (12.5, 3, 8), name="barrier")
    rebuilt(mesh, level)
    assert mesh.snap((10, 0, 4)) and mesh.snap((14, 0, 4)) and mesh.snap((22, 0, 4))
    assert not mesh.is_reachable((10, 0, 4), (14, 0, 4))
    level.remove("barrier")
    assert tile_bytes(rebuilt(mesh, level)) == before


def test_what_an_obstacle_shut_off_at_the_bake_stays_out_but_for_what_opens_beside_kept_ground() -> None:
    level = floor(24, 8)
    level.add_box((11.5, 0, 0), (12.5, 3, 8), name="barrier")
    mesh = bake(level, SLIM, seeds=[SEED])
    assert mesh.bounds[1][0] < 12
    level.remove("barrier")
    assert rebuilt(mesh, level).bounds[1][0] == 16.0  # the middle tile is one piece again, the last had nothing


def test_new_ground_stays_where_kept_ground_leads_up_to_it() -> None:
    level = house()
    mesh = bake(level, SLIM, seeds=[SEED])
    level.add_ramp((2, 0, 4), (6, 3, 4), 2.0)
    assert 3.0 in tops(rebuilt(mesh, level))


def test_floors_lower_than_a_climb_are_told_apart() -> None:
    agent = AgentShape(radius=0.0, height=0.5, max_climb=0.9)
    settings = STANDARD.replace(agent=agent, cell_height=0.1)
    level = floor(8, 8)
    level.add_box((2, 0.6, 2), (6, 0.7, 6))
    mesh = bake(level, settings, seeds=[(1, 0, 1)])
    for view in mesh.tiles():
        assert rebuild_tile(mesh, level, view.column, view.row, settings) == view.tile


@pytest.mark.parametrize(
    ("height", "climb", "raised", "stays"),
    [
        (2.0, 0.5, 0.5, True),
        (2.0, 0.5, 0.625, False),
        (0.5, 0.5, 0.25, True),
        (0.5, 0.5, 0.375, False),
        (2.0, 0.0, 0.125, True),
        (2.0, 0.0, 0.25, False),
    ],
)
def test_ground_stays_where_it_was_raised_by_a_climb_half_the_height_at_most_and_a_row_at_least(
    height: float, climb: float, raised: float, stays: bool
) -> None:
    settings = STANDARD.replace(agent=AgentShape(radius=0.0, height=height, max_climb=climb))
    mesh = bake(floor(6, 6), settings, seeds=[(3, 0, 3)])
    tile = bake_tile(floor(6, 6, raised), settings, 0, 0, frame=mesh.settings, floor_mask=mesh.floor_mask)
    assert (tile.polygon_count > 0) == stays


def test_a_mesh_without_seeds_has_no_mask_and_one_that_reaches_nothing_an_empty_one() -> None:
    assert bake(floor(8, 8), SLIM).floor_mask is None
    mesh = bake(floor(8, 8), SLIM, seeds=[])
    assert mesh.floor_mask.tiles == ()
    assert rebuild_tile(mesh, floor(8, 8), 0, 0, SLIM).polygon_count == 0


# --- files and copies


def test_files_pickles_and_copies_have_the_mask() -> None:
    mesh = bake(house(), SLIM.replace(detail_sample_distance=1.0), seeds=[SEED])
    mask = mesh.floor_mask
    for other in (NavMesh.from_bytes(mesh.to_bytes()), pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh)):
        assert other.floor_mask == mask and other.to_bytes() == mesh.to_bytes()
        assert not any(tile.has_detail for tile in other.floor_mask.tiles)
    assert pickle.loads(pickle.dumps(mask)) == mask and hash(mask) == hash(FloorMask(mask.tiles))
    assert repr(mask) == f"FloorMask(tiles=3, polygons={mesh.polygon_count})"
    nothing = bake(floor(8, 8), SLIM, seeds=[])
    assert NavMesh.from_bytes(nothing.to_bytes()).floor_mask == FloorMask([]) != mask


def damaged(mesh: NavMesh, change: bytes, at: int) -> bytes:
    """A mesh's file with other bytes at a place of its floor, and the checksum that this asks for."""
    data = bytearray(mesh.to_bytes())
    name, begin, length = struct.unpack_from("<8sQQ", data, SECTIONS_AT - 24)
    assert name == b"floor\0\0\0"
    data[begin + at : begin + at + len(change)] = change
    end = (begin + length + 7) & ~7
    struct.pack_into("<Q", data, START.size - 16, checksum_of(bytes(data[START.size - 8 : end])))
    return bytes(data)


@pytest.mark.parametrize(
    ("change", "at", "message"),
    [
        (struct.pack("<Q", 9), 0, "the floor has 3 tiles, not as many as it says"),
        (b"X", 8, "floor tile 0: "),
        (struct.pack("<q", 2**40), 8 + 24, "floor tile 0 has 1099511627776 bytes; "),
        (struct.pack("<q", 8), 8 + 24, "floor tile 0 has 8 bytes; "),
    ],
)
def test_a_damaged_floor_is_named(change: bytes, at: int, message: str) -> None:
    with pytest.raises(TileFormatError, match=message) as caught:
        NavMesh.from_bytes(damaged(bake(house(), SLIM, seeds=[SEED]), change, at))
    assert caught.value.section == "floor"


# --- what is refused


def test_tiles_that_make_no_mask_are_refused() -> None:
    tile = bake(floor(8, 8), SLIM).tile(0, 0).tile
    other = bake(floor(8, 8), STANDARD).tile(0, 0).tile
    arrays = [tile.section(name) for name in ("vertices", "polygon_offsets", "polygon_vertices")]
    above = Tile.from_arrays(3, 0, *arrays, tile.settings, layer=1)
    moved = Tile.from_arrays(3, 0, *arrays, other.settings)
    for tiles, message in (([7], "7, not a Tile"), ([tile, tile], "another one"), ([above], "layer above 0")):
        with pytest.raises(ArgumentError, match=message):
            FloorMask(tiles)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="different settings"):
        FloorMask([tile, moved])
    with pytest.raises(ArgumentError, match="floor_mask is made with"):
        bake_tile(floor(8, 8), STANDARD, 0, 0, floor_mask=FloorMask([tile]))
    with pytest.raises(ArgumentError, match="floor_mask is 3, not a FloorMask"):
        bake_tile(floor(8, 8), SLIM, 0, 0, floor_mask=3)  # type: ignore[arg-type]


# --- what the explanation says


def test_a_spot_that_no_seed_leads_to_is_told_so() -> None:
    level = house()
    mesh = bake(level, SLIM, seeds=[SEED])
    found = explain_spot(level, SLIM, (12, 3, 4), mesh=mesh)
    assert found.reason is SpotReason.UNREACHABLE and found.height == 3.0
    assert found.text == "(12, 3, 4) is not walkable: it is not reachable from the seeds"
    assert explain_spot(level, SLIM, (12, 3, 4)) and explain_spot(level, SLIM, (12, 0, 1), mesh=mesh)
    assert explain_spot(level, SLIM, (6.05, 3, 4), mesh=mesh).reason is SpotReason.LEDGE  # what stages say comes first


def test_a_pruned_island_is_told_so() -> None:
    level = house()
    mesh = bake(level, SLIM)
    assert explain_spot(level, SLIM, (12, 3, 4), mesh=mesh)
    assert mesh.prune_islands(60.0)
    found = explain_spot(level, SLIM, (12, 3, 4), mesh=mesh)
    assert found.reason is SpotReason.PRUNED
    assert "its island was taken out of the mesh" in found.text


def test_a_mesh_of_another_grid_explains_nothing() -> None:
    mesh = bake(floor(8, 8), SLIM)
    with pytest.raises(ArgumentError, match="mesh has tile_cells 32; level and settings give 48"):
        explain_spot(floor(8, 8), SLIM.replace(tile_cells=48), (4, 0, 4), mesh=mesh)
    with pytest.raises(ArgumentError, match="mesh is 'mesh', not a NavMesh"):
        explain_spot(floor(8, 8), SLIM, (4, 0, 4), mesh="mesh")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(1, 15))
def test_the_verdict_is_that_of_a_mesh_with_seeds_and_pruned_islands(seed: int) -> None:
    made = RandomBake(seed)
    places = [made.mesh.random_point(seed=seed + k) for k in range(8)]
    if not places[0]:
        return
    mesh = bake(made.level, made.settings, volumes=made.volumes, seeds=[places[0].point])
    mesh.prune_islands(0.5)
    query = onepath.NavMeshQuery(mesh)
    for place in places:
        found = explain_spot(made.level, made.settings, place.point, volumes=made.volumes, mesh=mesh)
        if query.find_nearest_polygon(place.point, (0.0, 1e-3, 0.0)).over_polygon:
            assert found, found.text
        elif found:  # the spot may be taken for another one of this column
            assert query.find_nearest_polygon(place.point, (0.0, 2.0, 0.0)).over_polygon, found.text
