"""Random meshes and random questions about them, the same for the same seed, for the query comparisons.

A mesh is a few tiles; a tile holds floors over each other, each cut into a lattice of its own, so that edges of
neighbouring tiles overlap in part. Lattice squares are merged, split, bent or left out; ramps join floors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np

from onepath.build.settings import AgentShape
from onepath.mesh import MeshSettings, NavMesh, Tile
from onepath.query import QueryFilter
from tests.meshes import mesh_of, rectangle
from tests.oracles.query_filter import PlainFilter

Corner = tuple[float, float, float]
FLOOR_HEIGHT = 3.0
LARGEST = 2.0**21 - 1.0
AREAS = (63, 63, 63, 1, 2, 5, 0)
FLAGS = (1, 1, 1, 3, 2, 0, 4)


@dataclass
class Ground:
    """The height of the lowest floor: a plane with waves, the same from every tile."""

    slope_x: float
    slope_z: float
    wave: float

    def height(self, x: float, z: float) -> float:
        bump = (x * 0.37) % 3.0 + (z * 0.23) % 2.0
        return x * self.slope_x + z * self.slope_z + self.wave * bump


def random_mesh(seed: int) -> NavMesh:
    draw = Random(seed)
    cell_size, tile_cells = draw.choice([(1.0, 8), (1.0, 8), (0.3, 27), (0.25, 40), (0.7, 11)])
    climb = draw.choice([0.3, 0.5, 0.9])
    agent = AgentShape(max_climb=climb)
    settings = MeshSettings(
        agent=agent,
        cell_size=cell_size,
        cell_height=0.25,
        tile_cells=tile_cells,
        vertical_origin=draw.choice([0.0, 0.0, -1.75, 0.1]),
    )
    columns, rows = draw.choice([(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (1, 3)])
    last = int(2.0**21 / settings.tile_size) - 4
    first_column, first_row = (draw.choice([0, 0, -1, -2, 17, last, -last]) for _ in range(2))
    keys = [(first_column + i, first_row + j) for j in range(rows) for i in range(columns)]
    bounds = draw.choice([None, (first_column, first_row, first_column + columns - 1, first_row + rows - 1)])
    if bounds and draw.random() < 0.3:
        bounds = (bounds[0] - 1, bounds[1], bounds[2], bounds[3] + 1)
    mesh = NavMesh(settings, bounds)
    flat = draw.random() < 0.5
    slopes = [0.0] * 3 if flat else [draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2), draw.choice([0.0, 0.1])]
    ground = Ground(*slopes)
    layered = draw.random() < 0.2
    floors = draw.choice([1, 1, 2, 3])
    for column, row in keys:
        if len(keys) > 1 and draw.random() < 0.12:
            continue
        for layer, parts in enumerate(_floors(draw, settings, (column, row), ground, floors, layered)):
            mesh.stage_tile(_tile(draw, settings, (column, row, layer), parts))
    mesh.commit()
    if draw.random() < 0.2 and mesh.tile_count > 1:
        view = draw.choice(mesh.tiles())
        mesh.stage_tile_removal(view.column, view.row, view.layer)
        mesh.commit()
    return mesh


def bent_mesh(seed: int, chords: int) -> NavMesh:
    """Flat tiles, often far from the origin, each cut by so many chords: most outlines are bent by a rounding."""
    draw = Random(seed)
    settings = MeshSettings(
        agent=AgentShape(max_climb=0.5), cell_size=1.0, cell_height=0.25, tile_cells=draw.choice([8, 8, 16])
    )
    columns, rows = draw.choice([(1, 1), (2, 1), (2, 2), (3, 2)])
    last = int(2.0**21 / settings.tile_size) - 4
    first_column, first_row = (draw.choice([0, -1, 17, last, -last]) for _ in range(2))
    mesh = NavMesh(settings, None)
    for column in range(first_column, first_column + columns):
        for row in range(first_row, first_row + rows):
            parts = _cut(draw, settings, (column, row), Ground(0.0, 0.0, 0.0), 0.0, chords)
            mesh.stage_tile(_tile(draw, settings, (column, row, 0), parts))
    mesh.commit()
    return mesh


def random_strips(seed: int) -> NavMesh:
    """Floors over each other, all within a climb, each tile of each cut into strips along x or along z."""
    draw, polygons = Random(seed), []
    two_rows = draw.random() < 0.5
    for column in range(draw.choice([2, 3])):
        for row in range(2 if two_rows else 1):
            for height in draw.sample([0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5], draw.choice([1, 2, 2, 3])):
                x, z = 8 * column, 8 * row
                cuts = sorted({0, 8, *(draw.randint(1, 15) / 2 for _ in range(draw.randint(0, 3)))})
                along_x = draw.random() < 0.6
                for a, b in pairwise(cuts):
                    if draw.random() < 0.8:
                        place = (x, z + a, x + 8, z + b) if along_x else (x + a, z, x + b, z + 8)
                        polygons.append(rectangle(*place, height))
    return mesh_of(polygons or [rectangle(0, 0, 8, 8)])


def random_tile(draw: Random, settings: MeshSettings, key: tuple[int, int, int]) -> Tile:
    """One tile of up to two floors, the lowest flat at the height that its layer's number gives."""
    ground = Ground(0.0, 0.0, 0.0)
    parts = _floors(draw, settings, key[:2], ground, draw.choice([1, 2]), False)[0]
    lifted = [[(x, y + FLOOR_HEIGHT * key[2], z) for x, y, z in polygon] for polygon in parts]
    return _tile(draw, settings, key, lifted)


def _floors(draw, settings, cell, ground, floors, layered) -> list[list[list[Corner]]]:
    """Polygons by layer: tile-local corners."""
    parts: list[list[list[Corner]]] = [[]]
    count = draw.choice([1, 2, 2, 3, 4, 5])
    for floor in range(floors):
        if floor and draw.random() < 0.25:
            continue
        if floor and layered:
            parts.append([])
        if draw.random() < 0.4:
            count = draw.choice([1, 2, 3, 4, 5])
        if draw.random() < 0.3:
            parts[-1] += _cut(draw, settings, cell, ground, FLOOR_HEIGHT * floor)
        else:
            parts[-1] += _lattice(draw, settings, cell, ground, floor, count, floor + 1 < floors and not layered)
    return [_without_overlaps(part) for part in parts]


def _without_overlaps(polygons: list[list[Corner]]) -> list[list[Corner]]:
    """Without those that lie on the side of an edge where another lies already (a floor over the top of a ramp)."""
    used: set[tuple[Corner, Corner]] = set()
    kept = []
    for polygon in polygons:
        edges = set(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
        if not edges & used:
            used |= edges
            kept.append(polygon)
    return kept


def _lattice(draw, settings, cell, ground, floor, count, ramps) -> list[list[Corner]]:
    size = settings.tile_size
    lines = [float(np.float32(size * i / count)) for i in range(count)] + [size]
    style = draw.choice(["plain", "merged", "merged", "split", "bent"])
    holes = draw.choice([0.0, 0.1, 0.25, 0.4])
    rise = FLOOR_HEIGHT * floor

    def corner(i: int, j: int, lift: float = 0.0) -> Corner:
        x, z = lines[i], lines[j]
        height = ground.height(cell[0] % 50 * size + x, cell[1] % 50 * size + z) + rise + lift
        if style == "bent" and 0 < i < count and 0 < j < count:
            x, z = x + shift[i][j][0], z + shift[i][j][1]
        return tuple(float(np.float32(value)) for value in (x, height, z))

    step = 0.2 * size / count
    shift = [[(draw.uniform(-step, step), draw.uniform(-step, step)) for _ in lines] for _ in lines]
    polygons: list[list[Corner]] = []
    free = {(i, j) for i in range(count) for j in range(count)}
    for j in range(count):
        for i in range(count):
            if (i, j) not in free:
                continue
            free.discard((i, j))
            if draw.random() < holes:
                if ramps and draw.random() < 0.5:
                    low, high = draw.choice([(0.0, FLOOR_HEIGHT), (FLOOR_HEIGHT, 0.0)])
                    polygons.append(
                        [corner(i, j, low), corner(i, j + 1, high), corner(i + 1, j + 1, high), corner(i + 1, j, low)]
                    )
                continue
            width = depth = 1
            if style == "merged":
                while draw.random() < 0.5 and (i + width, j) in free:
                    free.discard((i + width, j))
                    width += 1
                if width == 1 and draw.random() < 0.4 and (i, j + 1) in free:
                    free.discard((i, j + 1))
                    depth = 2
            ring = _ring(i, j, width, depth)
            if draw.random() < 0.3:
                ring = [(i, j), (i, j + depth), (i + width, j + depth), (i + width, j)]
            outline = [corner(*place) for place in ring]
            if style == "split" and draw.random() < 0.6:
                polygons += _split(draw, outline)
            else:
                polygons.append(outline)
    if draw.random() < 0.5:
        draw.shuffle(polygons)
    return polygons


def _cut(draw, settings, cell, ground, rise, chords: int | None = None) -> list[list[Corner]]:
    """The tile's square cut by random chords; every corner is a corner of all polygons that it lies on.

    Corners are rounded to float32, so an outline may be bent inward by a rounding.
    """
    size = settings.tile_size
    polygons = [[(0.0, 0.0), (0.0, size), (size, size), (size, 0.0)]]
    for _ in range(chords or draw.choice([1, 3, 6, 12])):
        index = draw.randrange(len(polygons))
        outline = polygons[index]
        first, second = sorted(draw.sample(range(len(outline)), 2))
        ends = []
        for edge in (first, second):
            (ax, az), (bx, bz) = outline[edge], outline[(edge + 1) % len(outline)]
            t = draw.uniform(0.2, 0.8)
            ends.append((float(np.float32(ax + (bx - ax) * t)), float(np.float32(az + (bz - az) * t))))
        straight = all(outline[k][0] == outline[(k + 1) % len(outline)][0] for k in (first, second)) or all(
            outline[k][1] == outline[(k + 1) % len(outline)][1] for k in (first, second)
        )
        if math.dist(*ends) < 0.05 * size or (straight and (ends[0][0] == ends[1][0] or ends[0][1] == ends[1][1])):
            continue
        polygons[index] = [*outline[: first + 1], ends[0], ends[1], *outline[second + 1 :]]
        polygons.append([ends[0], *outline[first + 1 : second + 1], ends[1]])
        if min(map(_thickness, (polygons[index], polygons[-1]))) < 1e-3 * size * size:
            polygons.pop()
            polygons[index] = outline
            continue
        for edge, end in zip((first, second), ends, strict=True):
            _insert(polygons, outline[(edge + 1) % len(outline)], outline[edge], end)
    kept = [polygon for polygon in polygons if draw.random() > 0.12 and _is_convex_enough(polygon, size)]

    def lifted(x: float, z: float) -> Corner:
        height = ground.height(cell[0] % 50 * size + x, cell[1] % 50 * size + z) + rise
        return x, float(np.float32(height)), z

    return [[lifted(*corner) for corner in polygon] for polygon in kept]


def _is_convex_enough(outline, size: float) -> bool:
    """Whether no corner lies outside the line of an edge by more than half of what tiles allow."""
    for (ax, az), (bx, bz) in zip(outline, [*outline[1:], outline[0]], strict=True):
        length = math.hypot(bx - ax, bz - az)
        if any((bz - az) * (x - ax) - (bx - ax) * (z - az) < -(2.0**-21) * size * length for x, z in outline):
            return False
    return True


def _thickness(outline) -> float:
    """Area of the outline."""
    following = [*outline[1:], outline[0]]
    return abs(sum(a[1] * b[0] - a[0] * b[1] for a, b in zip(outline, following, strict=True))) / 2


def _insert(polygons, a, b, corner) -> None:
    """Puts a corner on the edge from a to b of whichever polygon has it."""
    for polygon in polygons:
        for k in range(len(polygon)):
            if polygon[k] == a and polygon[(k + 1) % len(polygon)] == b:
                polygon.insert(k + 1, corner)
                return


def _ring(i: int, j: int, width: int, depth: int) -> list[tuple[int, int]]:
    """All lattice places round a rectangle, counter-clockwise seen from above (along +z first)."""
    ring = [(i, j + k) for k in range(depth)] + [(i + k, j + depth) for k in range(width)]
    return ring + [(i + width, j + depth - k) for k in range(depth)] + [(i + width - k, j) for k in range(width)]


def _split(draw, outline: list[Corner]) -> list[list[Corner]]:
    if len(outline) != 4:
        return [outline]
    a, b, c, d = outline if draw.random() < 0.5 else [*outline[1:], outline[0]]
    return [[a, b, c], [a, c, d]]


def _tile(draw, settings, key, polygons) -> Tile:
    turned = []
    for polygon in polygons:
        first = draw.randrange(len(polygon))
        turned.append(polygon[first:] + polygon[:first])
    vertices = [corner for polygon in turned for corner in polygon]
    offsets = np.cumsum([0, *map(len, turned)]).tolist()
    detail = _detail(draw, turned, offsets, len(vertices)) if turned and draw.random() < 0.3 else None
    return Tile.from_arrays(
        key[0],
        key[1],
        np.array(vertices, np.float64).reshape(-1, 3),
        offsets,
        np.arange(len(vertices)),
        settings,
        key[2],
        [draw.choice(AREAS[: draw.choice([1, 7])]) for _ in turned],
        [draw.choice(FLAGS[: draw.choice([1, 7])]) for _ in turned],
        detail,
    )


def _detail(draw, polygons, offsets, count):
    """Triangles round points inside, lifted a little; a polygon with many has more than a dozen. Some have none."""
    triangles: list[list[int]] = []
    extra: list[Corner] = []
    starts = [0]
    for polygon, offset in zip(polygons, offsets, strict=False):
        corners = [offset + k for k in range(len(polygon))]
        mode = draw.choice(["none", "star", "star", "fine"])
        if mode != "none":
            middle = [sum(c[k] for c in polygon) / len(polygon) for k in range(3)]
            extra.append((middle[0], middle[1] + draw.uniform(-0.3, 0.3), middle[2]))
            rings = [corners]
            centre = count + len(extra) - 1
            if mode == "fine":
                inner = []
                for c in polygon:
                    extra.append(
                        tuple((c[k] + middle[k]) / 2 + (draw.uniform(0, 0.2) if k == 1 else 0) for k in range(3))
                    )
                    inner.append(count + len(extra) - 1)
                rings.append(inner)
            for outer, inner in pairwise(rings):
                for k in range(len(outer)):
                    m = (k + 1) % len(outer)
                    triangles += [[outer[k], outer[m], inner[k]], [outer[m], inner[m], inner[k]]]
            last = rings[-1]
            triangles += [[last[k], last[(k + 1) % len(last)], centre] for k in range(len(last))]
        starts.append(len(triangles))
    return starts, np.array(triangles, np.int32).reshape(-1, 3), np.array(extra, np.float64).reshape(-1, 3)


def random_filter(draw: Random) -> tuple[QueryFilter | None, PlainFilter]:
    """A filter and the same in plain words."""
    if draw.random() < 0.3:
        return None, PlainFilter()
    costs: dict[int, float] = {}
    for area in (63, 1, 2, 5):
        if draw.random() < 0.4:
            costs[area] = draw.choice([0.5, 1.0, 2.0, 3.7, 10.0, 0.1, math.inf if area != 63 else 1.5])
    if draw.random() < 0.1:
        costs[7] = 0.25
    include = draw.choice([0xFFFF, 0xFFFF, 0xFFFF, 1, 3, 7])
    exclude = draw.choice([0, 0, 0, 2, 4])
    predicate: Callable[[int, int], bool] | None = None
    if draw.random() < 0.1:
        chosen = draw.choice([1, 2, 5])
        predicate = lambda flags, area: area != chosen or flags == 1  # noqa: E731
    plain = PlainFilter(include, exclude, predicate, costs)
    return QueryFilter(include, exclude, predicate, costs=costs), plain


def random_position(draw: Random, polygons: list) -> Corner:
    """A place on, at a corner of, on an edge of, beside or over a random polygon."""
    polygon = draw.choice(polygons)
    corners = polygon.corners
    kind = draw.randrange(6)
    if kind == 0:
        return draw.choice(corners)
    if kind == 1:
        a, b = polygon.edge(draw.randrange(len(corners)))
        t = draw.choice([0.5, 0.25, draw.random()])
        return tuple(p + (q - p) * t for p, q in zip(a, b, strict=True))
    weights = [draw.random() for _ in corners]
    total = sum(weights)
    point = [sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / total for k in range(3)]
    if kind >= 4:
        spread = draw.choice([0.1, 1.0, 3.0])
        point = [p + draw.uniform(-spread, spread) for p in point]
    if kind == 3:
        point[1] += draw.choice([1.5, -1.5, 0.5])
    return tuple(min(max(p, -LARGEST), LARGEST) for p in point)


def asked_corridors(draw: Random, query, plain, count: int):
    """(start, end, corridor) of random searches with random filters over a mesh."""
    polygons = list(plain.polygons.values())
    for _ in range(count if polygons else 0):
        fast, slow = random_filter(draw) if draw.random() < 0.3 else (None, PlainFilter())
        allowed = [polygon for polygon in polygons if slow.passes(polygon)]
        if not allowed:
            continue
        first, last = draw.choice(allowed), draw.choice(allowed)
        start, end = random_position(draw, [first]), random_position(draw, [last])
        yield start, end, query.find_corridor(first.ref, start, last.ref, end, filter=fast)
