# The insides of closed surfaces.

from onepath.build._buffers cimport IntBuffer, KeyBuffer
from onepath.build._rasterize cimport TriangleSoup
from onepath.build._spans cimport SpanField


cdef struct InteriorScratch:
    # Crossings of the vertical lines through cell centres with surfaces
    IntBuffer last               # (columns) the newest crossing of each column, -1 for none
    IntBuffer before             # (crossings) the one before it in its column, -1 for none
    IntBuffer surface            # (crossings) the surface crossed
    IntBuffer turn               # (crossings) what it adds to the winding count, going up
    KeyBuffer height             # (crossings) in rows times HEIGHT_UNIT
    IntBuffer sorted             # the crossings of one column, by surface and height


# Gives area 0 to spans above which a closed surface's inside lies. `surfaces` (m) names the closed surface of each triangle of
# the soup, -1 for one of none; of them the kernel sees chosen[0 : count], or 0 : count where `chosen` is NULL. Returns -1
# without memory, nothing has changed then.
cdef int clear_interiors(
    SpanField* field, const TriangleSoup* soup, const int* surfaces, const int* chosen, int count,
    InteriorScratch* scratch
) noexcept nogil
cdef void free_interiors(InteriorScratch* scratch) noexcept nogil
