from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.query._results import NavPoint

Position = NavPoint | Sequence[float] | NDArray[np.floating[Any]]

class QueryCore:
    @property
    def mesh(self) -> MeshCore: ...
