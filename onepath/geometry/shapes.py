"""Simple solids and surfaces as (vertices, triangles) arrays, wound counter-clockwise seen from outside or above."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from onepath.errors import ArgumentError, LimitError, RangeError, shown
from onepath.geometry.angles import cosine, sine
from onepath.geometry.triangles import LARGEST_COORDINATE, Triangles, Vertices, as_array

__all__ = ["Mesh", "box", "cone", "cylinder", "heightmap", "plane", "prism", "ramp", "voxels"]

Mesh = tuple[Vertices, Triangles]
Triple = Sequence[float]

#: What so many numbers are called where others came.
NUMBERS = {1: "a number", 2: "2 numbers (x, z)", 3: "3 numbers (x, y, z)"}

# Corner k of a box has the high x, y, z where bit 0, 1, 2 of k is set.
_BOX = np.array(
    [
        (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5), (0, 1, 5), (0, 5, 4),
        (2, 6, 7), (2, 7, 3), (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6),
    ],
    dtype=np.int32,
)  # fmt: skip
_WEDGE = np.array(
    [(0, 1, 3), (0, 3, 2), (0, 5, 1), (0, 4, 5), (2, 3, 5), (2, 5, 4), (0, 2, 4), (1, 5, 3)], dtype=np.int32
)
# The six sides of a voxel: axis (of an array indexed z, x, y), step, the four corners as (z, x, y) offsets.
_VOXEL_SIDES: tuple[tuple[int, int, tuple[tuple[int, int, int], ...]], ...] = (
    (0, -1, ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0))),
    (0, 1, ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1))),
    (1, -1, ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1))),
    (1, 1, ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0))),
    (2, -1, ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0))),
    (2, 1, ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
)


def box(minimum: Triple, maximum: Triple) -> Mesh:
    """A closed box between two corners, 12 triangles. Every axis must have a positive length."""
    low, high = _point("minimum", minimum), _point("maximum", maximum)
    for axis in range(3):
        if not low[axis] < high[axis]:
            raise ArgumentError(f"minimum {low} is not below maximum {high} on axis {'xyz'[axis]}")
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = [
        (x0, y0, z0), (x1, y0, z0), (x0, y1, z0), (x1, y1, z0),
        (x0, y0, z1), (x1, y0, z1), (x0, y1, z1), (x1, y1, z1),
    ]  # fmt: skip
    return np.array(corners), _BOX


def plane(minimum: Sequence[float], maximum: Sequence[float], height: float = 0.0) -> Mesh:
    """A level rectangle facing up between two (x, z) corners, 2 triangles."""
    x0, z0 = _numbers("minimum", minimum, 2)
    x1, z1 = _numbers("maximum", maximum, 2)
    y = _number("height", height)
    if not (x0 < x1 and z0 < z1):
        raise ArgumentError(f"minimum {(x0, z0)} is not below maximum {(x1, z1)} on both axes")
    return np.array([(x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)]), np.array(
        [(0, 1, 2), (0, 2, 3)], dtype=np.int32
    )


def ramp(start: Triple, end: Triple, width: float, thickness: float | None = None) -> Mesh:
    """A ramp whose surface runs from the middle of one edge, `start`, to the middle of the other, `end`.

    Without a thickness it is a wedge that stands on the height of its lower end (8 triangles); with one, a slab of
    that vertical thickness (12 triangles), which may also be level.
    """
    low, high = _point("start", start), _point("end", end)
    half = _positive("width", width) / 2.0
    if low[1] > high[1]:
        low, high = high, low
    along_x, along_z = high[0] - low[0], high[2] - low[2]
    run = float(np.sqrt(along_x * along_x + along_z * along_z))
    if run == 0.0:
        raise ArgumentError(f"start {tuple(start)} and end {tuple(end)} lie above each other: a ramp needs a run")
    side_x, side_z = -along_z / run * half, along_x / run * half
    edge = [(p[0] + s * side_x, p[1], p[2] + s * side_z) for p in (low, high) for s in (-1.0, 1.0)]
    if thickness is None:
        if low[1] == high[1]:
            raise ArgumentError(f"start and end are both at height {low[1]}: a level ramp needs a thickness")
        feet = [(x, low[1], z) for x, _, z in edge[2:]]
        return np.array(edge + feet), _WEDGE
    drop = _positive("thickness", thickness)
    outline = [edge[0], edge[1], edge[3], edge[2]]
    return _between([(x, y - drop, z) for x, y, z in outline], outline)


def cylinder(center: Triple, radius: float, height: float, sides: int = 16) -> Mesh:
    """An upright closed cylinder of 3 to 1024 sides; `center` is the middle of its base."""
    x, y, z = _point("center", center)
    ring = _ring(x, z, _positive("radius", radius), sides)
    return prism(ring, y, y + _positive("height", height))


def cone(center: Triple, radius: float, height: float, sides: int = 8) -> Mesh:
    """An upright closed cone of 3 to 1024 sides; `center` is the middle of its base."""
    x, y, z = _point("center", center)
    ring = _ring(x, z, _positive("radius", radius), sides)
    count = len(ring)
    vertices = [(px, y, pz) for px, pz in ring] + [(x, y + _positive("height", height), z)]
    triangles = [(i, (i + 1) % count, count) for i in range(count)] + [(0, i + 1, i) for i in range(1, count - 1)]
    return np.array(vertices), np.array(triangles, dtype=np.int32)


def prism(outline: Sequence[tuple[float, float]], bottom: float, top: float) -> Mesh:
    """A closed upright prism over a convex (x, z) outline, counter-clockwise seen from above."""
    return _between([(x, bottom, z) for x, z in outline], [(x, top, z) for x, z in outline])


def heightmap(heights: npt.ArrayLike, spacing: float = 1.0, origin: Triple = (0.0, 0.0, 0.0)) -> Mesh:
    """An open surface over a grid of heights, two triangles a square.

    `heights` has shape (rows along z, columns along x), 2 to 32768 each; `heights[j, i]` stands at
    (x0 + i * spacing, y0 + heights[j, i], z0 + j * spacing). Squares are split along the diagonal from their lowest to
    their highest x and z, as the builder splits height grids (voxelization document, section 4).
    """
    grid = _grid("heights", heights, 2)
    rows, columns = grid.shape
    if not (2 <= rows <= 32768 and 2 <= columns <= 32768):
        raise ArgumentError(f"heights have shape {grid.shape}; both sides must be 2 to 32768")
    step = _positive("spacing", spacing)
    x0, y0, z0 = _point("origin", origin)
    vertices = np.empty((rows, columns, 3))
    vertices[:, :, 0] = x0 + np.arange(columns) * step
    vertices[:, :, 1] = y0 + grid
    vertices[:, :, 2] = (z0 + np.arange(rows) * step)[:, None]
    a = (np.arange(rows - 1, dtype=np.int32)[:, None] * columns + np.arange(columns - 1, dtype=np.int32)).ravel()
    b, c, d = a + 1, a + columns, a + columns + 1
    triangles = np.stack([a, c, d, a, d, b], axis=1).reshape(-1, 3).astype(np.int32)
    return vertices.reshape(-1, 3), triangles


def voxels(solid: npt.ArrayLike, size: float = 1.0, origin: Triple = (0.0, 0.0, 0.0)) -> Mesh:
    """The outer faces of the solid voxels of a dense grid, two triangles a face, vertices shared.

    `solid` has shape (depth z, width x, height y), the order in which the builder reads voxel chunks; what is not zero
    is solid. `origin` is the lowest corner of voxel (0, 0, 0).
    """
    grid = _grid("solid", solid, 3) != 0
    if any(side + 1 > 2**20 for side in grid.shape):
        raise LimitError(f"solid has shape {grid.shape}; a side holds at most {2**20 - 1} voxels")
    edge = _positive("size", size)
    x0, y0, z0 = _point("origin", origin)
    corners = np.concatenate([_exposed(grid, *side) for side in _VOXEL_SIDES])
    if len(corners) == 0:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
    shape = tuple(side + 1 for side in grid.shape)
    lattice, index = np.unique(np.ravel_multi_index(tuple(corners.reshape(-1, 3).T), shape), return_inverse=True)
    z, x, y = np.unravel_index(lattice, shape)
    vertices = np.stack([x0 + x * edge, y0 + y * edge, z0 + z * edge], axis=1)
    quads = index.reshape(-1, 4).astype(np.int32)
    return vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _exposed(
    solid: npt.NDArray[np.bool_], axis: int, step: int, offsets: tuple[tuple[int, int, int], ...]
) -> npt.NDArray[np.int64]:
    """Lattice corners (faces, 4, 3) of the faces on one side of solid voxels that have no solid neighbour there."""
    covered = np.zeros_like(solid)
    inner: list[slice] = [slice(None)] * 3
    outer: list[slice] = [slice(None)] * 3
    inner[axis], outer[axis] = (slice(None, -1), slice(1, None)) if step > 0 else (slice(1, None), slice(None, -1))
    covered[tuple(inner)] = solid[tuple(outer)]
    cells: npt.NDArray[np.int64] = np.argwhere(solid & ~covered)
    return cells[:, None, :] + np.array(offsets, dtype=np.int64)[None, :, :]


def _between(bottom: list[tuple[float, float, float]], top: list[tuple[float, float, float]]) -> Mesh:
    """The closed solid between two rings of equal length, counter-clockwise seen from above."""
    n = len(top)
    triangles = [(n, n + i, n + i + 1) for i in range(1, n - 1)] + [(0, i + 1, i) for i in range(1, n - 1)]
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i)]
    return np.array(bottom + top), np.array(triangles, dtype=np.int32)


def _ring(x: float, z: float, radius: float, sides: int) -> list[tuple[float, float]]:
    if isinstance(sides, bool) or not isinstance(sides, int | np.integer):
        raise ArgumentError(f"sides is {sides!r}, not a whole number")
    if not 3 <= sides <= 1024:
        raise RangeError(f"sides is {shown(sides)}, outside [3, 1024]")
    turns = [360.0 * k / sides for k in range(int(sides))]
    # Seen from above, with x to the right and z towards the viewer, counter-clockwise means falling z first.
    return [(x + radius * cosine(turn), z - radius * sine(turn)) for turn in turns]


def _grid(name: str, value: npt.ArrayLike, dimensions: int) -> npt.NDArray[np.float64]:
    array = as_array(name, value)
    if array.dtype.kind not in "fiub" or array.ndim != dimensions:
        raise ArgumentError(f"{name} is {array.dtype} of shape {array.shape}, not numbers in {dimensions} dimensions")
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        at = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise ArgumentError(f"{name}{at} is {float(numbers[tuple(at)])!r}, not finite")
    return numbers


def _point(name: str, value: Triple) -> tuple[float, float, float]:
    x, y, z = _numbers(name, value, 3)
    return x, y, z


def _numbers(name: str, value: Sequence[float], count: int) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is {shown(value)}, not {NUMBERS[count]}") from None
    if len(numbers) != count:
        raise ArgumentError(f"{name} is {value!r}, not {NUMBERS[count]}")
    for number in numbers:
        if not abs(number) <= LARGEST_COORDINATE:
            raise RangeError(f"{name} is {value!r}; coordinates must lie within [-2097152, 2097152]")
    return numbers


def _number(name: str, value: float) -> float:
    return _numbers(name, (value,), 1)[0]


def _positive(name: str, value: float) -> float:
    number = _number(name, value)
    if not number > 0.0:
        raise RangeError(f"{name} is {value!r}; it must be above 0")
    return number
