# Strongly connected components of a directed graph in flat arrays.

from onepath.build._buffers cimport IntBuffer, KeyBuffer

# Sorts (source << 32 | target) keys and keeps each once.
cdef void sort_ways(KeyBuffer* ways) noexcept nogil

# Fills first (node_count + 1) with the places at which the ways of each node begin: 0, or -1 without memory.
cdef int index_ways(const KeyBuffer* ways, int node_count, IntBuffer* first) noexcept nogil

# Gives every node the number of its component, in `component` (room for node_count); a way never leads to a component of a
# higher number than its source's. Returns how many there are, or -1 where there is no memory.
cdef int strong_components(
    const KeyBuffer* ways, const IntBuffer* first, int node_count, int* component, IntBuffer* scratch
) noexcept nogil
