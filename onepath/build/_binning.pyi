import numpy as np
from numpy.typing import NDArray

def bin_triangles(
    vertices: NDArray[np.float64],
    triangles: NDArray[np.int32],
    tile_size: float,
    padding: float,
    first_column: int,
    first_row: int,
    last_column: int,
    last_row: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
