from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from onepath.build._spans import SolidHeightfield

@final
class VoxelChunk:
    def __new__(
        cls,
        width: int,
        depth: int,
        height: int,
        first: NDArray[Any] | Sequence[int],
        runs: NDArray[Any] | Sequence[Sequence[int]],
    ) -> VoxelChunk: ...
    @staticmethod
    def from_dense(materials: NDArray[Any] | Sequence[Sequence[Sequence[int]]]) -> VoxelChunk: ...
    @property
    def width(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def column_first(self) -> NDArray[np.int32]: ...
    @property
    def runs(self) -> NDArray[np.int32]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def add_chunk(
    field: SolidHeightfield,
    chunk: VoxelChunk,
    offset: Sequence[int] = (0, 0, 0),
    material_areas: NDArray[Any] | Sequence[int] | None = None,
) -> None: ...
