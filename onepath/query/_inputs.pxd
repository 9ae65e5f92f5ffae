# What users pass, read at the door of every query. Errors name the argument, its value and the allowed range.

from onepath.mesh._surface cimport Vector

# A position: any sequence of three floats.
cdef int read_position(object position, str name, Vector* out) except -1

# Metres, 0 or more.
cdef double read_length(object value, str name) except -1

# What may cost no more, 0 or more; infinite where that is asked for, or None.
cdef double read_limit(object value, str name) except -1

cdef enum:
    LARGEST_RADIUS = 4194304     # metres; from one end of the world to the other

# Metres, 0 to LARGEST_RADIUS.
cdef double read_radius(object value, str name) except -1

# How many threads a batch is to run on.
cdef int read_threads(object value) except -1

cdef long long whole_number(object value, str name, long long low, long long high) except? -1
