"""The checksum of tiles and navmesh files, for whoever writes such bytes by other means than ours."""

import cython
from cython.cimports.libc.stdint import uintptr_t
from cython.cimports.onepath.mesh._checksum import checksum

from onepath.errors import ArgumentError


def checksum_of(data: object) -> int:
    """XXH64 with seed 0 of bytes or another contiguous buffer, whose length must be a multiple of 8.

    Raises:
        ArgumentError: the length is not a multiple of 8.

    >>> hex(checksum_of(b""))
    '0xef46db3751d8e999'
    """
    view: cython.const[cython.uchar][::1] = memoryview(data).cast("B")
    size: cython.Py_ssize_t = view.shape[0]
    if size & 7:
        raise ArgumentError(f"data has {size} bytes, not a multiple of 8")
    if size == 0:
        return checksum(cython.NULL, 0)
    if cython.cast(uintptr_t, cython.address(view[0])) & 7:
        return checksum_of(bytes(view))
    return checksum(cython.address(view[0]), size)
