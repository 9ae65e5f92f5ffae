# What an exact search keeps (after Polyanya: Cui, Harabor, Grastien 2017): the exits of polygons, the roots at which shortest
# lines turn, and the nodes. All of it is scratch of the query object, made when an exact search first needs it.
#
# Everything lies in X/Z. A node's root and bounds are seen from the polygon that it enters: where a line is reflected at a
# tile side, because two polygons over each other join a third across the same stretch, they are mirrored, and may lie where no
# vertex is.

from libc.stdlib cimport free

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._portals cimport PortalGroup
from onepath.query._buffers cimport Crossing
from onepath.query._node_tables cimport NodeTables
from onepath.query._nodes cimport SearchState
from onepath.query._room cimport grown_capacity, resize

# What a node enters its polygon with.
cdef enum:
    NODE_WINDOW = 0          # lines from the root through a part of an exit, between two bounds
    NODE_FAN = 1             # the root is a corner on the polygon's outline; lines turn to one side there, or go on ahead
    NODE_ROOM = 2            # the root lies in the polygon: lines go anywhere
    NODE_END = 3             # the end of the whole route

cdef enum:
    SIDE_LEFT = 0
    SIDE_RIGHT = 1
    SIDE_AHEAD = 2           # of a fan: it goes on as the line came, or turns by a rounding

# What is known of the root at an end of an exit.
cdef enum:
    ROOT_UNKNOWN = -1
    ROOT_NONE = -2           # no shortest line turns there


# What the walls at a root leave of the ground.
cdef enum:
    CORNER_UNKNOWN = 0       # they do not tell
    CORNER_REFLEX = 1        # more than half round: lines turn there
    CORNER_STRAIGHT = 2      # half round, by a rounding more or less: lines along the walls go on
    CORNER_CONVEX = 3        # less: no line turns there


cdef struct Spot:
    double x
    double z


cdef struct Exit:
    # A way out of a polygon: an edge, a group of touching overlaps across a tile side, or an off-mesh link.
    Spot right               # as seen by who leaves; of a link its entry
    Spot left                # of a link its far end
    double price             # of a link
    int slot                 # what lies behind it
    int polygon
    int record               # its ExactPolygon, -1 until it is known
    int side                 # of the tile, -1 within it
    int right_root           # number of the Root, or ROOT_; of a link that of its far end
    int left_root
    int last_crossed         # the last node that crossed it, -1 for none
    Crossing crossing


cdef struct ExactPolygon:
    # Exits that the filter accepts: exits[first : links] are portals, exits[links : end] off-mesh links.
    int slot
    int polygon
    int first
    int links
    int end
    bint bent                # a corner of its outline points inward, by a rounding
    int expanded             # the place in the order of expansions of the first node that did, -1 before


cdef struct Root:
    # A corner as seen from one side of its walls. The polygons round it that are joined with one another share it; one of them
    # names it, so that what only touches in a point stays apart: the last counter-clockwise, or where they go all the way
    # round, that whose record is least.
    Spot place
    int slot
    int polygon
    int next                 # in the chain of its bucket
    bint walls_tell          # both walls are known, and polygons between them surely take up less than a turn and a half
    Spot left_wall           # along the wall that ends the polygons counter-clockwise, and clockwise
    Spot right_wall
    int corner               # a CORNER_
    double cost              # of the cheapest route here so far
    bint[3] met              # a route of that cost has gone on from here to this SIDE_


cdef struct ExactNode:
    double cost              # of the route to the root
    double total             # and what the rest costs at least
    Spot root
    Spot before              # of a fan, and of a window that opens from one: where the route to the root came from
    Spot left                # the bounds of a window; one that is the root itself stands for the line from `before` to it
    Spot right
    int kind
    int side                 # of a fan
    bint crosses             # whether the exit has been crossed on the way from the parent
    int exit                 # by which the polygon was entered, -1 at the start
    int record               # of the polygon entered, -1 until the node is expanded
    int origin               # record of the polygon it was entered from, -1 for none
    int number               # of the root
    int parent
    int order                # among the expansions, -1 before its own
    int next                 # of a node that was put off
    int crossed_before       # the node before this one that crossed the same exit, -1 for none


cdef struct Reached:
    int slot
    int polygon


cdef struct ExactSearch:
    # All zero is a valid empty scratch.
    ExactNode* nodes
    int node_capacity
    Exit* exits
    int exit_count
    int exit_capacity
    ExactPolygon* polygons
    int polygon_count
    int polygon_capacity
    Root* roots
    int root_count
    int root_capacity
    int* buckets             # of the roots at corners
    int bucket_count         # a power of two
    PortalGroup* groups
    int group_capacity
    NodeTables reach         # polygons that the flood has met
    Reached* reached         # the same in the order of their meeting
    int reached_capacity
    # This search
    double rate              # what a metre costs
    double scale             # of the distance to the end, in the estimate: below rate where a link can beat walking
    double hair              # by how much a place may lie beside the outline that it belongs to, metres
    Spot start
    Spot end                 # what is searched for: the nearest reachable place, where the end is known not to be
    int end_slot
    int end_polygon
    int put_off              # nodes that lead into dead ends, a chain by their `next`; -1 at its end
    int put_off_last
    int reach_state          # a REACH_ code
    int reached_count
    int reached_done         # those from which the flood has gone on
    bint arrived             # at what is searched for
    bint repeats             # floors over each other or bent outlines were met: nodes may lead to the same


cdef struct ExactWork:
    # What every step of a search needs.
    ExactSearch* exact
    SearchState* search
    const MeshState* mesh
    const FilterTable* table


cdef inline int reserve_exact(ExactSearch* exact, int nodes, int used, int most) noexcept nogil:
    # Room for `nodes` more nodes than the `used`, at most `most` in all: 0, or -1 where there is no memory.
    cdef int needed = most if used > most - nodes else used + nodes
    cdef int capacity
    if needed <= exact.node_capacity:
        return 0
    capacity = grown_capacity(exact.node_capacity, needed + 240)
    if resize(&exact.nodes, capacity, sizeof(ExactNode)) != 0:
        return -1
    exact.node_capacity = capacity
    return 0


cdef inline int reserve_exits(ExactSearch* exact, int more) noexcept nogil:
    cdef int capacity
    if more <= exact.exit_capacity - exact.exit_count:
        return 0
    if more > 0x7FFFFFFF - 1024 - exact.exit_count:
        return -1
    capacity = grown_capacity(exact.exit_capacity, exact.exit_count + more + 240)
    if resize(&exact.exits, capacity, sizeof(Exit)) != 0:
        return -1
    exact.exit_capacity = capacity
    return 0


cdef inline int reserve_polygons(ExactSearch* exact) noexcept nogil:
    cdef int capacity
    if exact.polygon_count < exact.polygon_capacity:
        return 0
    capacity = grown_capacity(exact.polygon_capacity, exact.polygon_count + 240)
    if resize(&exact.polygons, capacity, sizeof(ExactPolygon)) != 0:
        return -1
    exact.polygon_capacity = capacity
    return 0


cdef inline int reserve_roots(ExactSearch* exact) noexcept nogil:
    cdef int capacity
    if exact.root_count < exact.root_capacity:
        return 0
    capacity = grown_capacity(exact.root_capacity, exact.root_count + 240)
    if resize(&exact.roots, capacity, sizeof(Root)) != 0:
        return -1
    exact.root_capacity = capacity
    return 0


cdef inline int reserve_exact_groups(ExactSearch* exact, int needed) noexcept nogil:
    if resize(&exact.groups, needed, sizeof(PortalGroup)) != 0:
        return -1
    exact.group_capacity = needed
    return 0


cdef inline void free_exact(ExactSearch* exact) noexcept nogil:
    free(exact.nodes)
    free(exact.exits)
    free(exact.polygons)
    free(exact.roots)
    free(exact.buckets)
    free(exact.groups)
