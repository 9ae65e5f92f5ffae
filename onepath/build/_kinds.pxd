# Kinds of floor: an area and the named volume that gave it. The stages behind the volumes see kinds where they look for
# areas, so that regions and polygons end where either does.

from onepath.build._buffers cimport IntBuffer


cdef enum:
    FIRST_NAMED = 64             # below it a kind is an area that no named volume gave
    KIND_LIMIT = 256


cdef struct KindTable:
    int count                    # kinds there are; the plain ones always
    int[KIND_LIMIT] area
    int[KIND_LIMIT] volume       # number of the name, 0 for none


# The kind of an area and a name's number, made if there is none yet. -1: there is no room for another.
cdef int find_kind(KindTable* kinds, int area, int volume) noexcept nogil
cdef void forget_named(KindTable* kinds) noexcept nogil
# Turns the kinds of polygons into their areas and writes their volumes. Returns -1 without memory.
cdef int part_kinds(const KindTable* kinds, int* areas, IntBuffer* volumes, int count) noexcept nogil
