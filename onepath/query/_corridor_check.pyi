from collections.abc import Sequence
from typing import final

from numpy import int64
from numpy.typing import NDArray

from onepath.mesh._core import MeshCore
from onepath.query._filter import QueryFilter
from onepath.query._results import Corridor
from onepath.query.status import CorridorStatus

@final
class CorridorCheck:
    __match_args__ = ("standing", "status")
    @property
    def standing(self) -> int: ...
    @property
    def status(self) -> CorridorStatus: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def check_corridor(
    mesh: MeshCore, corridor: Corridor | Sequence[int] | NDArray[int64], filter: QueryFilter
) -> CorridorCheck: ...
