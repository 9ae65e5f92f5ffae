"""Polyanya files: the three versions, walls, marks, the benchmark's own maps, and that damage is named by its line."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import pytest

from onepath import NavMesh
from onepath.errors import TileFormatError
from onepath.io import load_polyanya
from onepath.io.polyanya import parse_polyanya
from tests.data import shared_data

#: Two triangles of a square and a third one beside them, that is cut off from the second by its marks.
VERSION_1 = """mesh
1
5 3
0 0 2 0 -1
4 0 3 0 1 -1
4 4 3 2 1 -1
0 4 3 -1 1 0
8 2 2 2 -1
3 0 1 3   -1 1 -1
3 1 2 3   {across} -1 0
3 1 4 2   -1 -1 {back}
"""
VERSION_2 = """mesh
2
5 3
0 0 2 0 -1
4 0 3 0 1 -1
4 4 3 2 1 -1
0 4 3 -1 1 0
8 2 2 2 -1
3 0 1 3   -1 -1 1
3 1 2 3   0 {across} -1
3 1 4 2   {back} -1 -1
"""
VERSION_3 = """mesh
3
5 3          // vertices, polygons
0 0
4 0
4 4
0 4
8 2
1 3   1 2 4   0 0 2
1 3   2 3 4   1 {across} 0
1 3   2 5 3   {back} 0 0
"""


def text_of(version: int, *, joined: bool = True) -> str:
    """One of the three files with its last polygon joined or walled off."""
    across, back = {1: ("2", "1"), 2: ("2", "1"), 3: ("3", "2")}[version] if joined else ("-1", "-1")
    if version == 3 and not joined:
        across, back = "-3", "-2"
    return {1: VERSION_1, 2: VERSION_2, 3: VERSION_3}[version].format(across=across, back=back)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version_gives_the_same_mesh(version: int) -> None:
    mesh = parse_polyanya(text_of(version))
    assert [view.tile for view in mesh.tiles()] == [view.tile for view in parse_polyanya(text_of(2)).tiles()]
    assert mesh.walkable_area == 24
    assert mesh.find_path((1, 0, 1), (7, 0, 2))


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_edge_without_a_neighbour_is_a_wall(version: int) -> None:
    mesh = parse_polyanya(text_of(version, joined=False))
    assert not mesh.find_path((1, 0, 1), (7, 0, 2))
    assert mesh.find_path((1, 0, 1), (3, 0, 3))


def test_polygons_that_cannot_be_walked_on_are_left_out() -> None:
    mesh = parse_polyanya(text_of(3, joined=False).replace("1 3   2 5 3", "0 3   2 5 3"))
    assert (mesh.polygon_count, mesh.walkable_area) == (2, 16)
    assert (mesh.report.given, mesh.report.left_out) == (3, 1)


def test_white_space_is_free() -> None:
    for text in (" ".join(text_of(2).split()), "\r\n".join(text_of(2).split()), "\t\n" + text_of(2)):
        assert [v.tile for v in parse_polyanya(text).tiles()] == [v.tile for v in parse_polyanya(text_of(2)).tiles()]


def test_negative_and_fractional_coordinates_are_cut_at_the_grid() -> None:
    text = "mesh 2 4 1 -1.5 -1.25 1 0 1.5 -1.25 1 0 1.5 1.25 1 0 -1.5 1.25 1 0 4 0 1 2 3 -1 -1 -1 -1"
    mesh = parse_polyanya(text)
    assert mesh.walkable_area == 7.5
    assert mesh.find_path((-1, 0, -1), (1, 0, 1))


def test_a_file_without_polygons_is_an_empty_mesh() -> None:
    assert parse_polyanya("mesh\n2\n0 0\n").polygon_count == 0


# --- the benchmark's maps


@pytest.fixture(scope="module")
def arenas() -> tuple[NavMesh, NavMesh]:
    """The arena in triangles and in merged polygons."""
    first, second = (load_polyanya(shared_data(f"polyanya/{name}.mesh")) for name in ("arena", "arena-merged"))
    return first, second  # type: ignore[return-value]


def queries() -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    lines = shared_data("polyanya/arena.scen").read_text(encoding="utf-8").splitlines()[1:]
    numbers = [[float(word) for word in line.split()[4:8]] for line in lines if line.strip()]
    return [((sx, 0.0, sy), (gx, 0.0, gy)) for sx, sy, gx, gy in numbers]


def test_both_arenas_are_whole_and_exact(arenas: tuple[NavMesh, NavMesh]) -> None:
    triangles, merged = arenas
    assert (triangles.polygon_count, merged.polygon_count) == (120, 55)
    assert triangles.walkable_area == merged.walkable_area == 2054.0
    for mesh in arenas:
        assert mesh.tile_count == 1
        assert (mesh.report.seams, mesh.report.split, mesh.report.left_out) == (0, 0, 0)
        assert (mesh.tiles()[0].vertices % 1 == 0).all()


def test_the_arenas_queries_have_paths_of_like_lengths(arenas: tuple[NavMesh, NavMesh]) -> None:
    triangles, merged = arenas
    assert len(queries()) == 160
    for start, end in queries():
        first, second = triangles.find_path(start, end), merged.find_path(start, end)
        assert first and second
        assert min(first.length, second.length) >= math.dist(start, end) - 1e-9
        assert first.length == pytest.approx(second.length, rel=0.05)


# --- damage


@pytest.mark.parametrize(
    ("change", "message", "section"),
    [
        (("mesh", "mash"), "line 1: the file does not begin with the word mesh", "header"),
        (("2\n5", "4\n5"), "line 2: the file has version 4; this library reads 1, 2 and 3", "header"),
        (("2\n5", "two\n5"), "line 2: 'two' is not the version", "header"),
        (("5 3", "-5 3"), r"line 3: the number of vertices is -5, outside \[0, ", "header"),
        (("5 3", "5 99999999999999"), "line 3: 5 vertices and 99999999999999 polygons are more than", "header"),
        (("5 3", "5 9999999999999999999"), "line 3: '9999999999999999999' is not the number of polygons", "header"),
        (("4 4 3", "4 x 3"), "line 6: 'x' is not y of vertex 2", "vertices"),
        (("4 4 3", "4 1_0 3"), "line 6: '1_0' is not y of vertex 2", "vertices"),
        (("4 4 3", "4 nan 3"), "line 6: y of vertex 2 is nan, not finite", "vertices"),
        (("4 4 3", "4 1e300 3"), r"line 6: y of vertex 2 is 1e\+300, not finite or outside", "vertices"),
        (("4 4 3", "4 4 3.5"), "line 6: '3.5' is not the number of polygons around vertex 2", "vertices"),
        (("4 4 3", "4 4 99999"), "line 11: the file ends where a polygon around vertex 2", "vertices"),
        (("3 1 4 2", "2 1 4 2"), r"line 11: the number of corners of polygon 2 is 2, outside \[3, 1024\]", "polygons"),
        (("3 1 4 2", "3 1 5 2"), r"line 11: a vertex of polygon 2 is 5, outside \[0, 4\]", "polygons"),
        (("3 1 4 2   1", "3 1 4 2   3"), r"line 11: a neighbour of polygon 2 is 3, outside \[-1, 2\]", "polygons"),
        (("3 1 4 2   1", "3 1 4 2   0"), "line 10: polygon 1 names neighbour 2, which does not name it", "polygons"),
        (("   1 -1 -1", "   1 -1"), "line 11: the file ends where a neighbour of polygon 2", "polygons"),
        (("   1 -1 -1", "   1 -1 -1\n7"), "line 12: numbers follow the last polygon", "polygons"),
        (("8 2 2", "4 2 2"), "line 11: polygon 2 has no area", "polygons"),
        (("8 2 2", "1 2 2"), "line 11: polygon 2 lies on the same side of an edge as line 10: polygon 1", "polygons"),
    ],
)
def test_damage_is_named_by_its_line(change: tuple[str, str], message: str, section: str) -> None:
    text = text_of(2)
    assert change[0] in text
    with pytest.raises(TileFormatError, match=message) as caught:
        parse_polyanya(text.replace(*change, 1))
    assert caught.value.section == section


def test_bytes_that_are_no_text_name_their_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.mesh"
    path.write_bytes(b"mesh\n2\n\xff\n")
    with pytest.raises(TileFormatError, match="line 3: the file is not UTF-8 text"):
        load_polyanya(path)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_polyanya(tmp_path / "nothing.mesh")


def test_changed_text_is_refused_or_makes_a_sound_mesh() -> None:
    random, refused = Random(4), 0
    for i in range(1500):
        text = text_of(1 + i % 3)
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(text))
            text = (
                text[:at]
                + random.choice("0123456789-. e\nx_") * random.randrange(0, 3)
                + text[at + random.randrange(3) :]
            )
        try:
            mesh = parse_polyanya(text)
        except TileFormatError:
            refused += 1
            continue
        assert mesh.walkable_area >= 0
    assert 500 < refused < 1500
