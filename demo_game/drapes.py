"""Lines laid over the drawn ground: the chosen agent's path as a ribbon, the mesh's polygons as an outline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demo_game.ground import GroundLookup
from onepath import NavMesh, Path
from onepath.agents import PathSurface

__all__ = ["mesh_outline", "path_on_ground", "ribbon"]

Floats = NDArray[np.float64]

#: Distance between the points of a draped line, and how far above the ground it hovers, metres.
SPACING, LIFT = 0.4, 0.09
WIDTH = 0.26


def path_on_ground(mesh: NavMesh, ground: GroundLookup, path: Path) -> Floats:
    """(n, 3): a path's corners with points between, each on the drawn ground under the polygons that it crosses."""
    if len(path.points) < 2:
        return np.zeros((0, 3))
    line = _subdivided(path.points)
    surface, reach, last = PathSurface(mesh, path), mesh.settings.agent.height, float(line[0, 1])
    for point in line:
        height = surface.height(tuple(point.tolist()), last, reach)
        point[1] = last = last if height is None else height
    return _draped(ground, line)


def ribbon(line: Floats, width: float = WIDTH) -> NDArray[np.float32]:
    """(n, 3, 3) triangles: a level band along the line."""
    if len(line) < 2:
        return np.zeros((0, 3, 3), dtype=np.float32)
    along = np.gradient(line[:, [0, 2]], axis=0)
    lengths = np.sqrt((along * along).sum(axis=1))
    along /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    side = np.stack([along[:, 1], np.zeros(len(line)), -along[:, 0]], axis=1) * (width / 2.0)
    left, right = line + side, line - side
    first = np.stack([left[:-1], right[:-1], right[1:]], axis=1)
    second = np.stack([left[:-1], right[1:], left[1:]], axis=1)
    return np.concatenate([first, second]).astype(np.float32)


def mesh_outline(mesh: NavMesh, ground: GroundLookup) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Line segments, (n, 2, 3) each: the polygons' inner edges, and those at which the walkable ground ends."""
    inner, border = [], []
    for tile in mesh.tiles():
        if tile.polygon_count == 0:
            continue
        corners = np.asarray(tile.vertices, dtype=np.float64)[tile.polygon_vertices] + np.asarray(tile.origin)
        following = np.arange(1, len(corners) + 1)
        following[np.asarray(tile.polygon_offsets[1:]) - 1] = tile.polygon_offsets[:-1]
        edges = np.stack([corners, corners[following]], axis=1)
        joined = np.asarray(tile.polygon_neighbours) >= 0
        linked = joined.copy()
        links = tile.links
        first_edges = np.asarray(tile.polygon_offsets)[links["polygon"]]
        linked[first_edges + links["edge"]] = True
        # An edge between two polygons is drawn once, by the one that comes first.
        owner = np.repeat(np.arange(tile.polygon_count), np.diff(tile.polygon_offsets))
        inner.append(edges[linked & ~(joined & (np.asarray(tile.polygon_neighbours) < owner))])
        border.append(edges[~linked])
    return _draped_edges(ground, inner), _draped_edges(ground, border)


def _draped_edges(ground: GroundLookup, edges: list[Floats]) -> NDArray[np.float32]:
    """(n, 2, 3): each edge in pieces that follow the ground."""
    if not edges:
        return np.zeros((0, 2, 3), dtype=np.float32)
    joined = np.concatenate(edges)
    lengths = np.sqrt(((joined[:, 1] - joined[:, 0]) ** 2).sum(axis=1))
    pieces = np.maximum(1, np.ceil(lengths / (2.0 * SPACING)).astype(np.int64))
    owner = np.repeat(np.arange(len(joined)), pieces)
    step = (np.arange(len(owner)) - (np.cumsum(pieces) - pieces)[owner])[:, None]
    start, along = joined[owner, 0], (joined[owner, 1] - joined[owner, 0]) / pieces[owner][:, None]
    ends = np.stack([start + along * step, start + along * (step + 1)], axis=1)
    return _draped(ground, ends.reshape(-1, 3)).reshape(-1, 2, 3).astype(np.float32)


def _subdivided(points: Floats) -> Floats:
    lengths = np.sqrt(((points[1:] - points[:-1]) ** 2).sum(axis=1))
    parts = [
        np.linspace(a, b, max(2, int(length / SPACING) + 1), endpoint=False)
        for a, b, length in zip(points, points[1:], lengths, strict=False)
    ]
    return np.concatenate([*parts, points[-1:]])


def _draped(ground: GroundLookup, points: Floats) -> Floats:
    heights = ground.heights(points)
    points[:, 1] = np.where(np.isnan(heights), points[:, 1], heights) + LIFT
    return points
