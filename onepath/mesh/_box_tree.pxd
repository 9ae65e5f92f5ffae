# A tile's box tree: which of its polygons to look at for a box. A speed device: no answer depends on it.

from onepath.mesh._atomics cimport read_published
from onepath.mesh._mesh cimport BoxTree, TileSlot

# The largest number of boxes that wait on the way down: a median split halves, so the depth is at most 21 + 1.
cdef enum:
    TREE_STACK = 64

# Builds and publishes the tree of a tile that has polygons; NULL where there is no memory.
cdef const BoxTree* build_box_tree(TileSlot* tile) noexcept nogil


# The tree of a tile that has polygons, built on first use by any thread; NULL where there is no memory.
cdef inline const BoxTree* tree_of(TileSlot* tile) noexcept nogil:
    cdef void* tree = read_published(&tile.tree)
    if tree != NULL:
        return <const BoxTree*>tree
    return build_box_tree(tile)
