"""Meshes in the text format of the Polyanya benchmark sets: convex polygons of a flat map, versions 1 to 3.

    mesh <version> <vertices> <polygons>, then numbers separated by any white space:
    version 1, 2   a vertex:  x y n, and n polygons around it (not needed here)
                   a polygon: n, n vertices counter-clockwise, n neighbours (-1: none); from 0
    version 3      a vertex:  x y
                   a polygon: 1 or 0 (whether it can be walked on), n, n vertices, n neighbours; from 1
                   a neighbour of 0: none, -k: polygon k lies there, but nobody may cross

In version 1 neighbour i lies behind the edge from vertex i to the next one, in 2 and 3 behind the edge to vertex i from
the one before. The format knows no heights and no layers.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import LARGEST_COORDINATE
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, TileFormatError
from onepath.io.outlines import edge_answers
from onepath.io.partition import ImportReport, Partition, build_mesh
from onepath.io.polygons import DEFAULT_AREA, DEFAULT_FLAGS, MAX_CORNERS
from onepath.io.ragged import counted, places_of_rows
from onepath.mesh.navmesh import NavMesh

__all__ = ["load_polyanya", "parse_polyanya"]

VERSIONS = (1, 2, 3)
#: Fewest numbers of a vertex and of a polygon.
LEAST_NUMBERS = {1: (3, 7), 2: (3, 7), 3: (2, 8)}


def load_polyanya(path: str | os.PathLike[str]) -> NavMesh:
    """The mesh in a polyanya file: x, y of the map become x, z; heights are 0.

    Edges without a neighbour are walls even where another polygon happens to lie there; polygons of version 3 that
    cannot be walked on are left out. `report` is an ImportReport.

    Raises:
        OSError: the file cannot be read.
        TileFormatError: naming the line that cannot be read or used; `.section` is "header", "vertices" or "polygons",
            `.element` the number of the vertex or polygon, from 0.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise TileFormatError(f"line {line}: the file is not UTF-8 text") from None
    return parse_polyanya(text)


def parse_polyanya(text: str) -> NavMesh:
    """The mesh in the text of a polyanya file. Raises as `load_polyanya` does."""
    numbers = _Numbers(text)
    version, vertices, polygons = _header(numbers)
    points = _vertices(numbers, version, vertices)
    faces = _polygons(numbers, version, polygons, vertices)
    if numbers.at < len(numbers.tokens):
        raise TileFormatError(f"{numbers.place()}: numbers follow the last polygon", "polygons", polygons)
    walls = _walls(faces, version)
    kept = np.flatnonzero(faces.walkable)
    place = places_of_rows(faces.offsets, kept)
    partition = Partition(
        points=points,
        offsets=counted(np.diff(faces.offsets)[kept]),
        corners=faces.corners[place],
        areas=np.full(len(kept), DEFAULT_AREA, np.int64),
        flags=np.full(len(kept), DEFAULT_FLAGS, np.int64),
        walls=walls[place],
    )
    try:
        mesh = build_mesh(partition, AgentShape(), names=lambda i: _polygon_name(int(kept[i]), faces.lines))
    except ArgumentError as error:
        raise TileFormatError(str(error), "polygons") from None
    report: ImportReport = mesh.report
    mesh.report = replace(report, given=polygons, left_out=report.left_out + polygons - len(kept))
    return mesh


def _polygon_name(polygon: int, lines: list[int]) -> str:
    return f"line {lines[polygon]}: polygon {polygon}"


# --- numbers


class _Numbers:
    """The file's words, each with its line, read one after another."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        self.lines: list[int] = []
        self.at = 0
        for number, line in enumerate(text.split("\n"), 1):
            words = line.split("//", 1)[0].split()
            self.tokens += words
            self.lines += [number] * len(words)
        self.last_line = self.lines[-1] if self.lines else 1

    def place(self) -> str:
        return f"line {self.lines[self.at] if self.at < len(self.lines) else self.last_line}"

    def left(self) -> int:
        return len(self.tokens) - self.at

    def take(self, kind: Callable[[str], float], what: str, section: str, element: int) -> float:
        """The next word as a number of the kind; `what` names it."""
        if self.at >= len(self.tokens):
            raise TileFormatError(f"line {self.last_line}: the file ends where {what} should be", section, element)
        word = self.tokens[self.at]
        try:
            # Python's own numbers may hold underscores, the format's may not.
            number = kind(word if "_" not in word and word.isascii() else "")
        except ValueError:
            raise TileFormatError(f"{self.place()}: {word[:40]!r} is not {what}", section, element) from None
        self.at += 1
        return number

    def whole(self, what: str, low: int, high: int, section: str, element: int) -> int:
        """The next word as a whole number in [low, high]."""
        place = self.place()
        number = int(self.take(_short_int, what, section, element))
        if not low <= number <= high:
            raise TileFormatError(f"{place}: {what} is {number}, outside [{low}, {high}]", section, element)
        return number


def _short_int(word: str) -> int:
    """A whole number that fits 64 bits: longer words take Python long to read."""
    if len(word) > 18:
        raise ValueError
    return int(word)


def _header(numbers: _Numbers) -> tuple[int, int, int]:
    """(version, vertices, polygons), as many as the file can hold at most."""
    if not numbers.tokens or numbers.tokens[0] != "mesh":
        raise TileFormatError("line 1: the file does not begin with the word mesh")
    numbers.at = 1
    place = numbers.place()
    version = numbers.whole("the version", -(10**17), 10**17, "header", -1)
    if version not in VERSIONS:
        raise TileFormatError(f"{place}: the file has version {version}; this library reads 1, 2 and 3")
    vertices = numbers.whole("the number of vertices", 0, 10**17, "header", -1)
    polygons = numbers.whole("the number of polygons", 0, 10**17, "header", -1)
    vertex_least, polygon_least = LEAST_NUMBERS[version]
    if vertices * vertex_least + polygons * polygon_least > numbers.left():
        raise TileFormatError(
            f"line {numbers.lines[numbers.at - 1]}: {vertices} vertices and {polygons} polygons are more than the "
            f"{numbers.left()} numbers that follow can be"
        )
    return version, vertices, polygons


def _vertices(numbers: _Numbers, version: int, count: int) -> NDArray[np.float64]:
    points = np.zeros((count, 3))
    for vertex in range(count):
        for axis, name in ((0, "x"), (2, "y")):
            place = numbers.place()
            value = numbers.take(float, f"{name} of vertex {vertex}", "vertices", vertex)
            if not abs(value) < LARGEST_COORDINATE:
                raise TileFormatError(
                    f"{place}: {name} of vertex {vertex} is {value}, not finite or outside 2**21", "vertices", vertex
                )
            points[vertex, axis] = value
        if version < 3:
            around = numbers.whole(f"the number of polygons around vertex {vertex}", 0, 10**17, "vertices", vertex)
            for _ in range(min(around, numbers.left() + 1)):
                numbers.take(_short_int, f"a polygon around vertex {vertex}", "vertices", vertex)
    return points


# --- polygons


@dataclass(frozen=True, slots=True)
class _Faces:
    """Polygons as the file has them, indices from 0, neighbours as written, the line that each begins in."""

    offsets: NDArray[np.int64]
    corners: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    walkable: NDArray[np.bool_]
    lines: list[int]


def _polygons(numbers: _Numbers, version: int, count: int, vertices: int) -> _Faces:
    first = 1 if version == 3 else 0
    lowest = -count if version == 3 else -1
    counts: list[int] = []
    corners: list[int] = []
    neighbours: list[int] = []
    walkable: list[bool] = []
    lines: list[int] = []
    for i in range(count):
        lines.append(numbers.lines[min(numbers.at, len(numbers.lines) - 1)])
        name = f"of polygon {i}"
        walkable.append(version < 3 or numbers.whole(f"the mark {name}", 0, 1, "polygons", i) == 1)
        size = numbers.whole(f"the number of corners {name}", 3, MAX_CORNERS, "polygons", i)
        counts.append(size)
        for _ in range(size):
            corners.append(numbers.whole(f"a vertex {name}", first, vertices - 1 + first, "polygons", i) - first)
        for _ in range(size):
            neighbours.append(numbers.whole(f"a neighbour {name}", lowest, count - 1 + first, "polygons", i))
    return _Faces(
        counted(np.array(counts, np.int64)),
        np.array(corners, np.int64),
        np.array(neighbours, np.int64),
        np.array(walkable, bool),
        lines,
    )


def _walls(faces: _Faces, version: int) -> NDArray[np.bool_]:
    """For the edge from each corner to the next whether it is a wall; neighbours must name each other."""
    behind = faces.neighbours.copy()
    if version > 1 and len(behind):
        place = np.arange(1, len(behind) + 1)
        place[faces.offsets[1:] - 1] = faces.offsets[:-1]
        behind = behind[place]
    neighbour = np.where(behind > 0, behind - 1, -1) if version == 3 else behind
    wrong = (neighbour >= 0) & ~edge_answers(faces.offsets, faces.corners, neighbour)
    if wrong.any():
        edge = int(np.argmax(wrong))
        polygon = int(np.searchsorted(faces.offsets, edge, "right")) - 1
        raise TileFormatError(
            f"{_polygon_name(polygon, faces.lines)} names neighbour {neighbour[edge] + (version == 3)}, which does not "
            "name it over the same edge",
            "polygons",
            polygon,
        )
    return neighbour < 0
