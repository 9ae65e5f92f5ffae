"""Faults reported of path searches elsewhere: slices and commits (C44), flipping paths (C47), detours (C42)."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

import onepath
from onepath import Level, NavMesh, NodeModel, Path, PathStatus, Tile
from onepath.query import Corridor, NavMeshQuery
from tests.baked import SLIM, STANDARD
from tests.oracles.exact_visibility import Visibility
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_mesh import PlainMesh

MODELS = list(NodeModel)
Point = tuple[float, float, float]


@pytest.fixture(scope="module")
def pillars() -> NavMesh:
    """8 x 8 tiles of 8 m with 100 pillars."""
    draw, level = Random(44), Level()
    level.add_plane((0, 0), (64, 64))
    for _ in range(100):
        x, z, side = draw.uniform(2, 60), draw.uniform(2, 60), draw.uniform(0.5, 2.0)
        level.add_box((x, 0, z), (x + side, 3, z + side))
    return onepath.bake(level, STANDARD)


def questions(mesh: NavMesh, count: int) -> list[tuple[int, Point, int, Point]]:
    """(start polygon, start, end polygon, end), spread over the floor."""
    draw, found = Random(7), []
    while len(found) < count:
        ends = [mesh.snap((draw.uniform(1, 63), 0.0, draw.uniform(1, 63))) for _ in range(2)]
        if all(ends):
            found.append((ends[0].ref, ends[0].point, ends[1].ref, ends[1].point))
    return found


def in_slices(query: NavMeshQuery, question: tuple[int, Point, int, Point], size: int) -> Corridor:
    status = query.begin_path(*question)
    while status is PathStatus.IN_PROGRESS:
        before = query.iterations
        status = query.update_path(size)
        assert query.iterations - before <= size
    return query.finish_path()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_c44_a_search_in_slices_is_the_search_of_one_call(pillars: NavMesh, model: NodeModel, size: int) -> None:
    query = NavMeshQuery(pillars, model)
    for question in questions(pillars, 300):
        assert in_slices(query, question, size) == query.find_corridor(*question)


@pytest.mark.parametrize("model", MODELS)
def test_c44_corridors_are_chains_of_linked_polygons_without_repeats(pillars: NavMesh, model: NodeModel) -> None:
    query = NavMeshQuery(pillars, model)
    for question in questions(pillars, 300):
        corridor = query.find_corridor(*question)
        assert len(set(corridor.polygons.tolist())) == len(corridor.polygons)
        assert pillars.check_corridor(corridor)
        assert pillars.check_corridor(corridor.polygons)


@pytest.mark.parametrize("model", MODELS)
def test_c44_a_search_finished_early_gives_a_chain_that_leads_nearer(pillars: NavMesh, model: NodeModel) -> None:
    query = NavMeshQuery(pillars, model)
    for question in questions(pillars, 300):
        query.find_corridor(*question)
        half = query.iterations // 2
        if half == 0:
            continue
        query.begin_path(*question)
        assert query.update_path(half) is PathStatus.IN_PROGRESS
        part = query.finish_path()
        assert part.status is PathStatus.IN_PROGRESS and pillars.check_corridor(part)
        assert len(set(part.polygons.tolist())) == len(part)
        line = query.find_straight_path(question[1], question[3], part)
        assert math.dist(line.points[-1], question[3]) <= math.dist(question[1], question[3]) + 1e-9


@pytest.mark.parametrize("model", MODELS)
def test_c44_across_a_commit_a_search_is_stale_or_the_one_begun_now(pillars: NavMesh, model: NodeModel) -> None:
    mesh, draw = NavMesh.from_bytes(pillars.to_bytes()), Random(3)
    query, fresh = NavMeshQuery(mesh, model), NavMeshQuery(mesh, model)
    tiles: dict[tuple[int, int], Tile] = {(view.column, view.row): view.tile for view in mesh.tiles()}
    seen = set()
    for question in questions(mesh, 100):
        query.begin_path(*question)
        query.update_path(draw.choice([3, 20, 60]))
        column, row = draw.choice(sorted(tiles))
        change = draw.choice(["replaced", "removed", "nothing"])
        if change == "removed":
            mesh.stage_tile_removal(column, row)
        elif change == "replaced":
            mesh.stage_tile(tiles[column, row])
        mesh.commit()
        while query.update_path(50) is PathStatus.IN_PROGRESS:
            pass
        answer = query.finish_path()
        if answer.status is not PathStatus.STALE:
            assert answer == fresh.find_corridor(*question)
        seen.add((change, answer.status is PathStatus.STALE))
        if change == "removed":
            mesh.stage_tile(tiles[column, row])
            mesh.commit()
        assert change != "nothing" or answer.status is not PathStatus.STALE
    assert ("nothing", False) in seen and len(seen) >= 3


# ---- C47: asked anew every tick, the path stays on its side


@pytest.fixture(scope="module")
def halved() -> NavMesh:
    """A floor with a box in the middle: both ways round it are equally long."""
    level = Level()
    level.add_plane((-2, -10), (22, 10))
    level.add_box((9, 0, -3), (11, 2, 3))
    return onepath.bake(level, STANDARD)


SPEED, TICK = 2.0, 1.0 / 60.0
OPTIMAL = 21.385  # metres, for square-cornered erosion by 0.5


def sides_taken(places: list[Point]) -> set[bool]:
    """Of the places before the box's far end, on which sides of the middle they lie."""
    return {z > 0.0 for x, _, z in places if x < 11.5 and abs(z) > 1e-9}


def walk(mesh: NavMesh, wobble: float, **options: bool) -> list[Point]:
    """From (0, 0, 0) to about (20, 0, 0), the path asked anew every tick, the goal moving to and fro in z."""
    place, places = (0.0, 0.0, 0.0), []
    for tick in range(2000):
        path = mesh.find_path(place, (20.0, 0.0, wobble if tick % 2 == 0 else -wobble), **options)
        assert path.status is PathStatus.SUCCESS
        place = path.point_at(SPEED * TICK)
        places.append(place)
        if path.length <= SPEED * TICK:
            break
    return places


@pytest.mark.parametrize("exact", [False, True])
def test_c47_a_path_asked_anew_every_tick_keeps_its_side(halved: NavMesh, exact: bool) -> None:
    places = walk(halved, 0.0, exact=exact)
    assert len(sides_taken(places)) == 1 and len(places) * TICK <= 1.1 * OPTIMAL / SPEED
    assert walk(halved, 0.0, exact=exact) == places


@pytest.mark.parametrize("wobble", [0.01, -0.01])
def test_c47_the_shortest_path_keeps_its_side_although_the_goal_moves_to_and_fro(
    halved: NavMesh, wobble: float
) -> None:
    places = walk(halved, wobble, exact=True)
    assert len(sides_taken(places)) == 1 and len(places) * TICK <= 1.1 * OPTIMAL / SPEED
    assert sides_taken(places) == {wobble > 0.0}
    assert walk(halved, wobble, exact=True) == places


@pytest.mark.parametrize("wobble", [0.01, -0.01])
def test_c47_the_document_s_model_may_change_sides_then_and_arrives_in_time_all_the_same(
    halved: NavMesh, wobble: float
) -> None:
    # What POLYGON finds follows from the ends alone, to the bit; both ways cost the same to it while it is far away.
    places = walk(halved, wobble)
    assert math.dist(places[-1], (20.0, 0.0, 0.0)) < 0.05 and len(places) * TICK <= 1.1 * OPTIMAL / SPEED
    assert walk(halved, wobble) == places


def test_c47_so_does_a_line_pulled_anew_through_the_corridor_that_was_found_first(halved: NavMesh) -> None:
    query = NavMeshQuery(halved)
    place: Point = (0.0, 0.0, 0.0)
    path: Path = halved.find_path(place, (20.0, 0.0, 0.01))
    corridor, places = path.corridor.polygons.tolist(), [place]
    for tick in range(2000):
        goal = (20.0, 0.0, 0.01 if tick % 2 == 0 else -0.01)
        while len(corridor) > 1 and halved.snap(place).ref in corridor[1:]:
            corridor = corridor[corridor.index(halved.snap(place).ref) :]
        line = query.find_straight_path(place, goal, corridor)
        assert line
        place = point_along(line.points.tolist(), SPEED * TICK)
        places.append(place)
        if line.length <= SPEED * TICK:
            break
    assert len(sides_taken(places)) == 1 and len(places) * TICK <= 1.1 * OPTIMAL / SPEED


def point_along(points: list[list[float]], distance: float) -> Point:
    for a, b in pairwise(points):
        leg = math.dist(a, b)
        if distance <= leg and leg > 0.0:
            return tuple(p + (q - p) * (distance / leg) for p, q in zip(a, b, strict=True))  # type: ignore[return-value]
        distance -= leg
    return tuple(points[-1])  # type: ignore[return-value]


# ---- C42: straight where the end is in sight, and not far from the shortest where it is not


def three_pillars(draw: Random, tile_cells: int) -> NavMesh:
    level = Level()
    level.add_plane((0, 0), (20, 20))
    for _ in range(3):
        x, z, side = draw.uniform(3, 15), draw.uniform(3, 15), draw.uniform(0.5, 3.0)
        level.add_box((x, -0.5, z), (x + side, 3, z + side))
    return onepath.bake(level, SLIM.replace(tile_cells=tile_cells))


@pytest.mark.parametrize("model", [NodeModel.POLYGON, NodeModel.EXACT])
@pytest.mark.parametrize("tile_cells", [20, 32])
def test_c42_among_pillars_paths_are_straight_in_sight_and_short_elsewhere(tile_cells: int, model: NodeModel) -> None:
    excess, in_sight = [], 0
    for seed in range(6):
        draw = Random(seed)
        mesh = three_pillars(draw, tile_cells)
        query, graph = NavMeshQuery(mesh, model), Visibility(PlainMesh(mesh), PlainFilter())
        for _ in range(12):
            start, end = (mesh.snap((draw.uniform(0.5, 19.5), 0.0, draw.uniform(0.5, 19.5))) for _ in "ab")
            path = query.find_path(start, end) if start and end else None
            if not path:
                continue
            excess.append(path.length / graph.shortest(start.ref, start.point, end.ref, end.point))
            if not mesh.raycast(start, end).blocked:
                assert len(path.points) == 2
                assert path.length == pytest.approx(math.dist(start.point, end.point), abs=1e-6)
                in_sight += 1
    assert len(excess) > 40 and in_sight > 20
    assert sum(excess) / len(excess) <= 1.03 and max(excess) <= 1.15
