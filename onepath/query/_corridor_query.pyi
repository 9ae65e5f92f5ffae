from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.query._debug_query import DebugQuery
from onepath.query._filter import QueryFilter
from onepath.query._paths import StraightPath
from onepath.query._query_core import Position
from onepath.query._results import Corridor
from onepath.query.status import PathStatus

class CorridorQuery(DebugQuery):
    def begin_path(
        self, start_ref: int, start: Position, end_ref: int, end: Position, *, filter: QueryFilter | None = None
    ) -> PathStatus: ...
    def update_path(self, max_iterations: int) -> PathStatus: ...
    def finish_path(
        self, *, out: NDArray[np.int64] | None = None, crossings_out: NDArray[np.int32] | None = None
    ) -> Corridor: ...
    def find_corridor(
        self,
        start_ref: int,
        start: Position,
        end_ref: int,
        end: Position,
        *,
        filter: QueryFilter | None = None,
        out: NDArray[np.int64] | None = None,
        crossings_out: NDArray[np.int32] | None = None,
    ) -> Corridor: ...
    def find_straight_path(
        self,
        start: Position,
        end: Position,
        corridor: Corridor | Sequence[int] | NDArray[np.int64],
        *,
        max_corners: int | None = None,
        filter: QueryFilter | None = None,
        out: NDArray[np.float64] | None = None,
        polygons_out: NDArray[np.int64] | None = None,
        marks_out: NDArray[np.uint8] | None = None,
    ) -> StraightPath: ...
