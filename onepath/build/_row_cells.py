"""The cells of one row that a triangle touches: its part in the row is walked from cell to cell, in equal steps.

Heights and areas so found are right but for rounding. Where rounding could decide over a cell the part is cut plane by
plane, to the letter of the voxelization document.
"""

import cython
from cython.cimports.onepath.build._cells import Facing, floor_cell, larger, lesser, put_rows
from cython.cimports.onepath.build._clipping import Corner, Piece, Polygon, cut_cell, measure
from cython.cimports.onepath.build._row_cells import FEW_CORNERS
from cython.cimports.onepath.build._spans import SpanField, put_span

#: How far one side of a row's part has been walked: to u, v and, from the row's low plane, w. The slopes are per cell,
#: of the edge that it is on; where it `turns` another one begins.
Side = cython.struct(
    u=cython.float,
    v=cython.float,
    w=cython.float,
    slope_v=cython.float,
    slope_w=cython.float,
    turns=cython.bint,
)


# --- plane by plane


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
        high = larger(high, row_part.corners[i].u)
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


# --- the two sides of a part


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
    low[0] = lesser(low[0], value)
    high[0] = larger(high[0], value)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _go_to_corner(
    side: cython.pointer[Side],
    corner: cython.pointer[cython.const[Corner]],
    base: cython.float,
    low: cython.p_float,
    high: cython.p_float,
) -> cython.float:
    """Takes a side to its next corner; what the edge adds to the area."""
    w: cython.float = corner.w - base
    area: cython.float = (corner.u - side.u) * (w + side.w)
    side.u = corner.u
    side.v = corner.v
    side.w = w
    side.turns = True
    _widen(low, high, side.v)
    return area


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _go_to_plane(
    side: cython.pointer[Side],
    corner: cython.pointer[cython.const[Corner]],
    plane: cython.float,
    base: cython.float,
    low: cython.p_float,
    high: cython.p_float,
) -> cython.float:
    """Takes a side to a plane before its next corner; what this part of the edge adds to the area."""
    part: cython.float = plane - side.u
    w: cython.float = side.w
    if part == 0:
        return 0
    if side.turns:
        side.turns = False
        side.slope_v = (corner.v - side.v) / (corner.u - side.u)
        side.slope_w = ((corner.w - base) - w) / (corner.u - side.u)
    side.u = plane
    side.v += side.slope_v * part
    side.w += side.slope_w * part
    _widen(low, high, side.v)
    return part * (w + side.w)


# --- cell by cell


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_measured(
    field: cython.pointer[SpanField],
    row: cython.int,
    x: cython.int,
    polygon: cython.pointer[cython.const[Polygon]],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    piece: Piece
    _measure_cell(polygon, x, cython.address(piece))
    if piece.area == 0:
        return 0
    return put_rows(field, x + row * field.frame.width, piece.low, piece.high, facing)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put_clear(
    field: cython.pointer[SpanField],
    column: cython.int,
    area: cython.float,
    low: cython.float,
    high: cython.float,
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Adds a piece of which rounding decides nothing; 1 where it can."""
    bottom: cython.int
    top: cython.int
    over_low: cython.float
    over_high: cython.float
    one: cython.float = 1
    if -facing.area_slack < area < facing.area_slack:
        return 1
    if facing.height_slack == 0:
        if facing.level_bottom == facing.level_top:
            return 0
        return put_span(field, column, facing.level_bottom, facing.level_top, facing.area, facing.threshold)
    if low < 0 or high >= cython.cast(cython.float, field.frame.rows):
        return 1
    bottom = cython.cast(cython.int, low)
    top = cython.cast(cython.int, high)
    over_low = low - cython.cast(cython.float, bottom)
    over_high = high - cython.cast(cython.float, top)
    if lesser(over_low, over_high) < facing.height_slack or larger(over_low, over_high) + facing.height_slack > one:
        return 1
    # Neither end lies on the boundary of a row.
    return put_span(field, column, bottom, top + 1, facing.area, facing.threshold)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_row(
    field: cython.pointer[SpanField],
    row: cython.int,
    polygon: cython.pointer[cython.const[Polygon]],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Cells of one row that a triangle with a footprint touches: those whose piece has an area.

    Cutting plane by plane makes a polygon a cell. Walking the two sides of the row's part from left to right in equal
    steps meets the same corners but for rounding, the most of which `Facing` says: only cells where so little can
    decide are measured plane by plane.
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
        high = larger(high, corners[i].u)
    x: cython.int = floor_cell(low)
    plane: cython.float = cython.cast(cython.float, x + 1)

    # Parts that need no walk: in one cell, or of a shape that only planes cut to the letter
    piece: Piece
    if high <= plane:
        measure(polygon, cython.address(piece))
        if piece.area != 0 and x < width:
            return put_rows(field, x + row * width, piece.low, piece.high, facing)
        return 0
    if count > FEW_CORNERS or (count > 3 and not _is_monotone(polygon, leftmost, low, high)):
        return _fill_row_by_planes(field, row, polygon, facing, low, high)

    # Walk from cell to cell, both sides from the leftmost corner: `ahead` with the polygon's order, `back` against it
    one: cython.float = 1
    base: cython.float = cython.cast(cython.float, row)
    ahead: Side
    back: Side
    ahead.u = back.u = low
    ahead.v = back.v = corners[leftmost].v
    ahead.w = back.w = corners[leftmost].w - base
    ahead.turns = back.turns = True
    after: cython.int = _after(leftmost, count)
    before: cython.int = _before(leftmost, count)
    area: cython.float
    bottom: cython.float
    top: cython.float
    code: cython.int
    while x < width:
        bottom = lesser(ahead.v, back.v)
        top = larger(ahead.v, back.v)
        area = 0
        if high <= plane:
            # The last cell takes all that is left, round the right end.
            while after != before:
                area += _go_to_corner(
                    cython.address(ahead), corners + after, base, cython.address(bottom), cython.address(top)
                )
                after = _after(after, count)
            area += _go_to_corner(
                cython.address(ahead), corners + after, base, cython.address(bottom), cython.address(top)
            )
            area += (back.u - ahead.u) * (back.w + ahead.w)
        else:
            while corners[after].u <= plane:
                area += _go_to_corner(
                    cython.address(ahead), corners + after, base, cython.address(bottom), cython.address(top)
                )
                after = _after(after, count)
            while corners[before].u <= plane:
                area -= _go_to_corner(
                    cython.address(back), corners + before, base, cython.address(bottom), cython.address(top)
                )
                before = _before(before, count)
            area += _go_to_plane(
                cython.address(ahead), corners + after, plane, base, cython.address(bottom), cython.address(top)
            )
            area -= _go_to_plane(
                cython.address(back), corners + before, plane, base, cython.address(bottom), cython.address(top)
            )
        code = _put_clear(field, x + row * width, area, bottom, top, facing)
        if code > 0:
            code = _put_measured(field, row, x, polygon, facing)
        if code < 0 or high <= plane:
            return code
        x += 1
        plane += one
    return 0
