"""The outline of a polygon with the vertices of detail on its edges, looked for once for both sides of an edge.

A side of the square over which the floor may go on has none: simplifying keeps corners there wherever heights leave the
line by more than a row, or half a row above level ground, and the tile beyond could not know of others.
"""

import cython
from cython.cimports.onepath.build._detail_edges import GridPoint, find_edge_vertices
from cython.cimports.onepath.build._detail_polygons import Detail, DetailRules, is_flat
from cython.cimports.onepath.build._detail_triangles import PART_BITS, PARTS, add_vertex
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _twin_corner(
    polygons: cython.pointer[cython.const[PolygonArrays]], other: cython.int, a: cython.int, b: cython.int
) -> cython.int:
    """The corner of another polygon that its edge from vertex b to vertex a leaves, or -1."""
    last: cython.int = polygons.offset[other + 1] - 1
    corner: cython.int
    for corner in range(polygons.offset[other], last + 1):
        if (
            polygons.vertex[corner] == b
            and polygons.vertex[corner + 1 if corner < last else polygons.offset[other]] == a
        ):
            return corner
    return -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_backward(polygons: cython.pointer[cython.const[PolygonArrays]], a: cython.int, b: cython.int) -> cython.bint:
    """Whether vertex b comes before a by (x, z): the direction in which edges are looked at."""
    if polygons.vertex_x[a] != polygons.vertex_x[b]:
        return polygons.vertex_x[b] < polygons.vertex_x[a]
    return polygons.vertex_z[b] < polygons.vertex_z[a]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place(polygons: cython.pointer[cython.const[PolygonArrays]], vertex: cython.int) -> GridPoint:
    point: GridPoint
    point.x = polygons.vertex_x[vertex]
    point.y = polygons.vertex_y[vertex]
    point.z = polygons.vertex_z[vertex]
    return point


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_at_edge(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    corner: cython.int,
    following: cython.int,
    has_none: cython.bint,
) -> cython.int:
    """Finds the vertices on the edge between two corners, for the polygon behind it too."""
    a: cython.int = polygons.vertex[corner]
    b: cython.int = polygons.vertex[following]
    other: cython.int = polygons.neighbour[corner]
    backward: cython.bint = _is_backward(polygons, a, b)
    begin: GridPoint = _place(polygons, b if backward else a)
    end: GridPoint = _place(polygons, a if backward else b)
    found: cython.int = 0
    twin: cython.int
    detail.edge_first.data[corner] = detail.vertices.x.count
    # A polygon whose region is flat gets none.
    if not has_none and (other < 0 or not is_flat(rules, detail, polygons.region[other])):
        found = find_edge_vertices(
            cython.address(detail.floors),
            cython.address(detail.heights),
            cython.address(begin),
            cython.address(end),
            rules.max_error,
            rules.spacing,
            cython.address(detail.vertices),
        )
    detail.edge_count.data[corner] = found
    if other >= 0:
        twin = _twin_corner(polygons, other, a, b)
        if twin >= 0:
            detail.edge_first.data[twin] = detail.edge_first.data[corner]
            detail.edge_count.data[twin] = found
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_at_edges(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    polygon: cython.int,
    is_near: cython.bint,
) -> cython.int:
    """The number of vertices on the edges of a polygon, or -1."""
    last: cython.int = polygons.offset[polygon + 1] - 1
    total: cython.int = 0
    corner: cython.int
    for corner in range(polygons.offset[polygon], last + 1):
        if (
            detail.edge_first.data[corner] < 0
            and _look_at_edge(
                polygons,
                rules,
                detail,
                corner,
                corner + 1 if corner < last else polygons.offset[polygon],
                # A side of the square keeps what it needs as vertices of its polygons.
                is_near or detail.floors.border.is_side.data[corner - polygons.offset[polygon]],
            )
            < 0
        ):
            return -1
        total += detail.edge_count.data[corner]
    return total


# --- outlines


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _agree_with_edge(detail: cython.pointer[Detail], vertex: cython.int) -> cython.void:
    """Gives a cell the height of a vertex at its centre, so that no second vertex is tried there.

    They differ only where the regions on both sides of the edge lie over one cell, each with a floor of its own.
    """
    x: cython.int = detail.vertices.x.data[vertex]
    z: cython.int = detail.vertices.z.data[vertex]
    if x & (PARTS - 1) != PARTS // 2 or z & (PARTS - 1) != PARTS // 2:
        return
    cell: cython.int = (x >> PART_BITS) + (z >> PART_BITS) * detail.floors.width
    if detail.floors.row.data[cell] >= 0:
        detail.floors.row.data[cell] = detail.vertices.y.data[vertex]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_outline(
    polygons: cython.pointer[cython.const[PolygonArrays]], detail: cython.pointer[Detail], polygon: cython.int
) -> cython.int:
    """The polygon's corners and the vertices on its edges, in turn."""
    last: cython.int = polygons.offset[polygon + 1] - 1
    corner: cython.int
    a: cython.int
    b: cython.int
    k: cython.int
    at: cython.int
    count: cython.int
    for corner in range(polygons.offset[polygon], last + 1):
        a = polygons.vertex[corner]
        b = polygons.vertex[corner + 1 if corner < last else polygons.offset[polygon]]
        if (
            add_vertex(
                cython.address(detail.made),
                polygons.vertex_x[a] * PARTS,
                polygons.vertex_z[a] * PARTS,
                polygons.vertex_y[a],
                a,
            )
            < 0
        ):
            return -1
        count = detail.edge_count.data[corner]
        for k in range(count):
            at = detail.edge_first.data[corner] + (count - 1 - k if _is_backward(polygons, a, b) else k)
            if (
                add_vertex(
                    cython.address(detail.made),
                    detail.vertices.x.data[at],
                    detail.vertices.z.data[at],
                    detail.vertices.y.data[at],
                    polygons.vertex_count + at,
                )
                < 0
            ):
                return -1
            _agree_with_edge(detail, at)
    return 0
