"""Triangles to pieces, one rule of the document at a time (voxelization document, sections 1, 2 and 4).

Every value that the document calls float32 is an np.float32 here, and every operation on them rounds once. A Python
number never meets one of them in an operation: planes are turned into np.float32 first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.oracles.voxel_spans import SolidColumns

F = np.float32
U, V, W = 0, 1, 2
ZERO = F(0)
WALKABLE = 63

Point = tuple[np.float32, np.float32, np.float32]
Polygon = list[Point]


@dataclass(frozen=True)
class Frame:
    """The grid of section 1. `origin` is in doubles, the two sizes are float32."""

    origin: tuple[float, float, float]
    cell_size: np.float32
    cell_height: np.float32
    width: int
    depth: int
    height: int

    def empty(self) -> SolidColumns:
        return SolidColumns(self.width, self.depth, self.height)


def frame_from_bounds(low: Sequence[float], high: Sequence[float], cell_size: float, cell_height: float) -> Frame:
    """The least whole number of cells that covers the bounds, counted in doubles."""
    size, height = float(F(cell_size)), float(F(cell_height))
    return Frame(
        origin=(float(low[0]), float(low[1]), float(low[2])),
        cell_size=F(cell_size),
        cell_height=F(cell_height),
        width=math.ceil((float(high[0]) - float(low[0])) / size),
        depth=math.ceil((float(high[2]) - float(low[2])) / size),
        height=math.ceil((float(high[1]) - float(low[1])) / height),
    )


def local_point(frame: Frame, vertex: Sequence[float]) -> Point:
    """The double difference to the origin, rounded once."""
    x, y, z = (F(float(vertex[axis]) - frame.origin[axis]) for axis in range(3))
    return x, y, z


def scaled_point(frame: Frame, point: Point) -> Point:
    return point[0] / frame.cell_size, point[1] / frame.cell_height, point[2] / frame.cell_size


def difference(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def normal_of(a: Point, b: Point, c: Point) -> Point:
    """(b - a) x (c - a) on local coordinates."""
    e, f = difference(b, a), difference(c, a)
    return e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]


def length_of(n: Point) -> np.float32:
    return np.sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2])


def is_degenerate(n: Point) -> bool:
    length = length_of(n)
    return bool(length == ZERO or np.isinf(length))


def is_walkable(n: Point, slope_cosine: float) -> bool:
    return bool(n[1] > F(slope_cosine) * length_of(n))


def footprint_cross(a: Point, b: Point, c: Point) -> np.float32:
    """(b - a) x (c - a) in (u, w)."""
    return (b[U] - a[U]) * (c[W] - a[W]) - (b[W] - a[W]) * (c[U] - a[U])


def clip(polygon: Polygon, axis: int, plane: np.float32, above: bool) -> Polygon:
    """The part of a polygon on one closed side of a plane: vertex, then crossing, edge by edge."""
    kept: Polygon = []
    distances = [p[axis] - plane for p in polygon]
    for index, p in enumerate(polygon):
        following = (index + 1) % len(polygon)
        q, dp, dq = polygon[following], distances[index], distances[following]
        if dp == ZERO or (dp > ZERO) == above:
            kept.append(p)
        if (dp < ZERO < dq) or (dq < ZERO < dp):
            t = dp / (dp - dq)
            crossing = [p[k] + (q[k] - p[k]) * t for k in range(3)]
            crossing[axis] = plane
            kept.append((crossing[0], crossing[1], crossing[2]))
    return kept


def clip_to_grid(frame: Frame, polygon: Polygon) -> Polygon:
    polygon = clip(polygon, U, ZERO, above=True)
    polygon = clip(polygon, U, F(frame.width), above=False)
    polygon = clip(polygon, W, ZERO, above=True)
    return clip(polygon, W, F(frame.depth), above=False)


def split(polygon: Polygon, axis: int, count: int) -> Iterator[tuple[int, Polygon]]:
    """(index, piece) of each closed strip [index, index + 1] of the grid along an axis, from low to high.

    Strips that lie wholly below the polygon hold nothing and are passed over.
    """
    if not polygon:
        return
    index = max(0, math.ceil(min(p[axis] for p in polygon)) - 1)
    while polygon and index < count:
        plane = F(index + 1)
        yield index, clip(polygon, axis, plane, above=False)
        polygon = clip(polygon, axis, plane, above=True)
        index += 1


def grid_line(triangle: Polygon, axis: int) -> int | None:
    """The grid line that all three corners lie on exactly, if there is one."""
    value = triangle[0][axis]
    on_line = value == np.floor(value) and all(p[axis] == value for p in triangle)
    return int(value) if on_line else None


def strips(triangle: Polygon, polygon: Polygon, axis: int, count: int, n: np.float32) -> Iterator[tuple[int, Polygon]]:
    """`split`, but a wall exactly on a grid line lies whole in the strip behind its surface."""
    line = grid_line(triangle, axis)
    if line is None:
        yield from split(polygon, axis, count)
        return
    index = line - 1 if n > ZERO else line
    if 0 <= index < count:
        yield index, polygon


def fan_area(piece: Polygon) -> np.float32:
    total = ZERO
    for index in range(1, len(piece) - 1):
        total = total + footprint_cross(piece[0], piece[index], piece[index + 1])
    return total


def extent(piece: Polygon, axis: int) -> np.float32:
    return max(p[axis] for p in piece) - min(p[axis] for p in piece)


def touches(piece: Polygon, vertical: bool) -> bool:
    if not piece:
        return False
    if vertical:
        return bool(extent(piece, U) > ZERO or extent(piece, W) > ZERO)
    return bool(fan_area(piece) != ZERO)


def pieces(frame: Frame, triangle: Polygon, n: Point) -> Iterator[tuple[int, int, Polygon]]:
    """(x, z, piece) of every column that a scaled triangle touches; `n` is its local normal."""
    polygon = clip_to_grid(frame, triangle)
    vertical = bool(footprint_cross(*triangle) == ZERO)
    walls = strips if vertical else lambda _triangle, part, axis, count, _n: split(part, axis, count)
    for z, row in walls(triangle, polygon, W, frame.depth, n[2]):
        for x, piece in walls(triangle, row, U, frame.width, n[0]):
            if touches(piece, vertical):
                yield x, z, piece


def rows_of(frame: Frame, piece: Polygon, ny: np.float32) -> tuple[int, int] | None:
    """[low, high) rows of a piece inside the grid, or None when it lies above or below it."""
    low = math.floor(min(p[V] for p in piece))
    high = math.ceil(max(p[V] for p in piece))
    if low == high:
        if ny > ZERO:
            low = high - 1
        else:
            high = low + 1
    if high <= 0 or low >= frame.height:
        return None
    return max(low, 0), min(high, frame.height)


def rasterize(
    frame: Frame,
    solid: SolidColumns,
    vertices: Sequence[Sequence[float]],
    triangles: Sequence[Sequence[int]],
    threshold: int,
    slope_cosine: float = 0.70710677,
    areas: Sequence[int] | None = None,
    classify: bool = True,
) -> int:
    """Adds the triangles in index order; returns how many were degenerate.

    Without `classify` the areas given are taken as they are; with it a triangle too steep to walk has area 0.
    """
    degenerate = 0
    for number, corners in enumerate(triangles):
        local = [local_point(frame, vertices[corner]) for corner in corners]
        n = normal_of(*local)
        if is_degenerate(n):
            degenerate += 1
            continue
        area = WALKABLE if areas is None else areas[number]
        if classify and not is_walkable(n, slope_cosine):
            area = 0
        scaled = [scaled_point(frame, point) for point in local]
        for x, z, piece in pieces(frame, scaled, n):
            rows = rows_of(frame, piece, n[1])
            if rows is not None:
                solid.add_span(x, z, rows[0], rows[1], area, threshold)
    return degenerate


def height_grid_triangles(
    heights: Sequence[Sequence[float]], origin: tuple[float, float], spacing: float
) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int]]]:
    """(vertices, triangles) of a grid of heights[j][i], two triangles a square, squares x fastest (section 4)."""
    count_z, count_x = len(heights), len(heights[0])
    vertices = [
        (origin[0] + i * spacing, float(heights[j][i]), origin[1] + j * spacing)
        for j in range(count_z)
        for i in range(count_x)
    ]
    triangles = []
    for j in range(count_z - 1):
        for i in range(count_x - 1):
            a = j * count_x + i
            b, c, d = a + 1, a + count_x, a + count_x + 1
            triangles += [(a, c, d), (a, d, b)]
    return vertices, triangles
