"""Visits of a ring in a tree of boxes: sharing them out, and boxes that follow what is held."""

import cython
from cython.cimports.onepath.build._box_tree import LEAF, VISIT_BITS, Box, BoxTree, boxes_of, clear_box
from cython.cimports.onepath.build._buffers import free_ints, free_keys, reserve_ints, reserve_keys, sort_keys


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reserve_tree(tree: cython.pointer[BoxTree], count: cython.int) -> cython.int:
    leaves: cython.int = 1
    while leaves * LEAF < count:
        leaves *= 2
    tree.leaves = leaves
    if (
        reserve_keys(cython.address(tree.order), cython.cast(cython.size_t, count)) < 0
        or reserve_ints(cython.address(tree.leaf_of), cython.cast(cython.size_t, count)) < 0
        or reserve_ints(cython.address(tree.held), cython.cast(cython.size_t, leaves)) < 0
        or reserve_ints(cython.address(tree.visits), cython.cast(cython.size_t, leaves) * LEAF) < 0
        or reserve_ints(cython.address(tree.boxes), cython.cast(cython.size_t, leaves) * 8) < 0
    ):
        return -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_leaves(tree: cython.pointer[BoxTree], count: cython.int) -> cython.void:
    k: cython.int
    if tree.leaves == 1:
        for k in range(count):
            tree.leaf_of.data[k] = 1
        return
    sort_keys(tree.order.data, count)
    for k in range(count):
        tree.leaf_of.data[tree.order.data[k] & ((1 << VISIT_BITS) - 1)] = tree.leaves + k // LEAF


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_tree(tree: cython.pointer[BoxTree]) -> cython.void:
    box: cython.pointer[Box] = boxes_of(tree)
    k: cython.int
    for k in range(tree.leaves):
        tree.held.data[k] = 0
    for k in range(1, 2 * tree.leaves):
        clear_box(box + k)


# --- nodes


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _fit(box: cython.pointer[Box], node: cython.int) -> cython.bint:
    """Makes a node's box that around both below it; whether it has changed."""
    one: cython.pointer[Box] = box + 2 * node
    other: cython.pointer[Box] = one + 1
    old: Box = box[node]
    box[node].low_x = min(one.low_x, other.low_x)
    box[node].high_x = max(one.high_x, other.high_x)
    box[node].low_z = min(one.low_z, other.low_z)
    box[node].high_z = max(one.high_z, other.high_z)
    return (
        old.low_x != box[node].low_x
        or old.high_x != box[node].high_x
        or old.low_z != box[node].low_z
        or old.high_z != box[node].high_z
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fit_nodes(tree: cython.pointer[BoxTree]) -> cython.void:
    node: cython.int = tree.leaves - 1
    while node > 0:
        _fit(boxes_of(tree), node)
        node -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fit_above(tree: cython.pointer[BoxTree], leaf: cython.int) -> cython.void:
    node: cython.int = leaf >> 1
    # Where a node has not changed, none above it has.
    while node > 0 and _fit(boxes_of(tree), node):
        tree.steps += 1
        node >>= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_tree(tree: cython.pointer[BoxTree]) -> cython.void:
    free_ints(cython.address(tree.leaf_of))
    free_ints(cython.address(tree.held))
    free_ints(cython.address(tree.visits))
    free_ints(cython.address(tree.boxes))
    free_keys(cython.address(tree.order))
