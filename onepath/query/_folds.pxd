# Corridors that fold back at a tile side (readings, straight path: the line is the shortest inside the corridor).

from onepath.mesh._mesh cimport MeshState, reference_t
from onepath.mesh._surface cimport Vector
from onepath.query._buffers cimport PointBuffer
from onepath.query._straight_state cimport Portal, StraightScratch

# Whether two portals in turn, over one line in opposite directions, share more than a point; `side` is the later one's.
cdef bint folds_back(const Portal* first, const Portal* second, int side) noexcept nogil

# pull_string where the corridor has folds; portals of the scratch change places of their ends.
cdef int pull_folded(
    const MeshState* mesh,
    StraightScratch* scratch,
    int count,
    const reference_t* corridor,
    Vector start,
    Vector end,
    int max_points,
    PointBuffer* line,
) noexcept nogil
