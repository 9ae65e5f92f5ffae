"""The grid of a heightfield: where it lies in the world, how large its cells are, how many there are."""

import math

import cython

from onepath.build.arguments import (
    LARGEST_CELL,
    LEAST_CELL,
    MOST_GRID_COLUMNS,
    MOST_GRID_ROWS,
    MOST_GRID_SIDE,
    point,
    real_number,
    whole_number,
)
from onepath.errors import ArgumentError, RangeError


class HeightfieldFrame:
    """A grid of width x depth columns of `rows` rows (voxelization document, section 1). Immutable.

    Args:
        origin: world position (x, y, z) of the grid's lowest corner, each within 2**21 of zero.
        cell_size: edge of a cell in X and Z, metres, 2**-20 to 2**20; rounded to float32.
        cell_height: height of a row, metres, the same range; rounded to float32.
        width, depth: cells in X and Z, 1 to 65536 each and at most 2**24 together.
        rows: 1 to 65535.

    Raises:
        ArgumentError: something that is no number, or NaN.
        RangeError: a coordinate, size or count outside its range.

    >>> HeightfieldFrame((0, 0, 0), 0.5, 0.25, 4, 2, 8)
    HeightfieldFrame((0.0, 0.0, 0.0), 0.5, 0.25, 4, 2, 8)
    """

    __match_args__ = ("origin", "cell_size", "cell_height", "width", "depth", "rows")

    def __cinit__(self, origin, cell_size, cell_height, width, depth, rows):
        x, y, z = point("origin", origin)
        checked_size = _cell_length("cell_size", cell_size)
        checked_height = _cell_length("cell_height", cell_height)
        checked_counts = _counts(width, depth, rows)
        self.frame.origin_x, self.frame.origin_y, self.frame.origin_z = x, y, z
        self.frame.cell_size, self.frame.cell_height = checked_size, checked_height
        self.frame.width, self.frame.depth, self.frame.rows = checked_counts

    @staticmethod
    def from_bounds(low, high, cell_size, cell_height):
        """The smallest grid with its origin at `low` that reaches `high`.

        Raises:
            ArgumentError: empty or inverted bounds, NaN.
            RangeError: a coordinate or size outside its range, or more cells than a grid may have.

        >>> HeightfieldFrame.from_bounds((0, 0, 0), (10, 2, 4.1), 0.5, 0.25)
        HeightfieldFrame((0.0, 0.0, 0.0), 0.5, 0.25, 20, 9, 8)
        """
        low, high = point("low", low), point("high", high)
        size, height = _cell_length("cell_size", cell_size), _cell_length("cell_height", cell_height)
        for axis, least, most in zip("xyz", low, high, strict=True):
            if not least < most:
                raise ArgumentError(f"bounds are empty or inverted in {axis}: low {least!r}, high {most!r}")
        width, rows, depth = (
            math.ceil((most - least) / length)
            for least, most, length in zip(low, high, (size, height, size), strict=True)
        )
        return HeightfieldFrame(low, size, height, width, depth, rows)

    @property
    def origin(self):
        return (self.frame.origin_x, self.frame.origin_y, self.frame.origin_z)

    @property
    def cell_size(self):
        return self.frame.cell_size

    @property
    def cell_height(self):
        return self.frame.cell_height

    @property
    def width(self):
        return self.frame.width

    @property
    def depth(self):
        return self.frame.depth

    @property
    def rows(self):
        return self.frame.rows

    def _values(self):
        return (self.origin, self.cell_size, self.cell_height, self.width, self.depth, self.rows)

    def __eq__(self, other):
        if not isinstance(other, HeightfieldFrame):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self):
        return hash(self._values())

    def __repr__(self):
        return f"HeightfieldFrame{self._values()}"

    def __reduce__(self):
        return HeightfieldFrame, self._values()


def _cell_length(name, value):
    """The length rounded to float32, which is the value that has to lie in the range."""
    number: cython.double = real_number(name, value)
    if not LEAST_CELL / 2.0 <= number <= LARGEST_CELL * 2.0:
        raise RangeError(f"{name} is {value!r}, outside [2**-20, 2**20]")
    rounded: cython.float = cython.cast(cython.float, number)
    if not LEAST_CELL <= rounded <= LARGEST_CELL:
        raise RangeError(f"{name} is {value!r}, outside [2**-20, 2**20]")
    return float(rounded)


def _counts(width, depth, rows):
    checked = (
        whole_number("width", width, 1, MOST_GRID_SIDE),
        whole_number("depth", depth, 1, MOST_GRID_SIDE),
        whole_number("rows", rows, 1, MOST_GRID_ROWS),
    )
    if checked[0] * checked[1] > MOST_GRID_COLUMNS:
        raise RangeError(f"width * depth is {checked[0]} * {checked[1]} columns, more than 2**24")
    return checked
