"""Places on the mesh: NavPoint as an end of a path and as a value, and NavMesh.snap."""

from __future__ import annotations

import math
import pickle
from random import Random

import pytest

from onepath._one_call import NavMesh
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, RangeError
from onepath.explaining import PathReason
from onepath.mesh.settings import MeshSettings
from onepath.query import NavMeshQuery, NavPoint, PathStatus, QueryFilter
from tests.meshes import mesh_of, rectangle, settings_of, strip, tile_of, tiled_floor, turned, two_floors
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_mesh, random_position


def test_a_nav_point_is_taken_as_it_is() -> None:
    mesh = two_floors(1.0)
    upper = mesh.snap((1, 0.9, 1))
    assert upper.point == (1, 1, 1)
    # As a bare position (1, 0.4, 1) would snap to the lower floor.
    path = mesh.find_path(NavPoint(upper.ref, (1, 0.4, 1)), mesh.snap((9, 1, 1)))
    assert path and path.points[0].tolist() == [1, 1, 1]


def test_a_stale_nav_point_is_invalid() -> None:
    mesh = strip(2)
    here, there = mesh.snap((1, 0, 1)), mesh.snap((7, 0, 1))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 8, 4)], mesh.settings))
    mesh.commit()
    assert mesh.find_path(here, (7, 0, 1)).status is PathStatus.INVALID_START
    assert mesh.find_path((1, 0, 1), there).status is PathStatus.INVALID_END


def test_a_nav_point_that_the_filter_rejects_is_invalid() -> None:
    mesh = strip(2, areas=[1, 2])
    forbidden = QueryFilter(costs={2: math.inf})
    assert mesh.find_path((1, 0, 1), mesh.snap((7, 0, 1)), forbidden).status is PathStatus.INVALID_END


def test_a_nav_point_that_was_not_found_is_no_start() -> None:
    mesh = strip(2)
    nowhere = mesh.snap((500, 0, 500))
    assert not nowhere and nowhere.point is None
    assert mesh.find_path(nowhere, (1, 0, 1)).status is PathStatus.NO_START
    assert mesh.find_path((1, 0, 1), nowhere).status is PathStatus.NO_END


def test_snapping_never_reaches_beyond_its_reach() -> None:
    # The box of the triangle holds all of it, the triangle itself lies 14 metres from the end.
    mesh = NavMesh.from_polygons([(0, 0, 0), (0, 0, 40), (40, 0, 0)], [[0, 1, 2]])
    assert not mesh.snap((30, 0, 30), up=0.0, down=0.0, horizontal=0.0)
    assert mesh.find_path((1, 0, 1), (30, 0, 30)).status is PathStatus.NO_END
    assert not mesh.is_reachable((1, 0, 1), (30, 0, 30)) and mesh.distance((1, 0, 1), (30, 0, 30)) == math.inf
    assert mesh.explain((1, 0, 1), (30, 0, 30)).reason is PathReason.END_OFF_MESH
    assert mesh.snap((20.25, 0.5, 20.25)).point == (20, 0, 20)


def test_a_floor_out_of_reach_does_not_hide_another_within() -> None:
    # Straight below the ramp is nearest, too far down; the landing at its end lies within reach.
    ramp, landing = [(0, 0, 0), (0, 0, 4), (8, 8, 4), (8, 8, 0)], [(8, 8, 0), (8, 8, 4), (9, 8, 4), (9, 8, 0)]
    mesh = mesh_of([turned(ramp), turned(landing)])
    place = mesh.snap((7, 8, 2), up=0.25, down=0.25, horizontal=1.5)
    assert place.point == (8, 8, 2)


@pytest.mark.parametrize("seed", range(12))
def test_snapping_is_the_nearest_rule_where_its_place_is_within_reach(seed: int) -> None:
    draw = Random(seed)
    mesh = random_mesh(seed)
    query, everything = NavMeshQuery(mesh), QueryFilter()
    polygons = list(PlainMesh(mesh).polygons.values())
    for _ in range(50):
        position = random_position(draw, polygons)
        across, up = draw.uniform(0, 3), draw.uniform(0, 3)
        place = mesh.snap(position, up=up, down=up, horizontal=across, filter=everything)
        nearest = query.find_nearest_polygon(position, (across, up, across), everything)
        low = [value - reach for value, reach in zip(position, (across, up, across), strict=True)]
        high = [value + reach for value, reach in zip(position, (across, up, across), strict=True)]

        def within(point: tuple[float, float, float], low: list[float] = low, high: list[float] = high) -> bool:
            return all(a <= value <= b for a, value, b in zip(low, point, high, strict=True))

        assert not place or within(place.point)
        if nearest and within(nearest.point):
            assert (place.ref, place.point) == (nearest.ref, nearest.point)


def test_a_nav_point_serves_wherever_a_position_is_wanted() -> None:
    mesh = strip(2)
    query = NavMeshQuery(mesh)
    here, there = mesh.snap((1, 0, 1)), mesh.snap((7, 0, 1))
    assert query.find_nearest_polygon(here).point == (1, 0, 1)
    assert query.surface_height(here.ref, here) == 0.0
    corridor = query.find_corridor(here.ref, here, there.ref, there)
    assert corridor and query.find_straight_path(here, there, corridor).length == 6.0
    assert mesh.snap(here) is here


def test_a_nav_point_without_a_place_has_no_position() -> None:
    query = NavMeshQuery(strip(2))
    with pytest.raises(ArgumentError, match="which has no position"):
        query.find_nearest_polygon(NavPoint(0, None))
    with pytest.raises(ArgumentError, match="start is NavPoint"):
        query.find_straight_path(NavPoint(0, None), (1, 0, 1), [1])


def test_nav_points_are_values() -> None:
    point = NavPoint(5, (1, 2, 3))
    assert point == NavPoint(5, [1.0, 2.0, 3.0]) and hash(point) == hash(NavPoint(5, (1, 2, 3)))
    assert pickle.loads(pickle.dumps(point)) == point
    match point:
        case NavPoint(ref, (x, _, _)):
            assert (ref, x) == (5, 1.0)


@pytest.mark.parametrize("arguments", [(-1, (0, 0, 0)), ("a", (0, 0, 0)), (2**63, (0, 0, 0)), (1, None)])
def test_a_nav_point_of_nonsense_is_refused(arguments: tuple[object, object]) -> None:
    with pytest.raises(ArgumentError):
        NavPoint(*arguments)  # type: ignore[arg-type]


def test_a_nav_point_is_a_value_and_cannot_be_made_anew() -> None:
    mesh = tiled_floor(5)
    for point in (NavPoint(0, None), NavPoint(5, (0, 0, 0)), mesh.snap((1, 0, 1)), mesh.snap((900, 0, 1))):
        before = (hash(point), repr(point))
        with pytest.raises(TypeError, match="once"):
            point.__init__(7, (1, 2, 3))  # type: ignore[misc]
        assert (hash(point), repr(point)) == before


# --- snap


def test_snap_reach_follows_the_agent() -> None:
    settings = MeshSettings(agent=AgentShape(radius=0.6, height=2.0), cell_size=0.25, tile_cells=32)
    assert NavMesh(settings).snap_reach == (1.2, 2.0, 1.2)
    assert NavMesh(settings_of()).snap_reach == (2.0, 1.8, 2.0)


def test_snap_finds_the_floor_within_reach() -> None:
    mesh = strip(2)
    assert mesh.snap((1, 1.7, 1)).point == (1, 0, 1)
    assert mesh.snap((-1.9, 0, 1)).point == (0, 0, 1)
    assert not mesh.snap((1, 1.9, 1)) and not mesh.snap((-2.1, 0, 1))


def test_each_direction_of_snap_can_be_told() -> None:
    mesh = strip(2)
    assert mesh.snap((1, 5, 1), down=5) and not mesh.snap((1, 5, 1), up=5)
    assert mesh.snap((1, -5, 1), up=5) and not mesh.snap((1, -5, 1), down=5)
    assert mesh.snap((-5, 0, 1), horizontal=5) and not mesh.snap((-5, 0, 1), horizontal=4)


@pytest.mark.parametrize("name", ["up", "down", "horizontal"])
def test_a_reach_is_finite_and_not_negative(name: str) -> None:
    mesh = strip(1)
    for value in (-1.0, math.inf):
        with pytest.raises(RangeError, match=f"{name} is"):
            mesh.snap((0, 0, 0), **{name: value})
    with pytest.raises(ArgumentError, match=f"{name} is NaN"):
        mesh.snap((0, 0, 0), **{name: math.nan})
