from onepath.mesh._mesh cimport MeshState
from onepath.query._node_tables cimport NodeTables

cdef enum:
    OVERLAP_NONE = 0
    OVERLAP_FOUND = 1
    OVERLAP_NO_MEMORY = -1

# Whether the interior of a polygon's outline, seen from above, meets that of any polygon with a node in the tables.
cdef int overlaps_a_node(MeshState* mesh, const NodeTables* tables, int slot, int polygon) noexcept nogil
