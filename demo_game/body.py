"""The agents' body: a low-poly figure with a face to one side, and where its parts are for every agent."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from demo_game.palette import STOREY_COLOURS, Surface

__all__ = ["BODY_HEIGHT", "BODY_RADIUS", "body_surface", "posed"]

BODY_HEIGHT, BODY_RADIUS = 1.75, 0.34
SIDES = 10
#: (height, radius) from the ground up. The coat takes the agent's colour, written here as white minus one: below zero.
COAT = ((0.06, 0.20), (0.30, 0.30), (0.95, 0.34), (1.28, 0.26), (1.36, 0.12))
HEAD = ((1.34, 0.10), (1.42, 0.20), (1.56, 0.23), (1.68, 0.17), (1.75, 0.02))
SKIN, VISOR, SHADOW = (0.93, 0.76, 0.62), (0.10, 0.11, 0.14), (0.16, 0.17, 0.17)
OWN_COLOUR = (-1.0, -1.0, -1.0)

Floats = NDArray[np.float32]


def body_surface() -> Surface:
    """One figure at the origin that looks along +Z. Colours below zero stand for the agent's own."""
    parts = [
        (_turned(COAT), OWN_COLOUR),
        (_turned(HEAD), SKIN),
        (_box((-0.15, 1.50, 0.12), (0.15, 1.62, 0.27)), VISOR),
        (_box((-0.05, 0.98, 0.28), (0.05, 1.22, 0.36)), SKIN),
        (_box((-0.17, 0.78, -0.46), (0.17, 1.22, -0.22)), (0.35, 0.29, 0.24)),
        (_disc(0.42, 0.025), SHADOW),
    ]
    corners = np.concatenate([triangles for triangles, _ in parts])
    colours = np.concatenate([np.tile(colour, (3 * len(triangles), 1)) for triangles, colour in parts])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.sqrt((normals * normals).sum(axis=1))[:, None]
    return Surface(
        corners.reshape(-1, 3).astype(np.float32),
        np.repeat(normals, 3, axis=0).astype(np.float32),
        colours.astype(np.float32),
    )


def posed(body: Surface, rows: Floats, storeys: NDArray[np.int64]) -> Surface:
    """The figures of all agents as one surface: rows (n, 5) x, y, z, forward x, z; storeys (n,) give the colours."""
    feet, forward = rows[:, None, :3], rows[:, 3:5]
    colours = np.where(
        body.colours[None] < 0.0, np.array(STOREY_COLOURS, dtype=np.float32)[storeys][:, None], body.colours
    )
    return Surface(
        (_facing(body.positions, forward) + feet).reshape(-1, 3).astype(np.float32),
        _facing(body.normals, forward).reshape(-1, 3).astype(np.float32),
        colours.reshape(-1, 3).astype(np.float32),
    )


def _facing(vectors: Floats, forward: Floats) -> Floats:
    """(n, vectors, 3): turned about Y so that +Z points along each forward (x, z)."""
    fx, fz = forward[:, 0:1], forward[:, 1:2]
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    return np.stack([x * fz + z * fx, np.broadcast_to(y, (len(forward), len(y))), z * fz - x * fx], axis=2)


def _turned(profile: tuple[tuple[float, float], ...]) -> NDArray[np.float64]:
    """(n, 3, 3) triangles of a profile of (height, radius) turned about Y, outside faces out."""
    angles = [2.0 * math.pi * side / SIDES for side in range(SIDES + 1)]
    found = []
    for (low, low_radius), (high, high_radius) in itertools.pairwise(profile):
        for here, there in itertools.pairwise(angles):
            a, b = _at(here, low, low_radius), _at(there, low, low_radius)
            c, d = _at(there, high, high_radius), _at(here, high, high_radius)
            found += [(a, b, c), (a, c, d)]
    return np.array(found)


def _at(angle: float, height: float, radius: float) -> tuple[float, float, float]:
    return radius * math.sin(angle), height, radius * math.cos(angle)


def _disc(radius: float, height: float) -> NDArray[np.float64]:
    rim = [_at(2.0 * math.pi * side / SIDES, height, radius) for side in range(SIDES + 1)]
    return np.array([((0.0, height, 0.0), a, b) for a, b in itertools.pairwise(rim)])


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> NDArray[np.float64]:
    x, y, z = zip(low, high, strict=True)
    corner = [(x[i & 1], y[i >> 1 & 1], z[i >> 2]) for i in range(8)]
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3))
    found = [(corner[a], corner[b], corner[c]) for a, b, c, _ in faces]
    found += [(corner[a], corner[c], corner[d]) for a, _, c, d in faces]
    return np.array(found)
