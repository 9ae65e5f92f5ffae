"""Detour's sets and tiles: what comes over, both byte orders and sizes of reference, and that damage is named."""

from __future__ import annotations

import dataclasses
import struct
import tracemalloc
from pathlib import Path

import pytest

from onepath import QueryFilter
from onepath.errors import TileFormatError
from onepath.io import load_detour
from onepath.io.detour import decode_detour
from onepath.mesh import LinkDef
from tests.detour_files import (
    HEADER_SIZE,
    PORTAL_MINUS_X,
    PORTAL_PLUS_X,
    WALL,
    DetourPolygon,
    DetourTileParts,
    box_tile,
    set_bytes,
    tile_bytes,
)


def pair_of_tiles(step: float = 0.0, portal: bool = True) -> list[DetourTileParts]:
    """Two tiles along x whose quads meet at x = 10."""
    out, back = (PORTAL_PLUS_X, PORTAL_MINUS_X) if portal else (WALL, WALL)
    return [box_tile(0, 0, (WALL, out, WALL, WALL)), box_tile(1, 0, (WALL, WALL, WALL, back), step)]


def two_polygons() -> DetourTileParts:
    """One tile of a quad and a triangle that are neighbours, the quad with a hump of detail."""
    vertices = [(1.0, 1.0, 9.0), (5.0, 1.0, 9.0), (5.0, 1.0, 1.0), (1.0, 1.0, 1.0), (9.0, 1.0, 5.0)]
    hump = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
    return DetourTileParts(
        vertices,
        [
            DetourPolygon((0, 1, 2, 3), (WALL, 2, WALL, WALL), 5, 0, triangles=hump, extra=[(3.0, 2.0, 5.0)]),
            DetourPolygon((1, 4, 2), (WALL, WALL, 1), 65535, 63, triangles=[(0, 1, 2)]),
        ],
    )


def set_of(tiles: list[DetourTileParts], order: str = "<", wide: bool = False) -> bytes:
    return set_bytes([tile_bytes(tile, order, wide) for tile in tiles], order, wide)


# --- what comes over


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("wide", [False, True])
def test_both_byte_orders_and_reference_sizes_give_one_mesh(order: str, wide: bool) -> None:
    plain = decode_detour(set_of(pair_of_tiles()))
    mesh = decode_detour(set_of(pair_of_tiles(), order, wide))
    assert [view.tile for view in mesh.tiles()] == [view.tile for view in plain.tiles()]
    bare = b"".join(tile_bytes(tile, order, wide) for tile in pair_of_tiles())
    assert [view.tile for view in decode_detour(bare).tiles()] == [view.tile for view in plain.tiles()]


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "level.bin"
    path.write_bytes(set_of(pair_of_tiles()))
    assert load_detour(path).walkable_area == load_detour(str(path)).walkable_area == 200.0


def test_areas_flags_and_the_agent_come_over() -> None:
    mesh = decode_detour(tile_bytes(two_polygons()))
    (view,) = mesh.tiles()
    assert view.areas.tolist() == [64, 63]
    assert view.flags.tolist() == [5, 65535]
    agent = mesh.settings.agent
    assert (agent.radius, agent.height, agent.max_climb) == (0.5, 2.0, 0.5)
    assert mesh.walkable_area == 32 + 16
    assert mesh.find_path((2, 1, 2), (8, 1, 5), filter=QueryFilter(include_flags=4))
    assert not mesh.find_path((2, 1, 2), (8, 1, 5), filter=QueryFilter(include_flags=4, exclude_flags=2))


def test_detail_gives_the_heights() -> None:
    mesh = decode_detour(tile_bytes(two_polygons()))
    for x, z, y in ((3, 5, 2.0), (3, 3, 1.5), (2, 5, 1.5), (1.5, 1.25, 1.0625), (7, 5, 1.0)):
        assert mesh.snap((x, y, z)).point == pytest.approx((x, y, z), abs=1e-6)


def test_detail_is_kept_in_tiles_that_cut_it() -> None:
    parts = two_polygons()
    parts.vertices = [(x - 3.5, y, z - 4.5) for x, y, z in parts.vertices]
    parts.polygons[0].extra = [(-0.5, 2.0, 0.5)]
    mesh = decode_detour(tile_bytes(parts))
    assert mesh.tile_count == 4
    assert mesh.walkable_area == 48
    for x, z, y in ((3, 5, 2.0), (3, 3, 1.5), (2, 5, 1.5), (4.5, 7, 1.25), (7, 5, 1.0)):
        assert mesh.snap((x - 3.5, y, z - 4.5)).point == pytest.approx((x - 3.5, y, z - 4.5), abs=1e-5)


@pytest.mark.parametrize(
    ("step", "portal", "passes"), [(0, True, True), (0.5, True, True), (0.6, True, False), (0, False, False)]
)
def test_portals_join_tiles_within_the_climb_and_walls_do_not(step: float, portal: bool, passes: bool) -> None:
    mesh = decode_detour(set_of(pair_of_tiles(step, portal)))
    assert bool(mesh.find_path((2, 0, 2), (18, step, 8))) is passes
    assert mesh.snap((11, step, 5)).point == pytest.approx((11, step, 5), abs=1e-6)


def test_a_portal_joins_edges_of_other_lengths() -> None:
    left, right = pair_of_tiles()
    right.vertices = [(10.000001, 0, 6), (20, 0, 10), (20, 0, 0), (10.000001, 0, 3)]
    mesh = decode_detour(set_of([left, right]))
    path = mesh.find_path((9, 0, 9.5), (11, 0, 4))
    assert path
    assert path.points[1] == pytest.approx((10, 0, 6), abs=1e-5)


def test_layers_of_one_place_stay_apart() -> None:
    low, high = box_tile(0, 0, (WALL,) * 4), box_tile(0, 0, (WALL,) * 4, 3.0, layer=1)
    mesh = decode_detour(set_of([low, high]))
    assert mesh.polygon_count == 2
    assert not mesh.find_path((1, 0, 1), (9, 3, 9))


def tile_with_connection(start: tuple[float, float, float], end: tuple[float, float, float]) -> DetourTileParts:
    """Two boxes with a gap of 4 m between them, and a connection one way."""
    vertices = [(0, 0, 8), (3, 0, 8), (3, 0, 0), (0, 0, 0), (7, 0, 8), (10, 0, 8), (10, 0, 0), (7, 0, 0), start, end]
    return DetourTileParts(
        vertices,
        [
            DetourPolygon((0, 1, 2, 3), (WALL,) * 4),
            DetourPolygon((4, 5, 6, 7), (WALL,) * 4),
            DetourPolygon((8, 9), (0, 0), flags=8, area=5, kind=1),
        ],
        connections=[(start, end)],
    )


def test_off_mesh_connections_become_links() -> None:
    mesh = decode_detour(tile_bytes(tile_with_connection((2.5, 0.25, 4), (7.5, 0, 4))))
    assert mesh.report.links == 1
    assert mesh.report.warnings == ()
    assert mesh.polygon_count == 2
    (link,) = mesh.link_records()
    assert link.definition == LinkDef(
        (2.5, 0.25, 4), (7.5, 0, 4), 0.5, 0.5, bidirectional=False, area=5, flags=8, data=7
    )
    state = mesh.link_state(link.id)
    assert state
    assert (state.start.point, state.end.point) == ((2.5, 0, 4), (7.5, 0, 4))


def test_a_connection_that_goes_both_ways_is_a_link_both_ways() -> None:
    data = bytearray(tile_bytes(tile_with_connection((2.5, 0, 4), (7.5, 0, 4))))
    data[-6] = 1
    (link,) = decode_detour(bytes(data)).link_records()
    assert link.definition.bidirectional


def test_a_connection_that_reaches_no_polygon_is_said() -> None:
    with pytest.warns(UserWarning, match="1 off-mesh connections reach no polygon"):
        mesh = decode_detour(tile_bytes(tile_with_connection((2.5, 0, 4), (5, 0, 4))))
    assert mesh.report.links == 1
    assert not mesh.link_state(mesh.link_records()[0].id)


@pytest.mark.parametrize(
    ("offset", "form", "value"), [(-12, "<f", -1.0), (-36, "<f", float("nan")), (-8, "<H", 1), (-8, "<H", 9)]
)
def test_a_damaged_connection_is_named(offset: int, form: str, value: object) -> None:
    data = bytearray(tile_bytes(tile_with_connection((2.5, 0, 4), (7.5, 0, 4))))
    struct.pack_into(form, data, len(data) + offset, value)
    with pytest.raises(TileFormatError, match="section off_mesh, element 0") as caught:
        decode_detour(bytes(data))
    assert (caught.value.section, caught.value.element) == ("off_mesh", 0)


def test_a_set_without_tiles_is_an_empty_mesh() -> None:
    assert decode_detour(set_of([])).tile_count == 0


# --- damage


def damaged(offset: int, form: str, value: object, data: bytes | None = None) -> bytes:
    changed = bytearray(tile_bytes(two_polygons()) if data is None else data)
    struct.pack_into(form, changed, offset, value)
    return bytes(changed)


POLYGONS = HEADER_SIZE + 12 * 5
MESHES = POLYGONS + 32 * 2 + 12 * 5
TRIANGLES = MESHES + 12 * 2 + 12


@pytest.mark.parametrize(
    ("offset", "form", "value", "message", "section", "element"),
    [
        (0, "<I", 0x12345678, "neither as a Detour set nor as a tile", "header", -1),
        (0, "4s", b"TESM", "the set has version 7; this library reads 1", "header", -1),
        (0, "4s", b"TEST", "a set of a tile cache", "header", -1),
        (4, "<i", 6, "tile 0 has version 6; this library reads 7", "header", -1),
        (24, "<i", -1, "says -1 polygons", "header", -1),
        (24, "<i", 2**31 - 1, "its counts say", "header", -1),
        (28, "<i", 4, "its counts say", "header", -1),
        (60, "<f", 0.0, "AgentShape.height is 0.0", "header", -1),
        (68, "<f", float("nan"), "not finite", "header", -1),
        (HEADER_SIZE + 12 * 3 + 4, "<f", float("inf"), "section vertices, element 3 is not finite", "vertices", 3),
        (POLYGONS + 4, "<H", 5, "section polygons, element 0 names a vertex", "polygons", 0),
        (POLYGONS + 30, "<B", 2, "element 0 has fewer than 3", "polygons", 0),
        (POLYGONS + 30, "<B", 7, "element 0 has fewer than 3 or more than 6", "polygons", 0),
        (POLYGONS + 31, "<B", 0x80, "element 0 is neither ground nor", "polygons", 0),
        (POLYGONS + 32 + 16 + 4, "<H", 3, "element 1 names a neighbour", "polygons", 1),
        (HEADER_SIZE + 12 * 3 + 8, "<f", 9.5, "tile 0, polygon 0 is not convex", "polygons", -1),
        (MESHES, "<I", 2, "section detail_meshes, element 0 names vertices beyond", "detail_meshes", 0),
        (MESHES + 12 + 4, "<I", 5, "section detail_meshes, element 1 names triangles beyond", "detail_meshes", 1),
        (TRIANGLES + 4 * 4, "<B", 3, "section detail_triangles, element 4 names a vertex", "detail_triangles", 4),
        (TRIANGLES - 12, "<f", float("nan"), "section detail_vertices, element 0 is not", "detail_vertices", 0),
    ],
)
def test_damage_is_named(offset: int, form: str, value: object, message: str, section: str, element: int) -> None:
    with pytest.raises(TileFormatError, match=message) as caught:
        decode_detour(damaged(offset, form, value))
    assert (caught.value.section, caught.value.element) == (section, element)


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (4, "<i", 2, "the set has version 2"),
        (8, "<i", -1, "says -1 tiles"),
        (8, "<i", 2**31 - 1, "says 2147483647 tiles, which"),
        (8, "<i", 3, "tile 2 does not begin with the word"),
        (8, "<i", 1, "bytes follow the last tile"),
        (12, "<f", float("inf"), "origin and tile sizes"),
        (24, "<f", -1.0, "origin and tile sizes"),
        (44, "<i", 2**30, "tile 0 has 1073741824 bytes"),
        (44, "<i", 50, "tile 0 has 50 bytes"),
        (48, "<I", 0, "tile 0 does not begin with the word"),
        (48 + 8, "<i", 1, "tiles 0 and 1 both lie at"),
    ],
)
def test_damage_of_a_set_is_named(offset: int, form: str, value: object, message: str) -> None:
    with pytest.raises(TileFormatError, match=message):
        decode_detour(damaged(offset, form, value, set_of(pair_of_tiles())))


@pytest.mark.parametrize(
    "data", [set_of(pair_of_tiles()), tile_bytes(two_polygons()), set_of(pair_of_tiles(), ">", True)]
)
def test_every_shorter_length_is_refused(data: bytes) -> None:
    for length in range(len(data)):
        with pytest.raises(TileFormatError):
            decode_detour(data[:length])


def test_an_edge_whose_neighbour_does_not_know_it_is_a_wall() -> None:
    parts = two_polygons()
    parts.polygons[1] = dataclasses.replace(parts.polygons[1], neighbours=(WALL, WALL, WALL))
    with pytest.warns(UserWarning, match="1 edges name a neighbour that does not name them"):
        mesh = decode_detour(tile_bytes(parts))
    assert not mesh.find_path((2, 1, 2), (8, 1, 5))


def test_huge_counts_are_refused_without_large_allocations() -> None:
    tracemalloc.start()
    try:
        for offset in (24, 28, 32, 36, 40, 44, 48, 52):
            with pytest.raises(TileFormatError):
                decode_detour(damaged(offset, "<i", 2**31 - 1))
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
