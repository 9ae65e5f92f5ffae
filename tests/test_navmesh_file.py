"""Navmesh files: what comes back, and that damage is named and never crashes."""

from __future__ import annotations

import copy
import math
import os
import pickle
import re
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from onepath import NavMesh
from onepath.errors import ArgumentError, BusyError, LimitError, TileFormatError
from onepath.geometry.areas import Areas
from onepath.io.link_records import LINK_TYPE
from onepath.io.navmesh_file import SECTIONS_AT, START, _decode, decode_navmesh, encode_navmesh
from onepath.mesh._checksum import checksum_of
from onepath.mesh._state import restore_state
from onepath.mesh.link import LinkDef
from onepath.mesh.tier import Limits, Tier
from tests.meshes import grid, rectangle, seam, settings_of, strip, tile_of
from tests.meta.tree import ROOT
from tests.test_mesh_links import made_links
from tests.tile_bytes import sealed

DIRECTORY_AT = SECTIONS_AT - 8 * 24


def resealed(data: bytes | bytearray) -> bytes:
    """The file with the checksum that its header and sections should have, where the header can still be read."""
    data = bytearray(data)
    _, at, length = struct.unpack_from("<8sQQ", data, SECTIONS_AT - 24)
    blocks_at = at + (length + 7 & ~7)
    if blocks_at <= len(data) and blocks_at % 8 == 0:
        struct.pack_into("<Q", data, 16, checksum_of(bytes(data[24:blocks_at])))
    return bytes(data)


def content(mesh: NavMesh) -> object:
    tiles = [
        (v.slot, v.generation, v.tile, v.frontier_sides, v.areas.tolist(), v.flags.tolist(), made_links(mesh, v))
        for v in mesh.tiles()
    ]
    named = mesh.areas, mesh.volume_names, mesh._modifiers.volumes()
    return mesh.settings, mesh.grid_bounds, mesh.edit_count, tiles, link_content(mesh), named


def link_content(mesh: NavMesh) -> object:
    listed = [repr(v.links.tolist()) for v in mesh.tiles()]
    return mesh.link_records(), [mesh.link_state(link.id) for link in mesh.link_records()], listed


def linked() -> NavMesh:
    """Links of all sorts: attached, hanging, wide, disabled, dearer than at first, removed, with data of each type."""
    mesh = strip(8, grid_bounds=(0, -1, 8, 0))
    data = [None, -5, 0.5, "a gate é", b"\x00\xff", ""]
    ids = [
        mesh.stage_link(
            LinkDef(
                (2 + i, 0.1, 2), (20 + i, 0.1, 2), 0.5, 0.5, cost=i, kind=i, flags=i + 1, capacity=i or None, data=d
            )
        )
        for i, d in enumerate(data)
    ]
    wide = mesh.stage_link(LinkDef((6, 0, 2), (12, 0, 2), 1, 1, width=3.0, kind=63, area=9, bidirectional=True))
    mesh.stage_link(LinkDef((6, 0, 2), (12, 9, 2), 1, 1))
    mesh.commit()
    mesh.stage_link_enable(ids[1], False)
    mesh.stage_link_cost(wide, 2.5)
    mesh.stage_link_removal(ids[2])
    mesh.stage_link_removal(mesh.stage_link(LinkDef((6, 0, 2), (12, 9, 2), 1, 1)))
    mesh.commit()
    return mesh


def scarred() -> NavMesh:
    """A mesh whose slots are in disorder: three tiles, one replaced twice, a slot that is free and used up once."""
    mesh, settings = NavMesh(settings_of(), (0, 0, 3, 0)), settings_of()
    for column in (3, 1, 2, 0):
        mesh.stage_tile(tile_of(column, 0, [rectangle(8 * column, 0, 8 * column + 8, 8)], settings))
        mesh.commit()
    for _ in range(2):
        mesh.stage_tile(tile_of(1, 0, [rectangle(8, 0, 16, 8), rectangle(9, 1, 10, 2, y=3)], settings))
        mesh.commit()
    mesh.stage_tile_removal(2, 0)
    mesh.commit()
    return mesh


# --- what comes back


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("grid_bounds", [None, (-3, -3, 5, 4)])
def test_a_saved_mesh_comes_back(tmp_path: Path, grid_bounds: tuple[int, int, int, int] | None, mmap: bool) -> None:
    mesh = strip(6, grid_bounds=grid_bounds)
    mesh.save(tmp_path / "level.navmesh")
    assert content(NavMesh.load(str(tmp_path / "level.navmesh"), mmap=mmap)) == content(mesh)


@pytest.mark.parametrize("mmap", [False, True])
def test_an_empty_mesh_comes_back(tmp_path: Path, mmap: bool) -> None:
    NavMesh(settings_of()).save(tmp_path / "empty.navmesh")
    assert content(NavMesh.load(tmp_path / "empty.navmesh", mmap=mmap)) == content(NavMesh(settings_of()))


def test_slots_and_generations_come_back() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [(v.column, v.slot, v.generation) for v in again.tiles()] == [(3, 0, 1), (1, 1, 3), (0, 3, 1)]


def test_a_reference_is_valid_or_stale_as_before() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    references = [generation << 41 | slot << 21 | p for generation in range(5) for slot in range(5) for p in range(3)]
    assert [again.is_valid(r) for r in references] == [mesh.is_valid(r) for r in references]
    assert 3 < sum(map(mesh.is_valid, references)) < len(references)


def test_the_next_tile_takes_the_same_slot_and_generation() -> None:
    mesh = scarred()
    again = NavMesh.from_bytes(mesh.to_bytes())
    for each in (mesh, again):
        each.stage_tile(tile_of(2, 0, [rectangle(16, 0, 24, 8)], settings_of()))
        each.commit()
    assert content(again) == content(mesh)
    assert again.tile(2, 0).generation == 2


def test_a_used_up_slot_stays_retired() -> None:
    mesh = strip(4, grid_bounds=None)
    mesh.stage_tile_removal(0, 0)
    mesh.commit()
    data = bytearray(mesh.to_bytes())
    struct.pack_into("<i", data, SECTIONS_AT, 2**22)  # the generation of slot 0, now empty
    used_up = resealed(data)
    again = NavMesh.from_bytes(used_up)
    assert again.to_bytes() == used_up
    again.stage_tile(tile_of(3, 0, [], mesh.settings))
    again.commit()
    assert [v.slot for v in again.tiles()] == [1, 2]


def named() -> NavMesh:
    """Three named areas, two volumes one of which was given an area, and polygons whose area and flags were changed."""
    areas = Areas({"road": 7}, water=4.0, lava=math.inf, road=0.5)
    mesh = NavMesh(settings_of(), areas=areas, volume_names=["hall", "gate é"])
    for column in range(3):
        squares = [rectangle(8 * column, 0, 8 * column + 8, 4), rectangle(8 * column, 4, 8 * column + 8, 8)]
        mesh.stage_tile(tile_of(column, 0, squares, settings_of()))
    mesh.commit()
    mesh.stage_area(mesh.reference(1, 0, 1), "lava")
    mesh.stage_flags(mesh.reference(1, 0, 0), 0x1234)
    mesh.stage_volume_area("gate é", "water")
    mesh.commit()
    return mesh


def test_areas_and_flags_that_were_changed_come_back() -> None:
    mesh = named()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [(v.areas.tolist(), v.flags.tolist()) for v in again.tiles()] == [
        ([63, 63], [1, 1]),
        ([63, 2], [0x1234, 1]),
        ([63, 63], [1, 1]),
    ]


def test_named_areas_and_volumes_come_back() -> None:
    again = NavMesh.from_bytes(named().to_bytes())
    assert again.areas.to_dict() == {"ground": (63, 1), "water": (1, 4), "lava": (2, math.inf), "road": (7, 0.5)}
    assert again.volume_names == ("hall", "gate é")
    assert again.volume_area("gate é") == 1
    assert again.volume_area("hall") is None


def test_a_file_keeps_no_promises_and_copies_do(tmp_path: Path) -> None:
    mesh = NavMesh(settings_of(), tier=Tier.STATIC, limits=Limits(tiles=3))
    mesh.save(tmp_path / "level.navmesh")
    assert (copy.copy(mesh).tier, copy.copy(mesh).limits) == (Tier.STATIC, Limits(tiles=3))
    assert NavMesh.load(tmp_path / "level.navmesh").tier is Tier.DYNAMIC
    promised = NavMesh.load(tmp_path / "level.navmesh", tier=Tier.MODIFIERS, limits=Limits(tiles=1))
    assert (promised.tier, promised.limits) == (Tier.MODIFIERS, Limits(tiles=1))


def test_a_mesh_larger_than_the_limits_is_refused() -> None:
    data = strip(4).to_bytes()
    for limits in (Limits(tiles=1), Limits(polygons=3)):
        with pytest.raises(LimitError, match="limits"):
            NavMesh.from_bytes(data, limits=limits)
    assert NavMesh.from_bytes(data, limits=Limits(tiles=2, polygons=4)).tile_count == 2


@pytest.mark.parametrize("promise", [{"tier": 2}, {"limits": 5}])
def test_a_wrong_promise_is_the_caller_s_mistake(promise: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(promise))) as caught:
        NavMesh.from_bytes(strip(2).to_bytes(), **promise)  # type: ignore[arg-type]
    assert not isinstance(caught.value, TileFormatError)


def test_links_come_back_with_their_ids_disabled_ones_too() -> None:
    mesh = linked()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert content(again) == content(mesh)
    assert [link.id for link in again.link_records()] == [1, 2, 4, 5, 6, 7, 8]
    assert [link.enabled for link in again.link_records()][:3] == [True, False, True]
    assert [type(link.definition.data) for link in again.link_records()][:4] == [type(None), int, str, bytes]


def test_an_id_that_was_given_away_is_not_given_again() -> None:
    mesh = linked()
    link = LinkDef((6, 0, 2), (12, 0, 2), 1, 1)
    assert NavMesh.from_bytes(mesh.to_bytes()).stage_link(link) == mesh.stage_link(link) == 10


def test_a_link_that_hung_attaches_when_its_tile_comes_after_loading() -> None:
    mesh = linked()
    mesh.stage_tile_removal(2, 0)
    mesh.commit()
    again = NavMesh.from_bytes(mesh.to_bytes())
    assert not again.link_state(1).attached
    again.stage_tile(strip(8).tile(2, 0).tile)
    again.commit()
    assert again.link_state(1).attached


def test_what_is_staged_is_left_out() -> None:
    mesh = strip(4)
    data = mesh.to_bytes()
    mesh.stage_tile_removal(0, 0)
    assert mesh.to_bytes() == data


@pytest.mark.parametrize("make", [scarred, linked, named, lambda: NavMesh(settings_of())])
def test_a_second_save_gives_the_same_bytes(make: Callable[[], NavMesh]) -> None:
    mesh = make()
    assert NavMesh.from_bytes(mesh.to_bytes()).to_bytes() == mesh.to_bytes()


def test_tiles_begin_on_eight_bytes() -> None:
    data = scarred().to_bytes()
    places = [at for at in range(len(data)) if data.startswith(b"ONEPTILE", at)]
    assert len(places) == 3
    assert all(at % 8 == 0 for at in places)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda mesh: pickle.loads(pickle.dumps(mesh))])
def test_copies_and_pickles_are_meshes_of_their_own(copied: object) -> None:
    mesh = scarred()
    mesh.report = {"tiles": 3}
    again = copied(mesh)  # type: ignore[operator]
    assert content(again) == content(mesh)
    assert again.report == mesh.report
    mesh.stage_tile_removal(1, 0)
    mesh.commit()
    assert (mesh.tile_count, again.tile_count) == (2, 3)


def test_a_subclass_loads_itself(tmp_path: Path) -> None:
    class World(NavMesh):
        pass

    strip(2).save(tmp_path / "level.navmesh")
    loaded = World.load(tmp_path / "level.navmesh")
    assert type(loaded) is World
    assert type(World.from_bytes(loaded.to_bytes())) is World


def test_saving_counts_as_a_query() -> None:
    mesh = strip(2)
    mesh._begin_reading()
    mesh.to_bytes()
    with pytest.raises(BusyError):
        mesh.commit()
    mesh._end_reading()


def test_arrays_of_a_mapped_mesh_outlive_it(tmp_path: Path) -> None:
    strip(4).save(tmp_path / "level.navmesh")
    vertices = NavMesh.load(tmp_path / "level.navmesh", mmap=True).tile(0, 0).vertices
    (tmp_path / "level.navmesh").unlink()
    assert vertices.tolist() == strip(4).tile(0, 0).vertices.tolist()


def test_tiles_of_a_mapped_mesh_are_tiles_like_others(tmp_path: Path) -> None:
    strip(4).save(tmp_path / "level.navmesh")
    mapped, copied = (NavMesh.load(tmp_path / "level.navmesh", mmap=mmap).tile(0, 0).tile for mmap in (True, False))
    assert mapped == copied
    assert hash(mapped) == hash(copied)
    assert mapped.to_bytes() == copied.to_bytes()
    assert pickle.loads(pickle.dumps(mapped)) == copied
    assert not mapped.section("vertices").flags.writeable


def test_a_restoring_that_runs_out_of_memory_leaves_the_mesh_as_it_was() -> None:
    source = linked()
    data = encode_navmesh(source)
    contents = _decode(data)
    rest = (contents.generations, contents.tiles, b"", b"", source.edit_count, source.link_records(), 10)
    mesh = NavMesh(source.settings, source.grid_bounds)
    failures = 0
    for allowed in range(100):
        mesh._limit_allocations(allowed)
        try:
            restore_state(mesh, data, *rest)
            break
        except MemoryError:
            failures += 1
            assert (mesh.tile_count, mesh.polygon_count, mesh.tiles(), mesh.staged_count) == (0, 0, [], 0)
            assert mesh.link_records() == []
    assert failures > 8
    assert content(mesh) == content(source)


# --- what is refused


def test_a_missing_file_is_the_system_s_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        NavMesh.load(tmp_path / "nothing.navmesh")


def test_what_is_no_buffer_is_refused() -> None:
    with pytest.raises(ArgumentError, match="data is a int"):
        NavMesh.from_bytes(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("mmap", [False, True])
def test_an_empty_file_is_refused(tmp_path: Path, mmap: bool) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(TileFormatError, match="0 bytes"):
        NavMesh.load(tmp_path / "empty", mmap=mmap)


def test_every_shorter_length_is_refused() -> None:
    data = encode_navmesh(seam([(0, 8, 0)], [(0, 8, 0)]))
    for length in range(len(data)):
        with pytest.raises(TileFormatError):
            decode_navmesh(data[:length])


def test_every_changed_bit_is_refused() -> None:
    data = scarred().to_bytes()
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        with pytest.raises(TileFormatError):
            decode_navmesh(bytes(damaged))


RECORDS_AT = SECTIONS_AT + 8  # of a mesh with one or two slots
FIRST_TILE_AT = encode_navmesh(strip(4)).index(b"ONEPTILE")
BAD_NUMBERS = [
    (0, "<B", 0, "starts with"),
    (8, "<I", 2, "version 2; this library reads 1"),
    (8, ">I", 1, "other byte order"),
    (12, "<I", 1, "behind the file's version is 1"),
    (24, "<Q", 2**40, "its header says 1099511627776"),
    (32, "<d", -1.0, "cell_size"),
    (32, "<d", 0.1, "not rounded"),
    (40, "<d", float("nan"), "cell_height"),
    (80, "<d", 90.0, "max_slope"),
    (88, "<i", 0, "tile_cells"),
    (96, "<i", 9, "grid_bounds"),
    (112, "<I", 2, "bounds are marked 2"),
    (112, "<I", 0, "bounds are marked 0"),
    (116, "<I", 6, "6 sections"),
    (120, "<q", -1, "edit count is -1"),
    (128, "<q", 0, "next link's id is 0"),
    (DIRECTORY_AT, "<B", 0, "section 0 is named"),
    (DIRECTORY_AT + 8, "<Q", 8, "section slots has 8 bytes at 8"),
    (DIRECTORY_AT + 16, "<Q", 2**63, "section slots has 9223372036854775808 bytes"),
    (DIRECTORY_AT + 16, "<Q", 7, "7 bytes are not the generations"),
    (DIRECTORY_AT + 40, "<Q", 23, "23 bytes are not records|section flags has"),
    (DIRECTORY_AT + 88, "<Q", 1, "section areas has padding"),
    (SECTIONS_AT, "<i", 0, "slot 0 has generation 0"),
    (SECTIONS_AT + 4, "<i", 2**22 + 1, "slot 1 has generation 4194305"),
    (SECTIONS_AT, "<i", 2**22, "tile 0 has a slot that is retired"),
    (RECORDS_AT, "<q", 8, "tile 0 does not begin where"),
    (RECORDS_AT + 8, "<q", -8, "tile 0 has a size outside the file"),
    (RECORDS_AT + 16, "<i", -1, "tile 0 has a slot that is not above"),
    (RECORDS_AT + 16, "<i", 1, "tile 1 has a slot that is not above"),
    (RECORDS_AT + 40, "<i", 2, "tile 1 has a slot that does not exist"),
    (RECORDS_AT + 20, "<i", -1, "tile 0 has a count of changed polygons"),
    (RECORDS_AT + 20, "<i", 1, "0 bytes of flags for 1 polygons"),
    (FIRST_TILE_AT, "<B", 0, "tile 0: tile does not start"),
    (FIRST_TILE_AT + 8, "<B", 2, "tile 0: tile is of another version"),
    (32, "<d", 2.0, r"tile \(0, 0, 0\) was made with cell_size 1.0; this mesh has 2.0"),
]


@pytest.mark.parametrize(("offset", "form", "value", "message"), BAD_NUMBERS)
def test_damage_is_named(offset: int, form: str, value: object, message: str) -> None:
    data = bytearray(encode_navmesh(strip(4)))
    struct.pack_into(form, data, offset, value)
    with pytest.raises(TileFormatError, match=message):
        decode_navmesh(resealed(data))


def with_tile(column: int) -> bytes:
    """A file of two tiles, the second one moved to another column by hand."""
    data = bytearray(encode_navmesh(strip(4)))
    at = struct.unpack_from("<q", data, RECORDS_AT + 24)[0]
    struct.pack_into("<i", data, at + 96, column)
    data[at:] = sealed(data[at:])
    return bytes(data)


@pytest.mark.parametrize(("column", "message"), [(0, "comes twice"), (2, "outside the mesh's bounds")])
def test_a_tile_in_a_wrong_place_is_refused(column: int, message: str) -> None:
    with pytest.raises(TileFormatError, match=message) as caught:
        decode_navmesh(with_tile(column))
    assert (caught.value.section, caught.value.element) == ("tiles", 1)


LINKS_AT = encode_navmesh(linked()).index(struct.pack("<3d", 2, 0.1, 2))
BAD_LINKS = [
    (0, "<d", float("nan"), r"link 0: LinkDef.start\[0\] is NaN"),
    (64, "<d", -1.0, "link 0: LinkDef.cost is -1.0"),
    (80, "<i", 0, r"link 0 has the id 0, not in \(0, 10\)"),
    (80, "<i", 2, r"link 1 has the id 2, not in \(2, 10\)"),
    (80, "<i", 99, r"link 0 has the id 99, not in \(0, 10\)"),
    (84, "<i", -1, "link 0: LinkDef.capacity is -1"),
    (90, "<B", 64, "link 0: LinkDef.kind is 64"),
    (92, "<B", 2, "not written as this library writes them"),
    (94, "<H", 5, "link 0: "),
    (94, "<H", 1, "link 0: "),
    (96, "<q", 2**40, "link 0 has 1099511627776 bytes of data"),
    (96, "<q", -1, "link 0 has -1 bytes of data"),
    (5 * 104 + 72, "<d", 2.0**21, "links: .* crossings"),
]


@pytest.mark.parametrize(("offset", "form", "value", "message"), BAD_LINKS)
def test_a_bad_link_is_named(offset: int, form: str, value: object, message: str) -> None:
    data = bytearray(encode_navmesh(linked()))
    struct.pack_into(form, data, LINKS_AT + offset, value)
    with pytest.raises(TileFormatError, match=message) as caught:
        decode_navmesh(resealed(data))
    assert caught.value.section == "links"


NAMES_AT, VOLUMES_AT = (named().to_bytes().index(name) for name in (b"water", b"hall"))
BAD_NAMES = [
    (NAMES_AT - 12, "<d", 0.0, "names", "cost of area 'water' is 0.0"),
    (NAMES_AT - 4, "<H", 63, "names", "the id of area 'water' is 63"),
    (NAMES_AT - 4, "<H", 9000, "names", "the id of area 'water' is 9000"),
    (NAMES_AT - 2, "<H", 65535, "names", "ends within the name of element 1"),
    (NAMES_AT, "<B", 255, "names", "element 1: 'utf-8' codec"),
    (VOLUMES_AT - 4, "<h", 256, "volumes", "volume 0 has the area 256"),
    (VOLUMES_AT - 4, "<h", -2, "volumes", "volume 0 has the area -2"),
    (VOLUMES_AT - 2, "<H", 13, "volumes", "ends within element 1"),
]


@pytest.mark.parametrize(("offset", "form", "value", "section", "message"), BAD_NAMES)
def test_a_bad_name_is_refused(offset: int, form: str, value: object, section: str, message: str) -> None:
    data = bytearray(named().to_bytes())
    struct.pack_into(form, data, offset, value)
    with pytest.raises(TileFormatError, match=message) as caught:
        decode_navmesh(resealed(data))
    assert caught.value.section == section


def test_a_failed_load_leaves_a_live_mesh_alone(tmp_path: Path) -> None:
    mesh = grid(8, 8)
    before = mesh.to_bytes()
    (tmp_path / "bad").write_bytes(before[:-1])
    with pytest.raises(TileFormatError):
        NavMesh.load(tmp_path / "bad")
    assert mesh.to_bytes() == before


def test_changed_bytes_under_right_checksums_are_refused_or_make_a_sound_mesh() -> None:
    data, random = encode_navmesh(linked()), Random(8)
    tiles_from = data.index(b"ONEPTILE")
    refused = 0
    for _ in range(1000):
        damaged = bytearray(data)
        damaged[random.randrange(START.size, tiles_from)] ^= random.randrange(1, 256)
        try:
            mesh = decode_navmesh(resealed(damaged))
        except TileFormatError:
            refused += 1
            continue
        assert encode_navmesh(mesh) == resealed(damaged)
    assert 300 < refused < 1000


def test_the_document_s_offsets_are_the_file_s() -> None:
    document = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    data = linked().to_bytes()
    rows = dict(re.findall(r"^\| (\d+) \| `?(\w+)", document, re.MULTILINE))
    assert struct.unpack_from("<" + rows["116"], data, 116) == (8,)
    assert struct.unpack_from("<" + rows["128"], data, 128) == (10,)
    assert f"| {SECTIONS_AT} | | the sections" in document
    names = re.findall(r"^\| `(\w+)` \|", document, re.MULTILINE)
    stored = [struct.unpack_from("<8s", data, DIRECTORY_AT + 24 * i)[0].rstrip(b"\0").decode() for i in range(8)]
    assert names[-8:] == stored
    assert f"{LINK_TYPE.itemsize} bytes | see below" in document


# -- what is no file --


@pytest.mark.parametrize("path", [None, 3.5, ["a"]])
def test_what_is_no_name_of_a_file_is_refused_by_name(path):
    with pytest.raises(ArgumentError, match="path is"):
        NavMesh.load(path)
    with pytest.raises(ArgumentError, match="path is"):
        NavMesh(settings_of(), (0, 0, 0, 0)).save(path)


def test_a_damaged_file_is_named_by_its_error(tmp_path):
    path = tmp_path / "damaged.navmesh"
    path.write_bytes(b"ONEP")
    with pytest.raises(TileFormatError, match=r"damaged\.navmesh"):
        NavMesh.load(path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero on this system")
def test_a_device_is_no_mesh_file():
    with pytest.raises(ArgumentError, match="no regular file"):
        NavMesh.load("/dev/zero")
