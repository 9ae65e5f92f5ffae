"""Vertical triangles into cells: a wall touches the cells in which its parts have a length seen from above."""

import cython
from cython.cimports.onepath.build._cells import Facing, ceil_cell, floor_cell, put_rows
from cython.cimports.onepath.build._clipping import Corner, Polygon, split_u, split_w
from cython.cimports.onepath.build._spans import SpanField


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
    return put_rows(field, column, low.v, high.v, facing)


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
    x: cython.int = ceil_cell(low) - 1
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
    z: cython.int = ceil_cell(low) - 1
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
    return floor_cell(line) - 1 if normal > 0 else floor_cell(line)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rasterize_wall(
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
    if corners[1].u == u and corners[2].u == u and cython.cast(cython.float, floor_cell(u)) == u:
        cell = _cell_behind(u, facing.normal_x)
        if cell < 0 or cell >= field.frame.width:
            return 0
        return _fill_wall(field, polygon, other, cell, facing)
    if corners[1].w == w and corners[2].w == w and cython.cast(cython.float, floor_cell(w)) == w:
        cell = _cell_behind(w, facing.normal_z)
        if cell < 0 or cell >= field.frame.depth:
            return 0
        return _fill_wall_row(field, cell, polygon, facing)
    return _fill_wall(field, polygon, other, -1, facing)
