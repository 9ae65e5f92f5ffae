"""Which open spans are one floor: two-way links between walkable spans, and where each span lies in the tile."""

import cython
from cython.cimports.onepath.build._buffers import free_ints, reserve_ints
from cython.cimports.onepath.build._compact import CompactField

MOST_SPANS = cython.declare(cython.int, 1 << 28)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reserve(graph: cython.pointer[SpanGraph], spans: cython.size_t) -> cython.int:
    if (
        reserve_ints(cython.address(graph.joined), 4 * spans) < 0
        or reserve_ints(cython.address(graph.column), spans) < 0
        or reserve_ints(cython.address(graph.flags), spans) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_span_graph(graph: cython.pointer[SpanGraph]) -> cython.void:
    free_ints(cython.address(graph.joined))
    free_ints(cython.address(graph.column))
    free_ints(cython.address(graph.flags))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place(graph: cython.pointer[SpanGraph], x: cython.int, z: cython.int) -> cython.int:
    """The flags that follow from a cell's place; (x, z) counts from the square's low corner."""
    if x < 0 or z < 0 or x >= graph.square_width or z >= graph.square_depth:
        return 0
    flags: cython.int = INSIDE
    if x == 0:
        flags |= AT_SIDE
    if z == graph.square_depth - 1:
        flags |= AT_SIDE << 1
    if x == graph.square_width - 1:
        flags |= AT_SIDE << 2
    if z == 0:
        flags |= AT_SIDE << 3
    return flags


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _join_span(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[SpanGraph],
    span: cython.int,
    beside: cython.p_int,
) -> cython.int:
    """Fills the span's joins; the flags that follow from them.

    CROWDED if a column beside it holds a walkable span that it is not joined to; ON_BOUNDARY where floor or area end.
    """
    flags: cython.int = 0
    edge: cython.int
    other: cython.int
    count: cython.int
    joined: cython.p_int = cython.address(graph.joined.data[4 * span])
    for edge in range(4):
        other = field.neighbours[4 * span + edge]
        if other >= 0 and (field.area[other] == 0 or field.neighbours[4 * other + (edge ^ 2)] != span):
            other = -1
        joined[edge] = other
        if other < 0 or field.area[other] != field.area[span]:
            flags |= ON_BOUNDARY
        if beside[edge] >= 0:
            count = field.cell_count[beside[edge]]
            if count > 1 or (count == 1 and other < 0 and field.area[field.cell_first[beside[edge]]] != 0):
                flags |= CROWDED
    return flags


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _join_column(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[SpanGraph],
    x: cython.int,
    z: cython.int,
    column: cython.int,
    place: cython.int,
) -> cython.void:
    beside: cython.int[4]
    beside[0] = column - 1 if x > 0 else -1
    beside[1] = column + field.width if z + 1 < field.depth else -1
    beside[2] = column + 1 if x + 1 < field.width else -1
    beside[3] = column - field.width if z > 0 else -1
    span: cython.int
    joined: cython.p_int
    for span in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
        graph.column.data[span] = column
        if field.area[span] == 0:
            joined = cython.address(graph.joined.data[4 * span])
            joined[0] = joined[1] = joined[2] = joined[3] = -1
            graph.flags.data[span] = place
            continue
        graph.flags.data[span] = place | _join_span(field, graph, span, beside)
        if place & INSIDE and field.height[span] < graph.clearance:
            graph.clearance = field.height[span]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _join_single(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[SpanGraph],
    column: cython.int,
    place: cython.int,
) -> cython.bint:
    """What `_join_column` does for nearly all columns: the only span, inside the field, joins the only spans all round,
    all of one area. False in any other case; nothing is filled then."""
    width: cython.int = field.width
    count: cython.p_int = field.cell_count
    if (count[column] | count[column - 1] | count[column + 1] | count[column - width] | count[column + width]) != 1:
        return False
    span: cython.int = field.cell_first[column]
    links: cython.p_int = field.neighbours + 4 * span
    if (links[0] | links[1] | links[2] | links[3]) < 0:
        return False
    areas: cython.p_uchar = field.area
    area: cython.uchar = areas[span]
    if area == 0 or not (areas[links[0]] == areas[links[1]] == areas[links[2]] == areas[links[3]] == area):
        return False
    # Single spans are linked both ways.
    joined: cython.p_int = graph.joined.data + 4 * span
    joined[0] = links[0]
    joined[1] = links[1]
    joined[2] = links[2]
    joined[3] = links[3]
    graph.column.data[span] = column
    graph.flags.data[span] = place
    if place & INSIDE and field.height[span] < graph.clearance:
        graph.clearance = field.height[span]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_span_graph(
    field: cython.pointer[cython.const[CompactField]], padding: cython.int, graph: cython.pointer[SpanGraph]
) -> cython.int:
    if field.span_count > MOST_SPANS:
        return -2
    if _reserve(graph, cython.cast(cython.size_t, field.span_count)) < 0:
        return -1
    graph.padding = padding
    graph.square_width = field.width - 2 * padding
    graph.square_depth = field.depth - 2 * padding
    graph.clearance = 65535
    x: cython.int
    z: cython.int
    column: cython.int
    place: cython.int
    border: cython.bint
    for z in range(field.depth):
        for x in range(field.width):
            column = x + z * field.width
            if field.cell_count[column] == 0:
                continue
            place = _place(graph, x - padding, z - padding)
            border = x == 0 or z == 0 or x == field.width - 1 or z == field.depth - 1
            if border or not _join_single(field, graph, column, place):
                _join_column(field, graph, x, z, column, place)
    return 0
