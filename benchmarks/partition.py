"""A baked mesh as plain arrays, whoever baked it, and what can be counted on those alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import onepath
from onepath.debug.geometry import detail_triangles, polygon_outlines
from onepath.geometry.components import least_joined
from onepath.mesh.view import TileView


@dataclass(frozen=True)
class Partition:
    """Polygons in world coordinates.

    Attributes:
        corners: (n, 3) outlines of the polygons, one after the other.
        offsets: (polygons + 1,): polygon i has the corners from offsets[i] to offsets[i + 1].
        joined: (k, 2) polygons between which one can walk, by the library's own links.
        surface: (m, 3, 3) triangles of height detail; where a library has none, of the polygons.
    """

    corners: NDArray[np.float64]
    offsets: NDArray[np.int64]
    joined: NDArray[np.int64]
    surface: NDArray[np.float64]

    @property
    def polygons(self) -> int:
        return len(self.offsets) - 1

    def polygon_areas(self) -> NDArray[np.float64]:
        """Square metres of each polygon seen from above."""
        following = np.arange(1, len(self.corners) + 1)
        following[self.offsets[1:] - 1] = self.offsets[:-1]
        x, z = self.corners[:, 0], self.corners[:, 2]
        doubled = np.concatenate([[0.0], np.cumsum(x * z[following] - x[following] * z)])
        return np.asarray(np.abs(np.diff(doubled[self.offsets])) / 2)

    def component_areas(self) -> NDArray[np.float64]:
        """Square metres of each set of polygons that hang together, the largest first."""
        least = least_joined(self.polygons, self.joined[:, 0], self.joined[:, 1])
        areas = np.bincount(least, self.polygon_areas(), minlength=self.polygons)
        return np.asarray(np.sort(areas[np.unique(least)])[::-1], np.float64)


def own_partition(mesh: onepath.NavMesh) -> Partition:
    """What `onepath` baked."""
    views = list(mesh.tiles())
    numbers = {int(ref): number for number, ref in enumerate(ref for view in views for ref in view.references)}
    joined = [pair for view in views for pair in _joined(view, numbers)]
    sizes = [np.diff(view.polygon_offsets) for view in views]
    return Partition(
        np.concatenate([polygon_outlines(view).corners for view in views]),
        np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
        np.array(joined, np.int64).reshape(-1, 2),
        np.concatenate([part for view in views for part in (detail_triangles(view), _plain_triangles(view))]),
    )


def _joined(view: TileView, numbers: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The joined polygons of a tile by number: within it, and with those of other tiles."""
    first = numbers[int(view.references[0])] if view.polygon_count else 0
    owners = np.repeat(np.arange(view.polygon_count), np.diff(view.polygon_offsets))
    for owner, neighbour in zip(owners.tolist(), view.polygon_neighbours.tolist(), strict=True):
        if neighbour >= 0:
            yield first + owner, first + neighbour
    for polygon, target in zip(view.links["polygon"].tolist(), view.links["target"].tolist(), strict=True):
        yield first + polygon, numbers[target]


def _plain_triangles(view: TileView) -> NDArray[np.float64]:
    """The polygons that need no detail, as triangles around each one's first corner: their height follows those."""
    offsets = view.polygon_offsets.tolist()
    detail = view.detail_offsets
    plain = np.ones(view.polygon_count, bool) if detail is None else np.diff(detail) == 0
    triangles = [
        (offsets[polygon], corner, corner + 1)
        for polygon in np.flatnonzero(plain).tolist()
        for corner in range(offsets[polygon] + 1, offsets[polygon + 1] - 1)
    ]
    return polygon_outlines(view).corners[np.array(triangles, np.int64).reshape(-1, 3)]


def peers_partition(answer: dict[str, Any]) -> Partition:
    """What a peer's worker answered when asked for its mesh."""
    return Partition(
        np.array(answer["corners"], np.float64).reshape(-1, 3),
        np.array(answer["offsets"], np.int64),
        np.array(answer["joined"], np.int64).reshape(-1, 2),
        np.array(answer["surface"], np.float64).reshape(-1, 3, 3),
    )
