from onepath.mesh._format cimport SettingsRecord
from onepath.mesh._link_table cimport LinkTable
from onepath.mesh._links cimport LinkScratch
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._slots cimport Journal
from onepath.mesh._tile cimport Tile


# The compiled half of NavMesh, its base class: a kernel takes `MeshCore mesh` and reads mesh.state between enter and
# leave. Both are called with the GIL held; in between it may be released.
cdef class MeshCore:
    cdef MeshState state
    cdef readonly object settings        # MeshSettings
    cdef readonly object grid_bounds     # (first column, first row, last column, last row) or None
    cdef SettingsRecord record           # the settings as tiles must record them
    cdef list slot_tiles                 # per slot the Tile that its pointers go into, or None
    cdef list free_slots                 # heap of the slots below slot_count that may be taken
    cdef list spare_queries              # what the one-call forms lend and take back; see the root's glue
    cdef readonly LinkTable links        # off-mesh links, staged and committed
    cdef dict staged                     # (column, row, layer) -> Tile, or None for a removal
    cdef int slot_capacity
    cdef int running                     # queries between enter and leave
    cdef bint writing                    # a stage call or a commit runs
    cdef bint committing
    cdef readonly long long misuse       # calls refused with BusyError
    cdef int slot_limit
    cdef int generation_limit
    cdef int allocations_left            # what the tests let through before memory "runs out"; -1 is no limit
    cdef Journal journal
    cdef LinkScratch scratch

    cdef int enter(self) except -1
    cdef void leave(self) noexcept
    cdef int begin_writing(self, str call) except -1
    cdef void* allocate(self, size_t size) except NULL
    cdef int save(self, int slot) except -1
    cdef int reserve_slots(self) except -1
    cdef int take_slot(self) except -1
    cdef int apply_change(self, tuple key, object tile, tuple changes, dict former_tiles) except -1
    cdef int put_back(self, dict former_tiles) except -1
    cdef int put_tile(self, int slot, Tile tile) except -1
    cdef int remove_tile(self, int slot) except -1
    cdef int mark_neighbours(self, int column, int row) except -1
    cdef int link_slots(self) except -1
    cdef int checked_reference(self, object reference, int* polygon) except -1
