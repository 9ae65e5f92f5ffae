"""What all tiles of a mesh share: the grid they lie on and the agent they are made for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from onepath.build.arguments import (
    LARGEST_CELL,
    LARGEST_COORDINATE,
    LEAST_CELL,
    MOST_GRID_ROWS,
    coordinate,
    number_between,
    whole_number,
)
from onepath.build.grid import TileGrid
from onepath.build.settings import WHERE_AGENT_FIELDS_ARE, AgentShape
from onepath.errors import ArgumentError, RangeError
from onepath.names import checks_fields

__all__ = ["MeshSettings"]

MOST_TILE_CELLS = 2**20


@checks_fields(WHERE_AGENT_FIELDS_ARE)
@dataclass(frozen=True, kw_only=True, slots=True)
class MeshSettings:
    """The grid of a tiled mesh and its agent. Every tile records them, and a mesh takes only tiles that agree.

    Attributes:
        agent: the body the mesh is for; `max_climb` decides which floors join across tile borders.
        cell_size: edge of a cell in X and Z, metres, 2**-20 to 2**20; rounded to float32.
        cell_height: height of a row, metres, the same range and rounding.
        tile_cells: cells along a tile's side, 1 to 2**20.
        vertical_origin: world height of row 0 and of tile-local height 0, metres.
        rows: rows of the grid above it, 1 to 65535; rebuilt tiles are voxelized with them.

    Raises:
        ArgumentError, RangeError: naming field, value and range.

    >>> MeshSettings(cell_size=0.5, tile_cells=16).tile_size
    8.0
    """

    agent: AgentShape = field(default_factory=AgentShape)
    cell_size: float = 0.25
    cell_height: float = 0.125
    tile_cells: int = 48
    vertical_origin: float = 0.0
    rows: int = MOST_GRID_ROWS

    def __post_init__(self) -> None:
        if not isinstance(self.agent, AgentShape):
            raise ArgumentError(f"MeshSettings.agent is {self.agent!r}, not an AgentShape")
        put = object.__setattr__
        for name in ("cell_size", "cell_height"):
            number = number_between(f"MeshSettings.{name}", getattr(self, name), LEAST_CELL, LARGEST_CELL)
            put(self, name, float(np.float32(number)))
        put(self, "tile_cells", whole_number("MeshSettings.tile_cells", self.tile_cells, 1, MOST_TILE_CELLS))
        origin = coordinate("MeshSettings.vertical_origin", self.vertical_origin)
        put(self, "vertical_origin", origin + 0.0)  # -0.0 would make equal settings differ in their bytes
        put(self, "rows", whole_number("MeshSettings.rows", self.rows, 1, MOST_GRID_ROWS))
        if self.tile_size > LARGEST_COORDINATE:
            raise RangeError(
                f"MeshSettings: tile_cells * cell_size is {self.tile_size!r} m, more than {LARGEST_COORDINATE:g} m"
            )

    @property
    def tile_size(self) -> float:
        """Side of a tile in metres: the float32 product of cells and cell size, as a double."""
        return float(np.float32(self.tile_cells) * np.float32(self.cell_size))

    @classmethod
    def of_grid(cls, agent: AgentShape, grid: TileGrid) -> MeshSettings:
        """What the tiles of a baked grid record."""
        return cls(
            agent=agent,
            cell_size=grid.cells.cell_size,
            cell_height=grid.cells.cell_height,
            tile_cells=grid.cells.tile_cells,
            vertical_origin=grid.vertical_origin,
            rows=grid.height_rows,
        )
