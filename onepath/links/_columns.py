"""What lies at one place of X/Z: the highest floor of the mesh within a range of heights."""

import cython
from cython.cimports.libc.math import floor as rounded_down
from cython.cimports.onepath.links._columns import Floor
from cython.cimports.onepath.mesh._box_tree import TREE_STACK, tree_of
from cython.cimports.onepath.mesh._mesh import BoxNode, BoxTree, MeshState, TileSlot, find_cell
from cython.cimports.onepath.mesh._surface import outline_contains, surface_height

# Beyond the rounding of tile-local float32 boxes, far below what would cost speed.
SLACK = cython.declare(cython.double, 1e-6)
# The cells of a grid are numbered within this, see the tile format.
LAST_CELL = cython.declare(cython.double, 268435456.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def box_holds(
    low: cython.pointer(cython.const[cython.float]),
    high: cython.pointer(cython.const[cython.float]),
    x: cython.double,
    z: cython.double,
) -> cython.bint:
    """In X/Z only: detail triangles may leave the outline's box in Y."""
    return low[0] - SLACK <= x <= high[0] + SLACK and low[2] - SLACK <= z <= high[2] + SLACK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def floor_in_tile(
    mesh: cython.pointer(MeshState),
    slot: cython.int,
    x: cython.double,
    z: cython.double,
    low: cython.double,
    high: cython.double,
    best: cython.pointer(Floor),
) -> cython.int:
    """Betters `best`, whose slot is -1 as long as nothing was found: 0, or -1 without memory."""
    tile: cython.pointer(TileSlot) = mesh.slots + slot
    local_x: cython.double = x - tile.origin[0]
    local_z: cython.double = z - tile.origin[2]
    tree: cython.pointer(cython.const[BoxTree])
    node: cython.pointer(cython.const[BoxNode])
    waiting: cython.int[TREE_STACK]
    depth: cython.int = 1
    index: cython.int
    polygon: cython.int
    height: cython.double
    if tile.polygon_count == 0 or not box_holds(tile.low, tile.high, local_x, local_z):
        return 0
    tree = tree_of(tile)
    if tree == cython.NULL:
        return -1
    waiting[0] = 0
    while depth > 0:
        depth -= 1
        node = tree.nodes + waiting[depth]
        if not box_holds(node.low, node.high, local_x, local_z):
            continue
        if node.count == 0:
            waiting[depth] = node.first
            waiting[depth + 1] = cython.cast(cython.int, node - tree.nodes) + 1
            depth += 2
            continue
        for index in range(node.first, node.first + node.count):
            polygon = tree.polygons[index]
            if not outline_contains(tile, polygon, x, z):
                continue
            height = surface_height(tile, polygon, x, z)
            if height < low or height > high:
                continue
            if best.slot >= 0:
                if height < best.height:
                    continue
                if height == best.height and (best.slot != slot or best.polygon < polygon):
                    continue
            best.slot = slot
            best.polygon = polygon
            best.height = height
    return 0


def highest_floor(mesh, x, z, low, high, floor):
    column: cython.double = rounded_down(x / mesh.tile_size)
    row: cython.double = rounded_down(z / mesh.tile_size)
    slot: cython.int
    floor.slot = -1
    if not (-LAST_CELL <= column < LAST_CELL and -LAST_CELL <= row < LAST_CELL):
        return 0
    slot = find_cell(mesh, cython.cast(cython.int, column), cython.cast(cython.int, row))
    while slot >= 0:
        if floor_in_tile(mesh, slot, x, z, low, high, floor) != 0:
            return -1
        slot = mesh.slots[slot].next_in_cell
    return floor.slot >= 0
