# Random points, evenly spread by area seen from above (queries document, random points).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector
from onepath.query._area_search cimport AreaState
from onepath.query._random cimport uint64

cdef enum:
    SAMPLE_FOUND = 1
    SAMPLE_NONE = 0
    SAMPLE_NO_MEMORY = -1


cdef struct Sample:
    int slot
    int polygon
    Vector point


cdef struct MeshWeights:
    # The accepted polygons in (slot, index) order and the area up to and with each.
    int count
    int capacity
    double total
    double* reached          # the largest running total so far, so that it never falls
    long long* polygons      # slot and index as in a reference
    long long last           # of positive area, -1 where there is none


cdef struct ClipScratch:
    # Corners of an outline that is being clipped, (x, z) in the world.
    int capacity
    double* corners
    double* clipped


cdef struct CircleWeights:
    int capacity
    double* areas            # of the polygons expanded, within the circle's square
    ClipScratch clip


# Adds up the areas: 0, or -1 without memory.
cdef int weigh_mesh(const MeshState* mesh, const FilterTable* table, MeshWeights* weights) noexcept nogil
# A point anywhere on the weighed polygons: SAMPLE_FOUND, or SAMPLE_NONE and no draw.
cdef int sample_mesh(const MeshState* mesh, const MeshWeights* weights, uint64* state, Sample* sample) noexcept nogil
# A point in the circle on the polygons that the search has expanded so far.
cdef int sample_circle(
    const AreaState* area, const MeshState* mesh, CircleWeights* weights, uint64* state, Sample* sample
) noexcept nogil
cdef void free_mesh_weights(MeshWeights* weights) noexcept nogil
cdef void free_circle_weights(CircleWeights* weights) noexcept nogil
