# A tile's detail grids: which of a polygon's many detail triangles to look at for a place. A speed device: no height depends
# on it (queries document, nearest polygon).

from onepath.mesh._mesh cimport TileSlot

# A polygon with so many triangles has a grid.
cdef enum:
    GRID_TRIANGLES = 12


cdef struct CellTriangles:
    # Triangles of the tile in their order: a part of the polygon's, and the first that contains the place is among them.
    int count                # 0 where there was no memory for grids
    const int* triangles


# The triangles listed where (x, z) lies, of a polygon with a grid. The tile's grids are built on first use by any thread.
cdef CellTriangles triangles_near(const TileSlot* tile, int polygon, double x, double z) noexcept nogil
