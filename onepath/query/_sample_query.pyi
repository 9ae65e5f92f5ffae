import numpy as np
from numpy.typing import NDArray

from onepath.query._filter import QueryFilter
from onepath.query._query_core import Position
from onepath.query._random import SeededRandom
from onepath.query._results import NavPoint
from onepath.query._wall_query import WallQuery

Randomness = SeededRandom | int | np.random.Generator

class SampleQuery(WallQuery):
    def random_point(self, rng: Randomness, filter: QueryFilter | None = None) -> NavPoint: ...
    def random_points(
        self, rng: Randomness, count: int, filter: QueryFilter | None = None, *, threads: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    def random_point_around(
        self, rng: Randomness, start_ref: int, center: Position, radius: float, filter: QueryFilter | None = None
    ) -> NavPoint: ...
    def finish_random_point_around(self, rng: Randomness) -> NavPoint: ...
