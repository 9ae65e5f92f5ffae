"""Islands against plain floods, and what is answered from them: is_reachable, paths without a partial one, snapping."""

from __future__ import annotations

import copy
import math
import pickle
from random import Random

import numpy as np
import pytest

from onepath import LinkDef, LinkKind, NavMesh, NavPoint, QueryFilter, levels
from onepath.errors import ArgumentError, BusyError
from onepath.query import NavMeshQuery, PathStatus, QueryStatus
from tests.links import link, storeys, two_rooms
from tests.living import KEYS, SETTINGS, VARIANTS, middles, pooled_tile, random_link
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip, two_floors
from tests.oracles.query_filter import PlainFilter
from tests.oracles.query_islands import islands_of, missing_beyond, ways_of
from tests.oracles.query_mesh import PlainMesh
from tests.query_meshes import random_filter, random_mesh


def with_links(mesh: NavMesh, draw: Random, count: int) -> NavMesh:
    """The mesh with random links between its polygons, most of them one-way."""
    known = middles(mesh)
    for _ in range(count if known else 0):
        start, end = draw.choice(known), draw.choice(known)
        mesh.stage_link(
            LinkDef(start, end, 0.5, 0.5, bidirectional=draw.random() < 0.3, area=draw.choice([63, 63, 5]), flags=1)
        )
    mesh.commit()
    return mesh


def area_of(mesh: NavMesh, ref: int) -> float:
    corners = mesh.polygon(ref)
    x, z = corners[:, 0] - corners[0, 0], corners[:, 2] - corners[0, 2]
    return float(abs((x * np.roll(z, -1) - z * np.roll(x, -1)).sum()) / 2)


def compare(mesh: NavMesh, fast: QueryFilter, plain: PlainFilter, draw: Random) -> int:
    """Islands and reachability of a mesh by both; how many islands there are."""
    slow = PlainMesh(mesh)
    ways = ways_of(slow, plain)
    reached, wanted = islands_of(ways)
    found = mesh.islands(fast)
    assert {frozenset(island.polygons.tolist()) for island in found} == {frozenset(island) for island in wanted}
    assert [island.id for island in found] == list(range(len(found)))
    assert sorted(found, key=lambda island: -island.area) == list(found)
    for island in found:
        places = [slow.polygons[ref].place for ref in island.polygons.tolist()]
        assert places == sorted(places) and island.ref == island.polygons[0]
        assert island.area == pytest.approx(sum(area_of(mesh, ref) for ref in island.polygons), rel=1e-5)
        boxes = [slow.polygons[ref].box() for ref in island.polygons.tolist()]
        low = tuple(min(box[0][axis] for box in boxes) for axis in range(3))
        assert island.bounds == (low, tuple(max(box[1][axis] for box in boxes) for axis in range(3)))
        assert island.at_frontier == bool(missing_beyond(slow, island.polygons.tolist()))
    refs = sorted(ways)
    for _ in range(min(len(refs), 12)):
        first, last = draw.choice(refs), draw.choice(refs)
        start = NavPoint(first, slow.polygons[first].corners[0])
        end = NavPoint(last, slow.polygons[last].corners[0])
        assert mesh.is_reachable(start, end, fast) == (last in reached[first])
        island = mesh.island_of(start, fast)
        assert island is not None and first in island.polygons
        compare_paths(mesh, start, end, fast)
    return len(found)


def compare_paths(mesh: NavMesh, start: NavPoint, end: NavPoint, fast: QueryFilter) -> None:
    """Without a partial path a search says the same, and has the same path or none."""
    for asked in (mesh, NavMeshQuery(mesh)):
        whole, short = asked.find_path(start, end, fast), asked.find_path(start, end, fast, partial=False)
        assert (short.status, short.missing_tiles) == (whole.status, whole.missing_tiles)
        if whole:
            assert short == whole
        else:
            assert len(short) == 0 and len(short.corridor) == 0 and not short.partial and short.cost == 0.0
            assert short.detail is (
                QueryStatus.UNREACHABLE if short.status is PathStatus.PARTIAL else QueryStatus.FRONTIER
            )


@pytest.mark.parametrize("block", range(4))
def test_islands_of_random_meshes_are_those_of_plain_floods(block: int) -> None:
    total = 0
    for seed in range(block * 20, block * 20 + 20):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 3, 12]))
        for _ in range(2):
            fast, plain = random_filter(draw)
            total += compare(mesh, fast or QueryFilter(), plain, draw)
    assert total > 100


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_islands_of_many_random_meshes_are_those_of_plain_floods(block: int) -> None:
    for seed in range(50_000 + block * 100, 50_100 + block * 100):
        draw = Random(seed)
        mesh = with_links(random_mesh(seed), draw, draw.choice([0, 3, 12, 40]))
        for _ in range(3):
            fast, plain = random_filter(draw)
            compare(mesh, fast or QueryFilter(), plain, draw)


def change(mesh: NavMesh, draw: Random, links: list[int]) -> None:
    """Stages some changes of any kind, and commits them."""
    for _ in range(draw.choice([1, 1, 2, 5])):
        kind = draw.randrange(6)
        views = mesh.tiles()
        if kind == 0 and len(views) > 2:
            view = draw.choice(views)
            mesh.stage_tile_removal(view.column, view.row, view.layer)
        elif kind <= 2 or not views:
            mesh.stage_tile(pooled_tile(draw.choice(KEYS), draw.randrange(VARIANTS)))
        elif kind == 3:
            links.append(mesh.stage_link(random_link(draw)))
        elif kind == 4 and links:
            if draw.random() < 0.5:
                mesh.stage_link_removal(links.pop(draw.randrange(len(links))))
            else:
                mesh.stage_link_enable(draw.choice(links), draw.random() < 0.5)
    mesh.commit()
    references = [ref for view in mesh.tiles() for ref in view.references.tolist()]
    for ref in draw.sample(references, min(len(references), 3)):
        if draw.random() < 0.5:
            mesh.stage_area(ref, draw.choice([63, 5, 0]))
        else:
            mesh.stage_flags(ref, draw.choice([0, 1, 3]))
    mesh.commit()


@pytest.mark.parametrize("seed", range(6))
def test_islands_are_kept_up_over_commits_of_every_kind(seed: int) -> None:
    draw = Random(seed)
    mesh = NavMesh(SETTINGS, draw.choice([None, (0, 0, 3, 1)]))
    for key in KEYS[::2]:
        mesh.stage_tile(pooled_tile(key, draw.randrange(VARIANTS)))
    mesh.commit()
    links: list[int] = []
    filters = [
        (QueryFilter(), PlainFilter()),
        (QueryFilter(exclude_flags=2), PlainFilter(exclude_flags=2)),
        (QueryFilter(avoid=[5]), PlainFilter(costs={5: float("inf")})),
        (QueryFilter(include_flags=1), PlainFilter(include_flags=1)),
        (QueryFilter(avoid=[1]), PlainFilter(costs={1: float("inf")})),
    ]
    for _ in range(12):
        change(mesh, draw, links)
        for fast, plain in draw.sample(filters, 3):
            compare(mesh, fast, plain, draw)


# --- single scenes


def test_rooms_without_a_way_between_are_two_islands_and_a_link_there_and_back_joins_them() -> None:
    mesh = two_rooms()
    assert [len(island) for island in mesh.islands()] == [1, 1]
    added = mesh.add_link(link((3, 0, 2), (7, 0, 2), bidirectional=True))
    assert [len(island) for island in mesh.islands()] == [2]
    mesh.stage_link_enable(added, False)
    mesh.commit()
    assert [len(island) for island in mesh.islands()] == [1, 1]


def test_a_link_one_way_leads_there_only() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3, 0, 2), (7, 0, 2)))
    assert mesh.is_reachable((1, 0, 1), (8, 0, 1))
    assert not mesh.is_reachable((8, 0, 1), (1, 0, 1))
    assert len(mesh.islands()) == 2


def test_a_ring_of_one_way_links_is_one_island() -> None:
    mesh = storeys(4)
    for floor in range(3):
        mesh.stage_link(link((5, 4 * (floor + 1), 5), (5, 4 * floor, 5)))
    mesh.commit()
    assert len(mesh.islands()) == 4
    assert mesh.is_reachable((5, 12, 5), (5, 0, 5)) and not mesh.is_reachable((5, 0, 5), (5, 12, 5))
    mesh.add_link(link((2, 0, 2), (2, 12, 2)))
    assert len(mesh.islands()) == 1 and mesh.is_reachable((5, 0, 5), (5, 8, 5))


def test_filters_have_their_own_islands_and_equal_ones_share_them() -> None:
    mesh = strip(5, areas=[63, 63, 5, 63, 63])
    assert len(mesh.islands()) == 1
    dry = QueryFilter(avoid=[5])
    assert [len(island) for island in mesh.islands(dry)] == [2, 2]
    assert mesh.islands(QueryFilter(costs={63: 2.0}, avoid=[5])) is mesh.islands(dry)
    assert not mesh.is_reachable((1, 0, 1), (19, 0, 1), dry)


def test_kinds_of_links_that_a_filter_leaves_out_join_nothing() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3, 0, 2), (7, 0, 2), kind=LinkKind.LADDER, bidirectional=True))
    assert [len(mesh.islands(QueryFilter(links=kinds))) for kinds in (None, [LinkKind.JUMP], [LinkKind.LADDER])] == [
        1,
        2,
        1,
    ]


def test_a_predicate_decides_what_hangs_together() -> None:
    mesh = strip(3, flags=[1, 3, 1])
    assert len(mesh.islands(QueryFilter(predicate=lambda flags, area: flags == 1))) == 2


def test_islands_of_as_many_filters_as_one_likes_stay_right() -> None:
    mesh = strip(6, flags=[1, 2, 4, 8, 16, 32])
    for _ in range(2):
        for bit in range(6):
            assert len(mesh.islands(QueryFilter(exclude_flags=1 << bit))) == (1 if bit in (0, 5) else 2)


def test_a_place_off_the_mesh_is_on_no_island_and_reaches_nothing() -> None:
    mesh = two_rooms()
    assert mesh.island_of((50, 0, 50)) is None
    assert not mesh.is_reachable((1, 0, 1), (50, 0, 50))
    assert not mesh.is_reachable((50, 0, 50), (1, 0, 1))
    assert NavMesh(settings_of()).islands() == () and not NavMesh(settings_of()).is_reachable((0, 0, 0), (0, 0, 0))


def test_an_unreachable_goal_costs_no_search() -> None:
    mesh = mesh_of([*(rectangle(i, 0, i + 1, 1) for i in range(7)), rectangle(7.5, 0, 8, 1)])
    search = NavMeshQuery(mesh)
    path = search.find_path((0.5, 0, 0.5), (7.8, 0, 0.5), partial=False)
    assert path.status is PathStatus.PARTIAL and path.detail is QueryStatus.UNREACHABLE and search.iterations == 0
    assert "partial=False" in str(path)


def test_a_goal_beyond_what_is_loaded_is_not_called_unreachable() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(16, 0, 24, 8)], grid_bounds=(0, 0, 2, 0))
    path = mesh.find_path((1, 0, 1), (20, 0, 1), partial=False)
    assert path.status is PathStatus.NOT_LOADED and path.missing_tiles == ((1, 0),) and len(path) == 0
    assert not mesh.is_reachable((1, 0, 1), (20, 0, 1))
    assert all(island.at_frontier for island in mesh.islands())


def test_a_search_that_runs_out_of_nodes_has_no_points_without_partial_paths() -> None:
    query = NavMeshQuery(grid(8, 8), max_nodes=3)
    path = query.find_path((0.5, 0, 0.5), (7.5, 0, 7.5), partial=False)
    assert path.status is PathStatus.PARTIAL and path.node_limit_reached and len(path) == 0
    assert path.detail is QueryStatus.NODE_LIMIT


def test_a_filter_given_decides_where_to_snap_and_what_the_island_is() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)], areas=[63, 5])
    dry = QueryFilter(costs={5: math.inf})
    assert mesh.snap((5, 0, 1), horizontal=2).point == (5, 0, 1)
    assert mesh.snap((5, 0, 1), horizontal=2, filter=dry).point == (4, 0, 1)
    (shore,) = mesh.islands(dry)
    assert mesh.snap((5, 0, 1), horizontal=2, island=shore, filter=dry).point == (4, 0, 1)
    assert mesh.snap((5, 0, 1), horizontal=2, island=shore).point == (5, 0, 1)


def test_snapping_to_an_island_looks_past_nearer_polygons() -> None:
    mesh = two_floors(1.0)
    upper = mesh.island_of((1, 1, 1))
    assert mesh.snap((1, 0.1, 1)).point == (1, 0, 1)
    assert mesh.snap((1, 0.1, 1), island=upper).point == (1, 1, 1)
    assert mesh.snap(mesh.snap((1, 0, 1)), island=upper).point == (1, 1, 1)
    there = mesh.snap((1, 1, 1))
    assert mesh.snap(there, island=upper) is there
    assert not mesh.snap((40, 0, 1), island=upper)


def test_an_island_is_known_by_its_first_polygon_after_a_commit() -> None:
    mesh = strip(4)
    island = mesh.island_of((1, 0, 1))
    mesh.stage_area(mesh.snap((6, 0, 1)).ref, 0)
    mesh.commit()
    assert mesh.snap((5, 0, 1), up=1, down=1, horizontal=3, island=island).point == (4, 0, 1)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    with pytest.raises(ArgumentError, match="first polygon"):
        mesh.snap((1, 0, 1), island=island)
    with pytest.raises(ArgumentError, match="not an Island"):
        mesh.snap((1, 0, 1), island=3)


def test_islands_are_values() -> None:
    island = strip(3).islands()[0]
    for other in (pickle.loads(pickle.dumps(island)), copy.copy(island), copy.deepcopy(island)):
        assert other == island and hash(other) == hash(island) and other.polygons.tolist() == island.polygons.tolist()
    assert repr(island) == "Island(0, 3 polygons, area=48.0)"
    with pytest.raises(ValueError, match="read-only"):
        island.polygons[0] = 1
    with pytest.raises(TypeError, match="not made by hand"):
        type(island)()


def test_islands_do_not_depend_on_the_order_of_loading() -> None:
    keys = KEYS[::2]
    meshes = []
    for order in (keys, keys[::-1]):
        mesh = NavMesh(SETTINGS)
        for key in order:
            mesh.stage_tile(pooled_tile(key, 1 + key[0] % 3))
            mesh.commit()
        meshes.append([(len(i), i.area, i.bounds, i.at_frontier) for i in mesh.islands()])
    assert meshes[0] == meshes[1]


def test_asking_while_a_commit_runs_is_refused() -> None:
    mesh = strip(2)
    refused = []

    def ask(_report: object) -> None:
        refused.append(len(mesh.islands()))

    mesh.on_commit(ask)
    mesh.stage_area(mesh.snap((1, 0, 1)).ref, 5)
    mesh.commit()
    assert refused == [1]
    predicate = QueryFilter(predicate=lambda flags, area: mesh.commit() is None)
    mesh.stage_area(mesh.snap((1, 0, 1)).ref, 63)
    with pytest.raises(BusyError):
        mesh.islands(predicate)
    assert len(mesh.islands()) == 1


def test_the_islands_of_a_building_are_few_and_hold_its_places() -> None:
    import onepath

    level = levels.building(seed=1)
    mesh = onepath.bake(level)
    island = mesh.island_of(level.places["square"])
    assert island == mesh.islands()[0] and 0 < len(mesh.islands()) < 10
    assert sum(each.area for each in mesh.islands()) == pytest.approx(mesh.walkable_area)
