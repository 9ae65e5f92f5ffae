"""Places along a line of points, by the distance walked."""

import cython
import numpy
from cython.cimports.libc.math import ceil, sqrt
from cython.cimports.onepath.mesh._surface import Vector, squared_distance
from cython.cimports.onepath.query._path_forms import MOST_POINTS, LinePlace, line_point

from onepath.errors import RangeError


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def step_to(first: Vector, last: Vector, along: cython.double, length: cython.double) -> Vector:
    """The point `along` metres from the first of two that lie `length` apart; at the ends these themselves."""
    point: Vector
    t: cython.double
    if along >= length:
        return last
    if along <= 0.0:
        return first
    t = along / length
    point.x = first.x + (last.x - first.x) * t
    point.y = first.y + (last.y - first.y) * t
    point.z = first.z + (last.z - first.z) * t
    return point


def place_along(points, count, distance):
    place: LinePlace
    first: Vector
    last: Vector
    place.segment = 0
    place.along = 0.0
    place.length = 0.0
    place.point = line_point(points, 0)
    last = place.point
    for place.segment in range(count - 1):
        first = last
        last = line_point(points, place.segment + 1)
        place.length = sqrt(squared_distance(first, last))
        if distance <= place.length or place.segment == count - 2:
            place.along = distance if distance < place.length else place.length
            place.point = step_to(first, last, place.along, place.length)
            break
        distance -= place.length
    return place


def sampled_points(points, count, length, step):
    first: Vector
    last: Vector
    point: Vector
    segment: cython.int = 0
    passed: cython.double = 0.0
    reach: cython.double
    steps: cython.double = ceil(length / step)
    written: cython.int = 1
    index: cython.int
    if not steps < MOST_POINTS:
        raise RangeError(f"step is {step!r}, which makes more than {MOST_POINTS} points of {length!r} metres")
    samples = numpy.empty((max(cython.cast(cython.int, steps), 1) + 1, 3))
    out: cython.double[:, ::1] = samples
    first = line_point(points, 0)
    last = line_point(points, 1 if count > 1 else 0)
    reach = sqrt(squared_distance(first, last))
    out[0, 0], out[0, 1], out[0, 2] = first.x, first.y, first.z
    for index in range(1, cython.cast(cython.int, steps)):
        while index * step - passed > reach and segment < count - 2:
            segment += 1
            passed += reach
            first = last
            last = line_point(points, segment + 1)
            reach = sqrt(squared_distance(first, last))
        point = step_to(first, last, index * step - passed, reach)
        out[written, 0], out[written, 1], out[written, 2] = point.x, point.y, point.z
        written += 1
    if count > 1:
        point = line_point(points, count - 1)
        out[written, 0], out[written, 1], out[written, 2] = point.x, point.y, point.z
        written += 1
    return samples[:written]
