"""The settings and arguments of a link generation: what is refused, and what goes into its links."""

from __future__ import annotations

import math
from typing import Any

import pytest

import onepath
from onepath.errors import ArgumentError, RangeError
from onepath.links import LinkGeneration, generate_links
from onepath.mesh import MeshSettings, NavMesh
from tests.links import JUMPS_ONLY, generated, ledge, on_a_big_tile, two_rooms
from tests.meshes import rectangle, settings_of, tile_of


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
