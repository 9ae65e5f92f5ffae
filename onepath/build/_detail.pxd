# The public stage of height detail.

cdef class DetailMesh:
    cdef readonly object offsets
    cdef readonly object triangles
    cdef readonly object vertices
    cdef readonly double largest_error
