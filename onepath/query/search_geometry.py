"""What a query's last search looked at, as plain arrays for any engine to draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SearchGeometry"]


class SearchGeometry(NamedTuple):
    """What `NavMeshQuery.debug_geometry` gives. Outline i of a list has the corners offsets[i] to offsets[i + 1].

    Attributes:
        expanded: the polygons that the last search expanded, each once, in the order of expansion, (n,) int64.
        expanded_corners: corners of their outlines, (m, 3) float64, counter-clockwise seen from above.
        expanded_offsets: (n + 1,) int64 into `expanded_corners`.
        corridor: the polygons of the path or corridor asked for last, (k,) int64.
        corridor_corners, corridor_offsets: their outlines, likewise.
        line: the points of the path or straight path asked for last, (p, 3) float64.
    """

    expanded: NDArray[np.int64]
    expanded_corners: NDArray[np.float64]
    expanded_offsets: NDArray[np.int64]
    corridor: NDArray[np.int64]
    corridor_corners: NDArray[np.float64]
    corridor_offsets: NDArray[np.int64]
    line: NDArray[np.float64]
