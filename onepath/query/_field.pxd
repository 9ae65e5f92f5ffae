# Least costs from everywhere to the nearest of some goals, and the way that each leads.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, TileSlot
from onepath.mesh._surface cimport Vector
from onepath.mesh._tiles_read cimport TilesRead
from onepath.query._flood cimport Goals
from onepath.query._node_tables cimport NodeTables, PageEntry
from onepath.query._open_list cimport OpenList

# What building a field has come to
cdef enum:
    FIELD_NO_MEMORY = -1
    FIELD_RUNNING = 0
    FIELD_DONE = 1


cdef struct FieldNode:
    # An exit of a polygon. Nodes hold indices, never pointers into the mesh.
    Vector here              # where the polygon is left
    Vector entry             # where the next one is entered
    double price             # of getting from here to the entry
    double cost              # from here to a goal
    int slot                 # the polygon that it leaves
    int polygon
    int next                 # the exit to take behind it, or -1
    int goal                 # where there is none: the goal to walk to
    int way                  # its place in the table of its tile: edges, then links, then off-mesh links
    int link                 # the id of the off-mesh link that is crossed, or 0
    bint settled


cdef struct Onward:
    # What is done once a polygon is entered: walking to a place in it, from which the rest has a cost.
    Vector place
    double rate              # of a metre in the polygon
    double cost
    int next
    int goal


cdef struct Incoming:
    # The ways over off-mesh links by the polygon that they lead to.
    int count
    const long long* targets  # polygon keys, ascending
    const long long* slots    # of the tile that lists the way
    const long long* numbers  # its place among those of that tile


cdef struct FieldState:
    FieldNode* nodes
    int node_count
    int node_capacity
    OpenList open
    NodeTables tables        # of exits: a tile's edges, portals, off-mesh links
    TilesRead reads
    Incoming incoming
    double max_cost
    int outcome
    long long iterations


cdef struct ExitRange:
    # Entries of a polygon's exits of one kind; those of another stamp than the tables' have no node.
    const PageEntry* entries
    int count


# The exits of a polygon: over edges, portals, off-mesh links; none where the field has not read the tile.
cdef void exits_of(
    const FieldState* field, const TileSlot* tile, int slot, int polygon, ExitRange* ranges
) noexcept nogil

# Begins with the exits that lead into the goals' polygons: 0, or -1 without memory.
cdef int begin_field(
    FieldState* field, const MeshState* mesh, const FilterTable* table, const Goals* goals
) noexcept nogil

# At most `budget` exits further: the outcome.
cdef int run_field(FieldState* field, const MeshState* mesh, const FilterTable* table, long long budget) noexcept nogil

# What it costs to get from a place in a polygon to the nearest goal, infinite where the field does not reach.
cdef double field_cost(
    const FieldState* field, const MeshState* mesh, const FilterTable* table, const Goals* goals, int slot, int polygon,
    Vector place
) noexcept nogil

cdef void free_field(FieldState* field) noexcept nogil
