"""A committed mesh copied into plain Python: one object a polygon, world positions as doubles.

Documents: mesh decisions (references, bounds), queries document, first section.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

Point = tuple[float, float, float]
Cell = tuple[int, int]

SIDE_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
ERROR_BOUND = 3.4e-16


class PlainLink(NamedTuple):
    """A link of a polygon through one of its side edges, its range in 1/255 of the edge from its first corner."""

    edge: int
    target: int
    range_min: int
    range_max: int


class PlainLeap(NamedTuple):
    """A way over an off-mesh link, from `start` in the polygon that lists it to `end` in the target."""

    id: int
    way: int
    target: int
    start: Point
    end: Point
    cost: float
    area: int
    flags: int
    enabled: bool


class Exit(NamedTuple):
    """A way out of a polygon; `link` is the place among the polygon's links, -1 for a neighbour of the same tile.

    Over an off-mesh link it is the link's id, and `edge` counts the way over it downward from -1.
    """

    target: int
    edge: int
    link: int
    leap: PlainLeap | None = None


@dataclass
class PlainPolygon:
    """A polygon: its place in ties (column, row, layer, index), its corners in the world and as its tile has them, and
    what lies behind each edge."""

    ref: int
    place: tuple[int, int, int, int]
    corners: list[Point]
    local: list[Point]
    neighbours: list[int]
    sides: list[int]
    area: int
    flags: int
    links: list[PlainLink]
    detail: list[tuple[Point, Point, Point]]
    exits: list[Exit] = field(default_factory=list)
    leaps: list[PlainLeap] = field(default_factory=list)

    def edge(self, index: int) -> tuple[Point, Point]:
        return self.corners[index], self.corners[(index + 1) % len(self.corners)]

    def box(self) -> tuple[Point, Point]:
        low, high = zip(*((min(axis), max(axis)) for axis in zip(*self.corners, strict=True)), strict=True)
        return low, high


class PlainMesh:
    """All polygons by reference, the cells with a committed tile, and the cells of which the mesh consists."""

    def __init__(self, mesh) -> None:
        settings = mesh.settings
        self.tile_size = settings.tile_size
        self.cell_size, self.cell_height = settings.cell_size, settings.cell_height
        self.max_climb = settings.agent.max_climb
        self.bounds = mesh.grid_bounds
        self.polygons: dict[int, PlainPolygon] = {}
        self.loaded: set[Cell] = set()
        for view in mesh.tiles():
            self.loaded.add((view.column, view.row))
            for polygon in _polygons_of(view):
                self.polygons[polygon.ref] = polygon

    def is_missing(self, cell: Cell) -> bool:
        """A cell inside the bounds with no committed tile."""
        if cell in self.loaded:
            return False
        if self.bounds is None:
            return True
        first_column, first_row, last_column, last_row = self.bounds
        return first_column <= cell[0] <= last_column and first_row <= cell[1] <= last_row

    def frontiers(self, polygon: PlainPolygon) -> set[Cell]:
        """The missing cells that edges of the polygon face."""
        column, row = polygon.place[:2]
        faced = {(column + SIDE_STEPS[s][0], row + SIDE_STEPS[s][1]) for s in polygon.sides if s >= 0}
        return {cell for cell in faced if self.is_missing(cell)}

    def nearest_first(self, cells: set[Cell], position: Point) -> tuple[Cell, ...]:
        """Cells by the X/Z distance of their squares from a position; equally near ones by column and row."""

        def away(cell: Cell) -> tuple[float, Cell]:
            gaps = []
            for index, coordinate in zip(cell, (position[0], position[2]), strict=True):
                low, high = index * self.tile_size, (index + 1) * self.tile_size
                gaps.append(max(low - coordinate, 0.0, coordinate - high))
            return gaps[0] * gaps[0] + gaps[1] * gaps[1], cell

        return tuple(sorted(cells, key=away))


def _polygons_of(view) -> list[PlainPolygon]:
    def world(local) -> Point:
        return tuple(float(value) + origin for value, origin in zip(local, view.origin, strict=True))

    vertices = [world(v) for v in view.vertices.tolist()]
    details = [] if view.detail_vertices is None else [world(v) for v in view.detail_vertices.tolist()]
    references = view.references.tolist()
    polygons = []
    for index, ref in enumerate(references):
        edges = range(view.polygon_offsets[index], view.polygon_offsets[index + 1])
        neighbours = [int(view.polygon_neighbours[edge]) for edge in edges]
        polygons.append(
            PlainPolygon(
                ref,
                (view.column, view.row, view.layer, index),
                [vertices[view.polygon_vertices[edge]] for edge in edges],
                [tuple(map(float, view.vertices[view.polygon_vertices[edge]])) for edge in edges],
                [references[n] if n >= 0 else 0 for n in neighbours],
                [int(view.border_sides[edge]) for edge in edges],
                int(view.areas[index]),
                int(view.flags[index]),
                [
                    PlainLink(int(r["edge"]), int(r["target"]), int(r["range_min"]), int(r["range_max"]))
                    for r in view.links[(view.links["polygon"] == index) & (view.links["id"] == 0)]
                ],
                _triangles(view, index, [*vertices, *details]),
            )
        )
    for polygon in polygons:
        polygon.exits = [Exit(n, edge, -1) for edge, n in enumerate(polygon.neighbours) if n]
        polygon.exits += [Exit(link.target, link.edge, place) for place, link in enumerate(polygon.links)]
        polygon.leaps = _leaps(view, polygon.place[3])
        polygon.exits += [Exit(leap.target, -1 - leap.way, leap.id, leap) for leap in polygon.leaps]
    return polygons


def _leaps(view, index: int) -> list[PlainLeap]:
    return [
        PlainLeap(
            int(r["id"]),
            2 * int(r["crossing"]) + bool(r["backward"]),
            int(r["target"]),
            tuple(r["start"].tolist()),
            tuple(r["end"].tolist()),
            float(r["cost"]),
            int(r["area"]),
            int(r["flags"]),
            bool(r["enabled"]),
        )
        for r in view.links[(view.links["polygon"] == index) & (view.links["id"] > 0)]
    ]


def _triangles(view, index: int, points: list[Point]) -> list[tuple[Point, Point, Point]]:
    if view.detail_offsets is None:
        return []
    rows = view.detail_triangles[view.detail_offsets[index] : view.detail_offsets[index + 1]].tolist()
    return [(points[a], points[b], points[c]) for a, b, c in rows]


def side_of(a: Point, b: Point, p: Point) -> int:
    """1 where p lies left of a to b seen from above, -1 right of it, 0 exactly on the line."""
    first, second = (b[2] - a[2]) * (p[0] - a[0]), (b[0] - a[0]) * (p[2] - a[2])
    if abs(first - second) > ERROR_BOUND * (abs(first) + abs(second)):
        return 1 if first > second else -1
    if first == second == 0.0 and (b[2] == a[2] or p[0] == a[0]) and (b[0] == a[0] or p[2] == a[2]):
        return 0
    return exact_side_of(a, b, p)


def exact_side_of(a: Point, b: Point, p: Point) -> int:
    """The same, always in fractions; the points may have fractions as coordinates."""
    ax, az = Fraction(a[0]), Fraction(a[2])
    exact = (Fraction(b[2]) - az) * (Fraction(p[0]) - ax) - (Fraction(b[0]) - ax) * (Fraction(p[2]) - az)
    return (exact > 0) - (exact < 0)


def squared_distance(a: Point, b: Point) -> float:
    dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return (dx * dx + dy * dy) + dz * dz


def lerp(a: Point, b: Point, t: float) -> Point:
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)
