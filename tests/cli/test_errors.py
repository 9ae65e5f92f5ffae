"""What the command says when something is wrong: one line, exit code 2, no half file and no traceback."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import onepath
from onepath import commands
from onepath.cli import main
from tests.cli.answers import FLOOR, is_error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["COMMAND", "onepath --help"]),
        (["fly"], ["fly"]),
        (["bake"], ["LEVEL", "onepath bake --help"]),
        (["bake", "levels:room", "-o", "a", "--radios", "1"], ["--radios"]),
        (["bake", "levels:room", "-o", "a", "--radius", "wide"], ["--radius", "wide"]),
        (["bake", "levels:room", "-o", "a", "--radius", "-1"], ["--radius is -1.0, outside"]),
        (["bake", "levels:room", "-o", "a", "--radius", "nan"], ["--radius is NaN"]),
        (["bake", "levels:room", "-o", "a", "--max-slope", "90"], ["--max-slope is 90.0, outside"]),
        (["bake", "levels:room", "-o", "a", "--cell-size", "0"], ["--cell-size is 0.0, outside"]),
        (["bake", "levels:room", "-o", "a", "--max-edge-error", "-inf"], ["--max-edge-error is -inf, outside"]),
        (["bake", "levels:room", "-o", "a", "--tile-cells", "7"], ["--tile-cells is 7, outside"]),
        (["bake", "levels:room", "-o", "a", "--tile-cells", "9.5"], ["--tile-cells", "9.5"]),
        (["bake", "levels:castle", "-o", "a"], ["no level 'castle'", "town"]),
        (["bake", "levels:room,doors=2", "-o", "a"], ["'doors=2'", "size=, seed="]),
        (["bake", "levels:room,seed=1,seed=2", "-o", "a"], ["seed=2", "once"]),
        (["bake", "levels:room,size=wide", "-o", "a"], ["size=wide"]),
        (["bake", "levels:room,size=1", "-o", "a"], ["size is 1", "[8"]),
        (["bake", "levels:room", "-o", "a", "--scale", "2"], ["--scale", "generated"]),
        (["bake", "missing.obj", "-o", "a"], ["missing.obj: No such file"]),
        (["bake", "level.xyz", "-o", "a"], ["level.xyz", ".obj"]),
        (["bake", "levels:room", "-o", "no/such/folder/a"], ["no/such/folder/a: No such file"]),
        (["bake", "levels:room", "-o", "."], [". is a folder"]),
        (["bake", "levels:room", "-o", ""], ["no name"]),
        (["bake", "levels:room", "-o", "a", "--detail", "fine", "--cell-size", "1"], ["--detail and --cell-size"]),
        (["info", "missing"], ["missing: No such file"]),
        (["info", "."], ["directory"]),
        (["path", "missing", "--from", "1", "2", "--to", "1", "2", "3"], ["--from"]),
        (["path", "missing", "--from", "1", "2", "x", "--to", "1", "2", "3"], ["--from", "x"]),
        (["path", "missing", "--from", "1", "2", "3"], ["--to"]),
        (["plot", "missing", "a.png"], ["missing: No such file"]),
        (["plot", "missing", "a.gif"], ["a.gif", ".png or .svg"]),
        (["plot", "missing", "a.png", "--by", "slope"], ["slope", "height"]),
    ],
    ids=lambda value: " ".join(value)[:60],
)
def test_an_error_is_one_line_and_leaves_nothing_behind(run, tmp_path, monkeypatch, arguments, words):
    if arguments[:1] == ["plot"]:
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert is_error(run(*arguments), *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e300"])
def test_positions_that_are_nowhere_are_refused(run, mesh_file, number):
    assert is_error(run("path", mesh_file, "--from", number, 0, 0, "--to", 1, 0, 1), "start[0]")


def test_a_level_that_is_no_mesh_file_is_told_apart(run, floor):
    assert is_error(run("info", floor), "floor.obj: the file starts with")


def test_the_level_itself_is_not_overwritten(run, floor):
    assert is_error(run("bake", floor, "-o", floor.parent / "." / "floor.obj"), "is the level itself")
    assert floor.read_text(encoding="utf-8") == FLOOR


def test_an_error_keeps_the_file_that_was_there(run, tmp_path):
    (tmp_path / "bad.obj").write_text(FLOOR + "f 1 2 99\n", encoding="utf-8")
    (tmp_path / "a.navmesh").write_bytes(b"old")
    assert is_error(run("bake", tmp_path / "bad.obj", "-o", tmp_path / "a.navmesh"), "bad.obj", "line 6")
    assert (tmp_path / "a.navmesh").read_bytes() == b"old"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MemoryError(), RuntimeError("two\nlines")])
def test_what_goes_wrong_while_writing_leaves_no_half_file(run, tmp_path, monkeypatch, error):
    def half(mesh: onepath.NavMesh, path: str) -> None:
        Path(path).write_bytes(b"half")
        raise error

    monkeypatch.setattr(onepath.NavMesh, "save", half)
    monkeypatch.delenv("ONEPATH_TRACEBACK", raising=False)
    assert is_error(run("bake", "levels:room", "-o", tmp_path / "a.navmesh"))
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_bake_ends_with_130_and_no_file(run, tmp_path, monkeypatch):
    def interrupt(self: object, done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands._ProgressBar, "__call__", interrupt)
    assert run("bake", "levels:room", "-o", tmp_path / "a.navmesh") == (130, [], ["onepath: interrupted"])
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_the_program_shows_its_traceback_where_that_is_wished(run, tmp_path, monkeypatch):
    monkeypatch.setattr(commands, "bake", lambda *_, **__: 1 // 0)
    monkeypatch.setenv("ONEPATH_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        run("bake", "levels:room", "-o", tmp_path / "a.navmesh")


def test_without_matplotlib_plot_names_the_command_that_installs_it(run, mesh_file, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("onepath.draw")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert is_error(run("plot", mesh_file, "a.png"), 'pip install "onepath[plot]"')


@given(st.binary(max_size=400), st.sampled_from(["info", "path", "bake"]), st.sampled_from([".navmesh", ".obj", ""]))
@settings(
    derandomize=True, deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_garbage_gives_a_traceback(run, tmp_path, data, command, suffix):
    file = tmp_path / f"garbage{suffix}"
    file.write_bytes(data)
    rest = {"info": [], "path": ["--from", 0, 0, 0, "--to", 1, 0, 1], "bake": ["-o", tmp_path / "out"]}
    assert is_error(run(command, file, *rest[command]), file.name)
    assert not (tmp_path / "out").exists()


def test_no_cut_mesh_file_gives_a_traceback(run, mesh_file):
    whole = mesh_file.read_bytes()
    for length in range(0, len(whole), 7):
        mesh_file.write_bytes(whole[:length])
        assert is_error(run("info", mesh_file), "floors.navmesh: ")


def test_no_flipped_bits_in_a_mesh_file_give_a_traceback(run, mesh_file):
    whole, random = mesh_file.read_bytes(), Random(8)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[random.randrange(len(whole))] ^= 1 << random.randrange(8)
        mesh_file.write_bytes(damaged)
        code, _, err = result = run("path", mesh_file, "--from", 1, 0, 1, "--to", 13, 0, 6)
        assert (code in (0, 1) and err == []) or is_error(result, "floors.navmesh: ")


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".stl", ".ply"])
def test_no_garbage_in_a_scene_gives_a_traceback(run, tmp_path, suffix):
    pytest.importorskip("trimesh")
    for data in (
        b"",
        b"\0" * 100,
        b"solid\nfacet",
        b"glTF" + bytes(range(200)),
        b"ply\nformat ascii 1.0\nelement",
        b"{}",
    ):
        (tmp_path / f"scene{suffix}").write_bytes(data)
        assert is_error(run("bake", tmp_path / f"scene{suffix}", "-o", tmp_path / "out"), f"scene{suffix}")


@pytest.mark.parametrize("command", ["plot", "path"])
def test_a_picture_never_replaces_the_mesh_that_it_shows(run, mesh_file, command):
    mesh = mesh_file.rename(mesh_file.with_suffix(".svg"))
    before = mesh.read_bytes()
    ends = ("--from", 1, 0, 1, "--to", 2, 0, 2, "--plot") if command == "path" else ()
    assert is_error(run(command, mesh, *ends, mesh), "is the mesh itself")
    assert mesh.read_bytes() == before


def test_an_error_that_cannot_be_said_still_ends_with_2(monkeypatch):
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    assert main(["info", "there is no such file"]) == 2
