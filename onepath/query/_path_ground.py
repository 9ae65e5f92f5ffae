"""What a path becomes over its mesh: draped over the ground, cut short before its end, turned round."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.onepath.mesh._core import MeshCore
from cython.cimports.onepath.mesh._mesh import (
    MeshState,
    TileSlot,
    reference_is_valid,
    reference_polygon,
    reference_slot,
    reference_t,
)
from cython.cimports.onepath.mesh._surface import Vector, surface_height, world_vertex
from cython.cimports.onepath.query._buffers import (
    MARK_END,
    MARK_START,
    CorridorBuffer,
    Crossing,
    LinkStep,
    PointBuffer,
    free_corridor,
    free_points,
    reserve_corridor,
    reserve_points,
    reserve_steps,
)
from cython.cimports.onepath.query._entry import along
from cython.cimports.onepath.query._funnel import STRAIGHT_NO_MEMORY, STRAIGHT_OK
from cython.cimports.onepath.query._path_forms import MOST_POINTS, LinePlace, line_point, place_along
from cython.cimports.onepath.query._paths import Path, make_path
from cython.cimports.onepath.query._query_core import EVERYTHING
from cython.cimports.onepath.query._results import (
    PATH_INVALID_CORRIDOR,
    PATH_SUCCESS,
    QUERY_INVALID_CORRIDOR,
    QUERY_SUCCESS,
    Corridor,
    SearchAnswer,
    make_corridor,
)
from cython.cimports.onepath.query._reverse import reverse_crossing
from cython.cimports.onepath.query._straight_path import straight_path
from cython.cimports.onepath.query._straight_state import StraightScratch, free_straight

from onepath.errors import ArgumentError, RangeError

# A walk along a path's line through the polygons of its corridor.
LegCursor = cython.struct(
    polygons=cython.pointer(cython.const[reference_t]),  # of the corridor
    count=cython.int,
    at=cython.int,  # the place of the polygon that the walk is in
)


@cython.cfunc
def mesh_of(path: Path, mesh: object) -> MeshCore:
    """The mesh given, or the one that the path was found on."""
    if mesh is None and path.origin is not None:
        mesh = path.origin()
    if mesh is None:
        raise ArgumentError("mesh is None, and the mesh of this path is gone or was not pickled with it: hand it over")
    if not isinstance(mesh, MeshCore):
        raise ArgumentError(f"mesh is {mesh!r}, not a NavMesh")
    return mesh


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_in_corridor(cursor: cython.pointer(LegCursor), polygon: reference_t) -> cython.int:
    """Where a polygon stands in the corridor, from the walk's place on; that place where it stands nowhere."""
    place: cython.int
    for place in range(cursor.at, cursor.count):
        if cursor.polygons[place] == polygon:
            return place
    return cursor.at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exit_parameter(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, start: Vector, end: Vector
) -> cython.double:
    """How far along start to end, as a part of it, the line leaves a polygon; 1 where it ends inside."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    dx: cython.double = end.x - start.x
    dz: cython.double = end.z - start.z
    least: cython.double = 1.0
    a: Vector = world_vertex(tile, tile.polygon_vertices[last - 1])
    b: Vector
    t: cython.double
    across: cython.double
    edge: cython.int
    for edge in range(first, last):
        b = world_vertex(tile, tile.polygon_vertices[edge])
        across = (b.x - a.x) * dz - (b.z - a.z) * dx
        if across > 0.0:
            t = ((b.x - a.x) * (a.z - start.z) - (b.z - a.z) * (a.x - start.x)) / across
            if t < least:
                least = t
        a = b
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def height_on(mesh: cython.pointer(cython.const[MeshState]), polygon: reference_t, point: Vector) -> cython.double:
    """The ground's height on a polygon; the point's own where the polygon has gone."""
    if not reference_is_valid(mesh, polygon):
        return point.y
    return surface_height(mesh.slots + reference_slot(polygon), reference_polygon(polygon), point.x, point.z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def put_point(out: cython.p_double, written: cython.int, point: Vector) -> cython.int:
    out[3 * written] = point.x
    out[3 * written + 1] = point.y
    out[3 * written + 2] = point.z
    return written + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drape_leg(
    mesh: cython.pointer(cython.const[MeshState]),
    cursor: cython.pointer(LegCursor),
    last: cython.int,
    start: Vector,
    end: Vector,
    pieces: cython.int,
    out: cython.p_double,
    written: cython.int,
) -> cython.int:
    """Writes the points between a leg's ends: `pieces` - 1 at equal steps, and one at each polygon's border."""
    passed: cython.double = 0.0
    left: cython.double
    t: cython.double
    piece: cython.int = 1
    polygon: reference_t
    point: Vector
    while True:
        polygon = cursor.polygons[cursor.at]
        left = 1.0
        if cursor.at < last:
            left = passed
            if reference_is_valid(mesh, polygon):
                left = exit_parameter(mesh.slots + reference_slot(polygon), reference_polygon(polygon), start, end)
        while piece < pieces:
            t = cython.cast(cython.double, piece) / cython.cast(cython.double, pieces)
            if t > left:
                break
            point = along(start, end, t)
            point.y = height_on(mesh, polygon, point)
            written = put_point(out, written, point)
            passed = t
            piece += 1
        if cursor.at >= last:
            return written
        if passed < left < 1.0:
            point = along(start, end, left)
            point.y = height_on(mesh, polygon, point)
            written = put_point(out, written, point)
            passed = left
        cursor.at += 1


@cython.cfunc
def drape(mesh: MeshCore, path: Path, spacing: cython.double) -> object:
    points: cython.double[:, ::1] = numpy.array(path.points)
    references: cython.const[cython.longlong][::1] = path.polygons
    entries: cython.const[cython.longlong][::1] = path.links
    cursor: LegCursor
    start: Vector
    end: Vector
    written: cython.int = 0
    last: cython.int
    index: cython.int
    spans = numpy.hypot(numpy.diff(path.points[:, 0]), numpy.diff(path.points[:, 2]))
    pieces = numpy.maximum(numpy.ceil(spans / spacing), 1.0)
    room: cython.double = numpy.sum(pieces) + path.count + path.corridor.count
    if not room < MOST_POINTS:
        raise RangeError(
            f"spacing is {spacing!r}, which makes more than {MOST_POINTS} points of {path.length!r} metres"
        )
    steps: cython.int[::1] = pieces.astype(numpy.int32)
    result = numpy.empty((int(room), 3))
    out: cython.double[:, ::1] = result
    first: cython.p_double = cython.address(out[0, 0])
    cursor.polygons = path.corridor.references()
    cursor.count = path.corridor.count
    cursor.at = 0
    mesh.enter()
    for index in range(path.count):
        start.x, start.y, start.z = points[index, 0], points[index, 1], points[index, 2]
        if entries[index] != 0:  # a link's entry carries the polygon that the link reaches
            written = put_point(first, written, start)
            continue
        cursor.at = place_in_corridor(cython.address(cursor), references[index])
        end = start
        end.y = height_on(cython.address(mesh.state), references[index], start)
        written = put_point(first, written, end)
        if index + 1 == path.count:
            break
        end.x, end.y, end.z = points[index + 1, 0], points[index + 1, 1], points[index + 1, 2]
        last = place_in_corridor(cython.address(cursor), references[index + 1])
        if entries[index + 1] != 0 and last > cursor.at:
            last -= 1
        written = drape_leg(
            cython.address(mesh.state), cython.address(cursor), last, start, end, steps[index], first, written
        )
    mesh.leave()
    return result[:written].copy()


def path_on_surface(path: Path, spacing: cython.double, mesh: object):
    if path.count == 0:
        return numpy.zeros((0, 3))
    return drape(mesh_of(path, mesh), path, spacing)


# ---- cut short ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def polygon_at(
    mesh: cython.pointer(cython.const[MeshState]),
    cursor: cython.pointer(LegCursor),
    last: cython.int,
    start: Vector,
    end: Vector,
    t: cython.double,
) -> cython.int:
    """The place in the corridor of the polygon that a leg is in after a part of it; not behind `last`."""
    polygon: reference_t
    while cursor.at < last:
        polygon = cursor.polygons[cursor.at]
        if (
            reference_is_valid(mesh, polygon)
            and exit_parameter(mesh.slots + reference_slot(polygon), reference_polygon(polygon), start, end) >= t
        ):
            break
        cursor.at += 1
    return cursor.at


@cython.cfunc
def prefix_corridor(path: Path, count: cython.int) -> Corridor:
    """The first `count` polygons of the path's corridor, with the path's answer."""
    part: CorridorBuffer
    part.count = count
    part.capacity = count
    part.polygons = cython.cast(cython.pointer(reference_t), path.corridor.references())
    part.crossings = cython.cast(cython.pointer(Crossing), path.corridor.steps())
    return make_corridor(path.answer, cython.address(part), path.corridor.missing_tiles)


@cython.cfunc
def fill_prefix(
    line: cython.pointer(PointBuffer), path: Path, kept: cython.int, end: Vector, polygon: reference_t
) -> cython.int:
    """The path's first `kept` points, the links crossed between them, and an end."""
    block: cython.p_char = PyBytes_AS_STRING(path.data)
    count: cython.size_t = path.count
    steps: cython.pointer(LinkStep) = cython.cast(cython.pointer(LinkStep), block + 33 * count)
    step_count: cython.size_t = (cython.cast(cython.size_t, len(path.data)) - 33 * count) // cython.sizeof(LinkStep)
    number: cython.size_t
    if reserve_points(line, kept + 1) != 0 or reserve_steps(line, cython.cast(cython.int, step_count)) != 0:
        raise MemoryError("no memory for a path")
    memcpy(line.points, block, 24 * cython.cast(cython.size_t, kept))
    memcpy(line.polygons, block + 24 * count, 8 * cython.cast(cython.size_t, kept))
    memcpy(line.marks, block + 32 * count, kept)
    put_point(line.points, kept, end)
    line.polygons[kept] = polygon
    line.marks[kept] = MARK_END if kept > 0 else MARK_START | MARK_END
    line.count = kept + 1
    for number in range(step_count):
        if steps[number].exit <= kept:
            line.steps[line.step_count] = steps[number]
            line.step_count += 1
    return 0


@cython.cfunc
def trim(mesh: MeshCore, path: Path, distance: cython.double) -> Path:
    """The path as far as `distance` metres along its line, which is shorter than the line."""
    points: cython.p_double = cython.cast(cython.p_double, PyBytes_AS_STRING(path.data))
    references: cython.const[cython.longlong][::1] = path.polygons
    entries: cython.const[cython.longlong][::1] = path.links
    place: LinePlace = place_along(points, path.count, distance)
    segment: cython.int = place.segment
    on_link: cython.bint = entries[segment] != 0
    cursor: LegCursor
    line: PointBuffer
    start: Vector = line_point(points, segment)
    end: Vector = line_point(points, segment + 1)
    last: cython.int
    kept: cython.int = segment if place.along <= 0.0 or on_link else segment + 1
    cursor.polygons = path.corridor.references()
    cursor.count = path.corridor.count
    cursor.at = 0
    cursor.at = place_in_corridor(cython.address(cursor), references[segment])
    if on_link:  # nobody stops in the air: the path ends where the link is entered
        place.point = start
        cursor.at -= 1
    else:
        last = place_in_corridor(cython.address(cursor), references[segment + 1])
        if entries[segment + 1] != 0 and last > cursor.at:
            last -= 1
        mesh.enter()
        polygon_at(cython.address(mesh.state), cython.address(cursor), last, start, end, place.along / place.length)
        mesh.leave()
    memset(cython.address(line), 0, cython.sizeof(PointBuffer))
    try:
        fill_prefix(cython.address(line), path, kept, place.point, cursor.polygons[cursor.at])
        return make_path(path.answer, prefix_corridor(path, cursor.at + 1), cython.address(line), path.origin)
    finally:
        free_points(cython.address(line))


def trimmed_path(path: Path, stop: cython.double, mesh: object) -> Path:
    if path.count < 2 or stop <= 0.0:
        return path
    return trim(mesh_of(path, mesh), path, path.length - stop)


# ---- turned round ----


@cython.cfunc
def refused_path(path: Path) -> Path:
    """No line, as there is no way back."""
    answer: SearchAnswer
    empty: CorridorBuffer
    line: PointBuffer
    answer.status = PATH_INVALID_CORRIDOR
    answer.detail = QUERY_INVALID_CORRIDOR
    answer.cost = 0.0
    answer.node_limit = 0
    empty.count = 0
    line.count = 0
    line.step_count = 0
    return make_path(answer, make_corridor(answer, cython.address(empty), ()), cython.address(line), path.origin)


@cython.cfunc
def turn_corridor(
    mesh: MeshCore, path: Path, corridor: cython.pointer(CorridorBuffer), scratch: cython.pointer(StraightScratch)
) -> cython.bint:
    """Fills the corridor with the path's from its end to its start; false where a step has no way back."""
    references: cython.pointer(cython.const[reference_t]) = path.corridor.references()
    steps: cython.pointer(cython.const[Crossing]) = path.corridor.steps()
    count: cython.int = path.corridor.count
    code: cython.int
    i: cython.int
    if reserve_corridor(corridor, count) != 0:
        raise MemoryError("no memory for a corridor")
    corridor.count = count
    for i in range(count):
        if not reference_is_valid(cython.address(mesh.state), references[i]):
            return False
        corridor.polygons[count - 1 - i] = references[i]
        if i == 0:
            continue
        code = reverse_crossing(
            cython.address(mesh.state),
            references[i - 1],
            references[i],
            steps + i - 1,
            scratch,
            corridor.crossings + count - 1 - i,
        )
        if code < 0:
            raise MemoryError("no memory for a corridor")
        if code == 0:
            return False
    return True


@cython.cfunc
def turn(
    mesh: MeshCore,
    path: Path,
    corridor: cython.pointer(CorridorBuffer),
    scratch: cython.pointer(StraightScratch),
    line: cython.pointer(PointBuffer),
) -> Path:
    points: cython.p_double = cython.cast(cython.p_double, PyBytes_AS_STRING(path.data))
    answer: SearchAnswer
    code: cython.int
    if not turn_corridor(mesh, path, corridor, scratch):
        return refused_path(path)
    code = straight_path(
        cython.address(mesh.state),
        corridor.polygons,
        corridor.crossings,
        corridor.count,
        line_point(points, path.count - 1),
        line_point(points, 0),
        cython.address(EVERYTHING.table),
        0,
        scratch,
        line,
    )
    if code == STRAIGHT_NO_MEMORY:
        raise MemoryError("no memory for a straight path")
    if code != STRAIGHT_OK:
        return refused_path(path)
    answer.status = PATH_SUCCESS
    answer.detail = QUERY_SUCCESS
    answer.cost = path.answer.cost
    answer.node_limit = 0
    return make_path(answer, make_corridor(answer, corridor, ()), line, path.origin)


def reversed_path(path: Path, mesh: object) -> Path:
    corridor: CorridorBuffer
    scratch: StraightScratch
    line: PointBuffer
    core: MeshCore
    if path.count == 0:
        return refused_path(path)
    core = mesh_of(path, mesh)
    memset(cython.address(corridor), 0, cython.sizeof(CorridorBuffer))
    memset(cython.address(scratch), 0, cython.sizeof(StraightScratch))
    memset(cython.address(line), 0, cython.sizeof(PointBuffer))
    core.enter()
    try:
        return turn(core, path, cython.address(corridor), cython.address(scratch), cython.address(line))
    finally:
        core.leave()
        free_corridor(cython.address(corridor))
        free_straight(cython.address(scratch))
        free_points(cython.address(line))
