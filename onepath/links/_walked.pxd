# Whether the mesh already walks from one place to another without much of a detour.

from onepath.links._candidates cimport Candidate
from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.query._buffers cimport CorridorBuffer, PointBuffer
from onepath.query._straight_state cimport StraightScratch
from onepath.query._nodes cimport SearchState


cdef struct WalkScratch:
    # All zero is a valid empty scratch, once begin_walks has been called.
    FilterTable table
    SearchState[2] searches  # in either node model
    CorridorBuffer corridor
    PointBuffer line
    StraightScratch straight


cdef void begin_walks(WalkScratch* scratch) noexcept nogil
cdef void free_walks(WalkScratch* scratch) noexcept nogil

# Whether a walk from the candidate's start to its end is at most `longest` metres: 1, 0, or -1 without memory.
cdef int is_walked(
    WalkScratch* scratch, const MeshState* mesh, const Candidate* candidate, double longest
) noexcept nogil
