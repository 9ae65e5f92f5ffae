"""The heights along an edge: it is walked in equal steps whose ends lie on it exactly, and split where they leave it.

A step is a whole part of the way between two corners of the cell grid, halved until it is no longer than a cell. Every
centre of a cell that an edge meets is the end of a step.
"""

import cython
from cython.cimports.libc.math import sqrt
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._detail_errors import DetailPoint
from cython.cimports.onepath.build._detail_places import excess_along
from cython.cimports.onepath.build._detail_triangles import PART_BITS, PARTS
from cython.cimports.onepath.build._floor_heights import FloorHeights, row_around


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_edge_heights(heights: cython.pointer[EdgeHeights]) -> cython.void:
    free_ints(cython.address(heights.row))
    free_ints(cython.address(heights.keep))
    free_ints(cython.address(heights.stack))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_detail_vertices(vertices: cython.pointer[DetailVertices]) -> cython.void:
    free_ints(cython.address(vertices.x))
    free_ints(cython.address(vertices.z))
    free_ints(cython.address(vertices.y))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_detail_vertex(
    vertices: cython.pointer[DetailVertices], x: cython.int, z: cython.int, y: cython.int
) -> cython.int:
    if (
        push_int(cython.address(vertices.x), x) < 0
        or push_int(cython.address(vertices.z), z) < 0
        or push_int(cython.address(vertices.y), y) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _common_divisor(a: cython.int, b: cython.int) -> cython.int:
    """Of numbers that are not negative, one of them not 0."""
    rest: cython.int
    while b > 0:
        rest = a % b
        a = b
        b = rest
    return a


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _halvings(length_squared: cython.longlong) -> cython.int:
    """How often a way of this length must be halved to be at most a cell long, as far as parts allow."""
    count: cython.int = 0
    while count < PART_BITS and length_squared > cython.cast(cython.longlong, 1) << (2 * count):
        count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_sample(place: cython.int, count: cython.int, samples: cython.int) -> cython.bint:
    """Whether a step's end is the first at or beyond one of the places that split an edge into `samples` parts."""
    at: cython.longlong = cython.cast(cython.longlong, place) * samples
    return at % count < samples  # never negative


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _excess_before(
    floors: cython.pointer[cython.const[FloorHeights]],
    heights: cython.pointer[cython.const[EdgeHeights]],
    place: cython.int,
    height: cython.double,
    rise: cython.double,
    max_error: cython.double,
) -> cython.double:
    """Rows by which the step before a place, where a chord is `height` high, is off what is allowed; 0 within."""
    row: cython.int = heights.row.data[place]
    before: cython.int = heights.row.data[place - 1]
    begin: DetailPoint
    # The floors that both ends touch lie around every cell between.
    if (
        max(height, height - rise) <= max(row, before) + max_error
        and min(height, height - rise) >= min(row, before) - max_error - 1.0
        and min(row, before) >= 0
    ) or max(row, before) < 0:
        return 0.0
    begin.x = heights.begin_x + (place - 1) * heights.step_x
    begin.z = heights.begin_z + (place - 1) * heights.step_z
    begin.y = 0
    return excess_along(floors, cython.address(begin), heights.step_x, heights.step_z, height - rise, rise, max_error)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _farthest(
    floors: cython.pointer[cython.const[FloorHeights]],
    heights: cython.pointer[EdgeHeights],
    begin: cython.int,
    end: cython.int,
    count: cython.int,
    samples: cython.int,
    max_error: cython.double,
) -> cython.int:
    """The sample between two places that leaves the chord most, else the place that does, if by more than allowed."""
    row: cython.p_int = heights.row.data
    rise: cython.double = cython.cast(cython.double, row[end] - row[begin]) / cython.cast(cython.double, end - begin)
    best: cython.int = -1
    best_leap: cython.double = max_error + 1.0
    best_sample: cython.int = -1
    best_sample_leap: cython.double = max_error + 1.0
    k: cython.int
    leap: cython.double
    excess: cython.double
    height: cython.double
    before: cython.double = 0.0
    if end - begin < 2:
        return -1
    for k in range(begin + 1, end + 1):
        height = row[begin] + rise * (k - begin)
        leap = -1.0
        if k < end and row[k] >= 0:
            leap = height - row[k]
            # The ground may lie a row lower, unless the floor rises beside it: then some of it is that high.
            if leap > max_error and row[k - 1] <= row[k] and row[k + 1] <= row[k]:
                leap += 1.0
            leap = -leap if leap < 0.0 else leap
        # Between the centres of cells
        excess = _excess_before(floors, heights, k, height, rise, max_error)
        excess = excess + max_error + 1.0 if excess > 0.0 else 0.0
        if excess > before and k > begin + 1 and row[k - 1] >= 0:
            # The place before has been compared without it.
            if excess > best_leap:
                best = k - 1
                best_leap = excess
            if excess > best_sample_leap and _is_sample(k - 1, count, samples):
                best_sample = k - 1
                best_sample_leap = excess
        if k < end and row[k] >= 0:
            leap = excess if excess > leap else leap
            before = leap
            if leap > best_leap:
                best = k
                best_leap = leap
            if leap > best_sample_leap and _is_sample(k, count, samples):
                best_sample = k
                best_sample_leap = leap
    return best_sample if best_sample >= 0 else best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _split(
    floors: cython.pointer[cython.const[FloorHeights]],
    heights: cython.pointer[EdgeHeights],
    count: cython.int,
    samples: cython.int,
    max_error: cython.double,
) -> cython.int:
    """Marks places to keep until all others are near enough. Returns their number."""
    stack: cython.p_int = heights.stack.data
    size: cython.int = 2
    found: cython.int = 0
    begin: cython.int
    end: cython.int
    at: cython.int
    stack[0] = 0
    stack[1] = count
    while size > 0:
        size -= 2
        begin = stack[size]
        end = stack[size + 1]
        at = _farthest(floors, heights, begin, end, count, samples, max_error)
        if at < 0:
            continue
        heights.keep.data[at] = 1
        found += 1
        stack[size] = begin
        stack[size + 1] = stack[size + 2] = at
        stack[size + 3] = end
        size += 4
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_edge_vertices(
    floors: cython.pointer[cython.const[FloorHeights]],
    heights: cython.pointer[EdgeHeights],
    begin: cython.pointer[cython.const[GridPoint]],
    end: cython.pointer[cython.const[GridPoint]],
    max_error: cython.double,
    spacing: cython.int,
    vertices: cython.pointer[DetailVertices],
) -> cython.int:
    # Steps
    across: cython.int = end.x - begin.x  # not negative
    along: cython.int = end.z - begin.z
    divisor: cython.int = _common_divisor(across, -along if along < 0 else along)
    across = across // divisor
    along = -(-along // divisor) if along < 0 else along // divisor
    squared: cython.longlong = (
        cython.cast(cython.longlong, across) * across + cython.cast(cython.longlong, along) * along
    )
    halvings: cython.int = _halvings(squared)
    count: cython.int = divisor << halvings
    step_x: cython.int = across * (PARTS >> halvings)
    step_z: cython.int = along * (PARTS >> halvings)
    if count < 2:
        return 0
    length: cython.double = sqrt(cython.cast(cython.double, squared)) * divisor
    samples: cython.int = cython.cast(cython.int, length / spacing) + 1

    # Heights
    room: cython.size_t = cython.cast(cython.size_t, count) + 1
    k: cython.int
    if reserve_ints(cython.address(heights.row), room) < 0 or reserve_ints(cython.address(heights.keep), room) < 0:
        return -1
    if reserve_ints(cython.address(heights.stack), 2 * room) < 0:
        return -1
    heights.begin_x = begin.x * PARTS
    heights.begin_z = begin.z * PARTS
    heights.step_x = step_x
    heights.step_z = step_z
    heights.row.data[0] = begin.y
    heights.row.data[count] = end.y
    for k in range(1, count):
        heights.keep.data[k] = 0
        heights.row.data[k] = row_around(floors, begin.x * PARTS + k * step_x, begin.z * PARTS + k * step_z, PART_BITS)

    # Vertices
    found: cython.int = _split(floors, heights, count, samples, max_error)
    if found == 0:
        return 0
    for k in range(1, count):
        if (
            heights.keep.data[k]
            and add_detail_vertex(
                vertices, begin.x * PARTS + k * step_x, begin.z * PARTS + k * step_z, heights.row.data[k]
            )
            < 0
        ):
            return -1
    return found
