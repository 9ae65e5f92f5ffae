# Which way to go from a place by a distance field: the first corner of the line through the exits ahead.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport CorridorBuffer, PointBuffer
from onepath.query._field cimport FieldState
from onepath.query._flood cimport Goals
from onepath.query._straight_state cimport Portal, StraightScratch
from onepath.query._trace cimport PolygonList


cdef struct AimScratch:
    # What a query object lends
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


# The way from a place in a polygon: 0, or -1 without memory. The field is done.
cdef int aim_field(
    const FieldState* field, const MeshState* mesh, const FilterTable* table, const Goals* goals, int slot, int polygon,
    Vector place, AimScratch* scratch, FieldAim* aim
) noexcept nogil
