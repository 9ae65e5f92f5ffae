"""The grid that ready polygons are put on: which tiles, and the lattice on which their corners are exact float32.

Local coordinates of a tile are float32 from 0 to the tile size, so every multiple of 2**-24 of a tile size that is a
power of two is one of them exactly. All corners are put on that lattice once; what follows (joining, cutting)
computes in whole lattice steps and gives equal numbers on both sides of a tile border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import LARGEST_COORDINATE, LEAST_CELL, MOST_GRID_ROWS
from onepath.build.settings import AgentShape
from onepath.mesh.settings import MeshSettings

__all__ = ["STEPS", "TOLERANCE", "Lattice"]

#: Lattice steps along a tile's side.
STEPS = 2**24
#: Steps by which a point may lie beside a line and count as on it: 2**-20 of the tile size.
TOLERANCE = 16
#: A tile may be so many times larger than it need be if that spares cutting polygons at tile borders.
LARGER = (1.0, 2.0, 4.0)
#: Columns beyond this would not fit a tile's header.
MAX_COLUMN = 2**27


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where polygons lie on the grid.

    Attributes:
        tile_size: a power of two, metres.
        vertical_origin: world height of tile-local height 0, a whole number of metres.
        rise: greatest height above it.
    """

    tile_size: float
    vertical_origin: float
    rise: float

    @classmethod
    def around(cls, points: NDArray[np.float64]) -> Lattice:
        """One tile for all points if a size up to 8 times their extent allows it, else up to four around a corner.

        The largest tiles are as wide as positions reach to each side of zero: around that, four hold every position.
        """
        low, high = points.min(axis=0), points.max(axis=0)
        origin = float(math.floor(low[1]))
        least = max(float(np.abs(points[:, [0, 2]]).max()) / MAX_COLUMN, LEAST_CELL)
        size = min(_power_above(max(float(high[0] - low[0]), float(high[2] - low[2]), least)), LARGEST_COORDINATE)
        for factor in LARGER:
            if all(_in_one_tile(float(low[axis]), float(high[axis]), factor * size) for axis in (0, 2)):
                return cls(factor * size, origin, float(high[1]) - origin)
        return cls(size, origin, float(high[1]) - origin)

    @property
    def step(self) -> float:
        """Metres between neighbouring lattice points."""
        return self.tile_size / STEPS

    def steps(self, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """(n, 2) whole steps along X and Z of (n, 3) world points, rounded to the nearest that positions may have."""
        most = math.ceil(LARGEST_COORDINATE / self.step) - 1
        return np.clip(np.rint(points[:, [0, 2]] / self.step), -most, most).astype(np.int64)

    def heights(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Heights above the vertical origin as a tile stores them."""
        return (points[:, 1] - self.vertical_origin).astype(np.float32).astype(np.float64)

    def settings(self, agent: AgentShape) -> MeshSettings:
        """Mesh settings of this grid: cells of a quarter metre, finer in a small tile and coarser in a huge one."""
        cell = max(min(0.25, self.tile_size / 64), self.tile_size / 2**20, LEAST_CELL)
        return MeshSettings(
            agent=agent,
            cell_size=cell,
            cell_height=cell / 2 if cell > LEAST_CELL else cell,
            tile_cells=round(self.tile_size / cell),
            vertical_origin=self.vertical_origin,
            rows=min(MOST_GRID_ROWS, math.ceil(self.rise / (cell / 2)) + 1),
        )


def _power_above(extent: float) -> float:
    """The least power of two that is not smaller."""
    mantissa, exponent = math.frexp(extent)
    return math.ldexp(1.0, exponent - 1 if mantissa == 0.5 else exponent)


def _in_one_tile(low: float, high: float, size: float) -> bool:
    return high <= (math.floor(low / size) + 1) * size and size <= LARGEST_COORDINATE
