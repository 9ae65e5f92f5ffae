"""Whether outlines overlap seen from above (queries document, local neighbourhood).

Outlines that overlap lie in the same square of the grid, so a polygon is compared with those of its own cell alone,
found through the box trees of the cell's tiles. Boxes and trees only spare comparisons; the answer is the exact test's.
"""

import cython
from cython.cimports.onepath.geometry._exact import orientation
from cython.cimports.onepath.mesh._box_tree import TREE_STACK, tree_of
from cython.cimports.onepath.mesh._mesh import BoxNode, BoxTree, MeshState, TileSlot, find_cell
from cython.cimports.onepath.mesh._surface import Vector, world_vertex
from cython.cimports.onepath.query._node_tables import NodeTables, PageEntry
from cython.cimports.onepath.query._outline_overlap import OVERLAP_FOUND, OVERLAP_NO_MEMORY, OVERLAP_NONE

# Seen from above, tile-local: all tiles of a cell have the same origin there.
FlatBox = cython.struct(low_x=cython.float, low_z=cython.float, high_x=cython.float, high_z=cython.float)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def flat_box(tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int) -> FlatBox:
    box: FlatBox
    edge: cython.int
    first: cython.int = tile.polygon_first[polygon]
    local: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first]
    box.low_x = box.high_x = local[0]
    box.low_z = box.high_z = local[2]
    for edge in range(first + 1, tile.polygon_first[polygon + 1]):
        local = tile.vertices + 3 * tile.polygon_vertices[edge]
        if local[0] < box.low_x:
            box.low_x = local[0]
        if local[0] > box.high_x:
            box.high_x = local[0]
        if local[2] < box.low_z:
            box.low_z = local[2]
        if local[2] > box.high_z:
            box.high_z = local[2]
    return box


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def boxes_overlap(a: cython.pointer(cython.const[FlatBox]), b: cython.pointer(cython.const[FlatBox])) -> cython.bint:
    return a.low_x < b.high_x and b.low_x < a.high_x and a.low_z < b.high_z and b.low_z < a.high_z


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_separating_edge(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    other_tile: cython.pointer(cython.const[TileSlot]),
    other: cython.int,
) -> cython.bint:
    """Whether an edge of the polygon has all corners of the other one outside its line or on it."""
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    other_first: cython.int = other_tile.polygon_first[other]
    other_last: cython.int = other_tile.polygon_first[other + 1]
    edge: cython.int
    corner: cython.int
    a: Vector
    b: Vector = world_vertex(tile, tile.polygon_vertices[last - 1])
    c: Vector
    for edge in range(first, last):
        a = b
        b = world_vertex(tile, tile.polygon_vertices[edge])
        corner = other_first
        while corner < other_last:
            c = world_vertex(other_tile, other_tile.polygon_vertices[corner])
            if orientation(a.x, a.z, b.x, b.z, c.x, c.z) > 0.0:
                break
            corner += 1
        if corner == other_last:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outlines_overlap(
    tile: cython.pointer(cython.const[TileSlot]),
    polygon: cython.int,
    box: cython.pointer(cython.const[FlatBox]),
    other_tile: cython.pointer(cython.const[TileSlot]),
    other: cython.int,
) -> cython.bint:
    other_box: FlatBox = flat_box(other_tile, other)
    if not boxes_overlap(box, cython.address(other_box)):
        return False
    return not has_separating_edge(tile, polygon, other_tile, other) and not has_separating_edge(
        other_tile, other, tile, polygon
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def overlaps_in_tile(
    mesh: cython.pointer(MeshState),
    tables: cython.pointer(cython.const[NodeTables]),
    slot: cython.int,
    polygon: cython.int,
    box: cython.pointer(cython.const[FlatBox]),
    other_slot: cython.int,
) -> cython.int:
    tile: cython.pointer(TileSlot) = mesh.slots + slot
    other_tile: cython.pointer(TileSlot) = mesh.slots + other_slot
    entries: cython.pointer(cython.const[PageEntry]) = tables.pages[other_slot].entries
    tree: cython.pointer(cython.const[BoxTree])
    node: cython.pointer(cython.const[BoxNode])
    waiting: cython.int[TREE_STACK]
    depth: cython.int = 1
    index: cython.int
    other: cython.int
    # A page that is too small, or none, is one that this search has not touched.
    if other_tile.polygon_count == 0 or tables.pages[other_slot].capacity < other_tile.polygon_count:
        return OVERLAP_NONE
    tree = tree_of(other_tile)
    if tree == cython.NULL:
        return OVERLAP_NO_MEMORY
    waiting[0] = 0
    while depth > 0:
        depth -= 1
        node = tree.nodes + waiting[depth]
        if not (
            node.low[0] < box.high_x
            and box.low_x < node.high[0]
            and node.low[2] < box.high_z
            and box.low_z < node.high[2]
        ):
            continue
        if node.count == 0:
            waiting[depth] = node.first
            waiting[depth + 1] = cython.cast(cython.int, node - tree.nodes) + 1
            depth += 2
            continue
        for index in range(node.first, node.first + node.count):
            other = tree.polygons[index]
            if entries[other].stamp != tables.stamp or entries[other].node < 0:
                continue
            if outlines_overlap(tile, polygon, box, other_tile, other):
                return OVERLAP_FOUND
    return OVERLAP_NONE


def overlaps_a_node(mesh, tables, slot, polygon):
    box: FlatBox = flat_box(mesh.slots + slot, polygon)
    other_slot: cython.int = find_cell(mesh, mesh.slots[slot].column, mesh.slots[slot].row)
    code: cython.int
    while other_slot >= 0:
        code = overlaps_in_tile(mesh, tables, slot, polygon, cython.address(box), other_slot)
        if code != OVERLAP_NONE:
            return code
        other_slot = mesh.slots[other_slot].next_in_cell
    return OVERLAP_NONE
