"""What tests ask of height detail: triangles as whole numbers, the cells that they cover, the floor under them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from onepath.build import ContourSet, DetailMesh, PolyMesh, build_contours, build_detail, build_polymesh, build_regions
from onepath.build._compact import CompactHeightfield
from tests.floors import is_inside, joined_of, places_of

#: Parts of a cell in which vertices of detail lie.
PARTS = 4096


@dataclass(frozen=True)
class Detailed:
    """The stages of one tile up to its detail."""

    contours: ContourSet
    mesh: PolyMesh
    detail: DetailMesh

    @property
    def vertices(self) -> NDArray[np.int64]:
        """All vertices, the polygons' first: x and z in parts, y in rows."""
        parts = np.array([PARTS, 1, PARTS])
        return np.concatenate([self.mesh.vertices * parts, self.detail.vertices * parts]).astype(np.int64)

    def ring(self, polygon: int) -> NDArray[np.int32]:
        """The polygon's vertices by number."""
        begin, end = self.mesh.polygon_offsets[polygon : polygon + 2]
        return self.mesh.polygon_vertices[begin:end]

    def triangles(self, polygon: int) -> NDArray[np.int32]:
        """The polygon's surface: triangles of detail, or the fan from its first corner."""
        begin, end = self.detail.offsets[polygon : polygon + 2]
        if begin < end:
            return self.detail.triangles[begin:end]
        ring = self.ring(polygon)
        return np.array([[ring[0], b, c] for b, c in pairwise(ring[1:].tolist())], dtype=np.int32)


def detailed(
    compact: CompactHeightfield,
    *,
    padding: int = 0,
    sample_distance: int = 6,
    max_error: float = 1.0,
    edge_error: float = 1.3,
    corners: int = 6,
) -> Detailed:
    contours = build_contours(build_regions(compact, padding=padding), max_edge_error=edge_error)
    mesh = build_polymesh(contours, max_polygon_vertices=corners)
    return Detailed(contours, mesh, build_detail(contours, mesh, sample_distance=sample_distance, max_error=max_error))


def turns(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the area of a, b, c, positive if they run counter-clockwise seen from above; (..., 3) each."""
    return (b[..., 2] - a[..., 2]) * (c[..., 0] - a[..., 0]) - (b[..., 0] - a[..., 0]) * (c[..., 2] - a[..., 2])


def doubled_area(ring: NDArray[np.int64]) -> int:
    return int(turns(np.broadcast_to(ring[0], ring[1:-1].shape), ring[1:-1], ring[2:]).sum())


def floor_finder(case: Detailed) -> Callable[[int], NDArray[np.int64]]:
    """Of a region, (n, 4) cells with the least and the greatest row that its floor may have there: those of its own
    spans, and where it has none those of the regions joined to it, two links away at most. Where own cells within
    three steps cannot all be left for such a row, or some beside it are not joined to it, there is none: of the floors
    on both sides of a drop, which may be of one region, it is not said here whose a polygon is."""
    compact, padding = case.contours.regions.compact, case.contours.regions.padding
    joined = joined_of(compact)
    x, z = places_of(compact, padding)
    kept = is_inside(compact, padding) & (compact.region > 0)
    spans, sides = np.nonzero((joined >= 0) & kept[:, None])
    linked = joined[spans, sides]
    rises = np.abs(compact.y[spans] - compact.y[linked])[compact.region[linked] > 0]
    steepest = int(rises.max(initial=0))

    def is_left_for(own: NDArray[np.intp], cell: tuple[int, int], row: int) -> bool:
        steps = np.abs(x[own] - cell[0]) + np.abs(z[own] - cell[1])
        near = steps <= 3
        return bool((np.abs(compact.y[own] - row)[near] <= steepest * steps[near]).all())

    def is_joined_to(own: NDArray[np.intp], span: int) -> bool:
        beside = own[np.abs(x[own] - x[span]) + np.abs(z[own] - z[span]) == 1]
        return bool(np.isin(beside, joined[span]).all())

    def walked_on_from(near: NDArray[np.intp], own: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those alone in their columns: where a region winds from storey to storey, several of its floors can go on
        into one column, which has room for one of them."""
        cells = x * 2**16 + z
        near = near[~np.isin(near, own)]
        _, place, count = np.unique(cells[near], return_inverse=True, return_counts=True)
        kept: NDArray[np.intp] = near[(count[place] == 1) & ~np.isin(cells[near], cells[own])]
        return kept

    def floors_of(region: int) -> NDArray[np.int64]:
        rows: dict[tuple[int, int], list[int]] = {}
        own = np.flatnonzero(compact.region == region)
        near = joined[own]
        beyond = joined[walked_on_from(np.unique(near[near >= 0]), own)]
        around = np.unique(np.concatenate([near.reshape(-1), beyond.reshape(-1)]))
        for span in own.tolist():
            rows[int(x[span]), int(z[span])] = [int(compact.y[span])]
        columns = set(rows)
        doubtful = set()
        beside = set(compact.region[near[near >= 0]].tolist())
        for span in around[around >= 0].tolist():
            if kept[span] and int(compact.region[span]) in beside and (int(x[span]), int(z[span])) not in columns:
                rows.setdefault((int(x[span]), int(z[span])), []).append(int(compact.y[span]))
                if not is_joined_to(own, span):
                    doubtful.add((int(x[span]), int(z[span])))
        certain = {
            cell: row
            for cell, row in rows.items()
            if cell not in doubtful and all(is_left_for(own, cell, y) for y in row)
        }
        return np.array([(*cell, min(row), max(row)) for cell, row in certain.items()], dtype=np.int64).reshape(-1, 4)

    return floors_of


def errors_over(case: Detailed, polygon: int, floors: NDArray[np.int64]) -> Iterator[tuple[int, int, float]]:
    """How many rows the surface is above (or, negative, below) each of the cells whose centre the polygon covers."""
    points = np.stack([floors[:, 0] * PARTS + PARTS // 2, floors[:, 2], floors[:, 1] * PARTS + PARTS // 2], axis=1)
    vertices = case.vertices
    for triangle in case.triangles(polygon):
        a, b, c = vertices[triangle]
        area = float(turns(a, b, c))
        if area == 0:
            continue
        weights = np.stack([turns(b, c, points), turns(c, a, points), turns(a, b, points)], axis=1)
        covered = (weights >= 0).all(axis=1)
        heights = weights[covered] @ np.array([a[1], b[1], c[1]]) / area
        low, high = heights - floors[covered, 2], heights - floors[covered, 3]
        errors = np.where(np.abs(low) < np.abs(high), low, high)
        yield from zip(floors[covered, 0].tolist(), floors[covered, 1].tolist(), errors.tolist(), strict=True)


def assert_tiled(case: Detailed) -> None:
    """Triangles of a polygon have its area, turn as it does, and no edge twice but for one in each direction."""
    vertices = case.vertices
    for polygon in range(case.mesh.polygon_count):
        begin, end = case.detail.offsets[polygon : polygon + 2]
        if begin == end:
            continue
        triangles = case.detail.triangles[begin:end]
        a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
        assert (turns(a, b, c) > 0).all()
        assert turns(a, b, c).sum() == doubled_area(vertices[case.ring(polygon)])
        ways = [tuple(way) for k in range(3) for way in np.roll(triangles, -k, axis=1)[:, :2].tolist()]
        assert len(set(ways)) == len(ways)
        # The edges without a twin are the outline, which only its own edges and vertices on them can be.
        outline = {way for way in ways if way[::-1] not in set(ways)}
        assert set(case.ring(polygon).tolist()) <= {way[0] for way in outline}
        ring = vertices[case.ring(polygon)]
        for way in outline:
            p, q = vertices[list(way)]
            on_line = (turns(ring, np.roll(ring, -1, axis=0), p) == 0) & (
                turns(ring, np.roll(ring, -1, axis=0), q) == 0
            )
            assert on_line.any()


def cells_of_no_rise(floors: NDArray[np.int64]) -> set[tuple[int, int]]:
    """Cells among (x, z, row, row) whose eight neighbours are all there and none higher."""
    rows = {(x, z): low for x, z, low, high in floors.tolist() if low == high}
    return {
        (x, z)
        for (x, z), row in rows.items()
        if all(rows.get((x + dx, z + dz), row + 1) <= row for dx in (-1, 0, 1) for dz in (-1, 0, 1))
    }


def assert_near(case: Detailed, max_error: float) -> None:
    """Within the error and a row of every cell, and above those that no floor beside rises over within the error."""
    floors_of = floor_finder(case)
    floors = {region: floors_of(region) for region in set(case.mesh.regions.tolist())}
    level = {region: cells_of_no_rise(found) for region, found in floors.items()}
    for polygon, region in enumerate(case.mesh.regions.tolist()):
        off = [
            (x, z, error)
            for x, z, error in errors_over(case, polygon, floors[region])
            if abs(error) > max_error + 1 + 1e-9 or (error > max_error + 1e-5 and (x, z) in level[region])
        ]
        assert off == [], f"polygon {polygon}"
    assert case.detail.largest_error <= max_error + 1
