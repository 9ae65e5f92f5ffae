"""The `onepath` command: what each subcommand says and writes, and how it ends."""

from __future__ import annotations

import re

import pytest

import onepath
from onepath import commands, levels
from onepath.cli import _parser
from onepath.io.navmesh_file import encode_navmesh
from tests.cli.answers import CEILING, is_error, rows
from tests.meshes import grid
from tests.meta.tree import ROOT

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


def test_a_bake_says_how_far_its_surface_is_off_the_floor(run, tmp_path):
    said = rows(run("bake", "levels:terrain,size=20", "-o", tmp_path / "hills.navmesh")[1])
    assert said["height"].startswith("at most 0.")
    assert " m off the floor, at " in said["height"]
    said = rows(
        run("bake", "levels:terrain,size=20", "-o", tmp_path / "flat.navmesh", "--detail-sample-distance", 0)[1]
    )
    assert "height" not in said
