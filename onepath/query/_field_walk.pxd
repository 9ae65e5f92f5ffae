# Walks along a distance field, from polygon to polygon as the field goes through them.

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._field cimport FieldState
from onepath.query._field_aim cimport AimScratch
from onepath.query._flood cimport Goals
from onepath.query._query_core cimport Place


# Takes a place so many metres on, measured in X/Z, less only where a goal or a link's start is reached: 0, or -1 without
# memory. The field is done.
cdef int walk_field(
    const FieldState* field, const MeshState* mesh, const FilterTable* table, const Goals* goals, Place* place,
    double distance, AimScratch* scratch
) noexcept nogil
