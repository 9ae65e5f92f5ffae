"""Heights between the centres of cells: where a triangle or an edge passes, all floors around the cell are too far off.

Within a cell a triangle is a plane, so it is farthest off at a corner of the piece that lies in the cell. Most cells
are told by their own floor and the most that the plane can rise within a cell; the few others are cut out.
"""

import cython
from cython.cimports.onepath.build._detail_errors import DetailPoint, rounding
from cython.cimports.onepath.build._detail_triangles import PART_BITS, PARTS
from cython.cimports.onepath.build._floor_heights import FloorHeights, range_around

HALF = cython.declare(cython.int, PARTS // 2)
#: Parts of a cell by which a triangle must come into it to be looked at there; what is cut is rounded by less.
TOUCH = cython.declare(cython.double, 2.0**-16)
#: Rows that a place may be above all cells that touch its own, where the floor rises up to one and a half cells away.
ON_SLOPE = cython.declare(cython.double, 0.5)
#: Corners that a triangle cut by the four sides of a cell can have, and one more.
MOST_CORNERS = cython.declare(cython.int, 8)


# A plane over the square: its height is `y` at x, z and rises by `rise_x` and `rise_z` for every part of a cell. Its
# triangle lies between `low` and `high`, and from a cell's centre it rises or falls by at most `reach` within the cell.
Plane = cython.struct(
    x=cython.int,
    z=cython.int,
    y=cython.double,
    rise_x=cython.double,
    rise_z=cython.double,
    low=cython.double,
    high=cython.double,
    reach=cython.double,
)
# A side of a triangle: it is at x, z and goes on by `rise` in x for every part in z.
Side = cython.struct(x=cython.double, z=cython.int, rise=cython.double)
# Corners of what has been cut out, in parts; room for MOST_CORNERS.
Piece = cython.struct(count=cython.int, x=cython.double[8], z=cython.double[8])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _excess(height: cython.double, low: cython.int, high: cython.int, max_error: cython.double) -> cython.double:
    """Rows by which a height is outside of what is allowed over floors from `low` to `high`; 0 or less within."""
    above: cython.double = height - high - max_error
    below: cython.double = low - 1.0 - max_error - height
    return above if above > below else below


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rises_beyond(
    floors: cython.pointer[cython.const[FloorHeights]],
    x: cython.int,
    z: cython.int,
    right: cython.bint,
    beyond: cython.bint,
    high: cython.int,
) -> cython.bint:
    """Whether a cell up to one and a half from a quarter of a cell is higher than all that touch the cell.

    The quarter is that of higher x where it is `right`, of higher z where it is `beyond`.
    """
    first_x: cython.int = x - (1 if right else 2)
    last_x: cython.int = x + (2 if right else 1)
    first_z: cython.int = z - (1 if beyond else 2)
    last_z: cython.int = z + (2 if beyond else 1)
    cx: cython.int
    cz: cython.int
    for cz in range(max(first_z, floors.first_row), min(last_z, floors.last_row) + 1):
        for cx in range(max(first_x, floors.begin.data[cz]), min(last_x, floors.end.data[cz]) + 1):
            if floors.row.data[cx + cz * floors.width] > high:
                return True
    return False


# --- pieces


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut(piece: cython.pointer[Piece], along_z: cython.bint, bound: cython.double, sign: cython.double) -> cython.void:
    """Keeps what lies beyond a bound in x or z (for a negative sign before it)."""
    kept: Piece
    k: cython.int
    before: cython.int = piece.count - 1
    at: cython.double
    last: cython.double = 0.0
    part: cython.double
    kept.count = 0
    if before >= 0:
        last = ((piece.z[before] if along_z else piece.x[before]) - bound) * sign
    for k in range(piece.count):
        at = ((piece.z[k] if along_z else piece.x[k]) - bound) * sign
        if (at > 0.0 and last < 0.0) or (at < 0.0 and last > 0.0):
            part = last / (last - at)
            kept.x[kept.count] = piece.x[before] + (piece.x[k] - piece.x[before]) * part
            kept.z[kept.count] = piece.z[before] + (piece.z[k] - piece.z[before]) * part
            kept.count += 1
        if at >= 0.0:
            kept.x[kept.count] = piece.x[k]
            kept.z[kept.count] = piece.z[k]
            kept.count += 1
        # Rounding could make a piece not convex, which has more crossings than there are places for.
        if kept.count >= MOST_CORNERS - 1:
            break
        before = k
        last = at
    piece[0] = kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _set_middle(piece: cython.pointer[cython.const[Piece]], place: cython.pointer[OffPlace]) -> cython.void:
    k: cython.int
    place.middle_x = place.middle_z = 0.0
    for k in range(piece.count):
        place.middle_x += piece.x[k] / piece.count
        place.middle_z += piece.z[k] / piece.count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_out(
    corners: cython.pointer[cython.const[DetailPoint]],
    x: cython.int,
    z: cython.int,
    side: cython.int,
    piece: cython.pointer[Piece],
) -> cython.void:
    """What a square with its least corner at x, z in parts cuts out of a triangle."""
    k: cython.int
    piece.count = 3
    for k in range(3):
        piece.x[k] = corners[k].x
        piece.z[k] = corners[k].z
    _cut(piece, False, x, 1.0)
    _cut(piece, False, x + side, -1.0)
    _cut(piece, True, z, 1.0)
    _cut(piece, True, z + side, -1.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _height_at(plane: cython.pointer[cython.const[Plane]], x: cython.double, z: cython.double) -> cython.double:
    return plane.y + plane.rise_x * (x - plane.x) + plane.rise_z * (z - plane.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_at_quarters(
    floors: cython.pointer[cython.const[FloorHeights]],
    corners: cython.pointer[cython.const[DetailPoint]],
    plane: cython.pointer[cython.const[Plane]],
    x: cython.int,
    z: cython.int,
    low: cython.int,
    high: cython.int,
    max_error: cython.double,
    place: cython.pointer[OffPlace],
) -> cython.bint:
    """Looks at the corners of what each quarter of a cell cuts out of a triangle, which has the same cells around it
    throughout. Returns whether one of them is the place now."""
    piece: Piece
    quarter: cython.int
    k: cython.int
    height: cython.double
    excess: cython.double
    on_slope: cython.double
    found: cython.bint = False
    for quarter in range(4):
        _cut_out(
            corners, x * PARTS + HALF * (quarter & 1), z * PARTS + HALF * (quarter >> 1), HALF, cython.address(piece)
        )
        on_slope = ON_SLOPE if _rises_beyond(floors, x, z, quarter & 1, quarter >> 1, high) else 0.0
        for k in range(piece.count):
            height = _height_at(plane, piece.x[k], piece.z[k])
            excess = _excess(height, low, high, max_error)
            if excess > place.excess and not 0.0 < height - high - max_error <= on_slope:
                place.excess = excess
                place.x = piece.x[k]
                place.z = piece.z[k]
                found = True
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_at_cell(
    floors: cython.pointer[cython.const[FloorHeights]],
    corners: cython.pointer[cython.const[DetailPoint]],
    plane: cython.pointer[cython.const[Plane]],
    x: cython.int,
    z: cython.int,
    max_error: cython.double,
    place: cython.pointer[OffPlace],
) -> cython.void:
    """Looks at what a cell cuts out of a triangle."""
    piece: Piece
    low: cython.int = 2**30
    high: cython.int = -1
    k: cython.int
    worst: cython.double = place.excess
    height: cython.double = _height_at(plane, x * PARTS + HALF, z * PARTS + HALF)
    range_around(floors, x, z, cython.address(low), cython.address(high))
    if (
        min(height + plane.reach, plane.high) <= high + max_error + rounding()
        and max(height - plane.reach, plane.low) >= low - 1.0 - max_error - rounding()
    ):
        return
    _cut_out(corners, x * PARTS, z * PARTS, PARTS, cython.address(piece))
    for k in range(piece.count):
        worst = max(worst, _excess(_height_at(plane, piece.x[k], piece.z[k]), low, high, max_error))
    if worst > place.excess and _look_at_quarters(floors, corners, plane, x, z, low, high, max_error, place):
        place.cell_x = x
        place.cell_z = z
        _set_middle(cython.address(piece), place)


# --- triangles


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _plane_of(corners: cython.pointer[cython.const[DetailPoint]], plane: cython.pointer[Plane]) -> cython.bint:
    """Finds the plane through three corners; False if they span none."""
    x1: cython.double = corners[1].x - corners[0].x
    z1: cython.double = corners[1].z - corners[0].z
    y1: cython.double = corners[1].y - corners[0].y
    x2: cython.double = corners[2].x - corners[0].x
    z2: cython.double = corners[2].z - corners[0].z
    y2: cython.double = corners[2].y - corners[0].y
    area: cython.double = z1 * x2 - x1 * z2
    if area <= 0.0:
        return False
    plane.x = corners[0].x
    plane.z = corners[0].z
    plane.y = corners[0].y
    plane.rise_x = (z1 * y2 - y1 * z2) / area
    plane.rise_z = (y1 * x2 - x1 * y2) / area
    plane.low = min(corners[0].y, corners[1].y, corners[2].y)
    plane.high = max(corners[0].y, corners[1].y, corners[2].y)
    plane.reach = (abs(plane.rise_x) + abs(plane.rise_z)) * HALF
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _side(
    corners: cython.pointer[cython.const[DetailPoint]], begin: cython.int, end: cython.int, side: cython.pointer[Side]
) -> cython.void:
    """From a corner to one that does not lie before it in z."""
    side.z = corners[begin].z
    side.x = corners[begin].x
    side.rise = 0.0
    if corners[end].z > corners[begin].z:
        side.rise = cython.cast(cython.double, corners[end].x - corners[begin].x) / (corners[end].z - corners[begin].z)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _at(side: cython.pointer[cython.const[Side]], z: cython.int) -> cython.double:
    return side.x + side.rise * (z - side.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_off_place(
    floors: cython.pointer[cython.const[FloorHeights]],
    corners: cython.pointer[cython.const[DetailPoint]],
    max_error: cython.double,
    error: cython.double,
    place: cython.pointer[OffPlace],
) -> cython.bint:
    plane: Plane
    whole: Side
    lower: Side
    upper: Side
    place.excess = rounding()
    place.cell_x = place.cell_z = -1
    if not _plane_of(corners, cython.address(plane)):
        return False

    # Its corners by z, and its sides
    first: cython.int = 0
    middle: cython.int = 1
    last: cython.int = 2
    if corners[middle].z < corners[first].z:
        first, middle = middle, first
    if corners[last].z < corners[first].z:
        first, last = last, first
    if corners[last].z < corners[middle].z:
        middle, last = last, middle
    least_z: cython.int = corners[first].z
    middle_z: cython.int = corners[middle].z
    most_z: cython.int = corners[last].z
    # Of a triangle no wider than a cell, each corner lies in a cell that touches all that it comes into.
    if (
        most_z - least_z <= PARTS
        and max(corners[0].x, corners[1].x, corners[2].x) - min(corners[0].x, corners[1].x, corners[2].x) <= PARTS
    ):
        return False
    _side(corners, first, last, cython.address(whole))
    _side(corners, first, middle, cython.address(lower))
    _side(corners, middle, last, cython.address(upper))

    # A plane within these of its cell's own floor is near enough, whatever is beside it.
    most: cython.double = max_error + rounding() - plane.reach
    least: cython.double = plane.reach - 1.0 - rounding() - max_error
    # With such an error at the centres of cells only those need be looked at whose centre it does not cover.
    is_near: cython.bint = error <= most
    rise: cython.double = plane.rise_x * PARTS
    line: cython.pointer[cython.const[cython.int]]
    x: cython.int
    z: cython.int
    stop: cython.int
    bound: cython.int
    covered: cython.int
    at: cython.double
    above: cython.double
    one: cython.double = corners[first].x
    other: cython.double = corners[first].x if least_z < middle_z else corners[middle].x
    left: cython.double
    right: cython.double
    for z in range(least_z >> PART_BITS, ((most_z - 1) >> PART_BITS) + 1):
        # Where the triangle lies in the row
        left = min(one, other)
        right = max(one, other)
        bound = (z + 1) * PARTS if (z + 1) * PARTS < most_z else most_z
        one = _at(cython.address(whole), bound)
        other = _at(cython.address(lower), bound) if bound <= middle_z else _at(cython.address(upper), bound)
        left = min(left, one, other)
        right = max(right, one, other)
        if z * PARTS < middle_z < bound:
            left = min(left, cython.cast(cython.double, corners[middle].x))
            right = max(right, cython.cast(cython.double, corners[middle].x))
        x = cython.cast(cython.int, left + TOUCH) >> PART_BITS
        stop = (cython.cast(cython.int, right - TOUCH) >> PART_BITS) + 1

        # The first cell whose centre it covers
        covered = stop
        bound = z * PARTS + HALF
        if is_near and least_z <= bound <= most_z:
            left = _at(cython.address(whole), bound)
            right = _at(cython.address(lower), bound) if bound <= middle_z else _at(cython.address(upper), bound)
            if left > right:
                left, right = right, left
            covered = (cython.cast(cython.int, left + TOUCH) + HALF) >> PART_BITS

        # Its cells
        line = floors.row.data + cython.cast(cython.size_t, z) * cython.cast(cython.size_t, floors.width)
        at = plane.y + plane.rise_z * (bound - plane.z) + plane.rise_x * (HALF - plane.x)
        while x < stop:
            if x == covered:
                x = max(x, (cython.cast(cython.int, right - TOUCH) + HALF) >> PART_BITS)
                if x >= stop:
                    break
            above = at + rise * x - line[x]
            if (above > most or above < least) and line[x] >= 0:
                _look_at_cell(floors, corners, cython.address(plane), x, z, max_error, place)
            x += 1
    return place.cell_x >= 0


# --- edges


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _crossing(at: cython.int, step: cython.int) -> cython.double:
    """The part of a step, no longer than a cell, after which it comes to a line of the grid; 1 if to none within."""
    first: cython.int
    if step > 0:
        first = ((at >> PART_BITS) + 1) * PARTS
    else:
        first = ((at - 1) >> PART_BITS) * PARTS if at > 0 else 0
    if step == 0 or (first >= at + step if step > 0 else first <= at + step):
        return 1.0
    return cython.cast(cython.double, first - at) / step


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _excess_in_cells(
    floors: cython.pointer[cython.const[FloorHeights]],
    x: cython.double,
    z: cython.double,
    first: cython.double,
    last: cython.double,
    max_error: cython.double,
) -> cython.double:
    """The excess of a line with these heights at its ends, in the cells that touch its middle at x, z in parts."""
    last_x: cython.int = cython.cast(cython.int, x) >> PART_BITS
    last_z: cython.int = cython.cast(cython.int, z) >> PART_BITS
    first_x: cython.int = last_x - (1 if x == last_x * PARTS and last_x > 0 else 0)
    first_z: cython.int = last_z - (1 if z == last_z * PARTS and last_z > 0 else 0)
    excess: cython.double = 0.0
    cx: cython.int
    cz: cython.int
    low: cython.int
    high: cython.int
    for cz in range(first_z, (last_z if last_z < floors.depth else floors.depth - 1) + 1):
        for cx in range(first_x, (last_x if last_x < floors.width else floors.width - 1) + 1):
            if floors.row.data[cx + cz * floors.width] == -1:
                continue
            low = 2**30
            high = -1
            range_around(floors, cx, cz, cython.address(low), cython.address(high))
            excess = max(excess, _excess(first, low, high, max_error), _excess(last, low, high, max_error))
    return excess


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def excess_along(
    floors: cython.pointer[cython.const[FloorHeights]],
    begin: cython.pointer[cython.const[DetailPoint]],
    step_x: cython.int,
    step_z: cython.int,
    height: cython.double,
    rise: cython.double,
    max_error: cython.double,
) -> cython.double:
    places: cython.double[4]
    first: cython.double = _crossing(begin.x, step_x)
    second: cython.double = _crossing(begin.z, step_z)
    k: cython.int
    middle: cython.double
    excess: cython.double = 0.0
    places[0] = 0.0
    places[1] = min(first, second)
    places[2] = max(first, second)
    places[3] = 1.0
    for k in range(3):
        if places[k] >= places[k + 1]:
            continue
        middle = 0.5 * (places[k] + places[k + 1])
        excess = max(
            excess,
            _excess_in_cells(
                floors,
                begin.x + step_x * middle,
                begin.z + step_z * middle,
                height + rise * places[k],
                height + rise * places[k + 1],
                max_error,
            ),
        )
    return excess if excess > rounding() else 0.0
