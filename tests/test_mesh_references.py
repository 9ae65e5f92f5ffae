"""References, and what a mesh says of a polygon, a tile and itself."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, OnePathError, RangeError
from onepath.mesh import MeshSettings, NavMesh, Tile
from onepath.mesh._core import MeshCore
from onepath.query import NavMeshQuery
from tests.meshes import fan, grid, mesh_of, rectangle, settings_of, strip, tile_of, two_floors


def test_a_reference_holds_generation_slot_and_polygon_from_its_high_end() -> None:
    mesh = grid(24, 8)
    for view in mesh.tiles():
        for polygon in range(view.polygon_count):
            reference = mesh.reference(view.column, view.row, polygon)
            assert reference == view.generation << 41 | view.slot << 21 | polygon
            assert reference == view.references[polygon]
            assert mesh.is_valid(reference)


def test_zero_and_what_no_bit_layout_gives_are_never_valid() -> None:
    mesh = grid(8, 8)
    good = mesh.reference(0, 0, 63)
    for bad in (
        0,
        -1,
        -good,
        good + 1,
        good + (1 << 21),
        good + (1 << 41),
        good | 1 << 63 - 1,
        63,
        2**63 - 1,
        -(2**63),
    ):
        assert not mesh.is_valid(bad)


def test_random_integers_are_valid_only_where_their_parts_are() -> None:
    mesh, random = grid(16, 16), Random(1)
    for _ in range(2000):
        generation, slot, polygon = random.choice((0, 1, 1, 2)), random.randrange(6), random.randrange(80)
        expected = generation == 1 and slot < 4 and polygon < 64
        assert mesh.is_valid(generation << 41 | slot << 21 | polygon) == expected


@pytest.mark.parametrize("bad", ["a", None, 1.5, 2**63, -(2**70)])
def test_what_is_no_integer_of_64_bits_is_refused(bad: object) -> None:
    for call in (grid(1, 1).is_valid, grid(1, 1).area):
        with pytest.raises(ArgumentError, match="not a polygon reference"):
            call(bad)  # type: ignore[arg-type]


def test_numpy_s_integers_are_references() -> None:
    mesh = grid(2, 1)
    assert mesh.is_valid(mesh.tile(0, 0).references[1])


def test_area_and_flags_are_read_by_reference() -> None:
    mesh = mesh_of([rectangle(0, 0, 1, 1), rectangle(1, 0, 2, 1)], areas=[7, 255], flags=[0x8000, 3])
    first, second = (mesh.reference(0, 0, polygon) for polygon in (0, 1))
    assert (mesh.area(first), mesh.flags(first)) == (7, 0x8000)
    assert (mesh.area(second), mesh.flags(second)) == (255, 3)


def test_a_stale_reference_is_refused_and_named() -> None:
    mesh = grid(1, 1)
    reference = mesh.reference(0, 0, 0)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    for read in (mesh.area, mesh.flags, mesh.polygon):
        with pytest.raises(ArgumentError, match=f"reference {reference} names no committed polygon"):
            read(reference)


def test_a_polygon_of_a_tile_that_is_not_there_is_refused() -> None:
    mesh = grid(1, 1)
    with pytest.raises(ArgumentError, match=r"no committed tile \(1, 0, 0\)"):
        mesh.reference(1, 0, 0)
    with pytest.raises(RangeError, match="polygon is 1"):
        mesh.reference(0, 0, 1)
    with pytest.raises(ArgumentError, match=r"polygon is 0\.0"):
        mesh.reference(0, 0, 0.0)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"no committed tile \(0, 0, 2\)"):
        mesh.tile(0, 0, 2)


def test_world_positions_are_the_double_origin_plus_the_widened_float32() -> None:
    settings = MeshSettings(cell_size=0.3, cell_height=0.2, tile_cells=48, vertical_origin=-0.7)
    size = settings.tile_size
    corners = np.array([(0.1, 0.3, 0.2), (0.1, 0.9, 5.7), (3.3, 0.1, 0.2)], np.float32)
    mesh = NavMesh(settings)
    mesh.stage_tile(Tile.from_arrays(1234, -77, corners, [0, 3], [0, 1, 2], settings))
    mesh.commit()
    expected = np.array([1234 * size, -0.7, -77 * size]) + corners.astype(np.float64)
    assert mesh.polygon(mesh.reference(1234, -77, 0)).tobytes() == expected.tobytes()
    assert mesh.bounds == (tuple(expected.min(axis=0)), tuple(expected.max(axis=0)))


def test_both_sides_of_a_tile_border_have_the_same_world_coordinate() -> None:
    settings = MeshSettings(cell_size=0.07, tile_cells=13)
    size = settings.tile_size
    for column in (-12345, -1, 0, 3, 98765):
        assert column * size + size == (column + 1) * size


def test_the_walkable_area_counts_stacked_floors_and_leaves_area_0_out() -> None:
    assert two_floors().walkable_area == 256.0
    assert mesh_of([rectangle(0, 0, 2, 2), rectangle(2, 0, 3, 1)], areas=[0, 1]).walkable_area == 1.0
    assert fan(64).walkable_area == pytest.approx(np.pi * 9, rel=0.01)


def test_the_box_leaves_empty_tiles_out() -> None:
    mesh = mesh_of([rectangle(9, 9, 10, 11, y=2.0)], settings_of(vertical_origin=1.0), grid_bounds=(0, 0, 1, 1))
    mesh.stage_tile(tile_of(0, 0, [], mesh.settings))
    mesh.commit()
    assert mesh.bounds == ((9, 2, 9), (10, 2, 11))


# --- views


def test_a_view_shows_the_tile_s_arrays() -> None:
    view = strip(4).tile(1, 0)
    assert (view.column, view.row, view.layer, view.origin) == (1, 0, 0, (8.0, 0.0, 0.0))
    assert view.polygon_offsets.tolist() == [0, 4, 8]
    assert view.vertices[view.polygon_vertices].shape == (8, 3)
    assert view.polygon_neighbours.tolist() == [-1, -1, 1, -1, 0, -1, -1, -1]
    assert view.border_sides.tolist() == [0, -1, -1, 3, -1, -1, 2, 3]
    assert (view.detail_offsets, view.detail_triangles, view.detail_vertices) == (None, None, None)


def test_a_view_shows_detail_where_there_is_some() -> None:
    settings = settings_of()
    square = rectangle(0, 0, 8, 8)
    detail = ([0, 2], [(0, 1, 4), (4, 2, 3)], [(4, 1, 4)])
    mesh = NavMesh(settings)
    mesh.stage_tile(Tile.from_arrays(0, 0, square, [0, 4], range(4), settings, detail=detail))
    mesh.commit()
    view = mesh.tile(0, 0)
    assert view.detail_offsets is not None
    assert view.detail_triangles is not None
    assert view.detail_vertices is not None
    assert view.detail_offsets.tolist() == [0, 2]
    assert view.detail_triangles.tolist() == [[0, 1, 4], [4, 2, 3]]
    assert view.detail_vertices.tolist() == [[4, 1, 4]]


def test_views_are_snapshots_that_outlive_tile_and_mesh() -> None:
    mesh = strip(4)
    view = mesh.tile(0, 0)
    vertices, links = view.vertices, view.links
    kept = vertices.copy(), links.copy()
    mesh.stage_tile(tile_of(0, 0, [], mesh.settings))
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    del mesh, view
    assert (vertices == kept[0]).all()
    assert (links == kept[1]).all()


def test_views_cannot_be_written_to() -> None:
    view = strip(4).tile(0, 0)
    for array in (view.vertices, view.polygon_vertices, view.areas, view.flags, view.links, view.references):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]


def test_the_compiled_base_is_not_made_on_its_own() -> None:
    with pytest.raises(TypeError, match="make a NavMesh"):
        MeshCore(settings_of())


def test_a_mesh_is_initialised_once() -> None:
    mesh = strip(4)
    with pytest.raises(TypeError, match="initialised once"):
        mesh.__init__(settings_of(16))  # type: ignore[misc]


class Forgetful(NavMesh):
    """A subclass that forgets to initialise its base."""

    def __init__(self) -> None:
        pass


def test_a_mesh_that_was_never_initialised_says_so() -> None:
    mesh = Forgetful()
    calls = (
        mesh.commit, mesh.discard_staged, mesh.tiles, mesh.link_records, lambda: mesh.link_state(1),
        lambda: mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 1, 1)], settings_of(8))), lambda: mesh.walkable_area,
        lambda: mesh.stage_link_removal(1), lambda: NavMeshQuery(mesh).find_path((0, 0, 0), (1, 0, 1)),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(OnePathError, match=r"NavMesh\.__init__"):
            call()
    assert mesh.is_valid(1 << 41) is False
