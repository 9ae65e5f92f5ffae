"""Arrays of vertices and triangles as users hand them over: checked, named when refused, moved by a transform."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from onepath.errors import ArgumentError, LevelError

__all__ = [
    "LARGEST_COORDINATE",
    "as_array",
    "check_coordinates",
    "check_indices",
    "checked_transform",
    "checked_triangles",
    "checked_vertices",
    "mirrors",
    "transformed",
    "turned_up",
    "without_unused_vertices",
]

#: World coordinates reach this far to both sides (voxelization document, section 1).
LARGEST_COORDINATE = 2.0**21

Vertices = npt.NDArray[np.float64]
Triangles = npt.NDArray[np.int32]


def checked_vertices(vertices: object) -> Vertices:
    """The vertices as a new (n, 3) float64 array. Coordinates are not judged: unused vertices may hold anything."""
    array = as_array("vertices", vertices)
    if array.size == 0 and array.ndim < 2:
        return np.zeros((0, 3))
    if array.dtype.kind not in "fiu":
        raise ArgumentError(f"vertices are of dtype {array.dtype}, not numbers")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"vertices have shape {array.shape}, not (n, 3)")
    with np.errstate(over="ignore"):
        return np.array(array, dtype=np.float64, order="C")


def checked_triangles(triangles: object, vertex_count: int) -> Triangles:
    """The triangles as a new (m, 3) int32 array, every index addressing one of `vertex_count` vertices.

    A flat array of 3 m indices is taken too.
    """
    array = as_array("triangles", triangles)
    if array.size == 0 and (array.ndim < 2 or array.shape[-1] == 3):
        return np.zeros((0, 3), dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"triangles are of dtype {array.dtype}, not integers")
    if array.ndim == 1 and array.size % 3 == 0:
        array = array.reshape(-1, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"triangles have shape {array.shape}, neither (m, 3) nor (3 * m,)")
    check_indices(array, vertex_count)
    return np.array(array, dtype=np.int32, order="C")


def check_indices(triangles: npt.NDArray[Any], vertex_count: int) -> None:
    """Refuses the first triangle that names a vertex which does not exist."""
    if triangles.size == 0 or (int(triangles.min()) >= 0 and int(triangles.max()) < vertex_count):
        return
    bad = (triangles < 0) | (triangles >= vertex_count)
    row, corner = (int(i) for i in np.argwhere(bad)[0])
    raise LevelError(
        f"triangle {row} names vertex {int(triangles[row, corner])}, but there are {vertex_count} vertices"
        + (f" (0 to {vertex_count - 1})" if vertex_count else "")
    )


def check_coordinates(vertices: Vertices, triangles: Triangles) -> None:
    """Refuses the first triangle with a corner that is not finite or beyond +-2**21. Unused vertices may be either."""
    if _all_inside(vertices):
        return
    bad_vertex = np.logical_not((np.abs(vertices) <= LARGEST_COORDINATE).all(axis=1))
    bad_corner = bad_vertex[triangles]
    if not bad_corner.any():
        return
    row, corner = (int(i) for i in np.argwhere(bad_corner)[0])
    vertex = int(triangles[row, corner])
    x, y, z = (float(value) for value in vertices[vertex])
    reason = "which is not finite" if not np.isfinite(vertices[vertex]).all() else "outside [-2097152, 2097152]"
    raise LevelError(f"triangle {row}, vertex {vertex} lies at ({x!r}, {y!r}, {z!r}), {reason}")


def without_unused_vertices(vertices: Vertices, triangles: Triangles) -> tuple[Vertices, Triangles]:
    """The same triangles over the vertices they use, in the same order; the arrays themselves where all are used."""
    if triangles.size * 8 < len(vertices):
        # A small part of a large file: sorting its few indices beats walking all vertices.
        ordered = np.sort(triangles, axis=None)
        few = ordered[np.flatnonzero(np.diff(ordered, prepend=-1))]
        return vertices[few], np.searchsorted(few, triangles).astype(np.int32)
    used = np.zeros(len(vertices), dtype=bool)
    used[triangles] = True
    if used.all():
        return vertices, triangles
    new_index = (np.cumsum(used) - 1).astype(np.int32)
    return vertices[used], new_index[triangles]


def checked_transform(transform: object) -> npt.NDArray[np.float64]:
    """A (4, 4) matrix for column vectors, from such a matrix or from a translation (x, y, z)."""
    array = as_array("transform", transform)
    if array.dtype.kind not in "fiu":
        raise ArgumentError(f"transform is of dtype {array.dtype}, not numbers")
    if array.shape == (3,):
        matrix = np.eye(4)
        matrix[:3, 3] = array
    elif array.shape == (4, 4):
        matrix = np.array(array, dtype=np.float64)
    else:
        raise ArgumentError(f"transform has shape {array.shape}, neither (4, 4) nor (3,)")
    if not np.isfinite(matrix).all():
        raise ArgumentError(f"transform is not finite: {matrix.tolist()}")
    if matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise ArgumentError(f"transform's last row is {matrix[3].tolist()}, not (0, 0, 0, 1)")
    if _determinant(matrix) == 0.0:
        raise ArgumentError(f"transform flattens space (determinant 0): {matrix.tolist()}")
    return matrix


def transformed(vertices: Vertices, matrix: npt.NDArray[np.float64]) -> Vertices:
    """The vertices moved by a (4, 4) matrix, each sum in one fixed order (a matrix product takes the platform's)."""
    x, y, z = vertices[:, 0], vertices[:, 1], vertices[:, 2]
    moved = np.empty_like(vertices)
    with np.errstate(over="ignore", invalid="ignore"):
        for axis in range(3):
            a, b, c, d = (float(value) for value in matrix[axis])
            moved[:, axis] = ((x * a + y * b) + z * c) + d
    return moved


def mirrors(matrix: npt.NDArray[np.float64]) -> bool:
    """Whether a transform turns right hands into left ones, so that windings must be turned back."""
    return _determinant(matrix) < 0.0


def as_array(name: str, value: object) -> npt.NDArray[Any]:
    """Whatever NumPy makes of the value; its dtype and shape are the caller's to check."""
    try:
        return np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArgumentError(f"{name} cannot be read as an array: {error}") from None


def _all_inside(vertices: Vertices) -> bool:
    if vertices.size == 0:
        return True
    # A NaN makes both comparisons false.
    return bool(vertices.min() >= -LARGEST_COORDINATE and vertices.max() <= LARGEST_COORDINATE)


def _determinant(matrix: npt.NDArray[np.float64]) -> float:
    (a, b, c), (d, e, f), (g, h, i) = matrix[:3, :3].tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def turned_up(vertices: Vertices, triangles: Triangles) -> Triangles:
    """The triangles, those that face down turned over."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    down = (b[:, 2] - a[:, 2]) * (c[:, 0] - a[:, 0]) < (b[:, 0] - a[:, 0]) * (c[:, 2] - a[:, 2])
    return np.where(down[:, None], triangles[:, ::-1], triangles)
