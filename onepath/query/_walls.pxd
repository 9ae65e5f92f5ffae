# Walls near a position: parts of edges with nothing walkable behind them (queries document, distance to wall, all walls
# near a position).

from onepath.mesh._filter_table cimport FilterTable
from onepath.mesh._mesh cimport MeshState
from onepath.mesh._surface cimport Vector
from onepath.query._area_search cimport AreaState


cdef struct NearWall:
    bint found
    double squared_distance
    Vector point             # on the wall, nearest to the centre
    double normal_x          # from there towards the centre
    double normal_z
    int slot
    int polygon
    int edge
    double fraction          # along the edge, where the point lies


cdef struct WallPiece:
    Vector start             # in the polygon's winding
    Vector end
    double squared_distance
    int slot
    int polygon
    int edge


cdef struct WallBuffer:
    WallPiece* pieces        # in the order met; `order` holds those wanted, nearest first
    int count
    int capacity
    int* order
    int order_capacity


# Both look at the polygons that the circle search has expanded so far.
cdef void nearest_wall(
    const AreaState* area, const MeshState* mesh, const FilterTable* table, NearWall* wall
) noexcept nogil
# Fills the buffer and sorts it, nearest first: 0, or -1 without memory. The search has come to its end.
cdef int collect_walls(
    AreaState* area, const MeshState* mesh, const FilterTable* table, WallBuffer* walls
) noexcept nogil
cdef void free_walls(WallBuffer* walls) noexcept nogil
