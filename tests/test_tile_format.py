"""docs/tile-format.md: a reader that knows nothing but the document finds in a tile what the library finds."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from onepath.errors import ArgumentError
from onepath.mesh import Tile
from onepath.mesh._checksum import checksum_of
from tests.meshes import rectangle, settings_of, tile_of
from tests.meta.tree import ROOT
from tests.test_tile import sample_tile

DOCUMENT = (ROOT / "docs" / "tile-format.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+) \| `(\w+)` \| ([^|]+) \|(?: (\d) \|)?", re.MULTILINE)
HEADER, SECTIONS = (list(ROW.finditer(part)) for part in DOCUMENT.split("## The sections"))


def header_of(data: bytes) -> dict[str, Any]:
    return {row[3]: struct.unpack_from("<" + row[2], data, int(row[1]))[0] for row in HEADER}


def sections_of(data: bytes, header: dict[str, Any]) -> dict[str, list[Any]]:
    """The sections in the order of the table, each from the next multiple of 8."""
    at, found = 128, {}
    for row in SECTIONS:
        words = row[3].replace(", detail only", "").replace(", marked only", "").split(" + ")
        count = sum(int(word) if word.isdigit() else header[word] for word in words) * int(row[4])
        if "detail only" in row[3]:
            count *= header["has_detail"]
        if "marked only" in row[3]:
            count *= header["has_volumes"]
        form = f"<{count}{row[2]}"
        found[row[1]] = list(struct.unpack_from(form, data, at))
        at += -(-struct.calcsize(form) // 8) * 8
    assert at == len(data) == header["size"]
    return found


def documented_checksum() -> Callable[[bytes], int]:
    names: dict[str, Any] = {}
    exec(re.search(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[1], names)  # type: ignore[index]
    return names["xxh64"]  # type: ignore[no-any-return]


TILES = {
    "with detail": sample_tile(),
    "plain": tile_of(-3, 7, [rectangle(-24, 56, -20, 60), rectangle(-20, 56, -17, 60)], settings_of(), layer=9),
    "marked": Tile.from_arrays(
        0,
        0,
        [(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0)],
        [0, 3, 6],
        [0, 1, 2, 0, 2, 3],
        settings_of(),
        volumes=[0, 513],
    ),
    "empty": Tile.from_arrays(0, 0, [], [0], [], settings_of()),
}


@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
def test_the_header_table_reads_a_tile_s_header(tile: Tile) -> None:
    header = header_of(tile.to_bytes())
    assert len(header) == 23
    assert sum(struct.calcsize("<" + row[2]) for row in HEADER) == 128
    assert (header["magic"], header["version"]) == (b"ONEPTILE", 1)
    assert (header["column"], header["row"], header["layer"]) == (tile.column, tile.row, tile.layer)
    assert (header["vertices"], header["polygons"]) == (tile.vertex_count, tile.polygon_count)
    assert (header["has_detail"], header["has_volumes"]) == (tile.has_detail, tile.has_volumes)
    settings = asdict(tile.settings)
    agent = settings.pop("agent")
    settings |= {"agent_radius": agent["radius"], "agent_height": agent["height"]}
    settings |= {name: agent[name] for name in ("max_climb", "max_slope")}
    assert {name: header[name] for name in settings} == settings


@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
def test_the_section_table_reads_the_same_arrays(tile: Tile) -> None:
    sections = sections_of(tile.to_bytes(), header_of(tile.to_bytes()))
    assert len(sections) == 11
    for name, values in sections.items():
        if (name.startswith("detail") and not tile.has_detail) or (name == "volumes" and not tile.has_volumes):
            assert values == []
        else:
            assert values == np.ravel(tile.section(name)).tolist()


@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
def test_the_documented_checksum_is_the_tile_s(tile: Tile) -> None:
    data = tile.to_bytes()
    assert header_of(data)["checksum"] == documented_checksum()(data[24:])


def test_the_documented_checksum_is_ours_for_every_length() -> None:
    data = bytes((37 * i * i + 11 * i) % 256 for i in range(200))
    xxh64 = documented_checksum()
    for size in range(0, 200, 8):
        assert checksum_of(data[:size]) == xxh64(data[:size])
        assert checksum_of(memoryview(data)[3 : size + 3]) == xxh64(data[3 : size + 3])


def test_a_length_that_is_no_multiple_of_eight_is_refused() -> None:
    with pytest.raises(ArgumentError, match="9 bytes"):
        checksum_of(b"123456789")
