"""Draws a look at the world with OpenGL: sky, level, agents, the chosen one's path, the mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics.shader import ShaderProgram

from demo_game import shading
from demo_game.body import BODY_HEIGHT, body_surface
from demo_game.chunks import Chunks
from demo_game.look import Look
from demo_game.palette import CHOSEN, STOREY_COLOURS, Surface
from demo_game.shading import VertexBuffer
from demo_game.shadow_map import ShadowMap

__all__ = ["SceneView"]

Matrix = NDArray[np.float64]

SURFACE = (("position", 3), ("normal", 3), ("colour", 3))
#: Above everything there is: nothing is cut.
UNCUT = 1e9


class SceneView:
    """Owns the programs and buffers. The level is there at once; agents come with their world.

    Args:
        level: the level's triangles.
    """

    def __init__(self, level: Surface) -> None:
        self._sky, self._line = shading.sky_program(), shading.line_program()
        self._programs: dict[bool, tuple[ShaderProgram, ShaderProgram]] = {}
        self._shadows: ShadowMap | None = None
        self._background = VertexBuffer([("position", 2)])
        self._background.fill(np.array([(-1, -1), (3, -1), (-1, 3)], dtype=np.float32))
        self._chunks = Chunks(level)
        self._level = VertexBuffer(SURFACE)
        self._level.fill(np.concatenate(self._chunks.surface, axis=1))
        self._body = VertexBuffer(SURFACE)
        self._body.fill(np.concatenate(body_surface(), axis=1))
        self._bodies = VertexBuffer((("feet", 3), ("forward", 2), ("coat", 3)), divisor=1, shares=self._body)
        position = [("position", 3)]
        self._ribbon, self._marker = VertexBuffer(position), VertexBuffer(position)
        self._inner, self._border = VertexBuffer(position), VertexBuffer(position)
        self._outlined: object = None

    def draw(self, look: Look | None, matrix: Matrix, eye: Matrix, shadows: bool) -> None:
        """The whole picture into the current framebuffer; without a look only the level.

        Shadows cost software rendering some milliseconds a picture. Where the world is cut there are none: what is cut
        away would keep the floors dark.
        """
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthFunc(gl.GL_LESS)
        cut = None if look is None else look.cut_height
        surface, agent = self._lit_programs(shadows and cut is None)
        self._prepare_cut(cut is not None)
        height = UNCUT if cut is None else cut
        self._use_lit(surface, matrix, height, eye)
        seen = self._chunks.visible(matrix, height)
        self._level.draw_runs(gl.GL_TRIANGLES, self._chunks.firsts[seen], self._chunks.counts[seen])
        if look is not None:
            self._draw_agents(look, agent, matrix, height, eye)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glDisable(gl.GL_CLIP_DISTANCE0)
        self._draw_sky()
        if look is not None:
            self._prepare_cut(cut is not None)
            gl.glDisable(gl.GL_CULL_FACE)
            self._draw_lines(look, matrix, height)
        gl.glDisable(gl.GL_CLIP_DISTANCE0)
        gl.glDisable(gl.GL_DEPTH_TEST)

    def _draw_sky(self) -> None:
        """Behind everything, and last: only where nothing else is."""
        gl.glDepthFunc(gl.GL_LEQUAL)
        self._sky.use()
        self._background.draw(gl.GL_TRIANGLES)
        gl.glDepthFunc(gl.GL_LESS)

    def _prepare_cut(self, cut: bool) -> None:
        """Backs are the inside of what is cut; otherwise they are never seen and only cost time."""
        (gl.glEnable if cut else gl.glDisable)(gl.GL_CLIP_DISTANCE0)
        (gl.glDisable if cut else gl.glEnable)(gl.GL_CULL_FACE)

    def _lit_programs(self, shadows: bool) -> tuple[ShaderProgram, ShaderProgram]:
        """For the level and for agents, made when first wanted, as is the shadow map."""
        if shadows and self._shadows is None:
            self._shadows = ShadowMap(self._level, self._chunks.surface.positions)
        if shadows not in self._programs:
            self._programs[shadows] = shading.surface_program(shadows), shading.agent_program(shadows)
        return self._programs[shadows]

    def _use(self, program: ShaderProgram, matrix: Matrix, cut: float) -> None:
        program.use()
        shading.set_matrix(program, "view_projection", matrix)
        program["cut_height"] = cut

    def _use_lit(self, program: ShaderProgram, matrix: Matrix, cut: float, eye: Matrix) -> None:
        self._use(program, matrix, cut)
        program["eye"] = tuple(float(value) for value in eye)
        if "sun_map" in program.uniforms and self._shadows is not None:
            shading.set_matrix(program, "sun_matrix", self._shadows.matrix)
            program["shadow_offset"] = self._shadows.offset
            program["sun_map"] = 0
            self._shadows.use()

    def _draw_agents(self, look: Look, program: ShaderProgram, matrix: Matrix, cut: float, eye: Matrix) -> None:
        if not look.world.entities:
            return
        coats = np.array(STOREY_COLOURS, dtype=np.float32)[look.world.storeys()]
        self._bodies.fill(np.concatenate([look.world.rows, coats], axis=1), changing=True)
        self._use_lit(program, matrix, cut, eye)
        self._body.draw(gl.GL_TRIANGLES, instances=len(coats))

    def _draw_lines(self, look: Look, matrix: Matrix, cut: float) -> None:
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._use(self._line, matrix, cut)
        if look.show_mesh:
            self._fill_outline(look)
            self._line["colour"] = (0.05, 0.12, 0.30, 0.38)
            self._inner.draw(gl.GL_LINES)
            self._line["colour"] = (0.05, 0.12, 0.40, 0.95)
            self._border.draw(gl.GL_LINES)
        band, changed = look.path_ribbon()
        if changed or self._ribbon.count != band.size // 3:
            self._ribbon.fill(band)
        self._marker.fill(_marker(look), changing=True)
        # What walls hide is drawn too, faintly.
        gl.glDepthMask(gl.GL_FALSE)
        gl.glDepthFunc(gl.GL_GREATER)
        self._line["colour"] = (*CHOSEN, 0.30)
        self._ribbon.draw(gl.GL_TRIANGLES)
        self._marker.draw(gl.GL_TRIANGLES)
        gl.glDepthFunc(gl.GL_LESS)
        gl.glDepthMask(gl.GL_TRUE)
        self._line["colour"] = (*CHOSEN, 1.0)
        self._ribbon.draw(gl.GL_TRIANGLES)
        self._marker.draw(gl.GL_TRIANGLES)
        gl.glDisable(gl.GL_BLEND)

    def _fill_outline(self, look: Look) -> None:
        if self._outlined is not look:
            inner, border = look.outline()
            self._inner.fill(inner)
            self._border.fill(border)
            self._outlined = look


def _marker(look: Look) -> NDArray[np.float32]:
    """A small pyramid on its tip over the chosen agent's head, (n, 3)."""
    if look.chosen is None:
        return np.zeros((0, 3), dtype=np.float32)
    tip = look.world.rows[look.chosen, :3] + np.array([0.0, BODY_HEIGHT + 0.25, 0.0], dtype=np.float32)
    offsets = ((0.3, 0.6, 0.0), (0.0, 0.6, -0.3), (-0.3, 0.6, 0.0), (0.0, 0.6, 0.3))
    a, b, c, d = (tip + np.array(offset, dtype=np.float32) for offset in offsets)
    faces = [(tip, a, b), (tip, b, c), (tip, c, d), (tip, d, a), (a, b, c), (a, c, d)]
    return np.array(faces, dtype=np.float32).reshape(-1, 3)
