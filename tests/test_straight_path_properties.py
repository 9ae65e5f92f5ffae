"""Properties of the funnel on random rows of portals, against a visibility graph, and on long and far corridors."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from onepath.query._funnel import pull_through
from tests.corridors import Spot, random_row
from tests.oracles.corridor_visibility import line_length, shortest_length, stays_inside

Solid = tuple[float, float, float]
Row = list[tuple[Solid, Solid]]
# Reaches of 1 and 2 make every second portal collinear with something, long ones make lines that turn.
REACHES = (1, 1, 2, 2, 3, 6, 20)


def lifted(spot: Spot, unit: float, x: float, z: float) -> Solid:
    return x + spot[0] * unit, 0.0, z - spot[1] * unit


def drawn(seed: int, longest: int = 8, unit: float = 1.0, x: float = 0.0, z: float = 0.0) -> tuple[Row, Solid, Solid]:
    rng = random.Random(seed)
    pinch = 0.1 if rng.random() < 0.3 else 0.0
    row, start, end = random_row(rng, rng.randint(1, longest), rng.choice(REACHES), pinch)
    solid = [(lifted(right, unit, x, z), lifted(left, unit, x, z)) for right, left in row]
    return solid, lifted(start, unit, x, z), lifted(end, unit, x, z)


def flat(point: Solid) -> tuple[float, float]:
    return point[0], point[2]


def line_of(row: Row, start: Solid, end: Solid, max_points: int = 0) -> list[tuple[float, float]]:
    return [flat(point) for point, _, _ in pull_through(row, start, end, max_points)]


def assert_shortest(row: Row, start: Solid, end: Solid) -> None:
    line = line_of(row, start, end)
    plan = [(flat(right), flat(left)) for right, left in row]
    assert stays_inside(line, plan)
    assert line_length(line) == pytest.approx(shortest_length(plan, flat(start), flat(end)), rel=1e-9)


def turned_back(row: Row) -> Row:
    return [(left, right) for right, left in reversed(row)]


def straightened(line: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The line without vertices at which it goes straight on. The rows here have small whole coordinates: exact."""
    kept: list[tuple[float, float]] = []
    for spot in line:
        while len(kept) > 1:
            (ax, az), (bx, bz) = kept[-2:]
            if (bx - ax) * (spot[1] - bz) != (bz - az) * (spot[0] - bx):
                break
            if (bx - ax) * (spot[0] - bx) + (bz - az) * (spot[1] - bz) < 0:
                break
            kept.pop()
        kept.append(spot)
    return kept


@pytest.mark.parametrize("block", range(8))
def test_the_line_is_the_shortest_inside_the_corridor(block: int) -> None:
    for seed in range(block * 250, (block + 1) * 250):
        assert_shortest(*drawn(seed))


@pytest.mark.full
def test_the_line_is_the_shortest_inside_the_corridor_over_many_rows() -> None:
    for seed in range(10**6, 10**6 + 60_000):
        assert_shortest(*drawn(seed, longest=12))


@pytest.mark.parametrize(("x", "z"), [(2.0**20, -(2.0**20)), (-1234567.0, 0.0)])
def test_small_corridors_far_from_the_origin_are_exact(x: float, z: float) -> None:
    # A unit of 2**-30: coordinates fill all 53 bits, and products of them would lose the corridor altogether.
    for seed in range(400):
        assert_shortest(*drawn(seed, unit=2.0**-30, x=x, z=z))


def test_coordinates_of_every_size_are_exact() -> None:
    rng = random.Random(5)
    for seed in range(300):
        row, start, end = drawn(seed)
        scale = 2.0 ** rng.randint(-40, 10)
        row = [((r[0] * scale, 0.0, r[2]), (lf[0] * scale, 0.0, lf[2])) for r, lf in row]
        assert_shortest(row, (start[0] * scale, 0.0, start[2]), (end[0] * scale, 0.0, end[2]))


@pytest.mark.parametrize("block", range(3))
def test_a_corridor_and_its_reverse_give_the_same_line(block: int) -> None:
    for seed in range(block * 500, (block + 1) * 500):
        row, start, end = drawn(seed, longest=12)
        there = straightened(line_of(row, start, end))
        back = straightened(line_of(turned_back(row), end, start))
        assert there == back[::-1], seed


def test_every_limit_gives_a_prefix_of_the_whole_line() -> None:
    for seed in range(600):
        row, start, end = drawn(seed, longest=14)
        whole = pull_through(row, start, end)
        for most in range(1, len(whole) + 2):
            assert pull_through(row, start, end, most) == whole[:most]


def test_corners_are_portal_ends_and_polygons_only_go_forward() -> None:
    for seed in range(600):
        row, start, end = drawn(seed, longest=14)
        points = pull_through(row, start, end)
        for point, _, polygon in points[1:-1]:
            assert point in row[polygon - 1]
        polygons = [polygon for _, _, polygon in points]
        assert polygons == sorted(polygons)
        assert polygons[-1] == len(row)


def test_marks_are_at_the_ends_only() -> None:
    for seed in range(300):
        marks = [mark for _, mark, _ in pull_through(*drawn(seed))]
        assert marks[0] & 1 and marks[-1] & 2
        assert not any(marks[1:-1])


# ---- long corridors ----


def spiral(turns: int, inner: float, width: float, steps: int) -> tuple[Row, Solid, Solid]:
    """Stairs that go round above themselves: the same X/Z again with every turn, climbing to the left."""
    row: Row = []
    for i in range(turns * steps + 1):
        angle = 2.0 * math.pi * (i % steps) / steps
        # Walking along -angle in (x, z), the hub is on the left.
        x, z, y = math.cos(angle), -math.sin(angle), 3.0 * i / steps
        row.append((((inner + width) * x, y, (inner + width) * z), (inner * x, y, inner * z)))
    (right, left), (last_right, last_left) = row[0], row[-1]
    middle = ((right[0] + left[0]) / 2, 0.0, (right[2] + left[2]) / 2)
    end = ((last_right[0] + last_left[0]) / 2, last_left[1], (last_right[2] + last_left[2]) / 2)
    return row, middle, end


def test_a_spiral_above_itself_goes_round_its_hub_every_turn() -> None:
    steps, turns, inner = 16, 5, 1.0
    row, start, end = spiral(turns, inner, 2.0, steps)
    points = [point for point, _, _ in pull_through(row, start, end)]
    hub = [point for point in points if math.hypot(point[0], point[2]) < 1.5]
    assert len(hub) == len(points) - 2
    # From (2, 0) the tangent touches the hub of radius 1 after 60 degrees; the same before the end.
    assert abs(len(hub) - (turns * steps - 2 * steps / 6)) <= 2
    assert all(a[1] < b[1] for a, b in pairwise(points))


def test_a_spiral_of_every_kind_of_step_is_shortest() -> None:
    for steps in (4, 5, 8):
        assert_shortest(*spiral(2, 1.0, 1.5, steps))


def test_a_long_straight_corridor_is_one_segment() -> None:
    row = [((float(i), 0.0, 1.0), (float(i), 0.0, 0.0)) for i in range(1, 20_000)]
    assert len(pull_through(row, (0.5, 0.0, 0.5), (19_999.5, 0.0, 0.5))) == 2


def test_a_long_arc_turns_at_every_inner_vertex() -> None:
    # All of the arc is in sight of its first corner: a funnel that starts again at each corner would go through it
    # thousands of times.
    count = 4000
    row: Row = []
    for i in range(count):
        angle = math.pi * i / count
        x, z = math.cos(angle), -math.sin(angle)
        row.append(((3000.0 * x, 0.0, 3000.0 * z), (1000.0 * x, 0.0, 1000.0 * z)))
    points = pull_through(row, (1000.0, 0.0, 5.0), (-1000.0, 0.0, 5.0))
    assert len(points) == count + 2
