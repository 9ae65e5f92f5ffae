from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from onepath.build._volumes import ConvexVolume
from onepath.build.settings import CellSettings

STAGE_NAMES: tuple[str, ...]

class TileBaker:
    def __new__(
        cls,
        vertices: NDArray[np.float64],
        triangles: NDArray[np.int32],
        areas: NDArray[np.uint8] | None,
        solids: tuple[NDArray[np.int32], NDArray[np.int32]] | None,
        rules: CellSettings,
        classify: bool,
        volumes: Sequence[ConvexVolume],
        marks: Sequence[int],
    ) -> TileBaker: ...
    @property
    def failed_regions(self) -> int: ...
    @property
    def unresolved_contours(self) -> int: ...
    @property
    def most_floors(self) -> int: ...
    @property
    def largest_detail_error(self) -> float: ...
    @property
    def largest_detail_error_at(self) -> tuple[float, float, float] | None: ...
    @property
    def stage_seconds(self) -> dict[str, float]: ...
