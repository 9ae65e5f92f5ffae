"""What the sun sees of the level, drawn once: a depth texture that the light looks into."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from demo_game import shading
from demo_game.shading import VertexBuffer
from demo_game.sunlight import MAP_SIZE, shadow_offset, sun_matrix

__all__ = ["ShadowMap"]


class ShadowMap:
    """Depths of all triangles in `buffer`, whose positions are given too; agents are not in it, for they move.

    Attributes:
        matrix: (4, 4) world to the map.
        offset: metres off a surface at which it is looked into.
    """

    def __init__(self, buffer: VertexBuffer, positions: NDArray[np.float32]) -> None:
        self.matrix = sun_matrix(positions)
        self.offset = shadow_offset(self.matrix)
        self._texture = gl.GLuint()
        gl.glGenTextures(1, self._texture)
        self._make_texture()
        self._draw(buffer)

    def use(self) -> None:
        """Binds the texture where programs look for it."""
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)

    def _make_texture(self) -> None:
        kind = gl.GL_TEXTURE_2D
        gl.glBindTexture(kind, self._texture)
        gl.glTexImage2D(
            kind, 0, gl.GL_DEPTH_COMPONENT24, MAP_SIZE, MAP_SIZE, 0, gl.GL_DEPTH_COMPONENT, gl.GL_UNSIGNED_INT, None
        )
        for name, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST), (gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE), (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
        ):  # fmt: skip
            gl.glTexParameteri(kind, name, value)

    def _draw(self, buffer: VertexBuffer) -> None:
        before, view = gl.GLint(), (gl.GLint * 4)()
        gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, before)
        gl.glGetIntegerv(gl.GL_VIEWPORT, view)
        frame, program = gl.GLuint(), shading.depth_program()
        gl.glGenFramebuffers(1, frame)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, frame)
        gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_TEXTURE_2D, self._texture, 0)
        gl.glDrawBuffer(gl.GL_NONE)
        gl.glViewport(0, 0, MAP_SIZE, MAP_SIZE)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthFunc(gl.GL_LESS)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        program.use()
        shading.set_matrix(program, "sun_matrix", self.matrix)
        buffer.draw(gl.GL_TRIANGLES)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, before.value)
        gl.glDeleteFramebuffers(1, frame)
        gl.glViewport(*view)
