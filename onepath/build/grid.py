"""The grid of tiles over a level: where each tile lies, and the rows that all of them share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import LARGEST_COORDINATE, MOST_GRID_ROWS
from onepath.build.settings import BakeSettings, CellSettings
from onepath.errors import RangeError

__all__ = ["TileGrid"]

MOST_TILES = 2**20
#: Columns and rows of tiles lie within plus and minus this.
LARGEST_TILE_CELL = 2**28


@dataclass(frozen=True, kw_only=True)
class TileGrid:
    """A rectangle of grid cells and the rows all its tiles share.

    Every tile's low corner is a whole multiple of `tile_size` in X and Z and lies at `vertical_origin` in Y, so both
    sides of a border have the same world coordinates, bit for bit.

    Attributes:
        cells: the bake's settings in whole cells.
        tile_size: side of a tile, metres.
        vertical_origin: world height of row 0.
        height_rows: rows of every tile's heightfield.
        first_column, first_row, last_column, last_row: the rectangle, inclusive.
    """

    cells: CellSettings
    tile_size: float
    vertical_origin: float
    height_rows: int
    first_column: int
    first_row: int
    last_column: int
    last_row: int

    @classmethod
    def over(cls, settings: BakeSettings, low: NDArray[np.float64], high: NDArray[np.float64]) -> TileGrid:
        """The grid that covers a box given by its low and high corner, (3,) metres each.

        Raises:
            RangeError: the box is too tall for the cell height, too wide or too far out for the tile size, or its tiles
                reach 2**21 metres from zero, or its rows reach beyond.
        """
        cells = settings.cells
        tile, row = cells.tile_size, cells.cell_height
        origin = (math.floor(float(low[1]) / row) - 1) * row
        rows = math.ceil((float(high[1]) - origin) / row) + 1
        if rows > MOST_GRID_ROWS:
            raise RangeError(
                f"the level is {high[1] - low[1]:g} metres tall: {rows} rows of {row:g} metres, "
                f"more than {MOST_GRID_ROWS}"
            )
        if origin < -LARGEST_COORDINATE or origin + (rows - 1) * row >= LARGEST_COORDINATE:
            raise RangeError(
                f"the level reaches from y = {low[1]:.16g} to {high[1]:.16g}: its rows of {row:g} metres reach beyond"
                f" {LARGEST_COORDINATE:.0f} metres from zero"
            )
        first_column, last_column = _cells_along("x", tile, float(low[0]), float(high[0]))
        first_row, last_row = _cells_along("z", tile, float(low[2]), float(high[2]))
        count = (last_column - first_column + 1) * (last_row - first_row + 1)
        if count > MOST_TILES:
            raise RangeError(f"the level needs {count} tiles of {tile:g} metres, more than {MOST_TILES}")
        return cls(
            cells=cells,
            tile_size=tile,
            vertical_origin=origin,
            height_rows=rows,
            first_column=first_column,
            first_row=first_row,
            last_column=last_column,
            last_row=last_row,
        )

    @property
    def columns(self) -> int:
        """Tiles along X."""
        return self.last_column - self.first_column + 1

    @property
    def rows(self) -> int:
        """Tiles along Z."""
        return self.last_row - self.first_row + 1

    @property
    def tile_count(self) -> int:
        """Grid cells in the rectangle, each a tile."""
        return self.columns * self.rows

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """(first column, first row, last column, last row), inclusive."""
        return (self.first_column, self.first_row, self.last_column, self.last_row)

    @property
    def padding(self) -> float:
        """Width of the strip around a tile whose triangles it needs, metres."""
        return self.cells.padding * self.cells.cell_size

    def tiles(self) -> Iterator[tuple[int, int]]:
        """(column, row) of every tile, row by row."""
        for row in range(self.first_row, self.last_row + 1):
            for column in range(self.first_column, self.last_column + 1):
                yield column, row


def _cells_along(axis: str, tile: float, low: float, high: float) -> tuple[int, int]:
    """The first and last grid cell along an axis, all within the world and what a tile's bytes can count."""
    first, last = math.floor(low / tile), math.floor(high / tile)
    reach = f"the level reaches from {axis} = {low:.16g} to {high:.16g}"
    if first * tile <= -LARGEST_COORDINATE or (last + 1) * tile >= LARGEST_COORDINATE:
        raise RangeError(
            f"{reach}: its tiles of {tile:g} metres reach {LARGEST_COORDINATE:.0f} metres from zero, "
            "where positions end"
        )
    if first < -LARGEST_TILE_CELL or last > LARGEST_TILE_CELL:
        raise RangeError(
            f"{reach}: tiles of {tile:g} metres lie more than {LARGEST_TILE_CELL} tiles from zero; choose larger tiles"
        )
    return first, last
