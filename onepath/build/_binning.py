"""Which triangles reach into which tile of a grid."""

import cython
import numpy as np
from cython.cimports.libc.math import floor
from cython.cimports.libc.stdlib import free, malloc

from onepath.errors import RangeError


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tile_range(
    low: cython.double,
    high: cython.double,
    tile_size: cython.double,
    padding: cython.double,
    first: cython.int,
    last: cython.int,
    result: cython.pointer(cython.int),
) -> cython.void:
    """The tiles along one axis whose padded square [low, high] may touch, clamped to first..last; empty if none."""
    begin: cython.double = floor((low - padding) / tile_size)
    end: cython.double = floor((high + padding) / tile_size)
    result[0] = first if begin < first else (last + 1 if begin > last else cython.cast(cython.int, begin))
    result[1] = last if end > last else (first - 1 if end < first else cython.cast(cython.int, end))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def triangle_tiles(
    vertices: cython.pointer(cython.const[cython.double]),
    triangle: cython.pointer(cython.const[cython.int]),
    tile_size: cython.double,
    padding: cython.double,
    grid: cython.pointer(cython.int),
    result: cython.pointer(cython.int),
) -> cython.void:
    """Columns result[0]..result[1] and rows result[2]..result[3] that a triangle's box touches."""
    axis: cython.int
    k: cython.int
    value: cython.double
    low: cython.double
    high: cython.double
    for axis in range(2):
        low = high = vertices[3 * triangle[0] + 2 * axis]
        for k in range(1, 3):
            value = vertices[3 * triangle[k] + 2 * axis]
            low = value if value < low else low
            high = value if value > high else high
        tile_range(low, high, tile_size, padding, grid[axis], grid[2 + axis], result + 2 * axis)


def bin_triangles(
    vertices: cython.const[cython.double][:, ::1],
    triangles: cython.const[cython.int][:, ::1],
    tile_size: cython.double,
    padding: cython.double,
    first_column: cython.int,
    first_row: cython.int,
    last_column: cython.int,
    last_row: cython.int,
):
    """(offsets, indices): tile t, row by row, holds triangles indices[offsets[t]:offsets[t + 1]], ascending.

    A triangle is listed wherever its box touches a tile's square widened by `padding` metres. Vertex indices must have
    been checked.
    """
    columns: cython.Py_ssize_t = last_column - first_column + 1
    rows: cython.Py_ssize_t = last_row - first_row + 1
    grid: cython.int[4]
    grid[0], grid[1], grid[2], grid[3] = first_column, first_row, last_column, last_row
    offsets_array = np.zeros(columns * rows + 1, dtype=np.int64)
    offsets: cython.longlong[::1] = offsets_array
    count: cython.Py_ssize_t = triangles.shape[0]
    touched: cython.p_int = cython.cast(cython.p_int, malloc(4 * (count + 1) * cython.sizeof(cython.int)))
    if touched == cython.NULL:
        raise MemoryError
    try:
        with cython.nogil:
            _count_tiles(vertices, triangles, tile_size, padding, grid, columns, touched, offsets)
        if offsets[columns * rows] > 2**31 - 1:
            raise RangeError(
                f"the level's triangles reach into tiles {offsets[columns * rows]} times, more than 2**31 - 1; "
                "choose larger tiles"
            )
        indices_array = np.empty(offsets[columns * rows], dtype=np.int32)
        indices: cython.int[::1] = indices_array
        cursor: cython.longlong[::1] = offsets_array[: columns * rows].copy()
        with cython.nogil:
            _fill_tiles(touched, count, grid, columns, cursor, indices)
    finally:
        free(touched)
    return offsets_array, indices_array


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_tiles(
    vertices: cython.const[cython.double][:, ::1],
    triangles: cython.const[cython.int][:, ::1],
    tile_size: cython.double,
    padding: cython.double,
    grid: cython.pointer(cython.int),
    columns: cython.Py_ssize_t,
    touched: cython.pointer(cython.int),
    offsets: cython.longlong[::1],
) -> cython.void:
    t: cython.Py_ssize_t
    tile: cython.Py_ssize_t
    row: cython.int
    column: cython.int
    reach: cython.p_int
    for t in range(triangles.shape[0]):
        reach = touched + 4 * t
        triangle_tiles(cython.address(vertices[0, 0]), cython.address(triangles[t, 0]), tile_size, padding, grid, reach)
        for row in range(reach[2], reach[3] + 1):
            for column in range(reach[0], reach[1] + 1):
                offsets[(row - grid[1]) * columns + (column - grid[0]) + 1] += 1
    for tile in range(1, offsets.shape[0]):
        offsets[tile] += offsets[tile - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_tiles(
    touched: cython.pointer(cython.int),
    count: cython.Py_ssize_t,
    grid: cython.pointer(cython.int),
    columns: cython.Py_ssize_t,
    cursor: cython.longlong[::1],
    indices: cython.int[::1],
) -> cython.void:
    t: cython.Py_ssize_t
    tile: cython.Py_ssize_t
    row: cython.int
    column: cython.int
    reach: cython.p_int
    for t in range(count):
        reach = touched + 4 * t
        for row in range(reach[2], reach[3] + 1):
            for column in range(reach[0], reach[1] + 1):
                tile = (row - grid[1]) * columns + (column - grid[0])
                indices[cursor[tile]] = cython.cast(cython.int, t)
                cursor[tile] += 1
