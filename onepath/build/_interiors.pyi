import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.build._spans import SolidHeightfield

def remove_solid_interiors(field: SolidHeightfield, vertices: ArrayLike, triangles: ArrayLike) -> tuple[int, ...]: ...
def clear_closed_surfaces(
    field: SolidHeightfield, vertices: NDArray[np.float64], triangles: NDArray[np.int32], surfaces: NDArray[np.int32]
) -> None: ...
