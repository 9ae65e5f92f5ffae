"""What rays and moves along the surface return."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._mesh import TileSlot, polygon_reference, reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._entry import edge_end, edge_start
from cython.cimports.onepath.query._outputs import Outputs, rows_for
from cython.cimports.onepath.query._results import make_nav_point, refuse_construction
from cython.cimports.onepath.query._trace import TRACE_CLEAR
from cython.cimports.onepath.query._trace_results import Visited

from onepath.errors import ArgumentError
from onepath.query.status import RaycastStatus

RAYCAST_STATUSES = tuple(RaycastStatus)
FEW = cython.declare(cython.int, 12)

# --- The polygons visited -------------------------------------------------------------------------------------------


@cython.cfunc
def keep_visited(seen: cython.pointer(Visited), visited: cython.pointer(cython.const[reference_t]), count: cython.int):
    """Copies what was visited into the result: the bytes that hold it where it is more than the result has room for."""
    data: bytes
    seen.count = count
    seen.truncated = False
    if count <= FEW:
        memcpy(seen.first, visited, count * cython.sizeof(reference_t))
        return None
    data = PyBytes_FromStringAndSize(cython.NULL, count * cython.sizeof(reference_t))
    memcpy(PyBytes_AS_STRING(data), visited, count * cython.sizeof(reference_t))
    return data


@cython.cfunc
def fill_visited(
    seen: cython.pointer(Visited),
    visited: cython.pointer(cython.const[reference_t]),
    count: cython.int,
    outputs: cython.pointer(cython.const[Outputs]),
) -> cython.void:
    """Writes what was visited into the caller's array, as far as it goes."""
    seen.count = rows_for(outputs, 0, count)
    seen.truncated = seen.count < count
    memcpy(outputs.arrays[0].view.buf, visited, seen.count * cython.sizeof(reference_t))


@cython.cfunc
def visited_array(seen: cython.pointer(cython.const[Visited]), rest: object):
    if rest is None:
        return numpy.frombuffer(PyBytes_FromStringAndSize(cython.cast(cython.p_char, seen.first), 8 * seen.count), "i8")
    if type(rest) is bytes:
        return numpy.frombuffer(rest, numpy.int64)
    return numpy.asarray(rest)[: seen.count]


@cython.cfunc
def restore_visited(seen: cython.pointer(Visited), data: bytes, truncated: cython.bint):
    count: cython.Py_ssize_t = len(data) >> 3
    if len(data) & 7 or count > 0x7FFFFFFF:
        raise ArgumentError(f"a list of references has {len(data)} bytes")
    rest = keep_visited(
        seen,
        cython.cast(cython.pointer(cython.const[reference_t]), PyBytes_AS_STRING(data)),
        cython.cast(cython.int, count),
    )
    seen.truncated = truncated
    return rest


def refuse_truth(name: str) -> bool:
    raise TypeError(f"a {name} is neither true nor false: ask for its `blocked` or its `status`")


# --- Rays -----------------------------------------------------------------------------------------------------------


class RaycastHit:
    """How far a ray went over the mesh. Neither true nor false: ask `blocked`.

    Attributes:
        status: RaycastStatus.
        blocked: whether it did not reach its end; so always unless `status` is CLEAR.
        t: how much of the segment it went, 0 to 1; 1 where it is clear.
        normal: (x, 0, z), the outward unit normal of the edge that it hit; None where it hit none.
        polygon: the polygon in which it ended, 0 where the start was refused.
        edge: the edge of that polygon that it hit, -1 where it hit none.
        visited: references of the polygons it went through, the start's first, (n,) int64; a part of the array given as
            `out`, else read-only.
        truncated: whether `out` was too short for all of them.
    """

    __match_args__ = ("status", "blocked", "t", "normal", "polygon", "edge", "visited", "truncated")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("RaycastHit")

    @property
    def status(self) -> object:
        return RAYCAST_STATUSES[self.state]

    @property
    def blocked(self) -> bool:
        return self.state != TRACE_CLEAR

    @property
    def normal(self) -> object:
        return (self.normal_x, 0.0, self.normal_z) if self.edge >= 0 else None

    @property
    def visited(self) -> object:
        return visited_array(cython.address(self.seen), self.rest)

    @property
    def truncated(self) -> bool:
        return self.seen.truncated

    def __bool__(self) -> bool:
        return refuse_truth("RaycastHit")

    def __repr__(self) -> str:
        text = RAYCAST_STATUSES[self.state].name
        wall = f", normal={self.normal}, edge={self.edge}" if self.edge >= 0 else ""
        return f"RaycastHit({text}, t={self.t!r}, polygon={self.polygon}{wall}, {self.seen.count} polygons visited)"

    def __eq__(self, other: object) -> object:
        if type(other) is not RaycastHit:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        fields = (self.status, self.t, self.polygon, self.edge, self.normal_x, self.normal_z)
        return restore_hit, (fields, self.visited.tobytes(), self.truncated)


def wall_normal(mesh, trace, x, z):
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + trace.slot
    first: cython.int = tile.polygon_first[trace.polygon]
    count: cython.int = tile.polygon_first[trace.polygon + 1] - first
    a: Vector = edge_start(tile, first, trace.edge)
    b: Vector = edge_end(tile, first, count, trace.edge)
    ex: cython.double = b.x - a.x
    ez: cython.double = b.z - a.z
    length: cython.double = sqrt(ex * ex + ez * ez)
    x[0] = -ez / length
    z[0] = ex / length


def make_hit(mesh, trace, visited, out, outputs):
    result: RaycastHit = RaycastHit.__new__(RaycastHit)
    result.state = trace.status
    result.t = trace.t
    result.edge = trace.edge
    if trace.polygon >= 0:
        result.polygon = polygon_reference(mesh, trace.slot, trace.polygon)
    if trace.edge >= 0:
        wall_normal(mesh, trace, cython.address(result.normal_x), cython.address(result.normal_z))
    if out is None:
        result.rest = keep_visited(cython.address(result.seen), visited.polygons, visited.count)
    else:
        fill_visited(cython.address(result.seen), visited.polygons, visited.count, outputs)
        result.rest = out
    return result


def restore_hit(fields: tuple, data: bytes, truncated: bool) -> RaycastHit:
    """A pickled RaycastHit."""
    result: RaycastHit = RaycastHit.__new__(RaycastHit)
    status, result.t, result.polygon, result.edge, result.normal_x, result.normal_z = fields
    result.state = RAYCAST_STATUSES.index(status)
    result.rest = restore_visited(cython.address(result.seen), data, truncated)
    return result


# --- Moves ----------------------------------------------------------------------------------------------------------


class SurfaceMove:
    """Where a move along the surface came to. Neither true nor false: ask `blocked`.

    Attributes:
        status: RaycastStatus.
        blocked: whether it did not come to its end; so always unless `status` is CLEAR.
        ref: the polygon in which it ended, 0 where the start was refused.
        point: where it ended, (x, y, z) on that polygon; None where the start was refused.
        place: both as a NavPoint, which serves wherever a position does.
        visited: references of the polygons it went through, the start's first, (n,) int64; a part of the array given as
            `out`, else read-only.
        truncated: whether `out` was too short for all of them.
    """

    __match_args__ = ("status", "blocked", "ref", "point", "visited", "truncated")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("SurfaceMove")

    @property
    def status(self) -> object:
        return RAYCAST_STATUSES[self.state]

    @property
    def blocked(self) -> bool:
        return self.state != TRACE_CLEAR

    @property
    def point(self) -> object:
        return (self.position.x, self.position.y, self.position.z) if self.ref != 0 else None

    @property
    def place(self) -> object:
        return make_nav_point(self.ref, self.position)

    @property
    def visited(self) -> object:
        return visited_array(cython.address(self.seen), self.rest)

    @property
    def truncated(self) -> bool:
        return self.seen.truncated

    def __bool__(self) -> bool:
        return refuse_truth("SurfaceMove")

    def __repr__(self) -> str:
        text = RAYCAST_STATUSES[self.state].name
        return f"SurfaceMove({text}, ref={self.ref}, point={self.point}, {self.seen.count} polygons visited)"

    def __eq__(self, other: object) -> object:
        if type(other) is not SurfaceMove:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        return restore_move, ((self.status, self.ref, self.point), self.visited.tobytes(), self.truncated)


def make_move(mesh, trace, point, visited, out, outputs):
    result: SurfaceMove = SurfaceMove.__new__(SurfaceMove)
    result.state = trace.status
    if trace.polygon >= 0:
        result.ref = polygon_reference(mesh, trace.slot, trace.polygon)
        result.position = point
    if out is None:
        result.rest = keep_visited(cython.address(result.seen), visited.polygons, visited.count)
    else:
        fill_visited(cython.address(result.seen), visited.polygons, visited.count, outputs)
        result.rest = out
    return result


def restore_move(fields: tuple, data: bytes, truncated: bool) -> SurfaceMove:
    """A pickled SurfaceMove."""
    result: SurfaceMove = SurfaceMove.__new__(SurfaceMove)
    status, result.ref, point = fields
    result.state = RAYCAST_STATUSES.index(status)
    if result.ref != 0:
        result.position.x, result.position.y, result.position.z = point
    result.rest = restore_visited(cython.address(result.seen), data, truncated)
    return result
