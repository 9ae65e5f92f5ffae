"""The demo as a newcomer starts it: with a window, off-screen, without OpenGL, with wrong arguments."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("esper", reason="esper is not installed")
pytest.importorskip("pyglet", reason="pyglet is not installed")
Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")

from demo_game.body import BODY_HEIGHT  # noqa: E402
from demo_game.camera import Camera  # noqa: E402
from demo_game.look import Look, camera_for  # noqa: E402
from demo_game.picture import draw_picture  # noqa: E402
from demo_game.world import DemoWorld  # noqa: E402
from onepath import bake, levels  # noqa: E402


def demo(*arguments: str, display: bool = False) -> subprocess.CompletedProcess[str]:
    """`python -m demo_game` in a process of its own; with a display only inside `xvfb-run`."""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    command = [sys.executable, "-m", "demo_game", *arguments]
    if display:
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", *command]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def colours_of(file: Path) -> int:
    with Image.open(file) as image:
        return len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0))


def number_before(word: str, output: str) -> int:
    words = output.replace(",", " ").split()
    return int(words[words.index(word) - 1])


def test_the_cpu_draws_the_level_and_every_agent_that_is_not_hidden() -> None:
    level = levels.room()
    mesh = bake(level)
    world, empty = DemoWorld(level, mesh, agents=4, seed=1), DemoWorld(level, mesh, agents=0, seed=1)
    camera = Camera((6.0, 0.0, 7.0), 22.0, turn=0.0, tilt=80.0)
    with_agents, without = (
        np.asarray(draw_picture(Look(each, camera), 480, 270), dtype=int) for each in (world, empty)
    )
    changed = (with_agents != without).any(axis=2)
    matrix = camera.view_projection(480, 270)
    for x, y, z in world.rows[:, :3].tolist():
        clip = matrix @ (x, y + BODY_HEIGHT / 2.0, z, 1.0)
        column, row = round((clip[0] / clip[3] + 1.0) * 240.0), round((1.0 - clip[1] / clip[3]) * 135.0)
        assert changed[row - 1 : row + 2, column - 1 : column + 2].any()
    assert changed.mean() < 0.5, "agents are small, the level is the same"
    assert len(np.unique(without.reshape(-1, 3), axis=0)) > 50
    world.close()
    empty.close()


def test_the_same_world_gives_the_same_picture() -> None:
    level = levels.room()
    mesh = bake(level)
    worlds = [DemoWorld(level, mesh, agents=3, seed=1) for _ in range(2)]
    pictures = [draw_picture(Look(world, camera_for(level)), 320, 180).tobytes() for world in worlds]
    assert pictures[0] == pictures[1]
    for world in worlds:
        world.close()


def test_without_opengl_it_simulates_and_leaves_a_picture_and_a_summary(tmp_path: Path) -> None:
    run = demo("--cpu", "--seconds", "1", "--output", str(tmp_path))
    assert run.returncode == 0, run.stderr
    assert number_before("agents", run.stdout) == 50
    assert number_before("failed", run.stdout) == 0
    assert "polygons" in run.stdout
    assert colours_of(tmp_path / "demo.png") > 500


def test_without_a_display_it_says_so_and_leaves_a_picture(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("other systems always have a display")
    run = demo("--seconds", "1", "--level", "building", "--agents", "9", "--output", str(tmp_path))
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0].startswith("No display")
    assert number_before("agents", run.stdout) == 9
    assert colours_of(tmp_path / "demo.png") > 500


def test_in_a_window_it_walks_and_keeps_a_screenshot(tmp_path: Path) -> None:
    if shutil.which("xvfb-run") is None:
        pytest.skip("xvfb-run is not installed")
    file = tmp_path / "window.png"
    run = demo("--seconds", "2", "--level", "building", "--screenshot", str(file), display=True)
    assert run.returncode == 0, run.stderr
    if run.stdout.startswith("No window"):
        pytest.skip(run.stdout.splitlines()[0])
    assert number_before("agents", run.stdout) == 50
    assert colours_of(file) > 500


def test_a_display_that_does_not_answer_is_said_and_the_picture_comes_from_the_cpu(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only X11 displays are named by DISPLAY")
    command = [sys.executable, "-m", "demo_game", "--level", "room", "--seconds", "1", "--output", str(tmp_path)]
    environment = os.environ | {"DISPLAY": ":987"}
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("No window (")
    assert colours_of(tmp_path / "demo.png") > 500


def test_without_headless_opengl_it_says_so_and_the_picture_comes_from_the_cpu(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['pyglet.gl'] = None\n"
        "from demo_game.__main__ import main\n"
        f"sys.exit(main(['--offscreen', '--level', 'room', '--seconds', '1', '--output', {str(tmp_path)!r}]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("No OpenGL (")
    assert number_before("agents", run.stdout) == 50
    assert colours_of(tmp_path / "demo.png") > 500


def test_a_level_from_a_file_is_walked_too(tmp_path: Path) -> None:
    file = tmp_path / "floor.obj"
    file.write_text("v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n")
    run = demo("--cpu", "--seconds", "3", "--agents", "5", "--level", str(file), "--output", str(tmp_path))
    assert run.returncode == 0, run.stderr
    assert number_before("arrivals", run.stdout) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "no-such-file.obj"], "no-such-file.obj"),
        (["--agents", "-1"], "outside 0 to 2000"),
        (["--seconds", "0"], "outside 0 to 86400"),
        (["--screenshot", "picture.gif"], "picture.gif ends neither"),
    ],
)
def test_a_wrong_argument_is_one_readable_line(arguments: list[str], message: str) -> None:
    run = demo("--cpu", *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("module", ["pyglet", "esper", "PIL"])
def test_a_missing_package_is_named_with_the_command_that_brings_it(module: str, tmp_path: Path) -> None:
    code = (
        "import importlib.util as u, sys\n"
        "find = u.find_spec\n"
        f"u.find_spec = lambda name, *rest: None if name == {module!r} else find(name, *rest)\n"
        "from demo_game.__main__ import main\n"
        "sys.exit(main(['--cpu', '--seconds', '1']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2
    assert 'pip install "onepath[demo]"' in run.stderr
    assert len(run.stderr.splitlines()) == 1
