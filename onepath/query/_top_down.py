"""The mesh seen straight from above, as a picture's pixels: which polygon lies on top at the middle of each."""

import cython
from cython.cimports.libc.math import ceil, floor
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot, make_reference
from cython.cimports.onepath.mesh._surface import Vector, outline_contains, surface_height, world_vertex
from cython.cimports.onepath.query._filter import QueryFilter
from cython.cimports.onepath.query._query_core import chosen_filter

# What the kernel writes to: rows along z, columns along x; x and z are the middles of columns and rows.
PixelGrid = cython.struct(
    heights=cython.p_double,
    references=cython.p_longlong,
    areas=cython.p_uchar,
    rows=cython.int,
    columns=cython.int,
    x=cython.pointer(cython.const[cython.double]),
    z=cython.pointer(cython.const[cython.double]),
    size=cython.double,
    ceiling=cython.double,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def first_pixel(low: cython.double, middle: cython.double, size: cython.double) -> cython.int:
    """The first pixel whose middle may lie at `low` or beyond, one earlier for rounding; not below 0."""
    place: cython.double = floor((low - middle) / size) - 1.0
    return cython.cast(cython.int, place) if place > 0.0 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def last_pixel(high: cython.double, middle: cython.double, size: cython.double, count: cython.int) -> cython.int:
    place: cython.double = ceil((high - middle) / size) + 1.0
    return cython.cast(cython.int, place) if place < count - 1 else count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def span_of_row(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    z: cython.double,
    low: cython.p_double,
    high: cython.p_double,
) -> cython.bint:
    """Where a line along x crosses the outline, up to rounding; false where it does not."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    a: Vector = world_vertex(tile, tile.polygon_vertices[last - 1])
    b: Vector
    x: cython.double
    found: cython.bint = False
    edge: cython.int
    for edge in range(first, last):
        b = world_vertex(tile, tile.polygon_vertices[edge])
        if (a.z <= z <= b.z) or (b.z <= z <= a.z):
            x = b.x if a.z == b.z else a.x + (b.x - a.x) * ((z - a.z) / (b.z - a.z))
            if not found or x < low[0]:
                low[0] = x
            if not found or x > high[0]:
                high[0] = x
            if a.z == b.z:
                low[0] = a.x if a.x < low[0] else low[0]
                high[0] = a.x if a.x > high[0] else high[0]
            found = True
        a = b
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw_polygon(
    grid: cython.pointer(PixelGrid),
    tile: cython.pointer(cython.const[TileSlot]),
    slot: cython.int,
    polygon: cython.int,
) -> cython.void:
    first: cython.int = tile.polygon_first[polygon]
    low: cython.double = tile.origin[2] + tile.vertices[3 * tile.polygon_vertices[first] + 2]
    high: cython.double = low
    left: cython.double = 0.0
    right: cython.double = 0.0
    x: cython.double
    z: cython.double
    height: cython.double
    pixel: cython.size_t
    row: cython.int
    column: cython.int
    edge: cython.int
    for edge in range(first, tile.polygon_first[polygon + 1]):
        z = tile.origin[2] + tile.vertices[3 * tile.polygon_vertices[edge] + 2]
        low = z if z < low else low
        high = z if z > high else high
    for row in range(first_pixel(low, grid.z[0], grid.size), last_pixel(high, grid.z[0], grid.size, grid.rows) + 1):
        z = grid.z[row]
        if not span_of_row(tile, polygon, z, cython.address(left), cython.address(right)):
            continue
        for column in range(
            first_pixel(left, grid.x[0], grid.size), last_pixel(right, grid.x[0], grid.size, grid.columns) + 1
        ):
            x = grid.x[column]
            if not outline_contains(tile, polygon, x, z):
                continue
            height = surface_height(tile, polygon, x, z)
            pixel = cython.cast(cython.size_t, row) * cython.cast(cython.size_t, grid.columns) + column
            if height > grid.ceiling or height <= grid.heights[pixel]:
                continue
            grid.heights[pixel] = height
            grid.references[pixel] = make_reference(tile.generation, slot, polygon)
            grid.areas[pixel] = tile.areas[polygon]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw_mesh(
    grid: cython.pointer(PixelGrid),
    mesh: cython.pointer(cython.const[MeshState]),
    table: cython.pointer(cython.const[FilterTable]),
) -> cython.void:
    tile: cython.pointer(cython.const[TileSlot])
    slot: cython.int
    polygon: cython.int
    for slot in range(mesh.slot_count):
        tile = mesh.slots + slot
        if not tile.used:
            continue
        for polygon in range(tile.polygon_count):
            if filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
                draw_polygon(grid, tile, slot, polygon)


def draw_top(
    mesh: MeshCore,
    filter: object,
    heights: cython.double[:, ::1],
    references: cython.longlong[:, ::1],
    areas: cython.uchar[:, ::1],
    x: cython.const[cython.double][::1],
    z: cython.const[cython.double][::1],
    size: cython.double,
    ceiling: cython.double,
) -> None:
    """Fills a picture in with the highest surface not above `ceiling` at the middle of each pixel.

    Args:
        mesh: what to look at.
        filter: a QueryFilter; polygons that it refuses are looked through.
        heights, references, areas: of shape (rows, columns), rows along z; heights are minus infinity before.
        x, z: middles of the columns (columns) and of the rows (rows), ascending by `size`.
        size: of a pixel, metres.
    """
    used: QueryFilter = chosen_filter(filter, mesh)
    grid: PixelGrid
    if heights.shape[0] == 0 or heights.shape[1] == 0:
        return
    grid.heights = cython.address(heights[0, 0])
    grid.references = cython.address(references[0, 0])
    grid.areas = cython.address(areas[0, 0])
    grid.rows = cython.cast(cython.int, heights.shape[0])
    grid.columns = cython.cast(cython.int, heights.shape[1])
    grid.x = cython.address(x[0])
    grid.z = cython.address(z[0])
    grid.size = size
    grid.ceiling = ceiling
    mesh.enter()
    try:
        used.prepare(cython.address(mesh.state))
        with cython.nogil:
            draw_mesh(cython.address(grid), cython.address(mesh.state), cython.address(used.table))
    finally:
        mesh.leave()
