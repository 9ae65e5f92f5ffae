from onepath.mesh._mesh cimport TileSlot

# X/Z area of a polygon, square metres.
cdef double outline_area(const TileSlot* tile, int polygon) noexcept nogil
