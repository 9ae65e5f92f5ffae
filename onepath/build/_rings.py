"""The simplified chains put together again, and the checks that a ring bounds what its cells bounded.

A vertex is a corner of one floor: spans that are joined around the corner share it, floors above it have their own.
"""

import cython
from cython.cimports.onepath.build._buffers import push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._integer_plane import in_corner, turn
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
def _add_chain(
    contours: cython.pointer[Contours], loop: cython.int, chain: cython.int, backward: cython.int
) -> cython.int:
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
            or push_int(cython.address(contours.ring_loop), loop) < 0
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
    contours.ring_first.count = contours.ring_vertex.count = contours.ring_edge.count = contours.ring_loop.count = 0
    loop: cython.int
    k: cython.int
    code: cython.int
    for loop in range(contours.loop_count):
        if push_int(cython.address(contours.ring_first), contours.ring_vertex.count) < 0:
            return -1
        for k in range(contours.loop_first.data[loop], contours.loop_first.data[loop + 1]):
            code = contours.loop_chains.data[k]
            if _add_chain(contours, loop, code >> 1, code & 1) < 0:
                return -1
    return push_int(cython.address(contours.ring_first), contours.ring_vertex.count)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _before(contours: cython.pointer[Contours], place: cython.int) -> cython.int:
    loop: cython.int = contours.ring_loop.data[place]
    return contours.ring_first.data[loop + 1] - 1 if place == contours.ring_first.data[loop] else place - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _after(contours: cython.pointer[Contours], place: cython.int) -> cython.int:
    loop: cython.int = contours.ring_loop.data[place]
    return contours.ring_first.data[loop] if place + 1 == contours.ring_first.data[loop + 1] else place + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_place(contours: cython.pointer[Contours], place: cython.int) -> cython.int:
    """One more corner in the edge that leaves a place of a ring; 0 if it has none to gain."""
    return refine_edge(contours, contours.ring_edge.data[place] >> 1, -1, -1, -1, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_loop(contours: cython.pointer[Contours], loop: cython.int) -> cython.int:
    refined: cython.int = 0
    place: cython.int
    for place in range(contours.ring_first.data[loop], contours.ring_first.data[loop + 1]):
        refined |= _refine_place(contours, place)
    return refined


# --- angles around a vertex


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same_direction(contours: cython.pointer[Contours], v: cython.int, a: cython.int, b: cython.int) -> cython.bint:
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    along: cython.longlong = cython.cast(cython.longlong, x[a] - x[v]) * (x[b] - x[v]) + cython.cast(
        cython.longlong, z[a] - z[v]
    ) * (z[b] - z[v])
    return along > 0 and turn(x[v], z[v], x[a], z[a], x[b], z[b]) == 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _within(
    contours: cython.pointer[Contours], p: cython.int, v: cython.int, n: cython.int, q: cython.int
) -> cython.bint:
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    return in_corner(x[p], z[p], x[v], z[v], x[n], z[n], x[q], z[q])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _angles_overlap(contours: cython.pointer[Contours], i: cython.int, j: cython.int) -> cython.bint:
    """Whether the inner angles at two visits of one corner overlap."""
    vertex: cython.p_int = contours.ring_vertex.data
    v: cython.int = vertex[i]
    p: cython.int = vertex[_before(contours, i)]
    n: cython.int = vertex[_after(contours, i)]
    other_p: cython.int = vertex[_before(contours, j)]
    other_n: cython.int = vertex[_after(contours, j)]
    if p == other_n and n == other_p and p != n:
        return False
    return (
        _within(contours, p, v, n, other_p)
        or _within(contours, p, v, n, other_n)
        or _within(contours, other_p, v, other_n, p)
        or _within(contours, other_p, v, other_n, n)
        or (_same_direction(contours, v, p, other_p) and _same_direction(contours, v, n, other_n))
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_angles(contours: cython.pointer[Contours], i: cython.int, j: cython.int) -> cython.int:
    """Refines the edges of two visits whose angles overlap. What is left of regions of their own is a stair that winds
    around the corner itself, one turn above the other."""
    if not _angles_overlap(contours, i, j):
        return 0
    refined: cython.int = _refine_place(contours, i) | _refine_place(contours, _before(contours, i))
    refined |= _refine_place(contours, j) | _refine_place(contours, _before(contours, j))
    i_region: cython.int = contours.loop_region.data[contours.ring_loop.data[i]]
    if not refined and i_region == contours.loop_region.data[contours.ring_loop.data[j]]:
        contours.unresolved += 1
    return refined


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_visits(contours: cython.pointer[Contours], vertex: cython.int) -> cython.int:
    """Compares the visits of a vertex with each other, and with those at other vertices of the corner, unless they are
    of another floor above or below."""
    refined: cython.int = 0
    other: cython.int
    j: cython.int
    i: cython.int = contours.visit_head.data[vertex]
    while i >= 0:
        j = contours.visit_next.data[i]
        while j >= 0:
            refined |= _refine_angles(contours, i, j)
            j = contours.visit_next.data[j]
        other = contours.vertex_next.data[vertex]
        while other >= 0:
            apart: cython.int = contours.vertex_y.data[other] - contours.vertex_y.data[vertex]
            j = contours.visit_head.data[other]
            while j >= 0:
                if (
                    -contours.clearance < apart < contours.clearance
                    or contours.loop_region.data[contours.ring_loop.data[i]]
                    == contours.loop_region.data[contours.ring_loop.data[j]]
                ):
                    refined |= _refine_angles(contours, i, j)
                j = contours.visit_next.data[j]
            other = contours.vertex_next.data[other]
        i = contours.visit_next.data[i]
    return refined


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine_all_angles(contours: cython.pointer[Contours]) -> cython.int:
    vertices: cython.int = contours.vertex_x.count
    visits: cython.int = contours.ring_vertex.count
    head: cython.p_int
    k: cython.int
    refined: cython.int = 0
    if (
        reserve_ints(cython.address(contours.visit_head), cython.cast(cython.size_t, vertices)) < 0
        or reserve_ints(cython.address(contours.visit_next), cython.cast(cython.size_t, visits)) < 0
    ):
        return -1
    for k in range(vertices):
        contours.visit_head.data[k] = -1
    for k in range(visits):
        head = contours.visit_head.data + contours.ring_vertex.data[k]
        contours.visit_next.data[k] = head[0]
        head[0] = k
    for k in range(vertices):
        refined |= _refine_visits(contours, k)
    return refined


# --- whole rings


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _doubled_area(contours: cython.pointer[Contours], loop: cython.int) -> cython.longlong:
    total: cython.longlong = 0
    place: cython.int
    a: cython.int
    b: cython.int
    for place in range(contours.ring_first.data[loop], contours.ring_first.data[loop + 1]):
        a = contours.ring_vertex.data[place]
        b = contours.ring_vertex.data[_after(contours, place)]
        total += cython.cast(cython.longlong, contours.vertex_z.data[a]) * contours.vertex_x.data[b]
        total -= cython.cast(cython.longlong, contours.vertex_x.data[a]) * contours.vertex_z.data[b]
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
    refined: cython.int = _refine_all_angles(contours)
    region: cython.int
    if refined < 0:
        return -1
    for region in range(1, contours.region_count + 1):
        refined |= _refine_region(contours, region)
    return refined
