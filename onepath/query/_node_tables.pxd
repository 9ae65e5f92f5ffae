# Which node stands for what: one page of entries a tile slot, so that a commit moves nothing of its neighbours, stamped
# with the search that made them, so that a new search begins without clearing anything. And at which tiles the search has met
# the frontier, beyond which a tile is missing.

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from onepath.query._room cimport grown_capacity, resize


cdef struct PageEntry:
    unsigned int stamp       # of the search that made the node
    int node


cdef struct NodePage:
    PageEntry* entries
    int capacity
    unsigned int frontier_stamp
    int frontier_sides       # bits of the sides that the search has met, if the stamp is its own


cdef struct NodeTables:
    NodePage* pages
    int page_count
    unsigned int stamp       # of the present search
    int* frontier_slots      # those with frontier sides
    int frontier_count
    int frontier_capacity


cdef inline int reserve_pages(NodeTables* tables, int slot_count) noexcept nogil:
    # Pages for all slots; those that there are stay as they are. 0, or -1 where there is no memory.
    if slot_count > tables.page_count:
        if resize(&tables.pages, slot_count, sizeof(NodePage)) != 0:
            return -1
        memset(tables.pages + tables.page_count, 0, <size_t>(slot_count - tables.page_count) * sizeof(NodePage))
        tables.page_count = slot_count
    return 0


cdef inline int begin_tables(NodeTables* tables, int slot_count) noexcept nogil:
    # Voids all entries of former searches and makes pages for all slots: 0, or -1 where there is no memory.
    cdef int slot
    if reserve_pages(tables, slot_count) != 0:
        return -1
    tables.stamp += 1
    if tables.stamp == 0:
        tables.stamp = 1
        for slot in range(tables.page_count):
            if tables.pages[slot].entries != NULL:
                memset(tables.pages[slot].entries, 0, <size_t>tables.pages[slot].capacity * sizeof(PageEntry))
            tables.pages[slot].frontier_stamp = 0
    return 0


cdef inline PageEntry* table_entries(NodeTables* tables, int slot, int needed) noexcept nogil:
    # The entries of a slot, `needed` or more; NULL where there is no memory. Only a slot that this search has not touched
    # can be too small, so nothing of this search is lost.
    cdef NodePage* page = tables.pages + slot
    if needed > page.capacity:
        free(page.entries)
        page.capacity = 0
        page.entries = <PageEntry*>calloc(<size_t>needed, sizeof(PageEntry))
        if page.entries != NULL:
            page.capacity = needed
    return page.entries


cdef inline int note_sides(NodeTables* tables, int slot, int sides) noexcept nogil:
    # Remembers that the search has met sides of a tile behind which a tile is missing: 0, or -1 where there is no memory.
    cdef NodePage* page = tables.pages + slot
    cdef int capacity
    if page.frontier_stamp == tables.stamp:
        page.frontier_sides |= sides
        return 0
    if tables.frontier_count == tables.frontier_capacity:
        capacity = grown_capacity(tables.frontier_capacity, tables.frontier_count + 1)
        if resize(&tables.frontier_slots, capacity, sizeof(int)) != 0:
            return -1
        tables.frontier_capacity = capacity
    tables.frontier_slots[tables.frontier_count] = slot
    tables.frontier_count += 1
    page.frontier_stamp = tables.stamp
    page.frontier_sides = sides
    return 0


cdef inline void free_tables(NodeTables* tables) noexcept nogil:
    cdef int slot
    for slot in range(tables.page_count):
        free(tables.pages[slot].entries)
    free(tables.pages)
    free(tables.frontier_slots)
