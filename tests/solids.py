"""Closed surfaces of triangles: what they enclose."""

from __future__ import annotations

import numpy as np

from onepath.geometry.triangles import Triangles, Vertices


def signed_volume(vertices: Vertices, triangles: Triangles) -> float:
    """Volume enclosed by closed surfaces wound counter-clockwise seen from outside; negative if wound the other way."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)
