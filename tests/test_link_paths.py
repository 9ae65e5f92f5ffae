"""Straight paths over off-mesh links: points, marks, ids, legs."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from onepath.mesh import LinkKind, NavMesh
from onepath.query import LinkLeg, NavMeshQuery, NodeModel, PathMark, PathStatus, QueryFilter, WalkLeg
from tests.links import link, storeys, two_rooms
from tests.meshes import mesh_of, rectangle, settings_of

MODELS = list(NodeModel)
START, END, OFF_MESH = (int(mark) for mark in (PathMark.START, PathMark.END, PathMark.OFF_MESH))


def floors_with_ladder() -> tuple[NavMesh, int]:
    mesh = storeys(2, 3.0)
    return mesh, mesh.add_link(link((5, 0, 5), (5, 3, 5), bidirectional=True, kind=LinkKind.LADDER))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("start", "end", "length"),
    [((5, 0, 5), (8, 3, 8), 4.2426), ((1, 0, 1), (5, 3, 5), 5.6569), ((1, 0, 9), (9, 3, 1), 11.3137)],
)
def test_c29_a_path_has_one_entry_with_the_link_s_id_and_its_exit_after_it(
    model: NodeModel, start: tuple, end: tuple, length: float
) -> None:
    mesh, ladder = floors_with_ladder()
    path = NavMeshQuery(mesh, model).find_path(start, end)
    entries = np.flatnonzero(path.marks & OFF_MESH)
    assert path and len(entries) == 1
    at = int(entries[0])
    assert path.points[at : at + 2].tolist() == [[5, 0, 5], [5, 3, 5]]
    assert path.links.tolist() == [ladder if i == at else 0 for i in range(len(path))]
    assert len({tuple(point) for point in path.points.tolist()}) == len(path)
    assert path.length - 3 == pytest.approx(length, abs=1e-4)
    assert path.polygons[at : at + 2].tolist() == [mesh.reference(0, 0, 1)] * 2


def test_a_path_that_starts_at_the_entry_starts_with_the_link() -> None:
    mesh, ladder = floors_with_ladder()
    path = NavMeshQuery(mesh).find_path((5, 0, 5), (8, 3, 8))
    assert path.marks.tolist() == [START | OFF_MESH, 0, END]
    assert path.legs == (LinkLeg(ladder, LinkKind.LADDER, (5, 0, 5), (5, 3, 5), 0, 1), WalkLeg(1, 2))
    assert path.legs[0].kind is LinkKind.LADDER


def test_a_path_that_ends_at_the_exit_ends_with_the_link() -> None:
    mesh, ladder = floors_with_ladder()
    path = NavMeshQuery(mesh).find_path((1, 0, 1), (5, 3, 5))
    assert path.marks.tolist() == [START, OFF_MESH, END]
    assert path.legs == (WalkLeg(0, 1), LinkLeg(ladder, LinkKind.LADDER, (5, 0, 5), (5, 3, 5), 1, 2))


def test_a_path_from_entry_to_exit_is_the_link_alone() -> None:
    mesh, ladder = floors_with_ladder()
    path = NavMeshQuery(mesh).find_path((5, 0, 5), (5, 3, 5))
    assert path.marks.tolist() == [START | OFF_MESH, END]
    assert [leg.id for leg in path.legs] == [ladder]


def test_reverse_traversal_swaps_entry_and_exit() -> None:
    mesh, ladder = floors_with_ladder()
    path = NavMeshQuery(mesh).find_path((8, 3, 8), (1, 0, 1))
    assert path.points.tolist() == [[8, 3, 8], [5, 3, 5], [5, 0, 5], [1, 0, 1]]
    assert path.legs[1] == LinkLeg(ladder, LinkKind.LADDER, (5, 3, 5), (5, 0, 5), 1, 2)


@pytest.mark.parametrize("model", MODELS)
def test_two_links_in_a_row_need_no_walk_between_them(model: NodeModel) -> None:
    mesh = storeys(3, 3.0)
    made = [mesh.stage_link(link((5, 3 * i, 5), (5, 3 * i + 3, 5), kind=7 + i)) for i in range(2)]
    mesh.commit()
    path = NavMeshQuery(mesh, model).find_path((1, 0, 5), (9, 6, 5))
    assert path.points.tolist() == [[1, 0, 5], [5, 0, 5], [5, 3, 5], [5, 6, 5], [9, 6, 5]]
    assert path.links.tolist() == [0, *made, 0, 0]
    assert path.marks.tolist() == [START, OFF_MESH, OFF_MESH, 0, END]
    assert [type(leg) for leg in path.legs] == [WalkLeg, LinkLeg, LinkLeg, WalkLeg]
    assert [leg.kind for leg in path.legs if isinstance(leg, LinkLeg)] == [7, 8]


def test_a_link_without_length_keeps_its_leg() -> None:
    # A steep floor ends at x = 4, y = 0, where a flat one begins whose edge is another one; a door joins them there.
    steep = [(0.0, 20.0, 0.0), (0.0, 20.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, 0.0)]
    mesh = mesh_of([steep, rectangle(4, 2, 8, 6)], settings_of(16))
    door = mesh.add_link(link((4, 0, 3), (3.9, 0, 3), kind=LinkKind.DOOR))
    state = mesh.link_state(door)
    assert state and state.start.point == state.end.point == (4.0, 0.0, 3.0)
    path = NavMeshQuery(mesh).find_path((4, 0, 1), (7, 0, 3))
    assert path.points.tolist() == [[4, 0, 1], [4, 0, 3], [7, 0, 3]]
    assert path.links.tolist() == [0, door, 0]
    assert path.legs == (WalkLeg(0, 1), LinkLeg(door, LinkKind.DOOR, (4, 0, 3), (4, 0, 3), 1, 1), WalkLeg(1, 2))


def test_corners_are_pulled_before_and_behind_a_link() -> None:
    # An L-shaped floor of three squares on each storey; the ladder stands round the corner.
    squares = [(0, 0), (4, 0), (4, 4)]
    mesh = mesh_of([rectangle(x, z, x + 4, z + 4, y) for y in (0.0, 3.0) for x, z in squares], settings_of(16))
    ladder = mesh.add_link(link((7, 0, 7), (7, 3, 7)))
    path = NavMeshQuery(mesh).find_path((0.5, 0, 3.5), (0.5, 3, 3.5))
    assert path.points.tolist() == [[0.5, 0, 3.5], [4, 0, 4], [7, 0, 7], [7, 3, 7], [4, 3, 4], [0.5, 3, 3.5]]
    assert path.links.tolist() == [0, 0, ladder, 0, 0, 0]
    assert path.legs[0] == WalkLeg(0, 2) and path.legs[2] == WalkLeg(3, 5)


@pytest.mark.parametrize("model", MODELS)
def test_a_path_to_nowhere_may_lead_over_a_link(model: NodeModel) -> None:
    mesh = storeys(3, 3.0)
    ladder = mesh.add_link(link((5, 0, 5), (5, 3, 5)))
    path = NavMeshQuery(mesh, model).find_path((1, 0, 1), (9, 6, 9))
    assert path.status is PathStatus.PARTIAL
    assert ladder in path.links.tolist()
    assert path.points[-1].tolist() == [9, 3, 9]


def test_a_path_without_links_is_one_walk() -> None:
    mesh = two_rooms()
    path = NavMeshQuery(mesh).find_path((1, 0, 1), (3, 0, 1))
    assert path.legs == (WalkLeg(0, 1),)
    assert path.links.tolist() == [0, 0] and path.links.dtype == np.int64 and not path.links.flags.writeable
    assert NavMeshQuery(mesh).find_path((1, 0, 1), (1, 0, 1)).legs == ()


def test_paths_and_corridors_over_links_survive_pickling() -> None:
    mesh, _ = floors_with_ladder()
    path = NavMeshQuery(mesh).find_path((1, 0, 1), (8, 3, 8))
    again = pickle.loads(pickle.dumps(path))
    assert again == path and again.legs == path.legs and again.links.tolist() == path.links.tolist()
    assert again.corridor.crossings.tolist() == path.corridor.crossings.tolist()


# --- corridors


def test_a_bare_list_crosses_a_link_where_nothing_else_joins() -> None:
    mesh, ladder = floors_with_ladder()
    refs = [mesh.reference(0, 0, i) for i in (0, 1)]
    line = NavMeshQuery(mesh).find_straight_path((1, 0, 1), (8, 3, 8), refs)
    assert line and line.links.tolist() == [0, ladder, 0, 0]
    assert line == NavMeshQuery(mesh).find_straight_path(
        (1, 0, 1), (8, 3, 8), NavMeshQuery(mesh).find_path((1, 0, 1), (8, 3, 8)).corridor
    )


def test_a_bare_list_against_a_one_way_link_is_no_corridor() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3.5, 0, 2), (6.5, 0, 2)))
    refs = [mesh.reference(0, 0, i) for i in (0, 1)]
    query = NavMeshQuery(mesh)
    assert query.find_straight_path((1, 0, 2), (9, 0, 2), refs).status is PathStatus.SUCCESS
    line = query.find_straight_path((9, 0, 2), (1, 0, 2), refs[::-1])
    assert line.status is PathStatus.INVALID_CORRIDOR and len(line) == 0 and line.links.tolist() == []


def test_a_bare_list_takes_the_first_enabled_link_that_the_filter_accepts() -> None:
    mesh = two_rooms()
    ids = [mesh.stage_link(link((3.5, 0, 1 + i), (6.5, 0, 1 + i), flags=1 << i, area=10 + i)) for i in range(3)]
    mesh.commit()
    refs = [mesh.reference(0, 0, i) for i in (0, 1)]
    query = NavMeshQuery(mesh)

    def taken(filter: QueryFilter | None = None) -> int:
        line = query.find_straight_path((1, 0, 2), (9, 0, 2), refs, filter=filter)
        return int(line.links.max()) if line else 0

    assert taken() == ids[0]
    assert taken(QueryFilter(exclude_flags=1)) == ids[1]
    assert taken(QueryFilter(costs={10: math.inf, 11: math.inf})) == ids[2]
    assert taken(QueryFilter(predicate=lambda flags, area: area in (12, 63))) == ids[2]
    assert taken(QueryFilter(exclude_flags=7)) == 0
    mesh.stage_link_enable(ids[0], False)
    mesh.commit()
    assert taken() == ids[1]


def test_a_shared_edge_and_a_portal_come_before_links() -> None:
    for mesh in (
        mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4)]),
        mesh_of([rectangle(4, 0, 8, 4), rectangle(8, 0, 12, 4)]),
    ):
        mesh.add_link(link((5, 0, 1), (7, 0, 1)))
        mesh.add_link(link((7, 0, 1), (9, 0, 1)))
        refs = [int(ref) for view in mesh.tiles() for ref in view.references]
        line = NavMeshQuery(mesh).find_straight_path((5, 0, 2), (7, 0, 2), refs)
        assert line and not line.links.any()


def test_a_corridor_crosses_the_link_that_the_search_took() -> None:
    mesh = two_rooms()
    mesh.stage_link(link((3.5, 0, 1), (6.5, 0, 1)))
    second = mesh.stage_link(link((3.5, 0, 3), (6.5, 0, 3)))
    mesh.commit()
    query = NavMeshQuery(mesh)
    corridor = query.find_path((3.5, 0, 3), (6.5, 0, 3)).corridor
    line = query.find_straight_path((1, 0, 3), (9, 0, 3), corridor)
    assert line.links.tolist() == [0, second, 0, 0]
    # An id names the link whatever has come before it since.
    mesh.stage_link_removal(1)
    mesh.commit()
    assert query.find_straight_path((1, 0, 3), (9, 0, 3), corridor) == line


@pytest.mark.parametrize("change", ["disable", "remove"])
def test_a_corridor_over_a_link_that_has_gone_is_none_any_more(change: str) -> None:
    mesh = two_rooms()
    ids = [mesh.stage_link(link((3.5, 0, z), (6.5, 0, z))) for z in (1, 3)]
    mesh.commit()
    query = NavMeshQuery(mesh)
    corridor = query.find_path((3.5, 0, 3), (6.5, 0, 3)).corridor
    if change == "disable":
        mesh.stage_link_enable(ids[1], False)
    else:
        mesh.stage_link_removal(ids[1])
    mesh.commit()
    assert query.find_straight_path((1, 0, 3), (9, 0, 3), corridor).status is PathStatus.INVALID_CORRIDOR


@pytest.mark.parametrize("most", range(1, 8))
def test_a_line_of_few_corners_is_the_beginning_of_the_whole(most: int) -> None:
    mesh = storeys(3, 3.0)
    for i in range(2):
        mesh.stage_link(link((5, 3 * i, 5), (5, 3 * i + 3, 5)))
    mesh.commit()
    query = NavMeshQuery(mesh)
    corridor = query.find_path((1, 0, 5), (9, 6, 5)).corridor
    whole = query.find_straight_path((1, 0, 5), (9, 6, 5), corridor)
    part = query.find_straight_path((1, 0, 5), (9, 6, 5), corridor, max_corners=most)
    assert part.truncated == (most <= len(whole))
    assert part.points.tolist() == whole.points.tolist()[:most]
    assert part.marks.tolist() == whole.marks.tolist()[:most]
    assert part.links.tolist() == whole.links.tolist()[:most]
    assert part.polygons.tolist() == whole.polygons.tolist()[:most]
