"""The demo's world without a screen: agents arrive, on all floors, with their feet on the drawn ground."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

esper = pytest.importorskip("esper", reason="esper is not installed")

from demo_game.loading import open_level  # noqa: E402
from demo_game.world import STEP, DemoWorld  # noqa: E402
from onepath import Level, NavMesh, bake  # noqa: E402
from tests.ecs_worlds import PlainSurface  # noqa: E402
from tests.test_ground import plain_heights  # noqa: E402

SECONDS = 10.0
AGENTS = 50


@pytest.fixture(scope="module")
def town() -> tuple[Level, NavMesh]:
    level = open_level("town", seed=2)
    return level, bake(level)


@pytest.fixture
def world(town: tuple[Level, NavMesh]) -> Iterator[DemoWorld]:
    made = DemoWorld(*town, agents=AGENTS, seed=2)
    yield made
    made.close()


def run(world: DemoWorld, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        world.step()


def test_everybody_arrives_within_ten_seconds_and_somebody_on_every_floor(world: DemoWorld) -> None:
    run(world, SECONDS)
    assert min(world.errand(index).arrivals for index in range(AGENTS)) >= 1
    assert set(((world.rows[:, 1] + 0.4) // 3.2).astype(int)) >= {0, 1, 2}
    assert set(world.storeys()) == {0, 1, 2}
    assert world.counts.failed == world.counts.partial == 0
    assert world.metres > 300.0


def test_feet_are_on_a_drawn_triangle_and_nobody_leaves_the_mesh(world: DemoWorld) -> None:
    vertices, triangles, _ = world.level.triangles()
    corners = vertices[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    surface = PlainSurface(world.mesh)
    for step in range(round(SECONDS / STEP)):
        world.step()
        if step % 10:
            continue
        for index in range(step // 10 % 5, AGENTS, 5):
            x, y, z = world.rows[index, :3].tolist()
            near = (low[:, 0] <= x) & (x <= high[:, 0]) & (low[:, 2] <= z) & (z <= high[:, 2])
            heights = plain_heights(vertices, triangles[near], x, z)
            assert min(abs(height - y) for height in heights) <= 0.05
            position = world.walker(index).position
            assert surface.gap(position) <= 1e-6
            assert abs(position[1] - y) <= 1.0, "the drawn ground belongs to the floor that the walker is on"


def test_nobody_turns_faster_than_they_can_or_leaps(world: DemoWorld) -> None:
    for _ in range(round(4.0 / STEP)):
        before = world.rows.copy()
        world.step()
        cosine = (before[:, 3:] * world.rows[:, 3:]).sum(axis=1)
        assert cosine.min() >= np.cos(np.radians(300.0 * STEP)) - 1e-5
        leap = np.sqrt(((world.rows[:, [0, 2]] - before[:, [0, 2]]) ** 2).sum(axis=1))
        assert leap.max() <= 3.4 * STEP + 1e-4


def test_the_same_seed_walks_the_same_way_and_another_does_not(town: tuple[Level, NavMesh], world: DemoWorld) -> None:
    twin, other = DemoWorld(*town, agents=AGENTS, seed=2), DemoWorld(*town, agents=AGENTS, seed=3)
    for each in (world, twin, other):
        run(each, 3.0)
    assert np.array_equal(world.rows, twin.rows)
    assert not np.array_equal(world.rows, other.rows)
    twin.close()
    other.close()


@pytest.mark.parametrize("rate", [20.0, 47.0, 144.0])
def test_the_walk_does_not_depend_on_how_often_pictures_are_drawn(
    town: tuple[Level, NavMesh], world: DemoWorld, rate: float
) -> None:
    steps, drawn = 0, DemoWorld(*town, agents=AGENTS, seed=2)
    while steps < 150:
        steps += drawn.advance(1.0 / rate)
    for _ in range(steps):
        world.step()
    assert np.array_equal(world.rows, drawn.rows)
    drawn.close()


def test_a_slow_machine_skips_time_rather_than_falling_behind_for_ever(world: DemoWorld) -> None:
    assert world.advance(30.0) == 8
    assert world.advance(STEP / 2.0) == 0


def test_an_agent_goes_where_it_is_sent_and_then_about_its_own_errands(world: DemoWorld) -> None:
    run(world, 0.5)
    spot = world.places[0].point
    index = int(np.argmin(((world.rows[:, :3] - np.array(spot)) ** 2).sum(axis=1)))
    world.send(index, spot)
    world.step()
    path = world.path(index)
    assert path is not None
    assert np.allclose(path.points[-1], spot, atol=0.3)
    for _ in range(60 * 20):
        world.step()
        if not world.errand(index).walking:
            break
    feet = world.rows[index]
    assert np.hypot(feet[0] - spot[0], feet[2] - spot[2]) < 0.3
    run(world, 3.0)
    assert world.errand(index).place.name != "the spot you chose"


def test_an_agent_sent_into_the_sky_says_so_and_goes_on(world: DemoWorld) -> None:
    world.send(0, (0.0, 500.0, 0.0))
    run(world, 4.0)
    assert world.counts.failed == 1
    assert world.errand(0).place.name != "the spot you chose"


def test_the_world_that_was_current_stays_current(world: DemoWorld) -> None:
    outside = esper.current_world
    world.step()
    with pytest.raises(IndexError):
        world.send(AGENTS, (0.0, 0.0, 0.0))
    assert esper.current_world == outside


def test_a_level_without_places_gets_its_errands_from_the_mesh() -> None:
    level = Level()
    level.add_box((0, -0.5, 0), (20, 0, 20))
    level.add_box((6, 0, 6), (14, 2.5, 14))
    world = DemoWorld(level, bake(level), agents=6, seed=1)
    run(world, SECONDS)
    assert len(world.places) >= 3
    assert world.counts.arrivals >= 6
    world.close()


def test_where_nothing_is_walkable_nobody_walks() -> None:
    level = Level()
    level.add_ramp((0, 0, 0), (0, 9, 3), 4)
    world = DemoWorld(level, bake(level), agents=5, seed=1)
    world.step()
    assert world.entities == []
    world.close()
