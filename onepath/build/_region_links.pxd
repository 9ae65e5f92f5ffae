# What regions know of each other: shared border, conflicts, islands; and the decisions that follow.

from onepath.build._buffers cimport IntBuffer, KeyBuffer
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


cdef struct RegionLinks:
    IntBuffer parent             # (regions + 1) region that this one has joined, itself while it stands alone
    IntBuffer island             # (regions + 1) the same for islands: regions that a walk connects
    IntBuffer size               # (regions + 1) spans
    IntBuffer island_size        # (regions + 1) spans, of island roots
    IntBuffer held               # (regions + 1) of island roots: 1 if the island touches the square's side
    IntBuffer head               # (regions + 1) first entry of a region's list, -1 for none
    IntBuffer tail
    IntBuffer next               # (entries)
    IntBuffer other              # (entries) the region named
    IntBuffer border             # (entries) edges shared with it, 0 for a conflict: they can never be one
    IntBuffer weight             # (regions + 1) while one region looks for a partner
    IntBuffer stamp              # (regions + 1) the asking that last ruled the region out
    IntBuffer crowded            # spans with others in their column or beside that they are not joined to
    IntBuffer crowded_first, crowded_order  # the same by region
    KeyBuffer by_size
    int dropped_islands, dropped_spans, merges


# `region` (span_count) holds 1 to `count`, 0 or less for none; it is renumbered 1 to the returned number in the order of the
# spans, islands below `min_region` spans gone, regions below `merge_region` spans merged. Returns -1 without memory.
cdef int settle_regions(
    const CompactField* field, const SpanGraph* graph, RegionLinks* links, int* region, int count,
    int min_region, int merge_region
) noexcept nogil
cdef void free_region_links(RegionLinks* links) noexcept nogil
