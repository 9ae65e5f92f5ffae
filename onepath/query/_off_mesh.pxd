# Off-mesh links as exits of a polygon (queries document, cost model).

from onepath.mesh._filter_table cimport FilterTable, filter_passes
from onepath.mesh._mesh cimport MeshState, OffMeshLink, TileSlot
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport Crossing
from onepath.query._nodes cimport SearchState

# A crossing of an off-mesh link names the link by its id, so that it means the same after a commit, and counts the way over
# it downward from -1 as its edge.


cdef inline bint crosses_off_mesh(const Crossing* crossing) noexcept nogil:
    return crossing.edge < 0


cdef inline Crossing off_mesh_crossing(const OffMeshLink* link) noexcept nogil:
    cdef Crossing crossing
    crossing.edge = -1 - link.crossing
    crossing.link = link.id
    return crossing


cdef inline bint link_passes(const FilterTable* table, const OffMeshLink* link) noexcept nogil:
    return link.enabled and ((table.link_kinds >> link.kind) & 1) != 0 and filter_passes(table, link.flags, link.area)


cdef inline Vector link_start(const OffMeshLink* link) noexcept nogil:
    cdef Vector point
    point.x = link.start[0]
    point.y = link.start[1]
    point.z = link.start[2]
    return point


cdef inline Vector link_end(const OffMeshLink* link) noexcept nogil:
    cdef Vector point
    point.x = link.end[0]
    point.y = link.end[1]
    point.z = link.end[2]
    return point


# Offers what the off-mesh links of the node's polygon reach a route: 0, or -1 where there is no memory. The tile has some.
cdef int expand_off_mesh(SearchState* search, const MeshState* mesh, const FilterTable* table, int index) noexcept nogil

# The way from one polygon to another over an off-mesh link, NULL where there is none: the crossing's, if it is enabled, or
# the first that passes the filter.
cdef const OffMeshLink* connecting_way(
    const TileSlot* tile, int polygon, int target_slot, int target_polygon, const Crossing* crossing,
    const FilterTable* table,
) noexcept nogil
