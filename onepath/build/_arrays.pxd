# What kernels leave in buffers, as arrays for Python.

# A new int32 array of `count` values.
cdef object int_array(const int* data, Py_ssize_t count)
