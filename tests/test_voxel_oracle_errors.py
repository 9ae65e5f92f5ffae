"""What the front half refuses, and that a refused call changes nothing (voxelization document, sections 1 to 8).

NaN, empty or inverted bounds, bad run lists and unequal lengths are `ArgumentError`s; numbers out of range and index
counts that are not triples are `RangeError`s, which are told apart here because the one is a subclass of the other.
"""

from __future__ import annotations

import numpy as np
import pytest

from onepath.build import (
    CompactHeightfield,
    HeightfieldFrame,
    SolidHeightfield,
    apply_span_filters,
    erode_walkable_area,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
    filter_low_height,
    rasterize_height_grid,
    rasterize_triangles,
)
from onepath.errors import ArgumentError, RangeError
from tests.voxel_pairs import refused

NAN, INF = float("nan"), float("inf")
LIMIT = 2.0**21
BEYOND = float(np.nextafter(LIMIT, INF))
ORIGIN = (0.0, 0.0, 0.0)


def frame(width=4, depth=4, rows=8):
    return HeightfieldFrame(ORIGIN, 1.0, 1.0, width, depth, rows)


class TestFrames:
    @pytest.mark.parametrize("size", [2.0**-20, 2.0**20])
    def test_sizes_at_the_limits_are_taken(self, size):
        assert HeightfieldFrame(ORIGIN, size, size, 1, 1, 1).cell_size == size

    @pytest.mark.parametrize("size", [0.0, -1.0, 2.0**-20 * 0.999999, 2.0**20 * 1.000001, INF, -INF])
    def test_sizes_out_of_range_are_refused(self, size):
        refused(RangeError, HeightfieldFrame, ORIGIN, size, 1.0, 4, 4, 4, says="cell_size")
        refused(RangeError, HeightfieldFrame, ORIGIN, 1.0, size, 4, 4, 4, says="cell_height")
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (1, 1, 1), size, 1.0, says="cell_size")
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (1, 1, 1), 1.0, size, says="cell_height")

    def test_a_size_that_is_not_a_number_is_refused(self):
        refused(ArgumentError, HeightfieldFrame, ORIGIN, NAN, 1.0, 4, 4, 4, says="cell_size")
        refused(ArgumentError, HeightfieldFrame, ORIGIN, 1.0, NAN, 4, 4, 4, says="cell_height")
        refused(ArgumentError, HeightfieldFrame.from_bounds, ORIGIN, (1, 1, 1), NAN, 1.0, says="cell_size")

    @pytest.mark.parametrize("dimensions", [(65536, 256, 65535), (256, 65536, 1), (4096, 4096, 1), (1, 1, 65535)])
    def test_dimensions_at_the_limits_are_taken(self, dimensions):
        made = HeightfieldFrame(ORIGIN, 1.0, 1.0, *dimensions)
        assert (made.width, made.depth, made.rows) == dimensions

    @pytest.mark.parametrize(
        "dimensions",
        [
            (65537, 1, 1),
            (1, 65537, 1),
            (1, 1, 65536),
            (4097, 4096, 1),
            (65536, 257, 1),
            (0, 1, 1),
            (1, 0, 1),
            (1, 1, 0),
            (-1, 1, 1),
            (1, -1, 1),
            (1, 1, -1),
            (2**40, 1, 1),
        ],
    )
    def test_dimensions_out_of_range_are_refused(self, dimensions):
        refused(RangeError, HeightfieldFrame, ORIGIN, 1.0, 1.0, *dimensions)

    @pytest.mark.parametrize("axis", [0, 1, 2])
    def test_coordinates_are_finite_and_within_the_bound(self, axis):
        def at(value):
            return tuple(value if k == axis else 0.0 for k in range(3))

        for value in (LIMIT, -LIMIT):
            assert HeightfieldFrame(at(value), 1.0, 1.0, 1, 1, 1).origin == at(value)
        for value in (BEYOND, -BEYOND, INF, -INF):
            refused(RangeError, HeightfieldFrame, at(value), 1.0, 1.0, 4, 4, 4, says=repr(value))
        refused(ArgumentError, HeightfieldFrame, at(NAN), 1.0, 1.0, 4, 4, 4)

    @pytest.mark.parametrize("axis", [0, 1, 2])
    def test_bounds_are_checked_like_every_coordinate(self, axis):
        def bounds(low, high):
            return [tuple(value if k == axis else other for k in range(3)) for value, other in ((low, 0), (high, 1))]

        build = HeightfieldFrame.from_bounds
        refused(ArgumentError, build, *bounds(NAN, 1), 1.0, 1.0)
        refused(ArgumentError, build, *bounds(0, NAN), 1.0, 1.0)
        refused(RangeError, build, *bounds(0, BEYOND), 1.0, 1.0)
        refused(RangeError, build, *bounds(-BEYOND, 0), 1.0, 1.0)
        refused(RangeError, build, *bounds(0, INF), 1.0, 1.0)
        refused(ArgumentError, build, *bounds(1, 1), 1.0, 1.0)
        refused(ArgumentError, build, *bounds(1, 0), 1.0, 1.0)

    def test_bounds_that_need_too_many_cells_are_refused(self):
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (65537.0, 1.0, 1.0), 1.0, 1.0)
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (1.0, 65536.0, 1.0), 1.0, 1.0)
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (5000.0, 1.0, 5000.0), 1.0, 1.0)
        refused(RangeError, HeightfieldFrame.from_bounds, ORIGIN, (LIMIT, 1.0, 1.0), 2.0**-20, 1.0)


GOOD = np.array([[0.0, 1.5, 0.0], [0.0, 1.5, 1.0], [1.0, 1.5, 0.0], [3.0, 1.5, 3.0], [3.0, 1.5, 4.0], [4.0, 1.5, 3.0]])
TWO = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32)


class TestTriangles:
    def refused(self, error, vertices=GOOD, triangles=TWO, says=None, **named):
        field = SolidHeightfield(frame())
        field.add_span(1, 1, 2, 3, 5)
        refused(error, rasterize_triangles, field, vertices, triangles, says=says, **named)
        assert field.spans().tolist() == [[1, 1, 2, 3, 5]] and field.degenerate_triangles == 0

    @pytest.mark.parametrize("axis", [0, 1, 2])
    @pytest.mark.parametrize("vertex", [0, 4, 5])
    def test_a_bad_coordinate_of_a_named_vertex_is_refused_before_anything_is_added(self, vertex, axis):
        for value, error in ((NAN, ArgumentError), (INF, RangeError), (BEYOND, RangeError), (-BEYOND, RangeError)):
            vertices = GOOD.copy()
            vertices[vertex, axis] = value
            self.refused(error, vertices)

    def test_coordinates_at_the_bound_are_taken(self):
        field = SolidHeightfield(frame())
        rasterize_triangles(
            field, np.array([[-LIMIT, 1.5, -LIMIT], [-LIMIT, 1.5, LIMIT], [LIMIT, 1.5, -LIMIT]]), TWO[:1]
        )
        assert field.degenerate_triangles == 0

    @pytest.mark.parametrize("index", [6, -1, 2**31 - 1])
    @pytest.mark.parametrize("place", [(0, 0), (1, 1), (1, 2)])
    def test_an_index_that_names_no_vertex_is_refused(self, index, place):
        triangles = TWO.copy()
        triangles[place] = index
        self.refused(RangeError, triangles=triangles, says=str(index))

    def test_flat_index_lists_hold_three_a_triangle(self):
        field = SolidHeightfield(frame())
        rasterize_triangles(field, GOOD, TWO.reshape(-1))
        assert len(field.spans()) == 2
        for count in (1, 2, 4, 5):
            self.refused(RangeError, triangles=np.arange(count, dtype=np.int32))

    def test_areas_are_as_many_as_triangles_and_from_0_to_63(self):
        self.refused(ArgumentError, areas=np.array([1], dtype=np.uint8))
        self.refused(ArgumentError, areas=np.array([1, 2, 3], dtype=np.uint8))
        self.refused(RangeError, areas=np.array([1, 64], dtype=np.uint8))
        self.refused(RangeError, areas=np.array([1, -1]))

    def test_a_negative_merge_threshold_is_refused(self):
        self.refused(RangeError, merge_threshold=-1)

    def test_a_slope_cosine_that_is_not_a_number_is_refused(self):
        self.refused(ArgumentError, slope_cosine=NAN)


class TestHeightGrids:
    HEIGHTS = np.full((3, 3), 1.5)

    def refused(self, error, heights=HEIGHTS, corner=(0.0, 0.0), spacing=1.0, **named):
        field = SolidHeightfield(frame())
        field.add_span(1, 1, 2, 3, 5)
        refused(error, rasterize_height_grid, field, heights, spacing, origin=corner, **named)
        assert field.spans().tolist() == [[1, 1, 2, 3, 5]]

    @pytest.mark.parametrize("shape", [(1, 3), (3, 1), (1, 1), (0, 3), (3, 0)])
    def test_fewer_than_two_points_on_a_side_are_refused(self, shape):
        self.refused(RangeError, np.full(shape, 1.5))

    def test_a_bad_height_is_refused(self):
        for value, error in ((NAN, ArgumentError), (INF, RangeError), (BEYOND, RangeError), (-BEYOND, RangeError)):
            heights = self.HEIGHTS.copy()
            heights[2, 1] = value
            self.refused(error, heights)

    def test_a_spacing_that_is_not_positive_is_refused(self):
        for value in (0.0, -1.0, INF):
            self.refused(RangeError, spacing=value)
        self.refused(ArgumentError, spacing=NAN)

    def test_a_corner_out_of_bounds_is_refused_and_so_is_a_far_point(self):
        self.refused(ArgumentError, corner=(NAN, 0.0))
        self.refused(ArgumentError, corner=(0.0, NAN))
        self.refused(RangeError, corner=(BEYOND, 0.0))
        self.refused(RangeError, corner=(0.0, -BEYOND))
        self.refused(RangeError, corner=(LIMIT, 0.0))
        self.refused(RangeError, spacing=LIMIT)


class TestSpans:
    def test_a_span_outside_the_grid_is_refused(self):
        field = SolidHeightfield(frame())
        for span in ((4, 0, 1, 2, 1), (-1, 0, 1, 2, 1), (0, 4, 1, 2, 1), (0, -1, 1, 2, 1), (0, 0, -1, 2, 1)):
            refused(RangeError, field.add_span, *span)
        refused(RangeError, field.add_span, 0, 0, 1, 9, 1)
        refused(RangeError, field.add_span, 0, 0, 1, 2, 64)
        refused(RangeError, field.add_span, 0, 0, 1, 2, -1)
        refused(RangeError, field.add_span, 0, 0, 1, 2, 1, merge_threshold=-1)
        assert field.span_count == 0

    @pytest.mark.parametrize("rows", [(2, 2), (3, 2)])
    def test_an_empty_span_is_refused(self, rows):
        field = SolidHeightfield(frame())
        with pytest.raises(ArgumentError):
            field.add_span(0, 0, *rows, 1)
        with pytest.raises(ArgumentError):
            SolidHeightfield.from_spans(frame(), [[0, 0, *rows, 1]])

    @pytest.mark.parametrize(
        "spans",
        [
            [[0, 0, 1, 3, 1], [0, 0, 2, 4, 1]],
            [[0, 0, 1, 3, 1], [0, 0, 3, 4, 1]],
            [[0, 0, 1, 3, 1], [0, 0, 1, 3, 1]],
            [[4, 0, 1, 3, 1]],
            [[0, 0, -1, 3, 1]],
            [[0, 0, 1, 9, 1]],
            [[0, 0, 1, 3, 64]],
        ],
    )
    def test_spans_that_are_no_solid_field_are_refused(self, spans):
        with pytest.raises(ArgumentError):
            SolidHeightfield.from_spans(frame(), spans)


@pytest.mark.parametrize(
    ("function", "numbers"),
    [
        (filter_low_hanging_obstacles, (-1,)),
        (filter_ledge_spans, (-1, 2)),
        (filter_ledge_spans, (2, -1)),
        (filter_low_height, (-1,)),
        (apply_span_filters, (-1, 2)),
        (apply_span_filters, (2, -1)),
    ],
)
def test_negative_heights_and_climbs_are_refused(function, numbers):
    field = SolidHeightfield.from_spans(frame(), [[0, 0, 1, 3, 1]])
    refused(RangeError, function, field, *numbers)
    assert field.spans().tolist() == [[0, 0, 1, 3, 1]]


def plain():
    return CompactHeightfield.build(
        SolidHeightfield.from_spans(frame(), [[x, z, 1, 3, 1] for z in range(4) for x in range(4)]), 2, 1
    )


def test_a_compact_field_needs_heights_and_climbs_in_range():
    field = SolidHeightfield(frame())
    refused(RangeError, CompactHeightfield.build, field, -1, 2)
    refused(RangeError, CompactHeightfield.build, field, 2, -1)


@pytest.mark.parametrize("radius", [-1, 2**20 + 1])
def test_a_radius_out_of_range_is_refused(radius):
    compact = plain()
    refused(RangeError, erode_walkable_area, compact, radius)
    assert compact.area.tolist() == [1] * 16
