"""Whole islands of a finished mesh taken out, for their size or because nobody gets there.

A builder that sees one tile at a time cannot know either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from onepath.geometry.components import least_joined
from onepath.mesh._tile import Tile, tile_of_sections
from onepath.mesh.view import TileView

if TYPE_CHECKING:
    from onepath.mesh.navmesh import NavMesh

__all__ = ["PrunedIslands", "prune_small_islands", "tile_without", "tiles_reachable"]

#: References: the low 21 bits count a tile's polygons, the 20 above them its slot.
POLYGON_BITS, SLOT_BITS = 21, 20


@dataclass(frozen=True, slots=True)
class PrunedIslands:
    """What `NavMesh.prune_islands` took out. True if it took out anything.

    Attributes:
        islands, polygons: how many went.
        area: their X/Z area, square metres.
        islands_left: how many stayed.
        held_islands: of those, islands below the limit that stayed because they may go on in tiles not loaded.
    """

    islands: int = 0
    polygons: int = 0
    area: float = 0.0
    islands_left: int = 0
    held_islands: int = 0

    def __bool__(self) -> bool:
        return self.polygons > 0


def prune_small_islands(mesh: NavMesh, min_area: float) -> PrunedIslands:
    """`NavMesh.prune_islands`, its argument checked."""
    with mesh._reading():
        views = mesh.tiles()
    polygons = _Polygons(views)
    island = least_joined(len(polygons.area), *polygons.steps())
    size = np.bincount(island, polygons.area, len(island))
    held = np.zeros(len(island), bool)
    held[island[polygons.at_frontier]] = True
    is_root = island == np.arange(len(island))
    small = size < min_area
    gone = (small & ~held)[island]
    for view, begin in zip(views, polygons.first, strict=False):
        dropped = gone[begin : begin + view.polygon_count]
        if dropped.any():
            mesh.stage_tile(_view_without(view, dropped))
    return PrunedIslands(
        islands=int((is_root & small & ~held).sum()),
        polygons=int(gone.sum()),
        area=float(polygons.area[gone].sum()),
        islands_left=int((is_root & ~(small & ~held)).sum()),
        held_islands=int((is_root & small & held).sum()),
    )


def tiles_reachable(mesh: NavMesh, starts: Sequence[int]) -> list[Tile]:
    """The mesh's tiles with those polygons only that can be walked to from the starts, references of its polygons.

    Off-mesh links are walked the way they lead, closed ones too.
    """
    with mesh._reading():
        views = mesh.tiles()
    polygons = _Polygons(views)
    origin, target = polygons.steps()
    reached = np.zeros(len(polygons.area), bool)
    reached[polygons.places(np.array(starts, np.int64))] = True
    # Almost every step leads back too, so whole islands of such steps are reached at once.
    both_ways = ~polygons.leads_one_way
    island = least_joined(len(reached), origin[both_ways], target[both_ways])
    origin, target = island[origin[~both_ways]], island[target[~both_ways]]
    island_reached = np.zeros(len(reached), bool)
    island_reached[island[reached]] = True
    while (new := island_reached[origin] & ~island_reached[target]).any():
        island_reached[target[new]] = True
    dropped = ~island_reached[island]
    pieces = [dropped[begin : begin + view.polygon_count] for view, begin in zip(views, polygons.first, strict=False)]
    return [
        tile_without(view.tile, piece) if piece.any() else view.tile for view, piece in zip(views, pieces, strict=True)
    ]


class _Polygons:
    """All polygons of a mesh in a row, tile after tile; tile i's begin at `first[i]`."""

    def __init__(self, views: list[TileView]) -> None:
        counts = [view.polygon_count for view in views]
        self.first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        self._of_slot = np.zeros(max((view.slot for view in views), default=0) + 1, np.int64)
        for view, begin in zip(views, self.first, strict=False):
            self._of_slot[view.slot] = begin
        self.area = np.concatenate([np.zeros(0), *map(_areas, views)])
        self.at_frontier = np.concatenate([np.zeros(0, bool), *map(_at_frontier, views)])
        self.leads_one_way = np.zeros(0, bool)
        self._views = views

    def places(self, references: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where polygons stand in the row."""
        begins: NDArray[np.int64] = self._of_slot[references >> POLYGON_BITS & (1 << SLOT_BITS) - 1]
        return begins + (references & (1 << POLYGON_BITS) - 1)

    def steps(self) -> NDArray[np.int64]:
        """(2, n): from which polygon to which edges, portals and off-mesh links of any state lead.

        `leads_one_way` (n) then says which are off-mesh links: they may lead one way only.
        """
        pairs: list[NDArray[np.int64]] = [np.zeros((2, 0), np.int64)]
        one_way = [np.zeros(0, bool)]
        for view, begin in zip(self._views, self.first, strict=False):
            behind = view.polygon_neighbours.astype(np.int64)
            own = _owners(view)
            pairs.append(begin + np.stack([own, behind])[:, behind > own])
            from_here = begin + view.links["polygon"].astype(np.int64)
            pairs.append(np.stack([from_here, self.places(view.links["target"].astype(np.int64))]))
            one_way += [np.zeros(pairs[-2].shape[1], bool), view.links["edge"] < 0]
        self.leads_one_way = np.concatenate(one_way)
        return np.concatenate(pairs, axis=1)


def _owners(view: TileView) -> NDArray[np.int64]:
    """The polygon of each edge."""
    return _repeated(view.polygon_offsets)


def _repeated(offsets: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of each thing for all that offsets give it."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _areas(view: TileView) -> NDArray[np.float64]:
    """X/Z area of each polygon, square metres."""
    if view.polygon_count == 0:
        return np.zeros(0)
    x, _, z = view.vertices[view.polygon_vertices].astype(np.float64).T
    following = np.arange(1, len(x) + 1)
    following[view.polygon_offsets[1:] - 1] = view.polygon_offsets[:-1]
    doubled = z * x[following] - x * z[following]
    return np.add.reduceat(doubled, view.polygon_offsets[:-1]) / 2.0


def _at_frontier(view: TileView) -> NDArray[np.bool_]:
    """Whether each polygon leads across a side to a cell whose tile is not committed."""
    crosses = np.isin(view.border_sides, view.frontier_sides)
    return np.bincount(_owners(view)[crosses], minlength=view.polygon_count) > 0


def _view_without(view: TileView, dropped: NDArray[np.bool_]) -> Tile:
    """A committed tile without some of its polygons, the others as they are now."""
    # What a volume marked goes back to the area it was baked with when the volume no longer has one of its own.
    areas = np.where(view.volumes > 0, view.tile.section("areas"), view.areas)
    return tile_without(view.tile, dropped, areas, view.flags)


def tile_without(
    tile: Tile,
    dropped: NDArray[np.bool_],
    areas: NDArray[np.uint8] | None = None,
    flags: NDArray[np.uint16] | None = None,
) -> Tile:
    """The tile without some of its polygons, the others in their order, with other areas and flags if given."""
    kept = ~dropped
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    offsets = tile.section("polygon_offsets")
    kept_edges = kept[_repeated(offsets)]
    behind = tile.section("polygon_neighbours")[kept_edges]
    vertices, corners = _used(tile.section("vertices"), tile.section("polygon_vertices")[kept_edges])
    sections: list[NDArray[Any]] = [
        vertices,
        _offsets(np.diff(offsets)[kept]),
        corners,
        np.where(behind >= 0, number[behind], -1).astype("<i4"),
        tile.section("border_sides")[kept_edges],
        (tile.section("areas") if areas is None else areas)[kept].astype("u1"),
        (tile.section("flags") if flags is None else flags)[kept].astype("<u2"),
    ]
    if tile.has_detail:
        sections += _detail_without(tile, kept)
    volumes = tile.section("volumes")[kept].astype("<u2") if tile.has_volumes else np.zeros(0, "<u2")
    return tile_of_sections(
        tile.column, tile.row, tile.layer, tile.settings, sections, volumes if volumes.any() else None
    )


def _used(points: NDArray[np.float32], indices: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """The points that indices name, in their order, and the indices into those."""
    used = np.zeros(len(points), bool)
    used[indices] = True
    return np.ascontiguousarray(points[used]), (np.cumsum(used) - 1)[indices].astype("<i4")


def _offsets(counts: NDArray[Any]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(counts)]).astype("<i4")


def _detail_without(tile: Tile, kept: NDArray[np.bool_]) -> list[NDArray[Any]]:
    """Detail offsets, triangles and vertices of the polygons that are kept."""
    counts = np.diff(tile.section("detail_offsets"))
    corners = tile.section("detail_triangles")[np.repeat(kept, counts)].reshape(-1)
    used = np.zeros(tile.vertex_count, bool)
    used[tile.section("polygon_vertices")[kept[_repeated(tile.section("polygon_offsets"))]]] = True
    fine = corners >= len(used)
    kept_points, fine_corners = _used(tile.section("detail_vertices"), corners[fine] - len(used))
    moved = np.empty(len(corners), "<i4")
    moved[fine] = fine_corners + int(used.sum())
    moved[~fine] = (np.cumsum(used) - 1)[corners[~fine]]
    return [_offsets(counts[kept]), moved.reshape(-1, 3), kept_points]
