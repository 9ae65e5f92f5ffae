"""Levels made on the spot: the same for the same arguments on every machine, for tests, examples, benchmarks, games.

Each answers a `GeneratedLevel`, a `Level` whose `places` names spots that an agent of radius 0.4 m, height 1.8 m and
climb 0.5 m reaches on foot from each other. Seeds feed SplitMix64, so no NumPy version changes a level.
"""

from __future__ import annotations

import numpy as np

from onepath.errors import ArgumentError, RangeError
from onepath.geometry.architecture import Opening, Rectangle, ring, wall
from onepath.geometry.level import Level
from onepath.geometry.noise import SplitMix, hills

__all__ = ["GeneratedLevel", "courtyards", "maze", "pillars", "room", "terrain"]

Place = tuple[float, float, float]


class GeneratedLevel(Level):
    """A level that knows where its interesting spots are.

    Attributes:
        places: name to (x, y, z) on the ground, all connected on foot.
    """

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}


def room(size: float = 12.0, seed: int = 0) -> GeneratedLevel:
    """One room with a door, a low stage with a ramp, and a few crates that the seed places; 8 to 1000 m across."""
    size = _length("size", size, 8.0, 1000.0)
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


def pillars(size: float = 57.6, pitch: float = 14.4, seed: int = 0) -> GeneratedLevel:
    """A flat field with a pillar at every crossing of a grid: tile corners, where `pitch` is the tile size.

    The default pitch is 48 cells of 0.3 m. Pillars are square or round, 0.8 to 1.6 m across, as the seed decides.
    """
    size, pitch = _length("size", size, 4.0, 4000.0), _length("pitch", pitch, 3.0, 1000.0)
    draw = SplitMix(_seed(seed))
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    count = int((size - 1.6) / pitch)
    for row in range(1, count + 1):
        for column in range(1, count + 1):
            x, z, half = column * pitch, row * pitch, draw.number(0.4, 0.8)
            if draw.whole(2):
                level.add_cylinder((x, 0.0, z), half, 4.0, 12, name="pillar")
            else:
                level.add_box((x - half, 0.0, z - half), (x + half, 4.0, z + half), name="pillar")
    far = size - 1.5
    level.places = {
        "south-west": (1.5, 0.0, far), "south-east": (far, 0.0, far),
        "north-west": (1.5, 0.0, 1.5), "north-east": (far, 0.0, 1.5),
    }  # fmt: skip
    return level


def courtyards(size: float = 48.0, rings: int = 4, seed: int = 0) -> GeneratedLevel:
    """Courtyards inside each other: rings of walls, each with one gate on a side that the seed picks."""
    size = _length("size", size, 6.0, 4000.0)
    most = min(64, int((size / 2.0 - 1.0) / 2.0))
    rings = _whole("rings", rings, 1, most)
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    add_courtyards(level, Rectangle(0.0, 0.0, size, size).inset(1.0), rings, seed, "")
    level.places["outside"] = (0.5, 0.0, 0.5)
    return level


def add_courtyards(
    level: GeneratedLevel, area: Rectangle, rings: int, seed: int, prefix: str, foot: float = 0.0
) -> None:
    """Rings of walls within a rectangle, evenly spaced; the places "<prefix>court 0" (outermost) and on."""
    draw = SplitMix(_seed(seed))
    gap = min(area.x1 - area.x0, area.z1 - area.z0) / (2.0 * rings)
    for index in range(rings):
        outline = area.inset(gap * index)
        side = ("-x", "+x", "-z", "+z")[draw.whole(4)]
        middle_x, middle_z = outline.center
        gate = Opening(middle_x if side in ("-z", "+z") else middle_z, 1.8, 0.0, 2.4)
        ring(level, outline, 0.4, foot, 3.0, {side: [gate]})
        inside = (outline.x0 + (gap + 0.4) / 2.0, foot, middle_z)
        level.places[f"{prefix}court {index}"] = (middle_x, foot, middle_z) if index == rings - 1 else inside


def terrain(size: float = 100.0, height: float = 10.0, seed: int = 0) -> GeneratedLevel:
    """Smooth hills on a grid of 2 m, 0 to `height` high, walkable nearly everywhere at the default height."""
    size, height = _length("size", size, 8.0, 8000.0), _length("height", height, 0.0, 1000.0)
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


def maze(cells: int = 12, seed: int = 0, corridor: float = 2.4) -> GeneratedLevel:
    """A perfect maze of cells x cells rooms (2 to 256): every two are joined by exactly one way.

    Depth first with backtracking; `corridor` is the clear width between walls of 0.4 m.
    """
    cells, corridor = _whole("cells", cells, 2, 256), _length("corridor", corridor, 1.0, 100.0)
    pitch = corridor + 0.4
    size = cells * pitch + 0.4
    level = GeneratedLevel()
    level.add_box((0.0, -0.3, 0.0), (size, 0.0, size), name="floor")
    add_maze(level, 0.0, 0.0, cells, corridor, 2.5, seed)
    first, last = 0.4 + corridor / 2.0, size - 0.4 - corridor / 2.0
    middle = 0.4 + corridor / 2.0 + (cells // 2) * pitch
    level.places = {"start": (first, 0.0, first), "middle": (middle, 0.0, middle), "end": (last, 0.0, last)}
    return level


def add_maze(
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


def _length(name: str, value: float, low: float, high: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {value!r}, not a number") from None
    if not low <= number <= high:
        raise RangeError(f"{name} is {value!r}, outside [{low:g}, {high:g}]")
    return number


def _whole(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ArgumentError(f"{name} is {value!r}, not a whole number")
    if not low <= value <= high:
        raise RangeError(f"{name} is {value}, outside [{low}, {high}]")
    return int(value)


def _seed(value: int) -> int:
    return _whole("seed", value, -(2**63), 2**64 - 1)
