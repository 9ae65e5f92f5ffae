"""What area searches return: the polygons found, the nearest wall, all walls."""

import cython
import numpy
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.onepath.mesh._mesh import MeshState, polygon_reference, reference_t
from cython.cimports.onepath.query._area_results import AreaAnswer
from cython.cimports.onepath.query._area_search import AreaNode, AreaState
from cython.cimports.onepath.query._outputs import given_rows, rows_for
from cython.cimports.onepath.query._results import refuse_construction

from onepath.errors import ArgumentError
from onepath.query.sequences import row_at, rows_in_turn
from onepath.query.status import AreaSearchStatus

AREA_STATUSES = tuple(AreaSearchStatus)

# --- What all of them have ------------------------------------------------------------------------------------------


def area_text(answer, missing_tiles):
    text = AREA_STATUSES[answer.status].name
    if answer.node_limit:
        text += f" (node limit reached, max_nodes={answer.node_limit})"
    if missing_tiles:
        text += f" (missing tiles: {', '.join(map(str, missing_tiles[:3]))}{', ...' if len(missing_tiles) > 3 else ''})"
    return text


def read_area_answer(fields):
    answer: AreaAnswer
    status, node_limit = fields
    answer.status = AREA_STATUSES.index(status)
    answer.node_limit = node_limit
    return answer


# --- Polygons -------------------------------------------------------------------------------------------------------


class AreaPolygons:
    """The polygons that an area search found, in the order of its expansion. True where it found any.

    Attributes:
        status: AreaSearchStatus.
        polygons: references, the start's first, (n,) int64.
        parents: for each the polygon that it was reached from, 0 for the start, (n,) int64.
        distances_squared: for each the squared distance of the portal that it was reached through from the circle's
            centre or the mean of the shape's points, seen from above, 0 for the start, (n,) float64.
        truncated: whether `out` was too short for all of them.
        node_limit_reached: whether the search dropped nodes for its `max_nodes`.
        not_loaded: whether the shape reaches over the border of what is loaded.
        missing_tiles: (column, row) of the tiles that it reaches into, nearest first.

    Arrays are read-only, or parts of those given as `out`, `parents_out` and `distances_out`. With `out` what has no
    array is left out.
    """

    __match_args__ = ("status", "polygons", "parents", "distances_squared")

    def __cinit__(self) -> None:
        self.data = b""
        self.missing_tiles = ()

    def __init__(self, *_values: object, **_named: object) -> None:
        refuse_construction("AreaPolygons")

    def column(self, place, kind):
        if self.given is not None:
            return given_rows(self.given, place, self.count, kind, ())
        if self.count == 0:
            return numpy.zeros(0, kind)
        return numpy.frombuffer(self.data, kind, self.count, 8 * cython.cast(cython.Py_ssize_t, place) * self.count)

    @property
    def status(self) -> object:
        return AREA_STATUSES[self.answer.status]

    @property
    def polygons(self) -> object:
        return self.column(0, numpy.int64)

    @property
    def parents(self) -> object:
        return self.column(1, numpy.int64)

    @property
    def distances_squared(self) -> object:
        return self.column(2, numpy.float64)

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
        return rows_in_turn(self.polygons)

    def __getitem__(self, index: object) -> object:
        return row_at(self.polygons, index)

    def __repr__(self) -> str:
        return f"AreaPolygons({area_text(self.answer, self.missing_tiles)}, {self.count} polygons)"

    def __eq__(self, other: object) -> object:
        if type(other) is not AreaPolygons:
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __reduce__(self) -> tuple:
        fields = (self.status, self.answer.node_limit)
        columns = (self.polygons.tobytes(), self.parents.tobytes(), self.distances_squared.tobytes())
        return restore_area_polygons, (fields, self.count, columns, self.truncated, self.missing_tiles)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_polygons(
    area: cython.pointer(cython.const[AreaState]),
    mesh: cython.pointer(cython.const[MeshState]),
    polygons: cython.pointer(reference_t),
    polygon_count: cython.int,
    parents: cython.pointer(reference_t),
    parent_count: cython.int,
    distances: cython.p_double,
    distance_count: cython.int,
) -> cython.void:
    """Writes the first of each column in the order of expansion."""
    i: cython.int
    node: cython.pointer(cython.const[AreaNode])
    parent: cython.pointer(cython.const[AreaNode])
    for i in range(polygon_count):
        node = area.nodes + area.expanded[i]
        polygons[i] = polygon_reference(mesh, node.slot, node.polygon)
    for i in range(parent_count):
        node = area.nodes + area.expanded[i]
        parents[i] = 0
        if node.parent >= 0:
            parent = area.nodes + node.parent
            parents[i] = polygon_reference(mesh, parent.slot, parent.polygon)
    for i in range(distance_count):
        distances[i] = area.nodes[area.expanded[i]].key


def make_area_polygons(answer, area, mesh, missing_tiles, given, outputs):
    result: AreaPolygons = AreaPolygons.__new__(AreaPolygons)
    references: cython.pointer(reference_t)
    count: cython.int
    result.answer = answer
    result.missing_tiles = missing_tiles
    result.given = given
    if area == cython.NULL:
        return result
    if given is not None:
        result.count = rows_for(outputs, 0, area.expanded_count)
        result.truncated = result.count < area.expanded_count
        fill_polygons(
            area,
            mesh,
            cython.cast(cython.pointer(reference_t), outputs.arrays[0].view.buf),
            result.count,
            cython.cast(cython.pointer(reference_t), outputs.arrays[1].view.buf),
            rows_for(outputs, 1, result.count),
            cython.cast(cython.p_double, outputs.arrays[2].view.buf),
            rows_for(outputs, 2, result.count),
        )
        return result
    count = area.expanded_count
    result.count = count
    if count > 0:
        result.data = PyBytes_FromStringAndSize(cython.NULL, 24 * cython.cast(cython.Py_ssize_t, count))
        references = cython.cast(cython.pointer(reference_t), PyBytes_AS_STRING(result.data))
        fill_polygons(
            area,
            mesh,
            references,
            count,
            references + count,
            count,
            cython.cast(cython.p_double, references + 2 * cython.cast(cython.Py_ssize_t, count)),
            count,
        )
    return result


def restore_area_polygons(fields: tuple, count: int, columns: tuple, truncated: bool, missing_tiles: tuple):
    """A pickled AreaPolygons."""
    result: AreaPolygons = AreaPolygons.__new__(AreaPolygons)
    polygons, parents, distances = columns
    result.answer = read_area_answer(fields)
    result.given = (
        numpy.frombuffer(polygons, numpy.int64),
        numpy.frombuffer(parents, numpy.int64),
        numpy.frombuffer(distances, numpy.float64),
    )
    if len(result.given[0]) != count:
        raise ArgumentError(f"an area search of {count} polygons has {len(polygons)} bytes of references")
    result.count = count
    result.truncated = truncated
    result.missing_tiles = missing_tiles
    return result
