from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.mesh._core import MeshCore
from onepath.query._debug_query import DebugQuery
from onepath.query._filter import QueryFilter
from onepath.query._paths import Path, StraightPath
from onepath.query._query_core import Position
from onepath.query._results import Corridor, NearestPolygon
from onepath.query.batch_results import NearestPolygons
from onepath.query.status import NodeModel, PathStatus

Extents = Sequence[float] | NDArray[np.floating[Any]]

@final
class NavMeshQuery(DebugQuery):
    def __init__(self, mesh: MeshCore, node_model: NodeModel = ..., *, max_nodes: int = 65536) -> None: ...
    @property
    def node_model(self) -> NodeModel: ...
    @property
    def max_nodes(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    def find_nearest_polygon(
        self, center: Position, half_extents: Extents = (2.0, 4.0, 2.0), filter: QueryFilter | None = None
    ) -> NearestPolygon: ...
    def find_nearest_polygons(
        self,
        centers: ArrayLike,
        half_extents: Extents = (2.0, 4.0, 2.0),
        filter: QueryFilter | None = None,
        *,
        threads: int = 1,
    ) -> NearestPolygons: ...
    def surface_height(self, ref: int, position: Position) -> float | None: ...
    def find_path(
        self,
        start: Position,
        end: Position,
        filter: QueryFilter | None = None,
        *,
        exact: bool = False,
        max_cost: float | None = None,
        toward_unloaded: bool = False,
        partial: bool = True,
    ) -> Path: ...
    async def find_path_async(
        self,
        start: Position,
        end: Position,
        filter: QueryFilter | None = None,
        *,
        exact: bool = False,
        max_cost: float | None = None,
        toward_unloaded: bool = False,
        iterations_per_slice: int = 256,
    ) -> Path: ...
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
    def path_distances(
        self,
        start_refs: int | Sequence[int] | NDArray[np.int64],
        starts: Extents | Sequence[Extents],
        end_refs: int | Sequence[int] | NDArray[np.int64],
        ends: Extents | Sequence[Extents],
        filter: QueryFilter | None = None,
        *,
        max_cost: float = ...,
        threads: int = 1,
    ) -> NDArray[np.float64]: ...
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
