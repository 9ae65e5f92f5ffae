# The polygon nearest to a position (queries document, nearest polygon).

from onepath.mesh._mesh cimport MeshState
from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._surface cimport Vector


cdef struct Box:
    Vector low
    Vector high
    bint within              # the point found has to lie in the box; else its polygon's box has to touch it


cdef struct CellRange:
    # Whole numbers in doubles: how many cells there are may be more than an int can hold.
    double first_column
    double last_column
    double first_row
    double last_row


cdef struct CellWalk:
    # Where a walk over the cells around a box stands; not begun before the first step.
    bint begun
    long long column
    long long row


cdef struct Nearest:
    int slot                 # -1 where nothing was found
    int polygon
    bint over                # the point is straight above or below the centre
    Vector point
    double squared_distance


cdef inline Box box_around(Vector center, double across, double down, double up) noexcept nogil:
    cdef Box box
    box.low.x = center.x - across
    box.low.y = center.y - down
    box.low.z = center.z - across
    box.high.x = center.x + across
    box.high.y = center.y + up
    box.high.z = center.z + across
    box.within = False
    return box


# The grid cells in which a tile can have something that touches the box.
cdef CellRange covered_cells(const MeshState* mesh, const Box* box) noexcept nogil

# The order of equally near polygons: tile column, row, layer, polygon.
cdef bint lies_before(const MeshState* mesh, int slot, int polygon, const Nearest* other) noexcept nogil

# Fills result[0]: 0, or -1 where there was no memory for a tile's box tree.
cdef int find_nearest(
    MeshState* mesh, const FilterTable* table, Vector center, const Box* box, Nearest* result
) noexcept nogil

# What a polygon must be beside passing the filter.
ctypedef bint (*admits_t)(const void* context, int slot, int polygon) noexcept nogil

# The same among the polygons for which admits(context, slot, polygon) is true; NULL admits all.
cdef int find_nearest_of(
    MeshState* mesh, const FilterTable* table, admits_t admits, const void* context, Vector center, const Box* box,
    Nearest* result
) noexcept nogil

# Sorts (column, row) pairs by the X/Z distance of the cell's square from the target, then column and row; each once.
cdef tuple nearest_cells_first(const MeshState* mesh, list cells, Vector target)

# Goes on to the next cell that `missing_cells` lists, in no order of use to users; false where there is none left.
cdef bint next_missing_cell(const MeshState* mesh, Vector center, const Box* box, CellWalk* walk) noexcept nogil

# The grid cells that the box touches and that belong to the mesh but hold no tile, nearest to the centre first.
cdef tuple missing_cells(const MeshState* mesh, Vector center, const Box* box)
