"""What queries return: immutable compiled classes whose truth says "found" or "reaches"."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._base import read_reference
from cython.cimports.onepath.mesh._mesh import reference_t
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._buffers import Crossing
from cython.cimports.onepath.query._inputs import read_position
from cython.cimports.onepath.query._outputs import given_rows, rows_for
from cython.cimports.onepath.query._results import PATH_SUCCESS, SearchAnswer

from onepath.errors import ArgumentError
from onepath.query.sequences import row_at, rows_in_turn
from onepath.query.status import PathStatus, QueryStatus

PATH_STATUSES = tuple(PathStatus)
QUERY_STATUSES = tuple(QueryStatus)


def refuse_construction(name):
    raise TypeError(f"{name} is what queries return; it is not made by hand")


@cython.cfunc
def as_tuple(place: Vector) -> tuple:
    return (place.x, place.y, place.z)


class NavPoint:
    """A place on the mesh: a polygon and a point on it. False where nothing was found.

    Wherever a position is wanted, a NavPoint serves as well and is not snapped again.

    Args:
        ref: the polygon's reference, 0 for none.
        point: (x, y, z) in the world, metres; None without a polygon.

    Attributes:
        ref: the polygon, 0 where nothing was found. It is stale once the polygon's tile is replaced or removed.
        point: (x, y, z), or None where nothing was found.

    Raises:
        ArgumentError, RangeError: naming argument and value.
    """

    __match_args__ = ("ref", "point")

    def __init__(self, ref: object, point: object) -> None:
        place: Vector
        number: reference_t = read_reference(ref, "ref")
        if number < 0:
            raise ArgumentError(f"ref is {ref!r}, not a polygon reference")
        if number != 0 or point is not None:
            read_position(point, "point", cython.address(place))
        if self.made:
            raise TypeError("a NavPoint is initialised once")
        self.made = True
        if number != 0:
            self.ref = number
            self.place = place

    @property
    def point(self) -> object:
        return as_tuple(self.place) if self.ref != 0 else None

    def __bool__(self) -> bool:
        return self.ref != 0

    def __repr__(self) -> str:
        return f"NavPoint({self.ref}, {self.point})"

    def __eq__(self, other: object) -> object:
        if type(other) is not NavPoint:
            return NotImplemented
        return self.ref == other.ref and self.point == other.point

    def __hash__(self) -> int:
        return hash((self.ref, self.point))

    def __reduce__(self) -> tuple:
        return NavPoint, (self.ref, self.point)


def make_nav_point(ref, place):
    result: NavPoint = NavPoint.__new__(NavPoint)
    result.made = True
    result.ref = ref
    result.place = place
    return result


class NearestPolygon:
    """The polygon nearest to a position. False where none was found.

    Attributes:
        ref: the polygon, 0 where none was found.
        point: its closest point, (x, y, z); None where none was found.
        distance_squared, distance: from the position to the point, metres; infinite where none was found.
        over_polygon: whether the point lies straight above or below the position.
    """

    __match_args__ = ("ref", "point", "distance_squared", "distance", "over_polygon")

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("NearestPolygon")

    @property
    def point(self) -> object:
        return as_tuple(self.place) if self.ref != 0 else None

    @property
    def distance(self) -> float:
        return sqrt(self.distance_squared)

    @property
    def over_polygon(self) -> bool:
        return self.over

    def __bool__(self) -> bool:
        return self.ref != 0

    def __repr__(self) -> str:
        if self.ref == 0:
            return "NearestPolygon(nothing found)"
        return f"NearestPolygon(ref={self.ref}, point={self.point}, distance={self.distance!r}, over={bool(self.over)})"

    def __eq__(self, other: object) -> object:
        if type(other) is not NearestPolygon:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        return restore_nearest, (self.ref, as_tuple(self.place), self.distance_squared, bool(self.over))


def make_nearest(ref, place, distance_squared, over):
    result: NearestPolygon = NearestPolygon.__new__(NearestPolygon)
    result.ref = ref
    result.place = place
    result.distance_squared = distance_squared if ref != 0 else INFINITY
    result.over = over
    return result


def restore_nearest(ref: int, point: tuple, distance_squared: float, over: bool) -> NearestPolygon:
    """A pickled NearestPolygon."""
    place: Vector
    place.x, place.y, place.z = point
    return make_nearest(ref, place, distance_squared, over)


@cython.cfunc
def answer_fields(answer: SearchAnswer) -> tuple:
    return (PATH_STATUSES[answer.status], QUERY_STATUSES[answer.detail], answer.cost, answer.node_limit)


@cython.cfunc
def read_answer(fields: tuple) -> SearchAnswer:
    answer: SearchAnswer
    status, detail, cost, node_limit = fields
    answer.status = PATH_STATUSES.index(status)
    answer.detail = QUERY_STATUSES.index(detail)
    answer.cost = cost
    answer.node_limit = node_limit
    return answer


def answer_text(answer, missing_tiles):
    """What a repr says of a search beyond its size."""
    text = PATH_STATUSES[answer.status].name
    if answer.node_limit:
        text += f" (node limit reached, max_nodes={answer.node_limit})"
    elif missing_tiles:
        text += f" (missing tiles: {', '.join(map(str, missing_tiles[:3]))}{', ...' if len(missing_tiles) > 3 else ''})"
    return text


class Corridor:
    """The polygons along a route, the start's first, each once. True where it reaches the end.

    Attributes:
        status, detail: PathStatus and QueryStatus of the search.
        polygons: references, (n,) int64, read-only.
        crossings: how each step leaves its polygon, (n - 1, 2) int32, read-only: the edge within the polygon, and the
            place among the edge's links to the next polygon or -1 where it is shared with a polygon of the same tile.
            Where an off-mesh link is crossed they are -1 - w and the link's id, w being twice the crossing's place
            along the link's width, and 1 more from its end to its start. They hold while both polygons are valid.
        cost: of the route, before loops were removed.
        node_limit_reached: whether the search dropped nodes for its `max_nodes`.
        missing_tiles: (column, row) of the tiles to load for NOT_LOADED, nearest to the end first; else empty.
        truncated: whether `out` was too short for all polygons: it has the first.

    Where `out` and `crossings_out` were given, polygons and crossings are parts of them. Without room in the second for
    all crossings there are none: such a corridor is a bare list of references.
    """

    __match_args__ = ("status", "polygons", "crossings", "cost")

    def __cinit__(self) -> None:
        self.data = b""
        self.missing_tiles = ()

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("Corridor")

    def references(self):
        return cython.cast(cython.pointer(cython.const[reference_t]), PyBytes_AS_STRING(self.data))

    def steps(self):
        return cython.cast(cython.pointer(cython.const[Crossing]), self.references() + self.count)

    def keeps_crossings(self):
        """Whether all of them are there: always, but where they went into the caller's array only if that had room."""
        return self.given is None or (self.given[1] is not None and len(self.given[1]) >= self.count - 1)

    def packed(self):
        """The corridor in a block of its own, or None where it is a bare list of references."""
        if self.given is None:
            return self
        return restore_corridor(*self.__reduce__()[1]) if self.keeps_crossings() else None

    @property
    def status(self) -> object:
        return PATH_STATUSES[self.answer.status]

    @property
    def detail(self) -> object:
        return QUERY_STATUSES[self.answer.detail]

    @property
    def polygons(self) -> object:
        if self.given is not None:
            return given_rows(self.given, 0, self.count, numpy.int64, ())
        return numpy.frombuffer(self.data, numpy.int64, self.count)

    @property
    def crossings(self) -> object:
        steps = max(self.count - 1, 0)
        if self.given is not None:
            return given_rows(self.given, 1, steps if self.keeps_crossings() else 0, numpy.int32, (2,))
        return numpy.frombuffer(self.data, numpy.int32, 2 * steps, 8 * self.count if steps else 0).reshape(steps, 2)

    @property
    def cost(self) -> float:
        return self.answer.cost

    @property
    def node_limit_reached(self) -> bool:
        return self.answer.node_limit != 0

    def __bool__(self) -> bool:
        return self.answer.status == PATH_SUCCESS

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> object:
        return rows_in_turn(self.polygons)

    def __getitem__(self, index: object) -> object:
        return row_at(self.polygons, index)

    def __repr__(self) -> str:
        text = answer_text(self.answer, self.missing_tiles)
        return f"Corridor({text}, {self.count} polygons, cost={self.answer.cost!r})"

    def __eq__(self, other: object) -> object:
        if type(other) is not Corridor:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        data = self.data if self.given is None else self.polygons.tobytes() + self.crossings.tobytes()
        return restore_corridor, (
            answer_fields(self.answer),
            self.count,
            data,
            self.missing_tiles,
            bool(self.truncated),
        )


def make_corridor(answer, corridor, missing_tiles):
    result: Corridor = Corridor.__new__(Corridor)
    references: cython.size_t = corridor.count * cython.sizeof(reference_t)
    crossings: cython.size_t = (corridor.count - 1) * cython.sizeof(Crossing) if corridor.count > 1 else 0
    block: cython.p_char
    result.answer = answer
    result.count = corridor.count
    result.missing_tiles = missing_tiles
    if corridor.count > 0:
        result.data = PyBytes_FromStringAndSize(cython.NULL, references + crossings)
        block = PyBytes_AS_STRING(result.data)
        memcpy(block, corridor.polygons, references)
        memcpy(block + references, corridor.crossings, crossings)
    return result


def fill_corridor(answer, corridor, missing_tiles, given, outputs):
    result: Corridor = Corridor.__new__(Corridor)
    crossings: cython.int
    result.answer = answer
    result.given = given
    result.missing_tiles = missing_tiles
    result.count = rows_for(outputs, 0, corridor.count)
    result.truncated = result.count < corridor.count
    if result.count > 0:
        memcpy(outputs.arrays[0].view.buf, corridor.polygons, result.count * cython.sizeof(reference_t))
        crossings = result.count - 1
        if crossings > 0 and rows_for(outputs, 1, crossings) == crossings:
            memcpy(outputs.arrays[1].view.buf, corridor.crossings, crossings * cython.sizeof(Crossing))
    return result


def restore_corridor(fields: tuple, count: int, data: bytes, missing_tiles: tuple, truncated: bool) -> Corridor:
    """A pickled Corridor."""
    result: Corridor = Corridor.__new__(Corridor)
    # In 64 bits: a count from a damaged pickle must not wrap round to fit.
    whole: cython.longlong = count
    if whole > 1 and len(data) == 8 * whole:
        result.given = (numpy.frombuffer(data, numpy.int64), None)
    elif whole < 0 or len(data) != (16 * whole - 8 if whole > 0 else 0):
        raise ArgumentError(f"a corridor of {count} polygons has {len(data)} bytes")
    else:
        result.data = data
    result.answer = read_answer(fields)
    result.count = count
    result.missing_tiles = missing_tiles
    result.truncated = truncated
    return result
