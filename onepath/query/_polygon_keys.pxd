# Polygons by slot and index alone: a key is a reference without its generation, and sorted keys are sought by bisection.

from onepath.mesh._mesh cimport reference_t

cdef extern from *:
    """
    #define ONEPATH_KEY_BITS 0x1FFFFFFFFFFLL
    """
    # What of a reference is its polygon's key, for arrays of references
    const long long KEY_BITS "ONEPATH_KEY_BITS"


cdef inline long long polygon_key(int slot, int polygon) noexcept nogil:
    return <long long>slot << 21 | polygon


cdef inline long long reference_key(reference_t reference) noexcept nogil:
    return reference & KEY_BITS


cdef inline int key_slot(long long key) noexcept nogil:
    return <int>(key >> 21)


cdef inline int key_polygon(long long key) noexcept nogil:
    return <int>(key & 0x1FFFFF)


# How many of the ascending keys lie below this one: the place of the first that does not.
cdef inline int first_key(const long long* keys, int count, long long key) noexcept nogil:
    cdef int low = 0
    cdef int high = count
    cdef int middle
    while low < high:
        middle = low + ((high - low) >> 1)
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


# The place of this key among the ascending keys, the first of equal ones; -1 where it is not one of them.
cdef inline int find_key(const long long* keys, int count, long long key) noexcept nogil:
    cdef int place = first_key(keys, count, key)
    return place if place < count and keys[place] == key else -1
