"""One committed tile as read-only arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from onepath.build._arrays import frozen
from onepath.mesh._core import MeshCore
from onepath.mesh._link_reading import slot_links
from onepath.mesh._reading import first_reference, slot_areas, slot_flags, slot_numbers, slot_volumes, tile_in_slot
from onepath.mesh._tile import Tile

__all__ = ["TileView"]


class TileView:
    """A committed tile as it was when asked for. All arrays are read-only and outlive the tile.

    What the tile's bytes hold is shared with them; areas, flags and links are copies.

    Attributes:
        column, row, layer: its place in the grid.
        slot, generation: what references to its polygons carry.
        origin: world position of tile-local zero.
        frontier_sides: sides (0 -x, 1 +z, 2 +x, 3 -z) that face a cell whose tile is not committed.
        areas: (polygons) uint8.
        flags: (polygons) uint16.
        volumes: (polygons) uint16, which of the mesh's `volume_names` marked each, counted from 1; 0 for none.
        links: (n) records in link order: polygon by polygon the portals to other tiles, then the off-mesh links by id.
            Each has polygon, target (a reference), kind, edge, range_min, range_max (1/255 of the edge from its first
            corner), and id, crossing, backward, flags, area, cost, enabled, start, end. A portal has kind 255, id 0 and
            start and end 0; an off-mesh link has edge -1, its LinkKind, and start and end where it snapped, as
            crossed from this polygon.
    """

    __slots__ = (
        "_tile",
        "areas",
        "column",
        "flags",
        "frontier_sides",
        "generation",
        "layer",
        "links",
        "origin",
        "row",
        "slot",
        "volumes",
    )

    def __init__(self, mesh: MeshCore, slot: int) -> None:
        tile = tile_in_slot(mesh, slot)
        assert tile is not None, "views are made of used slots"
        self._tile: Tile = tile
        self.column, self.row, self.layer, self.slot = tile.column, tile.row, tile.layer, slot
        self.generation, frontier, self.origin = slot_numbers(mesh, slot)
        self.frontier_sides = tuple(side for side in range(4) if frontier >> side & 1)
        self.areas = frozen(slot_areas(mesh, slot))
        self.flags = frozen(slot_flags(mesh, slot))
        self.volumes = frozen(slot_volumes(mesh, slot))
        self.links = frozen(slot_links(mesh, slot))

    @property
    def tile(self) -> Tile:
        """The tile as it was staged; its areas and flags are those it started with."""
        return self._tile

    @property
    def polygon_count(self) -> int:
        """Polygons of the tile."""
        return self._tile.polygon_count

    @property
    def references(self) -> NDArray[np.int64]:
        """References of the polygons, (polygons) int64."""
        first = first_reference(self.generation, self.slot)
        return frozen(first + np.arange(self.polygon_count, dtype=np.int64))

    @property
    def vertices(self) -> NDArray[np.float32]:
        """(n, 3) float32, relative to `origin`."""
        return self._tile.section("vertices")

    @property
    def polygon_offsets(self) -> NDArray[np.int32]:
        """(polygons + 1): polygon i has the edges from polygon_offsets[i] to polygon_offsets[i + 1]."""
        return self._tile.section("polygon_offsets")

    @property
    def polygon_vertices(self) -> NDArray[np.int32]:
        """(edges): the vertex at which each edge begins, counter-clockwise seen from above."""
        return self._tile.section("polygon_vertices")

    @property
    def polygon_neighbours(self) -> NDArray[np.int32]:
        """(edges): the polygon of this tile behind each edge, or -1."""
        return self._tile.section("polygon_neighbours")

    @property
    def border_sides(self) -> NDArray[np.int8]:
        """(edges): the side of the tile that each edge lies on and leads across, or -1."""
        return self._tile.section("border_sides")

    @property
    def detail_offsets(self) -> NDArray[np.int32] | None:
        """(polygons + 1) into `detail_triangles`; None without detail, as the two below."""
        return self._detail("detail_offsets")

    @property
    def detail_triangles(self) -> NDArray[np.int32] | None:
        """(m, 3): an index below the number of `vertices` names one, others `detail_vertices`."""
        return self._detail("detail_triangles")

    @property
    def detail_vertices(self) -> NDArray[np.float32] | None:
        """(k, 3) float32, relative to `origin`."""
        return self._detail("detail_vertices")

    def _detail(self, name: str) -> NDArray[Any] | None:
        return self._tile.section(name) if self._tile.has_detail else None

    def __repr__(self) -> str:
        return (
            f"TileView(column={self.column}, row={self.row}, layer={self.layer}, slot={self.slot}, "
            f"generation={self.generation}, polygons={self.polygon_count}, links={len(self.links)})"
        )
