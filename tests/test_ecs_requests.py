"""Path requests as esper components: budget, order, wishes replaced or gone, meshes that change."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

esper = pytest.importorskip("esper", reason="esper is not installed")

from onepath import NavMesh, PathStatus  # noqa: E402
from onepath.agents import PathFollower  # noqa: E402
from onepath.errors import ArgumentError, RangeError  # noqa: E402
from onepath.query import NavPoint  # noqa: E402
from onepath_ecs import Destination, FollowProcessor, PathRequestProcessor, Route  # noqa: E402
from tests.ecs_worlds import own_world, walled_floor  # noqa: E402

START, END, MIDDLE = (2.0, 0.0, 2.0), (22.0, 0.0, 22.0), (12.0, 0.0, 12.0)
STEP = 1.0 / 60.0


@pytest.fixture(scope="module")
def floor() -> NavMesh:
    return walled_floor()


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    with own_world():
        yield


def wisher(point: tuple[float, float, float] = END) -> int:
    return esper.create_entity(PathFollower(START), Destination(point))


def answered(entity: int) -> bool:
    return esper.has_component(entity, Route)


def test_a_wish_becomes_a_route_and_a_walk(floor: NavMesh) -> None:
    entity = wisher()
    PathRequestProcessor(floor).process(STEP)
    route = esper.component_for_entity(entity, Route)
    assert route.path == floor.find_path(START, END)
    assert esper.component_for_entity(entity, PathFollower).moving
    assert not esper.has_component(entity, Destination)


def test_a_sliced_search_gives_the_same_path_and_spends_one_iteration_a_frame(floor: NavMesh) -> None:
    whole = floor.begin_path(START, END)
    whole.update(10_000)
    entity, requests = wisher(), PathRequestProcessor(floor, iterations=1)
    frames = 0
    while not answered(entity):
        requests.process(STEP)
        frames += 1
    assert whole.iterations > 3
    assert whole.iterations <= frames <= whole.iterations + 1
    assert esper.component_for_entity(entity, Route).path == whole.finish()


def test_the_budget_is_shared_by_all_wishes_of_a_frame(floor: NavMesh) -> None:
    alone = floor.begin_path(START, END)
    alone.update(10_000)
    budget = 2 * alone.iterations
    entities, requests = [wisher() for _ in range(6)], PathRequestProcessor(floor, iterations=budget)
    for frame in range(1, 5):
        requests.process(STEP)
        done = sum(map(answered, entities))
        affordable = min(6, frame * budget // alone.iterations)
        # What the last search of a frame lacks, the next frame has to give.
        assert affordable - 1 <= done <= affordable
        assert requests.waiting == 6 - done
    assert done == 6


def test_wishes_of_one_frame_are_answered_by_entity_id_whatever_order_they_came_in(floor: NavMesh) -> None:
    entities = [esper.create_entity(PathFollower(START)) for _ in range(40)]
    for entity in reversed(entities):
        esper.add_component(entity, Destination(MIDDLE))
    requests, order = PathRequestProcessor(floor, iterations=1), []
    while len(order) < len(entities):
        requests.process(STEP)
        order += [entity for entity in entities if answered(entity) and entity not in order]
    assert order == sorted(entities)


def test_an_older_wish_goes_before_a_younger_one_of_a_lower_id(floor: NavMesh) -> None:
    young, old = esper.create_entity(PathFollower(START)), wisher()
    requests = PathRequestProcessor(floor, iterations=1)
    requests.process(STEP)
    esper.add_component(young, Destination(MIDDLE))
    while not answered(young):
        requests.process(STEP)
    assert answered(old)


def test_a_replaced_wish_is_never_answered(floor: NavMesh) -> None:
    entity, requests = wisher(), PathRequestProcessor(floor, iterations=1)
    requests.process(STEP)
    esper.add_component(entity, Destination(MIDDLE))
    while not answered(entity):
        requests.process(STEP)
    assert esper.component_for_entity(entity, Route).path == floor.find_path(START, MIDDLE)
    requests.process(STEP)
    assert requests.waiting == 0


def test_a_wish_taken_back_is_forgotten(floor: NavMesh) -> None:
    entity, requests = wisher(), PathRequestProcessor(floor, iterations=1)
    requests.process(STEP)
    esper.remove_component(entity, Destination)
    requests.process(STEP)
    assert requests.waiting == 0
    assert not answered(entity)


@pytest.mark.parametrize("immediate", [True, False])
def test_an_entity_deleted_while_it_waits_holds_nobody_up(floor: NavMesh, immediate: bool) -> None:
    gone, other = wisher(), wisher(MIDDLE)
    requests = PathRequestProcessor(floor, iterations=1)
    requests.process(STEP)
    esper.delete_entity(gone, immediate=immediate)
    while not answered(other):
        requests.process(STEP)
    assert requests.waiting == 0


def test_an_entity_that_lost_its_walker_holds_nobody_up(floor: NavMesh) -> None:
    bodiless, other = wisher(), wisher(MIDDLE)
    requests = PathRequestProcessor(floor, iterations=1)
    requests.process(STEP)
    esper.remove_component(bodiless, PathFollower)
    while not answered(other):
        requests.process(STEP)
    assert not answered(bodiless)


def test_a_search_overtaken_by_a_commit_is_begun_anew_on_the_changed_mesh() -> None:
    changing = walled_floor()
    entity, requests = wisher(), PathRequestProcessor(changing, iterations=1)
    requests.process(STEP)
    for tile in changing.tiles():
        if tile.column == 0 and tile.row == 0:
            changing.stage_tile(tile.tile)
    assert changing.commit()
    while not answered(entity):
        requests.process(STEP)
    path = esper.component_for_entity(entity, Route).path
    assert path.status is PathStatus.SUCCESS
    assert path == changing.find_path(START, END)


def test_a_walker_keeps_walking_while_it_waits_and_never_jumps_when_its_new_path_comes(floor: NavMesh) -> None:
    entity, requests = wisher(), PathRequestProcessor(floor, iterations=1)
    walker = esper.component_for_entity(entity, PathFollower)
    walker.start(floor.find_path(START, END).points)
    longest, before = 0.0, walker.position
    for _ in range(200):
        requests.process(STEP)
        walker.advance(STEP)
        longest = max(longest, abs(walker.position[0] - before[0]) + abs(walker.position[2] - before[2]))
        before = walker.position
    assert answered(entity)
    assert 0.0 < longest <= 2.0 * walker.max_speed * STEP


def test_a_wish_that_cannot_be_met_says_why_and_stops_the_walker(floor: NavMesh) -> None:
    entity = wisher((500.0, 0.0, 500.0))
    PathRequestProcessor(floor).process(STEP)
    assert esper.component_for_entity(entity, Route).path.status is PathStatus.NO_END
    assert not esper.component_for_entity(entity, PathFollower).moving


def test_a_budget_below_one_is_refused(floor: NavMesh) -> None:
    with pytest.raises(RangeError, match="iterations is 0"):
        PathRequestProcessor(floor, iterations=0)


def test_without_esper_the_command_that_installs_it_is_named() -> None:
    code = "import sys; sys.modules['esper'] = None; import onepath_ecs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'MissingExtraError: onepath_ecs takes esper; install it with: pip install "onepath[ecs]"' in done.stderr


@pytest.mark.parametrize("point", [(float("nan"), 0, 0), (0, 3e6, 0), (1, 2), "abc", None, NavPoint(0, None)])
def test_a_destination_that_is_no_place_is_refused_when_it_is_made(point: object) -> None:
    with pytest.raises(ArgumentError, match="Destination"):
        Destination(point)  # type: ignore[arg-type]


def test_a_destination_cannot_be_changed_unchecked(floor: NavMesh) -> None:
    wish = Destination(END)
    with pytest.raises(AttributeError):
        wish.point = (float("nan"), 0.0, 0.0)  # type: ignore[misc]


def test_a_destination_may_be_a_place_on_the_mesh(floor: NavMesh) -> None:
    esper.add_processor(PathRequestProcessor(floor))
    entity = esper.create_entity(PathFollower(START), Destination(floor.snap(END)))
    esper.process(STEP)
    assert esper.component_for_entity(entity, Route).path.status is PathStatus.SUCCESS


def test_a_walker_who_stands_nowhere_is_named_once_and_holds_up_nobody(floor: NavMesh) -> None:
    esper.add_processor(PathRequestProcessor(floor))
    lost, other = wisher(), wisher()
    esper.component_for_entity(lost, PathFollower).position = (float("nan"), 0.0, 0.0)
    with pytest.raises(ArgumentError, match="NaN"):
        esper.process(STEP)
    esper.process(STEP)
    assert answered(other) and not answered(lost) and not esper.has_component(lost, Destination)


@pytest.mark.parametrize("iterations", [float("nan"), 1.5, "5", None, True, 2**63])
def test_a_budget_that_is_no_whole_number_is_refused_by_name(floor: NavMesh, iterations: object) -> None:
    with pytest.raises(ArgumentError, match="iterations"):
        PathRequestProcessor(floor, iterations)  # type: ignore[arg-type]


@pytest.mark.parametrize("reach", [float("nan"), float("inf"), -1.0, "1"])
def test_a_reach_that_is_no_length_is_refused_by_name(floor: NavMesh, reach: object) -> None:
    with pytest.raises(ArgumentError, match="reach"):
        FollowProcessor(floor, reach)  # type: ignore[arg-type]
