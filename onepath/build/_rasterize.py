"""Triangles into cells, the kernel: clips each triangle to the cells it touches and adds the rows its pieces span."""

import cython
from cython.cimports.libc.math import sqrtf
from cython.cimports.onepath.build._cells import Facing, find_rows, floor_cell, larger, lesser
from cython.cimports.onepath.build._clipping import Corner, Polygon, split_u, split_w
from cython.cimports.onepath.build._frame import Frame
from cython.cimports.onepath.build._rasterize import TriangleSoup
from cython.cimports.onepath.build._row_cells import fill_row
from cython.cimports.onepath.build._spans import SpanField
from cython.cimports.onepath.build._walls import rasterize_wall

DEFAULT_AREA = cython.declare(cython.int, 63)
#: A triangle beside the grid by less than this part of its largest coordinate is left for clipping to decide.
BOX_SLACK = cython.declare(cython.float, 2.0**-18)
#: The rounding of a float32 operation, and twice the area of a cell's piece that two sums can make of nothing: at most
#: 12 terms each, every one wrong by at most 5 roundings.
ROUNDING = cython.declare(cython.float, 2.0**-24)
AREA_SLACK = cython.declare(cython.float, 1e-5)

# --- rows


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
        low = lesser(low, w)
        high = larger(high, w)
    z: cython.int = floor_cell(low)
    while z < field.frame.depth:
        plane = cython.cast(cython.float, z + 1)
        if high <= plane:
            return fill_row(field, z, rest, facing)
        split_w(rest, plane, cython.address(row_part), other)
        if row_part.count > 2 and fill_row(field, z, cython.address(row_part), facing) < 0:
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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _allow_for_rounding(
    facing: cython.pointer[Facing],
    polygon: cython.pointer[cython.const[Polygon]],
    planes: cython.float,
    high_w: cython.float,
    rows: cython.int,
) -> cython.void:
    """How far heights and areas found by steps along edges can be from those found plane by plane.

    A crossing's height is off by at most 10 roundings of the largest |v| for each plane before it and 10 more; a row's
    |w - row| is at most 1, but w rounds as it stands. Decisions document, "Steps, and planes where rounding decides",
    has the proof. Heights that are all equal are never rounded.
    """
    v: cython.float = polygon.corners[0].v
    low: cython.float = v
    high: cython.float = v
    i: cython.int
    for i in range(1, polygon.count):
        low = lesser(low, polygon.corners[i].v)
        high = larger(high, polygon.corners[i].v)
    one: cython.float = 1
    w_beside: cython.float = 20
    unit: cython.float = 16
    unit *= planes * ROUNDING
    facing.area_slack = AREA_SLACK + unit * (high_w + w_beside)
    facing.height_slack = unit * (larger(-low, high) + one)
    if low == high:
        facing.height_slack = 0
        if not find_rows(rows, v, v, facing, cython.address(facing.level_bottom), cython.address(facing.level_top)):
            facing.level_bottom = facing.level_top


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
    low_u: cython.float = lesser(lesser(a[0].u, a[1].u), a[2].u)
    high_u: cython.float = larger(larger(a[0].u, a[1].u), a[2].u)
    low_w: cython.float = lesser(lesser(a[0].w, a[1].w), a[2].w)
    high_w: cython.float = larger(larger(a[0].w, a[1].w), a[2].w)
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
    zero: cython.float = 0
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
    planes: cython.float = 2
    planes += lesser(high_u, cython.cast(cython.float, frame.width)) - larger(low_u, zero)
    high_w = lesser(high_w, cython.cast(cython.float, frame.depth))
    _allow_for_rounding(cython.address(facing), polygon, planes, high_w, frame.rows)
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
