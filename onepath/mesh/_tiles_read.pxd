# Which tiles a piece of sliced work has read, and whether one of them has changed since: what lets work go on after a
# commit elsewhere. Every slot carries the number of the commit that last changed its polygons, areas, flags, links or
# frontier sides (TileSlot.changed).
#
# To begin, `begin_tiles_read`. Wherever the work reads a slot, `note_tile_read`: also for what it then turns down, since
# a neighbour that the filter rejected may pass it now. Before a later slice, `tiles_unchanged`: where it answers TILES_SAME
# every number and pointer of the tiles read is what it was, and the work may go on as if begun now; the owner then sees to
# whatever else it keeps for each slot, as there may be more slots than before.
#
# What was read of the mesh but of no slot is for the owner to look at again: where positions snap (a tile may have come
# into an empty cell near by), which cells are missing, and what is taken over the whole mesh.

from libc.stdlib cimport free, realloc
from libc.string cimport memset

from onepath.mesh._mesh cimport MeshState

cdef enum:
    TILES_NO_MEMORY = -1
    TILES_CHANGED = 0
    TILES_SAME = 1


cdef struct TilesRead:
    int* slots               # those read, in the order of the first reading; room for every slot
    int count
    unsigned int* marks      # per slot the work that read it last
    int capacity             # slots that both have room for
    unsigned int stamp       # of the present work
    long long edit           # the mesh's edit_count at which they were all known to be the same


cdef inline int reserve_tiles_read(TilesRead* reads, int slot_count) noexcept nogil:
    # Room for as many slots, so that noting one never fails: 0, or TILES_NO_MEMORY.
    cdef int capacity
    cdef void* block
    if slot_count <= reads.capacity:
        return 0
    capacity = slot_count + (slot_count >> 1) + 16
    block = realloc(reads.slots, <size_t>capacity * sizeof(int))
    if block == NULL:
        return TILES_NO_MEMORY
    reads.slots = <int*>block
    block = realloc(reads.marks, <size_t>capacity * sizeof(int))
    if block == NULL:
        return TILES_NO_MEMORY
    reads.marks = <unsigned int*>block
    memset(reads.marks + reads.capacity, 0, <size_t>(capacity - reads.capacity) * sizeof(int))
    reads.capacity = capacity
    return 0


# Forgets what earlier work read: 0, or TILES_NO_MEMORY. All zeros is a struct that has not been used yet.
cdef inline int begin_tiles_read(TilesRead* reads, const MeshState* mesh) noexcept nogil:
    if reserve_tiles_read(reads, mesh.slot_count) != 0:
        return TILES_NO_MEMORY
    reads.count = 0
    reads.edit = mesh.edit_count
    reads.stamp += 1
    if reads.stamp == 0:
        memset(reads.marks, 0, <size_t>reads.capacity * sizeof(int))
        reads.stamp = 1
    return 0


cdef inline void note_tile_read(TilesRead* reads, int slot) noexcept nogil:
    if reads.marks[slot] != reads.stamp:
        reads.marks[slot] = reads.stamp
        reads.slots[reads.count] = slot
        reads.count += 1


# TILES_SAME, TILES_CHANGED, or TILES_NO_MEMORY. Costs nothing where no commit has changed anything.
cdef inline int tiles_unchanged(TilesRead* reads, const MeshState* mesh) noexcept nogil:
    cdef int i
    if reads.edit == mesh.edit_count:
        return TILES_SAME
    for i in range(reads.count):
        if mesh.slots[reads.slots[i]].changed > reads.edit:
            return TILES_CHANGED
    if reserve_tiles_read(reads, mesh.slot_count) != 0:
        return TILES_NO_MEMORY
    reads.edit = mesh.edit_count
    return TILES_SAME


cdef inline void free_tiles_read(TilesRead* reads) noexcept nogil:
    free(reads.slots)
    free(reads.marks)
