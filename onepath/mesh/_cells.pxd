from onepath.mesh._mesh cimport MeshState

cdef int find_tile(const MeshState* mesh, int column, int row, int layer) noexcept nogil
cdef int resize_cell_table(MeshState* mesh, int slots) noexcept nogil
cdef void refill_cell_table(MeshState* mesh) noexcept nogil
cdef bint insert_in_cell(MeshState* mesh, int slot) noexcept nogil
cdef void remove_from_cell(MeshState* mesh, int slot) noexcept nogil
cdef int slot_before_in_cell(const MeshState* mesh, int column, int row, int layer) noexcept nogil
