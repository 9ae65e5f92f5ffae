from onepath.mesh._format cimport SettingsRecord, TileLayout
from onepath.mesh._tile_writing cimport BakedPolygons
from onepath.mesh._validate cimport Refusal


cdef class Tile:
    cdef TileLayout layout
    cdef object block            # what the layout points into: bytes, or a read-only memoryview
    cdef Py_buffer view          # keeps a memoryview's memory where it is, whoever releases what
    cdef object cached_settings


cdef Tile baked_tile(
    const SettingsRecord* settings, int column, int row, int layer, const BakedPolygons* polygons
)
cdef Tile checked_tile(object block)
cdef object fault_error(const Refusal* refusal, const unsigned char* block)
cdef Tile tile_over(object owner, const unsigned char* block)
