"""Navmesh files: everything that a committed mesh is, each length checked before it is used.

`docs/files.md` has the bytes. A header, a directory and small sections, all under one checksum, then the blocks of the
tiles, each under its own and on 8 bytes, so that they can be read where they lie in a mapped file.
"""

from __future__ import annotations

import os
import stat
import struct
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from typing import NamedTuple, cast

import numpy as np

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, LimitError, TileFormatError
from onepath.geometry.areas import Areas
from onepath.io.atomic import write_atomically
from onepath.io.link_records import decode_links, encode_links
from onepath.io.named_records import decode_areas, decode_volumes, encode_areas, encode_volumes
from onepath.mesh._checksum import checksum_of
from onepath.mesh._loading import check_generations, check_records
from onepath.mesh._state import committed_state, restore_state
from onepath.mesh._tile import Tile
from onepath.mesh.floor_mask import FloorMask
from onepath.mesh.link import LinkRecord
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tier import Limits, Tier

__all__ = ["decode_navmesh", "encode_navmesh", "load_navmesh", "save_navmesh"]

MAGIC = b"ONEPMESH"
VERSION = 1
START = struct.Struct("<8sIIQQ")  # magic, version, zero, checksum, size
SETTINGS = struct.Struct("<7d2i")  # as in the header of a tile
STATE = struct.Struct("<4iIIqq")  # bounds, bounded, sections, edit count, next link's id
ENTRY = struct.Struct("<8sQQ")  # of the directory: name, offset, length
CHECKED_FROM = 24
#: Names of the sections in their order, each padded with zeros to 8 bytes in the directory.
SECTIONS = ("slots", "tiles", "flags", "areas", "links", "linkdata", "names", "volumes", "floor")
SECTIONS_AT = START.size + SETTINGS.size + STATE.size + len(SECTIONS) * ENTRY.size
TILE_TYPE = np.dtype([("offset", "<i8"), ("size", "<i8"), ("slot", "<i4"), ("changed", "<i4")])
MAX_LINK_ID = 2**31 - 1

Buffer = bytes | memoryview


class _Contents(NamedTuple):
    """A file taken apart, its sections checked for themselves."""

    settings: MeshSettings
    grid_bounds: tuple[int, int, int, int] | None
    edit_count: int
    generations: Buffer
    tiles: Buffer  # records of TILE_TYPE
    flags: bytes
    areas: bytes
    links: list[LinkRecord]
    next_link: int
    names: Areas
    volume_names: list[str]
    volume_areas: dict[int, int]
    floor_mask: FloorMask | None


def save_navmesh(mesh: NavMesh, path: str | os.PathLike[str]) -> None:
    """Writes the committed mesh to a file, atomically; what is only staged is left out.

    Raises:
        ArgumentError: `path` is not the name of a file.
        OSError: the file cannot be written; the old one stands.
        BusyError: a commit runs on another thread.
    """
    write_atomically(_checked_path(path), _encoded_parts(mesh))


def load_navmesh(
    path: str | os.PathLike[str],
    mmap: bool = False,
    tier: Tier = Tier.DYNAMIC,
    limits: Limits | None = None,
    mesh_class: type[NavMesh] = NavMesh,
) -> NavMesh:
    """The mesh in a file. `mmap` reads the tiles where they lie in the mapped file instead of copying them.

    Raises:
        ArgumentError: `path` is not the name of a file, or of one that is no regular file.
        OSError: the file cannot be read.
        LimitError: the mesh is larger than the limits.
        TileFormatError: it is not a navmesh file of this version, or one of its parts is not sound; `.section` is
            "header", a section of the file or one of a tile, `.element` the index there.
    """
    name = _checked_path(path)
    with open(name, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ArgumentError(f"path is {name!r}, which is no regular file and may never end")
        shared = mmap and found.st_size > 0
        try:
            return decode_navmesh(_mapped(file.fileno()) if shared else file.read(), tier, limits, mesh_class)
        except TileFormatError as error:
            raise TileFormatError(f"{name}: {error}", error.section, error.element) from None


def _checked_path(path: object) -> str:
    try:
        return os.fsdecode(path)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"path is {path!r}, not the name of a file") from None


def _mapped(descriptor: int) -> memoryview:
    """The map lives as long as a view of it."""
    return memoryview(mmap(descriptor, 0, access=ACCESS_READ))


def encode_navmesh(mesh: NavMesh) -> bytes:
    """The bytes of a navmesh file. A mesh made from them has the same bytes."""
    return b"".join(_encoded_parts(mesh))


def decode_navmesh(
    data: Buffer,
    tier: Tier = Tier.DYNAMIC,
    limits: Limits | None = None,
    mesh_class: type[NavMesh] = NavMesh,
) -> NavMesh:
    """The mesh in the bytes of a navmesh file, or a read-only view of them on 8 bytes, whose tiles it reads there.

    Raises as `load_navmesh` does.
    """
    contents = _decode(data)
    mesh = _empty_mesh(contents, tier, limits, mesh_class)
    try:
        restore_state(
            mesh,
            data,
            contents.generations,
            contents.tiles,
            contents.flags,
            contents.areas,
            contents.edit_count,
            contents.links,
            contents.next_link,
            contents.volume_areas,
        )
    except LimitError as error:
        if limits is not None:
            raise
        raise TileFormatError(str(error), "links") from None
    return mesh


def _empty_mesh(contents: _Contents, tier: Tier, limits: Limits | None, mesh_class: type[NavMesh]) -> NavMesh:
    try:
        return mesh_class(
            contents.settings,
            contents.grid_bounds,
            tier=tier,
            limits=limits,
            areas=contents.names,
            volume_names=contents.volume_names,
            floor_mask=contents.floor_mask,
        )
    except ArgumentError as error:
        NavMesh(contents.settings, tier=tier, limits=limits)  # where the mistake is the caller's, it says so itself
        raise TileFormatError(f"the file's header is refused: {error}") from None


# --- writing


def _aligned(size: int) -> int:
    return (size + 7) & ~7


def _encoded_parts(mesh: NavMesh) -> list[bytes]:
    """Everything before the blocks, and the blocks."""
    mesh._begin_reading()
    try:
        generations, used = committed_state(mesh)
        edit_count, next_link = mesh.edit_count, mesh._links.next_id
        links, link_data = encode_links(mesh._links.records())
        names, volumes = encode_areas(mesh.areas), encode_volumes(mesh.volume_names, mesh._modifiers.volumes())
    finally:
        mesh._end_reading()
    blocks = [block for _, block, _, _ in used]
    records = np.zeros(len(used), TILE_TYPE)
    records["size"] = [len(block) for block in blocks]
    records["slot"] = [slot for slot, _, _, _ in used]
    records["changed"] = [len(areas or b"") for _, _, _, areas in used]
    flags = b"".join(changed for _, _, changed, _ in used if changed)
    areas = b"".join(changed for _, _, _, changed in used if changed)
    others = [flags, areas, links, link_data, names, volumes, _encode_floor(mesh.floor_mask)]
    lengths = [4 * len(generations), records.nbytes, *map(len, others)]
    blocks_at = SECTIONS_AT + sum(map(_aligned, lengths))
    records["offset"] = blocks_at + np.cumsum(records["size"]) - records["size"]
    sections = [generations.astype("<i4").tobytes(), records.tobytes(), *others]
    tables = _encode_description(mesh.settings, mesh.grid_bounds, edit_count, next_link) + _encode_directory(lengths)
    tables += b"".join(section.ljust(_aligned(len(section)), b"\0") for section in sections)
    size = struct.pack("<Q", blocks_at + int(records["size"].sum()))
    checksum = checksum_of(size + tables)
    return [START.pack(MAGIC, VERSION, 0, checksum, 0)[:CHECKED_FROM] + size + tables, *blocks]


def _encode_directory(lengths: list[int]) -> bytes:
    entries, at = b"", SECTIONS_AT
    for name, length in zip(SECTIONS, lengths, strict=True):
        entries += ENTRY.pack(name.encode(), at, length)
        at += _aligned(length)
    return entries


def _encode_floor(mask: FloorMask | None) -> bytes:
    """How many tiles, 8 bytes, and the tiles; nothing where there is no mask."""
    if mask is None:
        return b""
    return struct.pack("<Q", len(mask.tiles)) + b"".join(tile.to_bytes() for tile in mask.tiles)


def _encode_description(
    settings: MeshSettings, grid_bounds: tuple[int, int, int, int] | None, edit_count: int, next_link: int
) -> bytes:
    bounds = grid_bounds or (0, 0, 0, 0)
    numbers = (*bounds, grid_bounds is not None, len(SECTIONS), edit_count, next_link)
    return _encode_settings(settings) + STATE.pack(*numbers)


def _encode_settings(settings: MeshSettings) -> bytes:
    agent = settings.agent  # adding zero turns -0.0 into 0.0, as tiles do
    return SETTINGS.pack(
        settings.cell_size,
        settings.cell_height,
        settings.vertical_origin,
        agent.radius + 0.0,
        agent.height,
        agent.max_climb + 0.0,
        agent.max_slope + 0.0,
        settings.tile_cells,
        settings.rows,
    )


# --- reading


def _decode(data: Buffer) -> _Contents:
    _check_start(data)
    *corners, bounded, section_count, edit_count, next_link = STATE.unpack_from(data, START.size + SETTINGS.size)
    bounds = cast(tuple[int, int, int, int], tuple(corners))
    if section_count != len(SECTIONS):
        raise TileFormatError(f"the file has {section_count} sections, not {len(SECTIONS)}")
    sections, blocks_at = _decode_directory(data)
    if checksum_of(data[CHECKED_FROM:blocks_at]) != START.unpack_from(data)[3]:
        raise TileFormatError("the file's header and sections do not give their checksum")
    if bounded not in (0, 1) or (bounded == 0 and any(bounds)):
        raise TileFormatError(f"the file's bounds are marked {bounded} and are {bounds}")
    if edit_count < 0:
        raise TileFormatError(f"the file's edit count is {edit_count}")
    if not 1 <= next_link <= MAX_LINK_ID:
        raise TileFormatError(f"the next link's id is {next_link}, outside [1, {MAX_LINK_ID}]")
    check_generations(sections[0])
    polygons = check_records(sections[1], sections[0], blocks_at, len(data))
    links = decode_links(bytes(sections[4]), bytes(sections[5]), next_link)
    for name, section, width in (("flags", sections[2], 2), ("areas", sections[3], 1)):
        if len(section) != width * polygons:
            raise TileFormatError(f"{len(section)} bytes of {name} for {polygons} polygons with their own", name)
    settings = _decode_settings(bytes(data[START.size : START.size + SETTINGS.size]))
    return _Contents(
        settings,
        bounds if bounded else None,
        edit_count,
        sections[0],
        sections[1],
        bytes(sections[2]),
        bytes(sections[3]),
        links,
        next_link,
        decode_areas(bytes(sections[6])),
        *decode_volumes(bytes(sections[7])),
        _decode_floor(sections[8]),
    )


def _check_start(data: Buffer) -> None:
    if not MAGIC.startswith(bytes(data[: len(MAGIC)])):
        raise TileFormatError(f"the file starts with {bytes(data[:8])!r}, not as a navmesh file does ({MAGIC!r})")
    if len(data) < SECTIONS_AT:
        raise TileFormatError(
            f"{len(data)} bytes are fewer than a navmesh file has before its sections ({SECTIONS_AT})"
        )
    _, version, zero, _, size = START.unpack_from(data)
    if version == VERSION << 24:
        raise TileFormatError("the file was written in the other byte order")
    if version != VERSION:
        raise TileFormatError(f"the file has version {version}; this library reads {VERSION}")
    if zero != 0:
        raise TileFormatError(f"the number behind the file's version is {zero}, not 0")
    if size != len(data):
        raise TileFormatError(f"the file has {len(data)} bytes; its header says {size}")


def _decode_directory(data: Buffer) -> tuple[list[Buffer], int]:
    """The sections, and where the blocks begin."""
    sections, at = [], SECTIONS_AT
    for index, name in enumerate(SECTIONS):
        stored, offset, length = ENTRY.unpack_from(data, START.size + SETTINGS.size + STATE.size + index * ENTRY.size)
        if stored != name.encode().ljust(8, b"\0"):
            raise TileFormatError(f"section {index} is named {stored!r}, not {name!r}", "directory", index)
        if offset != at or length > len(data) - at or _aligned(length) > len(data) - at:
            raise TileFormatError(
                f"section {name} has {length} bytes at {offset}; {max(len(data) - at, 0)} are left at {at}", name
            )
        sections.append(data[at : at + length])
        at += _aligned(length)
        if any(data[offset + length : at]):
            raise TileFormatError(f"section {name} has padding that is not zero", name)
    return sections, at


def _decode_floor(section: Buffer) -> FloorMask | None:
    if len(section) == 0:
        return None
    tiles: list[Tile] = []
    at = 8
    while at < len(section):
        element = len(tiles)
        size = int.from_bytes(section[at + 24 : at + 32], "little")  # as the header of a tile has it
        if not 128 <= size <= len(section) - at:
            raise TileFormatError(
                f"floor tile {element} has {size} bytes; {len(section) - at} are left", "floor", element
            )
        try:
            tiles.append(Tile.from_bytes(bytes(section[at : at + size])))
        except TileFormatError as error:
            raise TileFormatError(f"floor tile {element}: {error}", "floor", element) from None
        at += size
    if len(section) < 8 or int.from_bytes(section[:8], "little") != len(tiles):
        raise TileFormatError(f"the floor has {len(tiles)} tiles, not as many as it says", "floor")
    try:
        mask = FloorMask(tiles)
    except ArgumentError as error:
        raise TileFormatError(f"the floor is refused: {error}", "floor") from None
    if list(mask.tiles) != tiles:
        raise TileFormatError("the floor's tiles are not plain, not by column and row, or one is empty", "floor")
    return mask


@lru_cache(maxsize=16)  # levels of one game are made for the same few agents
def _decode_settings(record: bytes) -> MeshSettings:
    cell_size, cell_height, origin, radius, height, max_climb, max_slope, tile_cells, rows = SETTINGS.unpack(record)
    try:
        settings = MeshSettings(
            agent=AgentShape(radius=radius, height=height, max_climb=max_climb, max_slope=max_slope),
            cell_size=cell_size,
            cell_height=cell_height,
            tile_cells=tile_cells,
            vertical_origin=origin,
            rows=rows,
        )
    except ArgumentError as error:
        raise TileFormatError(f"the file's header is refused: {error}") from None
    if _encode_settings(settings) != record:
        raise TileFormatError(f"the file's settings are not rounded as {settings} are")
    return settings
