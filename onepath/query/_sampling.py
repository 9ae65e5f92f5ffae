"""Random points, evenly spread by area seen from above: on a whole mesh, and within a circle.

Queries document, random points. Each point, or attempt at one, takes four draws: a polygon by its area, a triangle of
its fan by its area, and a point of the triangle (Osada, Funkhouser, Chazelle, Dobkin, "Shape Distributions", 2002).
"""

import cython
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, surface_height, world_vertex
from cython.cimports.onepath.query._area_search import AreaNode, AreaState
from cython.cimports.onepath.query._polygon_keys import key_polygon, key_slot, polygon_key
from cython.cimports.onepath.query._random import draw_four
from cython.cimports.onepath.query._room import resize
from cython.cimports.onepath.query._sampling import (
    SAMPLE_FOUND,
    SAMPLE_NO_MEMORY,
    SAMPLE_NONE,
    CircleWeights,
    ClipScratch,
    MeshWeights,
    Sample,
)

# Attempts at a point in a circle.
MOST_ATTEMPTS = cython.declare(cython.int, 64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def fan_area(
    ax: cython.double,
    az: cython.double,
    bx: cython.double,
    bz: cython.double,
    cx: cython.double,
    cz: cython.double,
) -> cython.double:
    """Positive counter-clockwise seen from above."""
    return ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) * 0.5


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def blend(a: cython.double, b: cython.double, c: cython.double, draws: cython.p_double) -> cython.double:
    """One coordinate of the point that the last two draws give in a triangle."""
    root: cython.double = sqrt(draws[2])
    across: cython.double = draws[3]
    return ((1.0 - root) * a + root * (1.0 - across) * b) + root * across * c


# --- The whole mesh -----------------------------------------------------------------------------------------------


def free_mesh_weights(weights):
    free(weights.reached)
    free(weights.polygons)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def triangle_area(tile: cython.pointer(cython.const[TileSlot]), first: cython.int, corner: cython.int) -> cython.double:
    """Of the fan's triangle that begins at a corner, from the tile's own numbers."""
    a: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first]
    b: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first + corner]
    c: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first + corner + 1]
    return fan_area(a[0], a[2], b[0], b[2], c[0], c[2])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outline_area(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int) -> cython.double:
    first: cython.int = tile.polygon_first[polygon]
    corner: cython.int
    area: cython.double = 0.0
    for corner in range(1, tile.polygon_first[polygon + 1] - first - 1):
        area += triangle_area(tile, first, corner)
    return area


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_mesh_weights(weights: cython.pointer(MeshWeights), more: cython.int) -> cython.int:
    needed: cython.longlong = cython.cast(cython.longlong, weights.count) + more
    if needed <= weights.capacity:
        return 0
    needed += needed >> 1
    if needed > 0x7FFFFFFF:
        return -1
    if resize(cython.address(weights.reached), needed, cython.sizeof(cython.double)) != 0:
        return -1
    if resize(cython.address(weights.polygons), needed, cython.sizeof(cython.longlong)) != 0:
        return -1
    weights.capacity = cython.cast(cython.int, needed)
    return 0


def weigh_mesh(mesh, table, weights):
    slot: cython.int
    polygon: cython.int
    tile: cython.pointer(cython.const[TileSlot])
    area: cython.double
    total: cython.double = 0.0
    reached: cython.double = 0.0
    weights.count = 0
    weights.last = -1
    for slot in range(mesh.slot_count):
        tile = mesh.slots + slot
        if not tile.used:
            continue
        if reserve_mesh_weights(weights, tile.polygon_count) != 0:
            return -1
        for polygon in range(tile.polygon_count):
            if not filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
                continue
            area = outline_area(tile, polygon)
            total += area
            if total > reached:
                reached = total
            weights.reached[weights.count] = reached
            weights.polygons[weights.count] = polygon_key(slot, polygon)
            if area > 0.0:
                weights.last = weights.polygons[weights.count]
            weights.count += 1
    weights.total = total
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_polygon(weights: cython.pointer(cython.const[MeshWeights]), draw: cython.double) -> cython.longlong:
    """The first polygon whose running total exceeds the part `draw` of the total."""
    wanted: cython.double = draw * weights.total
    low: cython.int = 0
    high: cython.int = weights.count
    middle: cython.int
    while low < high:
        middle = low + ((high - low) >> 1)
        if weights.reached[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return weights.polygons[low] if low < weights.count else weights.last


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_triangle(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, draw: cython.double
) -> cython.int:
    """The corner at which the fan's triangle begins whose running total exceeds the part `draw` of the area."""
    first: cython.int = tile.polygon_first[polygon]
    wanted: cython.double = draw * outline_area(tile, polygon)
    total: cython.double = 0.0
    area: cython.double
    last: cython.int = 1
    corner: cython.int
    for corner in range(1, tile.polygon_first[polygon + 1] - first - 1):
        area = triangle_area(tile, first, corner)
        total += area
        if total > wanted:
            return corner
        if area > 0.0:
            last = corner
    return last


def sample_mesh(mesh, weights, state, sample):
    draws: cython.double[4]
    chosen: cython.longlong
    tile: cython.pointer(cython.const[TileSlot])
    first: cython.int
    corner: cython.int
    a: Vector
    b: Vector
    c: Vector
    if weights.last < 0:
        return SAMPLE_NONE
    draw_four(state, draws)
    chosen = weighted_polygon(weights, draws[0])
    sample.slot = key_slot(chosen)
    sample.polygon = key_polygon(chosen)
    tile = mesh.slots + sample.slot
    first = tile.polygon_first[sample.polygon]
    corner = weighted_triangle(tile, sample.polygon, draws[1])
    a = world_vertex(tile, tile.polygon_vertices[first])
    b = world_vertex(tile, tile.polygon_vertices[first + corner])
    c = world_vertex(tile, tile.polygon_vertices[first + corner + 1])
    sample.point.x = blend(a.x, b.x, c.x, draws)
    sample.point.z = blend(a.z, b.z, c.z, draws)
    sample.point.y = surface_height(tile, sample.polygon, sample.point.x, sample.point.z)
    return SAMPLE_FOUND


# --- A circle -----------------------------------------------------------------------------------------------------


def free_circle_weights(weights):
    free(weights.areas)
    free(weights.clip.corners)
    free(weights.clip.clipped)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_areas(weights: cython.pointer(CircleWeights), needed: cython.int) -> cython.int:
    capacity: cython.longlong = cython.cast(cython.longlong, needed) + (needed >> 1) + 16
    if needed <= weights.capacity:
        return 0
    if capacity > 0x7FFFFFFF:
        capacity = needed
    if resize(cython.address(weights.areas), capacity, cython.sizeof(cython.double)) != 0:
        return -1
    weights.capacity = cython.cast(cython.int, capacity)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_corners(clip: cython.pointer(ClipScratch), corners: cython.int) -> cython.int:
    """Room for what four planes can make of an outline: each adds at most half as many corners as there are."""
    needed: cython.int = 6 * corners + 8
    if needed <= clip.capacity:
        return 0
    if resize(cython.address(clip.corners), 2 * needed, cython.sizeof(cython.double)) != 0:
        return -1
    if resize(cython.address(clip.clipped), 2 * needed, cython.sizeof(cython.double)) != 0:
        return -1
    clip.capacity = needed
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clip_plane(
    clip: cython.pointer(ClipScratch),
    count: cython.int,
    axis: cython.int,
    sign: cython.double,
    plane: cython.double,
) -> cython.int:
    """Cuts off what is beyond the plane on one axis (0 x, 1 z; sign -1 keeps what is below it); the corners left."""
    i: cython.int
    made: cython.int = 0
    outside: cython.bint = False
    p: cython.p_double
    q: cython.p_double
    dp: cython.double
    dq: cython.double
    t: cython.double
    swapped: cython.p_double
    for i in range(count):
        outside = outside or sign * (clip.corners[2 * i + axis] - plane) < 0.0
    if not outside:
        return count
    for i in range(count):
        p = clip.corners + 2 * i
        q = clip.corners + 2 * (i + 1 if i + 1 < count else 0)
        dp = sign * (p[axis] - plane)
        dq = sign * (q[axis] - plane)
        if dp >= 0.0:
            clip.clipped[2 * made] = p[0]
            clip.clipped[2 * made + 1] = p[1]
            made += 1
        if (dp > 0.0 and dq < 0.0) or (dp < 0.0 and dq > 0.0):
            t = dp / (dp - dq)
            clip.clipped[2 * made + axis] = plane
            clip.clipped[2 * made + 1 - axis] = p[1 - axis] + (q[1 - axis] - p[1 - axis]) * t
            made += 1
    swapped = clip.corners
    clip.corners = clip.clipped
    clip.clipped = swapped
    return made


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clip_polygon(
    area: cython.pointer(cython.const[AreaState]),
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    clip: cython.pointer(ClipScratch),
) -> cython.int:
    """The outline within the circle's square (Sutherland and Hodgman 1974): the corners left, or -1 without memory."""
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    corner: cython.int
    place: Vector
    if reserve_corners(clip, count) != 0:
        return -1
    for corner in range(count):
        place = world_vertex(tile, tile.polygon_vertices[first + corner])
        clip.corners[2 * corner] = place.x
        clip.corners[2 * corner + 1] = place.z
    count = clip_plane(clip, count, 0, 1.0, area.shape.x - area.shape.radius)
    count = clip_plane(clip, count, 0, -1.0, area.shape.x + area.shape.radius)
    count = clip_plane(clip, count, 1, 1.0, area.shape.z - area.shape.radius)
    return clip_plane(clip, count, 1, -1.0, area.shape.z + area.shape.radius)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def corner_area(corners: cython.pointer(cython.const[cython.double]), corner: cython.int) -> cython.double:
    return fan_area(
        corners[0],
        corners[1],
        corners[2 * corner],
        corners[2 * corner + 1],
        corners[2 * corner + 2],
        corners[2 * corner + 3],
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clipped_area(corners: cython.pointer(cython.const[cython.double]), count: cython.int) -> cython.double:
    corner: cython.int
    area: cython.double = 0.0
    for corner in range(1, count - 1):
        area += corner_area(corners, corner)
    return area


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw_in_polygon(
    corners: cython.pointer(cython.const[cython.double]),
    count: cython.int,
    draws: cython.p_double,
    sample: cython.pointer(Sample),
) -> cython.void:
    wanted: cython.double = draws[1] * clipped_area(corners, count)
    total: cython.double = 0.0
    area: cython.double
    corner: cython.int
    chosen: cython.int = 1
    for corner in range(1, count - 1):
        area = corner_area(corners, corner)
        total += area
        if area > 0.0 or total > wanted:
            chosen = corner
        if total > wanted:
            break
    sample.point.x = blend(corners[0], corners[2 * chosen], corners[2 * chosen + 2], draws)
    sample.point.z = blend(corners[1], corners[2 * chosen + 1], corners[2 * chosen + 3], draws)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_circle(
    area: cython.pointer(cython.const[AreaState]),
    mesh: cython.pointer(cython.const[MeshState]),
    weights: cython.pointer(CircleWeights),
    total: cython.p_double,
) -> cython.int:
    """Areas and their sum; the last place of positive area, -1 where there is none, -2 without memory."""
    i: cython.int
    last: cython.int = -1
    count: cython.int
    node: cython.pointer(cython.const[AreaNode])
    total[0] = 0.0
    if reserve_areas(weights, area.expanded_count) != 0:
        return -2
    for i in range(area.expanded_count):
        node = area.nodes + area.expanded[i]
        count = clip_polygon(area, mesh.slots + node.slot, node.polygon, cython.address(weights.clip))
        if count < 0:
            return -2
        weights.areas[i] = clipped_area(weights.clip.corners, count)
        total[0] += weights.areas[i]
        if weights.areas[i] > 0.0:
            last = i
    return last


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weighted_place(
    areas: cython.pointer(cython.const[cython.double]), count: cython.int, wanted: cython.double, last: cython.int
) -> cython.int:
    i: cython.int
    total: cython.double = 0.0
    for i in range(count):
        total += areas[i]
        if total > wanted:
            return i
    return last


def sample_circle(area, mesh, weights, state, sample):
    draws: cython.double[4]
    total: cython.double = 0.0
    last: cython.int
    place: cython.int
    count: cython.int
    clipped: cython.int = -1
    dx: cython.double
    dz: cython.double
    node: cython.pointer(cython.const[AreaNode])
    if area.shape.radius == 0.0:
        return SAMPLE_NONE
    last = weigh_circle(area, mesh, weights, cython.address(total))
    if last < 0:
        return SAMPLE_NO_MEMORY if last == -2 else SAMPLE_NONE
    count = 0
    for _ in range(MOST_ATTEMPTS):
        draw_four(state, draws)
        place = weighted_place(weights.areas, area.expanded_count, draws[0] * total, last)
        node = area.nodes + area.expanded[place]
        if place != clipped:
            count = clip_polygon(area, mesh.slots + node.slot, node.polygon, cython.address(weights.clip))
            clipped = place
        draw_in_polygon(weights.clip.corners, count, draws, sample)
        dx = sample.point.x - area.shape.x
        dz = sample.point.z - area.shape.z
        if dx * dx + dz * dz <= area.shape.radius_squared:
            sample.slot = node.slot
            sample.polygon = node.polygon
            sample.point.y = surface_height(mesh.slots + node.slot, node.polygon, sample.point.x, sample.point.z)
            return SAMPLE_FOUND
    return SAMPLE_NONE
