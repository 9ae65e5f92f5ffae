"""Tiles: what is found in a host's arrays, what is refused and how it is named, and the bytes."""

from __future__ import annotations

import pickle
import struct
from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, TileFormatError
from onepath.mesh import MeshSettings, NavMesh, Tile
from onepath.mesh._tile import tile_from_cells
from tests.meshes import rectangle, settings_of, tile_of
from tests.tile_bytes import sealed

SETTINGS = settings_of(8)
SQUARE = rectangle(2, 2, 4, 4)


def tile_from(vertices: list[tuple[float, float, float]], **options: object) -> Tile:
    """A tile of one polygon over all vertices."""
    count = len(vertices)
    return Tile.from_arrays(0, 0, vertices, [0, count], list(range(count)), SETTINGS, **options)  # type: ignore[arg-type]


def sample_tile() -> Tile:
    """Three polygons, two of them neighbours, sides touched, heights, areas, flags and detail."""
    vertices = [(0, 0, 0), (0, 1, 4), (4, 0.5, 4), (4, 0, 0), (8, 0, 4), (8, 0, 0), (1, 3, 8), (5, 3, 8), (2, 3, 6)]
    return Tile.from_arrays(
        2,
        -1,
        vertices,
        [0, 4, 8, 11],
        [0, 1, 2, 3, 3, 2, 4, 5, 6, 7, 8],
        SETTINGS,
        areas=[63, 4, 255],
        flags=[1, 0x8001, 0],
        detail=([0, 2, 2, 3], [(0, 1, 9), (0, 9, 3), (6, 7, 8)], [(2, 0.75, 2)]),
    )


# --- what is found


def test_polygons_that_share_two_corners_in_a_row_are_neighbours() -> None:
    tile = tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], SETTINGS)
    assert tile.section("polygon_neighbours").tolist() == [-1, -1, 1, -1, 0, -1, -1, -1]


def test_equal_positions_become_one_vertex() -> None:
    tile = tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], SETTINGS)
    assert tile.vertex_count == 6


def test_polygons_over_each_other_are_no_neighbours() -> None:
    tile = tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4, y=0.25)], SETTINGS)
    assert (tile.section("polygon_neighbours") == -1).all()


def test_edges_on_the_tile_s_square_name_their_side() -> None:
    tile = tile_of(0, 0, [rectangle(0, 0, 8, 8)], SETTINGS)
    assert tile.section("border_sides").tolist() == [0, 1, 2, 3]


def test_areas_are_ground_and_flags_one_by_default() -> None:
    tile = tile_from(SQUARE)
    assert (tile.section("areas").tolist(), tile.section("flags").tolist()) == ([63], [1])


def test_vertices_that_no_polygon_uses_are_dropped() -> None:
    tile = Tile.from_arrays(0, 0, [(99, 0, 0), *SQUARE], [0, 4], [1, 2, 3, 4], SETTINGS)
    assert tile.section("vertices").tolist() == [list(corner) for corner in SQUARE]


def test_detail_names_the_welded_vertices() -> None:
    tile = sample_tile()
    assert tile.has_detail
    assert tile.section("detail_triangles").tolist() == [[0, 1, 9], [0, 9, 3], [6, 7, 8]]
    assert tile.section("detail_offsets").tolist() == [0, 2, 2, 3]


def test_a_tile_may_be_empty() -> None:
    tile = Tile.from_arrays(5, 6, [], [0], [], SETTINGS)
    assert (tile.polygon_count, tile.vertex_count) == (0, 0)
    assert Tile.from_bytes(tile.to_bytes()) == tile


def test_collinear_corners_may_bend_inward_by_float32_rounding() -> None:
    bent = 8 * 2.0**-21
    tile_from([(0, 0, 0), (bent, 0, 2), (0, 0, 4), (4, 0, 4), (4, 0, 0)])
    with pytest.raises(ArgumentError, match=r"polygon 0 .* is not convex"):
        tile_from([(0, 0, 0), (4 * bent, 0, 2), (0, 0, 4), (4, 0, 4), (4, 0, 0)])


@pytest.mark.parametrize("cell_size", [0.3, 0.1, 1.0, 0.07])
def test_cells_and_rows_become_the_same_tile_as_their_float32_products(cell_size: float) -> None:
    settings = MeshSettings(cell_size=cell_size, cell_height=0.2, tile_cells=48)
    cells = np.array([(0, 3, 0), (0, 5, 48), (20, 4, 48), (20, 3, 0), (48, 7, 31), (48, 3, 0)], np.int32)
    offsets, corners = np.array([0, 4, 8], np.int32), np.array([0, 1, 2, 3, 3, 2, 4, 5], np.int32)
    neighbours = np.array([-1, -1, 1, -1, 0, -1, -1, -1], np.int32)
    sides = np.array([0, 1, -1, 3, -1, -1, 2, 3], np.int8)
    baked = tile_from_cells(1, 2, cells, offsets, corners, neighbours, sides, np.array([63, 5], np.uint8), settings)
    size, height = np.float32(cell_size), np.float32(0.2)
    vertices = cells.astype(np.float32) * np.array([size, height, size])
    assert vertices.dtype == np.float32
    assert baked == Tile.from_arrays(1, 2, vertices, offsets, corners, settings, areas=[63, 5])
    assert vertices[:, 0].max() == settings.tile_size


# --- what is refused

BAD_POLYGONS = {
    "clockwise": (SQUARE[::-1], "polygon 0"),
    "not convex": ([(0, 0, 0), (2, 0, 2), (0, 0, 4), (4, 0, 4), (4, 0, 0)], "not convex"),
    "a corner that turns straight back": ([(0, 0, 0), (0, 0, 6), (0, 0, 4), (4, 0, 4), (4, 0, 0)], "not convex"),
    "an outline that goes round twice": (
        [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0), (0, 1, 0), (0, 1, 4), (4, 1, 4), (4, 1, 0)],
        "the same corner twice",
    ),
    "a star": ([(4, 0, 0), (1, 0, 8), (8, 0, 3), (0, 0, 3), (7, 0, 8)], "not convex"),
    "an edge straight up": ([(0, 0, 0), (0, 1, 0), (0, 0, 4), (4, 0, 4)], "without length in X and Z"),
    "no area": ([(0, 0, 0), (0, 0, 4), (0, 0, 8)], "polygon 0"),
    "two corners": (SQUARE[:2], "polygon 0 has 2 corners"),
    "outside the square": ([(2, 0, 2), (2, 0, 9), (4, 0, 4)], r"vertices\[1\]"),
    "not a number": ([(2, 0, 2), (2, float("nan"), 4), (4, 0, 4)], r"vertices\[1\]"),
    "infinite": ([(2, 0, 2), (2, 0, 4), (float("inf"), 0, 4)], r"vertices\[2\]"),
    "above the world": ([(2, 0, 2), (2, 3e6, 4), (4, 0, 4)], "outside the tile's square or where positions end"),
}


@pytest.mark.parametrize("name", BAD_POLYGONS)
def test_a_bad_polygon_is_refused_and_named(name: str) -> None:
    corners, message = BAD_POLYGONS[name]
    with pytest.raises(ArgumentError, match=message):
        tile_from(corners)


def test_an_outline_round_twice_within_the_tolerance_is_refused() -> None:
    shift = 2.0**-22
    once = [(1, 0, 1), (1, 0, 1.5), (1.5, 0, 1.5), (1.5, 0, 1)]
    again = [(x + shift, y, z + shift) for x, y, z in once]
    with pytest.raises(ArgumentError, match="not convex"):
        tile_from(once + again)


def test_an_outline_that_zigzags_within_the_tolerance_is_refused() -> None:
    """A sliver thinner than the tolerance, so that no corner lies too far behind any edge."""
    inward = 2.0**-22
    tile_from([(0, 0, 0), (0, 0, 6), (3 * inward, 0, 3.5)])
    with pytest.raises(ArgumentError, match="not convex"):
        tile_from([(0, 0, 0), (0, 0, 4), (inward, 0, 3), (0, 0, 6), (3 * inward, 0, 3.5)])


def test_an_edge_that_would_vanish_far_from_the_origin_is_refused() -> None:
    tile_from([(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0), (2.0**-30, 0, 0)])
    with pytest.raises(ArgumentError, match="without length"):
        tile_from([(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0), (2.0**-31, 0, 0)])


def test_the_second_polygon_is_the_one_named() -> None:
    with pytest.raises(ArgumentError, match="polygon 1 "):
        Tile.from_arrays(0, 0, [*SQUARE, *rectangle(5, 5, 7, 7)[::-1]], [0, 4, 8], range(8), SETTINGS)


def test_polygons_on_the_same_side_of_an_edge_are_refused() -> None:
    with pytest.raises(ArgumentError, match="polygon 1 lies on the same side of an edge as polygon 0"):
        tile_of(0, 0, [rectangle(0, 0, 4, 4), [(0, 0, 0), (0, 0, 4), (3, 0, 2)]], SETTINGS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"areas": [256]}, r"areas\[0\] is 256"),
        ({"areas": [1, 2]}, "areas has 2 elements for 1 polygons"),
        ({"flags": [-1]}, r"flags\[0\] is -1"),
        ({"flags": [1.5]}, "flags has the type float64"),
        ({"layer": -1}, "layer is -1"),
        ({"layer": True}, "layer is True"),
        ({"detail": 5}, "detail is not a tuple"),
        ({"detail": ([0, 1], [(0, 1, 99)], [])}, "detail triangles"),
        ({"detail": ([0, 2], [(0, 1, 2)], [])}, "detail offsets"),
    ],
)
def test_a_bad_argument_is_refused_and_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        tile_from(SQUARE, **change)


@pytest.mark.parametrize(
    ("offsets", "corners", "message"),
    [
        ([], [], "polygon_offsets is empty"),
        ([0, 5], [0, 1, 2, 3], "polygon_offsets runs from 0 to 5"),
        ([1, 4], [0, 1, 2, 3], "polygon_offsets runs from 1 to 4"),
        ([0, 4], [0, 1, 2, 4], r"polygon_vertices\[3\] is 4"),
        ([0, 4], [0, 1, 2, -1], r"polygon_vertices\[3\] is -1"),
        ([0, 4], [0, 1, 2, 2], "the same corner twice|without length"),
        ([0, 3, 1, 4], [0, 1, 2, 3], "polygon 1 has -2 corners"),
    ],
)
def test_bad_indices_are_refused_and_named(offsets: list[int], corners: list[int], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Tile.from_arrays(0, 0, SQUARE, offsets, corners, SETTINGS)


@pytest.mark.parametrize("place", [(2**18, 0), (0, -(2**18) - 1), (2**70, 0), (1.5, 0), ("a", 0)])
def test_a_place_outside_the_world_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(ArgumentError, match=r"column|row"):
        Tile.from_arrays(*place, SQUARE, [0, 4], range(4), SETTINGS)


@pytest.mark.parametrize("place", [(2**18 - 1, 0), (0, 2**18 - 1), (-(2**18), 0), (0, -(2**18))])
def test_corners_end_before_positions_do(place: tuple[int, int]) -> None:
    """What is answered on a tile is a position that may be asked about: nothing lies at 2**21 metres itself."""
    corners = np.array([(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0)], np.float64)
    with pytest.raises(ArgumentError, match="where positions end"):
        Tile.from_arrays(*place, corners, [0, 4], range(4), SETTINGS)
    inside = np.clip(corners, 2.0**-21, 8 - 2.0**-20)
    mesh = NavMesh(SETTINGS)
    mesh.stage_tile(Tile.from_arrays(*place, inside, [0, 4], range(4), SETTINGS))
    mesh.commit()
    there = mesh.polygon(mesh.reference(*place, 0))
    assert np.abs(there).max() < 2.0**21
    for corner in map(tuple, there.tolist()):
        assert mesh.snap(corner).point == corner


def test_settings_of_another_kind_are_refused() -> None:
    with pytest.raises(ArgumentError, match="settings is None"):
        Tile.from_arrays(0, 0, SQUARE, [0, 4], range(4), None)  # type: ignore[arg-type]


# --- bytes


def test_bytes_make_the_same_tile_again() -> None:
    tile = sample_tile()
    again = Tile.from_bytes(tile.to_bytes())
    assert again == tile
    assert hash(again) == hash(tile)
    assert again.to_bytes() == tile.to_bytes()
    assert again.settings == SETTINGS


def test_any_buffer_will_do_and_is_copied() -> None:
    tile = sample_tile()
    data = bytearray(b"x" + tile.to_bytes())
    again = Tile.from_bytes(memoryview(data)[1:])
    data[:] = bytes(len(data))
    assert again == tile


def test_what_is_no_buffer_is_refused() -> None:
    with pytest.raises(ArgumentError, match="data is a int"):
        Tile.from_bytes(5)  # type: ignore[arg-type]


def test_a_tile_is_pickled_by_its_bytes() -> None:
    assert pickle.loads(pickle.dumps(sample_tile())) == sample_tile()


def test_a_tile_is_not_made_by_its_class() -> None:
    with pytest.raises(TypeError, match="from_arrays"):
        Tile()


def test_arrays_are_read_only_and_outlive_the_tile() -> None:
    vertices = sample_tile().section("vertices")
    assert vertices[1].tolist() == [0, 1, 4]
    with pytest.raises(ValueError, match="read-only"):
        vertices[0, 0] = 1


def test_a_section_that_a_tile_has_not_is_refused() -> None:
    with pytest.raises(ArgumentError, match="'detail_vertices'"):
        tile_from(SQUARE).section("detail_vertices")


def test_a_section_begins_on_eight_bytes_whatever_stands_before_it() -> None:
    for count in range(3, 12):
        rim = [(4 + 3 * np.sin(6.283 * i / count), 0.0, 4 + 3 * np.cos(6.283 * i / count)) for i in range(count)]
        data = tile_from(rim).to_bytes()
        assert len(data) % 8 == 0
        assert struct.unpack_from("<q", data, 24) == (len(data),)


def test_every_shorter_length_is_refused() -> None:
    data = sample_tile().to_bytes()
    for length in range(len(data)):
        with pytest.raises(TileFormatError):
            Tile.from_bytes(data[:length])


def test_another_version_is_named() -> None:
    data = bytearray(sample_tile().to_bytes())
    struct.pack_into("<i", data, 8, 7)
    with pytest.raises(TileFormatError, match=r"another version \(7; this library reads 1\)"):
        Tile.from_bytes(data)


def test_the_other_byte_order_is_named() -> None:
    data = bytearray(sample_tile().to_bytes())
    struct.pack_into(">i", data, 8, 1)
    with pytest.raises(TileFormatError, match="other byte order"):
        Tile.from_bytes(data)


def test_every_changed_bit_is_refused() -> None:
    data = sample_tile().to_bytes()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        with pytest.raises(TileFormatError):
            Tile.from_bytes(changed)


def test_a_fault_names_section_and_element() -> None:
    tile = sample_tile()
    at = tile.to_bytes().index(tile.section("vertices").tobytes())
    data = bytearray(tile.to_bytes())
    struct.pack_into("<f", data, at + 12 * 2 + 4, float("nan"))
    with pytest.raises(TileFormatError) as caught:
        Tile.from_bytes(sealed(data))
    assert (caught.value.section, caught.value.element) == ("vertices", 2)


def test_a_neighbour_that_does_not_answer_is_refused() -> None:
    tile = tile_of(0, 0, [rectangle(1, 0, 4, 4), rectangle(4, 0, 7, 4)], SETTINGS)
    neighbours = tile.section("polygon_neighbours")
    data = bytearray(tile.to_bytes())
    at = data.index(neighbours.tobytes())
    struct.pack_into("<i", data, at + 4 * neighbours.tolist().index(1), -1)
    with pytest.raises(TileFormatError, match=r"polygon 1 .*neighbour") as caught:
        Tile.from_bytes(sealed(data))
    assert caught.value.section == "polygon_neighbours"


def test_padding_that_is_not_zero_is_refused() -> None:
    tile = sample_tile()
    data = bytearray(tile.to_bytes())
    sides = tile.section("border_sides").tobytes()
    at = data.index(sides) + len(sides)
    assert data[at : at + 5] == bytes(5)
    data[at + 4] = 1
    with pytest.raises(TileFormatError, match="padding") as caught:
        Tile.from_bytes(sealed(data))
    assert caught.value.section == "border_sides"


def test_a_corner_one_past_the_last_vertex_is_refused() -> None:
    tile = sample_tile()
    data = bytearray(tile.to_bytes())
    at = data.index(tile.section("polygon_vertices").tobytes())
    struct.pack_into("<i", data, at + 4 * 9, tile.vertex_count)
    with pytest.raises(TileFormatError, match="does not exist") as caught:
        Tile.from_bytes(sealed(data))
    assert (caught.value.section, caught.value.element) == ("polygon_vertices", 9)


def test_a_detail_triangle_one_past_the_last_vertex_is_refused() -> None:
    tile = sample_tile()
    data = bytearray(tile.to_bytes())
    at = data.index(tile.section("detail_triangles").tobytes())
    struct.pack_into("<i", data, at + 8, tile.vertex_count + 1)
    with pytest.raises(TileFormatError) as caught:
        Tile.from_bytes(sealed(data))
    assert (caught.value.section, caught.value.element) == ("detail_triangles", 2)


def flipped_ones_refused(data: bytes, flips: list[tuple[int, int]]) -> int:
    """How many single-byte changes are refused; those taken must read back whole."""
    refused = 0
    for place, value in flips:
        changed = bytearray(data)
        changed[place] ^= value
        try:
            tile = Tile.from_bytes(sealed(changed))
        except TileFormatError:
            refused += 1
            continue
        assert tile.to_bytes() == sealed(changed)
        assert len(tile.section("vertices")) == tile.vertex_count
        assert tile.section("polygon_vertices").max() < tile.vertex_count
        assert tile.settings.tile_size > 0
    return refused


def test_two_thousand_changed_bytes_are_refused_or_make_a_sound_tile() -> None:
    data, random = sample_tile().to_bytes(), Random(5)
    flips = [(random.randrange(len(data)), random.randrange(1, 256)) for _ in range(2000)]
    # Heights, areas and flags may be anything; most of the rest is counted, indexed or padding.
    assert 1000 < flipped_ones_refused(data, flips) < 2000


@pytest.mark.full
def test_every_changed_byte_is_refused_or_makes_a_sound_tile() -> None:
    data = sample_tile().to_bytes()
    flips = [(place, value) for place in range(len(data)) for value in range(1, 256)]
    assert flipped_ones_refused(data, flips) > len(flips) // 2


def test_a_tile_that_was_never_made_is_empty_and_fits_no_mesh() -> None:
    nothing = Tile.__new__(Tile)
    assert (nothing.column, nothing.row, nothing.layer, nothing.polygon_count, nothing.nbytes) == (0, 0, 0, 0, 0)
    assert "polygons=0" in repr(nothing) and not nothing.has_detail
    with pytest.raises(TileFormatError):
        NavMesh(SETTINGS).stage_tile(nothing)
    with pytest.raises(TypeError):
        nothing.to_bytes()
