"""Following and view sync as esper processors: feet on the surface, rows in the order of entity ids."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

esper = pytest.importorskip("esper", reason="esper is not installed")

from onepath import NavMesh, bake, levels  # noqa: E402
from onepath.agents import PathFollower, WalkStatus  # noqa: E402
from onepath_ecs import (  # noqa: E402
    Destination,
    FollowProcessor,
    PathRequestProcessor,
    Route,
    ViewSyncProcessor,
    add_processors,
)
from tests.ecs_worlds import PlainSurface, own_world  # noqa: E402
from tests.meshes import mesh_of, rectangle, tile_of  # noqa: E402

STEP = 1.0 / 60.0


@pytest.fixture(scope="module")
def house() -> tuple[levels.GeneratedLevel, NavMesh]:
    level = levels.building()
    return level, bake(level)


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    with own_world():
        yield


def test_over_hills_feet_stay_on_the_polygons_of_the_route() -> None:
    level = levels.terrain(size=60.0, height=12.0, seed=3)
    mesh = bake(level)
    walker = PathFollower(level.places["north-west"], speed=4.0)
    esper.create_entity(walker, Destination(level.places["south-east"]))
    add_processors(PathRequestProcessor(mesh), FollowProcessor(mesh))
    surface = PlainSurface(mesh)
    for step in range(60 * 12):
        esper.process(STEP)
        if step % 4 == 0:
            assert surface.gap(walker.position) < 1e-6
    assert walker.position[0] > 20.0


def test_feet_stay_on_the_surface_all_the_way_up_the_stairs(house: tuple[levels.GeneratedLevel, NavMesh]) -> None:
    level, mesh = house
    walker = PathFollower(level.places["west house floor 0"])
    esper.create_entity(walker, Destination(level.places["west house floor 2"]))
    add_processors(PathRequestProcessor(mesh), FollowProcessor(mesh))
    surface, heights = PlainSurface(mesh), []
    for _ in range(60 * 30):
        esper.process(STEP)
        assert surface.gap(walker.position) < 1e-6
        heights.append(walker.position[1])
        if not walker.moving:
            break
    assert heights[-1] == pytest.approx(level.places["west house floor 2"][1], abs=0.3)
    assert max(np.diff(heights)) < 0.5, "no step higher than an agent climbs"


def test_a_path_begun_by_hand_is_walked_on_the_surface_too(house: tuple[levels.GeneratedLevel, NavMesh]) -> None:
    level, mesh = house
    walker = PathFollower(level.places["square"])
    walker.start(mesh.find_path(level.places["square"], level.places["east house floor 0"]).points)
    esper.create_entity(walker)
    following = FollowProcessor(mesh)
    for _ in range(120):
        following.process(STEP)
    assert PlainSurface(mesh).gap(walker.position) < 1e-6


def test_a_tile_replaced_under_a_walker_leaves_it_walking() -> None:
    level = levels.building()
    mesh = bake(level)
    walker = PathFollower(level.places["square"])
    esper.create_entity(walker, Destination(level.places["west house floor 1"]))
    add_processors(PathRequestProcessor(mesh), FollowProcessor(mesh))
    for _ in range(60):
        esper.process(STEP)
    for tile in mesh.tiles():
        mesh.stage_tile(tile.tile)
    mesh.commit()
    for _ in range(60 * 30):
        esper.process(STEP)
    assert walker.position[1] == pytest.approx(level.places["west house floor 1"][1], abs=0.3)


def test_c21_a_walker_stands_while_its_tile_is_away_and_walks_on_within_two_ticks_after() -> None:
    mesh = mesh_of([rectangle(x, 0, x + 8, 8) for x in (0, 8, 16)])
    walker = PathFollower((12.0, 0.0, 4.0), forward=(1.0, 0.0))
    entity = esper.create_entity(walker, Destination((20.0, 0.0, 4.0)))
    add_processors(PathRequestProcessor(mesh), FollowProcessor(mesh))
    esper.process(STEP)
    tile, there = mesh.tile(1, 0).tile, walker.position
    assert there[0] > 12.0
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    for _ in range(10):
        esper.process(STEP)
        assert esper.component_for_entity(entity, Route).status is WalkStatus.OFF_MESH
        assert (walker.position, walker.speed) == (there, 0.0)
    mesh.stage_tile(tile)
    mesh.commit()
    esper.process(STEP)
    esper.process(STEP)
    assert esper.component_for_entity(entity, Route).status is WalkStatus.WALKING
    assert walker.position[0] > there[0] and walker.desired_velocity[0] > 0.0
    for _ in range(60 * 6):
        esper.process(STEP)
    assert walker.position == (20.0, 0.0, 4.0)
    assert esper.component_for_entity(entity, Route).status is WalkStatus.ARRIVED


def test_a_walker_sent_off_while_off_the_mesh_goes_when_there_is_ground() -> None:
    mesh = mesh_of([rectangle(x, 0, x + 8, 8) for x in (0, 16)], grid_bounds=(0, 0, 2, 0))
    walker = PathFollower((12.0, 0.0, 4.0))
    entity = esper.create_entity(walker, Destination(mesh.snap((20.0, 0.0, 4.0))))
    requests = PathRequestProcessor(mesh)
    add_processors(requests, FollowProcessor(mesh))
    for _ in range(3):
        esper.process(STEP)
    assert esper.component_for_entity(entity, Route).status is WalkStatus.OFF_MESH
    assert not requests.waiting, "a wish that cannot be met is not asked every frame"
    mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 16, 8)], mesh.settings))
    mesh.stage_tile(mesh.tile(2, 0).tile)  # the place it was sent to has lost its polygon
    mesh.commit()
    for _ in range(2):
        esper.process(STEP)
    assert esper.component_for_entity(entity, Route).status is WalkStatus.WALKING


def test_a_newer_wish_goes_before_one_that_is_asked_again() -> None:
    mesh = mesh_of([rectangle(x, 0, x + 8, 8) for x in (0, 8, 16)])
    entity = esper.create_entity(PathFollower((4.0, 0.0, 4.0)), Destination((20.0, 0.0, 4.0)))
    following = FollowProcessor(mesh)
    add_processors(PathRequestProcessor(mesh), following)
    esper.process(STEP)
    newer = Destination((6.0, 0.0, 6.0))
    esper.add_component(entity, newer)
    mesh.stage_tile(mesh.tile(1, 0).tile)
    mesh.commit()
    following.process(STEP)
    assert esper.component_for_entity(entity, Route).status is WalkStatus.PATH_LOST
    assert esper.component_for_entity(entity, Destination) is newer


def test_walkers_without_a_path_stand_still(house: tuple[levels.GeneratedLevel, NavMesh]) -> None:
    level, mesh = house
    walker = PathFollower(level.places["square"])
    esper.create_entity(walker)
    FollowProcessor(mesh).process(STEP)
    assert walker.position == level.places["square"]


def test_rows_hold_position_and_direction_by_entity_id() -> None:
    walkers = {esper.create_entity(): PathFollower((i, 0.5 * i, -i), forward=(0.0, -1.0)) for i in range(40)}
    for entity in sorted(walkers, reverse=True):
        esper.add_component(entity, walkers[entity])
    view = ViewSyncProcessor()
    view.process(STEP)
    assert view.entities == sorted(walkers)
    assert view.count == 40
    assert view.rows.dtype == np.float32
    for row, entity in zip(view.rows, view.entities, strict=True):
        assert tuple(row) == (*walkers[entity].position, 0.0, -1.0)


def test_rows_follow_entities_that_come_and_go() -> None:
    first, second = (esper.create_entity(PathFollower((float(i), 0.0, 0.0))) for i in range(2))
    view = ViewSyncProcessor()
    view.process(STEP)
    esper.delete_entity(first, immediate=True)
    view.process(STEP)
    assert view.entities == [second]
    assert view.rows.shape == (1, 5)
    assert view.rows[0, 0] == 1.0
    for i in range(100):
        esper.create_entity(PathFollower((float(i), 0.0, 0.0)))
    view.process(STEP)
    assert view.rows.shape == (101, 5)


def test_processors_run_as_ask_walk_show(house: tuple[levels.GeneratedLevel, NavMesh]) -> None:
    level, mesh = house
    start = level.places["square"]
    esper.create_entity(PathFollower(start), Destination(level.places["west house floor 0"]))
    view = ViewSyncProcessor()
    add_processors(PathRequestProcessor(mesh), FollowProcessor(mesh), view)
    esper.process(STEP)
    moved = view.rows[0, :3] - np.asarray(start, dtype=np.float32)
    turned = view.rows[0, 3:] - np.array((0.0, 1.0), dtype=np.float32)
    assert np.abs(moved).sum() > 0.0 or np.abs(turned).sum() > 0.0, "one frame suffices to ask, turn or walk, and show"
