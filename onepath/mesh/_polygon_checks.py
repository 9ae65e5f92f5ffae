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

    Such an outline is convex and needs no tolerance; of the others `check_shape` decides. The edges' directions are
    differences of float32 numbers, whose signs are exact in doubles.
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
def check_shape(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """Convex within the tolerance, counter-clockwise seen from above, no edge without length in X/Z."""
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
    return check_turns(layout, polygon, refusal)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_turns(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, refusal: cython.pointer[Refusal]
) -> cython.int:
    """No corner turns straight back and the outline goes round once, which the tolerance alone would let pass."""
    first: cython.int = layout.polygon_first[polygon]
    end: cython.int = layout.polygon_first[polygon + 1]
    i: cython.int
    rounds: cython.int = 0
    a: cython.pointer[cython.const[cython.float]]
    b: cython.pointer[cython.const[cython.float]]
    c: cython.pointer[cython.const[cython.float]]
    ux: cython.double
    uz: cython.double
    vx: cython.double
    vz: cython.double
    turn: cython.double
    before: cython.bint
    behind: cython.bint
    for i in range(first, end):
        a = corner(layout, i - 1 if i > first else end - 1)
        b = corner(layout, i)
        c = corner(layout, i + 1 if i + 1 < end else first)
        ux = cython.cast(cython.double, b[0]) - a[0]
        uz = cython.cast(cython.double, b[2]) - a[2]
        vx = cython.cast(cython.double, c[0]) - b[0]
        vz = cython.cast(cython.double, c[2]) - b[2]
        turn = orientation(a[0], a[2], b[0], b[2], c[0], c[2])
        if ux * vx + uz * vz < 0.0 and not turn > 0.0:
            return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, i, polygon)
        # Rounds are counted where the direction passes that of +z: the half plane on its right comes before it.
        before = ux < 0.0 or (ux == 0.0 and uz < 0.0)
        behind = vx < 0.0 or (vx == 0.0 and vz < 0.0)
        if before and not behind and turn > 0.0:
            rounds += 1
        elif behind and not before and turn < 0.0:
            rounds -= 1
    if rounds != 1:
        return refuse(refusal, FAULT_CONVEX, POLYGON_VERTICES, first, polygon)
    return FAULT_NONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def check_shapes(layout: cython.pointer[cython.const[TileLayout]], refusal: cython.pointer[Refusal]) -> cython.int:
    polygon: cython.int
    for polygon in range(layout.header.polygon_count):
        if not is_plainly_convex(layout, polygon) and check_shape(layout, polygon, refusal):
            return refusal.fault
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
def neighbour_answers(
    layout: cython.pointer[cython.const[TileLayout]], polygon: cython.int, edge: cython.int
) -> cython.bint:
    """Whether the polygon behind an edge exists, has the edge the other way round and names `polygon` behind it."""
    neighbour: cython.int = layout.neighbours[edge]
    start: cython.int = layout.polygon_vertices[edge]
    stop: cython.int = vertex_after(layout, polygon, edge)
    i: cython.int
    if neighbour < 0 or neighbour >= layout.header.polygon_count or neighbour == polygon:
        return False
    for i in range(layout.polygon_first[neighbour], layout.polygon_first[neighbour + 1]):
        if layout.polygon_vertices[i] == stop and vertex_after(layout, neighbour, i) == start:
            return layout.neighbours[i] == polygon
    return False


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
    for polygon in range(layout.header.polygon_count):
        for i in range(layout.polygon_first[polygon], layout.polygon_first[polygon + 1]):
            neighbour = layout.neighbours[i]
            if layout.border_sides[i] != -1 and not side_is_right(layout, polygon, i):
                return refuse(refusal, FAULT_SIDE, BORDER_SIDES, i, polygon)
            if neighbour > polygon:
                higher += 1
                if not neighbour_answers(layout, polygon, i):
                    return refuse(refusal, FAULT_NEIGHBOUR, NEIGHBOURS, i, polygon)
            elif neighbour != -1:
                lower += 1
    if higher == lower:
        return FAULT_NONE
    for polygon in range(layout.header.polygon_count):
        for i in range(layout.polygon_first[polygon], layout.polygon_first[polygon + 1]):
            if layout.neighbours[i] != -1 and not neighbour_answers(layout, polygon, i):
                return refuse(refusal, FAULT_NEIGHBOUR, NEIGHBOURS, i, polygon)
    return FAULT_NONE
