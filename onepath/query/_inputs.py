"""Reads what users pass: positions (queries document, inputs and errors), whole numbers."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._format import LARGEST_COORDINATE
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._inputs import LARGEST_RADIUS

from onepath.build import arguments
from onepath.errors import ArgumentError, RangeError

# More threads than any machine of today has cores to spare, few enough that each may have its own memory.
MOST_THREADS = cython.declare(cython.int, 64)


@cython.cfunc
def coordinate(value: object, name: str, axis: cython.int) -> cython.double:
    # The usual ones at once; what is left, or too large to be a float, is looked at with care.
    if isinstance(value, float):
        return value
    if type(value) is int:
        try:
            return value
        except OverflowError:
            pass
    return arguments.real_number(f"{name}[{axis}]", value)


@cython.cfunc
@cython.exceptval(-1)
def read_slowly(position: object, name: str, out: cython.pointer(Vector)) -> cython.int:
    """Whatever is not a tuple of three floats: ints, lists, arrays, the caller's own vectors."""
    if (type(position) is tuple or type(position) is list) and len(position) == 3:
        x, y, z = position
    else:
        x, y, z = arguments.three_values(name, position)
    out.x = coordinate(x, name, 0)
    out.y = coordinate(y, name, 1)
    out.z = coordinate(z, name, 2)
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
    if not -LARGEST_COORDINATE < out.x < LARGEST_COORDINATE:
        return refuse(name, 0, out.x)
    if not -LARGEST_COORDINATE < out.y < LARGEST_COORDINATE:
        return refuse(name, 1, out.y)
    if not -LARGEST_COORDINATE < out.z < LARGEST_COORDINATE:
        return refuse(name, 2, out.z)
    return 0


def read_length(value, name):
    number: cython.double
    if type(value) is float:
        number = value
        if 0.0 <= number < INFINITY:
            return number
    number = arguments.real_number(name, value)
    if not 0.0 <= number < INFINITY:
        raise RangeError(f"{name} is {value!r}, outside [0, infinity)")
    return number


def read_limit(value, name):
    number: cython.double
    if value is None:
        return INFINITY
    number = value if type(value) is float else arguments.real_number(name, value)
    if not number >= 0.0:
        raise RangeError(f"{name} is {value!r}, outside [0, infinity]")
    return number


def read_radius(value, name):
    number: cython.double
    if type(value) is float:
        number = value
        if 0.0 <= number <= LARGEST_RADIUS:
            return number
    number = arguments.real_number(name, value)
    if not 0.0 <= number <= LARGEST_RADIUS:
        raise RangeError(f"{name} is {value!r}, outside [0, {LARGEST_RADIUS}]")
    return number


def read_threads(value):
    return whole_number(value, "threads", 1, MOST_THREADS)


def whole_number(value, name, low, high):
    if type(value) is int and low <= value <= high:
        return value
    return arguments.whole_number(name, value, low, high)
