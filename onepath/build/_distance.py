"""Distance to the boundary, counted in layers of cells that peel off a floor one after the other.

Layers take turns in growing to four and to eight neighbours: the distance is octagonal, within a tenth of the Euclidean
one, exact by its definition, and the breadth-first search that finds it leaves the spans sorted, which is what the
watershed needs next. (Rosenfeld and Pfaltz, "Distance Functions on Digital Pictures", 1968.)
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.onepath.build._buffers import free_ints, push_int, reserve_ints
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._span_graph import ON_BOUNDARY, SpanGraph


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_distance_layers(layers: cython.pointer[DistanceLayers]) -> cython.void:
    free_ints(cython.address(layers.distance))
    free_ints(cython.address(layers.order))
    free_ints(cython.address(layers.first))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _boundary_layer(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    layers: cython.pointer[DistanceLayers],
) -> cython.int:
    """Writes layer 0; the number of its spans."""
    flags: cython.p_int = graph.flags.data
    distance: cython.p_int = layers.distance.data
    order: cython.p_int = layers.order.data
    count: cython.int = 0
    span: cython.int
    for span in range(field.span_count):
        if flags[span] & ON_BOUNDARY:
            distance[span] = 0
            order[count] = span
            count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _reach(
    distance: cython.p_int, order: cython.p_int, count: cython.int, span: cython.int, level: cython.int
) -> cython.int:
    """Adds a span that no layer has to layer `level`; the end of the order then. -1 is no span."""
    if span < 0 or distance[span] >= 0:
        return count
    distance[span] = level
    order[count] = span
    return count + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next_layer(
    joined: cython.pointer[cython.const[cython.int]],
    layers: cython.pointer[DistanceLayers],
    begin: cython.int,
    end: cython.int,
    level: cython.int,
) -> cython.int:
    """Grows spans order[begin:end] of the layer before into layer `level`; the end of the order then."""
    distance: cython.p_int = layers.distance.data
    order: cython.p_int = layers.order.data
    count: cython.int = end
    place: cython.int
    edge: cython.int
    span: cython.int
    beside: cython.int
    if level & 1:
        for place in range(begin, end):
            span = 4 * order[place]
            for edge in range(4):
                count = _reach(distance, order, count, joined[span + edge], level)
        return count
    for place in range(begin, end):
        span = 4 * order[place]
        for edge in range(4):
            beside = joined[span + edge]
            if beside >= 0:
                count = _reach(distance, order, count, beside, level)
                count = _reach(distance, order, count, joined[4 * beside + ((edge + 1) & 3)], level)
                count = _reach(distance, order, count, joined[4 * beside + ((edge + 3) & 3)], level)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_distance_layers(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    layers: cython.pointer[DistanceLayers],
) -> cython.int:
    spans: cython.size_t = cython.cast(cython.size_t, field.span_count)
    if (
        reserve_ints(cython.address(layers.distance), spans) < 0
        or reserve_ints(cython.address(layers.order), spans) < 0
    ):
        return -1
    if spans > 0:
        memset(layers.distance.data, 255, spans * cython.sizeof(cython.int))
    layers.first.count = 0
    begin: cython.int = 0
    end: cython.int = _boundary_layer(field, graph, layers)
    level: cython.int = 1
    grown: cython.int
    while end > begin:
        if push_int(cython.address(layers.first), begin) < 0:
            return -1
        grown = _next_layer(graph.joined.data, layers, begin, end, level)
        begin = end
        end = grown
        level += 1
    layers.order.count = end
    return push_int(cython.address(layers.first), end)
