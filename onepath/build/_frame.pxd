# The grid that a piece of the world is voxelized in.


cdef struct Frame:
    double origin_x, origin_y, origin_z   # world position of the corner of cell (0, 0), row 0
    float cell_size                       # edge of a cell in x and z, metres
    float cell_height                     # height of a row, metres
    int width, depth, rows                # cells in x, cells in z, rows; a column is x + z * width


cdef class HeightfieldFrame:
    cdef Frame frame
