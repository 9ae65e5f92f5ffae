"""The mesh as arrays for pictures: seen from above, and as triangles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import one_of, real_number
from onepath.errors import RangeError
from onepath.mesh.view import TileView
from onepath.query import Island, QueryFilter
from onepath.query._top_down import draw_top

if TYPE_CHECKING:
    from onepath._one_call import NavMesh
else:
    from onepath.mesh.navmesh import NavMesh  # the same class, before it has its one-call forms

__all__ = ["MeshTriangles", "TopDown"]

#: More pixels than any screen has.
MOST_PIXELS = 2**26

What = Literal["walkable", "island", "area", "height"]
WHATS = ("walkable", "island", "area", "height")


class TopDown(NamedTuple):
    """A mesh seen straight from above. Pixel [row, column] stands for the place (x[column], z[row]).

    Attributes:
        values: (rows, columns), of the highest floor at each place: bool for "walkable"; for "area" uint8 ids, 0 where
            there is nothing; for "height" float64 metres, NaN where there is nothing; for "island" int32 places among
            `mesh.islands(filter)`, the largest island being 0, and -1 where there is nothing.
        x: middles of the columns, (columns,) float64, ascending.
        z: middles of the rows, (rows,) float64, ascending.
    """

    values: NDArray[Any]
    x: NDArray[np.float64]
    z: NDArray[np.float64]


class MeshTriangles(NamedTuple):
    """All committed polygons as triangles, with their height detail, counter-clockwise seen from above.

    Attributes:
        vertices: (n, 3) float64, world; a tile's polygons share them.
        triangles: (m, 3) int32 indices.
        polygons: (m,) int64, the polygon that each triangle is part of.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int32]
    polygons: NDArray[np.int64]


def top_down(
    self: NavMesh,
    resolution: float,
    what: What = "walkable",
    *,
    ceiling: float | None = None,
    filter: QueryFilter | None = None,
) -> TopDown:
    """The mesh seen straight from above, for maps on a screen and for whoever reckons on grids.

    Pixels lie on multiples of the resolution and cover `bounds`. Each says what is at its middle.

    Args:
        resolution: size of a pixel, metres, above 0.
        what: "walkable", "island", "area" or "height".
        ceiling: floors higher than this are looked through, metres; None: none are.
        filter: a QueryFilter; None is the mesh's `default_filter`. What it refuses is looked through.

    Raises:
        ArgumentError, RangeError: naming argument, value and range; also where there would be more than 2**26 pixels.
        BusyError: a commit runs.

    >>> import onepath
    >>> level = onepath.Level()
    >>> level.add_plane((0, 0), (8, 8))
    >>> picture = onepath.bake(level, radius=0.5).top_down(1.0)
    >>> picture.values.sum() * 1.0 * 1.0  # square metres, about
    np.float64(36.0)
    """
    size = real_number("resolution", resolution)
    if not 0.0 < size < math.inf:
        raise RangeError(f"resolution is {resolution!r}, outside (0, infinity)")
    one_of("what", what, WHATS)
    highest = math.inf if ceiling is None else real_number("ceiling", ceiling)
    used = self.default_filter if filter is None else filter
    self._begin_reading()  # a commit between two of these steps would have them speak of two meshes
    try:
        x, z = _middles(self, size)
        heights = np.full((len(z), len(x)), -np.inf)
        references = np.zeros(heights.shape, np.int64)
        areas = np.zeros(heights.shape, np.uint8)
        draw_top(self, used, heights, references, areas, x, z, size, highest)
        islands = self.islands(used) if what == "island" else ()
    finally:
        self._end_reading()
    if what == "walkable":
        return TopDown(references != 0, x, z)
    if what == "area":
        return TopDown(areas, x, z)
    if what == "island":
        return TopDown(_islands_of(references, islands), x, z)
    heights[references == 0] = np.nan
    return TopDown(heights, x, z)


def _islands_of(references: NDArray[np.int64], found: tuple[Island, ...]) -> NDArray[np.int32]:
    """The place of each polygon's island among those found, -1 for no polygon."""
    members = np.concatenate([np.zeros(1, np.int64), *(island.polygons for island in found)])
    places = np.repeat(np.arange(-1, len(found), dtype=np.int32), [1, *map(len, found)])
    order = np.argsort(members)
    return places[order][np.searchsorted(members[order], references)]


def _middles(mesh: NavMesh, size: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of the columns and rows of pixels that cover the mesh."""
    if mesh.bounds is None:
        return np.zeros(0), np.zeros(0)
    (x0, _, z0), (x1, _, z1) = mesh.bounds
    if max(x1 - x0, z1 - z0) / size > MOST_PIXELS:
        raise RangeError(f"resolution is {size}, which makes more than {MOST_PIXELS} pixels in a row")
    first = [math.floor(low / size) for low in (x0, z0)]
    counts = [max(math.ceil(high / size) - start, 1) for high, start in zip((x1, z1), first, strict=True)]
    if counts[0] * counts[1] > MOST_PIXELS:
        raise RangeError(f"resolution is {size}, which makes {counts[0]} x {counts[1]} pixels, more than {MOST_PIXELS}")
    x, z = (
        (np.arange(start, start + count, dtype=np.float64) + 0.5) * size
        for start, count in zip(first, counts, strict=True)
    )
    return x, z


def triangles(self: NavMesh) -> MeshTriangles:
    """The committed polygons as triangles in the world, by slot: what engines and debuggers draw.

    Raises:
        BusyError: a commit runs.
    """
    vertices, corners, polygons, count = [], [], [], 0
    for view in self.tiles():
        part, fan, owners = _tile_triangles(view)
        vertices.append(part)
        corners.append(fan + count)
        polygons.append((view.generation << 41) | (view.slot << 21) | owners)
        count += len(part)
    if not vertices:
        return MeshTriangles(np.zeros((0, 3)), np.zeros((0, 3), np.int32), np.zeros(0, np.int64))
    return MeshTriangles(np.concatenate(vertices), np.concatenate(corners), np.concatenate(polygons))


def _tile_triangles(view: TileView) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """(vertices, triangles, polygon of each triangle); polygons without detail triangles as fans from corner 0."""
    vertices = view.vertices.astype(np.float64)
    offsets = view.polygon_offsets.astype(np.int64)
    fans = offsets[1:] - offsets[:-1] - 2
    parts: list[NDArray[np.int32]] = []
    owners: list[NDArray[np.int64]] = []
    if view.detail_offsets is not None and view.detail_triangles is not None and view.detail_vertices is not None:
        counts = (view.detail_offsets[1:] - view.detail_offsets[:-1]).astype(np.int64)
        vertices = np.concatenate([vertices, view.detail_vertices.astype(np.float64)])
        parts.append(view.detail_triangles)
        owners.append(np.repeat(np.arange(len(counts)), counts))
        fans = np.where(counts > 0, 0, fans)
    owner = np.repeat(np.arange(len(fans)), fans)
    second = offsets[owner] + 1 + np.arange(len(owner)) - np.repeat(np.cumsum(fans) - fans, fans)
    corners = np.stack([offsets[owner], second, second + 1], axis=1)
    parts.append(view.polygon_vertices[corners].astype(np.int32))
    owners.append(owner)
    return vertices + np.asarray(view.origin), np.concatenate(parts), np.concatenate(owners)


METHODS: dict[str, Any] = {"top_down": top_down, "triangles": triangles}
# Not by assignments: to a type checker these would be methods redefined.
for name, method in METHODS.items():
    setattr(NavMesh, name, method)
