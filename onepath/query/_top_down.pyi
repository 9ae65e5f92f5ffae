import numpy as np
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.query._filter import QueryFilter

def draw_top(
    mesh: MeshCore,
    filter: QueryFilter | None,
    heights: NDArray[np.float64],
    references: NDArray[np.int64],
    areas: NDArray[np.uint8],
    x: NDArray[np.float64],
    z: NDArray[np.float64],
    size: float,
    ceiling: float,
) -> None: ...
