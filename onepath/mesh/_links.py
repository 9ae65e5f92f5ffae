"""Links between tiles: which side edges meet, over which part of each, in which order."""

import cython
from cython.cimports.libc.math import ceil, floor
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.onepath.mesh._links import LinkScratch
from cython.cimports.onepath.mesh._mesh import (
    PORTAL_KIND,
    Link,
    MeshState,
    SideEdge,
    TileSlot,
    cell_is_inside,
    facing_column,
    facing_row,
    find_cell,
    side_axis,
)
from cython.cimports.onepath.mesh._portals import Overlap, PortalLimits, edge_overlap, portal_limits

NO_MEMORY = cython.declare(cython.int, -1)


# --- a tile's side edges


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_side_edges(border_sides: cython.pointer[cython.const[cython.schar]], edge_count: cython.int) -> cython.int:
    count: cython.int = 0
    edge: cython.int
    for edge in range(edge_count):
        count += border_sides[edge] >= 0
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def comes_before(a: cython.pointer[cython.const[SideEdge]], b: cython.pointer[cython.const[SideEdge]]) -> cython.bint:
    if a.low != b.low:
        return a.low < b.low
    return a.edge < b.edge


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sift_down(edges: cython.pointer[SideEdge], start: cython.int, count: cython.int) -> cython.void:
    root: cython.int = start
    child: cython.int = 2 * root + 1
    moved: SideEdge = edges[root]
    while child < count:
        if child + 1 < count and comes_before(cython.address(edges[child]), cython.address(edges[child + 1])):
            child += 1
        if not comes_before(cython.address(moved), cython.address(edges[child])):
            break
        edges[root] = edges[child]
        root = child
        child = 2 * root + 1
    edges[root] = moved


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_edges(edges: cython.pointer[SideEdge], count: cython.int) -> cython.void:
    """Heap sort: in place, and never slow, whatever a host's tile looks like."""
    i: cython.int = count >> 1
    last: SideEdge
    while i > 0:
        i -= 1
        sift_down(edges, i, count)
    i = count
    while i > 1:
        i -= 1
        last = edges[i]
        edges[i] = edges[0]
        edges[0] = last
        sift_down(edges, 0, i)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_side_edges(
    tile: cython.pointer[cython.const[TileSlot]],
    side_first: cython.pointer[cython.int],
    edges: cython.pointer[SideEdge],
) -> cython.void:
    """Lists a tile's side edges by side, each side's by its lower end; `edges` has room for count_side_edges."""
    polygon: cython.int
    edge: cython.int
    following: cython.int
    side: cython.int
    axis: cython.int
    place: cython.int
    count: cython.int
    reach: cython.float
    a: cython.float
    b: cython.float
    at: cython.int[5]
    for side in range(5):
        at[side] = 0
    for edge in range(tile.edge_count):
        if tile.border_sides[edge] >= 0:
            at[tile.border_sides[edge] + 1] += 1
    for side in range(4):
        at[side + 1] += at[side]
    for side in range(5):
        side_first[side] = at[side]
    for polygon in range(tile.polygon_count):
        for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
            side = tile.border_sides[edge]
            if side < 0:
                continue
            following = edge + 1 if edge + 1 < tile.polygon_first[polygon + 1] else tile.polygon_first[polygon]
            axis = side_axis(side)
            a = tile.vertices[3 * tile.polygon_vertices[edge] + axis]
            b = tile.vertices[3 * tile.polygon_vertices[following] + axis]
            place = at[side]
            at[side] += 1
            edges[place].low = a if a < b else b
            edges[place].high = b if a < b else a
            edges[place].edge = edge
            edges[place].polygon = polygon
    for side in range(4):
        count = side_first[side + 1] - side_first[side]
        sort_edges(edges + side_first[side], count)
        reach = 0
        for place in range(side_first[side], side_first[side + 1]):
            if edges[place].high > reach:
                reach = edges[place].high
            edges[place].reach = reach


# --- links of one tile


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_link_scratch(scratch: cython.pointer[LinkScratch]) -> cython.void:
    free(scratch.links)
    free(scratch.first)
    scratch.links = cython.NULL
    scratch.first = cython.NULL
    scratch.count = 0
    scratch.capacity = 0
    scratch.first_capacity = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_first(scratch: cython.pointer[LinkScratch], count: cython.int) -> cython.int:
    grown: cython.p_void
    if count > scratch.first_capacity:
        grown = realloc(scratch.first, cython.cast(cython.size_t, 2 * count) * cython.sizeof(cython.int))
        if grown == cython.NULL:
            return NO_MEMORY
        scratch.first = cython.cast(cython.p_int, grown)
        scratch.first_capacity = 2 * count
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def append_link(scratch: cython.pointer[LinkScratch], link: cython.pointer[cython.const[Link]]) -> cython.int:
    grown: cython.p_void
    capacity: cython.int
    if scratch.count == scratch.capacity:
        capacity = 64 if scratch.capacity == 0 else 2 * scratch.capacity
        grown = realloc(scratch.links, cython.cast(cython.size_t, capacity) * cython.sizeof(Link))
        if grown == cython.NULL:
            return NO_MEMORY
        scratch.links = cython.cast(cython.pointer[Link], grown)
        scratch.capacity = capacity
    scratch.links[scratch.count] = link[0]
    scratch.count += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_range(
    link: cython.pointer[Link],
    begin: cython.double,
    end: cython.double,
    overlap: cython.pointer[cython.const[Overlap]],
) -> cython.void:
    """The part of an edge from `begin` to `end` along its side, in 1/255 from its first corner, rounded outward.

    Neighbouring overlaps share a bound, and it gives the same fraction for both, so no sliver is left between them.
    """
    low: cython.double
    high: cython.double
    if begin < end:
        low = (overlap.low - begin) / (end - begin)
        high = (overlap.high - begin) / (end - begin)
    else:
        low = (begin - overlap.high) / (begin - end)
        high = (begin - overlap.low) / (begin - end)
    low = floor(low * 255.0)
    high = ceil(high * 255.0)
    link.range_min = cython.cast(cython.uchar, low if low > 0.0 else 0.0)
    link.range_max = cython.cast(cython.uchar, high if high < 255.0 else 255.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_that_reaches(
    edges: cython.pointer[cython.const[SideEdge]], begin: cython.int, end: cython.int, low: cython.float
) -> cython.int:
    """The first of a side's edges before which none reaches `low`."""
    middle: cython.int
    while begin < end:
        middle = (begin + end) >> 1
        if edges[middle].reach < low:
            begin = middle + 1
        else:
            end = middle
    return begin


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_edge(
    mesh: cython.pointer[cython.const[MeshState]],
    slot: cython.int,
    polygon: cython.int,
    edge: cython.int,
    limits: cython.pointer[cython.const[PortalLimits]],
    scratch: cython.pointer[LinkScratch],
) -> cython.int:
    """Appends the links of one side edge to every tile of the cell that it faces, in link order."""
    tile: cython.pointer[cython.const[TileSlot]] = cython.address(mesh.slots[slot])
    side: cython.int = tile.border_sides[edge]
    axis: cython.int = side_axis(side)
    first: cython.int = tile.polygon_first[polygon]
    following: cython.int = edge + 1 if edge + 1 < tile.polygon_first[polygon + 1] else first
    a: cython.float = tile.vertices[3 * tile.polygon_vertices[edge] + axis]
    b: cython.float = tile.vertices[3 * tile.polygon_vertices[following] + axis]
    low: cython.float = a if a < b else b
    high: cython.float = b if a < b else a
    begin: cython.int = scratch.count
    target_slot: cython.int = find_cell(mesh, facing_column(tile.column, side), facing_row(tile.row, side))
    target: cython.pointer[cython.const[TileSlot]]
    other: cython.pointer[cython.const[SideEdge]]
    place: cython.int
    target_next: cython.int
    overlap: Overlap
    link: Link
    link.polygon = polygon
    link.edge = edge - first
    link.kind = PORTAL_KIND
    link.reserved = 0
    while target_slot >= 0:
        target = cython.address(mesh.slots[target_slot])
        place = first_that_reaches(
            target.side_edges, target.side_first[side ^ 2], target.side_first[(side ^ 2) + 1], low
        )
        while place < target.side_first[(side ^ 2) + 1] and target.side_edges[place].low <= high:
            other = target.side_edges + place
            place += 1
            target_next = other.edge + 1
            if target_next == target.polygon_first[other.polygon + 1]:
                target_next = target.polygon_first[other.polygon]
            if not edge_overlap(
                tile, edge, following, target, other.edge, target_next, side, limits, cython.address(overlap)
            ):
                continue
            link.target_slot = target_slot
            link.target_polygon = other.polygon
            set_range(cython.address(link), tile.origin[axis] + a, tile.origin[axis] + b, cython.address(overlap))
            if append_link(scratch, cython.address(link)) != 0:
                return NO_MEMORY
        target_slot = target.next_in_cell
    order_links(mesh, scratch.links, begin, scratch.count)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_before(
    mesh: cython.pointer[cython.const[MeshState]],
    a: cython.pointer[cython.const[Link]],
    b: cython.pointer[cython.const[Link]],
) -> cython.bint:
    """Order of the links of one edge: range_min, then the target's layer and polygon. They share the target's cell."""
    if a.range_min != b.range_min:
        return a.range_min < b.range_min
    if a.target_slot != b.target_slot:
        return mesh.slots[a.target_slot].layer < mesh.slots[b.target_slot].layer
    if a.target_polygon != b.target_polygon:
        return a.target_polygon < b.target_polygon
    return a.range_max < b.range_max


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_links(
    mesh: cython.pointer[cython.const[MeshState]],
    links: cython.pointer[Link],
    begin: cython.int,
    end: cython.int,
) -> cython.void:
    """Insertion sort: an edge has a handful of links, nearly in order already."""
    i: cython.int
    k: cython.int
    moved: Link
    for i in range(begin + 1, end):
        moved = links[i]
        k = i
        while k > begin and link_before(mesh, cython.address(moved), cython.address(links[k - 1])):
            links[k] = links[k - 1]
            k -= 1
        links[k] = moved


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_links(
    mesh: cython.pointer[MeshState], slot: cython.int, sides: cython.int, scratch: cython.pointer[LinkScratch]
) -> cython.int:
    """Collects all links of a tile in `scratch`: made anew on the sides in the mask, taken over on the others."""
    tile: cython.pointer[TileSlot] = cython.address(mesh.slots[slot])
    limits: PortalLimits = portal_limits(mesh)
    polygon: cython.int
    edge: cython.int
    old: cython.int
    side: cython.int
    scratch.count = 0
    if reserve_first(scratch, tile.polygon_count + 1) != 0:
        return NO_MEMORY
    for polygon in range(tile.polygon_count):
        scratch.first[polygon] = scratch.count
        for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
            side = tile.border_sides[edge]
            if side < 0:
                continue
            if (sides >> side) & 1:
                if link_edge(mesh, slot, polygon, edge, cython.address(limits), scratch) != 0:
                    return NO_MEMORY
                continue
            for old in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
                if tile.links[old].edge != edge - tile.polygon_first[polygon]:
                    continue
                if append_link(scratch, tile.links + old) != 0:
                    return NO_MEMORY
    scratch.first[tile.polygon_count] = scratch.count
    return 0


def frontier_mask(mesh, column, row):
    side: cython.int
    mask: cython.int = 0
    for side in range(4):
        if (
            cell_is_inside(mesh, facing_column(column, side), facing_row(row, side))
            and find_cell(mesh, facing_column(column, side), facing_row(row, side)) < 0
        ):
            mask |= 1 << side
    return mask
