"""Where a drop or a jump could lead: casts from samples along the open edges of a tile.

A cast starts on an edge and looks outward, across it, at one column of the mesh after the other: a drop for the ground
below the edge, a jump for a floor of about the same height across the gap. A floor that stands in the way ends it.
"""

import cython
from cython.cimports.libc.math import ceil, sqrt
from cython.cimports.libc.stdlib import realloc
from cython.cimports.onepath.links._candidates import Candidate, CandidateBuffer, CastSettings
from cython.cimports.onepath.links._columns import Floor, highest_floor
from cython.cimports.onepath.mesh._mesh import MeshState, TileSlot
from cython.cimports.onepath.mesh._surface import Vector, surface_height, world_vertex

# Shares of a spacing that count as none: an edge of exactly two spacings has two samples.
SHARE_SLACK = cython.declare(cython.double, 1e-6)

# One cast: from a point of an edge along the outward direction, of length 1 in X/Z.
Cast = cython.struct(start=Vector, across_x=cython.double, across_z=cython.double, slot=cython.int, polygon=cython.int)
# One of the columns that it looks at.
Column = cython.struct(distance=cython.double, x=cython.double, z=cython.double)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def append_candidate(
    candidates: cython.pointer(CandidateBuffer),
    cast: cython.pointer(cython.const[Cast]),
    place: cython.pointer(cython.const[Column]),
    floor: cython.pointer(cython.const[Floor]),
    is_drop: cython.bint,
    both_ways: cython.bint,
) -> cython.int:
    capacity: cython.longlong
    block: cython.p_void
    candidate: cython.pointer(Candidate)
    if candidates.count == candidates.capacity:
        capacity = 2 * cython.cast(cython.longlong, candidates.capacity) + 64
        if capacity > 0x7FFFFFFF:
            return -1
        block = realloc(candidates.members, cython.cast(cython.size_t, capacity) * cython.sizeof(Candidate))
        if block == cython.NULL:
            return -1
        candidates.members = cython.cast(cython.pointer(Candidate), block)
        candidates.capacity = cython.cast(cython.int, capacity)
    candidate = candidates.members + candidates.count
    candidates.count += 1
    candidate.start = cast.start
    candidate.slot = cast.slot
    candidate.polygon = cast.polygon
    candidate.end.x = place.x
    candidate.end.y = floor.height
    candidate.end.z = place.z
    candidate.end_slot = floor.slot
    candidate.end_polygon = floor.polygon
    candidate.is_drop = is_drop
    candidate.both_ways = both_ways
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def column_count(reach: cython.double, step: cython.double) -> cython.int:
    return cython.cast(cython.int, ceil(reach / step - SHARE_SLACK))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def column_place(
    cast: cython.pointer(cython.const[Cast]),
    column: cython.int,
    count: cython.int,
    reach: cython.double,
    step: cython.double,
) -> Column:
    """The column-th of `count` columns, from 1 on; the last one stands exactly at the reach."""
    place: Column
    place.distance = reach if column == count else column * step
    place.x = cast.start.x + cast.across_x * place.distance
    place.z = cast.start.z + cast.across_z * place.distance
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cast_drop(
    mesh: cython.pointer(MeshState),
    cast: cython.pointer(cython.const[Cast]),
    settings: cython.pointer(cython.const[CastSettings]),
    candidates: cython.pointer(CandidateBuffer),
) -> cython.int:
    """Appends at most one drop: 0, or -1 without memory."""
    floor: Floor
    landing: Floor
    place: Column
    landing_place: Column
    depth: cython.double
    found: cython.int
    column: cython.int
    count: cython.int = column_count(settings.drop_reach, settings.step)
    landing.slot = -1
    for column in range(1, count + 1):
        place = column_place(cast, column, count, settings.drop_reach, settings.step)
        found = highest_floor(
            mesh,
            place.x,
            place.z,
            cast.start.y - settings.drop_max,
            cast.start.y + settings.height,
            cython.address(floor),
        )
        if found < 0:
            return -1
        if found == 0:
            continue
        depth = cast.start.y - floor.height
        # A floor beside the edge, or in the body's way
        if depth <= settings.level:
            break
        if place.distance <= settings.radius or mesh.slots[floor.slot].areas[floor.polygon] == 0:
            continue
        # Floors end a radius before their rim: one that begins farther out and higher has what was found under its rim.
        if landing.slot < 0 or floor.height > landing.height + settings.climb_max:
            landing = floor
            landing_place = place
    if landing.slot < 0:
        return 0
    return append_candidate(
        candidates,
        cast,
        cython.address(landing_place),
        cython.address(landing),
        True,
        cast.start.y - landing.height <= settings.climb_max,
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cast_jump(
    mesh: cython.pointer(MeshState),
    cast: cython.pointer(cython.const[Cast]),
    settings: cython.pointer(cython.const[CastSettings]),
    candidates: cython.pointer(CandidateBuffer),
) -> cython.int:
    """Appends at most one jump: 0, or -1 without memory."""
    floor: Floor
    place: Column
    rise: cython.double
    found: cython.int
    column: cython.int
    count: cython.int = column_count(settings.jump_max, settings.step)
    for column in range(1, count + 1):
        place = column_place(cast, column, count, settings.jump_max, settings.step)
        found = highest_floor(
            mesh,
            place.x,
            place.z,
            cast.start.y - settings.climb_max,
            cast.start.y + settings.height,
            cython.address(floor),
        )
        if found < 0:
            return -1
        if found == 0:
            continue
        rise = floor.height - cast.start.y
        if rise > settings.climb_max or mesh.slots[floor.slot].areas[floor.polygon] == 0:
            return 0
        # A step down within a drop's reach is a drop that goes both ways; a step up is one from the edge above.
        if (
            settings.drop_max > 0.0
            and place.distance <= settings.drop_reach
            and (rise > settings.level or rise < -settings.level)
        ):
            return 0
        return append_candidate(candidates, cast, cython.address(place), cython.address(floor), False, True)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sample_stretch(
    mesh: cython.pointer(MeshState),
    cast: cython.pointer(Cast),
    a: Vector,
    b: Vector,
    low: cython.double,
    high: cython.double,
    settings: cython.pointer(cython.const[CastSettings]),
    candidates: cython.pointer(CandidateBuffer),
) -> cython.int:
    """Casts from the middles of equal parts, none longer than the spacing, of an edge's part from low to high."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + cast.slot
    ex: cython.double = b.x - a.x
    ez: cython.double = b.z - a.z
    length: cython.double = sqrt(ex * ex + ez * ez)
    stretch: cython.double = length * (high - low)
    share: cython.double
    count: cython.double
    part: cython.int
    if stretch < settings.shortest:
        return 0
    count = ceil(stretch / settings.spacing - SHARE_SLACK)
    if count < 1.0:
        count = 1.0
    # Counter-clockwise outlines have their inside on the left.
    cast.across_x = -ez / length
    cast.across_z = ex / length
    for part in range(cython.cast(cython.int, count)):
        share = low + (high - low) * ((part + 0.5) / count)
        cast.start.x = a.x + ex * share
        cast.start.z = a.z + ez * share
        cast.start.y = surface_height(tile, cast.polygon, cast.start.x, cast.start.z)
        if settings.drop_max > 0.0 and cast_drop(mesh, cast, settings, candidates) != 0:
            return -1
        if settings.jump_max > 0.0 and cast_jump(mesh, cast, settings, candidates) != 0:
            return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sample_edge(
    mesh: cython.pointer(MeshState),
    cast: cython.pointer(Cast),
    edge: cython.int,
    settings: cython.pointer(cython.const[CastSettings]),
    candidates: cython.pointer(CandidateBuffer),
) -> cython.int:
    """Casts from what no portal covers of an edge (counted within its polygon) that has no neighbour."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + cast.slot
    first: cython.int = tile.polygon_first[cast.polygon]
    last: cython.int = tile.polygon_first[cast.polygon + 1]
    following: cython.int = first + edge + 1 if first + edge + 1 < last else first
    a: Vector = world_vertex(tile, tile.polygon_vertices[first + edge])
    b: Vector = world_vertex(tile, tile.polygon_vertices[following])
    open_from: cython.double = 0.0
    index: cython.int
    # A polygon's links are ordered by edge and then by range_min, so that one sweep finds the stretches between them.
    for index in range(tile.link_first[cast.polygon], tile.link_first[cast.polygon + 1]):
        if tile.links[index].edge != edge:
            continue
        if (
            tile.links[index].range_min > 255.0 * open_from
            and sample_stretch(mesh, cast, a, b, open_from, tile.links[index].range_min / 255.0, settings, candidates)
            != 0
        ):
            return -1
        if tile.links[index].range_max > 255.0 * open_from:
            open_from = tile.links[index].range_max / 255.0
    if open_from < 1.0:
        return sample_stretch(mesh, cast, a, b, open_from, 1.0, settings, candidates)
    return 0


def tile_candidates(mesh, slot, settings, candidates):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    cast: Cast
    edge: cython.int
    count: cython.int
    side: cython.int
    cast.slot = slot
    for cast.polygon in range(tile.polygon_count):
        if tile.areas[cast.polygon] == 0:
            continue
        count = tile.polygon_first[cast.polygon + 1] - tile.polygon_first[cast.polygon]
        for edge in range(count):
            if tile.neighbours[tile.polygon_first[cast.polygon] + edge] >= 0:
                continue
            side = tile.border_sides[tile.polygon_first[cast.polygon] + edge]
            # Behind a frontier lies what is not loaded: no wall.
            if side >= 0 and (tile.frontier_sides & (1 << side)) != 0:
                continue
            if sample_edge(mesh, cython.address(cast), edge, settings, candidates) != 0:
                return -1
    return 0
