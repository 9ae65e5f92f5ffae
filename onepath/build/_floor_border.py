"""The border of a polygon: the boundary edges of cells that were simplified into its edges."""

import cython
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._floor_bounds import step_x, step_z
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._span_graph import SpanGraph


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_floor_border(border: cython.pointer[FloorBorder]) -> cython.void:
    free_ints(cython.address(border.ring_head))
    free_ints(cython.address(border.ring_next))
    free_ints(cython.address(border.ring_to))
    free_ints(cython.address(border.is_side))
    free_ints(cython.address(border.slot))
    free_ints(cython.address(border.slot_x))
    free_ints(cython.address(border.slot_z))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prepare_border(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    border: cython.pointer[FloorBorder],
) -> cython.int:
    places: cython.size_t = cython.cast(cython.size_t, contours.ring_vertex.count)
    vertex: cython.int
    k: cython.int
    loop: cython.int
    end: cython.int
    if (
        reserve_ints(cython.address(border.ring_head), cython.cast(cython.size_t, polygons.vertex_count)) < 0
        or reserve_ints(cython.address(border.ring_next), places) < 0
        or reserve_ints(cython.address(border.ring_to), places) < 0
    ):
        return -1
    for vertex in range(polygons.vertex_count):
        border.ring_head.data[vertex] = -1
    for loop in range(contours.loop_count):
        end = contours.ring_first.data[loop + 1]
        for k in range(contours.ring_first.data[loop], end):
            vertex = contours.ring_vertex.data[k]
            border.ring_next.data[k] = border.ring_head.data[vertex]
            border.ring_head.data[vertex] = k
            border.ring_to.data[k] = contours.ring_vertex.data[k + 1 if k + 1 < end else contours.ring_first.data[loop]]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _contour_edge(
    contours: cython.pointer[cython.const[Contours]],
    border: cython.pointer[cython.const[FloorBorder]],
    region: cython.int,
    a: cython.int,
    b: cython.int,
) -> cython.int:
    """The simplified edge from vertex a to b with a region on its left: 2 * edge, + 1 if walked backward, or -1."""
    place: cython.int = border.ring_head.data[a]
    code: cython.int
    chain: cython.int
    while place >= 0:
        code = contours.ring_edge.data[place]
        chain = contours.edge_chain.data[code >> 1]
        if border.ring_to.data[place] == b and region == (
            contours.chain_behind.data[chain] if code & 1 else contours.chain_region.data[chain]
        ):
            return code
        place = border.ring_next.data[place]
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push_slot(border: cython.pointer[FloorBorder], slot: cython.int, x: cython.int, z: cython.int) -> cython.int:
    if (
        push_int(cython.address(border.slot), slot) < 0
        or push_int(cython.address(border.slot_x), x) < 0
        or push_int(cython.address(border.slot_z), z) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_slot(
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    border: cython.pointer[FloorBorder],
    point: cython.int,
    is_backward: cython.bint,
) -> cython.int:
    """The boundary edge at a point of a chain, as seen from the region on its left or, backward, on its right."""
    slot: cython.int = contours.slot.data[point]
    edge: cython.int = slot & 3
    # An edge starts at its cell's low corner (-x), its high ones (+z, +x) or beside the low one (-z).
    x: cython.int = contours.x.data[point] - (1 if edge >= 2 else 0)
    z: cython.int = contours.z.data[point] - (1 if edge == 1 or edge == 2 else 0)
    if is_backward:
        x += step_x(edge)
        z += step_z(edge)
        slot = 4 * graph.joined.data[slot] + (edge ^ 2)
    return push_slot(border, slot, x, z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_slots(
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    border: cython.pointer[FloorBorder],
    code: cython.int,
) -> cython.int:
    """The boundary edges that were simplified into one, as the region on its left has them.

    Those that lie more along it come first: what is straight behind them is nearest to the line.
    """
    begin: cython.int = contours.edge_from.data[code >> 1]
    end: cython.int = contours.edge_to.data[code >> 1]
    across: cython.int = contours.x.data[end] - contours.x.data[begin]
    along: cython.int = contours.z.data[end] - contours.z.data[begin]
    is_along_x: cython.bint = abs(across) > abs(along)
    k: cython.int
    for k in range(begin, end):
        if contours.slot.data[k] & 1 == is_along_x and _list_slot(graph, contours, border, k, code & 1) < 0:
            return -1
    for k in range(begin, end):
        if contours.slot.data[k] & 1 != is_along_x and _list_slot(graph, contours, border, k, code & 1) < 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_border(
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    border: cython.pointer[FloorBorder],
    polygon: cython.int,
) -> cython.int:
    """All of a polygon but what it shares with others of its region."""
    last: cython.int = polygons.offset[polygon + 1] - 1
    region: cython.int = polygons.region[polygon]
    corner: cython.int
    other: cython.int
    code: cython.int
    is_side: cython.bint
    border.is_side.count = border.slot.count = border.slot_x.count = border.slot_z.count = 0
    for corner in range(polygons.offset[polygon], last + 1):
        other = polygons.neighbour[corner]
        code = -1
        if other < 0 or polygons.region[other] != region:
            code = _contour_edge(
                contours,
                border,
                region,
                polygons.vertex[corner],
                polygons.vertex[corner + 1 if corner < last else polygons.offset[polygon]],
            )
        is_side = code >= 0 and contours.chain_behind.data[contours.edge_chain.data[code >> 1]] < 0
        if push_int(cython.address(border.is_side), is_side) < 0:
            return -1
        if code >= 0 and _list_slots(graph, contours, border, code) < 0:
            return -1
    return 0
