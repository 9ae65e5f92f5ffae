# Which polygons hang together for a filter, and which of these islands lead to which.

from onepath.build._buffers cimport IntBuffer, KeyBuffer
from onepath.mesh._core cimport MeshCore
from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.query._filter cimport QueryFilter
from onepath.query._tile_parts cimport MeshParts


cdef struct IslandState:
    MeshParts parts
    int island_count
    IntBuffer islands        # the island of each part; while they are found, what each part was joined to
    KeyBuffer ways           # from one island to another over off-mesh links: source << 32 | target, ascending, each once
    IntBuffer first_way      # (island_count + 1) into ways; only where there are ways
    IntBuffer scratch
    long long edit           # the commit as of which all of it holds, -1 never


cdef class Islands:
    # Kept by the mesh, for filters that let the same pass; brought up to date when asked for.
    cdef IslandState state
    cdef QueryFilter filter
    cdef dict reached        # island -> bytearray, bit i of it: leads to island i
    cdef tuple listed        # the Island of each, largest first; None until asked for
    cdef list ranks          # the place of each island in `listed`

    cdef int update(self, const MeshState* mesh) except -1
    # The island of a polygon, -1 where the filter refuses it or the reference is stale.
    cdef int island_at(self, const MeshState* mesh, reference_t ref) noexcept
    cdef bint leads_to(self, int source, int target) except -1


cdef inline int island_of_polygon(const IslandState* state, int slot, int polygon) noexcept nogil:
    # The island of a polygon that is there, -1 where the filter refuses it.
    cdef int part = state.parts.slots[slot].parts.data[polygon]
    return -1 if part < 0 else state.islands.data[state.parts.slots[slot].first + part]


cdef struct IslandMember:
    const IslandState* state
    int island


cdef inline bint is_member(const void* member, int slot, int polygon) noexcept nogil:
    # Whether a polygon is of the IslandMember's island.
    return island_of_polygon((<const IslandMember*>member).state, slot, polygon) == (<const IslandMember*>member).island


# The islands for a filter as the mesh is now. The mesh has been entered with this filter.
cdef Islands current_islands(MeshCore mesh, QueryFilter filter)

# (column, row) of the missing cells beside polygons that the island leads to, its own among them.
cdef list frontier_beyond(Islands islands, const MeshState* mesh, int island)
