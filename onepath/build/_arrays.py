"""What kernels leave in buffers, as arrays for Python."""

import cython
import numpy as np
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.build._buffers import IntBuffer, reserve_ints


@cython.cfunc
def int_array(data: cython.pointer[cython.const[cython.int]], count: cython.Py_ssize_t) -> object:
    array = np.empty(count, dtype=np.int32)
    view: cython.int[::1] = array
    if count > 0:
        memcpy(cython.address(view[0]), data, cython.cast(cython.size_t, count) * cython.sizeof(cython.int))
    return array


@cython.cfunc
@cython.exceptval(-1, check=False)
def fill_ints(buffer: cython.pointer[IntBuffer], array) -> cython.int:
    values: cython.const[cython.int][::1] = array
    count: cython.size_t = values.shape[0]
    if reserve_ints(buffer, count) < 0:
        raise MemoryError(f"no memory for {values.shape[0]} numbers")
    buffer.count = cython.cast(cython.int, count)
    if count > 0:
        memcpy(buffer.data, cython.address(values[0]), count * cython.sizeof(cython.int))
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def equal_arrays(mine: tuple, theirs: tuple) -> cython.bint:
    return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


def frozen(array):
    """The array, read-only."""
    array.flags.writeable = False
    return array
