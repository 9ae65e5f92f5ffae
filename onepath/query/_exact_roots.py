"""The roots of an exact search: the corners at which shortest lines turn.

A root stands for a spot and for the polygons round it that are joined with one another there: the same corner of two
floors, or of two places that touch in nothing but the spot, makes two roots. Which polygons are joined is found by
walking round the spot from polygon to polygon, across tile sides too, until a wall ends it on either side. Where no
wall does, a shortest line has no reason to turn.
"""

import cython
from cython.cimports.libc.stdlib import realloc
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.onepath.mesh._mesh import TileSlot
from cython.cimports.onepath.mesh._surface import Vector, world_vertex
from cython.cimports.onepath.query._exact_bounds import (
    are_close,
    leads_on,
    lies_between,
    progress,
    same_spot,
    turn,
)
from cython.cimports.onepath.query._exact_exits import record_behind
from cython.cimports.onepath.query._exact_roots import ROOT_NO_MEMORY
from cython.cimports.onepath.query._exact_state import (
    CORNER_CONVEX,
    CORNER_REFLEX,
    CORNER_STRAIGHT,
    CORNER_UNKNOWN,
    ROOT_NONE,
    ROOT_UNKNOWN,
    SIDE_AHEAD,
    SIDE_LEFT,
    SIDE_RIGHT,
    ExactPolygon,
    ExactSearch,
    ExactWork,
    Exit,
    Root,
    Spot,
    reserve_roots,
)

# How a walk round a spot ended
WALK_WALL = cython.declare(cython.int, 0)
WALK_CLOSED = cython.declare(cython.int, 1)
WALK_LOST = cython.declare(cython.int, 2)  # at polygons over each other, or it went on and on
WALK_NO_MEMORY = cython.declare(cython.int, -1)
LONGEST_WALK = cython.declare(cython.int, 256)

Walk = cython.struct(
    last=cython.int,  # record of the last polygon
    least=cython.int,  # the least record met
    steps=cython.int,  # portals crossed
    crossed=cython.int,  # how often their far ends, in turn, pass over to the other side of a line through the spot
    first_upper=cython.bint,
    last_upper=cython.bint,
)

# --- Walking round a spot -----------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def only_exit(
    exact: cython.pointer(cython.const[ExactSearch]), record: cython.int, spot: Spot, end: cython.int
) -> cython.int:
    """The portal of a polygon with the spot as its left or right end; -1 where there is none, -2 where several are."""
    found: cython.int = -1
    i: cython.int
    for i in range(exact.polygons[record].first, exact.polygons[record].links):
        if same_spot(exact.exits[i].left if end == SIDE_LEFT else exact.exits[i].right, spot):
            if found >= 0:
                return -2
            found = i
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def is_upper(spot: Spot, other: Spot) -> cython.bint:
    return other.z > spot.z or (other.z == spot.z and other.x > spot.x)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_round(
    work: cython.pointer(cython.const[ExactWork]),
    start: cython.int,
    spot: Spot,
    end: cython.int,
    walk: cython.pointer(Walk),
) -> cython.int:
    """Walks from polygon to polygon round the spot, which is each time the left (right) end of the portal crossed.

    Once round is told from twice round by how often the rays from the spot come up over a line through it.
    """
    exact: cython.pointer(ExactSearch) = work.exact
    record: cython.int = start
    following: cython.int
    way: cython.int
    rises: cython.int = 0
    upper: cython.bint
    step: cython.int
    walk.least = start
    walk.crossed = 0
    walk.first_upper = False
    walk.last_upper = False
    for step in range(LONGEST_WALK):
        walk.last = record
        walk.least = min(walk.least, record)
        walk.steps = step
        way = only_exit(exact, record, spot, end)
        if way < 0:
            return WALK_WALL if way == -1 else WALK_LOST
        following = record_behind(work, way)
        if following < 0:
            return WALK_NO_MEMORY
        if only_exit(exact, following, spot, 1 - end) < 0:
            return WALK_LOST
        upper = is_upper(spot, exact.exits[way].right if end == SIDE_LEFT else exact.exits[way].left)
        if step == 0:
            walk.first_upper = upper
        elif upper != walk.last_upper:
            walk.crossed += 1
            rises += upper
        walk.last_upper = upper
        if following == start:
            rises += walk.first_upper and not upper
            return WALK_CLOSED if rises <= 1 else WALK_LOST
        record = following
    return WALK_LOST


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def corner_of(tile: cython.pointer(cython.const[TileSlot]), edge: cython.int) -> Spot:
    vertex: Vector = world_vertex(tile, tile.polygon_vertices[edge])
    spot: Spot
    spot.x = vertex.x
    spot.z = vertex.z
    return spot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outline_beside(
    work: cython.pointer(cython.const[ExactWork]),
    record: cython.int,
    spot: Spot,
    end: cython.int,
    beside: cython.pointer(Spot),
) -> cython.bint:
    """The corner of the outline before (after) a spot that lies on it; False where the spot is on no edge exactly."""
    polygon: cython.pointer(ExactPolygon) = work.exact.polygons + record
    tile: cython.pointer(cython.const[TileSlot]) = work.mesh.slots + polygon.slot
    first: cython.int = tile.polygon_first[polygon.polygon]
    last: cython.int = tile.polygon_first[polygon.polygon + 1]
    edge: cython.int
    a: Spot = corner_of(tile, last - 1)
    b: Spot
    for edge in range(first, last):
        b = corner_of(tile, edge)
        if end == SIDE_LEFT and not same_spot(spot, a) and turn(a, b, spot) == 0.0 and lies_between(a, b, spot):
            beside[0] = a
            return True
        if end == SIDE_RIGHT and not same_spot(spot, b) and turn(a, b, spot) == 0.0 and lies_between(a, b, spot):
            beside[0] = b
            return True
        a = b
    return False


# --- The table ----------------------------------------------------------------------------------------------------


def begin_roots(exact):
    block: cython.p_void
    exact.root_count = 0
    if exact.bucket_count == 0:
        block = realloc(cython.NULL, 256 * cython.sizeof(cython.int))
        if block == cython.NULL:
            return -1
        exact.buckets = cython.cast(cython.p_int, block)
        exact.bucket_count = 256
    memset(exact.buckets, 0xFF, cython.cast(cython.size_t, exact.bucket_count) * cython.sizeof(cython.int))
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bucket_of(
    exact: cython.pointer(cython.const[ExactSearch]), slot: cython.int, polygon: cython.int, spot: Spot
) -> cython.int:
    bits: cython.ulonglong
    mixed: cython.ulonglong = cython.cast(cython.uint, slot) * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)
    mixed = (mixed ^ cython.cast(cython.uint, polygon)) * cython.cast(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
    memcpy(cython.address(bits), cython.address(spot.x), 8)
    mixed = (mixed ^ (mixed >> 29) ^ bits) * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15)
    memcpy(cython.address(bits), cython.address(spot.z), 8)
    mixed = (mixed ^ (mixed >> 29) ^ bits) * cython.cast(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
    return cython.cast(cython.int, (mixed >> 32) & cython.cast(cython.uint, exact.bucket_count - 1))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chain_root(exact: cython.pointer(ExactSearch), number: cython.int) -> cython.void:
    root: cython.pointer(Root) = exact.roots + number
    bucket: cython.int = bucket_of(exact, root.slot, root.polygon, root.place)
    root.next = exact.buckets[bucket]
    exact.buckets[bucket] = number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_buckets(exact: cython.pointer(ExactSearch)) -> cython.int:
    count: cython.int = 4 * exact.bucket_count
    number: cython.int
    block: cython.p_void
    if exact.root_count < exact.bucket_count:
        return 0
    block = realloc(exact.buckets, cython.cast(cython.size_t, count) * cython.sizeof(cython.int))
    if block == cython.NULL:
        return -1
    exact.buckets = cython.cast(cython.p_int, block)
    exact.bucket_count = count
    memset(exact.buckets, 0xFF, cython.cast(cython.size_t, count) * cython.sizeof(cython.int))
    for number in range(exact.root_count):
        if exact.roots[number].slot >= 0:
            chain_root(exact, number)
    return 0


def new_root(exact, place):
    root: cython.pointer(Root)
    if reserve_roots(exact) != 0:
        return ROOT_NO_MEMORY
    root = exact.roots + exact.root_count
    root.place = place
    root.slot = -1
    root.walls_tell = False
    root.corner = CORNER_UNKNOWN
    root.cost = -1.0
    root.met[SIDE_LEFT] = False
    root.met[SIDE_RIGHT] = False
    root.met[SIDE_AHEAD] = False
    exact.root_count += 1
    return exact.root_count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def root_of(exact: cython.pointer(ExactSearch), record: cython.int, spot: Spot) -> cython.int:
    """The number of the root that a polygon names, new where it is not known yet."""
    polygon: cython.pointer(ExactPolygon) = exact.polygons + record
    number: cython.int = exact.buckets[bucket_of(exact, polygon.slot, polygon.polygon, spot)]
    while number >= 0:
        if (
            exact.roots[number].polygon == polygon.polygon
            and exact.roots[number].slot == polygon.slot
            and same_spot(exact.roots[number].place, spot)
        ):
            return number
        number = exact.roots[number].next
    if grow_buckets(exact) != 0:
        return ROOT_NO_MEMORY
    number = new_root(exact, spot)
    if number >= 0:
        exact.roots[number].slot = polygon.slot
        exact.roots[number].polygon = polygon.polygon
        chain_root(exact, number)
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_crossings(
    root: cython.pointer(cython.const[Root]),
    left: cython.pointer(cython.const[Walk]),
    right: cython.pointer(cython.const[Walk]),
) -> cython.int:
    """How often the rays from a root, from wall to wall, pass over to the other side of a line through it.

    Twice or more, and they take up more than half a turn; three times, and it may be a turn and a half: the sides of
    the walls tell nothing then.
    """
    left_upper: cython.bint = is_upper(root.place, root.left_wall)
    right_upper: cython.bint = is_upper(root.place, root.right_wall)
    crossed: cython.int = left.crossed + right.crossed
    if left.steps > 0:
        crossed += left.last_upper != left_upper
        left_upper = left.first_upper
    if right.steps > 0:
        crossed += right.last_upper != right_upper
        right_upper = right.first_upper
    return crossed + (left_upper != right_upper)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def corner_between(root: cython.pointer(cython.const[Root]), crossed: cython.int, hair: cython.double) -> cython.int:
    """What walls leave of the ground round a root, when told how often the rays from one to the other pass a line."""
    if are_close(root.place, root.left_wall, hair) or are_close(root.place, root.right_wall, hair):
        return CORNER_UNKNOWN
    if crossed >= 2:
        return CORNER_REFLEX
    if leads_on(root.left_wall, root.place, root.right_wall, hair):
        return CORNER_STRAIGHT if progress(root.left_wall, root.place, root.right_wall) > 0.0 else CORNER_UNKNOWN
    return CORNER_REFLEX if turn(root.left_wall, root.place, root.right_wall) < 0.0 else CORNER_CONVEX


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_root(work: cython.pointer(cython.const[ExactWork]), start: cython.int, spot: Spot) -> cython.int:
    """The root at a spot on the outline of a polygon, ROOT_NONE where none is needed."""
    left: Walk
    right: Walk
    number: cython.int
    crossed: cython.int
    code: cython.int = walk_round(work, start, spot, SIDE_LEFT, cython.address(left))
    root: cython.pointer(Root)
    if code == WALK_NO_MEMORY:
        return ROOT_NO_MEMORY
    if code == WALK_CLOSED:
        return ROOT_NONE
    number = root_of(work.exact, left.last, spot)
    if number < 0 or code == WALK_LOST or work.exact.roots[number].walls_tell:
        return number
    code = walk_round(work, start, spot, SIDE_RIGHT, cython.address(right))
    if code == WALK_NO_MEMORY:
        return ROOT_NO_MEMORY
    root = work.exact.roots + number
    if (
        code != WALK_WALL
        or not outline_beside(work, left.last, spot, SIDE_LEFT, cython.address(root.left_wall))
        or not outline_beside(work, right.last, spot, SIDE_RIGHT, cython.address(root.right_wall))
    ):
        return number
    crossed = count_crossings(root, cython.address(left), cython.address(right))
    root.walls_tell = crossed < 3
    root.corner = corner_between(root, crossed, work.exact.hair)
    return number


def corner_root(work, exit, end):
    way: cython.pointer(Exit) = work.exact.exits + exit
    known: cython.int = way.left_root if end == SIDE_LEFT else way.right_root
    start: cython.int
    if known != ROOT_UNKNOWN:
        return known
    start = record_behind(work, exit)
    if start < 0:
        return ROOT_NO_MEMORY
    way = work.exact.exits + exit
    known = find_root(work, start, way.left if end == SIDE_LEFT else way.right)
    way = work.exact.exits + exit
    if end == SIDE_LEFT:
        way.left_root = known
    else:
        way.right_root = known
    return known


def root_without_walls(work, record, place):
    walk: Walk
    code: cython.int = walk_round(work, record, place, SIDE_LEFT, cython.address(walk))
    if code == WALK_NO_MEMORY:
        return ROOT_NO_MEMORY
    return root_of(work.exact, walk.least, place)
