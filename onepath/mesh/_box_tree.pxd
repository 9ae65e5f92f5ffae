# A tile's box tree: which of its polygons to look at for a box. A speed device: no answer depends on it.

from onepath.mesh._mesh cimport TileSlot

# The largest number of boxes that wait on the way down: a median split halves, so the depth is at most 21 + 1.
cdef enum:
    TREE_STACK = 64

# Builds the tree of a tile that has polygons: 0, or -1 where there is no memory (the tile is unchanged).
cdef int build_box_tree(TileSlot* tile) noexcept nogil
