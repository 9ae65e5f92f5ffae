"""Every rule of triangle rasterization on a case worked out by hand (voxelization document, sections 1, 2 and 4).

`columns_of` rasterizes with the fast code and with the slow one, asserts that they agree, and answers
{(x, z): [(low row, high row, area), ...]}.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.voxel_rasterize import Frame, frame_from_bounds
from tests.voxel_pairs import columns_of, fast_frame, grid, heights_of, rasterized

UP = [(0, 0), (0, 1), (1, 0)]  # (x, z) corners of a triangle that faces up


def flat(corners, y):
    return [(float(x), float(y), float(z)) for x, z in corners]


def scaled(corners, scale, shift=(0.0, 0.0)):
    return [(x * scale + shift[0], z * scale + shift[1]) for x, z in corners]


def touched(frame, *triangles):
    return set(columns_of(frame, list(triangles)))


class TestFrame:
    def test_width_is_the_ceiling_of_the_double_quotient_by_the_float32_cell_size(self):
        # float32(0.7) is a little less than 0.7, so that 1.4 holds a little more than two cells.
        for high, cell in ((1.4, 0.7), (0.9, 0.3), (1.0, 0.3), (1.0, 0.1), (5.0, 1.0), (5.000001, 1.0)):
            frame = frame_from_bounds((0, 0, 0), (high, high, high), cell, cell)
            fast = type(fast_frame(frame)).from_bounds((0, 0, 0), (high, high, high), cell, cell)
            assert fast == fast_frame(frame)
        assert frame_from_bounds((0, 0, 0), (1.4, 1, 0.9), 0.7, 0.3).width == 3
        assert frame_from_bounds((0, 0, 0), (1.4, 1, 0.9), 0.3, 0.3).depth == 3

    def test_sizes_are_rounded_to_float32(self):
        frame = fast_frame(grid(cell=0.3, row=0.2))
        assert frame.cell_size == float(np.float32(0.3)) and frame.cell_height == float(np.float32(0.2))

    def test_origin_is_kept_in_doubles(self):
        assert fast_frame(grid(origin=(0.1, -0.2, 1e-9))).origin == (0.1, -0.2, 1e-9)

    def test_a_vertex_is_moved_in_doubles_before_it_is_rounded(self):
        # In float32 2097151.3 would be 2097151.25 and land in the cell before.
        origin = (2.0**21 - 4, 0.0, 0.0)
        triangle = [(2097151.3 + x * 0.1, 1.5, z) for x, z in UP]
        frame = grid(width=32, depth=2, cell=0.41, origin=origin)
        assert min(x for x, _ in touched(frame, triangle)) == 8

    def test_columns_left_of_the_origin_are_rounded_down(self):
        # Case C01: the same triangle in two boxes.
        triangle = [(-0.9, 0.0, -0.9), (-0.9, 0.0, 1.1), (1.1, 1.0, -0.9)]
        wide = columns_of(grid(8, 8, 20, row=0.1, origin=(-4.0, 0.0, -4.0)), [triangle], area=1)
        tight = columns_of(grid(8, 8, 20, row=0.1), [triangle], area=1)
        assert wide == {
            (3, 3): [(0, 5, 1)],
            (3, 4): [(0, 5, 1)],
            (3, 5): [(0, 1, 1)],
            (4, 3): [(4, 10, 1)],
            (4, 4): [(4, 6, 1)],
            (5, 3): [(9, 10, 1)],
        }
        assert tight == {(0, 0): [(4, 6, 1)]}


class TestCellsTouched:
    def test_a_triangle_beside_the_grid_leaves_nothing(self):
        # Case C02: its bounding box overlaps the grid.
        beside = [(-5.0, 0.0, 1.0), (-5.0, 0.0, 13.0), (3.0, 0.0, 13.0)]
        corner = [(-4.0, 0.0, -4.0), (-4.0, 0.0, 4.0), (4.0, 0.0, -4.0)]
        for triangle in (beside, corner):
            assert columns_of(grid(8, 8, 8), [triangle]) == {}

    def test_a_cell_met_only_in_an_edge_or_a_corner_is_not_touched(self):
        assert touched(grid(), flat(UP, 1.5)) == {(0, 0)}
        assert touched(grid(), flat(scaled(UP, 1, (1, 1)), 1.5)) == {(1, 1)}
        assert touched(grid(), flat([(1, 1), (1, 2), (2, 2)], 1.5)) == {(1, 1)}

    def test_a_diagonal_edge_through_cell_corners_leaves_out_the_cells_behind_it(self):
        assert touched(grid(), flat([(0, 0), (0, 2), (2, 2)], 1.5)) == {(0, 0), (0, 1), (1, 1)}
        assert touched(grid(), flat([(0, 0), (2, 2), (2, 0)], 1.5)) == {(0, 0), (1, 0), (1, 1)}

    def test_a_sliver_across_a_grid_line_touches_both_cells(self):
        assert touched(grid(), flat([(0.5, 0.5), (0.5, 1.0), (1.0000001, 0.75)], 1.5)) == {(0, 0), (1, 0)}
        assert touched(grid(), flat([(0.5, 0.5), (0.5, 1.0), (1.0, 0.75)], 1.5)) == {(0, 0)}

    @pytest.mark.parametrize("line", [0, 4])
    def test_a_triangle_with_one_edge_on_the_rim_stays_inside(self, line):
        inward = 1 if line == 0 else -1
        triangle = flat([(line, 0.25), (line, 0.75), (line + inward, 0.5)], 1.5)
        assert touched(grid(), triangle) == {(0 if line == 0 else 3, 0)}
        outward = flat([(line, 0.25), (line, 0.75), (line - inward, 0.5)], 1.5)
        assert touched(grid(), outward) == set()

    def test_a_triangle_larger_than_the_grid_touches_every_cell(self):
        triangle = flat(scaled(UP, 100, (-40, -40)), 1.5)
        assert touched(grid(3, 5), triangle) == {(x, z) for x in range(3) for z in range(5)}

    def test_clipping_to_the_grid_is_independent_on_each_side(self):
        for shift in ((-3, 1), (3, 1), (1, -3), (1, 3)):
            assert touched(grid(), flat(scaled(UP, 0.9, shift), 1.5)) == (
                {(shift[0], shift[1])} if min(shift) >= 0 else set()
            )
        assert touched(grid(), flat([(-1, -1), (-1, 1.5), (1.5, -1)], 1.5)) == {(0, 0)}
        assert touched(grid(), flat([(5, 5), (5, 2.5), (2.5, 5)], 1.5)) == {(3, 3)}
        assert touched(grid(), flat([(5, -1), (2.5, -1), (5, 1.5)], 1.5)) == {(3, 0)}
        assert touched(grid(), flat([(-1, 5), (1.5, 5), (-1, 2.5)], 1.5)) == {(0, 3)}


class TestVerticalTriangles:
    def test_a_wall_between_grid_lines_touches_the_cells_of_its_line(self):
        wall = [(0.5, 0.0, 0.5), (2.5, 0.0, 0.5), (0.5, 2.0, 0.5)]
        assert touched(grid(), wall) == {(0, 0), (1, 0), (2, 0)}

    def test_a_wall_that_ends_on_a_grid_line_does_not_touch_the_cell_behind(self):
        assert touched(grid(), [(0.5, 0.0, 0.5), (1.0, 0.0, 0.5), (1.0, 2.0, 0.5)]) == {(0, 0)}
        assert touched(grid(), [(0.5, 0.0, 0.5), (0.5, 0.0, 1.0), (0.5, 2.0, 1.0)]) == {(0, 0)}

    def test_a_wall_that_starts_on_a_grid_line_does_not_touch_the_cell_before(self):
        assert touched(grid(), [(1.0, 0.0, 0.5), (1.5, 0.0, 0.5), (1.0, 2.0, 0.5)]) == {(1, 0)}
        assert touched(grid(), [(0.5, 0.0, 1.0), (0.5, 0.0, 1.5), (0.5, 2.0, 1.0)]) == {(0, 1)}

    def test_a_wall_along_the_diagonal_touches_only_the_cells_of_the_diagonal(self):
        assert touched(grid(), [(0.0, 0.0, 0.0), (3.0, 0.0, 3.0), (3.0, 2.0, 3.0)]) == {(0, 0), (1, 1), (2, 2)}

    @pytest.mark.parametrize(("facing", "column"), [(1, 1), (-1, 2)])
    def test_a_wall_on_a_grid_line_lies_behind_its_surface(self, facing, column):
        wall = [(2.0, 0.0, 0.0), (2.0, 3.0, 0.0), (2.0, 0.0, 3.0)][::facing]
        assert touched(grid(), wall) == {(column, 0), (column, 1), (column, 2)}
        turned = [(z, y, x) for x, y, z in wall][::-1]
        assert touched(grid(), turned) == {(0, column), (1, column), (2, column)}

    @pytest.mark.parametrize(("line", "facing", "column"), [(0, 1, None), (0, -1, 0), (4, 1, 3), (4, -1, None)])
    def test_a_wall_on_the_rim_is_dropped_where_its_column_is_outside(self, line, facing, column):
        wall = [(float(line), 0.0, 0.5), (float(line), 3.0, 0.5), (float(line), 0.0, 0.75)][::facing]
        assert touched(grid(), wall) == (set() if column is None else {(column, 0)})
        turned = [(z, y, x) for x, y, z in wall][::-1]
        assert touched(grid(), turned) == (set() if column is None else {(0, column)})

    def test_a_wall_on_a_grid_line_is_cut_by_the_rim_it_runs_into(self):
        wall = [(2.0, 0.0, -3.0), (2.0, 4.0, 9.0), (2.0, 0.0, 9.0)]
        assert {z for _, z in touched(grid(), wall)} == {0, 1, 2, 3}
        beyond = [(5.0, 0.0, 0.0), (5.0, 4.0, 2.0), (5.0, 0.0, 2.0)]
        assert touched(grid(), beyond, beyond[::-1]) == set()

    def test_the_rows_of_a_wall_are_those_of_its_piece_in_each_cell(self):
        # Height grows by 2 rows a cell along z; the other edge lies at row 0.
        wall = [(2.5, 0.0, 0.0), (2.5, 4.0, 2.0), (2.5, 0.0, 2.0)]
        assert columns_of(grid(), [wall], area=5) == {(2, 0): [(0, 2, 5)], (2, 1): [(0, 4, 5)]}

    def test_a_closed_box_keeps_its_walls_inside(self):
        x, y, z = (1.0, 3.0), (1.0, 4.0), (1.0, 3.0)
        corners = [(a, b, c) for a in x for b in y for c in z]
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        triangles = [[corners[q[0]], corners[q[i]], corners[q[i + 1]]] for q in quads for i in (1, 2)]
        box = columns_of(grid(), triangles)
        assert box == {(i, j): [(1, 4, 63)] for i in (1, 2) for j in (1, 2)}

    def test_a_footprint_whose_cross_product_underflows_is_vertical(self):
        # Footprint legs of 2**-80 cells: their product is below the least float32, their extent is not zero.
        frame = grid(2, 2, 8, cell=2.0**20, row=2.0**18)
        assert touched(frame, [(0.0, 0.0, 0.0), (2.0**-60, 0.0, 0.0), (0.0, 2.0**20, 2.0**-60)]) == {(0, 0)}

    def test_a_vertical_piece_in_the_plane_between_two_rows_touches_both(self):
        # The long edges' differences round to the same number, so that the cross product is exactly 0 although two
        # corners lie apart on the line w = 2: clipped to the closed footprints, both rows hold that edge.
        triangle = [(2.0**20, 0.5, 2.25), (0.001, 0.5, 2.0), (0.002, 1.5, 2.0)]
        assert {(0, 1), (0, 2)} <= touched(grid(4, 4), triangle)
        assert {(1, 0), (2, 0)} <= touched(grid(4, 4), [(z, y, x) for x, y, z in triangle])

    def test_a_wall_that_a_grid_line_swallowed_and_that_faces_neither_side_lies_beyond_the_line(self):
        # Neighbouring float32 coordinates that both divide to exactly 5; seen along x the triangle is a line: nx = 0.
        low, high = 7.549999713897705, 7.550000190734863
        wall = [(low, 0.5, 0.25), (high, 1.0, 0.5), (low, 1.5, 0.75)]
        for corners in (wall, wall[::-1]):
            assert touched(grid(8, 8, cell=1.51), corners) == {(5, 0)}
            assert touched(grid(8, 8, cell=1.51), [(z, y, x) for x, y, z in corners]) == {(0, 5)}


class TestRows:
    @pytest.mark.parametrize(("y", "up", "down"), [(3, (2, 3), (3, 4)), (2.5, (2, 3), (2, 3)), (8, (7, 8), None)])
    def test_a_horizontal_surface_on_a_row_boundary_lies_below_when_it_faces_up(self, y, up, down):
        assert columns_of(grid(), [flat(UP, y)], area=7) == {(0, 0): [(*up, 7)]}
        below = columns_of(grid(), [flat(UP[::-1], y)], area=7)
        assert below == ({} if down is None else {(0, 0): [(*down, 7)]})

    def test_a_surface_at_the_bottom_of_the_grid_has_a_row_only_when_it_faces_down(self):
        assert columns_of(grid(), [flat(UP, 0)]) == {}
        assert columns_of(grid(), [flat(UP[::-1], 0)]) == {(0, 0): [(0, 1, 0)]}

    def test_a_wall_whose_height_rounds_to_nothing_on_a_row_boundary_lies_above_it(self):
        # Neighbouring float32 heights that both divide to exactly row 5: a wall with ny = 0 that has no height in rows.
        low, high = 7.549999713897705, 7.550000190734863
        wall = [(0.25, low, 0.25), (0.75, low, 0.25), (0.25, high, 0.25)]
        for corners in (wall, wall[::-1]):
            assert columns_of(grid(row=1.51), [corners], area=1) == {(0, 0): [(5, 6, 1)]}

    def test_a_piece_between_the_row_below_the_grid_and_its_bottom_is_dropped_facing_down_too(self):
        for y in (-0.5, -1.0, -1.5):
            assert columns_of(grid(), [flat(UP[::-1], y), flat(UP, y)]) == {}

    def test_rows_are_the_floor_of_the_lowest_and_the_ceiling_of_the_highest_point(self):
        for low, high, rows in ((1.0, 3.0, (1, 3)), (0.999, 3.001, (0, 4)), (1.25, 1.75, (1, 2)), (2.0, 2.25, (2, 3))):
            triangle = [(0.0, low, 0.0), (0.0, high, 1.0), (1.0, low, 0.0)]
            assert columns_of(grid(), [triangle], area=1) == {(0, 0): [(*rows, 1)]}

    @pytest.mark.parametrize(
        ("low", "high", "rows"),
        [(-3, 11, (0, 8)), (-3, 0.5, (0, 1)), (7.5, 11, (7, 8)), (-3, 0, None), (8, 11, None), (-3, -1, None)],
    )
    def test_rows_are_cut_to_the_grid_and_dropped_outside(self, low, high, rows):
        triangle = [(0.0, float(low), 0.0), (0.0, float(high), 1.0), (1.0, float(low), 0.0)]
        assert columns_of(grid(), [triangle], area=1) == ({} if rows is None else {(0, 0): [(*rows, 1)]})

    def test_each_cell_takes_the_heights_of_its_own_piece(self):
        ramp = [(0.0, 0.0, 0.0), (0.0, 0.0, 4.0), (4.0, 8.0, 0.0)]
        found = columns_of(grid(), [ramp], area=1)
        assert [found[x, 0] for x in range(4)] == [[(2 * x, 2 * x + 2, 1)] for x in range(4)]

    def test_a_height_far_above_the_grid_is_dropped_whatever_its_size(self):
        triangle = [(0.0, 2.0**21, 0.0), (0.0, 2.0**21, 1.0), (1.0, 2.0**21, 0.0)]
        assert columns_of(grid(cell=1.0, row=2.0**-20), [triangle]) == {}
        mixed = [(0.0, -(2.0**21), 0.0), (0.0, 2.0**21, 1.0), (1.0, 0.0, 0.0)]
        assert columns_of(grid(cell=1.0, row=2.0**-20), [mixed], area=1) == {(0, 0): [(0, 8, 1)]}


class TestWalkability:
    def test_the_slope_is_compared_strictly(self):
        for cosine, area in ((1.0, 0), (0.99999994, 63)):
            assert columns_of(grid(), [flat(UP, 1.5)], slope_cosine=cosine) == {(0, 0): [(1, 2, area)]}

    def test_walls_and_undersides_are_not_walkable_at_slope_cosine_zero(self):
        wall = [(0.25, 0.0, 0.25), (0.75, 0.0, 0.25), (0.25, 2.0, 0.25)]
        assert columns_of(grid(), [wall], slope_cosine=0.0) == {(0, 0): [(0, 2, 0)]}
        assert columns_of(grid(), [flat(UP[::-1], 1.5)], slope_cosine=0.0) == {(0, 0): [(1, 2, 0)]}

    def test_the_slope_is_that_of_metres_not_of_cells(self):
        # 45 degrees in cells of 1 x 0.25 is 14 degrees in metres.
        ramp = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.25, 0.0)]
        assert columns_of(grid(row=0.25), [ramp]) == {(0, 0): [(0, 1, 63)]}
        steep = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.25), (0.25, 1.0, 0.0)]
        assert columns_of(grid(cell=0.25), [steep]) == {(0, 0): [(0, 1, 0)]}

    def test_areas_of_the_caller_are_taken_as_they_are(self):
        wall = [(0.25, 0.0, 0.25), (0.75, 0.0, 0.25), (0.25, 2.0, 0.25)]
        for area in (0, 1, 62, 63):
            assert columns_of(grid(), [wall], area=area) == {(0, 0): [(0, 2, area)]}

    def test_areas_of_the_caller_can_still_be_closed_by_the_slope(self):
        wall = [(0.25, 0.0, 0.25), (0.75, 0.0, 0.25), (0.25, 2.0, 0.25)]
        corners, triangles = [*wall, *flat(scaled(UP, 0.5, (1, 1)), 1.5)], [(0, 1, 2), (3, 4, 5)]
        rows, _ = rasterized(grid(), corners, triangles, areas=[5, 6], classify=True)
        assert rows == [[0, 0, 0, 2, 0], [1, 1, 1, 2, 6]]


class TestDegenerate:
    def test_triangles_without_area_are_skipped_and_counted(self):
        a, b, c = (0.0, 1.5, 0.0), (1.0, 1.5, 0.0), (2.0, 1.5, 0.0)
        corners = [a, a, a, a, a, b, a, b, b, b, a, b, a, b, c]
        triangles = [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(5)]
        assert rasterized(grid(), corners, triangles) == ([], 5)

    def test_a_normal_that_underflows_is_degenerate(self):
        tiny = [(0.0, 1.5, 0.0), (0.0, 1.5, 2.0**-40), (2.0**-40, 1.5, 0.0)]
        assert rasterized(grid(), tiny, [(0, 1, 2)]) == ([], 1)
        small = [(0.0, 1.5, 0.0), (0.0, 1.5, 2.0**-36), (2.0**-36, 1.5, 0.0)]
        assert rasterized(grid(), small, [(0, 1, 2)]) == ([[0, 0, 1, 2, 63]], 0)

    def test_degenerate_triangles_do_not_shift_the_areas_of_the_others(self):
        corners = [*flat(UP, 1.5), *flat(scaled(UP, 0.5, (1, 1)), 1.5)]
        rows, degenerate = rasterized(grid(), corners, [(0, 1, 2), (0, 0, 1), (3, 4, 5)], areas=[5, 6, 7])
        assert rows == [[0, 0, 1, 2, 5], [1, 1, 1, 2, 7]] and degenerate == 1

    def test_no_triangles_give_no_spans(self):
        assert rasterized(grid(), [], []) == ([], 0)
        assert rasterized(grid(), flat(UP, 1.5), []) == ([], 0)

    def test_vertices_that_no_triangle_names_are_not_looked_at(self):
        corners = [*flat(UP, 1.5), (1e29, float("nan"), float("inf"))]
        assert rasterized(grid(), corners, [(0, 1, 2)])[0] == [[0, 0, 1, 2, 63]]


class TestOrder:
    def test_spans_are_merged_in_the_order_of_the_triangles(self):
        ground, higher, between = (flat(UP, y) for y in (1.5, 4.5, 2.5))
        corners = [*ground, *higher, *between]
        orders = {}
        for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
            triangles = [(3 * k, 3 * k + 1, 3 * k + 2) for k in order]
            areas = [(9, 5, 0)[k] for k in order]
            orders[tuple(order)] = rasterized(grid(), corners, triangles, areas=areas, threshold=0)[0]
        assert orders[0, 1, 2] == [[0, 0, 1, 3, 0], [0, 0, 4, 5, 5]]
        assert orders[2, 1, 0] == [[0, 0, 1, 3, 0], [0, 0, 4, 5, 5]]

    def test_a_second_call_adds_to_the_first(self):
        corners = [*flat(UP, 1.5), *flat(UP, 2.5)]
        both = rasterized(grid(), corners, [(0, 1, 2), (3, 4, 5)], areas=[9, 3], threshold=1)[0]
        assert both == [[0, 0, 1, 3, 9]]


class TestHeightGrid:
    def test_every_square_faces_up_and_is_cut_from_first_to_last_corner(self):
        # The corner opposite (1, 0) is lifted: only the triangle that holds it is steep.
        frame = grid(2, 2, 16, cell=1.0, row=0.25)
        rows = heights_of(frame, [[1.1, 3.1], [1.1, 1.1]], (0.0, 0.0), 1.0)
        assert rows == [[0, 0, 4, 13, 0]]
        wide = grid(2, 2, 16, cell=0.5, row=0.25)
        rows = {(x, z): area for x, z, _, _, area in heights_of(wide, [[1.1, 3.1], [1.1, 1.1]], (0.0, 0.0), 1.0)}
        assert rows == {(0, 0): 63, (1, 0): 0, (0, 1): 63, (1, 1): 63}

    def test_heights_lie_x_fastest(self):
        frame = grid(3, 2, 16)
        rows = heights_of(frame, [[1.5, 1.5, 5.5], [1.5, 1.5, 5.5]], (0.0, 0.0), 1.0)
        assert [(x, high) for x, _, _, high, _ in rows] == [(0, 2), (1, 6)]

    def test_areas_are_two_a_square_squares_x_fastest(self):
        frame = grid(2, 2, 16)
        rows = heights_of(frame, [[1.5] * 3] * 3, (0.0, 0.0), 1.0, areas=[1, 2, 3, 4, 5, 6, 7, 8])
        assert rows == [[0, 0, 1, 2, 2], [1, 0, 1, 2, 4], [0, 1, 1, 2, 6], [1, 1, 1, 2, 8]]

    def test_the_first_triangle_of_a_square_is_the_one_at_its_lower_x(self):
        rows = heights_of(grid(2, 2, 16), [[1.5, 1.5], [1.5, 1.5]], (0.0, 0.0), 2.0, areas=[3, 4])
        assert rows == [[0, 0, 1, 2, 4], [1, 0, 1, 2, 4], [0, 1, 1, 2, 3], [1, 1, 1, 2, 4]]

    def test_points_are_computed_in_doubles_from_the_corner(self):
        frame = Frame((0.1, 0.0, 0.2), np.float32(0.1), np.float32(0.1), 9, 9, 9)
        heights = [[0.35 + 0.01 * (i * j % 3) for i in range(5)] for j in range(4)]
        assert heights_of(frame, heights, (0.1, 0.2), 0.1)
