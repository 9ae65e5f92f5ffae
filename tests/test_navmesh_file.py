"""Navmesh files: what comes back, and that damage is named and never crashes."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import pytest

from onepath.errors import TileFormatError, UnsupportedError
from onepath.io.navmesh_file import HEADER, decode_navmesh, encode_navmesh, load_navmesh, save_navmesh
from onepath.mesh import NavMesh
from tests.links import link, two_rooms
from tests.meshes import grid, rectangle, seam, settings_of, strip, tile_of
from tests.test_mesh_links import made_links


def content(mesh: NavMesh) -> object:
    views = sorted(mesh.tiles(), key=lambda v: (v.column, v.row, v.layer))
    return mesh.settings, mesh.grid_bounds, [(v.tile, v.frontier_sides, made_links(mesh, v)) for v in views]


@pytest.mark.parametrize("grid_bounds", [None, (-3, -3, 5, 4)])
def test_a_saved_mesh_comes_back(tmp_path: Path, grid_bounds: tuple[int, int, int, int] | None) -> None:
    mesh = strip(6, grid_bounds=grid_bounds)
    save_navmesh(mesh, tmp_path / "level.navmesh")
    again = load_navmesh(str(tmp_path / "level.navmesh"))
    assert content(again) == content(mesh)
    assert again.edit_count == 1


def test_an_empty_mesh_comes_back() -> None:
    assert content(decode_navmesh(encode_navmesh(NavMesh(settings_of())))) == content(NavMesh(settings_of()))


def test_what_is_staged_is_left_out() -> None:
    mesh = strip(4)
    data = encode_navmesh(mesh)
    mesh.stage_tile_removal(0, 0)
    assert encode_navmesh(mesh) == data


def test_equal_meshes_give_equal_bytes_whatever_their_slots() -> None:
    mesh, settings = NavMesh(settings_of()), settings_of()
    for column in (3, 1, 2):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
        mesh.commit()
    fresh = NavMesh(settings)
    for view in mesh.tiles():
        fresh.stage_tile(view.tile)
    fresh.commit()
    assert [v.slot for v in sorted(mesh.tiles(), key=lambda v: v.column)] == [1, 2, 0]
    assert encode_navmesh(mesh) == encode_navmesh(fresh)


def test_a_missing_file_is_the_system_s_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        load_navmesh(tmp_path / "nothing.navmesh")


def test_every_shorter_length_is_refused() -> None:
    data = encode_navmesh(seam([(0, 8, 0)], [(0, 8, 0)]))
    for length in range(len(data)):
        with pytest.raises(TileFormatError):
            decode_navmesh(data[:length])


def changed(offset: int, form: str, value: object) -> bytes:
    data = bytearray(encode_navmesh(strip(4)))
    struct.pack_into(form, data, offset, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (0, "<B", 0, "starts with"),
        (8, "<I", 2, "version 2; this library reads 1"),
        (12, "<I", 2, "bounds are marked 2"),
        (12, "<I", 0, "bounds are marked 0"),
        (16, "<d", -1.0, "cell_size"),
        (24, "<d", float("nan"), "cell_height"),
        (64, "<d", 90.0, "max_slope"),
        (72, "<i", 0, "tile_cells"),
        (80, "<i", 9, "grid_bounds"),
        (96, "<Q", 2**40, "more than the 1048576"),
        (96, "<Q", 3, "ends before tile 2"),
        (96, "<Q", 1, "bytes follow the last tile"),
        (HEADER.size, "<Q", 2**63, "tile 0 has 9223372036854775808 bytes"),
        (HEADER.size, "<Q", 8, "tile 0: tile is shorter"),
        (HEADER.size + 8, "<B", 0, "tile 0: tile does not start"),
        (HEADER.size + 8 + 88, "<i", 2, "outside the mesh's bounds|does not come after"),
        (16, "<d", 2.0, "tile 0: .*other settings"),
    ],
)
def test_damage_is_named(offset: int, form: str, value: object, message: str) -> None:
    with pytest.raises(TileFormatError, match=message):
        decode_navmesh(changed(offset, form, value))


def test_a_tile_that_comes_twice_is_refused() -> None:
    data = encode_navmesh(grid(8, 8))
    twice = bytearray(data + data[HEADER.size :])
    struct.pack_into("<Q", twice, HEADER.size - 8, 2)
    with pytest.raises(TileFormatError, match="does not come after") as caught:
        decode_navmesh(bytes(twice))
    assert (caught.value.section, caught.value.element) == ("tiles", 1)


def test_changed_bytes_are_refused_or_make_a_sound_mesh() -> None:
    data, random = encode_navmesh(strip(4)), Random(8)
    refused = 0
    for _ in range(1000):
        damaged = bytearray(data)
        damaged[random.randrange(len(data))] ^= random.randrange(1, 256)
        try:
            mesh = decode_navmesh(bytes(damaged))
        except TileFormatError:
            refused += 1
            continue
        assert encode_navmesh(mesh) == damaged
    assert 500 < refused < 1000


def test_a_mesh_with_off_mesh_links_is_refused_rather_than_saved_without_them() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2)))
    with pytest.raises(UnsupportedError, match="1 off-mesh link"):
        encode_navmesh(mesh)
