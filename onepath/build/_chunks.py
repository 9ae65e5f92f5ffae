"""Voxel chunks: columns of run-length material, and their copy into the solid heightfield."""

import cython
import numpy as np
from cython.cimports.onepath.build._chunks import VoxelChunk
from cython.cimports.onepath.build._spans import SolidHeightfield, SpanField, put_span

from onepath.build.arguments import (
    LARGEST_ROWS,
    MOST_GRID_COLUMNS,
    MOST_GRID_ROWS,
    MOST_GRID_SIDE,
    area_ids,
    whole_array,
    whole_number,
)
from onepath.errors import ArgumentError, RangeError
from onepath.geometry.level import GROUND

MATERIALS = 256

# --- kernels


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_runs(
    column: cython.pointer[cython.const[cython.uchar]], height: cython.int, runs: cython.p_int
) -> cython.int:
    """Number of runs of equal material in a dense column; written to `runs` unless that is NULL."""
    count: cython.int = 0
    start: cython.int = 0
    y: cython.int
    for y in range(1, height + 1):
        if y < height and column[y] == column[start]:
            continue
        if column[start] != 0:
            if runs != cython.NULL:
                runs[3 * count] = start
                runs[3 * count + 1] = y - start
                runs[3 * count + 2] = column[start]
            count += 1
        start = y
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _first_bad_run(
    first: cython.const[cython.int][::1], runs: cython.const[cython.int][:, ::1], height: cython.int
) -> cython.Py_ssize_t:
    """Index of the first run that is empty, out of range, unsorted or overlaps the one below, or -1."""
    column: cython.Py_ssize_t
    i: cython.Py_ssize_t
    free_from: cython.int
    for column in range(first.shape[0] - 1):
        free_from = 0
        for i in range(first[column], first[column + 1]):
            if (
                runs[i, 0] < free_from
                or runs[i, 0] > height
                or runs[i, 1] < 1
                or runs[i, 1] > height - runs[i, 0]
                or runs[i, 2] < 1
                or runs[i, 2] > 255
            ):
                return i
            free_from = runs[i, 0] + runs[i, 1]
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_runs(
    field: cython.pointer[SpanField],
    chunk: VoxelChunk,
    offset_x: cython.int,
    offset_y: cython.int,
    offset_z: cython.int,
    areas: cython.pointer[cython.const[cython.uchar]],
) -> cython.int:
    """Columns along x first, runs bottom up; what lies outside the grid is dropped. -1 without memory."""
    x: cython.int
    z: cython.int
    i: cython.int
    column: cython.int
    low: cython.int
    high: cython.int
    for z in range(chunk.depth):
        if z + offset_z < 0 or z + offset_z >= field.frame.depth:
            continue
        for x in range(chunk.width):
            if x + offset_x < 0 or x + offset_x >= field.frame.width:
                continue
            column = x + z * chunk.width
            for i in range(chunk.first[column], chunk.first[column + 1]):
                low = chunk.run_rows[i, 0] + offset_y
                high = low + chunk.run_rows[i, 1]
                low = low if low > 0 else 0
                high = high if high < field.frame.rows else field.frame.rows
                if (
                    low < high
                    and put_span(
                        field,
                        x + offset_x + (z + offset_z) * field.frame.width,
                        low,
                        high,
                        areas[chunk.run_rows[i, 2]],
                        0,
                    )
                    < 0
                ):
                    return -1
    return 0


# --- the public class and call


def _int32(name, values):
    """The whole numbers as int32; what does not fit cannot be part of a run list."""
    limits = np.iinfo(np.int32)
    if values.size and (values.min() < limits.min or values.max() > limits.max):
        raise ArgumentError(f"{name} holds {values.min()} to {values.max()}, more than 32 bits")
    return np.array(values, dtype=np.int32, order="C")


class VoxelChunk:
    """A block of voxels as run-length columns (voxelization document, section 5). Immutable.

    Args:
        width, depth: columns in X and Z, 1 to 65536 each and at most 2**24 together.
        height: voxels in Y, 1 to 65535.
        first: (width * depth + 1,) where each column's runs begin in `runs`; a column is x + z * width.
        runs: (n, 3) start, length, material; in a column sorted and disjoint, none empty, material 1 to 255.

    Raises:
        ArgumentError: a wrong shape, dtype or length, a bad run, which is named.
        RangeError: dimensions outside their range.
    """

    def __cinit__(self, width, depth, height, first, runs):
        self.width = whole_number("width", width, 1, MOST_GRID_SIDE)
        self.depth = whole_number("depth", depth, 1, MOST_GRID_SIDE)
        self.height = whole_number("height", height, 1, MOST_GRID_ROWS)
        columns: cython.longlong = cython.cast(cython.longlong, self.width) * self.depth
        if columns > MOST_GRID_COLUMNS:
            raise RangeError(f"width * depth is {width} * {depth} columns, more than 2**24")
        offsets = whole_array("first", first)
        rows = whole_array("runs", runs)
        if rows.size == 0 and rows.ndim == 1:
            rows = rows.reshape(0, 3)
        if offsets.shape != (columns + 1,):
            raise ArgumentError(f"first has shape {offsets.shape}, not ({columns + 1},)")
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ArgumentError(f"runs has shape {rows.shape}, not (n, 3)")
        if offsets[0] != 0 or offsets[columns] != len(rows) or (np.diff(offsets.astype(np.int64)) < 0).any():
            raise ArgumentError(f"first does not rise from 0 to {len(rows)}, the number of runs")
        self.first = _int32("first", offsets)
        self.run_rows = _int32("runs", rows)
        bad: cython.Py_ssize_t = _first_bad_run(self.first, self.run_rows, self.height)
        if bad >= 0:
            raise ArgumentError(
                f"runs[{bad}] is {tuple(rows[bad].tolist())}: (start, length, material) must lie in [0, {height}],"
                " above the run before, not empty, material 1 to 255"
            )

    @staticmethod
    def from_dense(materials):
        """A chunk from a (depth, width, height) array of materials 0 to 255, 0 being empty.

        Flattened, voxel (x, y, z) stands at (z * width + x) * height + y. Equal neighbours in a column become one run.

        Raises:
            ArgumentError: wrong shape or dtype.
            RangeError: a material or dimension outside its range.
        """
        dense = whole_array("materials", materials)
        if dense.ndim != 3:
            raise ArgumentError(f"materials has shape {dense.shape}, not (depth, width, height)")
        if dense.size and not (dense.min() >= 0 and dense.max() < MATERIALS):
            raise RangeError(f"materials holds {dense.min()} to {dense.max()}, outside [0, {MATERIALS - 1}]")
        depth, width, height = dense.shape
        whole_number("height", height, 1, MOST_GRID_ROWS)
        voxels: cython.const[cython.uchar][:, ::1] = np.ascontiguousarray(dense, dtype=np.uint8).reshape(-1, height)
        columns: cython.Py_ssize_t = voxels.shape[0]
        rows: cython.int = height
        column: cython.Py_ssize_t
        first = np.zeros(columns + 1, dtype=np.int64)
        ends: cython.longlong[::1] = first
        for column in range(columns):
            ends[column + 1] = ends[column] + _find_runs(cython.address(voxels[column, 0]), rows, cython.NULL)
        runs = np.empty((ends[columns], 3), dtype=np.int32)
        found: cython.int[:, ::1] = runs
        for column in range(columns):
            if ends[column] < ends[column + 1]:
                _find_runs(cython.address(voxels[column, 0]), rows, cython.address(found[ends[column], 0]))
        return VoxelChunk(width, depth, height, first, runs)

    @property
    def runs(self):
        """A copy of the runs of all columns, (n, 3) int32."""
        return np.array(self.run_rows, dtype=np.int32).reshape(-1, 3)

    @property
    def column_first(self):
        """A copy of where each column's runs begin, (width * depth + 1,) int32."""
        return np.array(self.first, dtype=np.int32)

    def __eq__(self, other):
        if not isinstance(other, VoxelChunk):
            return NotImplemented
        return (
            (self.width, self.depth, self.height) == (other.width, other.depth, other.height)
            and np.array_equal(self.column_first, other.column_first)
            and np.array_equal(self.runs, other.runs)
        )

    def __hash__(self):
        return hash((self.width, self.depth, self.height, self.runs.tobytes()))

    def __repr__(self):
        return f"VoxelChunk({self.width}, {self.depth}, {self.height}, runs={self.run_rows.shape[0]})"

    def __reduce__(self):
        return VoxelChunk, (self.width, self.depth, self.height, self.column_first, self.runs)


def add_chunk(field: SolidHeightfield, chunk: VoxelChunk, offset=(0, 0, 0), material_areas=None):
    """Adds every run of a chunk as a span, merge threshold 0; what falls outside the grid is dropped.

    Args:
        field: what to add to.
        chunk: the voxels, each the size of one of the field's cells.
        offset: (x, y, z) where the chunk's lowest corner lies in the grid, cells and rows, -2**30 to 2**30.
        material_areas: 256 area ids 0 to 63, by material; by default 63 for all.

    Raises:
        ArgumentError: a wrong shape or dtype.
        RangeError: a number outside its range. Nothing has been added.

    >>> from onepath.build import HeightfieldFrame, SolidHeightfield
    >>> field = SolidHeightfield(HeightfieldFrame((0, 0, 0), 1, 1, 2, 1, 8))
    >>> add_chunk(field, VoxelChunk.from_dense([[[1, 1, 0, 2]]]), offset=(1, 2, 0))
    >>> field.spans().tolist()
    [[1, 0, 2, 4, 63], [1, 0, 5, 6, 63]]
    """
    try:
        x, y, z = offset
    except (TypeError, ValueError):
        raise ArgumentError(f"offset is {offset!r}, not (x, y, z)") from None
    x, y, z = (
        whole_number(f"offset.{axis}", value, -LARGEST_ROWS, LARGEST_ROWS)
        for axis, value in zip("xyz", (x, y, z), strict=True)
    )
    chosen = np.full(MATERIALS, GROUND) if material_areas is None else material_areas
    areas: cython.const[cython.uchar][::1] = area_ids("material_areas", chosen, MATERIALS)
    if _add_runs(cython.address(field.field), chunk, x, y, z, cython.address(areas[0])) < 0:
        raise MemoryError(f"no memory for more than {field.field.span_count} spans")
