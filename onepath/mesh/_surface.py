"""Height of a polygon's surface and the closest point of a polygon (queries document, nearest polygon).

Everything is double, in the order that the readings' page fixes for each formula; whether a point is inside an outline
is decided by the exact orientation.
"""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.geometry._exact import orientation
from cython.cimports.onepath.mesh._detail_grid import GRID_TRIANGLES, CellTriangles, triangles_near
from cython.cimports.onepath.mesh._mesh import TileSlot
from cython.cimports.onepath.mesh._surface import Vector, detail_vertex, nearest_on_edge, world_vertex

# How far outside a triangle, in barycentric coordinates, a point still counts as inside it.
TOLERANCE = cython.declare(cython.double, -1e-9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def triangle_height(
    a: Vector, b: Vector, c: Vector, x: cython.double, z: cython.double, least: cython.pointer(cython.double)
) -> cython.double:
    """Height of the triangle's plane at (x, z); `least` becomes the smallest barycentric, -inf without an area."""
    ux: cython.double = b.x - a.x
    uz: cython.double = b.z - a.z
    vx: cython.double = c.x - a.x
    vz: cython.double = c.z - a.z
    px: cython.double = x - a.x
    pz: cython.double = z - a.z
    area: cython.double = uz * vx - ux * vz
    w0: cython.double
    w1: cython.double
    w2: cython.double
    if area == 0.0:
        least[0] = -INFINITY
        return a.y
    w1 = (pz * vx - px * vz) / area
    w2 = (uz * px - ux * pz) / area
    w0 = (1.0 - w1) - w2
    least[0] = w0
    if w1 < least[0]:
        least[0] = w1
    if w2 < least[0]:
        least[0] = w2
    return (a.y + w1 * (b.y - a.y)) + w2 * (c.y - a.y)


def outline_point(tile, polygon, x, z):
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    edge: cython.int
    a: Vector
    b: Vector = world_vertex(tile, tile.polygon_vertices[first])
    start: Vector = b
    point: Vector
    best: Vector = b
    least: cython.double = INFINITY
    distance: cython.double
    for edge in range(first, last):
        a = b
        b = world_vertex(tile, tile.polygon_vertices[edge + 1]) if edge + 1 < last else start
        point = nearest_on_edge(a, b, x, z)
        distance = (point.x - x) * (point.x - x) + (point.z - z) * (point.z - z)
        if distance < least:
            least = distance
            best = point
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outline_contains(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, x: cython.double, z: cython.double
) -> cython.bint:
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    vertex: cython.int
    a: Vector = world_vertex(tile, tile.polygon_vertices[last - 1])
    b: Vector
    for vertex in range(first, last):
        b = world_vertex(tile, tile.polygon_vertices[vertex])
        if orientation(a.x, a.z, b.x, b.z, x, z) < 0.0:
            return False
        a = b
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fan_height(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, x: cython.double, z: cython.double
) -> cython.double:
    """Height from the fan (v0, vi, vi+1): the first triangle that contains the point, else the least violated plane."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    vertex: cython.int
    a: Vector = world_vertex(tile, tile.polygon_vertices[first])
    b: Vector
    c: Vector = world_vertex(tile, tile.polygon_vertices[first + 1])
    height: cython.double
    smallest: cython.double = 0.0
    best_height: cython.double = 0.0
    best_smallest: cython.double = -INFINITY
    for vertex in range(first + 2, last):
        b = c
        c = world_vertex(tile, tile.polygon_vertices[vertex])
        height = triangle_height(a, b, c, x, z, cython.address(smallest))
        if smallest >= TOLERANCE:
            return height
        if smallest > best_smallest:
            best_smallest = smallest
            best_height = height
    if best_smallest == -INFINITY:
        return outline_point(tile, polygon, x, z).y
    return best_height


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def detail_triangle_height(
    tile: cython.pointer(cython.const[TileSlot]),
    triangle: cython.int,
    x: cython.double,
    z: cython.double,
    least: cython.pointer(cython.double),
) -> cython.double:
    corners: cython.pointer(cython.const[cython.int]) = tile.detail_triangles + 3 * triangle
    return triangle_height(
        detail_vertex(tile, corners[0]), detail_vertex(tile, corners[1]), detail_vertex(tile, corners[2]), x, z, least
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def detail_height(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, x: cython.double, z: cython.double
) -> cython.double:
    """Height from the detail triangles, by the rule of the fan.

    The first triangle of the grid's cell that contains the point is the first of all that does. Where none does, or
    there was no memory for a grid, all are looked at.
    """
    first: cython.int = tile.detail_first[polygon]
    last: cython.int = tile.detail_first[polygon + 1]
    listed: CellTriangles
    i: cython.int
    triangle: cython.int
    height: cython.double
    smallest: cython.double = 0.0
    best_height: cython.double = 0.0
    best_smallest: cython.double = -INFINITY
    if last - first >= GRID_TRIANGLES:
        listed = triangles_near(tile, polygon, x, z)
        for i in range(listed.count):
            height = detail_triangle_height(tile, listed.triangles[i], x, z, cython.address(smallest))
            if smallest >= TOLERANCE:
                return height
    for triangle in range(first, last):
        height = detail_triangle_height(tile, triangle, x, z, cython.address(smallest))
        if smallest >= TOLERANCE:
            return height
        if smallest > best_smallest:
            best_smallest = smallest
            best_height = height
    if best_smallest == -INFINITY:
        return outline_point(tile, polygon, x, z).y
    return best_height


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def surface_height(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, x: cython.double, z: cython.double
) -> cython.double:
    if tile.detail_first != cython.NULL and tile.detail_first[polygon] < tile.detail_first[polygon + 1]:
        return detail_height(tile, polygon, x, z)
    return fan_height(tile, polygon, x, z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def closest_point(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    center: Vector,
    over: cython.pointer(cython.bint),
) -> Vector:
    point: Vector
    over[0] = outline_contains(tile, polygon, center.x, center.z)
    if not over[0]:
        return outline_point(tile, polygon, center.x, center.z)
    point.x = center.x
    point.y = surface_height(tile, polygon, center.x, center.z)
    point.z = center.z
    return point
