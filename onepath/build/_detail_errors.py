"""The error of a triangle: the cells whose centre it covers, found exactly and row by row, are all looked at."""

import cython
from cython.cimports.onepath.build._detail_triangles import PART_BITS, PARTS
from cython.cimports.onepath.build._floor_heights import FloorHeights, is_highest

HALF = cython.declare(cython.int, PARTS // 2)


# A line on the cells of a row, at least 0 on its inner side. It is exact; dividing only finds the place to begin at.
@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _raise_low(at: cython.longlong, step: cython.longlong, low: cython.int, limit: cython.int) -> cython.int:
    """The least cell from `low` on at which a rising line is not negative, at most `limit`."""
    if at + step * low >= 0:
        return low
    guess: cython.double = cython.cast(cython.double, -at) / cython.cast(cython.double, step)
    cell: cython.int = limit if guess >= limit else cython.cast(cython.int, guess)
    while cell > low and at + step * (cell - 1) >= 0:
        cell -= 1
    while cell < limit and at + step * cell < 0:
        cell += 1
    return cell


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lower_high(at: cython.longlong, step: cython.longlong, high: cython.int, limit: cython.int) -> cython.int:
    """The greatest cell up to `high` at which a falling line is not negative, at least `limit`."""
    if at + step * high >= 0:
        return high
    guess: cython.double = cython.cast(cython.double, at) / cython.cast(cython.double, -step)
    cell: cython.int = limit if guess <= limit else cython.cast(cython.int, guess)
    while cell < high and at + step * (cell + 1) >= 0:
        cell += 1
    while cell > limit and at + step * cell < 0:
        cell -= 1
    return cell


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_along_row(
    floors: cython.pointer[cython.const[FloorHeights]],
    z: cython.int,
    low: cython.int,
    high: cython.int,
    height: cython.double,
    rise: cython.double,
    max_error: cython.double,
    spacing: cython.int,
    worst: cython.pointer[WorstCell],
) -> cython.void:
    """Cells `low` to `high` of a row, over the first of which the triangle is `height` rows high."""
    rows: cython.pointer[cython.const[cython.int]] = floors.row.data + (
        cython.cast(cython.size_t, z) * cython.cast(cython.size_t, floors.width)
    )
    allowed: cython.double = max_error + 1.0
    doubtful: cython.double = max_error + rounding()
    x: cython.int
    error: cython.double
    # Cells are never negative.
    is_sampled: cython.bint = z % spacing == spacing >> 1
    for x in range(low, high + 1):
        if rows[x] < 0:
            continue
        error = height + rise * (x - low) - rows[x]
        if error > doubtful and error <= allowed and is_highest(floors, x, z):
            error += 1.0
        error = -error if error < 0.0 else error
        if error > worst.error:
            worst.error = error
            worst.x = x
            worst.z = z
        if is_sampled and error > allowed and error > worst.sample_error and x % spacing == spacing >> 1:
            worst.sample_error = error
            worst.sample_x = x
            worst.sample_z = z


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_worst_cell(
    floors: cython.pointer[cython.const[FloorHeights]],
    corners: cython.pointer[cython.const[DetailPoint]],
    closed: cython.int,
    max_error: cython.double,
    spacing: cython.int,
    worst: cython.pointer[WorstCell],
) -> cython.void:
    at: cython.longlong[3]
    along_x: cython.longlong[3]
    along_z: cython.longlong[3]
    hidden: cython.longlong[3]
    edge: cython.int
    following: cython.int
    z: cython.int
    low: cython.int
    high: cython.int
    worst.error = worst.sample_error = -1.0
    worst.x = worst.z = worst.sample_x = worst.sample_z = -1

    # Rows of cells between the lowest and the highest corner
    first: cython.int = min(corners[0].z, corners[1].z, corners[2].z)
    last: cython.int = max(corners[0].z, corners[1].z, corners[2].z)
    if last < HALF:
        return
    first = (first + HALF - 1) >> PART_BITS
    last = (last - HALF) >> PART_BITS
    last = last if last < floors.depth else floors.depth - 1

    # The edges as lines: twice the area that they span with the centre of a cell
    for edge in range(3):
        following = edge + 1 if edge < 2 else 0
        along_x[edge] = cython.cast(cython.longlong, corners[following].z - corners[edge].z) * PARTS
        along_z[edge] = cython.cast(cython.longlong, corners[edge].x - corners[following].x) * PARTS
        at[edge] = cython.cast(cython.longlong, corners[following].z - corners[edge].z) * (HALF - corners[edge].x)
        at[edge] -= cython.cast(cython.longlong, corners[following].x - corners[edge].x) * (
            cython.cast(cython.longlong, first) * PARTS + HALF - corners[edge].z
        )
        hidden[edge] = 0 if closed & (1 << edge) else 1
    area: cython.double = cython.cast(
        cython.double,
        cython.cast(cython.longlong, corners[1].z - corners[0].z) * (corners[2].x - corners[0].x)
        - cython.cast(cython.longlong, corners[1].x - corners[0].x) * (corners[2].z - corners[0].z),
    )
    if area <= 0.0:
        return
    second_rise: cython.double = (corners[1].y - corners[0].y) / area
    third_rise: cython.double = (corners[2].y - corners[0].y) / area
    rise: cython.double = along_x[2] * second_rise + along_x[0] * third_rise

    for z in range(first, last + 1):
        low = 0
        high = floors.width - 1
        for edge in range(3):
            if along_x[edge] > 0:
                low = _raise_low(at[edge] - hidden[edge], along_x[edge], low, high + 1)
            elif along_x[edge] < 0:
                high = _lower_high(at[edge] - hidden[edge], along_x[edge], high, low - 1)
            elif at[edge] < hidden[edge]:
                high = -1
            if low > high:
                break
        if low <= high:
            _look_along_row(
                floors,
                z,
                low,
                high,
                corners[0].y + ((at[2] + along_x[2] * low) * second_rise + (at[0] + along_x[0] * low) * third_rise),
                rise,
                max_error,
                spacing,
                worst,
            )
        for edge in range(3):
            at[edge] += along_z[edge]
