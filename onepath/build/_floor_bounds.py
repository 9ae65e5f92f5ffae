"""Bounds of floor heights by region: floors that are flat within the error are told by them and cost nothing."""

import cython
from cython.cimports.onepath.build._buffers import free_ints, reserve_ints
from cython.cimports.onepath.build._chains import Contours
from cython.cimports.onepath.build._compact import CompactField
from cython.cimports.onepath.build._polygon_arrays import PolygonArrays
from cython.cimports.onepath.build._span_graph import SpanGraph

#: Above every row.
NO_LOW = cython.declare(cython.int, 2**30)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_floor_bounds(bounds: cython.pointer[FloorBounds]) -> cython.void:
    free_ints(cython.address(bounds.low))
    free_ints(cython.address(bounds.high))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen(bounds: cython.pointer[FloorBounds], region: cython.int, row: cython.int) -> cython.void:
    if row < bounds.low.data[region]:
        bounds.low.data[region] = row
    if row > bounds.high.data[region]:
        bounds.high.data[region] = row


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _widen_outward(
    field: cython.pointer[cython.const[CompactField]],
    bounds: cython.pointer[FloorBounds],
    region: cython.int,
    slot: cython.int,
    reach: cython.int,
) -> cython.void:
    """By the floor straight behind a boundary edge of a region."""
    span: cython.int = slot >> 2
    _step: cython.int
    for _step in range(reach):
        span = floor_beside(field, span, slot & 3)
        if span < 0:
            return
        _widen(bounds, region, field.y[span])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _widen_by_chain(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    bounds: cython.pointer[FloorBounds],
    chain: cython.int,
    reach: cython.int,
) -> cython.void:
    behind: cython.int = contours.chain_behind.data[chain]
    k: cython.int
    slot: cython.int
    # No polygon leaves the square.
    if behind < 0:
        return
    for k in range(contours.chain_first.data[chain], contours.chain_first.data[chain + 1] - 1):
        slot = contours.slot.data[k]
        _widen_outward(field, bounds, contours.chain_region.data[chain], slot, reach)
        if behind > 0:
            _widen_outward(field, bounds, behind, 4 * graph.joined.data[slot] + ((slot & 3) ^ 2), reach)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bound_floors(
    field: cython.pointer[cython.const[CompactField]],
    graph: cython.pointer[cython.const[SpanGraph]],
    contours: cython.pointer[cython.const[Contours]],
    polygons: cython.pointer[cython.const[PolygonArrays]],
    reach: cython.int,
    bounds: cython.pointer[FloorBounds],
) -> cython.int:
    regions: cython.size_t = cython.cast(cython.size_t, polygons.region_count) + 1
    k: cython.int
    corner: cython.int
    if reserve_ints(cython.address(bounds.low), regions) < 0 or reserve_ints(cython.address(bounds.high), regions) < 0:
        return -1
    for k in range(polygons.region_count + 1):
        bounds.low.data[k] = NO_LOW
        bounds.high.data[k] = -1
    for k in range(field.span_count):
        if field.region[k] > 0:
            _widen(bounds, field.region[k], field.y[k])
    for k in range(contours.chain_region.count):
        _widen_by_chain(field, graph, contours, bounds, k, reach)
    for k in range(polygons.polygon_count):
        for corner in range(polygons.offset[k], polygons.offset[k + 1]):
            _widen(bounds, polygons.region[k], polygons.vertex_y[polygons.vertex[corner]])
    return 0
