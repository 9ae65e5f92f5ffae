"""Reads what users pass: positions (queries document, inputs and errors), references, whole numbers."""

import cython
from cython.cimports.onepath.mesh._surface import Vector

from onepath.errors import ArgumentError, RangeError

LIMIT = cython.declare(cython.double, 2097152.0)


@cython.cfunc
def coordinate(value: object, name: str, axis: cython.int) -> cython.double:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name}[{axis}] is {value!r}, not a number") from None


@cython.cfunc
@cython.exceptval(-1)
def read_slowly(position: object, name: str, out: cython.pointer(Vector)) -> cython.int:
    """Whatever is not a tuple of three floats: ints, lists, arrays, the caller's own vectors."""
    try:
        values = tuple(position)
    except TypeError:
        raise ArgumentError(f"{name} is {position!r}, not a sequence of three numbers") from None
    if len(values) != 3 or isinstance(position, str) or getattr(position, "ndim", 1) != 1:
        raise ArgumentError(f"{name} is {position!r}, not a sequence of three numbers")
    out.x = coordinate(values[0], name, 0)
    out.y = coordinate(values[1], name, 1)
    out.z = coordinate(values[2], name, 2)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def refuse(name: str, axis: cython.int, value: cython.double) -> cython.int:
    if value != value:
        raise ArgumentError(f"{name}[{axis}] is NaN")
    raise RangeError(f"{name}[{axis}] is {value!r}, outside (-2097152, 2097152)")


def read_position(position, name, out):
    x: object
    y: object
    z: object
    if type(position) is tuple and len(cython.cast(tuple, position)) == 3:
        x, y, z = cython.cast(tuple, position)
        if type(x) is float and type(y) is float and type(z) is float:
            out.x = x
            out.y = y
            out.z = z
        else:
            read_slowly(position, name, out)
    else:
        read_slowly(position, name, out)
    if not -LIMIT < out.x < LIMIT:
        return refuse(name, 0, out.x)
    if not -LIMIT < out.y < LIMIT:
        return refuse(name, 1, out.y)
    if not -LIMIT < out.z < LIMIT:
        return refuse(name, 2, out.z)
    return 0


def whole_number(value, name, low, high):
    try:
        number = value.__index__()
    except AttributeError:
        raise ArgumentError(f"{name} is {value!r}, not a whole number") from None
    if not low <= number <= high:
        raise RangeError(f"{name} is {value!r}, outside [{low}, {high}]")
    return number


def read_reference(value, name):
    try:
        return value
    except (TypeError, OverflowError):
        raise ArgumentError(f"{name} is {value!r}, not a polygon reference (a 64-bit int)") from None
