"""Builds a tile's box tree on first use: a hierarchy over the outline boxes of its polygons.

Queries document, nearest polygon: recursive median split of the longest axis of the node's box, polygons parted by
centroid (here the middle of the outline box) and then index, at most four in a leaf. Boxes are the float32 tile-local
numbers themselves, so nothing is rounded.
"""

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._atomics import publish
from cython.cimports.onepath.mesh._mesh import BoxNode, BoxTree, TileSlot

LEAF_POLYGONS = cython.declare(cython.int, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def polygon_box(
    tile: cython.pointer(cython.const[TileSlot]), polygon: cython.int, low: cython.p_float, high: cython.p_float
) -> cython.void:
    first: cython.int = tile.polygon_first[polygon]
    last: cython.int = tile.polygon_first[polygon + 1]
    local: cython.pointer(cython.const[cython.float]) = tile.vertices + 3 * tile.polygon_vertices[first]
    axis: cython.int
    vertex: cython.int
    for axis in range(3):
        low[axis] = local[axis]
        high[axis] = local[axis]
    for vertex in range(first + 1, last):
        local = tile.vertices + 3 * tile.polygon_vertices[vertex]
        for axis in range(3):
            if local[axis] < low[axis]:
                low[axis] = local[axis]
            if local[axis] > high[axis]:
                high[axis] = local[axis]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.inline
def comes_before(keys: cython.pointer(cython.const[cython.float]), a: cython.int, b: cython.int) -> cython.bint:
    return keys[a] < keys[b] or (keys[a] == keys[b] and a < b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def middle_of_three(
    keys: cython.pointer(cython.const[cython.float]), a: cython.int, b: cython.int, c: cython.int
) -> cython.int:
    if comes_before(keys, b, a):
        a, b = b, a
    if comes_before(keys, c, b):
        b = a if comes_before(keys, c, a) else c
    return b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_polygons(
    order: cython.p_int, count: cython.int, keys: cython.pointer(cython.const[cython.float])
) -> cython.void:
    """Sorts polygons by (key, polygon), in a heap: n log n steps whatever they are."""
    size: cython.int = count
    parent: cython.int = count >> 1
    at: cython.int
    child: cython.int
    sunk: cython.int
    while size > 1:
        if parent > 0:
            parent -= 1
            sunk = order[parent]
        else:
            size -= 1
            sunk = order[size]
            order[size] = order[0]
        at = parent
        child = 2 * at + 1
        while child < size:
            if child + 1 < size and comes_before(keys, order[child], order[child + 1]):
                child += 1
            if not comes_before(keys, sunk, order[child]):
                break
            order[at] = order[child]
            at = child
            child = 2 * at + 1
        order[at] = sunk


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_polygons(
    order: cython.p_int, count: cython.int, keys: cython.pointer(cython.const[cython.float]), left: cython.int
) -> cython.void:
    """Brings the `left` polygons that come first by (key, polygon) to the front, in any order (Hoare's selection).

    The two halves of a node are sets, the same as a full sort would give, for a fraction of its time. The pivot is the
    middle of nine spread over the range, so that sorted and level rows of polygons, as tiles have them, part evenly.
    Polygons may be laid so that it does not; what is left after looking at each of them sixteen times is sorted.
    """
    first: cython.int = 0
    last: cython.int = count - 1
    step: cython.int
    i: cython.int
    k: cython.int
    pivot: cython.int
    swapped: cython.int
    looked_at: cython.longlong = 0
    while last > first:
        looked_at += last - first
        if looked_at > 16 * cython.cast(cython.longlong, count):
            sort_polygons(order + first, last - first + 1, keys)
            return
        step = (last - first) >> 3
        pivot = middle_of_three(
            keys,
            middle_of_three(keys, order[first], order[first + step], order[first + 2 * step]),
            middle_of_three(keys, order[first + 3 * step], order[first + 4 * step], order[first + 5 * step]),
            middle_of_three(keys, order[first + 6 * step], order[first + 7 * step], order[last]),
        )
        i = first
        k = last
        while i <= k:
            while comes_before(keys, order[i], pivot):
                i += 1
            while comes_before(keys, pivot, order[k]):
                k -= 1
            if i <= k:
                swapped = order[i]
                order[i] = order[k]
                order[k] = swapped
                i += 1
                k -= 1
        if left <= k:
            last = k
        elif left >= i:
            first = i
        else:
            return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def longest_axis(node: cython.pointer(cython.const[BoxNode])) -> cython.int:
    axis: cython.int
    longest: cython.int = 0
    for axis in range(1, 3):
        if node.high[axis] - node.low[axis] > node.high[longest] - node.low[longest]:
            longest = axis
    return longest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split(
    nodes: cython.pointer(BoxNode),
    node_count: cython.p_int,
    boxes: cython.pointer(cython.const[cython.float]),
    keys: cython.p_float,
    order: cython.p_int,
    first: cython.int,
    count: cython.int,
) -> cython.void:
    """Makes the node of order[first : first + count] and those below it."""
    node: cython.pointer(BoxNode) = nodes + node_count[0]
    node_count[0] += 1
    i: cython.int
    axis: cython.int
    box: cython.pointer(cython.const[cython.float]) = boxes + 6 * order[first]
    half: cython.float = 0.5
    left: cython.int
    for axis in range(3):
        node.low[axis] = box[axis]
        node.high[axis] = box[3 + axis]
    for i in range(first + 1, first + count):
        box = boxes + 6 * order[i]
        for axis in range(3):
            if box[axis] < node.low[axis]:
                node.low[axis] = box[axis]
            if box[3 + axis] > node.high[axis]:
                node.high[axis] = box[3 + axis]
    node.first = first
    node.count = count
    if count <= LEAF_POLYGONS:
        return
    axis = longest_axis(node)
    for i in range(first, first + count):
        box = boxes + 6 * order[i]
        keys[order[i]] = box[axis] * half + box[3 + axis] * half
    left = count >> 1
    part_polygons(order + first, count, keys, left)
    node.count = 0
    split(nodes, node_count, boxes, keys, order, first, left)
    node.first = node_count[0]
    split(nodes, node_count, boxes, keys, order, first + left, count - left)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def assembled(
    nodes: cython.pointer(cython.const[BoxNode]), node_count: cython.int, order: cython.p_int, count: cython.size_t
) -> cython.pointer(BoxTree):
    """The tree in one block, or NULL."""
    node_size: cython.size_t = node_count * cython.sizeof(BoxNode)
    block: cython.p_char = cython.cast(
        cython.p_char, malloc(cython.sizeof(BoxTree) + node_size + count * cython.sizeof(cython.int))
    )
    tree: cython.pointer(BoxTree) = cython.cast(cython.pointer(BoxTree), block)
    if block == cython.NULL:
        return cython.NULL
    tree.nodes = cython.cast(cython.pointer(BoxNode), block + cython.sizeof(BoxTree))
    tree.polygons = cython.cast(cython.p_int, block + cython.sizeof(BoxTree) + node_size)
    memcpy(tree.nodes, nodes, node_size)
    memcpy(tree.polygons, order, count * cython.sizeof(cython.int))
    return tree


def build_box_tree(tile):
    count: cython.size_t = tile.polygon_count
    polygon: cython.int
    made: cython.int = 0
    # A leaf holds two polygons or more unless it is the only one, so there are never more nodes than polygons.
    nodes: cython.pointer(BoxNode) = cython.cast(cython.pointer(BoxNode), malloc(count * cython.sizeof(BoxNode)))
    order: cython.p_int = cython.cast(cython.p_int, malloc(count * cython.sizeof(cython.int)))
    boxes: cython.p_float = cython.cast(cython.p_float, malloc(count * 7 * cython.sizeof(cython.float)))
    tree: cython.pointer(BoxTree) = cython.NULL
    published: cython.pointer(BoxTree) = cython.NULL
    if nodes != cython.NULL and order != cython.NULL and boxes != cython.NULL:
        for polygon in range(tile.polygon_count):
            order[polygon] = polygon
            polygon_box(tile, polygon, boxes + 6 * polygon, boxes + 6 * polygon + 3)
        split(nodes, cython.address(made), boxes, boxes + 6 * count, order, 0, tile.polygon_count)
        tree = assembled(nodes, made, order, count)
    free(boxes)
    free(nodes)
    free(order)
    if tree != cython.NULL:
        published = cython.cast(cython.pointer(BoxTree), publish(cython.address(tile.tree), tree))
        if published != tree:
            free(tree)
    return published
