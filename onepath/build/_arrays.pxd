# What kernels leave in buffers, as arrays for Python.

from onepath.build._buffers cimport IntBuffer


# A new int32 array of `count` values.
cdef object int_array(const int* data, Py_ssize_t count)
# The reverse, for what is unpickled: the buffer's entries are those of an int32 array.
cdef int fill_ints(IntBuffer* buffer, object array) except -1
# Whether two tuples of as many arrays hold the same values.
cdef bint equal_arrays(tuple mine, tuple theirs) except -1
