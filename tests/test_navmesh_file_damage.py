"""Navmesh files that are damaged, or not what they say: each is refused by name, and nothing else changes."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path
from random import Random

import pytest

from onepath import NavMesh
from onepath.errors import ArgumentError, TileFormatError
from onepath.io.link_records import LINK_TYPE
from onepath.io.navmesh_file import SECTIONS, SECTIONS_AT, START, decode_navmesh, encode_navmesh
from tests.meshes import grid, seam, settings_of, strip
from tests.meta.tree import ROOT
from tests.navmesh_files import DIRECTORY_AT, linked, named, resealed, scarred
from tests.tile_bytes import sealed


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
    assert struct.unpack_from("<" + rows["116"], data, 116) == (len(SECTIONS),)
    assert struct.unpack_from("<" + rows["128"], data, 128) == (10,)
    assert f"| {SECTIONS_AT} | | the sections" in document
    names = re.findall(r"^\| `(\w+)` \|", document, re.MULTILINE)
    stored = [
        struct.unpack_from("<8s", data, DIRECTORY_AT + 24 * i)[0].rstrip(b"\0").decode() for i in range(len(SECTIONS))
    ]
    assert names[-len(SECTIONS) :] == stored
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
