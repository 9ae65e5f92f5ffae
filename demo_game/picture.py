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

__all__ = ["draw_picture", "sky_background", "with_captions"]

#: The picture is drawn this much larger and made smaller again: smooth edges.
OVERSAMPLING = 2


def draw_picture(look: Look, width: int = 1280, height: int = 720) -> Image.Image:
    """What the camera sees now."""
    wide, high = width * OVERSAMPLING, height * OVERSAMPLING
    eye = look.camera.eye
    canvas = Canvas(sky_background(wide, high), look.camera.view_projection(wide, high))
    _draw_surface(canvas, coloured_triangles(look.world.level), eye)
    _draw_surface(canvas, posed(body_surface(), look.world.rows, look.world.storeys()), eye)
    band = look.path_ribbon()[0].reshape(-1, 3)
    colours = np.tile(np.array(CHOSEN, dtype=np.float32), (len(band), 1))
    canvas.draw(band, colours, opacity=0.35, hidden=True)
    canvas.draw(band, colours)
    pixels = (np.clip(canvas.colours, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return with_captions(Image.fromarray(pixels).resize((width, height), Image.Resampling.BOX), look)


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


def _draw_surface(canvas: Canvas, surface: Surface, eye: NDArray[np.float64]) -> None:
    middles = surface.positions.reshape(-1, 3, 3).mean(axis=1)
    distances = np.sqrt(((middles - eye) ** 2).sum(axis=1))
    canvas.draw(surface.positions, hazed(lit(surface), np.repeat(distances, 3)))
