from collections.abc import Sequence
from typing import Any, final

from numpy.typing import NDArray

from onepath.build._compact import CompactHeightfield
from onepath.geometry.areas import Areas

@final
class ConvexVolume:
    __match_args__ = ("corners", "min_y", "max_y", "area", "name")
    def __new__(
        cls,
        corners: Sequence[Sequence[float]] | NDArray[Any],
        min_y: float,
        max_y: float,
        area: int | str,
        name: str | None = None,
    ) -> ConvexVolume: ...
    @property
    def corners(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def min_y(self) -> float: ...
    @property
    def max_y(self) -> float: ...
    @property
    def area(self) -> int | str: ...
    @property
    def name(self) -> str | None: ...
    def resolved(self, areas: Areas) -> ConvexVolume: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def apply_volume(compact: CompactHeightfield, volume: ConvexVolume) -> None: ...
