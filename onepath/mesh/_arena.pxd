# Memory for many small blocks that go together: what loading makes beside each tile. Blocks are never freed one by one; a
# slot that points into the arena says so (TileSlot.borrowed), so that replacing its tile leaves them alone.

from libc.stdlib cimport free

from onepath.mesh._slots cimport grant

cdef enum:
    ARENA_CHUNK = 65536 - 64


cdef struct ArenaChunk:
    ArenaChunk* next
    size_t reserved          # keeps what follows on 16 bytes


cdef struct Arena:
    ArenaChunk* chunks
    unsigned char* at
    size_t left


cdef inline void* arena_take(Arena* arena, size_t size, int* blocks_left) noexcept nogil:
    # A block on 8 bytes, another one each time, even of nothing; NULL without memory (as `grant` says).
    cdef ArenaChunk* chunk
    cdef unsigned char* block
    cdef size_t room
    size = (size + 8) & ~<size_t>7
    if size > arena.left:
        room = size if size > ARENA_CHUNK else ARENA_CHUNK
        chunk = <ArenaChunk*>grant(sizeof(ArenaChunk) + room, blocks_left)
        if chunk == NULL:
            return NULL
        chunk.next = arena.chunks
        arena.chunks = chunk
        arena.at = <unsigned char*>(chunk + 1)
        arena.left = room
    block = arena.at
    arena.at += size
    arena.left -= size
    return block


cdef inline void free_arena(Arena* arena) noexcept nogil:
    cdef ArenaChunk* chunk
    while arena.chunks != NULL:
        chunk = arena.chunks
        arena.chunks = chunk.next
        free(chunk)
    arena.at = NULL
    arena.left = 0
