"""Height detail as a stage of its own: triangles of polygons, within an error of the floor under them."""

import cython
import numpy as np
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._arrays import equal_arrays, int_array
from cython.cimports.onepath.build._compact import CompactHeightfield
from cython.cimports.onepath.build._contours import ContourSet
from cython.cimports.onepath.build._detail_polygons import (
    Detail,
    DetailRules,
    free_detail,
    make_detail,
)
from cython.cimports.onepath.build._detail_triangles import PARTS
from cython.cimports.onepath.build._floor_bounds import reach_of
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._polymesh import PolyMesh
from cython.cimports.onepath.build._regions import RegionSet

from onepath.build._regions import raise_stage_error
from onepath.build.arguments import real_number, whole_number
from onepath.errors import ArgumentError, LimitError, RangeError

LARGEST_SPACING = 2**20
LARGEST_ERROR = 65535.0


class DetailMesh:
    """Triangles of one tile's polygons that follow the floor. Immutable, its arrays read-only.

    Attributes:
        offsets: (polygons + 1,) int32 into `triangles`. A polygon with none is near enough as it is, as the fan of
            triangles from its first corner.
        triangles: (t, 3) int32, counter-clockwise seen from above. Below the number of the polygons' vertices a vertex
            of theirs, from there on one of `vertices`. Those of a polygon cover it exactly.
        vertices: (n, 3) float64; x and z in cells from the low corner of the tile's square, whole multiples of 2**-12,
            y in rows.
        largest_error: rows between a polygon's surface and the floor under it, at the worst of the cells whose centre
            it covers.
    """

    __match_args__ = ("offsets", "triangles", "vertices", "largest_error")

    def __init__(self):
        raise TypeError("use build_detail(contours, polygons)")

    def _values(self):
        return self.offsets, self.triangles, self.vertices

    def __eq__(self, other):
        if not isinstance(other, DetailMesh):
            return NotImplemented
        mine: DetailMesh = self
        theirs: DetailMesh = other
        return mine.largest_error == theirs.largest_error and equal_arrays(mine._values(), theirs._values())

    def __hash__(self):
        return hash((self.vertices.tobytes(), self.triangles.tobytes()))

    def __repr__(self):
        return f"DetailMesh(triangles={len(self.triangles)}, vertices={len(self.vertices)})"

    def __reduce__(self):
        return _restore, (*self._values(), self.largest_error)


def _restore(offsets, triangles, vertices, largest_error):
    """Makes a mesh of its arrays, which become read-only."""
    made: DetailMesh = DetailMesh.__new__(DetailMesh)
    made.offsets = offsets
    made.triangles = triangles
    made.vertices = vertices
    made.largest_error = largest_error
    for array in made._values():
        array.flags.writeable = False
    return made


def build_detail(contours: ContourSet, polygons: PolyMesh, *, sample_distance, max_error):
    """Gives polygons triangles whose heights follow the floor.

    Of every cell of a polygon's floor whose centre the polygon covers the surface is within `max_error` rows and one
    row more, which is what a floor row is rounded up by: above a cell that none beside rises over it is within
    `max_error`. Between centres this holds of the floors within one and a half cells, from the lowest to the highest. A
    vertex in the middle has the height of its cell's floor, one on an edge that of the highest cell around it, or, over
    none, of the floor straight beside; the two polygons of an edge have the same vertices on it.

    Args:
        contours: from `build_contours`.
        polygons: what `build_polymesh` made of them.
        sample_distance: cells between the places where vertices are tried first, 1 to 2**20; others are used where
            these leave the floor too far off.
        max_error: rows, 0 to 65535.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
        LimitError: more vertices or triangles than a tile can hold.
    """
    if contours is None:
        raise ArgumentError("contours is None, not a ContourSet")
    if polygons is None:
        raise ArgumentError("polygons is None, not a PolyMesh")
    rules: DetailRules
    rules.spacing = whole_number("sample_distance", sample_distance, 1, LARGEST_SPACING)
    error: cython.double = real_number("max_error", max_error)
    if not 0.0 <= error <= LARGEST_ERROR:
        raise RangeError(f"max_error is {max_error!r}, outside [0, {LARGEST_ERROR:.0f}]")
    rules.max_error = error
    rules.reach = reach_of(contours.contours.squared_error**0.5)
    regions: RegionSet = contours.regions
    compact: CompactHeightfield = regions.compact
    if not np.array_equal(compact.region, regions.region):
        raise ArgumentError("contours: their compact field has been given other regions since")
    most: cython.int = polygons.regions.max(initial=0)
    if most > contours.region_count or not np.array_equal(polygons.vertices, contours.vertices):
        raise ArgumentError("polygons were made of other contours")
    return _build(compact, regions, contours, polygons, rules)


@cython.cfunc
def _build(
    compact: CompactHeightfield, regions: RegionSet, contours: ContourSet, mesh: PolyMesh, rules: DetailRules
) -> object:
    arrays: PolygonArrays
    detail: Detail
    # Entries behind the last keep the address of the first one sound where there are none.
    held = [
        np.append(part, 0).astype(np.int32)
        for part in (
            mesh.polygon_offsets,
            mesh.polygon_vertices,
            mesh.polygon_neighbours,
            mesh.border_sides,
            mesh.regions,
        )
    ]
    offset: cython.int[::1] = held[0]
    vertex: cython.int[::1] = held[1]
    neighbour: cython.int[::1] = held[2]
    side: cython.int[::1] = held[3]
    region: cython.int[::1] = held[4]
    arrays.vertex_count = contours.contours.vertex_x.count
    arrays.polygon_count = mesh.polygon_count
    arrays.region_count = contours.contours.region_count
    arrays.vertex_x = contours.contours.vertex_x.data
    arrays.vertex_y = contours.contours.vertex_y.data
    arrays.vertex_z = contours.contours.vertex_z.data
    arrays.offset = cython.address(offset[0])
    arrays.vertex = cython.address(vertex[0])
    arrays.neighbour = cython.address(neighbour[0])
    arrays.border_side = cython.address(side[0])
    arrays.region = cython.address(region[0])
    memset(cython.address(detail), 0, cython.sizeof(Detail))
    try:
        code: cython.int = make_detail(
            cython.address(compact.field),
            cython.address(regions.scratch.graph),
            cython.address(contours.contours),
            cython.address(arrays),
            cython.address(rules),
            cython.address(detail),
        )
        if code == -4:
            raise LimitError("more than 16,777,215 vertices or triangles of detail; choose a larger max_error")
        raise_stage_error(code)
        count: cython.Py_ssize_t = detail.vertices.x.count
        places = [
            int_array(detail.vertices.x.data, count) / PARTS,
            int_array(detail.vertices.y.data, count),
            int_array(detail.vertices.z.data, count) / PARTS,
        ]
        return _restore(
            int_array(detail.offset.data, detail.offset.count),
            int_array(detail.triangle.data, detail.triangle.count).reshape(-1, 3),
            np.stack(places, axis=1),
            detail.largest_error,
        )
    finally:
        free_detail(cython.address(detail))
