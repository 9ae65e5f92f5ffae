# Where a drop or a jump could lead: casts from samples along the open edges of a tile.

from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector


cdef struct CastSettings:
    # Metres
    double spacing           # between samples along an edge, at most
    double step              # between the columns that a cast looks at
    double radius
    double height            # a floor this far above the edge, or lower, stops a cast
    double level             # drops are deeper than this where the ground is within drop_reach
    double drop_max          # 0: no drops
    double drop_reach
    double climb_max
    double jump_max          # 0: no jumps
    double shortest          # shorter open stretches are left out


cdef struct Candidate:
    Vector start
    Vector end
    int slot
    int polygon
    int end_slot
    int end_polygon
    bint is_drop
    bint both_ways


cdef struct CandidateBuffer:
    # All zero is a valid empty buffer; it only grows.
    int count
    int capacity
    Candidate* members


# Appends the candidates of a used slot, by polygon, edge, place along it, the drop first: 0, or -1 without memory.
cdef int tile_candidates(
    MeshState* mesh, int slot, const CastSettings* settings, CandidateBuffer* candidates
) noexcept nogil
