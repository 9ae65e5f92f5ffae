"""Holes joined into their outline by bridges, so that a region is one ring that can be cut into triangles.

Holes are taken by their lowest vertex in (x, z). From there the ring already joined is seen toward -x, past no hole
that is still waiting, so a bridge always exists; the shortest one that touches nothing is taken. (Eberly,
"Triangulation by Ear Clipping", 2002, for the order; the tests here are exact and allow corners that coincide.)
"""

import cython
from cython.cimports.onepath.build._buffers import push_int, reserve_keys, sort_keys
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import in_corner, squared_length, turn
from cython.cimports.onepath.build._polygons import Polygons


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_visit(
    polygons: cython.pointer[Polygons], vertex: cython.int, before: cython.int, after: cython.int, code: cython.int
) -> cython.int:
    if (
        push_int(cython.address(polygons.visit_vertex), vertex) < 0
        or push_int(cython.address(polygons.visit_before), before) < 0
        or push_int(cython.address(polygons.visit_next), after) < 0
        or push_int(cython.address(polygons.visit_code), code) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_loop(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], loop: cython.int
) -> cython.int:
    """A ring of its own; the number of its first visit."""
    begin: cython.int = contours.ring_first.data[loop]
    count: cython.int = contours.ring_first.data[loop + 1] - begin
    first: cython.int = polygons.visit_vertex.count
    k: cython.int
    for k in range(count):
        if (
            _add_visit(
                polygons,
                contours.ring_vertex.data[begin + k],
                first + (k - 1 if k > 0 else count - 1),
                first + (k + 1 if k + 1 < count else 0),
                -1 - contours.ring_edge.data[begin + k],
            )
            < 0
        ):
            return -1
    return first


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _apart(a: cython.int, b: cython.int, c: cython.int, d: cython.int) -> cython.bint:
    """Whether the closed intervals between a and b and between c and d are disjoint."""
    return max(a, b) < min(c, d) or max(c, d) < min(a, b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _blocks(
    contours: cython.pointer[cython.const[Contours]],
    h: cython.int,
    v: cython.int,
    a: cython.int,
    b: cython.int,
) -> cython.bint:
    """Whether edge a, b touches the bridge between vertices h and v anywhere but at v."""
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    if _apart(x[h], x[v], x[a], x[b]) or _apart(z[h], z[v], z[a], z[b]):
        return False
    a_side: cython.longlong = turn(x[h], z[h], x[v], z[v], x[a], z[a])
    b_side: cython.longlong = turn(x[h], z[h], x[v], z[v], x[b], z[b])
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    a_at: cython.bint = x[a] == x[v] and z[a] == z[v]
    if a_at or (x[b] == x[v] and z[b] == z[v]):
        if a_side != 0 or b_side != 0:
            return False
        far: cython.int = b if a_at else a
        return (
            cython.cast(cython.longlong, x[h] - x[v]) * (x[far] - x[v])
            + cython.cast(cython.longlong, z[h] - z[v]) * (z[far] - z[v])
            > 0
        )
    if a_side == 0 and b_side == 0:
        return True
    h_side: cython.longlong = turn(x[a], z[a], x[b], z[b], x[h], z[h])
    v_side: cython.longlong = turn(x[a], z[a], x[b], z[b], x[v], z[v])
    return not ((h_side > 0 and v_side > 0) or (h_side < 0 and v_side < 0))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _faces(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    visit: cython.int,
    target: cython.int,
) -> cython.bint:
    """Whether the way from a visit to a vertex begins within the ring."""
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    p: cython.int = polygons.visit_vertex.data[polygons.visit_before.data[visit]]
    v: cython.int = polygons.visit_vertex.data[visit]
    n: cython.int = polygons.visit_vertex.data[polygons.visit_next.data[visit]]
    return in_corner(x[p], z[p], x[v], z[v], x[n], z[n], x[target], z[target])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sees(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    ring: cython.int,
    visit: cython.int,
    corner: cython.int,
) -> cython.bint:
    """Whether the straight way from a hole's corner to a visit of the ring stays within the ring."""
    vertex: cython.p_int = polygons.visit_vertex.data
    after: cython.p_int = polygons.visit_next.data
    h: cython.int = vertex[corner]
    if not _faces(contours, polygons, visit, h) or not _faces(contours, polygons, corner, vertex[visit]):
        return False
    at: cython.int = ring
    while True:
        if _blocks(contours, h, vertex[visit], vertex[at], vertex[after[at]]):
            return False
        at = after[at]
        if at == ring:
            return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _nearest_seen(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    ring: cython.int,
    corner: cython.int,
) -> cython.int:
    """The visit of the ring nearest to a hole's corner among those to its -x side that it sees, or -1."""
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    vertex: cython.p_int = polygons.visit_vertex.data
    h: cython.int = vertex[corner]
    tried: cython.longlong = -1
    tried_visit: cython.int = -1
    best: cython.int
    best_length: cython.longlong
    length: cython.longlong
    at: cython.int
    while True:
        best = -1
        best_length = 0
        at = ring
        while True:
            if x[vertex[at]] < x[h]:
                length = squared_length(x[h], z[h], x[vertex[at]], z[vertex[at]])
                if (length > tried or (length == tried and at > tried_visit)) and (
                    best < 0 or length < best_length or (length == best_length and at < best)
                ):
                    best = at
                    best_length = length
            at = polygons.visit_next.data[at]
            if at == ring:
                break
        if best < 0 or _sees(contours, polygons, ring, best, corner):
            return best
        tried = best_length
        tried_visit = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _bridge(polygons: cython.pointer[Polygons], visit: cython.int, corner: cython.int) -> cython.int:
    """Joins a hole's ring at `corner` to the ring at `visit`: out to the hole, around it, and back."""
    back: cython.int = polygons.visit_vertex.count
    edge: cython.int = polygons.bridge_edge
    hole_end: cython.int = polygons.visit_before.data[corner]
    ring_next: cython.int = polygons.visit_next.data[visit]
    polygons.bridge_edge += 1
    if (
        _add_visit(polygons, polygons.visit_vertex.data[corner], hole_end, back + 1, -1 - (2 * edge + 1)) < 0
        or _add_visit(polygons, polygons.visit_vertex.data[visit], back, ring_next, polygons.visit_code.data[visit]) < 0
    ):
        return -1
    polygons.visit_next.data[hole_end] = back
    polygons.visit_before.data[ring_next] = back + 1
    polygons.visit_next.data[visit] = corner
    polygons.visit_before.data[corner] = visit
    polygons.visit_code.data[visit] = -1 - 2 * edge
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lowest_visit(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], first: cython.int
) -> cython.int:
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    vertex: cython.p_int = polygons.visit_vertex.data
    best: cython.int = first
    at: cython.int = polygons.visit_next.data[first]
    while at != first:
        if x[vertex[at]] < x[vertex[best]] or (x[vertex[at]] == x[vertex[best]] and z[vertex[at]] < z[vertex[best]]):
            best = at
        at = polygons.visit_next.data[at]
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_holes(
    contours: cython.pointer[cython.const[Contours]], region: cython.int, polygons: cython.pointer[Polygons]
) -> cython.int:
    begin: cython.int = contours.region_first.data[region]
    holes: cython.int = contours.region_first.data[region + 1] - begin - 1
    k: cython.int
    first: cython.int
    corner: cython.int
    visit: cython.int
    place: cython.longlong
    polygons.visit_vertex.count = polygons.visit_next.count = 0
    polygons.visit_before.count = polygons.visit_code.count = 0
    if (
        reserve_keys(cython.address(polygons.hole_order), cython.cast(cython.size_t, holes)) < 0
        or _add_loop(contours, polygons, contours.region_loops.data[begin]) < 0
    ):
        return -1
    for k in range(holes):
        first = _add_loop(contours, polygons, contours.region_loops.data[begin + 1 + k])
        if first < 0:
            return -1
        corner = _lowest_visit(contours, polygons, first)
        place = contours.vertex_x.data[polygons.visit_vertex.data[corner]]
        place = place << 17 | contours.vertex_z.data[polygons.visit_vertex.data[corner]]
        polygons.hole_order.data[k] = place << 29 | corner
    sort_keys(polygons.hole_order.data, holes)
    for k in range(holes):
        corner = cython.cast(cython.int, polygons.hole_order.data[k] & 0x1FFFFFFF)
        visit = _nearest_seen(contours, polygons, 0, corner)
        if visit < 0:
            return 1
        if _bridge(polygons, visit, corner) < 0:
            return -1
    polygons.visit_count = polygons.visit_vertex.count
    return 0
