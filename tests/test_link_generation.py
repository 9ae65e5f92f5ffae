"""Generated links: where drops and jumps are proposed, what leaves them out, and what a clearance test may do."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import onepath
from onepath import levels
from onepath.errors import ArgumentError, BusyError, RangeError
from onepath.links import LinkGeneration, LinkProposals, generate_links
from onepath.mesh import LinkDef, LinkKind, MeshSettings, NavMesh
from tests.links import link, two_rooms
from tests.meshes import Corner, Polygon, mesh_of, rectangle, settings_of, tile_of

#: The hand-made meshes here have agents of 0.4 m and cells of a metre.
DROPS_ONLY, JUMPS_ONLY = {"jump_max": 0.0}, {"drop_max": 0.0}


def generated(mesh: NavMesh, **settings: Any) -> LinkProposals:
    return generate_links(mesh, LinkGeneration(**settings))


def ledge(height: float, *, wide: float = 4.0) -> list[Polygon]:
    """A platform [0, 4] x [0, wide] of some height beside ground [4, 12] x [0, wide]."""
    return [rectangle(0, 0, 4, wide, height), rectangle(4, 0, 12, wide)]


def on_a_big_tile(polygons: list[Polygon], **options: Any) -> NavMesh:
    return mesh_of(polygons, settings_of(16), **options)


def ends(proposals: LinkProposals) -> list[tuple[Corner, Corner]]:
    return [(found.start, found.end) for found in proposals.links]


# --- drops


def test_a_drop_lands_on_the_ground_below_a_ledge_beyond_the_agents_radius() -> None:
    found = generated(on_a_big_tile(ledge(2.0)), spacing=4.0)
    assert [(drop.kind, drop.bidirectional) for drop in found.links] == [(LinkKind.DROP, False)]
    assert found.links[0].start == (4.0, 2.0, 2.0)
    assert found.links[0].end[1:] == (0.0, 2.0)
    assert 0.4 < found.links[0].end[0] - 4.0 <= 0.6


def test_a_drop_no_deeper_than_the_climb_goes_both_ways() -> None:
    for height, both in ((0.5, True), (0.75, False)):
        found = generated(on_a_big_tile(ledge(height)), spacing=4.0, **DROPS_ONLY)
        assert [(drop.kind, drop.bidirectional) for drop in found.links] == [(LinkKind.DROP, both)]


def test_a_step_is_proposed_once_from_above_even_where_jumps_are_wanted() -> None:
    found = generated(on_a_big_tile(ledge(0.5)), spacing=4.0, filter_distance=0.0)
    assert [(drop.kind, drop.start[1], drop.end[1]) for drop in found.links] == [(LinkKind.DROP, 0.5, 0.0)]


def test_a_ledge_higher_than_the_deepest_drop_has_none() -> None:
    mesh = on_a_big_tile(ledge(3.0))
    assert generated(mesh, drop_max=3.0)
    assert not generated(mesh, drop_max=2.9)


def test_a_drop_does_not_fall_through_a_floor_in_between() -> None:
    mesh = on_a_big_tile([*ledge(3.0), rectangle(4, 0, 12, 4, 1.5)])
    found = generated(mesh, spacing=4.0, **DROPS_ONLY)
    assert {drop.end[1] for drop in found.links if drop.start[1] == 3.0} == {1.5}


def test_a_drop_does_not_fall_past_the_rim_of_a_floor_that_begins_farther_out() -> None:
    mesh = on_a_big_tile([*ledge(3.0), rectangle(5, 0, 12, 4, 1.5)])
    found = generated(mesh, spacing=4.0, **DROPS_ONLY)
    assert {drop.end[1] for drop in found.links if drop.start[1] == 3.0} == {1.5}


def test_a_floor_at_the_height_of_the_body_stands_in_the_way() -> None:
    mesh = on_a_big_tile([*ledge(2.0), rectangle(4, 0, 12, 4, 3.0)])
    assert {drop.start[1] for drop in generated(mesh, spacing=4.0).links} == {3.0}


def test_nobody_lands_on_area_0_and_no_link_starts_there() -> None:
    mesh = on_a_big_tile(ledge(2.0), areas=[63, 0])
    assert not generated(mesh)
    assert not generated(on_a_big_tile(ledge(2.0), areas=[0, 63]))


def test_a_drop_reach_lands_farther_out() -> None:
    mesh = on_a_big_tile([rectangle(0, 0, 4, 4, 2.0), rectangle(7, 0, 12, 4)])
    assert not generated(mesh, drop_reach=2.5, **DROPS_ONLY)
    found = generated(mesh, drop_reach=3.5, spacing=4.0, **DROPS_ONLY)
    assert [start[0] for start, _ in ends(found)] == [4.0]
    assert 7.0 <= found.links[0].end[0] <= 7.5


# --- jumps


def test_a_jump_crosses_a_gap_once_and_goes_both_ways() -> None:
    found = generated(two_rooms(gap=2.0), spacing=4.0)
    assert [(jump.kind, jump.bidirectional) for jump in found.links] == [(LinkKind.JUMP, True)]
    (start, end) = ends(found)[0]
    assert start == (4.0, 0.0, 2.0)
    assert (end[0], end[1], end[2]) == pytest.approx((6.0, 0.0, 2.0))


def test_a_gap_wider_than_the_widest_jump_has_none() -> None:
    mesh = two_rooms(gap=2.0)
    assert generated(mesh, jump_max=2.0)
    assert not generated(mesh, jump_max=1.9)


def test_the_ends_of_a_jump_differ_in_height_by_the_climb_at_most() -> None:
    for height, expected in ((0.5, 1), (0.75, 0)):
        mesh = on_a_big_tile([rectangle(0, 0, 4, 4), rectangle(7, 0, 11, 4, height)])
        assert len(generated(mesh, spacing=4.0, jump_max=3.0, drop_max=0.0).links) == expected


def test_a_floor_in_the_way_ends_a_jump() -> None:
    rooms = [rectangle(0, 0, 4, 4), rectangle(6, 0, 10, 4)]
    assert generated(on_a_big_tile(rooms), **JUMPS_ONLY)
    assert not generated(on_a_big_tile([*rooms, rectangle(4.5, 0, 5.5, 4, 1.0)]), **JUMPS_ONLY)


def test_a_jump_leads_over_the_ground_into_which_a_drop_leads() -> None:
    mesh = on_a_big_tile([rectangle(0, 0, 4, 4, 2.0), rectangle(6, 0, 10, 4, 2.0), rectangle(4, 0, 6, 4)])
    found = generated(mesh, spacing=4.0, filter_distance=0.5)
    kinds = sorted((made.kind.name, made.start[0]) for made in found.links if isinstance(made.kind, LinkKind))
    assert kinds == [("DROP", 4.0), ("DROP", 6.0), ("JUMP", 4.0)]


# --- open edges


def test_what_a_portal_covers_is_no_open_edge() -> None:
    """The ground meets half of the platform's side across a tile border; the drop leads from the other half."""
    platform, bridge = rectangle(0, 0, 8, 8, 2.0), rectangle(8, 4, 16, 8, 2.0)
    mesh = mesh_of([platform, bridge, rectangle(8, 0, 16, 4)])
    starts = [start for start, _ in ends(generated(mesh, filter_distance=0.0, **DROPS_ONLY)) if start[0] == 8.0]
    assert len(starts) == 5
    assert all(start[2] < 4.0 for start in starts)


def test_a_frontier_is_no_open_edge_and_a_wall_at_the_same_place_is() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(16, 0, 24, 8)], grid_bounds=None)
    assert not generated(mesh, jump_max=8.0)
    mesh.stage_tile(tile_of(1, 0, [], settings_of()))
    mesh.commit()
    assert generated(mesh, jump_max=8.0)


def test_links_start_in_the_tiles_asked_for_and_end_anywhere() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8, 2.0), rectangle(8, 0, 16, 8)])
    whole = generate_links(mesh)
    assert generate_links(mesh, tiles=(0, 0, 0, 0)) == whole
    assert whole.links[0].end[0] > 8.0
    assert not generate_links(mesh, tiles=(1, 0, 1, 0))


# --- what leaves a candidate out


def joined(polygons: list[Polygon]) -> NavMesh:
    """A mesh of rectangles that are joined where they touch within 0.5 m of height, whatever their corners."""
    corners = [corner for polygon in polygons for corner in polygon]
    return NavMesh.from_polygons(corners, [range(4 * i, 4 * i + 4) for i in range(len(polygons))], max_climb=0.5)


def test_a_way_round_within_the_detour_leaves_a_jump_out() -> None:
    mesh = joined([rectangle(0, 0, 4, 4), rectangle(4, 0, 6, 1), rectangle(6, 0, 10, 4)])
    assert mesh.find_path((4, 0, 3.5), (6, 0, 3.5)).length == pytest.approx(2.0 + 5.0)
    near = {"spacing": 1.0, "filter_distance": 0.0}
    assert [start[2] for start, _ in ends(generated(mesh, detour=3.4, **near)) if start[0] == 4.0] == [3.5]
    assert not generated(mesh, detour=3.6, **near)
    assert not generated(mesh, detour=math.inf, **near)


def test_stairs_leave_out_the_drops_that_they_are_near_to() -> None:
    """A platform of 2 m over ground, and stairs of 0.25 m that lead down from its far end."""
    stairs = [rectangle(4 + i * 0.5, 12, 4.5 + i * 0.5, 16, 2.0 - 0.25 * i) for i in range(8)]
    ground = [rectangle(4, 0, 12, 12), rectangle(8, 12, 12, 16)]
    mesh = joined([rectangle(0, 0, 4, 16, 2.0), *ground, *stairs])
    every = generated(mesh, spacing=1.0, filter_distance=0.0, detour=1.0, **DROPS_ONLY)
    assert len([drop for drop in every.links if drop.start[:2] == (4.0, 2.0)]) >= 12
    detours = {
        drop: mesh.find_path(drop.start, drop.end).length / math.dist(drop.start, drop.end) for drop in every.links
    }
    for detour in (3.0, 5.0, 8.0):
        kept = generated(mesh, spacing=1.0, filter_distance=0.0, detour=detour, **DROPS_ONLY)
        assert kept.links == tuple(drop for drop in every.links if detours[drop] > detour)
        assert 0 < len(kept.links) < len(every.links)


def test_a_committed_link_is_walked_and_an_earlier_one() -> None:
    mesh = two_rooms()
    every = {"spacing": 1.0, "filter_distance": 0.0}
    assert len(generated(mesh, **every).links) == 4
    middle = mesh.add_link(link((4, 0, 2), (6, 0, 2), bidirectional=True))
    # From 0.5 m beside it the walk over the link is 3 m long, from 1.5 m beside it 5 m, for a straight 2 m.
    assert sorted({start[2] for start, _ in ends(generated(mesh, detour=2.0, **every))}) == [0.5, 3.5]
    assert not generated(mesh, detour=2.6, **every)
    assert not generated(mesh, spacing=1.0, filter_distance=1.5, detour=1.0)
    mesh.stage_link_enable(middle, False)
    mesh.commit()
    assert len(generated(mesh, detour=2.6, **every).links) == 4
    assert not generated(mesh, spacing=1.0, filter_distance=1.5)


def test_links_within_the_filter_distance_of_an_earlier_one_are_left_out() -> None:
    mesh = on_a_big_tile(ledge(2.0, wide=12.0))
    for distance, count in ((0.0, 12), (0.9, 12), (1.0, 6), (2.5, 4), (100.0, 1)):
        found = generated(mesh, spacing=1.0, filter_distance=distance, **DROPS_ONLY)
        assert len(found.links) == count
        starts = sorted(start[2] for start, _ in ends(found))
        assert min((b - a for a, b in pairwise(starts)), default=math.inf) > distance


def test_the_clearance_test_gets_ends_and_kind_and_decides() -> None:
    mesh = on_a_big_tile([*ledge(2.0), rectangle(14, 0, 16, 4)])
    asked: list[tuple[Corner, Corner, int]] = []

    def no_jumps(start: Corner, end: Corner, kind: int) -> bool:
        asked.append((start, end, kind))
        return kind != LinkKind.JUMP

    found = generate_links(mesh, LinkGeneration(spacing=4.0), clearance=no_jumps)
    assert [made.kind for made in found.links] == [LinkKind.DROP]
    assert {kind for _, _, kind in asked} == {LinkKind.DROP, LinkKind.JUMP}
    assert (found.links[0].start, found.links[0].end, LinkKind.DROP) in asked


def test_a_refused_candidate_is_no_earlier_link() -> None:
    mesh = on_a_big_tile(ledge(2.0, wide=12.0))
    settings = LinkGeneration(spacing=1.0, filter_distance=100.0, **DROPS_ONLY)
    found = generate_links(mesh, settings, clearance=lambda start, end, kind: start[2] > 6.0)
    assert len(found.links) == 1
    assert found.links[0].start[2] > 6.0


def test_an_answer_that_is_no_bool_and_an_exception_end_the_generation_and_leave_the_mesh_free() -> None:
    mesh = two_rooms()
    with pytest.raises(ArgumentError, match="clearance's answer is None"):
        generate_links(mesh, clearance=lambda start, end, kind: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        generate_links(mesh, clearance=lambda start, end, kind: 1 / 0 > 0)
    mesh.add_link(link((0, 0, 0), (6, 0, 0)))
    assert mesh.debug.misuse == 0


# --- capacity and order


def test_a_capacity_too_short_gives_the_first_links_and_a_room_that_is_enough() -> None:
    mesh = on_a_big_tile(ledge(2.0, wide=12.0))
    settings = LinkGeneration(spacing=1.0, filter_distance=1.0, **DROPS_ONLY)
    whole = generate_links(mesh, settings)
    assert (len(whole.links), whole.room, whole.complete) == (6, 6, True)
    for capacity in range(8):
        some = generate_links(mesh, settings, capacity=capacity)
        assert some.links == whole.links[:capacity]
        assert some.complete == (some.room == len(some.links)) == (capacity >= 6)
        assert some.room >= whole.room
        assert generate_links(mesh, settings, capacity=some.room) == whole
    # Of the eleven samples after the first one, only the next is compared with a link in the buffer.
    assert generate_links(mesh, settings, capacity=1).room == 11


def test_the_order_depends_on_places_alone() -> None:
    polygons = [rectangle(8 * i, 8 * j, 8 * i + 7, 8 * j + 7) for i in range(3) for j in range(3)]
    first = mesh_of(polygons, grid_bounds=None)
    second = mesh_of(polygons[::-1], grid_bounds=None)
    first.stage_tile_removal(0, 0)
    first.commit()
    first.stage_tile(second.tile(0, 0).tile)
    first.commit()
    proposals = generate_links(first)
    assert len(proposals.links) > 12
    assert generate_links(second) == proposals
    assert generate_links(second) == proposals


# --- what a clearance test may do to the mesh


def test_a_clearance_test_may_query_and_stage_tiles_and_their_removal() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(6, 0, 8, 4), rectangle(8, 0, 16, 4)])
    tile = tile_of(0, 0, [], settings_of())
    whole = generate_links(mesh)
    query = onepath.NavMeshQuery(mesh)

    def test(start: Corner, end: Corner, kind: int) -> bool:
        mesh.stage_tile(tile)
        mesh.stage_tile_removal(1, 0)
        return bool(query.find_nearest_polygon(end)) and bool(mesh.snap(start)) and len(mesh.tiles()) == 2

    assert generate_links(mesh, clearance=test) == whole
    assert (mesh.staged_count, mesh.debug.misuse) == (2, 0)
    assert mesh.commit().removed == ((1, 0, 0),)


REFUSED: dict[str, Callable[[NavMesh, int, int], object]] = {
    "stage_link ": lambda mesh, link_id, ref: mesh.stage_link(link((0, 0, 0), (6, 0, 0))),
    "stage_link_removal": lambda mesh, link_id, ref: mesh.stage_link_removal(link_id),
    "stage_link_enable": lambda mesh, link_id, ref: mesh.stage_link_enable(link_id, False),
    "stage_link_cost": lambda mesh, link_id, ref: mesh.stage_link_cost(link_id, 2.0),
    "stage_area": lambda mesh, link_id, ref: mesh.stage_area(ref, 0),
    "stage_flags": lambda mesh, link_id, ref: mesh.stage_flags(ref, 0),
    "discard_staged": lambda mesh, link_id, ref: mesh.discard_staged(),
    "commit": lambda mesh, link_id, ref: mesh.commit(),
    "edit": lambda mesh, link_id, ref: mesh.edit().__enter__(),
    "generate_links": lambda mesh, link_id, ref: generate_links(mesh),
}


@pytest.mark.parametrize("call", REFUSED)
def test_whatever_else_a_clearance_test_does_is_refused_and_counted(call: str) -> None:
    mesh = two_rooms()
    link_id = mesh.add_link(link((0, 0, 0), (1, 0, 0)))
    reference = mesh.reference(0, 0, 0)
    whole = generate_links(mesh)
    refused: list[str] = []

    def test(start: Corner, end: Corner, kind: int) -> bool:
        with pytest.raises(BusyError) as caught:
            REFUSED[call](mesh, link_id, reference)
        refused.append(str(caught.value))
        return True

    assert generate_links(mesh, clearance=test) == whole
    assert refused
    assert all(call in message for message in refused)
    assert (mesh.debug.misuse, mesh.staged_count, mesh.edit_count) == (len(refused), 0, 2)
    mesh.stage_link_removal(link_id)
    assert mesh.commit().links_removed == (link_id,)


def test_while_a_clearance_test_runs_other_threads_stage_as_they_may_and_generate_nothing() -> None:
    mesh = two_rooms()
    said: list[str] = []

    def elsewhere() -> None:
        mesh.stage_link(link((0, 0, 0), (6, 0, 0)))
        for call in (mesh.commit, lambda: generate_links(mesh)):
            with pytest.raises(BusyError) as caught:
                call()
            said.append(str(caught.value))

    def test(start: Corner, end: Corner, kind: int) -> bool:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return False

    assert not generate_links(mesh, LinkGeneration(spacing=4.0, **JUMPS_ONLY), clearance=test)
    assert set(said) == {"commit while 1 queries run", "generate_links while links are generated on this mesh"}
    assert mesh.debug.misuse == len(said)
    assert len(mesh.commit().links_added) == len(said) / 2


def test_links_of_another_mesh_may_be_generated_in_a_clearance_test() -> None:
    mesh, other = two_rooms(), two_rooms()
    whole = generate_links(mesh)
    inner = generate_links(mesh, clearance=lambda start, end, kind: generate_links(other) == whole)
    assert inner == whole


# --- arguments


@pytest.mark.parametrize(
    "field, value",
    [
        *[(field, value) for field in ("spacing", "drop_max", "jump_max", "snap") for value in (-1.0, math.inf)],
        *[(field, math.nan) for field in ("drop_reach", "climb_max", "detour", "filter_distance", "drop_cost")],
        ("spacing", 0.0),
        ("detour", 0.9),
        ("jump_max", 1025),
        ("drop_kind", 64),
        ("jump_kind", True),
        ("jump_cost", "1"),
        ("drop_area", 256),
        ("flags", -1),
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"LinkGeneration.{field} is"):
        LinkGeneration(**{field: value})


def test_an_argument_that_cannot_be_is_refused_by_name() -> None:
    mesh: Any = two_rooms()
    refusals: list[tuple[str, dict[str, Any]]] = [
        ("settings is 3", {"settings": 3}),
        ("LinkGeneration.drop_area is 'lava'", {"settings": LinkGeneration(drop_area="lava")}),
        ("tiles is", {"tiles": (0, 0)}),
        ("tiles is", {"tiles": (1, 0, 0, 0)}),
        ("clearance is", {"clearance": 1}),
        ("capacity is", {"capacity": 1.5}),
    ]
    for message, arguments in refusals:
        with pytest.raises(ArgumentError, match=message):
            generate_links(mesh, **arguments)
    with pytest.raises(RangeError, match="capacity is -1"):
        generate_links(mesh, capacity=-1)
    with pytest.raises(ArgumentError, match="mesh is"):
        generate_links(None)  # type: ignore[arg-type]
    assert generate_links(mesh)


def test_links_carry_kind_area_cost_flags_and_snap_of_the_settings() -> None:
    mesh = on_a_big_tile([*ledge(2.0), rectangle(14, 0, 16, 4)])
    found = generated(
        mesh,
        spacing=4.0,
        snap=0.7,
        drop_kind=6,
        jump_kind=9,
        drop_area=5,
        jump_area=7,
        drop_cost=1,
        jump_cost=2,
        flags=4,
    )
    assert [(made.kind, made.area, made.cost) for made in found.links] == [(6, 5, 1.0), (9, 7, 2.0)]
    assert {(made.start_snap, made.end_snap, made.flags) for made in found.links} == {(0.7, 0.7, 4)}


def test_an_area_may_be_named() -> None:
    mesh = NavMesh(settings_of(16), areas=onepath.Areas(gap=3.0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 4, 4), rectangle(6, 0, 10, 4)], settings_of(16)))
    mesh.commit()
    assert generated(mesh, jump_area="gap").links[0].area == mesh.areas.id("gap")


def test_lengths_follow_from_the_agent_and_the_cells() -> None:
    agent = onepath.AgentShape(radius=0.5, height=2.0, max_climb=0.3)
    chosen = LinkGeneration(jump_max=9).resolved(MeshSettings(agent=agent, cell_size=0.25))
    assert (chosen.spacing, chosen.drop_max, chosen.drop_reach, chosen.climb_max) == (1.0, 4.0, 2.0, 0.3)
    assert (chosen.jump_max, chosen.filter_distance, chosen.snap, chosen.detour) == (9.0, 2.0, 0.5, 3.0)


def test_the_finest_cells_and_spacings_are_refused_or_counted_in_whole_columns() -> None:
    fine = MeshSettings(cell_size=2.0**-20, tile_cells=2**20)
    mesh = NavMesh(fine, (0, 0, 0, 0))
    mesh.stage_tile(tile_of(0, 0, [rectangle(0, 0, 0.25, 0.25), rectangle(0.75, 0, 1, 0.25)], fine))
    mesh.commit()
    found = generated(mesh, spacing=0.25, jump_max=1024.0, **JUMPS_ONLY)
    assert [round(jump.end[0] - jump.start[0], 2) for jump in found.links] == [0.5]
    with pytest.raises(RangeError, match=r"spacing is 0.5, below 2, a millionth"):
        generated(NavMesh(MeshSettings(cell_size=2.0, tile_cells=10**6)), spacing=0.5)


def test_an_empty_mesh_has_no_links() -> None:
    proposals = generate_links(NavMesh(settings_of()))
    assert (proposals.links, proposals.room, proposals.complete, bool(proposals)) == ((), 0, True, False)


# --- properties


def holds(mesh: NavMesh, found: LinkDef, chosen: LinkGeneration) -> None:
    """What every kept link promises."""
    assert chosen.drop_max is not None and chosen.jump_max is not None
    assert chosen.drop_reach is not None and chosen.climb_max is not None
    query = onepath.NavMeshQuery(mesh)
    for end in (found.start, found.end):
        nearest = query.find_nearest_polygon(end, (0.01, 0.01, 0.01))
        assert nearest.distance < 1e-4
    across = math.hypot(found.end[0] - found.start[0], found.end[2] - found.start[2])
    depth = found.start[1] - found.end[1]
    if found.kind == LinkKind.DROP:
        assert 0.0 < depth <= chosen.drop_max + 1e-9
        assert mesh.settings.agent.radius < across <= chosen.drop_reach + 1e-9
        assert found.bidirectional == (depth <= chosen.climb_max)
    else:
        assert abs(depth) <= chosen.climb_max + 1e-9
        assert 0.0 < across <= chosen.jump_max + 1e-9
        assert found.bidirectional
    for model in onepath.NodeModel:
        path = onepath.NavMeshQuery(mesh, model).find_path(found.start, found.end)
        assert not path or path.length > chosen.detour * math.dist(found.start, found.end)


def scattered(draw: Random) -> NavMesh:
    """Flat rectangles of random heights in 2 x 2 tiles, some of which overlap."""
    polygons: list[Polygon] = []
    for column in range(2):
        for row in range(2):
            # Floors of a tile lie at different heights, so that a place names one of them.
            for level in draw.sample(range(1, 16), draw.randrange(5)):
                x, z = draw.randrange(7), draw.randrange(7)
                width, depth = draw.randrange(1, 8 - x + 1), draw.randrange(1, 8 - z + 1)
                corner_x, corner_z = 8 * column + x, 8 * row + z
                polygons.append(rectangle(corner_x, corner_z, corner_x + width, corner_z + depth, 0.25 * level))
    polygons.append(rectangle(0, 0, 8, 8))
    return mesh_of(polygons, grid_bounds=draw.choice([None, (0, 0, 1, 1)]))


def test_links_of_random_meshes_keep_what_they_promise() -> None:
    draw = Random(11)
    count = 0
    for _ in range(60):
        mesh = scattered(draw)
        settings = LinkGeneration(
            spacing=draw.choice([0.5, 1.0, 3.0]),
            detour=draw.choice([1.0, 2.0, 5.0]),
            filter_distance=draw.choice([0.0, 1.0, 2.5]),
        )
        chosen = settings.resolved(mesh.settings)
        found = generate_links(mesh, settings)
        assert generate_links(mesh, settings) == found
        for made in found.links:
            holds(mesh, made, chosen)
        assert chosen.filter_distance is not None
        for i, one in enumerate(found.links):
            for other in found.links[:i]:
                apart = max(math.dist(one.start, other.start), math.dist(one.end, other.end))
                assert apart > chosen.filter_distance
        count += len(found.links)
    assert count > 500


def test_links_of_a_baked_building_keep_what_they_promise_and_attach() -> None:
    mesh = onepath.bake(levels.building(), radius=0.4)
    settings = LinkGeneration()
    found = generate_links(mesh, settings)
    assert {made.kind for made in found.links} == {LinkKind.DROP, LinkKind.JUMP}
    for made in found.links:
        holds(mesh, made, settings.resolved(mesh.settings))
        mesh.stage_link(made)
    assert all(mesh.link_state(link_id).attached for link_id in mesh.commit().links_added)
    # A search that may take links now may miss a walk that it found before: all but a few stay left out.
    assert len(generate_links(mesh, settings).links) <= len(found.links) // 50
