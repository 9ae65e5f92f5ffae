from onepath.mesh._format cimport TileLayout
from onepath.mesh._validate cimport Refusal


cdef int check_shapes(const TileLayout* layout, Refusal* refusal) noexcept nogil
cdef int check_neighbours(const TileLayout* layout, Refusal* refusal) noexcept nogil
