from onepath.mesh._attach cimport LeavingLinks, LinkNumbers, SnappedCrossing
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._slots cimport Journal


# Crossings of links that a mesh may have, if its host promises no fewer
cdef enum:
    MAX_CROSSINGS = 4194304


cdef class LinkEntry:
    # A link as one commit left it; never changed afterwards, so that a failed commit has nothing to undo.
    cdef object definition           # LinkDef
    cdef LinkNumbers numbers
    cdef SnappedCrossing* crossings
    cdef object cells                # the grid cells in which its ends can find something, or None: too many to list


cdef class LinkTable:
    cdef dict entries                # id -> LinkEntry, the committed ones
    cdef dict staged                 # id -> (LinkDef, enabled), or None for a removal
    cdef dict near                   # grid cell -> set of the ids that it concerns
    cdef set far                     # ids of links that list no cells
    cdef readonly int next_id
    cdef long long crossing_count    # of committed links
    cdef long long planned           # the same after the next commit
    cdef long long crossing_limit
    cdef double spacing              # crossings of a wide link lie no farther apart
    cdef readonly long long snapped  # links whose ends commits have looked for so far
    # The running commit
    cdef dict fresh                  # id -> the LinkEntry to be, or None
    cdef LeavingLinks leaving

    cdef long long crossings_of(self, object definition) except -1
    cdef object wish(self, object link_id)
    cdef int set_wish(self, int link_id, object definition, bint enabled) except -1
    cdef int known_id(self, object link_id) except -1
    cdef list concerned(self, MeshState* state, object keys)
    cdef LinkEntry make_entry(self, int link_id, object wish, MeshState* state, int* blocks_left)
    cdef bint reaches_any(self, LinkEntry entry, const MeshState* state, set cells) except -1
    cdef set list_cells(self, LinkEntry entry, const MeshState* state)
    cdef int apply(self, MeshState* state, Journal* journal, int* blocks_left, object keys) except -1
    cdef set affected_slots(self, list ids)
    cdef int collect(self, MeshState* state, list slots) except -1
    cdef int relist(self, MeshState* state, Journal* journal, int* blocks_left, list slots) except -1
    cdef tuple finish(self)
    cdef int abandon(self) except -1
