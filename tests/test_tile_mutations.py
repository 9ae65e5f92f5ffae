"""Damaged tiles: thousands of changed ones are refused by name, or taken and queried without harm.

Nearly all get a checksum that fits their damage, so that they reach the checks behind it.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from functools import cache
from random import Random

import pytest

from onepath import Level, NavMesh, NavMeshQuery, NodeModel, bake
from onepath.errors import TileFormatError
from onepath.mesh import Tile
from tests.baked import STANDARD
from tests.meshes import grid, settings_of
from tests.test_tile import sample_tile
from tests.tile_bytes import sealed

SECTIONS = {
    "header", "vertices", "polygon_offsets", "polygon_vertices", "polygon_neighbours", "border_sides", "areas", "flags",
    "detail_offsets", "detail_triangles", "detail_vertices", "volumes",
}  # fmt: skip
NUMBERS = (0, 1, -1, 2, 3, 7, 255, 1024, 1025, 65535, 65536, 2**21 - 1, 2**21, 2**24, 2**28, 2**31 - 1, -(2**31))
REALS = (0.0, -0.0, 1.0, -1.0, 8.0, 7.9999995, 1e-40, 1e-7, 3e38, math.inf, -math.inf, math.nan, 2.0**21, -(2.0**21))


@cache
def seeds() -> tuple[bytes, ...]:
    """Sound tiles of many shapes: by hand with detail, baked, with holes, empty."""
    level = Level()
    level.add_plane((0, 0), (16, 8))
    level.add_cylinder((5, 0, 4), 1.3, 2.0, sides=9)
    level.add_ramp((9, 0, 2), (13, 1.5, 2), 2.0)
    baked = [view.tile for view in bake(level, STANDARD).tiles()]
    squares = [view.tile for view in grid(16, 8, holes=[(2, 2), (3, 4)]).tiles()]
    empty = Tile.from_arrays(0, 0, [], [0], [], settings_of())
    return tuple(tile.to_bytes() for tile in [sample_tile(), *baked, *squares, empty])


# --- damage


def flip_bits(data: bytearray, random: Random) -> None:
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def put_number(data: bytearray, random: Random) -> None:
    at = random.randrange(2, len(data) // 4) * 4
    old = struct.unpack_from("<i", data, at)[0]
    nearby = [old + 1 & 0x7FFFFFFF, old - 1 & 0x7FFFFFFF]
    struct.pack_into("<i", data, at, random.choice((*NUMBERS, *nearby, *nearby)))


def put_real(data: bytearray, random: Random) -> None:
    if random.random() < 0.3:
        struct.pack_into("<d", data, 32 + 8 * random.randrange(7), random.choice(REALS))
    else:
        struct.pack_into("<f", data, random.randrange(32, len(data) // 4) * 4, random.choice(REALS))


def exchange(data: bytearray, random: Random) -> None:
    a, b = (random.randrange(2, len(data) // 4) * 4 for _ in range(2))
    data[a : a + 4], data[b : b + 4] = data[b : b + 4], data[a : a + 4]


def repeat_part(data: bytearray, random: Random) -> None:
    size = 4 * random.randrange(1, 8)
    a, b = (random.randrange(128 // 4, max(33, (len(data) - size) // 4)) * 4 for _ in range(2))
    data[a : a + size] = data[b : b + size]


def swap_bytes(data: bytearray, random: Random) -> None:
    at, size = random.randrange(2, len(data) // 8) * 8, random.choice((2, 4, 8))
    data[at : at + size] = data[at : at + size][::-1]


def move_vertex(data: bytearray, random: Random) -> None:
    """A step of a few units in the last place, or to another one's coordinate: what stays nearly sound."""
    count = min(3 * struct.unpack_from("<i", data, 108)[0], (len(data) - 128) // 4)
    if count > 0:
        at = 128 + 4 * random.randrange(count)
        bits = struct.unpack_from("<I", data, at)[0]
        struct.pack_into("<I", data, at, (bits + random.choice((-2, -1, 1, 2, 2**12, 2**20))) & 0xFFFFFFFF)


def cut_or_stretch(data: bytearray, random: Random) -> None:
    if random.random() < 0.5:
        del data[8 * random.randrange(len(data) // 8) :]
    else:
        data += random.randbytes(8 * random.randrange(1, 5))
    if len(data) >= 32:
        struct.pack_into("<q", data, 24, len(data))


DAMAGES = (flip_bits, put_number, put_number, put_real, exchange, repeat_part, swap_bytes, move_vertex, cut_or_stretch)


def damaged(random: Random) -> bytes:
    data = bytearray(random.choice(seeds()))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if len(data) > 200:
            random.choice(DAMAGES)(data, random)
        elif data:
            flip_bits(data, random)
    return sealed(data) if random.random() < 0.95 else bytes(data)


# --- what happens


def query(tile: Tile) -> None:
    """Everything that reads a tile's arrays, over a mesh of this tile alone."""
    mesh = NavMesh(tile.settings)
    mesh.stage_tile(tile)
    mesh.commit()
    size = tile.settings.tile_size
    height = max(-(2.0**20), min(2.0**20, tile.settings.vertical_origin))
    middle = ((tile.column + 0.5) * size, height, (tile.row + 0.5) * size)
    asked = NavMeshQuery(mesh, node_model=NodeModel.CROSSING)
    asked.find_nearest_polygon(middle, (size, 1e6, size))
    if tile.polygon_count == 0:
        return
    ends = [mesh.reference(tile.column, tile.row, polygon, tile.layer) for polygon in (0, tile.polygon_count - 1)]
    start, end = (tuple(mesh.polygon(reference).mean(axis=0)) for reference in ends)
    for reference in ends:
        asked.surface_height(reference, start)
    corridor = asked.find_corridor(ends[0], start, ends[1], end)
    if len(corridor.polygons):
        asked.find_straight_path(start, end, corridor)
        asked.find_straight_path(start, end, list(corridor.polygons))
    NavMeshQuery(mesh).find_path(start, end)
    assert mesh.walkable_area >= 0.0


def tried(count: int, seed: int) -> Counter[str]:
    """How often each section was refused, and "taken"."""
    random = Random(seed)
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        data = damaged(random)
        try:
            tile = Tile.from_bytes(data)
        except TileFormatError as error:
            assert error.section in SECTIONS
            assert error.section in str(error) or error.section == "header"
            outcomes[error.section] += 1
            continue
        assert tile.to_bytes() == data
        query(tile)
        outcomes["taken"] += 1
    return outcomes


def test_four_thousand_damaged_tiles_are_refused_by_name_or_do_no_harm() -> None:
    outcomes = tried(4000, 1)
    assert outcomes["taken"] > 200
    assert SECTIONS - set(outcomes) <= {"areas", "flags", "volumes"}


@pytest.mark.full
def test_two_hundred_thousand_damaged_tiles_are_refused_by_name_or_do_no_harm() -> None:
    outcomes = tried(200_000, 2)
    assert outcomes["taken"] > 10_000
    assert set(outcomes) == SECTIONS | {"taken"}


COUNTS = {"has_detail": 12, "size": 24, "vertices": 108, "polygons": 112, "edges": 116, "detail": 120, "triangles": 124}


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("count", [2**31 - 1, -1, 2**24 - 1, -(2**31), 2**21 - 1])
def test_a_huge_count_is_refused_before_anything_is_asked_of_it(name: str, count: int) -> None:
    for seed in seeds():
        data = bytearray(seed)
        struct.pack_into("<i", data, COUNTS[name], count)
        with pytest.raises(TileFormatError) as caught:
            Tile.from_bytes(sealed(data))
        assert caught.value.section == "header"
