"""Triangles into cells, the kernel: clips each triangle to the cells it touches and adds the rows its pieces span."""

import cython
from cython.cimports.libc.math import sqrtf
from cython.cimports.onepath.build._clipping import (
    Corner,
    Piece,
    Polygon,
    cut_cell,
    measure,
    split_u,
    split_w,
)
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._rasterize import TriangleSoup
from cython.cimports.onepath.build._spans import SpanField, put_span

DEFAULT_AREA = cython.declare(cython.int, 63)
#: A triangle beside the grid by less than this part of its largest coordinate is left for clipping to decide.
BOX_SLACK = cython.declare(cython.float, 2.0**-18)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _floor(value: cython.float) -> cython.int:
    """Of a value within the range of int."""
    whole: cython.int = cython.cast(cython.int, value)
    return whole - 1 if cython.cast(cython.float, whole) > value else whole


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ceil(value: cython.float) -> cython.int:
    whole: cython.int = cython.cast(cython.int, value)
    return whole + 1 if cython.cast(cython.float, whole) < value else whole


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


# --- one triangle

# What is known of a triangle before its cells are visited.
Facing = cython.struct(
    normal_x=cython.float,
    normal_y=cython.float,
    normal_z=cython.float,
    area=cython.int,
    threshold=cython.int,
)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put_rows(
    field: cython.pointer[SpanField],
    column: cython.int,
    low: cython.float,
    high: cython.float,
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """The span of a piece that reaches from `low` to `high` (both v)."""
    rows: cython.int = field.frame.rows
    # Two rows beyond the grid say the same as any number of rows, and fit an int.
    least: cython.float = -2
    most: cython.float = cython.cast(cython.float, rows + 2)
    bottom: cython.int = _floor(_least(_largest(low, least, least), most, most))
    top: cython.int = _ceil(_least(_largest(high, least, least), most, most))
    if bottom == top:
        # Exactly on a row boundary: the solid lies below a surface that faces up, above one that faces down.
        if facing.normal_y > 0:
            bottom = top - 1
        else:
            top = bottom + 1
    if top <= 0 or bottom >= rows:
        return 0
    if bottom < 0:
        bottom = 0
    if top > rows:
        top = rows
    return put_span(field, column, bottom, top, facing.area, facing.threshold)


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
@cython.nogil
@cython.exceptval(check=False)
def _fill_row(
    field: cython.pointer[SpanField],
    row: cython.int,
    polygon: cython.pointer[Polygon],
    other: cython.pointer[Polygon],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Cells of one row that a triangle with a footprint touches: those whose piece has an area."""
    low: cython.float = polygon.corners[0].u
    high: cython.float = low
    u: cython.float
    i: cython.int
    for i in range(1, polygon.count):
        u = polygon.corners[i].u
        low = u if u < low else low
        high = u if u > high else high
    width: cython.int = field.frame.width
    x: cython.int = _floor(low)
    plane: cython.float
    piece: Piece
    spare: cython.pointer[Polygon]
    while x < width:
        plane = cython.cast(cython.float, x + 1)
        if high <= plane:
            measure(polygon, cython.address(piece))
        else:
            cut_cell(polygon, plane, cython.address(piece), other)
            spare = polygon
            polygon = other
            other = spare
        if piece.area != 0 and _put_rows(field, x + row * width, piece.low, piece.high, facing) < 0:
            return -1
        if high <= plane:
            break
        x += 1
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
    scratch: Polygon
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
    z: cython.int = _floor(low)
    while z < field.frame.depth:
        plane = cython.cast(cython.float, z + 1)
        if high <= plane:
            return _fill_row(field, z, rest, other, facing)
        split_w(rest, plane, cython.address(row_part), other)
        if row_part.count > 2 and _fill_row(field, z, cython.address(row_part), cython.address(scratch), facing) < 0:
            return -1
        spare = rest
        rest = other
        other = spare
        z += 1
    return 0


# --- vertical triangles


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put_wall_part(
    field: cython.pointer[SpanField],
    column: cython.int,
    part: cython.pointer[cython.const[Polygon]],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """A wall touches a cell when its part there has a length seen from above."""
    if part.count < 2:
        return 0
    low: Corner = part.corners[0]
    high: Corner = part.corners[0]
    corner: Corner
    i: cython.int
    for i in range(1, part.count):
        corner = part.corners[i]
        low.u = corner.u if corner.u < low.u else low.u
        low.v = corner.v if corner.v < low.v else low.v
        low.w = corner.w if corner.w < low.w else low.w
        high.u = corner.u if corner.u > high.u else high.u
        high.v = corner.v if corner.v > high.v else high.v
        high.w = corner.w if corner.w > high.w else high.w
    if not (high.u - low.u > 0 or high.w - low.w > 0):
        return 0
    return _put_rows(field, column, low.v, high.v, facing)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_wall_row(
    field: cython.pointer[SpanField],
    row: cython.int,
    polygon: cython.pointer[Polygon],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Cells of one row, closed ones: an edge on a grid line belongs to the parts on both sides of it."""
    part: Polygon
    other: Polygon
    rest: cython.pointer[Polygon] = cython.address(other)
    spare: cython.pointer[Polygon]
    low: cython.float = polygon.corners[0].u
    i: cython.int
    for i in range(1, polygon.count):
        low = polygon.corners[i].u if polygon.corners[i].u < low else low
    x: cython.int = _ceil(low) - 1
    if x < 0:
        x = 0
    while x < field.frame.width and polygon.count > 0:
        split_u(polygon, cython.cast(cython.float, x + 1), cython.address(part), rest)
        if _put_wall_part(field, x + row * field.frame.width, cython.address(part), facing) < 0:
            return -1
        spare = polygon
        polygon = rest
        rest = spare
        x += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_wall(
    field: cython.pointer[SpanField],
    polygon: cython.pointer[Polygon],
    rest: cython.pointer[Polygon],
    column: cython.int,
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """Rows of a wall; all of it goes into cells of x = `column` unless that is negative."""
    part: Polygon
    spare: cython.pointer[Polygon]
    result: cython.int
    low: cython.float = polygon.corners[0].w
    i: cython.int
    for i in range(1, polygon.count):
        low = polygon.corners[i].w if polygon.corners[i].w < low else low
    z: cython.int = _ceil(low) - 1
    if z < 0:
        z = 0
    while z < field.frame.depth and polygon.count > 0:
        split_w(polygon, cython.cast(cython.float, z + 1), cython.address(part), rest)
        if column >= 0:
            result = _put_wall_part(field, column + z * field.frame.width, cython.address(part), facing)
        elif part.count > 1:
            result = _fill_wall_row(field, z, cython.address(part), facing)
        else:
            result = 0
        if result < 0:
            return -1
        spare = polygon
        polygon = rest
        rest = spare
        z += 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _cell_behind(line: cython.float, normal: cython.float) -> cython.int:
    """The cell behind a wall that stands on a grid line, so that a solid's walls stay inside it."""
    return _floor(line) - 1 if normal > 0 else _floor(line)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rasterize_wall(
    field: cython.pointer[SpanField],
    corners: cython.pointer[cython.const[Corner]],
    polygon: cython.pointer[Polygon],
    other: cython.pointer[Polygon],
    facing: cython.pointer[cython.const[Facing]],
) -> cython.int:
    """A triangle without a footprint. `corners` are its own, `polygon` what the grid leaves of it."""
    u: cython.float = corners[0].u
    w: cython.float = corners[0].w
    cell: cython.int
    if polygon.count < 2:
        return 0
    # What is left of a wall on a line lies between 0 and 65536, so the line's number fits.
    if corners[1].u == u and corners[2].u == u and cython.cast(cython.float, _floor(u)) == u:
        cell = _cell_behind(u, facing.normal_x)
        if cell < 0 or cell >= field.frame.width:
            return 0
        return _fill_wall(field, polygon, other, cell, facing)
    if corners[1].w == w and corners[2].w == w and cython.cast(cython.float, _floor(w)) == w:
        cell = _cell_behind(w, facing.normal_z)
        if cell < 0 or cell >= field.frame.depth:
            return 0
        return _fill_wall_row(field, cell, polygon, facing)
    return _fill_wall(field, polygon, other, -1, facing)


# --- from the soup to the cells


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
        return _rasterize_wall(field, local, polygon, cython.address(second), cython.address(facing))
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
