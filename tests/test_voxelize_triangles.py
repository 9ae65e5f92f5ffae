"""Rasterization rule by rule, on triangles small enough to be clipped by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from onepath.build import (
    AgentShape,
    BakeSettings,
    HeightfieldFrame,
    SolidHeightfield,
    rasterize_triangles,
)
from tests.grids import box, columns_of, floor, quad, rasterized, unit_frame

# --- which cells


def test_a_floor_touches_the_cells_it_covers_and_not_their_neighbours() -> None:
    field = rasterized(unit_frame(), *floor(2, 3, 4, 5, y=1.5))
    assert columns_of(field) == {(x, z): [(1, 2, 63)] for z in (3, 4) for x in (2, 3)}


def test_a_sliver_of_a_cell_is_enough() -> None:
    field = rasterized(unit_frame(), *floor(2, 3, 4.001, 5, y=1.5))
    assert {x for x, _ in columns_of(field)} == {2, 3, 4}


def test_a_triangle_that_meets_a_cell_in_a_corner_does_not_touch_it() -> None:
    # The hypotenuse from (0, 2) to (2, 0) passes through the corner (1, 1) of cell (1, 1).
    field = rasterized(unit_frame(), ((0, 0.5, 0), (0, 0.5, 2), (2, 0.5, 0)))
    assert set(columns_of(field)) == {(0, 0), (1, 0), (0, 1)}


def test_a_piece_spans_the_rows_between_its_lowest_and_highest_point() -> None:
    # y = x: over cell x the plane rises from row x to row x + 1.
    field = rasterized(unit_frame(4, 1), *quad((0, 0, 0), (0, 0, 1), (4, 4, 1), (4, 4, 0)))
    assert columns_of(field) == {(x, 0): [(x, x + 1, 63)] for x in range(4)}


def test_only_the_clipped_piece_counts_for_heights() -> None:
    # y = 3 * x over half cells: cell 0 holds 0 to 3, cell 1 holds 3 to 4.5 on a triangle that ends at x = 1.5.
    field = rasterized(unit_frame(4, 1), ((0, 0, 0), (0, 0, 1), (1.5, 4.5, 0)))
    assert columns_of(field) == {(0, 0): [(0, 3, 0)], (1, 0): [(3, 5, 0)]}


def test_cells_outside_the_grid_are_left_out() -> None:
    field = rasterized(unit_frame(2, 2), *floor(-5, -5, 5, 5, y=1.5))
    assert columns_of(field) == {(x, z): [(1, 2, 63)] for z in range(2) for x in range(2)}


def test_case_c01_cells_just_below_zero() -> None:
    triangle = ((-0.9, 0, -0.9), (-0.9, 0, 1.1), (1.1, 1.0, -0.9))
    right = {
        (-1, -1): (0, 5),
        (-1, 0): (0, 5),
        (-1, 1): (0, 1),
        (0, -1): (4, 10),
        (0, 0): (4, 6),
        (1, -1): (9, 10),
    }
    wide = columns_of(rasterized(HeightfieldFrame((-4, 0, -4), 1.0, 0.1, 8, 8, 16), triangle))
    assert {(x - 4, z - 4): span[0][:2] for (x, z), span in wide.items()} == right
    cut = columns_of(rasterized(HeightfieldFrame((0, 0, 0), 1.0, 0.1, 8, 8, 16), triangle))
    assert {cell: span[0][:2] for cell, span in cut.items()} == {(0, 0): (4, 6)}


@pytest.mark.parametrize(
    "triangle",
    [((-5, 0.5, 1), (-5, 0.5, 13), (3, 0.5, 13)), ((-4, 0.5, -4), (-4, 0.5, 4), (4, 0.5, -4))],
    ids=["box overlaps", "touches in a point"],
)
def test_case_c02_a_triangle_beside_the_grid_leaves_nothing(triangle: tuple[tuple[float, ...], ...]) -> None:
    assert rasterized(unit_frame(), triangle).span_count == 0


def random_soup(seed: int, count: int, extent: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    corners = random.uniform(-1, extent + 1, (count, 1, 3)) + random.uniform(-3, 3, (count, 3, 3))
    corners[:, :, 1] = np.abs(corners[:, :, 1]) / 2
    # Multiples of 1/64 keep every world coordinate exact in float32, wherever a grid begins.
    return np.round(corners.reshape(-1, 3) * 64) / 64, np.arange(3 * count).reshape(-1, 3)


def test_case_c02_tile_by_tile_gives_the_columns_of_one_large_field_within_a_row() -> None:
    vertices, triangles = random_soup(7, 200, 16)
    whole = SolidHeightfield(unit_frame(16, 16, 32))
    rasterize_triangles(whole, vertices, triangles, classify=False)
    filled = {(x, z, y) for x, z, low, high, _ in whole.spans().tolist() for y in range(low, high)}
    for tile_x in (0, 8):
        for tile_z in (0, 8):
            field = SolidHeightfield(unit_frame(8, 8, 32, (tile_x, 0, tile_z)))
            rasterize_triangles(field, vertices, triangles, classify=False)
            rows = np.add(field.spans(), (tile_x, tile_z, 0, 0, 0))
            part = {(x, z, y) for x, z, low, high, _ in rows.tolist() for y in range(low, high)}
            here = {cell for cell in filled if cell[0] // 8 * 8 == tile_x and cell[1] // 8 * 8 == tile_z}
            for one, other in ((part, here), (here, part)):
                near = {(x, z, y + step) for x, z, y in other for step in (-1, 0, 1)}
                assert one <= near
            assert len(part ^ here) < 0.01 * len(here)


# --- surfaces on row boundaries


def test_a_surface_facing_up_on_a_row_boundary_fills_the_row_below() -> None:
    assert columns_of(rasterized(unit_frame(1, 1), *floor(0, 0, 1, 1, y=3))) == {(0, 0): [(2, 3, 63)]}


def face_down(y: float) -> tuple[object, ...]:
    return quad((0, y, 0), (1, y, 0), (1, y, 1), (0, y, 1))


def test_a_surface_facing_down_on_a_row_boundary_fills_the_row_above() -> None:
    assert columns_of(rasterized(unit_frame(1, 1), *face_down(3))) == {(0, 0): [(3, 4, 0)]}


def test_at_the_bottom_of_the_grid_a_surface_facing_up_has_no_row() -> None:
    assert rasterized(unit_frame(1, 1), *floor(0, 0, 1, 1, y=0)).span_count == 0
    assert columns_of(rasterized(unit_frame(1, 1), *face_down(0))) == {(0, 0): [(0, 1, 0)]}


def test_at_the_top_of_the_grid_a_surface_facing_down_has_no_row() -> None:
    frame = unit_frame(1, 1, rows=4)
    assert columns_of(rasterized(frame, *floor(0, 0, 1, 1, y=4))) == {(0, 0): [(3, 4, 63)]}
    assert rasterized(frame, *face_down(4)).span_count == 0


@pytest.mark.parametrize("y", [-0.5, -100.0, -1e6, 4.5, 100.0, 1e6])
def test_pieces_below_or_above_the_grid_are_dropped(y: float) -> None:
    assert rasterized(unit_frame(1, 1, rows=4), *floor(0, 0, 1, 1, y=y)).span_count == 0


def test_rows_are_cut_to_the_grid() -> None:
    wall = ((0.5, -1e6, 0.0), (0.5, 1e6, 0.0), (0.5, 1e6, 1.0))
    assert columns_of(rasterized(unit_frame(1, 1, rows=4), wall)) == {(0, 0): [(0, 4, 0)]}


# --- walls


def wall_x(x: float, low_z: float, high_z: float, *, faces: int) -> tuple[object, ...]:
    corners = ((x, 0, low_z), (x, 2, low_z), (x, 2, high_z), (x, 0, high_z))
    return quad(*(corners if faces > 0 else corners[::-1]))


def wall_z(z: float, low_x: float, high_x: float, *, faces: int) -> tuple[object, ...]:
    corners = ((low_x, 0, z), (high_x, 0, z), (high_x, 2, z), (low_x, 2, z))
    return quad(*(corners if faces > 0 else corners[::-1]))


@pytest.mark.parametrize(("faces", "column"), [(1, 2), (-1, 3)])
def test_a_wall_on_a_grid_line_belongs_to_the_cells_behind_it(faces: int, column: int) -> None:
    along_z = columns_of(rasterized(unit_frame(), *wall_x(3, 1, 3, faces=faces)))
    assert along_z == {(column, z): [(0, 2, 0)] for z in (1, 2)}
    along_x = columns_of(rasterized(unit_frame(), *wall_z(3, 1, 3, faces=faces)))
    assert along_x == {(x, column): [(0, 2, 0)] for x in (1, 2)}


def test_a_wall_on_the_grids_rim_is_dropped_when_its_cells_lie_outside() -> None:
    for make in (wall_x, wall_z):
        assert rasterized(unit_frame(), *make(0, 1, 2, faces=1)).span_count == 0
        assert rasterized(unit_frame(), *make(0, 1, 2, faces=-1)).span_count == 1
        assert rasterized(unit_frame(), *make(8, 1, 2, faces=1)).span_count == 1
        assert rasterized(unit_frame(), *make(8, 1, 2, faces=-1)).span_count == 0


def test_a_wall_within_a_row_of_cells_touches_the_cells_it_has_a_length_in() -> None:
    assert set(columns_of(rasterized(unit_frame(), *wall_x(3.5, 1, 3, faces=1)))) == {(3, 1), (3, 2)}
    assert set(columns_of(rasterized(unit_frame(), *wall_z(3.5, 1, 3, faces=1)))) == {(1, 3), (2, 3)}


def test_a_diagonal_wall_does_not_touch_cells_that_it_meets_in_a_corner() -> None:
    wall = quad((0, 0, 0), (3, 0, 3), (3, 2, 3), (0, 2, 0))
    assert columns_of(rasterized(unit_frame(), *wall)) == {(i, i): [(0, 2, 0)] for i in range(3)}


def test_a_slanted_wall_spans_in_each_cell_the_rows_it_has_there() -> None:
    wall = ((0, 0, 0.5), (3, 3, 0.5), (0, 3, 0.5))
    assert columns_of(rasterized(unit_frame(), wall)) == {(x, 0): [(x, 3, 0)] for x in range(3)}


def test_a_closed_box_on_grid_lines_fills_only_its_own_cells() -> None:
    field = rasterized(unit_frame(), *box((2, 1, 3), (5, 4, 6)))
    columns = columns_of(field)
    assert set(columns) == {(x, z) for x in (2, 3, 4) for z in (3, 4, 5)}
    assert columns[(2, 3)] == [(1, 4, 63)]  # a corner: walls fill the column
    assert columns[(3, 4)] == [(1, 2, 0), (3, 4, 63)]  # the middle: a shell, floor and ceiling apart


# --- areas


def test_area_ids_go_by_the_slope_strictly() -> None:
    level = floor(0, 0, 1, 1, y=1.5)
    assert rasterized(unit_frame(1, 1), *level, slope_cosine=0.5).spans()[0, 4] == 63
    assert rasterized(unit_frame(1, 1), *level, slope_cosine=1.0).spans()[0, 4] == 0
    assert rasterized(unit_frame(1, 1), *wall_x(0.5, 0, 1, faces=1), slope_cosine=0.0).spans()[0, 4] == 0


def test_given_areas_are_zeroed_above_the_slope_unless_taken_as_they_are() -> None:
    triangles = (floor(0, 0, 1, 1, y=0.5)[0], ((1, 5, 0), (2, 5, 0), (1, 5, 1)))
    assert rasterized(unit_frame(2, 1), *triangles, areas=[7, 9]).spans()[:, 4].tolist() == [7, 0]
    assert rasterized(unit_frame(2, 1), *triangles, areas=[7, 9], classify=False).spans()[:, 4].tolist() == [7, 9]


def test_areas_merge_by_the_threshold_in_the_order_of_triangles() -> None:
    low, high = floor(0, 0, 1, 1, y=1.5)[0], floor(0, 0, 1, 1, y=2.5)[0]
    assert rasterized(unit_frame(1, 1), low, high, areas=[9, 3], merge_threshold=1).spans()[0, 2:].tolist() == [1, 3, 9]
    assert rasterized(unit_frame(1, 1), low, high, areas=[9, 3], merge_threshold=0).spans()[0, 2:].tolist() == [1, 3, 3]


def turned_plane(slope: float, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """The square [0, 4] x [0, 4] rising with x, turned about y and moved far away."""
    square = np.array([(0, 0), (0, 4), (4, 4), (4, 0)], dtype=np.float64)
    height = square[:, 0] * math.tan(math.radians(slope))
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, z = square[:, 0] * c + square[:, 1] * s, square[:, 1] * c - square[:, 0] * s
    return np.stack([x + 1000, height, z - 1000], axis=1), np.array([(0, 1, 2), (0, 2, 3)])


@pytest.mark.parametrize("turn", [0, 30, 90, 137])
@pytest.mark.parametrize(("slope", "walkable"), [(44.9, True), (45.0, True), (45.1, False)])
def test_case_c07_a_slope_of_exactly_the_limit_is_walkable_in_every_turn(
    slope: float, turn: float, walkable: bool
) -> None:
    cells = BakeSettings(agent=AgentShape(max_slope=45.0), cell_size=0.25, cell_height=0.125).cells
    frame = HeightfieldFrame((990, -1, -1010), cells.cell_size, cells.cell_height, 80, 80, 60)
    vertices, triangles = turned_plane(slope, turn)
    for triangle in triangles:
        field = SolidHeightfield(frame)
        rasterize_triangles(field, vertices, [triangle], slope_cosine=cells.span.slope_cosine)
        assert field.span_count > 100
        assert set(field.spans()[:, 4].tolist()) == {63 if walkable else 0}


# --- degenerate input


def test_case_c04_triangles_without_area_are_skipped_and_counted() -> None:
    a, b, c = (1, 1, 1), (3, 1, 1), (5, 1, 1)
    field = rasterized(unit_frame(), (a, a, a), (a, b, b), (a, b, c), *floor(0, 0, 1, 1, y=1.5))
    assert field.degenerate_triangles == 3
    assert set(columns_of(field)) == {(0, 0)}


def test_degenerate_triangles_are_counted_wherever_they_lie_and_until_a_reset() -> None:
    field = rasterized(unit_frame(), ((99, 0, 99), (99, 0, 99), (99, 0, 99)))
    rasterize_triangles(field, [(1, 1, 1)], [(0, 0, 0)])
    assert field.degenerate_triangles == 2
    field.reset(unit_frame())
    assert field.degenerate_triangles == 0


def test_case_c04_duplicates_and_fins_change_nothing() -> None:
    clean = rasterized(unit_frame(), *floor(0, 0, 8, 8, y=4))
    copy = rasterized(unit_frame(), *floor(0, 0, 8, 8, y=4), *floor(0, 0, 8, 8, y=4))
    assert np.array_equal(clean.spans(), copy.spans())
    fin = rasterized(unit_frame(), *floor(0, 0, 8, 8, y=4), *quad((4, 2, 2), (4, 4, 2), (4, 4, 6), (4, 2, 6)))
    assert np.array_equal(clean.spans()[:, [0, 1, 3, 4]], fin.spans()[:, [0, 1, 3, 4]])


def test_case_c04_a_vertex_that_no_triangle_names_may_be_anything() -> None:
    field = SolidHeightfield(unit_frame())
    corners = [(0, 1.5, 0), (0, 1.5, 2), (2, 1.5, 0), (1e29, 1e29, 1e29), (float("nan"), 0, 0)]
    rasterize_triangles(field, corners, [(0, 1, 2)])
    assert field.span_count == 3


def test_case_c04_no_triangles_are_no_error() -> None:
    field = SolidHeightfield(unit_frame())
    for vertices, triangles in (([], []), (np.zeros((4, 3)), np.zeros((0, 3), np.int64))):
        rasterize_triangles(field, vertices, triangles)
    assert field.span_count == 0


# --- forms of input, reuse


def test_flat_indices_and_float32_vertices_are_taken() -> None:
    vertices, triangles = random_soup(3, 20, 8)
    first, second = SolidHeightfield(unit_frame()), SolidHeightfield(unit_frame())
    rasterize_triangles(first, vertices, triangles)
    rasterize_triangles(second, vertices.astype(np.float32), triangles.astype(np.uint16).reshape(-1))
    assert np.array_equal(first.spans(), second.spans())


def test_a_float32_vertex_is_widened_before_the_origin_is_taken_off() -> None:
    # The float32 nearest to 0.1 is 1.5e-9 above the double 0.1: that much of the floor lies in the grid.
    frame = HeightfieldFrame((0.1, 0, 0), 1.0, 1.0, 2, 1, 4)
    field = SolidHeightfield(frame)
    corners = np.array([(-1, 1.5, 0), (-1, 1.5, 1), (0.1, 1.5, 1), (0.1, 1.5, 0)], dtype=np.float32)
    rasterize_triangles(field, corners, [(0, 1, 2), (0, 2, 3)])
    assert columns_of(field) == {(0, 0): [(1, 2, 63)]}


def test_a_used_field_gives_the_bits_of_a_new_one() -> None:
    field = SolidHeightfield(unit_frame(12, 12, 40))
    rasterize_triangles(field, *random_soup(1, 300, 12))
    field.reset(unit_frame())
    rasterize_triangles(field, *random_soup(2, 100, 8))
    new = SolidHeightfield(unit_frame())
    rasterize_triangles(new, *random_soup(2, 100, 8))
    assert np.array_equal(field.spans(), new.spans())


@pytest.mark.parametrize("shift", [(64, 0, 0), (0, 0, -128), (1024, 16, 512)])
def test_moving_grid_and_triangles_together_changes_nothing(shift: tuple[int, int, int]) -> None:
    vertices, triangles = random_soup(5, 100, 8)
    here, there = SolidHeightfield(unit_frame()), SolidHeightfield(unit_frame(origin=shift))
    rasterize_triangles(here, vertices, triangles)
    rasterize_triangles(there, vertices + shift, triangles)
    assert np.array_equal(here.spans(), there.spans())


def test_classes_of_cells_are_those_of_the_same_scene_in_other_units() -> None:
    vertices, triangles = random_soup(6, 100, 8)
    small = SolidHeightfield(HeightfieldFrame((0, 0, 0), 0.25, 0.25, 8, 8, 16))
    rasterize_triangles(small, vertices / 4, triangles)
    plain = SolidHeightfield(unit_frame())
    rasterize_triangles(plain, vertices, triangles)
    assert np.array_equal(small.spans(), plain.spans())
