# The cells of one row that a triangle touches.

from onepath.build._cells cimport Facing
from onepath.build._clipping cimport Polygon
from onepath.build._spans cimport SpanField


# Row parts with more corners than this are cut plane by plane.
cdef enum:
    FEW_CORNERS = 8


# Adds what a triangle's part in a row spans in the row's cells. Returns -1 without memory.
cdef int fill_row(SpanField* field, int row, const Polygon* polygon, const Facing* facing) noexcept nogil
