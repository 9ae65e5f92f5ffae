# Room in arrays that are kept and only grow: once they are as long as a game needs, nothing is allocated any more.

from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef inline int grown_capacity(int capacity, int needed) noexcept nogil:
    cdef long long grown = <long long>capacity + (capacity >> 1) + 16
    if grown > 0x7FFFFFFF:
        grown = 0x7FFFFFFF
    return <int>grown if grown > needed else needed


# Gives an array room for so many elements of a width in bytes: 0, or -1 where there is no memory, and the array stays as it
# is. `array` is the address of the pointer to it, whatever it points to.
cdef inline int resize(void* array, size_t capacity, size_t width) noexcept nogil:
    cdef void* block
    # As bytes: to C a pointer to one type is no pointer to another, not even where both look alike.
    memcpy(&block, array, sizeof(block))
    block = realloc(block, capacity * width)
    if block == NULL:
        return -1
    memcpy(array, &block, sizeof(block))
    return 0
