"""Checks of arguments at the builder's boundary: one sentence names the argument, its value and the allowed range."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from onepath.errors import ArgumentError, RangeError, shown
from onepath.geometry.triangles import LARGEST_COORDINATE, as_array

__all__ = [
    "LARGEST_AREA",
    "LARGEST_CELL",
    "LARGEST_COORDINATE",
    "LARGEST_ROWS",
    "LEAST_CELL",
    "MOST_GRID_COLUMNS",
    "MOST_GRID_ROWS",
    "MOST_GRID_SIDE",
    "area_ids",
    "coordinate",
    "instance_of",
    "number_between",
    "one_of",
    "point",
    "real_number",
    "several",
    "several_positions",
    "switch",
    "three_values",
    "triangle_indices",
    "vertex_array",
    "whole_array",
    "whole_number",
]

Kind = TypeVar("Kind")

#: What float() would take all the same: it reads text, takes True for 1 and drops what is imaginary.
NO_REAL_NUMBERS = (str, bytes, bytearray, bool, np.bool_, np.complexfloating)
#: What may unpack into three things that are no coordinates: text, and what has no order of its own.
NO_SEQUENCES = (str, bytes, bytearray, set, frozenset, dict)
#: Edge of a cell and height of a row, metres.
LEAST_CELL, LARGEST_CELL = 2.0**-20, 2.0**20
#: A grid's cells along X or Z, its columns in all, and its rows: spans hold rows in 16 bits.
MOST_GRID_SIDE, MOST_GRID_COLUMNS, MOST_GRID_ROWS = 65536, 2**24, 65535
#: Lengths in rows or cells above this would leave the range in which sums of two of them fit an int32.
LARGEST_ROWS = 2**30
#: Area ids of the builder: 0 is not walkable, 63 the default.
LARGEST_AREA = 63


def real_number(name: str, value: object) -> float:
    """The value as a float that is not NaN."""
    try:
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, NO_REAL_NUMBERS):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is {shown(value)}, not a number") from None
    if math.isnan(number):
        raise ArgumentError(f"{name} is NaN")
    return number


def number_between(
    name: str, value: object, low: float, high: float, *, open_low: bool = False, open_high: bool = False
) -> float:
    """The value as a float in [low, high]; an open end is not part of the range."""
    number = real_number(name, value)
    if not (low < number if open_low else low <= number) or not (number < high if open_high else number <= high):
        begin, end = "(" if open_low else "[", ")" if open_high else "]"
        raise RangeError(f"{name} is {shown(value)}, outside {begin}{low:.8g}, {high:.8g}{end}")
    return number


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """The value as an int in [low, high]."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ArgumentError(f"{name} is {shown(value)}, not a whole number")
    number = int(value)  # an int of the caller's own kind may compare as it likes
    if not low <= number <= high:
        raise RangeError(f"{name} is {shown(value)}, outside [{low}, {high}]")
    return number


def switch(name: str, value: object) -> bool:
    """The value as a bool, which it must be: text such as "no" would count as true."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name} is {shown(value)}, neither True nor False")
    return bool(value)


def one_of(name: str, value: object, known: Sequence[str]) -> str:
    """The value as one of the words that an argument knows."""
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(f"{name} is {shown(value)}, not one of {', '.join(map(repr, known))}")
    return value


def instance_of(name: str, value: object, kind: type[Kind]) -> Kind:
    """The value, which must be of its kind."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} is {shown(value)}, not a {kind.__name__}")
    return value


def several(name: str, given: Iterable[Kind], kind: type[Kind]) -> tuple[Kind, ...]:
    """What an argument lists, each of its kind."""
    try:
        kept = tuple(given)
    except TypeError:
        raise ArgumentError(f"{name} is {given!r}, not several {kind.__name__}s") from None
    for index, one in enumerate(kept):
        if not isinstance(one, kind):
            raise ArgumentError(f"{name}[{index}] is {one!r}, not a {kind.__name__}")
    return kept


def coordinate(name: str, value: object) -> float:
    """The value as a world coordinate: finite and within 2**21 of zero."""
    number = real_number(name, value)
    if not -LARGEST_COORDINATE <= number <= LARGEST_COORDINATE:
        raise RangeError(f"{name} is {shown(value)}, outside [{-LARGEST_COORDINATE:.0f}, {LARGEST_COORDINATE:.0f}]")
    return number


def three_values(name: str, value: Any) -> tuple[Any, Any, Any]:
    """The members of any sequence of three, unlooked at. Of an endless one no more than four are asked for."""
    try:
        if isinstance(value, NO_SEQUENCES) or getattr(value, "ndim", 1) != 1:
            raise TypeError
        x, y, z = value
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {shown(value)}, not a sequence of three numbers") from None
    return x, y, z


def point(name: str, value: Sequence[float]) -> tuple[float, float, float]:
    """A world position from any sequence of three numbers."""
    x, y, z = three_values(name, value)
    return coordinate(f"{name}.x", x), coordinate(f"{name}.y", y), coordinate(f"{name}.z", z)


def several_positions(name: str, value: Any) -> list[Any]:
    """The members of what lists positions, unlooked at; a position by itself counts as a list of one."""
    try:
        if isinstance(value, NO_SEQUENCES):
            raise TypeError
        listed = list(value)
    except TypeError:
        raise ArgumentError(f"{name} is {shown(value)}, neither positions nor one position") from None
    return [tuple(listed)] if listed and isinstance(listed[0], Real) else listed


def whole_array(name: str, value: Any) -> NDArray[Any]:
    """The value as an array of integers; an empty list counts as one."""
    array = as_array(name, value)
    if array.size == 0 and array.dtype.kind == "f":
        return array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name} has dtype {array.dtype}, not whole numbers")
    return array


def vertex_array(name: str, value: Any) -> NDArray[np.float64]:
    """The value as a C-contiguous (n, 3) float64 array; the coordinates themselves are not looked at."""
    array = as_array(name, value)
    if array.dtype.kind not in "fiu":
        raise ArgumentError(f"{name} has dtype {array.dtype}, not numbers")
    if array.size == 0 and array.ndim == 1:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"{name} has shape {array.shape}, not (n, 3)")
    if len(array) > 2**31 - 1:
        raise RangeError(f"{name} has {len(array)} rows, more than 2**31 - 1")
    return np.ascontiguousarray(array, dtype=np.float64)


def triangle_indices(name: str, value: Any, vertex_count: int) -> NDArray[np.int32]:
    """The value, (m, 3) or flat, as a C-contiguous (m, 3) int32 array whose every index addresses a vertex."""
    array = whole_array(name, value)
    if array.size % 3:
        raise RangeError(f"{name} has {array.size} indices, not a multiple of 3")
    if array.ndim > 2 or (array.ndim == 2 and array.size and array.shape[1] != 3) or array.ndim == 0:
        raise ArgumentError(f"{name} has shape {array.shape}, not (m, 3)")
    array = array.reshape(-1, 3)
    if array.size // 3 > 2**31 - 1:
        raise RangeError(f"{name} has {array.size // 3} triangles, more than 2**31 - 1")
    if array.size and not (array.min() >= 0 and array.max() < vertex_count):
        bad = int(np.flatnonzero(((array < 0) | (array >= vertex_count)).any(axis=1))[0])
        raise RangeError(
            f"{name}: triangle {bad} has indices {tuple(array[bad].tolist())}, outside [0, {vertex_count - 1}]"
        )
    return np.ascontiguousarray(array, dtype=np.int32)


def area_ids(name: str, value: Any, count: int) -> NDArray[np.uint8]:
    """The value as `count` area ids, each 0 to 63."""
    array = whole_array(name, value)
    if array.shape != (count,):
        raise ArgumentError(f"{name} has shape {array.shape}, not ({count},)")
    if array.size and not (array.min() >= 0 and array.max() <= LARGEST_AREA):
        bad = int(np.flatnonzero((array < 0) | (array > LARGEST_AREA))[0])
        raise RangeError(f"{name}[{bad}] is {array[bad]}, outside [0, {LARGEST_AREA}]")
    return np.ascontiguousarray(array, dtype=np.uint8)
