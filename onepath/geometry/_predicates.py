"""Exact geometric predicates, callable from Python."""

import cython
from cython.cimports.onepath.geometry._exact import orientation as exact_sign


def orientation(a: object, b: object, c: object) -> int:
    """1 if the turn a, b, c in (x, z) is counter-clockwise seen from above, -1 if clockwise, 0 if collinear; exact.

    >>> orientation((0, 0), (0, 1), (1, 1))
    1
    """
    ax, az = a
    bx, bz = b
    cx, cz = c
    sign: cython.double = exact_sign(ax, az, bx, bz, cx, cz)
    return (sign > 0) - (sign < 0)
