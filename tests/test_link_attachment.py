"""How off-mesh links attach: snapping, waiting for tiles, following them, and what a commit looks at."""

from __future__ import annotations

import math
from random import Random

import pytest

from onepath.mesh import LinkDef, LinkEndStatus, LinkStatus, NavMesh, Tile
from tests.links import JUMP, SETTINGS, link, listed_links, storeys, two_rooms
from tests.meshes import commit_short_of_memory, floor, open_mesh

# --- attachment


def test_an_end_snaps_to_the_nearest_polygon_within_its_reach() -> None:
    mesh = two_rooms()
    state = mesh.link_state(mesh.add_link(LinkDef((4.25, 0.25, 2), (6.5, 0, 2), 0.5, 0.0)))
    assert state and state.status is LinkStatus.ATTACHED
    assert (state.start.point, state.start.distance) == ((4.0, 0.0, 2.0), math.hypot(0.25, 0.25))
    assert (state.start.polygon, state.end.polygon) == (mesh.reference(0, 0, 0), mesh.reference(0, 0, 1))
    assert state.end.point == (6.5, 0.0, 2.0)


def test_the_reach_is_a_ball_and_its_skin_belongs_to_it() -> None:
    mesh = two_rooms()
    touching = mesh.add_link(LinkDef((1, 0.5, 1), (7, 0, 1), 0.5, 0.5))
    corner = mesh.add_link(LinkDef((4.5, 0.5, 1), (7, 0, 1), 0.5, 0.5))
    assert mesh.link_state(touching).status is LinkStatus.ATTACHED
    end = mesh.link_state(corner).start
    assert end.status is LinkEndStatus.TOO_FAR and end.distance == math.hypot(0.5, 0.5) and not end


def test_no_filter_keeps_an_end_from_an_area() -> None:
    mesh = two_rooms(areas=[0, 9], flags=[0, 0])
    assert mesh.link_state(mesh.add_link(JUMP)).status is LinkStatus.ATTACHED


def test_both_ends_in_one_polygon_is_said() -> None:
    mesh = two_rooms()
    state = mesh.link_state(mesh.add_link(link((1, 0, 1), (3, 0, 1))))
    assert state.status is LinkStatus.ONE_POLYGON and state.attached and not state


def test_c26_links_stacked_over_each_other_attach_to_their_own_storeys() -> None:
    mesh = storeys()
    made = [mesh.stage_link(link((5, 4 * i, 5), (5, 4 * i + 4, 5), bidirectional=True)) for i in range(3)]
    hanging = mesh.stage_link(link((2, 0, 2), (2, 2, 2)))
    raised = mesh.stage_link(link((3, 0.4, 3), (3, 4, 3)))
    mesh.commit()
    storey = [mesh.reference(0, 0, i) for i in range(4)]
    for i, link_id in enumerate(made):
        state = mesh.link_state(link_id)
        assert (state.start.polygon, state.end.polygon) == (storey[i], storey[i + 1])
    state = mesh.link_state(hanging)
    assert state.status is LinkStatus.UNATTACHED and not state.attached
    assert state.start.status is LinkEndStatus.SNAPPED
    assert (state.end.status, state.end.polygon, state.end.point) == (LinkEndStatus.NOTHING_NEAR, 0, None)
    assert state.end.distance == math.inf
    assert mesh.link_state(raised).start.point == (3.0, 0.0, 3.0)


def test_links_of_a_polygon_follow_its_portals_by_id() -> None:
    mesh = open_mesh(floor(0, 0), floor(1, 0))
    ids = [mesh.stage_link(link((4, 0, z), (12, 0, z), bidirectional=True)) for z in (6, 2)]
    mesh.commit()
    for column, backward in ((0, False), (1, True)):
        links = mesh.tile(column, 0).links
        assert links["id"].tolist() == [0, *ids]
        assert links["kind"].tolist() == [255, 0, 0]
        assert links["edge"].tolist()[1:] == [-1, -1]
        assert links["backward"].tolist() == [False, backward, backward]
        other = mesh.reference(1 - column, 0, 0)
        assert links["target"].tolist() == [other] * 3
    there, back = mesh.tile(0, 0).links[1], mesh.tile(1, 0).links[1]
    assert (there["start"].tolist(), there["end"].tolist()) == ([4, 0, 6], [12, 0, 6])
    assert (back["start"].tolist(), back["end"].tolist()) == ([12, 0, 6], [4, 0, 6])


def test_an_end_waits_for_its_tile() -> None:
    mesh = open_mesh(floor(0, 0))
    made = mesh.add_link(link((4, 0, 4), (8004, 0, 4)))
    state = mesh.link_state(made)
    assert state.status is LinkStatus.UNATTACHED
    assert state.start and state.end.status is LinkEndStatus.NOT_LOADED
    mesh.stage_tile(floor(1000, 0))
    mesh.commit()
    assert mesh.link_state(made).status is LinkStatus.ATTACHED
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    state = mesh.link_state(made)
    assert state.start.status is LinkEndStatus.NOT_LOADED and state.end
    assert listed_links(mesh) == []


def test_a_link_moves_to_a_nearer_polygon_that_comes_and_back_when_it_goes() -> None:
    # The end at x = 8.2 lies outside the tile of column 0, but its floor is all there is at first.
    mesh = open_mesh(floor(0, 0), floor(5, 0))
    made = mesh.add_link(link((8.2, 0, 4), (44, 0, 4), bidirectional=True))
    assert mesh.link_state(made).start.point == (8.0, 0.0, 4.0)
    mesh.stage_tile(floor(1, 0))
    mesh.commit()
    assert mesh.link_state(made).start.polygon == mesh.reference(1, 0, 0)
    assert mesh.link_state(made).start.point == (8.2, 0.0, 4.0)
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    assert mesh.link_state(made).start.polygon == mesh.reference(0, 0, 0)


def test_c27_a_hundred_changes_of_a_tile_make_no_duplicates() -> None:
    mesh = open_mesh(floor(0, 0), floor(2, 0))
    made = mesh.add_link(link((4, 0, 4), (20, 0, 4)))
    before = listed_links(mesh)
    for _ in range(100):
        mesh.stage_tile(floor(0, 0))
        mesh.commit()
        assert listed_links(mesh) == before
    # A link is made two-way by another in its place, and back.
    for both, ways in ((True, 2), (False, 1)):
        mesh.stage_link_removal(made)
        made = mesh.stage_link(link((4, 0, 4), (20, 0, 4), bidirectional=both))
        mesh.commit()
        assert len(listed_links(mesh)) == ways
    assert listed_links(mesh) == before


def random_world(seed: int) -> tuple[dict[tuple[int, int], Tile], list[LinkDef]]:
    """Tiles of one to four polygons at four heights, and links of all sizes between them, some to nowhere."""
    random = Random(seed)
    tiles = {
        (c, r): floor(c, r, height=random.choice([0.0, 0.25, 1.0, 2.0]), parts=random.randint(1, 4))
        for c in range(4)
        for r in range(4)
    }

    def spot() -> tuple[float, float, float]:
        return random.uniform(-1, 33), random.choice([0.0, 0.5, 2.0]), random.uniform(-1, 33)

    def definition() -> LinkDef:
        width = random.choice([0.0, 0.0, 5.0])
        snaps = random.choice([0.1, 0.5, 2.0, 9.0, 200.0]), random.choice([0.0, 0.5, 3.0])
        both = random.random() < 0.5
        return LinkDef(spot(), spot(), *snaps, cost=random.random(), bidirectional=both, width=width)

    return tiles, [definition() for _ in range(25)]


def built_at_once(tiles: dict[tuple[int, int], Tile], links: list[LinkDef], seed: int) -> NavMesh:
    mesh = NavMesh(SETTINGS)
    for tile in Random(seed).sample(list(tiles.values()), len(tiles)):
        mesh.stage_tile(tile)
    for definition in links:
        mesh.stage_link(definition)
    mesh.commit()
    return mesh


@pytest.mark.parametrize("seed", range(12))
def test_any_order_of_loading_gives_the_links_of_a_mesh_built_at_once(seed: int) -> None:
    tiles, links = random_world(seed)
    random = Random(seed + 100)
    mesh = NavMesh(SETTINGS)
    places, waiting = list(tiles), list(links)
    standing: set[tuple[int, int]] = set()
    for _ in range(60):
        for place in random.sample(places, random.randint(0, 3)):
            if place in standing and random.random() < 0.5:
                mesh.stage_tile_removal(*place)
                standing.discard(place)
            else:
                mesh.stage_tile(tiles[place])
                standing.add(place)
        if waiting and random.random() < 0.6:
            mesh.stage_link(waiting.pop(0))
        mesh.commit()
    for definition in waiting:
        mesh.stage_link(definition)
    mesh.commit()
    fresh = built_at_once({place: tiles[place] for place in standing}, links, seed)
    assert listed_links(mesh) == listed_links(fresh)
    assert len(listed_links(fresh)) > 0
    for record in fresh.link_records():
        mine, other = mesh.link_state(record.id), fresh.link_state(record.id)
        assert mine.status is other.status
        assert [(s.point, e.point, s.distance, e.status) for s, e in mine.ends] == [
            (s.point, e.point, s.distance, e.status) for s, e in other.ends
        ]


def test_a_commit_that_fails_leaves_links_as_they_were_at_every_one_of_its_allocations() -> None:
    mesh = open_mesh(floor(0, 0), floor(2, 0))
    kept = mesh.add_link(link((4, 0, 4), (20, 0, 4), bidirectional=True))
    before, records, states = listed_links(mesh), mesh.link_records(), mesh.link_state(kept)
    mesh.stage_tile(floor(2, 0, parts=3))
    mesh.stage_tile(floor(1, 0))
    mesh.stage_link(link((2, 0, 2), (12, 0, 2), bidirectional=True))
    mesh.stage_link_enable(kept, False)
    as_before = (before, records, states)
    failures = commit_short_of_memory(
        mesh, lambda: (listed_links(mesh), mesh.link_records(), mesh.link_state(kept)) == as_before
    )
    assert failures >= 8
    assert len(listed_links(mesh)) == 4
    assert not mesh.link_state(kept).enabled


def test_a_disabled_link_goes_on_following_its_tiles() -> None:
    mesh = open_mesh(floor(0, 0))
    made = mesh.add_link(link((4, 0, 4), (20, 0, 4)))
    mesh.stage_link_enable(made, False)
    mesh.commit()
    mesh.stage_tile(floor(2, 0))
    mesh.commit()
    assert mesh.link_state(made).status is LinkStatus.ATTACHED and not mesh.link_state(made).enabled
    mesh.stage_link_enable(made, True)
    mesh.commit()
    assert mesh.link_state(made)


# --- what a commit looks at


def row_of_links(count: int) -> NavMesh:
    """Tiles in a row, a link in the middle of each to the next but one."""
    mesh = open_mesh(*(floor(column, 0) for column in range(count)))
    for column in range(count - 2):
        mesh.stage_link(link((8 * column + 4, 0, 4), (8 * column + 20, 0, 4)))
    mesh.commit()
    return mesh


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_a_commit_looks_only_for_the_ends_of_links_near_its_tiles(count: int) -> None:
    mesh = row_of_links(count)
    before = mesh.debug.links_snapped
    mesh.stage_tile(floor(5, 0))
    mesh.commit()
    assert mesh.debug.links_snapped - before == 2
    mesh.stage_link_cost(1, 3.0)
    mesh.commit()
    assert mesh.debug.links_snapped - before == 3
    mesh.stage_tile(floor(count + 50, 7))
    mesh.commit()
    assert mesh.debug.links_snapped - before == 3


def test_a_far_reaching_end_is_looked_for_only_when_a_tile_in_its_reach_changes() -> None:
    mesh = open_mesh(floor(0, 0), floor(3, 0))
    mesh.add_link(LinkDef((4, 0, 4), (500, 0, 4), 0.5, 300.0))
    before = mesh.debug.links_snapped
    mesh.stage_tile(floor(10, 30))
    mesh.commit()
    assert mesh.debug.links_snapped == before
    mesh.stage_tile(floor(40, 0))
    mesh.commit()
    assert mesh.debug.links_snapped == before + 1
    assert mesh.link_state(1).end.point == (328.0, 0.0, 4.0)
