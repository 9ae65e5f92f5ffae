# Which node stands for what: one page of entries a tile slot, so that a commit moves nothing of its neighbours, stamped
# with the search that made them, so that a new search begins without clearing anything.

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset


cdef struct PageEntry:
    unsigned int stamp       # of the search that made the node
    int node


cdef struct NodePage:
    PageEntry* entries
    int capacity
    unsigned int frontier_stamp
    int frontier_sides       # sides with a missing tile that the search has met, if the stamp is its own


cdef struct NodeTables:
    NodePage* pages
    int page_count
    unsigned int stamp       # of the present search


cdef inline int reserve_pages(NodeTables* tables, int slot_count) noexcept nogil:
    # Pages for all slots; those that there are stay as they are. 0, or -1 where there is no memory.
    cdef void* block
    if slot_count > tables.page_count:
        block = realloc(tables.pages, <size_t>slot_count * sizeof(NodePage))
        if block == NULL:
            return -1
        tables.pages = <NodePage*>block
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


cdef inline void free_tables(NodeTables* tables) noexcept nogil:
    cdef int slot
    for slot in range(tables.page_count):
        free(tables.pages[slot].entries)
    free(tables.pages)
