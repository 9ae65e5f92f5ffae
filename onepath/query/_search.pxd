# The path search over polygons or crossings (queries document, path search), as a struct of scratch that is kept between
# searches and a state that a slice leaves off and takes up again. Nodes hold indices, never pointers into the mesh.

from onepath.mesh._mesh cimport MeshState
from onepath.query._buffers cimport Crossing
from onepath.mesh._filter_table cimport FilterTable
from onepath.query._node_tables cimport NodeTables
from onepath.query._open_list cimport OpenList
from onepath.mesh._surface cimport Vector

cdef enum:
    MODEL_POLYGON = 0
    MODEL_CROSSING = 1

# What a search has come to; NO_MEMORY abandons it.
cdef enum:
    SEARCH_NO_MEMORY = -1
    SEARCH_RUNNING = 0
    SEARCH_FOUND = 1
    SEARCH_EXHAUSTED = 2

cdef enum:
    NODE_OPEN = 1
    NODE_EXPANDED = 2        # at least once; open as well where it was reached again at a lower total


cdef struct PathNode:
    Vector position          # where the route enters the polygon
    double cost
    double total             # cost, and what the rest costs at least
    int slot
    int polygon
    int parent               # -1 at the start
    Crossing crossing        # how the parent's polygon was left
    int state


cdef struct LoopEntry:
    long long polygon        # 0 where free
    int position


cdef struct SearchState:
    # Fixed by the owner
    int model
    int max_nodes
    # Scratch
    PathNode* nodes
    int node_capacity
    OpenList open
    NodeTables tables        # of polygons in the polygon model, else of exits: a tile's edges, then its links
    int* frontier_slots
    int frontier_capacity
    LoopEntry* loops
    int loop_capacity
    # This search
    int outcome
    int node_count
    int frontier_count
    Vector end
    int end_slot
    int end_polygon
    int terminal             # the node that stands for the end itself, -1 until the end's polygon is expanded
    int closest              # the expanded node nearest to the end, -1 before the first expansion
    double closest_distance  # squared
    bint node_limit_reached
    long long iterations


# 0, or -1 where there is no memory.
cdef int begin_search(
    SearchState* search, const MeshState* mesh, const FilterTable* table,
    int start_slot, int start_polygon, Vector start, int end_slot, int end_polygon, Vector end,
) noexcept nogil

# At most `budget` expansions further: one of the outcomes.
cdef int run_search(
    SearchState* search, const MeshState* mesh, const FilterTable* table, long long budget
) noexcept nogil

cdef void free_search(SearchState* search) noexcept nogil
