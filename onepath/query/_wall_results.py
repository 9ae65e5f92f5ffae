"""What questions about walls return: the nearest one, and all within a radius."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.math import sqrt
from cython.cimports.onepath.mesh._mesh import MeshState, polygon_reference, reference_t
from cython.cimports.onepath.query._area_results import (
    AREA_STATUSES,
    area_text,
    read_area_answer,
)
from cython.cimports.onepath.query._outputs import given_rows, rows_for
from cython.cimports.onepath.query._results import refuse_construction
from cython.cimports.onepath.query._walls import WallBuffer, WallPiece

from onepath.errors import ArgumentError
from onepath.query.sequences import row_at, rows_in_turn

ROW = cython.declare(cython.int, 68)  # bytes of a wall: 6 coordinates, reference, distance, edge

# --- The nearest ----------------------------------------------------------------------------------------------------


class NearestWall:
    """The wall nearest to a position. False where none is within the radius.

    Attributes:
        status: AreaSearchStatus of the search around the position.
        distance: metres seen from above; the radius where no wall was found.
        point: the wall's nearest point, (x, y, z); None where none was found.
        normal: (x, 0, z), the unit vector from there towards the position, and where that lies on the wall the one
            towards the inside; None where none was found.
        polygon, edge: the wall is an edge of this polygon, or a part of one; 0 and -1 where none was found.
        node_limit_reached, not_loaded, missing_tiles: as for AreaPolygons; the side towards a missing tile is no wall.
    """

    __match_args__ = ("status", "distance", "point", "normal")

    def __cinit__(self) -> None:
        self.missing_tiles = ()

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("NearestWall")

    @property
    def status(self) -> object:
        return AREA_STATUSES[self.answer.status]

    @property
    def point(self) -> object:
        return (self.place.x, self.place.y, self.place.z) if self.found else None

    @property
    def normal(self) -> object:
        return (self.normal_x, 0.0, self.normal_z) if self.found else None

    @property
    def node_limit_reached(self) -> bool:
        return self.answer.node_limit != 0

    @property
    def not_loaded(self) -> bool:
        return len(self.missing_tiles) > 0

    def __bool__(self) -> bool:
        return self.found

    def __repr__(self) -> str:
        text = area_text(self.answer, self.missing_tiles)
        if not self.found:
            return f"NearestWall({text}, none within {self.distance!r})"
        return f"NearestWall({text}, distance={self.distance!r}, point={self.point}, normal={self.normal})"

    def __eq__(self, other: object) -> object:
        if type(other) is not NearestWall:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        fields = (self.status, self.answer.node_limit)
        wall = (self.point, self.normal_x, self.normal_z, self.polygon, self.edge)
        return restore_nearest_wall, (fields, self.distance, wall if self.found else None, self.missing_tiles)


def make_nearest_wall(answer, wall, mesh, radius, missing_tiles):
    result: NearestWall = NearestWall.__new__(NearestWall)
    result.answer = answer
    result.distance = radius
    result.edge = -1
    result.missing_tiles = missing_tiles
    if wall != cython.NULL and wall.found:
        result.found = True
        result.distance = sqrt(wall.squared_distance)
        result.place = wall.point
        result.normal_x = wall.normal_x
        result.normal_z = wall.normal_z
        result.polygon = polygon_reference(mesh, wall.slot, wall.polygon)
        result.edge = wall.edge
    return result


def restore_nearest_wall(fields: tuple, distance: float, wall: object, missing_tiles: tuple) -> NearestWall:
    """A pickled NearestWall."""
    result: NearestWall = NearestWall.__new__(NearestWall)
    result.answer = read_area_answer(fields)
    result.distance = distance
    result.edge = -1
    result.missing_tiles = missing_tiles
    if wall is not None:
        result.found = True
        point, result.normal_x, result.normal_z, result.polygon, result.edge = wall
        result.place.x, result.place.y, result.place.z = point
    return result


# --- All of them ----------------------------------------------------------------------------------------------------


class WallSegments:
    """The walls near a position, nearest first. True where there are any.

    Attributes:
        status: AreaSearchStatus of the search around the position.
        segments: the two ends of each, (n, 2, 3) float64; seen from above, what may be walked on lies to the left on
            the way from the first to the second.
        polygons: each is an edge of this polygon, or a part of one, (n,) int64.
        edges: the number of that edge within its polygon, (n,) int32.
        distances: of each from the position, seen from above, metres, (n,) float64.
        truncated: whether `out` was too short for all of them; the nearest are kept.
        node_limit_reached, not_loaded, missing_tiles: as for AreaPolygons; the side towards a missing tile is no wall.

    Arrays are read-only, or parts of those given. With `out` what has no array is left out.
    """

    __match_args__ = ("status", "segments", "polygons", "edges")

    def __cinit__(self) -> None:
        self.data = b""
        self.missing_tiles = ()

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("WallSegments")

    def column(self, place, kind, first, shape):
        if self.count == 0:
            return numpy.zeros((0, *shape), kind)
        if self.given is not None:
            return given_rows(self.given, place, self.count, kind, shape)
        width = 6 if place == 0 else 1
        return numpy.frombuffer(self.data, kind, width * self.count, first * self.count).reshape(-1, *shape)

    @property
    def status(self) -> object:
        return AREA_STATUSES[self.answer.status]

    @property
    def segments(self) -> object:
        return self.column(0, numpy.float64, 0, (2, 3))

    @property
    def polygons(self) -> object:
        return self.column(1, numpy.int64, 48, ())

    @property
    def distances(self) -> object:
        return self.column(2, numpy.float64, 56, ())

    @property
    def edges(self) -> object:
        return self.column(3, numpy.int32, 64, ())

    @property
    def node_limit_reached(self) -> bool:
        return self.answer.node_limit != 0

    @property
    def not_loaded(self) -> bool:
        return len(self.missing_tiles) > 0

    def __bool__(self) -> bool:
        return self.count > 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> object:
        return rows_in_turn(self.segments)

    def __getitem__(self, index: object) -> object:
        return row_at(self.segments, index)

    def __repr__(self) -> str:
        return f"WallSegments({area_text(self.answer, self.missing_tiles)}, {self.count} walls)"

    def __eq__(self, other: object) -> object:
        if type(other) is not WallSegments:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        fields = (self.status, self.answer.node_limit)
        columns = (
            self.segments.tobytes(),
            self.polygons.tobytes(),
            self.distances.tobytes(),
            self.edges.tobytes(),
        )
        return restore_wall_segments, (fields, self.count, columns, self.truncated, self.missing_tiles)


Columns = cython.struct(
    ends=cython.p_double,
    polygons=cython.pointer(reference_t),
    distances=cython.p_double,
    edges=cython.p_int,
    polygon_count=cython.int,
    distance_count=cython.int,
    edge_count=cython.int,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_columns(
    walls: cython.pointer(cython.const[WallBuffer]),
    mesh: cython.pointer(cython.const[MeshState]),
    columns: cython.pointer(Columns),
    count: cython.int,
) -> cython.void:
    """Writes the nearest `count` walls, each column as far as it goes."""
    i: cython.int
    piece: cython.pointer(cython.const[WallPiece])
    ends: cython.p_double
    for i in range(count):
        piece = walls.pieces + walls.order[i]
        ends = columns.ends + 6 * cython.cast(cython.Py_ssize_t, i)
        ends[0] = piece.start.x
        ends[1] = piece.start.y
        ends[2] = piece.start.z
        ends[3] = piece.end.x
        ends[4] = piece.end.y
        ends[5] = piece.end.z
        if i < columns.polygon_count:
            columns.polygons[i] = polygon_reference(mesh, piece.slot, piece.polygon)
        if i < columns.distance_count:
            columns.distances[i] = sqrt(piece.squared_distance)
        if i < columns.edge_count:
            columns.edges[i] = piece.edge


def make_wall_segments(answer, walls, mesh, missing_tiles, given, outputs):
    result: WallSegments = WallSegments.__new__(WallSegments)
    columns: Columns
    count: cython.Py_ssize_t
    block: cython.p_char
    result.answer = answer
    result.missing_tiles = missing_tiles
    result.given = given
    if walls == cython.NULL:
        return result
    if given is not None:
        result.count = rows_for(outputs, 0, walls.count)
        result.truncated = result.count < walls.count
        columns.ends = cython.cast(cython.p_double, outputs.arrays[0].view.buf)
        columns.polygons = cython.cast(cython.pointer(reference_t), outputs.arrays[1].view.buf)
        columns.distances = cython.cast(cython.p_double, outputs.arrays[2].view.buf)
        columns.edges = cython.cast(cython.p_int, outputs.arrays[3].view.buf)
        columns.polygon_count = rows_for(outputs, 1, result.count)
        columns.distance_count = rows_for(outputs, 2, result.count)
        columns.edge_count = rows_for(outputs, 3, result.count)
        fill_columns(walls, mesh, cython.address(columns), result.count)
        return result
    count = walls.count
    result.count = walls.count
    if count > 0:
        result.data = PyBytes_FromStringAndSize(cython.NULL, ROW * count)
        block = PyBytes_AS_STRING(result.data)
        columns.ends = cython.cast(cython.p_double, block)
        columns.polygons = cython.cast(cython.pointer(reference_t), block + 48 * count)
        columns.distances = cython.cast(cython.p_double, block + 56 * count)
        columns.edges = cython.cast(cython.p_int, block + 64 * count)
        columns.polygon_count = columns.distance_count = columns.edge_count = walls.count
        fill_columns(walls, mesh, cython.address(columns), walls.count)
    return result


def restore_wall_segments(fields: tuple, count: int, columns: tuple, truncated: bool, missing_tiles: tuple):
    """A pickled WallSegments."""
    result: WallSegments = WallSegments.__new__(WallSegments)
    ends, polygons, distances, edges = columns
    if len(ends) != 48 * count:
        raise ArgumentError(f"{count} walls have {len(ends)} bytes of ends")
    result.given = (
        numpy.frombuffer(ends, numpy.float64).reshape(-1, 6),
        numpy.frombuffer(polygons, numpy.int64),
        numpy.frombuffer(distances, numpy.float64),
        numpy.frombuffer(edges, numpy.int32),
    )
    result.answer = read_area_answer(fields)
    result.count = count
    result.truncated = truncated
    result.missing_tiles = missing_tiles
    return result
