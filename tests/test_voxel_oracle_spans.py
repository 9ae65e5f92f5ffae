"""Merging and filters on cases worked out by hand, and on random columns against the slow code.

Documents: voxelization, sections 3 and 6. A column is written as a list of (low row, high row, area).
"""

from __future__ import annotations

from random import Random

import pytest

from onepath.build import (
    SolidHeightfield,
    apply_span_filters,
    filter_ledge_spans,
    filter_low_hanging_obstacles,
    filter_low_height,
)
from tests.oracles import voxel_spans as oracle
from tests.soups import AREAS, crowded_columns, random_columns, random_terrain
from tests.voxel_pairs import fast_frame, grid, solid_pair

ORDINARY, LONG = 1500, 30000


def merged(*spans, threshold=0, rows=40):
    """One column after adding (low, high, area) in order, by both codes."""
    frame = grid(1, 1, rows)
    fast, slow = SolidHeightfield(fast_frame(frame)), frame.empty()
    for low, high, area in spans:
        fast.add_span(0, 0, low, high, area, merge_threshold=threshold)
        slow.add_span(0, 0, low, high, area, threshold)
    assert fast.spans().tolist() == slow.rows()
    return [tuple(row[2:]) for row in slow.rows()]


class TestMerge:
    def test_spans_that_overlap_or_touch_become_one(self):
        assert merged((2, 5, 1), (5, 7, 1)) == [(2, 7, 1)]
        assert merged((5, 7, 1), (2, 5, 1)) == [(2, 7, 1)]
        assert merged((2, 5, 1), (6, 7, 1)) == [(2, 5, 1), (6, 7, 1)]
        assert merged((6, 7, 1), (2, 5, 1)) == [(2, 5, 1), (6, 7, 1)]
        assert merged((2, 9, 1), (3, 4, 1)) == [(2, 9, 1)]
        assert merged((3, 4, 1), (2, 9, 1)) == [(2, 9, 1)]

    def test_a_span_can_bridge_several(self):
        assert merged((2, 3, 1), (5, 6, 1), (8, 9, 1), (12, 13, 1), (3, 8, 1)) == [(2, 9, 1), (12, 13, 1)]
        assert merged((2, 3, 1), (5, 6, 1), (8, 9, 1), (12, 13, 1), (4, 7, 1)) == [
            (2, 3, 1),
            (4, 7, 1),
            (8, 9, 1),
            (12, 13, 1),
        ]

    def test_an_old_top_above_wins_unless_it_is_within_the_threshold(self):
        assert merged((2, 6, 1), (2, 5, 9), threshold=0) == [(2, 6, 1)]
        assert merged((2, 6, 1), (2, 5, 9), threshold=1) == [(2, 6, 9)]
        assert merged((2, 8, 1), (2, 5, 9), threshold=2) == [(2, 8, 1)]
        assert merged((2, 8, 1), (2, 5, 9), threshold=3) == [(2, 8, 9)]
        assert merged((2, 8, 9), (2, 5, 1), threshold=3) == [(2, 8, 9)]

    def test_a_new_top_above_wins_unless_the_old_is_within_the_threshold(self):
        assert merged((2, 5, 9), (2, 6, 1), threshold=0) == [(2, 6, 1)]
        assert merged((2, 5, 9), (2, 6, 1), threshold=1) == [(2, 6, 9)]
        assert merged((2, 5, 9), (2, 8, 1), threshold=2) == [(2, 8, 1)]
        assert merged((2, 5, 9), (2, 8, 1), threshold=3) == [(2, 8, 9)]
        assert merged((2, 5, 1), (2, 8, 9), threshold=3) == [(2, 8, 9)]

    def test_equal_tops_take_the_larger_area_at_any_threshold(self):
        assert merged((2, 5, 9), (3, 5, 1), threshold=0) == [(2, 5, 9)]
        assert merged((2, 5, 1), (3, 5, 9), threshold=0) == [(2, 5, 9)]

    def test_the_top_grows_while_spans_are_merged_from_the_bottom_up(self):
        # After (2, 6, 1) the top is 6 and area 1; (8, 12) does not touch, (6, ...) would.
        assert merged((2, 6, 7), (8, 12, 5), (4, 8, 1), threshold=2) == [(2, 12, 5)]
        assert merged((2, 6, 7), (8, 10, 5), (4, 8, 1), threshold=2) == [(2, 10, 7)]
        assert merged((2, 6, 7), (8, 9, 5), (4, 8, 1), threshold=1) == [(2, 9, 5)]

    def test_the_order_of_adding_counts(self):
        first = merged((2, 5, 9), (2, 7, 1), (2, 9, 3), threshold=2)
        last = merged((2, 9, 3), (2, 7, 1), (2, 5, 9), threshold=2)
        assert first == [(2, 9, 9)] and last == [(2, 9, 3)]

    def test_spans_may_fill_the_column_to_both_ends(self):
        assert merged((0, 1, 4), (39, 40, 5)) == [(0, 1, 4), (39, 40, 5)]
        assert merged((0, 1, 4), (39, 40, 5), (0, 40, 1)) == [(0, 40, 5)]

    @pytest.mark.parametrize("count", [ORDINARY, pytest.param(LONG, marks=pytest.mark.full)])
    def test_random_spans_merge_alike(self, count):
        random = Random("merge")
        for _ in range(count):
            rows, threshold = random.choice((8, 20, 60)), random.choice((0, 1, 2, 5, 30))
            reach = random.choice((1, 3, 10))
            spans = []
            for _ in range(random.randint(1, 16)):
                low = random.randrange(rows)
                spans.append((low, min(rows, low + random.randint(1, reach)), random.choice(AREAS)))
            merged(*spans, threshold=threshold, rows=rows)

    @pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.full)])
    def test_columns_that_grow_in_turn_stay_apart(self, count):
        random = Random("columns")
        for _ in range(count):
            frame = grid(random.randint(1, 4), random.randint(1, 4), 30)
            fast, slow = SolidHeightfield(fast_frame(frame)), frame.empty()
            for _ in range(60):
                x, z, low = random.randrange(frame.width), random.randrange(frame.depth), random.randrange(28)
                span = (x, z, low, low + random.randint(1, 2), random.choice(AREAS))
                threshold = random.randrange(3)
                fast.add_span(*span, merge_threshold=threshold)
                slow.add_span(*span, threshold)
            assert fast.spans().tolist() == slow.rows()


def filtered(rows, columns, function, slow_function, *numbers, width=None, depth=1):
    """The columns (listed x fastest) after one filter by both codes, as lists of area ids."""
    width = width or len(columns)
    spans = [[i % width, i // width, *span] for i, column in enumerate(columns) for span in column]
    fast, slow = solid_pair(grid(width, depth, rows), spans)
    function(fast, *numbers)
    slow_function(slow, *numbers)
    assert fast.spans().tolist() == slow.rows()
    return [[s.area for s in column] for column in slow.columns]


def low_hanging(columns, climb, rows=40):
    return filtered(rows, columns, filter_low_hanging_obstacles, oracle.filter_low_hanging_obstacles, climb)


def low_height(columns, height, rows=40):
    return filtered(rows, columns, filter_low_height, oracle.filter_low_height, height)


class TestLowHangingObstacles:
    def test_a_step_within_climb_takes_the_area_below(self):
        assert low_hanging([[(0, 2, 7), (4, 5, 0)]], 3) == [[7, 7]]
        assert low_hanging([[(0, 2, 7), (4, 5, 0)]], 2) == [[7, 0]]
        assert low_hanging([[(0, 2, 7), (3, 9, 0)]], 3) == [[7, 0]]

    def test_only_spans_of_area_zero_change(self):
        assert low_hanging([[(0, 2, 7), (3, 4, 5)]], 3) == [[7, 5]]
        assert low_hanging([[(0, 2, 0), (3, 4, 0)]], 3) == [[0, 0]]

    def test_the_area_below_is_the_one_before_the_filter(self):
        assert low_hanging([[(0, 2, 7), (3, 4, 0), (5, 6, 0)]], 3) == [[7, 7, 0]]
        assert low_hanging([[(0, 2, 7), (3, 4, 0), (5, 6, 9), (7, 8, 0)]], 3) == [[7, 7, 9, 9]]


class TestLowHeight:
    def test_a_floor_under_a_low_ceiling_is_closed(self):
        assert low_height([[(0, 2, 7), (7, 8, 7)]], 5) == [[7, 7]]
        assert low_height([[(0, 2, 7), (7, 8, 7)]], 6) == [[0, 7]]
        assert low_height([[(0, 2, 7), (7, 8, 0)]], 6) == [[0, 0]]

    def test_the_top_span_is_open_whatever_the_grid(self):
        assert low_height([[(0, 39, 7)]], 60000) == [[7]]

    def test_each_span_is_judged_by_the_next_one_alone(self):
        assert low_height([[(0, 2, 7), (4, 5, 6), (20, 21, 5)]], 3) == [[0, 6, 5]]


class TestLedges:
    """A 3 x 3 block whose middle is judged; the columns around it are given as -x, +z, +x, -z."""

    def middle(self, own, left, front, right, back, height=5, climb=2, rows=60):
        everywhere = [(0, 10, 1)]
        columns = [everywhere, back, everywhere, left, own, right, everywhere, front, everywhere]
        found = filtered(rows, columns, filter_ledge_spans, oracle.filter_ledge_spans, height, climb, width=3, depth=3)
        return found[4]

    def around(self, own, one, **numbers):
        """The middle with one column different from a flat floor at row 10, which must not depend on its side."""
        flat = [(0, 10, 1)]
        answers = [self.middle(own, *[one if k == side else flat for k in range(4)], **numbers) for side in range(4)]
        assert all(answer == answers[0] for answer in answers)
        return answers[0]

    def test_the_rim_of_the_grid_is_a_drop(self):
        found = filtered(60, [[(0, 10, 1)]] * 9, filter_ledge_spans, oracle.filter_ledge_spans, 5, 2, width=3, depth=3)
        assert found == [[0]] * 4 + [[1]] + [[0]] * 4

    def test_a_drop_of_more_than_climb_is_a_ledge(self):
        assert self.around([(0, 10, 1)], [(0, 8, 1)]) == [1]
        assert self.around([(0, 10, 1)], [(0, 7, 1)]) == [0]

    def test_a_neighbour_of_any_area_holds(self):
        assert self.around([(0, 10, 1)], [(0, 10, 0)]) == [1]

    def test_a_wall_is_no_drop(self):
        assert self.around([(0, 10, 1)], [(0, 30, 1)]) == [1]

    def test_an_empty_column_is_a_drop_from_any_floor_above_row_zero(self):
        assert self.around([(0, 10, 1)], []) == [0]
        # Its floor is -climb: from row 1 that is one more than climb.
        columns = [[(0, 1, 1)]] * 9
        columns[5] = []
        found = filtered(60, columns, filter_ledge_spans, oracle.filter_ledge_spans, 5, 2, width=3, depth=3)
        assert found[4] == [0]

    def test_the_gap_below_the_lowest_span_counts_when_a_body_fits(self):
        # The neighbour floats: its underside at row 14 or 15 leaves 4 or 5 rows above floor 10.
        assert self.around([(0, 10, 1)], [(14, 20, 1)]) == [1]
        assert self.around([(0, 10, 1)], [(15, 20, 1)]) == [0]

    def test_the_ceiling_above_the_own_floor_narrows_the_gap(self):
        # Under a ceiling at row 14 nothing is passable, so there is no drop.
        assert self.around([(0, 10, 1), (14, 40, 0)], [(0, 7, 1)]) == [1, 0]
        assert self.around([(0, 10, 1), (15, 40, 0)], [(0, 7, 1)]) == [0, 0]

    def test_the_neighbours_ceiling_narrows_the_gap(self):
        assert self.around([(0, 10, 1)], [(0, 7, 1), (14, 16, 0)]) == [1]
        assert self.around([(0, 10, 1)], [(0, 7, 1), (15, 17, 0)]) == [0]

    def test_accessible_floors_further_apart_than_climb_make_a_slope(self):
        low, high, higher = [(0, 9, 1)], [(0, 11, 1)], [(0, 12, 1)]
        flat = [(0, 10, 1)]
        assert self.middle(flat, low, flat, high, flat) == [1]
        assert self.middle(flat, low, flat, higher, flat) == [0]
        assert self.middle(flat, flat, low, flat, higher) == [0]
        assert self.middle(flat, low, higher, flat, flat) == [0]

    def test_floors_above_climb_are_not_accessible(self):
        assert self.middle([(0, 10, 1)], [(0, 8, 1)], [(0, 10, 1)], [(0, 13, 1)], [(0, 10, 1)]) == [1]
        assert self.middle([(0, 10, 1)], [(0, 8, 1)], [(0, 10, 1)], [(0, 12, 1)], [(0, 10, 1)]) == [0]

    def test_every_passable_gap_of_a_column_counts(self):
        # Two floors in one neighbour, both accessible, are further apart than climb only when a body fits on both.
        two = [(0, 9, 1), (11, 12, 1)]
        assert self.around([(0, 10, 1)], two, height=5) == [1]
        assert self.around([(0, 10, 1)], two, height=1) == [0]

    def test_upper_floors_are_judged_by_their_own_neighbours(self):
        both = [(0, 10, 1), (30, 31, 1)]
        assert self.middle(both, both, both, both, both) == [1, 1]
        assert self.middle(both, both, both, [(0, 10, 1)], both) == [1, 0]
        assert self.middle([(0, 10, 1)], both, both, both, both) == [1]

    def test_room_above_a_top_span_is_unbounded_even_for_bodies_taller_than_any_grid(self):
        assert self.around([(0, 10, 1)], [(0, 7, 1)], height=100000) == [0]
        assert self.around([(0, 10, 1)], [(0, 7, 1)], height=2**30 - 10) == [0]
        assert self.around([(0, 10, 1)], [(0, 7, 1)], height=2**30 - 9) == [1]

    def test_spans_of_area_zero_are_left_alone_and_geometry_alone_is_read(self):
        assert self.around([(0, 10, 0)], [(0, 7, 1)]) == [0]


FILTERS = {
    "low_hanging": (filter_low_hanging_obstacles, oracle.filter_low_hanging_obstacles, ("climb",)),
    "ledge": (filter_ledge_spans, oracle.filter_ledge_spans, ("height", "climb")),
    "low_height": (filter_low_height, oracle.filter_low_height, ("height",)),
    "all": (apply_span_filters, oracle.apply_span_filters, ("height", "climb")),
}


@pytest.mark.parametrize("count", [250, pytest.param(8000, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", FILTERS)
def test_filters_agree_on_random_columns(name, count):
    fast_filter, slow_filter, names = FILTERS[name]
    random = Random(f"filter {name}")
    for _ in range(count):
        make = random.choice((random_columns, random_columns, random_terrain))
        width, depth, rows, spans = make(random)
        numbers = {"height": random.choice((0, 1, 2, 3, 5, 10)), "climb": random.choice((0, 1, 2, 4))}
        fast, slow = solid_pair(grid(width, depth, rows), spans)
        fast_filter(fast, *(numbers[n] for n in names))
        slow_filter(slow, *(numbers[n] for n in names))
        assert fast.spans().tolist() == slow.rows(), (width, depth, rows, spans, numbers)


def test_filters_run_in_the_order_of_the_document():
    # The obstacle takes the floor's area first; were ledges judged first it would stay 0 on the rim's inside.
    columns = [[(0, 10, 1)] for _ in range(9)]
    columns[4] = [(0, 9, 5), (10, 11, 0)]
    found = filtered(60, columns, apply_span_filters, oracle.apply_span_filters, 5, 2, width=3, depth=3)
    assert found[4] == [0, 5]


def test_filters_agree_on_columns_of_many_floors():
    random = Random("crowded filters")
    for _ in range(10):
        width, depth, rows, spans = crowded_columns(random)
        fast, slow = solid_pair(grid(width, depth, rows), spans)
        apply_span_filters(fast, 2, 2)
        oracle.apply_span_filters(slow, 2, 2)
        assert fast.spans().tolist() == slow.rows()
