"""Cuts polygons and their detail triangles at tile borders, and polygons that rounding has bent into triangles.

Cut points lie on the lattice, computed from an edge's lower end to its higher one, so that both polygons at an edge get
the same points. A piece that is no longer convex is cut into triangles, which always are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onepath.geometry.polygons import ear_clipped
from onepath.io.lattice import STEPS, TOLERANCE

__all__ = ["Corner", "Piece", "Triangle", "convex_pieces", "inside_tile", "pieces_of_tiles"]

#: Most corners a polygon of a tile may have.
MAX_CORNERS = 1024


class Corner(NamedTuple):
    """A corner of an outline.

    Attributes:
        x, z: lattice steps.
        y: height above the vertical origin.
        wall: whether the edge to the next corner is one.
    """

    x: int
    z: int
    y: float
    wall: bool


#: Three points of X and Z in steps and height.
Triangle = NDArray[np.float64]


@dataclass(slots=True)
class Piece:
    """A part of a polygon within one tile."""

    column: int
    row: int
    corners: list[Corner]
    detail: list[Triangle] = field(default_factory=list)


def pieces_of_tiles(corners: list[Corner], detail: Iterable[Triangle]) -> Iterator[Piece]:
    """The parts of a polygon in each tile that it reaches into, by column and row; parts without area are left out."""
    triangles = list(detail)
    for column, part in _strips(corners, 0):
        for row, corners_here in _strips(part, 1):
            if _area(corners_here) > 0:
                yield Piece(column, row, corners_here, [t for d in triangles for t in inside_tile(d, column, row)])


def _along(corner: Corner, axis: int) -> int:
    return corner.z if axis else corner.x


def _strips(corners: list[Corner], axis: int) -> Iterator[tuple[int, list[Corner]]]:
    """The parts of a polygon between neighbouring tile borders along an axis."""
    places = [_along(corner, axis) for corner in corners]
    first, last = min(places) // STEPS, -(-max(places) // STEPS) - 1
    if last <= first:
        yield first, corners
        return
    for cell in range(first, last + 1):
        part = _half(corners, axis, cell * STEPS, 1)
        yield cell, _half(part, axis, (cell + 1) * STEPS, -1)


def _half(corners: list[Corner], axis: int, line: int, side: int) -> list[Corner]:
    """The part of a polygon on one side of a line, the line included."""
    part: list[Corner] = []
    ahead = [side * (_along(corner, axis) - line) for corner in corners]
    for i, b in enumerate(corners):
        a = corners[i - 1]
        if (ahead[i] > 0 > ahead[i - 1]) or (ahead[i] < 0 < ahead[i - 1]):
            # Where the outline leaves, it goes on along the line, which is no wall.
            _add(part, _crossing(a, b, axis, line, a.wall and ahead[i] > 0))
        if ahead[i] >= 0:
            leaves = ahead[i] == 0 and ahead[(i + 1) % len(corners)] < 0
            _add(part, b._replace(wall=b.wall and not leaves))
    if len(part) > 1 and part[0][:2] == part[-1][:2]:
        part.pop()
    return part


def _add(part: list[Corner], corner: Corner) -> None:
    """A cut may fall on the corner before it, which then only takes over what follows."""
    if part and part[-1][:2] == corner[:2]:
        corner = part.pop()._replace(wall=corner.wall)
    part.append(corner)


def _crossing(a: Corner, b: Corner, axis: int, line: int, wall: bool) -> Corner:
    """Where an edge crosses a line, the same whichever way it runs."""
    low, high = (a, b) if _along(a, axis) < _along(b, axis) else (b, a)
    span, part = _along(high, axis) - _along(low, axis), line - _along(low, axis)
    rise = _along(high, 1 - axis) - _along(low, 1 - axis)
    across = _along(low, 1 - axis) + (2 * rise * part + span) // (2 * span)
    height = float(np.float32(low.y + (high.y - low.y) * (part / span)))
    return Corner(across, line, height, wall) if axis else Corner(line, across, height, wall)


def _area(corners: list[Corner]) -> int:
    """Twice the area, positive where counter-clockwise seen from above; exact."""
    return sum(a.z * b.x - a.x * b.z for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def inside_tile(triangle: Triangle, column: int, row: int) -> list[Triangle]:
    """What a tile's square holds of a detail triangle, as a fan."""
    points = [tuple(point) for point in triangle.tolist()]
    for axis, line, side in ((0, column, 1), (0, column + 1, -1), (1, row, 1), (1, row + 1, -1)):
        points = _detail_half(points, axis, float(line * STEPS), side)
    return [np.array([points[0], points[i], points[i + 1]]) for i in range(1, len(points) - 1)]


def _detail_half(points: list[tuple[float, ...]], axis: int, line: float, side: int) -> list[tuple[float, ...]]:
    part = []
    for i, b in enumerate(points):
        a = points[i - 1]
        ahead, behind = side * (b[axis] - line), side * (a[axis] - line)
        if (ahead > 0 > behind) or (ahead < 0 < behind):
            share = behind / (behind - ahead)
            cut = [p + (q - p) * share for p, q in zip(a, b, strict=True)]
            cut[axis] = line
            part.append(tuple(cut))
        if ahead >= 0:
            part.append(b)
    return part


# --- convexity


def convex_pieces(piece: Piece) -> list[Piece]:
    """The piece itself where a tile takes it as convex, else triangles; none where it is not a simple outline."""
    if len(piece.corners) <= MAX_CORNERS and _is_convex(piece.corners):
        return [piece]
    if len({corner[:2] for corner in piece.corners}) < len(piece.corners):
        return []
    triangles = ear_clipped([(float(corner.x), float(corner.z)) for corner in piece.corners])
    parts = [_triangle(piece, triangle) for triangle in triangles]
    areas = [_area(part.corners) for part in parts]
    if min(areas) < 0:
        return []
    return [part for part, area in zip(parts, areas, strict=True) if area > 0]


def _triangle(piece: Piece, triangle: tuple[int, int, int]) -> Piece:
    """Three corners of a piece; only an edge of the piece can be a wall."""
    count = len(piece.corners)
    corners = []
    for i, k in zip(triangle, triangle[1:] + triangle[:1], strict=True):
        corner = piece.corners[i]
        corners.append(corner._replace(wall=corner.wall and k == (i + 1) % count))
    return Piece(piece.column, piece.row, corners, piece.detail)


def _is_convex(corners: list[Corner]) -> bool:
    """The rule that a tile's check applies: nothing lies behind an edge's line by more than the tolerance."""
    points = np.array([corner[:2] for corner in corners], np.int64)
    points -= points[0].copy()
    if len(points) < 3 or _area(corners) <= 0:
        return False
    away = np.roll(points, -1, axis=0) - points
    into = np.roll(away, 1, axis=0)
    turn = into[:, 1] * away[:, 0] - into[:, 0] * away[:, 1]
    if ((turn <= 0) & ((into * away).sum(axis=1) < 0)).any():
        return False
    if (turn >= 0).all():
        return True
    for start, edge in zip(points, away, strict=True):
        arm = points - start
        behind = (edge[1] * arm[:, 0] - edge[0] * arm[:, 1]).min()
        # A little less than the tile's own tolerance, which it applies to rounded numbers.
        if behind < 0 and float(behind) ** 2 > 0.98 * TOLERANCE**2 * float((edge * edge).sum()):
            return False
    return True
