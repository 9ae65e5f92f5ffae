from onepath.mesh._core cimport MeshCore


cdef struct TileRecord:
    # A tile in a navmesh file; docs/files.md.
    long long offset
    long long size
    int slot
    int changed                  # its polygons, where their flags or areas are not those it came with, else 0


cdef void unload_tiles(MeshCore mesh)
