"""Open spans, their links, erosion and volumes (voxelization document, sections 7, 8 and 9)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tests.oracles.voxel_rasterize import Frame
from tests.oracles.voxel_spans import DIRECTIONS, SolidColumns

OPEN = 65535
NO_LINK = -1
LARGEST_LINK = 62


@dataclass
class OpenSpan:
    """A floor: its row, the open rows above it, its area id, and per direction an index in the neighbour cell."""

    x: int
    z: int
    y: int
    height: int
    area: int
    links: list[int] = field(default_factory=lambda: [NO_LINK] * 4)


class CompactColumns:
    """Open spans by column; `spans()` lists them in the order of the document."""

    def __init__(self, width: int, depth: int) -> None:
        self.width, self.depth = width, depth
        self.columns: list[list[OpenSpan]] = [[] for _ in range(width * depth)]

    def column(self, x: int, z: int) -> list[OpenSpan]:
        """The spans of a column; none outside the grid."""
        inside = 0 <= x < self.width and 0 <= z < self.depth
        return self.columns[x + z * self.width] if inside else []

    def spans(self) -> list[OpenSpan]:
        return [span for column in self.columns for span in column]

    def cell_count(self) -> list[int]:
        return [len(column) for column in self.columns]

    def cell_first(self) -> list[int]:
        counts = self.cell_count()
        return [sum(counts[:index]) for index in range(len(counts))]

    def target(self, s: OpenSpan, direction: int) -> OpenSpan | None:
        dx, dz = DIRECTIONS[direction]
        index = s.links[direction]
        return None if index == NO_LINK else self.column(s.x + dx, s.z + dz)[index]


def build_compact(solid: SolidColumns, height: int, climb: int) -> CompactColumns:
    compact = CompactColumns(solid.width, solid.depth)
    for x, z in solid.places():
        column = solid.column(x, z)
        for index, s in enumerate(column):
            if s.area != 0:
                top = index + 1 == len(column)
                room = OPEN if top else min(OPEN, column[index + 1].low - s.high)
                compact.column(x, z).append(OpenSpan(x, z, s.high, room, s.area))
    for s in compact.spans():
        s.links = [link_of(compact, s, direction, height, climb) for direction in range(4)]
    return compact


def link_of(compact: CompactColumns, s: OpenSpan, direction: int, height: int, climb: int) -> int:
    """Index of the lowest open span beside `s` that a body fits through to and can step to."""
    dx, dz = DIRECTIONS[direction]
    for index, t in enumerate(compact.column(s.x + dx, s.z + dz)):
        room = min(s.y + s.height, t.y + t.height) - max(s.y, t.y)
        if room >= height and abs(t.y - s.y) <= climb:
            return index if index <= LARGEST_LINK else NO_LINK
    return NO_LINK


def is_boundary(compact: CompactColumns, s: OpenSpan) -> bool:
    targets = [compact.target(s, direction) for direction in range(4)]
    return s.area == 0 or any(t is None or t.area == 0 for t in targets)


def steps_of(compact: CompactColumns, s: OpenSpan) -> Iterator[tuple[OpenSpan, int]]:
    """(span, cost) of every step from `s` along its own links: 2 straight, 3 over two perpendicular links."""
    for direction in range(4):
        t = compact.target(s, direction)
        if t is None:
            continue
        yield t, 2
        for turn in (1, 3):
            corner = compact.target(t, (direction + turn) % 4)
            if corner is not None:
                yield corner, 3


def boundary_distances(compact: CompactColumns) -> list[int | None]:
    """Cost of the cheapest path from each span to a boundary span (Dijkstra on reversed steps), None without one."""
    spans = compact.spans()
    number = {id(s): index for index, s in enumerate(spans)}
    reversed_steps: list[list[tuple[int, int]]] = [[] for _ in spans]
    for index, s in enumerate(spans):
        for t, cost in steps_of(compact, s):
            reversed_steps[number[id(t)]].append((index, cost))
    distances: list[int | None] = [None] * len(spans)
    heap = [(0, index) for index, s in enumerate(spans) if is_boundary(compact, s)]
    heapq.heapify(heap)
    while heap:
        distance, index = heapq.heappop(heap)
        if distances[index] is not None:
            continue
        distances[index] = distance
        for source, cost in reversed_steps[index]:
            heapq.heappush(heap, (distance + cost, source))
    return distances


def erode_walkable_area(compact: CompactColumns, radius: int) -> None:
    """A span without any path to a boundary is as far as the cap and stays."""
    distances = boundary_distances(compact)
    for s, distance in zip(compact.spans(), distances, strict=True):
        if distance is not None and distance < 2 * radius:
            s.area = 0


Corner = tuple[float, float]


def side(a: Corner, b: Corner, p: Corner) -> int:
    """-1, 0 or 1: where p lies of the line from a to b, exactly."""
    ax, az = Fraction(a[0]), Fraction(a[1])
    cross = (Fraction(b[0]) - ax) * (Fraction(p[1]) - az) - (Fraction(b[1]) - az) * (Fraction(p[0]) - ax)
    return (cross > 0) - (cross < 0)


def sides_of_edges(corners: Sequence[Corner], p: Corner) -> set[int]:
    return {side(a, corners[(index + 1) % len(corners)], p) for index, a in enumerate(corners)}


def is_convex(corners: Sequence[Corner]) -> bool:
    """Every corner on one closed side of every edge, the same side for all, and not all on one line."""
    found = set().union(*(sides_of_edges(corners, p) for p in corners))
    return found in ({1}, {-1}, {0, 1}, {0, -1})


def contains(corners: Sequence[Corner], p: Corner) -> bool:
    return {1, -1} - sides_of_edges(corners, p) != set()


def apply_volume(
    frame: Frame, compact: CompactColumns, corners: Sequence[Corner], low: float, high: float, area: int
) -> None:
    """Gives the area to every walkable span whose cell centre and floor lie in the closed prism."""
    size, row = float(frame.cell_size), float(frame.cell_height)
    for s in compact.spans():
        centre = (frame.origin[0] + (s.x + 0.5) * size, frame.origin[2] + (s.z + 0.5) * size)
        floor = frame.origin[1] + s.y * row
        if s.area != 0 and low <= floor <= high and contains(corners, centre):
            s.area = area
