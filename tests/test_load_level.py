"""load_level: formats, axes, hands, scales, patterns, and files that cannot be read."""

from __future__ import annotations

import copy
import errno
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from onepath import bake
from onepath.errors import ArgumentError, LevelError, MissingExtraError, OnePathError, RangeError
from onepath.geometry import Level
from onepath.io import load_level
from tests.solids import signed_volume

# A wedge: no two of its axes alike, so that every turn and mirror shows. Written Y up, right-handed.
CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 4.0)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
FORMATS = ["obj", "glb", "gltf", "stl", "ply"]


def in_axes(up: str, handedness: str) -> tuple[list, list]:
    """The wedge as a program with other axes would write it, faces still pointing out by (b - a) x (c - a)."""
    corners = [(x, y, z) if handedness == "right" else (x, y, -z) for x, y, z in CORNERS]
    if up == "z":
        # Their z is our y; their y is our -z, in a left-handed program our z.
        corners = [(x, -z, y) if handedness == "right" else (x, z, y) for x, y, z in CORNERS]
    faces = FACES if handedness == "right" else [(a, c, b) for a, b, c in FACES]
    return corners, faces


def write(folder: Path, kind: str, corners: list, faces: list) -> Path:
    path = folder / f"wedge.{kind}"
    if kind == "obj":
        lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        path.write_text("\n".join(lines))
        return path
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.Trimesh(corners, faces, process=False)
    if kind in ("glb", "gltf"):
        trimesh.Scene(mesh).export(str(path))
    else:
        mesh.export(str(path))
    return path


def corner_set(level: Level) -> set[tuple[float, ...]]:
    return {tuple(np.round(corner, 6).tolist()) for corner in level.triangles()[0]}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("handedness", ["right", "left"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_every_format_in_every_axes_gives_the_same_solid(tmp_path, kind, up, handedness):
    path = write(tmp_path, kind, *in_axes(up, handedness))
    level = load_level(path, up=up, handedness=handedness)
    assert len(level) == 4
    assert corner_set(level) == set(CORNERS)
    assert signed_volume(*level.triangles()[:2]) == pytest.approx(8.0 / 6.0, rel=1e-6)


@pytest.mark.parametrize("kind", FORMATS)
def test_scale_multiplies_every_length(tmp_path, kind):
    path = write(tmp_path, kind, CORNERS, FACES)
    assert load_level(path, scale=0.5).bounds == ((0.0, 0.0, 0.0), (0.5, 1.0, 2.0))


def test_path_may_be_a_text_and_its_suffix_in_capitals(tmp_path):
    path = write(tmp_path, "obj", CORNERS, FACES).rename(tmp_path / "WEDGE.OBJ")
    assert len(load_level(str(path))) == 4


def test_byte_order_mark_and_foreign_letters_are_passed_over(tmp_path):
    path = tmp_path / "a.obj"
    path.write_bytes(b"\xef\xbb\xbfv 0 0 0\nv 0 0 1\nv 1 0 1\no \xff\xfe\nf 1 2 3\n")
    assert len(load_level(path)) == 1


# -- scenes -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def scene_path(tmp_path) -> Path:
    """Three nodes over two meshes: one moved, one mirrored; materials stone and leaf."""
    trimesh = pytest.importorskip("trimesh")
    material = trimesh.visual.material.PBRMaterial

    def mesh(name: str):
        made = trimesh.Trimesh(CORNERS, FACES, process=False)
        made.visual = trimesh.visual.TextureVisuals(uv=np.zeros((4, 2)), material=material(name=name))
        return made

    scene = trimesh.Scene()
    moved, mirrored = np.eye(4), np.diag([-1.0, 1.0, 1.0, 1.0])
    moved[:3, 3] = (10, 0, 0)
    scene.add_geometry(mesh("stone"), node_name="tower", geom_name="wedge", transform=moved)
    scene.add_geometry(mesh("stone"), node_name="annex", geom_name="wedge 2", transform=mirrored)
    scene.add_geometry(mesh("leaf"), node_name="bush", geom_name="foliage 1")
    path = tmp_path / "scene.glb"
    scene.export(str(path))
    return path


def test_nodes_become_parts_in_the_order_of_their_names(scene_path):
    level = load_level(scene_path)
    assert [part.name for part in level.parts] == ["annex", "bush", "tower"]
    assert level.bounds == ((-1.0, 0.0, 0.0), (11.0, 2.0, 4.0))


def test_mirrored_node_is_still_wound_outward(scene_path):
    level = load_level(scene_path)
    vertices, triangles, _ = level.triangles()
    for part in level.parts:
        rows = triangles[part.first_triangle : part.first_triangle + part.triangle_count]
        assert signed_volume(vertices, rows) == pytest.approx(8.0 / 6.0, rel=1e-6)


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        (["tow*"], ["annex", "bush"]),
        (["foliage*"], ["annex", "tower"]),
        (["stone"], ["bush"]),
        (["LEAF"], ["annex", "bush", "tower"]),
        (["leaf", "t?wer"], ["annex"]),
        (["*"], []),
    ],
)
def test_patterns_leave_out_nodes_meshes_and_materials(scene_path, ignore, left):
    assert [part.name for part in load_level(scene_path, ignore=ignore).parts] == left


def test_patterns_leave_out_groups_and_materials_of_obj(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text(
        "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\ng hut\nusemtl M_Stone\nf 1 2 3\ng tree\nusemtl M_Leaf\nf 1 3 4\n"
    )
    assert [part.name for part in load_level(path, ignore=["hut"]).parts] == ["tree"]
    assert [part.name for part in load_level(path, ignore=["M_L*"]).parts] == ["hut"]
    assert len(load_level(path, ignore=["nothing"])) == 2


def test_missing_trimesh_is_said_with_the_command_that_installs_it(tmp_path, monkeypatch):
    path = tmp_path / "a.stl"
    path.write_bytes(b"solid")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingExtraError, match=re.escape('pip install "onepath[scenes]"')):
        load_level(path)


def test_obj_takes_no_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    assert len(load_level(write(tmp_path, "obj", CORNERS, FACES))) == 4


# -- files that cannot be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMATS)
def test_missing_file_is_named_with_the_reason(tmp_path, kind):
    with pytest.raises(LevelError, match=rf"nowhere\.{kind}: No such file"):
        load_level(tmp_path / f"nowhere.{kind}")


@pytest.mark.parametrize("load", [load_level, bake])
def test_a_missing_file_is_caught_as_python_s_own_error_or_as_ours(tmp_path, load):
    path = tmp_path / "nowhere.obj"
    with pytest.raises(FileNotFoundError) as caught:
        load(path)
    assert isinstance(caught.value, LevelError)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(path))
    for kept in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert (type(kept), str(kept)) == (type(caught.value), str(caught.value))


def test_a_file_that_the_system_does_not_let_be_read_is_an_error_of_both_too(tmp_path):
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(OSError, match=r"folder\.obj: ") as caught:
        load_level(tmp_path / "folder.obj")
    assert isinstance(caught.value, LevelError)


@pytest.mark.parametrize("kind", ["obj", "glb"])
def test_directory_is_refused(tmp_path, kind):
    folder = tmp_path / f"folder.{kind}"
    folder.mkdir()
    with pytest.raises(LevelError, match=rf"folder\.{kind}: "):
        load_level(folder)


@pytest.mark.parametrize("kind", FORMATS)
def test_empty_file_is_refused(tmp_path, kind):
    path = tmp_path / f"empty.{kind}"
    path.write_bytes(b"")
    with pytest.raises(LevelError, match=rf"empty\.{kind}: the file is empty"):
        load_level(path)


def test_file_without_faces_is_refused(tmp_path):
    path = tmp_path / "points.obj"
    path.write_text("v 0 0 0\nv 1 0 0\n")
    with pytest.raises(LevelError, match=r"points\.obj: there are no triangles"):
        load_level(path)


def test_unknown_format_names_the_known_ones(tmp_path):
    path = tmp_path / "level.fbx"
    path.write_bytes(b"x")
    with pytest.raises(LevelError, match=r"'\.fbx'.*\.obj, \.glb, \.gltf, \.ply, \.stl"):
        load_level(path)


def test_a_name_without_a_suffix_is_told_that_formats_are_suffixes(tmp_path):
    with pytest.raises(LevelError, match=r"level: a level's name ends in its format; readable are \.obj, \.glb"):
        load_level(tmp_path / "level")


def test_malformed_line_is_named_with_its_file(tmp_path):
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\nv 0 0\n")
    with pytest.raises(LevelError, match=r"bad\.obj, line 2: 'v 0 0'"):
        load_level(path)


def test_path_with_a_null_character_is_refused(tmp_path):
    with pytest.raises(LevelError, match="null"):
        load_level(f"{tmp_path}/a\0b.obj")


@pytest.mark.parametrize("kind", ["glb", "gltf", "stl", "ply"])
def test_truncated_file_is_a_level_error(tmp_path, kind):
    path = write(tmp_path, kind, CORNERS, FACES)
    whole = path.read_bytes()
    for size in range(1, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:size])
        with pytest.raises(LevelError, match=rf"wedge\.{kind}"):
            load_level(path)


def test_glb_cut_by_one_byte_is_refused(tmp_path):
    path = write(tmp_path, "glb", CORNERS, FACES)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(LevelError, match=r"wedge\.glb: trimesh cannot read it"):
        load_level(path)


@pytest.mark.parametrize("change", [-1, 1])
def test_binary_stl_of_another_length_than_its_header_says_is_refused(tmp_path, change):
    path = write(tmp_path, "stl", CORNERS, FACES)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] if change < 0 else whole + b"\0")
    with pytest.raises(LevelError, match=rf"which take {len(whole)} bytes; it has {len(whole) + change}"):
        load_level(path)


def test_ply_text_that_lacks_faces_is_refused(tmp_path):
    path = tmp_path / "cut.ply"
    head = ["ply", "format ascii 1.0", "element vertex 4", *(f"property float {axis}" for axis in "xyz")]
    head += ["element face 2", "property list uchar int vertex_indices", "end_header"]
    lines = [*head, "0 0 0", "0 0 4", "4 0 4", "4 0 0", "3 0 1 2", "3 0 2 3"]
    path.write_text("\n".join(lines) + "\n")
    assert len(load_level(path)) == 2
    path.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(LevelError, match=r"cut\.ply: its header counts 2 faces, and only 1 triangles are in it"):
        load_level(path)


def test_coordinate_out_of_range_after_scaling_is_refused_with_the_file(tmp_path):
    path = write(tmp_path, "obj", CORNERS, FACES)
    with pytest.raises(LevelError, match=r"wedge\.obj, unnamed mesh: after its transform, triangle 0, vertex"):
        load_level(path, scale=1e7)


# -- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"up": "x"}, ArgumentError, "up is 'x', not 'y' or 'z'"),
        ({"handedness": "both"}, ArgumentError, "handedness is 'both', not 'right' or 'left'"),
        ({"scale": 0}, RangeError, r"scale is 0, outside \(0, inf\)"),
        ({"scale": -1.0}, RangeError, "scale is -1.0"),
        ({"scale": float("nan")}, ArgumentError, "scale is NaN"),
        ({"scale": float("inf")}, RangeError, "scale is inf"),
        ({"scale": "big"}, ArgumentError, "scale is 'big', not a number"),
        ({"ignore": "tree*"}, ArgumentError, r"ignore is the text 'tree\*'"),
        ({"ignore": [1]}, ArgumentError, "ignore holds 1, not a text"),
        ({"ignore": 5}, ArgumentError, "ignore is 5, not a list of patterns"),
    ],
)
def test_argument_is_checked_before_the_file_is_opened(tmp_path, arguments, error, text):
    with pytest.raises(error, match=text):
        load_level(tmp_path / "nowhere.obj", **arguments)


def test_path_of_another_type_is_refused():
    with pytest.raises(OnePathError, match="path is 3, not a path"):
        load_level(3)
