"""Where two polygons meet across a tile border: the one answer that links, paths and exact searches share."""

import cython
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot, side_axis
from cython.cimports.onepath.mesh._portals import EdgeEnds, Overlap, PortalGroup, PortalLimits, ends_overlap


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def portal_limits(mesh: cython.pointer[cython.const[MeshState]]) -> PortalLimits:
    limits: PortalLimits
    limits.climb = mesh.max_climb + 1e-3 * mesh.cell_height
    limits.length = 1e-3 * mesh.cell_size
    return limits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def edge_ends(
    tile: cython.pointer[cython.const[TileSlot]], edge: cython.int, following: cython.int, axis: cython.int
) -> EdgeEnds:
    """An edge of a tile, given by the places of its two corners in `polygon_vertices`."""
    a: cython.pointer[cython.const[cython.float]] = tile.vertices + 3 * tile.polygon_vertices[edge]
    b: cython.pointer[cython.const[cython.float]] = tile.vertices + 3 * tile.polygon_vertices[following]
    turn: cython.pointer[cython.const[cython.float]]
    ends: EdgeEnds
    if a[axis] > b[axis]:
        turn = a
        a = b
        b = turn
    ends.low = tile.origin[axis] + a[axis]
    ends.high = tile.origin[axis] + b[axis]
    ends.low_height = tile.origin[1] + a[1]
    ends.high_height = tile.origin[1] + b[1]
    return ends


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def edge_overlap(
    source: cython.pointer[cython.const[TileSlot]],
    source_edge: cython.int,
    source_next: cython.int,
    target: cython.pointer[cython.const[TileSlot]],
    target_edge: cython.int,
    target_next: cython.int,
    side: cython.int,
    limits: cython.pointer[cython.const[PortalLimits]],
    overlap: cython.pointer[Overlap],
) -> cython.bint:
    """The interval over which two facing side edges join; False where they do not.

    An edge is given by the places of its two corners in `polygon_vertices`; `side` is the source's.
    """
    near: EdgeEnds = edge_ends(source, source_edge, source_next, side_axis(side))
    far: EdgeEnds = edge_ends(target, target_edge, target_next, side_axis(side))
    return ends_overlap(cython.address(near), cython.address(far), limits, overlap)


# --- groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def only_side_edge(
    tile: cython.pointer[cython.const[TileSlot]], first: cython.int, corners: cython.int, side: cython.int
) -> cython.int:
    """The one edge of a polygon on a side; -1 where there is none or several are."""
    found: cython.int = -1
    i: cython.int
    for i in range(corners):
        if tile.border_sides[first + i] == side:
            if found >= 0:
                return -1
            found = i
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wrapped(edge: cython.int, corners: cython.int) -> cython.int:
    if edge < 0:
        return edge + corners
    if edge >= corners:
        return edge - corners
    return edge


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_along(
    tile: cython.pointer[cython.const[TileSlot]], edge: cython.int, following: cython.int, axis: cython.int
) -> cython.double:
    """The higher coordinate of an edge along its side, in the world."""
    a: cython.float = tile.vertices[3 * tile.polygon_vertices[edge] + axis]
    b: cython.float = tile.vertices[3 * tile.polygon_vertices[following] + axis]
    return tile.origin[axis] + (a if a > b else b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lowest_side_edge(
    tile: cython.pointer[cython.const[TileSlot]],
    polygon: cython.int,
    side: cython.int,
    count: cython.pointer[cython.int],
) -> cython.int:
    """Of a polygon's edges on a side, the one that ends lowest along it, or -1; and how many there are."""
    first: cython.int = tile.polygon_first[polygon]
    corners: cython.int = tile.polygon_first[polygon + 1] - first
    axis: cython.int = side_axis(side)
    lowest: cython.int = -1
    least: cython.double = 0.0
    end: cython.double
    i: cython.int
    count[0] = 0
    for i in range(corners):
        if tile.border_sides[first + i] != side:
            continue
        end = end_along(tile, first + i, first + wrapped(i + 1, corners), axis)
        if lowest < 0 or end < least:
            lowest = i
            least = end
        count[0] += 1
    return lowest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def next_side_edge(
    tile: cython.pointer[cython.const[TileSlot]], polygon: cython.int, side: cython.int, edge: cython.int
) -> cython.int:
    """The next higher edge on a side, where there is one.

    What lies on a side follows one another round the outline (it is convex): upward on sides 0 and 1, downward on 2 and
    3. Walls may lie between: edges on the side's line that do not name it.
    """
    first: cython.int = tile.polygon_first[polygon]
    corners: cython.int = tile.polygon_first[polygon + 1] - first
    step: cython.int = 1 if side < 2 else -1
    following: cython.int = wrapped(edge + step, corners)
    while following != edge and tile.border_sides[first + following] != side:
        following = wrapped(following + step, corners)
    return following


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def portal_groups(
    mesh: cython.pointer[cython.const[MeshState]],
    source_slot: cython.int,
    source_polygon: cython.int,
    target_slot: cython.int,
    target_polygon: cython.int,
    side: cython.int,
    groups: cython.pointer[PortalGroup],
    capacity: cython.int,
) -> cython.int:
    """The separate portals from one polygon to another across the source's `side`, ascending along it.

    Fills at most `capacity` groups and returns how many there are. The tiles must lie in facing cells.
    """
    source: cython.pointer[cython.const[TileSlot]] = cython.address(mesh.slots[source_slot])
    target: cython.pointer[cython.const[TileSlot]] = cython.address(mesh.slots[target_slot])
    limits: PortalLimits = portal_limits(mesh)
    axis: cython.int = side_axis(side)
    source_first: cython.int = source.polygon_first[source_polygon]
    target_first: cython.int = target.polygon_first[target_polygon]
    source_corners: cython.int = source.polygon_first[source_polygon + 1] - source_first
    target_corners: cython.int = target.polygon_first[target_polygon + 1] - target_first
    source_left: cython.int
    target_left: cython.int
    i: cython.int = only_side_edge(source, source_first, source_corners, side)
    k: cython.int = only_side_edge(target, target_first, target_corners, side ^ 2)
    found: cython.int = 0
    group: PortalGroup
    overlap: Overlap
    if i >= 0 and k >= 0:
        # Nearly always.
        if not edge_overlap(
            source, source_first + i, source_first + wrapped(i + 1, source_corners),
            target, target_first + k, target_first + wrapped(k + 1, target_corners),
            side, cython.address(limits), cython.address(overlap),
        ):  # fmt: skip
            return 0
        if capacity > 0:
            groups[0].low = overlap.low
            groups[0].high = overlap.high
            groups[0].low_edge = i
            groups[0].high_edge = i
        return 1
    i = lowest_side_edge(source, source_polygon, side, cython.address(source_left))
    k = lowest_side_edge(target, target_polygon, side ^ 2, cython.address(target_left))
    group.low = 0.0
    group.high = 0.0
    group.low_edge = 0
    group.high_edge = 0
    while source_left > 0 and target_left > 0:
        i_next: cython.int = wrapped(i + 1, source_corners)
        k_next: cython.int = wrapped(k + 1, target_corners)
        if edge_overlap(
            source, source_first + i, source_first + i_next, target, target_first + k, target_first + k_next,
            side, cython.address(limits), cython.address(overlap),
        ):  # fmt: skip
            if found == 0 or overlap.low > group.high:
                if 0 < found <= capacity:
                    groups[found - 1] = group
                found += 1
                group.low = overlap.low
                group.low_edge = i
            group.high = overlap.high
            group.high_edge = i
        # The edge that ends first along the side has met all it can meet.
        if end_along(source, source_first + i, source_first + i_next, axis) <= end_along(
            target, target_first + k, target_first + k_next, axis
        ):
            i = next_side_edge(source, source_polygon, side, i)
            source_left -= 1
        else:
            k = next_side_edge(target, target_polygon, side ^ 2, k)
            target_left -= 1
    if 0 < found <= capacity:
        groups[found - 1] = group
    return found
