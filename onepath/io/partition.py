"""Ready convex polygons in, a committed mesh out: what `NavMesh.from_polygons` and the importers share.

Polygons are put on the lattice (`lattice`), made to share their edges (`seams`), cut at tile borders where one tile
cannot hold all (`cutting`), and handed to `Tile` a square at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, LimitError, TileFormatError
from onepath.io.cutting import Corner, Piece, Triangle, convex_pieces, inside_tile, pieces_of_tiles
from onepath.io.lattice import STEPS, Lattice
from onepath.io.outlines import Outlines, areas_twice, faults, turns, welded, without
from onepath.io.ragged import counted, following, places_of_rows, preceding, taken
from onepath.io.seams import join_seams
from onepath.mesh._tile import Tile, tile_of_sections
from onepath.mesh.navmesh import NavMesh
from onepath.mesh.settings import MeshSettings
from onepath.mesh.tile_arrays import MAX_POLYGONS, arrange

__all__ = ["ImportReport", "Partition", "build_mesh"]

#: A step of exactly the climb may come out a rounding higher; the mesh's portals have the same slack.
CLIMB_SLACK = 1e-3


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """The account of an import; `mesh.report`.

    Attributes:
        given: polygons that were handed over.
        polygons: polygons of the mesh.
        left_out: polygons without area, or that nobody can walk on by the file's own word.
        split: polygons that had to be cut at a tile's border or into triangles.
        seams: stretches of edges that were joined although the edges' corners differed.
        links: off-mesh connections of the file, which are links of the mesh.
        warnings: sentences about what was not taken over, empty when everything was.
    """

    given: int = 0
    polygons: int = 0
    left_out: int = 0
    split: int = 0
    seams: int = 0
    links: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Partition:
    """Polygons as they were handed over, indices in range and at least 3 corners each.

    Attributes:
        points: (n, 3) float64, world, within the world's limits.
        offsets, corners: polygon i has the points corners[offsets[i] : offsets[i + 1]], of either winding.
        areas, flags: (polygons) int64.
        walls: (edges) bool; the edge from each corner to the next lets nobody through. None: nowhere.
        detail_offsets, detail: triangles (m, 3, 3) of world points that refine the heights; None: nowhere.
    """

    points: NDArray[np.float64]
    offsets: NDArray[np.int64]
    corners: NDArray[np.int64]
    areas: NDArray[np.int64]
    flags: NDArray[np.int64]
    walls: NDArray[np.bool_] | None = None
    detail_offsets: NDArray[np.int64] | None = None
    detail: NDArray[np.float64] | None = None


def build_mesh(
    partition: Partition,
    agent: AgentShape,
    *,
    drop_flat: bool = False,
    names: Callable[[int], str] = "polygon {}".format,
    mesh_class: type[NavMesh] = NavMesh,
) -> NavMesh:
    """The mesh of the polygons, one tile or up to four; `report` is an ImportReport.

    Args:
        partition: the polygons.
        agent: the body the mesh is for.
        drop_flat: leave out polygons without area instead of refusing them.
        names: what errors call a polygon.
        mesh_class: NavMesh or a subclass of it that is made like it.

    Raises:
        ArgumentError: naming the first polygon that is not convex, has no area, or overlaps another at an edge.
        LimitError: more polygons than a tile may have.
    """
    given = len(partition.areas)
    if given == 0:
        mesh = mesh_class(MeshSettings(agent=agent), (0, 0, 0, 0))
        mesh.report = ImportReport()
        return mesh
    lattice = Lattice.around(partition.points[partition.corners])
    settings = lattice.settings(agent)
    source, numbers = _outlines(partition, lattice, drop_flat, names)
    climb = agent.max_climb + CLIMB_SLACK * settings.cell_height
    joined = join_seams(source, climb, 2.0**-20 * lattice.tile_size)
    detail = _Detail(partition, lattice, source, numbers, joined.moved)
    pieces, split = _pieces(joined.outlines, numbers, detail, names)
    mesh = _committed(pieces, partition, settings, mesh_class)
    mesh.report = ImportReport(
        given=given, polygons=mesh.polygon_count, left_out=given - len(numbers), split=split, seams=joined.seams
    )
    return mesh


# --- outlines


def _outlines(
    partition: Partition, lattice: Lattice, drop_flat: bool, names: Callable[[int], str]
) -> tuple[Outlines, NDArray[np.int64]]:
    """The polygons on the lattice, our way round and checked, and the number that each had."""
    used = partition.points[partition.corners]
    walls = np.zeros(len(used), bool) if partition.walls is None else partition.walls
    outlines = Outlines(lattice.steps(used), lattice.heights(used), partition.offsets, np.arange(len(used)), walls)
    numbers = np.arange(len(partition.areas))
    outlines = _without_short_edges(outlines)
    area = _areas(outlines)
    if drop_flat:
        outlines, numbers, area = without(outlines, area == 0), numbers[area != 0], area[area != 0]
    elif not area.all():
        raise ArgumentError(f"{names(int(np.argmin(area != 0)))} has no area in X and Z")
    if not len(numbers):
        raise ArgumentError("no polygon has an area in X and Z")
    outlines = welded(_turned(outlines, area < 0))
    _, bent, _ = faults(outlines)
    if bent.any():
        raise ArgumentError(f"{names(int(numbers[int(np.argmax(bent))]))} is not convex seen from above")
    _refuse_overlaps(outlines, numbers, names)
    return outlines, numbers


def _areas(outlines: Outlines) -> NDArray[np.int64]:
    """Twice the area, 0 for what has fewer than 3 corners."""
    enough = np.diff(outlines.offsets) >= 3
    area = np.zeros(len(enough), np.int64)
    if enough.any():
        area[enough] = areas_twice(without(outlines, ~enough))
    return area


def _without_short_edges(outlines: Outlines) -> Outlines:
    """Corners at the place of the next one are left out: no edge lies between them."""
    here = outlines.steps[outlines.corners]
    kept = (following(outlines.offsets, here) != here).any(axis=1)
    counts = np.add.reduceat(kept.astype(np.int64), outlines.offsets[:-1])
    return Outlines(outlines.steps, outlines.heights, counted(counts), outlines.corners[kept], outlines.walls[kept])


def _turned(outlines: Outlines, which: NDArray[np.bool_]) -> Outlines:
    """With the order of corners reversed in the polygons named; walls stay with their edges."""
    owner = outlines.owners
    place = np.arange(len(owner))
    first, last = outlines.offsets[:-1][owner], outlines.offsets[1:][owner] - 1
    place = np.where(which[owner], first + last - place, place)
    # Reversed, the edge from a corner is the one that led to it.
    into = preceding(outlines.offsets, outlines.walls)
    walls = np.where(which[owner], into[place], outlines.walls)
    return Outlines(outlines.steps, outlines.heights, outlines.offsets, outlines.corners[place], walls)


def _refuse_overlaps(outlines: Outlines, numbers: NDArray[np.int64], names: Callable[[int], str]) -> None:
    """An edge has one polygon on each side; of two on one side, one would silently be cut off."""
    edge = outlines.corners * len(outlines.steps) + outlines.ends
    order = np.argsort(edge, kind="stable")
    twice = np.flatnonzero(edge[order][1:] == edge[order][:-1])
    if len(twice):
        first, second = numbers[outlines.owners[order[twice[0] : twice[0] + 2]]]
        raise ArgumentError(
            f"{names(int(second))} lies on the same side of an edge as {names(int(first))}; they overlap"
        )


# --- detail


class _Detail:
    """Triangles of height by polygon, X and Z in steps: given ones, or the old surface where joining moved a corner."""

    def __init__(
        self,
        partition: Partition,
        lattice: Lattice,
        source: Outlines,
        numbers: NDArray[np.int64],
        moved: NDArray[np.bool_],
    ) -> None:
        self.source, self.moved = source, moved
        self.offsets: NDArray[np.int64] | None = None
        if partition.detail is not None and partition.detail_offsets is not None:
            points, self.offsets = taken(partition.detail, partition.detail_offsets, numbers)
            flat = points.reshape(-1, 3)
            steps = flat[:, [0, 2]] / lattice.step
            self.triangles = np.column_stack([steps, lattice.heights(flat)]).reshape(-1, 3, 3)

    def of(self, polygon: int) -> NDArray[np.float64]:
        """(m, 3, 3); none where the polygon's own corners say all."""
        if self.offsets is not None and self.offsets[polygon] < self.offsets[polygon + 1]:
            return self.triangles[self.offsets[polygon] : self.offsets[polygon + 1]]
        if not self.moved[polygon]:
            return np.zeros((0, 3, 3))
        nodes = self.source.corners[self.source.offsets[polygon] : self.source.offsets[polygon + 1]]
        points = np.column_stack([self.source.steps[nodes], self.source.heights[nodes]])
        fan = np.arange(1, len(points) - 1)
        return np.stack([np.broadcast_to(points[0], (len(fan), 3)), points[fan], points[fan + 1]], axis=1)

    @property
    def any(self) -> bool:
        return self.offsets is not None or bool(self.moved.any())


# --- pieces


@dataclass(slots=True)
class _Pieces:
    """Everything that goes into tiles, in the order of the polygons: ragged arrays a piece."""

    polygons: NDArray[np.int64]
    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    offsets: NDArray[np.int64]
    steps: NDArray[np.int64]
    heights: NDArray[np.float64]
    walls: NDArray[np.bool_]
    detail_offsets: NDArray[np.int64]
    detail: NDArray[np.float64]
    has_detail: bool


def _pieces(
    outlines: Outlines, numbers: NDArray[np.int64], detail: _Detail, names: Callable[[int], str]
) -> tuple[_Pieces, int]:
    """The polygons in pieces that tiles take, `polygons` as they were numbered first; and how many were split.

    Most polygons are convex, lie within one tile and stay arrays; the others are cut one by one.
    """
    cells, plain = _cells(outlines)
    whole = np.flatnonzero(plain)
    builder = _PieceLists()
    for polygon in np.flatnonzero(~plain).tolist():
        builder.cut(polygon, names(int(numbers[polygon])), _corners_of(outlines, polygon), detail.of(polygon))
    if detail.any:
        for polygon, (column, row) in zip(whole.tolist(), cells[whole].tolist(), strict=True):
            builder.keep_detail(detail.of(polygon), column, row)
    return builder.joined(numbers, whole, cells, outlines, detail.any), builder.split


def _cells(outlines: Outlines) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The lowest (column, row) of every polygon, and whether one tile takes it as it is."""
    counts = np.diff(outlines.offsets)
    sound = counts >= 3
    full = np.repeat(sound, counts)
    first = counted(counts[sound])[:-1]
    here = outlines.steps[outlines.corners[full]]
    low = np.zeros((len(counts), 2), np.int64)
    high = np.zeros((len(counts), 2), np.int64)
    low[sound] = np.minimum.reduceat(here, first) // STEPS
    high[sound] = -(-np.maximum.reduceat(here, first) // STEPS) - 1
    kept = without(outlines, ~sound)
    straight = np.minimum.reduceat(turns(kept), first) >= 0
    empty, bent, _ = faults(kept)
    plain = np.zeros(len(counts), bool)
    plain[sound] = straight & ~empty & ~bent & (counts[sound] <= 1024)
    return low, plain & (low == high).all(axis=1)


def _corners_of(outlines: Outlines, polygon: int) -> list[Corner]:
    span = slice(int(outlines.offsets[polygon]), int(outlines.offsets[polygon + 1]))
    nodes = outlines.corners[span]
    x, z = outlines.steps[nodes].T.tolist()
    return list(map(Corner, x, z, outlines.heights[nodes].tolist(), outlines.walls[span].tolist()))


class _PieceLists:
    """Pieces of polygons that were cut, gathered in lists."""

    def __init__(self) -> None:
        self.pieces: list[tuple[int, Piece]] = []
        self.split = 0
        self.whole_detail: list[Triangle] = []
        self.whole_detail_counts: list[int] = [0]

    def cut(self, polygon: int, name: str, corners: list[Corner], detail: NDArray[np.float64]) -> None:
        if len(corners) < 3:
            return
        parts = list(pieces_of_tiles(corners, detail))
        convex = [part for piece in parts for part in convex_pieces(piece)]
        if not convex and parts:
            raise ArgumentError(f"{name} is not convex once it has met its neighbours")
        self.pieces += [(polygon, piece) for piece in convex]
        self.split += len(convex) > 1

    def keep_detail(self, triangles: NDArray[np.float64], column: int, row: int) -> None:
        """Detail of the next polygon that stays whole; rounding may have left a corner outside the tile."""
        for triangle in triangles:
            self.whole_detail.extend(inside_tile(triangle, column, row))
        self.whole_detail_counts.append(len(self.whole_detail))

    def joined(
        self,
        numbers: NDArray[np.int64],
        whole: NDArray[np.int64],
        cells: NDArray[np.int64],
        outlines: Outlines,
        has_detail: bool,
    ) -> _Pieces:
        """Whole polygons and pieces together, in the order of the polygons."""
        nodes, offsets = taken(outlines.corners, outlines.offsets, whole)
        walls, _ = taken(outlines.walls, outlines.offsets, whole)
        cut = [piece for _, piece in self.pieces]
        polygons = np.concatenate([whole, np.array([polygon for polygon, _ in self.pieces], np.int64)])
        order = np.argsort(polygons, kind="stable")
        corners = [corner for piece in cut for corner in piece.corners]
        flat = np.array([corner[:2] for corner in corners], np.int64).reshape(-1, 2)
        all_offsets = counted(np.concatenate([np.diff(offsets), [len(piece.corners) for piece in cut]]).astype(int))
        place = places_of_rows(all_offsets, order)
        columns = np.concatenate([cells[whole, 0], np.array([piece.column for piece in cut], np.int64)])
        rows = np.concatenate([cells[whole, 1], np.array([piece.row for piece in cut], np.int64)])
        whole_counts = np.diff(self.whole_detail_counts) if has_detail else np.zeros(len(whole), np.int64)
        counts = np.concatenate([whole_counts, [len(piece.detail) for piece in cut]]).astype(np.int64)
        triangles = self.whole_detail + [triangle for piece in cut for triangle in piece.detail]
        detail, detail_offsets = taken(np.array(triangles).reshape(-1, 3, 3), counted(counts), order)
        return _Pieces(
            polygons=numbers[polygons[order]],
            columns=columns[order],
            rows=rows[order],
            offsets=counted(np.diff(all_offsets)[order]),
            steps=np.concatenate([outlines.steps[nodes], flat])[place],
            heights=np.concatenate([outlines.heights[nodes], [corner[2] for corner in corners]])[place],
            walls=np.concatenate([walls, np.array([corner[3] for corner in corners], bool)])[place],
            detail_offsets=detail_offsets,
            detail=detail,
            has_detail=has_detail,
        )


# --- tiles


def _committed(pieces: _Pieces, partition: Partition, settings: MeshSettings, mesh_class: type[NavMesh]) -> NavMesh:
    """A bounded mesh with a tile in each of its cells."""
    bounds = tuple(int(n) for n in (pieces.columns.min(), pieces.rows.min(), pieces.columns.max(), pieces.rows.max()))
    mesh = mesh_class(settings, (bounds[0], bounds[1], bounds[2], bounds[3]))
    for column in range(bounds[0], bounds[2] + 1):
        for row in range(bounds[1], bounds[3] + 1):
            here = np.flatnonzero((pieces.columns == column) & (pieces.rows == row))
            if len(here) > MAX_POLYGONS:
                raise LimitError(f"{len(here)} polygons in one tile, more than the {MAX_POLYGONS} that it may have")
            mesh.stage_tile(_tile(column, row, here, pieces, partition, settings))
    mesh.commit()
    return mesh


def _tile(
    column: int, row: int, here: NDArray[np.int64], pieces: _Pieces, partition: Partition, settings: MeshSettings
) -> Tile:
    step = settings.tile_size / STEPS
    corner = np.array([column * STEPS, row * STEPS], np.int64)
    place = places_of_rows(pieces.offsets, here)
    steps = (pieces.steps[place] - corner) * step
    vertices = np.column_stack([steps[:, 0], pieces.heights[place], steps[:, 1]])
    offsets = counted(np.diff(pieces.offsets)[here])
    detail = None
    if pieces.has_detail:
        triangles, detail_offsets = taken(pieces.detail, pieces.detail_offsets, here)
        ground = np.clip((triangles[:, :, :2] - corner) * step, 0.0, settings.tile_size)
        points = np.stack([ground[:, :, 0], triangles[:, :, 2], ground[:, :, 1]], axis=2).reshape(-1, 3)
        unique, index = _unique_points(points.astype(np.float32))
        detail = (detail_offsets, (index + len(vertices)).reshape(-1, 3), unique)
    sections = arrange(
        vertices,
        offsets,
        np.arange(len(place)),
        partition.areas[pieces.polygons[here]],
        partition.flags[pieces.polygons[here]],
        detail,
        settings.tile_size,
    )
    _close_walls(sections[2].astype(np.int64), offsets, sections[3], sections[4], pieces.walls[place])
    try:
        return tile_of_sections(column, row, 0, settings, sections)
    except TileFormatError as error:
        raise ArgumentError(f"the joined polygons are no sound tile: {error}") from None


def _unique_points(points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Every point once, ascending, and the place of each given one."""
    order = np.lexsort(points.T)
    new = np.ones(len(points), bool)
    new[1:] = (points[order][1:] != points[order][:-1]).any(axis=1)
    index = np.empty(len(points), np.int64)
    index[order] = np.cumsum(new) - 1
    return points[order][new], index


def _close_walls(
    corners: NDArray[np.int64],
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    sides: NDArray[np.int8],
    walls: NDArray[np.bool_],
) -> None:
    """Takes the neighbour from both sides of every wall, and from a wall on a tile's side its way out."""
    if not walls.any():
        return
    ends = following(offsets, corners)
    edge = np.minimum(corners, ends) * (int(corners.max()) + 1) + np.maximum(corners, ends)
    closed = np.isin(edge, edge[walls])
    neighbours[closed] = -1
    sides[walls] = -1
