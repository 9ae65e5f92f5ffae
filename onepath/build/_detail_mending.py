"""Vertices of detail within a polygon: for the cell that is farthest off, or a place between the centres of cells."""

import cython
from cython.cimports.onepath.build._buffers import push_int
from cython.cimports.onepath.build._detail_edges import add_detail_vertex
from cython.cimports.onepath.build._detail_errors import DetailPoint
from cython.cimports.onepath.build._detail_places import OffPlace
from cython.cimports.onepath.build._detail_polygons import MOST_DETAIL, Detail
from cython.cimports.onepath.build._detail_triangles import (
    PART_BITS,
    PARTS,
    DetailTriangles,
    add_inside,
    add_to_queue,
    find_room,
)
from cython.cimports.onepath.build._floor_heights import FloorHeights, is_touched
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays

#: Vertices that a cell may get beside its centre: slivers beside one another have no centres, and this has to end.
MOST_IN_CELL = cython.declare(cython.int, 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def corners_of(
    made: cython.pointer[cython.const[DetailTriangles]], triangle: cython.int, corners: cython.pointer[DetailPoint]
) -> cython.void:
    k: cython.int
    vertex: cython.int
    for k in range(3):
        vertex = made.corner.data[3 * triangle + k]
        corners[k].x = made.x.data[vertex]
        corners[k].y = made.y.data[vertex]
        corners[k].z = made.z.data[vertex]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_on_floor(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    detail: cython.pointer[Detail],
    triangle: cython.int,
    x: cython.int,
    z: cython.int,
) -> cython.int:
    """A vertex, in parts, on the floor of its cell, in a triangle that covers it. Returns -1 without memory, -4 without
    room."""
    if detail.vertices.x.count >= MOST_DETAIL or detail.made.triangle_count >= MOST_DETAIL - 2:
        return -4
    y: cython.int = detail.floors.row.data[(x >> PART_BITS) + (z >> PART_BITS) * detail.floors.width]
    name: cython.int = polygons.vertex_count + detail.vertices.x.count
    if add_detail_vertex(cython.address(detail.vertices), x, z, y) < 0:
        return -1
    return add_inside(cython.address(detail.made), triangle, x, z, y, name)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_cell(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    detail: cython.pointer[Detail],
    triangle: cython.int,
    x: cython.int,
    z: cython.int,
) -> cython.int:
    """A vertex at the centre of a cell."""
    return _add_on_floor(polygons, detail, triangle, x * PARTS + PARTS // 2, z * PARTS + PARTS // 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_on_outline(
    made: cython.pointer[cython.const[DetailTriangles]],
    triangle: cython.int,
    place: cython.pointer[cython.const[OffPlace]],
) -> cython.bint:
    """Whether a place of a triangle lies on the polygon's outline, to within a part."""
    corners: DetailPoint[3]
    k: cython.int
    x: cython.double
    z: cython.double
    across: cython.double
    corners_of(made, triangle, corners)
    for k in range(3):
        if made.twin.data[3 * triangle + k] >= 0:
            continue
        x = corners[k + 1 if k < 2 else 0].x - corners[k].x
        z = corners[k + 1 if k < 2 else 0].z - corners[k].z
        across = z * (place.x - corners[k].x) - x * (place.z - corners[k].z)
        if across * across <= x * x + z * z:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mend_beside_centre(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    detail: cython.pointer[Detail],
    triangle: cython.int,
    place: cython.pointer[cython.const[OffPlace]],
) -> cython.int:
    """Adds a vertex in the middle of what a triangle has in a cell, if there is room. Returns 0 where it cannot."""
    cell: cython.int = place.cell_x + place.cell_z * detail.floors.width
    x: cython.int = cython.cast(cython.int, place.middle_x)
    z: cython.int = cython.cast(cython.int, place.middle_z)
    here: cython.int = 0
    k: cython.int
    # Nothing within a triangle brings its outline nearer.
    if _is_on_outline(cython.address(detail.made), triangle, place):
        return 0
    for k in range(detail.mended.count):
        here += detail.mended.data[k] == cell
    if here == MOST_IN_CELL:
        return 0
    # On the border of cells the floor would be that of others too.
    if x & (PARTS - 1) == 0 or z & (PARTS - 1) == 0:
        return 0
    if (x >> PART_BITS) + (z >> PART_BITS) * detail.floors.width != cell:
        return 0
    k = find_room(cython.address(detail.made), triangle, x, z)
    if k < 0:
        return 0
    if push_int(cython.address(detail.mended), cell) < 0 or add_to_queue(cython.address(detail.made), triangle) < 0:
        return -1
    k = _add_on_floor(polygons, detail, k, x, z)
    return k if k < 0 else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mend_place(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    detail: cython.pointer[Detail],
    triangle: cython.int,
    place: cython.pointer[cython.const[OffPlace]],
) -> cython.int:
    """Adds a vertex for a place: at the centre of the cell that is nearest, of those around the corner nearest to it.

    Slivers have no centres; there it lies in the cell's part of the triangle. Returns 0 where nothing can be added.
    """
    floors: cython.pointer[cython.const[FloorHeights]] = cython.address(detail.floors)
    beside_x: cython.int = 1 if place.x > place.cell_x * PARTS + PARTS // 2 else -1
    beside_z: cython.int = 1 if place.z > place.cell_z * PARTS + PARTS // 2 else -1
    k: cython.int
    x: cython.int
    z: cython.int
    at: cython.int
    for k in range(4):
        x = place.cell_x + (beside_x if k & 1 else 0)
        z = place.cell_z + (beside_z if k & 2 else 0)
        if not is_touched(floors, x, z) or floors.row.data[x + z * floors.width] < 0:
            continue
        at = find_room(cython.address(detail.made), triangle, x * PARTS + PARTS // 2, z * PARTS + PARTS // 2)
        if at >= 0:
            if add_to_queue(cython.address(detail.made), triangle) < 0:
                return -1
            k = add_cell(polygons, detail, at, x, z)
            return k if k < 0 else 1
    return _mend_beside_centre(polygons, detail, triangle, place)
