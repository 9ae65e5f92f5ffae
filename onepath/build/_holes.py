"""Holes joined into their outline by bridges, so that a region is one ring that can be cut into triangles.

Holes are taken by their lowest vertex in (x, z). From there the ring already joined is seen toward -x, past no hole
that is still waiting, so a bridge always exists; the shortest one that touches nothing is taken. (Eberly,
"Triangulation by Ear Clipping", 2002, for the order; the tests here are exact and allow corners that coincide.)
"""

import cython
from cython.cimports.onepath.build._box_tree import (
    VISIT_BITS,
    Box,
    BoxTree,
    boxes_meet,
    boxes_of,
    clear_tree,
    first_of,
    fit_above,
    fit_nodes,
    include_point,
    is_right_of,
    node_after,
    place_visit,
    put_down,
    reserve_tree,
    share_leaves,
    squared_distance,
)
from cython.cimports.onepath.build._buffers import push_int, reserve_keys, sort_keys
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import in_corner, squared_length, turn
from cython.cimports.onepath.build._polygons import Polygons

#: Above every (length, visit) toward -x: sides of a square have at most 2**16 cells.
FARTHEST = cython.declare(cython.longlong, cython.cast(cython.longlong, 1) << 62)


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
def _is_blocked(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    h: cython.int,
    v: cython.int,
) -> cython.bint:
    """Whether an edge of the ring touches the bridge between vertices h and v anywhere but at v."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    vertex: cython.p_int = polygons.visit_vertex.data
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    bridge: Box
    box: cython.pointer[Box]
    node: cython.int = 1
    first: cython.int
    at: cython.int
    k: cython.int
    bridge.low_x = min(x[h], x[v])
    bridge.high_x = max(x[h], x[v])
    bridge.low_z = min(z[h], z[v])
    bridge.high_z = max(z[h], z[v])
    while node > 0:
        near.steps += 1
        box = boxes_of(near) + node
        if (
            not boxes_meet(box, cython.address(bridge))
            or is_right_of(box, x[h], z[h], x[v], z[v])
            or is_right_of(box, x[v], z[v], x[h], z[h])
        ):
            node = node_after(node, 1)
        elif node < near.leaves:
            node *= 2
        else:
            first = first_of(near, node)
            for k in range(first, first + near.held.data[node - near.leaves]):
                near.steps += 1
                at = near.visits.data[k]
                if _blocks(contours, h, v, vertex[at], vertex[polygons.visit_next.data[at]]):
                    return True
            node = node_after(node, 1)
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _nearer_below(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    root: cython.int,
    corner: cython.int,
    tried: cython.longlong,
    best: cython.longlong,
) -> cython.longlong:
    """The least (length, visit) between `tried` and `best` among the visits below a node that face the corner of a hole
    as it faces them, else `best`."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    box: cython.pointer[Box]
    h: cython.int = polygons.visit_vertex.data[corner]
    node: cython.int = root
    first: cython.int
    at: cython.int
    v: cython.int
    k: cython.int
    key: cython.longlong
    while node > 0:
        near.steps += 1
        box = boxes_of(near) + node
        if box.low_x >= x[h] or squared_distance(box, x[h], z[h]) > best >> VISIT_BITS:
            node = node_after(node, root)
        elif node < near.leaves:
            node *= 2
        else:
            first = first_of(near, node)
            for k in range(first, first + near.held.data[node - near.leaves]):
                near.steps += 1
                at = near.visits.data[k]
                v = polygons.visit_vertex.data[at]
                if x[v] < x[h]:
                    key = squared_length(x[h], z[h], x[v], z[v]) << VISIT_BITS | at
                    # Of many bridges that end in one vertex only one visit faces any place: the others are passed over
                    # here, or each would be tried with a search of its own.
                    if (
                        tried < key < best
                        and _faces(contours, polygons, at, h)
                        and _faces(contours, polygons, corner, v)
                    ):
                        best = key
            node = node_after(node, root)
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _nearest_seen(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], corner: cython.int
) -> cython.int:
    """The visit of the ring nearest to a hole's corner among those to its -x side that it sees, or -1."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    vertex: cython.p_int = polygons.visit_vertex.data
    h: cython.int = vertex[corner]
    tried: cython.longlong = -1
    best: cython.longlong
    node: cython.int
    visit: cython.int
    while True:
        # From the corner's own leaf up: what is found near by spares most of the rest a look.
        node = near.leaf_of.data[corner]
        best = _nearer_below(contours, polygons, node, corner, tried, FARTHEST)
        while node > 1:
            best = _nearer_below(contours, polygons, node ^ 1, corner, tried, best)
            node >>= 1
        if best == FARTHEST:
            return -1
        visit = cython.cast(cython.int, best & ((1 << VISIT_BITS) - 1))
        if not _is_blocked(contours, polygons, h, vertex[visit]):
            return visit
        tried = best


# --- joining


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hold_edge(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.void:
    """Puts a visit of the ring, and the edge that leaves it, where bridges are looked for."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    v: cython.int = polygons.visit_vertex.data[visit]
    put_down(near, visit, contours.vertex_x.data[v], contours.vertex_z.data[v])
    _include_end(contours, polygons, visit)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _include_end(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.void:
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    n: cython.int = polygons.visit_vertex.data[polygons.visit_next.data[visit]]
    include_point(boxes_of(near) + near.leaf_of.data[visit], contours.vertex_x.data[n], contours.vertex_z.data[n])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hold_hole(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    visit: cython.int,
    corner: cython.int,
) -> cython.void:
    """Holds what a bridge from `visit` to `corner` has brought into the ring."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    end: cython.int = polygons.visit_next.data[polygons.visit_vertex.count - 1]
    at: cython.int = corner
    while at != end:
        _hold_edge(contours, polygons, at)
        fit_above(near, near.leaf_of.data[at])
        at = polygons.visit_next.data[at]
    # The visit that was there before leaves along the bridge now; its box may keep the edge of old as well.
    _include_end(contours, polygons, visit)
    fit_above(near, near.leaf_of.data[visit])


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
def _add_holes(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    begin: cython.int,
    holes: cython.int,
) -> cython.int:
    """Rings of the holes, and the order in which to join them; -1 without memory."""
    k: cython.int
    first: cython.int
    corner: cython.int
    place: cython.longlong
    if reserve_keys(cython.address(polygons.hole_order), cython.cast(cython.size_t, holes)) < 0:
        return -1
    for k in range(holes):
        first = _add_loop(contours, polygons, contours.region_loops.data[begin + k])
        if first < 0:
            return -1
        corner = _lowest_visit(contours, polygons, first)
        place = contours.vertex_x.data[polygons.visit_vertex.data[corner]]
        place = place << 17 | contours.vertex_z.data[polygons.visit_vertex.data[corner]]
        polygons.hole_order.data[k] = place << VISIT_BITS | corner
    sort_keys(polygons.hole_order.data, holes)
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _corner_of_hole(polygons: cython.pointer[Polygons], hole: cython.int) -> cython.int:
    return cython.cast(cython.int, polygons.hole_order.data[hole] & ((1 << VISIT_BITS) - 1))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place_visits(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], holes: cython.int
) -> cython.int:
    """Gives leaves to all visits, those that bridges will add among them; -1 without memory."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    count: cython.int = polygons.visit_vertex.count
    k: cython.int
    v: cython.int
    if reserve_tree(near, count + 2 * holes) < 0:
        return -1
    for k in range(count if near.leaves > 1 else 0):
        v = polygons.visit_vertex.data[k]
        place_visit(near, k, contours.vertex_x.data[v], contours.vertex_z.data[v])
    for k in range(2 * holes if near.leaves > 1 else 0):
        # Where a bridge will begin is not known yet, but seldom far from the hole: a guess that costs time at worst.
        v = polygons.visit_vertex.data[_corner_of_hole(polygons, k // 2)]
        place_visit(near, count + k, contours.vertex_x.data[v], contours.vertex_z.data[v])
    share_leaves(near, count + 2 * holes)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_holes(
    contours: cython.pointer[cython.const[Contours]], region: cython.int, polygons: cython.pointer[Polygons]
) -> cython.int:
    begin: cython.int = contours.region_first.data[region]
    holes: cython.int = contours.region_first.data[region + 1] - begin - 1
    outline: cython.int
    k: cython.int
    corner: cython.int
    visit: cython.int
    polygons.visit_vertex.count = polygons.visit_next.count = 0
    polygons.visit_before.count = polygons.visit_code.count = 0
    if _add_loop(contours, polygons, contours.region_loops.data[begin]) < 0:
        return -1
    outline = polygons.visit_vertex.count
    if _add_holes(contours, polygons, begin + 1, holes) < 0 or _place_visits(contours, polygons, holes) < 0:
        return -1
    if holes > 0:
        clear_tree(cython.address(polygons.near))
        for k in range(outline):
            _hold_edge(contours, polygons, k)
        fit_nodes(cython.address(polygons.near))
    for k in range(holes):
        corner = _corner_of_hole(polygons, k)
        visit = _nearest_seen(contours, polygons, corner)
        if visit < 0:
            return 1
        if _bridge(polygons, visit, corner) < 0:
            return -1
        _hold_hole(contours, polygons, visit, corner)
    polygons.visit_count = polygons.visit_vertex.count
    return 0
