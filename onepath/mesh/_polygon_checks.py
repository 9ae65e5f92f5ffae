"""Checks of a tile's polygons: convex, rightly wound, and neighbours that name each other."""

import cython
from cython.cimports.libc.math import fabs
from cython.cimports.onepath.geometry._exact import orientation
from cython.cimports.onepath.mesh._format import (
    BORDER_SIDES,
    NEIGHBOURS,
    POLYGON_VERTICES,
    TileLayout,
    side_of_edge,
    tile_size,
)
from cython.cimports.onepath.mesh._validate import (
    FAULT_CONVEX,
    FAULT_NEIGHBOUR,
    FAULT_NONE,
    FAULT_REPEATED,
    FAULT_SIDE,
    FAULT_WINDING,
    FAULT_ZERO_EDGE,
    Refusal,
    refuse,
)

#: Float32 rounding may bend a straight run of corners inward by this part of the tile size.
CONVEX_TOLERANCE = cython.declare(cython.double, 2.0**-20)
#: An edge this long in X or Z still has a length where the world's coordinates are largest and doubles are sparsest.
LEAST_EDGE = cython.declare(cython.double, 2.0**-30)


# --- shapes


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def corner(
    layout: cython.pointer[cython.const[TileLayout]], edge: cython.int
) -> cython.pointer[cython.const[cython.float]]:
    return layout.vertices + 3 * layout.polygon_vertices[edge]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_too_short(ex: cython.double, ez: cython.double) -> cython.bint:
    return (fabs(ex) < LEAST_EDGE) & (fabs(ez) < LEAST_EDGE)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_plainly_convex(layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int) -> cython.bint:
    """Whether every corner turns left or goes straight on, exactly, and the outline goes round once.

    Such an outline is convex and needs no tolerance; of the others `is_convex_within` decides. The edges' directions
    are differences of float32 numbers, whose signs are exact in doubles.
    """
    end: cython.int = layout.polygon_first[polygon + 1]
    i: cython.int
    rounds: cython.int = 0
    a: cython.pointer[cython.const[cython.float]] = corner(layout, end - 2)
    b: cython.pointer[cython.const[cython.float]] = corner(layout, end - 1)
    c: cython.pointer[cython.const[cython.float]]
    ux: cython.double = cython.cast(cython.double, b[0]) - a[0]
    uz: cython.double = cython.cast(cython.double, b[2]) - a[2]
    vx: cython.double
    vz: cython.double
    turn: cython.double
    before: cython.bint = (ux < 0.0) | ((ux == 0.0) & (uz < 0.0))
    behind: cython.bint
    for i in range(layout.polygon_first[polygon], end):
        c = corner(layout, i)
        vx = cython.cast(cython.double, c[0]) - b[0]
        vz = cython.cast(cython.double, c[2]) - b[2]
        turn = orientation(a[0], a[2], b[0], b[2], c[0], c[2])
        if is_too_short(vx, vz) or (not (turn > 0.0) and (turn < 0.0 or ux * vx + uz * vz < 0.0)):
            return False
        behind = (vx < 0.0) | ((vx == 0.0) & (vz < 0.0))
        rounds += before & (behind ^ 1)
        before = behind
        ux = vx
        uz = vz
        a = b
        b = c
    return rounds == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outer_corners(
    layout: cython.pointer[cython.const[TileLayout]], first: cython.int, end: cython.int, outer: cython.p_int
) -> cython.int:
    """Lists the corners of an outline that are left when all that do not turn left are cut off, one after the other.

    They begin at the leftmost corner, which is listed again behind them, and the answer is how many there are.
    """
    count: cython.int = 0
    start: cython.int = first
    at: cython.int
    _step: cython.int
    a: cython.pointer[cython.const[cython.float]] = corner(layout, first)
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    for at in range(first + 1, end):
        c = corner(layout, at)
        if c[0] < a[0] or (c[0] == a[0] and c[2] < a[2]):
            a = c
            start = at
    at = start
    for _step in range(end - first + 1):
        c = corner(layout, at)
        while count >= 2:
            a = corner(layout, outer[count - 2])
            b = corner(layout, outer[count - 1])
            if orientation(a[0], a[2], b[0], b[2], c[0], c[2]) > 0.0:
                break
            count -= 1
        outer[count] = at
        count += 1
        at = at + 1 if at + 1 < end else first
    return count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def goes_round_once(
    layout: cython.pointer[cython.const[TileLayout]], outer: cython.pointer[cython.const[cython.int]], count: cython.int
) -> cython.bint:
    """Whether the outer corners make a convex polygon: they turn left but for the first, which is looked at here."""
    i: cython.int
    rounds: cython.int = 0
    a: cython.pointer[cython.const[cython.float]]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    before: cython.bint
    behind: cython.bint
    if count < 3:
        return False
    a = corner(layout, outer[count - 1])
    b = corner(layout, outer[0])
    c = corner(layout, outer[1])
    if not orientation(a[0], a[2], b[0], b[2], c[0], c[2]) > 0.0:
        return False
    before = (b[0] < a[0]) | ((b[0] == a[0]) & (b[2] < a[2]))
    for i in range(count):
        a = corner(layout, outer[i])
        b = corner(layout, outer[i + 1])
        behind = (b[0] < a[0]) | ((b[0] == a[0]) & (b[2] < a[2]))
        rounds += before & (behind ^ 1)
        before = behind
    return rounds == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distance_left(
    layout: cython.pointer[cython.const[TileLayout]], start: cython.int, stop: cython.int, other: cython.int
) -> cython.double:
    """How far a corner lies to the left of the edge between two others, times the edge's length."""
    a: cython.pointer[cython.const[cython.float]] = corner(layout, start)
    b: cython.pointer[cython.const[cython.float]] = corner(layout, stop)
    c: cython.pointer[cython.const[cython.float]] = corner(layout, other)
    ex: cython.double = cython.cast(cython.double, b[0]) - a[0]
    ez: cython.double = cython.cast(cython.double, b[2]) - a[2]
    return ez * (cython.cast(cython.double, c[0]) - a[0]) - ex * (cython.cast(cython.double, c[2]) - a[2])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_along(
    layout: cython.pointer[cython.const[TileLayout]], start: cython.int, stop: cython.int, other: cython.int
) -> cython.double:
    """How far along the edge between two corners another lies, times the edge's length."""
    a: cython.pointer[cython.const[cython.float]] = corner(layout, start)
    b: cython.pointer[cython.const[cython.float]] = corner(layout, stop)
    c: cython.pointer[cython.const[cython.float]] = corner(layout, other)
    ex: cython.double = cython.cast(cython.double, b[0]) - a[0]
    ez: cython.double = cython.cast(cython.double, b[2]) - a[2]
    return ex * (cython.cast(cython.double, c[0]) - a[0]) + ez * (cython.cast(cython.double, c[2]) - a[2])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lies_behind(
    layout: cython.pointer[cython.const[TileLayout]],
    outer: cython.pointer[cython.const[cython.int]],
    count: cython.int,
    side: cython.int,
    start: cython.int,
    stop: cython.int,
    slack: cython.double,
) -> cython.bint:
    """Whether an outer corner lies farther behind an edge than the tolerance.

    The edge belongs to the run of corners cut off between outer corners `side` and `side + 1`. The outer corners are
    convex, so the farthest of them is found by walking from there for as long as they lie farther and farther behind.
    """
    limit: cython.double = slack * slack * part_along(layout, start, stop, stop)
    direction: cython.int
    at: cython.int
    left: cython.double
    following: cython.double
    for direction in range(-1, 2, 2):
        at = side if direction < 0 else (side + 1 if side + 1 < count else 0)
        left = distance_left(layout, start, stop, outer[at])
        while True:
            if left < 0.0 and left * left > limit:
                return True
            at += direction
            at = count - 1 if at < 0 else (0 if at == count else at)
            following = distance_left(layout, start, stop, outer[at])
            if not following < left:
                break
            left = following
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_convex_within(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, slack: cython.double
) -> cython.bint:
    """Whether an outline is convex but for corners that lie no farther inside than `slack`, in time linear in them.

    The corners that turn left make a convex polygon. The others lie on the inside of its sides, within the tolerance,
    and go forward along them: so the outline does not run back on itself, and goes round once because the polygon does.
    """
    outer: cython.int[1025]
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    count: cython.int = outer_corners(layout, first, end, outer)
    side: cython.int
    at: cython.int
    before: cython.int
    left: cython.double
    length: cython.double
    along: cython.double
    last: cython.double
    if not goes_round_once(layout, outer, count):
        return False
    for side in range(count):
        length = part_along(layout, outer[side], outer[side + 1], outer[side + 1])
        last = 0.0
        before = outer[side]
        while before != outer[side + 1]:
            at = before + 1 if before + 1 < end else first
            if edge_is_too_short(layout, before, at):
                return False
            if at != outer[side + 1]:
                left = distance_left(layout, outer[side], outer[side + 1], at)
                along = part_along(layout, outer[side], outer[side + 1], at)
                if left < 0.0 or left * left > slack * slack * length or not (last < along and along < length):
                    return False
                last = along
            if (before != outer[side] or at != outer[side + 1]) and lies_behind(
                layout, outer, count, side, before, at, slack
            ):
                return False
            before = at
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def edge_is_too_short(
    layout: cython.pointer[cython.const[TileLayout]], start: cython.int, stop: cython.int
) -> cython.bint:
    a: cython.pointer[cython.const[cython.float]] = corner(layout, start)
    b: cython.pointer[cython.const[cython.float]] = corner(layout, stop)
    return is_too_short(cython.cast(cython.double, b[0]) - a[0], cython.cast(cython.double, b[2]) - a[2])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def name_fault(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """What is wrong with an outline that is not convex within the tolerance. Quadratic, and asked once a tile."""
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    size: cython.double = tile_size(cython.address(layout.header.settings))
    slack: cython.double = CONVEX_TOLERANCE * size
    area: cython.double = 0.0
    i: cython.int
    k: cython.int
    a: cython.pointer[cython.const[cython.float]]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    ax: cython.double
    az: cython.double
    ex: cython.double
    ez: cython.double
    cross: cython.double
    for i in range(first, end):
        a = corner(layout, i)
        b = corner(layout, i + 1 if i + 1 < end else first)
        ax = a[0]
        az = a[2]
        ex = b[0] - ax
        ez = b[2] - az
        if is_too_short(ex, ez):
            return refuse(refusal, FAULT_ZERO_EDGE, POLYGON_VERTICES, i, polygon)
        for k in range(first, end):
            c = corner(layout, k)
            cross = ez * (c[0] - ax) - ex * (c[2] - az)
            if k != i and c[0] == a[0] and c[2] == a[2]:
                return refuse(refusal, FAULT_REPEATED, POLYGON_VERTICES, k, polygon)
            if cross < 0.0 and cross * cross > slack * slack * (ex * ex + ez * ez):
                return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, k, polygon)
        c = corner(layout, first)
        area += ez * (c[0] - ax) - ex * (c[2] - az)
    if not area > 0.0:
        return refuse(refusal, FAULT_WINDING, POLYGON_VERTICES, first, polygon)
    return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, first, polygon)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_shapes(layout: cython.pointer[cython.const[TileLayout]], refusal: cython.pointer[Refusal]) -> cython.int:
    polygon: cython.int
    slack: cython.double = CONVEX_TOLERANCE * tile_size(cython.address(layout.header.settings))
    for polygon in range(layout.header.polygon_count):
        if not (is_plainly_convex(layout, polygon) or is_convex_within(layout, polygon, slack)):
            return name_fault(layout, polygon, refusal)
    return FAULT_NONE


# --- neighbours


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def vertex_after(layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, edge: cython.int) -> cython.int:
    """The vertex at which an edge of a polygon ends."""
    following: cython.int = edge + 1
    return layout.polygon_vertices[
        following if following < layout.polygon_first[polygon + 1] else layout.polygon_first[polygon]
    ]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def answering_edge(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, edge: cython.int, near: cython.int
) -> cython.int:
    """The edge of the polygon behind an edge that is it the other way round and names `polygon`; -1 if there is none.

    Polygons that share many edges meet them in opposite orders. So the search goes back from `near`, the edge found
    last, if that is one of the same neighbour's, and finds all of them in one round.
    """
    neighbour: cython.int = layout.neighbours[edge]
    start: cython.int = layout.polygon_vertices[edge]
    stop: cython.int = vertex_after(layout, polygon, edge)
    first: cython.int
    end: cython.int
    at: cython.int
    _step: cython.int
    if neighbour < 0 or neighbour >= layout.header.polygon_count or neighbour == polygon:
        return -1
    first = layout.polygon_first[neighbour]
    end = layout.polygon_first[neighbour + 1]
    at = near if first <= near and near < end else end - 1
    for _step in range(end - first):
        if layout.polygon_vertices[at] == stop and vertex_after(layout, neighbour, at) == start:
            return at if layout.neighbours[at] == polygon else -1
        at = at - 1 if at > first else end - 1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def side_is_right(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, edge: cython.int
) -> cython.bint:
    """Whether an edge lies on the side that it names and has no neighbour."""
    size: cython.float = tile_size(cython.address(layout.header.settings))
    stop: cython.pointer[cython.const[cython.float]] = layout.vertices + 3 * vertex_after(layout, polygon, edge)
    return layout.neighbours[edge] == -1 and layout.border_sides[edge] == side_of_edge(corner(layout, edge), stop, size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_neighbours(layout: cython.pointer[cython.const[TileLayout]], refusal: cython.pointer[Refusal]) -> cython.int:
    """Neighbours name each other over the same two vertices; an edge names the side it lies on, or is a wall there.

    A neighbour with a higher number is asked whether it answers. Every edge that does is another one, so where as many
    edges name a lower neighbour as a higher one, all of those have been found; else one of them is looked for.
    """
    polygon: cython.int
    i: cython.int
    neighbour: cython.int
    higher: cython.int = 0
    lower: cython.int = 0
    found: cython.int = -1
    for polygon in range(layout.header.polygon_count):
        for i in range(layout.polygon_first[polygon], layout.polygon_first[polygon + 1]):
            neighbour = layout.neighbours[i]
            if layout.border_sides[i] != -1 and not side_is_right(layout, polygon, i):
                return refuse(refusal, FAULT_SIDE, BORDER_SIDES, i, polygon)
            if neighbour > polygon:
                higher += 1
                found = answering_edge(layout, polygon, i, found)
                if found < 0:
                    return refuse(refusal, FAULT_NEIGHBOUR, NEIGHBOURS, i, polygon)
            elif neighbour != -1:
                lower += 1
    if higher == lower:
        return FAULT_NONE
    for polygon in range(layout.header.polygon_count):
        for i in range(layout.polygon_first[polygon], layout.polygon_first[polygon + 1]):
            if layout.neighbours[i] != -1:
                found = answering_edge(layout, polygon, i, found)
                if found < 0:
                    return refuse(refusal, FAULT_NEIGHBOUR, NEIGHBOURS, i, polygon)
    return FAULT_NONE
