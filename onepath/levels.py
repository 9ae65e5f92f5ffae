"""Levels made on the spot: the same for the same arguments on every machine, for tests, examples, benchmarks, games.

Each answers a `GeneratedLevel`, a `Level` whose `places` names spots that an agent of radius 0.4 m, height 1.8 m and
climb 0.5 m reaches on foot from each other. Seeds, -2**63 to 2**64 - 1, feed SplitMix64, so no NumPy version changes
a level. All lengths are metres; what is out of range raises RangeError, what is no number ArgumentError, each naming
argument, value and range.
"""

from __future__ import annotations

import numpy as np

from onepath.build.arguments import number_between, whole_number
from onepath.geometry.architecture import Opening, Rectangle, floor, ring, wall
from onepath.geometry.houses import GALLERY_Z, House, add_bridge, add_house, add_outside_ramp, add_tree
from onepath.geometry.level import Level
from onepath.geometry.noise import SplitMix, hills
from onepath.names import checks_names

__all__ = ["GeneratedLevel", "building", "courtyards", "maze", "pillars", "room", "terrain", "town"]

Place = tuple[float, float, float]


class GeneratedLevel(Level):
    """A level that knows where its interesting spots are.

    Attributes:
        places: name to (x, y, z) on the ground, all connected on foot.
    """

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}


@checks_names("room")
def room(*, size: float = 12.0, seed: int = 0) -> GeneratedLevel:
    """One room with a door, a low stage with a ramp, and a few crates that the seed places.

    Args:
        size: across, 8 to 1000 m.
        seed: see above, as of every level.

    >>> sorted(room(size=10.0).places)
    ['door', 'room', 'stage']
    """
    size = number_between("size", size, 8.0, 1000.0)
    draw = SplitMix(_seed(seed))
    level = GeneratedLevel()
    level.add_box((-2.0, -0.3, -2.0), (size + 2.0, 0.0, size + 2.0), name="floor")
    ring(level, Rectangle(0.0, 0.0, size, size), 0.3, 0.0, 3.0, {"+z": [Opening(size / 2.0, 1.8, 0.0, 2.4)]})
    stage = size / 3.0
    level.add_box((0.3, 0.0, 0.3), (size - 0.3, 0.9, stage), name="stage")
    level.add_ramp((size / 2.0, 0.0, stage + 2.2), (size / 2.0, 0.9, stage), 2.0, name="ramp")
    for column in (0.0, 1.0):
        x = 1.4 + column * (size - 4.0) + draw.number(0.0, 0.6)
        z = size - 2.4 + draw.number(-0.5, 0.5)
        level.add_box((x, 0.0, z), (x + 1.0, 1.0, z + 1.0), name="crate")
    level.places = {
        "door": (size / 2.0, 0.0, size + 1.0),
        "room": (size / 2.0, 0.0, size - 2.0),
        "stage": (size / 2.0, 0.9, stage / 2.0 + 0.15),
    }
    return level


@checks_names("pillars")
def pillars(*, size: float = 57.6, pitch: float = 14.4, seed: int = 0) -> GeneratedLevel:
    """A flat field with a pillar at every crossing of a grid: tile corners, where `pitch` is the tile size.

    The default pitch is 48 cells of 0.3 m. Pillars are square or round, 0.8 to 1.6 m across, as the seed decides.

    Args:
        size: across, 4 to 4000 m.
        pitch: from pillar to pillar, 3 to 1000 m.
    """
    size, pitch = number_between("size", size, 4.0, 4000.0), number_between("pitch", pitch, 3.0, 1000.0)
    draw = SplitMix(_seed(seed))
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    count = int((size - 1.6) / pitch)
    for row in range(1, count + 1):
        for column in range(1, count + 1):
            x, z, half = column * pitch, row * pitch, draw.number(0.4, 0.8)
            if draw.whole(2):
                level.add_cylinder((x, 0.0, z), half, 4.0, sides=12, name="pillar")
            else:
                level.add_box((x - half, 0.0, z - half), (x + half, 4.0, z + half), name="pillar")
    far = size - 1.5
    level.places = {
        "south-west": (1.5, 0.0, far), "south-east": (far, 0.0, far),
        "north-west": (1.5, 0.0, 1.5), "north-east": (far, 0.0, 1.5),
    }  # fmt: skip
    return level


@checks_names("courtyards")
def courtyards(*, size: float = 48.0, rings: int = 4, seed: int = 0) -> GeneratedLevel:
    """Courtyards inside each other: rings of walls, each with one gate on a side that the seed picks.

    Args:
        size: across, 12 to 4000 m.
        rings: from 1 to as many as stand 2 m apart, (size - 5) / 4.
    """
    size = number_between("size", size, 12.0, 4000.0)
    # Rings stand 2 m apart or more, and 2.5 m of ground lie around them.
    rings = whole_number("rings", rings, 1, int((size - 5.0) / 4.0))
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    _add_courtyards(level, Rectangle(0.0, 0.0, size, size).inset(2.5), rings, seed, "")
    level.places["outside"] = (1.25, 0.0, 1.25)
    return level


def _add_courtyards(
    level: GeneratedLevel, area: Rectangle, rings: int, seed: int, suffix: str, foot: float = 0.0
) -> None:
    """Rings of walls within a rectangle, evenly spaced; the places "court<suffix> 0" (outermost) and on."""
    draw = SplitMix(_seed(seed))
    gap = min(area.x1 - area.x0, area.z1 - area.z0) / (2.0 * rings)
    for index in range(rings):
        outline = area.inset(gap * index)
        side = ("-x", "+x", "-z", "+z")[draw.whole(4)]
        middle_x, middle_z = outline.center
        gate = Opening(middle_x if side in ("-z", "+z") else middle_z, 1.8, 0.0, 2.4)
        ring(level, outline, 0.4, foot, 3.0, {side: [gate]})
        inside = (outline.x0 + (gap + 0.4) / 2.0, foot, middle_z)
        level.places[f"court{suffix} {index}"] = (middle_x, foot, middle_z) if index == rings - 1 else inside


@checks_names("terrain")
def terrain(*, size: float = 100.0, height: float = 10.0, seed: int = 0) -> GeneratedLevel:
    """Smooth hills on a grid of 2 m, 0 to `height` high, walkable nearly everywhere at the default height.

    Args:
        size: across, 8 to 8000 m.
        height: of the highest hill that may be, 0 to 1000 m.
    """
    size, height = number_between("size", size, 8.0, 8000.0), number_between("height", height, 0.0, 1000.0)
    points = int(size / 2.0) + 1
    heights = hills(points, points, 14.0, 3, _seed(seed)) * height
    level = GeneratedLevel()
    level.add_heightmap(heights, 2.0, name="hills")
    last, middle = points - 2, points // 2
    for name, row, column in (
        ("middle", middle, middle), ("north-west", 1, 1), ("north-east", 1, last), ("south-west", last, 1),
        ("south-east", last, last),
    ):  # fmt: skip
        level.places[name] = (column * 2.0, float(heights[row, column]), row * 2.0)
    return level


@checks_names("maze")
def maze(*, cells: int = 12, seed: int = 0, corridor: float = 2.4) -> GeneratedLevel:
    """A perfect maze of cells x cells rooms: every two are joined by exactly one way. Depth first with backtracking.

    Args:
        cells: along a side, 2 to 256.
        corridor: the clear width between walls of 0.4 m, 1 to 100 m.
    """
    cells, corridor = whole_number("cells", cells, 2, 256), number_between("corridor", corridor, 1.0, 100.0)
    pitch = corridor + 0.4
    size = cells * pitch + 0.4
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    _add_maze(level, 0.0, 0.0, cells, corridor, 2.5, seed)
    first, last = 0.4 + corridor / 2.0, size - 0.4 - corridor / 2.0
    middle = 0.4 + corridor / 2.0 + (cells // 2) * pitch
    level.places = {"start": (first, 0.0, first), "middle": (middle, 0.0, middle), "end": (last, 0.0, last)}
    return level


def _add_maze(
    level: Level, x0: float, z0: float, cells: int, corridor: float, height: float, seed: int,
    gates: bool = False, foot: float = 0.0, name: str = "wall",
) -> None:  # fmt: skip
    """The walls of a maze, whole runs as single boxes; gates open it at its first and its last cell, in Z."""
    open_east, open_south = _carved(cells, seed)
    pitch = corridor + 0.4
    # Walls as grids of "is there a wall piece": rows of pieces that run along X, columns that run along Z.
    along_x = np.ones((cells + 1, cells), dtype=bool)
    along_x[1:cells] = ~open_south[: cells - 1]
    along_z = np.ones((cells + 1, cells), dtype=bool)
    along_z[1:cells] = ~open_east[:, : cells - 1].T
    if gates:
        along_x[0, 0] = along_x[cells, cells - 1] = False
    for line in range(cells + 1):
        across = line * pitch
        for first, last in _runs(along_x[line]):
            strip = Rectangle(x0 + first * pitch, z0 + across, x0 + last * pitch + 0.4, z0 + across + 0.4)
            wall(level, strip, foot, height, name=name)
        for first, last in _runs(along_z[line]):
            strip = Rectangle(x0 + across, z0 + first * pitch, x0 + across + 0.4, z0 + last * pitch + 0.4)
            wall(level, strip, foot, height, name=name)


def _carved(cells: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Which cells are open to the east and to the south, [row, column], after a depth-first walk from the first."""
    draw = SplitMix(_seed(seed))
    open_east = np.zeros((cells, cells), dtype=bool)
    open_south = np.zeros((cells, cells), dtype=bool)
    seen = np.zeros((cells, cells), dtype=bool)
    seen[0, 0] = True
    trail = [(0, 0)]
    while trail:
        row, column = trail[-1]
        around = ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column))
        ways = [(r, c) for r, c in around if 0 <= r < cells and 0 <= c < cells and not seen[r, c]]
        if not ways:
            trail.pop()
            continue
        r, c = ways[draw.whole(len(ways))]
        if r == row:
            open_east[row, min(c, column)] = True
        else:
            open_south[min(r, row), column] = True
        seen[r, c] = True
        trail.append((r, c))
    return open_east, open_south


def _runs(line: np.ndarray) -> list[tuple[int, int]]:
    """(first, one past the last) of every run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


@checks_names("building")
def building(*, storeys: int = 3, seed: int = 0) -> GeneratedLevel:
    """Two houses side by side: winding stairs in one, an outside ramp to the other, and bridges between.

    The bridges lie above each other on storeys 1 and 2, so that the upper one crosses over two floors, the lower
    bridge and the ground. The seed places furniture and trees.

    Args:
        storeys: floors of the first house, its terrace included, 2 to 20; the second has 3 at most.
    """
    storeys, draw = whole_number("storeys", storeys, 2, 20), SplitMix(_seed(seed))
    level = GeneratedLevel()
    level.add_box((0.0, -0.5, 0.0), (60.0, 0.0, 24.0), name="ground")
    z = 4.0
    gallery, bridged = z + GALLERY_Z, range(1, min(storeys, 3))
    west_doors = {("+x", storey): gallery for storey in bridged} | {("-x", 0): gallery}
    east_doors = {("-x", storey): gallery for storey in bridged} | {("+x", 1): gallery}
    west = House(4.0, z, 0.0, storeys, west_doors)
    east = House(34.0, z, 0.0, min(storeys, 3), east_doors, stairs=False)
    _add_bridged_houses(level, west, east, bridged, draw, "")
    add_outside_ramp(level, east, "+x", 0.0)
    for x in (25.0, 28.0, 31.0):
        add_tree(level, x, 0.0, z + 2.0 + draw.number(0.0, 3.0), draw)
    level.places["square"] = (28.0, 0.0, 22.0)
    return level


@checks_names("town")
def town(*, size: float = 104.0, seed: int = 0, storeys: int = 3) -> GeneratedLevel:
    """Streets and blocks with everything at once, hills around them.

    Rows 0, 2, 4, ... begin with two houses joined by bridges over the street; the first house of row 2 has an outside
    ramp. The other blocks are shuffled by the seed from courtyards, a hedge maze, a colonnade, a grove and a house.

    Args:
        size: across, 52 to 2000 m; as many whole blocks as fit.
        storeys: of the houses, their terraces included, 2 to 20.
    """
    size, storeys = number_between("size", size, 52.0, 2000.0), whole_number("storeys", storeys, 2, 20)
    seed = _seed(seed)
    draw = SplitMix(seed)
    blocks = max(1, int((size - 2.0 * _HILLS - _STREET) / (_BLOCK + _STREET)))
    level = GeneratedLevel()
    _add_town_ground(level, blocks, seed, draw)
    _add_roads(level, blocks)
    bag: list[str] = []
    for row in range(blocks):
        for column in range(blocks):
            x, z = (_HILLS + _STREET + index * (_BLOCK + _STREET) for index in (column, row))
            floor(level, Rectangle(x, z, x + _BLOCK, z + _BLOCK), _KERB, 0.25, name="pavement")
            if row % 2 == 0 and column < 2 and blocks > 1:
                if column == 0:
                    _add_house_pair(level, x, z, row, storeys, draw)
                continue
            bag = bag or _shuffled(["courtyards", "maze", "colonnade", "grove", "house"], draw)
            _BLOCKS[bag.pop()](level, x, z, f"{row}.{column}", storeys, draw)
    return level


# Sides of a block, a street and the belt of hills; heights of roads and pavements above the ground.
_BLOCK, _STREET, _HILLS, _ROAD, _KERB = 20.0, 6.0, 10.0, 0.05, 0.15


def _add_town_ground(level: GeneratedLevel, blocks: int, seed: int, draw: SplitMix) -> None:
    """Flat inside, hills with trees in a belt around; places at the middles of the four sides and in the streets."""
    side = blocks * (_BLOCK + _STREET) + _STREET + 2.0 * _HILLS
    points = int(side / 2.0) + 1
    along = np.arange(points) * 2.0
    outside = np.maximum(0.0, _HILLS - np.minimum(along, side - along)) / _HILLS
    depth = np.maximum(outside[:, None], outside[None, :])
    heights = depth * depth * (3.0 - 2.0 * depth) * (0.4 + 3.4 * hills(points, points, 7.0, 2, seed))
    level.add_heightmap(heights, 2.0, name="hills")
    last, middle = points - 1, points // 2
    spots = {"north": (2, middle), "south": (last - 2, middle), "west": (middle, 2), "east": (middle, last - 2)}
    for name, (row, column) in spots.items():
        level.places[f"hill {name}"] = (column * 2.0, float(heights[row, column]), row * 2.0)
    street = _HILLS + _STREET / 2.0
    level.places["street corner"] = (street, _ROAD, street)
    level.places["far corner"] = (side - street, _ROAD, side - street)
    for near_side in range(4):
        for step in range(4, points - 4, 6):
            row, column = [(1, step), (last - 1, step), (step, 1), (step, last - 1)][near_side]
            row, column = (
                min(last - 1, max(1, row + draw.whole(3) - 1)),
                min(last - 1, max(1, column + draw.whole(3) - 1)),
            )
            add_tree(level, column * 2.0 + 0.5, float(heights[row, column]), row * 2.0 + 0.5, draw)


def _add_roads(level: GeneratedLevel, blocks: int) -> None:
    """Streets along Z as whole strips, those along X as pieces between them, so that no two surfaces coincide."""
    far = _HILLS + blocks * (_BLOCK + _STREET) + _STREET
    for index in range(blocks + 1):
        low = _HILLS + index * (_BLOCK + _STREET)
        floor(level, Rectangle(low, _HILLS, low + _STREET, far), _ROAD, name="road")
        for piece in range(blocks):
            start = _HILLS + piece * (_BLOCK + _STREET) + _STREET
            floor(level, Rectangle(start, low, start + _BLOCK, low + _STREET), _ROAD, name="road")


def _add_house_pair(level: GeneratedLevel, x: float, z: float, row: int, storeys: int, draw: SplitMix) -> None:
    """Houses on two neighbouring blocks of a row, joined over the street between them."""
    gallery, bridged = z + 2.0 + GALLERY_Z, range(1, min(storeys, 3))
    west_doors = {("+x", storey): gallery for storey in bridged}
    if row == 2:
        west_doors["-x", 1] = gallery
    east_doors = {("-x", storey): gallery for storey in bridged} | {("+x", 0): gallery}
    west = House(x + 1.0, z + 2.0, _KERB, storeys, west_doors)
    east = House(x + _BLOCK + _STREET + 1.0, z + 2.0, _KERB, storeys, east_doors)
    _add_bridged_houses(level, west, east, bridged, draw, f" {row}")
    if row == 2:
        add_outside_ramp(level, west, "-x", 0.0)


def _add_bridged_houses(
    level: GeneratedLevel, west: House, east: House, bridged: range, draw: SplitMix, suffix: str
) -> None:
    for name, house in (("west", west), ("east", east)):
        add_house(level, house, draw)
        _name_floors(level, f"{name} house{suffix}", house)
    add_bridge(level, west, east, bridged)
    middle = (west.outline.x1 + east.outline.x0) / 2.0
    for storey in bridged:
        level.places[f"bridge{suffix} {storey}"] = (middle, west.height(storey), west.z + GALLERY_Z)


def _name_floors(level: GeneratedLevel, name: str, house: House) -> None:
    for storey in range(house.storeys):
        level.places[f"{name} floor {storey}"] = house.hall(storey)


def _add_house_block(level: GeneratedLevel, x: float, z: float, name: str, storeys: int, draw: SplitMix) -> None:
    house = House(x + 1.0, z + 2.0, _KERB, storeys, {("-x", 0): z + 2.0 + GALLERY_Z})
    add_house(level, house, draw)
    _name_floors(level, f"house {name}", house)


def _add_court_block(level: GeneratedLevel, x: float, z: float, name: str, storeys: int, draw: SplitMix) -> None:
    area = Rectangle(x, z, x + _BLOCK, z + _BLOCK).inset(1.0)
    _add_courtyards(level, area, 3, draw.whole(2**32), f" {name}", _KERB)


def _add_maze_block(level: GeneratedLevel, x: float, z: float, name: str, storeys: int, draw: SplitMix) -> None:
    _add_maze(level, x + 1.4, z + 1.4, 6, 2.4, 1.7, draw.whole(2**32), gates=True, foot=_KERB, name="hedge")
    level.places[f"maze {name}"] = (x + 1.4 + 3 * 2.8 + 1.6, _KERB, z + 1.4 + 3 * 2.8 + 1.6)


def _add_colonnade_block(level: GeneratedLevel, x: float, z: float, name: str, storeys: int, draw: SplitMix) -> None:
    """A square with a fountain between rows of pillars that carry beams."""
    for row in range(5):
        for column in range(5):
            if row in (0, 4) or column in (0, 4):
                level.add_cylinder(
                    (x + 2.0 + column * 4.0, _KERB, z + 2.0 + row * 4.0), 0.35, 3.4, sides=12, name="pillar"
                )
    ring(level, Rectangle(x, z, x + _BLOCK, z + _BLOCK).inset(1.6), 0.8, _KERB + 3.4, 0.5, name="beam")
    middle_x, middle_z = x + _BLOCK / 2.0, z + _BLOCK / 2.0
    level.add_cylinder((middle_x, _KERB, middle_z), 2.2, 0.35, sides=24, name="fountain")
    level.add_cylinder((middle_x, _KERB, middle_z), 0.6, 2.2, sides=12, name="fountain")
    level.places[f"colonnade {name}"] = (middle_x, _KERB, z + 5.0)


def _add_grove_block(level: GeneratedLevel, x: float, z: float, name: str, storeys: int, draw: SplitMix) -> None:
    """Trees in rows, and a mound to stand on in their middle."""
    for row in range(4):
        for column in range(4):
            if not (row in (1, 2) and column in (1, 2)):
                spot = (x + 2.5 + column * 5.0 + draw.number(-0.6, 0.6), z + 2.5 + row * 5.0 + draw.number(-0.6, 0.6))
                add_tree(level, spot[0], _KERB, spot[1], draw)
    middle_x, middle_z = x + _BLOCK / 2.0, z + _BLOCK / 2.0
    for step in range(3):
        level.add_cylinder((middle_x, _KERB, middle_z), 4.2 - step, 0.3 * (step + 1), sides=20, name="mound")
    level.places[f"grove {name}"] = (middle_x, _KERB + 0.9, middle_z)


_BLOCKS = {
    "house": _add_house_block, "courtyards": _add_court_block, "maze": _add_maze_block,
    "colonnade": _add_colonnade_block, "grove": _add_grove_block,
}  # fmt: skip


def _shuffled(names: list[str], draw: SplitMix) -> list[str]:
    for index in range(len(names) - 1, 0, -1):
        other = draw.whole(index + 1)
        names[index], names[other] = names[other], names[index]
    return names


def _seed(value: int) -> int:
    return whole_number("seed", value, -(2**63), 2**64 - 1)
