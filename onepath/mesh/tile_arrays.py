"""From a host's arrays to the sections of a tile: types checked, equal corners welded, neighbours and sides found."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.build.arguments import LARGEST_COORDINATE, whole_number
from onepath.errors import ArgumentError, LimitError, RangeError
from onepath.geometry.level import GROUND
from onepath.mesh.settings import MeshSettings

__all__ = ["arrange", "arrange_bounds", "arrange_place", "arrange_volumes", "cell_arrays"]

# The limits of the format (_format.pxd), for messages that name the argument at fault.
MAX_POLYGONS = 2**21 - 1
MAX_ELEMENTS = 2**24 - 1
MAX_CELL = 2**28
MAX_LAYER = 65535
MAX_SLOTS = 2**20
MAX_GENERATION = 2**22 - 1
DEFAULT_FLAGS = 1


def arrange_place(column: object, row: object, layer: object, settings: MeshSettings) -> tuple[int, int, int]:
    """(column, row, layer) as ints, their square inside the world."""
    size = settings.tile_size
    limit = min(MAX_CELL, int(LARGEST_COORDINATE // size))
    column = whole_number("column", column, -limit, limit - 1)
    row = whole_number("row", row, -limit, limit - 1)
    return column, row, whole_number("layer", layer, 0, MAX_LAYER)


def arrange_bounds(bounds: object, settings: MeshSettings, name: str = "grid_bounds") -> tuple[int, int, int, int]:
    """(first column, first row, last column, last row) as ints, inside the world and not inverted."""
    numbers: Any = bounds
    try:
        first_column, first_row, last_column, last_row = numbers
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {bounds!r}, not (first column, first row, last column, last row)") from None
    first = arrange_place(first_column, first_row, 0, settings)
    last = arrange_place(last_column, last_row, 0, settings)
    if last[0] < first[0] or last[1] < first[1]:
        raise ArgumentError(f"{name} is {bounds!r}: the last cell lies before the first")
    return first[0], first[1], last[0], last[1]


def arrange(
    vertices: ArrayLike,
    polygon_offsets: ArrayLike,
    polygon_vertices: ArrayLike,
    areas: ArrayLike | None,
    flags: ArrayLike | None,
    detail: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
    tile_size: float,
) -> list[NDArray[Any]]:
    """The tile's sections behind its header, in order and of the format's types. The tile's check sees to shapes."""
    points = _points("vertices", vertices)
    offsets = _integers("polygon_offsets", polygon_offsets, 0, MAX_ELEMENTS)
    corners = _integers("polygon_vertices", polygon_vertices, 0, max(len(points) - 1, 0))
    if len(offsets) == 0:
        raise ArgumentError("polygon_offsets is empty; it has one entry more than there are polygons")
    if len(offsets) - 1 > MAX_POLYGONS:
        raise LimitError(f"{len(offsets) - 1} polygons, more than the {MAX_POLYGONS} that a tile may have")
    if offsets[0] != 0 or offsets[-1] != len(corners):
        raise ArgumentError(
            f"polygon_offsets runs from {offsets[0]} to {offsets[-1]}, not from 0 to {len(corners)} (polygon_vertices)"
        )
    if len(corners) and not len(points):
        raise ArgumentError("polygon_vertices names vertices, but vertices is empty")
    counts = np.diff(offsets)
    if (counts < 3).any():
        polygon = int(np.argmax(counts < 3))
        raise ArgumentError(f"polygon {polygon} has {counts[polygon]} corners, fewer than 3")
    _refuse_outside(points, corners, np.float32(tile_size))
    points, new_index, corners = _welded(points, corners)
    neighbours = _neighbours(offsets, corners)
    sections = [
        points,
        offsets.astype("<i4"),
        corners.astype("<i4"),
        neighbours.astype("<i4"),
        _sides(points, offsets, corners, neighbours, np.float32(tile_size)),
        _per_polygon("areas", areas, len(counts), 255, GROUND).astype("u1"),
        _per_polygon("flags", flags, len(counts), 65535, DEFAULT_FLAGS).astype("<u2"),
    ]
    return sections if detail is None else sections + _detail(detail, len(counts), new_index, len(points))


def arrange_volumes(volumes: ArrayLike | None, count: int) -> NDArray[np.uint16] | None:
    """The tile's section of volumes, or None where no named volume marked a polygon."""
    if volumes is None:
        return None
    marks = _per_polygon("volumes", volumes, count, 65535, 0)
    return marks.astype("<u2") if marks.any() else None


def cell_arrays(
    vertices: ArrayLike,
    polygon_offsets: ArrayLike,
    polygon_vertices: ArrayLike,
    neighbours: ArrayLike,
    border_sides: ArrayLike,
    areas: ArrayLike,
) -> list[NDArray[np.int32]]:
    """x, y and z of a builder's integer vertices, then its other arrays, all contiguous int32 of fitting lengths."""
    points = _array("vertices", vertices)
    if points.size == 0:
        points = np.zeros((0, 3), np.int64)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ArgumentError(f"vertices has the shape {points.shape}, not (n, 3)")
    parts = [_integers("vertices", axis, -(2**24), 2**24) for axis in points.T]
    named = (
        ("polygon_offsets", polygon_offsets, 0, MAX_ELEMENTS),
        ("polygon_vertices", polygon_vertices, 0, max(len(points) - 1, 0)),
        ("neighbours", neighbours, -1, MAX_POLYGONS),
        ("border_sides", border_sides, -1, 3),
        ("areas", areas, 0, 255),
    )
    parts += [_integers(name, value, low, high) for name, value, low, high in named]
    offsets, corners, behind, sides, area = parts[3:]
    if len(offsets) != len(area) + 1:
        raise ArgumentError(f"polygon_offsets has {len(offsets)} elements, not one more than the {len(area)} areas")
    if len(behind) != len(corners) or len(sides) != len(corners):
        raise ArgumentError(
            f"neighbours has {len(behind)} and border_sides {len(sides)} elements for {len(corners)} polygon_vertices"
        )
    return [np.ascontiguousarray(part.astype(np.int32)) for part in parts]


def _array(name: str, value: ArrayLike) -> NDArray[Any]:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is not an array of numbers") from None
    if array.dtype.kind not in "iuf":
        if array.size:
            raise ArgumentError(f"{name} has the type {array.dtype}, not numbers")
        array = array.astype(np.float64)
    return array


def _points(name: str, value: ArrayLike) -> NDArray[np.float32]:
    array = _array(name, value)
    if array.size == 0:
        return np.zeros((0, 3), "<f4")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"{name} has the shape {array.shape}, not (n, 3)")
    if len(array) > MAX_ELEMENTS:
        raise LimitError(f"{name}: {len(array)} points, more than the {MAX_ELEMENTS} that a tile may have")
    bad = ~(np.abs(array) < 2 * LARGEST_COORDINATE).all(axis=1)
    if bad.any():
        vertex = int(np.argmax(bad))
        raise RangeError(f"{name}[{vertex}] is {array[vertex].tolist()}, not finite or outside the world")
    # Adding zero turns -0.0 into 0.0, so that equal positions have equal bits.
    return np.ascontiguousarray(array.astype("<f4") + np.float32(0.0))


def _refuse_outside(points: NDArray[np.float32], corners: NDArray[np.int64], size: np.float32) -> None:
    """Names the vertex as the caller counts it, which the tile's own check no longer can."""
    ground = points[corners][:, [0, 2]]
    bad = ((ground < 0) | (ground > size)).any(axis=1)
    if bad.any():
        vertex = int(corners[np.argmax(bad)])
        raise RangeError(f"vertices[{vertex}] is {points[vertex].tolist()}, outside the tile's square of {size} m")


def _integers(name: str, value: ArrayLike, low: int, high: int) -> NDArray[np.int64]:
    array = _array(name, value)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has the shape {array.shape}, not (n,)")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind == "f":
        raise ArgumentError(f"{name} has the type {array.dtype}, not whole numbers")
    if len(array) > MAX_ELEMENTS:
        raise LimitError(f"{name}: {len(array)} elements, more than the {MAX_ELEMENTS} that a tile may have")
    bad = (array < low) | (array > high)
    if bad.any():
        element = int(np.argmax(bad))
        raise RangeError(f"{name}[{element}] is {array[element]}, outside [{low}, {high}]")
    return array.astype(np.int64)


def _per_polygon(name: str, value: ArrayLike | None, count: int, high: int, default: int) -> NDArray[np.int64]:
    if value is None:
        return np.full(count, default, np.int64)
    array = _integers(name, value, 0, high)
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} elements for {count} polygons")
    return array


def _welded(
    points: NDArray[np.float32], corners: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Used points once each in their first order, the new index of every old point (-1: dropped), the new corners."""
    if len(corners) == 0:
        return points[:0], np.full(len(points), -1, np.int64), corners
    used = np.zeros(len(points), bool)
    used[corners] = True
    candidates = np.flatnonzero(used)
    order = np.lexsort(points[candidates].T)
    ascending = points[candidates[order]]
    begins = np.ones(len(order), bool)
    begins[1:] = (ascending[1:] != ascending[:-1]).any(axis=1)
    first = np.minimum.reduceat(order, np.flatnonzero(begins))  # of each group of equal points
    representative = np.sort(first)
    new_index = np.full(len(points), -1, np.int64)
    new_index[candidates[order]] = np.searchsorted(representative, first[np.cumsum(begins) - 1])
    return np.ascontiguousarray(points[candidates[representative]]), new_index, new_index[corners]


def _following(offsets: NDArray[np.int64], values: NDArray[Any]) -> NDArray[Any]:
    """For each corner its value at the polygon's next corner."""
    following = np.arange(1, len(values) + 1)
    if len(values):
        following[offsets[1:] - 1] = offsets[:-1]
    return values[following]


def _neighbours(offsets: NDArray[np.int64], corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """The polygon behind each edge: the one that has the edge the other way round."""
    ends = _following(offsets, corners)
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    span = int(corners.max()) + 1 if len(corners) else 1
    forward = corners * span + ends
    order = np.argsort(forward, kind="stable")
    ascending = forward[order]
    twice = np.flatnonzero(ascending[1:] == ascending[:-1])
    if len(twice):
        first, second = owner[order[twice[0]]], owner[order[twice[0] + 1]]
        if first != second and corners[order[twice[0]]] != ends[order[twice[0]]]:
            raise ArgumentError(f"polygon {second} lies on the same side of an edge as polygon {first}; they overlap")
    backward = ends * span + corners
    place = np.minimum(np.searchsorted(ascending, backward), max(len(ascending) - 1, 0))
    found = ascending[place] == backward if len(ascending) else np.zeros(0, bool)
    neighbours = np.where(found, owner[order[place]], -1)
    neighbours[neighbours == owner] = -1  # an outline that runs back on itself; the tile's check names it
    return neighbours


def _sides(
    points: NDArray[np.float32],
    offsets: NDArray[np.int64],
    corners: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    size: np.float32,
) -> NDArray[np.int8]:
    """The side of the tile on which each edge without a neighbour lies, or -1."""
    start = points[corners]
    end = _following(offsets, start)
    sides = np.full(len(corners), -1, np.int8)
    for side, axis, line in ((3, 2, np.float32(0)), (2, 0, size), (1, 2, size), (0, 0, np.float32(0))):
        sides[(start[:, axis] == line) & (end[:, axis] == line)] = side
    sides[neighbours >= 0] = -1
    return sides


def _detail(
    detail: tuple[ArrayLike, ArrayLike, ArrayLike], polygons: int, new_index: NDArray[np.int64], point_count: int
) -> list[NDArray[Any]]:
    """Detail offsets, triangles and vertices, with the triangles' indices moved to the welded vertices."""
    try:
        given_offsets, given_triangles, given_vertices = detail
    except (TypeError, ValueError):
        raise ArgumentError("detail is not a tuple (offsets, triangles, vertices)") from None
    vertices = _points("detail vertices", given_vertices)
    triangles = _array("detail triangles", given_triangles)
    if triangles.size == 0:
        triangles = np.zeros((0, 3), np.int64)
    if triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ArgumentError(f"detail triangles has the shape {triangles.shape}, not (n, 3)")
    flat = _integers("detail triangles", triangles.reshape(-1), 0, max(len(new_index) + len(vertices) - 1, 0))
    offsets = _integers("detail offsets", given_offsets, 0, len(triangles))
    if len(offsets) != polygons + 1 or offsets[0] != 0 or offsets[-1] != len(triangles) or (np.diff(offsets) < 0).any():
        raise ArgumentError(
            f"detail offsets must be {polygons + 1} numbers that ascend from 0 to the {len(triangles)} triangles"
        )
    is_detail = flat >= len(new_index)
    moved = np.where(is_detail, flat - len(new_index) + point_count, 0)
    moved[~is_detail] = new_index[flat[~is_detail]]
    if (moved < 0).any():
        triangle = int(np.argmax(moved < 0)) // 3
        raise ArgumentError(
            f"detail triangle {triangle} names vertex {flat[np.argmax(moved < 0)]}, which no polygon uses"
        )
    return [offsets.astype("<i4"), np.ascontiguousarray(moved.reshape(-1, 3).astype("<i4")), vertices]
