"""Triangles into cells, the kernel: clips each triangle to the cells it touches and adds the rows its pieces span."""

import cython
from cython.cimports.libc.math import sqrtf
from cython.cimports.onepath.build._cells import Facing, floor_cell, put_rows
from cython.cimports.onepath.build._clipping import (
    Corner,
    Piece,
    Polygon,
    crossing_u,
    cut_cell,
    measure,
    split_u,
    split_w,
)
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._rasterize import TriangleSoup
from cython.cimports.onepath.build._spans import SpanField
from cython.cimports.onepath.build._walls import rasterize_wall

DEFAULT_AREA = cython.declare(cython.int, 63)
#: A triangle beside the grid by less than this part of its largest coordinate is left for clipping to decide.
BOX_SLACK = cython.declare(cython.float, 2.0**-18)
#: Row parts with more corners than this are cut plane by plane.
FEW_CORNERS = cython.declare(cython.int, 8)
#: Twice the area of a cell's piece, in cells; above this it is not zero in any order of summing: FEW_CORNERS terms make
#: it, each wrong by less than 2**-22.
CLEAR_AREA = cython.declare(cython.float, 1e-5)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _least(a: cython.float, b: cython.float, c: cython.float) -> cython.float:
    if b < a:
        a = b
    return c if c < a else a


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _largest(a: cython.float, b: cython.float, c: cython.float) -> cython.float:
    if b > a:
        a = b
    return c if c > a else a


# --- the cells of one row


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _measure_cell(
    row_part: cython.pointer[cython.const[Polygon]], x: cython.int, piece: cython.pointer[Piece]
) -> cython.void:
    """The piece in cell x, plane after plane to the letter."""
    first: Polygon
    second: Polygon
    rest: cython.pointer[cython.const[Polygon]] = row_part
    other: cython.pointer[Polygon] = cython.address(first)
    at: cython.int = x
    i: cython.int
    high: cython.float = row_part.corners[0].u
    for i in range(row_part.count):
        high = row_part.corners[i].u if row_part.corners[i].u > high else high
        if row_part.corners[i].u < cython.cast(cython.float, at):
            at = floor_cell(row_part.corners[i].u)
    while at <= x:
        if high <= cython.cast(cython.float, at + 1):
            measure(rest, piece)
            return
        cut_cell(rest, cython.cast(cython.float, at + 1), piece, other)
        rest = other
        other = cython.address(second) if other == cython.address(first) else cython.address(first)
        at += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_row_by_planes(
    field: cython.pointer[SpanField],
    row: cython.int,
    row_part: cython.pointer[cython.const[Polygon]],
    facing: cython.pointer[cython.const[Facing]],
    low: cython.float,
    high: cython.float,
) -> cython.int:
    """Cells of a part of any shape, u from `low` to `high`."""
    width: cython.int = field.frame.width
    x: cython.int = floor_cell(low)
    piece: Piece
    while x < width and cython.cast(cython.float, x) < high:
        _measure_cell(row_part, x, cython.address(piece))
        if piece.area != 0 and put_rows(field, x + row * width, piece.low, piece.high, facing) < 0:
            return -1
        x += 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _after(i: cython.int, count: cython.int) -> cython.int:
    return i + 1 if i + 1 < count else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _before(i: cython.int, count: cython.int) -> cython.int:
    return i - 1 if i > 0 else count - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_monotone(
    polygon: cython.pointer[cython.const[Polygon]], leftmost: cython.int, low: cython.float, high: cython.float
) -> cython.bint:
    """Whether u strictly rises from the left to the right end and strictly falls back, but for edges at the ends.

    All row parts are so in exact arithmetic; rounding can bend an edge that almost stands on a grid line.
    """
    falling: cython.bint = False
    i: cython.int = leftmost
    u: cython.float = low
    following: cython.float
    for _ in range(polygon.count):
        i = _after(i, polygon.count)
        following = polygon.corners[i].u
        if u == high:
            falling = True
        if following == u:
            if u != low and u != high:
                return False
        elif (following < u) != falling:
            return False
        u = following
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen(low: cython.p_float, high: cython.p_float, value: cython.float) -> cython.void:
    low[0] = value if value < low[0] else low[0]
    high[0] = value if value > high[0] else high[0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_row(
    field: cython.pointer[SpanField],
    row: cython.int,
    polygon: cython.pointer[cython.const[Polygon]],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Cells of one row that a triangle with a footprint touches: those whose piece has an area.

    Cutting plane by plane makes a polygon a cell. The same corners, to the bit, come from walking the two sides of the
    row's part from left to right: a side's next crossing starts from its last one, and the end that comes first in
    the polygon's order stays first. Only the area's sum is in another order; where it is not clearly more than
    rounding the cell is measured again plane by plane.
    """
    corners: cython.pointer[cython.const[Corner]] = cython.address(polygon.corners[0])
    count: cython.int = polygon.count
    width: cython.int = field.frame.width

    # Ends of the part
    low: cython.float = corners[0].u
    high: cython.float = low
    leftmost: cython.int = 0
    i: cython.int
    for i in range(1, count):
        if corners[i].u < low:
            low = corners[i].u
            leftmost = i
        high = corners[i].u if corners[i].u > high else high
    x: cython.int = floor_cell(low)
    plane: cython.float = cython.cast(cython.float, x + 1)

    # Parts that need no walk: in one cell, or of a shape that only planes cut to the letter
    piece: Piece
    if high <= plane:
        measure(polygon, cython.address(piece))
        if piece.area != 0 and x < width:
            return put_rows(field, x + row * width, piece.low, piece.high, facing)
        return 0
    if count > FEW_CORNERS or not _is_monotone(polygon, leftmost, low, high):
        return _fill_row_by_planes(field, row, polygon, facing, low, high)

    # Walk from cell to cell, both sides from the leftmost corner: `ahead` with the polygon's order, `back` against it
    one: cython.float = 1
    base: cython.float = cython.cast(cython.float, row)
    ahead: Corner = corners[leftmost]
    back: Corner = corners[leftmost]
    after: cython.int = _after(leftmost, count)
    before: cython.int = _before(leftmost, count)
    met: Corner
    area: cython.float
    bottom: cython.float
    top: cython.float
    while x < width:
        bottom = top = ahead.v
        _widen(cython.address(bottom), cython.address(top), back.v)
        area = 0
        if high <= plane:
            # The last cell takes all that is left, round the right end.
            while after != before:
                met = corners[after]
                area += (met.u - ahead.u) * ((met.w - base) + (ahead.w - base))
                _widen(cython.address(bottom), cython.address(top), met.v)
                ahead = met
                after = _after(after, count)
            met = corners[after]
            area += (met.u - ahead.u) * ((met.w - base) + (ahead.w - base))
            area += (back.u - met.u) * ((back.w - base) + (met.w - base))
            _widen(cython.address(bottom), cython.address(top), met.v)
        else:
            while corners[after].u <= plane:
                met = corners[after]
                area += (met.u - ahead.u) * ((met.w - base) + (ahead.w - base))
                _widen(cython.address(bottom), cython.address(top), met.v)
                ahead = met
                after = _after(after, count)
            if ahead.u < plane:
                met = crossing_u(cython.address(ahead), cython.address(corners[after]), plane)
                area += (plane - ahead.u) * ((met.w - base) + (ahead.w - base))
                _widen(cython.address(bottom), cython.address(top), met.v)
                ahead = met
            while corners[before].u <= plane:
                met = corners[before]
                area -= (met.u - back.u) * ((met.w - base) + (back.w - base))
                _widen(cython.address(bottom), cython.address(top), met.v)
                back = met
                before = _before(before, count)
            if back.u < plane:
                met = crossing_u(cython.address(corners[before]), cython.address(back), plane)
                area -= (plane - back.u) * ((met.w - base) + (back.w - base))
                _widen(cython.address(bottom), cython.address(top), met.v)
                back = met
        if -CLEAR_AREA < area < CLEAR_AREA:
            _measure_cell(polygon, x, cython.address(piece))
            if piece.area != 0 and put_rows(field, x + row * width, piece.low, piece.high, facing) < 0:
                return -1
        elif put_rows(field, x + row * width, bottom, top, facing) < 0:
            return -1
        if high <= plane:
            return 0
        x += 1
        plane += one
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_footprint(
    field: cython.pointer[SpanField],
    rest: cython.pointer[Polygon],
    other: cython.pointer[Polygon],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Rows of a triangle with a footprint, from low to high w."""
    row_part: Polygon
    spare: cython.pointer[Polygon]
    low: cython.float = rest.corners[0].w
    high: cython.float = low
    w: cython.float
    plane: cython.float
    i: cython.int
    for i in range(1, rest.count):
        w = rest.corners[i].w
        low = w if w < low else low
        high = w if w > high else high
    z: cython.int = floor_cell(low)
    while z < field.frame.depth:
        plane = cython.cast(cython.float, z + 1)
        if high <= plane:
            return _fill_row(field, z, rest, facing)
        split_w(rest, plane, cython.address(row_part), other)
        if row_part.count > 2 and _fill_row(field, z, cython.address(row_part), facing) < 0:
            return -1
        spare = rest
        rest = other
        other = spare
        z += 1
    return 0


# --- from the soup to the cells


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clip_to_grid(
    polygon: cython.pointer[Polygon], other: cython.pointer[Polygon], frame: cython.pointer[cython.const[Frame]]
) -> cython.pointer[Polygon]:
    """Clips to u >= 0, u <= width, w >= 0, w <= depth, in that order; the result is in one of the two."""
    zero: cython.float = 0
    width: cython.float = cython.cast(cython.float, frame.width)
    depth: cython.float = cython.cast(cython.float, frame.depth)
    outside: Polygon
    split_u(polygon, zero, cython.address(outside), other)
    split_u(other, width, polygon, cython.address(outside))
    split_w(polygon, zero, cython.address(outside), other)
    split_w(other, depth, polygon, cython.address(outside))
    return polygon


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _beside(low: cython.float, high: cython.float, cells: cython.int) -> cython.bint:
    """Whether coordinates from low to high surely miss 0 to `cells`, whatever rounding a clip may add."""
    size: cython.float = high if high > -low else -low
    return high < -size * BOX_SLACK or low > cython.cast(cython.float, cells) + size * BOX_SLACK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rasterize_triangle(
    field: cython.pointer[SpanField],
    soup: cython.pointer[cython.const[TriangleSoup]],
    index: cython.int,
) -> cython.int:
    frame: cython.pointer[Frame] = cython.address(field.frame)
    corners: cython.pointer[cython.const[cython.int]] = soup.triangles + 3 * cython.cast(cython.size_t, index)
    local: Corner[3]
    first: Polygon
    second: Polygon
    polygon: cython.pointer[Polygon] = cython.address(first)
    world: cython.pointer[cython.const[cython.double]]
    i: cython.int
    for i in range(3):
        world = soup.vertices + 3 * cython.cast(cython.size_t, corners[i])
        local[i].u = cython.cast(cython.float, world[0] - frame.origin_x)
        local[i].v = cython.cast(cython.float, world[1] - frame.origin_y)
        local[i].w = cython.cast(cython.float, world[2] - frame.origin_z)

    # Normal, in metres of the tile
    e: Corner
    f: Corner
    e.u = local[1].u - local[0].u
    e.v = local[1].v - local[0].v
    e.w = local[1].w - local[0].w
    f.u = local[2].u - local[0].u
    f.v = local[2].v - local[0].v
    f.w = local[2].w - local[0].w
    facing: Facing
    facing.normal_x = e.v * f.w - e.w * f.v
    facing.normal_y = e.w * f.u - e.u * f.w
    facing.normal_z = e.u * f.v - e.v * f.u
    length: cython.float = sqrtf(
        facing.normal_x * facing.normal_x + facing.normal_y * facing.normal_y + facing.normal_z * facing.normal_z
    )
    # Coordinates within 2**21 cannot make the length infinite, only zero.
    if length == 0:
        field.degenerate_triangles += 1
        return 0

    # Corners in cells, and whether they come near the grid
    for i in range(3):
        first.corners[i].u = local[i].u / frame.cell_size
        first.corners[i].v = local[i].v / frame.cell_height
        first.corners[i].w = local[i].w / frame.cell_size
    first.count = 3
    a: cython.pointer[Corner] = first.corners
    low_u: cython.float = _least(a[0].u, a[1].u, a[2].u)
    high_u: cython.float = _largest(a[0].u, a[1].u, a[2].u)
    low_w: cython.float = _least(a[0].w, a[1].w, a[2].w)
    high_w: cython.float = _largest(a[0].w, a[1].w, a[2].w)
    if _beside(low_u, high_u, frame.width) or _beside(low_w, high_w, frame.depth):
        return 0

    # Area id
    facing.threshold = soup.merge_threshold
    facing.area = DEFAULT_AREA
    if soup.areas != cython.NULL:
        facing.area = soup.areas[index]
    if soup.classify and not (facing.normal_y > soup.slope_cosine * length):
        facing.area = 0

    # Footprint, then cells
    left: cython.float = (a[1].u - a[0].u) * (a[2].w - a[0].w)
    right: cython.float = (a[1].w - a[0].w) * (a[2].u - a[0].u)
    for i in range(3):
        local[i] = a[i]
    if (
        low_u < 0
        or low_w < 0
        or high_u > cython.cast(cython.float, frame.width)
        or high_w > cython.cast(cython.float, frame.depth)
    ):
        polygon = _clip_to_grid(cython.address(first), cython.address(second), frame)
    if left - right == 0:
        return rasterize_wall(field, local, polygon, cython.address(second), cython.address(facing))
    if polygon.count < 3:
        return 0
    return _fill_footprint(field, polygon, cython.address(second), cython.address(facing))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rasterize_soup(
    field: cython.pointer[SpanField],
    soup: cython.pointer[cython.const[TriangleSoup]],
    chosen: cython.pointer[cython.const[cython.int]],
    count: cython.int,
) -> cython.int:
    """Voxelization document, section 2."""
    i: cython.int
    for i in range(count):
        if _rasterize_triangle(field, soup, chosen[i] if chosen != cython.NULL else i) < 0:
            return -1
    return 0
