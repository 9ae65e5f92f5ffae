"""Volumes on cases worked out by hand and at random against the slow code; what they refuse.

Document: voxelization, section 9.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.build import CompactHeightfield, ConvexVolume, apply_volume, erode_walkable_area
from onepath.errors import ArgumentError, RangeError
from tests.oracles import voxel_compact as oracle
from tests.soups import random_frame, random_volume
from tests.voxel_pairs import assert_same_compact, compact_pair, fast_frame, grid, refused, solid_pair

NAN, INF = float("nan"), float("inf")
BEYOND = float(np.nextafter(2.0**21, INF))


def floor_pair(frame, rows=None):
    """Both compact fields of one floor a column, at the row given by `rows(x, z)`."""
    spans = [
        [x, z, 0, rows(x, z) if rows else max(1, frame.height // 2), 63]
        for z in range(frame.depth)
        for x in range(frame.width)
    ]
    return compact_pair(frame, spans, 1, 1)


def with_volume(frame, pair, corners, low, high, area):
    fast, slow = pair
    apply_volume(fast, ConvexVolume(corners, low, high, area))
    oracle.apply_volume(frame, slow, corners, low, high, area)
    assert_same_compact(fast, slow)
    return {(s.x, s.z) for s in slow.spans() if s.area == area}


class TestVolumes:
    SQUARE = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0))
    INSIDE = frozenset((x, z) for x in (1, 2) for z in (1, 2))

    def test_cells_whose_centre_is_inside_take_the_area_in_either_winding(self):
        for corners in (self.SQUARE, self.SQUARE[::-1]):
            frame = grid(5, 5, 8)
            assert with_volume(frame, floor_pair(frame), corners, 0.0, 8.0, 9) == self.INSIDE

    def test_a_centre_on_the_outline_is_inside(self):
        frame = grid(5, 5, 8)
        square = [(0.5, 0.5), (2.5, 0.5), (2.5, 2.5), (0.5, 2.5)]
        found = with_volume(frame, floor_pair(frame), square, 0.0, 8.0, 9)
        assert found == {(x, z) for x in range(3) for z in range(3)}
        triangle = [(0.5, 0.5), (3.5, 0.5), (0.5, 3.5)]
        found = with_volume(frame, floor_pair(frame), triangle, 0.0, 8.0, 9)
        assert found == {(x, z) for x in range(4) for z in range(4) if x + z <= 3}

    def test_the_interval_is_closed_and_compares_the_floor(self):
        frame = grid(5, 5, 8)
        for low, high, inside in ((4.0, 5.0, True), (3.0, 4.0, True), (4.0001, 5.0, False), (3.0, 3.9999, False)):
            found = with_volume(frame, floor_pair(frame), self.SQUARE, low, high, 9)
            assert found == (self.INSIDE if inside else set())

    def test_floor_and_centre_are_those_of_the_world(self):
        frame = grid(5, 5, 8, cell=0.5, row=0.25, origin=(-7.0, 3.0, 100.0))
        corners = [(-6.5, 100.0), (-5.5, 100.0), (-5.5, 100.5), (-6.5, 100.5)]
        assert with_volume(frame, floor_pair(frame), corners, 4.0, 4.0, 9) == {(1, 0), (2, 0)}

    def test_a_span_of_area_zero_keeps_it(self):
        frame = grid(5, 5, 8)
        pair = floor_pair(frame)
        with_volume(frame, pair, self.SQUARE, 0.0, 8.0, 0)
        assert with_volume(frame, pair, self.SQUARE, 0.0, 8.0, 9) == set()

    def test_later_volumes_overwrite(self):
        frame = grid(5, 5, 8)
        pair = floor_pair(frame)
        with_volume(frame, pair, self.SQUARE, 0.0, 8.0, 9)
        assert with_volume(frame, pair, self.SQUARE, 0.0, 8.0, 4) == self.INSIDE

    def test_corners_may_repeat_and_lie_on_straight_sides(self):
        frame = grid(5, 5, 8)
        corners = [(1, 1), (1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (3, 3), (1, 3), (1, 1)]
        assert with_volume(frame, floor_pair(frame), corners, 0.0, 8.0, 9) == self.INSIDE

    def test_the_slow_code_agrees_with_what_convex_means(self):
        assert oracle.is_convex(self.SQUARE) and oracle.is_convex(self.SQUARE[::-1])
        assert not oracle.is_convex([(0, 0), (4, 0), (1, 1), (0, 4)])
        assert not oracle.is_convex([(0, 0), (1, 1), (2, 2)])

    @pytest.mark.parametrize("count", [500, pytest.param(15000, marks=pytest.mark.full)])
    def test_random_volumes_mark_alike(self, count):
        random = Random("volumes")
        for _ in range(count):
            frame = random_frame(random)
            if frame.height < 2:
                continue
            pair = floor_pair(frame, lambda x, z, frame=frame: 1 + (3 * x + 5 * z) % (frame.height - 1))
            for _ in range(3):
                with_volume(frame, pair, *random_volume(random, frame))

    @pytest.mark.parametrize("count", [150, pytest.param(6000, marks=pytest.mark.full)])
    def test_edges_that_run_through_computed_centres_are_decided_exactly(self, count):
        # Corners are cell centres as doubles; whether a third centre lies on the edge is below a double's rounding.
        random = Random("centres")
        on_edge = 0
        for _ in range(count):
            cell = float(np.float32(random.choice((0.1, 0.3, 0.7, 1.7))))
            reach = random.choice((0.25, 1.0, 900.0))
            origin = (random.uniform(-reach, reach), 0.0, random.uniform(-reach, reach))
            frame = grid(7, 7, 4, cell=cell, origin=origin)
            corners = {(random.randrange(7), random.randrange(7)) for _ in range(3)}
            world = [(origin[0] + (x + 0.5) * cell, origin[2] + (z + 0.5) * cell) for x, z in sorted(corners)]
            if len(world) == 3 and oracle.is_convex(world):
                marked = with_volume(frame, floor_pair(frame), world, 0.0, 4.0, 9)
                assert corners <= marked
                on_edge += len(marked) > 3
        assert on_edge > count // 4


def test_volumes_reach_every_floor_of_a_column_inside_the_interval():
    frame = grid(3, 3, 40)
    spans = [[x, z, low, low + 1, 63] for z in range(3) for x in range(3) for low in (0, 10, 20)]
    fast, _ = solid_pair(frame, spans)
    compact = CompactHeightfield.build(fast, 5, 2)
    apply_volume(compact, ConvexVolume([(0, 0), (3, 0), (3, 3), (0, 3)], 11.0, 20.5, 5))
    assert compact.area.tolist() == [63, 5, 63] * 9
    assert compact.frame == fast_frame(frame)


def test_a_span_of_area_zero_is_a_boundary_and_makes_its_neighbours_one():
    frame = grid(7, 7, 8)
    fast, slow = floor_pair(frame)
    with_volume(frame, (fast, slow), [(3.0, 3.0), (4.0, 3.0), (4.0, 4.0), (3.0, 4.0)], 0.0, 8.0, 0)
    erode_walkable_area(fast, 1)
    oracle.erode_walkable_area(slow, 1)
    assert_same_compact(fast, slow)
    closed = {(s.x, s.z) for s in slow.spans() if s.area == 0}
    rim = {(x, z) for x in range(7) for z in range(7) if x in (0, 6) or z in (0, 6)}
    assert closed == rim | {(3, 3), (2, 3), (4, 3), (3, 2), (3, 4)}


class TestRefusals:
    SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))

    def test_corners_are_3_to_256(self):
        refused(RangeError, ConvexVolume, self.SQUARE[:2], 0.0, 1.0, 5)
        steps = [(float(k), 0.0) for k in range(128)]
        box = [*steps, *((x, 1.0) for x, _ in reversed(steps))]
        assert ConvexVolume(box, 0.0, 1.0, 5)
        refused(RangeError, ConvexVolume, [*box, (0.0, 0.5)], 0.0, 1.0, 5)

    @pytest.mark.parametrize(
        "corners",
        [
            [(0, 0), (4, 0), (1, 1), (0, 4)],
            [(0, 0), (2, 2), (2, 0), (0, 2)],
            [(0, 0), (1, 1), (2, 2)],
            [(0, 0), (0, 0), (0, 0)],
            [(0, 0), (4, 0), (2, 0), (4, 4)],
            [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (4, 0)],
            [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (4, 0), (4, 4)],
            [(0, 4), (2, -4), (4, 4), (-1, -1), (5, -1)],
        ],
    )
    def test_polygons_that_are_not_convex_or_have_no_area_are_refused(self, corners):
        for turn in (corners, corners[::-1]):
            refused(ArgumentError, ConvexVolume, turn, 0.0, 1.0, 5)

    def test_a_single_corner_out_of_line_is_found_wherever_it_stands(self):
        ring = [(0, 0), (2, -1), (4, 0), (5, 2), (4, 4), (2, 5), (0, 4), (-1, 2)]
        assert ConvexVolume(ring, 0.0, 1.0, 5)
        for k in range(len(ring)):
            dented = [((2 + x) / 2, (2 + z) / 2) if i == k else (x, z) for i, (x, z) in enumerate(ring)]
            refused(ArgumentError, ConvexVolume, dented, 0.0, 1.0, 5)

    def test_bad_corners_are_refused(self):
        for value, error in ((NAN, ArgumentError), (INF, RangeError), (BEYOND, RangeError)):
            refused(error, ConvexVolume, [(value, 0.0), *self.SQUARE[1:]], 0.0, 1.0, 5)
            refused(error, ConvexVolume, [*self.SQUARE[:3], (0.0, value)], 0.0, 1.0, 5)

    def test_an_inverted_or_nan_interval_is_refused(self):
        refused(ArgumentError, ConvexVolume, self.SQUARE, 1.0, 0.0, 5)
        refused(ArgumentError, ConvexVolume, self.SQUARE, NAN, 0.0, 5)
        refused(ArgumentError, ConvexVolume, self.SQUARE, 0.0, NAN, 5)
        assert ConvexVolume(self.SQUARE, 1.0, 1.0, 5)

    def test_area_ids_are_0_to_63(self):
        for area in (-1, 64):
            refused(RangeError, ConvexVolume, self.SQUARE, 0.0, 1.0, area)
