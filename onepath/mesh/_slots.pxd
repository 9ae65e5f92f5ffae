from onepath.mesh._format cimport TileLayout
from onepath.mesh._mesh cimport MeshState, TileSlot


cdef struct SavedSlot:
    # A slot as it was before the running commit touched it.
    int slot
    int sides                    # mask of the sides whose links have to be made anew
    TileSlot before


cdef struct Journal:
    SavedSlot* entries
    int count
    int capacity


# A block from malloc; NULL without memory, or where the tests' count of blocks has run out (-1: none counts).
cdef void* grant(size_t size, int* blocks_left) noexcept nogil
cdef void fill_slot(TileSlot* slot, const TileLayout* layout, void* memory, size_t side_count) noexcept nogil
cdef void empty_slot(TileSlot* slot) noexcept nogil
cdef void free_slot(TileSlot* slot) noexcept nogil
cdef int save_slot(Journal* journal, MeshState* mesh, int slot) noexcept nogil

# Frees what the commit replaced and stamps the slots that it changed with its number (keep), or frees what it made and puts
# the saved slots back.
cdef void finish_journal(Journal* journal, MeshState* mesh, bint keep, long long commit) noexcept nogil
