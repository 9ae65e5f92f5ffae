"""Tiers and limits: each change outside a host's promise is refused before anything has changed."""

from __future__ import annotations

import pytest

from onepath.errors import ArgumentError, LimitError, UnsupportedError
from onepath.mesh import Limits, LinkDef, NavMesh, Tier
from tests.meshes import floor, settings_of

SETTINGS = settings_of()


def mesh_of(tier: Tier, limits: Limits | None = None) -> NavMesh:
    """Two tiles and a link between them."""
    mesh = NavMesh(SETTINGS, tier=tier, limits=limits)
    mesh.stage_tile(floor(0))
    mesh.stage_tile(floor(1))
    mesh.stage_link(LinkDef((2, 0, 2), (12, 0, 2), 0.5, 0.5))
    mesh.commit()
    return mesh


def test_a_mesh_takes_every_change_unless_its_host_says_otherwise() -> None:
    assert NavMesh(SETTINGS).tier is Tier.DYNAMIC


@pytest.mark.parametrize("tier", Tier)
def test_tiles_and_links_come_and_go_in_every_tier(tier: Tier) -> None:
    mesh = mesh_of(tier)
    mesh.stage_tile_removal(1, 0)
    mesh.stage_link_removal(1)
    mesh.stage_tile(floor(2))
    report = mesh.commit()
    assert (report.added, report.removed, report.links_removed) == (((2, 0, 0),), ((1, 0, 0),), (1,))
    mesh.stage_tile(floor(1))
    assert mesh.commit().added == ((1, 0, 0),)


@pytest.mark.parametrize("tier", Tier)
def test_a_tile_staged_and_not_yet_committed_may_be_staged_anew_in_every_tier(tier: Tier) -> None:
    mesh = NavMesh(SETTINGS, tier=tier)
    mesh.stage_tile(floor(0))
    mesh.stage_tile(floor(0, parts=2))
    mesh.commit()
    assert mesh.polygon_count == 2


@pytest.mark.parametrize("tier", [Tier.STATIC, Tier.MODIFIERS])
def test_replacing_a_loaded_tile_in_one_commit_needs_the_dynamic_tier(tier: Tier) -> None:
    mesh = mesh_of(tier)
    message = rf"replacing tile \(0, 0, 0\) in one commit needs Tier.DYNAMIC; this mesh has Tier.{tier.name}"
    with pytest.raises(UnsupportedError, match=message):
        mesh.stage_tile(floor(0))
    mesh.stage_tile_removal(0, 0)
    with pytest.raises(UnsupportedError, match=message):
        mesh.stage_tile(floor(0))
    assert mesh.commit().removed == ((0, 0, 0),)


def test_the_dynamic_tier_replaces_a_loaded_tile() -> None:
    mesh = mesh_of(Tier.DYNAMIC)
    mesh.stage_tile(floor(0))
    assert mesh.commit().replaced == ((0, 0, 0),)


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("stage_area", (0, 5)),
        ("stage_flags", (0, 5)),
        ("stage_volume_area", ("gate", 5)),
        ("stage_link_enable", (1, False)),
        ("stage_link_cost", (1, 2.0)),
    ],
)
def test_the_static_tier_takes_no_modifiers(call: str, arguments: tuple[object, ...]) -> None:
    mesh = mesh_of(Tier.STATIC)
    with pytest.raises(UnsupportedError, match=f"{call} needs Tier.MODIFIERS; this mesh has Tier.STATIC"):
        getattr(mesh, call)(*arguments)
    assert mesh.staged_count == 0


@pytest.mark.parametrize("tier", [Tier.MODIFIERS, Tier.DYNAMIC])
def test_the_tiers_above_take_modifiers(tier: Tier) -> None:
    mesh = mesh_of(tier)
    polygon = mesh.reference(0, 0, 0)
    mesh.stage_area(polygon, 0)
    mesh.stage_flags(polygon, 5)
    mesh.stage_link_enable(1, False)
    report = mesh.commit()
    assert (report.polygons_changed, report.links_changed) == ((polygon,), (1,))
    assert (mesh.area(polygon), mesh.flags(polygon), mesh.link_state(1).enabled) == (0, 5, False)


@pytest.mark.parametrize("tier", [2, "DYNAMIC", None])
def test_a_tier_is_one_of_the_three(tier: object) -> None:
    with pytest.raises(ArgumentError, match=r"not a Tier, such as Tier\.STATIC"):
        NavMesh(SETTINGS, tier=tier)  # type: ignore[arg-type]


# --- limits


def test_more_tiles_than_promised_are_refused_by_the_commit_and_stay_staged() -> None:
    mesh = mesh_of(Tier.DYNAMIC, Limits(tiles=3))
    mesh.stage_tile(floor(2))
    mesh.stage_tile(floor(3))
    with pytest.raises(LimitError, match=r"tiles: this commit would make 4; limits\.tiles is 3"):
        mesh.commit()
    assert (mesh.tile_count, mesh.staged_count, mesh.edit_count) == (2, 2, 1)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    assert mesh.tile_count == 3


def test_more_polygons_than_promised_are_refused_by_the_commit() -> None:
    mesh = mesh_of(Tier.DYNAMIC, Limits(polygons=5))
    mesh.stage_tile(floor(0, parts=5))
    with pytest.raises(LimitError, match=r"polygons: this commit would make 6; limits\.polygons is 5"):
        mesh.commit()
    mesh.stage_tile(floor(0, parts=4))
    mesh.commit()
    assert mesh.polygon_count == 5


def test_more_crossings_of_links_than_promised_are_refused_when_staged() -> None:
    mesh = mesh_of(Tier.DYNAMIC, Limits(link_crossings=2))
    mesh.stage_link(LinkDef((2, 0, 3), (12, 0, 3), 0.5, 0.5))
    with pytest.raises(LimitError, match="links"):
        mesh.stage_link(LinkDef((2, 0, 4), (12, 0, 4), 0.5, 0.5))


@pytest.mark.parametrize("name", ["tiles", "polygons", "link_crossings"])
@pytest.mark.parametrize("value", [-1, 1.5, "3", True])
def test_a_limit_is_a_whole_number_of_zero_or_more(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=f"Limits.{name} is"):
        Limits(**{name: value})  # type: ignore[arg-type]


def test_limits_are_limits() -> None:
    with pytest.raises(ArgumentError, match="limits is 5, not Limits"):
        NavMesh(SETTINGS, limits=5)  # type: ignore[arg-type]
