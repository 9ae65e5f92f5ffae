"""Many positions as users hand them over: an array, or a list in which NavPoints may be."""

import cython
import numpy
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._format import LARGEST_COORDINATE
from cython.cimports.onepath.query._inputs import read_position
from cython.cimports.onepath.query._query_core import Place, read_place
from cython.cimports.onepath.query._results import NavPoint

from onepath.build.arguments import several_positions, vertex_array
from onepath.errors import RangeError


@cython.cclass
class PlaceList:
    """Internal memory for places; not to be made by hand."""

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a PlaceList is made of what queries are asked; it is not made by hand")

    def __dealloc__(self) -> None:
        free(self.places)

    def copy(self):
        listed: PlaceList = room_for(self.count, "points")
        memcpy(listed.places, self.places, cython.cast(cython.size_t, self.count) * cython.sizeof(Place))
        return listed


@cython.cfunc
def room_for(count: cython.Py_ssize_t, name: str) -> PlaceList:
    listed: PlaceList = PlaceList.__new__(PlaceList)
    if count > 0x7FFFFFFF:
        raise RangeError(f"{name} has {count} positions, more than 2**31 - 1")
    listed.places = cython.cast(
        cython.pointer(Place), malloc(cython.cast(cython.size_t, count + 1) * cython.sizeof(Place))
    )
    if listed.places == cython.NULL:
        raise MemoryError(f"no memory for {count} positions")
    listed.count = count
    return listed


@cython.cfunc
def read_rows(points: object, name: str) -> PlaceList:
    array = vertex_array(name, points)
    listed: PlaceList = room_for(len(array), name)
    rows: cython.const[cython.double][:, ::1] = array
    place: cython.pointer(Place)
    i: cython.int
    for i in range(listed.count):
        place = listed.places + i
        place.known = False
        place.ref = 0
        place.position.x = rows[i, 0]
        place.position.y = rows[i, 1]
        place.position.z = rows[i, 2]
        if not (
            -LARGEST_COORDINATE < place.position.x < LARGEST_COORDINATE
            and -LARGEST_COORDINATE < place.position.y < LARGEST_COORDINATE
            and -LARGEST_COORDINATE < place.position.z < LARGEST_COORDINATE
        ):
            read_position(tuple(array[i].tolist()), f"{name}[{i}]", cython.address(place.position))
    return listed


def read_places(points, name):
    listed: PlaceList
    i: cython.int
    if isinstance(points, (numpy.ndarray, memoryview)) and points.ndim != 1:
        return read_rows(points, name)
    items = [points] if type(points) is NavPoint else several_positions(name, points)
    listed = room_for(len(items), name)
    for i in range(listed.count):
        read_place(items[i], f"{name}[{i}]", listed.places + i)
    return listed
