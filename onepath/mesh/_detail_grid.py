"""Builds a tile's detail grids on first use (queries document, nearest polygon).

A polygon of 12 detail triangles or more has a grid over their box; a cell lists the triangles that may contain a place
in it. Where a place lies and what a triangle covers are computed by the same subtraction and division, which never turn
the order of two numbers round: so a triangle that covers a place is listed in its cell, whatever is rounded.
"""

import cython
from cython.cimports.libc.math import INFINITY, fabs, floor, sqrt
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.libc.string import memset
from cython.cimports.onepath.mesh._atomics import publish, read_published
from cython.cimports.onepath.mesh._detail_grid import GRID_TRIANGLES, CellTriangles
from cython.cimports.onepath.mesh._mesh import TileSlot
from cython.cimports.onepath.mesh._surface import Vector, detail_vertex

# By how much of a cell cells are widened.
CELL_SLACK = cython.declare(cython.double, 1e-6)
# By how much of its larger side a triangle's box is widened, and by how much whatever its size, metres.
BOX_SLACK = cython.declare(cython.double, 1e-6)
LEAST_SLACK = cython.declare(cython.double, 1e-9)
# A triangle of less than this times its side squared, twice its area, may claim places far away: all cells list it.
ILL_SHAPED = cython.declare(cython.double, 1e-6)

DetailGrid = cython.struct(
    side=cython.int,  # side x side cells, 0 for a polygon without a grid
    first_cell=cython.int,  # into cell_first, row by row
    low_x=cython.double,
    low_z=cython.double,
    cell_x=cython.double,  # size of a cell; 0 where the box has no extent
    cell_z=cython.double,
)

# One block from malloc, this first.
DetailGrids = cython.struct(
    grids=cython.pointer(DetailGrid),  # a polygon each
    cell_first=cython.p_int,  # (cells + 1) into `triangles`
    triangles=cython.p_int,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def cell_of(offset: cython.double, cell: cython.double, side: cython.int) -> cython.int:
    """The cell at an offset from the grid's low end, the nearest one for places outside."""
    place: cython.double
    if not cell > 0.0:
        return 0
    place = offset / cell
    if not place > 0.0:
        return 0
    return side - 1 if place >= side else cython.cast(cython.int, place)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def triangle_box(
    tile: cython.pointer(cython.const[TileSlot]), triangle: cython.int, low: cython.p_double, high: cython.p_double
) -> cython.double:
    """The triangle's box in X/Z; twice its area."""
    a: Vector = detail_vertex(tile, tile.detail_triangles[3 * triangle])
    b: Vector = detail_vertex(tile, tile.detail_triangles[3 * triangle + 1])
    c: Vector = detail_vertex(tile, tile.detail_triangles[3 * triangle + 2])
    low[0] = min(a.x, min(b.x, c.x))
    low[1] = min(a.z, min(b.z, c.z))
    high[0] = max(a.x, max(b.x, c.x))
    high[1] = max(a.z, max(b.z, c.z))
    return fabs((b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay_grid(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, grid: cython.pointer(DetailGrid)
) -> cython.void:
    """Lays the polygon's grid over its detail box, if it has enough triangles."""
    triangle: cython.int
    count: cython.int = tile.detail_first[polygon + 1] - tile.detail_first[polygon]
    low: cython.double[2]
    high: cython.double[2]
    high_x: cython.double = -INFINITY
    high_z: cython.double = -INFINITY
    side: cython.double = floor(sqrt(count / 2.0))
    grid.side = 0
    if count < GRID_TRIANGLES:
        return
    grid.side = cython.cast(cython.int, max(2.0, min(32.0, side)))
    grid.low_x = INFINITY
    grid.low_z = INFINITY
    for triangle in range(tile.detail_first[polygon], tile.detail_first[polygon + 1]):
        triangle_box(tile, triangle, low, high)
        grid.low_x = min(grid.low_x, low[0])
        grid.low_z = min(grid.low_z, low[1])
        high_x = max(high_x, high[0])
        high_z = max(high_z, high[1])
    grid.cell_x = (high_x - grid.low_x) / grid.side
    grid.cell_z = (high_z - grid.low_z) / grid.side


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_triangles(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    grid: cython.pointer(cython.const[DetailGrid]),
    ends: cython.p_int,
    triangles: cython.p_int,
) -> cython.void:
    """Moves on the end of every cell's list by its triangles; with `triangles`, writes them there."""
    triangle: cython.int
    row: cython.int
    column: cython.int
    cell: cython.int
    first: cython.int[2]
    last: cython.int[2]
    low: cython.double[2]
    high: cython.double[2]
    larger: cython.double
    slack: cython.double
    area: cython.double
    for triangle in range(tile.detail_first[polygon], tile.detail_first[polygon + 1]):
        area = triangle_box(tile, triangle, low, high)
        larger = max(high[0] - low[0], high[1] - low[1])
        slack = BOX_SLACK * larger + LEAST_SLACK
        first[0] = first[1] = 0
        last[0] = last[1] = grid.side - 1
        if not area < ILL_SHAPED * (larger * larger):
            first[0] = cell_of(low[0] - slack - grid.low_x - CELL_SLACK * grid.cell_x, grid.cell_x, grid.side)
            last[0] = cell_of(high[0] + slack - grid.low_x + CELL_SLACK * grid.cell_x, grid.cell_x, grid.side)
            first[1] = cell_of(low[1] - slack - grid.low_z - CELL_SLACK * grid.cell_z, grid.cell_z, grid.side)
            last[1] = cell_of(high[1] + slack - grid.low_z + CELL_SLACK * grid.cell_z, grid.cell_z, grid.side)
        for row in range(first[1], last[1] + 1):
            for column in range(first[0], last[0] + 1):
                cell = row * grid.side + column
                if triangles != cython.NULL:
                    triangles[ends[cell]] = triangle
                ends[cell] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def filled_grids(
    tile: cython.pointer(cython.const[TileSlot]),
    laid: cython.pointer(DetailGrid),
    cell_count: cython.int,
    ends: cython.p_int,
) -> cython.pointer(DetailGrids):
    """The grids in one block, or NULL; `ends` is scratch for as many ints as there are cells, all 0."""
    polygons: cython.size_t = tile.polygon_count
    polygon: cython.int
    cell: cython.int
    total: cython.longlong = 0
    block: cython.p_char
    grids: cython.pointer(DetailGrids)
    for polygon in range(tile.polygon_count):
        if laid[polygon].side > 0:
            list_triangles(tile, polygon, laid + polygon, ends + laid[polygon].first_cell, cython.NULL)
    for cell in range(cell_count):
        total += ends[cell]
    if total > 0x7FFFFFFF:
        return cython.NULL
    block = cython.cast(
        cython.p_char,
        malloc(
            cython.sizeof(DetailGrids)
            + polygons * cython.sizeof(DetailGrid)
            + (cython.cast(cython.size_t, cell_count) + 1 + cython.cast(cython.size_t, total))
            * cython.sizeof(cython.int)
        ),
    )
    if block == cython.NULL:
        return cython.NULL
    grids = cython.cast(cython.pointer(DetailGrids), block)
    grids.grids = cython.cast(cython.pointer(DetailGrid), block + cython.sizeof(DetailGrids))
    grids.cell_first = cython.cast(cython.p_int, grids.grids + polygons)
    grids.triangles = grids.cell_first + cell_count + 1
    grids.cell_first[0] = 0
    for cell in range(cell_count):
        grids.cell_first[cell + 1] = grids.cell_first[cell] + ends[cell]
        ends[cell] = grids.cell_first[cell]
    for polygon in range(tile.polygon_count):
        grids.grids[polygon] = laid[polygon]
        if laid[polygon].side > 0:
            list_triangles(tile, polygon, laid + polygon, ends + laid[polygon].first_cell, grids.triangles)
    return grids


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def build_grids(tile: cython.pointer(TileSlot)) -> cython.pointer(DetailGrids):
    """Builds and publishes the grids of a tile; NULL where there is no memory."""
    polygon: cython.int
    cell_count: cython.int = 0
    laid: cython.pointer(DetailGrid) = cython.cast(
        cython.pointer(DetailGrid), malloc(cython.cast(cython.size_t, tile.polygon_count) * cython.sizeof(DetailGrid))
    )
    ends: cython.p_int = cython.NULL
    grids: cython.pointer(DetailGrids) = cython.NULL
    published: cython.pointer(DetailGrids) = cython.NULL
    if laid == cython.NULL:
        return cython.NULL
    memset(laid, 0, cython.cast(cython.size_t, tile.polygon_count) * cython.sizeof(DetailGrid))
    # A tile has fewer than 2**31 / 6 triangles, and a grid no more than half as many cells as triangles.
    for polygon in range(tile.polygon_count):
        lay_grid(tile, polygon, laid + polygon)
        laid[polygon].first_cell = cell_count
        cell_count += laid[polygon].side * laid[polygon].side
    ends = cython.cast(cython.p_int, calloc(cell_count, cython.sizeof(cython.int)))
    if ends != cython.NULL:
        grids = filled_grids(tile, laid, cell_count, ends)
    free(ends)
    free(laid)
    if grids != cython.NULL:
        published = cython.cast(cython.pointer(DetailGrids), publish(cython.address(tile.detail_grids), grids))
        if published != grids:
            free(grids)
    return published


def triangles_near(tile, polygon, x, z):
    # Grids are no part of what a tile says, so a tile that is only read gets them too.
    owner: cython.pointer(TileSlot) = cython.cast(cython.pointer(TileSlot), tile)
    grids: cython.pointer(DetailGrids) = cython.cast(
        cython.pointer(DetailGrids), read_published(cython.address(owner.detail_grids))
    )
    grid: cython.pointer(DetailGrid)
    cell: cython.int
    listed: CellTriangles
    listed.count = 0
    listed.triangles = cython.NULL
    if grids == cython.NULL:
        grids = build_grids(owner)
        if grids == cython.NULL:
            return listed
    grid = grids.grids + polygon
    cell = grid.first_cell + cell_of(z - grid.low_z, grid.cell_z, grid.side) * grid.side
    cell += cell_of(x - grid.low_x, grid.cell_x, grid.side)
    listed.triangles = grids.triangles + grids.cell_first[cell]
    listed.count = grids.cell_first[cell + 1] - grids.cell_first[cell]
    return listed
