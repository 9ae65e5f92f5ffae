"""Pictures of the builder's stages, and `onepath inspect`, which draws and explains them."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import onepath
from onepath.cli import STAGES, main
from onepath.debug import LevelStages
from onepath.errors import ArgumentError
from tests.baked import SLIM, floor

pytest.importorskip("matplotlib")

from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread

from onepath.draw import matplotlib_stages
from onepath.draw.matplotlib_stages import (
    ERODED_COLOUR,
    FAINT,
    FIELD_STAGES,
    MESH_STAGES,
    SEAM_COLOURS,
    plot_field_stage,
    save_stage,
)


@pytest.fixture(scope="module")
def scene():
    """Two tiles of floor, a wall across a part of the seam, and a roof over one corner."""
    level = floor(15.9, 7.9)
    level.add_box((7.5, 0, 0), (8.5, 3, 4))
    level.add_box((1, 4, 1), (4, 4.5, 4))
    settings = SLIM.replace(agent=onepath.AgentShape(radius=0.5, height=2.0, max_climb=0.5))
    return LevelStages(level, settings), onepath.bake(level, settings)


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch) -> None:
    monkeypatch.setattr(matplotlib_stages, "DOTS_PER_INCH", 40)


def drawn(scene, stage, tmp_path, **options) -> np.ndarray:
    stages, mesh = scene
    save_stage(tmp_path / "stage.png", stage, stages, mesh, list(stages.grid.tiles()), **options)
    return imread(tmp_path / "stage.png")[:, :, :3]


def share(picture: np.ndarray, colour: str) -> float:
    """How much of a picture has a colour."""
    return float((np.abs(picture - np.array(to_rgb(colour))).max(axis=2) < 0.02).mean())


def test_every_stage_that_the_command_names_can_be_drawn(scene, tmp_path) -> None:
    assert set(STAGES) == {*FIELD_STAGES, *MESH_STAGES}
    pictures = [drawn(scene, stage, tmp_path) for stage in STAGES]
    assert all((picture < 0.99).mean() > 0.05 for picture in pictures)
    assert all(not np.array_equal(a, b) for a, b in pairwise(pictures))


def test_spans_show_what_erosion_took(scene, tmp_path) -> None:
    assert share(drawn(scene, "spans", tmp_path), ERODED_COLOUR) > 0.02


@pytest.mark.parametrize(
    ("stage", "names"),
    [
        ("spans", ["taken by erosion", "not walkable"]),
        ("regions", ["no region"]),
        ("contours", ["wall", "between regions"]),
    ],
)
def test_a_picture_of_a_stage_says_what_its_colours_are(scene, stage, names) -> None:
    figure = Figure()
    ax = figure.add_subplot()
    plot_field_stage(ax, [scene[0].tile(0, 0)], stage)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == names
    assert [bar.get_ylabel() for bar in figure.axes[1:]] == (["height, m"] if stage == "spans" else [])


def test_seams_show_where_tiles_are_joined(scene, tmp_path) -> None:
    assert share(drawn(scene, "seams", tmp_path), SEAM_COLOURS[1]) > 0.0003


def test_detail_shows_the_polygons_that_have_none(tmp_path) -> None:
    level = floor(8, 8)
    level.add_heightmap(np.random.default_rng(1).random((9, 9)), spacing=1.0, origin=(10, 0, 0))
    settings = SLIM.replace(detail_sample_distance=0.5, detail_max_error=0.1)
    stages, mesh = LevelStages(level, settings), onepath.bake(level, settings)
    without = sum(view.detail_triangles is None for view in mesh.tiles() if view.polygon_count)
    assert 0 < without < mesh.tile_count
    assert share(drawn((stages, mesh), "detail", tmp_path), FAINT) > 0.02


def test_what_lies_above_can_be_left_out(scene, tmp_path) -> None:
    assert not np.array_equal(drawn(scene, "regions", tmp_path), drawn(scene, "regions", tmp_path, below=3.0))
    assert not np.array_equal(drawn(scene, "polygons", tmp_path), drawn(scene, "polygons", tmp_path, below=3.0))


def test_equal_input_gives_equal_bytes(scene, tmp_path) -> None:
    stages, mesh = scene
    for name in ("a.svg", "b.svg"):
        save_stage(tmp_path / name, "contours", stages, mesh, [(0, 0)])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_an_unknown_stage_is_named(scene, tmp_path) -> None:
    with pytest.raises(ArgumentError, match="stage is 'voxels', not one of spans, regions"):
        drawn(scene, "voxels", tmp_path)


# --- the command


@pytest.mark.parametrize("stage", ["regions", "seams"])
def test_inspect_draws_a_stage(stage, tmp_path, capsys) -> None:
    out = tmp_path / "out.png"
    assert main(["inspect", "levels:room,size=8", "--stage", stage, "-o", str(out), "--detail", "draft"]) == 0
    assert out.stat().st_size > 1000
    assert capsys.readouterr().err == ""


def test_inspect_explains_a_spot_and_marks_it(tmp_path, capsys) -> None:
    out = tmp_path / "out.png"
    ask = ["inspect", "levels:room,size=8", "--at", "4", "0", "40", "--cell-size", "0.2"]
    assert main(ask) == 1
    assert "is not walkable: the level has x from" in capsys.readouterr().out
    ask[3:6] = ["4", "0", "6"]
    assert main([*ask, "--stage", "polygons", "-o", str(out)]) == 0
    assert "is walkable" in capsys.readouterr().out
    assert out.exists()


def test_a_spot_that_the_seeds_do_not_reach_is_told_so(tmp_path, capsys) -> None:
    path = tmp_path / "crate.obj"
    corners = [(0, 0, 0), (0, 0, 8), (8, 0, 8), (8, 0, 0), (2, 3, 2), (2, 3, 6), (6, 3, 6), (6, 3, 2)]
    faces = "f 1 2 3 4\nf 5 6 7 8\n"
    path.write_text("".join("v {} {} {}\n".format(*corner) for corner in corners) + faces)
    ask = ["inspect", str(path), "--at", "4", "3", "4", "--cell-size", "0.2"]
    assert main(ask) == 0
    assert main([*ask, "--seed", "1", "0", "1"]) == 1
    assert "it is not reachable from the seeds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "give --stage and -o to draw a stage, or --at to explain a spot"),
        (["--stage", "spans"], "--stage and -o belong together"),
        (["-o", "x.png"], "--stage and -o belong together"),
        (["--seed", "1", "0", "1", "--stage", "spans", "-o", "a.png"], "--seed is for --at"),
        (["--at", "1", "0", "1", "--tile", "0", "0"], "--tile and --below choose what --stage draws"),
        (["--at", "1", "0", "1", "--below", "2"], "--tile and --below choose what --stage draws"),
        (["--stage", "spans", "-o", "x.png", "--below", "nan"], "--below is NaN"),
        (["--stage", "spans", "-o", "x.gif"], "pictures end in .png or .svg"),
        (["--stage", "spans", "-o", "x.png", "--tile", "9", "9"], "--tile 9 9: tiles lie from (-1, -1) to (1, 1)"),
    ],
)
def test_inspect_says_what_is_missing(options, text, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", "levels:room,size=8", *options]) == 2
    assert text in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["matplotlib"] = None
from onepath.cli import main
sys.exit(main(["inspect", "levels:room", "--stage", "spans", "-o", "x.png"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "onepath[plot]"' in done.stderr
