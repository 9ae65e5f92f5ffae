# The caller's arrays that a call fills instead of lists of its own: looked at before anything else is done, held until the
# call ends.

cdef enum:
    MOST_OUTPUTS = 4


cdef struct Output:
    Py_buffer view
    Py_ssize_t rows          # 0 where no array was given
    bint held


cdef struct Outputs:
    int count                # of those asked for so far
    Output[MOST_OUTPUTS] arrays


# How many of `count` rows an array takes.
cdef inline int rows_for(const Outputs* outputs, int place, int count) noexcept nogil:
    return count if count < outputs.arrays[place].rows else <int>outputs.arrays[place].rows


# Takes the next array: None, or a C-contiguous one of such numbers (a format character), `width` to a row.
cdef int take_output(Outputs* outputs, object array, str name, char kind, int width) except -1
cdef void release_outputs(Outputs* outputs) noexcept

# What a result shows of an array that it was given: its rows in use, or none where there was none.
cdef object given_rows(tuple given, int place, int count, object kind, tuple shape)
