"""What lies at one place of X/Z: the highest floor of the mesh within a range of heights."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.math import floor as rounded_down
from cython.cimports.onepath.mesh._below import find_below_in_tile
from cython.cimports.onepath.mesh._mesh import find_cell
from cython.cimports.onepath.mesh._nearest import Nearest
from cython.cimports.onepath.mesh._surface import Vector

# The cells of a grid are numbered within this, see the tile format.
LAST_CELL = cython.declare(cython.double, 268435456.0)


def highest_floor(mesh, x, z, low, high, floor):
    column: cython.double = rounded_down(x / mesh.tile_size)
    row: cython.double = rounded_down(z / mesh.tile_size)
    place: Vector
    found: Nearest
    slot: cython.int
    floor.slot = -1
    if not (-LAST_CELL <= column < LAST_CELL and -LAST_CELL <= row < LAST_CELL):
        return 0
    place.x = x
    place.y = 0.0
    place.z = z
    found.slot = -1
    found.polygon = -1
    found.point.y = -INFINITY
    slot = find_cell(mesh, cython.cast(cython.int, column), cython.cast(cython.int, row))
    while slot >= 0:
        if find_below_in_tile(mesh, cython.NULL, slot, place, low, high, cython.address(found)) != 0:
            return -1
        slot = mesh.slots[slot].next_in_cell
    floor.slot = found.slot
    floor.polygon = found.polygon
    floor.height = found.point.y
    return found.slot >= 0
