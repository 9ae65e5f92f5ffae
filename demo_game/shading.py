"""Shader programs and vertex buffers: one buffer a kind of thing, filled from arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics.shader import Shader, ShaderProgram

from demo_game.palette import GROUND_LIGHT, HALF_HAZE, HAZE, INSIDE, SKY, SKY_LIGHT, SUN, SUN_LIGHT

__all__ = [
    "VertexBuffer",
    "agent_program",
    "depth_program",
    "line_program",
    "set_matrix",
    "sky_program",
    "surface_program",
]

Colour = tuple[float, float, float]


def _vector(values: Colour) -> str:
    return "vec3({:.5f}, {:.5f}, {:.5f})".format(*values)


#: Attributes stand at the same place in every program, so that a buffer serves several.
PLACES = {"position": 0, "normal": 1, "colour": 2, "feet": 3, "forward": 4, "coat": 5}
LIGHT = f"""
uniform mat4 view_projection;
uniform vec3 eye;
uniform float cut_height;
uniform mat4 sun_matrix;
uniform float shadow_offset;
flat out vec3 in_shade;
flat out vec3 in_sun;
out vec3 away;
out vec3 in_map;
void send(vec3 place, vec3 colour, vec3 normal, float cut_at) {{
    float up = 0.5 + 0.5 * normal.y;
    in_shade = colour * mix({_vector(GROUND_LIGHT)}, {_vector(SKY_LIGHT)}, up);
    in_sun = in_shade + colour * max(0.0, dot(normal, {_vector(SUN)})) * {_vector(SUN_LIGHT)};
    away = place - eye;
    in_map = 0.5 + 0.5 * (sun_matrix * vec4(place + shadow_offset * normal, 1.0)).xyz;
    gl_Position = view_projection * vec4(place, 1.0);
    gl_ClipDistance[0] = cut_height - cut_at;
}}
"""
SURFACE_VERTEX = f"""#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
{LIGHT}
void main() {{ send(position, colour, normal, position.y); }}
"""
AGENT_VERTEX = f"""#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
layout(location = 3) in vec3 feet;
layout(location = 4) in vec2 forward;
layout(location = 5) in vec3 coat;
{LIGHT}
vec3 facing(vec3 v) {{
    return vec3(v.x * forward.y + v.z * forward.x, v.y, v.z * forward.y - v.x * forward.x);
}}
void main() {{
    send(feet + facing(position), colour.r < 0.0 ? coat : colour, facing(normal), feet.y);
}}
"""
# x / (x + k), not an exponential: software rendering pays for every pixel.
SURFACE_FRAGMENT = f"""#version 330 core
flat in vec3 in_shade;
flat in vec3 in_sun;
in vec3 away;
in vec3 in_map;
uniform sampler2D sun_map;
out vec4 answer;
void main() {{
#ifdef SHADOWS
    vec3 seen = texture(sun_map, in_map.xy).r < in_map.z ? in_shade : in_sun;
#else
    vec3 seen = in_sun;
#endif
    float far = dot(away, away);
    seen = gl_FrontFacing ? seen : {_vector(INSIDE)};
    answer = vec4(mix(seen, {_vector(HAZE)}, far / (far + {HALF_HAZE * HALF_HAZE:.1f})), 1.0);
}}
"""
DEPTH_VERTEX = """#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 sun_matrix;
void main() { gl_Position = sun_matrix * vec4(position, 1.0); }
"""
DEPTH_FRAGMENT = """#version 330 core
void main() {}
"""
LINE_VERTEX = """#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 view_projection;
uniform float cut_height;
void main() {
    gl_Position = view_projection * vec4(position, 1.0);
    gl_ClipDistance[0] = cut_height - position.y;
}
"""
LINE_FRAGMENT = """#version 330 core
uniform vec4 colour;
out vec4 answer;
void main() { answer = colour; }
"""
SKY_VERTEX = """#version 330 core
layout(location = 0) in vec2 position;
out float height;
void main() {
    height = 0.5 + 0.5 * position.y;
    gl_Position = vec4(position, 1.0, 1.0);
}
"""
SKY_FRAGMENT = f"""#version 330 core
in float height;
out vec4 answer;
void main() {{
    answer = vec4(mix({_vector(HAZE)}, {_vector(SKY)}, clamp((height - 0.45) / 0.55, 0.0, 1.0)), 1.0);
}}
"""


def _program(vertex: str, fragment: str) -> ShaderProgram:
    return ShaderProgram(Shader(vertex, "vertex"), Shader(fragment, "fragment"))


def surface_program(shadows: bool) -> ShaderProgram:
    """Lit, hazy triangles with flat colours; backs are dark, as the inside of what is cut."""
    return _program(SURFACE_VERTEX, _with_shadows(SURFACE_FRAGMENT, shadows))


def agent_program(shadows: bool) -> ShaderProgram:
    """The same light for one body drawn many times, turned and put in place by rows of the view."""
    return _program(AGENT_VERTEX, _with_shadows(SURFACE_FRAGMENT, shadows))


def depth_program() -> ShaderProgram:
    """Depths only, as the sun sees them."""
    return _program(DEPTH_VERTEX, DEPTH_FRAGMENT)


def _with_shadows(fragment: str, shadows: bool) -> str:
    return fragment.replace("core\n", "core\n#define SHADOWS\n", 1) if shadows else fragment


def line_program() -> ShaderProgram:
    """One colour, for lines and ribbons."""
    return _program(LINE_VERTEX, LINE_FRAGMENT)


def sky_program() -> ShaderProgram:
    """The background, a gradient."""
    return _program(SKY_VERTEX, SKY_FRAGMENT)


def set_matrix(program: ShaderProgram, name: str, matrix: NDArray[np.float64]) -> None:
    """A (4, 4) matrix for column vectors as a uniform of the program in use."""
    program[name] = tuple(float(value) for value in matrix.T.reshape(-1))


class VertexBuffer:
    """Rows of float32 on the graphics side, with the attributes that a program reads from them.

    Args:
        attributes: (name, floats) in the order they stand in a row; names are those of `PLACES`.
        divisor: 1 where a row belongs to an instance, 0 where to a vertex.
        shares: a buffer whose rows are read beside this one's.
    """

    def __init__(
        self, attributes: Sequence[tuple[str, int]], divisor: int = 0, shares: VertexBuffer | None = None
    ) -> None:
        self.count = 0
        self._width = sum(size for _, size in attributes)
        if shares is None:
            self._array = gl.GLuint()
            gl.glGenVertexArrays(1, self._array)
        else:
            self._array = shares._array
        self._buffer = gl.GLuint()
        gl.glGenBuffers(1, self._buffer)
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer)
        offset = 0
        for name, size in attributes:
            location = PLACES[name]
            gl.glEnableVertexAttribArray(location)
            start = ctypes.c_void_p(4 * offset)
            gl.glVertexAttribPointer(location, size, gl.GL_FLOAT, gl.GL_FALSE, 4 * self._width, start)
            gl.glVertexAttribDivisor(location, divisor)
            offset += size
        gl.glBindVertexArray(0)

    def draw_runs(self, mode: int, firsts: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
        """Draws runs of rows in one call."""
        if len(firsts) == 0:
            return
        pointer = ctypes.POINTER(gl.GLint)
        firsts, counts = np.ascontiguousarray(firsts), np.ascontiguousarray(counts)
        gl.glBindVertexArray(self._array)
        gl.glMultiDrawArrays(mode, firsts.ctypes.data_as(pointer), counts.ctypes.data_as(pointer), len(firsts))
        gl.glBindVertexArray(0)

    def fill(self, rows: NDArray[np.float32], changing: bool = False) -> None:
        """Takes all rows anew; `changing` tells the driver that this happens every frame."""
        data = np.ascontiguousarray(rows, dtype=np.float32).reshape(-1, self._width)
        self.count = len(data)
        usage = gl.GL_STREAM_DRAW if changing else gl.GL_STATIC_DRAW
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, data.nbytes, ctypes.c_void_p(data.ctypes.data), usage)

    def draw(self, mode: int, instances: int | None = None) -> None:
        """Draws all rows; with `instances` as often as that."""
        if self.count == 0:
            return
        gl.glBindVertexArray(self._array)
        if instances is None:
            gl.glDrawArrays(mode, 0, self.count)
        else:
            gl.glDrawArraysInstanced(mode, 0, self.count, instances)
        gl.glBindVertexArray(0)
