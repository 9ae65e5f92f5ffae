"""Lines over the mesh: the one through a corridor, and a whole path with the search's answer."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.query._buffers import LinkStep, PointBuffer
from cython.cimports.onepath.query._inputs import read_length
from cython.cimports.onepath.query._outputs import Outputs, given_rows, rows_for
from cython.cimports.onepath.query._path_forms import LinePlace, place_along, sampled_points
from cython.cimports.onepath.query._results import (
    PATH_INVALID_CORRIDOR,
    PATH_STATUSES,
    PATH_SUCCESS,
    QUERY_STATUSES,
    answer_text,
    refuse_construction,
)

from onepath.build.arguments import real_number
from onepath.errors import ArgumentError, RangeError
from onepath.mesh.link import named_kind
from onepath.query.legs import LinkLeg, WalkLeg
from onepath.query.sequences import row_at, rows_in_turn


@cython.cfunc
def pack_line(line: cython.pointer(cython.const[PointBuffer])) -> bytes:
    """The points, the polygons behind them, the marks and the steps over links, in one block."""
    count: cython.size_t = line.count
    steps: cython.size_t = line.step_count * cython.sizeof(LinkStep)
    packed: bytes
    block: cython.p_char
    if count == 0:
        return b""
    packed = PyBytes_FromStringAndSize(cython.NULL, 33 * count + steps)
    block = PyBytes_AS_STRING(packed)
    memcpy(block, line.points, 24 * count)
    memcpy(block + 24 * count, line.polygons, 8 * count)
    memcpy(block + 32 * count, line.marks, count)
    if steps:
        memcpy(block + 33 * count, line.steps, steps)
    return packed


def measure_line(line):
    point: cython.pointer(cython.const[cython.double]) = line.points
    dx: cython.double
    dy: cython.double
    dz: cython.double
    length: cython.double = 0.0
    for _ in range(line.count - 1):
        dx = point[3] - point[0]
        dy = point[4] - point[1]
        dz = point[5] - point[2]
        length += sqrt((dx * dx + dy * dy) + dz * dz)
        point += 3
    return length


@cython.cfunc
def line_points(data: bytes, count: cython.int) -> object:
    return numpy.frombuffer(data, numpy.float64, 3 * count).reshape(count, 3)


@cython.cfunc
def line_polygons(data: bytes, count: cython.int) -> object:
    return numpy.frombuffer(data, numpy.int64, count, 24 * count)


@cython.cfunc
def line_marks(data: bytes, count: cython.int) -> object:
    return numpy.frombuffer(data, numpy.uint8, count, 32 * count)


@cython.cfunc
def line_steps(data: bytes, offset: cython.Py_ssize_t) -> list:
    """[id, kind, entry, exit] of each step over a link, which stand behind all else."""
    return numpy.frombuffer(data, numpy.int32, -1, offset).reshape(-1, 4).tolist() if len(data) > offset else []


@cython.cfunc
def line_links(data: bytes, count: cython.int, offset: cython.Py_ssize_t) -> object:
    links = numpy.zeros(count, numpy.int64)
    for link_id, _, entry, _ in line_steps(data, offset):
        if entry < count:
            links[entry] = link_id
    links.flags.writeable = False
    return links


@cython.cfunc
def line_legs(data: bytes, count: cython.int) -> tuple:
    """Walks and links in turn; walks of a single point are left out."""
    legs: list = []
    at: cython.int = 0
    points = line_points(data, count)
    for link_id, kind, entry, exit in line_steps(data, 33 * count):
        if entry > at:
            legs.append(WalkLeg(at, entry))
        legs.append(
            LinkLeg(link_id, named_kind(kind), tuple(points[entry].tolist()), tuple(points[exit].tolist()), entry, exit)
        )
        at = exit
    if at < count - 1:
        legs.append(WalkLeg(at, count - 1))
    return tuple(legs)


@cython.cfunc
def positive_length(name: str, value: object) -> cython.double:
    length: cython.double = read_length(value, name)
    if length <= 0.0:
        raise RangeError(f"{name} is {value!r}, outside (0, infinity)")
    return length


@cython.cfunc
def check_line(data: bytes, count: cython.longlong) -> object:
    # In 64 bits: a count from a damaged pickle must not wrap round to fit.
    steps: cython.longlong = len(data) - 33 * count
    if count < 0 or steps < 0 or cython.cast(cython.size_t, steps) % cython.sizeof(LinkStep):
        raise ArgumentError(f"a line of {count} points has {len(data)} bytes")


class StraightPath:
    """The line through a corridor. True where it is complete: not truncated, and the corridor was valid.

    Attributes:
        status: PathStatus SUCCESS or INVALID_CORRIDOR (no points).
        points: (n, 3) float64, world, read-only.
        marks: (n,) uint8 bits of PathMark, read-only.
        polygons: the polygon entered after each point, (n,) int64 references, read-only; the last point has the last.
        links: the id of the off-mesh link that is entered at each point, 0 elsewhere, (n,) int64, read-only.
        truncated: whether `max_corners` ended it, or `out` was too short.
        length: metres along the points, in three dimensions.
    """

    __match_args__ = ("status", "points", "marks", "polygons")

    def __cinit__(self) -> None:
        self.data = b""

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("StraightPath")

    @property
    def status(self) -> object:
        return PATH_STATUSES[self.status_code]

    @property
    def points(self) -> object:
        if self.given is not None:
            return given_rows(self.given, 0, self.count, numpy.float64, (3,))
        return line_points(self.data, self.count)

    @property
    def marks(self) -> object:
        if self.given is not None:
            return given_rows(self.given, 2, self.count, numpy.uint8, ())
        return line_marks(self.data, self.count)

    @property
    def polygons(self) -> object:
        if self.given is not None:
            return given_rows(self.given, 1, self.count, numpy.int64, ())
        return line_polygons(self.data, self.count)

    @property
    def links(self) -> object:
        return line_links(self.data, self.count, 0 if self.given is not None else 33 * self.count)

    def __bool__(self) -> bool:
        return self.status_code == PATH_SUCCESS and not self.truncated

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> object:
        return rows_in_turn(self.points)

    def __getitem__(self, index: object) -> object:
        return row_at(self.points, index)

    def __repr__(self) -> str:
        text = PATH_STATUSES[self.status_code].name + (", truncated" if self.truncated else "")
        return f"StraightPath({text}, {self.count} points, length={self.length!r})"

    def __eq__(self, other: object) -> object:
        if type(other) is not StraightPath:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        if self.given is not None:
            columns = (self.points.copy(), self.polygons.copy(), self.marks.copy())
            return restore_given_path, (self.status, self.count, columns, self.data, bool(self.truncated), self.length)
        return restore_straight_path, (self.status, self.count, self.data, bool(self.truncated), self.length)


def make_straight_path(status, line, truncated, given, outputs):
    result: StraightPath = StraightPath.__new__(StraightPath)
    result.status_code = status
    result.length = measure_line(line)
    result.truncated = truncated
    if given is None:
        result.count = line.count
        result.data = pack_line(line)
        return result
    result.given = given
    result.count = rows_for(outputs, 0, line.count)
    if result.count < line.count:
        result.truncated = True
    fill_line(line, result.count, outputs)
    if line.step_count > 0:
        result.data = PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, line.steps), line.step_count * cython.sizeof(LinkStep)
        )
    return result


@cython.cfunc
def fill_line(
    line: cython.pointer(cython.const[PointBuffer]), count: cython.int, outputs: cython.pointer(Outputs)
) -> cython.void:
    """Writes the line into the caller's arrays, as far as the first of them goes."""
    polygons: cython.size_t = rows_for(outputs, 1, count)
    marks: cython.size_t = rows_for(outputs, 2, count)
    if count > 0:
        memcpy(outputs.arrays[0].view.buf, line.points, 24 * cython.cast(cython.size_t, count))
    if polygons > 0:
        memcpy(outputs.arrays[1].view.buf, line.polygons, 8 * polygons)
    if marks > 0:
        memcpy(outputs.arrays[2].view.buf, line.marks, marks)


def restore_straight_path(status: object, count: int, data: bytes, truncated: bool, length: float) -> StraightPath:
    """A pickled StraightPath."""
    result: StraightPath = StraightPath.__new__(StraightPath)
    check_line(data, count)
    result.status_code = PATH_STATUSES.index(status)
    result.count = count
    result.data = data
    result.truncated = truncated
    result.length = length
    return result


def restore_given_path(
    status: object, count: int, columns: tuple, data: bytes, truncated: bool, length: float
) -> StraightPath:
    """A pickled StraightPath that was in the caller's arrays: in arrays of its own."""
    result: StraightPath = StraightPath.__new__(StraightPath)
    if len(columns[0]) != count:
        raise ArgumentError(f"a line of {count} points has {len(columns[0])}")
    result.status_code = PATH_STATUSES.index(status)
    result.count = count
    result.given = columns
    result.data = data
    result.truncated = truncated
    result.length = length
    return result


class Path:
    """A path over the mesh. True where it reaches the end.

    Attributes:
        status: PathStatus; its `advice` says what to do about it.
        detail: QueryStatus, the finer answer beneath it, with finer advice; `str(path)` says it.
        points: (n, 3) float64, world, metres, read-only; empty where there is no path at all.
        marks: (n,) uint8 bits of PathMark, read-only.
        polygons: the polygon entered after each point, (n,) int64 references, read-only.
        links: the id of the off-mesh link that is entered at each point, 0 elsewhere, (n,) int64, read-only.
        legs: the path in turn as WalkLeg and LinkLeg.
        corridor: the Corridor that the points run through.
        cost: of the searched route; the points may cost less.
        length: metres along the points, in three dimensions.
        partial: whether there are points and they do not reach the end.
        missing_tiles: (column, row) of the tiles to load for NOT_LOADED, nearest to the end first; else empty.
        node_limit_reached: whether the search dropped nodes for its `max_nodes`.
    """

    __match_args__ = ("status", "points", "cost", "length")

    def __cinit__(self) -> None:
        self.data = b""
        self.answer.status = PATH_INVALID_CORRIDOR

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("Path")

    @property
    def status(self) -> object:
        return PATH_STATUSES[self.answer.status]

    @property
    def detail(self) -> object:
        return QUERY_STATUSES[self.answer.detail]

    @property
    def points(self) -> object:
        return line_points(self.data, self.count)

    @property
    def marks(self) -> object:
        return line_marks(self.data, self.count)

    @property
    def polygons(self) -> object:
        return line_polygons(self.data, self.count)

    @property
    def links(self) -> object:
        return line_links(self.data, self.count, 33 * self.count)

    @property
    def legs(self) -> tuple:
        return line_legs(self.data, self.count)

    @property
    def cost(self) -> float:
        return self.answer.cost

    @property
    def partial(self) -> bool:
        return self.count > 0 and self.answer.status != PATH_SUCCESS

    @property
    def missing_tiles(self) -> tuple:
        return () if self.corridor is None else self.corridor.missing_tiles

    @property
    def node_limit_reached(self) -> bool:
        return self.answer.node_limit != 0

    def point_at(self, distance: object) -> tuple:
        """The point (x, y, z) this many metres along the line; before 0 its start, beyond `length` its end.

        Raises:
            ArgumentError: no number, or the path has no points.
        """
        along: cython.double = real_number("distance", distance)
        if self.count == 0:
            raise ArgumentError("this path has no points; ask `if path:` or `len(path)` first")
        place: LinePlace = place_along(self.line(), self.count, along)
        return (place.point.x, place.point.y, place.point.z)

    def sample(self, step: object) -> object:
        """Points every `step` metres (above 0) along the line, (n, 3) float64, its start and its end among them.

        Raises:
            ArgumentError, RangeError: no number, not above 0, or so small that there are more than 2**24 points.
        """
        length: cython.double = positive_length("step", step)
        if self.count == 0:
            return numpy.zeros((0, 3))
        return sampled_points(self.line(), self.count, self.length, length)

    def on_surface(self, spacing: object, mesh: object = None) -> object:
        """The line laid on the ground: a straight line between two corners runs through the air over hills and stairs.

        The points are the path's own, points between them that lie at most `spacing` metres apart in X/Z, and those
        where the line passes from one polygon to the next, each at the height of the polygon's surface. A link's entry
        and exit stay, with nothing between. Where a polygon has been replaced since, the line's own height stays.

        Args:
            spacing: metres, above 0.
            mesh: the mesh to lay it on; None is the one that it was found on.

        Returns:
            (n, 3) float64.

        Raises:
            ArgumentError, RangeError: naming argument, value and range; also where no mesh is given and the path's own
                is gone or was left behind when it was pickled.

        >>> import onepath
        >>> level = onepath.Level()
        >>> level.add_plane((0, 0), (20, 20))
        >>> mesh = onepath.bake(level, radius=0.5)
        >>> len(mesh.find_path((5, 0, 5), (15, 0, 5)).on_surface(1.0)) >= 11
        True
        """
        from onepath.query._path_ground import path_on_surface  # here: it stands upon this module

        return path_on_surface(self, positive_length("spacing", spacing), mesh)

    def trimmed(self, stop: object, mesh: object = None):
        """The path as far as `stop` metres before its end: where an agent stops that need not stand on the end.

        Inside a link nobody can stop; such a path ends where the link is entered. `status` and `cost` stay those of the
        search. A path that is no longer than `stop` keeps its start alone.

        Args:
            stop: metres along the line, 0 or more.
            mesh: as for `on_surface`.

        Raises:
            ArgumentError, RangeError: naming argument, value and range, or as `on_surface` does for the mesh.
        """
        from onepath.query._path_ground import trimmed_path

        return trimmed_path(self, read_length(stop, "stop"), mesh)

    def reversed(self, mesh: object = None):
        """The way back: the same corridor from its end to its start, with the same cost.

        Returns:
            A Path; INVALID_CORRIDOR, without points, where a link leads one way only or the mesh has changed there.

        Raises:
            ArgumentError: as `on_surface` does for the mesh.
        """
        from onepath.query._path_ground import reversed_path

        return reversed_path(self, mesh)

    def line(self):
        return cython.cast(cython.p_double, PyBytes_AS_STRING(self.data))

    def __bool__(self) -> bool:
        return self.answer.status == PATH_SUCCESS

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> object:
        return rows_in_turn(self.points)

    def __getitem__(self, index: object) -> object:
        return row_at(self.points, index)

    def __repr__(self) -> str:
        text = answer_text(self.answer, self.missing_tiles)
        return f"Path({text}, {self.count} points, length={self.length!r}, cost={self.answer.cost!r})"

    def __str__(self) -> str:
        """Status, length and what to do about it, as a sentence."""
        length = f", {self.length:.2f} m" if self.count > 0 else ""
        return f"{self.status.value}{length}: {self.detail.advice}"

    def __eq__(self, other: object) -> object:
        if type(other) is not Path:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        return restore_path, (self.corridor, self.count, self.data, self.length)


def make_path(answer, corridor, line, origin):
    result: Path = Path.__new__(Path)
    result.answer = answer
    result.corridor = corridor
    result.origin = origin
    result.count = line.count
    result.data = pack_line(line)
    result.length = measure_line(line)
    return result


def restore_path(corridor: object, count: int, data: bytes, length: float) -> Path:
    """A pickled Path."""
    result: Path = Path.__new__(Path)
    check_line(data, count)
    if type(corridor) is not Corridor:
        raise ArgumentError(f"corridor is {corridor!r}, not a Corridor")
    result.corridor = corridor
    result.answer = result.corridor.answer
    result.count = count
    result.data = data
    result.length = length
    return result
