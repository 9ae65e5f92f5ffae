"""Connected pieces of anything joined in pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["least_joined"]


def least_joined(count: int, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """For each of `count` things the least one that pairs (a, b) join it with, over however many steps."""
    least = np.arange(count)
    while True:
        low, high = np.minimum(least[a], least[b]), np.maximum(least[a], least[b])
        apart = low < high
        if not apart.any():
            return least
        np.minimum.at(least, high[apart], low[apart])
        while (further := least[least] < least).any():
            least[further] = least[least[further]]
