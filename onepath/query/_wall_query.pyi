from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.query._area_query import AreaQuery
from onepath.query._filter import QueryFilter
from onepath.query._query_core import Position
from onepath.query._wall_results import NearestWall, WallSegments
from onepath.query.batch_results import NearestWalls

class WallQuery(AreaQuery):
    def distance_to_wall(
        self, start_ref: int, center: Position, radius: float, filter: QueryFilter | None = None
    ) -> NearestWall: ...
    def distances_to_wall(
        self,
        start_refs: Sequence[int] | NDArray[np.int64] | int,
        centers: ArrayLike,
        radii: ArrayLike,
        filter: QueryFilter | None = None,
        *,
        threads: int = 1,
    ) -> NearestWalls: ...
    def finish_distance_to_wall(self) -> NearestWall: ...
    def find_walls(
        self,
        start_ref: int,
        center: Position,
        radius: float,
        filter: QueryFilter | None = None,
        *,
        out: NDArray[np.float64] | None = None,
        polygons_out: NDArray[np.int64] | None = None,
        distances_out: NDArray[np.float64] | None = None,
        edges_out: NDArray[np.int32] | None = None,
    ) -> WallSegments: ...
