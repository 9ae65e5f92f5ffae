"""Searches over off-mesh links: prices, filters, both models."""

from __future__ import annotations

import math
import pickle

import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.mesh import LinkDef, LinkKind, LinkStatus, NavMesh
from onepath.query import NavMeshQuery, NodeModel, PathStatus, QueryFilter
from tests.links import link, storeys, two_rooms
from tests.meshes import mesh_of, rectangle, settings_of, tile_of

MODELS = list(NodeModel)
JUMP = link((3.5, 0, 2), (6.5, 0, 2))


def cost_of(mesh: NavMesh, model: NodeModel, start: tuple, end: tuple, filter: QueryFilter | None = None) -> float:
    path = NavMeshQuery(mesh, model).find_path(start, end, filter)
    return path.cost if path else math.inf


@pytest.mark.parametrize("model", MODELS)
def test_c27_a_one_way_link_is_crossed_one_way(model: NodeModel) -> None:
    mesh = two_rooms()
    mesh.add_link(JUMP)
    query = NavMeshQuery(mesh, model)
    there = query.find_path((1, 0, 2), (9, 0, 2))
    assert there.status is PathStatus.SUCCESS and there.cost == 2.5 + 3 + 2.5
    back = query.find_path((9, 0, 2), (1, 0, 2))
    assert back.status is PathStatus.PARTIAL
    assert back.polygons.tolist() == [mesh.reference(0, 0, 1)] * 2


@pytest.mark.parametrize("model", MODELS)
def test_a_two_way_link_costs_the_same_both_ways(model: NodeModel) -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.4, 0, 1.7), (6.6, 0, 2.3), cost=0.3, bidirectional=True))
    there = cost_of(mesh, model, (3.4, 0, 1.7), (6.6, 0, 2.3))
    assert there == cost_of(mesh, model, (6.6, 0, 2.3), (3.4, 0, 1.7)) == math.dist((3.4, 1.7), (6.6, 2.3)) + 0.3


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("cost", [0.1, 0.2, 0.3, 0.45, 0.7, 0.9, 1.3])
def test_the_price_is_summed_in_the_readings_order(model: NodeModel, cost: float) -> None:
    mesh = two_rooms(areas=[5, 6])
    mesh.add_link(link((3.3, 0, 2.1), (6.7, 0, 1.9), area=7, cost=cost))
    prices = QueryFilter(costs={5: 1.1, 6: 1.3, 7: 1.7})
    d1, d2, d3 = math.dist((0.7, 0.9), (3.3, 2.1)), math.dist((3.3, 2.1), (6.7, 1.9)), math.dist((6.7, 1.9), (8.1, 3.3))
    expected = ((0.0 + d1 * 1.1) + (d2 * 1.7 + cost)) + d3 * 1.3
    assert cost_of(mesh, model, (0.7, 0, 0.9), (8.1, 0, 3.3), prices) == expected


@pytest.mark.parametrize("model", MODELS)
def test_the_length_that_is_priced_runs_between_the_snapped_ends(model: NodeModel) -> None:
    mesh = two_rooms()
    mesh.add_link(LinkDef((4.25, 0.25, 2), (5.75, -0.25, 2), 0.5, 0.5))
    assert cost_of(mesh, model, (4, 0, 2), (6, 0, 2)) == 2.0


@pytest.mark.parametrize("model", MODELS)
def test_links_are_tested_by_their_own_flags_and_area(model: NodeModel) -> None:
    mesh = two_rooms(areas=[1, 2], flags=[1, 2])
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2), area=3, flags=4))
    spots = (1, 0, 2), (9, 0, 2)

    def reaches(**filters: object) -> bool:
        return bool(NavMeshQuery(mesh, model).find_path(*spots, QueryFilter(**filters)))  # type: ignore[arg-type]

    assert reaches()
    assert not reaches(exclude_flags=4)
    assert not reaches(include_flags=3)
    assert reaches(include_flags=7)
    assert not reaches(costs={3: math.inf})
    assert reaches(costs={4: math.inf})
    assert not reaches(predicate=lambda flags, area: area != 3)
    assert reaches(predicate=lambda flags, area: area != 4)


@pytest.mark.parametrize("model", MODELS)
def test_links_are_tested_by_the_polygon_that_they_reach_as_well(model: NodeModel) -> None:
    # Three rooms; a link leads to the middle one, nothing to the last: the way there ends as near as filters let it.
    rooms = [rectangle(0, 0, 4, 4), rectangle(6, 0, 10, 4), rectangle(12, 0, 16, 4)]
    mesh = mesh_of(rooms, settings_of(16), flags=[1, 2, 1])
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2)))
    query, refs = NavMeshQuery(mesh, model), [mesh.reference(0, 0, i) for i in range(3)]
    for filter, reached in ((None, refs[:2]), (QueryFilter(exclude_flags=2), refs[:1])):
        corridor = query.find_corridor(refs[0], (1, 0, 2), refs[2], (13, 0, 2), filter=filter)
        assert (corridor.status, corridor.polygons.tolist()) == (PathStatus.PARTIAL, reached)


def test_a_link_of_area_zero_passes_no_filter() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2), area=0))
    assert not NavMeshQuery(mesh).find_path((1, 0, 2), (9, 0, 2))


@pytest.mark.parametrize("model", MODELS)
def test_a_disabled_link_is_not_crossed_until_it_is_enabled_again(model: NodeModel) -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    for enabled in (False, True):
        mesh.stage_link_enable(made, enabled)
        mesh.commit()
        assert (cost_of(mesh, model, (1, 0, 2), (9, 0, 2)) == 8.0) == enabled


@pytest.mark.parametrize("model", MODELS)
def test_the_cheaper_of_two_links_is_taken(model: NodeModel) -> None:
    mesh = two_rooms()
    dear = mesh.stage_link(link((3.5, 0, 2), (6.5, 0, 2), cost=5.0))
    near = mesh.stage_link(link((3.5, 0, 3), (6.5, 0, 3)))
    mesh.commit()
    query = NavMeshQuery(mesh, model)
    assert query.find_path((1, 0, 2), (9, 0, 2)).links.tolist() == [0, near, 0, 0]
    mesh.stage_link_cost(near, 50.0)
    mesh.commit()
    assert query.find_path((1, 0, 2), (9, 0, 2)).links.tolist() == [0, dear, 0, 0]


@pytest.mark.parametrize("model", MODELS)
def test_a_cheap_teleport_across_the_world_beats_the_walk(model: NodeModel) -> None:
    # A strip of 100 m that can be walked, and a teleport of an area that costs a hundredth of a metre a metre.
    mesh = mesh_of([rectangle(i * 4, 0, i * 4 + 4, 4) for i in range(25)])
    made = mesh.add_link(link((1, 0, 2), (99, 0, 2), area=9))
    cheap = QueryFilter(costs={9: 0.01})
    query = NavMeshQuery(mesh, model)
    path = query.find_path((2, 0, 2), (97, 0, 2), cheap)
    assert path.links.tolist() == [0, made, 0, 0]
    assert path.cost == pytest.approx(1 + 0.98 + 2, abs=1e-12)
    assert (
        0 in query.find_path((2, 0, 2), (97, 0, 2)).links and made not in query.find_path((2, 0, 2), (97, 0, 2)).links
    )


@pytest.mark.parametrize("model", MODELS)
def test_a_teleport_of_a_thousand_kilometres_joins_two_tiles(model: NodeModel) -> None:
    far = 1_000_000.0
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(far, far, far + 4, far + 4)], grid_bounds=None)
    made = mesh.add_link(link((2, 0, 2), (far + 2, 0, far + 2), bidirectional=True))
    path = NavMeshQuery(mesh, model).find_path((1, 0, 2), (far + 3, 0, far + 2))
    assert path and path.links.tolist() == [0, made, 0, 0]
    assert path.cost == (1 + math.sqrt(far * far + far * far)) + 1


@pytest.mark.parametrize("model", MODELS)
def test_c26_all_links_of_a_shaft_are_taken_in_order(model: NodeModel) -> None:
    mesh = storeys()
    made = [mesh.stage_link(link((5, 4 * i, 5), (5, 4 * i + 4, 5), bidirectional=True)) for i in range(3)]
    hanging = mesh.stage_link(link((2, 0, 2), (2, 2, 2)))
    mesh.commit()
    path = NavMeshQuery(mesh, model).find_path((1, 0, 1), (9, 12, 9))
    assert path.links[path.links > 0].tolist() == made
    assert hanging not in path.links
    assert path.cost == pytest.approx(2 * math.hypot(4, 4) + 12)


@pytest.mark.parametrize("model", MODELS)
def test_a_link_within_one_polygon_is_in_no_corridor(model: NodeModel) -> None:
    mesh = two_rooms()
    made = mesh.add_link(link((0.5, 0, 2), (3.5, 0, 2), area=9))
    assert mesh.link_state(made).status is LinkStatus.ONE_POLYGON
    path = NavMeshQuery(mesh, model).find_path((0.5, 0, 2), (3.5, 0, 2), QueryFilter(costs={9: 0.1}))
    assert len(path.corridor) == 1 and not path.links.any()


@pytest.mark.parametrize("model", MODELS)
def test_a_loop_over_links_is_removed(model: NodeModel) -> None:
    # From one room over a cheap link to the other and back over another: cheaper than walking in the dear first room.
    mesh = two_rooms(areas=[1, 2])
    mesh.stage_link(link((0.5, 0, 0.5), (7, 0, 0.5), area=9))
    mesh.stage_link(link((7, 0, 1), (0.5, 0, 3.5), area=9))
    mesh.commit()
    prices = QueryFilter(costs={1: 100.0, 9: 0.01})
    path = NavMeshQuery(mesh, model).find_path((0.5, 0, 0.5), (0.5, 0, 3.5), prices)
    assert path and path.corridor.polygons.tolist() == [mesh.reference(0, 0, 0)]
    assert (path.cost < 10.0) == (model is not NodeModel.POLYGON)


@pytest.mark.parametrize("model", MODELS)
def test_crossings_name_the_link_and_the_way_over_it(model: NodeModel) -> None:
    mesh = two_rooms()
    made = mesh.add_link(link((4, 0, 2), (6, 0, 2), width=2.0, bidirectional=True))
    query = NavMeshQuery(mesh, model)
    count = len(mesh.link_state(made).ends)
    places = {}
    for z in (1.0, 3.0):
        (there,) = query.find_path((4, 0, z), (6, 0, z)).corridor.crossings.tolist()
        (back,) = query.find_path((6, 0, z), (4, 0, z)).corridor.crossings.tolist()
        assert there[1] == back[1] == made
        assert back[0] == there[0] - 1
        places[z] = (-1 - there[0]) // 2
    assert sorted(places.values()) == [0, count - 1]


@pytest.mark.parametrize("model", MODELS)
def test_a_wide_link_is_crossed_at_the_nearest_of_its_crossings(model: NodeModel) -> None:
    mesh = two_rooms()
    mesh.add_link(link((4, 0, 2), (6, 0, 2), width=2.0))
    ends = sorted(start.point[2] for start, _ in mesh.link_state(1).ends)
    for z in ends:
        assert cost_of(mesh, model, (4, 0, z), (6, 0, z)) == 2.0


def test_a_missing_tile_at_a_link_s_end_is_no_frontier() -> None:
    mesh = NavMesh(settings_of(), (0, 0, 9, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(1, 1, 4, 4)], settings_of()))
    mesh.stage_tile(tile_of(2, 0, [rectangle(17, 1, 20, 4)], settings_of()))
    mesh.add_link(link((3, 0, 3), (76, 0, 3)))
    assert NavMeshQuery(mesh).find_path((2, 0, 2), (18, 0, 2)).status is PathStatus.PARTIAL


@pytest.mark.parametrize("model", MODELS)
def test_slices_of_a_search_over_links_add_up(model: NodeModel) -> None:
    mesh = storeys()
    for i in range(3):
        mesh.stage_link(link((5, 4 * i, 5), (5, 4 * i + 4, 5), bidirectional=True))
    mesh.commit()
    query, whole = NavMeshQuery(mesh, model), NavMeshQuery(mesh, model)
    refs = [mesh.reference(0, 0, i) for i in range(4)]
    expected = whole.find_corridor(refs[0], (1, 0, 1), refs[3], (9, 12, 9))
    query.begin_path(refs[0], (1, 0, 1), refs[3], (9, 12, 9))
    while query.update_path(1) is PathStatus.IN_PROGRESS:
        pass
    assert query.finish_path() == expected and query.iterations == whole.iterations


def test_a_commit_of_a_link_makes_a_running_search_stale() -> None:
    mesh = two_rooms()
    query = NavMeshQuery(mesh)
    query.begin_path(mesh.reference(0, 0, 0), (1, 0, 2), mesh.reference(0, 0, 1), (9, 0, 2))
    mesh.add_link(JUMP)
    assert query.update_path(10) is PathStatus.STALE


@pytest.mark.parametrize("model", MODELS)
def test_the_node_limit_counts_nodes_behind_links(model: NodeModel) -> None:
    mesh = two_rooms()
    mesh.add_link(JUMP)
    path = NavMeshQuery(mesh, model, max_nodes=1).find_path((1, 0, 2), (9, 0, 2))
    assert path.status is PathStatus.PARTIAL and path.node_limit_reached


def test_a_filter_crosses_only_the_kinds_of_links_that_it_names() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2), kind=LinkKind.LADDER))
    walker, climber = QueryFilter(links=[]), QueryFilter(links=[LinkKind.LADDER, 9])
    for model in NodeModel:
        query = NavMeshQuery(mesh, model)
        assert query.find_path((1, 0, 2), (9, 0, 2), climber)
        assert not query.find_path((1, 0, 2), (9, 0, 2), walker)
        assert not query.find_path((1, 0, 2), (9, 0, 2), QueryFilter(links=[LinkKind.JUMP]))


def test_a_filter_s_kinds_of_links_are_part_of_its_value() -> None:
    some = QueryFilter(links=[9, LinkKind.JUMP, 9], costs={5: 2.0})
    assert some.links == (LinkKind.JUMP, 9) and QueryFilter().links is None
    assert some != QueryFilter(costs={5: 2.0}) and some == pickle.loads(pickle.dumps(some))
    assert some.with_area_cost(5, 3.0).links == some.links and "links=[0, 9]" in repr(some)
    assert QueryFilter(links=range(64)) == QueryFilter()


@pytest.mark.parametrize("links", [3, [64], [-1], ["jump"], [1.5]])
def test_a_filter_s_kinds_of_links_are_whole_numbers_of_kinds(links: object) -> None:
    with pytest.raises((ArgumentError, RangeError), match="links"):
        QueryFilter(links=links)  # type: ignore[arg-type]
