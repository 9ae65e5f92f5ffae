import os
from collections.abc import Iterable, Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from onepath.build.report import BakeReport
from onepath.explaining import PathExplanation
from onepath.io.partition import ImportReport
from onepath.io.polygons import Polygons
from onepath.mesh import navmesh
from onepath.mesh.tier import Limits, Tier
from onepath.pictures import MeshTriangles, TopDown, What
from onepath.query._corridor_check import CorridorCheck
from onepath.query._filter import QueryFilter
from onepath.query._island_list import Island
from onepath.query._paths import Path
from onepath.query._random import SeededRandom
from onepath.query._reach import NearestGoal, ReachableArea
from onepath.query._results import Corridor, NavPoint
from onepath.query._trace_results import RaycastHit
from onepath.query.status import PathStatus

Position = NavPoint | Sequence[float] | NDArray[np.floating[Any]]
Positions = Position | Iterable[Position]

@final
class PathSearch:
    @property
    def status(self) -> PathStatus: ...
    @property
    def path(self) -> Path | None: ...
    @property
    def iterations(self) -> int: ...
    def update(self, iterations: int) -> PathStatus: ...
    def finish(self) -> Path: ...
    def cancel(self) -> None: ...

class NavMesh(navmesh.NavMesh):
    """`onepath.mesh.NavMesh` with the methods that this module attaches; at run time one and the same class."""

    report: BakeReport | ImportReport | None

    @classmethod
    def from_polygons(
        cls,
        vertices: ArrayLike,
        polygons: Polygons,
        areas: ArrayLike | None = None,
        flags: ArrayLike | None = None,
        max_climb: float = 0.5,
    ) -> Self: ...
    @property
    def snap_reach(self) -> tuple[float, float, float]: ...
    def check_corridor(
        self, corridor: Corridor | Sequence[int] | NDArray[np.int64], filter: QueryFilter | None = None
    ) -> CorridorCheck: ...
    @property
    def default_filter(self) -> QueryFilter: ...
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
    def begin_path(
        self,
        start: Position,
        end: Position,
        filter: QueryFilter | None = None,
        *,
        exact: bool = False,
        max_cost: float | None = None,
        toward_unloaded: bool = False,
        partial: bool = True,
    ) -> PathSearch: ...
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
    def snap(
        self,
        position: Position,
        *,
        up: float | None = None,
        down: float | None = None,
        horizontal: float | None = None,
        island: Island | None = None,
        filter: QueryFilter | None = None,
    ) -> NavPoint: ...
    def islands(self, filter: QueryFilter | None = None) -> tuple[Island, ...]: ...
    def island_of(self, position: Position, filter: QueryFilter | None = None) -> Island | None: ...
    def is_reachable(self, start: Position, end: Position, filter: QueryFilter | None = None) -> bool: ...
    def explain(self, start: Position, end: Position, filter: QueryFilter | None = None) -> PathExplanation: ...
    def distance(
        self, start: Position, end: Position, filter: QueryFilter | None = None, *, max_cost: float | None = None
    ) -> float: ...
    def distances(
        self, start: Position, points: Positions, filter: QueryFilter | None = None, *, max_cost: float | None = None
    ) -> NDArray[np.float64]: ...
    def nearest_of(
        self, start: Position, goals: Positions, filter: QueryFilter | None = None, *, max_cost: float | None = None
    ) -> NearestGoal: ...
    def reachable_within(
        self, start: Position, max_cost: float, filter: QueryFilter | None = None
    ) -> ReachableArea: ...
    def raycast(self, start: Position, end: Position, filter: QueryFilter | None = None) -> RaycastHit: ...
    def move(self, position: Position, delta: Position, filter: QueryFilter | None = None) -> NavPoint: ...
    def height_at(self, position: Position, filter: QueryFilter | None = None) -> float | None: ...
    def wall_distance(
        self, position: Position, radius: float | None = None, filter: QueryFilter | None = None
    ) -> float | None: ...
    def random_point(
        self, *, seed: SeededRandom | int | np.random.Generator, filter: QueryFilter | None = None
    ) -> NavPoint: ...
    def random_points(
        self, count: int, *, seed: SeededRandom | int | np.random.Generator, filter: QueryFilter | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    def drop(
        self,
        position: Position,
        *,
        down: float | None = None,
        up: float | None = None,
        filter: QueryFilter | None = None,
    ) -> NavPoint: ...
    def top_down(
        self,
        resolution: float,
        what: What = "walkable",
        *,
        ceiling: float | None = None,
        filter: QueryFilter | None = None,
    ) -> TopDown: ...
    def triangles(self) -> MeshTriangles: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, tier: Tier = ..., limits: Limits | None = None, mmap: bool = False
    ) -> Self: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(
        cls, data: bytes | bytearray | memoryview, *, tier: Tier = ..., limits: Limits | None = None
    ) -> Self: ...
