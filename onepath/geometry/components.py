"""Connected pieces: of anything joined in pairs, and of triangles, which may close around a volume."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onepath.geometry.triangles import Triangles, Vertices

__all__ = ["Surfaces", "connected_surfaces", "least_joined"]


def least_joined(count: int, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """For each of `count` things the least one that pairs (a, b) join it with, over however many steps."""
    least = np.arange(count)
    while True:
        low, high = np.minimum(least[a], least[b]), np.maximum(least[a], least[b])
        apart = low < high
        if not apart.any():
            return least
        np.minimum.at(least, high[apart], low[apart])
        while (further := least[least] < least).any():
            least[further] = least[least[further]]


class Surfaces(NamedTuple):
    """The connected surfaces of a set of triangles.

    Attributes:
        first_triangle: (m,) int32, for each triangle the first one of its surface, which names the surface.
        closed: (m,) bool, whether that surface is closed.
    """

    first_triangle: npt.NDArray[np.int32]
    closed: npt.NDArray[np.bool_]

    @property
    def open_surfaces(self) -> tuple[int, ...]:
        """First triangles of the surfaces that are not closed, ascending."""
        names = np.unique(self.first_triangle[~self.closed])
        return tuple(int(name) for name in names)


def connected_surfaces(vertices: Vertices, triangles: Triangles) -> Surfaces:
    """Surfaces that shared edges connect; corners at the same position are one, whatever their indices.

    A surface is closed when every edge is walked as often one way as the other. Then it encloses a volume, as long as
    its triangles do not cut through it.
    """
    count = len(triangles)
    _, corner = np.unique(vertices[triangles].reshape(-1, 3), axis=0, return_inverse=True)
    corners = corner.reshape(-1, 3).astype(np.int64)
    begin, end = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
    owner = np.repeat(np.arange(count), 3)
    forward = begin < end
    edge = np.where(forward, begin, end) * (int(corners.max(initial=0)) + 1) + np.where(forward, end, begin)
    _, number = np.unique(edge, return_inverse=True)
    number = number.reshape(-1)
    order = np.argsort(number, kind="stable")
    alike = number[order[1:]] == number[order[:-1]]
    surface = least_joined(count, owner[order[1:]][alike], owner[order[:-1]][alike])
    turns = np.bincount(number, np.where(begin == end, 0, np.where(forward, 1, -1)))
    closed = np.ones(count, bool)
    closed[surface[owner[turns[number] != 0]]] = False
    return Surfaces(surface.astype(np.int32), closed[surface])
