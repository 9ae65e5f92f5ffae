"""Ear clipping on integers: no triangle is degenerate, every vertex of the outline becomes a corner.

A ring may touch itself in corners and along bridges, as long as its inside is in one piece: cuts then are decided by
the angle at each visit, and a coinciding corner of another visit never lies within it. The shortest cut goes first.
"""

import cython
from cython.cimports.onepath.build._box_tree import (
    VISIT_BITS,
    Box,
    BoxTree,
    boxes_meet,
    boxes_of,
    clear_box,
    clear_tree,
    first_of,
    fit_above,
    fit_nodes,
    include_point,
    is_right_of,
    node_after,
    put_down,
)
from cython.cimports.onepath.build._buffers import pop_heap, push_heap, push_int, reserve_keys
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._integer_plane import squared_length, turn
from cython.cimports.onepath.build._polygons import Polygons

NO_EAR = cython.declare(cython.longlong, -1)
#: The mark of a visit that has been cut off.
CUT_OFF = cython.declare(cython.longlong, -2)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _turn_at(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.longlong:
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    p: cython.int = polygons.visit_vertex.data[polygons.visit_before.data[visit]]
    v: cython.int = polygons.visit_vertex.data[visit]
    n: cython.int = polygons.visit_vertex.data[polygons.visit_next.data[visit]]
    return turn(x[p], z[p], x[v], z[v], x[n], z[n])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _leaf_blocks(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    leaf: cython.int,
    px: cython.int,
    pz: cython.int,
    vx: cython.int,
    vz: cython.int,
    nx: cython.int,
    nz: cython.int,
) -> cython.bint:
    """Whether a corner held by a leaf lies within an ear or on it, and not on one of its corners."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    first: cython.int = first_of(near, leaf)
    end: cython.int = first + near.held.data[leaf - near.leaves]
    k: cython.int
    w: cython.int
    wx: cython.int
    wz: cython.int
    near.steps += end - first
    for k in range(first, end):
        w = polygons.visit_vertex.data[near.visits.data[k]]
        wx = contours.vertex_x.data[w]
        wz = contours.vertex_z.data[w]
        if turn(nx, nz, px, pz, wx, wz) < 0 or turn(px, pz, vx, vz, wx, wz) < 0 or turn(vx, vz, nx, nz, wx, wz) < 0:
            continue
        if (wx == px and wz == pz) or (wx == vx and wz == vz) or (wx == nx and wz == nz):
            continue
        return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ear_length(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.longlong:
    """Squared length of the cut that takes a convex visit off the ring, or NO_EAR if another corner is in the way."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    x: cython.p_int = contours.vertex_x.data
    z: cython.p_int = contours.vertex_z.data
    p: cython.int = polygons.visit_vertex.data[polygons.visit_before.data[visit]]
    v: cython.int = polygons.visit_vertex.data[visit]
    n: cython.int = polygons.visit_vertex.data[polygons.visit_next.data[visit]]
    px: cython.int = x[p]
    pz: cython.int = z[p]
    vx: cython.int = x[v]
    vz: cython.int = z[v]
    nx: cython.int = x[n]
    nz: cython.int = z[n]
    ear: Box
    box: cython.pointer[Box]
    node: cython.int = 1
    if near.leaves == 1:  # whose few corners are looked at sooner than the box around them
        if _leaf_blocks(contours, polygons, 1, px, pz, vx, vz, nx, nz):
            return NO_EAR
        return squared_length(px, pz, nx, nz)
    ear.low_x = min(px, vx, nx)
    ear.high_x = max(px, vx, nx)
    ear.low_z = min(pz, vz, nz)
    ear.high_z = max(pz, vz, nz)
    while node > 0:
        near.steps += 1
        box = boxes_of(near) + node
        if (
            not boxes_meet(box, cython.address(ear))
            or is_right_of(box, nx, nz, px, pz)
            or is_right_of(box, px, pz, vx, vz)
            or is_right_of(box, vx, vz, nx, nz)
        ):
            node = node_after(node, 1)
            continue
        if node < near.leaves:
            node *= 2
            continue
        if _leaf_blocks(contours, polygons, node, px, pz, vx, vz, nx, nz):
            return NO_EAR
        node = node_after(node, 1)
    return squared_length(px, pz, nx, nz)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_at(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.int:
    """Finds out whether a visit is an ear; -1 without memory."""
    length: cython.longlong = NO_EAR
    if _turn_at(contours, polygons, visit) > 0:
        length = _ear_length(contours, polygons, visit)
    polygons.ear.data[visit] = length
    if length < 0 or polygons.near.leaves == 1:
        return 0
    return push_heap(cython.address(polygons.shortest), length << VISIT_BITS | visit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_ears(contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons]) -> cython.int:
    """All ears of the ring anew; -1 without memory."""
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    start: cython.int = 0
    v: cython.int
    while polygons.ear.data[start] == CUT_OFF:
        start += 1
    visit: cython.int = start
    clear_tree(near)
    polygons.shortest.count = 0
    while True:
        if _turn_at(contours, polygons, visit) <= 0:
            v = polygons.visit_vertex.data[visit]
            put_down(near, visit, contours.vertex_x.data[v], contours.vertex_z.data[v])
        visit = polygons.visit_next.data[visit]
        if visit == start:
            break
    fit_nodes(near)
    while True:
        if _look_at(contours, polygons, visit) < 0:
            return -1
        visit = polygons.visit_next.data[visit]
        if visit == start:
            return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _shortest_ear(polygons: cython.pointer[Polygons]) -> cython.int:
    """The ear with the shortest cut, the lowest visit on a tie, taken off the heap; -1 for none. A small ring has no
    heap: its visits are fewer than what putting them in order takes."""
    key: cython.longlong
    visit: cython.int
    best: cython.int = -1
    if polygons.near.leaves == 1:
        for visit in range(polygons.visit_count):
            key = polygons.ear.data[visit]
            if key >= 0 and (best < 0 or key < polygons.ear.data[best]):
                best = visit
        return best
    while polygons.shortest.count > 0:
        polygons.near.steps += 1
        key = pop_heap(cython.address(polygons.shortest))
        visit = cython.cast(cython.int, key & ((1 << VISIT_BITS) - 1))
        if polygons.ear.data[visit] == key >> VISIT_BITS:
            return visit
    return -1


# --- half edges


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_half(
    polygons: cython.pointer[Polygons], vertex: cython.int, after: cython.int, before: cython.int
) -> cython.int:
    if (
        push_int(cython.address(polygons.half_vertex), vertex) < 0
        or push_int(cython.address(polygons.half_next), after) < 0
        or push_int(cython.address(polygons.half_before), before) < 0
        or push_int(cython.address(polygons.half_twin), -1) < 0
        or push_int(cython.address(polygons.half_code), -1) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tie(polygons: cython.pointer[Polygons], half: cython.int, code: cython.int) -> cython.void:
    """Ties a half edge to what lies across: a triangle, a contour's edge, or the other side of a bridge."""
    twin: cython.int = code
    if code < 0:
        along: cython.int = -1 - code
        polygons.half_code.data[half] = along
        polygons.edge_half.data[along] = half
        twin = polygons.edge_half.data[along ^ 1] if along >= 2 * polygons.first_bridge else -1
    if twin >= 0:
        polygons.half_twin.data[half] = twin
        polygons.half_twin.data[twin] = half


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_triangle(polygons: cython.pointer[Polygons], visit: cython.int, region: cython.int) -> cython.int:
    """The triangle of a visit and its neighbours; the half edge of its third side, which is not tied yet."""
    p: cython.int = polygons.visit_before.data[visit]
    n: cython.int = polygons.visit_next.data[visit]
    half: cython.int = polygons.half_vertex.count
    if (
        _add_half(polygons, polygons.visit_vertex.data[p], half + 1, half + 2) < 0
        or _add_half(polygons, polygons.visit_vertex.data[visit], half + 2, half) < 0
        or _add_half(polygons, polygons.visit_vertex.data[n], half, half + 1) < 0
        or push_int(cython.address(polygons.piece), polygons.piece.count) < 0
        or push_int(cython.address(polygons.piece_corners), 3) < 0
        or push_int(cython.address(polygons.piece_region), region) < 0
    ):
        return -1
    _tie(polygons, half, polygons.visit_code.data[p])
    _tie(polygons, half + 1, polygons.visit_code.data[visit])
    return half + 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _withdraw(polygons: cython.pointer[Polygons], first: cython.int) -> cython.int:
    """Takes back the half edges from `first` on."""
    half: cython.int
    for half in range(first, polygons.half_vertex.count):
        if polygons.half_code.data[half] >= 0:
            polygons.edge_half.data[polygons.half_code.data[half]] = -1
    polygons.half_vertex.count = polygons.half_next.count = polygons.half_before.count = first
    polygons.half_twin.count = polygons.half_code.count = first
    polygons.piece.count = polygons.piece_corners.count = polygons.piece_region.count = first // 3
    return 1


# --- cutting


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forget_blocker(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons], visit: cython.int
) -> cython.void:
    """Takes a visit that has become convex out of the blockers; the order of the others is of no account."""
    if _turn_at(contours, polygons, visit) <= 0:
        return
    near: cython.pointer[BoxTree] = cython.address(polygons.near)
    leaf: cython.int = near.leaf_of.data[visit]
    held: cython.p_int = near.held.data + (leaf - near.leaves)
    visits: cython.p_int = near.visits.data + first_of(near, leaf)
    k: cython.int
    v: cython.int
    for k in range(held[0]):
        if visits[k] == visit:
            held[0] -= 1
            visits[k] = visits[held[0]]
            break
    else:
        return
    if near.leaves == 1:
        return
    clear_box(boxes_of(near) + leaf)
    for k in range(held[0]):
        v = polygons.visit_vertex.data[visits[k]]
        include_point(boxes_of(near) + leaf, contours.vertex_x.data[v], contours.vertex_z.data[v])
    fit_above(near, leaf)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_ear(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    visit: cython.int,
    region: cython.int,
) -> cython.int:
    p: cython.int = polygons.visit_before.data[visit]
    n: cython.int = polygons.visit_next.data[visit]
    cut: cython.int = _add_triangle(polygons, visit, region)
    if cut < 0:
        return -1
    polygons.visit_code.data[p] = cut
    polygons.visit_next.data[p] = n
    polygons.visit_before.data[n] = p
    polygons.ear.data[visit] = CUT_OFF
    _forget_blocker(contours, polygons, p)
    _forget_blocker(contours, polygons, n)
    if _look_at(contours, polygons, p) < 0:
        return -1
    return _look_at(contours, polygons, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def triangulate(
    contours: cython.pointer[cython.const[Contours]], region: cython.int, polygons: cython.pointer[Polygons]
) -> cython.int:
    first: cython.int = polygons.half_vertex.count
    left: cython.int = polygons.visit_count
    visit: cython.int = 0
    start: cython.int = 0
    k: cython.int
    if reserve_keys(cython.address(polygons.ear), cython.cast(cython.size_t, left)) < 0:
        return -1
    for k in range(left):
        polygons.ear.data[k] = NO_EAR
    if left > 3 and _find_ears(contours, polygons) < 0:
        return -1
    while left > 3:
        visit = _shortest_ear(polygons)
        if visit < 0:
            # A corner in the way may have been cut off since: look again before giving up.
            if _find_ears(contours, polygons) < 0:
                return -1
            visit = _shortest_ear(polygons)
            if visit < 0:
                return _withdraw(polygons, first)
        start = polygons.visit_next.data[visit]
        if _cut_ear(contours, polygons, visit, region) < 0:
            return -1
        left -= 1
    if left < 3 or _turn_at(contours, polygons, start) <= 0:
        return _withdraw(polygons, first)
    k = _add_triangle(polygons, start, region)
    if k < 0:
        return -1
    _tie(polygons, k, polygons.visit_code.data[polygons.visit_next.data[start]])
    return 0
