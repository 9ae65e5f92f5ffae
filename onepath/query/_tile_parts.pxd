# The parts into which a filter and the shared edges of each tile divide a mesh, and how portals join them.

from onepath.build._buffers cimport IntBuffer, KeyBuffer
from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState


cdef struct SlotParts:
    # The parts into which the shared edges of a tile join its polygons.
    IntBuffer parts          # the part of each polygon, -1 where the filter refuses it
    int polygon_count
    int count                # of parts
    int first                # the number of the first one among the parts of the mesh
    KeyBuffer joints         # which parts portals join to parts of tiles in later slots: see joint_key; ascending, each once
    bint found_now           # the parts were found anew in this update
    bint joints_stale
    long long edit           # the commit as of which all of this holds, -1 never


cdef struct MeshParts:
    SlotParts* slots
    int slot_count           # of the mesh as of the last update
    int slot_capacity
    int part_count           # of all slots
    IntBuffer stack


cdef inline long long joint_key(int part, int target_slot, int target_part) noexcept nogil:
    # 21 bits part, 20 bits slot, 21 bits part of that slot.
    return <long long>part << 41 | <long long>target_slot << 21 | <long long>target_part


cdef inline int joint_target(const MeshParts* parts, long long joint) noexcept nogil:
    # The part that it joins, among those of the mesh.
    return parts.slots[<int>(joint >> 21) & 0xFFFFF].first + <int>(joint & 0x1FFFFF)


# Brings the parts of all tiles up to date: 0, or -1 without memory, after which nothing counts as known.
cdef int update_parts(MeshParts* parts, const MeshState* mesh, const FilterTable* table) noexcept nogil

cdef void free_parts(MeshParts* parts) noexcept nogil
