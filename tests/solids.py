"""Closed surfaces of triangles: what they enclose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from onepath.geometry.triangles import Triangles, Vertices


def signed_volume(vertices: Vertices, triangles: Triangles) -> float:
    """Volume enclosed by closed surfaces wound counter-clockwise seen from outside; negative if wound the other way."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


def is_inside(points: Vertices, vertices: Vertices, triangles: Triangles) -> NDArray[np.bool_]:
    """Whether a closed surface winds around each point, by the sum of its triangles' solid angles."""
    a, b, c = (vertices[triangles[:, corner]] - points[:, None] for corner in range(3))
    la, lb, lc = (np.sqrt((v * v).sum(axis=-1)) for v in (a, b, c))
    top = (a * np.cross(b, c)).sum(axis=-1)
    bottom = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return np.arctan2(top, bottom).sum(axis=-1) / (2 * np.pi) > 0.5
