"""The picture without OpenGL: the same triangles and light, drawn by NumPy, with shadows of the sun."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from demo_game.body import body_surface, posed
from demo_game.caption import caption_image, storey_legend
from demo_game.look import Look
from demo_game.palette import CHOSEN, HAZE, SKY, Surface, coloured_triangles, hazed, lit
from demo_game.raster import Canvas
from demo_game.sunlight import MAP_SIZE, shadow_offset, sun_matrix

__all__ = ["draw_picture", "sky_background", "with_captions"]

#: The picture is drawn this much larger and made smaller again: smooth edges.
OVERSAMPLING = 2
#: Rows coloured at a time.
STRIP = 160


def draw_picture(look: Look, width: int = 1280, height: int = 720) -> Image.Image:
    """What the camera sees now."""
    wide, high = width * OVERSAMPLING, height * OVERSAMPLING
    matrix = look.camera.view_projection(wide, high)
    level = coloured_triangles(look.world.level)
    agents = posed(body_surface(), look.world.rows, look.world.storeys())
    surface = Surface(*(np.concatenate(pair) for pair in zip(level, agents, strict=True)))
    canvas = Canvas(wide, high, matrix)
    canvas.cover(surface.positions)
    picture = sky_background(wide, high)
    sun = _SunLight(level)
    inverse = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    lights = lit(surface)
    for top in range(0, high, STRIP):
        _colour_strip(picture, canvas, slice(top, top + STRIP), surface.normals, lights, sun, inverse, look.camera.eye)
    canvas.paint(picture, look.path_ribbon()[0].reshape(-1, 3), CHOSEN, hidden=0.35)
    pixels = (np.clip(picture, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return with_captions(Image.fromarray(pixels).resize((width, height), Image.Resampling.BOX), look)


class _SunLight:
    """Which spots the sun sees, after a picture of the level from there."""

    def __init__(self, level: Surface) -> None:
        self._matrix = sun_matrix(level.positions)
        self._offset = shadow_offset(self._matrix)
        self._map = Canvas(MAP_SIZE, MAP_SIZE, self._matrix)
        self._map.cover(level.positions)

    def reaches(self, spots: NDArray[np.float64], normals: NDArray[np.float32]) -> NDArray[np.bool_]:
        """(n,) for spots (n, 3) on surfaces with these normals."""
        seen = (spots + self._offset * normals) @ self._matrix[:3, :3].T + self._matrix[:3, 3]
        columns = np.clip((seen[:, 0] * 0.5 + 0.5) * MAP_SIZE, 0, MAP_SIZE - 1).astype(np.int64)
        rows = np.clip((0.5 - seen[:, 1] * 0.5) * MAP_SIZE, 0, MAP_SIZE - 1).astype(np.int64)
        return np.asarray(self._map.depths[rows, columns] >= seen[:, 2])


def _colour_strip(
    picture: NDArray[np.float32], canvas: Canvas, rows: slice, normals: NDArray[np.float32],
    lights: tuple[NDArray[np.float32], NDArray[np.float32]], sun: _SunLight, inverse: NDArray[np.float64],
    eye: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fills in what the canvas saw in some rows of the picture: light, shadow and haze."""
    owners = canvas.owners[rows]
    row, column = np.nonzero(owners >= 0)
    corner = 3 * owners[row, column]
    x = (column + 0.5) / canvas.width * 2.0 - 1.0
    y = 1.0 - (row + rows.start + 0.5) / canvas.height * 2.0
    clip = np.stack([x, y, canvas.depths[rows][row, column], np.ones(len(x))], axis=1) @ inverse.T
    spots = clip[:, :3] / clip[:, 3:]
    shade, sunny = lights
    bright = sun.reaches(spots, normals[corner])
    colours = np.where(bright[:, None], sunny[corner], shade[corner])
    picture[rows][row, column] = hazed(colours, np.sqrt(((spots - eye) ** 2).sum(axis=1)))


def sky_background(width: int, height: int) -> NDArray[np.float32]:
    """(height, width, 3): blue above, haze below the upper third."""
    share = np.linspace(0.0, 1.0, height, dtype=np.float32)
    share = np.clip(1.0 - share / 0.55, 0.0, 1.0)[:, None]
    column = np.array(HAZE) * (1.0 - share) + np.array(SKY) * share
    return np.repeat(column[:, None].astype(np.float32), width, axis=1)


def with_captions(picture: Image.Image, look: Look, *more: str) -> Image.Image:
    """The picture with the world's line and the chosen agent's in its upper left, the colours' meaning below."""
    lines = [look.world_text(), look.chosen_text(), *more]
    panel, legend = caption_image(lines), caption_image(["colours"], storey_legend())
    answer = picture.convert("RGBA")
    answer.alpha_composite(panel, (16, 16))
    answer.alpha_composite(legend, (16, max(0, picture.height - legend.height - 16)))
    return answer.convert("RGB")
