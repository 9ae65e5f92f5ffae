"""Off-mesh links: definitions, staging, attachment, what a commit looks at."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise
from random import Random

import pytest

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, BusyError, LimitError, RangeError
from onepath.mesh import LinkDef, LinkEndStatus, LinkKind, LinkStatus, MeshSettings, NavMesh, Tile
from onepath.query import NavMeshQuery, QueryFilter
from tests.links import link, listed_links, storeys, two_rooms
from tests.meshes import mesh_of, rectangle, settings_of, tile_of

SETTINGS = settings_of()
JUMP = link((3.5, 0, 2), (6.5, 0, 2))


def floor(column: int, row: int, *, height: float = 0.0, parts: int = 1) -> Tile:
    cuts = [8 * column + 8 * i / parts for i in range(parts + 1)]
    bands = [rectangle(cuts[i], 8 * row, cuts[i + 1], 8 * row + 8, height) for i in range(parts)]
    return tile_of(column, row, bands, SETTINGS)


def open_mesh(*tiles: Tile) -> NavMesh:
    mesh = NavMesh(SETTINGS)
    for tile in tiles:
        mesh.stage_tile(tile)
    mesh.commit()
    return mesh


# --- definitions


def test_a_definition_keeps_what_it_was_given_and_takes_the_document_s_defaults() -> None:
    made = LinkDef((0, 1, 2), [3, 4, 5], 0.5, 1)  # type: ignore[arg-type]
    assert (made.start, made.end, made.start_snap, made.end_snap) == ((0.0, 1.0, 2.0), (3.0, 4.0, 5.0), 0.5, 1.0)
    assert (made.cost, made.kind, made.bidirectional, made.width) == (0.0, LinkKind.JUMP, False, 0.0)
    assert (made.area, made.flags, made.capacity, made.data) == (63, 1, None, None)
    assert pickle.loads(pickle.dumps(made)) == made


def test_kinds_above_five_are_the_host_s() -> None:
    assert link((0, 0, 0), (1, 0, 0), kind=4).kind is LinkKind.DOOR
    assert link((0, 0, 0), (1, 0, 0), kind=6).kind == 6
    assert link((0, 0, 0), (1, 0, 0), kind=63).kind == 63


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("start", (0, math.nan, 0)),
        ("start", (0, 0)),
        ("start", (2.0**21, 0, 0)),
        ("end", "abc"),
        ("end", (0, math.inf, 0)),
        ("start_snap", -0.1),
        ("end_snap", math.nan),
        ("end_snap", 2.0**22),
        ("cost", -1.0),
        ("cost", math.inf),
        ("kind", 64),
        ("kind", -1),
        ("kind", "jump"),
        ("bidirectional", 1),
        ("width", -1.0),
        ("width", "wide"),
        ("area", 256),
        ("area", b"lava"),
        ("flags", 65536),
        ("flags", 1.0),
        ("capacity", 0),
        ("data", [1]),
        ("data", 2**63),
        ("data", math.nan),
    ],
)
def test_a_bad_field_is_refused_by_name(field: str, value: object) -> None:
    fields: dict[str, object] = {"start": (0, 0, 0), "end": (4, 0, 0), "start_snap": 1.0, "end_snap": 1.0}
    with pytest.raises(ArgumentError, match=rf"LinkDef\.{field}"):
        LinkDef(**(fields | {field: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [(0, 3, 0), (1e-200, 3, 0)])
def test_a_vertical_link_has_no_width(end: tuple[float, float, float]) -> None:
    with pytest.raises(ArgumentError, match=r"LinkDef\.width"):
        link((0, 0, 0), end, width=2.0)


# --- staging


def test_an_id_comes_at_once_and_the_link_at_the_commit() -> None:
    mesh = two_rooms()
    first, second = mesh.stage_link(JUMP), mesh.stage_link(JUMP)
    assert (first, second) == (1, 2)
    assert mesh.link_state(first).status is LinkStatus.STAGED
    assert listed_links(mesh) == [] and mesh.link_records() == []
    report = mesh.commit()
    assert report and report.links_added == (1, 2)
    assert mesh.link_state(first).status is LinkStatus.ATTACHED
    assert [way[2] for way in listed_links(mesh)] == [0, 1]


def test_a_staged_link_that_is_removed_goes_at_once_and_its_id_never_comes_back() -> None:
    mesh = two_rooms()
    gone = mesh.stage_link(JUMP)
    mesh.stage_link_removal(gone)
    assert mesh.link_state(gone).status is LinkStatus.REMOVED
    assert not mesh.commit()
    assert mesh.stage_link(JUMP) == gone + 1


def test_a_committed_link_stays_until_its_removal_is_committed() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_removal(made)
    mesh.stage_link_removal(made)
    assert mesh.link_state(made).status is LinkStatus.ATTACHED
    assert mesh.commit().links_removed == (made,)
    assert mesh.link_state(made).status is LinkStatus.REMOVED
    assert listed_links(mesh) == []


def test_enabling_and_pricing_wait_for_the_commit() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_cost(made, 7.5)
    state = mesh.link_state(made)
    assert state.enabled and state.definition is not None and state.definition.cost == 0.0
    assert mesh.commit().links_changed == (made,)
    state = mesh.link_state(made)
    assert not state and not state.enabled and state.status is LinkStatus.ATTACHED
    assert state.definition is not None and state.definition.cost == 7.5
    ((_, _, _, cost, *_, enabled, _),) = listed_links(mesh)
    assert (cost, enabled) == (7.5, False)


def test_a_change_taken_back_before_the_commit_is_none() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_enable(made, True)
    mesh.stage_link_cost(made, 0.0)
    assert not mesh.commit()


def test_a_link_can_be_changed_before_its_first_commit() -> None:
    mesh = two_rooms()
    made = mesh.stage_link(JUMP)
    mesh.stage_link_enable(made, False)
    mesh.stage_link_cost(made, 2.0)
    assert mesh.commit().links_added == (made,)
    assert mesh.link_state(made).enabled is False
    assert listed_links(mesh)[0][3] == 2.0


def test_discarding_forgets_staged_links_too() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    other = mesh.stage_link(JUMP)
    mesh.stage_link_removal(made)
    assert mesh.staged_count == 2
    mesh.discard_staged()
    assert not mesh.commit()
    assert mesh.link_state(other).status is LinkStatus.REMOVED
    assert mesh.link_state(made).status is LinkStatus.ATTACHED


@pytest.mark.parametrize("call", ["stage_link_removal", "stage_link_enable", "stage_link_cost"])
def test_unknown_and_removed_links_are_refused(call: str) -> None:
    mesh = two_rooms()
    gone = mesh.add_link(JUMP)
    mesh.stage_link_removal(gone)
    mesh.commit()
    more = {"stage_link_enable": [True], "stage_link_cost": [1.0]}.get(call, [])
    for bad, text in (
        (gone, "it was removed"),
        (gone + 1, "no link has had that id"),
        (0, "link id"),
        ("1", "link id"),
    ):
        with pytest.raises(ArgumentError, match=text):
            getattr(mesh, call)(bad, *more)
    with pytest.raises(ArgumentError, match="no link has had that id"):
        mesh.link_state(gone + 1)


def test_what_is_staged_to_go_cannot_be_changed() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh.stage_link_removal(made)
    with pytest.raises(ArgumentError, match="staged to be removed"):
        mesh.stage_link_enable(made, False)


def test_bad_values_are_refused_before_anything_is_staged() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    with pytest.raises(ArgumentError, match="not a LinkDef"):
        mesh.stage_link((0, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="enabled is 1"):
        mesh.stage_link_enable(made, 1)  # type: ignore[arg-type]
    with pytest.raises(RangeError, match=r"LinkDef\.cost is -1"):
        mesh.stage_link_cost(made, -1)
    assert mesh.staged_count == 0


def test_staging_a_link_while_another_thread_stages_is_refused_and_counted() -> None:
    mesh = two_rooms()
    made = mesh.add_link(JUMP)
    mesh._begin_staging("stage_tile")
    for call, arguments in (
        ("stage_link", (JUMP,)),
        ("stage_link_removal", (made,)),
        ("stage_link_enable", (made, False)),
        ("stage_link_cost", (made, 1.0)),
    ):
        with pytest.raises(BusyError, match=call):
            getattr(mesh, call)(*arguments)
    mesh._end_staging()
    assert mesh.debug.misuse == 4
    assert mesh.staged_count == 0


def test_links_may_be_staged_while_a_query_runs() -> None:
    mesh = two_rooms()
    query = NavMeshQuery(mesh)
    made: list[int] = []

    def accepts(flags: int, area: int) -> bool:
        made.append(mesh.stage_link(JUMP))
        return True

    query.find_path((1, 0, 2), (9, 0, 2), QueryFilter(predicate=accepts))
    assert made and mesh.link_state(made[0]).status is LinkStatus.STAGED
    mesh.commit()
    assert query.find_path((1, 0, 2), (9, 0, 2))


def test_a_commit_while_a_query_runs_adds_no_link() -> None:
    mesh = two_rooms()
    mesh._begin_reading()
    with pytest.raises(BusyError):
        mesh.add_link(JUMP)
    mesh._end_reading()
    assert mesh.staged_count == 0 and mesh.link_records() == []


def test_records_hold_all_links_in_the_order_of_their_ids() -> None:
    mesh = two_rooms()
    ids = [mesh.stage_link(link((1, 0, 1), (7, 0, i), cost=i)) for i in range(3)]
    mesh.stage_link_enable(ids[2], False)
    mesh.commit()
    mesh.stage_link_removal(ids[1])
    mesh.commit()
    records = mesh.link_records()
    assert [(r.id, r.definition.cost, r.enabled) for r in records] == [(1, 0.0, True), (3, 2.0, False)]
    assert pickle.loads(pickle.dumps(records)) == records


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
    failures = 0
    while True:
        mesh._limit_allocations(failures)
        try:
            mesh.commit()
        except MemoryError:
            failures += 1
            assert (listed_links(mesh), mesh.link_records(), mesh.link_state(kept)) == (before, records, states)
            continue
        break
    mesh._limit_allocations(-1)
    assert failures >= 8
    assert len(listed_links(mesh)) == 4
    assert not mesh.link_state(kept).enabled


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


# --- wide links


def wide_scene(radius: float = 0.5) -> NavMesh:
    """Two floors of 20 x 8 m with a gap of 2 m in z, in one tile."""
    settings = MeshSettings(agent=AgentShape(radius=radius), cell_size=1.0, cell_height=0.25, tile_cells=32)
    return mesh_of([rectangle(0, 0, 20, 8), rectangle(0, 10, 20, 18)], settings)


@pytest.mark.parametrize(
    ("width", "radius", "count"),
    [
        (16.0, 0.5, 33),
        (0.1, 0.5, 2),
        (0.5, 0.5, 2),
        (0.6, 0.5, 3),
        (1.2, 0.4, 4),
        (0.3, 0.1, 4),
        (0.0, 0.5, 1),
        (3.0, 0.0, 4),
    ],
)
def test_crossings_lie_no_farther_apart_than_the_radius(width: float, radius: float, count: int) -> None:
    mesh = wide_scene(radius)
    state = mesh.link_state(mesh.add_link(link((10, 0, 8), (10, 0, 10), width=width)))
    assert len(state.ends) == count and state.status is LinkStatus.ATTACHED
    places = sorted(start.point[0] for start, _ in state.ends if start.point is not None)
    assert (places[0], places[-1]) == pytest.approx((10 - width / 2, 10 + width / 2), abs=1e-12)
    steps = [b - a for a, b in pairwise(places)]
    assert all(step <= (radius or 1.0) + 1e-9 for step in steps)
    assert all(s.point is not None and e.point is not None and s.point[0] == e.point[0] for s, e in state.ends)


def test_each_crossing_attaches_by_itself() -> None:
    mesh = wide_scene()
    made = mesh.add_link(link((19, 0, 8), (19, 0, 10), snap=0.25, width=4.0, bidirectional=True))
    state = mesh.link_state(made)
    assert state.status is LinkStatus.PARTLY_ATTACHED and state
    on_mesh = [bool(start and end) for start, end in state.ends]
    assert sorted(on_mesh) == [False] * 2 + [True] * 7
    assert not state.start and state.start.status is LinkEndStatus.NOTHING_NEAR
    assert len(listed_links(mesh)) == 14


def test_each_crossing_counts_against_the_limit() -> None:
    mesh = wide_scene()
    mesh._narrow_limits(crossings=40)
    made = mesh.add_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    with pytest.raises(LimitError, match="33 crossings"):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    for _ in range(7):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10)))
    with pytest.raises(LimitError):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10)))
    mesh.stage_link_removal(made)
    mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=16.0))
    mesh.commit()
    assert len(listed_links(mesh)) == 40


def test_a_link_of_absurd_width_is_refused_at_once() -> None:
    mesh = wide_scene(0.01)
    with pytest.raises(LimitError):
        mesh.stage_link(link((10, 0, 8), (10, 0, 10), width=2.0**20))


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
