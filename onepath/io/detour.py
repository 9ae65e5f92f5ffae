"""Navigation meshes of Detour: sets as its demo and its ports write them, and bare tiles.

Detour's tiles lie on a grid with an origin of its own, ours on multiples of the tile size. So its tiles are taken apart
into polygons, joined where they have portals, and put into tiles of ours (`partition`).
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from onepath.build.arguments import LARGEST_COORDINATE
from onepath.build.settings import AgentShape
from onepath.errors import ArgumentError, TileFormatError
from onepath.io.detour_tiles import DetourGrid, DetourTile, read_detour
from onepath.io.outlines import edge_answers
from onepath.io.partition import ImportReport, Partition, build_mesh
from onepath.io.ragged import counted, ranges
from onepath.mesh.link import LinkDef, LinkStatus
from onepath.mesh.navmesh import NavMesh

__all__ = ["AREA_OF_ZERO", "decode_detour", "load_detour"]

#: Detour's area 0 is an area like any other; here area 0 passes no filter.
AREA_OF_ZERO = 64
#: A neighbour with this bit is a portal across the side in the low bits.
PORTAL = 0x8000
#: Side of a portal -> (axis, whether it is the high side).
SIDES = {0: (0, True), 2: (2, True), 4: (0, False), 6: (2, False)}
#: Part of a tile's width by which a portal's corner may lie off the border to be put on it.
BORDER_SLACK = 2.0**-10
GROUND, CONNECTION = 0, 1
BIDIRECTIONAL = 1
#: A link in one of these states is as good as Detour's connection was.
CROSSABLE = (LinkStatus.ATTACHED, LinkStatus.ONE_POLYGON)


def load_detour(path: str | os.PathLike[str]) -> NavMesh:
    """The mesh in a file of Detour's: a set (MSET, version 1) or one or more bare tiles (version 7), either byte order.

    Polygons keep flags and heights, detail included, and their area ids, except that Detour's area 0 becomes 64. Edges
    without a neighbour are walls; portals are joined where their heights differ by at most the tile's climb. The agent
    is that of the first tile.

    Off-mesh connections become links, jumps whose `data` is the user's id, with the snap of their radius or of the
    agent's climb, whichever is more. What could not be taken over is said by a warning and by `report`.

    Raises:
        OSError: the file cannot be read.
        TileFormatError: the bytes are no such file, or a polygon cannot be taken; `.section` and `.element` say where.
    """
    return decode_detour(Path(path).read_bytes())


def decode_detour(data: bytes) -> NavMesh:
    """The mesh in the bytes of a set or of bare tiles. Raises as `load_detour` does."""
    grid, tiles = read_detour(data)
    _refuse_twice(tiles)
    parts = [_part(tile, grid) for tile in tiles]
    first = counted(np.array([len(part.areas) for part in parts], np.int64))

    def name(polygon: int) -> str:
        tile = int(np.searchsorted(first, polygon, "right")) - 1
        return f"{tiles[tile].name}, polygon {int(parts[tile].numbers[polygon - first[tile]])}"

    agent = _agent(tiles[0]) if tiles else AgentShape()
    try:
        mesh = build_mesh(_together(parts), agent, drop_flat=True, names=name)
    except ArgumentError as error:
        raise TileFormatError(str(error), "polygons") from None
    _report(mesh, tiles, parts, _linked(mesh, tiles))
    return mesh


def _refuse_twice(tiles: list[DetourTile]) -> None:
    places: dict[tuple[int, int, int], int] = {}
    for index, tile in enumerate(tiles):
        place = (tile.x, tile.y, tile.layer)
        if place in places:
            raise TileFormatError(f"tiles {places[place]} and {index} both lie at {place}", "tiles", index)
        places[place] = index


def _agent(tile: DetourTile) -> AgentShape:
    height, radius, climb = tile.agent
    try:
        return AgentShape(radius=radius, height=height, max_climb=climb)
    except ArgumentError as error:
        raise TileFormatError(f"{tile.name}: {error}", "header") from None


def _linked(mesh: NavMesh, tiles: list[DetourTile]) -> list[int]:
    """The off-mesh connections of all tiles as committed links: their ids."""
    definitions = [definition for tile in tiles for definition in _links(tile)]
    links = [mesh.stage_link(definition) for definition in definitions]
    if links:
        mesh.commit()
    return links


def _links(tile: DetourTile) -> list[LinkDef]:
    connections, polygons = tile.connections, tile.polygons
    numbers = np.column_stack([connections["ends"], connections["radius"]]).astype(np.float64)
    bad = ~(np.abs(numbers) < LARGEST_COORDINATE).all(axis=1) | (numbers[:, 6] < 0)
    _refuse(tile, "off_mesh", bad, "has an end or a radius that is not finite or out of range")
    place = connections["polygon"].astype(np.int64)
    kinds = np.append(polygons["kind"] >> 6, np.uint8(GROUND))
    bad = kinds[np.minimum(place, len(polygons))] != CONNECTION
    _refuse(tile, "off_mesh", bad, "names a polygon that is not a connection's")
    rows = zip(
        numbers.tolist(),
        polygons["kind"][place].tolist(),
        polygons["flags"][place].tolist(),
        connections["flags"].tolist(),
        connections["user"].tolist(),
        strict=True,
    )
    return [
        LinkDef(
            start=(ends[0], ends[1], ends[2]),
            end=(ends[3], ends[4], ends[5]),
            start_snap=max(ends[6], tile.agent[2]),
            end_snap=max(ends[6], tile.agent[2]),
            bidirectional=bool(way & BIDIRECTIONAL),
            area=kind & 0x3F or AREA_OF_ZERO,
            flags=flags,
            data=user,
        )
        for ends, kind, flags, way, user in rows
    ]


def _report(mesh: NavMesh, tiles: list[DetourTile], parts: list[_Part], links: list[int]) -> None:
    """Says what was not taken over, to whoever calls and in the mesh's report."""
    sentences = []
    loose = [i for i, link in enumerate(links) if mesh.link_state(link).status not in CROSSABLE]
    if loose:
        sentences.append(f"{len(loose)} off-mesh connections reach no polygon with one of their ends: {loose[:10]}")
    others = sum(tile.agent != tiles[0].agent for tile in tiles)
    if others:
        sentences.append(f"{others} tiles are made for another agent than the first one, whose agent the mesh has")
    one_way = sum(part.one_way for part in parts)
    if one_way:
        sentences.append(f"{one_way} edges name a neighbour that does not name them, and are walls")
    report: ImportReport = mesh.report
    mesh.report = replace(report, links=len(links), warnings=tuple(sentences))
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=4)


# --- polygons of one tile


class _Part:
    """The ground polygons of one tile as a partition has them."""

    __slots__ = (
        "areas", "corners", "counts", "detail", "detail_counts", "flags", "numbers", "one_way", "points", "walls",
    )  # fmt: skip

    def __init__(self, tile: DetourTile) -> None:
        polygons = tile.polygons
        kinds = polygons["kind"] >> 6
        _refuse(tile, "polygons", kinds > CONNECTION, "is neither ground nor a connection")
        ground = np.flatnonzero(kinds == GROUND)
        counts = polygons["count"].astype(np.int64)
        bad = (kinds == GROUND) & ((counts < 3) | (counts > 6))
        _refuse(tile, "polygons", bad, "has fewer than 3 or more than 6 corners")
        self.numbers = ground
        self.counts = counts[ground]
        row, column = ranges(np.zeros(len(ground), np.int64), self.counts)
        self.corners = polygons["vertices"][ground[row], column].astype(np.int64)
        bad = np.zeros(len(polygons), bool)
        bad[ground[row[self.corners >= len(tile.vertices)]]] = True
        _refuse(tile, "polygons", bad, "names a vertex that does not exist")
        area = polygons["kind"][ground].astype(np.int64) & 0x3F
        self.areas = np.where(area == 0, AREA_OF_ZERO, area)
        self.flags = polygons["flags"][ground].astype(np.int64)
        self.points = tile.vertices
        neighbours = polygons["neighbours"][ground[row], column].astype(np.int64)
        self._set_walls(tile, neighbours, ground[row])
        self.detail, self.detail_counts = _detail(tile, ground, self.counts)

    def _set_walls(self, tile: DetourTile, neighbours: NDArray[np.int64], owner: NDArray[np.int64]) -> None:
        """Edges without a neighbour, and those whose neighbour does not know of it; `one_way` counts these."""
        portal = neighbours & PORTAL != 0
        bad = np.zeros(len(tile.polygons), bool)
        bad[owner[~portal & (neighbours > len(tile.polygons))]] = True
        _refuse(tile, "polygons", bad, "names a neighbour that does not exist")
        rank = np.full(len(tile.polygons), -1, np.int64)
        rank[self.numbers] = np.arange(len(self.numbers))
        inside = ~portal & (neighbours > 0)
        behind = np.where(inside, rank[np.where(inside, neighbours - 1, 0)], -1) if len(rank) else neighbours
        answered = edge_answers(counted(self.counts), self.corners, behind)
        self.one_way = int((inside & ~answered).sum())
        self.walls = ~portal & ~(inside & answered)

    def put_portals_on_border(self, tile: DetourTile, grid: DetourGrid | None) -> None:
        """Tiles compute their borders from corners of their own, a rounding apart: the grid's line is one for both."""
        portal = tile.polygons["neighbours"].astype(np.int64)
        points = tile.vertices.copy()
        for side, (axis, high) in SIDES.items():
            line, width = _border(tile, grid, axis, high)
            rows, columns = np.nonzero(portal == PORTAL | side)
            count = tile.polygons["count"][rows].astype(np.int64)
            inside = columns < np.minimum(count, 6)
            rows, columns, count = rows[inside], columns[inside], count[inside]
            for place in (columns, (columns + 1) % count):
                vertices = tile.polygons["vertices"][rows, place].astype(np.int64)
                vertices = vertices[vertices < len(points)]
                near = np.abs(points[vertices, axis] - line) <= BORDER_SLACK * width
                points[vertices[near], axis] = line
        self.points = points


def _border(tile: DetourTile, grid: DetourGrid | None, axis: int, high: bool) -> tuple[float, float]:
    """Where a tile's side lies, and how wide the tile is across it."""
    if grid is None:
        return (tile.high if high else tile.low)[axis], abs(tile.high[axis] - tile.low[axis])
    size, index = (grid.width, tile.x) if axis == 0 else (grid.depth, tile.y)
    return grid.origin[axis] + (index + high) * size, size


def _part(tile: DetourTile, grid: DetourGrid | None) -> _Part:
    part = _Part(tile)
    part.put_portals_on_border(tile, grid)
    return part


def _refuse(tile: DetourTile, section: str, bad: NDArray[np.bool_], fault: str) -> None:
    if bad.any():
        element = int(np.argmax(bad))
        raise TileFormatError(f"{tile.name}: section {section}, element {element} {fault}", section, element)


def _detail(
    tile: DetourTile, ground: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Detail triangles (m, 3, 3) of the ground polygons in order, and how many each has."""
    if len(tile.detail_meshes) == 0:
        return np.zeros((0, 3, 3)), np.zeros(len(ground), np.int64)
    missing = np.zeros(len(tile.polygons), bool)
    missing[ground[ground >= len(tile.detail_meshes)]] = True
    _refuse(tile, "polygons", missing, "has no detail mesh, but others have")
    meshes = tile.detail_meshes
    first, triangles = meshes["triangle_base"].astype(np.int64), meshes["triangles"].astype(np.int64)
    base, vertices = meshes["vertex_base"].astype(np.int64), meshes["vertices"].astype(np.int64)
    _refuse(tile, "detail_meshes", first + triangles > len(tile.detail_triangles), "names triangles beyond the last")
    _refuse(tile, "detail_meshes", base + vertices > len(tile.detail_vertices), "names vertices beyond the last")
    row, place = ranges(first[ground], triangles[ground])
    corner = tile.detail_triangles[place, :3].astype(np.int64)
    beyond = corner - counts[row][:, None]
    bad = np.zeros(len(tile.detail_triangles), bool)
    bad[place[(beyond >= vertices[ground[row]][:, None]).any(axis=1)]] = True
    _refuse(tile, "detail_triangles", bad, "names a vertex that its mesh does not have")
    own = tile.polygons["vertices"][ground[row][:, None], np.minimum(corner, 5)].astype(np.int64)
    points = tile.vertices[np.where(beyond < 0, own, 0)]
    if len(tile.detail_vertices):
        place = np.where(beyond >= 0, base[ground[row]][:, None] + beyond, 0)
        points = np.where((beyond >= 0)[:, :, None], tile.detail_vertices[place], points)
    return points, triangles[ground]


def _together(parts: list[_Part]) -> Partition:
    """All tiles as one partition."""
    first = counted(np.array([len(part.points) for part in parts], np.int64))

    def joined(arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate([np.zeros(0, np.int64), *arrays])

    return Partition(
        points=np.concatenate([np.zeros((0, 3)), *(part.points for part in parts)]),
        offsets=counted(joined([part.counts for part in parts])),
        corners=joined([part.corners + start for part, start in zip(parts, first[:-1].tolist(), strict=True)]),
        areas=joined([part.areas for part in parts]),
        flags=joined([part.flags for part in parts]),
        walls=np.concatenate([np.zeros(0, bool), *(part.walls for part in parts)]),
        detail_offsets=counted(joined([part.detail_counts for part in parts])),
        detail=np.concatenate([np.zeros((0, 3, 3)), *(part.detail for part in parts)]),
    )
