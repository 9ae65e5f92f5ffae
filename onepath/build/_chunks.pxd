# Voxel chunks: run-length columns that are copied into the solid heightfield.


cdef class VoxelChunk:
    cdef readonly int width, depth, height
    cdef const int[::1] first         # (width * depth + 1) where a column's runs begin; a column is x + z * width
    cdef const int[:, ::1] run_rows   # (n, 3) start, length, material
