# Which polygons and links may be used and what travel costs there, as kernels read it (queries document, filters and costs).
# The queries' QueryFilter fills it; the mesh itself looks for the ends of links with one that lets everything pass.

from libc.math cimport INFINITY

from onepath.mesh._atomics cimport read_published


cdef struct FilterTable:
    double[256] costs        # of a metre in each area; infinite where the area is forbidden, so at 0 always
    double minimum_cost      # least cost of the 256 areas, unnamed ones counting 1
    unsigned int included    # 0xFFFF accepts anything, no flags included; else one of these bits is needed
    unsigned int excluded
    unsigned long long link_kinds  # bit k: off-mesh links of kind k may be crossed
    # NULL without a predicate, else an open-addressing hash of its answers behind its size less 1. The pair of them is one
    # block, published as a whole: the filter may learn more while threads without the GIL read.
    unsigned int* verdicts


# An entry of the hash: the pair, then the answer, then a bit that says the entry is in use.
cdef inline unsigned int verdict_key(unsigned int flags, unsigned int area) noexcept nogil:
    return (flags << 10) | (area << 2) | 1


cdef inline unsigned int* find_verdict(const FilterTable* table, unsigned int key) noexcept nogil:
    # The entry of the pair, or the free one where it belongs; the answer in `key` does not count.
    cdef unsigned int* verdicts = <unsigned int*>read_published(<void**>&table.verdicts)
    cdef unsigned int place = ((key | 2) * <unsigned int>0x9E3779B1) >> 7
    while True:
        place = place & verdicts[0]
        if verdicts[1 + place] == 0 or (verdicts[1 + place] | 2) == (key | 2):
            return &verdicts[1 + place]
        place = place + 1


cdef inline bint filter_passes(const FilterTable* table, unsigned int flags, unsigned int area) noexcept nogil:
    if table.costs[area] == INFINITY:
        return False
    if table.included != 0xFFFF and (flags & table.included) == 0:
        return False
    if (flags & table.excluded) != 0:
        return False
    if table.verdicts == NULL:
        return True
    return (find_verdict(table, verdict_key(flags, area))[0] & 2) != 0


cdef inline void accept_everything(FilterTable* table) noexcept nogil:
    # Area 0 included: not what a query may walk on, but what lies there.
    cdef int area
    for area in range(256):
        table.costs[area] = 1.0
    table.minimum_cost = 1.0
    table.included = 0xFFFF
    table.excluded = 0
    table.link_kinds = ~<unsigned long long>0
    table.verdicts = NULL
