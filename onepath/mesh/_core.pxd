from onepath.mesh._arena cimport Arena
from onepath.mesh._base cimport MeshBase
from onepath.mesh._format cimport SettingsRecord
from onepath.mesh._link_table cimport LinkTable
from onepath.mesh._links cimport LinkScratch
from onepath.mesh._modifiers cimport ModifierTable
from onepath.mesh._slots cimport Journal
from onepath.mesh._tile cimport Tile


# The compiled half of NavMesh, its base class.
cdef class MeshCore(MeshBase):
    cdef SettingsRecord record           # the settings as tiles must record them
    cdef list slot_tiles                 # per slot the Tile that its pointers go into, the file that does (a Tile is made
                                         # when asked for), or None
    cdef Arena arena                     # what loading a file made beside its tiles
    cdef list free_slots                 # heap of the slots below slot_count that may be taken
    cdef object default_filter           # what the one-call forms use where no filter is given; see the root's glue
    cdef list spare_queries              # what the one-call forms lend and take back; see the root's glue
    cdef list islands_kept               # what queries found of its islands, by filter; see the queries' _islands
    cdef readonly LinkTable _links        # off-mesh links, staged and committed
    cdef readonly ModifierTable _modifiers  # changes of areas and flags, staged and kept
    cdef readonly object tier            # Tier: which changes are taken
    cdef readonly object limits          # Limits: how large the host promises that the mesh will be
    cdef dict staged                     # (column, row, layer) -> Tile, or None for a removal
    cdef int slot_capacity
    cdef int slot_limit
    cdef int generation_limit
    cdef int allocations_left            # what the tests let through before memory "runs out"; -1 is no limit
    cdef Journal journal
    cdef LinkScratch scratch

    cdef void* allocate(self, size_t size) except NULL
    cdef int save(self, int slot) except -1
    cdef int reserve_slots(self) except -1
    cdef int take_slot(self) except -1
    cdef int apply_change(self, tuple key, object tile, tuple changes, dict former_tiles) except -1
    cdef int check_limits(self) except -1
    cdef int put_back(self, dict former_tiles) except -1
    cdef int put_tile(self, int slot, Tile tile) except -1
    cdef int remove_tile(self, int slot) except -1
    cdef int mark_neighbours(self, int column, int row) except -1
    cdef int link_slots(self) except -1
