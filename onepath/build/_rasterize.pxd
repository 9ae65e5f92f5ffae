# Rasterization as a kernel per tile: a mesh's arrays are checked once, then each tile names the triangles it wants.

from onepath.build._spans cimport SpanField


cdef struct TriangleSoup:
    const double* vertices       # (n, 3) world coordinates
    const int* triangles         # (m, 3) vertex indices
    const unsigned char* areas   # (m) area ids 0 to 63, or NULL where every triangle has 63
    float slope_cosine
    bint classify                # a triangle steeper than the slope gets area 0
    int merge_threshold          # rows


# Rasterizes triangles chosen[0 : count], or 0 : count where `chosen` is NULL, in that order. Nothing is checked. Returns
# -1 without memory; the field then holds what was added before.
cdef int rasterize_soup(SpanField* field, const TriangleSoup* soup, const int* chosen, int count) noexcept nogil
