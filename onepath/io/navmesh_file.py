"""Navmesh files: settings, bounds and the bytes of every committed tile, each length checked before it is used.

    magic      8 bytes  "ONEPMESH"
    version    uint32   1
    bounded    uint32   0 open, 1 the four numbers of the bounds count
    settings   64 bytes as in a tile's header
    bounds     int32    first column, first row, last column, last row
    tiles      uint64   how many follow
    per tile   uint64   its size in bytes, a multiple of 8
               bytes    the tile; ascending by (column, row, layer)

All numbers are little endian.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, TileFormatError, UnsupportedError
from onepath.mesh._tile import Tile
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.settings import MeshSettings

__all__ = ["decode_navmesh", "encode_navmesh", "load_navmesh", "save_navmesh"]

MAGIC = b"ONEPMESH"
VERSION = 1
HEADER = struct.Struct("<8sII7d2i4iQ")
TILE_LENGTH = struct.Struct("<Q")
MAX_TILES = 2**20


def save_navmesh(mesh: NavMesh, path: str | os.PathLike[str]) -> None:
    """Writes the committed tiles of a mesh to a file; what is only staged is left out.

    Raises:
        OSError: the file cannot be written.
        UnsupportedError: the mesh has off-mesh links, for which this version of the file has no place.
    """
    Path(path).write_bytes(encode_navmesh(mesh))


def load_navmesh(path: str | os.PathLike[str]) -> NavMesh:
    """The mesh in a file, its tiles committed.

    Raises:
        OSError: the file cannot be read.
        TileFormatError: it is not a navmesh file of this version, or one of its parts is not sound; `.section` is
            "header", "tiles" or the section of a tile, `.element` the index there.
    """
    return decode_navmesh(Path(path).read_bytes())


def encode_navmesh(mesh: NavMesh) -> bytes:
    """The bytes of a navmesh file; equal meshes give equal bytes, whatever order their tiles came in.

    Raises:
        UnsupportedError: the mesh has off-mesh links, for which this version of the file has no place.
    """
    if mesh.link_records():
        raise UnsupportedError(
            f"the mesh has {len(mesh.link_records())} off-mesh links, which its file cannot hold yet"
        )
    tiles = sorted((view.tile for view in mesh.tiles()), key=_place)
    parts = [_encode_header(mesh.settings, mesh.grid_bounds, len(tiles))]
    for tile in tiles:
        block = tile.to_bytes()
        parts += [TILE_LENGTH.pack(len(block)), block]
    return b"".join(parts)


def decode_navmesh(data: bytes) -> NavMesh:
    """The mesh in the bytes of a navmesh file. Raises as `load_navmesh` does."""
    mesh, tile_count = _decode_header(data)
    at = HEADER.size
    before: tuple[int, int, int] | None = None
    for index in range(tile_count):
        tile, at = _decode_tile(data, at, index)
        if before is not None and _place(tile) <= before:
            raise TileFormatError(f"tile {index} at {_place(tile)} does not come after {before}", "tiles", index)
        before = _place(tile)
        try:
            mesh.stage_tile(tile)
        except ArgumentError as error:
            raise TileFormatError(f"tile {index}: {error}", "tiles", index) from None
    if at != len(data):
        raise TileFormatError(f"{len(data) - at} bytes follow the last tile", "tiles", tile_count)
    mesh.commit()
    return mesh


def _place(tile: Tile) -> tuple[int, int, int]:
    return tile.column, tile.row, tile.layer


def _encode_header(settings: MeshSettings, grid_bounds: tuple[int, int, int, int] | None, tile_count: int) -> bytes:
    agent = settings.agent
    return HEADER.pack(
        MAGIC,
        VERSION,
        grid_bounds is not None,
        settings.cell_size,
        settings.cell_height,
        settings.vertical_origin,
        agent.radius,
        agent.height,
        agent.max_climb,
        agent.max_slope,
        settings.tile_cells,
        settings.rows,
        *(grid_bounds or (0, 0, 0, 0)),
        tile_count,
    )


def _decode_header(data: bytes) -> tuple[NavMesh, int]:
    """An empty mesh with the file's settings and bounds, and how many tiles follow."""
    if not MAGIC.startswith(data[: len(MAGIC)]):
        raise TileFormatError(f"the file starts with {data[: len(MAGIC)]!r}, not as a navmesh file does ({MAGIC!r})")
    if len(data) < HEADER.size:
        raise TileFormatError(f"{len(data)} bytes are fewer than a navmesh file's header ({HEADER.size})")
    _, version, bounded, *settings_numbers, column, row, last_column, last_row, tile_count = HEADER.unpack_from(data)
    bounds = (column, row, last_column, last_row)
    if version != VERSION:
        raise TileFormatError(f"the file has version {version}; this library reads {VERSION}")
    if bounded not in (0, 1) or (bounded == 0 and any(bounds)):
        raise TileFormatError(f"the file's bounds are marked {bounded} and are {bounds}")
    try:
        mesh = NavMesh(_decode_settings(settings_numbers), bounds if bounded else None)
    except ArgumentError as error:
        raise TileFormatError(f"the file's header is refused: {error}") from None
    if _encode_header(mesh.settings, mesh.grid_bounds, tile_count) != data[: HEADER.size]:
        raise TileFormatError(f"the file's settings are not rounded as {mesh.settings} are")
    if tile_count > MAX_TILES:
        raise TileFormatError(f"the file says {tile_count} tiles, more than the {MAX_TILES} that a mesh may hold")
    return mesh, tile_count


def _decode_settings(numbers: Sequence[Any]) -> MeshSettings:
    """The settings of a header's nine numbers, in the order in which `_encode_header` packs them."""
    cell_size, cell_height, origin, radius, height, max_climb, max_slope, tile_cells, rows = numbers
    return MeshSettings(
        agent=AgentShape(radius=radius, height=height, max_climb=max_climb, max_slope=max_slope),
        cell_size=cell_size,
        cell_height=cell_height,
        tile_cells=tile_cells,
        vertical_origin=origin,
        rows=rows,
    )


def _decode_tile(data: bytes, at: int, index: int) -> tuple[Tile, int]:
    """The tile at a place, and the place behind it."""
    if len(data) - at < TILE_LENGTH.size:
        raise TileFormatError(f"the file ends before tile {index}", "tiles", index)
    (length,) = TILE_LENGTH.unpack_from(data, at)
    at += TILE_LENGTH.size
    if length > len(data) - at:
        raise TileFormatError(f"tile {index} has {length} bytes, but {len(data) - at} are left", "tiles", index)
    try:
        return Tile.from_bytes(data[at : at + length]), at + length
    except TileFormatError as error:
        raise TileFormatError(f"tile {index}: {error}", error.section, error.element) from None
