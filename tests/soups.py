"""Seeded scenes for the front half of the builder: soups, height grids, voxel chunks, span columns, volumes.

Every maker takes a `random.Random` and depends on nothing else. Soups are laid out in cell units and then moved into
the world, so that "exactly on a grid line" means what it says as far as the cell size and the origin allow it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from tests.oracles.voxel_rasterize import Frame

COORDINATE_LIMIT = 2.0**21
CELL_SIZES = (2.0**-20, 2.0**-9, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 1.0, 1.0, 1.7, 3.0, 250.0, 2.0**15)
AREAS = (0, 0, 1, 2, 40, 62, 63, 63)

Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]


@dataclass(frozen=True)
class Soup:
    """Triangles over a grid, with the numbers that they are to be rasterized with.

    Attributes:
        frame: the grid.
        vertices: (n, 3) world coordinates.
        triangles: (m, 3) indices.
        areas: an area id a triangle, or None to go by slope.
        slope_cosine: float32 value.
        threshold: rows.
    """

    frame: Frame
    vertices: np.ndarray
    triangles: np.ndarray
    areas: np.ndarray | None
    slope_cosine: float
    threshold: int


def random_frame(random: Random, largest: int = 7) -> Frame:
    """Small grids of every cell size, near the origin and at the rim of what coordinates may be."""
    size, height = random.choice(CELL_SIZES), random.choice(CELL_SIZES)
    width, depth, rows = random.randint(1, largest), random.randint(1, largest), random.randint(1, 24)
    origin = tuple(
        random_origin(random, float(np.float32(cell)) * count)
        for cell, count in ((size, width), (height, rows), (size, depth))
    )
    return Frame(origin, np.float32(size), np.float32(height), width, depth, rows)


def random_origin(random: Random, extent: float) -> float:
    """The grid's low corner on an axis, such that the grid stays inside the bound of coordinates."""
    place = random.randrange(6)
    if place == 0:
        return -COORDINATE_LIMIT
    if place == 1:
        return COORDINATE_LIMIT - extent
    if place == 2:
        return float(random.randint(-4, 4))
    if place == 3:
        return random.uniform(-20.0, 20.0)
    return 0.0


def world_of(frame: Frame, corners: list[Corner]) -> np.ndarray:
    cells = np.array(corners, dtype=np.float64).reshape(-1, 3)
    size, height = float(frame.cell_size), float(frame.cell_height)
    world = np.array(frame.origin) + cells * np.array([size, height, size])
    return np.clip(world, -COORDINATE_LIMIT, COORDINATE_LIMIT)


def anywhere(random: Random, frame: Frame) -> Corner:
    return (
        random.uniform(-1.5, frame.width + 1.5),
        random.uniform(-2.0, frame.height + 2.0),
        random.uniform(-1.5, frame.depth + 1.5),
    )


def on_lattice(random: Random, frame: Frame, parts: int = 1) -> Corner:
    return (
        random.randint(-parts, (frame.width + 1) * parts) / parts,
        random.randint(-parts, (frame.height + 1) * parts) / parts,
        random.randint(-parts, (frame.depth + 1) * parts) / parts,
    )


def three(make: Callable[[], Corner]) -> Triangle:
    return make(), make(), make()


def random_triangle(random: Random, frame: Frame) -> Triangle:
    return three(lambda: anywhere(random, frame))


def small_triangle(random: Random, frame: Frame) -> Triangle:
    middle = anywhere(random, frame) if random.random() < 0.5 else on_lattice(random, frame)
    reach = 10.0 ** random.uniform(-7.0, 0.0)
    return three(lambda: tuple(c + random.uniform(-reach, reach) for c in middle))


def huge_triangle(random: Random, frame: Frame) -> Triangle:
    reach = 10.0 ** random.uniform(1.0, 6.0)
    return three(lambda: tuple(c + random.uniform(-reach, reach) for c in anywhere(random, frame)))


def spike(random: Random, frame: Frame) -> Triangle:
    """Two corners close together and one far away: slivers along cells."""
    a, b = anywhere(random, frame), anywhere(random, frame)
    near = tuple(c + random.choice((-1, 1)) * 10.0 ** random.uniform(-6.0, -1.0) for c in a)
    stretch = 10.0 ** random.uniform(0.0, 4.0)
    return a, near, tuple(p + (q - p) * stretch for p, q in zip(a, b, strict=True))


def lattice_triangle(random: Random, frame: Frame) -> Triangle:
    """Corners on cell corners; edges often run through cell corners too."""
    parts = random.choice((1, 1, 2, 4))
    return three(lambda: on_lattice(random, frame, parts))


def near_lattice_triangle(random: Random, frame: Frame) -> Triangle:
    """Corners on cell corners or the least bit beside them."""

    def corner() -> Corner:
        jitter = 2.0 ** random.randint(-24, -12)
        return tuple(c + random.choice((-1, 0, 0, 1)) * jitter for c in on_lattice(random, frame))

    return three(corner)


def vertical_triangle(random: Random, frame: Frame) -> Triangle:
    """Footprint on one line, exact in quarters."""
    start, step = on_lattice(random, frame, 4), (random.randint(-8, 8) / 4, random.randint(-8, 8) / 4)

    def corner() -> Corner:
        times = random.randint(-3, 3)
        return start[0] + step[0] * times, random.uniform(-1.0, frame.height + 1.0), start[2] + step[1] * times

    return three(corner)


def wall_on_grid_line(random: Random, frame: Frame) -> Triangle:
    axis = random.choice((0, 2))
    line = random.randint(-1, (frame.width if axis == 0 else frame.depth) + 1)
    parts = random.choice((0, 1, 4))

    def corner() -> Corner:
        free = list(on_lattice(random, frame, parts) if parts else anywhere(random, frame))
        free[axis] = line
        return free[0], free[1], free[2]

    return three(corner)


def flat_triangle(random: Random, frame: Frame) -> Triangle:
    """Horizontal, mostly exactly on a row boundary, the grid's own top and bottom included."""
    row = random.choice(
        (0, frame.height, random.randint(-1, frame.height + 1), random.randint(0, 4 * frame.height) / 4)
    )
    corners = lattice_triangle(random, frame) if random.random() < 0.5 else random_triangle(random, frame)
    a, b, c = ((u, float(row), w) for u, _, w in corners)
    return a, b, c


def degenerate_triangle(random: Random, frame: Frame) -> Triangle:
    a, b = lattice_triangle(random, frame)[:2]
    third = random.choice((a, b, tuple(p + (q - p) * 2.0 for p, q in zip(a, b, strict=True))))
    corners = [a, random.choice((a, b)), third]
    random.shuffle(corners)
    return corners[0], corners[1], corners[2]


def slope_triangle(random: Random, frame: Frame) -> Triangle:
    """Corners whose heights follow a plane near the limit of 45 degrees in the world."""
    ratio = float(frame.cell_size) / float(frame.cell_height)
    tilt = ratio * random.choice((1.0, 1.0, 0.999999, 1.000001, -1.0, 0.7))
    lift, shift = random.randint(0, 8), random.choice((0.0, 0.0, 0.25))
    turned = random.random() < 0.5

    def corner() -> Corner:
        u, _, w = on_lattice(random, frame, 2)
        return u, lift + shift + tilt * (w if turned else u), w

    return three(corner)


TRIANGLE_KINDS: dict[str, Callable[[Random, Frame], Triangle]] = {
    "random": random_triangle,
    "small": small_triangle,
    "huge": huge_triangle,
    "spike": spike,
    "lattice": lattice_triangle,
    "near_lattice": near_lattice_triangle,
    "vertical": vertical_triangle,
    "wall_on_grid_line": wall_on_grid_line,
    "flat": flat_triangle,
    "degenerate": degenerate_triangle,
    "slope": slope_triangle,
}


def random_soup(random: Random, kind: str | None = None) -> Soup:
    """One to six triangles, of one kind or of all."""
    frame = random_frame(random)
    corners: list[Corner] = []
    count = random.randint(1, 6)
    for _ in range(count):
        corners += TRIANGLE_KINDS[kind or random.choice(list(TRIANGLE_KINDS))](random, frame)
    areas = [random.choice(AREAS) for _ in range(count)] if random.random() < 0.5 else None
    return Soup(
        frame=frame,
        vertices=world_of(frame, corners),
        triangles=np.arange(3 * count, dtype=np.int32).reshape(count, 3),
        areas=None if areas is None else np.array(areas, dtype=np.uint8),
        slope_cosine=float(np.float32(random.choice((0.70710677, 0.70710677, 0.0, 0.5, 0.9, -1.0)))),
        threshold=random.choice((0, 1, 2, 4, 9)),
    )


def spikes_from_far(random: Random) -> Soup:
    """Triangles that start beside a grid of the smallest cells and end 2**25 to 2**40 cells away.

    Rounding at the far end can move a crossing on one side of the grid across another side: such a triangle leaves
    spans although none of its corners and no exact point of it lies over the grid.
    """
    frame = Frame((0.0, 0.0, 0.0), np.float32(2.0**-20), np.float32(1.0), random.randint(1, 7), random.randint(1, 7), 8)
    width, depth = frame.width, frame.depth

    def beside(cells: int) -> float:
        off = 10.0 ** random.uniform(-3.0, 1.0)
        return random.choice((-off, cells + off, cells + off))

    def far() -> float:
        return random.choice((-1.0, 1.0)) * 2.0 ** random.uniform(25.0, 40.0)

    corners: list[Corner] = []
    for _ in range(random.randint(1, 3)):
        w_side = beside(depth)
        triangle = [(beside(width), 1.5, w_side), (beside(width), 1.5, w_side + random.random()), (far(), 1.5, far())]
        random.shuffle(triangle)
        corners += triangle
    count = len(corners) // 3
    return Soup(
        frame=frame,
        vertices=world_of(frame, corners),
        triangles=np.arange(3 * count, dtype=np.int32).reshape(count, 3),
        areas=np.full(count, 5, dtype=np.uint8),
        slope_cosine=0.5,
        threshold=1,
    )


def random_heights(random: Random, frame: Frame) -> tuple[np.ndarray, tuple[float, float], float]:
    """((count_z, count_x) heights, (x0, z0), spacing) of a height grid about as large as the grid."""
    size, row = float(frame.cell_size), float(frame.cell_height)
    shape = (random.randint(2, 5), random.randint(2, 5))
    levels = [
        random.choice((random.randint(0, frame.height), random.uniform(-1.0, frame.height + 1.0))) for _ in range(9)
    ]
    heights = np.array([[random.choice(levels) for _ in range(shape[1])] for _ in range(shape[0])], dtype=np.float64)
    corner = tuple(frame.origin[axis] + random.choice((0.0, -size, random.uniform(-1, 2) * size)) for axis in (0, 2))
    limit = COORDINATE_LIMIT - 8 * 3.0 * size
    corner = tuple(min(max(c, -COORDINATE_LIMIT), limit) for c in corner)
    world = np.clip(frame.origin[1] + heights * row, -COORDINATE_LIMIT, COORDINATE_LIMIT)
    return world, (corner[0], corner[1]), size * random.choice((0.5, 1.0, 1.3, 2.0))


def random_dense(random: Random) -> tuple[list[int], int, int, int]:
    """(cells, width, depth, height) of a small voxel block, cells indexed (z * width + x) * height + y."""
    width, depth, height = random.randint(1, 4), random.randint(1, 4), random.randint(1, 10)
    materials = random.sample(range(1, 256), 3)
    fill = random.random()
    cells = [random.choice(materials) if random.random() < fill else 0 for _ in range(width * depth * height)]
    return cells, width, depth, height


def random_columns(random: Random, largest: int = 7) -> tuple[int, int, int, list[list[int]]]:
    """(width, depth, rows, spans), spans as [x, z, min, max, area] sorted by z, x and min, apart in each column."""
    width, depth = random.randint(1, largest), random.randint(1, largest)
    rows = random.choice((6, 15, 40, 400))
    gap = random.choice((2, 5, 12))
    empty, base = random.choice((0.0, 0.1, 0.4)), random.randint(0, 3)
    spans: list[list[int]] = []
    for z in range(depth):
        for x in range(width):
            low = base + random.randint(0, 2)
            while random.random() >= empty and low < rows:
                high = min(rows, low + random.randint(1, 3))
                spans.append([x, z, low, high, random.choice(AREAS)])
                low = high + random.randint(1, gap)
                if random.random() < 0.3:
                    break
    return width, depth, rows, spans


def crowded_columns(random: Random) -> tuple[int, int, int, list[list[int]]]:
    """A few columns of 60 to 70 floors each, more than a link of six bits can name."""
    width, depth, rows = random.randint(1, 3), random.randint(1, 3), 400
    spans: list[list[int]] = []
    for z in range(depth):
        for x in range(width):
            low = random.randint(0, 3)
            for _ in range(random.randint(60, 70)):
                high = low + random.randint(1, 2)
                spans.append([x, z, low, high, 63])
                low = high + random.randint(1, 3)
    return width, depth, rows, spans


def tangled_columns(random: Random) -> tuple[int, int, int, list[list[int]]]:
    """Floors so close together that links go one way and the two ways round a corner end on different spans."""
    width, depth, rows = random.randint(5, 9), random.randint(5, 9), 60
    spans: list[list[int]] = []
    for z in range(depth):
        for x in range(width):
            low = random.randint(0, 4)
            for _ in range(random.randint(3, 6)):
                spans.append([x, z, low, low + 1, 63])
                low += random.randint(3, 5)
    return width, depth, rows, spans


def random_terrain(random: Random) -> tuple[int, int, int, list[list[int]]]:
    """One wide rough floor, sometimes with a second over a part of it: what erosion has to walk through."""
    width, depth = random.randint(3, 14), random.randint(3, 14)
    rough, holes = random.choice((1, 2, 4)), random.choice((0.0, 0.03, 0.15))
    spans: list[list[int]] = []
    for z in range(depth):
        for x in range(width):
            high = 10 + random.randint(0, rough)
            if random.random() >= holes:
                spans.append([x, z, 0, high, random.choice((1, 63, 63, 63))])
            if x >= width // 2 and random.random() < 0.9:
                low = high + random.randint(3, 12)
                spans.append([x, z, low, low + random.randint(1, 2), 63])
    return width, depth, 60, spans


def random_volume(random: Random, frame: Frame) -> tuple[list[tuple[float, float]], float, float, int]:
    """(corners, low, high, area) of a convex volume, with corners or edges often through cell centres."""
    size, row = float(frame.cell_size), float(frame.cell_height)
    parts = random.choice((1, 2, 2, 1024))
    least = 0 if -COORDINATE_LIMIT in (frame.origin[0], frame.origin[2]) else -parts
    points = [
        (random.randint(least, frame.width * parts) / parts, random.randint(least, frame.depth * parts) / parts)
        for _ in range(random.randint(3, 9))
    ]
    corners = convex_hull(points)
    if len(corners) < 3:
        corners = [(0.0, 0.0), (float(frame.width), 0.0), (0.0, float(frame.depth))]
    if random.random() < 0.5:
        corners.reverse()
    if random.random() < 0.2:
        corners.insert(1, corners[0])
    low, high = sorted(random.choice((0, frame.height, random.randint(0, frame.height))) for _ in range(2))
    world = [(frame.origin[0] + u * size, frame.origin[2] + w * size) for u, w in corners]
    heights = (frame.origin[1] + low * row, frame.origin[1] + high * row)
    return world, heights[0], heights[1], random.choice(AREAS)


def convex_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners of the hull in turn, corners on straight sides left out; fewer than three where all lie on a line."""

    def half(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in ordered:
            while len(chain) > 1 and not turns_left(chain[-2], chain[-1], p):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1]) if len(ordered) > 2 else ordered


def turns_left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
