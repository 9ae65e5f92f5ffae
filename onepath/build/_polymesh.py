"""Convex polygons from outlines, with their neighbours: what a tile is made of."""

import cython
import numpy as np
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._arrays import equal_arrays, int_array
from cython.cimports.onepath.build._box_tree import free_tree
from cython.cimports.onepath.build._buffers import free_ints, free_keys, push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._contours import ContourSet
from cython.cimports.onepath.build._holes import join_holes
from cython.cimports.onepath.build._merge import merge_polygons, piece_of
from cython.cimports.onepath.build._polygons import Polygons
from cython.cimports.onepath.build._triangulate import triangulate

from onepath.build._regions import raise_stage_error
from onepath.build.arguments import whole_number
from onepath.errors import ArgumentError


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_polygons(polygons: cython.pointer[Polygons]) -> cython.void:
    free_ints(cython.address(polygons.visit_vertex))
    free_ints(cython.address(polygons.visit_next))
    free_ints(cython.address(polygons.visit_before))
    free_ints(cython.address(polygons.visit_code))
    free_keys(cython.address(polygons.hole_order))
    free_keys(cython.address(polygons.ear))
    free_keys(cython.address(polygons.shortest))
    free_tree(cython.address(polygons.near))
    free_ints(cython.address(polygons.half_vertex))
    free_ints(cython.address(polygons.half_next))
    free_ints(cython.address(polygons.half_before))
    free_ints(cython.address(polygons.half_twin))
    free_ints(cython.address(polygons.half_code))
    free_ints(cython.address(polygons.edge_half))
    free_ints(cython.address(polygons.piece))
    free_ints(cython.address(polygons.piece_corners))
    free_ints(cython.address(polygons.piece_polygon))
    free_ints(cython.address(polygons.piece_region))
    free_keys(cython.address(polygons.diagonals))
    free_ints(cython.address(polygons.polygon_offset))
    free_ints(cython.address(polygons.polygon_region))
    free_ints(cython.address(polygons.polygon_area))
    free_ints(cython.address(polygons.polygon_half))
    free_ints(cython.address(polygons.polygon_vertex))
    free_ints(cython.address(polygons.polygon_neighbour))
    free_ints(cython.address(polygons.border_side))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _side_of(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[Polygons]],
    corner: cython.int,
) -> cython.int:
    """The side of the square along which the edge that leaves a corner runs, or -1.

    Told by where the edge lies, not by what its chain faces: a stretch of wall that simplifying has laid on the side's
    line is a part of that side as well, and only the tile beyond knows what stands there.
    """
    half: cython.int = polygons.polygon_half.data[corner]
    a: cython.int = polygons.half_vertex.data[half]
    b: cython.int = polygons.half_vertex.data[polygons.half_next.data[half]]
    ax: cython.int = contours.vertex_x.data[a]
    az: cython.int = contours.vertex_z.data[a]
    if ax == contours.vertex_x.data[b]:
        if ax == 0:
            return 0
        if ax == contours.square_width:
            return 2
    if az == contours.vertex_z.data[b]:
        if az == contours.square_depth:
            return 1
        if az == 0:
            return 3
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reset(contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons]) -> cython.int:
    edges: cython.int = contours.edge_from.count
    directions: cython.size_t = 2 * (
        cython.cast(cython.size_t, edges) + cython.cast(cython.size_t, contours.loop_count)
    )
    if reserve_ints(cython.address(polygons.edge_half), directions) < 0:
        return -1
    if directions > 0:
        memset(polygons.edge_half.data, 255, directions * cython.sizeof(cython.int))
    polygons.bridge_edge = polygons.first_bridge = edges
    polygons.half_vertex.count = polygons.half_next.count = polygons.half_before.count = 0
    polygons.half_twin.count = polygons.half_code.count = 0
    polygons.piece.count = polygons.piece_corners.count = polygons.piece_region.count = 0
    polygons.polygon_count = polygons.failed_regions = 0
    polygons.near.steps = 0
    polygons.polygon_offset.count = polygons.polygon_region.count = polygons.polygon_area.count = 0
    polygons.polygon_half.count = polygons.polygon_vertex.count = 0
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_region(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    region: cython.int,
    max_polygon_vertices: cython.int,
) -> cython.int:
    first_half: cython.int = polygons.half_vertex.count
    code: cython.int = join_holes(contours, region, polygons)
    if code == 0:
        code = triangulate(contours, region, polygons)
    if code < 0:
        return -1
    polygons.failed_regions += code
    return merge_polygons(contours, polygons, first_half, max_polygon_vertices)


# --- flat arrays


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_polygon(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    first: cython.int,
    region: cython.int,
) -> cython.int:
    """The polygon around a half edge."""
    half: cython.int = first
    if (
        push_int(cython.address(polygons.polygon_region), region) < 0
        or push_int(cython.address(polygons.polygon_area), contours.region_area.data[region]) < 0
    ):
        return -1
    while True:
        if (
            push_int(cython.address(polygons.polygon_half), half) < 0
            or push_int(cython.address(polygons.polygon_vertex), polygons.half_vertex.data[half]) < 0
        ):
            return -1
        half = polygons.half_next.data[half]
        if half == first:
            return push_int(cython.address(polygons.polygon_offset), polygons.polygon_half.count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_polygons(contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons]) -> cython.int:
    triangles: cython.int = polygons.piece.count
    half: cython.int
    piece: cython.int
    if reserve_ints(cython.address(polygons.piece_polygon), cython.cast(cython.size_t, triangles)) < 0:
        return -1
    for piece in range(triangles):
        polygons.piece_polygon.data[piece] = -1
    if push_int(cython.address(polygons.polygon_offset), 0) < 0:
        return -1
    for half in range(polygons.half_vertex.count):
        if polygons.half_next.data[half] < 0:
            continue
        piece = piece_of(polygons, half // 3)
        if polygons.piece_polygon.data[piece] < 0:
            polygons.piece_polygon.data[piece] = polygons.polygon_count
            polygons.polygon_count += 1
            if _add_polygon(contours, polygons, half, polygons.piece_region.data[piece]) < 0:
                return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_neighbours(
    contours: cython.pointer[cython.const[Contours]], polygons: cython.pointer[Polygons]
) -> cython.int:
    corners: cython.int = polygons.polygon_half.count
    k: cython.int
    across: cython.int
    along: cython.int
    if (
        reserve_ints(cython.address(polygons.polygon_neighbour), cython.cast(cython.size_t, corners)) < 0
        or reserve_ints(cython.address(polygons.border_side), cython.cast(cython.size_t, corners)) < 0
    ):
        return -1
    for k in range(corners):
        across = polygons.half_twin.data[polygons.polygon_half.data[k]]
        along = polygons.half_code.data[polygons.polygon_half.data[k]]
        if along >= 0 and along < 2 * polygons.first_bridge:
            across = polygons.edge_half.data[along ^ 1]
        polygons.border_side.data[k] = _side_of(contours, polygons, k) if across < 0 else -1
        polygons.polygon_neighbour.data[k] = (
            polygons.piece_polygon.data[piece_of(polygons, across // 3)] if across >= 0 else -1
        )
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_polymesh(
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[Polygons],
    max_polygon_vertices: cython.int,
) -> cython.int:
    if _reset(contours, polygons) < 0:
        return -1
    region: cython.int
    for region in range(1, contours.region_count + 1):
        if contours.region_first.data[region] < contours.region_first.data[region + 1] and (
            _add_region(contours, polygons, region, max_polygon_vertices) < 0
        ):
            return -1
    if _list_polygons(contours, polygons) < 0:
        return -1
    return _find_neighbours(contours, polygons)


# --- the public stage


class PolyMesh:
    """Convex polygons of one tile. Immutable, its arrays read-only.

    Attributes:
        vertices: (n, 3) int32; x and z in cells from the low corner of the tile's square, y in rows above the field's
            bottom. Floors above each other have vertices of their own.
        polygon_offsets: (p + 1,) int32 into the arrays a corner.
        polygon_vertices: int32, counter-clockwise seen from above.
        polygon_neighbours: int32, the polygon across the edge that leaves each corner, -1 for none.
        border_sides: int8, the side of the square (0 -x, 1 +z, 2 +x, 3 -z) that this edge lies on, -1 elsewhere.
        areas: (p,) uint8, 1 to 63.
        regions: (p,) int32, the region each polygon was cut from.
        failed_regions: regions whose outline could not be cut into triangles; 0 whenever the contours have nothing
            unresolved.
        steps: corners, edges and boxes looked at while cutting: a measure of the work, the same on every machine. Not
            compared.
    """

    __match_args__ = (
        "vertices",
        "polygon_offsets",
        "polygon_vertices",
        "polygon_neighbours",
        "border_sides",
        "areas",
        "regions",
    )

    def __init__(self):
        raise TypeError("use build_polymesh(contours)")

    @property
    def polygon_count(self):
        return len(self.areas)

    def _values(self):
        return (
            self.vertices,
            self.polygon_offsets,
            self.polygon_vertices,
            self.polygon_neighbours,
            self.border_sides,
            self.areas,
            self.regions,
        )

    def __eq__(self, other):
        if not isinstance(other, PolyMesh):
            return NotImplemented
        mine: PolyMesh = self
        theirs: PolyMesh = other
        return mine.failed_regions == theirs.failed_regions and equal_arrays(mine._values(), theirs._values())

    def __hash__(self):
        return hash((self.vertices.tobytes(), self.polygon_vertices.tobytes(), self.polygon_offsets.tobytes()))

    def __repr__(self):
        return f"PolyMesh(polygons={self.polygon_count}, vertices={len(self.vertices)})"

    def __reduce__(self):
        return _restore, (*self._values(), self.failed_regions, self.steps)


def _restore(
    vertices, polygon_offsets, polygon_vertices, polygon_neighbours, border_sides, areas, regions, failed_regions, steps
):
    """Makes a mesh of its arrays, which become read-only."""
    made: PolyMesh = PolyMesh.__new__(PolyMesh)
    made.vertices = vertices
    made.polygon_offsets = polygon_offsets
    made.polygon_vertices = polygon_vertices
    made.polygon_neighbours = polygon_neighbours
    made.border_sides = border_sides
    made.areas = areas
    made.regions = regions
    made.failed_regions = failed_regions
    made.steps = steps
    for array in made._values():
        array.flags.writeable = False
    return made


def build_polymesh(contours: ContourSet, *, max_polygon_vertices=6):
    """Cuts outlines with their holes into convex polygons.

    All on integers: the polygons of a region cover its outline exactly, none is empty, none has a corner of another in
    the middle of an edge.

    Args:
        contours: from `build_contours`.
        max_polygon_vertices: corners of a polygon at most, 3 to 64.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.
    """
    if contours is None:
        raise ArgumentError("contours is None, not a ContourSet")
    corners: cython.int = whole_number("max_polygon_vertices", max_polygon_vertices, 3, 64)
    polygons: Polygons
    memset(cython.address(polygons), 0, cython.sizeof(Polygons))
    try:
        raise_stage_error(make_polymesh(cython.address(contours.contours), cython.address(polygons), corners))
        count: cython.Py_ssize_t = polygons.polygon_half.count
        return _restore(
            contours.vertices,
            int_array(polygons.polygon_offset.data, polygons.polygon_count + 1),
            int_array(polygons.polygon_vertex.data, count),
            int_array(polygons.polygon_neighbour.data, count),
            int_array(polygons.border_side.data, count).astype(np.int8),
            int_array(polygons.polygon_area.data, polygons.polygon_count).astype(np.uint8),
            int_array(polygons.polygon_region.data, polygons.polygon_count),
            polygons.failed_regions,
            polygons.near.steps,
        )
    finally:
        free_polygons(cython.address(polygons))
