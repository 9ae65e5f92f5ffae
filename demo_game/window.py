"""The demo in a window: mouse, keys, and a picture as often as the screen wants one."""

from __future__ import annotations

import math
from pathlib import Path
from time import perf_counter

import numpy as np
import pyglet
from numpy.typing import NDArray
from PIL import Image
from pyglet import gl
from pyglet.window import key, mouse

from demo_game.capture import take_picture
from demo_game.loading import Baking
from demo_game.look import CUTS, FrameTimes, Look, camera_for
from demo_game.overlay import Overlay
from demo_game.palette import coloured_triangles
from demo_game.picking import agent_under, ground_under
from demo_game.scene_view import SceneView
from demo_game.world import DemoWorld
from onepath import Level

__all__ = ["DemoWindow"]

WIDTH, HEIGHT = 1280, 720
#: A mouse that moved farther than this between press and release, in pixels, has dragged and not clicked.
CLICK = 4
#: Degrees a pixel when turning, shares of the distance a pixel when moving and a second when a key is held.
TURN, DRAG, GLIDE = 0.3, 0.0012, 0.6
#: The world is never asked for more time than this at once, seconds.
LONGEST_FRAME = 0.1
#: In the names of renderers that draw without a graphics processor.
SOFTWARE = ("llvmpipe", "softpipe", "swiftshader", "swr", "gdi generic", "basic render")


class DemoWindow(pyglet.window.Window):  # type: ignore[misc]  # chosen by platform when pyglet runs
    """Shows the level at once, the world as soon as its mesh is baked.

    Args:
        seconds: closes itself after so long; None leaves that to the user.
        screenshot: where the last picture is kept.
    """

    def __init__(
        self, level: Level, agents: int, seed: int, seconds: float | None = None, screenshot: Path | None = None
    ) -> None:
        config = gl.Config(  # type: ignore[abstract]  # pyglet fills it in
            double_buffer=True, depth_size=24, major_version=3, minor_version=3
        )
        super().__init__(WIDTH, HEIGHT, caption="OnePath", resizable=True, config=config)
        self.times = FrameTimes()
        self.look: Look | None = None
        self._level, self._agents, self._seed = level, agents, seed
        self._seconds_left, self._screenshot = seconds, screenshot
        self._surface = coloured_triangles(level)
        self._camera = camera_for(level)
        self._scene, self._overlay = SceneView(self._surface), Overlay()
        self._baking: Baking | None = None
        self._keys = key.KeyStateHandler()
        self.push_handlers(self._keys)
        self._paused, self._dragged, self._since_draw = False, 0, 0.0
        # Software draws shadows too, but not sixty times a second.
        self._shadows = not any(name in gl.gl_info.get_renderer().lower() for name in SOFTWARE)
        pyglet.clock.schedule(self._frame)

    # -- time -----------------------------------------------------------------------------------------------------

    def _frame(self, seconds: float) -> None:
        self.times.add("frame", seconds)
        self._since_draw += seconds
        if self.look is None:
            self._wait_for_mesh()
            return
        self._glide(seconds)
        self.look.follow()
        if not self._paused and self.look.world.advance(min(seconds, LONGEST_FRAME)):
            self.times.add("step", self.look.world.step_seconds)
        if self._seconds_left is not None:
            self._seconds_left -= seconds
            if self._seconds_left <= 0.0:
                self.close()

    def _wait_for_mesh(self) -> None:
        if self._baking is None:
            # The first picture is on the screen by now or will be at once.
            self._baking = Baking(self._level)
        mesh = self._baking.poll()
        if mesh is not None:
            self.look = Look(DemoWorld(self._level, mesh, self._agents, self._seed), self._camera)

    def close(self) -> None:
        """Keeps the last picture, if that is wished, and closes."""
        if self._screenshot is not None and self.look is not None:
            self._screenshot.parent.mkdir(parents=True, exist_ok=True)
            self.picture().save(self._screenshot)
            self._screenshot = None
        pyglet.clock.unschedule(self._frame)
        super().close()

    def picture(self) -> Image.Image:
        """The present view with smooth edges."""
        assert self.look is not None, "there is a world"
        picture = take_picture(self._scene, self.look)
        gl.glViewport(0, 0, *self.get_framebuffer_size())
        return picture

    # -- drawing --------------------------------------------------------------------------------------------------

    def on_draw(self) -> None:
        started = perf_counter()
        width, height = self.get_framebuffer_size()
        self._scene.draw(self.look, self._camera.view_projection(width, height), self._camera.eye, self._shadows)
        if self.look is None:
            self._overlay.draw_loading("opening" if self._baking is None else self._baking.text, self.get_size())
        else:
            self._overlay.draw(self.look, self.times, self._since_draw, self.get_size())
        self._since_draw = 0.0
        gl.glFinish()
        self.times.add("draw", perf_counter() - started)

    # -- mouse ----------------------------------------------------------------------------------------------------

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._dragged = 0

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._dragged += abs(dx) + abs(dy)
        if self._dragged <= CLICK:
            return
        if buttons & mouse.LEFT:
            self._camera.orbit(-TURN * dx, -TURN * dy)
        else:
            self._stop_following()
            self._camera.pan(-DRAG * dx, -DRAG * dy)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if button == mouse.LEFT and self._dragged <= CLICK and self.look is not None:
            self._click(self.look, x, y)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._camera.zoom(0.9**scroll_y)

    def _click(self, look: Look, x: int, y: int) -> None:
        """Chooses the agent under the mouse, or sends the chosen one to the ground under it."""
        origin, direction = self._camera.ray(x, y, *self.get_size())
        below = look.cut_height if look.cut_height is not None else float("inf")
        ground = ground_under(origin, direction, self._surface.positions, below)
        index = agent_under(origin, direction, look.world.rows, below)
        if index is not None and not _is_hidden(origin, look.world.rows[index, :3], ground):
            look.chosen = index
        elif ground is not None and look.chosen is not None:
            look.world.send(look.chosen, ground)

    # -- keys -----------------------------------------------------------------------------------------------------

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        super().on_key_press(symbol, modifiers)
        look = self.look
        if look is None:
            return
        if symbol == key.M:
            look.show_mesh = not look.show_mesh
        elif symbol == key.C:
            look.cut = (look.cut + 1) % len(CUTS)
        elif symbol == key.H:
            look.show_keys = not look.show_keys
        elif symbol == key.F:
            look.show_times = not look.show_times
        elif symbol == key.L:
            self._shadows = not self._shadows
        elif symbol == key.V:
            look.following = not look.following
        elif symbol == key.TAB:
            look.choose_next()
        elif symbol == key.SPACE:
            self._paused = not self._paused

    def _glide(self, seconds: float) -> None:
        """Moves the camera while keys are held."""
        held, step = self._keys, GLIDE * seconds
        right = (held[key.RIGHT] or held[key.D]) - (held[key.LEFT] or held[key.A])
        forward = (held[key.UP] or held[key.W]) - (held[key.DOWN] or held[key.S])
        nearer = (held[key.PLUS] or held[key.EQUAL]) - held[key.MINUS]
        if right or forward:
            self._stop_following()
            self._camera.pan(right * step, forward * step)
        if nearer:
            self._camera.zoom(1.0 - nearer * step)

    def _stop_following(self) -> None:
        if self.look is not None:
            self.look.following = False


def _is_hidden(
    origin: NDArray[np.float64], feet: NDArray[np.float32], ground: tuple[float, float, float] | None
) -> bool:
    """Whether the ground under the mouse lies well before the agent."""
    return ground is not None and math.dist(ground, origin) + 2.0 < math.dist(feet.tolist(), origin)
