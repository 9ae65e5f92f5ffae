# The open list of a search: a binary heap ordered by (total, sequence of insertion), so that the order in which nodes
# come out is fully determined. A node whose total fell is pushed again; the reader skips what it has already expanded.

from libc.stdlib cimport free

from onepath.query._room cimport resize


cdef struct OpenEntry:
    double total
    unsigned int sequence
    int node


cdef struct OpenList:
    int count
    int capacity
    unsigned int sequence
    OpenEntry* entries


cdef inline int reserve_open(OpenList* heap, int more) noexcept nogil:
    # Room for `more` entries: 0, or -1 where there is no memory.
    cdef long long capacity = heap.capacity
    if heap.count + <long long>more <= capacity:
        return 0
    capacity = 2 * capacity + more + 256
    if capacity > 0x7FFFFFFF:
        return -1
    if resize(&heap.entries, capacity, sizeof(OpenEntry)) != 0:
        return -1
    heap.capacity = <int>capacity
    return 0


cdef inline bint entry_before(const OpenEntry* a, const OpenEntry* b) noexcept nogil:
    return a.total < b.total or (a.total == b.total and a.sequence < b.sequence)


cdef inline void push_open(OpenList* heap, double total, int node) noexcept nogil:
    # The caller has reserved the room.
    cdef OpenEntry entry
    cdef int place = heap.count
    cdef int parent
    entry.total = total
    entry.sequence = heap.sequence
    entry.node = node
    heap.sequence += 1
    heap.count += 1
    while place > 0:
        parent = (place - 1) >> 1
        if not entry_before(&entry, &heap.entries[parent]):
            break
        heap.entries[place] = heap.entries[parent]
        place = parent
    heap.entries[place] = entry


cdef inline int pop_open(OpenList* heap) noexcept nogil:
    # The node of the first entry; the list is not empty.
    cdef int node = heap.entries[0].node
    cdef OpenEntry last
    cdef int place = 0
    cdef int child = 1
    heap.count -= 1
    last = heap.entries[heap.count]
    while child < heap.count:
        if child + 1 < heap.count and entry_before(&heap.entries[child + 1], &heap.entries[child]):
            child += 1
        if not entry_before(&heap.entries[child], &last):
            break
        heap.entries[place] = heap.entries[child]
        place = child
        child = 2 * place + 1
    heap.entries[place] = last
    return node


cdef inline void free_open(OpenList* heap) noexcept nogil:
    free(heap.entries)
