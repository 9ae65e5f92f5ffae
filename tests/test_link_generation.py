"""Generated links: where drops and jumps are proposed, what leaves them out, and their order."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

import onepath
from onepath import levels
from onepath.links import LinkGeneration, generate_links
from onepath.mesh import LinkDef, LinkKind, NavMesh
from tests.links import DROPS_ONLY, JUMPS_ONLY, ends, generated, ledge, link, on_a_big_tile, two_rooms
from tests.meshes import Polygon, mesh_of, rectangle, settings_of, tile_of

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


# --- arguments
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
