"""A convex polygon cut into triangles, vertex by vertex: every orientation exact, edges flipped towards Delaunay.

Flipping is Lawson's ("Software for C1 Surface Interpolation", 1977). The test of the circle is in doubles and flips
only what it is sure of, so every flip is one of exact arithmetic too, and flipping ends.
"""

import cython
from cython.cimports.onepath.build._buffers import free_ints, push_int
from cython.cimports.onepath.build._integer_plane import turn


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_detail_triangles(made: cython.pointer[DetailTriangles]) -> cython.void:
    free_ints(cython.address(made.x))
    free_ints(cython.address(made.z))
    free_ints(cython.address(made.y))
    free_ints(cython.address(made.name))
    free_ints(cython.address(made.hull))
    free_ints(cython.address(made.side_half))
    free_ints(cython.address(made.corner))
    free_ints(cython.address(made.twin))
    free_ints(cython.address(made.stack))
    free_ints(cython.address(made.queue))
    free_ints(cython.address(made.queued))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_detail_triangles(made: cython.pointer[DetailTriangles]) -> cython.void:
    made.x.count = made.z.count = made.y.count = made.name.count = 0
    made.hull.count = made.side_half.count = made.corner.count = made.twin.count = 0
    made.stack.count = made.queue.count = made.queued.count = 0
    made.triangle_count = made.outline_count = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_vertex(
    made: cython.pointer[DetailTriangles], x: cython.int, z: cython.int, y: cython.int, name: cython.int
) -> cython.int:
    if (
        push_int(cython.address(made.x), x) < 0
        or push_int(cython.address(made.z), z) < 0
        or push_int(cython.address(made.y), y) < 0
        or push_int(cython.address(made.name), name) < 0
    ):
        return -1
    return 0


# --- half edges


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next(half: cython.int) -> cython.int:
    return half - 2 if half % 3 == 2 else half + 1  # half edges are never negative


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _join(made: cython.pointer[DetailTriangles], half: cython.int, twin: cython.int) -> cython.void:
    made.twin.data[half] = twin
    if twin >= 0:
        made.twin.data[twin] = half


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _turn(made: cython.pointer[DetailTriangles], a: cython.int, b: cython.int, c: cython.int) -> cython.longlong:
    x: cython.p_int = made.x.data
    z: cython.p_int = made.z.data
    return turn(x[a], z[a], x[b], z[b], x[c], z[c])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_triangle(made: cython.pointer[DetailTriangles], a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """A triangle without twins yet; its number, or -1."""
    _k: cython.int
    if (
        push_int(cython.address(made.corner), a) < 0
        or push_int(cython.address(made.corner), b) < 0
        or push_int(cython.address(made.corner), c) < 0
        or push_int(cython.address(made.queued), 0) < 0
    ):
        return -1
    for _k in range(3):
        if push_int(cython.address(made.twin), -1) < 0:
            return -1
    made.triangle_count += 1
    return made.triangle_count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_to_queue(made: cython.pointer[DetailTriangles], triangle: cython.int) -> cython.int:
    if made.queued.data[triangle]:
        return 0
    made.queued.data[triangle] = 1
    return push_int(cython.address(made.queue), triangle)


# --- flipping


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _surely_within(
    made: cython.pointer[DetailTriangles], a: cython.int, b: cython.int, c: cython.int, d: cython.int
) -> cython.bint:
    """Whether d lies within the circle through a, b, c (counter-clockwise) beyond all doubt of rounding."""
    x: cython.p_int = made.x.data
    z: cython.p_int = made.z.data
    ax: cython.double = x[a] - x[d]
    az: cython.double = z[a] - z[d]
    bx: cython.double = x[b] - x[d]
    bz: cython.double = z[b] - z[d]
    cx: cython.double = x[c] - x[d]
    cz: cython.double = z[c] - z[d]
    a_squared: cython.double = ax * ax + az * az
    b_squared: cython.double = bx * bx + bz * bz
    c_squared: cython.double = cx * cx + cz * cz
    inside: cython.double = (
        a_squared * (bz * cx - bx * cz) + b_squared * (cz * ax - cx * az) + c_squared * (az * bx - ax * bz)
    )
    # Every rounding is within 2^-53 of one of these products, and there are about twenty.
    doubt: cython.double = (
        a_squared * (abs(bz * cx) + abs(bx * cz))
        + b_squared * (abs(cz * ax) + abs(cx * az))
        + c_squared * (abs(az * bx) + abs(ax * bz))
    )
    return inside > doubt * 2.0**-46


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _flip(made: cython.pointer[DetailTriangles], half: cython.int) -> cython.int:
    """Turns the edge between two triangles to the other diagonal; their outer edges are to be looked at again."""
    twin: cython.int = made.twin.data[half]
    first: cython.int = half - half % 3
    second: cython.int = twin - twin % 3
    to_apex: cython.int = _next(half)
    from_apex: cython.int = _next(to_apex)
    to_other: cython.int = _next(twin)
    from_other: cython.int = _next(to_other)
    corner: cython.p_int = made.corner.data
    u: cython.int = corner[half]
    v: cython.int = corner[twin]
    apex: cython.int = corner[from_apex]
    other: cython.int = corner[from_other]
    apex_u: cython.int = made.twin.data[from_apex]
    v_apex: cython.int = made.twin.data[to_apex]
    u_other: cython.int = made.twin.data[to_other]
    other_v: cython.int = made.twin.data[from_other]
    k: cython.int
    corner[first] = apex
    corner[first + 1] = u
    corner[first + 2] = other
    corner[second] = other
    corner[second + 1] = v
    corner[second + 2] = apex
    _join(made, first, apex_u)
    _join(made, first + 1, u_other)
    _join(made, first + 2, second + 2)
    _join(made, second, other_v)
    _join(made, second + 1, v_apex)
    for k in range(2):
        if push_int(cython.address(made.stack), first + k) < 0 or push_int(cython.address(made.stack), second + k) < 0:
            return -1
    if add_to_queue(made, first // 3) < 0:  # never negative
        return -1
    return add_to_queue(made, second // 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle(made: cython.pointer[DetailTriangles]) -> cython.int:
    """Flips until no edge on the stack, nor one beside a flip, surely fails the test of the circle."""
    half: cython.int
    twin: cython.int
    corner: cython.p_int
    while made.stack.count > 0:
        made.stack.count -= 1
        half = made.stack.data[made.stack.count]
        twin = made.twin.data[half]
        if twin < 0:
            continue
        corner = made.corner.data
        if (
            _surely_within(
                made, corner[half], corner[_next(half)], corner[_next(_next(half))], corner[_next(_next(twin))]
            )
            and _flip(made, half) < 0
        ):
            return -1
    return 0


# --- the outline


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_hull(made: cython.pointer[DetailTriangles]) -> cython.int:
    count: cython.int = made.x.count
    before: cython.int = count - 1
    at: cython.int
    made.outline_count = count
    for at in range(count):
        if _turn(made, before, at, at + 1 if at + 1 < count else 0) > 0 and push_int(cython.address(made.hull), at) < 0:
            return -1
        before = at
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fan_hull(made: cython.pointer[DetailTriangles]) -> cython.int:
    """Triangles from the first turn of the outline to all sides. A half edge along side s has the twin -2 - s."""
    turns: cython.int = made.hull.count
    hull: cython.p_int = made.hull.data
    k: cython.int
    triangle: cython.int
    for k in range(1, turns - 1):
        triangle = _add_triangle(made, hull[0], hull[k], hull[k + 1])
        if triangle < 0:
            return -1
        made.twin.data[3 * triangle + 1] = -2 - k
        if k > 1:
            _join(made, 3 * triangle, 3 * triangle - 1)
    made.twin.data[0] = -2
    made.twin.data[3 * made.triangle_count - 1] = -1 - turns
    for k in range(turns):
        if push_int(cython.address(made.side_half), 3 * (k - 1) + 1) < 0:
            return -1
    made.side_half.data[0] = 0
    made.side_half.data[turns - 1] = 3 * made.triangle_count - 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_side(made: cython.pointer[DetailTriangles], side: cython.int, vertex: cython.int) -> cython.int:
    """Cuts the triangle on the rest of a side at a vertex strictly within it."""
    half: cython.int = made.side_half.data[side]
    ahead: cython.int = _next(half)
    b: cython.int = made.corner.data[ahead]
    apex: cython.int = made.corner.data[_next(ahead)]
    cut: cython.int = _add_triangle(made, vertex, b, apex)
    beyond: cython.int = made.twin.data[ahead]
    if cut < 0:
        return -1
    made.corner.data[ahead] = vertex
    made.twin.data[3 * cut] = -2 - side
    made.side_half.data[side] = 3 * cut
    _join(made, 3 * cut + 1, beyond)
    if beyond < 0:
        made.side_half.data[-2 - beyond] = 3 * cut + 1
    _join(made, 3 * cut + 2, ahead)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_outline(made: cython.pointer[DetailTriangles]) -> cython.int:
    side: cython.int
    vertex: cython.int
    stop: cython.int
    half: cython.int
    if _find_hull(made) < 0 or _fan_hull(made) < 0:
        return -1
    for side in range(made.hull.count):
        vertex = made.hull.data[side] + 1
        stop = made.hull.data[side + 1 if side + 1 < made.hull.count else 0]
        while True:
            vertex = 0 if vertex == made.outline_count else vertex
            if vertex == stop:
                break
            if _cut_side(made, side, vertex) < 0:
                return -1
            vertex += 1
    for half in range(3 * made.triangle_count):
        if half < made.twin.data[half] and push_int(cython.address(made.stack), half) < 0:
            return -1
    for side in range(made.triangle_count):
        if add_to_queue(made, side) < 0:
            return -1
    return _settle(made)


# --- inside


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_in_three(made: cython.pointer[DetailTriangles], triangle: cython.int, vertex: cython.int) -> cython.int:
    first: cython.int = 3 * triangle
    a: cython.int = made.corner.data[first]
    b: cython.int = made.corner.data[first + 1]
    c: cython.int = made.corner.data[first + 2]
    second: cython.int = _add_triangle(made, b, c, vertex)
    third: cython.int = _add_triangle(made, c, a, vertex)
    if second < 0 or third < 0:
        return -1
    made.corner.data[first + 2] = vertex
    second *= 3
    third *= 3
    _join(made, second, made.twin.data[first + 1])
    _join(made, third, made.twin.data[first + 2])
    _join(made, first + 1, second + 2)
    _join(made, second + 1, third + 2)
    _join(made, third + 1, first + 2)
    if (
        push_int(cython.address(made.stack), first) < 0
        or push_int(cython.address(made.stack), second) < 0
        or push_int(cython.address(made.stack), third) < 0
        or add_to_queue(made, triangle) < 0
        or add_to_queue(made, second // 3) < 0  # never negative
    ):
        return -1
    return add_to_queue(made, third // 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_edge(made: cython.pointer[DetailTriangles], half: cython.int, vertex: cython.int) -> cython.int:
    """Cuts both triangles along an edge at a vertex strictly within it."""
    twin: cython.int = made.twin.data[half]
    ahead: cython.int = _next(half)
    back: cython.int = _next(twin)
    u: cython.int = made.corner.data[half]
    v: cython.int = made.corner.data[twin]
    apex: cython.int = made.corner.data[_next(ahead)]
    other: cython.int = made.corner.data[_next(back)]
    near: cython.int = _add_triangle(made, vertex, v, apex)
    far: cython.int = _add_triangle(made, vertex, u, other)
    if near < 0 or far < 0:
        return -1
    near *= 3
    far *= 3
    # u, vertex, apex and v, vertex, other stay; vertex, v, apex and vertex, u, other are new.
    _join(made, near + 1, made.twin.data[ahead])
    _join(made, far + 1, made.twin.data[back])
    made.corner.data[ahead] = vertex
    made.corner.data[back] = vertex
    _join(made, near + 2, ahead)
    _join(made, far + 2, back)
    _join(made, half, far)
    _join(made, twin, near)
    if (
        push_int(cython.address(made.stack), near + 1) < 0
        or push_int(cython.address(made.stack), far + 1) < 0
        or push_int(cython.address(made.stack), _next(ahead)) < 0
        or push_int(cython.address(made.stack), _next(back)) < 0
        or add_to_queue(made, half // 3) < 0  # never negative
        or add_to_queue(made, twin // 3) < 0
        or add_to_queue(made, near // 3) < 0
    ):
        return -1
    return add_to_queue(made, far // 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_room(
    made: cython.pointer[cython.const[DetailTriangles]], triangle: cython.int, x: cython.int, z: cython.int
) -> cython.int:
    at: cython.p_int = made.x.data
    along: cython.p_int = made.z.data
    half: cython.int
    a: cython.int
    b: cython.int
    side: cython.longlong
    _step: cython.int
    is_blocked: cython.bint
    # The walk turns nowhere back among Delaunay triangles; these are nearly.
    for _step in range(made.triangle_count):
        is_blocked = False
        for half in range(3 * triangle, 3 * triangle + 3):
            a = made.corner.data[half]
            b = made.corner.data[_next(half)]
            side = turn(at[a], along[a], at[b], along[b], x, z)
            if side < 0:
                break
            is_blocked |= (side == 0 and made.twin.data[half] < 0) or (at[a] == x and along[a] == z)
        else:
            return -1 if is_blocked else triangle
        if made.twin.data[half] < 0:
            return -1
        triangle = made.twin.data[half] // 3  # never negative
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_inside(
    made: cython.pointer[DetailTriangles],
    triangle: cython.int,
    x: cython.int,
    z: cython.int,
    y: cython.int,
    name: cython.int,
) -> cython.int:
    vertex: cython.int = made.x.count
    half: cython.int
    if add_vertex(made, x, z, y, name) < 0:
        return -1
    for half in range(3 * triangle, 3 * triangle + 3):
        if _turn(made, made.corner.data[half], made.corner.data[_next(half)], vertex) == 0:
            if _cut_edge(made, half, vertex) < 0:
                return -1
            return _settle(made)
    if _cut_in_three(made, triangle, vertex) < 0:
        return -1
    return _settle(made)
