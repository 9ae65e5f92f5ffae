"""Colours and light, the same for every way of drawing: a warm sun, a blue sky above, haze in the distance."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onepath import Level

__all__ = ["HAZE", "SKY", "STOREY_COLOURS", "SUN", "Surface", "coloured_triangles", "hazed", "lit"]

Floats = NDArray[np.float32]
Colour = tuple[float, float, float]

#: Where the sun stands, a unit vector; the colours of what it, the sky and the ground send.
SUN: Colour = (-0.42, 0.66, 0.6232)
SUN_LIGHT: Colour = (0.74, 0.66, 0.50)
SKY_LIGHT: Colour = (0.50, 0.54, 0.62)
GROUND_LIGHT: Colour = (0.32, 0.30, 0.27)
#: The sky at the top of the picture, and at the horizon, where everything far away ends.
SKY: Colour = (0.36, 0.58, 0.84)
HAZE: Colour = (0.84, 0.88, 0.91)
#: Half of a surface's colour is haze at this distance, metres.
HALF_HAZE = 260.0
#: What the inside of a cut wall looks like.
INSIDE: Colour = (0.20, 0.21, 0.25)

#: Agents by the storey they walk to, and all that marks the chosen one.
STOREY_COLOURS: tuple[Colour, ...] = ((0.10, 0.52, 0.66), (0.93, 0.47, 0.12), (0.74, 0.16, 0.42))
CHOSEN: Colour = (1.0, 0.86, 0.15)

#: By the names of a level's parts; anything else is plain stone, or grass where its part is a large open ground.
COLOURS: dict[str, Colour] = {
    "hills": (0.47, 0.62, 0.33), "ground": (0.52, 0.64, 0.38), "road": (0.46, 0.46, 0.48),
    "pavement": (0.74, 0.70, 0.62), "floor": (0.72, 0.60, 0.45), "wall": (0.88, 0.82, 0.71),
    "partition": (0.90, 0.87, 0.80), "rail": (0.55, 0.40, 0.29), "bridge": (0.66, 0.47, 0.32),
    "ramp": (0.72, 0.66, 0.56), "landing": (0.72, 0.66, 0.56), "column": (0.80, 0.74, 0.64),
    "trunk": (0.42, 0.30, 0.20), "crown": (0.30, 0.52, 0.24), "hedge": (0.24, 0.45, 0.24),
    "pillar": (0.86, 0.83, 0.76), "beam": (0.80, 0.76, 0.68), "fountain": (0.62, 0.72, 0.78),
    "mound": (0.56, 0.66, 0.38), "table": (0.58, 0.38, 0.24), "stage": (0.62, 0.46, 0.34),
    "crate": (0.66, 0.50, 0.30), "step": (0.78, 0.68, 0.54), "stairs": (0.78, 0.68, 0.54),
}  # fmt: skip
STONE: Colour = (0.78, 0.74, 0.67)
STEEP: Colour = (0.58, 0.53, 0.48)


class Surface(NamedTuple):
    """Triangles ready to draw, three rows each: positions, normals and colours, (3 n, 3) float32."""

    positions: Floats
    normals: Floats
    colours: Floats


def coloured_triangles(level: Level) -> Surface:
    """The level's triangles with flat normals, coloured by part, and by slope where a part has no colour of its own."""
    vertices, triangles, _ = level.triangles()
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1))
    normals /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    colours = np.empty((len(triangles), 3))
    for part in level.parts:
        rows = slice(part.first_triangle, part.first_triangle + part.triangle_count)
        known = COLOURS.get(part.name or "")
        if known is not None:
            colours[rows] = known
        else:
            colours[rows] = np.where(normals[rows, 1:2] > math.cos(math.radians(45.0)), STONE, STEEP)
    colours *= _unevenness(corners)[:, None]
    repeated = (np.repeat(array, 3, axis=0).astype(np.float32) for array in (normals, colours))
    return Surface(corners.reshape(-1, 3).astype(np.float32), *repeated)


def lit(surface: Surface) -> tuple[Floats, Floats]:
    """(3 n, 3) colours in the shade and in the sun, before haze."""
    up = 0.5 + 0.5 * surface.normals[:, 1:2]
    shade = surface.colours * (up * np.array(SKY_LIGHT) + (1.0 - up) * np.array(GROUND_LIGHT))
    facing = np.maximum(0.0, surface.normals @ np.array(SUN))[:, None]
    sunny = shade + surface.colours * facing * np.array(SUN_LIGHT)
    return shade.astype(np.float32), sunny.astype(np.float32)


def hazed(colours: Floats, distances: Floats) -> Floats:
    """(n, 3) colours seen through (n,) metres of air."""
    far = distances * distances
    share = (far / (far + HALF_HAZE * HALF_HAZE))[:, None]
    return np.asarray(colours * (1.0 - share) + np.array(HAZE) * share, dtype=np.float32)


def _unevenness(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """A little brighter or darker by where a face lies, so that equal ones can be told apart."""
    middle = corners.mean(axis=1)
    wave = np.sin(middle[:, 0] * 1.7 + middle[:, 1] * 2.3) * np.sin(middle[:, 2] * 1.3 - middle[:, 1] * 0.9)
    return np.asarray(1.0 + 0.045 * wave)
