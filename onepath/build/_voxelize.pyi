from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from onepath.build._spans import SolidHeightfield

def rasterize_triangles(
    field: SolidHeightfield,
    vertices: NDArray[Any] | Sequence[Sequence[float]],
    triangles: NDArray[Any] | Sequence[Sequence[int]] | Sequence[int],
    areas: NDArray[Any] | Sequence[int] | None = None,
    *,
    slope_cosine: float = ...,
    merge_threshold: int = ...,
    classify: bool = True,
) -> None: ...
def rasterize_height_grid(
    field: SolidHeightfield,
    heights: NDArray[Any] | Sequence[Sequence[float]],
    spacing: float,
    origin: Sequence[float] = (0.0, 0.0),
    areas: NDArray[Any] | Sequence[int] | None = None,
    *,
    slope_cosine: float = ...,
    merge_threshold: int = ...,
    classify: bool = True,
) -> None: ...
