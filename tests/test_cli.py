"""The `onepath` command: what each subcommand says and writes, how it ends, and that no error shows a traceback."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import onepath
from onepath import commands, levels
from onepath.cli import _parser, main
from onepath.io.navmesh_file import encode_navmesh
from tests.meshes import grid, two_floors
from tests.meta.tree import ROOT

FLOOR = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n"
CEILING = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 4 3 2 1\n"


@pytest.fixture
def run(capsys):
    """Runs the command in this process: (exit code, lines of stdout, lines of stderr)."""

    def call(*arguments: object) -> tuple[int, list[str], list[str]]:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return call


@pytest.fixture
def floor(tmp_path) -> Path:
    (tmp_path / "floor.obj").write_text(FLOOR, encoding="utf-8")
    return tmp_path / "floor.obj"


@pytest.fixture
def mesh_file(tmp_path) -> Path:
    """Two floors of 16 by 8 m, 3 m apart; nothing joins them."""
    two_floors().save(tmp_path / "floors.navmesh")
    return tmp_path / "floors.navmesh"


def is_error(result, *words: str) -> bool:
    """One line on stderr that holds these words, nothing on stdout, exit code 2."""
    code, out, err = result
    said = len(err) == 1 and err[0].startswith("onepath: error: ") and all(word in err[0] for word in words)
    assert (code, out, said) == (2, [], True), (code, out, err)
    return True


def rows(lines: list[str]) -> dict[str, str]:
    return {name: text for name, text in (re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines)}


# --- bake


def test_bake_writes_the_mesh_that_baking_from_python_gives(run, floor, tmp_path):
    code, _, err = run("bake", floor, "-o", tmp_path / "floor.navmesh", "--radius", 0.5)
    assert (code, err) == (0, [])
    assert (tmp_path / "floor.navmesh").read_bytes() == encode_navmesh(onepath.bake(floor, radius=0.5))


def test_bake_refuses_a_read_only_file_and_follows_a_link(run, floor, tmp_path):
    (tmp_path / "kept.navmesh").write_bytes(b"kept")
    (tmp_path / "kept.navmesh").chmod(0o444)
    code, _, err = run("bake", floor, "-o", tmp_path / "kept.navmesh")
    assert code == 2 and len(err) == 1 and "Permission denied" in err[0] and "kept.navmesh" in err[0]
    assert (tmp_path / "kept.navmesh").read_bytes() == b"kept"
    (tmp_path / "kept.navmesh").chmod(0o640)
    (tmp_path / "link.navmesh").symlink_to(tmp_path / "kept.navmesh")
    assert run("bake", floor, "-o", tmp_path / "link.navmesh")[0] == 0
    assert (tmp_path / "link.navmesh").is_symlink()
    assert (tmp_path / "kept.navmesh").read_bytes() == encode_navmesh(onepath.bake(floor))
    assert (tmp_path / "kept.navmesh").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.glob("*.navmesh")) == ["kept.navmesh", "link.navmesh"]


def test_bake_sums_up(run, floor, tmp_path):
    said = rows(run("bake", floor, "-o", tmp_path / "floor.navmesh")[1])
    report = onepath.bake(floor).report
    assert said["polygons"] == str(report.polygons)
    assert said["area"] == f"{report.walkable_area:.1f} square metres"
    assert said["tiles"] == f"{report.tiles} ({report.empty_tiles} empty)"
    assert said["triangles"] == "2, 0 dropped (no area)"
    assert said["time"].endswith(" ms")
    assert said["memory"].startswith("mesh ")


def test_verbose_bake_names_every_stage(run, floor, tmp_path):
    said = rows(run("bake", floor, "-o", tmp_path / "floor.navmesh", "-v")[1])
    assert set(onepath.bake(floor).report.stage_seconds) <= set(said)


def test_bake_prunes_islands_when_asked(run, tmp_path):
    level = tmp_path / "floor.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in ((0, 0, 0), (0, 0, 20), (20, 0, 20), (20, 0, 0))]
    lines += [f"v {x} {y} {z}" for x, y, z in ((5, 5, 5), (5, 5, 8), (8, 5, 8), (8, 5, 5))]
    level.write_text("\n".join([*lines, "f 1 2 3 4", "f 5 6 7 8"]))
    options = (level, "-o", tmp_path / "floor.navmesh", "--cell-size", "0.2", "--min-region-area", "0")
    whole = rows(run("bake", *options)[1])
    pruned = rows(run("bake", *options, "--prune-islands", "9")[1])
    assert "pruned" not in whole
    assert pruned["pruned"].startswith("1 island, ")
    assert float(pruned["area"].split()[0]) < float(whole["area"].split()[0])


def test_every_setting_of_a_bake_has_an_option_that_sets_it(monkeypatch):
    values = {"agent": onepath.AgentShape(radius=0.3, height=1.5, max_climb=0.25, max_slope=30.0), "cell_size": 0.15}
    values |= {"cell_height": 0.05, "tile_cells": 32, "min_region_area": 2.0, "merge_region_area": 5.0}
    values |= {"max_edge_length": 7.0, "max_edge_error_cells": 1.1, "max_polygon_vertices": 5, "merge_threshold": 0.1}
    values |= {"detail_sample_distance": 1.5, "detail_max_error": 0.2}
    values |= {"partition": "monotone", "erosion": "euclidean", "solid_interior": "remove", "two_sided": True}
    assert set(values) == set(onepath.BakeSettings.__dataclass_fields__)
    expected = onepath.BakeSettings(**values)
    text = "bake x -o y --radius .3 --height 1.5 --max-climb .25 --max-slope 30 --cell-size .15 --cell-height .05"
    text += " --tile-cells 32 --min-region-area 2 --merge-region-area 5 --max-edge-length 7 --max-edge-error 1.1"
    text += " --max-polygon-vertices 5 --merge-threshold .1 --partition monotone --erosion euclidean"
    text += " --solid-interior remove --two-sided --detail-sample-distance 1.5 --detail-max-error .2"
    assert commands._settings(_parser().parse_args(text.split())) == expected


def test_settings_left_out_follow_from_the_agent():
    arguments = _parser().parse_args(["bake", "x", "-o", "y", "--radius", "0.9", "--detail", "draft"])
    assert commands._settings(arguments) == onepath.BakeSettings.for_agent(onepath.AgentShape(radius=0.9), "draft")


def test_cells_that_are_given_are_not_refused_for_those_that_they_replace():
    arguments = _parser().parse_args(["bake", "x.obj", "-o", "x", "--radius", "0.00001", "--cell-size", "0.1"])
    assert commands._settings(arguments).cells.span.radius == 1


def test_an_area_to_prune_is_refused_before_the_bake(run, floor, tmp_path):
    result = run("bake", floor, "-o", tmp_path / "x", "--prune-islands", "nan")
    assert is_error(result, "--prune-islands is NaN")


def test_cells_set_alone_stay_twice_as_wide_as_high():
    assert commands._settings(_parser().parse_args(["bake", "x", "-o", "y", "--cell-size", "0.2"])).cell_height == 0.1


def test_the_level_is_read_as_the_options_say(run, floor, tmp_path):
    options = ["--up", "z", "--handedness", "left", "--scale", 2.0, "--ignore", "Foliage*", "--ignore", "Sky"]
    run("bake", floor, "-o", tmp_path / "a.navmesh", *options)
    level = onepath.load_level(floor, up="z", handedness="left", scale=2.0, ignore=["Foliage*", "Sky"])
    assert (tmp_path / "a.navmesh").read_bytes() == encode_navmesh(onepath.bake(level))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("levels:room", lambda: levels.room()),
        ("levels:room,seed=7", lambda: levels.room(seed=7)),
        ("levels:room,size=9.5,seed=2", lambda: levels.room(size=9.5, seed=2)),
    ],
)
def test_a_generated_level_goes_by_its_name_and_arguments(run, text, level, tmp_path):
    assert run("bake", text, "-o", tmp_path / "a.navmesh")[0] == 0
    assert (tmp_path / "a.navmesh").read_bytes() == encode_navmesh(onepath.bake(level()))


def test_bake_ends_with_1_where_nothing_is_walkable_and_says_why(run, tmp_path):
    (tmp_path / "ceiling.obj").write_text(CEILING, encoding="utf-8")
    code, out, err = run("bake", tmp_path / "ceiling.obj", "-o", tmp_path / "a.navmesh")
    assert (code, err) == (1, [])
    assert "face down" in rows(out)["warning"]
    assert onepath.NavMesh.load(tmp_path / "a.navmesh").polygon_count == 0


def test_the_mesh_file_may_replace_an_older_one(run, floor, tmp_path):
    (tmp_path / "a.navmesh").write_bytes(b"old")
    assert run("bake", floor, "-o", tmp_path / "a.navmesh")[0] == 0
    assert onepath.NavMesh.load(tmp_path / "a.navmesh").polygon_count > 0


# --- info, path, plot


def test_info_says_what_is_in_the_file(run, mesh_file):
    code, out, err = run("info", mesh_file)
    said = rows(out)
    assert (code, err) == (0, [])
    assert said["polygons"] == "4"
    assert said["area"] == "256.0 square metres"
    assert said["bounds"] == "x 0.00 to 16.00, y 0.00 to 3.00, z 0.00 to 8.00 m"
    assert said["tiles"] == "2 of 8 cells (8 m)"
    assert said["agent"] == "radius 0.4 m, height 1.8 m, climb 0.5 m, slope 45 degrees"


def test_info_of_a_mesh_without_polygons(run, tmp_path):
    onepath.bake(onepath.Level()).save(tmp_path / "a.navmesh")
    said = rows(run("info", tmp_path / "a.navmesh")[1])
    assert (said["polygons"], said["bounds"]) == ("0", "none, there are no polygons")


def test_path_prints_status_length_and_points(run, mesh_file):
    code, out, err = run("path", mesh_file, "--from", 1, 0, 1, "--to", 13, 0, 6)
    assert (code, err) == (0, [])
    assert out[0] == "success: The path reaches the end."
    assert out[1] == "13.000 m, 2 points, 2 polygons"
    assert [[float(number) for number in line.split()] for line in out[2:]] == [[1, 0, 1], [13, 0, 6]]


def test_a_path_that_stops_short_ends_with_1_and_says_what_to_do(run, mesh_file):
    code, out, err = run("path", mesh_file, "--from", 1, 0, 1, "--to", 13, 3, 6)
    assert (code, err) == (1, [])
    assert out[0].startswith("partial: The end cannot be reached; the path leads to the place nearest to it")
    assert len(out) > 2


@pytest.mark.parametrize(
    ("start", "end", "status"), [((-30, 0, 4), (1, 0, 1), "start"), ((1, 0, 1), (1, 50, 1), "end")]
)
def test_a_position_off_the_mesh_is_told_where_the_mesh_is(run, mesh_file, start, end, status):
    code, out, err = run("path", mesh_file, "--from", *start, "--to", *end)
    assert (code, err, len(out)) == (1, [], 1)
    assert out[0].startswith(f"no {status}: ")
    place = {"start": "0.000 0.000 4.000", "end": "1.000 3.000 1.000"}[status]
    assert out[0].endswith(f"the nearest place on the mesh is {place}.")


def test_tiles_that_are_missing_are_named(run, tmp_path):
    grid(2, 2, 4.0, grid_bounds=(0, 0, 1, 0)).save(tmp_path / "part.navmesh")
    code, out, _ = run("path", tmp_path / "part.navmesh", "--from", 1, 0, 1, "--to", 12, 0, 4)
    assert code == 1
    assert out[0].startswith("not loaded: ")
    assert out[1] == "missing tiles (column, row): (1, 0)"


@pytest.mark.parametrize("number", ["-3", "-.5", "-3.25", "-1e-2", "-4E0"])
def test_negative_numbers_are_numbers(run, mesh_file, number):
    place = run("path", mesh_file, "--from", number, 0, 4, "--to", 1, 0, number)
    assert place[0] in (0, 1) and place[2] == []


@pytest.mark.parametrize(("suffix", "head"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PNG", b"\x89PNG")])
def test_plot_writes_a_picture_as_the_suffix_says(run, mesh_file, tmp_path, suffix, head):
    pytest.importorskip("matplotlib")
    assert run("plot", mesh_file, tmp_path / f"top{suffix}", "--by", "area") == (0, [], [])
    assert (tmp_path / f"top{suffix}").read_bytes().startswith(head)


def test_path_draws_where_it_is_told_to(run, mesh_file, tmp_path):
    pytest.importorskip("matplotlib")
    run("path", mesh_file, "--from", 1, 0, 1, "--to", 13, 0, 6, "--plot", tmp_path / "a.svg")
    run("plot", mesh_file, tmp_path / "b.svg")
    assert len((tmp_path / "a.svg").read_bytes()) > len((tmp_path / "b.svg").read_bytes())


# --- errors


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


def test_the_commands_in_the_readme_do_what_they_say(run, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- command line -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert block
    monkeypatch.chdir(tmp_path)
    for line in block[1].splitlines():
        program, *arguments = line.split()
        assert program == "onepath"
        code, _, err = run(*arguments)
        assert (line, code, err) == (line, 0, [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["path.png", "regions.png", "town.navmesh", "town.svg"]


# --- as a process


def onepath_process(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "onepath", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_it_runs_as_a_module_and_shows_no_progress_where_nobody_watches(tmp_path):
    done = onepath_process("bake", "levels:room", "-o", tmp_path / "a.navmesh")
    assert (done.returncode, done.stderr) == (0, "")
    assert "polygons" in done.stdout


def test_help_names_units_and_how_generated_levels_are_written():
    done = onepath_process("bake", "--help")
    assert done.returncode == 0
    for word in ("METRES", "DEGREES", "levels:NAME", "--max-polygon-vertices"):
        assert word in done.stdout


def test_version():
    assert onepath_process("--version").stdout == f"onepath {onepath.__version__}\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise elsewhere")
def test_a_reader_that_has_gone_is_no_error_to_talk_about(mesh_file):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "onepath", "info", str(mesh_file)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_sees_the_progress_and_a_clean_line_after_it(tmp_path):
    import pty

    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "onepath", "bake", "levels:room", "-o", str(tmp_path / "a.navmesh")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=False)
    os.close(terminal)
    seen = os.read(controller, 65536).decode()
    os.close(controller)
    assert done.returncode == 0
    assert "100 %" in seen and seen.endswith("\r\x1b[K")


@pytest.mark.parametrize("command", ["plot", "path"])
def test_a_picture_never_replaces_the_mesh_that_it_shows(run, mesh_file, command):
    mesh = mesh_file.rename(mesh_file.with_suffix(".svg"))
    before = mesh.read_bytes()
    ends = ("--from", 1, 0, 1, "--to", 2, 0, 2, "--plot") if command == "path" else ()
    assert is_error(run(command, mesh, *ends, mesh), "is the mesh itself")
    assert mesh.read_bytes() == before


@pytest.mark.parametrize("arguments", [("info", "MESH"), ("bake", "levels:room", "-o", "OUT")])
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_without_stdout_or_stderr_the_command_does_its_work(mesh_file, tmp_path, monkeypatch, arguments, closed):
    places = {"MESH": str(mesh_file), "OUT": str(tmp_path / "out.navmesh")}
    monkeypatch.setattr(sys, closed, None)
    assert main([places.get(argument, argument) for argument in arguments]) == 0
    assert getattr(sys, closed) is None


def test_an_error_that_cannot_be_said_still_ends_with_2(monkeypatch):
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    assert main(["info", "there is no such file"]) == 2


def test_a_bake_says_how_far_its_surface_is_off_the_floor(run, tmp_path):
    said = rows(run("bake", "levels:terrain,size=20", "-o", tmp_path / "hills.navmesh")[1])
    assert said["height"].startswith("at most 0.")
    assert " m off the floor, at " in said["height"]
    said = rows(
        run("bake", "levels:terrain,size=20", "-o", tmp_path / "flat.navmesh", "--detail-sample-distance", 0)[1]
    )
    assert "height" not in said
