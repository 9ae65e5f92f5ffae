"""Navigation meshes from convex polygons that somebody else has made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.build.arguments import LARGEST_COORDINATE
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, LimitError, RangeError
from onepath.io.partition import Partition, build_mesh
from onepath.io.ragged import counted
from onepath.mesh.navmesh import NavMesh

__all__ = ["mesh_from_polygons"]

MAX_CORNERS = 1024
#: Vertices and edges that a tile may have.
MAX_ELEMENTS = 2**24 - 1
DEFAULT_AREA = 63
DEFAULT_FLAGS = 1

Polygons = Iterable[Sequence[int]] | tuple[NDArray[Any], NDArray[Any]] | NDArray[Any]


def mesh_from_polygons(
    vertices: ArrayLike,
    polygons: Polygons,
    areas: ArrayLike | None = None,
    flags: ArrayLike | None = None,
    max_climb: float = 0.5,
    mesh_class: type[NavMesh] = NavMesh,
) -> NavMesh:
    """A mesh of ready convex polygons: what `NavMesh.from_polygons` calls, and describes."""
    points = _points(vertices)
    corners, offsets = _indices(polygons, len(points))
    count = len(offsets) - 1
    return build_mesh(
        Partition(
            points=points,
            offsets=offsets,
            corners=corners,
            areas=_per_polygon("areas", areas, count, 255, DEFAULT_AREA),
            flags=_per_polygon("flags", flags, count, 65535, DEFAULT_FLAGS),
        ),
        AgentShape(max_climb=max_climb),
        mesh_class=mesh_class,
    )


def _array(name: str, value: Any) -> NDArray[Any]:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is not an array of numbers") from None
    if array.size and array.dtype.kind not in "iuf":
        raise ArgumentError(f"{name} has the type {array.dtype}, not numbers")
    return array


def _points(value: ArrayLike) -> NDArray[np.float64]:
    array = _array("vertices", value)
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"vertices has the shape {array.shape}, not (n, 3)")
    points = array.astype(np.float64)
    bad = ~(np.abs(points) < LARGEST_COORDINATE).all(axis=1)
    if bad.any():
        vertex = int(np.argmax(bad))
        raise RangeError(f"vertices[{vertex}] is {points[vertex].tolist()}, not finite or outside 2**21")
    return points


def _whole(name: str, value: Any) -> NDArray[np.int64]:
    array = _array(name, value)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has the shape {array.shape}, not (n,)")
    if array.size and array.dtype.kind == "f":
        raise ArgumentError(f"{name} has the type {array.dtype}, not whole numbers")
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        raise RangeError(f"{name} holds {array.max()}, outside int64")
    return array.astype(np.int64)


def _indices(polygons: Any, points: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Corners and offsets, every index in range and every polygon of 3 to 1024 corners."""
    if isinstance(polygons, tuple) and len(polygons) == 2 and all(isinstance(part, np.ndarray) for part in polygons):
        corners, offsets = _whole("polygons[0]", polygons[0]), _whole("polygons[1]", polygons[1])
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(corners) or (np.diff(offsets) < 0).any():
            raise ArgumentError(f"polygons[1] must ascend from 0 to the {len(corners)} values of polygons[0]")
    else:
        corners, offsets = _ragged(polygons)
    counts = np.diff(offsets)
    bad = (counts < 3) | (counts > MAX_CORNERS)
    if bad.any():
        polygon = int(np.argmax(bad))
        raise ArgumentError(f"polygon {polygon} has {counts[polygon]} corners, not 3 to {MAX_CORNERS}")
    if len(corners) > MAX_ELEMENTS:
        raise LimitError(f"{len(corners)} corners of polygons, more than the {MAX_ELEMENTS} that a tile may have")
    bad = (corners < 0) | (corners >= points)
    if bad.any():
        place = int(np.argmax(bad))
        polygon = int(np.searchsorted(offsets, place, "right")) - 1
        raise RangeError(f"polygon {polygon} names vertex {corners[place]}, outside [0, {points - 1}]")
    return corners, offsets


def _ragged(polygons: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    try:
        rows = list(polygons)
    except TypeError:
        raise ArgumentError(f"polygons is a {type(polygons).__name__}, not a list of index lists") from None
    lists = [_whole(f"polygons[{i}]", row) for i, row in enumerate(rows)]
    values = np.concatenate(lists) if lists else np.zeros(0, np.int64)
    return values, counted(np.array([len(row) for row in lists], np.int64))


def _per_polygon(name: str, value: ArrayLike | None, count: int, high: int, default: int) -> NDArray[np.int64]:
    if value is None:
        return np.full(count, default, np.int64)
    array = _whole(name, value)
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} elements for {count} polygons")
    bad = (array < 0) | (array > high)
    if bad.any():
        polygon = int(np.argmax(bad))
        raise RangeError(f"{name}[{polygon}] is {array[polygon]}, outside [0, {high}]")
    return array
