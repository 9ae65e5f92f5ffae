"""Pictures of the scene from a framebuffer of any size, whatever the window's."""

from __future__ import annotations

import ctypes

from PIL import Image
from pyglet import gl

from demo_game.look import Look
from demo_game.picture import OVERSAMPLING, with_captions
from demo_game.scene_view import SceneView

__all__ = ["Framebuffer", "take_picture"]


class Framebuffer:
    """Colours and depths of `width` x `height` pixels to draw into."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._frame, self._buffers = gl.GLuint(), (gl.GLuint * 2)()
        gl.glGenFramebuffers(1, self._frame)
        gl.glGenRenderbuffers(2, self._buffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frame)
        kinds = ((gl.GL_RGBA8, gl.GL_COLOR_ATTACHMENT0), (gl.GL_DEPTH_COMPONENT24, gl.GL_DEPTH_ATTACHMENT))
        for buffer, (form, place) in zip(self._buffers, kinds, strict=True):
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, form, width, height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)

    def draw(self, scene: SceneView, look: Look, shadows: bool) -> None:
        """What the camera sees now; returns when it is drawn."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frame)
        gl.glViewport(0, 0, self.width, self.height)
        scene.draw(look, look.camera.view_projection(self.width, self.height), look.camera.eye, shadows)
        gl.glFinish()

    def image(self) -> Image.Image:
        """The colours drawn last."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frame)
        data = (ctypes.c_ubyte * (4 * self.width * self.height))()
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glReadPixels(0, 0, self.width, self.height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data)
        image = Image.frombytes("RGBA", (self.width, self.height), bytes(data))
        return image.convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def delete(self) -> None:
        """Gives the memory back and returns to the window's own framebuffer."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glDeleteFramebuffers(1, self._frame)
        gl.glDeleteRenderbuffers(2, self._buffers)


def take_picture(scene: SceneView, look: Look, width: int = 1280, height: int = 720) -> Image.Image:
    """The scene with smooth edges and its captions."""
    frame = Framebuffer(width * OVERSAMPLING, height * OVERSAMPLING)
    try:
        frame.draw(scene, look, shadows=True)
        picture = frame.image()
    finally:
        frame.delete()
    return with_captions(picture.resize((width, height), Image.Resampling.BOX), look)
