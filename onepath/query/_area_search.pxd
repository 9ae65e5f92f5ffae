# The area search: which polygons can be reached within a shape (queries document, polygon-set queries).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._tiles_read cimport TilesRead
from onepath.query._area_shapes cimport AreaShape
from onepath.query._node_tables cimport NodeTables
from onepath.query._open_list cimport OpenList

cdef enum:
    AREA_RUNNING = 0
    AREA_DONE
    AREA_NO_MEMORY


cdef struct AreaNode:
    double key               # squared distance of the portal that it was reached through from the reference point
    int slot
    int polygon
    int parent               # -1 at the start
    bint expanded
    unsigned int open_edges  # bit e: edge e may be a wall or a part of one; the last bit stands for all from there on


cdef struct AreaState:
    # Fixed by the owner
    int max_nodes
    AreaShape shape
    bint neighbourhood       # no two polygons that overlap seen from above
    # Scratch
    AreaNode* nodes
    int node_capacity
    int* expanded            # nodes in the order of expansion; as long as the nodes
    OpenList open
    NodeTables tables        # of polygons; a node below 0 stands for one that overlaps another
    TilesRead reads          # every tile in which a polygon was looked at, expanded or turned down
    # This search
    int outcome
    int node_count
    int expanded_count
    bint node_limit_reached


cdef inline unsigned int edge_bit(int edge) noexcept nogil:
    return <unsigned int>1 << (edge if edge < 31 else 31)


cdef int begin_area(AreaState* area, const MeshState* mesh, int slot, int polygon) noexcept nogil
# Whether a reference is of a polygon of the mesh that the filter accepts.
cdef bint is_accepted(const MeshState* mesh, const FilterTable* table, reference_t reference) noexcept nogil
# A whole circle search: 1, or 0 where the start is not accepted, or -1 without memory.
cdef int search_circle(
    AreaState* area, MeshState* mesh, const FilterTable* table, reference_t start, double x, double z, double radius
) noexcept nogil
# Answers the outcome; a mesh is changed by box trees alone.
cdef int run_area(AreaState* area, MeshState* mesh, const FilterTable* table, long long budget) noexcept nogil
# Whether a search that paused may go on after commits: 1 where the tiles that it read are as they were, 0 where one is not,
# -1 where there is no memory.
cdef int area_stands(AreaState* area, const MeshState* mesh) noexcept nogil
cdef void free_area(AreaState* area) noexcept nogil
