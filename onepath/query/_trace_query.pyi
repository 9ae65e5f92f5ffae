import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.query._filter import QueryFilter
from onepath.query._query_core import Position, QueryCore
from onepath.query._trace_results import RaycastHit, SurfaceMove
from onepath.query.batch_results import RaycastHits, SurfaceMoves

class TraceQuery(QueryCore):
    def raycast(
        self,
        start_ref: int,
        start: Position,
        end: Position,
        filter: QueryFilter | None = None,
        *,
        out: NDArray[np.int64] | None = None,
    ) -> RaycastHit: ...
    def move_along_surface(
        self,
        start_ref: int,
        start: Position,
        end: Position,
        filter: QueryFilter | None = None,
        *,
        slides: int = 1,
        out: NDArray[np.int64] | None = None,
    ) -> SurfaceMove: ...
    def raycasts(
        self,
        start_refs: ArrayLike,
        starts: ArrayLike,
        ends: ArrayLike,
        filter: QueryFilter | None = None,
        *,
        threads: int = 1,
    ) -> RaycastHits: ...
    def move_along_surfaces(
        self,
        start_refs: ArrayLike,
        starts: ArrayLike,
        ends: ArrayLike,
        filter: QueryFilter | None = None,
        *,
        slides: int = 1,
        threads: int = 1,
    ) -> SurfaceMoves: ...
