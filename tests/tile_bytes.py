"""Tile bytes with changes in them, and the checksum made to fit again, so that the checks behind it are reached."""

from __future__ import annotations

import struct

from onepath.mesh._checksum import checksum_of
from onepath.mesh._tile import Tile

CHECKSUM_AT = 16
CHECKED_FROM = 24


def sealed(data: bytes | bytearray) -> bytes:
    """The bytes with the checksum that they should have; what is too short to have one stays as it is."""
    data = bytearray(data)
    if len(data) >= CHECKED_FROM and len(data) % 8 == 0:
        struct.pack_into("<Q", data, CHECKSUM_AT, checksum_of(bytes(data[CHECKED_FROM:])))
    return bytes(data)


def section_start(tile: Tile, name: str) -> int:
    """Where a section begins in the tile's bytes."""
    section = tile.section(name)
    whole = tile.section("vertices")
    first = whole.__array_interface__["data"][0]
    return 128 + section.__array_interface__["data"][0] - first
