"""The funnel on rows of portals worked out by hand.

Plan of every drawing: x to the right, z upward. A walker who goes along +x has +z on the right.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest

from onepath.query._funnel import pull_through

START, END = 1, 2
Spot = tuple[float, float]


def walk(portals: list[tuple[Spot, Spot]], start: Spot, end: Spot, max_points: int = 0) -> list[tuple[Spot, int, int]]:
    """The funnel's points as ((x, z), mark, polygon), everything at height 0."""
    solid = [((right[0], 0.0, right[1]), (left[0], 0.0, left[1])) for right, left in portals]
    found = pull_through(solid, (start[0], 0.0, start[1]), (end[0], 0.0, end[1]), max_points)
    return [((point[0], point[2]), mark, polygon) for point, mark, polygon in found]


def spots(portals: list[tuple[Spot, Spot]], start: Spot, end: Spot) -> list[Spot]:
    return [spot for spot, _, _ in walk(portals, start, end)]


def length(line: list[Spot]) -> float:
    return math.fsum(math.dist(a, b) for a, b in pairwise(line))


# ---- plain lines ----


def test_one_polygon_gives_start_and_end() -> None:
    assert walk([], (0, 0), (3, 4)) == [((0, 0), START, 0), ((3, 4), END, 0)]


def test_start_equal_to_end_is_one_point_with_both_marks() -> None:
    assert walk([], (1, 2), (1, 2)) == [((1, 2), START | END, 0)]


def test_what_lies_in_sight_is_reached_in_one_segment_c42() -> None:
    # A row of squares of 2 m, cut by grid lines, walked from one corner region to the other.
    row = [((x, 2.0), (x, 0.0)) for x in range(2, 20, 2)]
    assert spots(row, (0.5, 0.3), (19.5, 1.7)) == [(0.5, 0.3), (19.5, 1.7)]


def test_a_right_turn_goes_round_the_inner_vertex() -> None:
    row = [((1, 1), (1, 0)), ((1, 1), (2, 1))]
    assert walk(row, (0, 0.5), (1.5, 2)) == [((0, 0.5), START, 0), ((1, 1), 0, 2), ((1.5, 2), END, 2)]


def test_a_left_turn_goes_round_the_inner_vertex() -> None:
    row = [((1, 1), (1, 0)), ((2, 0), (1, 0))]
    assert walk(row, (0, 0.5), (1.5, -1)) == [((0, 0.5), START, 0), ((1, 0), 0, 2), ((1.5, -1), END, 2)]


def test_a_u_turn_takes_both_vertices_of_a_thick_wall() -> None:
    # Along +x above a wall from (0, 1) to (4, 2), round its end and back along -x below it.
    row = [((4, 1), (4, 0)), ((4, 1), (6, 1)), ((4, 2), (6, 2)), ((4, 2), (4, 3))]
    assert spots(row, (0, 0.5), (0, 2.5)) == [(0, 0.5), (4, 1), (4, 2), (0, 2.5)]


def test_a_zigzag_turns_at_both_sides() -> None:
    row = [((2, 1), (2, 0)), ((4, 9), (4, 8)), ((6, 1), (6, 0))]
    assert spots(row, (0, 0.5), (8, 0.5)) == [(0, 0.5), (2, 1), (4, 8), (6, 1), (8, 0.5)]


# ---- thin things ----


def test_a_portal_without_width_is_a_corner_c39() -> None:
    line = spots([((2, 0), (2, 0))], (0, 0), (4, 1))
    assert line == [(0, 0), (2, 0), (4, 1)]
    assert length(line) == pytest.approx(4.2361, abs=1e-4)


def test_a_portal_without_width_is_a_corner_of_a_straight_line_too() -> None:
    assert spots([((2, 0), (2, 0))], (0, 0), (4, 0)) == [(0, 0), (2, 0), (4, 0)]


def test_a_portal_without_width_at_the_start_is_passed_over() -> None:
    assert walk([((0, 0), (0, 0))], (0, 0), (4, 1)) == [((0, 0), START, 0), ((4, 1), END, 1)]


def test_a_portal_without_width_is_a_corner_of_an_open_funnel() -> None:
    assert spots([((1, 1), (1, -1)), ((2, 0), (2, 0))], (0, 0.5), (4, 1)) == [(0, 0.5), (2, 0), (4, 1)]


def test_leaving_a_thin_tab_straight_needs_no_corner_c39() -> None:
    # Tab [1.8, 2.1] x [1, 1.1] above the floor [0, 4] x [0, 1]; along -z, +x is on the right.
    line = spots([((2.1, 1.0), (1.95, 1.0))], (2.07, 1.08), (2.074, 0.8))
    assert len(line) == 2
    assert length(line) == pytest.approx(0.28003, abs=1e-5)


def test_leaving_a_thin_tab_sideways_takes_one_corner_c39() -> None:
    line = spots([((2.1, 1.0), (1.95, 1.0))], (1.95, 1.09), (3.9, 0.5))
    assert line == [(1.95, 1.09), (2.1, 1.0), (3.9, 0.5)]
    assert length(line) == pytest.approx(2.04308, abs=1e-5)


# ---- the apex on a portal or on its line ----


@pytest.mark.parametrize("start", [(1, 0.5), (1, 0), (1, 1)])
def test_a_start_on_the_first_portal_passes_it(start: Spot) -> None:
    assert spots([((1, 1), (1, 0)), ((2, 1), (2, 0))], start, (3, 0.5)) == [start, (3, 0.5)]


def test_a_start_past_the_first_portal_by_rounding_passes_it() -> None:
    beyond = math.nextafter(1.0, 2.0)
    assert spots([((1, 1), (1, 0)), ((2, 1), (2, 0))], (beyond, 0.5), (3, 0.5)) == [(beyond, 0.5), (3, 0.5)]


def test_a_start_on_the_line_of_the_first_portal_goes_to_its_near_end() -> None:
    # Leaving along -z through [2, 3] on z = 0, from a start on z = 0 itself.
    assert spots([((3, 0), (2, 0))], (0, 0), (2.5, -1)) == [(0, 0), (2, 0), (2.5, -1)]
    assert spots([((3, 0), (2, 0))], (5, 0), (2.5, -1)) == [(5, 0), (3, 0), (2.5, -1)]


def test_two_portals_on_one_side_of_a_polygon_join_by_their_near_ends() -> None:
    # Out along -z through [2, 3], back along +z through [-2, -1], round the end of a wall on z = 0.
    row = [((3, 0), (2, 0)), ((-2, 0), (-1, 0))]
    assert spots(row, (2.5, 1), (-1.5, 1)) == [(2.5, 1), (2, 0), (-1, 0), (-1.5, 1)]
    assert spots(row, (0, 0), (-1.5, 1)) == [(0, 0), (2, 0), (-1, 0), (-1.5, 1)]


def test_an_open_funnel_that_sees_a_portal_edge_on_can_turn_back_on_the_line() -> None:
    # The start lies on z = 0, but the portal on x = 1 opens the funnel before the one on [2, 3] is seen edge-on. Out
    # along +z, back along -z: both ends of the last portal lie behind.
    row = [((1, 0), (1, -2)), ((2, 0), (3, 0)), ((-1, 0), (-2, 0))]
    assert spots(row, (0, 0), (-1.5, -1)) == [(0, 0), (2, 0), (-1, 0), (-1.5, -1)]


def test_the_near_end_of_an_edge_on_portal_is_a_corner_of_a_straight_line_too() -> None:
    row = [((1, 0), (1, -2)), ((2, 0), (3, 0)), ((-1, 0), (-2, 0))]
    assert spots(row, (0, 0), (-1.5, 0)) == [(0, 0), (2, 0), (-1, 0), (-1.5, 0)]


# ---- ties ----


def test_a_line_exactly_through_a_left_vertex_turns_there() -> None:
    assert spots([((2, 3), (2, 2))], (0, 0), (4, 4)) == [(0, 0), (2, 2), (4, 4)]


def test_a_line_exactly_through_a_right_vertex_does_not_turn_there() -> None:
    assert spots([((2, 2), (2, 1))], (0, 0), (4, 4)) == [(0, 0), (4, 4)]


def test_of_left_vertices_in_one_direction_the_last_counts() -> None:
    assert spots([((1, 3), (1, 1)), ((2, 3), (2, 2))], (0, 0), (4, 4)) == [(0, 0), (2, 2), (4, 4)]


def test_right_vertices_in_one_direction_are_all_passed() -> None:
    assert spots([((1, 1), (1, 0)), ((2, 2), (2, 0))], (0, 0), (4, 4)) == [(0, 0), (4, 4)]


def test_a_line_between_a_left_and_a_right_vertex_turns_at_the_left_one_only() -> None:
    assert spots([((1, 1), (1, 0)), ((2, 3), (2, 2))], (0, 0), (4, 4)) == [(0, 0), (2, 2), (4, 4)]
    assert spots([((1, 2), (1, 1)), ((2, 2), (2, 1))], (0, 0), (4, 4)) == [(0, 0), (1, 1), (4, 4)]


def exact_side(a: Spot, b: Spot, c: Spot) -> Fraction:
    """Positive where c is to the left of the line from a through b."""
    (ax, az), (bx, bz), (cx, cz) = ((Fraction(x), Fraction(z)) for x, z in (a, b, c))
    return (bz - az) * (cx - ax) - (bx - ax) * (cz - az)


def test_signs_are_exact_where_rounded_determinants_are_not() -> None:
    # Starts a few units in the last place apart beside the line through (12, 12) and (24, 24).
    unit, vertex, end = 2.0**-53, (12.0, 12.0), (24.0, 24.0)
    for i in range(24):
        for k in range(24):
            start = (0.5 + i * unit, 0.5 + k * unit)
            side = exact_side(start, end, vertex)
            assert len(spots([((12.0, 30.0), vertex)], start, end)) == (3 if side <= 0 else 2)
            assert len(spots([(vertex, (12.0, 0.0))], start, end)) == (3 if side > 0 else 2)


# ---- polygons, marks, heights ----


def test_a_corner_at_the_hub_of_a_fan_names_the_polygon_behind_the_last_portal_that_set_it() -> None:
    # A right turn round (0, 0): four portals share it, the funnel crosses at the third.
    row = [((0, 0), (0, -2)), ((0, 0), (2, -2)), ((0, 0), (2, 2)), ((0, 0), (0, 2))]
    found = walk(row, (-2, -1), (-2, 1))
    assert [spot for spot, _, _ in found] == [(-2, -1), (0, 0), (-2, 1)]
    assert found[1][2] == 3


def test_an_end_at_a_corner_is_merged_with_it() -> None:
    assert walk([((2, 3), (2, 2))], (0, 0), (2, 2)) == [((0, 0), START, 0), ((2, 2), END, 1)]


def test_points_that_differ_only_in_height_are_two() -> None:
    portals = [((2.0, 5.0, 3.0), (2.0, 5.0, 2.0))]
    found = pull_through(portals, (0.0, 0.0, 0.0), (2.0, 6.0, 2.0))
    assert [point for point, _, _ in found] == [(0, 0, 0), (2, 5, 2), (2, 6, 2)]


def test_corners_have_the_height_of_their_portal_end() -> None:
    portals = [((1.0, 7.0, 1.0), (1.0, 3.0, 0.0)), ((1.0, 7.0, 1.0), (2.0, 4.0, 1.0))]
    assert pull_through(portals, (0.0, 0.0, 0.5), (1.5, 0.0, 2.0))[1][0] == (1.0, 7.0, 1.0)


# ---- limits ----


def test_a_limited_line_keeps_the_marks_of_the_whole_one() -> None:
    row = [((2, 3), (2, 2))]
    assert walk(row, (0, 0), (2, 2), 2) == walk(row, (0, 0), (2, 2))
    assert walk([], (1, 2), (1, 2), 1) == [((1, 2), START | END, 0)]
