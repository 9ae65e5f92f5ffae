"""OBJ text: the forms it takes, polygons cut soundly, and lines that cannot be read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onepath.errors import LevelError
from onepath.geometry.polygons import ear_clipped, triangulate
from onepath.io import load_level
from onepath.io.obj import parse_obj
from tests.data import shared_data

SQUARE = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n"


def single(text: str):
    (piece,) = parse_obj(text)
    return piece


def corners(piece) -> list:
    return piece.vertices[piece.triangles].tolist()


def area_vectors(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a) / 2.0


def polygon_triangles(points) -> np.ndarray:
    """Triangles of one polygon, as indices of its corners."""
    count = len(points)
    return triangulate(np.array(points, dtype=float), np.array([0, count]), np.arange(count))


# -- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "face",
    [
        "f 1 2 3",
        "f 1/1 2/2 3/3",
        "f 1//7 2//8 3//9",
        "f 1/4/7 2/5/8 3/6/9",
        "f -4 -3 -2",
        "f 1// 2/ 3",
        "  f\t1  2 3  # x",
    ],
)
def test_every_form_of_a_face_names_the_same_vertices(face):
    assert corners(single(SQUARE + face)) == [[[0, 0, 0], [0, 0, 1], [1, 0, 1]]]


def test_negative_indices_count_back_from_the_newest_vertex():
    text = "v 9 9 9\nv 0 0 0\nv 0 0 1\nv 1 0 1\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -2\n"
    piece = single(text)
    assert corners(piece)[0] == corners(piece)[1] == [[0, 0, 0], [0, 0, 1], [1, 0, 1]]


def test_face_may_stand_before_its_vertices():
    assert corners(single("f 1 2 3\n" + SQUARE)) == [[[0, 0, 0], [0, 0, 1], [1, 0, 1]]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_taken(end):
    assert len(single((SQUARE + "f 1 2 3 4").replace("\n", end)).triangles) == 2


def test_backslash_joins_lines():
    assert len(single(SQUARE + "f 1 2 \\\n 3 \\\n 4\n").triangles) == 2


def test_weights_colours_and_unknown_statements_are_passed_over():
    vertices = "mtllib a.mtl\nv 0 0 0 1.0\nv 0 0 1 0.5 0.5 0.5\nv 1 0 1\n"
    text = vertices + "vn 0 1 0\nvt x\ns off\ncurv 1 2\nbogus line\nl 1 2\nf 1 2 3\n"
    assert len(single(text).triangles) == 1


def test_unused_vertex_may_hold_anything():
    """Case C04."""
    piece = single(SQUARE + "v 1e29 nan inf\nf 1 2 3\n")
    assert len(piece.vertices) == 3


def test_pieces_follow_objects_groups_and_materials():
    text = SQUARE + (
        "o hut\ng roof\nusemtl tin\nf 1 2 3\ng wall\nusemtl brick\nf 1 3 4\nf 1 2 4\n"
        "g roof\nusemtl tin\nf 2 3 4\no tree\nf 1 2 3\n"
    )
    found = [(piece.names, piece.material, len(piece.triangles)) for piece in parse_obj(text)]
    assert found == [(("roof", "hut"), "tin", 2), (("wall", "hut"), "brick", 2), (("tree",), "tin", 1)]


def test_group_list_is_known_by_each_of_its_names():
    piece = single(SQUARE + "g left leaves\nf 1 2 3\n")
    assert piece.names == ("left leaves", "left", "leaves")
    assert piece.matches(["leav*"])
    assert not piece.matches(["Leav*"])


@given(
    st.lists(st.tuples(*[st.floats(-(2.0**21), 2.0**21)] * 3), min_size=3, max_size=12),
    st.data(),
)
@settings(derandomize=True, max_examples=60, deadline=None)
def test_what_is_written_is_read_back_to_the_bit(vertices, data):
    index = st.integers(0, len(vertices) - 1)
    faces = data.draw(st.lists(st.tuples(index, index, index), min_size=1, max_size=8))
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    piece = single("\n".join(lines))
    assert corners(piece) == np.array(vertices)[np.array(faces)].tolist()


# -- polygons ---------------------------------------------------------------------------------------------------------

DART = [(0, 0, 0), (-2, 0, 4), (0, 0, 1), (2, 0, 4)]
COMB = [(0, 0), (0, 5), (1, 5), (1, 1), (2, 1), (2, 5), (3, 5), (3, 1), (4, 1), (4, 5), (5, 5), (5, 0)]
CROSS = [(1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 2), (3, 2), (3, 1), (2, 1), (2, 0)]
# A square hole joined to the outline by a cut: corners appear twice.
KEYHOLE = [(0, 0), (1, 1), (2, 1), (2, 2), (1, 2), (1, 1), (0, 0), (0, 3), (3, 3), (3, 0)]
STRAIGHT = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]


def planes(outline) -> list:
    """One outline laid into planes of different facing, each given from its every corner and in both windings."""
    frames = [((1, 0, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0)), ((1, 2, 0), (0, 3, 1))]
    laid = []
    for u, w in frames:
        points = [tuple(x * a + z * b for a, b in zip(u, w, strict=True)) for x, z in outline]
        laid += [points[k:] + points[:k] for k in range(len(points))]
        laid += [list(reversed(points))]
    return laid


@pytest.mark.parametrize(
    "outline",
    [COMB, CROSS, KEYHOLE, STRAIGHT, [p[::2] for p in DART]],
    ids=["comb", "cross", "keyhole", "straight", "dart"],
)
def test_concave_polygon_is_covered_without_overlap_however_it_lies(outline):
    for points in planes(outline):
        vertices = np.array(points, dtype=float)
        triangles = polygon_triangles(points)
        assert len(triangles) == len(points) - 2
        parts = area_vectors(vertices, triangles)
        whole = sum(np.cross(vertices[k - 1], vertices[k]) for k in range(len(points))) / 2.0
        assert np.allclose(parts.sum(0), whole)
        # No part turns against the whole, so equal sums leave no room for overlap.
        assert ((parts @ whole) >= -1e-12).all()


def test_convex_polygon_is_cut_into_a_fan_from_its_first_corner():
    assert polygon_triangles([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]).tolist() == [[0, 1, 2], [0, 2, 3]]


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=4, max_size=14, unique=True))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_random_star_outlines_are_covered_exactly(points):
    """Points sorted about their middle make a simple outline (where no two lie in one direction)."""
    from fractions import Fraction

    center = (Fraction(sum(p[0] for p in points), len(points)), Fraction(sum(p[1] for p in points), len(points)))
    away = [(p[0] - center[0], p[1] - center[1]) for p in points]
    angles = [np.arctan2(float(x), float(z)) for x, z in away]
    order = np.argsort(angles)
    gaps = np.diff(np.append(np.sort(angles), min(angles) + 2 * np.pi))
    if min(gaps) < 1e-6 or max(gaps) >= np.pi - 1e-6 or min(x * x + z * z for x, z in away) == 0:
        return
    outline = [points[k] for k in order]

    def doubled(a, b, c):
        return (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])

    parts = [doubled(*(outline[k] for k in t)) for t in ear_clipped([(float(x), float(z)) for x, z in outline])]
    whole = sum(doubled((0, 0), outline[k - 1], outline[k]) for k in range(len(outline)))
    assert sum(parts) == whole
    assert min(parts) >= 0


def test_outline_that_crosses_itself_gives_triangles_and_no_error():
    assert len(polygon_triangles([(0, 0, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)])) == 2
    assert len(polygon_triangles([(0, 0, 0)] * 5)) == 3


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 0 0\n", "line 1: 'v 0 0' is not a vertex of three numbers"),
        ("# c\n\nv 0 zero 0\n", "line 3: 'v 0 zero 0' is not"),
        (SQUARE + "f 1 2\n", "line 5: 'f 1 2' is a face with 2 corners"),
        (SQUARE + "f\n", "line 5: 'f' is a face with 0 corners"),
        (SQUARE + "f 1 2 x\n", "line 5: 'f 1 2 x' is not a face of vertex numbers"),
        (SQUARE + "f 1 2 3.5\n", "line 5: 'f 1 2 3.5' is not"),
        (SQUARE + "f 1 2 /3\n", "line 5: 'f 1 2 /3' is not"),
        (SQUARE + "f 0 1 2\n", "line 5: a face names vertex 0; 4 vertices, from 1, stand before it"),
        (SQUARE + "f 1 2 -5\n", "line 5: a face names vertex -5; 4 vertices, from 1, stand before it"),
        (SQUARE + "\nf 1 2 3\nf 1 2 5\n", "line 7: a face names vertex 5, but the file has 4 vertices"),
        (SQUARE + "f 1 2 99999999999999999999999\n", "line 5: a face names vertex 99999999999999999999999"),
        ("f 1 2 \\\n \\\n x\n", "line 1: 'f 1 2 x' is not"),
        ("v 0 0 0\nv nan 0 0\nv 1 0 1\nf 1 2 3\n", r"line 2: vertex 2 lies at \(nan, 0.0, 0.0\)"),
        ("v 0 0 0\nv 0 1e30 0\nv 1 0 1\nf 1 2 3\n", r"line 2: vertex 2 .*outside \[-2097152, 2097152\]"),
        ("v 0 0 0\nv 1_0 0 0\nv 1 0 1\nf 1 2 3\n", "line 2: 'v 1_0 0 0'"),
        (SQUARE + "f 1 2 1_1\n", "line 5: 'f 1 2 1_1' holds a number with an underscore"),
    ],
)
def test_malformed_line_is_named(text, message):
    with pytest.raises(LevelError, match=message):
        parse_obj(text)


WORDS = st.sampled_from(
    [
        "v",
        "f",
        "g",
        "o",
        "usemtl",
        "1",
        "2",
        "-1",
        "3/1",
        "0",
        "nan",
        "1e400",
        "x",
        "\\",
        "#",
        "\n",
        "\n",
        "\r",
        "\0",
        "_",
        "é",
    ]
)


@given(st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=80))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_any_text_is_pieces_or_a_level_error(text):
    try:
        pieces = parse_obj(text)
    except LevelError:
        return
    assert all(len(piece.triangles) for piece in pieces)


# -- levels from elsewhere --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "vertices", "triangles"), [("nav_test", 884, 1612), ("undulating", 2800, 5202)])
def test_level_from_elsewhere_has_its_known_counts(name, vertices, triangles):
    level = load_level(shared_data(f"levels/{name}.obj"))
    assert (len(level.triangles()[0]), len(level)) == (vertices, triangles)


def test_every_polygon_of_a_level_from_elsewhere_is_covered_soundly():
    text = shared_data("levels/nav_test.obj").read_text()
    lines = [line.split() for line in text.splitlines()]
    vertices = np.array([[float(x) for x in words[1:4]] for words in lines if words[:1] == ["v"]])
    polygons = [[int(word.split("/")[0]) - 1 for word in words[1:]] for words in lines if words[:1] == ["f"]]
    assert max(map(len, polygons)) == 12
    first = np.concatenate([[0], np.cumsum([len(polygon) for polygon in polygons])])
    triangles = triangulate(vertices, first, np.concatenate(polygons))
    row = 0
    for polygon in polygons:
        points = vertices[polygon]
        parts = area_vectors(vertices, triangles[row : row + len(polygon) - 2])
        row += len(polygon) - 2
        spokes = points[1:] - points[0]
        whole = np.cross(spokes[:-1], spokes[1:]).sum(0) / 2.0
        size = np.linalg.norm(whole)
        assert np.allclose(parts.sum(0), whole, atol=1e-9 + 1e-9 * size)
        # Seen along the polygon's normal, no part is turned over: with equal sums there is no room for overlap.
        assert ((parts @ whole) >= -1e-9 * size * size).all()
