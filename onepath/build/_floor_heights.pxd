# Floor rows by cell, of one polygon at a time: the cells that it touches and what is walked to straight from its border.

from onepath.build._buffers cimport IntBuffer
from onepath.build._chains cimport Contours
from onepath.build._compact cimport CompactField
from onepath.build._floor_border cimport FloorBorder
from onepath.build._polygon_arrays cimport PolygonArrays
from onepath.build._span_graph cimport SpanGraph


cdef struct FloorHeights:
    int width, depth             # of the square, cells
    int padding                  # cells of the field around it
    int low, high                # least and greatest z of the loaded polygon's corners
    int first_row, last_row      # rows of cells that it touches: `low` - 1 and `high` too, where there are such
    IntBuffer begin, end         # (depth) the first and last cell of a row that it may touch
    IntBuffer row                # (width * depth) floor row of these cells, -1 for none; -2 - row for what only edges
                                 # without other floor look at, until it is settled
    IntBuffer missing            # (depth) how many of them have no row
    IntBuffer has_border         # (depth) 1 where cells of the row lie on the border
    IntBuffer rim                # cells of the rim that erosion took
    IntBuffer beyond             # cells without a floor that edges may pass: their row is that of the border
    FloorBorder border


# Makes the tile's borders ready to be looked up. Returns -1 without memory.
cdef int prepare_heights(
    const SpanGraph* graph, const Contours* contours, const PolygonArrays* polygons, FloorHeights* floors
) noexcept nogil
# Makes `row` that of a polygon. Returns -1 without memory.
cdef int load_polygon(
    const CompactField* field,
    const SpanGraph* graph,
    const Contours* contours,
    const PolygonArrays* polygons,
    FloorHeights* floors,
    int polygon,
    int reach,
) noexcept nogil
# The least and the greatest row that a loaded polygon's cells and edges have; -1 and 0 without any.
cdef void find_row_range(const FloorHeights* floors, int* low, int* high) noexcept nogil
# Makes rows of the rim like all others, and those beyond none.
cdef void settle_rim(FloorHeights* floors) noexcept nogil
cdef void free_floor_heights(FloorHeights* floors) noexcept nogil


# Whether the loaded polygon may touch a cell: those have rows.
cdef inline bint is_touched(const FloorHeights* floors, int x, int z) noexcept nogil:
    return floors.first_row <= z <= floors.last_row and floors.begin.data[z] <= x <= floors.end.data[z]


# The span of a region in a cell of the square, or -1.
cdef inline int span_at(const CompactField* field, const FloorHeights* floors, int region, int x, int z) noexcept nogil:
    cdef int column = x + floors.padding + (z + floors.padding) * field.width
    cdef int span
    for span in range(field.cell_first[column], field.cell_first[column] + field.cell_count[column]):
        if field.region[span] == region:
            return span
    return -1


# Whether no cell that touches one of the loaded polygon's cells has a higher row, once rims are settled.
cdef inline bint is_highest(const FloorHeights* floors, int x, int z) noexcept nogil:
    cdef const int* line
    cdef int row = floors.row.data[x + z * floors.width]
    cdef int cx, cz
    for cz in range(z - 1 if z > floors.first_row else z, (z + 1 if z < floors.last_row else z) + 1):
        line = floors.row.data + <size_t>cz * <size_t>floors.width
        for cx in range(
            x - 1 if x > floors.begin.data[cz] else floors.begin.data[cz],
            (x + 1 if x < floors.end.data[cz] else floors.end.data[cz]) + 1,
        ):
            if line[cx] > row:
                return False
    return True


# Widens a range of rows by those of all cells of the loaded polygon that touch one, itself among them.
cdef inline void range_around(const FloorHeights* floors, int x, int z, int* low, int* high) noexcept nogil:
    cdef const int* line
    cdef int cx, cz, row
    for cz in range(z - 1 if z > floors.first_row else z, (z + 1 if z < floors.last_row else z) + 1):
        line = floors.row.data + <size_t>cz * <size_t>floors.width
        for cx in range(
            x - 1 if x > floors.begin.data[cz] else floors.begin.data[cz],
            (x + 1 if x < floors.end.data[cz] else floors.end.data[cz]) + 1,
        ):
            row = line[cx] if line[cx] >= 0 else -2 - line[cx]
            if row < 0:
                continue
            low[0] = row if row < low[0] else low[0]
            high[0] = row if row > high[0] else high[0]


# The highest floor row around a point of the loaded polygon in parts of a cell, of which a cell has 2**bits; -1 where no
# cell has one. What erosion took counts where there is nothing else, as does the border where there is no floor.
cdef inline int row_around(const FloorHeights* floors, int x, int z, int bits) noexcept nogil:
    cdef int within = (1 << bits) - 1
    cdef int last_x = x >> bits
    cdef int last_z = z >> bits
    cdef int first_x = last_x - (1 if x & within == 0 else 0)
    cdef int first_z = last_z - (1 if z & within == 0 else 0)
    cdef int highest = -1
    cdef int otherwise = -1
    cdef int cx, cz, row
    for cz in range(first_z if first_z > 0 else 0, (last_z if last_z < floors.depth else floors.depth - 1) + 1):
        for cx in range(first_x if first_x > 0 else 0, (last_x if last_x < floors.width else floors.width - 1) + 1):
            row = floors.row.data[cx + cz * floors.width]
            highest = row if row > highest else highest
            otherwise = -2 - row if -2 - row > otherwise else otherwise
    return highest if highest >= 0 else otherwise
