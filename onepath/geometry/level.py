"""A level: the triangles of a game world, gathered part by part, checked as they come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from onepath.errors import ArgumentError, LevelError, LimitError, RangeError, shown
from onepath.geometry import shapes
from onepath.geometry.areas import GROUND, Areas
from onepath.geometry.triangles import (
    Triangles,
    Vertices,
    check_coordinates,
    checked_transform,
    checked_triangles,
    checked_vertices,
    mirrors,
    transformed,
    without_unused_vertices,
)
from onepath.names import checks_names

__all__ = ["GROUND", "Level", "LevelPart"]

Corner = tuple[float, float, float]


class LevelPart(NamedTuple):
    """One call of `Level.add`, as a run of the rows of `Level.triangles()`.

    Attributes:
        name: as given, or None.
        area: as given: a build id, 1 to 63, or a name other than "ground".
        first_triangle, triangle_count: its rows.
    """

    name: str | None
    area: int | str
    first_triangle: int
    triangle_count: int


@dataclass(frozen=True, slots=True)
class _Piece:
    name: str | None
    area: int | str
    vertices: Vertices
    triangles: Triangles


class Level:
    """Triangles from which a mesh is baked. World space is right-handed, Y up, metres.

    A surface faces the side from which its corners run counter-clockwise; only what faces up is walked on. Shapes take
    `area`, `transform` and `name` as `add` does.

    >>> level = Level()
    >>> level.add_plane((0, 0), (10, 10))
    >>> level.add_box((4, 0, 4), (6, 2, 6), name="crate")
    >>> level
    Level(14 triangles, 12 vertices, 2 parts, bounds (0, 0, 0) to (10, 2, 10))
    >>> level.remove("crate")
    1
    >>> len(level)
    2
    """

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []
        self._vertex_count = 0
        self._triangle_count = 0
        self._joined: tuple[Vertices, Triangles] | None = None
        self._area_rows: tuple[Areas, npt.NDArray[np.uint8]] | None = None

    # -- adding and removing --------------------------------------------------------------------------------------

    @checks_names("Level.add")
    def add(
        self,
        vertices: npt.ArrayLike,
        triangles: npt.ArrayLike,
        area: str | int = "ground",
        *,
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds a triangle mesh.

        Args:
            vertices: (n, 3) numbers, metres. Vertices that no triangle uses are left out, whatever they hold.
            triangles: (m, 3) or flat (3 m,) integers, rows of `vertices`, counter-clockwise seen from the side they
                face.
            area: "ground", another name that the bake's `areas` know, or a build id from 1 to 63 (63 is ground).
            transform: a (4, 4) matrix for column vectors, or a translation (x, y, z). One that mirrors has the windings
                turned back, so that what faced up in the mesh's own space faces up still.
            name: for `remove` and `parts`; several parts may share one.

        Raises:
            LevelError: an index without a vertex, a used vertex that is not finite or beyond +-2**21; named.
            ArgumentError: a wrong shape or dtype, an area without meaning, a transform that is no affine map.
        """
        part_area, part_name = _checked_area(area), _checked_name(name)
        points = checked_vertices(vertices)
        corners = checked_triangles(triangles, len(points))
        check_coordinates(points, corners)
        points, corners = without_unused_vertices(points, corners)
        self._append(points, corners, part_area, transform, part_name)

    @checks_names("Level.add_box")
    def add_box(
        self,
        minimum: Sequence[float],
        maximum: Sequence[float],
        *,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds a closed box, its faces outward.

        Args:
            minimum, maximum: its lowest and highest corner, (x, y, z), metres.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        self._add_shape(shapes.box(minimum, maximum), area, transform, name)

    @checks_names("Level.add_ramp")
    def add_ramp(
        self,
        start: Sequence[float],
        end: Sequence[float],
        width: float,
        *,
        thickness: float | None = None,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds a ramp between two points, the middles of its lower and upper edge, in any direction.

        Args:
            start, end: (x, y, z), metres; either may be the lower one.
            width: metres, across the direction.
            thickness: vertical, metres, of a slab; None makes a solid wedge down to the height of its lower end.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        self._add_shape(shapes.ramp(start, end, width, thickness), area, transform, name)

    @checks_names("Level.add_plane")
    def add_plane(
        self,
        minimum: Sequence[float],
        maximum: Sequence[float],
        height: float = 0.0,
        *,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds a level rectangle, facing up.

        Args:
            minimum, maximum: its lowest and highest corner, (x, z), metres.
            height: its y, metres.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        self._add_shape(shapes.plane(minimum, maximum, height), area, transform, name)

    @checks_names("Level.add_cylinder")
    def add_cylinder(
        self,
        center: Sequence[float],
        radius: float,
        height: float,
        *,
        sides: int = 16,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds an upright closed cylinder, its faces outward.

        Args:
            center: the middle of its base, (x, y, z), metres.
            radius, height: metres, above 0.
            sides: 3 to 1024.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        self._add_shape(shapes.cylinder(center, radius, height, sides), area, transform, name)

    @checks_names("Level.add_heightmap")
    def add_heightmap(
        self,
        heights: npt.ArrayLike,
        spacing: float = 1.0,
        origin: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds the surface over a grid of heights, facing up.

        Args:
            heights: (rows along z, columns along x) numbers, 2 to 32768 each way, metres above the origin.
            spacing: metres from one to the next, above 0.
            origin: where `heights[0, 0]` stands, (x, y, z), metres.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range.
        """
        self._add_shape(shapes.heightmap(heights, spacing, origin), area, transform, name)

    @checks_names("Level.add_voxels")
    def add_voxels(
        self,
        solid: npt.ArrayLike,
        size: float = 1.0,
        origin: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        area: str | int = "ground",
        transform: npt.ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        """Adds the outer faces of a grid of cubes; faces between two solid ones are left out.

        Args:
            solid: (depth along z, width along x, height along y), fewer than 2**20 each way, not zero where solid.
            size: edge of a cube, metres, above 0.
            origin: the lowest corner of `solid[0, 0, 0]`, (x, y, z), metres.
            area, transform, name: as for `add`.

        Raises:
            ArgumentError, RangeError, LimitError: naming argument, value and range.
        """
        self._add_shape(shapes.voxels(solid, size, origin), area, transform, name)

    def remove(self, name: str) -> int:
        """Takes out every part of this name and answers how many there were.

        Raises:
            ArgumentError: no part has the name.
        """
        kept = [piece for piece in self._pieces if piece.name != name]
        removed = len(self._pieces) - len(kept)
        if name is None or removed == 0:
            raise ArgumentError(f"name is {name!r}; this level has {_listed(self._names())}")
        self._pieces = kept
        self._vertex_count = sum(len(piece.vertices) for piece in kept)
        self._triangle_count = sum(len(piece.triangles) for piece in kept)
        self._joined = self._area_rows = None
        return removed

    # -- reading --------------------------------------------------------------------------------------------------

    def triangles(self, areas: Areas | None = None) -> tuple[Vertices, Triangles, npt.NDArray[np.uint8]]:
        """All parts in the order they were added: vertices (n, 3) float64, triangles (m, 3) int32, areas (m,) uint8.

        The arrays are read-only and are kept until the level changes.

        Args:
            areas: what the names of areas mean; None knows "ground" only.

        Raises:
            ArgumentError, RangeError: a part's area is a name that `areas` does not know or whose id is above 63.
        """
        known = Areas() if areas is None else areas
        vertices, triangles = self._geometry()
        if self._area_rows is None or self._area_rows[0] != known:
            self._area_rows = known, self._join_areas(known)
        return vertices, triangles, self._area_rows[1]

    @property
    def parts(self) -> tuple[LevelPart, ...]:
        """Which rows of `triangles()` came from which call, in order."""
        found, first = [], 0
        for piece in self._pieces:
            found.append(LevelPart(piece.name, piece.area, first, len(piece.triangles)))
            first += len(piece.triangles)
        return tuple(found)

    @property
    def bounds(self) -> tuple[Corner, Corner] | None:
        """Lowest and highest (x, y, z) of the vertices that triangles use; None while there is no triangle."""
        vertices = self._geometry()[0]
        if len(vertices) == 0:
            return None
        low, high = vertices.min(axis=0).tolist(), vertices.max(axis=0).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    def __len__(self) -> int:
        return self._triangle_count

    def __repr__(self) -> str:
        name = type(self).__name__
        if self.bounds is None:
            return f"{name}(empty)"
        low, high = ("(" + ", ".join(f"{value:g}" for value in corner) + ")" for corner in self.bounds)
        return (
            f"{name}({self._triangle_count} triangles, {self._vertex_count} vertices, "
            f"{len(self._pieces)} parts, bounds {low} to {high})"
        )

    # -- inside ---------------------------------------------------------------------------------------------------

    def _add_shape(self, mesh: shapes.Mesh, area: str | int, transform: npt.ArrayLike | None, name: str | None) -> None:
        part_area, part_name = _checked_area(area), _checked_name(name)
        check_coordinates(*mesh)
        self._append(*mesh, part_area, transform, part_name)

    def _append(
        self,
        vertices: Vertices,
        triangles: Triangles,
        area: int | str,
        transform: npt.ArrayLike | None,
        name: str | None,
    ) -> None:
        if transform is not None:
            matrix = checked_transform(transform)
            vertices = transformed(vertices, matrix)
            if mirrors(matrix):
                triangles = triangles[:, [0, 2, 1]]
            try:
                check_coordinates(vertices, triangles)
            except LevelError as error:
                raise LevelError(f"after its transform, {error}") from None
        if self._vertex_count + len(vertices) >= 2**31 or self._triangle_count + len(triangles) >= 2**31:
            raise LimitError("a level holds fewer than 2**31 vertices and triangles")
        self._pieces.append(_Piece(name, area, vertices, triangles))
        self._vertex_count += len(vertices)
        self._triangle_count += len(triangles)
        self._joined = self._area_rows = None

    def _geometry(self) -> tuple[Vertices, Triangles]:
        if self._joined is None:
            self._joined = self._join()
        return self._joined

    def _join(self) -> tuple[Vertices, Triangles]:
        vertices = np.empty((self._vertex_count, 3))
        triangles = np.empty((self._triangle_count, 3), dtype=np.int32)
        vertex = row = 0
        for piece in self._pieces:
            next_vertex, next_row = vertex + len(piece.vertices), row + len(piece.triangles)
            vertices[vertex:next_vertex] = piece.vertices
            np.add(piece.triangles, vertex, out=triangles[row:next_row])
            vertex, row = next_vertex, next_row
        vertices.setflags(write=False)
        triangles.setflags(write=False)
        return vertices, triangles

    def _join_areas(self, areas: Areas) -> npt.NDArray[np.uint8]:
        rows = np.empty(self._triangle_count, dtype=np.uint8)
        row = 0
        for piece in self._pieces:
            area = areas.id(piece.area, f"area of {'a part' if piece.name is None else repr(piece.name)}")
            if not 1 <= area <= GROUND:
                raise RangeError(f"area {piece.area!r} has the id {area}; triangles have areas from 1 to {GROUND}")
            rows[row : row + len(piece.triangles)] = area
            row += len(piece.triangles)
        rows.setflags(write=False)
        return rows

    def _names(self) -> list[str]:
        return list(dict.fromkeys(piece.name for piece in self._pieces if piece.name is not None))


def _checked_area(area: str | int) -> int | str:
    """A name stays one, "ground" apart, until a bake says what it means."""
    if isinstance(area, str):
        if not area:
            raise ArgumentError("area is ''; accepted are names and the ids 1 to 63")
        return GROUND if area == "ground" else area
    if isinstance(area, bool) or not isinstance(area, int | np.integer):
        raise ArgumentError(f"area is {area!r}; accepted are names and the ids 1 to 63")
    if not 1 <= area <= GROUND:
        raise RangeError(f"area is {shown(area)}, outside [1, 63]")
    return int(area)


def _checked_name(name: str | None) -> str | None:
    if name is not None and not isinstance(name, str):
        raise ArgumentError(f"name is {name!r}, not a text")
    return name


def _listed(names: list[str]) -> str:
    if not names:
        return "no named parts"
    return "parts named " + ", ".join(repr(name) for name in names[:8]) + (" and others" if len(names) > 8 else "")
