"""TileFolder: what is written is read by others, and what does not belong there is named."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from onepath.errors import ArgumentError, RangeError, TileFormatError
from onepath.io.tile_folder import TileFolder
from onepath.mesh import Tile
from tests.meshes import rectangle, settings_of, strip, tile_of

SETTINGS = settings_of()


def square(column: int, row: int = 0, *, layer: int = 0, y: float = 0.0) -> Tile:
    x, z = 8 * column, 8 * row
    return tile_of(column, row, [rectangle(x, z, x + 8, z + 8, y)], SETTINGS, layer=layer)


def test_a_tile_comes_back(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path / "a" / "world", SETTINGS)
    for tile in (square(0), square(-3, 12), square(0, layer=2)):
        folder.write(tile)
        assert TileFolder(folder.path).read(tile.column, tile.row, tile.layer) == tile


def test_bytes_of_a_tile_will_do(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    folder.write(square(4).to_bytes())
    assert folder.read(4, 0) == square(4)


def test_a_missing_tile_is_none(tmp_path: Path) -> None:
    assert TileFolder.create(tmp_path, SETTINGS).read(1, 1) is None


def test_a_tile_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    folder.write(square(0))
    folder.write(square(0, y=3))
    assert folder.read(0, 0) == square(0, y=3)
    assert len(folder) == 1


def test_places_are_listed_in_order_and_nothing_else_is(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    for column in (10, -1, 2):
        folder.write(square(column))
    for name in ("notes.txt", "tile_1_1.tile", "tile_01_1_0.tile", ".tile_1_0_0.tile.77-0.part"):
        (tmp_path / name).write_text("no tile")
    assert list(folder) == folder.places() == [(-1, 0, 0), (2, 0, 0), (10, 0, 0)]
    assert repr(folder).endswith("tiles=3)")


def test_a_place_is_asked_for_with_or_without_layer(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    folder.write(square(2))
    assert (2, 0) in folder
    assert (2, 0, 0) in folder
    assert (2, 0, 1) not in folder
    with pytest.raises(ArgumentError, match="place is 2"):
        2 in folder  # noqa: B015


def test_removing_says_whether_there_was_one(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    folder.write(square(2))
    assert folder.remove(2, 0)
    assert not folder.remove(2, 0)
    assert folder.places() == []


def test_its_mesh_takes_its_tiles(tmp_path: Path) -> None:
    source = strip(6, grid_bounds=(0, 0, 2, 0))
    folder = TileFolder.create(tmp_path, source.settings, source.grid_bounds)
    for view in source.tiles():
        folder.write(view.tile)
    mesh = TileFolder(tmp_path).mesh()
    for place in folder:
        mesh.stage_tile(folder.read(*place))  # type: ignore[arg-type]
    mesh.commit()
    assert mesh.to_bytes() == source.to_bytes()  # type: ignore[attr-defined]


def test_what_is_no_tile_folder_is_the_system_s_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        TileFolder(tmp_path)


def test_creating_again_opens_what_is_there(tmp_path: Path) -> None:
    TileFolder.create(tmp_path, SETTINGS).write(square(1))
    assert TileFolder.create(tmp_path, SETTINGS).places() == [(1, 0, 0)]


def test_creating_with_other_settings_names_both(tmp_path: Path) -> None:
    TileFolder.create(tmp_path, SETTINGS, (0, 0, 3, 3))
    with pytest.raises(TileFormatError, match=r"has settings .*tile_cells=8.*, not .*tile_cells=16"):
        TileFolder.create(tmp_path, settings_of(16), (0, 0, 3, 3))
    with pytest.raises(TileFormatError, match=r"has grid_bounds \(0, 0, 3, 3\), not None"):
        TileFolder.create(tmp_path, SETTINGS)


def test_a_tile_of_other_settings_is_not_written(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS, (0, 0, 3, 3))
    with pytest.raises(TileFormatError, match=r"max_climb 0\.25; this mesh has 0\.5"):
        folder.write(tile_of(0, 0, [], settings_of(max_climb=0.25)))
    with pytest.raises(RangeError, match="outside the mesh's bounds"):
        folder.write(square(4))
    assert folder.places() == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (square(1).to_bytes()[:-8], "another size than its header says"),
        (b"", "shorter than a tile's header"),
        (square(2).to_bytes(), r"holds the tile \(2, 0, 0\)"),
        (tile_of(1, 0, [], settings_of(16)).to_bytes(), "tile_cells 16; this mesh has 8"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    (tmp_path / "tile_1_0_0.tile").write_bytes(data)
    with pytest.raises(TileFormatError, match=r"tile_1_0_0\.tile.*" + message):
        folder.read(1, 0)


READER = """
import sys
from onepath.io.tile_folder import TileFolder
folder, heights = TileFolder(sys.argv[1]), set()
print("ready", flush=True)
while (folder.path / "writing").exists():
    tile = folder.read(0, 0)
    heights.add(float(tile.section("vertices")[0, 1]))
print(len(heights), all(0 <= h < 50 for h in heights))
"""


def test_readers_in_other_processes_find_whole_tiles_while_one_writes(tmp_path: Path) -> None:
    folder = TileFolder.create(tmp_path, SETTINGS)
    folder.write(square(0))
    (tmp_path / "writing").touch()
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    failures: list[TileFormatError] = []

    def read() -> None:
        while (tmp_path / "writing").exists():
            try:
                assert folder.read(0, 0) is not None
            except TileFormatError as error:
                failures.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    for y in range(20):
        folder.write(square(0, y=y))
    (tmp_path / "writing").unlink()
    thread.join()
    assert failures == []
    for reader in readers:
        output, _ = reader.communicate(timeout=60)
        assert reader.returncode == 0
        assert output.endswith("True\n")
