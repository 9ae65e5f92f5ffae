"""What kernels leave in buffers, as arrays for Python."""

import cython
import numpy as np
from cython.cimports.libc.string import memcpy


@cython.cfunc
def int_array(data: cython.pointer[cython.const[cython.int]], count: cython.Py_ssize_t) -> object:
    array = np.empty(count, dtype=np.int32)
    view: cython.int[::1] = array
    if count > 0:
        memcpy(cython.address(view[0]), data, cython.cast(cython.size_t, count) * cython.sizeof(cython.int))
    return array
