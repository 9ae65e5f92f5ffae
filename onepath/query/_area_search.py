"""The area search: best-first over polygons, through portals that touch a shape.

Queries document, polygon-set queries. Costs do not count, only whether the filter lets a polygon pass; off-mesh links
are not followed. As in the path search, room for all that one expansion can add is made before it.
"""

import cython
from cython.cimports.libc.stdlib import free
from cython.cimports.onepath.mesh._filter_table import FilterTable, filter_passes
from cython.cimports.onepath.mesh._mesh import (
    Link,
    MeshState,
    TileSlot,
    reference_is_valid,
    reference_polygon,
    reference_slot,
)
from cython.cimports.onepath.mesh._surface import Vector, world_vertex
from cython.cimports.onepath.mesh._tiles_read import (
    TILES_SAME,
    begin_tiles_read,
    free_tiles_read,
    note_tile_read,
    tiles_unchanged,
)
from cython.cimports.onepath.query._area_search import (
    AREA_DONE,
    AREA_NO_MEMORY,
    AREA_RUNNING,
    AreaNode,
    AreaState,
    edge_bit,
)
from cython.cimports.onepath.query._area_shapes import SHAPE_CIRCLE, shape_touches
from cython.cimports.onepath.query._entry import portal_end
from cython.cimports.onepath.query._node_tables import (
    PageEntry,
    begin_tables,
    free_tables,
    note_sides,
    reserve_pages,
    table_entries,
)
from cython.cimports.onepath.query._open_list import free_open, pop_open, push_open, reserve_open
from cython.cimports.onepath.query._outline_overlap import OVERLAP_NO_MEMORY, OVERLAP_NONE, overlaps_a_node
from cython.cimports.onepath.query._room import resize

# In place of a node: the polygon overlaps one that has a node, and so it will to the end of the search.
SKIPPED = cython.declare(cython.int, -1)
# The filter accepts no way through there.
REJECTED = cython.declare(cython.int, 2)

# --- Room ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_nodes(area: cython.pointer(AreaState), needed: cython.longlong) -> cython.int:
    capacity: cython.longlong = 2 * cython.cast(cython.longlong, area.node_capacity) + 64
    if capacity < needed:
        capacity = needed
    if resize(cython.address(area.nodes), capacity, cython.sizeof(AreaNode)) != 0:
        return -1
    if resize(cython.address(area.expanded), capacity, cython.sizeof(cython.int)) != 0:
        return -1
    area.node_capacity = cython.cast(cython.int, capacity)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def reserve_nodes(area: cython.pointer(AreaState), more: cython.int) -> cython.int:
    needed: cython.longlong = cython.cast(cython.longlong, area.node_count) + more
    if needed > area.max_nodes:
        needed = area.max_nodes
    return 0 if needed <= area.node_capacity else grow_nodes(area, needed)


def free_area(area):
    free_tables(cython.address(area.tables))
    free(area.nodes)
    free(area.expanded)
    free_open(cython.address(area.open))
    free_tiles_read(cython.address(area.reads))


# --- Beginning ----------------------------------------------------------------------------------------------------


def begin_area(area, mesh, slot, polygon):
    entries: cython.pointer(PageEntry)
    node: cython.pointer(AreaNode)
    area.outcome = AREA_RUNNING
    area.node_count = 0
    area.expanded_count = 0
    area.tables.frontier_count = 0
    area.node_limit_reached = False
    area.open.count = 0
    area.open.sequence = 0
    if begin_tiles_read(cython.address(area.reads), mesh) != 0:
        return -1
    if begin_tables(cython.address(area.tables), mesh.slot_count) != 0:
        return -1
    if reserve_nodes(area, 1) != 0 or reserve_open(cython.address(area.open), 1) != 0:
        return -1
    entries = table_entries(cython.address(area.tables), slot, mesh.slots[slot].polygon_count)
    if entries == cython.NULL:
        return -1
    node = area.nodes
    node.key = 0.0
    node.slot = slot
    node.polygon = polygon
    node.parent = -1
    node.expanded = False
    area.node_count = 1
    entries[polygon].stamp = area.tables.stamp
    entries[polygon].node = 0
    note_tile_read(cython.address(area.reads), slot)
    push_open(cython.address(area.open), 0.0, 0)
    return 0


def area_stands(area, mesh):
    code: cython.int = tiles_unchanged(cython.address(area.reads), mesh)
    if code == TILES_SAME and reserve_pages(cython.address(area.tables), mesh.slot_count) != 0:
        return -1
    return code


# --- Expansion ----------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def new_node(
    area: cython.pointer(AreaState),
    mesh: cython.pointer(MeshState),
    entry: cython.pointer(PageEntry),
    slot: cython.int,
    polygon: cython.int,
) -> cython.int:
    """Gives the polygon a node, or marks why it gets none; -1 without memory."""
    index: cython.int = area.node_count
    code: cython.int
    if area.neighbourhood:
        code = overlaps_a_node(mesh, cython.address(area.tables), slot, polygon)
        if code == OVERLAP_NO_MEMORY:
            return -1
        if code != OVERLAP_NONE:
            entry.stamp = area.tables.stamp
            entry.node = SKIPPED
            return 0
    if index >= area.max_nodes:
        area.node_limit_reached = True
        return 0
    entry.stamp = area.tables.stamp
    entry.node = index
    area.nodes[index].slot = slot
    area.nodes[index].polygon = polygon
    area.nodes[index].expanded = False
    area.node_count = index + 1
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def offer(
    area: cython.pointer(AreaState),
    mesh: cython.pointer(MeshState),
    table: cython.pointer(cython.const[FilterTable]),
    entry: cython.pointer(PageEntry),
    slot: cython.int,
    polygon: cython.int,
    a: Vector,
    b: Vector,
    parent: cython.int,
) -> cython.int:
    """Offers the polygon behind the portal from a to b a node, or a lower key; REJECTED, or -1 without memory."""
    key: cython.double = 0.0
    known: cython.bint = entry.stamp == area.tables.stamp
    code: cython.int
    # What can change nothing needs no geometry.
    if known:
        if entry.node < 0 or area.nodes[entry.node].expanded:
            return 0
    elif not filter_passes(table, mesh.slots[slot].flags[polygon], mesh.slots[slot].areas[polygon]):
        return REJECTED
    if not shape_touches(cython.address(area.shape), a, b, cython.address(key)):
        return 0
    if not known:
        code = new_node(area, mesh, entry, slot, polygon)
        if code != 1:
            return code
    elif not key < area.nodes[entry.node].key:
        return 0
    area.nodes[entry.node].key = key
    area.nodes[entry.node].parent = parent
    push_open(cython.address(area.open), key, entry.node)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leave_tile(
    area: cython.pointer(AreaState),
    mesh: cython.pointer(MeshState),
    table: cython.pointer(cython.const[FilterTable]),
    index: cython.int,
    edge: cython.int,
    a: Vector,
    b: Vector,
) -> cython.int:
    """Offers what lies behind an edge on the tile's side; REJECTED as it may be a wall, or -1 without memory."""
    slot: cython.int = area.nodes[index].slot
    polygon: cython.int = area.nodes[index].polygon
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    side: cython.int = tile.border_sides[tile.polygon_first[polygon] + edge]
    number: cython.int
    link: cython.pointer(cython.const[Link])
    entries: cython.pointer(PageEntry)
    key: cython.double = 0.0
    if tile.frontier_sides & (1 << side):
        if shape_touches(cython.address(area.shape), a, b, cython.address(key)):
            return note_sides(cython.address(area.tables), slot, 1 << side)
        return 0
    for number in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        link = tile.links + number
        if link.edge != edge:
            continue
        note_tile_read(cython.address(area.reads), link.target_slot)
        entries = table_entries(
            cython.address(area.tables), link.target_slot, mesh.slots[link.target_slot].polygon_count
        )
        if entries == cython.NULL:
            return -1
        if (
            offer(
                area,
                mesh,
                table,
                entries + link.target_polygon,
                link.target_slot,
                link.target_polygon,
                portal_end(a, b, link.range_min),
                portal_end(a, b, link.range_max),
                index,
            )
            < 0
        ):
            return -1
    return REJECTED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand(
    area: cython.pointer(AreaState),
    mesh: cython.pointer(MeshState),
    table: cython.pointer(cython.const[FilterTable]),
    index: cython.int,
) -> cython.int:
    slot: cython.int = area.nodes[index].slot
    polygon: cython.int = area.nodes[index].polygon
    tile: cython.pointer(cython.const[TileSlot]) = mesh.slots + slot
    first: cython.int = tile.polygon_first[polygon]
    count: cython.int = tile.polygon_first[polygon + 1] - first
    most: cython.int = count + (tile.link_first[polygon + 1] - tile.link_first[polygon])
    entries: cython.pointer(PageEntry) = area.tables.pages[slot].entries
    edge: cython.int
    neighbour: cython.int
    code: cython.int
    open_edges: cython.uint = 0
    start: Vector = world_vertex(tile, tile.polygon_vertices[first])
    a: Vector
    b: Vector = start
    if reserve_nodes(area, most) != 0 or reserve_open(cython.address(area.open), most) != 0:
        return -1
    area.nodes[index].expanded = True
    area.expanded[area.expanded_count] = index
    area.expanded_count += 1
    for edge in range(count):
        a = b
        b = world_vertex(tile, tile.polygon_vertices[first + edge + 1]) if edge + 1 < count else start
        neighbour = tile.neighbours[first + edge]
        if neighbour >= 0:
            code = offer(area, mesh, table, entries + neighbour, slot, neighbour, a, b, index)
        elif tile.border_sides[first + edge] >= 0:
            code = leave_tile(area, mesh, table, index, edge, a, b)
        else:
            code = REJECTED
        if code < 0:
            return -1
        if code == REJECTED:
            open_edges |= edge_bit(edge)
    area.nodes[index].open_edges = open_edges
    return 0


def run_area(area, mesh, table, budget):
    index: cython.int
    while area.outcome == AREA_RUNNING and budget > 0:
        if area.open.count == 0:
            area.outcome = AREA_DONE
            break
        index = pop_open(cython.address(area.open))
        if area.nodes[index].expanded:
            continue
        budget -= 1
        if expand(area, mesh, table, index) != 0:
            area.outcome = AREA_NO_MEMORY
    return area.outcome


# --- Whole searches -------------------------------------------------------------------------------------------------


def is_accepted(mesh, table, reference):
    slot: cython.int = reference_slot(reference)
    polygon: cython.int = reference_polygon(reference)
    return reference_is_valid(mesh, reference) and filter_passes(
        table, mesh.slots[slot].flags[polygon], mesh.slots[slot].areas[polygon]
    )


def search_circle(area, mesh, table, start, x, z, radius):
    area.shape.kind = SHAPE_CIRCLE
    area.shape.x = x
    area.shape.z = z
    area.shape.radius = radius
    area.shape.radius_squared = radius * radius
    area.neighbourhood = False
    if not is_accepted(mesh, table, start):
        return 0
    if begin_area(area, mesh, reference_slot(start), reference_polygon(start)) != 0:
        return -1
    return 1 if run_area(area, mesh, table, 0x7FFFFFFFFFFFFFFF) == AREA_DONE else -1
