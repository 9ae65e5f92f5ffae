from typing import final

import numpy as np
from numpy.typing import NDArray

from onepath.build._contours import ContourSet
from onepath.build._polymesh import PolyMesh

@final
class DetailMesh:
    __match_args__: tuple[str, ...]
    @property
    def offsets(self) -> NDArray[np.int32]: ...
    @property
    def triangles(self) -> NDArray[np.int32]: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def largest_error(self) -> float: ...

def build_detail(contours: ContourSet, polygons: PolyMesh, *, sample_distance: int, max_error: float) -> DetailMesh: ...
