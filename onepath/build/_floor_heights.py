"""The heights that detail follows: for one polygon at a time, the floor row of every cell that it touches.

What the floor of a polygon is, its border tells: the line of cells that was simplified into its edges. From each cell
of that line the rows of the polygon's region are walked inward, link by link, and whatever goes on behind the line
outward. All walks are straight. So none comes around the end of a wall or of a drop to the other side of it, which a
simplified border may reach over, even where that side is of the same region; and none comes to another storey.
"""

import cython
from cython.cimports.onepath.build._buffers import free_ints, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._floor_beyond import walk_beyond
from cython.cimports.onepath.build._floor_border import free_floor_border, list_border, prepare_border
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._span_graph import SpanGraph

#: Widens what a polygon touches by more than rounding: a cell more does no harm.
TOUCH = cython.declare(cython.double, 2.0**-30)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_floor_heights(floors: cython.pointer[FloorHeights]) -> cython.void:
    free_floor_border(cython.address(floors.border))
    free_ints(cython.address(floors.begin))
    free_ints(cython.address(floors.end))
    free_ints(cython.address(floors.row))
    free_ints(cython.address(floors.missing))
    free_ints(cython.address(floors.has_border))
    free_ints(cython.address(floors.rim))
    free_ints(cython.address(floors.beyond))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prepare_heights(
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    floors: cython.pointer[FloorHeights],
) -> cython.int:
    depth: cython.size_t = cython.cast(cython.size_t, graph.square_depth)
    floors.width = graph.square_width
    floors.depth = graph.square_depth
    floors.padding = graph.padding
    if (
        reserve_ints(cython.address(floors.begin), depth) < 0
        or reserve_ints(cython.address(floors.end), depth) < 0
        or reserve_ints(cython.address(floors.missing), depth) < 0
        or reserve_ints(cython.address(floors.has_border), depth) < 0
        or reserve_ints(cython.address(floors.row), depth * cython.cast(cython.size_t, graph.square_width)) < 0
    ):
        return -1
    return prepare_border(contours, polygons, cython.address(floors.border))


# --- cells that are touched


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen_row(
    floors: cython.pointer[FloorHeights], z: cython.int, low: cython.double, high: cython.double
) -> cython.void:
    """By the cells of a row whose closed squares meet the line from `low` to `high`."""
    first: cython.int = cython.cast(cython.int, low - TOUCH)  # of a number in (-1, 0) it is 0
    last: cython.int = cython.cast(cython.int, high + TOUCH)
    if z < floors.first_row or z > floors.last_row:
        return
    last = last if last < floors.width else floors.width - 1
    if first < floors.begin.data[z]:
        floors.begin.data[z] = first
    if last > floors.end.data[z]:
        floors.end.data[z] = last


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _touch_edge(
    floors: cython.pointer[FloorHeights], ax: cython.int, az: cython.int, bx: cython.int, bz: cython.int
) -> cython.void:
    """Of an edge that does not lead down in z."""
    z: cython.int
    low: cython.double = min(ax, bx)
    high: cython.double = max(ax, bx)
    rise: cython.double
    if az == bz:
        _widen_row(floors, az - 1, low, high)
        _widen_row(floors, az, low, high)
        return
    _widen_row(floors, az - 1, ax, ax)
    _widen_row(floors, bz, bx, bx)
    rise = cython.cast(cython.double, bx - ax) / cython.cast(cython.double, bz - az)
    for z in range(az, bz):
        low = ax + rise * (z - az)
        high = ax + rise * (z + 1 - az)
        if rise < 0.0:
            _widen_row(floors, z, high, low)
        else:
            _widen_row(floors, z, low, high)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _touch_cells(
    polygons: cython.pointer[cython.const[PolygonArrays]], floors: cython.pointer[FloorHeights], polygon: cython.int
) -> cython.void:
    """Finds the cells that a polygon touches, which have no row yet."""
    last: cython.int = polygons.offset[polygon + 1] - 1
    corner: cython.int
    a: cython.int
    b: cython.int
    x: cython.int
    z: cython.int
    line: cython.p_int
    floors.low = floors.depth
    floors.high = 0
    for corner in range(polygons.offset[polygon], last + 1):
        z = polygons.vertex_z[polygons.vertex[corner]]
        floors.low = z if z < floors.low else floors.low
        floors.high = z if z > floors.high else floors.high
    floors.first_row = floors.low - 1 if floors.low > 0 else 0
    floors.last_row = floors.high if floors.high < floors.depth else floors.depth - 1
    for z in range(floors.first_row, floors.last_row + 1):
        floors.begin.data[z] = floors.width
        floors.end.data[z] = -1
        floors.has_border.data[z] = 0
    for corner in range(polygons.offset[polygon], last + 1):
        a = polygons.vertex[corner]
        b = polygons.vertex[corner + 1 if corner < last else polygons.offset[polygon]]
        if polygons.vertex_z[a] > polygons.vertex_z[b]:
            a, b = b, a
        _touch_edge(floors, polygons.vertex_x[a], polygons.vertex_z[a], polygons.vertex_x[b], polygons.vertex_z[b])
    for z in range(floors.first_row, floors.last_row + 1):
        line = floors.row.data + cython.cast(cython.size_t, z) * cython.cast(cython.size_t, floors.width)
        for x in range(floors.begin.data[z], floors.end.data[z] + 1):
            line[x] = -1
        floors.missing.data[z] = floors.end.data[z] - floors.begin.data[z] + 1


# --- walks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_row(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    span: cython.int,
    x: cython.int,
    z: cython.int,
    direction: cython.int,
) -> cython.void:
    """Gives cells of a span's region their rows: from the span on, toward -x or +x, as far as links lead."""
    region: cython.int = field.region[span]
    joined: cython.p_int = graph.joined.data + direction
    line: cython.p_int = floors.row.data + cython.cast(cython.size_t, z) * cython.cast(cython.size_t, floors.width)
    step: cython.int = direction - 1
    first: cython.int
    last: cython.int
    if z < floors.first_row or z > floors.last_row:
        return
    first = floors.begin.data[z]
    last = floors.end.data[z]
    # A border may lie outside of its polygon.
    while x < first if step > 0 else x > last:
        span = joined[4 * span]
        if span < 0 or field.region[span] != region:
            return
        x += step
    begin: cython.int = x
    while first <= x and x <= last and line[x] == -1:
        line[x] = field.y[span]
        x += step
        span = joined[4 * span]
        if span < 0 or field.region[span] != region:
            break
    floors.missing.data[z] -= x - begin if step > 0 else begin - x


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_both_ways(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    span: cython.int,
    x: cython.int,
    z: cython.int,
) -> cython.void:
    before: cython.int = graph.joined.data[4 * span]
    _walk_row(field, graph, floors, span, x, z, 2)
    if before >= 0 and field.region[before] == field.region[span]:
        _walk_row(field, graph, floors, before, x - 1, z, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_row(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    z: cython.int,
) -> cython.void:
    """A row that no border comes into: whatever its region has there is its polygon's floor."""
    middle: cython.int = (floors.begin.data[z] + floors.end.data[z]) >> 1
    away: cython.int
    x: cython.int
    span: cython.int
    for away in range(floors.end.data[z] - floors.begin.data[z] + 1):
        x = middle + ((away + 1) >> 1) * (1 if away & 1 else -1)
        if x < floors.begin.data[z] or x > floors.end.data[z] or floors.row.data[x + z * floors.width] != -1:
            continue
        span = span_at(field, floors, region, x, z)
        if span >= 0:
            _walk_both_ways(field, graph, floors, span, x, z)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_beside(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
    z: cython.int,
    edge: cython.int,
) -> cython.void:
    """A row beyond the polygon, which it only touches: what its own cells are linked to."""
    inside: cython.int = z + 2 - edge
    x: cython.int
    span: cython.int
    other: cython.int
    for x in range(floors.begin.data[z], floors.end.data[z] + 1):
        if (
            floors.row.data[x + z * floors.width] != -1
            or x < floors.begin.data[inside]
            or x > floors.end.data[inside]
            or floors.row.data[x + inside * floors.width] < 0
        ):
            continue
        span = span_at(field, floors, region, x, z)
        if span < 0:
            continue
        other = graph.joined.data[4 * span + edge]
        if other >= 0 and field.region[other] == region:
            floors.row.data[x + z * floors.width] = field.y[span]
            floors.missing.data[z] -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _walk_inward(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    floors: cython.pointer[FloorHeights],
    region: cython.int,
) -> cython.void:
    """Fills the rows of a polygon with its region's own floor."""
    slot: cython.p_int = floors.border.slot.data
    x: cython.p_int = floors.border.slot_x.data
    z: cython.p_int = floors.border.slot_z.data
    k: cython.int
    row: cython.int
    for k in range(floors.border.slot.count):
        if z[k] < floors.first_row or z[k] > floors.last_row:
            continue
        floors.has_border.data[z[k]] = 1
        if slot[k] & 1:
            _walk_both_ways(field, graph, floors, slot[k] >> 2, x[k], z[k])
        else:
            _walk_row(field, graph, floors, slot[k] >> 2, x[k], z[k], (slot[k] & 3) ^ 2)
    for row in range(floors.low, floors.high):
        if floors.has_border.data[row] == 0:
            _fill_row(field, graph, floors, region, row)
    if floors.low > 0:
        _fill_beside(field, graph, floors, region, floors.low - 1, 1)
    if floors.high < floors.depth:
        _fill_beside(field, graph, floors, region, floors.high, 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def load_polygon(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    floors: cython.pointer[FloorHeights],
    polygon: cython.int,
    reach: cython.int,
) -> cython.int:
    floors.rim.count = floors.beyond.count = 0
    _touch_cells(polygons, floors, polygon)
    if list_border(graph, contours, polygons, cython.address(floors.border), polygon) < 0:
        return -1
    _walk_inward(field, graph, floors, polygons.region[polygon])
    return walk_beyond(field, floors, polygons.region[polygon], reach)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_row_range(
    floors: cython.pointer[cython.const[FloorHeights]], low: cython.p_int, high: cython.p_int
) -> cython.void:
    least: cython.uint = cython.cast(cython.uint, -1)
    most: cython.int = -1
    row: cython.int
    x: cython.int
    z: cython.int
    k: cython.int
    line: cython.p_int
    for z in range(floors.first_row, floors.last_row + 1):
        line = floors.row.data + cython.cast(cython.size_t, z) * cython.cast(cython.size_t, floors.width)
        for x in range(floors.begin.data[z], floors.end.data[z] + 1):
            # What is negative has no row or is listed apart: unsigned, it is above all rows.
            least = min(least, cython.cast(cython.uint, line[x]))
            most = max(most, line[x])
    low[0] = cython.cast(cython.int, least) if most >= 0 else 2**30
    high[0] = most
    for k in range(floors.rim.count):
        row = -2 - floors.row.data[floors.rim.data[k]]
        low[0] = min(low[0], row)
        high[0] = max(high[0], row)
    for k in range(floors.beyond.count):
        row = -2 - floors.row.data[floors.beyond.data[k]]
        low[0] = min(low[0], row)
        high[0] = max(high[0], row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle_rim(floors: cython.pointer[FloorHeights]) -> cython.void:
    k: cython.int
    row: cython.p_int
    for k in range(floors.rim.count):
        row = floors.row.data + floors.rim.data[k]
        row[0] = -2 - row[0]
    for k in range(floors.beyond.count):
        floors.row.data[floors.beyond.data[k]] = -1
    floors.rim.count = floors.beyond.count = 0
