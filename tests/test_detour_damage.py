"""Damaged files of Detour: thousands of changed ones are refused by name, or make a mesh that every query reads
without harm."""

from __future__ import annotations

import math
import struct
import warnings
from collections import Counter
from functools import cache
from random import Random

import pytest

from onepath import NavMesh, NavMeshQuery, NodeModel
from onepath.errors import TileFormatError
from onepath.io.detour import decode_detour
from tests.detour_files import PORTAL_MINUS_X, PORTAL_MINUS_Z, PORTAL_PLUS_X, PORTAL_PLUS_Z, tile_bytes
from tests.test_load_detour import pair_of_tiles, set_of, tile_with_connection, two_polygons

SECTIONS = {
    "header", "tiles", "vertices", "polygons", "detail_meshes", "detail_vertices", "detail_triangles", "off_mesh",
}  # fmt: skip
SHORT = (0, 1, 2, 3, 5, 6, 7, 255, 0x7FFF, 0xFFFF, PORTAL_PLUS_X, PORTAL_PLUS_Z, PORTAL_MINUS_X, PORTAL_MINUS_Z)
REALS = (
    0.0, -0.0, 1.0, -1.0, 5.0, 10.0, 9.999999, 1e-40, 1e-7, 1e5, 3e38, 2.0**21, -(2.0**21), 2.0**21 - 0.25,
    math.inf, -math.inf, math.nan,
)  # fmt: skip


@cache
def fine() -> tuple[bytes, ...]:
    """Sets and bare tiles, in both byte orders and sizes, with detail, off-mesh connections and tiles that ours cut."""
    across = two_polygons()
    across.vertices = [(x - 3.5, y, z - 4.5) for x, y, z in across.vertices]
    across.polygons[0].extra = [(-0.5, 2.0, 0.5)]
    bent = pair_of_tiles()
    bent[1].vertices = [(10.000001, 0, 6), (20, 0, 10), (20, 0, 0), (10.000001, 0, 3)]
    connected = tile_bytes(tile_with_connection((2.5, 0.25, 4), (7.5, 0, 4)))
    bare = tile_bytes(two_polygons())
    return (
        set_of(pair_of_tiles()),
        bare,
        set_of([two_polygons()], ">", True),
        connected,
        tile_bytes(across),
        set_of(bent),
    )


# --- damage


def flip_bit(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def put_byte(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] = random.randrange(256)


def put_short(data: bytearray, random: Random) -> None:
    struct.pack_into(random.choice("<>") + "H", data, random.randrange(len(data) // 2) * 2, random.choice(SHORT))


def put_real(data: bytearray, random: Random) -> None:
    struct.pack_into(random.choice("<>") + "f", data, random.randrange(len(data) // 4) * 4, random.choice(REALS))


def step_number(data: bytearray, random: Random) -> None:
    """A count, an index or a coordinate that is nearly what it was."""
    form, at = random.choice("<>") + "I", random.randrange(len(data) // 4) * 4
    number = struct.unpack_from(form, data, at)[0]
    struct.pack_into(form, data, at, number + random.choice((-2, -1, 1, 2, 2**12, 2**20)) & 0xFFFFFFFF)


def exchange(data: bytearray, random: Random) -> None:
    a, b = (random.randrange(len(data) // 4) * 4 for _ in range(2))
    data[a : a + 4], data[b : b + 4] = data[b : b + 4], data[a : a + 4]


def repeat_part(data: bytearray, random: Random) -> None:
    size = 4 * random.randrange(1, 9)
    a, b = (random.randrange((len(data) - size) // 4) * 4 for _ in range(2))
    data[a : a + size] = data[b : b + size]


def cut(data: bytearray, random: Random) -> None:
    del data[random.randrange(100, len(data)) :]


DAMAGES = (flip_bit, put_byte, put_short, put_real, step_number, exchange, repeat_part)


def damaged(random: Random) -> bytes:
    data = bytearray(random.choice(fine()))
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        random.choice(DAMAGES)(data, random)
    if random.random() < 0.02:
        cut(data, random)
    return bytes(data)


# --- what happens


def query(mesh: NavMesh, random: Random) -> None:
    """Everything that reads a mesh, between two of its polygons."""
    assert mesh.walkable_area >= 0.0
    assert NavMesh.from_bytes(mesh.to_bytes()).to_bytes() == mesh.to_bytes()
    references = [reference for view in mesh.tiles() for reference in view.references.tolist()]
    if not references:
        return
    mesh.islands()
    mesh.random_points(2, seed=1)
    a, b = random.choice(references), random.choice(references)
    start, end = (tuple(mesh.polygon(reference).mean(axis=0)) for reference in (a, b))
    for model in NodeModel:
        asked = NavMeshQuery(mesh, node_model=model)
        asked.find_path(start, end)
        corridor = asked.find_corridor(a, start, b, end)
        if len(corridor.polygons):
            asked.find_straight_path(start, end, corridor)
    asked.raycast(a, start, end)
    asked.move_along_surface(a, start, end)
    asked.distance_to_wall(a, start, 5.0)
    asked.find_nearest_polygon(start, (1, 1000, 1))
    asked.surface_height(a, start)


def tried(count: int, seed: int) -> Counter[str]:
    """How often each section was refused, and "taken"."""
    random = Random(seed)
    outcomes: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what could not be taken over is said
        warnings.simplefilter("error", RuntimeWarning)
        for _ in range(count):
            try:
                mesh = decode_detour(damaged(random))
            except TileFormatError as error:
                assert error.section in SECTIONS
                outcomes[error.section] += 1
                continue
            query(mesh, random)
            outcomes["taken"] += 1
    return outcomes


def test_two_thousand_damaged_files_are_refused_by_name_or_do_no_harm() -> None:
    outcomes = tried(2000, 1)
    assert outcomes["taken"] > 500
    assert set(outcomes) - {"taken"} == SECTIONS


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_two_hundred_thousand_damaged_files_are_refused_by_name_or_do_no_harm(block: int) -> None:
    assert tried(10_000, 100 + block)["taken"] > 3000
