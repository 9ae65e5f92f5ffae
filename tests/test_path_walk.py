"""Walks over meshes that change: standing without ground, waiting without a way, going on when there is one again."""

from __future__ import annotations

import math

import pytest

from onepath import Areas, NavMesh, Path, PathStatus, QueryFilter
from onepath.agents import PathFollower, PathWalk, WalkStatus
from onepath.errors import ArgumentError, RangeError
from onepath.mesh import LinkDef
from tests.meshes import mesh_of, rectangle, settings_of, strip

STEP = 1.0 / 60.0
STILL = (0.0, 0.0, 0.0)
WALKING, ARRIVED, ENDED, PATH_LOST, OFF_MESH = WalkStatus


def walk_of(mesh: NavMesh, start: float, end: float, **options: object) -> PathWalk:
    """A walk along the strip, which has gone ten steps."""
    path = mesh.find_path((start, 0, 2), (end, 0, 2))
    follower = PathFollower((start, 0, 2), forward=(1.0, 0.0))
    follower.start(path)
    walk = PathWalk(mesh, follower, path, **options)  # type: ignore[arg-type]
    for _ in range(10):
        walk.advance(STEP)
    return walk


def take_out(mesh: NavMesh, column: int) -> object:
    tile = mesh.tile(column, 0).tile
    mesh.stage_tile_removal(column, 0)
    mesh.commit()
    return tile


def put_in(mesh: NavMesh, tile: object) -> None:
    mesh.stage_tile(tile)  # type: ignore[arg-type]
    mesh.commit()


def search_again(walk: PathWalk, end: float) -> Path:
    """What the owner of a walk does when its path is lost."""
    path = walk.mesh.find_path(walk.follower.position, (end, 0, 2))
    walk.follower.start(path)
    return path


def walk_on(walk: PathWalk, most: int = 2000) -> WalkStatus:
    while walk.advance(STEP) is WALKING:
        most -= 1
        assert most, "the walk never ends"
    return walk.status


def test_a_walk_over_a_mesh_that_does_not_change_arrives() -> None:
    walk = walk_of(strip(6), 1.0, 20.0)
    x, y, z = walk.desired_velocity
    assert walk.status is WALKING and x > 0.0 and (y, z) == (0.0, 0.0)
    assert walk_on(walk) is ARRIVED
    assert walk.follower.position == (20.0, 0.0, 2.0)
    assert walk.desired_velocity == STILL


def test_c21_without_its_tile_it_is_off_the_mesh_within_a_step_and_searches_again_when_that_is_back() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 12.0, 20.0)
    there, tile = walk.follower.position, take_out(mesh, 1)
    for _ in range(10):
        assert walk.advance(STEP) is OFF_MESH
        assert (walk.follower.position, walk.desired_velocity, walk.follower.speed) == (there, STILL, 0.0)
    put_in(mesh, tile)
    assert walk.advance(STEP) is PATH_LOST
    assert walk.desired_velocity == STILL
    again = PathWalk(mesh, walk.follower, search_again(walk, 20.0))
    assert again.advance(STEP) is WALKING
    assert again.desired_velocity[0] > 0.0
    assert walk_on(again) is ARRIVED


def test_a_tile_that_goes_far_ahead_stops_it_on_the_mesh() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 1.0, 20.0)
    there, _ = walk.follower.position, take_out(mesh, 2)
    assert walk.advance(STEP) is PATH_LOST
    assert walk.follower.position == there
    short = search_again(walk, 20.0)
    assert short.status is PathStatus.NOT_LOADED


def test_a_way_that_ends_before_a_missing_tile_goes_on_when_that_comes() -> None:
    mesh = strip(6)
    tile = take_out(mesh, 2)
    walk = walk_of(mesh, 1.0, 20.0)
    assert walk.path.status is PathStatus.NOT_LOADED
    assert walk_on(walk) is ENDED
    put_in(mesh, mesh.tile(0, 0).tile)  # a commit that helps nothing
    assert walk.advance(STEP) is ENDED
    put_in(mesh, tile)
    assert walk.advance(STEP) is PATH_LOST
    assert search_again(walk, 20.0)


def test_tiles_that_change_behind_it_do_not_hold_it_up() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 6.0, 20.0)
    while walk.follower.position[0] < 9.0:
        walk.advance(STEP)
    take_out(mesh, 0)
    assert walk.advance(STEP) is WALKING
    assert walk_on(walk) is ARRIVED


def test_an_area_closed_ahead_stops_it_and_opened_again_lets_it_walk_on() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 1.0, 20.0)
    closed = int(walk.path.corridor.polygons[3])
    mesh.set_area(closed, 0)
    assert walk.advance(STEP) is PATH_LOST
    mesh.set_area(closed, "ground")
    assert walk.advance(STEP) is WALKING
    assert walk_on(walk) is ARRIVED


def test_an_area_closed_under_its_feet_is_no_ground() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 1.0, 20.0)
    mesh.set_area(int(walk.path.corridor.polygons[0]), 0)
    assert walk.advance(STEP) is OFF_MESH


def test_what_its_filter_refuses_is_no_ground_and_what_other_filters_refuse_is() -> None:
    for filter, status in ((None, WALKING), (QueryFilter(avoid=[9]), OFF_MESH)):
        mesh = strip(6)
        walk = walk_of(mesh, 1.0, 20.0, filter=filter)
        mesh.set_area(int(walk.path.corridor.polygons[0]), 9)
        assert walk.advance(STEP) is status


def test_without_a_filter_it_walks_where_the_mesh_s_own_calls_do() -> None:
    mesh = NavMesh(settings_of(), areas=Areas(lava=math.inf))
    mesh.stage_tile(strip(2).tile(0, 0).tile)
    mesh.commit()
    walk = walk_of(mesh, 1.0, 7.0)
    mesh.set_area(int(walk.path.corridor.polygons[1]), "lava")
    assert walk.advance(STEP) is PATH_LOST
    mesh.set_area(int(walk.path.corridor.polygons[0]), "lava")
    assert walk.advance(STEP) is OFF_MESH


def test_a_walker_moved_onto_the_mesh_searches_again() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 12.0, 20.0)
    take_out(mesh, 1)
    assert walk.advance(STEP) is OFF_MESH
    walk.follower.position = (17.0, 0.0, 2.0)
    assert walk.advance(STEP) is PATH_LOST


def test_one_that_began_off_the_mesh_searches_once_it_is_on_it() -> None:
    mesh = strip(6)
    tile = take_out(mesh, 1)
    walk = walk_of(mesh, 12.0, 20.0)
    assert not walk.path and walk.status is OFF_MESH
    put_in(mesh, tile)
    assert walk.advance(STEP) is PATH_LOST


def test_a_goal_that_has_none_to_reach_is_not_searched_again_and_again() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 1.0, 500.0)
    assert walk.path.status is PathStatus.NO_END and walk.status is ENDED
    put_in(mesh, mesh.tile(2, 0).tile)
    assert walk.advance(STEP) is ENDED


def test_the_ground_gone_where_it_has_arrived_is_told_and_back_again_is_arrived() -> None:
    mesh = strip(6)
    walk = walk_of(mesh, 1.0, 7.0)
    assert walk_on(walk) is ARRIVED
    tile = take_out(mesh, 0)
    assert walk.advance(STEP) is OFF_MESH
    put_in(mesh, tile)
    assert walk.advance(STEP) is ARRIVED


def test_a_link_that_was_stepped_on_is_walked_to_its_end_though_the_way_behind_it_is_gone() -> None:
    floors = [rectangle(x, 0, x + 4, 4) for x in (0, 4, 16, 20)]
    mesh = mesh_of([*floors, rectangle(24, 0, 28, 4)], grid_bounds=None)
    mesh.add_link(LinkDef((7, 0, 2), (17, 0, 2), 0.5, 0.5))
    walk = walk_of(mesh, 5.0, 27.0)
    while walk.follower.position[0] < 12.0:
        assert walk.advance(STEP) is WALKING
    take_out(mesh, 3)
    assert walk_on(walk) is PATH_LOST
    assert 16.0 <= walk.follower.position[0] < 17.1


def test_it_stands_in_the_air_where_the_link_is_taken_away() -> None:
    mesh = mesh_of([rectangle(x, 0, x + 4, 4) for x in (0, 4, 16, 20)], grid_bounds=None)
    link = mesh.add_link(LinkDef((7, 0, 2), (17, 0, 2), 0.5, 0.5))
    walk = walk_of(mesh, 5.0, 23.0)
    while walk.follower.position[0] < 12.0:
        walk.advance(STEP)
    mesh.stage_link_removal(link)
    mesh.commit()
    assert walk.advance(STEP) is OFF_MESH


def test_arguments_are_checked() -> None:
    mesh = strip(2)
    path, follower = mesh.find_path((1, 0, 2), (7, 0, 2)), PathFollower((1, 0, 2))
    with pytest.raises(ArgumentError, match="path is"):
        PathWalk(mesh, follower, path.points)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="filter is"):
        PathWalk(mesh, follower, path, filter=3)  # type: ignore[arg-type]
    with pytest.raises(RangeError, match="reach is"):
        PathWalk(mesh, follower, path, reach=-1.0)
    follower.start(path)
    with pytest.raises(RangeError, match="seconds is"):
        PathWalk(mesh, follower, path).advance(-1.0)
