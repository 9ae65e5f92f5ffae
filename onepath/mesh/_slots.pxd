from onepath.mesh._format cimport TileHeader, TileLayout
from onepath.mesh._mesh cimport MeshState, TileSlot


# The block of the tile in a used slot: its vertices come right behind the header.
cdef inline const TileHeader* slot_header(const TileSlot* slot) noexcept nogil:
    return <const TileHeader*>slot.vertices - 1


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
# The bytes that `fill_slot` wants for what a tile has beside its block; `side_first` comes out.
cdef size_t slot_memory(const TileLayout* layout, int* side_first) noexcept nogil
# Points an empty slot at a tile's block, and fills its memory: side edges, flags, areas.
cdef void fill_slot(TileSlot* slot, const TileLayout* layout, void* memory, const int* side_first) noexcept nogil
cdef void empty_slot(TileSlot* slot) noexcept nogil
cdef void free_slot(TileSlot* slot) noexcept nogil
cdef int save_slot(Journal* journal, MeshState* mesh, int slot) noexcept nogil

# Frees what the commit replaced and stamps the slots that it changed with its number (keep), or frees what it made and puts
# the saved slots back.
cdef void finish_journal(Journal* journal, MeshState* mesh, bint keep, long long commit) noexcept nogil
