# Polygons as flat arrays, which the stages behind them read.


# The polygons of one tile, borrowed for the call.
cdef struct PolygonArrays:
    int vertex_count, polygon_count, region_count
    const int* vertex_x          # (vertex_count) cells from the square's low corner
    const int* vertex_y          # (vertex_count) rows
    const int* vertex_z          # (vertex_count)
    const int* offset            # (polygon_count + 1)
    const int* vertex            # (corners)
    const int* neighbour         # (corners) polygon or -1
    const int* border_side       # (corners) side or -1
    const int* region            # (polygon_count)
