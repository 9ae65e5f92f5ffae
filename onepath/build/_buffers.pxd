# Growable arrays of the stages behind the compact field: kept between tiles, so that a steady bake allocates nothing.

from libc.stdlib cimport free, realloc


cdef struct IntBuffer:
    int* data
    int count                    # entries in use, where a stage appends; else unused
    size_t capacity


cdef struct KeyBuffer:
    long long* data
    int count
    size_t capacity


# Room for `count` entries; old entries stay. Returns -1 without memory, nothing has changed then.
cdef inline int reserve_ints(IntBuffer* buffer, size_t count) noexcept nogil:
    cdef size_t capacity = buffer.capacity + buffer.capacity // 2
    cdef int* grown
    if count <= buffer.capacity:
        return 0
    if capacity < count:
        capacity = count
    if capacity < 64:
        capacity = 64
    grown = <int*>realloc(buffer.data, capacity * sizeof(int))
    if grown == NULL:
        return -1
    buffer.data = grown
    buffer.capacity = capacity
    return 0


cdef inline int push_int(IntBuffer* buffer, int value) noexcept nogil:
    if <size_t>buffer.count >= buffer.capacity and reserve_ints(buffer, <size_t>buffer.count + 1) < 0:
        return -1
    buffer.data[buffer.count] = value
    buffer.count += 1
    return 0


cdef inline int reserve_keys(KeyBuffer* buffer, size_t count) noexcept nogil:
    cdef size_t capacity = buffer.capacity + buffer.capacity // 2
    cdef long long* grown
    if count <= buffer.capacity:
        return 0
    if capacity < count:
        capacity = count
    if capacity < 64:
        capacity = 64
    grown = <long long*>realloc(buffer.data, capacity * sizeof(long long))
    if grown == NULL:
        return -1
    buffer.data = grown
    buffer.capacity = capacity
    return 0


# Shell sort, ascending. The keys are distinct (they end in an index), so that the order is the keys' alone.
cdef inline void sort_keys(long long* keys, int count) noexcept nogil:
    cdef int gap = 1
    cdef int i, j
    cdef long long key
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            key = keys[i]
            j = i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap = gap // 3


# A heap: the least key lies first, none is below the one at (its place - 1) / 2.
cdef inline int push_heap(KeyBuffer* heap, long long key) noexcept nogil:
    cdef int at = heap.count
    if <size_t>heap.count >= heap.capacity and reserve_keys(heap, <size_t>heap.count + 1) < 0:
        return -1
    heap.count += 1
    while at > 0 and heap.data[(at - 1) >> 1] > key:
        heap.data[at] = heap.data[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap.data[at] = key
    return 0


# Takes out the least key of a heap that has one.
cdef inline long long pop_heap(KeyBuffer* heap) noexcept nogil:
    cdef long long least = heap.data[0]
    cdef long long key
    cdef int at = 0
    cdef int below = 1
    heap.count -= 1
    key = heap.data[heap.count]
    while below < heap.count:
        if below + 1 < heap.count and heap.data[below + 1] < heap.data[below]:
            below += 1
        if heap.data[below] >= key:
            break
        heap.data[at] = heap.data[below]
        at = below
        below = 2 * at + 1
    heap.data[at] = key
    return least


cdef inline void free_ints(IntBuffer* buffer) noexcept nogil:
    free(buffer.data)
    buffer.data = NULL
    buffer.count = 0
    buffer.capacity = 0


cdef inline void free_keys(KeyBuffer* buffer) noexcept nogil:
    free(buffer.data)
    buffer.data = NULL
    buffer.count = 0
    buffer.capacity = 0
