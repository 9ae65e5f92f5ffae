"""The highest surface straight below a position: where a thing that falls comes to rest."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.onepath.mesh._box_tree import TREE_STACK, tree_of
from cython.cimports.onepath.mesh._filter_table import filter_passes
from cython.cimports.onepath.mesh._mesh import BoxNode, BoxTree, MeshState, TileSlot, find_cell
from cython.cimports.onepath.mesh._nearest import Box, CellRange, Nearest, box_around, covered_cells, lies_before
from cython.cimports.onepath.mesh._surface import Vector, outline_contains, surface_height

# Boxes are tile-local floats and the position is not: far more than their rounding, far less than what costs speed.
SLACK = cython.declare(cython.double, 1e-6)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def holds(
    low: cython.pointer(cython.const[cython.float]),
    high: cython.pointer(cython.const[cython.float]),
    x: cython.double,
    z: cython.double,
) -> cython.bint:
    return low[0] - SLACK <= x <= high[0] + SLACK and low[2] - SLACK <= z <= high[2] + SLACK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def consider_surface(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    polygon: cython.int,
    position: Vector,
    lowest: cython.double,
    highest: cython.double,
    result: cython.pointer(Nearest),
) -> cython.void:
    """Takes the surface where it is higher than what was found; of equally high ones what the nearest rule takes."""
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    height: cython.double
    if not outline_contains(tile, polygon, position.x, position.z):
        return
    height = surface_height(tile, polygon, position.x, position.z)
    if not lowest <= height <= highest or height < result.point.y:
        return
    if height == result.point.y and not lies_before(mesh, slot, polygon, result):
        return
    result.slot = slot
    result.polygon = polygon
    result.over = True
    result.point = position
    result.point.y = height


def find_below_in_tile(mesh, table, slot, position, lowest, highest, result):
    """Looks at a tile's polygons over and under the position. Detail may leave boxes in Y, so that is not asked."""
    tile: cython.pointer(TileSlot) = mesh.slots + slot
    tree: cython.pointer(cython.const[BoxTree])
    node: cython.pointer(cython.const[BoxNode])
    waiting: cython.int[TREE_STACK]
    depth: cython.int = 1
    index: cython.int
    polygon: cython.int
    x: cython.double = position.x - tile.origin[0]
    z: cython.double = position.z - tile.origin[2]
    if tile.polygon_count == 0 or not holds(tile.low, tile.high, x, z):
        return 0
    tree = tree_of(tile)
    if tree == cython.NULL:
        return -1
    waiting[0] = 0
    while depth > 0:
        depth -= 1
        node = tree.nodes + waiting[depth]
        if not holds(node.low, node.high, x, z):
            continue
        if node.count == 0:
            waiting[depth] = node.first
            waiting[depth + 1] = cython.cast(cython.int, node - tree.nodes) + 1
            depth += 2
            continue
        for index in range(node.first, node.first + node.count):
            polygon = tree.polygons[index]
            if table == cython.NULL or filter_passes(table, tile.flags[polygon], tile.areas[polygon]):
                consider_surface(mesh, slot, polygon, position, lowest, highest, result)
    return 0


def find_below(mesh, table, position, lowest, highest, result):
    box: Box = box_around(position, 0.0, 0.0, 0.0)
    cells: CellRange = covered_cells(mesh, cython.address(box))
    column: cython.int
    row: cython.int
    slot: cython.int
    result.slot = -1
    result.point = position
    result.point.y = -INFINITY
    for column in range(cython.cast(cython.int, cells.first_column), cython.cast(cython.int, cells.last_column) + 1):
        for row in range(cython.cast(cython.int, cells.first_row), cython.cast(cython.int, cells.last_row) + 1):
            slot = find_cell(mesh, column, row)
            while slot >= 0:
                if find_below_in_tile(mesh, table, slot, position, lowest, highest, result) != 0:
                    return -1
                slot = mesh.slots[slot].next_in_cell
    return 0
