"""Whole houses and what stands between them: storeys with winding stairs, bridges, outside ramps, trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from onepath.geometry import shapes
from onepath.geometry.architecture import Opening, Rectangle, door, fence, floor, ring, wall, winding_stairs, window
from onepath.geometry.level import Level
from onepath.geometry.noise import SplitMix

__all__ = ["GALLERY_Z", "House", "add_bridge", "add_house", "add_outside_ramp", "add_tree"]

#: From floor to floor, and the thickness of a floor: 2.9 m remain between them.
STOREY, SLAB = 3.2, 0.3
WALL = 0.3
#: Houses are this wide along X and this deep along Z.
WIDTH, DEPTH = 18.0, 14.0
#: Half the sides of the stairs' shaft and of the column inside it.
SHAFT, COLUMN = 2.8, 0.4
#: From a house's low corner: the middles of its shaft, of its hall, its inner wall, and its gallery along the front.
SHAFT_X, HALL_X, PARTITION_X, GALLERY_Z = 5.2, 10.1, 12.0, 11.8


class House(NamedTuple):
    """A house of `storeys` floors; the topmost one is a terrace under the open sky.

    Its front, towards +z, is an arcade through which every floor is seen; the other sides have windows.

    Attributes:
        x, z: low corner.
        foot: height of the ground floor.
        storeys: floors, 1 or more.
        doors: where along its Z the sides "-x" and "+x" have doors, by (side, storey).
        stairs: whether winding stairs join the floors.
    """

    x: float
    z: float
    foot: float
    storeys: int
    doors: Mapping[tuple[str, int], float]
    stairs: bool = True

    @property
    def outline(self) -> Rectangle:
        """The ground it covers, outer walls included."""
        return Rectangle(self.x, self.z, self.x + WIDTH, self.z + DEPTH)

    @property
    def shaft(self) -> Rectangle:
        """The ground its stairs cover."""
        x, z = self.x + SHAFT_X, self.z + DEPTH / 2.0
        return Rectangle(x - SHAFT, z - SHAFT, x + SHAFT, z + SHAFT)

    def height(self, storey: int) -> float:
        """Of the floor of a storey, counted from 0."""
        return self.foot + storey * STOREY

    def hall(self, storey: int) -> tuple[float, float, float]:
        """A free spot beside the stairs."""
        return self.x + HALL_X, self.height(storey), self.z + DEPTH / 2.0


def add_house(level: Level, house: House, draw: SplitMix) -> None:
    """Floors, walls, stairs and a little furniture, which `draw` places."""
    inside = house.outline.inset(WALL)
    last = house.storeys - 1
    for storey in range(house.storeys):
        y = house.height(storey)
        if storey > 0:
            floor(level, inside, y, SLAB, house.shaft if house.stairs else None)
        height = STOREY if storey < last else 1.1
        ring(level, house.outline, WALL, y, height, _openings(house, storey, height))
        if storey < last:
            x = house.x + PARTITION_X
            doors = [door(house.z + 3.2), door(house.z + GALLERY_Z, 2.2)]
            wall(level, Rectangle(x, inside.z0, x + 0.2, inside.z1), y, STOREY - SLAB, doors, "partition")
        _furnish(level, house, y, draw)
    if house.stairs:
        _add_stairs(level, house)


def _openings(house: House, storey: int, height: float) -> dict[str, Sequence[Opening]]:
    if height < STOREY:
        found: dict[str, Sequence[Opening]] = {}
    else:
        # Arcade: open to the ground below, above a parapet on the other floors.
        sill = 0.0 if storey == 0 else 1.0
        found = {
            "+z": [Opening(house.x + 2.0 + 3.5 * k, 2.9, sill, 2.7) for k in range(5)],
            "-z": [window(house.x + 2.0 + 3.5 * k) for k in range(5)],
        }
    for side in ("-x", "+x"):
        at = house.doors.get((side, storey))
        doors = [] if at is None else [door(at)]
        spots = [house.z + 2.6 + 4.6 * k for k in range(3)] if height == STOREY else []
        found[side] = doors + [window(spot) for spot in spots if at is None or abs(spot - at) > 2.0]
    return found


def _add_stairs(level: Level, house: House) -> None:
    center, last = house.shaft.center, house.storeys - 1
    for storey in range(last):
        winding_stairs(level, center, COLUMN, SHAFT, house.height(storey), STOREY)
        fence(level, house.shaft, house.height(storey + 1), "-x -z +z")
    top = house.height(last)
    if last > 0:
        x, z = center
        level.add_box((x - COLUMN, top, z - COLUMN), (x + COLUMN, top + 1.0, z + COLUMN), name="column")
        # No flight leads on from here: its half of the way in is closed.
        wall(level, Rectangle(x + SHAFT, z - SHAFT, x + SHAFT + 0.2, z), top, 1.0, name="rail")


def _furnish(level: Level, house: House, y: float, draw: SplitMix) -> None:
    """Two tables in the room behind the inner wall, clear of its doors and of its middle."""
    for row in range(2):
        x = house.x + PARTITION_X + 2.0 + draw.number(0.0, 2.0)
        z = house.z + 1.6 + row * 6.6 + draw.number(0.0, 0.6)
        level.add_box((x, y, z), (x + 1.2, y + 0.8, z + 0.8), name="table")


def add_bridge(level: Level, west: House, east: House, storeys: Sequence[int]) -> None:
    """Decks along X between two houses with equal feet, one above the other, at their galleries."""
    x0, x1, z = west.x + WIDTH, east.x, west.z + GALLERY_Z
    for storey in storeys:
        y = west.height(storey)
        deck = Rectangle(x0, z - 1.5, x1, z + 1.5)
        floor(level, deck, y, SLAB, name="bridge")
        for low, high in ((deck.z0, deck.z0 + 0.2), (deck.z1 - 0.2, deck.z1)):
            wall(level, Rectangle(x0, low, x1, high), y, 1.0, name="rail")


def add_outside_ramp(level: Level, house: House, side: str, ground: float) -> None:
    """A solid ramp along the house's "-x" or "+x" side, from the ground to a landing before its gallery on storey 1."""
    x0, x1 = (house.x - 2.6, house.x) if side == "-x" else (house.x + WIDTH, house.x + WIDTH + 2.6)
    z1, top, landing = house.z + DEPTH, house.height(1), house.z + GALLERY_Z - 1.4
    middle = (x0 + x1) / 2.0
    level.add_ramp((middle, ground, house.z - 0.6), (middle, top, landing), x1 - x0, name="ramp")
    level.add_box((x0, ground, landing), (x1, top, z1), name="landing")
    outer = x0 if side == "-x" else x1 - 0.2
    wall(level, Rectangle(x0, z1 - 0.2, x1, z1), top, 1.0, name="rail")
    wall(level, Rectangle(outer, landing, outer + 0.2, z1 - 0.2), top, 1.0, name="rail")


def add_tree(level: Level, x: float, y: float, z: float, draw: SplitMix) -> None:
    """A trunk that blocks the way and a crown above head height, too steep to stand on."""
    radius = draw.number(1.1, 1.6)
    level.add_cylinder((x, y - 0.5, z), 0.25, 3.0, sides=8, name="trunk")
    level.add(*shapes.cone((x, y + 2.4, z), radius, 2.2 * radius, 8), name="crown")
