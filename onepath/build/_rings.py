"""The simplified chains put together again, and the check that a ring goes round as its cells did.

A vertex is a corner of one floor: spans that are joined around the corner share it, floors above it have their own.
"""

import cython
from cython.cimports.onepath.build._buffers import push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._simplify import refine_edge
from cython.cimports.onepath.build._span_graph import SpanGraph, corner_of

# --- vertices


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _vertex_at(
    contours: cython.pointer[Contours], x: cython.int, z: cython.int, floor: cython.int, corner: cython.int
) -> cython.int:
    """The vertex of a corner, which the least span around it names; made if it is new."""
    head: cython.p_int = contours.corner_head.data + x + z * (contours.square_width + 1)
    vertex: cython.int = head[0]
    while vertex >= 0:
        if contours.vertex_corner.data[vertex] == corner:
            return vertex
        vertex = contours.vertex_next.data[vertex]
    vertex = contours.vertex_x.count
    if (
        push_int(cython.address(contours.vertex_x), x) < 0
        or push_int(cython.address(contours.vertex_y), floor) < 0
        or push_int(cython.address(contours.vertex_z), z) < 0
        or push_int(cython.address(contours.vertex_corner), corner) < 0
        or push_int(cython.address(contours.vertex_next), head[0]) < 0
    ):
        return -1
    head[0] = vertex
    return vertex


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_vertices(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    corners: cython.int = (contours.square_width + 1) * (contours.square_depth + 1)
    k: cython.int
    slot: cython.int
    corner: cython.int
    floor: cython.int = 0
    if (
        reserve_ints(cython.address(contours.corner_head), cython.cast(cython.size_t, corners)) < 0
        or reserve_ints(cython.address(contours.point_vertex), cython.cast(cython.size_t, contours.x.count)) < 0
    ):
        return -1
    # Only corners that have points are cleared: a large square with few floors costs no more than its floors.
    for k in range(contours.x.count):
        contours.corner_head.data[contours.x.data[k] + contours.z.data[k] * (contours.square_width + 1)] = -1
    contours.vertex_x.count = contours.vertex_y.count = contours.vertex_z.count = 0
    contours.vertex_corner.count = contours.vertex_next.count = 0
    for k in range(contours.x.count):
        if contours.keep.data[k] == 0:
            continue
        slot = contours.slot.data[k]
        corner = corner_of(field, graph.joined.data, slot >> 2, slot & 3, cython.address(floor))
        contours.point_vertex.data[k] = _vertex_at(contours, contours.x.data[k], contours.z.data[k], floor, corner)
        if contours.point_vertex.data[k] < 0:
            return -1
    return 0


# --- rings


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_chain(contours: cython.pointer[Contours], chain: cython.int, backward: cython.int) -> cython.int:
    """The corners of a chain, in the direction walked, but for its last."""
    first: cython.int = contours.chain_edge.data[chain]
    count: cython.int = contours.chain_edge.data[chain + 1] - first
    k: cython.int
    edge: cython.int
    point: cython.int
    for k in range(count):
        edge = first + count - 1 - k if backward else first + k
        point = contours.edge_to.data[edge] if backward else contours.edge_from.data[edge]
        if (
            push_int(cython.address(contours.ring_vertex), contours.point_vertex.data[point]) < 0
            or push_int(cython.address(contours.ring_edge), 2 * edge + backward) < 0
        ):
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_rings(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[Contours],
) -> cython.int:
    if _make_vertices(field, graph, contours) < 0:
        return -1
    contours.ring_first.count = contours.ring_vertex.count = contours.ring_edge.count = 0
    loop: cython.int
    k: cython.int
    code: cython.int
    for loop in range(contours.loop_count):
        if push_int(cython.address(contours.ring_first), contours.ring_vertex.count) < 0:
            return -1
        for k in range(contours.loop_first.data[loop], contours.loop_first.data[loop + 1]):
            code = contours.loop_chains.data[k]
            if _add_chain(contours, code >> 1, code & 1) < 0:
                return -1
    return push_int(cython.address(contours.ring_first), contours.ring_vertex.count)


# --- checks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_loop(contours: cython.pointer[Contours], loop: cython.int) -> cython.int:
    refined: cython.int = 0
    place: cython.int
    for place in range(contours.ring_first.data[loop], contours.ring_first.data[loop + 1]):
        refined |= refine_edge(contours, contours.ring_edge.data[place] >> 1, -1, -1, -1, -1)
    return refined


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _doubled_area(contours: cython.pointer[Contours], loop: cython.int) -> cython.longlong:
    total: cython.longlong = 0
    place: cython.int
    end: cython.int = contours.ring_first.data[loop + 1]
    a: cython.int = contours.ring_vertex.data[end - 1]
    b: cython.int
    for place in range(contours.ring_first.data[loop], end):
        b = contours.ring_vertex.data[place]
        total += cython.cast(cython.longlong, contours.vertex_z.data[a]) * contours.vertex_x.data[b]
        total -= cython.cast(cython.longlong, contours.vertex_x.data[a]) * contours.vertex_z.data[b]
        a = b
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_region(contours: cython.pointer[Contours], region: cython.int) -> cython.int:
    """The outline counter-clockwise, holes clockwise."""
    begin: cython.int = contours.region_first.data[region]
    end: cython.int = contours.region_first.data[region + 1]
    refined: cython.int = 0
    changed: cython.int
    k: cython.int
    loop: cython.int
    area: cython.longlong
    for k in range(begin, end):
        loop = contours.region_loops.data[k]
        area = _doubled_area(contours, loop)
        if (area <= 0) if k == begin else (area >= 0):
            changed = _refine_loop(contours, loop)
            contours.unresolved += 1 - changed
            refined |= changed
    return refined


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def refine_rings(contours: cython.pointer[Contours]) -> cython.int:
    refined: cython.int = 0
    region: cython.int
    for region in range(1, contours.region_count + 1):
        refined |= _refine_region(contours, region)
    return refined
