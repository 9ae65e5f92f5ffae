"""Areas and flags changed on a committed mesh: what is checked when, how long a change lasts, what it leaves alone."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from onepath.errors import ArgumentError, RangeError
from onepath.geometry.areas import Areas
from onepath.mesh import LinkDef, NavMesh
from tests.meshes import commit_short_of_memory, floor, open_mesh, settings_of, strip

SETTINGS = settings_of()


def mesh_of_floors(*columns: int, **options: object) -> NavMesh:
    """Tiles of two polygons each, area 63."""
    return open_mesh(*(floor(column, parts=2) for column in columns), **options)


def test_an_area_is_staged_and_shows_after_the_commit() -> None:
    mesh = mesh_of_floors(0)
    polygon = mesh.reference(0, 0, 1)
    mesh.stage_area(polygon, 5)
    assert (mesh.area(polygon), mesh.staged_count) == (63, 1)
    report = mesh.commit()
    assert (mesh.area(polygon), mesh.area(mesh.reference(0, 0, 0))) == (5, 63)
    assert (report.polygons_changed, report.edit_count, mesh.staged_count) == ((polygon,), 2, 0)


def test_flags_are_staged_and_show_after_the_commit() -> None:
    mesh = mesh_of_floors(0)
    polygon = mesh.reference(0, 0, 0)
    mesh.stage_flags(polygon, 0xFFFF)
    assert mesh.flags(polygon) == 1
    mesh.commit()
    assert (mesh.flags(polygon), mesh.area(polygon)) == (0xFFFF, 63)


def test_area_zero_blocks_a_polygon() -> None:
    mesh = strip(4)
    assert mesh.find_path((1, 0, 2), (15, 0, 2))  # type: ignore[attr-defined]
    mesh.set_area(mesh.reference(1, 0, 0), 0)
    assert not mesh.find_path((1, 0, 2), (15, 0, 2))  # type: ignore[attr-defined]
    mesh.set_area(mesh.reference(1, 0, 0), "ground")
    assert mesh.find_path((1, 0, 2), (15, 0, 2))  # type: ignore[attr-defined]


def test_a_stale_reference_is_refused_by_name_when_it_is_staged() -> None:
    mesh = mesh_of_floors(0)
    old = mesh.reference(0, 0, 0)
    mesh.stage_tile(floor(0, parts=2))
    mesh.commit()
    for stage in (mesh.stage_area, mesh.stage_flags):
        with pytest.raises(ArgumentError, match=f"reference {old} names no committed polygon"):
            stage(old, 1)
    assert mesh.staged_count == 0


@pytest.mark.parametrize("area", [-1, 256])
def test_an_area_out_of_range_is_refused(area: int) -> None:
    mesh = mesh_of_floors(0)
    with pytest.raises(RangeError, match=rf"area is {area}, outside \[0, 255\]"):
        mesh.stage_area(mesh.reference(0, 0, 0), area)


@pytest.mark.parametrize("area", [None, 1.5, True, b"ground"])
def test_an_area_that_is_neither_name_nor_id_is_refused(area: object) -> None:
    mesh = mesh_of_floors(0)
    with pytest.raises(ArgumentError, match="neither the name of an area nor an id"):
        mesh.stage_area(mesh.reference(0, 0, 0), area)  # type: ignore[arg-type]


@pytest.mark.parametrize("flags", [-1, 65536, 0.5, None])
def test_bad_flags_are_refused(flags: object) -> None:
    mesh = mesh_of_floors(0)
    with pytest.raises(ArgumentError, match="flags is"):
        mesh.stage_flags(mesh.reference(0, 0, 0), flags)  # type: ignore[arg-type]


def test_names_of_areas_are_those_of_the_mesh() -> None:
    mesh = mesh_of_floors(0, areas=Areas(water=4.0))
    polygon = mesh.reference(0, 0, 0)
    mesh.set_area(polygon, "water")
    assert mesh.areas.name(mesh.area(polygon)) == "water"
    with pytest.raises(ArgumentError, match="area is 'lava', which names no area; known are ground, water"):
        mesh.stage_area(polygon, "lava")


def test_the_last_of_two_staged_areas_counts() -> None:
    mesh = mesh_of_floors(0)
    polygon = mesh.reference(0, 0, 0)
    mesh.stage_area(polygon, 5)
    mesh.stage_area(polygon, 6)
    mesh.commit()
    assert mesh.area(polygon) == 6


def test_an_area_that_is_there_already_changes_nothing() -> None:
    mesh = mesh_of_floors(0)
    mesh.stage_area(mesh.reference(0, 0, 0), 63)
    report = mesh.commit()
    assert not report
    assert report.edit_count == 1


def test_references_of_changed_polygons_come_by_slot_and_polygon() -> None:
    mesh = mesh_of_floors(0, 1, 2)
    mesh.stage_tile(floor(0, parts=2))
    mesh.commit()
    polygons = [mesh.reference(column, 0, i) for column in range(3) for i in range(2)]
    for polygon in Random(1).sample(polygons, 6):
        mesh.stage_area(polygon, 9)
        mesh.stage_flags(polygon, 3)
    assert mesh.commit().polygons_changed == tuple(polygons)


# --- how long a change lasts


def test_an_area_change_goes_when_its_tile_is_replaced() -> None:
    mesh = mesh_of_floors(0, 1)
    mesh.stage_area(mesh.reference(0, 0, 0), 5)
    mesh.stage_area(mesh.reference(1, 0, 0), 5)
    mesh.commit()
    mesh.stage_tile(floor(0, parts=2))
    mesh.commit()
    assert mesh.area(mesh.reference(0, 0, 0)) == 63
    assert mesh.area(mesh.reference(1, 0, 0)) == 5


def test_an_area_change_goes_when_its_tile_is_removed() -> None:
    mesh = mesh_of_floors(0)
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    mesh.stage_tile(floor(0, parts=2))
    mesh.commit()
    assert mesh.area(mesh.reference(0, 0, 0)) == 63


@pytest.mark.parametrize("area_first", [True, False])
def test_an_area_staged_with_the_replacement_of_its_tile_goes_with_the_old_tile(area_first: bool) -> None:
    mesh = mesh_of_floors(0)
    polygon = mesh.reference(0, 0, 0)
    if area_first:
        mesh.stage_area(polygon, 5)
    mesh.stage_tile(floor(0, parts=2))
    if not area_first:
        mesh.stage_area(polygon, 5)
    report = mesh.commit()
    assert (report.replaced, report.polygons_changed) == (((0, 0, 0),), ())
    assert mesh.tile(0, 0).areas.tolist() == [63, 63]


def test_views_and_arrays_handed_out_stay_as_they_were() -> None:
    mesh = mesh_of_floors(0)
    view = mesh.tile(0, 0)
    areas, flags = view.areas, view.flags
    mesh.stage_area(mesh.reference(0, 0, 0), 5)
    mesh.stage_flags(mesh.reference(0, 0, 0), 8)
    mesh.commit()
    assert (view.areas.tolist(), view.flags.tolist()) == ([63, 63], [1, 1])
    assert areas is view.areas
    assert flags is view.flags
    assert mesh.tile(0, 0).areas.tolist() == [5, 63]
    assert mesh.tile(0, 0).flags.tolist() == [8, 1]


def test_the_tile_s_own_bytes_stay_as_they_were() -> None:
    mesh = mesh_of_floors(0)
    tile = mesh.tile(0, 0).tile
    before = tile.to_bytes()
    mesh.set_area(mesh.reference(0, 0, 0), 5)
    assert mesh.tile(0, 0).tile is tile
    assert tile.to_bytes() == before
    assert tile.section("areas").tolist() == [63, 63]


# --- all or nothing


def test_a_commit_that_fails_changes_no_area_and_keeps_it_staged() -> None:
    mesh = mesh_of_floors(0)
    polygon = mesh.reference(0, 0, 0)
    mesh.stage_area(polygon, 5)
    mesh.stage_flags(polygon, 9)
    mesh.stage_tile(floor(1, parts=2))

    def unchanged() -> bool:
        return (mesh.area(polygon), mesh.flags(polygon), mesh.staged_count, mesh.edit_count) == (63, 1, 3, 1)

    assert commit_short_of_memory(mesh, unchanged) > 0
    assert (mesh.area(polygon), mesh.flags(polygon), mesh.edit_count) == (5, 9, 2)


def test_discarding_forgets_staged_areas_and_flags() -> None:
    mesh = mesh_of_floors(0)
    mesh.stage_area(mesh.reference(0, 0, 0), 5)
    mesh.stage_flags(mesh.reference(0, 0, 0), 9)
    mesh.discard_staged()
    assert mesh.staged_count == 0
    assert not mesh.commit()


def test_changing_areas_leaves_links_and_references_as_they_are() -> None:
    mesh = mesh_of_floors(0, 1)
    before = [(view.links.tobytes(), view.references.tolist()) for view in mesh.tiles()]
    for view in mesh.tiles():
        for reference in view.references:
            mesh.stage_area(reference, 0)
    mesh.commit()
    assert [(view.links.tobytes(), view.references.tolist()) for view in mesh.tiles()] == before
    assert mesh.walkable_area == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_areas_and_flags_are_what_a_dictionary_says(seed: int) -> None:
    random = Random(seed)
    mesh = mesh_of_floors(*range(4))
    expected = {(column, i): [63, 1] for column in range(4) for i in range(2)}
    for _ in range(60):
        replaced = {column for column in range(4) if random.random() < 0.15}
        for column in replaced:
            mesh.stage_tile(floor(column, parts=2))
        for _ in range(random.randrange(6)):
            column, polygon, which = random.randrange(4), random.randrange(2), random.randrange(2)
            value = random.randrange(256)
            (mesh.stage_area, mesh.stage_flags)[which](mesh.reference(column, 0, polygon), value)
            if column not in replaced:
                expected[column, polygon][which] = value
        for column in replaced:
            expected[column, 0], expected[column, 1] = [63, 1], [63, 1]
        mesh.commit()
        found = np.array([[view.areas, view.flags] for view in map(lambda c: mesh.tile(c, 0), range(4))])
        assert [[*found[c, :, i]] for c in range(4) for i in range(2)] == list(expected.values())


def test_a_link_s_area_may_be_a_name_of_the_mesh() -> None:
    mesh = mesh_of_floors(0, 1, areas=Areas(water=4.0))
    swim = mesh.add_link(LinkDef((2, 0, 2), (12, 0, 2), 0.5, 0.5, area="water"))
    assert mesh.link_records()[0].definition.area == mesh.areas.id("water")
    with pytest.raises(ArgumentError, match=r"LinkDef\.area is 'lava', which names no area; known are ground, water"):
        mesh.stage_link(LinkDef((2, 0, 2), (12, 0, 2), 0.5, 0.5, area="lava"))
    assert [record.id for record in mesh.link_records()] == [swim]
