"""Which corners of their cells simplified borders keep: ties, errors and lengths of exactly the limit, long walls."""

from __future__ import annotations

import numpy as np
import pytest

from onepath.build import CompactHeightfield, build_contours, build_regions
from tests.floors import plan, random_field
from tests.test_contours import assert_near, flat, loops_of


def test_long_walls_are_halved_and_sides_and_borders_are_not() -> None:
    compact = plan(".........................", *["####################1111."] * 6, ".........................")
    contours = build_contours(build_regions(compact), max_edge=5)
    for _, loop, behind in loops_of(contours):
        ring = flat(contours, loop)
        length = np.abs(np.roll(ring, -1, axis=0) - ring).max(axis=1)
        assert (length[behind == 0] <= 5).all()
        assert (length[behind != 0] == 6).all()


#: A straight wall with a bump of one cell, on either side of a floor.
BUMPS = [
    plan("#########", "#########", "...###...", "........."),
    plan(".........", "...###...", "#########", "#########"),
]


@pytest.mark.parametrize("compact", BUMPS)
def test_a_corner_exactly_the_error_away_is_dropped(compact: CompactHeightfield) -> None:
    contours = build_contours(build_regions(compact), max_edge_error=1.0)
    assert len(contours.vertices) == 4


@pytest.mark.parametrize("compact", BUMPS)
def test_of_corners_as_far_off_the_one_with_the_least_x_is_kept(compact: CompactHeightfield) -> None:
    """Whichever way the wall is walked: both bumps have corners at x = 3 and x = 6."""
    contours = build_contours(build_regions(compact), max_edge_error=0.99)
    assert sorted(contours.vertices[:, 0].tolist()) == [0, 0, 3, 9, 9]


@pytest.mark.parametrize(
    "compact",
    [
        plan(".............", ".1111######..", ".....######..", ".##########..", "............."),
        plan(".............", "..######1111.", "..######.....", "..##########.", "............."),
    ],
)
def test_a_corner_behind_the_end_of_an_edge_is_as_far_off_as_that_end(compact: CompactHeightfield) -> None:
    """An arm of the floor that runs back under another area lies near the line of an edge and not near the edge."""
    exact, simple = (build_contours(build_regions(compact), max_edge_error=error) for error in (0.0, 3.0))
    assert_near(exact, simple, 3.0)


def test_a_loop_that_faces_one_thing_begins_at_its_least_corner() -> None:
    contours = build_contours(build_regions(plan("......", "..##..", ".####.", ".####.", "......")), max_edge_error=0)
    assert contours.vertices[contours.loop_vertices[0]].tolist() == [1, 5, 2]


def test_a_wall_of_exactly_the_longest_length_stays_whole() -> None:
    contours = build_contours(build_regions(plan(".......", *[".#####."] * 5, ".......")), max_edge=5)
    assert len(contours.vertices) == 4


@pytest.mark.parametrize("max_edge", [3, 5])
@pytest.mark.parametrize("seed", range(6, 12))
def test_halves_of_long_walls_are_within_the_error_too(seed: int, max_edge: int) -> None:
    """Halves begin at a corner of the cells, which may lie off the line of the whole."""
    regions = build_regions(random_field(seed), merge_region=50)
    exact, simple = build_contours(regions, max_edge_error=0.0), build_contours(regions, max_edge=max_edge)
    assert_near(exact, simple, 1.3)
