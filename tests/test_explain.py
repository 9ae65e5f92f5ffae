"""Every reason that `NavMesh.explain` gives, on a scene in which it is the one."""

from __future__ import annotations

import math

import pytest

from onepath import Areas, Level, LinkKind, NavMesh, NavPoint, QueryFilter, bake
from onepath.cli import main
from onepath.errors import ArgumentError, BusyError
from onepath.explaining import PathReason
from tests.links import link, storeys, two_rooms
from tests.meshes import grid, mesh_of, rectangle, settings_of, strip

NEAR, FAR = (1.0, 0.0, 1.0), (7.0, 0.0, 1.0)


def test_a_path_is_explained_by_its_length_and_links() -> None:
    mesh = two_rooms()
    crossed = mesh.add_link(link((3, 0, 2), (7, 0, 2)))
    why = mesh.explain(NEAR, FAR)
    assert why and why.reason is PathReason.REACHED and why.links == (crossed,)
    assert why.path == mesh.find_path(NEAR, FAR)
    assert "leads from island 0 to island 1, and nothing leads back" in why.text
    assert "both ends are on island 0" in mesh.explain(NEAR, (2, 0, 2)).text


def test_a_cost_that_is_the_length_is_not_explained() -> None:
    why = mesh_of([rectangle(0, 0, 8, 4)]).explain(NEAR, FAR)
    assert why.text == "The path is 6.00 m long (6.00 m straight) and costs 6.00; both ends are on island 0."


def test_priced_areas_and_links_are_named_where_cost_and_length_differ() -> None:
    level = Level()
    level.add_plane((0, 0), (4, 4), area="mud")
    level.add_plane((6, 0), (10, 4), area=7)
    mesh = bake(level, radius=0.25, areas=Areas(mud=5.0), links=[link((3, 0, 2), (7, 0, 2), cost=2.5)])
    why = mesh.explain(NEAR, (9, 0, 1))
    assert len(why.links) == 1 and why.path.cost > why.path.length
    assert "Cost and length differ: a metre of mud costs 5, its link adds 2.50." in why.text
    assert "a metre of area 7 costs 3" in mesh.explain(NEAR, (9, 0, 1), QueryFilter(costs={7: 3.0})).text


def test_a_cost_that_differs_by_the_way_of_the_search_alone_is_said_to() -> None:
    level = Level()
    level.add_plane((0, 0), (20, 20))
    level.add_box((9, 0, 2), (11, 3, 18))
    why = bake(level, radius=0.5).explain((3, 0, 10), (17, 0, 10))
    assert why.path.cost > why.path.length
    assert why.text.endswith("edge to edge; the line through them is pulled straight afterwards.")


def test_the_gap_between_two_islands_has_its_size_and_step() -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(5.5, 1, 8, 3, 0.75)])
    why = mesh.explain(NEAR, (7, 0.75, 2))
    assert not why and why.reason is PathReason.GAP
    assert (why.gap.across, why.gap.step) == (1.5, 0.75)
    assert why.gap.start[0] == 4.0 and why.gap.end[0] == 5.5
    assert "1.50 m across and 0.75 m up; the agent climbs 0.5 m" in why.text
    assert why.start_island == mesh.island_of(NEAR) and why.end_island == mesh.island_of((7, 0.75, 2))


def test_the_gap_between_floors_is_a_step() -> None:
    gap = storeys(2).explain((5, 4, 5), (1, 0, 1)).gap
    assert (gap.across, gap.step) == (0.0, -4.0)


def test_a_gap_is_found_from_a_corner_to_an_edges_middle() -> None:
    corner = [(5.0, 0.0, 2.0), (8.0, 0.0, 3.5), (8.0, 0.0, 0.5)]
    gap = mesh_of([rectangle(0, 0, 4, 4), corner]).explain(NEAR, (7, 0, 2)).gap
    assert (gap.start, gap.end) == ((4.0, 0.0, 2.0), (5.0, 0.0, 2.0))


@pytest.mark.parametrize(("spot", "reason"), [(NEAR, PathReason.END_OFF_MESH), (FAR, PathReason.START_OFF_MESH)])
def test_an_end_off_the_mesh_is_shown_the_way_to_it(spot, reason) -> None:
    away = (7.0, 0.0, 40.0)
    why = two_rooms().explain(*((spot, away) if reason is PathReason.END_OFF_MESH else (away, spot)))
    assert why.reason is reason
    assert "the nearest place on it is (7, 0, 4), 36.00 m away" in why.text


@pytest.mark.parametrize("chosen", [1, "walk", QueryFilter])
def test_something_else_than_a_filter_is_refused(chosen: object) -> None:
    with pytest.raises(ArgumentError, match=r"filter is .*, not a QueryFilter"):
        two_rooms().explain(NEAR, FAR, chosen)  # type: ignore[arg-type]


def test_the_mesh_stands_still_until_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = two_rooms()
    island_of = NavMesh.island_of

    def refused_commit_first(*asked):
        with pytest.raises(BusyError):
            mesh.commit()
        return island_of(*asked)

    monkeypatch.setattr(NavMesh, "island_of", refused_commit_first)
    mesh.stage_tile_removal(0, 0)
    assert mesh.explain(NEAR, FAR).reason is PathReason.GAP
    assert mesh.commit()


def test_a_mesh_without_tiles_is_no_mesh() -> None:
    assert NavMesh(settings_of()).explain(NEAR, FAR).reason is PathReason.NO_MESH


@pytest.mark.parametrize(
    ("chosen", "parts"),
    [
        (QueryFilter(avoid=[5]), ("areas",)),
        (QueryFilter(costs={5: math.inf, 63: 2.0}), ("areas",)),
        (QueryFilter(require=[63]), ("areas",)),
        (QueryFilter(exclude_flags=2), ("flags",)),
        (QueryFilter(include_flags=1), ("flags",)),
        (QueryFilter(predicate=lambda flags, area: area != 5), ("predicate",)),
        (QueryFilter(exclude_flags=2, avoid=[5]), ("flags", "areas", "predicate", "links")),
    ],
)
def test_the_part_of_the_filter_that_refuses_the_way_is_named(chosen: QueryFilter, parts: tuple[str, ...]) -> None:
    mesh = strip(5, areas=[63, 63, 5, 63, 63], flags=[1, 1, 2, 1, 1])
    why = mesh.explain((1, 0, 1), (19, 0, 1), chosen)
    assert why.reason is PathReason.FILTER and why.filter_parts == parts
    assert why.areas == ((5,) if parts == ("areas",) else ())


def test_a_filter_that_leaves_out_kinds_of_links_is_named() -> None:
    mesh = two_rooms()
    mesh.add_link(link((3, 0, 2), (7, 0, 2), kind=LinkKind.LADDER))
    assert mesh.explain(NEAR, FAR, QueryFilter(links=[LinkKind.JUMP])).filter_parts == ("links",)


def test_an_end_on_what_the_filter_refuses_says_so() -> None:
    mesh = strip(2, areas=[63, 5])
    why = mesh.explain((1, 0, 1), (7, 0, 1), QueryFilter(avoid=[5]))
    assert why.reason is PathReason.FILTER and why.areas == (5,) and "at the end" in why.text
    point = mesh.snap((7, 0, 1))
    assert mesh.explain((1, 0, 1), point, QueryFilter(avoid=[5])).reason is PathReason.FILTER


def test_a_closed_link_is_named() -> None:
    mesh = two_rooms()
    door = mesh.add_link(link((3, 0, 2), (7, 0, 2), bidirectional=True))
    mesh.stage_link_enable(door, False)
    mesh.commit()
    for ends in ((NEAR, FAR), (FAR, NEAR)):
        why = mesh.explain(*ends)
        assert why.reason is PathReason.LINK_CLOSED and why.links == (door,)


def test_one_way_links_against_the_way_are_named_the_fewest_of_them() -> None:
    mesh = storeys(3)
    first = mesh.add_link(link((5, 4, 5), (5, 0, 5)))
    second = mesh.add_link(link((5, 8, 5), (5, 4, 5)))
    assert mesh.explain((5, 0, 5), (5, 8, 5)).links == (first, second)
    whole = mesh.add_link(link((2, 8, 2), (2, 0, 2)))
    why = mesh.explain((5, 0, 5), (5, 8, 5))
    assert why.reason is PathReason.ONE_WAY and why.links == (whole,)


def test_missing_tiles_are_named() -> None:
    mesh = mesh_of([rectangle(0, 0, 8, 8), rectangle(16, 0, 24, 8)], grid_bounds=(0, 0, 2, 0))
    why = mesh.explain((1, 0, 1), (20, 0, 1))
    assert why.reason is PathReason.NOT_LOADED and why.missing_tiles == ((1, 0),)
    assert mesh.explain((1, 0, 1), (12, 0, 1)).reason is PathReason.NOT_LOADED


def test_a_stale_place_is_off_the_mesh() -> None:
    mesh = strip(2)
    gone = mesh.snap((7, 0, 1))
    mesh.stage_tile_removal(0, 0)
    mesh.stage_tile(grid(8, 8).tile(0, 0).tile)
    mesh.commit()
    assert mesh.explain((1, 0, 1), gone).reason is PathReason.END_OFF_MESH
    assert mesh.explain(NavPoint(0, None), (1, 0, 1)).reason is PathReason.START_OFF_MESH


def test_a_step_and_a_corner_are_told_apart() -> None:
    step = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 0, 8, 4, 0.75)]).explain(NEAR, (7, 0.75, 1))
    assert "0.00 m across and 0.75 m up; the agent climbs 0.5 m." in step.text and "touch" not in step.text
    corner = mesh_of([rectangle(0, 0, 4, 4), rectangle(4, 4, 8, 8)]).explain(NEAR, (7, 0, 7))
    assert (
        corner.reason is PathReason.GAP
        and "They touch there, but no edge leads from one into the other." in corner.text
    )
    assert "The start's island has 16.0 square metres, the end's 16.0." in corner.text


def test_ground_that_no_filter_passes_is_named_where_it_parts_two_islands() -> None:
    why = strip(5, areas=[63, 63, 0, 63, 63]).explain((1, 0, 1), (19, 0, 1))
    assert why.reason is PathReason.GAP and "Ground of area 0 lies there, which no filter passes." in why.text
    assert "area 0" not in two_rooms().explain(NEAR, FAR).text


def test_a_link_that_hangs_in_the_air_at_one_end_is_named() -> None:
    mesh = two_rooms()
    loose = mesh.add_link(link((3, 0, 2), (20, 0, 2)))
    mesh.add_link(link((30, 0, 2), (40, 0, 2)))
    why = mesh.explain(NEAR, FAR)
    assert why.reason is PathReason.GAP and why.links == (loose,)
    assert f"Not attached at both ends: link {loose}; link_state says why." in why.text


def test_an_end_that_was_snapped_from_afar_says_where_it_is_taken_to_be() -> None:
    mesh = strip(2)
    why = mesh.explain((1, 0, 1), (9.5, 0, 1))
    assert why and why.text.endswith("The end is taken to be at (8, 0, 1), 1.50 m from where it was asked for.")
    assert "taken to be" not in mesh.explain((1, 0.1, 1), (7, 0, 1)).text
    assert "The start is taken to be" in two_rooms().explain((1, 1.5, 1), FAR).text


def test_two_ends_off_the_mesh_are_both_named() -> None:
    why = strip(2).explain((1, 30, 1), (7, 90, 1))
    assert why.reason is PathReason.START_OFF_MESH
    assert "of the start" in why.text and "of the end" in why.text


def test_the_command_explains(tmp_path, capsys) -> None:
    mesh = mesh_of([rectangle(0, 0, 4, 4), rectangle(5.5, 1, 8, 3, 0.75)])
    mesh.save(tmp_path / "mesh.navmesh")
    file = str(tmp_path / "mesh.navmesh")
    assert main(["explain", file, "--from", "1", "0", "1", "--to", "7", "0.75", "2"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("gap: Nothing joins the two islands.") and "on island 0 of 16.0 square metres" in out
    assert main(["explain", file, "--from", "1", "0", "1", "--to", "2", "0", "2"]) == 0
    assert capsys.readouterr().out.startswith("reached: The path is 1.41 m long")
