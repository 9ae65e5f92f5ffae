# Positions at the door of every query.

from onepath.query._surface cimport Vector

# Reads a position (any sequence of three floats) into out[0]; an error names the argument, the coordinate and its value.
cdef int read_position(object position, str name, Vector* out) except -1
