from onepath.mesh._base cimport MeshBase
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._slots cimport Journal


cdef class ModifierTable:
    # Changes of areas and flags: what is staged, and what named volumes are set to for good.
    cdef dict staged_areas           # reference -> area
    cdef dict staged_flags           # reference -> flags
    cdef dict staged_volumes         # volume -> area, or None for the areas that tiles came with
    cdef dict volume_areas           # volume -> area, committed
    # The running commit
    cdef dict areas                  # (slot, polygon) as the low 41 bits of a reference -> area
    cdef dict flags
    cdef set fresh                   # slots whose tile this commit has put in
    cdef dict next_volumes           # volume_areas to be
    cdef tuple changes               # what `finish` answers

    cdef int prepare(self, MeshState* state, Journal* journal) except -1
    cdef int find_fresh(self, MeshState* state, Journal* journal) except -1
    cdef int wish_volumes(self, MeshState* state, int slot, dict wanted) except -1
    cdef int wish_polygons(self, MeshState* state, dict staged, dict wishes) except -1
    cdef list changed_references(self, MeshState* state)
    cdef tuple finish(self, MeshState* state)
