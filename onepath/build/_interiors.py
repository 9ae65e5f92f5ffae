"""The insides of closed surfaces: floors in there are no ground, although nothing above them says so.

The vertical line through a cell's centre crosses a closed surface as often from outside as from inside. Counted upward,
a triangle that faces down adds one and one that faces up takes one away; where the count of one surface is above zero
the line is inside its solid. A room modelled with its faces inward counts below zero and keeps its floor.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, free_keys, push_int, reserve_ints, reserve_keys
from cython.cimports.onepath.build._rasterize import TriangleSoup
from cython.cimports.onepath.build._spans import SolidHeightfield, SpanField, lowest_span

from onepath.build.arguments import triangle_indices, vertex_array
from onepath.geometry.surfaces import connected_surfaces
from onepath.geometry.triangles import check_coordinates

#: Heights of crossings are counted in this part of a row.
HEIGHT_UNIT = cython.declare(cython.longlong, 1 << 16)
#: A span's own surface lies at most as high as its top, but for float32's rounding of the row.
SLACK = cython.declare(cython.longlong, 1 << 12)
#: Keeps heights of triangles far above or below the grid within 64 bits.
FARTHEST_ROW = cython.declare(cython.double, 1e9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_interiors(scratch: cython.pointer[InteriorScratch]) -> cython.void:
    free_ints(cython.address(scratch.last))
    free_ints(cython.address(scratch.before))
    free_ints(cython.address(scratch.surface))
    free_ints(cython.address(scratch.turn))
    free_keys(cython.address(scratch.height))
    free_ints(cython.address(scratch.sorted))


# --- where lines cross triangles; u along x and w along z in cells, v in rows


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _side(
    begin: cython.pointer[cython.const[cython.double]],
    end: cython.pointer[cython.const[cython.double]],
    u: cython.double,
    w: cython.double,
) -> cython.double:
    """Twice the area of begin, end and (u, w); of an edge walked the other way exactly the negative."""
    if begin[0] < end[0] or (begin[0] == end[0] and begin[2] < end[2]):
        return (end[0] - begin[0]) * (w - begin[2]) - (end[2] - begin[2]) * (u - begin[0])
    return (begin[2] - end[2]) * (u - end[0]) - (begin[0] - end[0]) * (w - end[2])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _edge_turn(
    begin: cython.pointer[cython.const[cython.double]],
    end: cython.pointer[cython.const[cython.double]],
    u: cython.double,
    w: cython.double,
) -> cython.int:
    """What an edge adds to the turns of an outline around (u, w): 1 or -1 if it crosses the line toward +u from there.

    Both ways of an edge cancel to the bit, so that no line slips between two triangles.
    """
    if begin[2] <= w < end[2]:
        return 1 if _side(begin, end, u, w) > 0.0 else 0
    if end[2] <= w < begin[2]:
        return -1 if -_side(begin, end, u, w) > 0.0 else 0
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _least(a: cython.double, b: cython.double, c: cython.double) -> cython.double:
    least: cython.double = b if b < a else a
    return c if c < least else least


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _largest(a: cython.double, b: cython.double, c: cython.double) -> cython.double:
    return -_least(-a, -b, -c)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _height_at(corners: cython.pointer[cython.double], u: cython.double, w: cython.double) -> cython.longlong:
    """The triangle's height on the line, never outside its corners'."""
    low: cython.double = _least(corners[1], corners[4], corners[7])
    high: cython.double = _largest(corners[1], corners[4], corners[7])
    first: cython.double = _side(corners + 3, corners + 6, u, w)
    second: cython.double = _side(corners + 6, corners, u, w)
    third: cython.double = _side(corners, corners + 3, u, w)
    whole: cython.double = first + second + third
    height: cython.double = low
    if whole != 0.0:
        height = (corners[1] * first + corners[4] * second + corners[7] * third) / whole
    height = low if height < low else (high if height > high else height)
    height = -FARTHEST_ROW if height < -FARTHEST_ROW else (FARTHEST_ROW if height > FARTHEST_ROW else height)
    return cython.cast(cython.longlong, height * cython.cast(cython.double, HEIGHT_UNIT))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_crossing(
    scratch: cython.pointer[InteriorScratch],
    column: cython.int,
    surface: cython.int,
    turn: cython.int,
    height: cython.longlong,
) -> cython.int:
    number: cython.int = scratch.surface.count
    if (
        reserve_keys(cython.address(scratch.height), cython.cast(cython.size_t, number) + 1) < 0
        or push_int(cython.address(scratch.before), scratch.last.data[column]) < 0
        or push_int(cython.address(scratch.surface), surface) < 0
        or push_int(cython.address(scratch.turn), turn) < 0
    ):
        return -1
    scratch.height.data[number] = height
    scratch.last.data[column] = number
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_centre(low: cython.double, cells: cython.int) -> cython.int:
    """The first cell, of 0 to `cells`, whose centre is not below a coordinate."""
    if not low > 0.5:
        return 0
    if low > cython.cast(cython.double, cells):
        return cells
    found: cython.int = cython.cast(cython.int, low - 0.5)
    return found + 1 if cython.cast(cython.double, found) + 0.5 < low else found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cross_triangle(
    field: cython.pointer[cython.const[SpanField]],
    soup: cython.pointer[cython.const[TriangleSoup]],
    index: cython.int,
    surface: cython.int,
    scratch: cython.pointer[InteriorScratch],
) -> cython.int:
    """Notes where a triangle crosses the lines through cell centres."""
    corners: cython.double[9]
    world: cython.pointer[cython.const[cython.double]]
    i: cython.int
    for i in range(3):
        world = soup.vertices + 3 * cython.cast(
            cython.size_t, soup.triangles[3 * cython.cast(cython.size_t, index) + cython.cast(cython.size_t, i)]
        )
        corners[3 * i] = (world[0] - field.frame.origin_x) / cython.cast(cython.double, field.frame.cell_size)
        corners[3 * i + 1] = (world[1] - field.frame.origin_y) / cython.cast(cython.double, field.frame.cell_height)
        corners[3 * i + 2] = (world[2] - field.frame.origin_z) / cython.cast(cython.double, field.frame.cell_size)
    high_u: cython.double = _largest(corners[0], corners[3], corners[6])
    high_w: cython.double = _largest(corners[2], corners[5], corners[8])
    first_x: cython.int = _first_centre(_least(corners[0], corners[3], corners[6]), field.frame.width)
    z: cython.int = _first_centre(_least(corners[2], corners[5], corners[8]), field.frame.depth)
    x: cython.int
    turn: cython.int
    u: cython.double
    w: cython.double
    while z < field.frame.depth and cython.cast(cython.double, z) + 0.5 <= high_w:
        w = cython.cast(cython.double, z) + 0.5
        x = first_x
        while x < field.frame.width and cython.cast(cython.double, x) + 0.5 <= high_u:
            u = cython.cast(cython.double, x) + 0.5
            turn = (
                _edge_turn(corners, corners + 3, u, w)
                + _edge_turn(corners + 3, corners + 6, u, w)
                + _edge_turn(corners + 6, corners, u, w)
            )
            if (
                turn != 0
                and _add_crossing(scratch, x + z * field.frame.width, surface, turn, _height_at(corners, u, w)) < 0
            ):
                return -1
            x += 1
        z += 1
    return 0


# --- what lies between crossings


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _comes_before(scratch: cython.pointer[InteriorScratch], a: cython.int, b: cython.int) -> cython.bint:
    """By surface, then by height. Of two at one height the order does not matter: nothing lies between them."""
    if scratch.surface.data[a] != scratch.surface.data[b]:
        return scratch.surface.data[a] < scratch.surface.data[b]
    return scratch.height.data[a] < scratch.height.data[b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort_column(scratch: cython.pointer[InteriorScratch], column: cython.int) -> cython.int:
    """The crossings of a column into `sorted`. There are few of them, mostly two a solid."""
    at: cython.int = scratch.last.data[column]
    place: cython.int
    scratch.sorted.count = 0
    while at >= 0:
        if push_int(cython.address(scratch.sorted), at) < 0:
            return -1
        place = scratch.sorted.count - 1
        while place > 0 and _comes_before(scratch, at, scratch.sorted.data[place - 1]):
            scratch.sorted.data[place] = scratch.sorted.data[place - 1]
            place -= 1
        scratch.sorted.data[place] = at
        at = scratch.before.data[at]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clear_between(
    field: cython.pointer[SpanField], column: cython.int, low: cython.longlong, high: cython.longlong
) -> cython.void:
    """Takes the area of a column's spans above which the solid between two heights lies."""
    at: cython.int = lowest_span(field, column)
    top: cython.longlong
    while at >= 0:
        top = field.pool[at].high * HEIGHT_UNIT
        if low <= top + SLACK and top + SLACK < high:
            field.pool[at].area = 0
        at = field.pool[at].next


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_interiors(
    field: cython.pointer[SpanField],
    soup: cython.pointer[cython.const[TriangleSoup]],
    surfaces: cython.pointer[cython.const[cython.int]],
    chosen: cython.pointer[cython.const[cython.int]],
    count: cython.int,
    scratch: cython.pointer[InteriorScratch],
) -> cython.int:
    columns: cython.int = field.frame.width * field.frame.depth
    winding: cython.int
    column: cython.int
    index: cython.int
    i: cython.int
    scratch.before.count = scratch.surface.count = scratch.turn.count = 0
    if reserve_ints(cython.address(scratch.last), cython.cast(cython.size_t, columns)) < 0:
        return -1
    memset(scratch.last.data, 255, cython.cast(cython.size_t, columns) * cython.sizeof(cython.int))
    for i in range(count):
        index = chosen[i] if chosen != cython.NULL else i
        if surfaces[index] >= 0 and _cross_triangle(field, soup, index, surfaces[index], scratch) < 0:
            return -1
    if reserve_ints(cython.address(scratch.sorted), cython.cast(cython.size_t, scratch.surface.count)) < 0:
        return -1
    for column in range(columns):
        if _sort_column(scratch, column) < 0:
            return -1
        winding = 0
        for i in range(scratch.sorted.count - 1):
            index = scratch.sorted.data[i]
            winding += scratch.turn.data[index]  # back at zero behind a surface's last crossing, to the bit
            if winding > 0:
                _clear_between(
                    field, column, scratch.height.data[index], scratch.height.data[scratch.sorted.data[i + 1]]
                )
    return 0


# --- the public stage


def remove_solid_interiors(field: SolidHeightfield, vertices, triangles):
    """Gives area 0 to spans above which the inside of a closed surface lies, such as the floor that a box covers.

    Called after the span filters, with the triangles that were rasterized. Surfaces are what shared edges connect; one
    is closed when every edge is walked both ways, whatever else meets it there, and its inside is where its faces point
    outward. Surfaces that are not closed are left alone.

    Args:
        field: changed in place.
        vertices: (n, 3) world coordinates.
        triangles: (m, 3) vertex indices.

    Returns:
        The first triangle of every surface that is not closed, ascending.

    Raises:
        ArgumentError, RangeError, LevelError: as for `rasterize_triangles`. Nothing has changed.
    """
    points = vertex_array("vertices", vertices)
    rows = triangle_indices("triangles", triangles, len(points))
    check_coordinates(points, rows)
    found = connected_surfaces(points, rows)
    clear_closed_surfaces(field, points, rows, found.closed_names)
    return found.open_surfaces


def clear_closed_surfaces(
    field: SolidHeightfield,
    vertices: cython.const[cython.double][:, ::1],
    triangles: cython.const[cython.int][:, ::1],
    surfaces: cython.const[cython.int][::1],
):
    """What `remove_solid_interiors` does, for callers that know the surfaces.

    Nothing is checked: the triangles are those that were rasterized, and `surfaces` holds the closed surface of each
    as `connected_surfaces` names them, -1 for none.
    """
    if triangles.shape[0] == 0:
        return
    soup: TriangleSoup
    scratch: InteriorScratch
    memset(cython.address(soup), 0, cython.sizeof(TriangleSoup))
    memset(cython.address(scratch), 0, cython.sizeof(InteriorScratch))
    soup.vertices = cython.address(vertices[0, 0])
    soup.triangles = cython.address(triangles[0, 0])
    count: cython.int = cython.cast(cython.int, triangles.shape[0])
    code: cython.int = clear_interiors(
        cython.address(field.field),
        cython.address(soup),
        cython.address(surfaces[0]),
        cython.NULL,
        count,
        cython.address(scratch),
    )
    free_interiors(cython.address(scratch))
    if code < 0:
        raise MemoryError("no memory for the crossings of closed surfaces")
