"""The demo's window, driven as a hand would: choose an agent, send it, cut, outline, leave."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("esper", reason="esper is not installed")
pytest.importorskip("pyglet", reason="pyglet is not installed")
pytest.importorskip("PIL", reason="Pillow is not installed")

#: Runs in a process of its own, inside a display: pyglet chooses its platform once.
SCRIPT = """
import json, time
import numpy as np
from pyglet import gl
from pyglet.window import key, mouse
from demo_game.loading import open_level
from demo_game.window import DemoWindow

said = {}
window = DemoWindow(open_level("building", 1), 12, 1)
window.on_draw()
said["drawn_before_baking"] = window.look is None
while window.look is None:
    window._frame(1 / 60)
    time.sleep(0.01)
look, camera = window.look, window._camera

def pixel(point):
    width, height = window.get_size()
    clip = camera.view_projection(width, height) @ (*point, 1.0)
    return round((clip[0] / clip[3] + 1) * width / 2), round((clip[1] / clip[3] + 1) * height / 2)

def click(point):
    x, y = pixel(point)
    window.on_mouse_press(x, y, mouse.LEFT, 0)
    window.on_mouse_release(x, y, mouse.LEFT, 0)

camera.target[:], camera.distance, camera.tilt = (28.0, 0.0, 20.0), 25.0, 60.0
square = look.world.level.places["square"]
near = int(np.argmin(((look.world.rows[:, :3] - np.array(square)) ** 2).sum(axis=1)))
look.chosen = None
click(look.world.rows[near, :3] + (0.0, 1.0, 0.0))
said["chosen"] = look.chosen == near
spot = (24.5, 0.0, 22.5)
click(spot)
for _ in range(3):
    window._frame(1 / 60)
window.on_draw()
said["path_end"] = look.world.path(near).points[-1].tolist()
said["text"] = look.chosen_text()
x, y = pixel(spot)
window.on_mouse_press(x, y, mouse.LEFT, 0)
window.on_mouse_drag(x + 30, y, 30, 0, mouse.LEFT, 0)
before = look.world.path(near)
window.on_mouse_release(x + 30, y, mouse.LEFT, 0)
window._frame(1 / 60)
said["drag_is_no_click"] = look.world.path(near) is before
for symbol in (key.C, key.M, key.H, key.L, key.F, key.TAB, key.V):
    window.on_key_press(symbol, 0)
    window.on_draw()
said["cut"], said["mesh"] = look.cut_height, look.show_mesh
window.on_key_press(key.SPACE, 0)
seconds = look.world.seconds
window._frame(1 / 60)
said["paused"] = look.world.seconds == seconds
said["gl_error"] = gl.glGetError()
window.close()
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def said() -> dict[str, object]:
    if shutil.which("xvfb-run") is None:
        pytest.skip("xvfb-run is not installed")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", sys.executable, "-c", SCRIPT]
    run = subprocess.run(command, capture_output=True, text=True, timeout=200)
    if "NoSuchConfig" in run.stderr or "NoSuchDisplay" in run.stderr or "ContextException" in run.stderr:
        pytest.skip(f"no OpenGL inside xvfb-run: {run.stderr.splitlines()[-1]}")
    assert run.returncode == 0, run.stderr
    answers: dict[str, object] = json.loads(run.stdout.splitlines()[-1])
    return answers


def test_the_level_is_drawn_before_its_mesh_is_baked(said: dict[str, object]) -> None:
    assert said["drawn_before_baking"] is True


def test_a_click_on_an_agent_chooses_it_and_one_on_the_ground_sends_it(said: dict[str, object]) -> None:
    assert said["chosen"] is True
    assert said["path_end"] == pytest.approx([24.5, 0.0, 22.5], abs=0.15)
    assert "the spot you chose" in str(said["text"])
    assert "SUCCESS" in str(said["text"])


def test_dragging_turns_the_camera_and_sends_nobody(said: dict[str, object]) -> None:
    assert said["drag_is_no_click"] is True


def test_keys_cut_outline_and_pause(said: dict[str, object]) -> None:
    assert said["cut"] == pytest.approx(9.0, abs=0.5)
    assert said["mesh"] is True
    assert said["paused"] is True


def test_nothing_drawn_was_an_error_to_opengl(said: dict[str, object]) -> None:
    assert said["gl_error"] == 0
