"""What a metre costs on the whole mesh: an exact search needs it to be the same wherever the filter lets it walk.

The areas of off-mesh links do not count: a link has a price of its own. Where a link costs less than walking the
distance between its ends, the estimate of what is left to the end must fall with it, to nothing for a teleport that
costs nothing.
"""

import cython
from cython.cimports.libc.math import INFINITY, sqrt
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import OffMeshLink, TileSlot
from cython.cimports.onepath.query._exact_prices import ExactPrices
from cython.cimports.onepath.query._off_mesh import link_passes


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def costs_one(table: cython.pointer(cython.const[FilterTable])) -> cython.bint:
    """Whether all areas that a filter does not forbid cost the same, whatever a mesh has."""
    area: cython.int
    for area in range(1, 256):
        if table.costs[area] != table.minimum_cost and table.costs[area] != INFINITY:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def compare_areas(
    tile: cython.pointer(cython.const[TileSlot]),
    table: cython.pointer(cython.const[FilterTable]),
    prices: cython.pointer(ExactPrices),
    known: cython.bint,
) -> cython.bint:
    """Compares what a tile's accepted polygons cost with what is known; whether a price is known now."""
    polygon: cython.int
    cost: cython.double
    for polygon in range(tile.polygon_count):
        cost = table.costs[tile.areas[polygon]]
        if (known and cost == prices.rate) or not filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
            continue
        if known:
            prices.uniform = False
            return True
        prices.rate = cost
        known = True
    return known


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lower_scale(
    tile: cython.pointer(cython.const[TileSlot]),
    table: cython.pointer(cython.const[FilterTable]),
    prices: cython.pointer(ExactPrices),
) -> cython.void:
    """Lowers the scale to what the cheapest link of a tile takes for a metre of its way in X/Z."""
    link: cython.pointer(cython.const[OffMeshLink])
    place: cython.int
    dx: cython.double
    dz: cython.double
    length: cython.double
    price: cython.double
    for place in range(tile.off_mesh_count):
        link = tile.off_mesh + place
        if not link_passes(table, link):
            continue
        dx = link.end[0] - link.start[0]
        dz = link.end[2] - link.start[2]
        length = sqrt(dx * dx + dz * dz)
        price = link.length * table.costs[link.area] + link.cost
        if price < prices.scale * length:
            prices.scale = price / length


def read_prices(mesh, table):
    prices: ExactPrices
    slot: cython.int
    known: cython.bint = costs_one(table)
    prices.uniform = True
    prices.rate = table.minimum_cost
    if not known:
        for slot in range(mesh.slot_count):
            if mesh.slots[slot].used and prices.uniform:
                known = compare_areas(mesh.slots + slot, table, cython.address(prices), known)
    prices.scale = prices.rate
    for slot in range(mesh.slot_count):
        if mesh.slots[slot].used and mesh.slots[slot].off_mesh_count > 0:
            lower_scale(mesh.slots + slot, table, cython.address(prices))
    return prices
