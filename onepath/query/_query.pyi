from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.mesh._core import MeshCore
from onepath.query._corridor_query import CorridorQuery
from onepath.query._filter import QueryFilter
from onepath.query._paths import Path
from onepath.query._query_core import Position
from onepath.query._results import NearestPolygon
from onepath.query.batch_results import NearestPolygons, Paths
from onepath.query.status import NodeModel

Extents = Sequence[float] | NDArray[np.floating[Any]]

@final
class NavMeshQuery(CorridorQuery):
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
        partial: bool = True,
        iterations_per_slice: int = 256,
    ) -> Path: ...
    def find_paths(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        filter: QueryFilter | None = None,
        *,
        exact: bool = False,
        max_cost: float | None = None,
        toward_unloaded: bool = False,
        partial: bool = True,
        threads: int = 1,
    ) -> Paths: ...
    def are_on_mesh(
        self,
        positions: ArrayLike,
        tolerance: float | None = None,
        filter: QueryFilter | None = None,
        *,
        threads: int = 1,
    ) -> NDArray[np.bool_]: ...
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
