# What lies within a cost of a place, and which of several goals is nearest.

cimport cython

from onepath.mesh._core cimport MeshCore
from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._nodes cimport SearchState


@cython.final
cdef class ReachableArea:
    cdef readonly double max_cost
    cdef readonly object polygons
    cdef readonly object costs
    cdef readonly object border


@cython.final
cdef class NearestGoal:
    cdef readonly int index
    cdef readonly double distance


# The parts of the edges of valid polygons behind which none of them lies, (m, 2, 3). The mesh has been entered.
cdef object outline_of(const MeshState* mesh, object polygons)

# Of a flood's nodes. The mesh has been entered.
cdef ReachableArea make_area(MeshCore mesh, const FilterTable* table, const SearchState* search, double max_cost)
cdef ReachableArea make_nowhere(double max_cost)
cdef NearestGoal make_nearest_goal(int index, double distance)
