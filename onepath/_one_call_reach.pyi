from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.query._filter import QueryFilter
from onepath.query._island_list import Island
from onepath.query._results import NavPoint

def snap_on_island(
    mesh: MeshCore, position: Sequence[float], island: Island, filter: QueryFilter, reach: float
) -> NavPoint: ...
def border_of(mesh: MeshCore, polygons: NDArray[np.int64]) -> NDArray[np.float64]: ...
