"""Detour's navigation tiles, version 7, as arrays: the layout of the bytes, checked; nothing of what they mean.

A tile is a header of 100 bytes, then sections counted by it, each a multiple of 4 bytes:

    vertices          float32 x, y, z in the world
    polygons          32 bytes: link u32, 6 vertices u16, 6 neighbours u16, flags u16, corners u8, area and type u8
    links             12 bytes each, 16 where references have 64 bits; filled in when a tile is loaded, not read here
    detail meshes     12 bytes: vertex base u32, triangle base u32, vertices u8, triangles u8, padding
    detail vertices   float32 x, y, z in the world
    detail triangles  4 bytes: 3 corners, edge flags
    box tree          16 bytes a node, not read here
    off-mesh links    36 bytes: start and end float32, radius float32, polygon u16, flags u8, side u8, user's id u32

A set is the word MSET, version 1, the number of tiles, the grid's origin, tile width and depth, two limits; then for
each tile its reference (32 or 64 bits, that padded to 16 bytes), its size, its bytes. Either byte order is read: the
magic words tell.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import LARGEST_COORDINATE
from onepath.errors import TileFormatError

__all__ = ["DetourGrid", "DetourTile", "read_detour"]

TILE_MAGIC, TILE_VERSION = 0x444E4156, 7
SET_MAGIC, SET_VERSION = 0x4D534554, 1
CACHE_MAGIC = 0x54534554
TILE_HEADER = 15 * 4 + 10 * 4
SET_HEADER = 3 * 4 + 7 * 4

POLYGON = [
    ("link", "u4"),
    ("vertices", "u2", (6,)),
    ("neighbours", "u2", (6,)),
    ("flags", "u2"),
    ("count", "u1"),
    ("kind", "u1"),
]
DETAIL_MESH = [("vertex_base", "u4"), ("triangle_base", "u4"), ("vertices", "u1"), ("triangles", "u1"), ("pad", "u2")]
CONNECTION = [
    ("ends", "f4", (6,)),
    ("radius", "f4"),
    ("polygon", "u2"),
    ("flags", "u1"),
    ("side", "u1"),
    ("user", "u4"),
]
#: Section -> (bytes an element, or 0 for links), in order.
SECTIONS = {
    "vertices": 12,
    "polygons": 32,
    "links": 0,
    "detail_meshes": 12,
    "detail_vertices": 12,
    "detail_triangles": 4,
    "box_tree": 16,
    "off_mesh": 36,
}


@dataclass(frozen=True, slots=True)
class DetourGrid:
    """Where a set says its tiles lie: the world position of tile (0, 0) and the size of all, metres."""

    origin: tuple[float, float, float]
    width: float
    depth: float


@dataclass(frozen=True, slots=True)
class DetourTile:
    """One tile.

    Attributes:
        name: what errors call it.
        x, y, layer: its place in Detour's grid.
        agent: height, radius, climb.
        low, high: corners of its box.
        vertices: (n, 3) float64.
        polygons: records link, vertices (6), neighbours (6), flags, count, kind.
        detail_meshes: records vertex_base, triangle_base, vertices, triangles, pad; one a ground polygon.
        detail_vertices: (k, 3) float64.
        detail_triangles: (m, 4) uint8.
        connections: records ends (6), radius, polygon, flags, side, user: off-mesh connections that start here.
    """

    name: str
    x: int
    y: int
    layer: int
    agent: tuple[float, float, float]
    low: tuple[float, ...]
    high: tuple[float, ...]
    vertices: NDArray[np.float64]
    polygons: NDArray[np.void]
    detail_meshes: NDArray[np.void]
    detail_vertices: NDArray[np.float64]
    detail_triangles: NDArray[np.uint8]
    connections: NDArray[np.void]


def read_detour(data: bytes) -> tuple[DetourGrid | None, list[DetourTile]]:
    """The grid (None for bare tiles) and the tiles in a set, or in one or more bare tiles one behind the other.

    Raises:
        TileFormatError: naming section, element and reason.
    """
    if len(data) < 4:
        raise TileFormatError(f"{len(data)} bytes are neither a Detour set nor a Detour tile", "header")
    for order in "<>":
        (magic,) = struct.unpack_from(order + "I", data)
        if magic == SET_MAGIC:
            return _read_set(data, order)
        if magic == TILE_MAGIC:
            return None, _read_bare(data, order)
        if magic == CACHE_MAGIC:
            raise TileFormatError("the file is a set of a tile cache (TSET): its layers are not meshes yet", "header")
    raise TileFormatError(f"the file starts with {data[:4]!r}, neither as a Detour set nor as a tile", "header")


def _read_set(data: bytes, order: str) -> tuple[DetourGrid, list[DetourTile]]:
    if len(data) < SET_HEADER:
        raise TileFormatError(f"{len(data)} bytes are fewer than a set's header ({SET_HEADER})", "header")
    _, version, count = struct.unpack_from(order + "3i", data)
    if version != SET_VERSION:
        raise TileFormatError(f"the set has version {version}; this library reads {SET_VERSION}", "header")
    if count < 0 or count * (8 + TILE_HEADER) > len(data):
        raise TileFormatError(f"the set says {count} tiles, which {len(data)} bytes cannot hold", "header")
    numbers = struct.unpack_from(order + "5f", data, 12)
    if not all(abs(number) < LARGEST_COORDINATE for number in numbers) or min(numbers[3:]) < 0:
        raise TileFormatError(f"the set's origin and tile sizes {numbers} are not finite or outside 2**21", "header")
    tiles, at = [], SET_HEADER
    for index in range(count):
        tile, at = _read_set_tile(data, at, order, index)
        tiles.append(tile)
    if at != len(data):
        raise TileFormatError(f"{len(data) - at} bytes follow the last tile", "tiles", count)
    return DetourGrid((numbers[0], numbers[1], numbers[2]), numbers[3], numbers[4]), tiles


def _read_set_tile(data: bytes, at: int, order: str, index: int) -> tuple[DetourTile, int]:
    """A tile of a set behind its reference and size, wherever its magic word tells that it begins."""
    magic = struct.pack(order + "I", TILE_MAGIC)
    for reference, start in ((4, at + 8), (8, at + 16)):
        if data[start : start + 4] == magic:
            (size,) = struct.unpack_from(order + "i", data, at + reference)
            if size < TILE_HEADER or start + size > len(data):
                raise TileFormatError(
                    f"tile {index} has {size} bytes; {len(data) - start} are left and a header has {TILE_HEADER}",
                    "tiles",
                    index,
                )
            return _read_tile(data[start : start + size], order, f"tile {index}"), start + size
    raise TileFormatError(f"tile {index} does not begin with the word of Detour's tiles", "tiles", index)


def _read_bare(data: bytes, order: str) -> list[DetourTile]:
    tiles: list[DetourTile] = []
    at = 0
    while at < len(data):
        name = f"tile {len(tiles)}"
        header = _read_header(data[at : at + TILE_HEADER], order, name)
        ends = [at + sum(_sizes(header, link)) for link in (12, 16)]
        fits = [end for end in ends if end == len(data) or data[end : end + 4] == data[:4]]
        if not fits:
            raise TileFormatError(
                f"{name} has {len(data) - at} bytes, its counts say {ends[0] - at} or {ends[1] - at}", "header"
            )
        tiles.append(_read_tile(data[at : fits[0]], order, name))
        at = fits[0]
    return tiles


# --- one tile


@dataclass(frozen=True, slots=True)
class _Header:
    x: int
    y: int
    layer: int
    counts: dict[str, int]
    numbers: tuple[float, ...]


def _read_header(data: bytes, order: str, name: str) -> _Header:
    if len(data) < TILE_HEADER:
        raise TileFormatError(f"{name}: {len(data)} bytes are fewer than a tile's header ({TILE_HEADER})", "header")
    whole = struct.unpack_from(order + "I14i", data)
    numbers = struct.unpack_from(order + "10f", data, 60)
    if whole[0] != TILE_MAGIC:
        raise TileFormatError(f"{name} begins with {data[:4]!r}, not as Detour's tiles do", "header")
    if whole[1] != TILE_VERSION:
        raise TileFormatError(f"{name} has version {whole[1]}; this library reads {TILE_VERSION}", "header")
    x, y, layer, _, polygons, vertices, links, meshes, detail_vertices, triangles, nodes, connections = whole[2:14]
    counts = {
        "vertices": vertices,
        "polygons": polygons,
        "links": links,
        "detail_meshes": meshes,
        "detail_vertices": detail_vertices,
        "detail_triangles": triangles,
        "box_tree": nodes,
        "off_mesh": connections,
    }
    for section, count in counts.items():
        if count < 0:
            raise TileFormatError(f"{name} says {count} {section}", "header")
    if not all(abs(number) < LARGEST_COORDINATE for number in numbers[:9]):
        raise TileFormatError(f"{name}: agent or box {numbers[:9]} is not finite or outside 2**21", "header")
    return _Header(x, y, layer, counts, numbers)


def _sizes(header: _Header, link: int) -> list[int]:
    """Bytes of the header and of every section."""
    return [TILE_HEADER, *(header.counts[section] * (size or link) for section, size in SECTIONS.items())]


def _read_tile(data: bytes, order: str, name: str) -> DetourTile:
    header = _read_header(data, order, name)
    fitting = [sizes for sizes in (_sizes(header, 12), _sizes(header, 16)) if sum(sizes) == len(data)]
    if not fitting:
        raise TileFormatError(
            f"{name} has {len(data)} bytes, its counts say {sum(_sizes(header, 12))} or {sum(_sizes(header, 16))}",
            "header",
        )
    at = dict(zip(SECTIONS, np.cumsum(fitting[0]).tolist(), strict=False))

    def section(which: str, form: Any) -> NDArray[Any]:
        return np.frombuffer(data, np.dtype(form).newbyteorder(order), header.counts[which], at[which])

    def points(which: str) -> NDArray[np.float64]:
        found = np.asarray(section(which, ("f4", (3,))), np.float64).reshape(-1, 3)
        bad = ~(np.abs(found) < LARGEST_COORDINATE).all(axis=1)
        if bad.any():
            element = int(np.argmax(bad))
            raise TileFormatError(
                f"{name}: section {which}, element {element} is not finite or outside 2**21", which, element
            )
        return found

    return DetourTile(
        name=name,
        x=header.x,
        y=header.y,
        layer=header.layer,
        agent=(header.numbers[0], header.numbers[1], header.numbers[2]),
        low=header.numbers[3:6],
        high=header.numbers[6:9],
        vertices=points("vertices"),
        polygons=section("polygons", POLYGON),
        detail_meshes=section("detail_meshes", DETAIL_MESH),
        detail_vertices=points("detail_vertices"),
        detail_triangles=section("detail_triangles", ("u1", (4,))).reshape(-1, 4),
        connections=section("off_mesh", CONNECTION),
    )
