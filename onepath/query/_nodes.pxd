# The nodes of a path search and their relaxation (queries document, path search): the state that a slice leaves off and
# takes up again, and what every kind of exit does with a route. Nodes hold indices, never pointers into the mesh.

from libc.math cimport sqrt

from onepath.mesh._mesh cimport MeshState, TileSlot
from onepath.mesh._surface cimport Vector, squared_distance
from onepath.mesh._tiles_read cimport TilesRead
from onepath.query._buffers cimport Crossing
from onepath.query._node_tables cimport NodeTables, PageEntry, table_entries
from onepath.query._open_list cimport OpenList, push_open

cdef enum:
    MODEL_POLYGON = 0
    MODEL_CROSSING = 1
    MODEL_EXACT = 2          # its nodes are those of _exact_state.pxd

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
    int state                # the bits below, and above them the order in which nodes were first expanded


cdef struct LoopEntry:
    long long polygon        # 0 where free
    int position


cdef struct SearchState:
    # Fixed by the owner
    int model
    int max_nodes
    double max_cost          # routes whose total is larger are dropped; INFINITY
    # Scratch
    PathNode* nodes
    int node_capacity
    OpenList open
    NodeTables tables        # of polygons in the polygon model, else of exits: a tile's edges, portals, off-mesh links
    LoopEntry* loops
    int loop_capacity
    # This search
    TilesRead reads          # every tile in which a polygon was looked at, expanded or turned down
    int outcome
    int node_count
    int expanded_count       # nodes expanded at least once
    Vector end
    int end_slot
    int end_polygon
    int terminal             # the node that stands for the end itself, -1 until the end's polygon is expanded
    int closest              # the expanded node nearest to the end, -1 before the first expansion
    double closest_distance  # squared
    bint node_limit_reached
    bint cost_limit_reached
    long long iterations


cdef inline PageEntry* page_entries(SearchState* search, const MeshState* mesh, int slot) noexcept nogil:
    # The node table of a slot, for its present tile; NULL where there is no memory.
    cdef const TileSlot* tile = mesh.slots + slot
    if search.model == MODEL_POLYGON:
        return table_entries(&search.tables, slot, tile.polygon_count)
    return table_entries(
        &search.tables, slot, tile.edge_count + tile.link_first[tile.polygon_count] + tile.off_mesh_count
    )


cdef inline int expansion_order(const PathNode* node) noexcept nogil:
    return node.state >> 2


cdef inline void mark_expanded(SearchState* search, PathNode* node) noexcept nogil:
    if (node.state & NODE_EXPANDED) == 0:
        node.state |= NODE_EXPANDED | (search.expanded_count << 2)
        search.expanded_count += 1
    node.state &= ~NODE_OPEN


cdef inline void set_node(
    SearchState* search, int index, Vector position, double cost, double total, int parent, Crossing crossing
) noexcept nogil:
    # Gives a node its route and puts it on the open list.
    cdef PathNode* node = search.nodes + index
    node.position = position
    node.cost = cost
    node.total = total
    node.parent = parent
    node.crossing = crossing
    node.state |= NODE_OPEN
    push_open(&search.open, total, index)


cdef inline int new_node(SearchState* search, int slot, int polygon) noexcept nogil:
    # The index of a new node, or -1 where the node limit drops it.
    cdef int index = search.node_count
    if index >= search.max_nodes:
        search.node_limit_reached = True
        return -1
    search.nodes[index].slot = slot
    search.nodes[index].polygon = polygon
    search.nodes[index].state = 0
    search.node_count = index + 1
    return index


cdef inline bint is_ancestor(SearchState* search, int ancestor, int index) noexcept nogil:
    while index >= 0:
        if index == ancestor:
            return True
        index = search.nodes[index].parent
    return False


cdef inline void relax(
    SearchState* search,
    PageEntry* entry,
    int slot,
    int polygon,
    Vector position,
    double cost,
    double minimum,
    int parent,
    Crossing crossing,
) noexcept nogil:
    # Offers the node of `entry`, which enters the polygon at `position`, the route over `parent` at this cost.
    cdef double total = cost + minimum * sqrt(squared_distance(position, search.end))
    cdef PathNode* node
    # Rounding may lift a total above the cost that the route comes to; whether that is too much is asked at its end.
    if total > search.max_cost * (1.0 + 1e-12):
        search.cost_limit_reached = True
        return
    if entry.stamp != search.tables.stamp:
        entry.node = new_node(search, slot, polygon)
        if entry.node < 0:
            return
        entry.stamp = search.tables.stamp
    else:
        node = search.nodes + entry.node
        if search.model == MODEL_POLYGON:
            if not total < node.total:
                return
            # Rounding could otherwise close the chain of parents into a ring. What was never expanded has no children.
            if (node.state & NODE_EXPANDED) != 0 and is_ancestor(search, entry.node, parent):
                return
        elif (node.state & NODE_EXPANDED) != 0 or not cost < node.cost:
            return
    set_node(search, entry.node, position, cost, total, parent, crossing)


cdef inline bint cannot_gain(SearchState* search, PageEntry* entry, PathNode* start) noexcept nogil:
    # Whether no route over `start` can be better for the node of `entry`, wherever it is entered: spares the geometry. A
    # leg costs no less than the heuristic falls along it, over a link too, so a total never falls by more than rounding
    # from a node to the next; nor does a cost.
    cdef PathNode* node
    if entry.stamp != search.tables.stamp:
        return False
    node = search.nodes + entry.node
    if search.model == MODEL_POLYGON:
        return node.total < start.total * (1.0 - 1e-12)
    return (node.state & NODE_EXPANDED) != 0 or node.cost <= start.cost
