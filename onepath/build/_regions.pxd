# Floors cut into regions, none of which lies over or beside itself.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._distance cimport DistanceLayers
from onepath.build._monotone cimport MonotoneRuns
from onepath.build._region_links cimport RegionLinks
from onepath.build._span_graph cimport SpanGraph


# How floors are cut: places in `onepath.build.settings.PARTITIONS`.
cdef enum:
    WATERSHED = 0
    MONOTONE = 1


cdef struct RegionScratch:
    SpanGraph graph
    DistanceLayers layers        # of the watershed
    MonotoneRuns runs            # of the monotone sweep
    RegionLinks links
    IntBuffer queue
    int region_count


# Fills field.region: 1 to region_count within the tile's square (the field without `padding` cells on each side), 0
# for spans outside it, not walkable, or of islands below `min_region` spans; regions below `merge_region` spans merge.
# Returns -1 without memory, -2 above 2**28 spans.
cdef int make_regions(
    CompactField* field, RegionScratch* scratch, int partition, int padding, int min_region, int merge_region
) noexcept nogil
cdef void free_regions(RegionScratch* scratch) noexcept nogil


cdef class RegionSet:
    cdef RegionScratch scratch
    cdef readonly object compact  # the CompactHeightfield
    cdef readonly object region
    cdef readonly object distance
    cdef readonly int padding
    cdef readonly object partition
