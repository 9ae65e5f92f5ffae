"""The path follower: stays on its legs, turns at its rate, arrives softly, whatever the step."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onepath.agents import PathFollower
from onepath.errors import ArgumentError, RangeError
from tests.meshes import strip

CORNER = [(0.0, 0.0, 0.0), (20.0, 0.0, 0.0), (20.0, 0.0, 20.0)]

coordinates = st.floats(-30, 30, allow_nan=False).map(lambda value: round(value, 3))
paths = st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=8)
ticks = st.sampled_from([1 / 240, 1 / 60, 0.05, 0.5])


def walk(walker: PathFollower, seconds: float, most: int = 200_000) -> list[tuple[float, float, float]]:
    trail = [walker.position]
    while walker.moving:
        walker.advance(seconds)
        trail.append(walker.position)
        assert len(trail) < most, "the walker never arrives"
    return trail


def distance_to_legs(point: tuple[float, float, float], path: list[tuple[float, float, float]]) -> float:
    best = min(math.dist((point[0], point[2]), (corner[0], corner[2])) for corner in path)
    for a, b in itertools.pairwise(path):
        ex, ez = b[0] - a[0], b[2] - a[2]
        length = ex * ex + ez * ez
        if length > 0:
            t = min(1.0, max(0.0, ((point[0] - a[0]) * ex + (point[2] - a[2]) * ez) / length))
            best = min(best, math.dist((point[0], point[2]), (a[0] + ex * t, a[2] + ez * t)))
    return best


@given(paths, ticks, st.sampled_from([3.5, 55.0]))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_every_step_lies_on_a_leg_and_the_walk_ends_at_the_last_corner(path, seconds, speed):
    walker = PathFollower((0, 0, 0), speed=speed, acceleration=20.0, turn_rate=720.0)
    walker.start(path)
    trail = walk(walker, seconds)
    assert max(distance_to_legs(point, path) for point in trail) < 2e-6
    assert math.dist(trail[-1], path[-1]) < 1e-5
    assert walker.speed == 0.0


@given(ticks)
@settings(deadline=None, derandomize=True)
def test_no_step_turns_more_than_the_rate_allows(seconds):
    walker = PathFollower((0, 0, 0), forward=(-1, 0), turn_rate=90.0)
    walker.start(CORNER)
    while walker.moving:
        before = walker.forward
        walker.advance(seconds)
        cosine = before[0] * walker.forward[0] + before[1] * walker.forward[1]
        assert math.degrees(math.acos(min(1.0, cosine))) <= 90.0 * seconds + 1e-4


def test_a_fast_walker_with_long_ticks_does_not_turn_back_at_a_corner():
    walker = PathFollower((0, 0, 0), forward=(1, 0), speed=55.0, acceleration=1000.0, turn_rate=7200.0)
    walker.start(CORNER)
    travelled = [point[0] + point[2] for point in walk(walker, 0.05)]
    assert travelled == sorted(travelled)


def test_it_slows_down_before_a_right_angle_and_before_the_end():
    walker = PathFollower((0, 0, 0), forward=(1, 0), speed=4.0, acceleration=8.0)
    walker.start(CORNER)
    speeds = {}
    while walker.moving:
        speeds[walker.remaining_distance] = walker.speed
        walker.advance(1 / 60)
    assert max(speeds.values()) == 4.0
    assert min(speed for left, speed in speeds.items() if 19.5 < left < 20.0) < 1.0
    assert min(speed for left, speed in speeds.items() if left < 0.1) < 1.5


def test_it_turns_on_the_spot_before_walking_the_other_way():
    walker = PathFollower((0, 0, 0), forward=(0, -1), turn_rate=180.0)
    walker.start([(0, 0, 0), (0, 0, 5)])
    for _ in range(20):
        walker.advance(1 / 60)
    assert walker.position == (0.0, 0.0, 0.0)
    walk(walker, 1 / 60)
    assert walker.forward == (0.0, 1.0)


def test_a_path_of_one_point_or_none_is_no_walk():
    walker = PathFollower((1, 2, 3))
    walker.start([])
    assert not walker.moving and walker.position == (1.0, 2.0, 3.0)
    walker.start([(4, 5, 6)])
    assert not walker.moving and walker.position == (4.0, 5.0, 6.0)


def test_stop_forgets_the_path():
    walker = PathFollower((0, 0, 0))
    walker.start(CORNER)
    walker.advance(0.5)
    walker.stop()
    assert (walker.moving, walker.speed, walker.remaining_distance) == (False, 0.0, 0.0)


def test_heading_is_measured_from_z_toward_x():
    assert PathFollower((0, 0, 0), forward=(0, 1)).heading == 0.0
    assert PathFollower((0, 0, 0), forward=(1, 0)).heading == 90.0


@pytest.mark.parametrize("name", ["speed", "acceleration", "turn_rate"])
@pytest.mark.parametrize(
    ("value", "error"),
    [(0.0, RangeError), (-1.0, RangeError), (math.inf, RangeError), (math.nan, ArgumentError), ("fast", ArgumentError)],
)
def test_a_rate_that_is_not_above_zero_and_finite_is_refused_by_name(name, value, error):
    with pytest.raises(error, match=name):
        PathFollower((0, 0, 0), **{name: value})


@pytest.mark.parametrize("forward", [(1.0,), 3.0, (math.nan, 0.0), ("north", 0.0)])
def test_a_direction_that_is_no_pair_of_numbers_is_refused_by_name(forward):
    with pytest.raises(ArgumentError, match="forward"):
        PathFollower((0, 0, 0), forward=forward)


def test_a_direction_without_a_length_is_z():
    assert PathFollower((0, 0, 0), forward=(0, 0)).forward == (0.0, 1.0)


def test_a_corner_that_is_not_a_point_is_refused_by_index():
    walker = PathFollower((0, 0, 0))
    with pytest.raises(ArgumentError, match=r"path\[1\]"):
        walker.start([(0, 0, 0), (math.nan, 0, 0)])
    assert not walker.moving


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -0.1, "1", None])
def test_a_step_that_is_no_time_is_refused_and_changes_nothing(seconds):
    walker = PathFollower((0, 0, 0))
    walker.start(CORNER)
    walker.advance(0.5)
    before = (walker.position, walker.forward, walker.speed, walker.remaining_distance)
    with pytest.raises(ArgumentError, match="seconds"):
        walker.advance(seconds)
    assert (walker.position, walker.forward, walker.speed, walker.remaining_distance) == before


def test_it_walks_a_path_as_it_walks_its_points():
    path = strip(3).find_path((1, 0, 1), (9, 0, 2))
    walkers = PathFollower((0, 0, 0)), PathFollower((0, 0, 0))
    for walker, way in zip(walkers, (path, path.points), strict=True):
        walker.start(way)
    assert path and walk(walkers[0], 0.05) == walk(walkers[1], 0.05)


@pytest.mark.parametrize("path", [None, 5, object()])
def test_what_is_no_path_is_refused_by_name_and_the_walk_goes_on(path):
    walker = PathFollower((0, 0, 0))
    walker.start(CORNER)
    with pytest.raises(ArgumentError, match=r"path is .*neither positions nor one position"):
        walker.start(path)
    assert walker.remaining_distance == 40.0


def test_it_says_where_it_stands_and_how_far_it_has_to_go():
    walker = PathFollower((0, 0, 0), speed=2.0)
    assert repr(walker) == "PathFollower((0.0, 0.0, 0.0), speed=0.00 of 2, standing)"
    walker.start(CORNER)
    assert repr(walker) == "PathFollower((0.0, 0.0, 0.0), speed=0.00 of 2, 40.00 m left)"
