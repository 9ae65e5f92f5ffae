"""Named volumes: what they mark in a bake, what is kept of it in tiles, and areas set for good."""

from __future__ import annotations

import math

import numpy as np
import pytest

import onepath
from onepath import Areas, ConvexVolume, Level, NavMesh, Tile
from onepath.build import CompactHeightfield, apply_volume
from onepath.errors import ArgumentError, LimitError, RangeError, TileFormatError
from tests.baked import SLIM, STANDARD, ground_area
from tests.meshes import rectangle, settings_of, strip, turned

AREAS = Areas(water=4.0, lava=math.inf)
SETTINGS = settings_of()


def box(
    x0: float, z0: float, x1: float, z1: float, area: int | str = "ground", name: str | None = None
) -> ConvexVolume:
    return ConvexVolume([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], -1.0, 1.0, area, name)


def plain(width: float = 16.0, depth: float = 8.0) -> Level:
    level = Level()
    level.add_plane((0, 0), (width, depth))
    return level


def baked(*volumes: ConvexVolume, **options: object) -> NavMesh:
    return onepath.bake(plain(), SLIM, volumes=volumes, areas=AREAS, **options)  # type: ignore[arg-type]


def marked_area(mesh: NavMesh, name: str) -> float:
    """Square metres of what a volume marked."""
    return sum(ground_area(mesh.polygon(int(reference))) for reference in mesh.volume_polygons(name))


def marked_tile(column: int, volumes: list[int], areas: list[int] | None = None) -> Tile:
    """A tile of bands along x, each marked by a volume or by none."""
    cuts = [8 * i / len(volumes) for i in range(len(volumes) + 1)]
    corners = [turned(rectangle(cuts[i], 0, cuts[i + 1], 8)) for i in range(len(volumes))]
    return Tile.from_arrays(
        column,
        0,
        np.array(corners).reshape(-1, 3),
        list(range(0, 4 * len(volumes) + 1, 4)),
        list(range(4 * len(volumes))),
        SETTINGS,
        areas=areas,
        volumes=volumes,
    )


def mesh_of(*tiles: Tile, names: tuple[str, ...] = ("gate", "pond")) -> NavMesh:
    mesh = NavMesh(SETTINGS, areas=AREAS, volume_names=names)
    for tile in tiles:
        mesh.stage_tile(tile)
    mesh.commit()
    return mesh


# --- baking


def test_polygons_end_where_a_named_volume_does_even_with_the_same_area() -> None:
    mesh = baked(box(2, 2, 5, 6, name="gate"))
    assert mesh.volume_names == ("gate",)
    assert marked_area(mesh, "gate") == pytest.approx(12.0)
    assert mesh.walkable_area == pytest.approx(baked().walkable_area)
    assert {int(area) for tile in mesh.tiles() for area in tile.areas} == {63}


def test_a_volume_over_several_tiles_marks_in_all_of_them() -> None:
    mesh = baked(box(6, 1, 11, 3, name="gate"))
    assert marked_area(mesh, "gate") == pytest.approx(10.0)
    slots = {int(reference) >> 21 & 0xFFFFF for reference in mesh.volume_polygons("gate")}
    assert slots == {mesh.tile(0, 0).slot, mesh.tile(1, 0).slot}


def test_volumes_of_one_name_are_one() -> None:
    mesh = baked(box(1, 1, 3, 3, name="gate"), box(9, 1, 11, 3, "water", name="gate"))
    assert mesh.volume_names == ("gate",)
    assert marked_area(mesh, "gate") == pytest.approx(8.0)
    assert {mesh.area(int(r)) for r in mesh.volume_polygons("gate")} == {63, AREAS.id("water")}


def test_of_overlapping_volumes_the_later_one_marks() -> None:
    mesh = baked(box(1, 1, 5, 5, name="gate"), box(3, 1, 7, 5, "water", name="pond"), box(4, 1, 5, 5, "lava"))
    assert marked_area(mesh, "gate") == pytest.approx(8.0)
    assert marked_area(mesh, "pond") == pytest.approx(12.0)


def test_a_named_volume_of_area_zero_marks_nothing_that_could_come_back() -> None:
    mesh = baked(box(2, 2, 5, 6, 0, name="gate"))
    assert mesh.volume_names == ("gate",)
    assert len(mesh.volume_polygons("gate")) == 0
    assert mesh.walkable_area == pytest.approx(baked().walkable_area - 12.0)


def test_tiles_without_marks_have_the_bytes_they_would_have_without_the_names() -> None:
    named, bare = baked(box(2, 2, 5, 6, "water", name="pond")), baked(box(2, 2, 5, 6, "water"))
    assert not any(tile.tile.has_volumes for tile in bare.tiles())
    assert [(tile.column, tile.row) for tile in named.tiles() if tile.tile.has_volumes] == [(0, 0)]
    assert named.tile(1, 0).tile == bare.tile(1, 0).tile
    assert named.tile(0, 0).areas.tolist() == bare.tile(0, 0).areas.tolist()
    with pytest.raises(ArgumentError, match="section 'volumes'"):
        bare.tile(0, 0).tile.section("volumes")


def test_names_of_areas_in_volumes_and_level_are_the_bake_s() -> None:
    level = plain()
    level.add_box((10, 0, 2), (14, 1.0, 6), area="water", name="pool")
    mesh = onepath.bake(level, SLIM, volumes=[box(2, 2, 5, 6, "lava")], areas=AREAS)
    found = {mesh.areas.name(int(area)) for tile in mesh.tiles() for area in tile.areas}
    assert found == {"ground", "water", "lava"}
    assert mesh.areas == AREAS


def test_unknown_names_of_areas_are_refused_with_the_known_ones() -> None:
    known = "which names no area; known are ground"
    with pytest.raises(ArgumentError, match=f"area is 'swamp', {known}, water, lava"):
        baked(box(2, 2, 5, 6, "swamp"))
    level = Level()
    level.add_plane((0, 0), (4, 4), area="swamp", name="low ground")
    with pytest.raises(ArgumentError, match=f"area of 'low ground' is 'swamp', {known}"):
        onepath.bake(level)


def test_an_area_above_the_builder_s_is_refused_for_triangles() -> None:
    level = Level()
    level.add_plane((0, 0), (4, 4), area="ice")
    with pytest.raises(RangeError, match="area 'ice' has the id 200"):
        level.triangles(Areas.with_ids({"ice": 200}))


def test_more_names_than_a_tile_can_tell_apart_are_refused() -> None:
    def cells(count: int) -> list[ConvexVolume]:
        return [box(0.25 * i % 8, i // 32, 0.25 * (i % 32 + 1), i // 32 + 1, name=f"cell {i}") for i in range(count)]

    far = [box(13.0, 4, 14.0, 5, name=f"far {i}") for i in range(5)]
    assert len(baked(*cells(192), *far).volume_names) == 197
    with pytest.raises(LimitError, match=r"tile \(0, 0\) has more than 192"):
        baked(*cells(256))


def test_exactly_192_names_are_told_apart_and_those_that_mark_nothing_do_not_count() -> None:
    places = [(1 + 0.25 * (i % 24), 1 + 0.75 * (i // 24)) for i in range(193)]
    cells = [box(x, z, x + 0.25, z + 0.75, name=f"cell {i}") for i, (x, z) in enumerate(places)]
    above = [ConvexVolume([(1, 1), (2, 1), (2, 2)], 5.0, 6.0, 63, f"above {i}") for i in range(5)]
    far = [box(13.0, 4, 14.0, 5, name=f"far {i}") for i in range(5)]
    mesh = baked(*above, *cells[:192], *above, *far)
    assert all(len(mesh.volume_polygons(f"cell {i}")) > 0 for i in range(192))
    with pytest.raises(LimitError, match=r"tile \(0, 0\) has more than 192"):
        baked(*cells)


def test_a_name_with_two_areas_keeps_both_in_one_tile() -> None:
    mesh = baked(box(1, 1, 3, 3, name="gate"), box(4, 1, 6, 3, "water", name="gate"))
    assert marked_area(mesh, "gate") == pytest.approx(8.0)
    assert sorted({mesh.area(int(r)) for r in mesh.volume_polygons("gate")}) == sorted({63, AREAS.id("water")})


@pytest.mark.parametrize("name", [None, "pit"])
def test_a_volume_of_area_zero_takes_what_lies_in_it_and_no_margin_for_the_body(name: str | None) -> None:
    """Volumes are applied after erosion."""
    pit = box(3, 2, 6, 6, 0, name)
    whole, pitted = (onepath.bake(plain(), STANDARD, volumes=volumes) for volumes in ([], [pit]))
    assert whole.walkable_area - pitted.walkable_area == pytest.approx(12.0)


@pytest.mark.parametrize("name", ["", 5, b"gate"])
def test_a_name_is_a_text(name: object) -> None:
    with pytest.raises(ArgumentError, match="name is"):
        box(0, 0, 1, 1, name=name)  # type: ignore[arg-type]


def test_volumes_with_names_are_values() -> None:
    gate = box(0, 0, 1, 1, "water", "gate")
    assert (gate.area, gate.name) == ("water", "gate")
    assert eval(repr(gate), {"ConvexVolume": ConvexVolume}) == gate
    assert gate != box(0, 0, 1, 1, "water")
    assert gate.resolved(AREAS) == box(0, 0, 1, 1, 1, "gate")
    assert box(0, 0, 1, 1).area == 63


def test_a_stage_called_alone_wants_an_id() -> None:
    field = onepath.build.SolidHeightfield.from_spans(
        onepath.build.HeightfieldFrame.from_bounds((0, 0, 0), (2, 2, 2), 1.0, 1.0), [(0, 0, 0, 1, 63)]
    )
    with pytest.raises(ArgumentError, match="volume has the area 'water'"):
        apply_volume(CompactHeightfield.build(field, 1, 1), box(0, 0, 1, 1, "water"))


# --- tiles


def test_tiles_keep_what_marked_their_polygons() -> None:
    tile = marked_tile(0, [0, 2, 1, 2])
    assert tile.section("volumes").tolist() == [0, 2, 1, 2]
    assert Tile.from_bytes(tile.to_bytes()) == tile
    assert mesh_of(tile).tile(0, 0).volumes.tolist() == [0, 2, 1, 2]
    assert mesh_of(marked_tile(0, [0, 0])).tile(0, 0).volumes.tolist() == [0, 0]
    assert marked_tile(0, [0, 0]) == marked_tile(0, [0, 0]).from_bytes(marked_tile(0, [0, 0]).to_bytes())
    assert not marked_tile(0, [0, 0]).has_volumes


@pytest.mark.parametrize("volumes", [[1], [1, 65536], [1, -1], [0.5, 1], "ab"])
def test_bad_volumes_of_a_tile_are_refused(volumes: object) -> None:
    with pytest.raises(ArgumentError, match="volumes"):
        Tile.from_arrays(
            0,
            0,
            [(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0)],
            [0, 3, 6],
            [0, 1, 2, 0, 2, 3],
            SETTINGS,
            volumes=volumes,  # type: ignore[arg-type]
        )


# --- areas set for good


def test_a_volume_s_area_reaches_all_its_polygons() -> None:
    mesh = mesh_of(marked_tile(0, [0, 1, 1]), marked_tile(1, [1, 2]))
    mesh.stage_volume_area("gate", "water")
    assert mesh.tile(0, 0).areas.tolist() == [63, 63, 63]
    report = mesh.commit()
    assert mesh.tile(0, 0).areas.tolist() == [63, 1, 1]
    assert mesh.tile(1, 0).areas.tolist() == [1, 63]
    assert report.volumes_changed == ("gate",)
    assert report.polygons_changed == tuple(mesh.volume_polygons("gate").tolist())
    assert (mesh.volume_area("gate"), mesh.volume_area("pond")) == (1, None)


def test_it_is_kept_when_a_tile_is_replaced_and_when_one_comes_later() -> None:
    mesh = mesh_of(marked_tile(0, [0, 1]))
    mesh.set_area("gate", 0)
    mesh.stage_tile(marked_tile(0, [1, 0, 1]))
    mesh.stage_tile(marked_tile(1, [1]))
    report = mesh.commit()
    assert mesh.tile(0, 0).areas.tolist() == [0, 63, 0]
    assert mesh.tile(1, 0).areas.tolist() == [0]
    assert (report.polygons_changed, report.volumes_changed) == ((), ())


def test_none_gives_the_polygons_back_what_they_were_baked_with() -> None:
    mesh = mesh_of(marked_tile(0, [1, 1, 0], areas=[5, 6, 7]))
    mesh.set_area("gate", 0)
    mesh.stage_volume_area("gate", None)
    assert mesh.commit().volumes_changed == ("gate",)
    assert mesh.tile(0, 0).areas.tolist() == [5, 6, 7]
    assert mesh.volume_area("gate") is None
    mesh.stage_tile(marked_tile(0, [1, 1], areas=[8, 9]))
    mesh.commit()
    assert mesh.tile(0, 0).areas.tolist() == [8, 9]


@pytest.mark.parametrize("volume_first", [True, False])
def test_in_one_commit_a_polygon_s_own_area_goes_before_its_volume_s(volume_first: bool) -> None:
    mesh = mesh_of(marked_tile(0, [1, 1]))
    if volume_first:
        mesh.stage_volume_area("gate", 0)
    mesh.stage_area(mesh.reference(0, 0, 0), 9)
    if not volume_first:
        mesh.stage_volume_area("gate", 0)
    mesh.commit()
    assert mesh.tile(0, 0).areas.tolist() == [9, 0]


def test_a_later_volume_area_overwrites_polygons_changed_before() -> None:
    mesh = mesh_of(marked_tile(0, [1, 1]))
    mesh.set_area(mesh.reference(0, 0, 0), 9)
    mesh.set_area("gate", 3)
    assert mesh.tile(0, 0).areas.tolist() == [3, 3]


def test_a_volume_without_polygons_keeps_its_area_for_those_to_come() -> None:
    mesh = mesh_of(marked_tile(0, [0]))
    mesh.stage_volume_area("pond", "lava")
    report = mesh.commit()
    assert report
    assert (report.volumes_changed, report.edit_count) == (("pond",), 2)
    assert not mesh.commit()
    mesh.stage_volume_area("pond", "lava")
    assert not mesh.commit()
    mesh.stage_tile(marked_tile(1, [2]))
    mesh.commit()
    assert mesh.tile(1, 0).areas.tolist() == [2]


def test_a_number_without_a_name_marks_nothing() -> None:
    mesh = mesh_of(marked_tile(0, [7, 1]))
    mesh.set_area("gate", 0)
    assert mesh.tile(0, 0).areas.tolist() == [63, 0]


def test_an_unknown_volume_is_refused_with_the_known_ones() -> None:
    mesh = mesh_of(marked_tile(0, [1]))
    for call in (mesh.volume_polygons, mesh.volume_area, lambda name: mesh.stage_volume_area(name, 0)):
        with pytest.raises(ArgumentError, match="name is 'door', which names no volume; known are gate, pond"):
            call("door")
    with pytest.raises(ArgumentError, match="known are none"):
        strip(2).set_area("door", 0)


def test_a_gate_opens_and_closes_a_way() -> None:
    mesh = baked(box(6, 0, 7, 8, name="gate"))
    ends = (2, 0, 4), (12, 0, 4)
    assert mesh.find_path(*ends)
    mesh.set_area("gate", 0)
    assert not mesh.find_path(*ends)
    mesh.set_area("gate", None)
    assert mesh.find_path(*ends)


@pytest.mark.parametrize("names", ["gate", ("gate", "gate"), (5,), ["a"] * 2])
def test_names_of_volumes_are_different_texts(names: object) -> None:
    with pytest.raises(ArgumentError, match="volume_names"):
        NavMesh(SETTINGS, volume_names=names)  # type: ignore[arg-type]


def test_a_section_of_volumes_that_marks_nothing_is_no_tile() -> None:
    from tests.tile_bytes import sealed

    tile = marked_tile(0, [1])
    data = bytearray(tile.to_bytes())
    data[-8:] = bytes(8)
    with pytest.raises(TileFormatError, match="volumes is there although no named volume marked a polygon") as caught:
        Tile.from_bytes(sealed(data))
    assert caught.value.section == "volumes"
