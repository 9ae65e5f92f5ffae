from collections.abc import Sequence
from typing import Any, final

from numpy.typing import NDArray

@final
class HeightfieldFrame:
    __match_args__ = ("origin", "cell_size", "cell_height", "width", "depth", "rows")
    def __new__(
        cls,
        origin: Sequence[float] | NDArray[Any],
        cell_size: float,
        cell_height: float,
        width: int,
        depth: int,
        rows: int,
    ) -> HeightfieldFrame: ...
    @staticmethod
    def from_bounds(
        low: Sequence[float] | NDArray[Any],
        high: Sequence[float] | NDArray[Any],
        cell_size: float,
        cell_height: float,
    ) -> HeightfieldFrame: ...
    @property
    def origin(self) -> tuple[float, float, float]: ...
    @property
    def cell_size(self) -> float: ...
    @property
    def cell_height(self) -> float: ...
    @property
    def width(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def rows(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
