"""The demo without a window: the same world for some seconds, then a picture, with OpenGL or without."""

from __future__ import annotations

from time import perf_counter

import pyglet
from PIL import Image

from demo_game.look import FrameTimes, Look
from demo_game.palette import coloured_triangles
from demo_game.picture import draw_picture
from demo_game.world import STEP

__all__ = ["run_on_cpu", "run_with_headless_opengl"]

#: Pictures drawn while the world runs: one in this many steps.
STEPS_A_PICTURE = 3


def run_with_headless_opengl(look: Look, seconds: float, times: FrameTimes) -> Image.Image:
    """Draws as a window would, into memory.

    Raises:
        Exception: whatever the drivers and their Python side raise where there is no OpenGL without a display.
    """
    pyglet.options.headless = True
    from pyglet import window

    hidden = window.Window(64, 64, visible=False)
    from demo_game.capture import Framebuffer, take_picture
    from demo_game.scene_view import SceneView

    scene = SceneView(coloured_triangles(look.world.level))
    frame = Framebuffer(1280, 720)
    frame.draw(scene, look, shadows=False)
    for step in range(round(seconds / STEP)):
        look.world.step()
        times.add("step", look.world.step_seconds)
        if step % STEPS_A_PICTURE == 0:
            started = perf_counter()
            frame.draw(scene, look, shadows=False)
            times.add("draw", perf_counter() - started)
    look.choose_traveller()
    picture = take_picture(scene, look)
    hidden.close()
    return picture


def run_on_cpu(look: Look, seconds: float, times: FrameTimes) -> Image.Image:
    """Runs the world until so many seconds have passed in it, then draws one picture in NumPy."""
    for _ in range(round((seconds - look.world.seconds) / STEP)):
        look.world.step()
        times.add("step", look.world.step_seconds)
    look.choose_traveller()
    return draw_picture(look)
