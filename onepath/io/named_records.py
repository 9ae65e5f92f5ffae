"""Names in a navmesh file: of areas with their ids and costs, of volumes with the areas they were given."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache

from onepath.errors import ArgumentError, TileFormatError
from onepath.geometry.areas import Areas

__all__ = ["decode_areas", "decode_volumes", "encode_areas", "encode_volumes"]

AREA_HEAD = struct.Struct("<dHH")  # cost, id, length of the name in UTF-8, which follows
VOLUME_HEAD = struct.Struct("<hH")  # area or -1, length of the name
NO_AREA = -1


def encode_areas(areas: Areas) -> bytes:
    """The section "names"."""
    parts = []
    for name, (area, cost) in areas.to_dict().items():
        text = _text(name)
        parts += [AREA_HEAD.pack(cost, area, len(text)), text]
    return b"".join(parts)


@lru_cache(maxsize=16)  # levels of one game have the same few names
def decode_areas(section: bytes) -> Areas:
    """The areas in the section. TileFormatError naming it and the element."""
    entries = {name: (area, cost) for name, (cost, area) in _entries("names", section, AREA_HEAD)}
    try:
        areas = Areas.from_dict(entries)
    except ArgumentError as error:
        raise TileFormatError(f"the file's areas are refused: {error}", "names") from None
    if encode_areas(areas) != section:
        raise TileFormatError("the areas are not written as this library writes them", "names")
    return areas


def encode_volumes(names: Sequence[str], areas: Mapping[int, int]) -> bytes:
    """The section "volumes": names in order, and the area given to each volume, counted from 1, for good."""
    parts = []
    for volume, name in enumerate(names, 1):
        text = _text(name)
        parts += [VOLUME_HEAD.pack(areas.get(volume, NO_AREA), len(text)), text]
    return b"".join(parts)


def decode_volumes(section: bytes) -> tuple[list[str], dict[int, int]]:
    """What `encode_volumes` was given."""
    entries = _entries("volumes", section, VOLUME_HEAD)
    for index, (_, (area,)) in enumerate(entries):
        if not NO_AREA <= area <= 255:
            raise TileFormatError(f"volume {index} has the area {area}", "volumes", index)
    return [name for name, _ in entries], {
        volume: area for volume, (_, (area,)) in enumerate(entries, 1) if area != NO_AREA
    }


def _text(name: str) -> bytes:
    text = name.encode("utf-8", "surrogatepass")
    if len(text) > 0xFFFF:
        raise ArgumentError(
            f"the name {name[:20]!r}... has {len(text)} bytes, more than the 65535 that a file can hold"
        )
    return text


def _entries(section: str, data: bytes, head: struct.Struct) -> list[tuple[str, tuple[int, ...]]]:
    """(name, numbers) of every entry; names differ."""
    found: dict[str, tuple[int, ...]] = {}
    at = 0
    while at < len(data):
        index = len(found)
        if len(data) - at < head.size:
            raise TileFormatError(f"section {section} ends within element {index}", section, index)
        *numbers, length = head.unpack_from(data, at)
        at += head.size
        if length > len(data) - at:
            raise TileFormatError(f"section {section} ends within the name of element {index}", section, index)
        try:
            name = data[at : at + length].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise TileFormatError(f"section {section}, element {index}: {error}", section, index) from None
        if name in found:
            raise TileFormatError(f"section {section} has {name!r} twice", section, index)
        found[name] = tuple(numbers)
        at += length
    return list(found.items())
