"""Columns of spans: merging, voxel chunks and the three filters (voxelization document, sections 3, 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

UNBOUNDED = 2**30
#: -x, +z, +x, -z
DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@dataclass
class Span:
    """Rows [low, high) and an area id."""

    low: int
    high: int
    area: int


class SolidColumns:
    """Every column a list of disjoint spans that do not touch, lowest first."""

    def __init__(self, width: int, depth: int, height: int) -> None:
        self.width, self.depth, self.height = width, depth, height
        self.columns: list[list[Span]] = [[] for _ in range(width * depth)]

    def column(self, x: int, z: int) -> list[Span]:
        return self.columns[x + z * self.width]

    def inside(self, x: int, z: int) -> bool:
        return 0 <= x < self.width and 0 <= z < self.depth

    def places(self) -> Iterator[tuple[int, int]]:
        for z in range(self.depth):
            for x in range(self.width):
                yield x, z

    def rows(self) -> list[list[int]]:
        """[x, z, low, high, area] of every span by z, x and row."""
        filled = (index for index, column in enumerate(self.columns) if column)
        places = ((index, index % self.width, index // self.width) for index in filled)
        return [[x, z, s.low, s.high, s.area] for index, x, z in places for s in self.columns[index]]

    def add_span(self, x: int, z: int, low: int, high: int, area: int, threshold: int) -> None:
        """The merge rule, from the bottom up; what does not meet the new span is kept as it is."""
        apart: list[Span] = []
        for s in self.column(x, z):
            if not (s.low <= high and s.high >= low):
                apart.append(s)
                continue
            if s.high > high:
                area = max(area, s.area) if s.high - high <= threshold else s.area
                high = s.high
            elif high - s.high <= threshold:
                area = max(area, s.area)
            low = min(low, s.low)
        apart.append(Span(low, high, area))
        self.columns[x + z * self.width] = sorted(apart, key=lambda s: s.low)


Runs = list[tuple[int, int, int]]


def runs_of_dense(cells: Sequence[int], width: int, depth: int, height: int) -> list[Runs]:
    """(start, length, material) runs of each column x + z * width, from cells[(z * width + x) * height + y]."""
    columns: list[Runs] = []
    for column in range(width * depth):
        runs: Runs = []
        for y in range(height):
            material = cells[column * height + y]
            if material == 0:
                continue
            if runs and runs[-1][0] + runs[-1][1] == y and runs[-1][2] == material:
                runs[-1] = (runs[-1][0], runs[-1][1] + 1, material)
            else:
                runs.append((y, 1, material))
        columns.append(runs)
    return columns


def add_chunk(
    solid: SolidColumns,
    columns: Sequence[Runs],
    width: int,
    offset: tuple[int, int, int],
    material_areas: Sequence[int] | None = None,
) -> None:
    """Adds every run inside the grid with threshold 0; `offset` is (x, y, z) in cells and rows."""
    for index, runs in enumerate(columns):
        x, z = index % width + offset[0], index // width + offset[2]
        if not solid.inside(x, z):
            continue
        for start, length, material in runs:
            low, high = max(start + offset[1], 0), min(start + length + offset[1], solid.height)
            if low < high:
                solid.add_span(x, z, low, high, 63 if material_areas is None else material_areas[material], 0)


def ceiling_of(column: Sequence[Span], index: int) -> int:
    return column[index + 1].low if index + 1 < len(column) else UNBOUNDED


def filter_low_hanging_obstacles(solid: SolidColumns, climb: int) -> None:
    for column in solid.columns:
        original = [s.area for s in column]
        for index in range(1, len(column)):
            below, s = column[index - 1], column[index]
            if original[index] == 0 and original[index - 1] != 0 and s.high - below.high <= climb:
                s.area = original[index - 1]


def gaps_of(column: Sequence[Span], climb: int) -> list[tuple[int, int]]:
    """(floor, ceiling) of every gap of a neighbour column, the one below its lowest span included."""
    lowest = (-climb, column[0].low if column else UNBOUNDED)
    return [lowest, *((n.high, ceiling_of(column, index)) for index, n in enumerate(column))]


def is_ledge(solid: SolidColumns, x: int, z: int, index: int, height: int, climb: int) -> bool:
    column = solid.column(x, z)
    floor, ceiling = column[index].high, ceiling_of(column, index)
    drops: list[int] = []
    accessible: list[int] = []
    for dx, dz in DIRECTIONS:
        if not solid.inside(x + dx, z + dz):
            drops.append(-climb - 1)
            continue
        for gap_floor, gap_ceiling in gaps_of(solid.column(x + dx, z + dz), climb):
            if min(ceiling, gap_ceiling) - max(floor, gap_floor) >= height:
                drops.append(gap_floor - floor)
                if abs(gap_floor - floor) <= climb:
                    accessible.append(gap_floor)
    falls = bool(drops) and min(drops) < -climb
    steep = bool(accessible) and max(accessible) - min(accessible) > climb
    return falls or steep


def filter_ledge_spans(solid: SolidColumns, height: int, climb: int) -> None:
    for x, z in solid.places():
        for index, s in enumerate(solid.column(x, z)):
            if s.area != 0 and is_ledge(solid, x, z, index, height, climb):
                s.area = 0


def filter_low_height(solid: SolidColumns, height: int) -> None:
    for column in solid.columns:
        for below, above in pairwise(column):
            if below.area != 0 and above.low - below.high < height:
                below.area = 0


def apply_span_filters(solid: SolidColumns, height: int, climb: int) -> None:
    filter_low_hanging_obstacles(solid, climb)
    filter_ledge_spans(solid, height, climb)
    filter_low_height(solid, height)
