"""Tiles in a folder, one file each: worlds larger than memory, baked and read by many programs at once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from onepath.errors import ArgumentError, RangeError, TileFormatError
from onepath.io.atomic import write_atomically
from onepath.io.navmesh_file import encode_navmesh, load_navmesh
from onepath.mesh._tile import Tile
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tile_arrays import arrange_place

__all__ = ["TileFolder"]

#: An empty mesh: the settings and bounds that all tiles of the folder share.
HEADER_NAME = "folder.navmesh"
TILE_NAME = re.compile(r"tile_(0|-?[1-9]\d*)_(0|-?[1-9]\d*)_(0|[1-9]\d*)\.tile")

TileKey = tuple[int, int, int]


class TileFolder:
    """A folder of tiles, named by column, row and layer, that agree in their settings.

    Many programs may read while one writes: every file appears whole or not at all. A program that writes a tile that
    another one also writes leaves the tile of whoever came last.

    Args:
        path: a folder that `TileFolder.create` made.

    Attributes:
        path: the folder.
        settings: the MeshSettings of all its tiles.
        grid_bounds: (first column, first row, last column, last row), inclusive, or None: an open world.

    Raises:
        OSError: there is no such folder, or it is not a tile folder (FileNotFoundError).
        TileFormatError: its header is not sound.

    >>> from onepath.mesh import MeshSettings, Tile
    >>> settings = MeshSettings(cell_size=1.0, tile_cells=8)
    >>> folder = TileFolder.create("world", settings)
    >>> square = [(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0)]
    >>> folder.write(Tile.from_arrays(3, -2, square, [0, 4], [0, 1, 2, 3], settings))
    >>> folder.read(3, -2), folder.read(9, 9)
    (Tile(column=3, row=-2, layer=0, polygons=1), None)
    """

    __slots__ = ("grid_bounds", "path", "settings")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        header = load_navmesh(self.path / HEADER_NAME)
        self.settings: MeshSettings = header.settings
        self.grid_bounds = header.grid_bounds

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        settings: MeshSettings,
        grid_bounds: tuple[int, int, int, int] | None = None,
    ) -> TileFolder:
        """Makes a folder without tiles, or opens the one that is there if it has these settings and bounds.

        Raises:
            ArgumentError, RangeError: settings or bounds, naming the argument.
            TileFormatError: a tile folder of other settings or bounds is there; both are named.
            OSError: the folder cannot be made.
        """
        empty = NavMesh(settings, grid_bounds)
        folder = Path(path)
        if not (folder / HEADER_NAME).exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / HEADER_NAME, [encode_navmesh(empty)])
        opened = cls(folder)
        for name in ("settings", "grid_bounds"):
            there, wanted = getattr(opened, name), getattr(empty, name)
            if there != wanted:
                raise TileFormatError(f"the folder {folder} has {name} {there}, not {wanted}")
        return opened

    def mesh(self) -> NavMesh:
        """A new mesh without tiles that takes the folder's: stage and commit what `read` gives."""
        return NavMesh(self.settings, self.grid_bounds)

    def write(self, tile: Tile | bytes) -> None:
        """Keeps a tile, in place of the one that was there.

        Raises:
            ArgumentError: neither a tile nor bytes.
            TileFormatError: bytes that are not a sound tile, or other settings than the folder's.
            RangeError: the tile lies outside the folder's bounds.
            OSError: the file cannot be written; the old one stands.
        """
        taken = tile if isinstance(tile, Tile) else Tile.from_bytes(tile)
        self.mesh().stage_tile(taken)
        write_atomically(self._file((taken.column, taken.row, taken.layer)), [taken.to_bytes()])

    def read(self, column: int, row: int, layer: int = 0) -> Tile | None:
        """The tile of a place, checked whole, or None where there is none.

        Raises:
            ArgumentError, RangeError: no such place can be.
            TileFormatError: the file is not a sound tile, or not the one its name says, or of other settings; it is
                named.
            OSError: the file cannot be read.
        """
        key = arrange_place(column, row, layer, self.settings)
        file = self._file(key)
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            return None
        try:
            tile = Tile.from_bytes(data)
            self.mesh().stage_tile(tile)
        except (TileFormatError, RangeError) as error:
            section, element = getattr(error, "section", "header"), getattr(error, "element", -1)
            raise TileFormatError(f"{file}: {error}", section, element) from None
        if (tile.column, tile.row, tile.layer) != key:
            raise TileFormatError(f"{file} holds the tile {(tile.column, tile.row, tile.layer)}")
        return tile

    def remove(self, column: int, row: int, layer: int = 0) -> bool:
        """Takes a tile away: whether there was one. Raises as `read` does of the place; OSError."""
        try:
            self._file(arrange_place(column, row, layer, self.settings)).unlink()
        except FileNotFoundError:
            return False
        return True

    def places(self) -> list[TileKey]:
        """(column, row, layer) of every tile there is now, ascending."""
        names = (TILE_NAME.fullmatch(entry.name) for entry in os.scandir(self.path))
        return sorted((int(name[1]), int(name[2]), int(name[3])) for name in names if name)

    def __contains__(self, place: object) -> bool:
        if not (isinstance(place, tuple) and len(place) in (2, 3)):
            raise ArgumentError(f"place is {place!r}, not (column, row) or (column, row, layer)")
        column, row, layer = (*place, 0)[:3]
        return self._file(arrange_place(column, row, layer, self.settings)).exists()

    def __iter__(self) -> Iterator[TileKey]:
        return iter(self.places())

    def __len__(self) -> int:
        return len(self.places())

    def __repr__(self) -> str:
        return f"TileFolder({str(self.path)!r}, tiles={len(self)})"

    def _file(self, key: TileKey) -> Path:
        return self.path / "tile_{}_{}_{}.tile".format(*key)
