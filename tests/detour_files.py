"""Detour's files written by hand from the facts of the format: sets and bare tiles of boxes, in either byte order."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

#: What a neighbour may be besides a polygon's number plus one.
WALL = 0
PORTAL_PLUS_X, PORTAL_PLUS_Z, PORTAL_MINUS_X, PORTAL_MINUS_Z = 0x8000, 0x8002, 0x8004, 0x8006
HEADER_SIZE = 100
TILE_MAGIC = 0x444E4156
SET_MAGIC = 0x4D534554

Corner = tuple[float, float, float]


@dataclass
class DetourPolygon:
    """A polygon and its detail: triangles whose corners count the polygon's corners first, then `extra`."""

    corners: Sequence[int]
    neighbours: Sequence[int]
    flags: int = 1
    area: int = 1
    kind: int = 0
    triangles: Sequence[tuple[int, int, int]] = ()
    extra: Sequence[Corner] = ()


@dataclass
class DetourTileParts:
    """Everything that a tile's bytes are made from; tests change a part and write it."""

    vertices: Sequence[Corner]
    polygons: Sequence[DetourPolygon]
    x: int = 0
    y: int = 0
    layer: int = 0
    climb: float = 0.5
    height: float = 2.0
    radius: float = 0.5
    connections: Sequence[tuple[Corner, Corner]] = ()
    magic: int = TILE_MAGIC
    version: int = 7
    links: int = 5
    nodes: int = 3
    box: tuple[float, ...] = field(default=(0.0, 0.0, 0.0, 10.0, 5.0, 10.0))


def tile_bytes(parts: DetourTileParts, order: str = "<", wide: bool = False) -> bytes:
    """The bytes of a tile; `wide` is the layout with 64-bit references."""
    ground = [polygon for polygon in parts.polygons if polygon.kind == 0]
    extra = [corner for polygon in ground for corner in polygon.extra]
    triangles = [triangle for polygon in ground for triangle in polygon.triangles]
    data = struct.pack(
        order + "I14i9ff",
        parts.magic, parts.version, parts.x, parts.y, parts.layer, 0, len(parts.polygons), len(parts.vertices),
        parts.links, len(ground), len(extra), len(triangles), parts.nodes, len(parts.connections), len(ground),
        parts.height, parts.radius, parts.climb, *parts.box, 3.0,
    )  # fmt: skip
    for vertex in parts.vertices:
        data += struct.pack(order + "3f", *vertex)
    for polygon in parts.polygons:
        corners, neighbours = ([*values, *[0] * 6][:6] for values in (polygon.corners, polygon.neighbours))
        area_and_kind = polygon.area | polygon.kind << 6
        data += struct.pack(
            order + "I6H6HHBB", 0, *corners, *neighbours, polygon.flags, len(polygon.corners), area_and_kind
        )
    data += b"\xcd" * ((16 if wide else 12) * parts.links)
    vertex_base = triangle_base = 0
    for polygon in ground:
        counts = len(polygon.extra), len(polygon.triangles)
        data += struct.pack(order + "IIBBxx", vertex_base, triangle_base, *counts)
        vertex_base, triangle_base = vertex_base + counts[0], triangle_base + counts[1]
    for corner in extra:
        data += struct.pack(order + "3f", *corner)
    for triangle in triangles:
        data += struct.pack("4B", *triangle, 0)
    data += b"\xee" * (16 * parts.nodes)
    for start, end in parts.connections:
        data += struct.pack(order + "6ffHBBI", *start, *end, 0.5, len(ground), 0, 0xFF, 7)
    return data


def set_bytes(
    tiles: Sequence[bytes],
    order: str = "<",
    wide: bool = False,
    origin: Corner = (0.0, 0.0, 0.0),
    size: tuple[float, float] = (10.0, 10.0),
    version: int = 1,
) -> bytes:
    """The bytes of a set of tiles."""
    data = struct.pack(order + "I2i5f2i", SET_MAGIC, version, len(tiles), *origin, *size, 64, 1024)
    for index, tile in enumerate(tiles):
        data += struct.pack(order + ("Qi4x" if wide else "Ii"), index + 1, len(tile)) + tile
    return data


def box_tile(x: int, y: int, sides: Sequence[int], height: float = 0.0, **changes: object) -> DetourTileParts:
    """A tile of 10 m that one clockwise quad fills; `sides` are its neighbours at +z, +x, -z, -x."""
    x0, z0 = 10.0 * x, 10.0 * y
    vertices = [(x0, height, z0 + 10), (x0 + 10, height, z0 + 10), (x0 + 10, height, z0), (x0, height, z0)]
    parts = DetourTileParts(
        vertices,
        [DetourPolygon((0, 1, 2, 3), sides, triangles=((0, 1, 2), (0, 2, 3)))],
        x=x,
        y=y,
        box=(x0, height, z0, x0 + 10, height + 2, z0 + 10),
    )
    for name, value in changes.items():
        setattr(parts, name, value)
    return parts
