"""What batched calls return: an array for every field of the single calls' answers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.query.status import AreaSearchStatus, PathStatus, RaycastStatus

__all__ = ["NearestPolygons", "NearestWalls", "Paths", "RaycastHits", "SurfaceMoves"]

STATUSES = tuple(RaycastStatus)
AREA_STATUSES = tuple(AreaSearchStatus)
PATH_STATUSES = tuple(PathStatus)


class BatchAnswers:
    """Base of all: values like the single answers, equal where every array has the same bits; arrays are read-only."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for array in self._arrays():
            array.flags.writeable = False

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = zip(self._arrays(), other._arrays(), strict=True)
        return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in pairs)

    def __hash__(self) -> int:
        return hash(tuple(array.tobytes() for array in self._arrays()))

    def __reduce__(self) -> tuple[type[BatchAnswers], tuple[NDArray[Any], ...]]:
        return type(self), self._arrays()


@dataclass(frozen=True, slots=True, eq=False)
class RaycastHits(BatchAnswers):
    """How far many rays went; row i is the answer to question i, field by field as in `RaycastHit`.

    Attributes:
        status: (n,) uint8, places in `tuple(RaycastStatus)`; `status_of(i)` is the member.
        blocked: (n,) bool.
        t: (n,) float64.
        normal: (n, 3) float64, zeros where no edge was hit.
        polygon: (n,) int64 references, 0 where the start was refused.
        edge: (n,) int32, -1 where none was hit.
        visited: int64 references, those of ray i at visited[offsets[i] : offsets[i + 1]].
        offsets: (n + 1,) int64.
    """

    status: NDArray[np.uint8]
    blocked: NDArray[np.bool_]
    t: NDArray[np.float64]
    normal: NDArray[np.float64]
    polygon: NDArray[np.int64]
    edge: NDArray[np.int32]
    visited: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"RaycastHits({len(self)} rays, {int(self.blocked.sum())} blocked)"

    def status_of(self, index: int) -> RaycastStatus:
        """The status of one ray, by its row; IndexError beyond the rows."""
        return STATUSES[int(self.status[index])]


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceMoves(BatchAnswers):
    """Where many moves came to; row i is the answer to question i, field by field as in `SurfaceMove`.

    Attributes:
        status: (n,) uint8, places in `tuple(RaycastStatus)`; `status_of(i)` is the member.
        blocked: (n,) bool.
        ref: (n,) int64 references, 0 where the start was refused.
        point: (n, 3) float64; of a refused start, the start as it was given.
        visited: int64 references, those of move i at visited[offsets[i] : offsets[i + 1]].
        offsets: (n + 1,) int64.
    """

    status: NDArray[np.uint8]
    blocked: NDArray[np.bool_]
    ref: NDArray[np.int64]
    point: NDArray[np.float64]
    visited: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"SurfaceMoves({len(self)} moves, {int(self.blocked.sum())} blocked)"

    def status_of(self, index: int) -> RaycastStatus:
        """The status of one move, by its row; IndexError beyond the rows."""
        return STATUSES[int(self.status[index])]


@dataclass(frozen=True, slots=True, eq=False)
class NearestPolygons(BatchAnswers):
    """Nearest polygons of many positions; row i is the answer to question i, field by field as in `NearestPolygon`.

    Attributes:
        ref: (n,) int64 references, 0 where none was found.
        point: (n, 3) float64, NaN where none was found.
        distance_squared: (n,) float64, infinite where none was found.
        over_polygon: (n,) bool.
    """

    ref: NDArray[np.int64]
    point: NDArray[np.float64]
    distance_squared: NDArray[np.float64]
    over_polygon: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ref)

    def __repr__(self) -> str:
        return f"NearestPolygons({len(self)} positions, {int((self.ref != 0).sum())} found)"


@dataclass(frozen=True, slots=True, eq=False)
class NearestWalls(BatchAnswers):
    """Nearest walls of many positions; row i is the answer to question i, field by field as in `NearestWall`.

    Attributes:
        status: (n,) uint8, places in `tuple(AreaSearchStatus)`; `status_of(i)` is the member.
        found: (n,) bool, whether a wall is within the radius.
        distance: (n,) float64, the radius where none was found.
        point: (n, 3) float64, NaN where none was found.
        normal: (n, 3) float64, zeros where none was found.
        polygon: (n,) int64 references, 0 where none was found.
        edge: (n,) int32, -1 where none was found.
    """

    status: NDArray[np.uint8]
    found: NDArray[np.bool_]
    distance: NDArray[np.float64]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    polygon: NDArray[np.int64]
    edge: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"NearestWalls({len(self)} positions, {int(self.found.sum())} found)"

    def status_of(self, index: int) -> AreaSearchStatus:
        """The status of one search, by its row; IndexError beyond the rows."""
        return AREA_STATUSES[int(self.status[index])]


@dataclass(frozen=True, slots=True, eq=False)
class Paths(BatchAnswers):
    """Paths between many positions; row i is the answer to question i, field by field as in `Path`.

    Attributes:
        status: (n,) uint8, places in `tuple(PathStatus)`; `status_of(i)` is the member.
        detail: (n,) uint8, places in `tuple(QueryStatus)`.
        cost: (n,) float64, of the routes searched.
        length: (n,) float64, metres along the points.
        points: (total, 3) float64, the points of all paths one behind the other.
        offsets: (n + 1,) int64: path i has points[offsets[i] : offsets[i + 1]].
    """

    status: NDArray[np.uint8]
    detail: NDArray[np.uint8]
    cost: NDArray[np.float64]
    length: NDArray[np.float64]
    points: NDArray[np.float64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"Paths({len(self)} questions, {int((self.status == 0).sum())} reached)"

    def status_of(self, index: int) -> PathStatus:
        """The status of one path, by its row; IndexError beyond the rows."""
        return PATH_STATUSES[int(self.status[index])]

    def points_of(self, index: int) -> NDArray[np.float64]:
        """The points of one path by its row, (k, 3) float64; IndexError beyond the rows."""
        row = range(len(self))[index]
        return self.points[self.offsets[row] : self.offsets[row + 1]]
