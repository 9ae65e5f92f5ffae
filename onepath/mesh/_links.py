"""Links between tiles: which side edges meet, over which part of each, in which order."""

import cython
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
from cython.cimports.onepath.mesh._portals import (
    EdgeEnds,
    Overlap,
    PortalLimits,
    ends_overlap,
    portal_limits,
    side_edge_ends,
)

NO_MEMORY = cython.declare(cython.int, -1)
FEW_EDGES = cython.declare(cython.int, 16)


# --- a tile's side edges


def count_side_edges(border_sides, edge_count, side_first):
    side: cython.int
    edge: cython.int
    count: cython.int
    side_first[0] = 0
    for side in range(4):
        count = 0
        for edge in range(edge_count):
            count += border_sides[edge] == side  # no branch, so that compilers take many at a time
        side_first[side + 1] = side_first[side] + count
    return side_first[4]


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
def insert_edges(edges: cython.pointer[SideEdge], count: cython.int) -> cython.void:
    i: cython.int
    place: cython.int
    moved: SideEdge
    for i in range(1, count):
        if not comes_before(cython.address(edges[i]), cython.address(edges[i - 1])):
            continue
        moved = edges[i]
        place = i
        while place > 0 and comes_before(cython.address(moved), cython.address(edges[place - 1])):
            edges[place] = edges[place - 1]
            place -= 1
        edges[place] = moved


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_edges(edges: cython.pointer[SideEdge], count: cython.int) -> cython.void:
    """Insertion sort of few, else heap sort: in place, and never slow, whatever a host's tile looks like."""
    i: cython.int = count >> 1
    last: SideEdge
    if count <= FEW_EDGES:
        insert_edges(edges, count)
        return
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
@cython.inline
def fill_side_edge(
    tile: cython.pointer[cython.const[TileSlot]],
    polygon: cython.int,
    edge: cython.int,
    result: cython.pointer[SideEdge],
) -> cython.void:
    """All but `reach`, which is of all edges of a side. The first corner is the lower one on sides 0 and 1."""
    following: cython.int = edge + 1 if edge + 1 < tile.polygon_first[polygon + 1] else tile.polygon_first[polygon]
    side: cython.int = tile.border_sides[edge]
    axis: cython.int = side_axis(side)
    low: cython.pointer[cython.const[cython.float]] = tile.vertices + 3 * tile.polygon_vertices[edge]
    high: cython.pointer[cython.const[cython.float]] = tile.vertices + 3 * tile.polygon_vertices[following]
    turn: cython.pointer[cython.const[cython.float]]
    if side >= 2:
        turn = low
        low = high
        high = turn
    result.low = low[axis]
    result.high = high[axis]
    result.low_height = low[1]
    result.high_height = high[1]
    result.edge = edge
    result.polygon = polygon


def sort_side_edges(tile, edges):
    side_first: cython.pointer[cython.const[cython.int]] = tile.side_first
    polygon: cython.int
    edge: cython.int
    side: cython.int
    place: cython.int
    count: cython.int
    reach: cython.float
    at: cython.int[4]
    for side in range(4):
        at[side] = side_first[side]
    for polygon in range(tile.polygon_count):
        for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
            side = tile.border_sides[edge]
            if side < 0:
                continue
            fill_side_edge(tile, polygon, edge, edges + at[side])
            at[side] += 1
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
    edge: cython.pointer[cython.const[EdgeEnds]],
    overlap: cython.pointer[cython.const[Overlap]],
    side: cython.int,
) -> cython.void:
    """The part that an overlap is of an edge, in 1/255 from the edge's first corner, rounded outward.

    The edges of sides 0 and 1 begin at their lower end. Neighbouring overlaps share a bound, and it gives the same
    fraction for both, so no sliver is left between them.
    """
    low: cython.double
    high: cython.double
    length: cython.double = edge.high - edge.low
    if side < 2:
        low = (overlap.low - edge.low) / length
        high = (overlap.high - edge.low) / length
    else:
        low = (edge.high - overlap.high) / length
        high = (edge.high - overlap.low) / length
    low = low * 255.0
    high = high * 255.0
    low = low if low > 0.0 else 0.0
    high = high if high < 255.0 else 255.0
    # Both are from 0 to 255, where cutting off is rounding down: calls of floor and ceil would cost more than the rest.
    whole: cython.int = cython.cast(cython.int, high)
    link.range_min = cython.cast(cython.uchar, cython.cast(cython.int, low))
    link.range_max = cython.cast(cython.uchar, whole + (whole < high))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_that_reaches(
    edges: cython.pointer[cython.const[SideEdge]], begin: cython.int, end: cython.int, low: cython.float
) -> cython.int:
    """The first of a side's edges that goes on behind `low`, or of those before it one does."""
    middle: cython.int
    while end - begin > FEW_EDGES:
        middle = (begin + end) >> 1
        if edges[middle].reach <= low:
            begin = middle + 1
        else:
            end = middle
    while begin < end and edges[begin].reach <= low:
        begin += 1
    return begin


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_edge(
    mesh: cython.pointer[cython.const[MeshState]],
    tile: cython.pointer[cython.const[TileSlot]],
    edge: cython.pointer[cython.const[SideEdge]],
    side: cython.int,
    target_slot: cython.int,
    limits: cython.pointer[cython.const[PortalLimits]],
    scratch: cython.pointer[LinkScratch],
) -> cython.int:
    """Appends the links of one side edge to the tile in `target_slot`, in link order but for ties.

    Edges that only touch are passed over by their tile-local numbers: tiles that face each other have one origin along
    the side, so these order as the world's do.
    """
    target: cython.pointer[cython.const[TileSlot]] = cython.address(mesh.slots[target_slot])
    axis: cython.int = side_axis(side)
    near: EdgeEnds = side_edge_ends(tile, edge, axis)
    far: EdgeEnds
    overlap: Overlap
    link: Link
    first: cython.int = target.side_first[side ^ 2]
    end: cython.int = target.side_first[(side ^ 2) + 1]
    place: cython.int
    step: cython.int = 1 if side < 2 else -1
    first = first_that_reaches(target.side_edges, first, end, edge.low)
    while end > first and not target.side_edges[end - 1].low < edge.high:
        end -= 1
    link.polygon = edge.polygon
    link.edge = edge.edge - tile.polygon_first[edge.polygon]
    link.target_slot = target_slot
    link.kind = PORTAL_KIND
    link.reserved = 0
    place = first if step > 0 else end - 1
    while first <= place < end:
        if target.side_edges[place].high > edge.low:
            far = side_edge_ends(target, target.side_edges + place, axis)
            if ends_overlap(cython.address(near), cython.address(far), limits, cython.address(overlap)):
                link.target_polygon = target.side_edges[place].polygon
                set_range(cython.address(link), cython.address(near), cython.address(overlap), side)
                if append_link(scratch, cython.address(link)) != 0:
                    return NO_MEMORY
        place += step
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
    """Shell sort: an edge has a handful of links, in order already but for ties and tiles over each other."""
    gap: cython.int = 1
    i: cython.int
    k: cython.int
    moved: Link
    while 3 * gap < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(begin + gap, end):
            moved = links[i]
            k = i
            while k >= begin + gap and link_before(mesh, cython.address(moved), cython.address(links[k - gap])):
                links[k] = links[k - gap]
                k -= gap
            links[k] = moved
        gap = cython.cast(cython.int, cython.cast(cython.uint, gap) // 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def link_across(
    mesh: cython.pointer[cython.const[MeshState]],
    slot: cython.int,
    polygon: cython.int,
    edge: cython.int,
    target_slot: cython.int,
    limits: cython.pointer[cython.const[PortalLimits]],
    scratch: cython.pointer[LinkScratch],
) -> cython.int:
    """Appends the links of one side edge to all tiles of the cell that it faces, whose first slot is `target_slot`."""
    tile: cython.pointer[cython.const[TileSlot]] = cython.address(mesh.slots[slot])
    begin: cython.int = scratch.count
    side_edge: SideEdge
    side_edge.reach = 0
    fill_side_edge(tile, polygon, edge, cython.address(side_edge))
    while target_slot >= 0:
        if link_edge(mesh, tile, cython.address(side_edge), tile.border_sides[edge], target_slot, limits, scratch) != 0:
            return NO_MEMORY
        target_slot = mesh.slots[target_slot].next_in_cell
    if scratch.count - begin > 1:
        order_links(mesh, scratch.links, begin, scratch.count)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_over_links(
    tile: cython.pointer[cython.const[TileSlot]],
    polygon: cython.int,
    edge: cython.int,
    scratch: cython.pointer[LinkScratch],
) -> cython.int:
    """Appends the links that an edge has."""
    old: cython.int
    for old in range(tile.link_first[polygon], tile.link_first[polygon + 1]):
        if tile.links[old].edge != edge - tile.polygon_first[polygon]:
            continue
        if append_link(scratch, tile.links + old) != 0:
            return NO_MEMORY
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_links(
    mesh: cython.pointer[MeshState], slot: cython.int, sides: cython.int, scratch: cython.pointer[LinkScratch]
) -> cython.int:
    """Collects all links of a tile in `scratch`: made anew on the sides in the mask, taken over on the others.

    Its frontier sides come out as well.
    """
    tile: cython.pointer[TileSlot] = cython.address(mesh.slots[slot])
    limits: PortalLimits = portal_limits(mesh)
    facing: cython.int[4]
    polygon: cython.int
    edge: cython.int
    side: cython.int
    code: cython.int
    scratch.count = 0
    scratch.frontier_sides = 0
    for side in range(4):
        facing[side] = find_cell(mesh, facing_column(tile.column, side), facing_row(tile.row, side))
        if facing[side] < 0 and cell_is_inside(mesh, facing_column(tile.column, side), facing_row(tile.row, side)):
            scratch.frontier_sides |= 1 << side
    if reserve_first(scratch, tile.polygon_count + 1) != 0:
        return NO_MEMORY
    for polygon in range(tile.polygon_count):
        scratch.first[polygon] = scratch.count
        for edge in range(tile.polygon_first[polygon], tile.polygon_first[polygon + 1]):
            side = tile.border_sides[edge]
            if side < 0:
                continue
            if not (sides >> side) & 1:
                code = take_over_links(tile, polygon, edge, scratch)
            elif facing[side] >= 0:
                code = link_across(mesh, slot, polygon, edge, facing[side], cython.address(limits), scratch)
            else:
                continue
            if code != 0:
                return NO_MEMORY
    scratch.first[tile.polygon_count] = scratch.count
    return 0
