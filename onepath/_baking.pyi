import numpy as np
from numpy.typing import NDArray

from onepath.build._tile import TileBaker
from onepath.build.grid import TileGrid
from onepath.mesh import MeshSettings, Tile

class TileWriter:
    def __new__(cls, baker: TileBaker, grid: TileGrid, settings: MeshSettings) -> TileWriter: ...
    def tile(self, column: int, row: int, chosen: NDArray[np.int32]) -> Tile: ...
