# Floor rows by cell, of one region at a time: its own spans and, around them, those of the same floor.

from onepath.build._buffers cimport IntBuffer
from onepath.build._compact cimport CompactField
from onepath.build._span_graph cimport SpanGraph


cdef struct FloorHeights:
    int width, depth             # of the square, cells
    int padding                  # cells of the field around it
    int steepest                 # rows between two spans that are joined, at most
    int region                   # loaded into `row`, 0 for none
    IntBuffer row                # (width * depth) floor row of the loaded region, -1 where it has none
    size_t blank                 # entries of `row` known to be -1 while no region is loaded
    IntBuffer filled             # the spans in `row`, own ones first
    IntBuffer cell               # (span_count) x + z * width of a span with a region
    IntBuffer span               # spans with a region, by region
    IntBuffer first              # (regions + 2) into `span`
    IntBuffer low, high          # (regions + 1) least and greatest row of a region
    IntBuffer beside             # (regions + 1) the region loaded last that is joined to it, 0 for none
    IntBuffer low_around, high_around  # the same with all regions that it is joined to


# Sorts the spans of the square by region. Returns -1 without memory.
cdef int sort_by_region(
    const CompactField* field, const SpanGraph* graph, FloorHeights* floors, int region_count
) noexcept nogil
# Makes `row` that of a region and, over `reach` links from it, of the regions joined to it; where those are of another
# storey than own cells within `reach`, there is no row. Returns -1 without memory.
cdef int load_region(
    const CompactField* field, const SpanGraph* graph, FloorHeights* floors, int region, int reach
) noexcept nogil
cdef void unload_region(FloorHeights* floors) noexcept nogil
cdef void free_floor_heights(FloorHeights* floors) noexcept nogil


# The floor row of a cell on an edge of the loaded region: its own, else that of the region behind the edge (-1 for
# none), else what was reached over links.
cdef inline int row_on_edge(const CompactField* field, const FloorHeights* floors, int x, int z, int behind) noexcept nogil:
    cdef int column = x + floors.padding + (z + floors.padding) * field.width
    cdef int found = -1
    cdef int span
    for span in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
        if field.region[span] == floors.region:
            return field.y[span]
        if field.region[span] == behind:
            found = field.y[span]
    return found if found >= 0 else floors.row.data[x + z * floors.width]


# The highest floor row around a point in parts of a cell, of which a cell has 2**bits; -1 where no cell has one.
cdef inline int row_around(
    const CompactField* field, const FloorHeights* floors, int x, int z, int bits, int behind
) noexcept nogil:
    cdef int within = (1 << bits) - 1
    cdef int last_x = x >> bits
    cdef int last_z = z >> bits
    cdef int first_x = last_x - (1 if x & within == 0 else 0)
    cdef int first_z = last_z - (1 if z & within == 0 else 0)
    cdef int highest = -1
    cdef int cx, cz, row
    for cz in range(first_z if first_z > 0 else 0, (last_z if last_z < floors.depth else floors.depth - 1) + 1):
        for cx in range(first_x if first_x > 0 else 0, (last_x if last_x < floors.width else floors.width - 1) + 1):
            row = row_on_edge(field, floors, cx, cz, behind)
            highest = row if row > highest else highest
    return highest
