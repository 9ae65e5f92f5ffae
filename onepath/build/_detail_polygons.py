"""Detail: where the floor leaves a polygon's plane by more than is allowed, triangles that follow it.

Vertices are put in one by one where a triangle is farthest from the floor, after Garland and Heckbert ("Fast Polygonal
Approximation of Terrains and Height Fields", 1995): into the worst cell of each triangle that is still too far off,
until none is. Every cell that a polygon covers is looked at, so nothing between samples is missed, and then all places
between the centres of cells: there a triangle must not leave all the floors around. Floors that are flat
within the error are told by the bounds of their region's heights and cost nothing.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._detail_edges import free_detail_vertices, free_edge_heights
from cython.cimports.onepath.build._detail_errors import DetailPoint, WorstCell, find_worst_cell, rounding
from cython.cimports.onepath.build._detail_mending import add_cell, corners_of, mend_place
from cython.cimports.onepath.build._detail_outline import list_outline, look_at_edges
from cython.cimports.onepath.build._detail_places import OffPlace, find_off_place
from cython.cimports.onepath.build._detail_triangles import (
    PARTS,
    DetailTriangles,
    clear_detail_triangles,
    cut_outline,
    free_detail_triangles,
)
from cython.cimports.onepath.build._floor_bounds import bound_floors, free_floor_bounds, row_spread
from cython.cimports.onepath.build._floor_heights import (
    FloorHeights,
    find_row_range,
    free_floor_heights,
    load_polygon,
    prepare_heights,
    settle_rim,
)
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._span_graph import SpanGraph


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_detail(detail: cython.pointer[Detail]) -> cython.void:
    free_floor_bounds(cython.address(detail.bounds))
    free_floor_heights(cython.address(detail.floors))
    free_edge_heights(cython.address(detail.heights))
    free_detail_triangles(cython.address(detail.made))
    free_detail_vertices(cython.address(detail.vertices))
    free_ints(cython.address(detail.mended))
    free_ints(cython.address(detail.edge_first))
    free_ints(cython.address(detail.edge_count))
    free_ints(cython.address(detail.offset))
    free_ints(cython.address(detail.triangle))


# --- errors


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _note_error(detail: cython.pointer[Detail], worst: cython.pointer[cython.const[WorstCell]]) -> cython.void:
    if worst.error > detail.largest_error:
        detail.largest_error = worst.error
        detail.largest_x = worst.x
        detail.largest_z = worst.z
        detail.largest_y = detail.floors.row.data[worst.x + worst.z * detail.floors.width]
        detail.found_larger = 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _corner_point(polygons: cython.pointer[cython.const[PolygonArrays]], vertex: cython.int) -> DetailPoint:
    point: DetailPoint
    point.x = polygons.vertex_x[vertex] * PARTS
    point.y = polygons.vertex_y[vertex]
    point.z = polygons.vertex_z[vertex] * PARTS
    return point


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fan_fits(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    polygon: cython.int,
    largest: cython.pointer[WorstCell],
) -> cython.bint:
    """Whether the polygon's own fan, its surface without detail, is near enough to every cell. Finds the worst one."""
    corners: DetailPoint[3]
    worst: WorstCell
    first: cython.int = polygons.offset[polygon]
    corner: cython.int
    # Heights between corners lie between theirs, whatever rounding makes of them: an error of just what is allowed is
    # common, and must not depend on whether a flat region was looked at.
    bound: cython.double = row_spread(cython.address(detail.bounds), polygons.region[polygon])
    largest.error = -1.0
    largest.x = largest.z = 0
    corners[0] = _corner_point(polygons, polygons.vertex[first])
    corners[2] = _corner_point(polygons, polygons.vertex[first + 1])
    for corner in range(first + 2, polygons.offset[polygon + 1]):
        corners[1] = corners[2]
        corners[2] = _corner_point(polygons, polygons.vertex[corner])
        find_worst_cell(
            cython.address(detail.floors), corners, 7, rules.max_error, rules.spacing, cython.address(worst)
        )
        if bound < worst.error <= bound + rounding():
            worst.error = bound
        if worst.error > rules.max_error + 1.0:
            return False
        if worst.error > largest.error:
            largest[0] = worst
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fan_fits_between(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    polygon: cython.int,
    error: cython.double,
) -> cython.bint:
    """Whether the fan is near enough at all places between the centres of cells, too."""
    corners: DetailPoint[3]
    place: OffPlace
    first: cython.int = polygons.offset[polygon]
    corner: cython.int
    corners[0] = _corner_point(polygons, polygons.vertex[first])
    corners[2] = _corner_point(polygons, polygons.vertex[first + 1])
    for corner in range(first + 2, polygons.offset[polygon + 1]):
        corners[1] = corners[2]
        corners[2] = _corner_point(polygons, polygons.vertex[corner])
        if find_off_place(cython.address(detail.floors), corners, rules.max_error, error, cython.address(place)):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _measure(
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    triangle: cython.int,
    worst: cython.pointer[WorstCell],
) -> cython.void:
    corners: DetailPoint[3]
    closed: cython.int = 0
    k: cython.int
    corners_of(cython.address(detail.made), triangle, corners)
    for k in range(3):
        if detail.made.twin.data[3 * triangle + k] >= 0:
            closed |= 1 << k
    find_worst_cell(cython.address(detail.floors), corners, closed, rules.max_error, rules.spacing, worst)


# --- one polygon


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note_final_errors(rules: cython.pointer[cython.const[DetailRules]], detail: cython.pointer[Detail]) -> cython.void:
    worst: WorstCell
    triangle: cython.int
    for triangle in range(detail.made.triangle_count):
        _measure(rules, detail, triangle, cython.address(worst))
        _note_error(detail, cython.address(worst))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _refine(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    largest: cython.p_double,
    is_left_off: cython.pointer[cython.bint],
) -> cython.int:
    """Adds vertices until every triangle is near enough. A vertex lies on the floor, so this ends.

    Finds the error of the worst cell or more, and whether there are places that no vertex brings nearer.
    """
    made: cython.pointer[DetailTriangles] = cython.address(detail.made)
    corners: DetailPoint[3]
    worst: WorstCell
    place: OffPlace
    at: cython.int = 0
    triangle: cython.int
    code: cython.int
    while at < made.queue.count:
        triangle = made.queue.data[at]
        at += 1
        made.queued.data[triangle] = 0
        _measure(rules, detail, triangle, cython.address(worst))
        if worst.error <= rules.max_error + 1.0:
            largest[0] = max(largest[0], worst.error)
            corners_of(made, triangle, corners)
            if not find_off_place(
                cython.address(detail.floors), corners, rules.max_error, worst.error, cython.address(place)
            ):
                continue
            code = mend_place(polygons, detail, triangle, cython.address(place))
            is_left_off[0] |= code == 0
        elif worst.sample_x >= 0:
            code = add_cell(polygons, detail, triangle, worst.sample_x, worst.sample_z)
        else:
            code = add_cell(polygons, detail, triangle, worst.x, worst.z)
        if code < 0:
            return code
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_triangles(detail: cython.pointer[Detail]) -> cython.int:
    corner: cython.int
    count: cython.int = 3 * detail.made.triangle_count
    at: cython.int = detail.triangle.count
    if at > 3 * MOST_DETAIL - count:
        return -4
    if reserve_ints(cython.address(detail.triangle), cython.cast(cython.size_t, at + count)) < 0:
        return -1
    for corner in range(count):
        detail.triangle.data[at + corner] = detail.made.name.data[detail.made.corner.data[corner]]
    detail.triangle.count = at + count
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _row_spread_of(
    polygons: cython.pointer[cython.const[PolygonArrays]],
    floors: cython.pointer[cython.const[FloorHeights]],
    polygon: cython.int,
) -> cython.int:
    """A polygon without detail can be no farther off its floor than this, rows."""
    low: cython.int = 0
    high: cython.int = 0
    corner: cython.int
    y: cython.int
    find_row_range(floors, cython.address(low), cython.address(high))
    for corner in range(polygons.offset[polygon], polygons.offset[polygon + 1]):
        y = polygons.vertex_y[polygons.vertex[corner]]
        low = y if y < low else low
        high = y if y > high else high
    return high - low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_polygon(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
    polygon: cython.int,
) -> cython.int:
    region: cython.int = polygons.region[polygon]
    flat: cython.bint = is_flat(rules, detail, region)
    on_edges: cython.int = 0
    fits: cython.bint
    is_left_off: cython.bint = False
    largest: cython.double = -1.0
    worst: WorstCell
    spread: cython.int
    # A flat region that cannot change the largest error costs nothing.
    if flat and row_spread(cython.address(detail.bounds), region) <= detail.largest_error:
        return 0

    # Its floor, and the vertices on its edges
    if load_polygon(field, graph, contours, polygons, cython.address(detail.floors), polygon, rules.reach) < 0:
        return -1
    spread = _row_spread_of(polygons, cython.address(detail.floors), polygon)
    if not flat:
        on_edges = look_at_edges(polygons, rules, detail, polygon, spread <= rules.max_error)
        if on_edges < 0:
            return -1
    if on_edges == 0 and spread <= rules.max_error and spread <= detail.largest_error:
        return 0

    # Its own fan, where that is near enough
    settle_rim(cython.address(detail.floors))
    fits = on_edges == 0 and _fan_fits(polygons, rules, detail, polygon, cython.address(worst))
    if fits and (spread <= rules.max_error or _fan_fits_between(polygons, rules, detail, polygon, worst.error)):
        _note_error(detail, cython.address(worst))
        return 0

    # Triangles of detail
    detail.mended.count = 0
    clear_detail_triangles(cython.address(detail.made))
    if list_outline(polygons, detail, polygon) < 0 or cut_outline(cython.address(detail.made)) < 0:
        return -1
    code: cython.int = _refine(polygons, rules, detail, cython.address(largest), cython.address(is_left_off))
    if code < 0:
        return code
    # Other triangles of the same corners mend nothing.
    if fits and is_left_off and detail.made.x.count == detail.made.outline_count:
        _note_error(detail, cython.address(worst))
        return 0
    # What was measured on the way may have been cut since.
    if largest > detail.largest_error:
        _note_final_errors(rules, detail)
    return _write_triangles(detail)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reset(polygons: cython.pointer[cython.const[PolygonArrays]], detail: cython.pointer[Detail]) -> cython.int:
    corners: cython.size_t = cython.cast(cython.size_t, polygons.offset[polygons.polygon_count])
    detail.offset.count = detail.triangle.count = detail.found_larger = 0
    detail.vertices.x.count = detail.vertices.z.count = detail.vertices.y.count = 0
    if (
        reserve_ints(cython.address(detail.edge_first), corners) < 0
        or reserve_ints(cython.address(detail.edge_count), corners) < 0
    ):
        return -1
    if corners > 0:
        memset(detail.edge_first.data, 255, corners * cython.sizeof(cython.int))
        memset(detail.edge_count.data, 0, corners * cython.sizeof(cython.int))
    return push_int(cython.address(detail.offset), 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_detail(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    rules: cython.pointer[cython.const[DetailRules]],
    detail: cython.pointer[Detail],
) -> cython.int:
    polygon: cython.int
    code: cython.int = 0
    if (
        _reset(polygons, detail) < 0
        or bound_floors(field, graph, contours, polygons, rules.reach, cython.address(detail.bounds)) < 0
        or prepare_heights(graph, contours, polygons, cython.address(detail.floors)) < 0
    ):
        return -1
    for polygon in range(polygons.polygon_count):
        code = _add_polygon(field, graph, contours, polygons, rules, detail, polygon)
        if code == 0 and push_int(cython.address(detail.offset), detail.triangle.count // 3) < 0:  # never negative
            code = -1
        if code < 0:
            break
    return code
