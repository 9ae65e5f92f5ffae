"""What houses are made of, as boxes with real thickness: walls with openings, floors with holes, winding stairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from onepath.geometry import shapes
from onepath.geometry.level import Level

__all__ = ["Opening", "Rectangle", "door", "fence", "floor", "ring", "wall", "winding_stairs", "window"]

DOOR_WIDTH, DOOR_HEIGHT = 1.8, 2.4


class Rectangle(NamedTuple):
    """An axis-aligned rectangle of the ground, metres."""

    x0: float
    z0: float
    x1: float
    z1: float

    def inset(self, by: float) -> Rectangle:
        """The rectangle whose sides lie this far further in."""
        return Rectangle(self.x0 + by, self.z0 + by, self.x1 - by, self.z1 - by)

    @property
    def center(self) -> tuple[float, float]:
        """(x, z) of the middle."""
        return (self.x0 + self.x1) / 2.0, (self.z0 + self.z1) / 2.0


class Opening(NamedTuple):
    """A gap in a wall: its middle along X or Z, its width, and from where to where above the foot it is open."""

    middle: float
    width: float
    sill: float
    head: float


def door(middle: float, width: float = DOOR_WIDTH) -> Opening:
    """An opening from the floor to 2.4 m."""
    return Opening(middle, width, 0.0, DOOR_HEIGHT)


def window(middle: float, width: float = 1.6) -> Opening:
    """An opening from 0.9 to 2.4 m, which nobody walks through."""
    return Opening(middle, width, 0.9, 2.4)


def wall(
    level: Level,
    area: Rectangle,
    foot: float,
    height: float,
    openings: Sequence[Opening] = (),
    name: str = "wall",
) -> None:
    """A wall that fills a rectangle, longer side as its run, with openings cut through its thickness."""
    along_x = area.x1 - area.x0 >= area.z1 - area.z0
    start, end = (area.x0, area.x1) if along_x else (area.z0, area.z1)

    def block(low: float, high: float, bottom: float, top: float) -> None:
        if low < high and bottom < top:
            x0, x1, z0, z1 = (low, high, area.z0, area.z1) if along_x else (area.x0, area.x1, low, high)
            level.add_box((x0, foot + bottom, z0), (x1, foot + top, z1), name=name)

    for opening in sorted(openings):
        low, high = opening.middle - opening.width / 2.0, opening.middle + opening.width / 2.0
        block(start, low, 0.0, height)
        block(low, high, 0.0, min(opening.sill, height))
        block(low, high, opening.head, height)
        start = high
    block(start, end, 0.0, height)


def ring(
    level: Level,
    area: Rectangle,
    thickness: float,
    foot: float,
    height: float,
    openings: dict[str, Sequence[Opening]] | None = None,
    name: str = "wall",
) -> None:
    """Four walls just inside a rectangle; openings by side: "-x", "+x", "-z", "+z"."""
    by_side = openings or {}
    x0, z0, x1, z1 = area
    sides = {
        "-z": Rectangle(x0, z0, x1, z0 + thickness),
        "+z": Rectangle(x0, z1 - thickness, x1, z1),
        "-x": Rectangle(x0, z0 + thickness, x0 + thickness, z1 - thickness),
        "+x": Rectangle(x1 - thickness, z0 + thickness, x1, z1 - thickness),
    }
    for side, strip in sides.items():
        wall(level, strip, foot, height, by_side.get(side, ()), name)


def floor(
    level: Level,
    area: Rectangle,
    top: float,
    thickness: float = 0.3,
    hole: Rectangle | None = None,
    name: str = "floor",
) -> None:
    """A slab whose upper side lies at `top`, with a rectangular hole if wanted."""
    x0, z0, x1, z1 = area
    pieces = [area]
    if hole is not None:
        pieces = [
            Rectangle(x0, z0, x1, hole.z0),
            Rectangle(x0, hole.z0, hole.x0, hole.z1),
            Rectangle(hole.x1, hole.z0, x1, hole.z1),
            Rectangle(x0, hole.z1, x1, z1),
        ]
    for piece in pieces:
        if piece.x0 < piece.x1 and piece.z0 < piece.z1:
            level.add_box((piece.x0, top - thickness, piece.z0), (piece.x1, top, piece.z1), name=name)


def fence(level: Level, area: Rectangle, foot: float, sides: str) -> None:
    """Parapets 1 m high and 0.2 m thick just outside a rectangle, on the sides named: "-x +z"."""
    x0, z0, x1, z1 = area
    strips = {
        "-z": Rectangle(x0 - 0.2, z0 - 0.2, x1 + 0.2, z0),
        "+z": Rectangle(x0 - 0.2, z1, x1 + 0.2, z1 + 0.2),
        "-x": Rectangle(x0 - 0.2, z0, x0, z1),
        "+x": Rectangle(x1, z0, x1 + 0.2, z1),
    }
    for side in sides.split():
        wall(level, strips[side], foot, 1.0, name="rail")


# Directions at which the unit square's outline is cut into 16 steps: corners fall on cuts, so that every step has four
# corners. The tangent of 22.5 degrees is sqrt(2) - 1.
_CUT = 0.41421356237309503
_SIDE = [(1.0, 0.0), (1.0, -_CUT), (1.0, -1.0), (_CUT, -1.0)]
_DIRECTIONS = [_turned for quarter in range(4) for _turned in
               [((x, z), (z, -x), (-x, -z), (-z, x))[quarter] for x, z in _SIDE]]  # fmt: skip


def winding_stairs(
    level: Level,
    center: tuple[float, float],
    inner: float,
    outer: float,
    foot: float,
    rise: float,
    thickness: float = 0.35,
) -> None:
    """One turn of 16 steps round a square column, from the +x side back to it, counter-clockwise seen from above.

    `inner` and `outer` are half the sides of the column and of the shaft; the last step is level with `foot + rise`.
    """
    x, z = center
    for step in range(16):
        first, second = _DIRECTIONS[step], _DIRECTIONS[(step + 1) % 16]
        outline = [
            (x + first[0] * inner, z + first[1] * inner),
            (x + first[0] * outer, z + first[1] * outer),
            (x + second[0] * outer, z + second[1] * outer),
            (x + second[0] * inner, z + second[1] * inner),
        ]
        top = foot + rise * (step + 1) / 16.0
        level.add(*shapes.prism(outline, max(foot, top - thickness), top), name="stairs")
    level.add_box((x - inner, foot, z - inner), (x + inner, foot + rise, z + inner), name="column")
