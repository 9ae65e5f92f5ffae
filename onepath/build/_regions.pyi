from typing import final

import numpy as np
from numpy.typing import NDArray

from onepath.build._compact import CompactHeightfield
from onepath.build.settings import Partition

@final
class RegionSet:
    @property
    def compact(self) -> CompactHeightfield: ...
    @property
    def count(self) -> int: ...
    @property
    def region(self) -> NDArray[np.int32]: ...
    @property
    def distance(self) -> NDArray[np.int32] | None: ...
    @property
    def partition(self) -> Partition: ...
    @property
    def padding(self) -> int: ...
    @property
    def dropped_islands(self) -> int: ...
    @property
    def dropped_spans(self) -> int: ...
    @property
    def merges(self) -> int: ...

def build_regions(
    compact: CompactHeightfield,
    *,
    partition: Partition = "watershed",
    padding: int = 0,
    min_region: int = 0,
    merge_region: int = 0,
) -> RegionSet: ...
