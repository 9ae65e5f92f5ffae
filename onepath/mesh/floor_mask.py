"""The floor that the seeds of a bake reach, kept so that tiles baked later leave out the same ground."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onepath.errors import ArgumentError
from onepath.geometry.components import least_joined
from onepath.mesh._tile import Tile, tile_of_sections
from onepath.mesh.pruning import tile_without
from onepath.mesh.settings import MeshSettings

__all__ = ["FloorMask"]

#: What a tile is stripped of: the mask asks where floor is, not what it is.
PLAIN_SECTIONS = ("vertices", "polygon_offsets", "polygon_vertices", "polygon_neighbours", "border_sides")


class _Samples(NamedTuple):
    """The cells whose centre a polygon covers, and its height there; of one that covers none, the cell of its middle.

    Attributes:
        cells: (n,) number of the cell in the tile.
        heights: (n,) above the vertical origin, metres.
        polygons: (n,) whose they are.
    """

    cells: NDArray[np.int64]
    heights: NDArray[np.float64]
    polygons: NDArray[np.int64]


class FloorMask:
    """The ground that `bake(seeds=...)` kept, as polygons without heights of detail; `mesh.floor_mask` has it.

    What it says of another bake of a tile: a piece of ground stays, joined as it is within the tile, where any of it
    lies on kept ground. It does where both cover the centre of a cell and are there no farther apart in height than
    the agent climbs, half its height at most and a row at least. So an obstacle may cut kept ground or leave it, and
    the ground under it comes back; what was out of reach stays out; what is new stays where it is joined to kept ground
    in its own tile.

    Args:
        tiles: one tile a place, of layer 0, all of the same settings; places without one keep nothing.

    Raises:
        ArgumentError: two tiles of one place, of another layer, or of different settings.

    >>> import onepath
    >>> level = onepath.Level()
    >>> level.add_plane((0, 0), (8, 8))
    >>> level.add_box((2, 0, 2), (6, 3, 6))
    >>> mesh = onepath.bake(level, radius=0.3, seeds=[(1, 0, 1)])
    >>> again = onepath.bake(level, radius=0.3).tile(0, 0).tile
    >>> again.polygon_count - mesh.floor_mask.applied(again).polygon_count  # the box's top and the ground inside it
    2
    """

    __slots__ = ("_tiles",)

    def __init__(self, tiles: Iterable[Tile]) -> None:
        kept: dict[tuple[int, int], Tile] = {}
        settings: MeshSettings | None = None
        for tile in tiles:
            if not isinstance(tile, Tile):
                raise ArgumentError(f"tiles holds {tile!r}, not a Tile")
            place = tile.column, tile.row
            if place in kept or tile.layer:
                raise ArgumentError(f"tiles has another one at {place}, or one of a layer above 0: {tile!r}")
            if settings is not None and tile.settings != settings:
                raise ArgumentError(f"tiles has different settings: {tile.settings} beside {settings}")
            settings = tile.settings
            if tile.polygon_count:
                kept[place] = _plain(tile)
        self._tiles = dict(sorted(kept.items()))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The kept ground, by column and row; places where nothing is kept are left out."""
        return tuple(self._tiles.values())

    def kept(self, tile: Tile) -> NDArray[np.bool_]:
        """(polygons) of a baked tile, whether each stays."""
        mask = self._tiles.get((tile.column, tile.row))
        if mask is None or tile.polygon_count == 0:
            return np.zeros(tile.polygon_count, bool)
        if tile.polygon_count == mask.polygon_count and _plain(tile) == mask:
            return np.ones(tile.polygon_count, bool)  # all of it lies on itself
        found, there = _samples(tile), _samples(mask)
        agent, row = tile.settings.agent, tile.settings.cell_height
        reach = max(row, min(agent.max_climb, agent.height / 2.0))
        piece = least_joined(tile.polygon_count, *_joined(tile))
        stays = np.zeros(tile.polygon_count, bool)
        stays[piece[found.polygons[_meets(found, there, reach)]]] = True
        return stays[piece]

    def applied(self, tile: Tile) -> Tile:
        """A baked tile without what does not stay; itself where all of it does."""
        stays = self.kept(tile)
        return tile if stays.all() else tile_without(tile, ~stays)

    def __eq__(self, other: object) -> bool:
        return self._tiles == other._tiles if isinstance(other, FloorMask) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.tiles)

    def __reduce__(self) -> tuple[type[FloorMask], tuple[tuple[Tile, ...]]]:
        return FloorMask, (self.tiles,)

    def __repr__(self) -> str:
        return f"FloorMask(tiles={len(self._tiles)}, polygons={sum(tile.polygon_count for tile in self.tiles)})"


def _plain(tile: Tile) -> Tile:
    """The tile's polygons, ground without flags and without detail: equal floors are equal bytes."""
    count = tile.polygon_count
    sections: list[NDArray[Any]] = [tile.section(name) for name in PLAIN_SECTIONS]
    sections += [np.full(count, 63, "u1"), np.ones(count, "<u2")]
    return tile_of_sections(tile.column, tile.row, 0, tile.settings, sections)


def _joined(tile: Tile) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of polygons that share an edge."""
    behind = tile.section("polygon_neighbours").astype(np.int64)
    own = np.repeat(np.arange(tile.polygon_count), np.diff(tile.section("polygon_offsets")))
    return own[behind >= 0], behind[behind >= 0]


def _meets(found: _Samples, there: _Samples, reach: float) -> NDArray[np.int64]:
    """The samples of the first that have one of the second in their cell, within reach of their height."""
    order = np.argsort(there.cells, kind="stable")
    cells, heights = there.cells[order], there.heights[order]
    first = np.searchsorted(cells, found.cells, "left")
    counts = np.searchsorted(cells, found.cells, "right") - first
    own = np.repeat(np.arange(len(counts)), counts)
    other = np.arange(len(own)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
    near: NDArray[np.bool_] = np.abs(found.heights[own] - heights[other]) <= reach
    return own[near]


def _samples(tile: Tile) -> _Samples:
    corners = tile.section("vertices").astype(np.float64)
    # Corners of baked polygons lie on the grid, so whether they cover the centre of a cell is exact.
    plan = np.rint(corners[:, [0, 2]] / tile.settings.cell_size).astype(np.int64)
    offsets, around = tile.section("polygon_offsets"), tile.section("polygon_vertices").astype(np.int64)
    owner, fans = _fans(offsets, around)
    triangle, cells = _cells_within(plan[fans].min(axis=1), plan[fans].max(axis=1))
    a, b, c = (plan[fans[triangle, k]] for k in range(3))
    centre = 2 * cells + 1
    weights = np.stack([_doubled(b, c, centre), _doubled(c, a, centre), _doubled(a, b, centre)], axis=1)
    total = weights.sum(axis=1)
    weights *= np.sign(total)[:, None]
    inside = (total != 0) & (weights >= 0).all(axis=1)
    triangle, cells, weights = triangle[inside], cells[inside], weights[inside]
    heights = (weights * corners[fans[triangle], 1]).sum(axis=1) / weights.sum(axis=1)
    polygons = owner[triangle]
    bare = np.setdiff1d(np.arange(tile.polygon_count), polygons)
    middles = np.add.reduceat(corners[around], offsets[:-1]) / np.diff(offsets)[:, None]
    low = np.floor(middles[bare][:, [0, 2]] / tile.settings.cell_size).astype(np.int64)
    cells = np.concatenate([cells, low])
    return _Samples(
        cells[:, 0] + cells[:, 1] * tile.settings.tile_cells,
        np.concatenate([heights, middles[bare, 1]]),
        np.concatenate([polygons, bare]),
    )


def _fans(offsets: NDArray[np.int32], around: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The polygon of each triangle of the fans from first corners, and its (3) vertices."""
    counts = np.diff(offsets).astype(np.int64)
    first = np.repeat(offsets[:-1].astype(np.int64), counts - 2)
    step = np.arange(len(first)) - np.repeat(np.cumsum(counts - 2) - (counts - 2), counts - 2)
    fans = np.stack([around[first], around[first + step + 1], around[first + step + 2]], axis=1)
    return np.repeat(np.arange(len(counts)), counts - 2), fans


def _cells_within(low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(box of each, (x, z)) of all cells of boxes in the plan."""
    width, depth = (high - low).T
    counts = width * depth
    box = np.repeat(np.arange(len(low)), counts)
    step = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
    return box, low[box] + np.stack([step % width[box], step // width[box]], axis=1)


def _doubled(a: NDArray[np.int64], b: NDArray[np.int64], centre: NDArray[np.int64]) -> NDArray[np.int64]:
    """Four times the area over an edge, in cells, seen from the doubled place of a centre."""
    a, b = 2 * a - centre, 2 * b - centre
    area: NDArray[np.int64] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return area
