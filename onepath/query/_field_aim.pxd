# Which way to go from a place by a distance field: the first corner of the line through the exits ahead.

from libc.math cimport sqrt

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState, TileSlot
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport CorridorBuffer, PointBuffer
from onepath.query._field cimport FieldNode, FieldState
from onepath.query._flood cimport Goals
from onepath.query._straight_state cimport Portal, StraightScratch
from onepath.query._trace cimport PolygonList

cdef extern from *:
    """
    #define ONEPATH_ARRIVED 1e-6
    """
    const double ARRIVED "ONEPATH_ARRIVED"  # metres from an exit or a goal at which a place has come to it


cdef struct AimScratch:
    # What a query object lends, and what is asked for
    bint turn_out            # whether who would walk along a portal that he stands in is turned a little out of it
    StraightScratch* straight
    CorridorBuffer* corridor
    PointBuffer* line
    PolygonList* visited


cdef struct Row:
    # The portals that follow one another from an exit on
    int count
    Portal first             # before it was narrowed
    Vector target            # where the line through them ends
    int last                 # the exit that is left there, -1 where it is a goal
    double rest              # what it costs from there


cdef struct FieldAim:
    bint found               # whether there is a place to walk to: none at a goal, at a link's start, and beyond the field
    Vector target            # the place
    int node                 # the exit of the polygon that is taken, -1 for none
    double cost              # what the way costs by the line: it falls by what a metre costs with every metre walked


cdef inline double flat_distance(Vector a, Vector b) noexcept nogil:
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z))


cdef inline int exit_side(const MeshState* mesh, const FieldNode* node) noexcept nogil:
    # The side of the tile that an exit on the ground leads over, -1 for none.
    cdef const TileSlot* tile = mesh.slots + node.slot
    if node.way < tile.edge_count:
        return -1
    return tile.border_sides[tile.polygon_first[node.polygon] + tile.links[node.way - tile.edge_count].edge]


# The portal of an exit on the ground over a side, -1 for none, as wide as it is: 0, or -1 without memory.
cdef int exit_portal(
    const MeshState* mesh, const FieldNode* node, int side, AimScratch* scratch, Portal* portal
) noexcept nogil

# The way from a place in a polygon: 0, or -1 without memory. The field is done.
cdef int aim_field(
    const FieldState* field, const MeshState* mesh, const FilterTable* table, const Goals* goals, int slot, int polygon,
    Vector place, AimScratch* scratch, FieldAim* aim
) noexcept nogil
