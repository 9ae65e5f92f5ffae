from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.query._area_results import AreaPolygons
from onepath.query._filter import QueryFilter
from onepath.query._path_query import PathQuery
from onepath.query._query_core import Position
from onepath.query.status import AreaSearchStatus

class AreaQuery(PathQuery):
    def find_polygons_in_circle(
        self,
        start_ref: int,
        center: Position,
        radius: float,
        filter: QueryFilter | None = None,
        *,
        out: NDArray[np.int64] | None = None,
        parents_out: NDArray[np.int64] | None = None,
        distances_out: NDArray[np.float64] | None = None,
    ) -> AreaPolygons: ...
    def find_polygons_in_shape(
        self,
        start_ref: int,
        points: Sequence[Position] | NDArray[np.float64],
        filter: QueryFilter | None = None,
        *,
        out: NDArray[np.int64] | None = None,
        parents_out: NDArray[np.int64] | None = None,
        distances_out: NDArray[np.float64] | None = None,
    ) -> AreaPolygons: ...
    def find_local_neighbourhood(
        self,
        start_ref: int,
        center: Position,
        radius: float,
        filter: QueryFilter | None = None,
        *,
        out: NDArray[np.int64] | None = None,
        parents_out: NDArray[np.int64] | None = None,
        distances_out: NDArray[np.float64] | None = None,
    ) -> AreaPolygons: ...
    def begin_area_search(
        self,
        start_ref: int,
        center: Position | None = None,
        radius: float | None = None,
        *,
        points: Sequence[Position] | NDArray[np.float64] | None = None,
        neighbourhood: bool = False,
        filter: QueryFilter | None = None,
    ) -> AreaSearchStatus: ...
    def update_area_search(self, max_iterations: int) -> AreaSearchStatus: ...
    def finish_area_search(
        self,
        *,
        out: NDArray[np.int64] | None = None,
        parents_out: NDArray[np.int64] | None = None,
        distances_out: NDArray[np.float64] | None = None,
    ) -> AreaPolygons: ...
