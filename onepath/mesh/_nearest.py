"""The polygon nearest to a position (queries document, nearest polygon).

Every polygon whose outline's box touches the search box is compared, or, where the question is what lies `within` the
box, only those of them whose nearest point does. Grid cells, box trees and the bound on the distance in X/Z only spare
work: a polygon is passed over when its box lies farther away than the best found so far, by more than rounding can
account for.
"""

import cython
from cython.cimports.libc.math import INFINITY, floor
from cython.cimports.onepath.mesh._box_tree import TREE_STACK, tree_of
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import BoxNode, BoxTree, MeshState, TileSlot, cell_is_inside, find_cell
from cython.cimports.onepath.mesh._nearest import Box, CellRange, Nearest, admits_t
from cython.cimports.onepath.mesh._surface import Vector, closest_point, squared_distance

# Far beyond the rounding of a coordinate below 2**21 and of a squared distance, far below what would cost speed.
SLACK = cython.declare(cython.double, 1e-6)
# Missing cells are listed at most this far from the centre's cell, whatever the box.
MISSING_REACH = cython.declare(cython.int, 32)

LocalBox = cython.struct(low=cython.double[3], high=cython.double[3], center=cython.double[3])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def clamped_cell(position: cython.double) -> cython.double:
    """The cell of a position in cells, no farther out than any tile can lie."""
    if position < -1073741824.0:
        return -1073741824.0
    if position > 1073741824.0:
        return 1073741824.0
    return floor(position)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def covered_cells(mesh: cython.pointer(cython.const[MeshState]), box: cython.pointer(cython.const[Box])) -> CellRange:
    """The grid cells that the box touches; a polygon of the next cell ends exactly on the border, hence the slack."""
    cells: CellRange
    slack: cython.double = mesh.tile_size * SLACK
    cells.first_column = clamped_cell((box.low.x - slack) / mesh.tile_size)
    cells.last_column = clamped_cell((box.high.x + slack) / mesh.tile_size)
    cells.first_row = clamped_cell((box.low.z - slack) / mesh.tile_size)
    cells.last_row = clamped_cell((box.high.z + slack) / mesh.tile_size)
    return cells


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def outside_distance(low: cython.double, high: cython.double, value: cython.double) -> cython.double:
    if value < low:
        return low - value
    if value > high:
        return value - high
    return 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def may_matter(
    low: cython.pointer(cython.const[cython.float]),
    high: cython.pointer(cython.const[cython.float]),
    local: cython.pointer(cython.const[LocalBox]),
    best: cython.double,
) -> cython.bint:
    """Whether a tile-local box can hold a polygon that touches the search box and is no farther than `best`."""
    axis: cython.int
    dx: cython.double
    dz: cython.double
    for axis in range(3):
        if low[axis] > local.high[axis] or high[axis] < local.low[axis]:
            return False
    # The closest point never leaves the outline's box in X/Z; with detail triangles it may leave it in Y.
    dx = outside_distance(low[0], high[0], local.center[0])
    dz = outside_distance(low[2], high[2], local.center[2])
    return dx * dx + dz * dz <= best * (1.0 + SLACK) + SLACK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touches_box(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, box: cython.pointer(cython.const[Box])
) -> cython.bint:
    """Whether the polygon's outline box touches the search box: closed, in world doubles."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    local: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first]
    low: cython.float[3]
    high: cython.float[3]
    axis: cython.int
    vertex: cython.int
    for axis in range(3):
        low[axis] = local[axis]
        high[axis] = local[axis]
    for vertex in range(first + 1, last):
        local = tile.vertices + 3 * tile.polygon_vertices[vertex]
        for axis in range(3):
            low[axis] = local[axis] if local[axis] < low[axis] else low[axis]
            high[axis] = local[axis] if local[axis] > high[axis] else high[axis]
    return (
        tile.origin[0] + low[0] <= box.high.x
        and tile.origin[0] + high[0] >= box.low.x
        and tile.origin[1] + low[1] <= box.high.y
        and tile.origin[1] + high[1] >= box.low.y
        and tile.origin[2] + low[2] <= box.high.z
        and tile.origin[2] + high[2] >= box.low.z
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lies_before(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    polygon: cython.int,
    other: cython.pointer(cython.const[Nearest]),
) -> cython.bint:
    """The order of equally near polygons: tile column, row, layer, polygon."""
    a: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    b: cython.pointer(cython.const[TileSlot]) = mesh.slots + other.slot
    if a.column != b.column:
        return a.column < b.column
    if a.row != b.row:
        return a.row < b.row
    if a.layer != b.layer:
        return a.layer < b.layer
    return polygon < other.polygon


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def lies_in_box(point: Vector, box: cython.pointer(cython.const[Box])) -> cython.bint:
    return (
        box.low.x <= point.x <= box.high.x and box.low.y <= point.y <= box.high.y and box.low.z <= point.z <= box.high.z
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def consider_polygon(
    mesh: cython.pointer(cython.const[MeshState]),
    slot: cython.int,
    polygon: cython.int,
    center: Vector,
    box: cython.pointer(cython.const[Box]),
    result: cython.pointer(Nearest),
) -> cython.void:
    over: cython.bint = False
    point: Vector = closest_point(mesh.slots + slot, polygon, center, cython.address(over))
    distance: cython.double = squared_distance(center, point)
    if distance > result.squared_distance:
        return
    if distance == result.squared_distance and not lies_before(mesh, slot, polygon, result):
        return
    if box.within and not lies_in_box(point, box):
        return
    result.slot = slot
    result.polygon = polygon
    result.over = over
    result.point = point
    result.squared_distance = distance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_tile(
    mesh: cython.pointer(MeshState),
    table: cython.pointer(cython.const[FilterTable]),
    admits: admits_t,
    context: cython.pointer(cython.const[cython.void]),
    slot: cython.int,
    center: Vector,
    box: cython.pointer(cython.const[Box]),
    result: cython.pointer(Nearest),
) -> cython.int:
    tile: cython.pointer(TileSlot) = mesh.slots + slot
    tree: cython.pointer(cython.const[BoxTree])
    node: cython.pointer(cython.const[BoxNode])
    local: LocalBox
    waiting: cython.int[TREE_STACK]
    depth: cython.int = 1
    index: cython.int
    polygon: cython.int
    if tile.polygon_count == 0:
        return 0
    local_box(tile, center, box, cython.address(local))
    if not may_matter(tile.low, tile.high, cython.address(local), result.squared_distance):
        return 0
    tree = tree_of(tile)
    if tree == cython.NULL:
        return -1
    waiting[0] = 0
    while depth > 0:
        depth -= 1
        node = tree.nodes + waiting[depth]
        if not may_matter(node.low, node.high, cython.address(local), result.squared_distance):
            continue
        if node.count == 0:
            waiting[depth] = node.first
            waiting[depth + 1] = cython.cast(cython.int, node - tree.nodes) + 1
            depth += 2
            continue
        for index in range(node.first, node.first + node.count):
            polygon = tree.polygons[index]
            if (
                filter_passes(table, tile.flags[polygon], tile.areas[polygon])
                and touches_box(tile, polygon, box)
                and (admits == cython.NULL or admits(context, slot, polygon))
            ):
                consider_polygon(mesh, slot, polygon, center, box, result)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def local_box(
    tile: cython.pointer(cython.const[TileSlot]),
    center: Vector,
    box: cython.pointer(cython.const[Box]),
    local: cython.pointer(LocalBox),
) -> cython.void:
    """The search box and its centre beside the tile's own numbers, a little widened."""
    local.low[0] = (box.low.x - tile.origin[0]) - SLACK
    local.low[1] = (box.low.y - tile.origin[1]) - SLACK
    local.low[2] = (box.low.z - tile.origin[2]) - SLACK
    local.high[0] = (box.high.x - tile.origin[0]) + SLACK
    local.high[1] = (box.high.y - tile.origin[1]) + SLACK
    local.high[2] = (box.high.z - tile.origin[2]) + SLACK
    local.center[0] = center.x - tile.origin[0]
    local.center[1] = center.y - tile.origin[1]
    local.center[2] = center.z - tile.origin[2]


def find_nearest(mesh, table, center, box, result):
    return find_nearest_of(mesh, table, cython.NULL, cython.NULL, center, box, result)


def find_nearest_of(mesh, table, admits, context, center, box, result):
    cells: CellRange = covered_cells(mesh, box)
    slot: cython.int
    column: cython.int
    row: cython.int
    result.slot = -1
    result.squared_distance = INFINITY
    if (cells.last_column - cells.first_column + 1.0) * (cells.last_row - cells.first_row + 1.0) > mesh.slot_count:
        for slot in range(mesh.slot_count):
            if mesh.slots[slot].used and search_tile(mesh, table, admits, context, slot, center, box, result) != 0:
                return -1
        return 0
    for column in range(cython.cast(cython.int, cells.first_column), cython.cast(cython.int, cells.last_column) + 1):
        for row in range(cython.cast(cython.int, cells.first_row), cython.cast(cython.int, cells.last_row) + 1):
            slot = find_cell(mesh, column, row)
            while slot >= 0:
                if search_tile(mesh, table, admits, context, slot, center, box, result) != 0:
                    return -1
                slot = mesh.slots[slot].next_in_cell
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def touches_cell(low: cython.double, high: cython.double, cell: cython.longlong, size: cython.double) -> cython.bint:
    return cell * size <= high and (cell + 1) * size >= low


def next_missing_cell(mesh, center, box, walk):
    size: cython.double = mesh.tile_size
    cells: CellRange = covered_cells(mesh, box)
    # The box may be far larger than the mesh.
    middle_column: cython.double = floor(center.x / size)
    middle_row: cython.double = floor(center.z / size)
    last_column: cython.longlong = cython.cast(cython.longlong, min(cells.last_column, middle_column + MISSING_REACH))
    first_row: cython.longlong = cython.cast(cython.longlong, max(cells.first_row, middle_row - MISSING_REACH))
    last_row: cython.longlong = cython.cast(cython.longlong, min(cells.last_row, middle_row + MISSING_REACH))
    if not walk.begun:
        walk.begun = True
        walk.column = cython.cast(cython.longlong, max(cells.first_column, middle_column - MISSING_REACH))
        walk.row = first_row - 1
    while walk.column <= last_column:
        walk.row += 1
        if walk.row > last_row or not touches_cell(box.low.x, box.high.x, walk.column, size):
            walk.column += 1
            walk.row = first_row - 1
            continue
        if not touches_cell(box.low.z, box.high.z, walk.row, size):
            continue
        column: cython.int = cython.cast(cython.int, walk.column)
        row: cython.int = cython.cast(cython.int, walk.row)
        if cell_is_inside(mesh, column, row) and find_cell(mesh, column, row) < 0:
            return True
    return False


def missing_cells(mesh, center, box):
    walk: CellWalk
    found = []
    walk.begun = False
    while next_missing_cell(mesh, center, box, cython.address(walk)):
        found.append((walk.column, walk.row))
    return nearest_cells_first(mesh, found, center)


def nearest_cells_first(mesh, cells, target):
    size: cython.double = mesh.tile_size
    column: cython.int
    row: cython.int
    dx: cython.double
    dz: cython.double
    keyed = []
    for column, row in set(cells):
        dx = outside_distance(column * size, (column + 1.0) * size, target.x)
        dz = outside_distance(row * size, (row + 1.0) * size, target.z)
        keyed.append((dx * dx + dz * dz, column, row))
    keyed.sort()
    return tuple([(column, row) for _, column, row in keyed])
